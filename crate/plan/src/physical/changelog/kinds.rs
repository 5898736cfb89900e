//! Upwards: who inserts, updates and deletes, and which aggregates have to take rows back.
//!
//! An update stands in the changelog mode as `+U` alone; `-U` joins in the next pass.

use std::rc::Rc;

use sg_diag::Diagnostics;
use sg_expr::{AggregateCall, aggregate::AggregateContext, resolve_aggregate};
use sg_value::{Gather as _, RowKind};

use super::{
    monotonicity::{Monotonicity, of_aggregate},
    ranking,
};
use crate::{
    logical::JoinKind,
    physical::{
        connector::source_mode,
        node::{ChangelogMode, GroupAggregateSpec, PhysicalNode, PhysicalOp},
        timed::TimedJoinSpec,
    },
};

/// The tree with the kinds of each node, or `None` where an aggregate cannot count its rows.
pub(in crate::physical) fn infer(node: &Rc<PhysicalNode>) -> Option<Rc<PhysicalNode>> {
    let inputs: Vec<Rc<PhysicalNode>> = node.inputs.iter().map(infer).gather::<Option<_>>()?;
    let of_inputs = inputs.iter().fold(ChangelogMode::NONE, |kinds, input| {
        union(kinds, input.changelog_mode)
    });
    let takes_back = updates(of_inputs) || of_inputs.contains(RowKind::Delete);
    let first = inputs.first().cloned();
    let mut result = node.with_inputs(inputs);
    result.changelog_mode = match &mut result.op {
        PhysicalOp::Scan(scan) => source_mode(&scan.table).without(RowKind::UpdateBefore),
        PhysicalOp::ChangelogNormalize(_) => ChangelogMode::ALL.without(RowKind::UpdateBefore),
        PhysicalOp::Values(_) => ChangelogMode::INSERT_ONLY,
        PhysicalOp::Sink(_) => ChangelogMode::NONE,
        PhysicalOp::GroupAggregate(spec) => group_kinds(spec, takes_back, first.as_deref())?,
        PhysicalOp::WindowAggregate(spec) => {
            if takes_back {
                retract_all(&mut spec.calls, None);
            }
            // Flink: a hopping window keeps a count as well, to stop its chain of timers at an empty window.
            if takes_back || spec.window.kind.is_hop() {
                let grouped = !spec.keys.is_empty();
                spec.record_counter = Some(record_counter(&mut spec.calls, grouped)?);
                if !takes_back {
                    spec.calls.iter_mut().for_each(|call| call.retract = false);
                }
            }
            ChangelogMode::INSERT_ONLY
        }
        PhysicalOp::WindowRank(_) | PhysicalOp::WindowDeduplicate(_) => ChangelogMode::INSERT_ONLY,
        PhysicalOp::GroupWindowAggregate(spec) => {
            if takes_back {
                retract_all(&mut spec.calls, None);
                let grouped = !spec.keys.is_empty();
                spec.record_counter = Some(record_counter(&mut spec.calls, grouped)?);
            }
            // Flink does not plan for the deletion of a window that loses its rows, though it deletes.
            if spec.emit.is_some() {
                ChangelogMode::INSERT_ONLY.with(RowKind::UpdateAfter)
            } else {
                ChangelogMode::INSERT_ONLY
            }
        }
        PhysicalOp::GlobalWindowAggregate(_) => ChangelogMode::INSERT_ONLY,
        PhysicalOp::Match(_) | PhysicalOp::FinalResult(_) => ChangelogMode::INSERT_ONLY,
        PhysicalOp::TimedJoin(spec) => match &**spec {
            TimedJoinSpec::Interval(_) | TimedJoinSpec::Window(_) => ChangelogMode::INSERT_ONLY,
            TimedJoinSpec::Temporal(_) | TimedJoinSpec::Lookup(_) => {
                first.as_ref().map_or(of_inputs, |left| left.changelog_mode)
            }
        },
        PhysicalOp::Calc(_)
        | PhysicalOp::Correlate(_)
        | PhysicalOp::Exchange(_)
        | PhysicalOp::Union
        | PhysicalOp::SinkMaterializer(_)
        | PhysicalOp::DropUpdateBefore => passed_on(of_inputs, &result.inputs),
        PhysicalOp::Join(spec) => join_kinds(spec.kind, of_inputs),
        PhysicalOp::MultiJoin(spec) if spec.is_inner() => of_inputs,
        PhysicalOp::MultiJoin(_) => ChangelogMode::ALL.without(RowKind::UpdateBefore),
        PhysicalOp::OverAggregate(spec) => ranking::over_kinds(spec),
        PhysicalOp::Rank(spec) => ranking::rank_kinds(spec, of_inputs),
        PhysicalOp::Limit(_) if of_inputs.is_insert_only() => ChangelogMode::INSERT_ONLY,
        PhysicalOp::SortLimit(_) | PhysicalOp::Limit(_) => ranking::CHANGES,
        PhysicalOp::TemporalSort(_) => ChangelogMode::INSERT_ONLY,
        // Bundles come after this.
        PhysicalOp::LocalGroupAggregate(_)
        | PhysicalOp::IncrementalGroupAggregate(_)
        | PhysicalOp::GlobalGroupAggregate(_) => of_inputs,
        PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::LocalWindowAggregate(_) => of_inputs,
    };
    Some(Rc::new(result))
}

/// An aggregation updates its groups; where its input takes rows back, groups go as well.
fn group_kinds(
    spec: &mut GroupAggregateSpec,
    takes_back: bool,
    input: Option<&PhysicalNode>,
) -> Option<ChangelogMode> {
    let kinds = ChangelogMode::INSERT_ONLY.with(RowKind::UpdateAfter);
    if !takes_back {
        return Some(kinds);
    }
    let grouped = !spec.keys.is_empty();
    let columns = input.and_then(|input| of_aggregate(spec, spec.calls.len(), input));
    let calls = columns
        .as_deref()
        .and_then(|columns| columns.get(spec.keys.len()..));
    retract_all(&mut spec.calls, calls);
    spec.record_counter = Some(record_counter(&mut spec.calls, grouped)?);
    Some(kinds.with(RowKind::Delete))
}

/// A join that pads changes what it has padded.
const fn join_kinds(kind: JoinKind, of_inputs: ChangelogMode) -> ChangelogMode {
    match kind {
        JoinKind::Inner | JoinKind::Semi => of_inputs,
        JoinKind::Left | JoinKind::Right | JoinKind::Full | JoinKind::Anti => {
            ChangelogMode::ALL.without(RowKind::UpdateBefore)
        }
    }
}

/// Whether rows are updated.
pub(in crate::physical) const fn updates(kinds: ChangelogMode) -> bool {
    kinds.contains(RowKind::UpdateAfter) || kinds.contains(RowKind::UpdateBefore)
}

/// The kinds of both. A node that gets deletes by key passes them on as such only where it says so.
fn union(left: ChangelogMode, right: ChangelogMode) -> ChangelogMode {
    RowKind::ALL
        .into_iter()
        .filter(|kind| right.contains(*kind))
        .fold(left, ChangelogMode::with)
}

/// The kinds that a node passes on without looking into rows.
fn passed_on(of_inputs: ChangelogMode, inputs: &[Rc<PhysicalNode>]) -> ChangelogMode {
    if inputs.iter().any(|input| input.changelog_mode.deletes_by_key()) {
        of_inputs.with_deletes_by_key()
    } else {
        of_inputs
    }
}

/// Marks the calls that need their retractable form. MAX of a value that only grows does not, nor MIN of one that
/// only shrinks: what is taken back is never the extreme any more.
fn retract_all(calls: &mut [AggregateCall], results: Option<&[Monotonicity]>) {
    for (at, call) in calls.iter_mut().enumerate() {
        let result = results.and_then(|results| results.get(at)).copied();
        call.retract = !matches!(
            (call.function.name, result),
            ("MAX", Some(Monotonicity::Increasing)) | ("MIN", Some(Monotonicity::Decreasing))
        );
    }
}

/// The number of the call that counts all rows, appended where the query has none.
fn record_counter(calls: &mut Vec<AggregateCall>, grouped: bool) -> Option<u32> {
    let counts_all = |call: &AggregateCall| {
        call.function.name == "COUNT" && call.args.is_empty() && call.filter.is_none() && !call.distinct
    };
    if let Some(at) = calls.iter().position(counts_all) {
        return u32::try_from(at).ok();
    }
    let span = calls.first().map(|call| call.span).unwrap_or_default();
    let cx = AggregateContext {
        distinct: false,
        filtered: false,
        grouped,
    };
    let (function, data_type) = resolve_aggregate("COUNT", &[], cx, span, &mut Diagnostics::new())?;
    calls.push(AggregateCall {
        function,
        args: Vec::new(),
        arg_types: Vec::new(),
        distinct: false,
        filter: None,
        retract: true,
        data_type,
        name: Rc::from("$records"),
        span,
        user: None,
    });
    u32::try_from(calls.len() - 1).ok()
}
