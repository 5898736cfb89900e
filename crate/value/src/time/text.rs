//! Text of dates, times, timestamps and intervals, as CAST reads and writes it.

use std::fmt;

/// A text that is no date or time; the text of Flink's exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateError {
    /// What Flink's exception says.
    pub message: String,
}

/// CAST(text AS DATE): days since 1970-01-01.
pub fn parse_date(_text: &str) -> Result<i64, DateError> {
    todo!()
}

/// CAST(text AS TIME): milliseconds since midnight.
pub fn parse_time(_text: &str) -> Result<i64, DateError> {
    todo!()
}

/// CAST(text AS TIMESTAMP(precision)): milliseconds and nanoseconds of the wall clock, digits beyond `precision` cut.
pub fn parse_timestamp(_text: &str, _precision: u8) -> Result<(i64, u32), DateError> {
    todo!()
}

/// Cuts a timestamp to fewer digits as CAST does: towards 1970.
pub fn truncate_timestamp(_ms: i64, _nanos: u32, _precision: u8) -> (i64, u32) {
    todo!()
}

/// `2024-01-01`.
pub fn write_date(_out: &mut dyn fmt::Write, _days: i64) -> fmt::Result {
    todo!()
}

/// `13:14:15.000`, always `precision` digits.
pub fn write_time(_out: &mut dyn fmt::Write, _ms: i64, _precision: u8) -> fmt::Result {
    todo!()
}

/// `2024-01-01 00:00:05.120`, always `precision` digits.
pub fn write_timestamp(_out: &mut dyn fmt::Write, _at: (i64, u32), _precision: u8) -> fmt::Result {
    todo!()
}

/// `+1 02:03:04.500`.
pub fn write_interval_day_time(_out: &mut dyn fmt::Write, _ms: i64) -> fmt::Result {
    todo!()
}

/// `+2-03`.
pub fn write_interval_year_month(_out: &mut dyn fmt::Write, _months: i64) -> fmt::Result {
    todo!()
}
