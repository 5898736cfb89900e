//! Shapes whose results are wrong in Flink 2.3, which are reproduced: each is named by a warning.
//!
//! Cases: topn/top-one-ascending-*, topn/*offset*, topn/limit-with-offset-over-deletes-keeps-ghosts, over/*rank*,
//! optimisation/mini-batch-join-left-suppresses-padding.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics};

use crate::{
    logical::RankRange,
    physical::{
        join::{JoinSpec, UniqueKey},
        node::{
            GroupAggregateSpec, OrderTime, OverAggregateSpec, PhysicalNode, PhysicalOp, RankSpec,
            RankStrategy,
        },
    },
};

/// Names the known defects that a tree meets.
pub(in crate::physical) fn report(node: &Rc<PhysicalNode>, diags: &mut Diagnostics) {
    let found = match &node.op {
        PhysicalOp::Rank(spec) => of_rank(node, spec),
        PhysicalOp::SortLimit(spec) | PhysicalOp::Limit(spec) => of_places(spec),
        PhysicalOp::OverAggregate(spec) => of_over(node, spec),
        PhysicalOp::Join(spec) => loses_padding(spec).then_some(Code::MiniBatchJoinLosesPadding),
        PhysicalOp::GroupAggregate(spec) | PhysicalOp::GlobalGroupAggregate(spec) => {
            counts_twice(spec).then_some(Code::DistinctCountsTwice)
        }
        _ => None,
    };
    if let Some(code) = found {
        diags.push(Diagnostic::new(code, node.span));
    }
    for input in &node.inputs {
        report(input, diags);
    }
}

fn of_rank(node: &PhysicalNode, spec: &RankSpec) -> Option<Code> {
    if spec.deduplicate.is_some() {
        return None;
    }
    if spec.is_deduplication() && node.changelog_mode.is_insert_only() {
        return Some(Code::TopOneInsertsOnly);
    }
    if spec.is_deduplication()
        && let RankStrategy::UpdateFast(key) = &spec.strategy
    {
        let sorted = |column: u32| spec.order.iter().any(|key| key.column == column);
        let width = u32::try_from(node.schema.len()).unwrap_or(u32::MAX);
        let other = (0..width).any(|at| !sorted(at) && !key.contains(&at) && !spec.partition.contains(&at));
        return other.then_some(Code::TopOneHidesUpdates);
    }
    of_places(spec)
}

fn of_places(spec: &RankSpec) -> Option<Code> {
    let RankRange::Constant { start, end } = spec.range else {
        return None;
    };
    if start > 1 && !spec.puts_out_rank && spec.strategy == RankStrategy::Retract {
        return Some(Code::OffsetKeepsGhosts);
    }
    let by_clock = spec.times == [OrderTime::Proctime] && spec.keeps_last() && end > 1;
    by_clock.then_some(Code::ProctimeDescendingKeepsFirst)
}

fn of_over(node: &PhysicalNode, spec: &OverAggregateSpec) -> Option<Code> {
    if spec
        .calls
        .iter()
        .any(|call| ["RANK", "DENSE_RANK"].contains(&call.function.name))
    {
        return Some(Code::RankCountsRows);
    }
    // of two equal rows of one place, one may be taken back; a row with a unique key has no equal
    let input = node.inputs.first()?;
    let twins = spec.time == OrderTime::Value
        && !spec.frame.rows
        && !input.changelog_mode.is_insert_only()
        && input.upsert_keys.is_empty();
    twins.then_some(Code::OverForgetsTwins)
}

/// An update of one side by its unique key, of which only the old row matches what the other side shows.
fn loses_padding(spec: &JoinSpec) -> bool {
    let padded = [spec.kind.keeps_left(), spec.kind.keeps_right()];
    let [left, right] = &spec.sides;
    let by_key = |unique: &UniqueKey| *unique != UniqueKey::None;
    spec.mini_batch.is_some()
        && spec.residual.is_some()
        && !spec.kind.is_semi_or_anti()
        && (padded[0] && by_key(&right.unique) || padded[1] && by_key(&left.unique))
}

/// With a time-to-live a value that comes again is counted again, once the last time that it was new is long ago.
fn counts_twice(spec: &GroupAggregateSpec) -> bool {
    spec.ttl_ms > 0 && spec.calls.iter().any(|call| call.distinct && !call.retract)
}
