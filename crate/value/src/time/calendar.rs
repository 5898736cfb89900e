//! The proleptic Gregorian calendar.

/// A calendar date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// Astronomical year (0 is 1 BC).
    pub year: i64,
    /// 1 … 12.
    pub month: u8,
    /// 1 … 31.
    pub day: u8,
}

/// Days since 1970-01-01.
pub fn days_from_civil(_date: Civil) -> i64 {
    todo!()
}

/// The date of a day number.
pub fn civil_from_days(_days: i64) -> Civil {
    todo!()
}

/// Moves a date by months; the day is cut to the month's length.
pub fn add_months_to_days(_days: i64, _months: i64) -> i64 {
    todo!()
}

/// Moves a wall clock by months; the time of day stays.
pub fn add_months(_ms: i64, _months: i64) -> i64 {
    todo!()
}

/// Whole months from `from_ms` to `to_ms`, towards zero (TIMESTAMPDIFF(MONTH, …)).
pub fn months_between(_from_ms: i64, _to_ms: i64) -> i64 {
    todo!()
}
