//! Splits window aggregations into a local and a global phase.
//!
//! Flink: `TwoStageOptimizedWindowAggregateRule`. Two phases are the rule for event-time windows other than SESSION, if
//! every function can merge accumulators and `table.optimizer.agg-phase-strategy` does not forbid it.

use std::rc::Rc;

use sg_expr::{AggregateCall, Aggregates, aggregate::cell_names};
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::node::{
    GlobalWindowAggregateSpec, LocalWindowAggregateSpec, PhysicalNode, PhysicalOp, WindowAggregateSpec,
    WindowSource, WindowSpec,
};
use crate::settings::{AggregatePhases, Settings};

/// Name of the column that carries the end of a slice from the local to the global phase.
pub(super) const SLICE_END: &str = "$slice_end";
/// Name of that column where rows brought their window with them.
pub(super) const WINDOW_END: &str = "$window_end";

/// The tree with every window aggregation split that can be.
pub(super) fn split(node: &Rc<PhysicalNode>, settings: &Settings) -> Rc<PhysicalNode> {
    let inputs: Vec<Rc<PhysicalNode>> = node.inputs.iter().map(|input| split(input, settings)).gather();
    let node = Rc::new(node.with_inputs(inputs));
    match (&node.op, node.inputs.first()) {
        (PhysicalOp::WindowAggregate(spec), Some(input)) if is_splittable(spec, settings) => {
            let (local, window) = local_phase(&node, spec, input);
            global_phase(&node, spec, local, window)
        }
        _ => node,
    }
}

fn is_splittable(spec: &WindowAggregateSpec, settings: &Settings) -> bool {
    settings.aggregate_phases != AggregatePhases::OnePhase
        && spec.window.rowtime
        && !spec.window.kind.is_session()
        && spec.calls.iter().all(|call| call.function.mergeable)
}

/// The local phase and the window as the global phase sees it.
#[inline(never)]
fn local_phase(
    node: &PhysicalNode,
    spec: &WindowAggregateSpec,
    input: &Rc<PhysicalNode>,
) -> (Rc<PhysicalNode>, WindowSpec) {
    let mut fields: Vec<Field> = spec
        .keys
        .iter()
        .filter_map(|key| input.schema.get(*key as usize))
        .cloned()
        .gather();
    let aggregates = Aggregates::compile(&spec.calls);
    let names = accumulator_names(&spec.calls);
    for (at, data_type) in aggregates.cell_types().iter().enumerate() {
        let name = names
            .get(at)
            .cloned()
            .unwrap_or_else(|| Rc::from(format!("cell${at}")));
        fields.push(Field {
            name,
            data_type: data_type.clone(),
        });
    }
    let end = u32::try_from(fields.len()).unwrap_or(u32::MAX);
    let (name, source) = match spec.window.source {
        WindowSource::TimeColumn(_) | WindowSource::SliceEnd(_) => (SLICE_END, WindowSource::SliceEnd(end)),
        WindowSource::Attached { .. } => (WINDOW_END, WindowSource::Attached { start: None, end }),
    };
    fields.push(Field {
        name: Rc::from(name),
        data_type: DataType::not_null(TypeKind::BigInt),
    });
    let local = LocalWindowAggregateSpec {
        keys: spec.keys.clone(),
        window: spec.window.clone(),
        calls: spec.calls.clone(),
    };
    let local = PhysicalNode {
        op: PhysicalOp::LocalWindowAggregate(local),
        inputs: vec![Rc::clone(input)],
        schema: Rc::from(fields),
        changelog_mode: input.changelog_mode,
        ..node.clone()
    };
    (
        Rc::new(local),
        WindowSpec {
            source,
            ..spec.window.clone()
        },
    )
}

fn global_phase(
    node: &PhysicalNode,
    spec: &WindowAggregateSpec,
    local: Rc<PhysicalNode>,
    window: WindowSpec,
) -> Rc<PhysicalNode> {
    let global = GlobalWindowAggregateSpec {
        key_count: u32::try_from(spec.keys.len()).unwrap_or(u32::MAX),
        window,
        calls: spec.calls.clone(),
        properties: spec.properties.clone(),
        record_counter: spec.record_counter,
        visible_calls: spec.visible_calls,
    };
    Rc::new(PhysicalNode {
        op: PhysicalOp::GlobalWindowAggregate(global),
        inputs: vec![local],
        ..node.clone()
    })
}

/// Names of the accumulator row's cells: those of all calls, numbered through, then the DISTINCT arguments.
pub(super) fn accumulator_names(calls: &[AggregateCall]) -> Vec<Rc<str>> {
    let mut names: Vec<Rc<str>> = Vec::new();
    for call in calls {
        let first = u32::try_from(names.len()).unwrap_or(u32::MAX);
        names.extend(cell_names(call, first).into_iter().map(Rc::from));
    }
    let distinct = distinct_arguments(calls).len();
    names.extend((0..distinct).map(|at| Rc::from(format!("distinct${at}"))));
    names
}

/// Argument lists of DISTINCT calls, equal ones once: each is one set of seen values.
pub(super) fn distinct_arguments(calls: &[AggregateCall]) -> Vec<&[u32]> {
    let mut seen: Vec<&[u32]> = Vec::new();
    for call in calls.iter().filter(|call| call.distinct) {
        if !seen.contains(&call.args.as_slice()) {
            seen.push(&call.args);
        }
    }
    seen
}
