//! What two operands of a comparison are cast to.

use sg_value::{DataType, TypeKind};

use crate::{
    bound::{Expr, ExprKind},
    cast::{cast_exactly, coerce},
    infer::{common_type, timestamp_ltz},
    types::KindExt,
};

/// What is equated with a rowtime is cast to its type, attribute included; a rowtime is cast to the type of a plain time.
///
/// Calcite: `StandardConvertletTable.ensureSameType`, whose common type is the left one of two alike.
/// Cases: join-interval/event-times-of-two-kinds, join-regular/rowtime-equals-a-plain-time.
pub(super) fn like_rowtime(left: &Expr, right: Expr, kind: &TypeKind) -> Expr {
    let alike = |expr: &Expr| expr.data_type.without_time_attribute().kind == *kind;
    let (of_left, of_right) = (keeps_rowtime(left), keeps_rowtime(&right));
    let other = of_left != of_right || of_left && !alike(&right);
    let proctime = left.data_type.is_proctime() || right.data_type.is_proctime();
    if !alike(left)
        || !other
        || proctime
        || of_left && !left.data_type.is_rowtime()
        || right.as_literal().is_some()
    {
        return right;
    }
    let wanted = left.data_type.with_nullable(right.data_type.nullable);
    cast_exactly(right, &wanted)
}

/// A rowtime, or one with an interval added, which to Calcite has its type.
fn keeps_rowtime(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { function, args } if matches!(function.name, "+" | "-") => {
            args.iter().any(keeps_rowtime)
        }
        _ => expr.data_type.is_rowtime(),
    }
}

/// A time attribute of the wanted type stays as it is: the planner casts it where it has to.
pub(super) fn coerce_plain(expr: Expr, kind: &TypeKind) -> Expr {
    if expr.data_type.without_time_attribute().kind == *kind {
        expr
    } else {
        coerce(expr, kind)
    }
}

/// What two types need to be compared.
pub(super) enum Fit {
    /// Nothing: the comparison deals with it.
    AsIs,
    /// Both as this type.
    Both(TypeKind),
    /// Flink's validator accepts it, its code generation does not.
    NumberWithText,
    /// Flink's validator accepts it, its code generation only what the planner has simplified: `a < a`.
    NoOrder,
    /// No comparison.
    Refused,
}

pub(super) fn fit(left: &TypeKind, right: &TypeKind, equality: bool) -> Fit {
    use TypeKind as K;
    let common = || {
        let both = [
            DataType::nullable(left.clone()),
            DataType::nullable(right.clone()),
        ];
        common_type(&both).map_or(Fit::Refused, |found| Fit::Both(found.kind))
    };
    match (left, right) {
        (K::Null, K::Null) => Fit::Both(K::Boolean),
        (K::Null, other) | (other, K::Null) => Fit::Both(other.clone()),
        (K::Raw(_), _) | (_, K::Raw(_)) => Fit::Refused,
        (a, b) if a.is_numeric() && b.is_numeric() => {
            if equality {
                common()
            } else {
                Fit::AsIs
            }
        }
        (a, b) if a.is_character() && b.is_character() => {
            if equality {
                common()
            } else {
                Fit::AsIs
            }
        }
        (a, b) if a.is_character() && b.is_datetime() => Fit::Both(b.clone()),
        (a, b) if a.is_datetime() && b.is_character() => Fit::Both(a.clone()),
        (a, b) if (a.is_character() && b.is_numeric()) || (a.is_numeric() && b.is_character()) => {
            let number = if a.is_numeric() { a } else { b };
            let wide = common_type(&[DataType::BIGINT, DataType::nullable(number.clone())]);
            match wide {
                // case: errors/number-equals-text; other comparisons are made as BIGINT, DECIMAL or DOUBLE.
                Some(wide) if !equality => Fit::Both(wide.kind),
                _ => Fit::NumberWithText,
            }
        }
        (K::Boolean, b) if b.is_character() => Fit::Both(b.clone()),
        (a, K::Boolean) if a.is_character() => Fit::Both(a.clone()),
        (K::Boolean, K::Boolean) => Fit::AsIs,
        (K::Timestamp { precision: a, .. }, K::TimestampLtz { precision: b, .. })
        | (K::TimestampLtz { precision: a, .. }, K::Timestamp { precision: b, .. })
            if !equality =>
        {
            Fit::Both(timestamp_ltz(*a.max(b)))
        }
        (a, b) if a.is_timestamp() && b.is_timestamp() => {
            if equality {
                common()
            } else {
                Fit::AsIs
            }
        }
        (K::Date, K::Date) => Fit::AsIs,
        (K::Time(_), K::Time(_)) => {
            if equality {
                common()
            } else {
                Fit::AsIs
            }
        }
        (K::IntervalYearMonth(_), K::IntervalYearMonth(_))
        | (K::IntervalDayTime(_), K::IntervalDayTime(_)) => Fit::AsIs,
        (a, b) if a.is_binary() && b.is_binary() => {
            if equality {
                common()
            } else {
                Fit::AsIs
            }
        }
        (a, b) if equality && a.is_constructed() && b.is_constructed() => common(),
        (a, b) if a.is_constructed() && a == b => Fit::NoOrder,
        (K::Bitmap, K::Bitmap) => Fit::AsIs,
        (K::Variant, K::Variant) if equality => Fit::AsIs,
        _ => Fit::Refused,
    }
}
