//! Grouping sets become copies of each row: one per set, absent keys NULL, with the set's id `$e` as one more key.
//! GROUPING and `GROUPING_ID` become CASE over `$e`.
//!
//! Flink: `DecomposeGroupingSetsRule`. Bit i from the left of `$e` is set where key i is not in the set.
//! Cases: group-agg/grouping-sets, group-agg/rollup-null-is-not-data-null, group-agg/cube.

use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_expr::{AggregateCall, Expr, resolve_call};
use sg_value::{DataType, Field, Gather as _, TypeKind, Value, sorted::sorted_numbers};

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, names},
};
use crate::logical::{AggregateNode, ExpandNode, LogicalNode, LogicalOp, unique_name};

pub(super) struct ExpandGroupingSets;

impl Rule for ExpandGroupingSets {
    fn name(&self) -> &'static str {
        "expand-grouping-sets"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let has_grouping = aggregate.calls.iter().any(is_grouping);
        if aggregate.sets.len() == 1 {
            return has_grouping.then(|| without_grouping(node, aggregate, cx))?;
        }
        with_expand(node, aggregate, cx)
    }
}

#[inline(never)]
fn with_expand(
    node: &Rc<LogicalNode>,
    aggregate: &AggregateNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let input = node.inputs.first()?;
    // keys are the first columns of the projection below
    let copied = copied_keys(aggregate);
    let expand = expanded(input, aggregate, &copied, cx);
    let id = u32::try_from(input.schema.len()).ok()?;
    let moved = |column: &mut u32| {
        if let Some((at, _)) = (id + 1..).zip(&copied).find(|(_, key)| *key == column) {
            *column = at;
        }
    };
    let mut keys = aggregate.keys.clone();
    keys.push(id);
    let count = u32::try_from(keys.len()).ok()?;
    let mut calls = aggregate.calls.clone();
    calls.retain(|call| !is_grouping(call));
    for call in &mut calls {
        call.args.iter_mut().chain(&mut call.filter).for_each(moved);
    }
    let grouped = AggregateNode {
        keys,
        sets: vec![(0..count).gather()],
        calls,
        ttl_hint: aggregate.ttl_hint.clone(),
        stage: aggregate.stage,
    };
    let grouped = cx.builder.aggregate(expand, grouped, node.span);
    let expressions = output(node, aggregate)?;
    Some(
        cx.builder
            .project_always(grouped, expressions, &names(node), node.span),
    )
}

fn is_grouping(call: &AggregateCall) -> bool {
    call.function.name == "GROUPING"
}

/// The id of a set among so many keys.
fn set_id(set: &[u32], keys: usize) -> i64 {
    (0..keys).fold(0, |bits, at| {
        let absent = !set.iter().any(|&member| member as usize == at);
        bits << 1 | i64::from(absent)
    })
}

fn bigint(value: i64, span: Span) -> Expr {
    Expr::literal(Value::Int(value), DataType::not_null(TypeKind::BigInt), span)
}

/// Keys that calls read too: they need the value that a set without the key takes away. Flink: `ExpandUtil`. Cases:
/// group-agg/rollup-counts-its-key, window-tvf/rollup-counts-its-key.
fn copied_keys(aggregate: &AggregateNode) -> Vec<u32> {
    let calls = aggregate.calls.iter().filter(|call| !is_grouping(call));
    let read = calls.flat_map(|call| call.args.iter().chain(&call.filter).copied());
    let in_all_sets = |at: u32| aggregate.sets.iter().all(|set| set.contains(&at));
    let taken_away = |column: &u32| {
        let key = aggregate.keys.iter().position(|key| key == column);
        key.and_then(|at| u32::try_from(at).ok())
            .is_some_and(|at| !in_all_sets(at))
    };
    sorted_numbers(read.filter(taken_away))
}

/// The copies of a row.
fn expanded(
    input: &Rc<LogicalNode>,
    aggregate: &AggregateNode,
    copied: &[u32],
    cx: &mut RuleContext<'_>,
) -> Rc<LogicalNode> {
    let columns = all_columns(input);
    let key_at = |column: u32| aggregate.keys.iter().position(|&key| key == column);
    let in_all = |at: usize| {
        aggregate
            .sets
            .iter()
            .all(|set| set.iter().any(|&member| member as usize == at))
    };
    let mut schema: Vec<Field> = input.schema.to_vec();
    for (column, field) in (0_u32..).zip(&mut schema) {
        if key_at(column).is_some_and(|at| !in_all(at)) {
            field.data_type.nullable = true;
        }
    }
    let projections = aggregate
        .sets
        .iter()
        .map(|set| {
            let mut row: Vec<Expr> = (0_u32..)
                .zip(&columns)
                .map(|(column, expr)| match key_at(column) {
                    Some(at) if !set.iter().any(|&member| member as usize == at) => {
                        Expr::literal(Value::Null, expr.data_type.with_nullable(true), expr.span)
                    }
                    _ => expr.clone(),
                })
                .gather();
            row.push(bigint(set_id(set, aggregate.keys.len()), input.span));
            row.extend(
                copied
                    .iter()
                    .filter_map(|key| columns.get(*key as usize).cloned()),
            );
            row
        })
        .gather();
    let id = u32::try_from(schema.len()).unwrap_or(u32::MAX);
    schema.push(Field {
        name: Rc::from("$e"),
        data_type: DataType::not_null(TypeKind::BigInt),
    });
    for key in copied {
        if let Some(field) = input.schema.get(*key as usize) {
            let used = schema.iter().map(|field| Rc::clone(&field.name)).collect();
            let numbered = Rc::from(format!("{}_0", field.name));
            schema.push(Field {
                name: unique_name(numbered, &used),
                data_type: field.data_type.clone(),
            });
        }
    }
    let expand = ExpandNode { projections, id };
    cx.builder.node(
        LogicalOp::Expand(expand),
        vec![Rc::clone(input)],
        schema,
        input.span,
    )
}

/// The columns of the aggregation with sets, over the one without: keys, GROUPING as CASE, calls.
fn output(node: &LogicalNode, aggregate: &AggregateNode) -> Option<Vec<Expr>> {
    let keys = aggregate.keys.len();
    let mut next_call = keys + 1;
    let mut expressions = Vec::with_capacity(node.schema.len());
    for (at, field) in node.schema.iter().enumerate() {
        let call = at.checked_sub(keys).and_then(|at| aggregate.calls.get(at));
        expressions.push(match call {
            Some(call) if is_grouping(call) => grouping_case(call, aggregate)?,
            Some(_) => {
                next_call += 1;
                Expr::column(
                    u32::try_from(next_call - 1).ok()?,
                    field.data_type.clone(),
                    node.span,
                )
            }
            None => Expr::column(u32::try_from(at).ok()?, field.data_type.clone(), node.span),
        });
    }
    Some(expressions)
}

/// `CASE($e = 0, 0, $e = 1, 1, 3)`: the value per set, the last one as ELSE; equal values share it only as ELSE.
fn grouping_case(call: &AggregateCall, aggregate: &AggregateNode) -> Option<Expr> {
    let keys = aggregate.keys.len();
    let id = u32::try_from(keys).ok()?;
    let value = |set: &[u32]| {
        call.args
            .iter()
            .fold(0_i64, |bits, arg| bits << 1 | i64::from(!set.contains(arg)))
    };
    let mut diags = Diagnostics::new();
    let values: Vec<i64> = aggregate.sets.iter().map(|set| value(set)).gather();
    let last = *values.last()?;
    // sets at the end that give the same as the last are covered by ELSE
    let covered = values.iter().rev().take_while(|&&value| value == last).count();
    let span = call.span;
    let e = Expr::column(id, DataType::not_null(TypeKind::BigInt), span);
    let mut args = Vec::new();
    for (set, value) in aggregate.sets.iter().zip(&values).take(values.len() - covered) {
        let test = vec![e.clone(), bigint(set_id(set, keys), span)];
        args.push(resolve_call("=", test, span, &mut diags));
        args.push(bigint(*value, span));
    }
    if args.is_empty() {
        return Some(bigint(last, span));
    }
    args.push(bigint(last, span));
    Some(resolve_call("CASE", args, span, &mut diags))
}

/// With a single set every GROUPING is 0.
fn without_grouping(
    node: &Rc<LogicalNode>,
    aggregate: &AggregateNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let keys = aggregate.keys.len();
    let mut fewer = aggregate.clone();
    fewer.calls.retain(|call| !is_grouping(call));
    let input = node.inputs.first().map(Rc::clone)?;
    let grouped = cx.builder.aggregate(input, fewer, node.span);
    let mut next = keys;
    let mut expressions = Vec::with_capacity(node.schema.len());
    for (at, field) in node.schema.iter().enumerate() {
        let call = at.checked_sub(keys).and_then(|at| aggregate.calls.get(at));
        expressions.push(match call {
            Some(call) if is_grouping(call) => bigint(0, call.span),
            Some(_) => {
                next += 1;
                Expr::column(u32::try_from(next - 1).ok()?, field.data_type.clone(), node.span)
            }
            None => Expr::column(u32::try_from(at).ok()?, field.data_type.clone(), node.span),
        });
    }
    Some(
        cx.builder
            .project_always(grouped, expressions, &names(node), node.span),
    )
}
