//! INSERTs of one statement set into the same table write through one sink.
//!
//! Flink: `SinkReuser` (`table.optimizer.reuse-sink-enabled`). The merged sink stands where the first one stood, over a
//! Union with the first one's column names.

use std::rc::Rc;

use super::{
    PhysicalRoot,
    node::{PhysicalNode, PhysicalOp, SinkSpec},
};

/// The roots with equal sinks merged.
pub(super) fn merge(roots: Vec<PhysicalRoot>) -> Vec<PhysicalRoot> {
    let mut merged: Vec<PhysicalRoot> = Vec::new();
    for root in roots {
        let same = merged
            .iter_mut()
            .find(|other| writes_alike(&other.node, &root.node));
        match same {
            Some(first) => first.node = join(&first.node, &root.node),
            None => merged.push(root),
        }
    }
    merged
}

fn writes_alike(left: &PhysicalNode, right: &PhysicalNode) -> bool {
    match (&left.op, &right.op) {
        (PhysicalOp::Sink(left), PhysicalOp::Sink(right)) => {
            target(left).is_some_and(|table| Some(table) == target(right))
                && left.target_columns == right.target_columns
                && left.on_conflict == right.on_conflict
        }
        _ => false,
    }
}

fn target(sink: &SinkSpec) -> Option<&str> {
    sink.table.as_ref().map(|table| &*table.name)
}

/// One sink over the union of what both write.
fn join(first: &PhysicalNode, second: &PhysicalNode) -> Rc<PhysicalNode> {
    let mut inputs: Vec<Rc<PhysicalNode>> = Vec::new();
    for (at, sink) in [first, second].into_iter().enumerate() {
        for input in &sink.inputs {
            let made_here = at == 0 && input.logical.is_none() && matches!(input.op, PhysicalOp::Union);
            if made_here {
                inputs.extend(input.inputs.iter().cloned());
            } else {
                inputs.push(Rc::clone(input));
            }
        }
    }
    let schema = inputs
        .first()
        .map_or_else(|| Rc::clone(&first.schema), |input| Rc::clone(&input.schema));
    let span = first.span.join(second.span);
    let union = PhysicalNode::bare(PhysicalOp::Union, inputs, schema, span);
    Rc::new(PhysicalNode {
        span,
        ..first.with_inputs(vec![Rc::new(union)])
    })
}
