//! Dates, times, timestamps and intervals: calendar, text, fields, rounding, zones.
//!
//! Dates are days since 1970-01-01, times are milliseconds since midnight, timestamps are milliseconds since the
//! epoch with the nanoseconds within the millisecond. A wall clock is a timestamp read as if it were UTC.

mod calendar;
mod parse;
mod unit;
mod write;
mod zone;
mod zone_table;

pub use calendar::{
    Civil, add_months, add_months_to_days, civil_from_days, days_from_civil, month_days, months_between,
    months_between_days,
};
pub use parse::{
    DateError, parse_date, parse_iso_date, parse_sql_time, parse_sql_timestamp, parse_time, parse_timestamp,
};
pub use unit::{
    TimeUnit, ceil, ceil_date, date_from_timestamp, extract, extract_date, extract_interval_months,
    extract_interval_ms, extract_time, floor, floor_date, time_from_timestamp, truncate_time,
};
pub(crate) use write::write_digits;
pub use write::{
    truncate_timestamp, write_date, write_interval_day_time, write_interval_year_month, write_iso_date,
    write_iso_duration, write_iso_instant, write_iso_period, write_iso_time, write_iso_timestamp, write_time,
    write_timestamp,
};
pub use zone::Zone;
pub use zone_table::install_zones;
#[cfg(not(target_family = "wasm"))]
pub use zone_table::zones_file;

/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;
