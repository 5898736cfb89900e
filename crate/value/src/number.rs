//! Numbers from text, as CAST and Java read them.

/// Why a text is no number; the text of Flink's exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberError {
    /// What Flink's exception says.
    pub message: String,
}

/// CAST(text AS TINYINT … BIGINT) within `min..=max`: blanks trimmed, a fraction is dropped.
pub fn parse_integer(_text: &str, _min: i64, _max: i64) -> Result<i64, NumberError> {
    todo!()
}

/// CAST(text AS DOUBLE).
pub fn parse_double(_text: &str) -> Result<f64, NumberError> {
    todo!()
}
