//! Row kinds of windowed calls, rankings and sorting, and the strategy of a ranking.
//!
//! Flink: `FlinkChangelogModeInferenceProgram`, `RankProcessStrategy`, `FlinkRelMdModifiedMonotonicity`.

use std::rc::Rc;

use sg_value::RowKind;

use super::{
    before_images::{Unsatisfied, UpdateKind, provide},
    monotonicity::{Monotonicity, monotonicities},
};
use crate::physical::node::{
    ChangelogMode, DeduplicateSpec, OrderTime, OverAggregateSpec, PhysicalNode, PhysicalOp, RankSpec,
    RankStrategy,
};

/// Inserts, updates and deletes; who sends `-U` is found later.
pub(in crate::physical) const CHANGES: ChangelogMode = ChangelogMode::INSERT_ONLY
    .with(RowKind::UpdateAfter)
    .with(RowKind::Delete);

/// By a time attribute, and in batch mode, rows come out once, and none can be taken back.
pub(in crate::physical) fn over_kinds(spec: &OverAggregateSpec) -> ChangelogMode {
    if spec.time == OrderTime::Value && !spec.batch {
        CHANGES
    } else {
        ChangelogMode::INSERT_ONLY
    }
}

/// A ranking that keeps the first row of rows that only come is said to insert only.
pub(in crate::physical) fn rank_kinds(spec: &RankSpec, of_inputs: ChangelogMode) -> ChangelogMode {
    let keeps_first = spec.is_deduplication() && !spec.keeps_last();
    if keeps_first && of_inputs.is_insert_only() && spec.mini_batch.is_none() {
        ChangelogMode::INSERT_ONLY
    } else {
        CHANGES
    }
}

/// The ranking with the first strategy whose input can be had.
pub(in crate::physical) fn provide_ranking(
    node: &Rc<PhysicalNode>,
    wish: UpdateKind,
) -> Result<Rc<PhysicalNode>, Unsatisfied> {
    let (PhysicalOp::Rank(spec) | PhysicalOp::SortLimit(spec)) = &node.op else {
        return Ok(Rc::clone(node));
    };
    let Some(input) = node.inputs.first() else {
        return Ok(Rc::clone(node));
    };
    let mut failed = Unsatisfied::NextWish;
    for strategy in strategies(spec, input) {
        let asked = match strategy {
            RankStrategy::AppendFast => UpdateKind::Never,
            RankStrategy::UpdateFast(_) => UpdateKind::AfterOnly,
            RankStrategy::Retract => UpdateKind::BeforeAndAfter,
        };
        match provide(input, asked) {
            Ok(input) => return Ok(Rc::new(ranked(node, spec, strategy, input, wish))),
            Err(other) => failed = other,
        }
    }
    Err(failed)
}

fn ranked(
    node: &PhysicalNode,
    spec: &RankSpec,
    strategy: RankStrategy,
    input: Rc<PhysicalNode>,
    wish: UpdateKind,
) -> PhysicalNode {
    let appends = input.changelog_mode.is_insert_only();
    let mut result = node.with_inputs(vec![input]);
    let wish = wish.if_updates(&result);
    if wish == UpdateKind::BeforeAndAfter {
        result.changelog_mode = result.changelog_mode.with(RowKind::UpdateBefore);
    }
    let mut spec = RankSpec {
        strategy,
        update_before: wish == UpdateKind::BeforeAndAfter,
        ..spec.clone()
    };
    if matches!(node.op, PhysicalOp::Rank(_))
        && appends
        && spec.is_deduplication()
        && spec.sorts_by_time_only()
    {
        let time = spec.times.first().copied().unwrap_or(OrderTime::Value);
        let keep_last = spec.keeps_last();
        spec.deduplicate = Some(DeduplicateSpec {
            keep_last,
            time,
            insert_only: !keep_last && result.changelog_mode.is_insert_only(),
        });
    }
    result.op = match node.op {
        PhysicalOp::SortLimit(_) => PhysicalOp::SortLimit(spec),
        _ => PhysicalOp::Rank(spec),
    };
    result
}

/// Strategies that fit an input, the best first.
fn strategies(spec: &RankSpec, input: &PhysicalNode) -> Vec<RankStrategy> {
    if input.changelog_mode.is_insert_only() {
        return vec![RankStrategy::AppendFast];
    }
    let contains = |key: &&Vec<u32>| spec.partition.iter().all(|column| key.contains(column));
    let Some(key) = input.upsert_keys.iter().find(contains) else {
        return vec![RankStrategy::Retract];
    };
    if !only_improves(spec, input) {
        return vec![RankStrategy::Retract];
    }
    vec![RankStrategy::UpdateFast(key.clone()), RankStrategy::Retract]
}

/// Whether every sort column, while its row is updated, moves towards better places or stays.
fn only_improves(spec: &RankSpec, input: &PhysicalNode) -> bool {
    let Some(columns) = monotonicities(input) else {
        return false;
    };
    !spec.order.is_empty()
        && spec
            .order
            .iter()
            .all(|key| match columns.get(key.column as usize) {
                Some(Monotonicity::Constant) => true,
                Some(Monotonicity::Increasing) => key.direction.descending,
                Some(Monotonicity::Decreasing) => !key.direction.descending,
                Some(Monotonicity::Any) | None => false,
            })
}

/// How a limit keeps its rows.
pub(in crate::physical) fn settle_limit(
    spec: &mut RankSpec,
    inputs: &[Rc<PhysicalNode>],
    update_before: bool,
) {
    let appends = inputs.iter().all(|input| input.changelog_mode.is_insert_only());
    spec.strategy = if appends {
        RankStrategy::AppendFast
    } else {
        RankStrategy::Retract
    };
    spec.update_before = update_before;
}

/// How the columns of a ranking change.
pub(in crate::physical) fn monotonicities_of(
    spec: &RankSpec,
    node: &PhysicalNode,
) -> Option<Vec<Monotonicity>> {
    let input = node.inputs.first()?;
    let width = node.schema.len();
    if spec.is_deduplication() {
        let appends = monotonicities(input)?
            .iter()
            .all(|column| *column == Monotonicity::Constant);
        if !appends {
            return None;
        }
        if !spec.keeps_last() && !spec.times.contains(&OrderTime::Rowtime) {
            return Some(vec![Monotonicity::Constant; width]);
        }
        return Some(with_constants(spec, vec![Monotonicity::Any; width]));
    }
    let of_input = monotonicities(input)?;
    let constant = |column: &u32| of_input.get(*column as usize) == Some(&Monotonicity::Constant);
    if !spec.partition.iter().all(constant) {
        return None;
    }
    let mut columns = with_constants(spec, vec![Monotonicity::Any; width]);
    if let (true, Some(last)) = (spec.puts_out_rank, columns.last_mut()) {
        *last = Monotonicity::Constant;
    }
    if let Some(key) = spec.order.first() {
        // a time attribute is taken to grow
        let attribute = node
            .schema
            .get(key.column as usize)
            .is_some_and(|field| field.data_type.is_rowtime() || field.data_type.is_proctime());
        let moves = match (of_input.get(key.column as usize), key.direction.descending) {
            (Some(Monotonicity::Increasing | Monotonicity::Constant), true) => Monotonicity::Increasing,
            (Some(Monotonicity::Decreasing | Monotonicity::Constant), false) if !attribute => {
                Monotonicity::Decreasing
            }
            _ => Monotonicity::Any,
        };
        if let Some(slot) = columns.get_mut(key.column as usize) {
            *slot = moves;
        }
    }
    Some(columns)
}

fn with_constants(spec: &RankSpec, mut columns: Vec<Monotonicity>) -> Vec<Monotonicity> {
    for column in &spec.partition {
        if let Some(slot) = columns.get_mut(*column as usize) {
            *slot = Monotonicity::Constant;
        }
    }
    columns
}
