//! Bundles of changes: where the watermarks come from that end them, and aggregations in two phases.
//!
//! Flink: `MiniBatchIntervalInferRule`, `TwoStageOptimizedAggregateRule`, which run after row kinds are settled.

use std::rc::Rc;

use sg_expr::{Aggregates, OverCall, aggregate::cell_names};
use sg_value::{Field, Gather as _};

use super::{
    node::{
        ChangelogMode, Distribution, GroupAggregateSpec, IncrementalGroupAggregateSpec,
        MiniBatchAssignerSpec, OrderTime, PhysicalNode, PhysicalOp,
    },
    phases::accumulator_names,
    timed::TimedJoinSpec,
};
use crate::{
    logical::{AggregateStage, LogicalNode, LogicalOp},
    settings::{AggregatePhases, Settings},
};

/// The settings of a job with these trees, as they were before optimization. Where nothing in them gathers changes, Flink
/// plans neither marks nor two phases. It does not look into sub-queries: what they become gathers rows all the same.
pub fn settings_for(roots: &[Rc<LogicalNode>], settings: &Settings) -> Settings {
    let mini_batch = settings.mini_batch && !settings.batch;
    Settings {
        mini_batch,
        mini_batch_marks: mini_batch && roots.iter().any(|root| is_of_use(root)),
        // batch has phases of its own, which are only drawn
        aggregate_phases: if settings.batch {
            AggregatePhases::OnePhase
        } else {
            settings.aggregate_phases
        },
        ..settings.clone()
    }
}

fn is_of_use(node: &LogicalNode) -> bool {
    let inputs = match &node.op {
        LogicalOp::Scan(_) | LogicalOp::Values(_) => return false,
        LogicalOp::Project(project) if project.expressions.iter().any(OverCall::is_in) => return true,
        // Behind the first input are sub-queries.
        LogicalOp::Project(_) | LogicalOp::Filter(_) => node.inputs.get(..1).unwrap_or_default(),
        LogicalOp::Union(union) if !union.all => return true,
        LogicalOp::Union(_) | LogicalOp::Sink(_) => &node.inputs,
        _ => return true,
    };
    inputs.iter().any(|input| is_of_use(input))
}

/// The tree of a root with watermarks that end bundles, and with aggregations in two phases.
pub(super) fn apply(root: &Rc<PhysicalNode>, settings: &Settings) -> Rc<PhysicalNode> {
    if !settings.mini_batch_marks {
        return Rc::clone(root);
    }
    let root = if settings.aggregate_phases == AggregatePhases::OnePhase {
        Rc::clone(root)
    } else {
        split(root, settings.incremental)
    };
    below(&root, settings.mini_batch_latency_ms, false)
}

/// A node that gathers rows without being told how many.
pub(super) fn without_size(node: &PhysicalNode) -> Option<&PhysicalNode> {
    let rows = match &node.op {
        PhysicalOp::GroupAggregate(spec)
        | PhysicalOp::LocalGroupAggregate(spec)
        | PhysicalOp::GlobalGroupAggregate(spec) => spec.mini_batch,
        PhysicalOp::ChangelogNormalize(spec) => spec.mini_batch,
        PhysicalOp::Join(spec) if !spec.kind.is_semi_or_anti() => spec.mini_batch,
        PhysicalOp::Rank(spec) if spec.deduplicate.is_some() => spec.mini_batch,
        _ => None,
    };
    if rows.is_some_and(|rows| rows <= 0) {
        return Some(node);
    }
    node.inputs.iter().find_map(|input| without_size(input))
}

/// The tree with an assigner above every source; `rowtime` where something above needs watermarks.
fn below(node: &Rc<PhysicalNode>, interval_ms: i64, rowtime: bool) -> Rc<PhysicalNode> {
    if matches!(node.op, PhysicalOp::Scan(_) | PhysicalOp::WatermarkAssigner(_)) {
        let spec = MiniBatchAssignerSpec { interval_ms, rowtime };
        return Rc::new(PhysicalNode {
            op: PhysicalOp::MiniBatchAssigner(spec),
            inputs: vec![Rc::clone(node)],
            logical: None,
            ..PhysicalNode::clone(node)
        });
    }
    // Windows in GROUP BY take rows one by one.
    if matches!(node.op, PhysicalOp::GroupWindowAggregate(_)) {
        return Rc::clone(node);
    }
    let rowtime = rowtime || needs_watermarks(&node.op);
    let inputs = node.inputs.iter();
    let inputs = inputs.map(|input| below(input, interval_ms, rowtime)).gather();
    Rc::new(node.with_inputs(inputs))
}

fn needs_watermarks(op: &PhysicalOp) -> bool {
    match op {
        PhysicalOp::WindowTableFunction(spec) => spec.window.rowtime,
        PhysicalOp::WindowAggregate(spec) => spec.window.rowtime,
        PhysicalOp::GlobalWindowAggregate(spec) => spec.window.rowtime,
        PhysicalOp::WindowRank(_) | PhysicalOp::WindowDeduplicate(_) => true,
        PhysicalOp::TimedJoin(spec) => match &**spec {
            TimedJoinSpec::Interval(spec) => spec.bounds.rowtime,
            TimedJoinSpec::Window(spec) => spec.windows.iter().any(|window| window.rowtime),
            TimedJoinSpec::Temporal(_) => true,
            TimedJoinSpec::Lookup(_) => false,
        },
        PhysicalOp::OverAggregate(spec) => spec.time == OrderTime::Rowtime,
        PhysicalOp::TemporalSort(spec) => spec.time == OrderTime::Rowtime,
        PhysicalOp::Rank(spec) => spec
            .deduplicate
            .is_some_and(|deduplicate| deduplicate.time == OrderTime::Rowtime),
        _ => false,
    }
}

/// The tree with every aggregation in two phases that can be; `meet` says whether both steps of a split DISTINCT do.
fn split(node: &Rc<PhysicalNode>, meet: bool) -> Rc<PhysicalNode> {
    let inputs = node.inputs.iter().map(|input| split(input, meet));
    let node = Rc::new(node.with_inputs(inputs.gather()));
    let (PhysicalOp::GroupAggregate(spec), Some(exchange)) = (&node.op, node.inputs.first()) else {
        return node;
    };
    if meet
        && let Some(first) = exchange.inputs.first()
        && let Some(both) = incremental(&node, spec, exchange, first)
    {
        return both;
    }
    match (&exchange.op, exchange.inputs.first()) {
        (PhysicalOp::Exchange(_), Some(input)) if spec.calls.iter().all(|call| call.function.mergeable) => {
            two_phases(&node, spec, exchange, input)
        }
        _ => node,
    }
}

/// Both steps of a split DISTINCT: the first one's global phase is the second one's local. Where rows are taken back too,
/// with the count of rows among what is added up; LISTAGG then stays in phases of its own.
fn incremental(
    node: &PhysicalNode,
    spec: &GroupAggregateSpec,
    exchange: &PhysicalNode,
    first: &PhysicalNode,
) -> Option<Rc<PhysicalNode>> {
    let PhysicalOp::GlobalGroupAggregate(partial) = &first.op else {
        return None;
    };
    if spec.stage != AggregateStage::Final
        || partial.stage != AggregateStage::Partial
        || partial.record_counter.is_some()
            && partial
                .calls
                .iter()
                .any(|call| !matches!(call.function.name, "COUNT" | "SUM" | "$SUM0" | "MIN" | "MAX"))
    {
        return None;
    }
    let input = first.inputs.first()?;
    let keys = spec.keys.len();
    let cells: usize = partial.calls.iter().map(|call| cell_names(call, 0).len()).sum();
    let key_fields = input.schema.iter().take(keys);
    let cell_fields = input.schema.iter().skip(partial.keys.len()).take(cells);
    let between = PhysicalNode {
        op: PhysicalOp::IncrementalGroupAggregate(IncrementalGroupAggregateSpec {
            partial: partial.clone(),
            final_keys: u32::try_from(keys).ok()?,
        }),
        schema: key_fields.chain(cell_fields).cloned().gather(),
        changelog_mode: ChangelogMode::INSERT_ONLY,
        upsert_keys: Vec::new(),
        ..first.clone()
    };
    let exchange = PhysicalNode {
        schema: Rc::clone(&between.schema),
        inputs: vec![Rc::new(between)],
        changelog_mode: ChangelogMode::INSERT_ONLY,
        ..exchange.clone()
    };
    let mut total = spec.clone();
    let counted = partial.record_counter.filter(|at| *at < partial.visible_calls);
    if counted.is_some() || partial.record_counter.is_none() {
        total.calls.truncate(spec.visible_calls as usize);
        total.record_counter = counted;
    }
    if partial.record_counter.is_none() {
        total.calls.iter_mut().for_each(|call| call.retract = false);
    }
    Some(Rc::new(PhysicalNode {
        op: PhysicalOp::GlobalGroupAggregate(total),
        inputs: vec![Rc::new(exchange)],
        ..node.clone()
    }))
}

fn two_phases(
    node: &PhysicalNode,
    spec: &GroupAggregateSpec,
    exchange: &PhysicalNode,
    input: &Rc<PhysicalNode>,
) -> Rc<PhysicalNode> {
    let mut fields: Vec<Field> = spec
        .keys
        .iter()
        .filter_map(|key| input.schema.get(*key as usize))
        .cloned()
        .gather();
    let aggregates = Aggregates::compile(&spec.calls);
    let types = aggregates.cell_types().iter();
    let cells = accumulator_names(&spec.calls).into_iter().zip(types);
    fields.extend(cells.map(|(name, data_type)| Field {
        name,
        data_type: data_type.clone(),
    }));
    let local = PhysicalNode {
        op: PhysicalOp::LocalGroupAggregate(spec.clone()),
        inputs: vec![Rc::clone(input)],
        schema: Rc::from(fields),
        changelog_mode: ChangelogMode::INSERT_ONLY,
        upsert_keys: Vec::new(),
        ..node.clone()
    };
    let keys: Vec<u32> = (0_u32..).zip(&spec.keys).map(|(at, _)| at).gather();
    let distribution = if keys.is_empty() {
        Distribution::Single
    } else {
        Distribution::Hash(keys.clone())
    };
    let exchange = PhysicalNode {
        op: PhysicalOp::Exchange(distribution),
        schema: Rc::clone(&local.schema),
        inputs: vec![Rc::new(local)],
        changelog_mode: ChangelogMode::INSERT_ONLY,
        ..exchange.clone()
    };
    Rc::new(PhysicalNode {
        op: PhysicalOp::GlobalGroupAggregate(GroupAggregateSpec { keys, ..spec.clone() }),
        inputs: vec![Rc::new(exchange)],
        ..node.clone()
    })
}
