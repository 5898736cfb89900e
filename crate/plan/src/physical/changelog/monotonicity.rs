//! Columns whose value, for one key, only grows or only shrinks while rows are updated.
//!
//! Flink: `FlinkRelMdModifiedMonotonicity`. It lets `MAX` over a running `COUNT` do without the values that were taken
//! back.

use sg_value::RowKind;

use crate::physical::node::{PhysicalNode, PhysicalOp};

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
        PhysicalOp::WindowAggregate(_) | PhysicalOp::GlobalWindowAggregate(_) => {
            Some(vec![Monotonicity::Constant; node.schema.len()])
        }
        PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::Union
        | PhysicalOp::Sink(_) => None,
    }
}
