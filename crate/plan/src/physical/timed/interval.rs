//! Interval joins: how far the times of two rows may be apart.
//!
//! Flink: `IntervalJoinUtil.extractWindowBoundsFromPredicate`. The bounds are those of the left time minus the right
//! time; a strict comparison is one millisecond less.

use std::mem::discriminant;

use sg_expr::{EvalCx, Expr, ExprKind, compile};
use sg_value::{Field, Gather as _, TypeKind, Value};

use crate::{logical::LogicalNode, physical::join::conjuncts};

/// `lower_ms <= left time - right time <= upper_ms`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntervalBounds {
    /// Event time or processing time.
    pub rowtime: bool,
    /// Milliseconds; negative where the left row may be earlier.
    pub lower_ms: i64,
    /// Milliseconds.
    pub upper_ms: i64,
    /// The time column of the left input.
    pub left_time: u32,
    /// The time column of the right input.
    pub right_time: u32,
}

/// One comparison of the two times: `left time - right time` is at least or at most something.
#[derive(Clone, Copy, Debug)]
struct Limit {
    columns: (u32, u32),
    lower_ms: Option<i64>,
    upper_ms: Option<i64>,
    /// One of the times is compared as a timestamp of the other kind.
    converted: bool,
}

/// The bounds that a condition sets from below and from above, and what else it asks for.
pub(in crate::physical) fn interval(
    condition: &Expr,
    left: &LogicalNode,
    right: &LogicalNode,
) -> Option<(IntervalBounds, Vec<Expr>)> {
    let fields: Vec<&Field> = left.schema.iter().chain(right.schema.iter()).gather();
    let width = u32::try_from(left.schema.len()).ok()?;
    let mut limits: Vec<Limit> = Vec::new();
    let mut rest = Vec::new();
    for part in conjuncts(condition) {
        match limit(part, &fields, width) {
            Some(limit) => limits.push(limit),
            None => rest.push(part.clone()),
        }
    }
    let first = limits.first()?;
    if limits.iter().any(|limit| limit.columns != first.columns) {
        return None;
    }
    let (one, other) = (
        &fields.get(first.columns.0 as usize)?.data_type,
        &fields.get(first.columns.1 as usize)?.data_type,
    );
    let same_kind = discriminant(&one.kind) == discriminant(&other.kind);
    if one.is_rowtime() != other.is_rowtime() || same_kind && limits.iter().any(|limit| limit.converted) {
        return None;
    }
    let lower: Vec<i64> = limits.iter().filter_map(|limit| limit.lower_ms).gather();
    let upper: Vec<i64> = limits.iter().filter_map(|limit| limit.upper_ms).gather();
    let (left_time, right_time) = first.columns;
    let (&[lower_ms], &[upper_ms]) = (lower.as_slice(), upper.as_slice()) else {
        return None;
    };
    let bounds = IntervalBounds {
        rowtime: fields.get(left_time as usize)?.data_type.is_rowtime(),
        lower_ms,
        upper_ms,
        left_time,
        right_time: right_time - width,
    };
    Some((bounds, rest))
}

fn limit(expr: &Expr, fields: &[&Field], width: u32) -> Option<Limit> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    let [one, other] = args.as_slice() else {
        return None;
    };
    let mut converted = false;
    let (first, first_ms) = shifted(one, fields, &mut converted)?;
    let (second, second_ms) = shifted(other, fields, &mut converted)?;
    // first + first_ms <op> second + second_ms
    let distance = second_ms.checked_sub(first_ms)?;
    let (columns, distance, turned) = match (first < width, second < width) {
        (true, false) => ((first, second), distance, false),
        (false, true) => ((second, first), distance.checked_neg()?, true),
        _ => return None,
    };
    let (lower_ms, upper_ms) = match (function.name, turned) {
        ("=", _) if !converted => (Some(distance), Some(distance)),
        (">=", false) | ("<=", true) => (Some(distance), None),
        (">", false) | ("<", true) => (Some(distance.checked_add(1)?), None),
        ("<=", false) | (">=", true) => (None, Some(distance)),
        ("<", false) | (">", true) => (None, Some(distance.checked_sub(1)?)),
        _ => return None,
    };
    Some(Limit {
        columns,
        lower_ms,
        upper_ms,
        converted,
    })
}

/// A time attribute with intervals added, as the column and the sum of the intervals: those of months as they are
/// from 1970 on.
fn shifted(expr: &Expr, fields: &[&Field], converted: &mut bool) -> Option<(u32, i64)> {
    if let Some(column) = expr.as_column() {
        let data_type = &fields.get(column as usize)?.data_type;
        return (data_type.is_rowtime() || data_type.is_proctime()).then_some((column, 0));
    }
    let mut column = None;
    let at_zero = at_epoch(expr, fields, &mut column, converted)?;
    let ms = compile(&at_zero).eval(&[], &EvalCx::default()).ok()?.as_ms()?;
    Some((column?, ms))
}

/// The sum with 1970 in place of the one time attribute; `None` for anything else.
fn at_epoch(expr: &Expr, fields: &[&Field], column: &mut Option<u32>, converted: &mut bool) -> Option<Expr> {
    match &expr.kind {
        ExprKind::Column(at) => {
            let data_type = &fields.get(*at as usize)?.data_type;
            if column.is_some() || !(data_type.is_rowtime() || data_type.is_proctime()) {
                return None;
            }
            *column = Some(*at);
            Some(Expr::literal(
                Value::timestamp_ms(0),
                data_type.without_time_attribute(),
                expr.span,
            ))
        }
        ExprKind::Call { function, args } if matches!(function.name, "+" | "-") => {
            let args = args
                .iter()
                .map(|arg| at_epoch(arg, fields, column, converted))
                .gather::<Option<Vec<Expr>>>()?;
            Some(Expr {
                kind: ExprKind::Call { function, args },
                data_type: expr.data_type.without_time_attribute(),
                span: expr.span,
            })
        }
        ExprKind::Call { function, args } if function.name == "CAST" => {
            // in which zone does not matter: Flink takes no join of times of different kinds
            let [arg] = args.as_slice() else { return None };
            let arg = at_epoch(arg, fields, column, converted)?;
            let times = matches!(
                expr.data_type.kind,
                TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. }
            );
            if !times || discriminant(&arg.data_type.kind) == discriminant(&expr.data_type.kind) {
                return None;
            }
            *converted = true;
            Some(Expr::literal(
                compile(&arg).eval(&[], &EvalCx::default()).ok()?,
                expr.data_type.without_time_attribute(),
                expr.span,
            ))
        }
        ExprKind::Literal(_) => Some(expr.clone()),
        ExprKind::Call { .. } | ExprKind::Invalid => None,
    }
}
