//! What happens to projections around windowed calls and the filters above them.
//!
//! Flink: `FlinkProjectMergeRule` while projections still contain the calls, `ProjectFilterTransposeRule` and
//! `ProjectRemoveRule` afterwards: they decide which names are left, and that a filter on a row number reads only
//! columns that are shown. Cases: topn/*.

use std::rc::Rc;

use sg_expr::{AggregateCall, Expr, ExprKind, OverCall};
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{
    Kinds, Rule, RuleContext,
    constant_column::ConstantColumn,
    project_merge::MergeProjects,
    rewrite::{all_columns, columns_of, names, positions, renumber, with_inputs},
};
use crate::logical::{FilterNode, LogicalNode, LogicalOp, ProjectNode, is_identity};

/// A projection with windowed calls takes the projection below in; one directly above the calls' own takes that in.
pub(super) struct MergeAroundWindows;

impl Rule for MergeAroundWindows {
    fn name(&self) -> &'static str {
        "merge-around-windows"
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let has_calls = project.expressions.iter().any(OverCall::is_in);
        let above_calls = node
            .inputs
            .first()
            .filter(|below| matches!(below.op, LogicalOp::Project(_)))
            .and_then(|below| below.inputs.first())
            .is_some_and(|below| matches!(below.op, LogicalOp::Over(_)));
        if has_calls && (above_calls || reads_calls(project, node)) {
            return None;
        }
        (has_calls || above_calls || leaves_calls_unread(project, node))
            .then(|| MergeProjects.apply(node, cx))
            .flatten()
    }
}

/// By windowed call of the projection below: whether it is read.
fn calls_read(project: &ProjectNode, node: &LogicalNode) -> Vec<bool> {
    let Some(LogicalOp::Project(lower)) = node.inputs.first().map(|below| &below.op) else {
        return Vec::new();
    };
    let read = columns_of(&project.expressions);
    (0_u32..)
        .zip(&lower.expressions)
        .filter(|(_, expr)| OverCall::is_in(expr))
        .map(|(at, _)| read.contains(&at))
        .gather()
}

/// Whether the projection below has windowed calls and none of them is read.
fn leaves_calls_unread(project: &ProjectNode, node: &LogicalNode) -> bool {
    let read = calls_read(project, node);
    !read.is_empty() && !read.contains(&true)
}

/// Whether calls are made over results of calls: each stays where it is.
fn reads_calls(project: &ProjectNode, node: &LogicalNode) -> bool {
    calls_read(project, node).contains(&true)
}

/// Behind a filter that went below them, two projections are one, with the upper names.
pub(super) struct RepeatedProject;

impl Rule for RepeatedProject {
    fn name(&self) -> &'static str {
        "repeated-project"
    }

    fn needs(&self) -> Kinds {
        Kinds::OVER
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let below = node.inputs.first()?;
        if without_names(node, below, cx.settings.batch) {
            return Some(Rc::clone(below));
        }
        (matches!(below.op, LogicalOp::Project(_)) && stands_on_windows(below.inputs.first()?))
            .then(|| MergeProjects.apply(node, cx))
            .flatten()
    }
}

/// A projection of the same columns was removed while the filter was still between the two, and its names with it: Flink
/// does so where the calls have only columns that are read, in their order.
///
/// Cases: topn/best-row-of-read-columns, topn/best-row-of-all-columns.
fn without_names(node: &LogicalNode, below: &Rc<LogicalNode>, batch: bool) -> bool {
    let (LogicalOp::Project(upper), LogicalOp::Project(lower)) = (&node.op, &below.op) else {
        return false;
    };
    let Some(filtered) = below.inputs.first() else {
        return false;
    };
    let (LogicalOp::Filter(filter), Some(windows)) = (&filtered.op, filtered.inputs.first()) else {
        return false;
    };
    let (LogicalOp::Over(over), Some(input)) = (&windows.op, windows.inputs.first()) else {
        return false;
    };
    let columns: Option<Vec<u32>> = lower.expressions.iter().map(Expr::as_column).gather();
    let Some(mut read) = columns.filter(|columns| columns.is_sorted()) else {
        return false;
    };
    for group in &over.groups {
        read.extend(&group.partition);
        read.extend(group.order.iter().map(|key| key.column));
        read.extend(group.calls.iter().flat_map(|call| &call.args));
    }
    let width = u32::try_from(input.schema.len()).unwrap_or(u32::MAX);
    let leaves_out = (0..width).any(|column| !read.contains(&column));
    let fixes = matches!(&filter.condition.kind, ExprKind::Call { function, .. } if function.name == "=");
    !batch && leaves_out && fixes && is_identity(&upper.expressions, below)
}

/// A column that the filter on a windowed call fixes is a constant above it.
pub(super) struct ConstantAboveWindows;

impl Rule for ConstantAboveWindows {
    fn name(&self) -> &'static str {
        "constant-above-windows"
    }

    fn needs(&self) -> Kinds {
        Kinds::OVER
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        node.inputs
            .first()
            .is_some_and(|below| matches!(below.op, LogicalOp::Filter(_)) && stands_on_windows(below))
            .then(|| ConstantColumn.apply(node, cx))
            .flatten()
    }
}

/// What counts rows of a ranking and reads nothing reads a 0.
/// Case: dedup/all-columns-are-the-key.
pub(super) struct NothingOfRank;

impl Rule for NothingOfRank {
    fn name(&self) -> &'static str {
        "nothing-of-rank"
    }

    fn needs(&self) -> Kinds {
        Kinds::RANK
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let reads = |call: &AggregateCall| !call.args.is_empty() || call.filter.is_some();
        let below = node.inputs.first()?;
        let LogicalOp::Project(project) = &below.op else {
            return None;
        };
        let [only] = project.expressions.as_slice() else {
            return None;
        };
        let base = below.inputs.first()?;
        let zero = Expr::literal(Value::Int(0), DataType::not_null(TypeKind::Int), below.span);
        if !aggregate.keys.is_empty()
            || aggregate.calls.iter().any(reads)
            || !matches!(base.op, LogicalOp::Rank(_))
            || only.as_literal().is_none()
            || only.data_type == zero.data_type
        {
            return None;
        }
        let nothing = cx
            .builder
            .project_always(Rc::clone(base), vec![zero], &[Rc::from("$f0")], below.span);
        Some(with_inputs(node, vec![nothing]))
    }
}

/// A filter on windowed calls passes only columns that are read above it or by itself.
pub(super) struct ColumnsBelowWindowFilter;

impl Rule for ColumnsBelowWindowFilter {
    fn name(&self) -> &'static str {
        "columns-below-window-filter"
    }

    fn needs(&self) -> Kinds {
        Kinds::OVER
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        if cx.settings.batch {
            return None;
        }
        let filtered = node.inputs.first()?;
        let LogicalOp::Filter(filter) = &filtered.op else {
            return None;
        };
        let windows = filtered.inputs.first()?;
        if !matches!(windows.op, LogicalOp::Over(_)) {
            return None;
        }
        let read = columns_of(project.expressions.iter().chain([&filter.condition]));
        if read.len() == windows.schema.len() {
            return None;
        }
        let all = all_columns(windows);
        let all_names = names(windows);
        let expressions: Vec<Expr> = read
            .iter()
            .filter_map(|column| all.get(*column as usize).cloned())
            .gather();
        let kept_names: Vec<Rc<str>> = read
            .iter()
            .filter_map(|column| all_names.get(*column as usize).cloned())
            .gather();
        let positions = positions(&read, windows.schema.len());
        let narrow = cx
            .builder
            .project_always(Rc::clone(windows), expressions, &kept_names, windows.span);
        let condition = renumber(&filter.condition, &positions);
        let filter = LogicalNode {
            op: LogicalOp::Filter(FilterNode { condition }),
            ..(**filtered).clone()
        };
        let filtered = with_inputs(&filter, vec![narrow]);
        let expressions: Vec<Expr> = project
            .expressions
            .iter()
            .map(|expr| renumber(expr, &positions))
            .gather();
        if is_identity(&expressions, &filtered) {
            return Some(filtered);
        }
        let op = LogicalOp::Project(ProjectNode { expressions });
        Some(with_inputs(
            &LogicalNode {
                op,
                ..(**node).clone()
            },
            vec![filtered],
        ))
    }
}

/// Whether windowed calls come first below this node and filters on them.
fn stands_on_windows(node: &LogicalNode) -> bool {
    match &node.op {
        LogicalOp::Over(_) => true,
        LogicalOp::Filter(_) => node.inputs.first().is_some_and(|input| stands_on_windows(input)),
        _ => false,
    }
}
