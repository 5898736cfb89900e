//! One SQL value.
//!
//! The type lives in the schema, not in the value: several SQL types share a variant, and evaluation never
//! inspects a data type per row.

use std::rc::Rc;

/// One SQL value. 16 bytes on wasm32 (asserted below), `Clone` is at most a reference count.
///
/// | SQL type | variant |
/// | --- | --- |
/// | TINYINT … BIGINT | `Int` |
/// | DATE | `Int`, days since 1970-01-01 |
/// | TIME(p) | `Int`, milliseconds since midnight |
/// | INTERVAL YEAR TO MONTH / DAY TO SECOND | `Int`, months / milliseconds |
/// | FLOAT, DOUBLE | `Double`; a FLOAT is kept rounded to `f32` |
/// | DECIMAL(p, s) | `Decimal` when the unscaled number fits into `i64`, else `BigDecimal`; the scale is the column's |
/// | `TIMESTAMP(p)` | `Timestamp`, wall clock read as if it were UTC |
/// | `TIMESTAMP_LTZ(p)` | `Timestamp`, the instant |
/// | CHAR, VARCHAR, STRING | `Str` |
/// | BINARY, VARBINARY, BYTES | `Bytes` |
/// | BITMAP | `Bytes`, see [`crate::bitmap`] |
/// | VARIANT | `Str`, its JSON text as Flink prints it |
/// | STRUCTURED | `Row` |
#[derive(Debug, Default)]
pub enum Value {
    /// SQL NULL of any type.
    #[default]
    Null,
    /// BOOLEAN.
    Bool(bool),
    /// All integral types, dates, times and intervals.
    Int(i64),
    /// FLOAT and DOUBLE.
    Double(f64),
    /// Unscaled DECIMAL that fits into 64 bits. Arithmetic always returns this form when it fits.
    Decimal(i64),
    /// Unscaled DECIMAL that does not fit into 64 bits.
    BigDecimal(Rc<i128>),
    /// Milliseconds since the epoch (floor) and the nanoseconds within that millisecond (0 … 999 999).
    Timestamp {
        /// Milliseconds since 1970-01-01T00:00:00, rounded down.
        ms: i64,
        /// Nanoseconds of the millisecond, 0 … 999 999.
        nanos: u32,
    },
    /// Character strings.
    Str(Rc<str>),
    /// Byte strings.
    Bytes(Rc<[u8]>),
    /// ROW fields in order.
    Row(Rc<[Self]>),
    /// ARRAY elements in order.
    Array(Rc<[Self]>),
    /// MAP and MULTISET (values are counts) entries in insertion order.
    Map(Rc<MapValue>),
}

/// Entries of a MAP or MULTISET, keys distinct, in insertion order.
#[derive(Clone, Debug, Default)]
pub struct MapValue {
    /// Key and value pairs.
    pub entries: Vec<(Value, Value)>,
}

#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<Value>() == 16);

impl Clone for Value {
    /// What is copied most often comes first: the others are told apart by a jump.
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Int(number) => Self::Int(*number),
            other => other.clone_other(),
        }
    }
}

impl Value {
    #[cfg_attr(sg_hot, optimize(speed))]
    fn clone_other(&self) -> Self {
        match self {
            Self::Null => Self::Null,
            Self::Bool(truth) => Self::Bool(*truth),
            Self::Int(number) => Self::Int(*number),
            Self::Double(number) => Self::Double(*number),
            Self::Decimal(unscaled) => Self::Decimal(*unscaled),
            Self::BigDecimal(unscaled) => Self::BigDecimal(Rc::clone(unscaled)),
            Self::Timestamp { ms, nanos } => Self::Timestamp {
                ms: *ms,
                nanos: *nanos,
            },
            Self::Str(text) => Self::Str(Rc::clone(text)),
            Self::Bytes(bytes) => Self::Bytes(Rc::clone(bytes)),
            Self::Row(cells) => Self::Row(Rc::clone(cells)),
            Self::Array(elements) => Self::Array(Rc::clone(elements)),
            Self::Map(map) => Self::Map(Rc::clone(map)),
        }
    }

    /// Whether this is SQL NULL.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// A DECIMAL from its unscaled number, in the small form whenever it fits.
    pub fn decimal(unscaled: i128) -> Self {
        i64::try_from(unscaled).map_or_else(|_| Self::BigDecimal(Rc::new(unscaled)), Self::Decimal)
    }

    /// The unscaled number of a DECIMAL; `None` for anything else.
    pub fn unscaled(&self) -> Option<i128> {
        match self {
            Self::Decimal(small) => Some(i128::from(*small)),
            Self::BigDecimal(big) => Some(**big),
            _ => None,
        }
    }

    /// A timestamp of whole milliseconds.
    pub const fn timestamp_ms(ms: i64) -> Self {
        Self::Timestamp { ms, nanos: 0 }
    }

    /// The milliseconds of a timestamp, or the number of an integer; `None` for anything else.
    pub const fn as_ms(&self) -> Option<i64> {
        match self {
            Self::Timestamp { ms, .. } => Some(*ms),
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The number of an `Int`; `None` for anything else.
    pub const fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The text of a `Str`; `None` for anything else.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value of a BOOLEAN; `None` for NULL and anything else.
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(truth) => Some(*truth),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Str(Rc::from(text))
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}
