//! Types as written.

use sg_diag::Span;

use super::{Ident, ObjectName, Text};

/// A type as written: `DECIMAL(10, 2) NOT NULL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeSyntax {
    /// Which type, with the parameters that are written.
    pub kind: TypeKind,
    /// True unless `NOT NULL` follows.
    pub nullable: bool,
    /// Where it stands, `NOT NULL` included.
    pub span: Span,
}

/// The types of Flink SQL; synonyms are one variant. `None` is a parameter that is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `CHAR(n)`, `CHARACTER(n)`
    Char(Option<u32>),
    /// `VARCHAR(n)`, `CHARACTER VARYING(n)`
    Varchar(Option<u32>),
    /// `STRING`
    String,
    /// `BOOLEAN`
    Boolean,
    /// `BINARY(n)`
    Binary(Option<u32>),
    /// `VARBINARY(n)`, `BINARY VARYING(n)`
    Varbinary(Option<u32>),
    /// `BYTES`
    Bytes,
    /// `DECIMAL(p, s)`, `DEC`, `NUMERIC`
    Decimal {
        /// Digits in all.
        precision: Option<u32>,
        /// Digits behind the point.
        scale: Option<u32>,
    },
    /// `TINYINT`
    TinyInt,
    /// `SMALLINT`
    SmallInt,
    /// `INT`, `INTEGER`
    Int,
    /// `BIGINT`
    BigInt,
    /// `FLOAT`
    Float,
    /// `DOUBLE`, `DOUBLE PRECISION`
    Double,
    /// `DATE`
    Date,
    /// `TIME(p)`, `TIME(p) WITHOUT TIME ZONE`
    Time(Option<u32>),
    /// `TIMESTAMP(p)`, `TIMESTAMP(p) WITHOUT TIME ZONE`
    Timestamp(Option<u32>),
    /// `TIMESTAMP_LTZ(p)`, `TIMESTAMP(p) WITH LOCAL TIME ZONE`
    TimestampLtz(Option<u32>),
    /// `INTERVAL DAY(3) TO SECOND(3)` and the like
    Interval(IntervalSyntax),
    /// `ARRAY<t>`, `t ARRAY`
    Array(Box<TypeSyntax>),
    /// `MULTISET<t>`, `t MULTISET`
    Multiset(Box<TypeSyntax>),
    /// `MAP<k, v>`
    Map(Box<TypeSyntax>, Box<TypeSyntax>),
    /// `ROW<name type, …>`, `ROW(name type, …)`
    Row(Vec<RowField>),
    /// `STRUCTURED<'class', name type, …>`
    Structured {
        /// The Java class.
        class: Text,
        /// Its fields.
        fields: Vec<RowField>,
    },
    /// `RAW('class', 'serializer')`
    Raw {
        /// The Java class.
        class: Text,
        /// The serializer, in Base64.
        serializer: Text,
    },
    /// `VARIANT`
    Variant,
    /// `BITMAP`
    Bitmap,
    /// `NULL`
    Null,
    /// Any other name; no built-in type is called so.
    Named(ObjectName),
}

/// A field of a ROW type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowField {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub data_type: TypeSyntax,
    /// The string behind it.
    pub comment: Option<Text>,
}

/// The unit part of an interval type or literal: `DAY(3) TO SECOND(3)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntervalSyntax {
    /// The largest unit.
    pub from: TimeUnit,
    /// Digits of the largest unit; Flink takes 2 if not written.
    pub precision: Option<u32>,
    /// The smallest unit, if a second one is written.
    pub to: Option<TimeUnit>,
    /// Digits behind the point of seconds.
    pub fraction: Option<u32>,
    /// Where the units stand.
    pub span: Span,
}

/// Units of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum TimeUnit {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
}

impl TimeUnit {
    /// The unit of this word, singular or plural, in any case.
    pub fn from_word(word: &str) -> Option<Self> {
        const WORDS: [(&str, TimeUnit); 11] = [
            ("YEAR", TimeUnit::Year),
            ("QUARTER", TimeUnit::Quarter),
            ("MONTH", TimeUnit::Month),
            ("WEEK", TimeUnit::Week),
            ("DAY", TimeUnit::Day),
            ("HOUR", TimeUnit::Hour),
            ("MINUTE", TimeUnit::Minute),
            ("SECOND", TimeUnit::Second),
            ("MILLISECOND", TimeUnit::Millisecond),
            ("MICROSECOND", TimeUnit::Microsecond),
            ("NANOSECOND", TimeUnit::Nanosecond),
        ];
        let upper = word.to_ascii_uppercase();
        let singular = upper.strip_suffix('S').unwrap_or(&upper);
        WORDS
            .iter()
            .find(|(name, _)| *name == singular)
            .map(|&(_, unit)| unit)
    }

    /// The singular word, in capitals.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Year => "YEAR",
            Self::Quarter => "QUARTER",
            Self::Month => "MONTH",
            Self::Week => "WEEK",
            Self::Day => "DAY",
            Self::Hour => "HOUR",
            Self::Minute => "MINUTE",
            Self::Second => "SECOND",
            Self::Millisecond => "MILLISECOND",
            Self::Microsecond => "MICROSECOND",
            Self::Nanosecond => "NANOSECOND",
        }
    }
}
