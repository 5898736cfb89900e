//! CAST and `TRY_CAST`: what is allowed, and how the planner writes it.

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_value::{DataType, TypeKind, Value};

use crate::{
    bound::{Expr, ExprKind},
    eval::EvalCx,
    function::value_cast::caster,
    function::{CallSite, built_in},
    resolve::call,
    types::{Charset, KindExt, calcite_type, scale_of},
};

/// Who asks for a cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastMode {
    /// The planner: UNION columns, arguments, sink columns. Only what Flink converts by itself.
    Implicit,
    /// CAST(x AS t).
    Explicit,
    /// `TRY_CAST(x` AS t): NULL instead of a failure.
    Try,
}

/// Casts an expression, or reports that there is no such cast and returns `Invalid`.
///
/// Nothing happens where the types are equal but for nullability, literals of implicit casts become literals of the
/// new type, and the result is NOT NULL where the operand is (except `TRY_CAST`).
pub fn cast(expr: Expr, to: &DataType, mode: CastMode, span: Span, diags: &mut Diagnostics) -> Expr {
    if expr.is_invalid() {
        return Expr::invalid(span);
    }
    if mode == CastMode::Implicit {
        if !converts(&expr.data_type.kind, &to.kind) {
            diags.push(not_possible(Code::CastNotPossible, &expr.data_type, to, span));
            return Expr::invalid(span);
        }
        return coerce(expr, &to.kind);
    }
    let from = expr.data_type.clone();
    match castable(&from.kind, &to.kind) {
        Castable::Yes => {}
        Castable::No => {
            diags.push(not_possible(Code::CastNotPossible, &from, to, span));
            return Expr::invalid(span);
        }
        Castable::TimestampToNumber => {
            diags.push(not_possible(Code::CastOfTimestampToNumber, &from, to, span));
            return Expr::invalid(span);
        }
        Castable::NumberToTimestamp => {
            diags.push(not_possible(Code::CastOfNumberToTimestamp, &from, to, span));
            return Expr::invalid(span);
        }
    }
    if mode == CastMode::Try {
        return call(built_in("TRY_CAST"), vec![expr], to.with_nullable(true), span);
    }
    if from.kind == to.kind {
        return expr;
    }
    rewritten(expr, to, span)
}

/// How the planner writes CAST(x AS t): some casts become comparisons and CASEs.
fn rewritten(expr: Expr, to: &DataType, span: Span) -> Expr {
    let nullable = expr.data_type.nullable;
    let target = to.with_nullable(nullable);
    if expr.as_literal().is_some_and(Value::is_null) {
        return Expr::literal(Value::Null, to.with_nullable(true), span);
    }
    match (&expr.data_type.kind, &to.kind) {
        (TypeKind::Boolean, kind) if kind.is_exact() => boolean_to_number(expr, &target, span),
        (kind, TypeKind::Boolean) if kind.is_exact() => {
            let zero = Expr::literal(zero_of(kind), expr.data_type.with_nullable(false), span);
            call(built_in("<>"), vec![expr, zero], target, span)
        }
        _ => call(built_in("CAST"), vec![expr], target, span),
    }
}

fn boolean_to_number(expr: Expr, target: &DataType, span: Span) -> Expr {
    let number = |n: i128| {
        let value = match &target.kind {
            TypeKind::Decimal { scale, .. } => Value::decimal(n * 10_i128.pow(u32::from(*scale))),
            _ => Value::Int(i64::from(n != 0)),
        };
        Expr::literal(value, target.with_nullable(false), span)
    };
    let chosen = vec![expr.clone(), number(1), number(0)];
    if !target.nullable {
        return call(built_in("CASE"), chosen, target.clone(), span);
    }
    let known = call(
        built_in("IS NOT NULL"),
        vec![expr],
        DataType::not_null(TypeKind::Boolean),
        span,
    );
    let inner = call(built_in("CASE"), chosen, target.clone(), span);
    let null = Expr::literal(Value::Null, target.clone(), span);
    call(built_in("CASE"), vec![known, inner, null], target.clone(), span)
}

const fn zero_of(kind: &TypeKind) -> Value {
    match kind {
        TypeKind::Decimal { .. } => Value::Decimal(0),
        _ => Value::Int(0),
    }
}

/// Converts to a type that has been found to fit, keeping nullability: nothing where the type is equal, a new
/// literal for a literal, else a CAST.
pub(crate) fn coerce(expr: Expr, to: &TypeKind) -> Expr {
    if expr.data_type.kind == *to {
        return expr;
    }
    let target = DataType {
        kind: to.clone(),
        nullable: expr.data_type.nullable,
    };
    let span = expr.span;
    let keeps_text = keeps_text(&expr.data_type.kind, to);
    if let ExprKind::Literal(value) = &expr.kind
        && (!keeps_text || value.is_null())
        && let Some(value) = convert_literal(value, &expr.data_type, &target)
    {
        return Expr::literal(value, target, span);
    }
    call(built_in("CAST"), vec![expr], target, span)
}

/// Whether an exact constant keeps its text in another type, `1.5:DOUBLE` or `0:DECIMAL(10, 2)`, and so its CAST. Case:
/// select/exact-constants-as-decimals.
pub(crate) fn keeps_text(from: &TypeKind, to: &TypeKind) -> bool {
    from.is_exact()
        && (to.is_approximate() || matches!(to, TypeKind::Decimal { scale, .. } if *scale > scale_of(from)))
}

/// The value of a constant, also of one that kept its text in another type.
pub fn constant_value(expr: &Expr) -> Option<Value> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return expr.as_literal().cloned();
    };
    let [from] = args.as_slice() else {
        return None;
    };
    if function.name != "CAST" || !keeps_text(&from.data_type.kind, &expr.data_type.kind) {
        return None;
    }
    convert_literal(from.as_literal()?, &from.data_type, &expr.data_type)
}

/// Whether the type has types inside: casts of such values name nullability outside as well.
/// Case: types/coerced-constants.
pub const fn is_constructed(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Array(_) | TypeKind::Multiset(_) | TypeKind::Map(..) | TypeKind::Row(_)
    )
}

/// Whether a value fits a type as it is: lengths of texts and what is never NULL do not matter.
/// Flink: `LogicalTypeCasts.supportsAvoidingCast`.
pub(crate) fn fits(from: &DataType, to: &DataType) -> bool {
    use TypeKind as K;
    if from.nullable && !to.nullable {
        return false;
    }
    match (&from.kind, &to.kind) {
        (K::Char(_) | K::Varchar(_), K::Varchar(_)) => true,
        (K::Array(from), K::Array(to)) | (K::Multiset(from), K::Multiset(to)) => fits(from, to),
        (K::Map(key, value), K::Map(to_key, to_value)) => fits(key, to_key) && fits(value, to_value),
        (K::Row(from), K::Row(to)) => {
            let mut fields = from.iter().zip(to.iter());
            from.len() == to.len() && fields.all(|(from, to)| fits(&from.data_type, &to.data_type))
        }
        (from, to) => from == to,
    }
}

/// A CAST that only changes nullability or names, which [`cast`] would leave out.
pub fn cast_exactly(expr: Expr, to: &DataType) -> Expr {
    if expr.data_type == *to || expr.is_invalid() {
        return expr;
    }
    let span = expr.span;
    call(built_in("CAST"), vec![expr], to.clone(), span)
}

/// The constant in another type; `None` where that needs the session or fails.
pub(crate) fn convert_literal(value: &Value, from: &DataType, to: &DataType) -> Option<Value> {
    if value.is_null() {
        return Some(Value::Null);
    }
    if [&from.kind, &to.kind]
        .iter()
        .any(|kind| matches!(kind, TypeKind::TimestampLtz { .. }))
    {
        return None;
    }
    caster(from, to)(value, &EvalCx::default())
        .ok()
        .filter(|converted| !converted.is_null())
}

fn not_possible(code: Code, from: &DataType, to: &DataType, span: Span) -> Diagnostic {
    let flink = match code {
        Code::CastOfTimestampToNumber => {
            "ValidationException: The cast from TIMESTAMP type to NUMERIC type is not allowed. It's recommended to use \
            UNIX_TIMESTAMP(CAST(timestamp_col AS STRING)) instead."
                .to_owned()
        }
        Code::CastOfNumberToTimestamp => {
            "ValidationException: The cast from NUMERIC type to TIMESTAMP type is not allowed. It's recommended to use \
            TO_TIMESTAMP(FROM_UNIXTIME(numeric_col)) instead, note the numeric is in seconds."
                .to_owned()
        }
        _ => format!(
            "Cast function cannot convert value of type {} to type {}",
            calcite_type(from, Charset::Hidden),
            calcite_type(to, Charset::Hidden)
        ),
    };
    Diagnostic::new(code, span)
        .arg("from", &from.kind)
        .arg("to", &to.kind)
        .flink(flink)
}

/// Whether CAST exists.
enum Castable {
    Yes,
    No,
    TimestampToNumber,
    NumberToTimestamp,
}

fn castable(from: &TypeKind, to: &TypeKind) -> Castable {
    use TypeKind as K;
    let yes = match (from, to) {
        (K::Null, K::Raw(_)) => false,
        (K::Null, _) => true,
        (K::Raw(_) | K::Variant, _) | (_, K::Raw(_) | K::Variant) => false,
        // Flink takes BYTES too and then cannot run it.
        (K::Bitmap, b) => b.is_character() || *b == K::Bitmap,
        (a, b) if a.is_timestamp() && b.is_numeric() => return Castable::TimestampToNumber,
        (a, b) if a.is_numeric() && b.is_timestamp() => return Castable::NumberToTimestamp,
        (_, b) if b.is_character() => true,
        (a, b) if a.is_character() => b.is_numeric() || *b == K::Boolean || b.is_datetime() || b.is_binary(),
        (a, b) if a.is_numeric() => b.is_numeric() || *b == K::Boolean || (a.is_integer() && b.is_interval()),
        (K::Boolean, b) => b.is_numeric() || *b == K::Boolean,
        (K::Date, b) => *b == K::Date || b.is_timestamp(),
        (K::Time(_), b) => matches!(b, K::Time(_)) || b.is_timestamp(),
        (a, b) if a.is_timestamp() => b.is_datetime(),
        (K::IntervalYearMonth(_), K::IntervalYearMonth(_))
        | (K::IntervalDayTime(_), K::IntervalDayTime(_)) => true,
        (a, b) if a.is_binary() => b.is_binary(),
        (K::Array(a), K::Array(b)) | (K::Multiset(a), K::Multiset(b)) => return castable(&a.kind, &b.kind),
        (K::Map(ak, av), K::Map(bk, bv)) => {
            matches!(castable(&ak.kind, &bk.kind), Castable::Yes)
                && matches!(castable(&av.kind, &bv.kind), Castable::Yes)
        }
        (K::Row(a) | K::Structured(_, a), K::Row(b) | K::Structured(_, b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b.iter())
                    .all(|(a, b)| matches!(castable(&a.data_type.kind, &b.data_type.kind), Castable::Yes))
        }
        _ => false,
    };
    if yes { Castable::Yes } else { Castable::No }
}

/// Whether an INSERT converts `from` to `to` by itself.
pub fn converts_implicitly(from: &DataType, to: &DataType) -> bool {
    converts(&from.kind, &to.kind)
}

fn converts(from: &TypeKind, to: &TypeKind) -> bool {
    use TypeKind as K;
    match (from, to) {
        (a, b) if a == b => true,
        (K::Null, _) => true,
        (a, b) if a.is_integer() && b.is_integer() => a.integer_bits() <= b.integer_bits(),
        (a, b) if a.is_exact() && (matches!(b, K::Decimal { .. }) || b.is_approximate()) => true,
        (a, b) if a.is_approximate() => {
            matches!((a, b), (K::Float, K::Double) | (_, K::Decimal { .. })) || a == b
        }
        (K::Char(a), K::Char(b)) => a <= b,
        (a, K::Varchar(_)) => a.is_character(),
        (K::Binary(a), K::Binary(b)) => a == b,
        (a, K::Varbinary(_)) => a.is_binary(),
        (K::Time(_), K::Time(_)) => true,
        (a, b) if a.is_timestamp() && b.is_timestamp() => {
            !matches!((a, b), (K::TimestampLtz { .. }, K::Timestamp { .. }))
        }
        (K::IntervalYearMonth(_), K::IntervalYearMonth(_))
        | (K::IntervalDayTime(_), K::IntervalDayTime(_)) => true,
        (K::Array(a), K::Array(b)) | (K::Multiset(a), K::Multiset(b)) => converts(&a.kind, &b.kind),
        (K::Map(ak, av), K::Map(bk, bv)) => converts(&ak.kind, &bk.kind) && converts(&av.kind, &bv.kind),
        (K::Row(a), K::Row(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b.iter())
                    .all(|(a, b)| converts(&a.data_type.kind, &b.data_type.kind))
        }
        _ => false,
    }
}

/// Whether a cast gives different values for different ones.
///
/// Flink: `LogicalTypeCasts.supportsInjectiveCast`. Case: join-regular/key-cast-to-text.
pub fn is_injective_cast(from: &TypeKind, to: &TypeKind) -> bool {
    use TypeKind as K;
    match (from, to) {
        (a, b) if a == b => true,
        (a, b) if a.is_integer() && b.is_integer() => a.integer_bits() <= b.integer_bits(),
        (K::Char(a) | K::Varchar(a), K::Varchar(b)) | (K::Char(a), K::Char(b)) => a <= b,
        (K::Binary(a) | K::Varbinary(a), K::Varbinary(b)) => a <= b,
        // as many characters as the longest value has
        (a, K::Varchar(room)) if a.is_integer() => a
            .integer_bits()
            .is_some_and(|bits| *room >= (bits / 3 + 1).min(20)),
        (a, K::Varchar(room)) => {
            (a.is_approximate() || a.is_timestamp() || matches!(a, K::Boolean | K::Date | K::Time(_)))
                && *room >= 29
        }
        (
            K::Timestamp { precision: a, .. } | K::TimestampLtz { precision: a, .. },
            K::Timestamp { precision: b, .. } | K::TimestampLtz { precision: b, .. },
        ) => a == b,
        _ => false,
    }
}

/// The types of a cast being compiled: operand and result.
pub(crate) fn cast_types(site: &CallSite<'_>) -> (DataType, DataType) {
    let from = site
        .args
        .first()
        .map_or_else(|| Expr::null(site.span).data_type, |arg| arg.data_type.clone());
    (from, site.data_type.clone())
}
