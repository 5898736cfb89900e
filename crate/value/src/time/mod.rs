//! Dates, times, timestamps and intervals: calendar, text, fields, rounding, zones.
//!
//! Dates are days since 1970-01-01, times are milliseconds since midnight, timestamps are milliseconds since the
//! epoch with the nanoseconds within the millisecond. A wall clock is a timestamp read as if it were UTC.

mod calendar;
mod text;
mod unit;
mod zone;

pub use calendar::{Civil, add_months, add_months_to_days, civil_from_days, days_from_civil, months_between};
pub use text::{
    DateError, parse_date, parse_time, parse_timestamp, truncate_timestamp, write_date,
    write_interval_day_time, write_interval_year_month, write_time, write_timestamp,
};
pub use unit::{
    TimeUnit, ceil, ceil_date, extract, extract_date, extract_interval, extract_time, floor, floor_date,
};
pub use zone::Zone;

/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;
