//! Puts an `Exchange` below every node that needs its rows by key, or all in one place.
//!
//! Flink's streaming planner does so whatever the distribution below is, so two aggregations by the same key have one
//! exchange each.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{
    node::{Distribution, PhysicalNode, PhysicalOp},
    timed::{LookupKey, TimedJoinSpec},
};

/// The tree with exchanges.
pub(super) fn enforce(node: &Rc<PhysicalNode>) -> Rc<PhysicalNode> {
    let inputs = node
        .inputs
        .iter()
        .enumerate()
        .map(|(at, input)| {
            let input = enforce(input);
            // copies for grouping sets came below a window function after its exchange
            let copies = matches!(
                (&node.op, &input.op),
                (PhysicalOp::WindowTableFunction(_), PhysicalOp::Expand(_))
            );
            // what a limit leaves is in one place already
            let limited = matches!(input.op, PhysicalOp::SortLimit(_) | PhysicalOp::Limit(_));
            let there = |distribution: &Distribution| limited && *distribution == Distribution::Single;
            match required(&node.op, at).filter(|wanted| !copies && !there(wanted)) {
                Some(distribution) => exchange(&input, distribution),
                None => input,
            }
        })
        .gather();
    Rc::new(node.with_inputs(inputs))
}

/// By these columns, or all rows in one place.
pub(super) fn by(columns: Vec<u32>) -> Distribution {
    if columns.is_empty() {
        Distribution::Single
    } else {
        Distribution::Hash(columns)
    }
}

fn required(op: &PhysicalOp, input: usize) -> Option<Distribution> {
    let by = |columns: Vec<u32>| Some(by(columns));
    match op {
        PhysicalOp::ChangelogNormalize(spec) => by(spec.keys.clone()),
        PhysicalOp::GroupAggregate(spec) | PhysicalOp::GlobalGroupAggregate(spec) => by(spec.keys.clone()),
        PhysicalOp::IncrementalGroupAggregate(spec) => by(spec.partial.keys.clone()),
        PhysicalOp::WindowAggregate(spec) => by(spec.keys.clone()),
        PhysicalOp::GroupWindowAggregate(spec) => by(spec.keys.clone()),
        PhysicalOp::GlobalWindowAggregate(spec) => by((0..spec.key_count).gather()),
        PhysicalOp::Join(spec) => by(spec.keys.of(input).to_vec()),
        PhysicalOp::MultiJoin(spec) => by(spec.key(input).to_vec()),
        PhysicalOp::OverAggregate(spec) => by(spec.partition.clone()),
        PhysicalOp::Rank(spec) => by(spec.partition.clone()),
        PhysicalOp::WindowRank(spec) => by(spec.partition.clone()),
        PhysicalOp::WindowDeduplicate(spec) => by(spec.partition.clone()),
        PhysicalOp::SortLimit(_)
        | PhysicalOp::Limit(_)
        | PhysicalOp::TemporalSort(_)
        | PhysicalOp::FinalResult(_) => Some(Distribution::Single),
        PhysicalOp::Match(spec) => by(spec.partition.clone()),
        PhysicalOp::TimedJoin(spec) => timed(spec, input).and_then(by),
        PhysicalOp::WindowTableFunction(spec) if spec.window.kind.is_session() => by(spec.partition.clone()),
        PhysicalOp::Scan(_)
        | PhysicalOp::Values(_)
        | PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::Calc(_)
        | PhysicalOp::Exchange(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::LocalGroupAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::Correlate(_)
        | PhysicalOp::Union
        | PhysicalOp::DropUpdateBefore
        | PhysicalOp::SinkMaterializer(_)
        | PhysicalOp::Sink(_) => None,
    }
}

/// A lookup takes rows as they come, unless a hint sends those of one lookup key to one subtask.
fn timed(spec: &TimedJoinSpec, input: usize) -> Option<Vec<u32>> {
    let TimedJoinSpec::Lookup(lookup) = spec else {
        return Some(spec.key(input).to_vec());
    };
    let column = |(_, key): &(u32, LookupKey)| match key {
        LookupKey::Column(column) => Some(*column),
        LookupKey::Constant(_) => None,
    };
    lookup
        .hints
        .shuffle
        .then(|| lookup.keys.iter().filter_map(column).gather())
}

/// An exchange above a node.
pub(super) fn exchange(input: &Rc<PhysicalNode>, distribution: Distribution) -> Rc<PhysicalNode> {
    Rc::new(PhysicalNode {
        changelog_mode: input.changelog_mode,
        ..PhysicalNode::bare(
            PhysicalOp::Exchange(distribution),
            vec![Rc::clone(input)],
            Rc::clone(&input.schema),
            input.span,
        )
    })
}
