//! Columns whose value, for one key, only grows or only shrinks while rows are updated.
//!
//! Flink: `FlinkRelMdModifiedMonotonicity`. It lets `MAX` over a running `COUNT` do without the values that were taken
//! back.

use sg_value::RowKind;

use super::{interval, ranking};
use crate::{
    logical::JoinKind,
    physical::{
        join::JoinSpec,
        node::{PhysicalNode, PhysicalOp},
    },
};

/// How a column changes while its row is updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::physical) enum Monotonicity {
    /// It stays.
    Constant,
    /// It only grows.
    Increasing,
    /// It only shrinks.
    Decreasing,
    /// It can do anything.
    Any,
}

/// How the columns of a node change; `None` where rows can also be deleted or nothing is known.
pub(in crate::physical) fn monotonicities(node: &PhysicalNode) -> Option<Vec<Monotonicity>> {
    let input = || node.inputs.first().and_then(|input| monotonicities(input));
    match &node.op {
        PhysicalOp::Scan(_) | PhysicalOp::Values(_) => node
            .changelog_mode
            .is_insert_only()
            .then(|| vec![Monotonicity::Constant; node.schema.len()]),
        PhysicalOp::Calc(calc) => {
            let input = input()?;
            let of = |column: u32| input.get(column as usize).copied();
            Some(
                calc.projection
                    .iter()
                    .map(|expr| match expr.as_column() {
                        Some(column) => of(column).unwrap_or(Monotonicity::Any),
                        None => Monotonicity::Any,
                    })
                    .collect(),
            )
        }
        PhysicalOp::GroupAggregate(spec) => {
            let of_input = input()?;
            let of = |column: &u32| of_input.get(*column as usize).copied();
            if !spec
                .keys
                .iter()
                .all(|key| of(key) == Some(Monotonicity::Constant))
            {
                return None;
            }
            let appends = node
                .inputs
                .first()
                .is_some_and(|input| input.changelog_mode.is_insert_only());
            let mut columns = vec![Monotonicity::Constant; spec.keys.len()];
            columns.extend(spec.calls.iter().take(spec.visible_calls as usize).map(|call| {
                let argument = call.args.first().and_then(of);
                match call.function.name {
                    "COUNT" if appends => Monotonicity::Increasing,
                    "MAX" if appends || argument == Some(Monotonicity::Increasing) => {
                        Monotonicity::Increasing
                    }
                    "MIN" if appends || argument == Some(Monotonicity::Decreasing) => {
                        Monotonicity::Decreasing
                    }
                    "SUM" | "$SUM0" if appends => interval::sum_of(call, node),
                    _ => Monotonicity::Any,
                }
            }));
            Some(columns)
        }
        PhysicalOp::WatermarkAssigner(_) | PhysicalOp::Exchange(_) | PhysicalOp::DropUpdateBefore => {
            if node.changelog_mode.contains(RowKind::Delete) {
                None
            } else {
                input()
            }
        }
        PhysicalOp::Rank(spec) => ranking::monotonicities_of(spec, node),
        PhysicalOp::WindowAggregate(_) | PhysicalOp::GlobalWindowAggregate(_) => {
            Some(vec![Monotonicity::Constant; node.schema.len()])
        }
        PhysicalOp::Join(spec) if matches!(spec.kind, JoinKind::Inner | JoinKind::Semi) => join(node, spec),
        PhysicalOp::OverAggregate(_) | PhysicalOp::TemporalSort(_) => node
            .changelog_mode
            .is_insert_only()
            .then(|| vec![Monotonicity::Constant; node.schema.len()]),
        PhysicalOp::Join(_)
        | PhysicalOp::ChangelogNormalize(_)
        | PhysicalOp::SortLimit(_)
        | PhysicalOp::Limit(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::Union
        | PhysicalOp::Sink(_) => None,
    }
}

/// Columns of both inputs change as they do there, if the join keys stay as they are.
fn join(node: &PhysicalNode, spec: &JoinSpec) -> Option<Vec<Monotonicity>> {
    let mut columns = Vec::with_capacity(node.schema.len());
    for (at, input) in node.inputs.iter().enumerate() {
        let of_input = monotonicities(input)?;
        let stays = |key: &u32| of_input.get(*key as usize) == Some(&Monotonicity::Constant);
        if !spec.keys.of(at).iter().all(stays) {
            return None;
        }
        columns.extend(of_input);
    }
    columns.truncate(node.schema.len());
    Some(columns)
}
