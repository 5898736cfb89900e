//! Common types of several operands.

use std::rc::Rc;

use sg_value::{
    DataType, Field, Gather as _, IntervalFields, IntervalUnit, TimeKind, TypeKind, data_type::MAX_LENGTH,
};

use crate::types::{KindExt, decimal_kind};

/// The type that CASE, UNION or VALUES gives to all of these; `None` where there is none.
///
/// A bare NULL takes part only by making the result nullable. FLOAT with DOUBLE keeps the first operand's type, as
/// Flink's planner does.
pub fn common_type(types: &[DataType]) -> Option<DataType> {
    fold_types(types, Rules::LeastRestrictive)
}

/// The type that COALESCE, IFNULL, GREATEST and LEAST give: FLOAT with DOUBLE is DOUBLE, TIMESTAMP with
/// `TIMESTAMP_LTZ` is `TIMESTAMP_LTZ`, DATE with TIMESTAMP is DATE.
pub fn generalized_type(types: &[DataType]) -> Option<DataType> {
    fold_types(types, Rules::Generalize)
}

/// Flink has two notions of a common type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    /// Calcite's, for operators.
    LeastRestrictive,
    /// Flink's own, for functions of its new type system.
    Generalize,
}

fn fold_types(types: &[DataType], rules: Rules) -> Option<DataType> {
    let mut nullable = false;
    let mut common: Option<TypeKind> = None;
    for data_type in types {
        nullable |= data_type.nullable;
        let plain = data_type.without_time_attribute().kind;
        if plain == TypeKind::Null {
            nullable = true;
            continue;
        }
        common = Some(match common {
            None => plain,
            Some(so_far) => pair(&so_far, &plain, rules)?,
        });
    }
    Some(DataType {
        kind: common.unwrap_or(TypeKind::Null),
        nullable,
    })
}

fn pair(left: &TypeKind, right: &TypeKind, rules: Rules) -> Option<TypeKind> {
    if left == right {
        return Some(left.clone());
    }
    if left.is_numeric() && right.is_numeric() {
        return numeric(left, right, rules);
    }
    match (left, right) {
        (a, b) if a.is_character() && b.is_character() => Some(text(a, b)),
        (a, b) if a.is_binary() && b.is_binary() => Some(bytes(a, b)),
        (TypeKind::Time(a), TypeKind::Time(b)) => Some(TypeKind::Time(*a.max(b))),
        (TypeKind::Timestamp { precision: a, .. }, TypeKind::Timestamp { precision: b, .. }) => {
            Some(timestamp(*a.max(b)))
        }
        (TypeKind::TimestampLtz { precision: a, .. }, TypeKind::TimestampLtz { precision: b, .. }) => {
            Some(timestamp_ltz(*a.max(b)))
        }
        (TypeKind::Timestamp { precision: a, .. }, TypeKind::TimestampLtz { precision: b, .. }) => {
            Some(match rules {
                Rules::LeastRestrictive => timestamp(*a.max(b)),
                Rules::Generalize => timestamp_ltz(*a.max(b)),
            })
        }
        (TypeKind::TimestampLtz { precision: a, .. }, TypeKind::Timestamp { precision: b, .. }) => {
            Some(timestamp_ltz(*a.max(b)))
        }
        (TypeKind::Date, other) | (other, TypeKind::Date) if other.is_timestamp() => {
            (rules == Rules::Generalize).then_some(TypeKind::Date)
        }
        (TypeKind::IntervalYearMonth(a), TypeKind::IntervalYearMonth(b)) => {
            Some(TypeKind::IntervalYearMonth(span_of(*a, *b)))
        }
        (TypeKind::IntervalDayTime(a), TypeKind::IntervalDayTime(b)) => {
            Some(TypeKind::IntervalDayTime(span_of(*a, *b)))
        }
        _ => nested(left, right, rules),
    }
}

fn numeric(left: &TypeKind, right: &TypeKind, rules: Rules) -> Option<TypeKind> {
    match (left, right) {
        (TypeKind::Float, TypeKind::Double) | (TypeKind::Double, TypeKind::Float) => Some(match rules {
            Rules::LeastRestrictive => left.clone(),
            Rules::Generalize => TypeKind::Double,
        }),
        (TypeKind::Decimal { .. }, TypeKind::Float | TypeKind::Double)
        | (TypeKind::Float | TypeKind::Double, TypeKind::Decimal { .. }) => Some(TypeKind::Double),
        (approximate, _) | (_, approximate) if approximate.is_approximate() => Some(approximate.clone()),
        (TypeKind::Decimal { .. }, _) | (_, TypeKind::Decimal { .. }) => {
            Some(decimal_kind(left.as_decimal()?.common(right.as_decimal()?)))
        }
        _ => Some(if left.integer_bits() >= right.integer_bits() {
            left.clone()
        } else {
            right.clone()
        }),
    }
}

/// CHAR(n) with CHAR(m) is VARCHAR of the longer one; equal CHARs have been dealt with.
fn text(left: &TypeKind, right: &TypeKind) -> TypeKind {
    TypeKind::Varchar(longer(left, right))
}

fn bytes(left: &TypeKind, right: &TypeKind) -> TypeKind {
    TypeKind::Varbinary(longer(left, right))
}

fn longer(left: &TypeKind, right: &TypeKind) -> u32 {
    left.length().max(right.length()).unwrap_or(MAX_LENGTH)
}

/// A plain TIMESTAMP.
pub(crate) const fn timestamp(precision: u8) -> TypeKind {
    TypeKind::Timestamp {
        precision,
        time: TimeKind::Regular,
    }
}

/// A plain `TIMESTAMP_LTZ`.
pub(crate) const fn timestamp_ltz(precision: u8) -> TypeKind {
    TypeKind::TimestampLtz {
        precision,
        time: TimeKind::Regular,
    }
}

/// The interval whose fields include those of both.
pub(crate) fn span_of(left: IntervalFields, right: IntervalFields) -> IntervalFields {
    IntervalFields {
        first: left.first.min(right.first),
        last: left.last.max(right.last),
        leading: left.leading.max(right.leading),
        fraction: left.fraction.max(right.fraction),
    }
}

/// The interval type of `DAY`, or of `DAY TO SECOND` as two words; `None` for other words.
pub(crate) fn interval_of_units(units: &[String]) -> Option<TypeKind> {
    let unit = |word: &String| match word.to_ascii_uppercase().trim_end_matches('S') {
        "YEAR" => Some(IntervalUnit::Year),
        "QUARTER" | "MONTH" => Some(IntervalUnit::Month),
        "WEEK" | "DAY" => Some(IntervalUnit::Day),
        "HOUR" => Some(IntervalUnit::Hour),
        "MINUTE" => Some(IntervalUnit::Minute),
        "SECOND" => Some(IntervalUnit::Second),
        _ => None,
    };
    let first = unit(units.first()?)?;
    let last = units.get(1).map_or(Some(first), unit)?;
    Some(interval_between(first, last))
}

/// The interval type from a unit to a unit, with default precisions.
pub(crate) fn interval_between(first: IntervalUnit, last: IntervalUnit) -> TypeKind {
    if last <= IntervalUnit::Month {
        TypeKind::IntervalYearMonth(IntervalFields {
            first,
            last,
            leading: 2,
            fraction: 6,
        })
    } else {
        TypeKind::IntervalDayTime(IntervalFields {
            first,
            last,
            leading: 2,
            fraction: 6,
        })
    }
}

fn nested(left: &TypeKind, right: &TypeKind, rules: Rules) -> Option<TypeKind> {
    let common = |a: &DataType, b: &DataType| fold_types(&[a.clone(), b.clone()], rules);
    match (left, right) {
        (TypeKind::Array(a), TypeKind::Array(b)) => Some(TypeKind::Array(Rc::new(common(a, b)?))),
        (TypeKind::Multiset(a), TypeKind::Multiset(b)) => Some(TypeKind::Multiset(Rc::new(common(a, b)?))),
        (TypeKind::Map(ak, av), TypeKind::Map(bk, bv)) => {
            Some(TypeKind::Map(Rc::new(common(ak, bk)?), Rc::new(common(av, bv)?)))
        }
        (TypeKind::Row(a), TypeKind::Row(b)) if a.len() == b.len() => {
            let fields: Option<Vec<Field>> = a
                .iter()
                .zip(b.iter())
                .map(|(a, b)| {
                    Some(Field {
                        name: Rc::clone(&a.name),
                        data_type: common(&a.data_type, &b.data_type)?,
                    })
                })
                .gather();
            Some(TypeKind::Row(fields?.into()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common(types: &[TypeKind]) -> Option<String> {
        let types: Vec<DataType> = types.iter().cloned().map(DataType::nullable).collect();
        common_type(&types).map(|found| found.to_string())
    }

    #[test]
    fn numbers_widen() {
        assert_eq!(
            common(&[TypeKind::TinyInt, TypeKind::SmallInt]).as_deref(),
            Some("SMALLINT")
        );
        assert_eq!(
            common(&[TypeKind::BigInt, TypeKind::Float]).as_deref(),
            Some("FLOAT")
        );
        assert_eq!(
            common(&[TypeKind::Float, TypeKind::Double]).as_deref(),
            Some("FLOAT")
        );
        assert_eq!(
            common(&[TypeKind::Double, TypeKind::Float]).as_deref(),
            Some("DOUBLE")
        );
    }

    #[test]
    fn texts_become_varchar_of_the_longer() {
        assert_eq!(
            common(&[TypeKind::Char(1), TypeKind::Char(3)]).as_deref(),
            Some("VARCHAR(3)")
        );
        assert_eq!(
            common(&[TypeKind::Char(3), TypeKind::Char(3)]).as_deref(),
            Some("CHAR(3)")
        );
        assert_eq!(
            common(&[TypeKind::Char(1), TypeKind::Varchar(MAX_LENGTH)]).as_deref(),
            Some("STRING")
        );
    }

    #[test]
    fn dates_and_timestamps_have_no_common_type() {
        assert_eq!(common(&[TypeKind::Date, timestamp(3)]), None);
        assert_eq!(
            common(&[timestamp(0), timestamp_ltz(3)]).as_deref(),
            Some("TIMESTAMP(3)")
        );
    }
}
