//! SQL types with nullability and precision, printed as Flink prints them.

use std::{fmt, rc::Rc};

/// A SQL type and whether it takes NULL.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DataType {
    /// The type without its nullability.
    pub kind: TypeKind,
    /// Whether NULL is a member.
    pub nullable: bool,
}

/// A SQL type without its nullability. Lengths count characters or bytes, `u32::MAX >> 1` is the maximum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// CHAR(n)
    Char(u32),
    /// VARCHAR(n); STRING is VARCHAR(2147483647)
    Varchar(u32),
    /// BOOLEAN
    Boolean,
    /// BINARY(n)
    Binary(u32),
    /// VARBINARY(n); BYTES is VARBINARY(2147483647)
    Varbinary(u32),
    /// DECIMAL(precision 1 … 38, scale 0 … precision)
    Decimal {
        /// All digits.
        precision: u8,
        /// Digits behind the point.
        scale: u8,
    },
    /// TINYINT
    TinyInt,
    /// SMALLINT
    SmallInt,
    /// INT
    Int,
    /// BIGINT
    BigInt,
    /// FLOAT
    Float,
    /// DOUBLE
    Double,
    /// DATE
    Date,
    /// TIME(p)
    Time(u8),
    /// TIMESTAMP(p)
    Timestamp {
        /// Digits of the fraction of a second, 0 … 9.
        precision: u8,
        /// Plain, or a time attribute.
        time: TimeKind,
    },
    /// `TIMESTAMP_LTZ(p)`
    TimestampLtz {
        /// Digits of the fraction of a second, 0 … 9.
        precision: u8,
        /// Plain, or a time attribute.
        time: TimeKind,
    },
    /// INTERVAL of years and months; the fields are Flink's text, e.g. `YEAR(2) TO MONTH`
    IntervalYearMonth(IntervalFields),
    /// INTERVAL of days, hours, minutes and seconds, e.g. `DAY TO SECOND(3)`
    IntervalDayTime(IntervalFields),
    /// ARRAY<t>
    Array(Rc<DataType>),
    /// MAP<k, v>
    Map(Rc<DataType>, Rc<DataType>),
    /// MULTISET<t>
    Multiset(Rc<DataType>),
    /// ROW<…>
    Row(Rc<[Field]>),
    /// STRUCTURED<'class', …>: a ROW with the name of a class.
    Structured(Rc<str>, Rc<[Field]>),
    /// VARIANT: any JSON value.
    Variant,
    /// BITMAP: a set of 32-bit integers.
    Bitmap,
    /// The type of a bare NULL.
    Null,
    /// RAW(class, …): opaque, named only.
    Raw(Rc<str>),
}

/// First and last field of an interval with their precisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntervalFields {
    /// The largest unit.
    pub first: IntervalUnit,
    /// The smallest unit; the same as `first` where only one is given.
    pub last: IntervalUnit,
    /// Digits of the first unit.
    pub leading: u8,
    /// Digits of the fraction of a second.
    pub fraction: u8,
}

/// A unit of an interval, from large to small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntervalUnit {
    /// YEAR
    Year,
    /// MONTH
    Month,
    /// DAY
    Day,
    /// HOUR
    Hour,
    /// MINUTE
    Minute,
    /// SECOND
    Second,
}

/// Whether a timestamp is a time attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeKind {
    /// A plain timestamp.
    #[default]
    Regular,
    /// An event-time attribute: a watermark speaks about it.
    Rowtime,
    /// A processing-time attribute.
    Proctime,
}

/// A named field of a ROW, or a named column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Name as written.
    pub name: Rc<str>,
    /// Its type.
    pub data_type: DataType,
}

/// The length of STRING and BYTES.
pub const MAX_LENGTH: u32 = 2_147_483_647;

impl DataType {
    /// A nullable type.
    pub const fn nullable(kind: TypeKind) -> Self {
        Self { kind, nullable: true }
    }

    /// A NOT NULL type.
    pub const fn not_null(kind: TypeKind) -> Self {
        Self {
            kind,
            nullable: false,
        }
    }

    /// The same type with another nullability.
    #[must_use]
    pub fn with_nullable(&self, nullable: bool) -> Self {
        Self {
            kind: self.kind.clone(),
            nullable,
        }
    }

    /// Nullable STRING.
    pub const STRING: Self = Self::nullable(TypeKind::Varchar(MAX_LENGTH));
    /// Nullable BIGINT.
    pub const BIGINT: Self = Self::nullable(TypeKind::BigInt);
    /// Nullable INT.
    pub const INT: Self = Self::nullable(TypeKind::Int);
    /// Nullable DOUBLE.
    pub const DOUBLE: Self = Self::nullable(TypeKind::Double);
    /// Nullable BOOLEAN.
    pub const BOOLEAN: Self = Self::nullable(TypeKind::Boolean);

    /// Whether this is an event-time attribute.
    pub const fn is_rowtime(&self) -> bool {
        matches!(
            self.kind,
            TypeKind::Timestamp {
                time: TimeKind::Rowtime,
                ..
            } | TypeKind::TimestampLtz {
                time: TimeKind::Rowtime,
                ..
            }
        )
    }

    /// Whether this is a processing-time attribute.
    pub const fn is_proctime(&self) -> bool {
        matches!(
            self.kind,
            TypeKind::TimestampLtz {
                time: TimeKind::Proctime,
                ..
            }
        )
    }

    /// The same type as a plain timestamp, if it is a time attribute.
    #[must_use]
    pub fn without_time_attribute(&self) -> Self {
        let mut plain = self.clone();
        if let TypeKind::Timestamp { time, .. } | TypeKind::TimestampLtz { time, .. } = &mut plain.kind {
            *time = TimeKind::Regular;
        }
        plain
    }
}

impl TypeKind {
    /// Key and value type of a MAP, element and count type of a MULTISET.
    pub fn map_types(&self) -> Option<(&DataType, &DataType)> {
        const COUNT: &DataType = &DataType::not_null(TypeKind::Int);
        match self {
            Self::Map(key, value) => Some((key, value)),
            Self::Multiset(element) => Some((element, COUNT)),
            _ => None,
        }
    }

    /// Fields of a ROW or a STRUCTURED type.
    pub const fn fields(&self) -> Option<&Rc<[Field]>> {
        match self {
            Self::Row(fields) | Self::Structured(_, fields) => Some(fields),
            _ => None,
        }
    }
}

impl fmt::Display for DataType {
    /// Flink's summary text: `DECIMAL(10, 2) NOT NULL`, `TIMESTAMP(3) *ROWTIME*`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if !self.nullable && self.kind != TypeKind::Null {
            f.write_str(" NOT NULL")?;
        }
        match self.kind {
            TypeKind::Timestamp { time, .. } | TypeKind::TimestampLtz { time, .. } => match time {
                TimeKind::Regular => Ok(()),
                TimeKind::Rowtime => f.write_str(" *ROWTIME*"),
                TimeKind::Proctime => f.write_str(" *PROCTIME*"),
            },
            _ => Ok(()),
        }
    }
}

impl fmt::Display for TypeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(length) => write!(f, "CHAR({length})"),
            Self::Varchar(MAX_LENGTH) => f.write_str("STRING"),
            Self::Varchar(length) => write!(f, "VARCHAR({length})"),
            Self::Boolean => f.write_str("BOOLEAN"),
            Self::Binary(length) => write!(f, "BINARY({length})"),
            Self::Varbinary(MAX_LENGTH) => f.write_str("BYTES"),
            Self::Varbinary(length) => write!(f, "VARBINARY({length})"),
            Self::Decimal { precision, scale } => write!(f, "DECIMAL({precision}, {scale})"),
            Self::TinyInt => f.write_str("TINYINT"),
            Self::SmallInt => f.write_str("SMALLINT"),
            Self::Int => f.write_str("INT"),
            Self::BigInt => f.write_str("BIGINT"),
            Self::Float => f.write_str("FLOAT"),
            Self::Double => f.write_str("DOUBLE"),
            Self::Date => f.write_str("DATE"),
            Self::Time(precision) => write!(f, "TIME({precision})"),
            Self::Timestamp { precision, .. } => write!(f, "TIMESTAMP({precision})"),
            Self::TimestampLtz { precision, .. } => write!(f, "TIMESTAMP_LTZ({precision})"),
            Self::IntervalYearMonth(fields) | Self::IntervalDayTime(fields) => write!(f, "INTERVAL {fields}"),
            Self::Array(element) => write!(f, "ARRAY<{element}>"),
            Self::Map(key, value) => write!(f, "MAP<{key}, {value}>"),
            Self::Multiset(element) => write!(f, "MULTISET<{element}>"),
            Self::Variant => f.write_str("VARIANT"),
            Self::Bitmap => f.write_str("BITMAP"),
            Self::Row(fields) | Self::Structured(_, fields) => {
                match self {
                    Self::Structured(class, _) => write!(f, "STRUCTURED<'{class}', ")?,
                    _ => f.write_str("ROW<")?,
                }
                for (at, field) in fields.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(
                        f,
                        "{comma}`{}` {}",
                        field.name.replace('`', "``"),
                        field.data_type
                    )?;
                }
                f.write_str(">")
            }
            Self::Null => f.write_str("NULL"),
            Self::Raw(class) => write!(f, "RAW('{class}', '...')"),
        }
    }
}

impl fmt::Display for IntervalFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |unit| match unit {
            IntervalUnit::Year => "YEAR",
            IntervalUnit::Month => "MONTH",
            IntervalUnit::Day => "DAY",
            IntervalUnit::Hour => "HOUR",
            IntervalUnit::Minute => "MINUTE",
            IntervalUnit::Second => "SECOND",
        };
        f.write_str(word(self.first))?;
        match self.first {
            IntervalUnit::Year | IntervalUnit::Day => write!(f, "({})", self.leading)?,
            IntervalUnit::Second => write!(f, "({})", self.fraction)?,
            IntervalUnit::Month | IntervalUnit::Hour | IntervalUnit::Minute => {}
        }
        if self.last != self.first {
            write!(f, " TO {}", word(self.last))?;
            if self.last == IntervalUnit::Second {
                write!(f, "({})", self.fraction)?;
            }
        }
        Ok(())
    }
}

/// A result schema as Flink prints it: one column a line between parentheses.
pub fn schema_text(fields: &[Field]) -> String {
    let lines: Vec<String> = fields
        .iter()
        .map(|field| format!("  `{}` {}", field.name.replace('`', "``"), field.data_type))
        .collect();
    format!("(\n{}\n)", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn t(kind: TypeKind) -> DataType {
        DataType::nullable(kind)
    }

    fn field(name: &str, data_type: DataType) -> Field {
        Field {
            name: name.into(),
            data_type,
        }
    }

    #[test]
    fn types_print_as_in_recorded_schemas() {
        let interval = |first, last| IntervalFields {
            first,
            last,
            leading: 2,
            fraction: 3,
        };
        let timestamp = |precision, time| TypeKind::Timestamp { precision, time };
        let ltz = |precision, time| TypeKind::TimestampLtz { precision, time };
        let inner = field("b", t(TypeKind::Row([field("c", DataType::STRING)].into())));
        let rows: Vec<(DataType, &str)> = vec![
            (DataType::BIGINT.with_nullable(false), "BIGINT NOT NULL"),
            (
                t(TypeKind::Array(Rc::new(DataType::BIGINT))).with_nullable(false),
                "ARRAY<BIGINT> NOT NULL",
            ),
            (t(TypeKind::Binary(2)), "BINARY(2)"),
            (t(TypeKind::Varbinary(MAX_LENGTH)), "BYTES"),
            (t(TypeKind::Char(3)), "CHAR(3)"),
            (
                t(TypeKind::Varchar(2000)).with_nullable(false),
                "VARCHAR(2000) NOT NULL",
            ),
            (DataType::STRING, "STRING"),
            (
                t(TypeKind::Decimal {
                    precision: 38,
                    scale: 6,
                }),
                "DECIMAL(38, 6)",
            ),
            (
                t(TypeKind::IntervalYearMonth(interval(
                    IntervalUnit::Month,
                    IntervalUnit::Month,
                ))),
                "INTERVAL MONTH",
            ),
            (
                t(TypeKind::IntervalDayTime(interval(
                    IntervalUnit::Second,
                    IntervalUnit::Second,
                ))),
                "INTERVAL SECOND(3)",
            ),
            (
                t(TypeKind::IntervalDayTime(interval(
                    IntervalUnit::Day,
                    IntervalUnit::Second,
                ))),
                "INTERVAL DAY(2) TO SECOND(3)",
            ),
            (
                t(TypeKind::Map(Rc::new(DataType::STRING), Rc::new(DataType::INT))),
                "MAP<STRING, INT>",
            ),
            (
                t(TypeKind::Multiset(Rc::new(DataType::STRING))).with_nullable(false),
                "MULTISET<STRING> NOT NULL",
            ),
            (
                t(TypeKind::Row([field("a", DataType::INT), inner].into())),
                "ROW<`a` INT, `b` ROW<`c` STRING>>",
            ),
            (t(TypeKind::Time(0)), "TIME(0)"),
            (t(timestamp(3, TimeKind::Rowtime)), "TIMESTAMP(3) *ROWTIME*"),
            (
                t(timestamp(3, TimeKind::Rowtime)).with_nullable(false),
                "TIMESTAMP(3) NOT NULL *ROWTIME*",
            ),
            (
                t(ltz(3, TimeKind::Proctime)).with_nullable(false),
                "TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*",
            ),
            (t(ltz(9, TimeKind::Regular)), "TIMESTAMP_LTZ(9)"),
            (t(TypeKind::Null), "NULL"),
        ];
        for (data_type, text) in rows {
            assert_eq!(data_type.to_string(), text);
        }
    }

    #[test]
    fn schemas_print_one_column_a_line() {
        let fields = [
            field("EXPR$0", DataType::BIGINT.with_nullable(false)),
            field("a`b", DataType::STRING),
        ];
        assert_eq!(
            schema_text(&fields),
            "(\n  `EXPR$0` BIGINT NOT NULL,\n  `a``b` STRING\n)"
        );
        assert_eq!(schema_text(&[]), "(\n\n)");
    }
}
