//! Which columns of a node are the bounds of a window, and of which.

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{LogicalNode, LogicalOp};
use crate::physical::node::{WindowSource, WindowSpec};

/// Window columns among a node's columns.
///
/// Flink: `RelWindowProperties`.
#[derive(Clone, Debug)]
pub struct WindowColumns {
    /// The window.
    pub window: WindowSpec,
    /// PARTITION BY columns of a SESSION that the node still has, if it has all of them.
    pub partition: Option<Vec<u32>>,
    /// Columns that are `window_start`.
    pub start: Vec<u32>,
    /// Columns that are `window_end`.
    pub end: Vec<u32>,
    /// Columns that are `window_time`.
    pub time: Vec<u32>,
}

/// The window columns of a node; `None` where it has none left.
///
/// They come from a window table function, pass projections that keep them as they are, filters and UNION ALL of
/// equal windows, and an aggregation that groups by start and end.
pub fn window_columns(node: &LogicalNode) -> Option<WindowColumns> {
    let found = match &node.op {
        LogicalOp::WindowTvf(tvf) => {
            let width = u32::try_from(node.inputs.first()?.schema.len()).ok()?;
            WindowColumns {
                window: tvf.window.clone(),
                partition: Some(tvf.partition.clone()),
                start: vec![width],
                end: vec![width + 1],
                time: vec![width + 2],
            }
        }
        LogicalOp::Filter(_)
        | LogicalOp::Correlate(_)
        | LogicalOp::Over(_)
        | LogicalOp::Rank(_)
        | LogicalOp::Sort(_) => window_columns(node.inputs.first()?)?,
        LogicalOp::Project(project) => {
            let below = window_columns(node.inputs.first()?)?;
            below.mapped(|column| outputs_of(&project.expressions, column))
        }
        LogicalOp::Aggregate(aggregate) => {
            let below = window_columns(node.inputs.first()?)?;
            if !below.is_grouped_by(&aggregate.keys) {
                return None;
            }
            below.mapped(|column| {
                let positions = (0_u32..).zip(&aggregate.keys).filter(|(_, key)| **key == column);
                positions.map(|(at, _)| at).gather()
            })
        }
        LogicalOp::Union(_) => {
            let mut inputs = node.inputs.iter().map(|input| window_columns(input));
            let first = inputs.next()??;
            for other in inputs {
                let other = other?;
                if other.window.kind != first.window.kind
                    || (&other.start, &other.end, &other.time) != (&first.start, &first.end, &first.time)
                {
                    return None;
                }
            }
            first
        }
        LogicalOp::Scan(_)
        | LogicalOp::Values(_)
        | LogicalOp::Watermark(_)
        | LogicalOp::Expand(_)
        | LogicalOp::Snapshot(_)
        | LogicalOp::Match(_)
        | LogicalOp::GroupWindow(_)
        | LogicalOp::Join(_)
        | LogicalOp::SetOp(_)
        | LogicalOp::Sink(_) => return None,
    };
    let has_any = !(found.start.is_empty() && found.end.is_empty() && found.time.is_empty());
    has_any.then_some(found)
}

impl WindowColumns {
    /// Whether these group keys contain both bounds of the window.
    pub fn is_grouped_by(&self, keys: &[u32]) -> bool {
        let any = |columns: &[u32]| columns.iter().any(|column| keys.contains(column));
        any(&self.start) && any(&self.end)
    }

    /// Whether a column is one of the window's own.
    pub fn contains(&self, column: u32) -> bool {
        [&self.start, &self.end, &self.time]
            .iter()
            .any(|columns| columns.contains(&column))
    }

    fn mapped(&self, outputs: impl Fn(u32) -> Vec<u32>) -> Self {
        let all = |columns: &[u32]| {
            let mut mapped: Vec<u32> = columns.iter().flat_map(|&column| outputs(column)).gather();
            mapped.sort_unstable();
            mapped
        };
        let partition = self.partition.as_ref().and_then(|keys| {
            keys.iter()
                .map(|&key| outputs(key).first().copied())
                .gather::<Option<Vec<u32>>>()
        });
        let mut window = self.window.clone();
        if let WindowSource::TimeColumn(column) = window.source {
            // the time column may be gone; the window is attached to its bounds from here on
            window.source = match outputs(column).first() {
                Some(&column) => WindowSource::TimeColumn(column),
                None => WindowSource::Attached {
                    start: self
                        .start
                        .first()
                        .and_then(|&column| outputs(column).first().copied()),
                    end: self
                        .end
                        .first()
                        .and_then(|&column| outputs(column).first().copied())
                        .unwrap_or(u32::MAX),
                },
            };
        }
        Self {
            window,
            partition,
            start: all(&self.start),
            end: all(&self.end),
            time: all(&self.time),
        }
    }
}

fn outputs_of(expressions: &[Expr], column: u32) -> Vec<u32> {
    (0_u32..)
        .zip(expressions)
        .filter(|(_, expr)| expr.as_column() == Some(column))
        .map(|(at, _)| at)
        .gather()
}
