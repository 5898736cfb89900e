//! Numbers from text, as CAST reads them, and conversions that lose something on purpose.

/// Why a text is no number; the text of Flink's `NumberFormatException`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberError {
    /// What Flink's exception says.
    pub message: String,
}

/// The low 64 bits, as Java's `BigInteger.longValue`.
#[expect(clippy::cast_possible_truncation, reason = "wrapping is what this is for")]
pub const fn wrap_i64(number: i128) -> i64 {
    number as i64
}

/// CAST(text AS TINYINT … BIGINT) within `min..=max`: blanks trimmed, a fraction is dropped.
pub fn parse_integer(_text: &str, _min: i64, _max: i64) -> Result<i64, NumberError> {
    todo!()
}

/// CAST(text AS DOUBLE).
pub fn parse_double(_text: &str) -> Result<f64, NumberError> {
    todo!()
}
