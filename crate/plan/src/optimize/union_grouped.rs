//! Rows that are made distinct above a UNION need not be made so below it.
//!
//! Calcite: `AggregateUnionAggregateRule`.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Kinds, Rule, RuleContext, rewrite::with_inputs};
use crate::logical::{AggregateNode, LogicalNode, LogicalOp, UnionNode};

pub(super) struct DistinctBelowUnion;

impl Rule for DistinctBelowUnion {
    fn name(&self) -> &'static str {
        "distinct-below-union"
    }

    fn needs(&self) -> Kinds {
        Kinds::UNION
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(upper) = &node.op else {
            return None;
        };
        let union = node.inputs.first()?;
        let LogicalOp::Union(UnionNode { all: true }) = union.op else {
            return None;
        };
        if !is_distinct(upper, union) {
            return None;
        }
        let inputs: Vec<Rc<LogicalNode>> = union.inputs.iter().map(without_distinct).gather();
        let same = inputs
            .iter()
            .zip(&union.inputs)
            .all(|(new, old)| Rc::ptr_eq(new, old));
        (!same).then(|| with_inputs(node, vec![with_inputs(union, inputs)]))
    }
}

fn without_distinct(node: &Rc<LogicalNode>) -> Rc<LogicalNode> {
    match (&node.op, node.inputs.first()) {
        (LogicalOp::Aggregate(aggregate), Some(input)) if is_distinct(aggregate, input) => Rc::clone(input),
        _ => Rc::clone(node),
    }
}

/// Whether the aggregation is by all columns in order, without calls.
fn is_distinct(aggregate: &AggregateNode, input: &LogicalNode) -> bool {
    aggregate.calls.is_empty()
        && aggregate.sets.len() == 1
        && aggregate.keys.len() == input.schema.len()
        && (0_u32..).zip(&aggregate.keys).all(|(at, key)| at == *key)
}
