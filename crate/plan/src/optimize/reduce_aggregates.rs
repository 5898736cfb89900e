//! AVG, SUM, STDDEV_* and VAR_* as expressions over fewer, simpler aggregates.
//!
//! `AVG(x)` is SUM / COUNT, `SUM(x)` is `$SUM0` unless COUNT is 0, the deviations are made of `$WELFORD_M2$1` and
//! COUNT. Flink: Calcite's `AggregateReduceFunctionsRule` in the cost-based phase: the form with the fewest calls wins,
//! among equals the first, and the deviations have no other form. So AVG beside SUM and COUNT shares their cells,
//! and AVG alone stays AVG. Where anything is reduced, functions that give a group key back are the key.
//! Cases: group-agg/stddev-and-variance, group-agg/functions-of-a-group-key.

use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_expr::{
    AggregateCall, AggregateContext, CastMode, Expr, ExprKind, cast, cast_exactly, planned_function,
    resolve_aggregate, resolve_call,
};
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{Kinds, Rule, RuleContext, rewrite::names};
use crate::logical::{AggregateNode, LogicalNode, LogicalOp, name_calls};

pub(super) struct ReduceAggregates;

/// After so many steps nothing can be left to reduce.
const STEPS: usize = 4;

impl Rule for ReduceAggregates {
    fn name(&self) -> &'static str {
        "reduce-aggregates"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let start = Reduced::unchanged(node, aggregate);
        let mut best = start.clone();
        let mut last = start;
        for _ in 0..STEPS {
            let Some(next) = last.step(node, aggregate) else {
                break;
            };
            if best.has_deviation() || next.calls.len() < best.calls.len() {
                best = next.clone();
            }
            last = next;
        }
        if !best.changed {
            return None;
        }
        let input = node.inputs.first()?;
        let mut calls = best.calls;
        let key_names: Vec<Rc<str>> = names(node).into_iter().take(aggregate.keys.len()).gather();
        name_calls(&mut calls, &key_names);
        let reduced = AggregateNode {
            calls,
            ..aggregate.clone()
        };
        let reduced = cx.builder.aggregate(Rc::clone(input), reduced, node.span);
        let mut expressions: Vec<Expr> = (0_u32..)
            .zip(node.schema.iter())
            .take(aggregate.keys.len())
            .map(|(at, field)| Expr::column(at, field.data_type.clone(), node.span))
            .gather();
        expressions.extend(best.results);
        Some(
            cx.builder
                .project_always(reduced, expressions, &names(node), node.span),
        )
    }
}

/// Calls of which each can be made of parts, and the original results over keys and calls where they are others.
pub(super) struct Splittable {
    pub(super) calls: Vec<AggregateCall>,
    pub(super) results: Option<Vec<Expr>>,
}

/// The aggregation's calls in the form with the fewest that can all be made of parts of them; `None` where there is none.
pub(super) fn splittable(node: &LogicalNode, aggregate: &AggregateNode) -> Option<Splittable> {
    let splits = |call: &AggregateCall| {
        matches!(call.function.name, "SUM" | "$SUM0" | "COUNT" | "MIN" | "MAX")
            && !call.distinct
            && call.filter.is_none()
            && call.args.len() <= 1
    };
    let mut best: Option<Reduced> = None;
    let mut last = Reduced::unchanged(node, aggregate);
    for _ in 0..STEPS {
        if last.calls.iter().all(splits)
            && best
                .as_ref()
                .is_none_or(|best| last.calls.len() < best.calls.len())
        {
            best = Some(last.clone());
        }
        let Some(next) = last.step(node, aggregate) else {
            break;
        };
        last = next;
    }
    let best = best?;
    Some(Splittable {
        calls: best.calls,
        results: best.changed.then_some(best.results),
    })
}

/// Calls, and the original results over keys and calls.
#[derive(Clone)]
struct Reduced {
    calls: Vec<AggregateCall>,
    results: Vec<Expr>,
    changed: bool,
}

impl Reduced {
    fn unchanged(node: &LogicalNode, aggregate: &AggregateNode) -> Self {
        let keys = aggregate.keys.len();
        let results = (0_u32..)
            .zip(node.schema.iter())
            .skip(keys)
            .map(|(at, field)| Expr::column(at, field.data_type.clone(), node.span));
        let mut calls = aggregate.calls.clone();
        for (at, call) in calls.iter_mut().enumerate() {
            // a name that was made up is made up anew for the new position
            if *call.name == *format!("$f{}", keys + at) {
                call.name = Rc::from("");
            }
        }
        Self {
            calls,
            results: results.gather(),
            changed: false,
        }
    }

    fn has_deviation(&self) -> bool {
        self.calls.iter().any(|call| Deviation::of(call).is_some())
    }

    /// Reduces each call once; `None` where nothing can be.
    fn step(&self, node: &LogicalNode, aggregate: &AggregateNode) -> Option<Self> {
        let keys = aggregate.keys.len();
        let reducible = |call: &AggregateCall| {
            matches!(call.function.name, "AVG" | "SUM") || Deviation::of(call).is_some()
        };
        if !self.calls.iter().any(reducible) {
            return None;
        }
        let mut next = Calls {
            keys,
            calls: Vec::new(),
        };
        let mut replaced = Vec::with_capacity(self.calls.len());
        for call in &self.calls {
            let key = key_of(call, aggregate).and_then(|at| {
                let column = Expr::column(at, node.schema.get(at as usize)?.data_type.clone(), call.span);
                to_type(column, &call.data_type)
            });
            replaced.push(match call.function.name {
                _ if key.is_some() => key?,
                "AVG" => next.average(call)?,
                "SUM" => next.sum(call)?,
                _ => match Deviation::of(call) {
                    Some(deviation) => next.deviation(call, deviation)?,
                    None => next.add(call.clone()),
                },
            });
        }
        let mut with: Vec<Expr> = (0..keys).map(|_| Expr::invalid(Span::default())).gather();
        with.extend(replaced);
        let results = self
            .results
            .iter()
            .map(|result| super::rewrite::substitute(result, &with))
            .gather();
        Some(Self {
            calls: next.calls,
            results,
            changed: true,
        })
    }
}

/// The group key that a call gives back, because its argument is the same in all rows of a group.
fn key_of(call: &AggregateCall, aggregate: &AggregateNode) -> Option<u32> {
    let gives_back = matches!(
        call.function.name,
        "MIN" | "MAX" | "AVG" | "FIRST_VALUE" | "LAST_VALUE"
    );
    let [arg] = call.args.as_slice() else { return None };
    if !gives_back || call.distinct || call.filter.is_some() || aggregate.sets.len() > 1 {
        return None;
    }
    let at = aggregate.keys.iter().position(|key| key == arg)?;
    u32::try_from(at).ok()
}

/// STDDEV_* or VAR_*.
#[derive(Clone, Copy)]
struct Deviation {
    sample: bool,
    root: bool,
}

impl Deviation {
    fn of(call: &AggregateCall) -> Option<Self> {
        let (sample, root) = match call.function.name {
            "STDDEV_POP" => (false, true),
            "STDDEV_SAMP" | "STDDEV" => (true, true),
            "VAR_POP" => (false, false),
            "VAR_SAMP" | "VARIANCE" => (true, false),
            _ => return None,
        };
        Some(Self { sample, root })
    }
}

/// The calls that take the place of others, equal ones once.
struct Calls {
    keys: usize,
    calls: Vec<AggregateCall>,
}

impl Calls {
    fn add(&mut self, call: AggregateCall) -> Expr {
        let known = self.calls.iter().position(|known| known.computes_the_same(&call));
        let (data_type, span) = (call.data_type.clone(), call.span);
        let at = known.unwrap_or_else(|| {
            self.calls.push(call);
            self.calls.len() - 1
        });
        let column = u32::try_from(self.keys + at).unwrap_or(u32::MAX);
        let data_type = self
            .calls
            .get(at)
            .map_or(data_type, |call| call.data_type.clone());
        Expr::column(column, data_type, span)
    }

    /// A function of the registry on the same argument, with a result as nullable as the original's.
    fn same(&mut self, of: &AggregateCall, name: &str, keeps_name: bool) -> Option<Expr> {
        let mut call = of.clone();
        if name == "COUNT" && !of.distinct && of.arg_types.first().is_some_and(|arg| !arg.nullable) {
            call.args.clear();
            call.arg_types.clear();
        }
        let cx = AggregateContext {
            distinct: of.distinct,
            filtered: of.filter.is_some(),
            grouped: true,
        };
        let mut diags = Diagnostics::new();
        let (function, data_type) = resolve_aggregate(name, &call.arg_types, cx, of.span, &mut diags)?;
        call.function = function;
        call.data_type = match name {
            "COUNT" | "$SUM0" => data_type,
            "$WELFORD_M2$1" => data_type.with_nullable(true),
            _ => data_type.with_nullable(of.data_type.nullable),
        };
        if !keeps_name {
            call.name = Rc::from("");
        }
        Some(self.add(call))
    }

    fn average(&mut self, call: &AggregateCall) -> Option<Expr> {
        let sum = to_type(self.same(call, "SUM", false)?, &call.data_type)?;
        let count = self.same(call, "COUNT", false)?;
        let quotient = make("/", vec![sum, count], call.span)?;
        to_type(quotient, &call.data_type)
    }

    fn sum(&mut self, call: &AggregateCall) -> Option<Expr> {
        let sum = self.same(call, "$SUM0", true)?;
        if !call.data_type.nullable {
            return Some(sum);
        }
        let count = self.same(call, "COUNT", false)?;
        null_where(count, 0, sum.data_type.with_nullable(true), sum, call.span)
    }

    #[inline(never)]
    fn deviation(&mut self, call: &AggregateCall, deviation: Deviation) -> Option<Expr> {
        let span = call.span;
        let squares = self.same(call, "$WELFORD_M2$1", false)?;
        let count = self.same(call, "COUNT", false)?;
        let divisor = if deviation.sample {
            let less = make("-", vec![count.clone(), integer(1, span)], span)?;
            null_where(count, 1, DataType::BIGINT, less, span)?
        } else {
            count
        };
        let mut result = make("/", vec![squares, divisor], span)?;
        if deviation.root {
            let half = TypeKind::Decimal {
                precision: 2,
                scale: 1,
            };
            let half = Expr::literal(Value::Decimal(5), DataType::not_null(half), span);
            result = make("POWER", vec![result, half], span)?;
        }
        // a NULL becomes NOT NULL, which it does not survive: case group-agg/sample-variance-of-one-row
        let nullable = call.data_type.nullable && result.data_type.nullable;
        Some(cast_exactly(result, &call.data_type.with_nullable(nullable)))
    }
}

fn integer(number: i64, span: Span) -> Expr {
    Expr::literal(Value::Int(number), DataType::not_null(TypeKind::Int), span)
}

fn make(name: &str, args: Vec<Expr>, span: Span) -> Option<Expr> {
    let mut diags = Diagnostics::new();
    let made = resolve_call(name, args, span, &mut diags);
    (!made.is_invalid()).then_some(made)
}

/// `CASE WHEN count = number THEN NULL ELSE other END`
fn null_where(count: Expr, number: i64, null_type: DataType, other: Expr, span: Span) -> Option<Expr> {
    // the planner does not widen its own literal
    let test = Expr {
        kind: ExprKind::Call {
            function: planned_function("=")?,
            args: vec![count, integer(number, span)],
        },
        data_type: DataType::not_null(TypeKind::Boolean),
        span,
    };
    let null = Expr::literal(Value::Null, null_type, span);
    make("CASE", vec![test, null, other], span)
}

/// A cast where the type differs by more than its nullability.
fn to_type(expr: Expr, to: &DataType) -> Option<Expr> {
    if expr.data_type.kind == to.kind {
        return Some(expr);
    }
    let span = expr.span;
    let to = to.with_nullable(expr.data_type.nullable || to.nullable);
    let made = cast(expr, &to, CastMode::Explicit, span, &mut Diagnostics::new());
    (!made.is_invalid()).then_some(made)
}
