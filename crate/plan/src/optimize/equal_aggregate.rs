//! Aggregations that differ in their `STATE_TTL` hint only are one for the planner: the hint that comes first holds.
//!
//! Flink: hints are no part of a node's digest. Case: ttl/state-ttl-hint-reaches-an-equal-aggregate.

use std::rc::Rc;

use sg_value::Gather as _;

use super::rewrite::with_inputs;
use crate::{
    logical::{LogicalNode, LogicalOp},
    physical::explain::logical_text,
};

/// The tree with equal hints on equal aggregations.
pub(super) fn share_hints(root: &Rc<LogicalNode>) -> Rc<LogicalNode> {
    if !has_hint(root) {
        return Rc::clone(root);
    }
    let mut seen = Vec::new();
    collect(root, &mut seen);
    share(root, &seen)
}

fn has_hint(node: &LogicalNode) -> bool {
    matches!(&node.op, LogicalOp::Aggregate(aggregate) if aggregate.ttl_hint.is_some())
        || node.inputs.iter().any(|input| has_hint(input))
}

type Seen = (String, Option<Rc<str>>);

/// Every aggregation's text and hint, in the order of the tree; equal texts once.
fn collect(node: &Rc<LogicalNode>, seen: &mut Vec<Seen>) {
    if let LogicalOp::Aggregate(aggregate) = &node.op {
        let text = logical_text(node);
        if !seen.iter().any(|(known, _)| *known == text) {
            seen.push((text, aggregate.ttl_hint.clone()));
        }
    }
    for input in &node.inputs {
        collect(input, seen);
    }
}

fn share(node: &Rc<LogicalNode>, seen: &[Seen]) -> Rc<LogicalNode> {
    let inputs = node.inputs.iter().map(|input| share(input, seen)).gather();
    let mut changed = (**node).clone();
    if let LogicalOp::Aggregate(aggregate) = &mut changed.op {
        let text = logical_text(node);
        let first = seen.iter().find(|(known, _)| *known == text);
        aggregate.ttl_hint = first.and_then(|(_, hint)| hint.clone());
    }
    with_inputs(&changed, inputs)
}
