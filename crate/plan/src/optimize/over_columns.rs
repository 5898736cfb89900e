//! In batch mode windowed calls read only the columns that are read above them or by themselves.
//!
//! Flink: `ProjectWindowTransposeRule`, which its streams do not have. Case: batch/rank-ties.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, columns_of, names, positions, renumber, with_inputs},
};
use crate::logical::{LogicalNode, LogicalOp, OverNode, ProjectNode, SortColumn};

pub(super) struct ColumnsBelowCalls;

impl Rule for ColumnsBelowCalls {
    fn name(&self) -> &'static str {
        "columns-below-calls"
    }

    fn needs(&self) -> Kinds {
        Kinds::OVER
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let windows = node.inputs.first()?;
        let LogicalOp::Over(over) = &windows.op else {
            return None;
        };
        if !cx.settings.batch || !over.groups.is_sorted_by_key(super::over_split::place) {
            return None;
        }
        let input = windows.inputs.first()?;
        let width = input.schema.len();
        let mut read = columns_of(&project.expressions);
        for group in &over.groups {
            read.extend(&group.partition);
            read.extend(group.order.iter().map(|key| key.column));
            read.extend(group.calls.iter().flat_map(|call| &call.args));
        }
        let kept: Vec<u32> = (0_u32..)
            .take(width)
            .filter(|column| read.contains(column))
            .gather();
        if kept.len() == width {
            return None;
        }
        let (columns, all_names) = (all_columns(input), names(input));
        let pick = |column: &u32| columns.get(*column as usize).cloned();
        let expressions: Vec<Expr> = kept.iter().filter_map(pick).gather();
        let kept_names: Vec<Rc<str>> = kept
            .iter()
            .filter_map(|column| all_names.get(*column as usize).cloned())
            .gather();
        let narrow = cx
            .builder
            .project_always(Rc::clone(input), expressions, &kept_names, windows.span);
        let behind = over.constants.len() + windows.schema.len() - width;
        let all_kept: Vec<u32> = kept
            .iter()
            .copied()
            .chain((0_u32..).skip(width).take(behind))
            .gather();
        let positions = positions(&all_kept, width + behind);
        let windowed = cx
            .builder
            .over(narrow, renumbered(over, &positions), windows.span);
        let expressions = project
            .expressions
            .iter()
            .map(|expr| renumber(expr, &positions))
            .gather();
        let projected = LogicalNode {
            op: LogicalOp::Project(ProjectNode { expressions }),
            ..(**node).clone()
        };
        Some(with_inputs(&projected, vec![windowed]))
    }
}

fn renumbered(over: &OverNode, positions: &[Option<u32>]) -> OverNode {
    let at = |column: &u32| {
        positions
            .get(*column as usize)
            .copied()
            .flatten()
            .unwrap_or(*column)
    };
    let mut over = over.clone();
    for group in &mut over.groups {
        group.partition = group.partition.iter().map(at).gather();
        group.order = group
            .order
            .iter()
            .map(|key| SortColumn {
                column: at(&key.column),
                ..*key
            })
            .gather();
        for call in &mut group.calls {
            call.args = call.args.iter().map(at).gather();
        }
    }
    over
}
