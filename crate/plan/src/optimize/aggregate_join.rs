//! An aggregation over a cross join is one below each side: counts of one side multiply sums and counts of the other.
//!
//! Flink: `FlinkAggregateJoinTransposeRule.EXTENDED`, in the cost-based phase. A cross join has so many rows that the
//! transposed form is always the cheaper one there, and never is over a join by keys. A side whose rows are unique in the
//! group key is not aggregated. Below MAX the other side is gone: Flink puts one row in its place, though it may be empty.
//! Cases: join-regular/aggregates-over-cross-join-*.

use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_expr::{AggregateCall, AggregateContext, Expr, cast_exactly, resolve_aggregate, resolve_call};
use sg_value::{DataType, Field, Gather as _, Row, TypeKind, Value};

use super::{
    Kinds, Rule, RuleContext,
    filter_join::FilterIntoJoin,
    filter_project::FilterBelowProject,
    join_parts::join_of,
    reduce_aggregates::{self, Splittable},
    rewrite::{all_columns, names, with_inputs},
};
use crate::{
    logical::{
        AggregateNode, AggregateStage, JoinKind, LogicalNode, LogicalOp, ValuesNode, is_always, name_calls,
        same_expression, unique_keys, unique_names,
    },
    physical::multi_join,
};

pub(super) struct AggregateBelowJoin;

impl Rule for AggregateBelowJoin {
    fn name(&self) -> &'static str {
        "aggregate-below-join"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let plain = matches!(aggregate.sets.as_slice(), [set] if set.len() == aggregate.keys.len());
        if !plain || aggregate.ttl_hint.is_some() || aggregate.stage != AggregateStage::Whole {
            return None;
        }
        let below = node.inputs.first()?;
        let (joined, columns): (_, Vec<Option<u32>>) = match &below.op {
            LogicalOp::Project(project) => (
                below.inputs.first()?,
                project.expressions.iter().map(Expr::as_column).gather(),
            ),
            _ => (
                below,
                (0..u32::try_from(below.schema.len()).ok()?).map(Some).gather(),
            ),
        };
        cross_join(joined, cx)?;
        transposed(node, aggregate, joined, &columns, cx)
    }
}

/// A filter above products of totals becomes a condition of their join if it reads both sides: it is one of HAVING, which had
/// nowhere to go before. Cases: join-regular/aggregates-over-cross-join-having-of-*.
pub(super) struct ConditionOfTotals;

impl Rule for ConditionOfTotals {
    fn name(&self) -> &'static str {
        "condition-of-totals"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Filter(_) = &node.op else {
            return None;
        };
        let project = node.inputs.first()?;
        let LogicalOp::Project(_) = &project.op else {
            return None;
        };
        let (join, ..) = join_of(project.inputs.first()?)?;
        if join.kind != JoinKind::Inner || !is_always(&join.condition) {
            return None;
        }
        let above = FilterBelowProject.apply(node, cx)?;
        let join = FilterIntoJoin.apply(above.inputs.first()?, cx)?;
        // without a part for both sides it stays above
        let compares = join_of(&join).is_some_and(|(join, ..)| !is_always(&join.condition));
        compares.then(|| with_inputs(&above, vec![join]))
    }
}

/// The node, if it pairs all rows and is not part of a larger join.
fn cross_join(node: &LogicalNode, cx: &RuleContext<'_>) -> Option<()> {
    let (join, ..) = join_of(node)?;
    let all = matches!(join.condition.as_literal(), Some(Value::Bool(true)));
    let several = || multi_join::chain(node, cx.settings).is_some_and(|chain| chain.inputs.len() > 2);
    (join.kind == JoinKind::Inner && all && !several()).then_some(())
}

/// What one side of the join becomes.
struct Side {
    node: Rc<LogicalNode>,
    /// The column with each call's part, if this side has one.
    parts: Vec<Option<u32>>,
    aggregated: bool,
}

fn transposed(
    node: &LogicalNode,
    aggregate: &AggregateNode,
    joined: &LogicalNode,
    columns: &[Option<u32>],
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let Splittable { mut calls, results } = reduce_aggregates::splittable(node, aggregate)?;
    // in batch mode totals of nothing are there before the rows, and an average would divide by their 0
    if cx.settings.batch && results.is_some() {
        return None;
    }
    let of_join = |column: u32| columns.get(column as usize).copied().flatten();
    let keys: Vec<u32> = aggregate
        .keys
        .iter()
        .map(|&key| of_join(key))
        .gather::<Option<_>>()?;
    for call in &mut calls {
        call.args = call.args.iter().map(|&arg| of_join(arg)).gather::<Option<_>>()?;
    }
    let (join, left, right) = join_of(joined)?;
    let width = u32::try_from(left.schema.len()).ok()?;
    let of_left = side(left, &keys, &calls, 0, cx)?;
    let of_right = side(right, &keys, &calls, width, cx)?;
    if !of_left.aggregated && !of_right.aggregated {
        return None;
    }
    let new_width = u32::try_from(of_left.node.schema.len()).ok()?;
    let places = |key: u32, width: u32| {
        let of_side = keys.iter().filter(|&&other| (other < width) == (key < width));
        let mut sorted: Vec<u32> = of_side.copied().gather();
        sorted.sort_unstable();
        sorted.dedup();
        let at = sorted.iter().position(|&other| other == key)?;
        u32::try_from(at).ok()
    };
    let joined = cx
        .builder
        .join((of_left.node, of_right.node), join.clone(), node.span);
    let all = all_columns(&joined);
    let all_names = names(&joined);
    let mut expressions = Vec::new();
    let mut own_names: Vec<Option<Rc<str>>> = Vec::new();
    for &key in &keys {
        let at = places(key, width)? + if key < width { 0 } else { new_width };
        expressions.push(all.get(at as usize)?.clone());
        own_names.push(all_names.get(at as usize).cloned());
    }
    // keys that the join has in another order need a projection, which keeps the names of the calls
    let keeps_names = !keys.is_sorted();
    let mut products: Vec<(Expr, Rc<str>)> = Vec::new();
    for ((call, one), other) in calls.iter().zip(&of_left.parts).zip(&of_right.parts) {
        let other = other.map(|column| column + new_width);
        let (value, name) = match (one, other) {
            (Some(one), Some(other)) => product(
                all.get(*one as usize)?,
                all.get(other as usize)?,
                all.len(),
                &mut products,
            )?,
            (one, other) => {
                let at = one.or(other)? as usize;
                (all.get(at)?.clone(), Rc::clone(all_names.get(at)?))
            }
        };
        expressions.push(if value.data_type == call.data_type {
            value
        } else {
            cast_exactly(value, &call.data_type)
        });
        own_names.push(Some(if keeps_names { Rc::clone(&call.name) } else { name }));
    }
    let plain = cx.builder.project(joined, expressions, &own_names, node.span);
    match results {
        None => Some(plain),
        Some(results) => {
            let mut expressions: Vec<Expr> = all_columns(&plain).into_iter().take(keys.len()).gather();
            expressions.extend(results);
            Some(
                cx.builder
                    .project_always(plain, expressions, &names(node), node.span),
            )
        }
    }
}

/// Two parts multiplied; equal ones are one column, and have a name by its place.
fn product(
    one: &Expr,
    other: &Expr,
    width: usize,
    products: &mut Vec<(Expr, Rc<str>)>,
) -> Option<(Expr, Rc<str>)> {
    let made = make("*", vec![one.clone(), other.clone()], one.span)?;
    if let Some(known) = products.iter().find(|known| same_expression(&known.0, &made)) {
        return Some(known.clone());
    }
    let name = Rc::from(format!("$f{}", width + products.len()));
    products.push((made, name));
    products.last().cloned()
}

fn make(name: &str, args: Vec<Expr>, span: Span) -> Option<Expr> {
    let made = resolve_call(name, args, span, &mut Diagnostics::new());
    (!made.is_invalid()).then_some(made)
}

/// One side of the join whose columns begin at `first`, with the parts of the calls.
fn side(
    input: &Rc<LogicalNode>,
    keys: &[u32],
    calls: &[AggregateCall],
    first: u32,
    cx: &mut RuleContext<'_>,
) -> Option<Side> {
    let end = first.saturating_add(u32::try_from(input.schema.len()).ok()?);
    let has = |column: &u32| (first..end).contains(column);
    let mut own: Vec<u32> = keys.iter().filter(|key| has(key)).map(|key| key - first).gather();
    own.sort_unstable();
    own.dedup();
    let of_side: Vec<Option<AggregateCall>> = calls
        .iter()
        .map(|call| {
            let mut call = call.clone();
            let is_own = call.args.iter().all(has);
            call.args = call.args.iter().map(|arg| arg.wrapping_sub(first)).gather();
            is_own.then_some(call)
        })
        .gather();
    if are_unique(input, &own) {
        return one_by_one(input, &own, &of_side, cx);
    }
    let mut below: Vec<AggregateCall> = Vec::new();
    let mut parts = Vec::with_capacity(calls.len());
    for (call, own_call) in calls.iter().zip(of_side) {
        let part = match (own_call, call.function.name) {
            (Some(own), _) => own,
            (None, "MIN" | "MAX") => {
                parts.push(None);
                continue;
            }
            (None, _) => count(call)?,
        };
        let known = below.iter().position(|known| known.computes_the_same(&part));
        let at = known.unwrap_or_else(|| {
            below.push(part);
            below.len() - 1
        });
        parts.push(u32::try_from(own.len() + at).ok());
    }
    let span = input.span;
    if own.is_empty() && below.is_empty() {
        let row: Row = Rc::from([Value::Bool(true)]);
        let field = Field {
            name: Rc::from("dummy"),
            data_type: DataType::not_null(TypeKind::Boolean),
        };
        let node = cx
            .builder
            .values(ValuesNode { rows: vec![row] }, vec![field], span);
        return Some(Side {
            node,
            parts,
            aggregated: true,
        });
    }
    let all_names = names(input);
    let key_names: Vec<Rc<str>> = own
        .iter()
        .filter_map(|&key| all_names.get(key as usize).cloned())
        .gather();
    name_calls(&mut below, &key_names);
    let node = AggregateNode {
        sets: vec![(0..u32::try_from(own.len()).ok()?).gather()],
        keys: own,
        calls: below,
        ttl_hint: None,
        stage: AggregateStage::Whole,
    };
    Some(Side {
        node: cx.builder.aggregate(Rc::clone(input), node, span),
        parts,
        aggregated: true,
    })
}

/// A side of which each row is a group: its keys, and what each call gives for one row.
fn one_by_one(
    input: &Rc<LogicalNode>,
    keys: &[u32],
    calls: &[Option<AggregateCall>],
    cx: &mut RuleContext<'_>,
) -> Option<Side> {
    let all = all_columns(input);
    let mut expressions: Vec<Expr> = keys
        .iter()
        .map(|&key| all.get(key as usize).cloned())
        .gather::<Option<_>>()?;
    let mut parts = Vec::with_capacity(calls.len());
    for call in calls {
        let arg = call.as_ref().and_then(|call| Some((call, *call.args.first()?)));
        let Some((call, arg)) = arg else {
            parts.push(None);
            continue;
        };
        let column = all.get(arg as usize)?;
        let counts = call.function.name == "COUNT";
        if let Some(at) = keys.iter().position(|&key| key == arg)
            && !counts
        {
            parts.push(u32::try_from(at).ok());
            continue;
        }
        parts.push(u32::try_from(expressions.len()).ok());
        expressions.push(if counts {
            let number = |number| {
                Expr::literal(
                    Value::Int(number),
                    DataType::BIGINT.with_nullable(false),
                    call.span,
                )
            };
            let there = make("IS NOT NULL", vec![column.clone()], call.span)?;
            make("CASE", vec![there, number(1), number(0)], call.span)?
        } else {
            column.clone()
        });
    }
    let all_names = names(input);
    let own_names: Vec<Option<Rc<str>>> = expressions
        .iter()
        .map(|expr| all_names.get(expr.as_column()? as usize).cloned())
        .gather();
    let node = cx.builder.project_always(
        Rc::clone(input),
        expressions,
        &unique_names(&own_names),
        input.span,
    );
    Some(Side {
        node,
        parts,
        aggregated: false,
    })
}

/// `COUNT(*)`, which stands for the calls that read only the other side.
fn count(of: &AggregateCall) -> Option<AggregateCall> {
    let cx = AggregateContext {
        distinct: false,
        filtered: false,
        grouped: true,
    };
    let (function, data_type) = resolve_aggregate("COUNT", &[], cx, of.span, &mut Diagnostics::new())?;
    Some(AggregateCall {
        function,
        args: Vec::new(),
        arg_types: Vec::new(),
        data_type,
        name: Rc::from(""),
        ..of.clone()
    })
}

/// Whether no two rows have the same values in these columns.
fn are_unique(node: &LogicalNode, columns: &[u32]) -> bool {
    if let LogicalOp::Values(values) = &node.op {
        let of_row = |row: &Row| -> Vec<Value> {
            columns
                .iter()
                .filter_map(|&column| row.get(column as usize).cloned())
                .gather()
        };
        let mut seen: Vec<Vec<Value>> = Vec::new();
        return values.rows.iter().all(|row| {
            let cells = of_row(row);
            let is_new = !seen.contains(&cells);
            seen.push(cells);
            is_new
        });
    }
    unique_keys(node)
        .iter()
        .any(|key| key.iter().all(|column| columns.contains(column)))
}
