//! Families of types, and the names that Calcite has for them in plans and messages.

use std::{fmt::Write, rc::Rc};

use sg_value::{
    DataType, Field, Gather as _, IntervalFields, IntervalUnit, TypeKind, data_type::MAX_LENGTH,
    decimal::DecimalType,
};

/// Questions about a type that resolution, casts and kernels ask.
pub trait KindExt {
    /// CHAR, VARCHAR, STRING.
    fn is_character(&self) -> bool;
    /// BINARY, VARBINARY, BYTES.
    fn is_binary(&self) -> bool;
    /// TINYINT … BIGINT.
    fn is_integer(&self) -> bool;
    /// Integers and DECIMAL.
    fn is_exact(&self) -> bool;
    /// FLOAT and DOUBLE.
    fn is_approximate(&self) -> bool;
    /// All numbers.
    fn is_numeric(&self) -> bool;
    /// TIMESTAMP and `TIMESTAMP_LTZ`.
    fn is_timestamp(&self) -> bool;
    /// DATE, TIME and timestamps.
    fn is_datetime(&self) -> bool;
    /// Both kinds of INTERVAL.
    fn is_interval(&self) -> bool;
    /// ROW, ARRAY, MAP, MULTISET.
    fn is_constructed(&self) -> bool;
    /// Precision and scale of an exact number: integers count as DECIMAL(3/5/10/19, 0).
    fn as_decimal(&self) -> Option<DecimalType>;
    /// Bits of an integer type.
    fn integer_bits(&self) -> Option<u32>;
    /// Length of a character or binary type.
    fn length(&self) -> Option<u32>;
    /// Digits of the fraction of a second of a TIME or timestamp.
    fn fraction_digits(&self) -> Option<u8>;
}

impl KindExt for TypeKind {
    fn is_character(&self) -> bool {
        matches!(self, Self::Char(_) | Self::Varchar(_))
    }

    fn is_binary(&self) -> bool {
        matches!(self, Self::Binary(_) | Self::Varbinary(_))
    }

    fn is_integer(&self) -> bool {
        self.integer_bits().is_some()
    }

    fn is_exact(&self) -> bool {
        self.is_integer() || matches!(self, Self::Decimal { .. })
    }

    fn is_approximate(&self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    fn is_numeric(&self) -> bool {
        self.is_exact() || self.is_approximate()
    }

    fn is_timestamp(&self) -> bool {
        matches!(self, Self::Timestamp { .. } | Self::TimestampLtz { .. })
    }

    fn is_datetime(&self) -> bool {
        self.is_timestamp() || matches!(self, Self::Date | Self::Time(_))
    }

    fn is_interval(&self) -> bool {
        matches!(self, Self::IntervalYearMonth(_) | Self::IntervalDayTime(_))
    }

    fn is_constructed(&self) -> bool {
        matches!(
            self,
            Self::Row(_) | Self::Structured(..) | Self::Array(_) | Self::Map(..) | Self::Multiset(_)
        )
    }

    fn as_decimal(&self) -> Option<DecimalType> {
        match self {
            Self::TinyInt => Some(DecimalType::new(3, 0)),
            Self::SmallInt => Some(DecimalType::new(5, 0)),
            Self::Int => Some(DecimalType::new(10, 0)),
            Self::BigInt => Some(DecimalType::new(19, 0)),
            Self::Decimal { precision, scale } => Some(DecimalType::new(*precision, *scale)),
            _ => None,
        }
    }

    fn integer_bits(&self) -> Option<u32> {
        match self {
            Self::TinyInt => Some(8),
            Self::SmallInt => Some(16),
            Self::Int => Some(32),
            Self::BigInt => Some(64),
            _ => None,
        }
    }

    fn length(&self) -> Option<u32> {
        match self {
            Self::Char(length) | Self::Varchar(length) | Self::Binary(length) | Self::Varbinary(length) => {
                Some(*length)
            }
            _ => None,
        }
    }

    fn fraction_digits(&self) -> Option<u8> {
        match self {
            Self::Time(precision)
            | Self::Timestamp { precision, .. }
            | Self::TimestampLtz { precision, .. } => Some(*precision),
            _ => None,
        }
    }
}

/// DECIMAL as a type.
pub(crate) const fn decimal_kind(of: DecimalType) -> TypeKind {
    TypeKind::Decimal {
        precision: of.precision,
        scale: of.scale,
    }
}

/// The scale of a DECIMAL, 0 for others.
pub(crate) fn scale_of(kind: &TypeKind) -> u8 {
    kind.as_decimal().map_or(0, |decimal| decimal.scale)
}

/// VARCHAR of this length, STRING at the maximum.
pub(crate) fn varchar(length: u32) -> TypeKind {
    TypeKind::Varchar(length.min(MAX_LENGTH))
}

/// Whether Calcite's name of a character type says its character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// `VARCHAR(10) CHARACTER SET "UTF-16LE"`: literals and casts of physical plans.
    Shown,
    /// `VARCHAR(10)`: messages, row types, execution plans.
    Hidden,
}

/// Calcite's name of a type without its nullability at the top: `INTEGER`, `VARCHAR(10)`, `INTEGER ARRAY`,
/// `TIMESTAMP_WITH_LOCAL_TIME_ZONE(3)`, `RecordType(INTEGER a)`.
pub fn calcite_type(data_type: &DataType, charset: Charset) -> String {
    let mut text = String::new();
    write_kind(&mut text, &data_type.kind, charset);
    text
}

fn write_kind(out: &mut String, kind: &TypeKind, charset: Charset) {
    let suffix = if charset == Charset::Shown {
        " CHARACTER SET \"UTF-16LE\""
    } else {
        ""
    };
    // Writing to a String cannot fail.
    let _ignored = match kind {
        TypeKind::Char(length) => write!(out, "CHAR({length}){suffix}"),
        TypeKind::Varchar(length) => write!(out, "VARCHAR({length}){suffix}"),
        TypeKind::Binary(length) => write!(out, "BINARY({length})"),
        TypeKind::Varbinary(length) => write!(out, "VARBINARY({length})"),
        TypeKind::Int => write!(out, "INTEGER"),
        TypeKind::Timestamp { precision, .. } => write!(out, "TIMESTAMP({precision})"),
        TypeKind::TimestampLtz { precision, .. } => {
            write!(out, "TIMESTAMP_WITH_LOCAL_TIME_ZONE({precision})")
        }
        TypeKind::IntervalYearMonth(fields) | TypeKind::IntervalDayTime(fields) => {
            write!(out, "INTERVAL {}", interval_qualifier(*fields))
        }
        TypeKind::Array(element) => {
            write_part(out, element, charset);
            write!(out, " ARRAY")
        }
        TypeKind::Multiset(element) => {
            write_part(out, element, charset);
            write!(out, " MULTISET")
        }
        TypeKind::Map(key, value) => {
            out.push('(');
            write_part(out, key, charset);
            out.push_str(", ");
            write_part(out, value, charset);
            write!(out, ") MAP")
        }
        TypeKind::Row(fields) => {
            out.push_str("RecordType:peek_no_expand(");
            for (at, field) in fields.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                write_part(out, &field.data_type, charset);
                out.push(' ');
                out.push_str(&field.name);
            }
            write!(out, ")")
        }
        TypeKind::Structured(class, fields) => {
            out.push_str("STRUCTURED<'");
            out.push_str(class);
            out.push('\'');
            for field in fields.iter() {
                out.push_str(", `");
                out.push_str(&field.name);
                out.push_str("` ");
                write_kind(out, &field.data_type.kind, Charset::Hidden);
                if !field.data_type.nullable {
                    out.push_str(" NOT NULL");
                }
            }
            write!(out, ">")
        }
        other => write!(out, "{other}"),
    };
}

/// A type within another: Calcite's full form says NOT NULL there.
fn write_part(out: &mut String, data_type: &DataType, charset: Charset) {
    write_kind(out, &data_type.kind, charset);
    if charset == Charset::Shown && !data_type.nullable {
        out.push_str(" NOT NULL");
    }
}

/// The fields of an interval as literals show them: `SECOND`, `DAY TO MINUTE`, `YEAR`.
pub(crate) fn interval_qualifier(fields: IntervalFields) -> String {
    let word = |unit: IntervalUnit| match unit {
        IntervalUnit::Year => "YEAR",
        IntervalUnit::Month => "MONTH",
        IntervalUnit::Day => "DAY",
        IntervalUnit::Hour => "HOUR",
        IntervalUnit::Minute => "MINUTE",
        IntervalUnit::Second => "SECOND",
    };
    if fields.first == fields.last {
        word(fields.first).to_owned()
    } else {
        format!("{} TO {}", word(fields.first), word(fields.last))
    }
}

/// The family by which Flink's "No match found for function signature" names an argument's type.
pub fn family_name(data_type: &DataType) -> &'static str {
    match &data_type.kind {
        TypeKind::Char(_) | TypeKind::Varchar(_) => "CHARACTER",
        TypeKind::Boolean => "BOOLEAN",
        TypeKind::Binary(_) | TypeKind::Varbinary(_) => "BINARY",
        kind if kind.is_numeric() => "NUMERIC",
        TypeKind::Date => "DATE",
        TypeKind::Time(_) => "TIME",
        TypeKind::Timestamp { .. } => "TIMESTAMP",
        TypeKind::TimestampLtz { .. } => "TIMESTAMP",
        TypeKind::IntervalYearMonth(_) => "INTERVAL_YEAR_MONTH",
        TypeKind::IntervalDayTime(_) => "INTERVAL_DAY_TIME",
        TypeKind::Array(_) => "ARRAY",
        TypeKind::Map(..) => "MAP",
        TypeKind::Multiset(_) => "MULTISET",
        TypeKind::Row(_) => "ROW",
        TypeKind::Bitmap if data_type.nullable => "BITMAP",
        TypeKind::Bitmap => "BITMAP NOT NULL",
        TypeKind::Variant => "VARIANT",
        _ => "ANY",
    }
}

/// The type as Flink's result schema shows it: every day-time interval is `INTERVAL SECOND(3)`, every year-month
/// interval `INTERVAL MONTH`, CHAR(0) is STRING. Case: types/interval-values-in-a-result.
pub fn shown_type(data_type: &DataType) -> DataType {
    let unit = |unit| IntervalFields {
        first: unit,
        last: unit,
        leading: 2,
        fraction: 3,
    };
    let kind = match &data_type.kind {
        TypeKind::IntervalDayTime(_) => TypeKind::IntervalDayTime(unit(IntervalUnit::Second)),
        TypeKind::IntervalYearMonth(_) => TypeKind::IntervalYearMonth(unit(IntervalUnit::Month)),
        TypeKind::Char(0) => TypeKind::Varchar(MAX_LENGTH),
        TypeKind::Array(element) => TypeKind::Array(shown_type(element).into()),
        TypeKind::Multiset(element) => TypeKind::Multiset(shown_type(element).into()),
        TypeKind::Map(key, value) => TypeKind::Map(shown_type(key).into(), shown_type(value).into()),
        TypeKind::Row(fields) | TypeKind::Structured(_, fields) => {
            let fields: Vec<Field> = fields
                .iter()
                .map(|field| Field {
                    name: Rc::clone(&field.name),
                    data_type: shown_type(&field.data_type),
                })
                .gather();
            match &data_type.kind {
                TypeKind::Structured(class, _) => TypeKind::Structured(Rc::clone(class), fields.into()),
                _ => TypeKind::Row(fields.into()),
            }
        }
        other => other.clone(),
    };
    DataType {
        kind,
        nullable: data_type.nullable,
    }
}
