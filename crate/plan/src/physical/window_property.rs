//! Which columns of a node are `window_start`, `window_end` and `window_time`, and of which window.
//!
//! Flink: `FlinkRelMdWindowProperties`. A column stays a window column as long as it is only passed on; an expression
//! over it is an ordinary column.

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{node::WindowSpec, timed::equal_windows};
use crate::logical::{AggregateNode, JoinNode, LogicalNode, LogicalOp};

/// The window that the rows of a node belong to.
#[derive(Clone, Debug)]
pub(super) struct WindowProperties {
    /// The window as the table function assigned it; its source is not of this node.
    pub(super) window: WindowSpec,
    /// Columns that hold `window_start`.
    pub(super) starts: Vec<u32>,
    /// Columns that hold `window_end`.
    pub(super) ends: Vec<u32>,
    /// Columns that hold `window_time`.
    pub(super) times: Vec<u32>,
}

impl WindowProperties {
    /// Whether the column is one of the window's.
    pub(super) fn contains(&self, column: u32) -> bool {
        [&self.starts, &self.ends, &self.times]
            .iter()
            .any(|columns| columns.contains(&column))
    }

    /// Whether the columns name one window: a start and an end are among them.
    pub(super) fn names_window(&self, columns: &[u32]) -> bool {
        columns.iter().any(|column| self.starts.contains(column))
            && columns.iter().any(|column| self.ends.contains(column))
    }

    /// Whether every grouping set of an aggregation over the node has the window's start and end.
    pub(super) fn is_grouped_by(&self, aggregate: &AggregateNode) -> bool {
        aggregate.sets.iter().all(|set| {
            let columns: Vec<u32> = set
                .iter()
                .filter_map(|at| aggregate.keys.get(*at as usize))
                .copied()
                .gather();
            self.names_window(&columns)
        })
    }

    /// The properties behind a mapping: `columns[i]` is the input column that output column `i` passes on.
    fn mapped(self, columns: &[Option<u32>]) -> Option<Self> {
        let of = |wanted: &[u32]| -> Vec<u32> {
            (0_u32..)
                .zip(columns)
                .filter(|(_, input)| input.is_some_and(|input| wanted.contains(&input)))
                .map(|(output, _)| output)
                .gather()
        };
        let (starts, ends, times) = (of(&self.starts), of(&self.ends), of(&self.times));
        (!starts.is_empty() || !ends.is_empty()).then_some(Self {
            window: self.window,
            starts,
            ends,
            times,
        })
    }
}

/// The window columns of a node; `None` where it has neither a start nor an end.
pub(super) fn window_properties(node: &LogicalNode) -> Option<WindowProperties> {
    let input = || node.inputs.first().and_then(|input| window_properties(input));
    match &node.op {
        LogicalOp::WindowTvf(tvf) => {
            let first = u32::try_from(node.inputs.first()?.schema.len()).ok()?;
            Some(WindowProperties {
                window: tvf.window.clone(),
                starts: vec![first],
                ends: vec![first + 1],
                times: vec![first + 2],
            })
        }
        LogicalOp::Project(project) => {
            let columns: Vec<Option<u32>> = project.expressions.iter().map(Expr::as_column).gather();
            input()?.mapped(&columns)
        }
        LogicalOp::Expand(expand) => {
            let width = expand.projections.first()?.len();
            let columns: Vec<Option<u32>> = (0..width)
                .map(|at| {
                    let mut of_sets = expand
                        .projections
                        .iter()
                        .map(|set| set.get(at).and_then(Expr::as_column));
                    let first = of_sets.next().flatten();
                    if of_sets.all(|column| column == first) {
                        first
                    } else {
                        None
                    }
                })
                .gather();
            input()?.mapped(&columns)
        }
        LogicalOp::Aggregate(aggregate) => {
            let window = input()?;
            if !window.is_grouped_by(aggregate) {
                return None;
            }
            let columns: Vec<Option<u32>> = aggregate.keys.iter().copied().map(Some).gather();
            window.mapped(&columns)
        }
        LogicalOp::Filter(_)
        | LogicalOp::Correlate(_)
        | LogicalOp::Watermark(_)
        | LogicalOp::Over(_)
        | LogicalOp::Rank(_)
        | LogicalOp::Sort(_) => input(),
        LogicalOp::Union(_) => {
            let mut inputs = node.inputs.iter().map(|input| window_properties(input));
            let first = inputs.next().flatten()?;
            inputs
                .all(|other| other.is_some_and(|other| is_same(&first, &other)))
                .then_some(first)
        }
        LogicalOp::Join(join) => of_join(node, join),
        LogicalOp::Scan(_)
        | LogicalOp::Snapshot(_)
        | LogicalOp::Match(_)
        | LogicalOp::Values(_)
        | LogicalOp::SetOp(_)
        | LogicalOp::GroupWindow(_)
        | LogicalOp::Sink(_) => None,
    }
}

/// PARTITION BY columns of the SESSION that a node's rows come from, as far as it still has them.
pub(super) fn session_columns(node: &LogicalNode, window: &WindowProperties) -> Vec<u32> {
    if !window.window.kind.is_session() {
        return Vec::new();
    }
    session_of(node).unwrap_or_default()
}

fn session_of(node: &LogicalNode) -> Option<Vec<u32>> {
    let input = || node.inputs.first().and_then(|input| session_of(input));
    let through = |columns: &[Option<u32>]| -> Option<Vec<u32>> {
        let below = input()?;
        let place = |key: &u32| columns.iter().position(|column| *column == Some(*key));
        below
            .iter()
            .map(|key| place(key).and_then(|at| u32::try_from(at).ok()))
            .gather()
    };
    match &node.op {
        LogicalOp::WindowTvf(tvf) => Some(tvf.partition.clone()),
        LogicalOp::Project(project) => {
            let columns: Vec<Option<u32>> = project.expressions.iter().map(Expr::as_column).gather();
            through(&columns)
        }
        LogicalOp::Aggregate(aggregate) => {
            let columns: Vec<Option<u32>> = aggregate.keys.iter().copied().map(Some).gather();
            through(&columns)
        }
        _ => input(),
    }
}

/// A join of equal windows is in that window, in the columns of both sides.
fn of_join(node: &LogicalNode, join: &JoinNode) -> Option<WindowProperties> {
    let [left, right] = node.inputs.as_slice() else {
        return None;
    };
    equal_windows(&join.condition, left, right)?;
    let (of_left, of_right) = (window_properties(left)?, window_properties(right)?);
    if join.kind.is_semi_or_anti() {
        return Some(of_left);
    }
    let width = u32::try_from(left.schema.len()).ok()?;
    let both = |left: Vec<u32>, right: &[u32]| -> Vec<u32> {
        left.into_iter()
            .chain(right.iter().map(|column| column + width))
            .gather()
    };
    Some(WindowProperties {
        window: of_left.window,
        starts: both(of_left.starts, &of_right.starts),
        ends: both(of_left.ends, &of_right.ends),
        times: both(of_left.times, &of_right.times),
    })
}

/// Whether two properties name the same windows in the same columns.
fn is_same(left: &WindowProperties, right: &WindowProperties) -> bool {
    left.window.kind == right.window.kind
        && left.window.rowtime == right.window.rowtime
        && left.window.zone == right.window.zone
        && left.starts == right.starts
        && left.ends == right.ends
        && left.times == right.times
        && !left.window.kind.is_session()
}
