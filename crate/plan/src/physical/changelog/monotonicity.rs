//! Columns whose value, for one key, only grows or only shrinks while rows are updated.
//!
//! Flink: `FlinkRelMdModifiedMonotonicity`. It lets `MAX` over a running `COUNT` do without the values that were taken
//! back.

use sg_expr::{Expr, ExprKind};
use sg_value::{Gather as _, RowKind};

use super::{interval, ranking};
use crate::{
    logical::JoinKind,
    physical::{
        join::JoinSpec,
        node::{CalcSpec, PhysicalNode, PhysicalOp},
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

/// A Calc over rows that only come leaves nothing to change; over updates it passes columns on, unless its condition
/// can lose a row again.
fn through_calc(node: &PhysicalNode, calc: &CalcSpec) -> Option<Vec<Monotonicity>> {
    let input = node.inputs.first()?;
    if input.changelog_mode.contains(RowKind::Delete) && !only_pads(input) {
        return None;
    }
    if input.changelog_mode.is_insert_only() {
        return Some(vec![Monotonicity::Constant; calc.projection.len()]);
    }
    let columns = monotonicities(input)?;
    let of = |column: u32| columns.get(column as usize).copied().unwrap_or(Monotonicity::Any);
    let loses = calc
        .condition
        .as_ref()
        .is_some_and(|condition| loses_rows(condition, &of));
    let of_expression = |expr: &Expr| {
        let mut expr = expr;
        while let ExprKind::Call { function, args } = &expr.kind
            && let ("CAST", [arg]) = (function.name, args.as_slice())
        {
            expr = arg;
        }
        match expr.as_column() {
            Some(column) if !loses => of(column),
            _ => Monotonicity::Any,
        }
    };
    Some(calc.projection.iter().map(of_expression).gather())
}

/// Whether a row that passed can fail after an update: a comparison of a column that does not move away from it.
fn loses_rows(condition: &Expr, of: &impl Fn(u32) -> Monotonicity) -> bool {
    let mut moving = false;
    condition.for_each_column(&mut |column| moving |= of(column) != Monotonicity::Constant);
    if !moving {
        return false;
    }
    let ExprKind::Call { function, args } = &condition.kind else {
        return true;
    };
    match (function.name, args.as_slice()) {
        ("AND" | "OR", parts) => parts.iter().any(|part| loses_rows(part, of)),
        (operator, [left, right]) => {
            let (column, operator) = match (left.as_column(), right.as_column()) {
                (Some(column), None) if right.as_literal().is_some() => (column, operator),
                (None, Some(column)) if left.as_literal().is_some() => {
                    let turned = match operator {
                        ">" => "<",
                        ">=" => "<=",
                        "<" => ">",
                        "<=" => ">=",
                        other => other,
                    };
                    (column, turned)
                }
                _ => return true,
            };
            !matches!(
                (operator, of(column)),
                (">" | ">=", Monotonicity::Increasing) | ("<" | "<=", Monotonicity::Decreasing)
            )
        }
        _ => true,
    }
}

/// How the columns of a node change; `None` where rows can also be deleted or nothing is known.
pub(in crate::physical) fn monotonicities(node: &PhysicalNode) -> Option<Vec<Monotonicity>> {
    let input = || node.inputs.first().and_then(|input| monotonicities(input));
    match &node.op {
        PhysicalOp::Scan(_) | PhysicalOp::Values(_) => node
            .changelog_mode
            .is_insert_only()
            .then(|| vec![Monotonicity::Constant; node.schema.len()]),
        PhysicalOp::Calc(calc) => through_calc(node, calc),
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
            let pads = node.inputs.first().is_some_and(|input| only_pads(input));
            let mut columns = vec![Monotonicity::Constant; spec.keys.len()];
            columns.extend(spec.calls.iter().take(spec.visible_calls as usize).map(|call| {
                let argument = call.args.first().and_then(of);
                let stays = appends || pads && argument == Some(Monotonicity::Constant);
                match call.function.name {
                    "COUNT" if appends => Monotonicity::Increasing,
                    "MAX" if stays || argument == Some(Monotonicity::Increasing) => Monotonicity::Increasing,
                    "MIN" if stays || argument == Some(Monotonicity::Decreasing) => Monotonicity::Decreasing,
                    "SUM" | "$SUM0" if appends => interval::sum_of(call, node),
                    _ => Monotonicity::Any,
                }
            }));
            Some(columns)
        }
        PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::FinalResult(_)
        | PhysicalOp::SinkMaterializer(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::Exchange(_)
        | PhysicalOp::DropUpdateBefore => input(),
        PhysicalOp::Rank(spec) => ranking::monotonicities_of(spec, node),
        PhysicalOp::GroupWindowAggregate(spec) if spec.emit.is_some() => None,
        PhysicalOp::WindowAggregate(_)
        | PhysicalOp::GroupWindowAggregate(_)
        | PhysicalOp::WindowRank(_)
        | PhysicalOp::WindowDeduplicate(_)
        | PhysicalOp::GlobalWindowAggregate(_) => Some(vec![Monotonicity::Constant; node.schema.len()]),
        PhysicalOp::Join(spec) if matches!(spec.kind, JoinKind::Inner | JoinKind::Semi) => join(node, spec),
        PhysicalOp::Join(_) if only_pads(node) => Some(vec![Monotonicity::Constant; node.schema.len()]),
        PhysicalOp::OverAggregate(_) | PhysicalOp::TemporalSort(_) => node
            .changelog_mode
            .is_insert_only()
            .then(|| vec![Monotonicity::Constant; node.schema.len()]),
        PhysicalOp::Join(_)
        | PhysicalOp::MultiJoin(_)
        | PhysicalOp::TimedJoin(_)
        | PhysicalOp::Match(_)
        | PhysicalOp::ChangelogNormalize(_)
        | PhysicalOp::SortLimit(_)
        | PhysicalOp::Limit(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::LocalGroupAggregate(_)
        | PhysicalOp::IncrementalGroupAggregate(_)
        | PhysicalOp::GlobalGroupAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::Correlate(_)
        | PhysicalOp::Union
        | PhysicalOp::Sink(_) => None,
    }
}

/// Whether rows are only deleted because an outer join of rows that only come takes back what it padded.
/// Case: join-regular/maximum-over-outer-joins.
fn only_pads(node: &PhysicalNode) -> bool {
    match &node.op {
        PhysicalOp::Calc(_) | PhysicalOp::Exchange(_) => {
            node.inputs.first().is_some_and(|input| only_pads(input))
        }
        PhysicalOp::Join(spec) => {
            !spec.kind.is_semi_or_anti()
                && node
                    .inputs
                    .iter()
                    .all(|input| input.changelog_mode.is_insert_only())
        }
        _ => false,
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
