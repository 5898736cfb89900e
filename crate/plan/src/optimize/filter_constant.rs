//! WHERE TRUE vanishes, WHERE FALSE leaves no rows, and most of what stands on no rows is none either.
//!
//! Flink: `ReduceExpressionsRule` and `PruneEmptyRules`.

use std::rc::Rc;

use sg_value::{Gather as _, Value};

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, names, with_inputs},
    subquery::make::aggregate,
};
use crate::logical::{LogicalNode, LogicalOp, ValuesNode};

pub(super) struct ConstantFilter;

impl Rule for ConstantFilter {
    fn name(&self) -> &'static str {
        "constant-filter"
    }

    fn needs(&self) -> Kinds {
        Kinds::FILTER.or(Kinds::NOTHING)
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        match &node.op {
            LogicalOp::Filter(filter) => match filter.condition.as_literal()? {
                Value::Bool(true) => node.inputs.first().map(Rc::clone),
                Value::Bool(false) | Value::Null => Some(nothing(node, cx)),
                _ => None,
            },
            LogicalOp::Project(_) => {
                let input = node.inputs.first()?;
                is_empty(input).then(|| nothing(node, cx))
            }
            // one side may be nothing: cases setop/*-nothing
            LogicalOp::SetOp(operation) => {
                let [left, right] = node.inputs.as_slice() else {
                    return None;
                };
                match (is_empty(left), is_empty(right)) {
                    (false, false) => None,
                    (false, true) if operation.except => Some(if operation.all {
                        Rc::clone(left)
                    } else {
                        let count = u32::try_from(left.schema.len()).ok()?;
                        aggregate(Rc::clone(left), (0..count).gather(), Vec::new(), cx)
                    }),
                    _ => Some(nothing(node, cx)),
                }
            }
            LogicalOp::GroupWindow(_) | LogicalOp::Sort(_) => node
                .inputs
                .first()
                .is_some_and(|input| is_empty(input))
                .then(|| nothing(node, cx)),
            LogicalOp::Aggregate(aggregate) => {
                let input = node.inputs.first()?;
                (is_empty(input) && !aggregate.keys.is_empty()).then(|| nothing(node, cx))
            }
            LogicalOp::Union(union) if union.all => {
                let left: Vec<Rc<LogicalNode>> = node
                    .inputs
                    .iter()
                    .filter(|input| !is_empty(input))
                    .map(Rc::clone)
                    .gather();
                match left.as_slice() {
                    _ if left.len() == node.inputs.len() => None,
                    [] => Some(nothing(node, cx)),
                    [only] => {
                        let (columns, names) = (all_columns(only), names(only));
                        Some(
                            cx.builder
                                .project_always(Rc::clone(only), columns, &names, node.span),
                        )
                    }
                    _ => Some(with_inputs(node, left)),
                }
            }
            _ => None,
        }
    }
}

/// Whether a node has no rows.
pub(super) fn is_empty(node: &LogicalNode) -> bool {
    matches!(&node.op, LogicalOp::Values(values) if values.rows.is_empty())
}

/// No rows with the columns of a node.
pub(super) fn nothing(node: &LogicalNode, cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    cx.builder
        .values(ValuesNode { rows: Vec::new() }, node.schema.to_vec(), node.span)
}
