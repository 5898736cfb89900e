//! TIMESTAMPADD, TIMESTAMPDIFF and OVERLAPS, written in terms of `+` and `-` as Flink's planner writes them.

use sg_value::{
    DataType, IntervalUnit, TypeKind, Value,
    time::{DAY_MS, TimeUnit},
};

use super::{
    super::{Eval, FunctionDef, Resolve, built_in, definition::Family::Time},
    fields::unknown_unit,
    is_instant,
};
use crate::{
    bound::Expr,
    cast::coerce,
    infer::{interval_between, timestamp},
    resolve::{Request, call},
    types::KindExt,
};

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "TIMESTAMPADD",
        Time,
        Resolve::Rules(resolve_add),
        Eval::Never,
        ["A time moved by so many units.", "将时间移动若干个单位。"],
    )
    .written(&["TIMESTAMPADD(unit, amount, time)"]),
    FunctionDef::new(
        "TIMESTAMPDIFF",
        Time,
        Resolve::Rules(resolve_diff),
        Eval::Never,
        [
            "Whole units from the first time to the second, towards zero.",
            "两个时间之间的整单位数，向零取整。",
        ],
    )
    .written(&["TIMESTAMPDIFF(unit, from, to)"]),
    FunctionDef::new(
        "OVERLAPS",
        Time,
        Resolve::Rules(resolve_overlaps),
        Eval::Never,
        [
            "TRUE where two periods share a moment.",
            "两个时间段有重叠时为 TRUE。",
        ],
    )
    .written(&[
        "(from, to) OVERLAPS (from, to)",
        "(from, interval) OVERLAPS (from, interval)",
    ]),
];

/// A unit as an interval: its type and how many of the interval's units one is.
fn interval_of(unit: TimeUnit) -> Option<(TypeKind, i64)> {
    let one = |unit: IntervalUnit, amount: i64| Some((interval_between(unit, unit), amount));
    match unit {
        TimeUnit::Year => one(IntervalUnit::Year, 12),
        TimeUnit::Quarter => one(IntervalUnit::Month, 3),
        TimeUnit::Month => one(IntervalUnit::Month, 1),
        TimeUnit::Week => one(IntervalUnit::Day, 7 * DAY_MS),
        TimeUnit::Day => one(IntervalUnit::Day, DAY_MS),
        TimeUnit::Hour => one(IntervalUnit::Hour, 3_600_000),
        TimeUnit::Minute => one(IntervalUnit::Minute, 60_000),
        TimeUnit::Second => one(IntervalUnit::Second, 1_000),
        TimeUnit::Millisecond => one(IntervalUnit::Second, 1),
        _ => None,
    }
}

fn resolve_add(mut request: Request<'_>) -> Expr {
    let Some([unit, amount, time]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let span = request.span;
    let word = unit.as_symbol().unwrap_or_default().to_owned();
    let kind = time.data_type.without_time_attribute().kind;
    if !kind.is_datetime() || !amount.data_type.kind.is_integer() {
        request.args = vec![unit, amount, time];
        return request.wrong_types(&["'TIMESTAMPADD(<TIME_UNIT>, <INTEGER>, <DATETIME>)'".to_owned()]);
    }
    let Some((interval, size)) = TimeUnit::from_word(&word).and_then(interval_of) else {
        return unknown_unit(request, &word, &kind, unit.span);
    };
    // A date moved by a part of a day is a timestamp.
    let parts = matches!(&interval, TypeKind::IntervalDayTime(fields) if fields.first > IntervalUnit::Day);
    let time = if kind == TypeKind::Date && parts {
        coerce(time, &timestamp(6))
    } else {
        time
    };
    let shift = if let Some(Value::Int(count)) = amount.as_literal() {
        Expr::literal(
            Value::Int(count.wrapping_mul(size)),
            DataType::not_null(interval),
            span,
        )
    } else {
        let one = Expr::literal(Value::Int(size), DataType::not_null(interval), span);
        request.sub_call("*", vec![one, amount])
    };
    request.sub_call("+", vec![time, shift])
}

/// `CAST(/INT(Reinterpret(-(b, a)), 60000) AS INTEGER)`.
fn resolve_diff(mut request: Request<'_>) -> Expr {
    let Some([unit, from, to]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let word = unit.as_symbol().unwrap_or_default().to_owned();
    let kinds = [&from, &to].map(|arg| arg.data_type.without_time_attribute().kind);
    let [a, b] = &kinds;
    let fits = a.is_datetime()
        && b.is_datetime()
        && matches!(a, TypeKind::Time(_)) == matches!(b, TypeKind::Time(_));
    if !fits {
        request.args = vec![unit, from, to];
        return request.wrong_types(&["'TIMESTAMPDIFF(<ANY>, <DATETIME>, <DATETIME>)'".to_owned()]);
    }
    if is_instant(a) != is_instant(b) {
        return request.mixed_instants(&kinds);
    }
    let Some(known) = TimeUnit::from_word(&word).filter(|unit| interval_of(*unit).is_some()) else {
        return unknown_unit(request, &word, a, unit.span);
    };
    let nullable = from.data_type.nullable || to.data_type.nullable;
    difference(known, vec![to, from], nullable, request.span)
}

/// The interval in base units, divided in the two steps in which the planner does it.
fn difference(unit: TimeUnit, operands: Vec<Expr>, nullable: bool, span: sg_diag::Span) -> Expr {
    use IntervalUnit as I;
    // The interval's unit, how many base units it has, and what is multiplied or divided afterwards.
    let (interval, base, divider, factor) = match unit {
        TimeUnit::Year => (I::Year, 12, 1, 1),
        TimeUnit::Quarter => (I::Month, 1, 3, 1),
        TimeUnit::Month => (I::Month, 1, 1, 1),
        TimeUnit::Week => (I::Second, 1_000, 604_800, 1),
        TimeUnit::Day => (I::Day, DAY_MS, 1, 1),
        TimeUnit::Hour => (I::Hour, 3_600_000, 1, 1),
        TimeUnit::Minute => (I::Minute, 60_000, 1, 1),
        TimeUnit::Millisecond => (I::Second, 1_000, 1, 1_000),
        _ => (I::Second, 1_000, 1, 1),
    };
    let number = |count: i64| Expr::literal(Value::Int(count), DataType::not_null(TypeKind::Int), span);
    let big = DataType {
        kind: TypeKind::BigInt,
        nullable,
    };
    let int = DataType {
        kind: TypeKind::Int,
        nullable,
    };
    let minus = call(
        built_in("-"),
        operands,
        DataType {
            kind: interval_between(interval, interval),
            nullable,
        },
        span,
    );
    let mut steps = call(built_in("Reinterpret"), vec![minus], big.clone(), span);
    if base > 1 {
        steps = call(built_in("/INT"), vec![steps, number(base)], big, span);
    }
    let mut result = call(built_in("CAST"), vec![steps], int.clone(), span);
    if divider > 1 {
        result = call(built_in("/INT"), vec![result, number(divider)], int.clone(), span);
    }
    if factor > 1 {
        result = call(built_in("*"), vec![result, number(factor)], int, span);
    }
    result
}

/// Arguments: from, to, from, to; an interval as `to` counts from its `from`.
fn resolve_overlaps(mut request: Request<'_>) -> Expr {
    let Some([a, b, c, d]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let b = end(&mut request, &a, b);
    let d = end(&mut request, &c, d);
    // Each period's ends in order, then each begins before the other ends.
    let mut ordered = |from: Expr, to: Expr| {
        let backwards = request.sub_call("<", vec![to.clone(), from.clone()]);
        let low = request.sub_call("CASE", vec![backwards.clone(), to.clone(), from.clone()]);
        let high = request.sub_call("CASE", vec![backwards, from, to]);
        (low, high)
    };
    let (first_low, first_high) = ordered(a, b);
    let (second_low, second_high) = ordered(c, d);
    let left = request.sub_call(">=", vec![first_high, second_low]);
    let right = request.sub_call(">=", vec![second_high, first_low]);
    request.sub_call("AND", vec![left, right])
}

fn end(request: &mut Request<'_>, from: &Expr, to: Expr) -> Expr {
    if to.data_type.kind.is_interval() {
        request.sub_call("+", vec![from.clone(), to])
    } else {
        to
    }
}
