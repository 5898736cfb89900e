//! Columns that nobody reads go away below a watermark assigner, if that saves computing one of them, or the projection
//! above.
//!
//! Flink: `ProjectWatermarkAssignerTransposeRule`, chosen by cost: the projection below the assigner costs a node, an
//! expression that it no longer computes pays for it, and so does the projection above where it becomes needless. Else
//! the columns go away above.
//! Cases: select/computed-event-time-column, wm/watermark-on-ltz-column, window-tvf/negative-offset,
//! cdc/sum-in-windows-of-an-upsert-source.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind};
use sg_value::Gather as _;

use super::{
    Rule, RuleContext,
    rewrite::{all_columns, columns_of, names, positions, renumber, with_inputs},
};
use crate::logical::{FilterNode, LogicalNode, LogicalOp, ProjectNode, WatermarkNode};

pub(super) struct ColumnsBelowWatermark;

impl Rule for ColumnsBelowWatermark {
    fn name(&self) -> &'static str {
        "columns-below-watermark"
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let (filter, assigner) = match &below.op {
            LogicalOp::Filter(filter) => (Some(filter), below.inputs.first()?),
            _ => (None, below),
        };
        let LogicalOp::Watermark(watermark) = &assigner.op else {
            return None;
        };
        let computed = assigner.inputs.first()?;
        let LogicalOp::Project(lower) = &computed.op else {
            return None;
        };
        let kept = kept_columns(project, filter, watermark);
        let saves = (0_u32..)
            .zip(&lower.expressions)
            .any(|(at, expr)| matches!(expr.kind, ExprKind::Call { .. }) && !kept.contains(&at));
        let needless = filter.is_none() && picks_columns(project, &kept, lower.expressions.len());
        if !saves && !needless {
            return None;
        }
        let (mut input, positions) = assigner_over(&kept, assigner, cx)?;
        if let Some(filter) = filter {
            let condition = renumber(&filter.condition, &positions);
            let op = LogicalOp::Filter(FilterNode { condition });
            input = with_inputs(
                &LogicalNode {
                    op,
                    ..(**below).clone()
                },
                vec![input],
            );
        }
        let expressions: Vec<Expr> = project
            .expressions
            .iter()
            .map(|expr| renumber(expr, &positions))
            .gather();
        let op = LogicalOp::Project(ProjectNode { expressions });
        Some(with_inputs(
            &LogicalNode {
                op,
                ..(**node).clone()
            },
            vec![input],
        ))
    }
}

/// The assigner over just these columns, and where they are now.
pub(super) fn assigner_over(
    kept: &[u32],
    assigner: &LogicalNode,
    cx: &mut RuleContext<'_>,
) -> Option<(Rc<LogicalNode>, Vec<Option<u32>>)> {
    let LogicalOp::Watermark(watermark) = &assigner.op else {
        return None;
    };
    let computed = assigner.inputs.first()?;
    let (computes, input) = match &computed.op {
        LogicalOp::Project(lower) => (lower.expressions.clone(), computed.inputs.first()?),
        _ => (all_columns(computed), computed),
    };
    let pick = |column: &u32| computes.get(*column as usize).cloned();
    let expressions: Vec<Expr> = kept.iter().filter_map(pick).gather();
    let all_names = names(computed);
    let kept_names: Vec<Rc<str>> = kept
        .iter()
        .filter_map(|&column| all_names.get(column as usize).map(Rc::clone))
        .gather();
    let narrow = cx
        .builder
        .project_always(Rc::clone(input), expressions, &kept_names, computed.span);
    let positions = positions(kept, assigner.schema.len());
    let assigned = WatermarkNode {
        rowtime: positions.get(watermark.rowtime as usize).copied().flatten()?,
        expression: watermark
            .expression
            .as_ref()
            .map(|expr| renumber(expr, &positions)),
    };
    let op = LogicalOp::Watermark(assigned);
    let node = LogicalNode {
        op,
        ..assigner.clone()
    };
    Some((with_inputs(&node, vec![narrow]), positions))
}

/// Whether a projection only picks columns, and all that are kept: then it is needless behind the change.
fn picks_columns(project: &ProjectNode, kept: &[u32], width: usize) -> bool {
    let picked: Option<Vec<u32>> = project.expressions.iter().map(Expr::as_column).gather();
    kept.len() < width && picked.as_deref() == Some(kept)
}

/// Columns that are read: in the order of reading where the projection stands directly above the assigner, in
/// table order where a filter stands between; the watermark's own last.
fn kept_columns(project: &ProjectNode, filter: Option<&FilterNode>, watermark: &WatermarkNode) -> Vec<u32> {
    let mut kept = Vec::new();
    let mut keep = |expr: &Expr| {
        expr.for_each_column(&mut |column| {
            if !kept.contains(&column) {
                kept.push(column);
            }
        });
    };
    match filter {
        Some(filter) => {
            let columns = columns_of(project.expressions.iter().chain([&filter.condition]));
            kept.extend(columns);
        }
        None => project.expressions.iter().for_each(&mut keep),
    }
    let mut also: Vec<u32> = Vec::new();
    if let Some(expression) = &watermark.expression {
        expression.for_each_column(&mut |column| also.push(column));
    }
    also.push(watermark.rowtime);
    for column in also {
        if !kept.contains(&column) {
            kept.push(column);
        }
    }
    kept
}
