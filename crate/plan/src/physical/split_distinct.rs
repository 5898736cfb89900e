//! DISTINCT in two steps: first by key and a hash of the argument, then by key.
//!
//! Flink: `SplitAggregateRule`, with `table.optimizer.distinct-agg.split.enabled`. Arguments of DISTINCT, MIN, MAX,
//! `FIRST_VALUE` and `LAST_VALUE` are hashed; with more than one of them each row is copied once per
//! hash. Cases: optimisation/split-distinct*.

use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_expr::{
    AggregateCall, AggregateContext, CastMode, Expr, ExprKind, cast, planned_function, resolve_aggregate,
    resolve_call,
};
use sg_value::{DataType, Field, Gather as _, TypeKind, Value, sorted::sorted_numbers};

use super::window_property::window_properties;
use crate::logical::{
    AggregateNode, AggregateStage, Builder, ExpandNode, LogicalNode, LogicalOp, name_calls,
};

/// Number of hashes.
const BUCKETS: i64 = 1024;

/// The tree with every aggregation in two steps that can be.
pub(super) fn apply(root: &Rc<LogicalNode>) -> Rc<LogicalNode> {
    below(root, &mut Builder::above(root))
}

fn below(node: &Rc<LogicalNode>, builder: &mut Builder) -> Rc<LogicalNode> {
    let inputs: Vec<Rc<LogicalNode>> = node.inputs.iter().map(|input| below(input, builder)).gather();
    let same = inputs
        .iter()
        .zip(&node.inputs)
        .all(|(now, before)| Rc::ptr_eq(now, before));
    let node = if same {
        Rc::clone(node)
    } else {
        Rc::new(LogicalNode {
            inputs,
            ..LogicalNode::clone(node)
        })
    };
    split(&node, builder).unwrap_or(node)
}

/// Whether a call can be computed in two steps.
fn is_divisible(call: &AggregateCall) -> bool {
    matches!(
        call.function.name,
        "COUNT" | "AVG" | "MIN" | "MAX" | "SUM" | "$SUM0" | "LISTAGG" | "FIRST_VALUE" | "LAST_VALUE"
    )
}

/// Whether Flink would compute this in two steps.
fn is_wanted(calls: &[AggregateCall]) -> bool {
    calls.iter().any(|call| call.distinct) && calls.iter().all(is_divisible)
}

/// Whether the argument of a call is hashed.
fn is_hashed(call: &AggregateCall) -> bool {
    call.distinct || matches!(call.function.name, "MIN" | "MAX" | "FIRST_VALUE" | "LAST_VALUE")
}

fn split(node: &Rc<LogicalNode>, builder: &mut Builder) -> Option<Rc<LogicalNode>> {
    let LogicalOp::Aggregate(aggregate) = &node.op else {
        return None;
    };
    let input = node.inputs.first()?;
    if aggregate.stage != AggregateStage::Whole
        || aggregate.sets.len() != 1
        || !is_wanted(&aggregate.calls)
        || aggregate
            .calls
            .iter()
            .any(|call| call.distinct && call.args.len() > 1)
        || window_properties(input).is_some_and(|of| of.window.kind.is_session())
    {
        return None;
    }
    let distinct = aggregate.calls.iter().filter(|call| is_hashed(call));
    let args = distinct.flat_map(|call| call.args.iter().copied());
    let hashed = sorted_numbers(args.filter(|column| !aggregate.keys.contains(column)));
    let copies = hashed.len() > 1;
    if hashed.is_empty() {
        return None;
    }
    let first_hash = u32::try_from(input.schema.len()).ok()?;
    let mut rows = with_hashes(input, &hashed, builder)?;
    let mut keys = aggregate.keys.clone();
    keys.extend((first_hash..).zip(&hashed).map(|(at, _)| at));
    let mut calls = Vec::new();
    let mut averages = Vec::new();
    for call in &aggregate.calls {
        averages.push(call.function.name == "AVG");
        if call.function.name == "AVG" {
            calls.push(again(call, "$SUM0", &call.arg_types, true)?);
            calls.push(again(call, "COUNT", &call.arg_types, true)?);
        } else {
            calls.push(AggregateCall {
                name: Rc::from(""),
                ..call.clone()
            });
        }
    }
    if copies {
        rows = copied(&rows, &mut calls, (&keys, first_hash, &hashed), builder)?;
    }
    let partial = partial(rows, (keys, calls), aggregate, builder)?;
    result(node, aggregate, &averages, partial, builder)
}

/// The columns with hashes of some behind them: `MOD(HASH_CODE(a), 1024) AS $f3`.
fn with_hashes(input: &Rc<LogicalNode>, hashed: &[u32], builder: &mut Builder) -> Option<Rc<LogicalNode>> {
    let span = input.span;
    let mut expressions = columns(input);
    let mut names: Vec<Rc<str>> = input.schema.iter().map(|field| Rc::clone(&field.name)).gather();
    for column in hashed {
        let argument = expressions.get(*column as usize)?.clone();
        let nullable = argument.data_type.nullable;
        let hash = Expr {
            kind: ExprKind::Call {
                function: planned_function("HASH_CODE")?,
                args: vec![argument],
            },
            data_type: DataType::INT.with_nullable(nullable),
            span,
        };
        let buckets = Expr::literal(Value::Int(BUCKETS), DataType::not_null(TypeKind::Int), span);
        names.push(Rc::from(format!("$f{}", expressions.len())));
        expressions.push(make("MOD", vec![hash, buckets], span)?);
    }
    Some(builder.project_always(Rc::clone(input), expressions, &names, span))
}

fn columns(node: &LogicalNode) -> Vec<Expr> {
    let fields = (0_u32..).zip(node.schema.iter());
    fields
        .map(|(at, field)| Expr::column(at, field.data_type.clone(), node.span))
        .gather()
}

fn make(name: &str, args: Vec<Expr>, span: Span) -> Option<Expr> {
    let made = resolve_call(name, args, span, &mut Diagnostics::new());
    (!made.is_invalid()).then_some(made)
}

/// The same call with another function.
fn again(call: &AggregateCall, name: &str, arg_types: &[DataType], grouped: bool) -> Option<AggregateCall> {
    let cx = AggregateContext {
        distinct: call.distinct,
        filtered: call.filter.is_some(),
        grouped,
    };
    let (function, data_type) = resolve_aggregate(name, arg_types, cx, call.span, &mut Diagnostics::new())?;
    Some(AggregateCall {
        function,
        data_type,
        arg_types: arg_types.to_vec(),
        name: Rc::from(""),
        ..call.clone()
    })
}

/// A copy of each row per hash, with the other hashes NULL, and one more for calls without; calls count their copy.
fn copied(
    rows: &Rc<LogicalNode>,
    calls: &mut [AggregateCall],
    (keys, first_hash, hashed): (&[u32], u32, &[u32]),
    builder: &mut Builder,
) -> Option<Rc<LogicalNode>> {
    let span = rows.span;
    let all = columns(rows);
    let hash_columns: Vec<u32> = (first_hash..).zip(hashed).map(|(at, _)| at).gather();
    let own = |call: &AggregateCall| {
        let argument = call.args.first().filter(|_| is_hashed(call));
        argument.and_then(|argument| hashed.iter().position(|column| column == argument))
    };
    let mut sets: Vec<Option<usize>> = (0..hashed.len()).map(Some).gather();
    if calls.iter().any(|call| own(call).is_none()) {
        sets.push(None);
    }
    let id_of = |set: Option<usize>| {
        keys.iter().fold(0_i64, |bits, key| {
            let at = hash_columns.iter().position(|column| column == key);
            bits << 1 | i64::from(at.is_some() && at != set)
        })
    };
    let bigint = |value: i64| Expr::literal(Value::Int(value), DataType::not_null(TypeKind::BigInt), span);
    let projections = sets
        .iter()
        .map(|set| {
            let mut row: Vec<Expr> = (0_u32..)
                .zip(&all)
                .map(|(column, expr)| {
                    let at = hash_columns.iter().position(|hash| *hash == column);
                    if at.is_some() && at != *set {
                        Expr::literal(Value::Null, expr.data_type.with_nullable(true), span)
                    } else {
                        expr.clone()
                    }
                })
                .gather();
            row.push(bigint(id_of(*set)));
            row
        })
        .gather();
    let mut schema: Vec<Field> = rows.schema.to_vec();
    for column in &hash_columns {
        schema.get_mut(*column as usize)?.data_type.nullable = true;
    }
    let id = u32::try_from(schema.len()).ok()?;
    schema.push(Field {
        name: Rc::from("$e"),
        data_type: DataType::not_null(TypeKind::BigInt),
    });
    let expand = LogicalOp::Expand(ExpandNode { projections, id });
    let expand = builder.node(expand, vec![Rc::clone(rows)], schema, span);
    tested(expand, calls, builder, |call| id_of(own(call)))
}

/// Calls count the rows whose `$e` is theirs: `=($e, 1) AS $g_1`.
fn tested(
    expand: Rc<LogicalNode>,
    calls: &mut [AggregateCall],
    builder: &mut Builder,
    id_of: impl Fn(&AggregateCall) -> i64,
) -> Option<Rc<LogicalNode>> {
    let span = expand.span;
    let mut expressions = columns(&expand);
    let mut names: Vec<Rc<str>> = expand.schema.iter().map(|field| Rc::clone(&field.name)).gather();
    let which = expressions.pop()?;
    names.pop();
    let mut tests: Vec<(i64, Option<u32>, u32)> = Vec::new();
    let boolean = DataType::not_null(TypeKind::Boolean);
    for call in calls {
        let (set, filter) = (id_of(call), call.filter);
        let known = tests.iter().find(|(id, also, _)| (*id, *also) == (set, filter));
        let column = if let Some((_, _, column)) = known {
            *column
        } else {
            let column = u32::try_from(expressions.len()).ok()?;
            let number = Expr::literal(Value::Int(set), DataType::not_null(TypeKind::Int), span);
            let mut test = Expr {
                kind: ExprKind::Call {
                    function: planned_function("=")?,
                    args: vec![which.clone(), number],
                },
                data_type: boolean.clone(),
                span,
            };
            if let Some(filter) = filter {
                let filter = expressions.get(filter as usize)?.clone();
                test = make("AND", vec![test, filter], span)?;
            }
            expressions.push(test);
            names.push(Rc::from(format!("$g_{set}")));
            tests.push((set, filter, column));
            column
        };
        call.filter = Some(column);
    }
    Some(builder.project_always(expand, expressions, &names, span))
}

/// The first step.
fn partial(
    rows: Rc<LogicalNode>,
    (keys, mut calls): (Vec<u32>, Vec<AggregateCall>),
    whole: &AggregateNode,
    builder: &mut Builder,
) -> Option<Rc<LogicalNode>> {
    let key_names: Option<Vec<Rc<str>>> = keys
        .iter()
        .map(|key| Some(Rc::clone(&rows.schema.get(*key as usize)?.name)))
        .gather();
    name_calls(&mut calls, &key_names?);
    let span = calls.first().map_or(rows.span, |call| call.span);
    let node = AggregateNode {
        sets: vec![(0..u32::try_from(keys.len()).ok()?).gather()],
        keys,
        calls,
        stage: AggregateStage::Partial,
        ..whole.clone()
    };
    Some(builder.aggregate(rows, node, span))
}

/// The second step, and the averages above it.
fn result(
    node: &LogicalNode,
    whole: &AggregateNode,
    averages: &[bool],
    partial: Rc<LogicalNode>,
    builder: &mut Builder,
) -> Option<Rc<LogicalNode>> {
    let LogicalOp::Aggregate(first) = &partial.op else {
        return None;
    };
    let count = u32::try_from(whole.keys.len()).ok()?;
    let grouped = count > 0;
    let width = u32::try_from(first.keys.len()).ok()?;
    let mut calls = Vec::new();
    for (at, call) in (width..).zip(&first.calls) {
        let name = match call.function.name {
            "COUNT" => "$SUM0",
            name => name,
        };
        let call = AggregateCall {
            args: vec![at],
            distinct: false,
            filter: None,
            ..call.clone()
        };
        let arg_types = [call.data_type.clone()];
        calls.push(again(&call, name, &arg_types, grouped)?);
    }
    let key_names: Vec<Rc<str>> = partial
        .schema
        .iter()
        .take(count as usize)
        .map(|f| Rc::clone(&f.name))
        .gather();
    name_calls(&mut calls, &key_names);
    let aggregate = AggregateNode {
        keys: (0..count).gather(),
        sets: vec![(0..count).gather()],
        calls,
        stage: AggregateStage::Final,
        ..whole.clone()
    };
    let total = builder.aggregate(partial, aggregate, node.span);
    if !averages.contains(&true) {
        return Some(total);
    }
    let mut parts = columns(&total).into_iter();
    let mut fields = total.schema.iter();
    let mut expressions: Vec<Expr> = parts.by_ref().take(count as usize).gather();
    let mut names: Vec<Rc<str>> = fields
        .by_ref()
        .take(count as usize)
        .map(|f| Rc::clone(&f.name))
        .gather();
    for (average, call) in averages.iter().zip(&whole.calls) {
        let (value, name) = (parts.next()?, Rc::clone(&fields.next()?.name));
        if !average {
            expressions.push(value);
            names.push(name);
            continue;
        }
        let (number, _) = (parts.next()?, fields.next()?);
        names.push(Rc::from(format!("$f{}", expressions.len())));
        expressions.push(average_of(value, number, call)?);
    }
    Some(builder.project_always(total, expressions, &names, node.span))
}

/// `CAST(IF(=(number, 0), null, /(sum, number)) AS type)`
#[inline(never)]
fn average_of(sum: Expr, number: Expr, call: &AggregateCall) -> Option<Expr> {
    let span = call.span;
    let zero = Expr::literal(Value::Int(0), DataType::not_null(TypeKind::BigInt), span);
    let empty = Expr {
        kind: ExprKind::Call {
            function: planned_function("=")?,
            args: vec![number.clone(), zero],
        },
        data_type: DataType::not_null(TypeKind::Boolean),
        span,
    };
    let nothing = Expr::literal(Value::Null, call.data_type.with_nullable(true), span);
    let quotient = make("/", vec![sum, number], span)?;
    let data_type = quotient.data_type.with_nullable(true);
    let chosen = Expr {
        kind: ExprKind::Call {
            function: planned_function("IF")?,
            args: vec![empty, nothing, quotient],
        },
        data_type,
        span,
    };
    if chosen.data_type.kind == call.data_type.kind {
        return Some(chosen);
    }
    let to = call.data_type.with_nullable(true);
    let made = cast(chosen, &to, CastMode::Explicit, span, &mut Diagnostics::new());
    (!made.is_invalid()).then_some(made)
}
