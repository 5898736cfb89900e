//! Downwards: who sends `-U`.
//!
//! A consumer asks its input for one of three ways to update. Where an input cannot, the consumer tries its next wish;
//! a source that sends `-U` unasked gets a `DropUpdateBefore`.

use std::rc::Rc;

use sg_value::{Gather as _, RowKind};

use super::{kinds::updates, ranking};
use crate::{
    catalog::ColumnKind,
    physical::{
        connector::source_mode,
        expression::columns_of,
        node::{ChangelogNormalizeSpec, PhysicalNode, PhysicalOp},
        timed::TimedJoinSpec,
    },
};

/// How updates arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::physical) enum UpdateKind {
    /// There are none.
    Never,
    /// As `+U` alone.
    AfterOnly,
    /// As `-U` and `+U`.
    BeforeAndAfter,
}

impl UpdateKind {
    /// This way, where the node updates at all.
    pub(in crate::physical) const fn if_updates(self, node: &PhysicalNode) -> Self {
        if updates(node.changelog_mode) {
            self
        } else {
            Self::Never
        }
    }
}

/// Why there is no way to satisfy a wish.
#[derive(Clone, Debug)]
pub(in crate::physical) enum Unsatisfied {
    /// The other way has to be tried.
    NextWish,
    /// A watermark assigner would have to turn deletes that say only the key into full ones: there Flink's planner
    /// fails. It does not look at what comes from the scan itself.
    Tombstones(Rc<PhysicalNode>),
}

/// The tree below a consumer with this wish.
pub(in crate::physical) fn provide(
    node: &Rc<PhysicalNode>,
    wish: UpdateKind,
) -> Result<Rc<PhysicalNode>, Unsatisfied> {
    let wish = wish.if_updates(node);
    match &node.op {
        PhysicalOp::Scan(_) => return provide_scan(node, wish),
        PhysicalOp::ChangelogNormalize(spec) => return provide_normalize(node, spec, wish),
        PhysicalOp::WatermarkAssigner(_) if turns_tombstones(node) => {
            return Err(Unsatisfied::Tombstones(Rc::clone(node)));
        }
        PhysicalOp::Rank(_) | PhysicalOp::SortLimit(_) => return ranking::provide_ranking(node, wish),
        PhysicalOp::Calc(_) if wish == UpdateKind::AfterOnly && !filters_by_key(node) => {
            return Err(Unsatisfied::NextWish);
        }
        PhysicalOp::TimedJoin(spec) if matches!(**spec, TimedJoinSpec::Temporal(_)) => {
            return provide_temporal(node, wish);
        }
        PhysicalOp::Join(spec)
            if wish == UpdateKind::AfterOnly && !replaces_by_key(node, &|at| spec.keys.of(at)) =>
        {
            return Err(Unsatisfied::NextWish);
        }
        PhysicalOp::MultiJoin(spec)
            if wish == UpdateKind::AfterOnly && !replaces_by_key(node, &|at| spec.key(at)) =>
        {
            return Err(Unsatisfied::NextWish);
        }
        _ => {}
    }
    let inputs = node
        .inputs
        .iter()
        .map(|input| provide(input, asked(&node.op, wish, input)))
        .gather::<Result<Vec<_>, _>>()?;
    let mut result = node.with_inputs(inputs);
    if wish == UpdateKind::BeforeAndAfter || passes_before_images(&result) {
        result.changelog_mode = result.changelog_mode.with(RowKind::UpdateBefore);
    }
    let update_before = result.changelog_mode.contains(RowKind::UpdateBefore);
    match &mut result.op {
        PhysicalOp::GroupAggregate(spec) | PhysicalOp::GlobalGroupAggregate(spec) => {
            spec.update_before = update_before;
        }
        PhysicalOp::Limit(spec) => ranking::settle_limit(spec, &result.inputs, update_before),
        _ => {}
    }
    Ok(Rc::new(result))
}

/// What a node that is wished for something wishes of an input.
fn asked(op: &PhysicalOp, wish: UpdateKind, input: &PhysicalNode) -> UpdateKind {
    match op {
        PhysicalOp::Match(_) => UpdateKind::Never,
        PhysicalOp::TimedJoin(spec) if spec.appends_only().is_some() => UpdateKind::Never,
        PhysicalOp::GroupAggregate(_)
        | PhysicalOp::WindowAggregate(_)
        | PhysicalOp::GroupWindowAggregate(_)
        | PhysicalOp::GlobalWindowAggregate(_)
        | PhysicalOp::LocalGroupAggregate(_)
        | PhysicalOp::IncrementalGroupAggregate(_)
        | PhysicalOp::GlobalGroupAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::OverAggregate(_)
        | PhysicalOp::Limit(_)
        | PhysicalOp::FinalResult(_)
        | PhysicalOp::TemporalSort(_) => UpdateKind::BeforeAndAfter.if_updates(input),
        PhysicalOp::Scan(_)
        | PhysicalOp::Values(_)
        | PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::Calc(_)
        | PhysicalOp::Exchange(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::Join(_)
        | PhysicalOp::MultiJoin(_)
        | PhysicalOp::TimedJoin(_)
        | PhysicalOp::Correlate(_)
        | PhysicalOp::Union
        | PhysicalOp::DropUpdateBefore
        | PhysicalOp::SinkMaterializer(_)
        | PhysicalOp::ChangelogNormalize(_)
        | PhysicalOp::Rank(_)
        | PhysicalOp::WindowRank(_)
        | PhysicalOp::WindowDeduplicate(_)
        | PhysicalOp::SortLimit(_)
        | PhysicalOp::Sink(_) => wish.if_updates(input),
    }
}

/// A local phase keeps the kinds of its input, whoever asks.
fn passes_before_images(node: &PhysicalNode) -> bool {
    matches!(
        node.op,
        PhysicalOp::LocalWindowAggregate(_) | PhysicalOp::Exchange(_)
    ) && node
        .inputs
        .iter()
        .any(|input| input.changelog_mode.contains(RowKind::UpdateBefore))
}

/// A scan sends what its connector delivers; the filter on `-U` stands directly above it.
fn provide_scan(node: &Rc<PhysicalNode>, wish: UpdateKind) -> Result<Rc<PhysicalNode>, Unsatisfied> {
    let PhysicalOp::Scan(scan) = &node.op else {
        return Ok(Rc::clone(node));
    };
    let delivered = source_mode(&scan.table);
    let source = Rc::new(PhysicalNode {
        changelog_mode: delivered,
        ..PhysicalNode::clone(node)
    });
    let sends_before = delivered.contains(RowKind::UpdateBefore);
    match wish {
        UpdateKind::BeforeAndAfter if !sends_before => Err(Unsatisfied::NextWish),
        UpdateKind::AfterOnly if sends_before => Ok(Rc::new(PhysicalNode {
            op: PhysicalOp::DropUpdateBefore,
            changelog_mode: delivered.without(RowKind::UpdateBefore),
            inputs: vec![Rc::clone(&source)],
            ..PhysicalNode::clone(&source)
        })),
        UpdateKind::Never | UpdateKind::AfterOnly | UpdateKind::BeforeAndAfter => Ok(source),
    }
}

/// Whether each updating input of a join has a key that contains its join key: a `+U` then finds the row that it
/// replaces under the same join key.
fn replaces_by_key<'s>(node: &PhysicalNode, key_of: &dyn Fn(usize) -> &'s [u32]) -> bool {
    node.inputs.iter().enumerate().all(|(at, input)| {
        let join_key = key_of(at);
        let contains = |key: &Vec<u32>| join_key.iter().all(|column| key.contains(column));
        !updates(input.changelog_mode) || input.upsert_keys.iter().any(contains)
    })
}

/// The versions of a temporal join come without before images where they can; updates of the left side go through.
fn provide_temporal(node: &Rc<PhysicalNode>, wish: UpdateKind) -> Result<Rc<PhysicalNode>, Unsatisfied> {
    let [left, right] = node.inputs.as_slice() else {
        return Ok(Rc::clone(node));
    };
    let left = provide(left, wish.if_updates(left))?;
    let after_only = UpdateKind::AfterOnly.if_updates(right);
    let right = provide(right, after_only)
        .or_else(|_| provide(right, UpdateKind::BeforeAndAfter.if_updates(right)))?;
    let changelog_mode = left.changelog_mode;
    Ok(Rc::new(PhysicalNode {
        changelog_mode,
        ..node.with_inputs(vec![left, right])
    }))
}

/// A node that knows the last row of each key takes `+U` and sends what is wished. Where nobody needs more than the
/// source sends, it goes away together with its exchange.
///
/// Flink: `FlinkChangelogModeInferenceProgram`, `ChangelogNormalizeRequirementResolver`.
#[inline(never)]
fn provide_normalize(
    node: &Rc<PhysicalNode>,
    spec: &ChangelogNormalizeSpec,
    wish: UpdateKind,
) -> Result<Rc<PhysicalNode>, Unsatisfied> {
    let Some(input) = node.inputs.first() else {
        return Ok(Rc::clone(node));
    };
    let update_before = wish == UpdateKind::BeforeAndAfter;
    let wish = UpdateKind::AfterOnly.if_updates(input);
    let needed = update_before
        || spec.duplicates
        || spec.condition.is_some()
        || input.changelog_mode.deletes_by_key()
        || reads_metadata(input);
    if !needed {
        let source = match (&input.op, input.inputs.first()) {
            (PhysicalOp::Exchange(_), Some(below)) => below,
            _ => input,
        };
        return provide(source, wish);
    }
    let mut result = node.with_inputs(vec![provide(input, wish)?]);
    if update_before {
        result.changelog_mode = result.changelog_mode.with(RowKind::UpdateBefore);
    }
    result.op = PhysicalOp::ChangelogNormalize(ChangelogNormalizeSpec {
        update_before,
        ..spec.clone()
    });
    Ok(Rc::new(result))
}

/// Whether the scan below reads metadata columns.
fn reads_metadata(node: &PhysicalNode) -> bool {
    let PhysicalOp::Scan(scan) = &node.op else {
        return node.inputs.iter().any(|input| reads_metadata(input));
    };
    scan.columns
        .iter()
        .filter_map(|column| scan.table.columns.get(*column as usize))
        .any(|column| matches!(column.kind, ColumnKind::Metadata { .. }))
}

/// Whether deletes that say only the key reach a node through another one.
fn turns_tombstones(node: &PhysicalNode) -> bool {
    node.inputs
        .iter()
        .any(|input| input.changelog_mode.deletes_by_key() && !matches!(input.op, PhysicalOp::Scan(_)))
}

/// Whether a filter, if there is one, only reads columns of one upsert key of its input: then both halves of an
/// update pass it or neither does, and the half that is left still means the same row.
fn filters_by_key(node: &PhysicalNode) -> bool {
    let PhysicalOp::Calc(calc) = &node.op else {
        return true;
    };
    let Some(condition) = &calc.condition else {
        return true;
    };
    let read = columns_of(condition);
    let mut keys = node.inputs.iter().flat_map(|input| &input.upsert_keys);
    keys.any(|key| read.iter().all(|column| key.contains(column)))
}
