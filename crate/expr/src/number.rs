//! Numbers as kernels see them: narrowing, and one type's value as another's.
#![expect(
    clippy::cast_precision_loss,
    reason = "narrowing is what these functions are for; SQL defines what is lost"
)]

use sg_value::{Value, decimal::Decimal};

/// Two's complement to the width of a type: what INT keeps of a BIGINT.
pub(crate) const fn wrap(number: i64, bits: u32) -> i64 {
    match bits {
        8 => number as i8 as i64,
        16 => number as i16 as i64,
        32 => number as i32 as i64,
        _ => number,
    }
}

/// What a FLOAT keeps of a DOUBLE.
pub(crate) const fn round_to_float(number: f64) -> f64 {
    number as f32 as f64
}

/// Java's `(long) x`: towards zero, saturating, NaN is 0.
pub(crate) const fn long_from_double(number: f64) -> i64 {
    number as i64
}

/// Java's `(int) x`: towards zero, saturating, NaN is 0.
pub(crate) const fn int_from_double(number: f64) -> i32 {
    number as i32
}

/// The nearest double.
pub(crate) const fn double_from_long(number: i64) -> f64 {
    number as f64
}

/// The nearest float, as a double.
pub(crate) const fn float_from_long(number: i64) -> f64 {
    number as f32 as f64
}

/// A count or an index as BIGINT.
pub(crate) const fn long_from_len(length: usize) -> i64 {
    length as i64
}

/// An index from a number, `None` below zero or beyond memory.
pub(crate) fn index_from_long(number: i64) -> Option<usize> {
    usize::try_from(number).ok()
}

/// A number of an exact type as a decimal; 0 for what is no exact number.
pub(crate) fn decimal_of(value: &Value, scale: u8) -> Decimal {
    let unscaled = match value {
        Value::Int(number) => i128::from(*number),
        other => other.unscaled().unwrap_or(0),
    };
    Decimal::new(unscaled, scale)
}

/// A number of any type as a DOUBLE.
pub(crate) fn double_from(value: &Value, scale: u8) -> Option<f64> {
    match value {
        Value::Double(number) => Some(*number),
        Value::Int(number) => Some(double_from_long(*number)),
        Value::Decimal(_) | Value::BigDecimal(_) => Some(decimal_of(value, scale).to_f64()),
        _ => None,
    }
}
