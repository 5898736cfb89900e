//! A time attribute inside an expression, and as a group key or an aggregate's argument, is a plain timestamp.
//!
//! Flink: `RelTimeIndicatorConverter`. Case: table-vs-stream/revenue-per-hour-bare.

use std::rc::Rc;

use sg_expr::{Expr, cast_exactly, materialize_time_attributes};

use super::{
    Rule, RuleContext,
    rewrite::{all_columns, names, with_inputs},
};
use crate::logical::{FilterNode, LogicalNode, LogicalOp, ProjectNode, same_expression, window_columns};

pub(super) struct MaterializeTimeAttributes;

impl Rule for MaterializeTimeAttributes {
    fn name(&self) -> &'static str {
        "materialize-time-attributes"
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        match &node.op {
            LogicalOp::Project(project) => {
                let expressions: Vec<Expr> = project
                    .expressions
                    .iter()
                    .map(materialize_time_attributes)
                    .collect();
                changed(&expressions, &project.expressions).then(|| {
                    let op = LogicalOp::Project(ProjectNode { expressions });
                    with_inputs(
                        &LogicalNode {
                            op,
                            ..(**node).clone()
                        },
                        node.inputs.clone(),
                    )
                })
            }
            LogicalOp::Filter(filter) => {
                let condition = materialize_time_attributes(&filter.condition);
                (!same_expression(&condition, &filter.condition)).then(|| {
                    let op = LogicalOp::Filter(FilterNode { condition });
                    with_inputs(
                        &LogicalNode {
                            op,
                            ..(**node).clone()
                        },
                        node.inputs.clone(),
                    )
                })
            }
            LogicalOp::Aggregate(aggregate) => {
                let mut read: Vec<u32> = aggregate.keys.clone();
                read.extend(aggregate.calls.iter().flat_map(|call| call.args.iter().copied()));
                plain_columns(node, &read, cx)
            }
            _ => None,
        }
    }
}

fn changed(new: &[Expr], old: &[Expr]) -> bool {
    new.iter().zip(old).any(|(new, old)| !same_expression(new, old))
}

/// The aggregation over a projection that makes the columns it reads plain; window_time stays what it is, since a
/// window aggregation gives it anew.
fn plain_columns(node: &Rc<LogicalNode>, read: &[u32], cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
    let input = node.inputs.first()?;
    let window = window_columns(input);
    let is_window = |at: u32| window.as_ref().is_some_and(|window| window.contains(at));
    let is_attribute =
        |field: &sg_value::Field| field.data_type.is_rowtime() || field.data_type.is_proctime();
    let affected = |at: u32| {
        read.contains(&at) && !is_window(at) && input.schema.get(at as usize).is_some_and(is_attribute)
    };
    let count = u32::try_from(input.schema.len()).ok()?;
    if !(0..count).any(affected) {
        return None;
    }
    let expressions: Vec<Expr> = (0_u32..)
        .zip(all_columns(input))
        .map(|(at, column)| {
            if affected(at) {
                let plain = column.data_type.without_time_attribute();
                cast_exactly(column, &plain)
            } else {
                column
            }
        })
        .collect();
    let project = cx
        .builder
        .project_always(Rc::clone(input), expressions, &names(input), input.span);
    Some(with_inputs(node, vec![project]))
}
