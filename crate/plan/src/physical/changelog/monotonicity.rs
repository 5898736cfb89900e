//! Columns whose value, for one key, only grows or only shrinks while rows are updated.
//!
//! Flink: `FlinkRelMdModifiedMonotonicity`. It lets `MAX` over a running `COUNT` do without the values that were taken
//! back.

use sg_expr::{Expr, ExprKind};
use sg_value::Gather as _;

use super::{interval, ranking};
use crate::{
    logical::JoinKind,
    physical::{
        join::JoinSpec,
        node::{CalcSpec, GroupAggregateSpec, PhysicalNode, PhysicalOp},
        timed::TimedJoinSpec,
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

/// Whether all columns stay: rows only come, as far as this goes.
fn only_come(columns: &[Monotonicity]) -> bool {
    columns.iter().all(|column| *column == Monotonicity::Constant)
}

/// A node that looks at single rows: what only comes stays so, of updates nothing is known any more.
fn passed(input: &[Monotonicity], width: usize) -> Vec<Monotonicity> {
    let column = if only_come(input) {
        Monotonicity::Constant
    } else {
        Monotonicity::Any
    };
    vec![column; width]
}

/// A Calc over rows that only come leaves nothing to change; over updates it passes columns on, unless its condition
/// can lose a row again.
fn through_calc(columns: &[Monotonicity], calc: &CalcSpec) -> Vec<Monotonicity> {
    if only_come(columns) {
        return vec![Monotonicity::Constant; calc.projection.len()];
    }
    let of = |column: u32| columns.get(column as usize).copied().unwrap_or(Monotonicity::Any);
    let loses = calc
        .condition
        .as_ref()
        .is_some_and(|condition| loses_rows(condition, &of));
    let of_expression = |expr: &Expr| match without_casts(expr).as_column() {
        Some(column) if !loses => of(column),
        _ => Monotonicity::Any,
    };
    calc.projection.iter().map(of_expression).gather()
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Call { function, args } => match args.as_slice() {
            [arg] if function.name == "CAST" => without_casts(arg),
            _ => expr,
        },
        _ => expr,
    }
}

/// Whether a row that passed can fail after an update: a comparison of a column that does not move away from it. Flink
/// looks at columns that are compared themselves, and at two parts of AND and OR.
fn loses_rows(condition: &Expr, of: &impl Fn(u32) -> Monotonicity) -> bool {
    let ExprKind::Call { function, args } = &condition.kind else {
        return condition
            .as_column()
            .is_some_and(|column| of(column) != Monotonicity::Constant);
    };
    let moving = || {
        let compared = args.iter().filter_map(|arg| without_casts(arg).as_column());
        compared.map(of).find(|column| *column != Monotonicity::Constant)
    };
    match function.name {
        "AND" | "OR" => args.iter().take(2).any(|part| loses_rows(part, of)),
        ">" | ">=" => moving().is_some_and(|column| column != Monotonicity::Increasing),
        "<" | "<=" => moving().is_some_and(|column| column != Monotonicity::Decreasing),
        "=" | "<>" | "SEARCH" | "IN" | "NOT IN" => moving().is_some(),
        "NOT" | "IS NOT TRUE" | "IS TRUE" | "IS NOT NULL" | "IS NULL" => {
            args.iter().any(|part| loses_rows(without_casts(part), of))
        }
        _ => false,
    }
}

/// How the columns of an aggregation change; `None` where a key can change.
pub(in crate::physical) fn of_aggregate(
    spec: &GroupAggregateSpec,
    visible: usize,
    input: &PhysicalNode,
) -> Option<Vec<Monotonicity>> {
    let of_input = monotonicities(input)?;
    let of = |column: &u32| of_input.get(*column as usize).copied();
    if spec
        .keys
        .iter()
        .any(|key| of(key) != Some(Monotonicity::Constant))
    {
        return None;
    }
    let appends = only_come(&of_input);
    let mut columns = vec![Monotonicity::Constant; spec.keys.len()];
    columns.extend(spec.calls.iter().take(visible).map(|call| {
        let own = match call.function.name {
            "COUNT" => return Monotonicity::Increasing,
            "MAX" => Monotonicity::Increasing,
            "MIN" => Monotonicity::Decreasing,
            "SUM" | "$SUM0" => interval::sum_of(call, input),
            _ => return Monotonicity::Any,
        };
        if appends || call.args.first().and_then(of) == Some(own) {
            own
        } else {
            Monotonicity::Any
        }
    }));
    Some(columns)
}

/// How the columns of a node change; `None` where rows can also be deleted or nothing is known.
pub(in crate::physical) fn monotonicities(node: &PhysicalNode) -> Option<Vec<Monotonicity>> {
    let input = || node.inputs.first().and_then(|input| monotonicities(input));
    let width = node.schema.len();
    let all = |column| vec![column; width];
    match &node.op {
        PhysicalOp::Scan(_) if node.changelog_mode.is_insert_only() => Some(all(Monotonicity::Constant)),
        PhysicalOp::Scan(_) => Some(all(Monotonicity::Any)),
        PhysicalOp::ChangelogNormalize(spec) => {
            let mut columns = all(Monotonicity::Any);
            for key in &spec.keys {
                *columns.get_mut(*key as usize)? = Monotonicity::Constant;
            }
            Some(columns)
        }
        PhysicalOp::Calc(calc) => Some(through_calc(&input()?, calc)),
        PhysicalOp::GroupAggregate(spec) => {
            of_aggregate(spec, spec.visible_calls as usize, node.inputs.first()?)
        }
        PhysicalOp::FinalResult(_) | PhysicalOp::SinkMaterializer(_) | PhysicalOp::Exchange(_) => input(),
        PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::DropUpdateBefore
        | PhysicalOp::Expand(_)
        | PhysicalOp::Correlate(_) => Some(passed(&input()?, width)),
        PhysicalOp::Rank(spec) => ranking::monotonicities_of(spec, node),
        PhysicalOp::GroupWindowAggregate(spec) => {
            let appends = spec.emit.is_none() && only_come(&input()?);
            appends.then(|| all(Monotonicity::Constant))
        }
        PhysicalOp::Join(spec) => join(node, spec),
        PhysicalOp::TimedJoin(spec) => match &**spec {
            TimedJoinSpec::Interval(_) => Some(all(Monotonicity::Constant)),
            TimedJoinSpec::Lookup(_) => Some(passed(&input()?, width)),
            TimedJoinSpec::Temporal(_) | TimedJoinSpec::Window(_) => None,
        },
        PhysicalOp::OverAggregate(_) => Some(all(Monotonicity::Constant)),
        PhysicalOp::Union => {
            let mut inputs = node.inputs.iter().map(|input| monotonicities(input));
            let first = inputs.next()??;
            let mut equal = true;
            for other in inputs {
                equal &= other? == first;
            }
            Some(if equal { first } else { all(Monotonicity::Any) })
        }
        _ => None,
    }
}

/// Columns of both inputs change as they do there, if the join keys stay as they are.
fn join(node: &PhysicalNode, spec: &JoinSpec) -> Option<Vec<Monotonicity>> {
    if spec.kind == JoinKind::Anti {
        return None;
    }
    let mut columns = Vec::with_capacity(node.schema.len());
    for (at, input) in node.inputs.iter().enumerate() {
        let of_input = monotonicities(input)?;
        let stays = |key: &u32| of_input.get(*key as usize) == Some(&Monotonicity::Constant);
        if !spec.keys.of(at).iter().all(stays) {
            return None;
        }
        columns.extend(of_input);
    }
    if spec.residual.is_some() && !only_come(&columns) {
        return None;
    }
    columns.truncate(node.schema.len());
    Some(columns)
}
