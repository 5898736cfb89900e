//! Text of dates, times, timestamps and intervals.
//!
//! Two kinds: that of SQL (CAST(x AS STRING), Flink's `DateTimeUtils`) and that of Java's own classes, which
//! `Row.toString` shows (`write_iso_…`).

use std::fmt::{Result, Write};

use super::{Civil, DAY_MS, civil_from_days};

/// SQL: `2024-01-01`. The year is cut to its last four digits.
pub fn write_date(out: &mut dyn Write, days: i64) -> Result {
    let Civil { year, month, day } = civil_from_days(days);
    write_digits(out, year.unsigned_abs() % 10_000, 4)?;
    write_month_and_day(out, month, day)
}

/// SQL: `13:14:15` and up to `precision` digits of the fraction.
///
/// Flink stops behind the last digit that is not zero, but writes one: TIME(3) is `13:14:15.0` or `13:14:15.25`.
pub fn write_time(out: &mut dyn Write, ms: i64, precision: u8) -> Result {
    let ms = ms.rem_euclid(DAY_MS);
    write_clock(out, ms)?;
    if precision > 0 {
        out.write_char('.')?;
        let mut rest = ms % 1000;
        for _ in 0..precision {
            write!(out, "{}", rest / 100)?;
            rest = rest % 100 * 10;
            if rest == 0 {
                break;
            }
        }
    }
    Ok(())
}

/// SQL: `2024-01-01 00:00:05.120`, always `precision` digits.
pub fn write_timestamp(out: &mut dyn Write, ms: i64, nanos: u32, precision: u8) -> Result {
    write_date(out, ms.div_euclid(DAY_MS))?;
    out.write_char(' ')?;
    write_clock(out, ms.rem_euclid(DAY_MS))?;
    let fraction = nanos_of_second(ms, nanos);
    match (precision.min(9), 10_i64.pow(u32::from(9 - precision.min(9)))) {
        (0, _) => Ok(()),
        (digits, unit) => write!(out, ".{:0width$}", fraction / unit, width = usize::from(digits)),
    }
}

/// SQL: `+1 02:03:04.500`.
pub fn write_interval_day_time(out: &mut dyn Write, ms: i64) -> Result {
    let sign = if ms < 0 { '-' } else { '+' };
    let ms = ms.unsigned_abs();
    let (days, hours) = (ms / 86_400_000, ms / 3_600_000 % 24);
    let (minutes, seconds) = (ms / 60_000 % 60, ms / 1000 % 60);
    write!(
        out,
        "{sign}{days} {hours:02}:{minutes:02}:{seconds:02}.{:03}",
        ms % 1000
    )
}

/// SQL: `+2-03`.
pub fn write_interval_year_month(out: &mut dyn Write, months: i64) -> Result {
    let sign = if months < 0 { '-' } else { '+' };
    let months = months.unsigned_abs();
    write!(out, "{sign}{}-{:02}", months / 12, months % 12)
}

/// Java's `LocalDate`: four digits, more with a sign.
pub fn write_iso_date(out: &mut dyn Write, days: i64) -> Result {
    let Civil { year, month, day } = civil_from_days(days);
    match year {
        10_000.. => out.write_char('+')?,
        0.. => {}
        _ => out.write_char('-')?,
    }
    write_digits(out, year.unsigned_abs(), 4)?;
    write_month_and_day(out, month, day)
}

fn write_month_and_day(out: &mut dyn Write, month: u8, day: u8) -> Result {
    for part in [month, day] {
        out.write_char('-')?;
        write_digits(out, part.into(), 2)?;
    }
    Ok(())
}

/// `00` to `99`, one behind the other.
const PAIRS: &str = "\
    00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354\
    555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/// A number with zeros in front up to a width. Without the machinery of `write!`, because a trace prints many cells.
#[cfg_attr(sg_hot, optimize(speed))]
pub(crate) fn write_digits(out: &mut dyn Write, mut number: u64, width: usize) -> Result {
    let mut pairs = [0_u8; 10];
    let mut used = 0;
    for place in pairs.iter_mut().rev() {
        *place = (number % 100) as u8;
        number /= 100;
        used += 1;
        if number == 0 && used * 2 >= width {
            break;
        }
    }
    let mut digits = used * 2;
    for pair in pairs.get(10 - used..).unwrap_or_default() {
        let at = usize::from(*pair) * 2;
        // of the first pair perhaps only the second digit
        let skipped = usize::from(digits == used * 2 && *pair < 10 && digits > width);
        out.write_str(PAIRS.get(at + skipped..at + 2).unwrap_or_default())?;
        digits -= 2;
    }
    Ok(())
}

/// Java's `LocalTime`: `13:14`, `13:14:15`, and the fraction in groups of three digits.
pub fn write_iso_time(out: &mut dyn Write, ms: i64, nanos: u32) -> Result {
    let ms = ms.rem_euclid(DAY_MS);
    let fraction = nanos_of_second(ms, nanos);
    let seconds = ms / 1000 % 60;
    write_digits(out, (ms / 3_600_000).unsigned_abs(), 2)?;
    out.write_char(':')?;
    write_digits(out, (ms / 60_000 % 60).unsigned_abs(), 2)?;
    if seconds > 0 || fraction > 0 {
        out.write_char(':')?;
        write_digits(out, seconds.unsigned_abs(), 2)?;
    }
    write_groups(out, fraction)
}

/// Java's `LocalDateTime`: `2024-01-01T09:00`. Flink counts its days in an INT.
pub fn write_iso_timestamp(out: &mut dyn Write, ms: i64, nanos: u32) -> Result {
    write_iso_date(out, crate::number::wrap_integer(ms.div_euclid(DAY_MS), 32))?;
    out.write_char('T')?;
    write_iso_time(out, ms.rem_euclid(DAY_MS), nanos)
}

/// Java's `Instant`: `2024-01-01T09:00:00Z`, seconds always.
pub fn write_iso_instant(out: &mut dyn Write, ms: i64, nanos: u32) -> Result {
    write_iso_date(out, ms.div_euclid(DAY_MS))?;
    out.write_char('T')?;
    write_clock(out, ms.rem_euclid(DAY_MS))?;
    write_groups(out, nanos_of_second(ms, nanos))?;
    out.write_char('Z')
}

/// Java's `Duration`: `PT26H3M4.5S`.
pub fn write_iso_duration(out: &mut dyn Write, ms: i64) -> Result {
    if ms == 0 {
        return out.write_str("PT0S");
    }
    let seconds = ms / 1000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    out.write_str("PT")?;
    if hours != 0 {
        write!(out, "{hours}H")?;
    }
    if minutes != 0 {
        write!(out, "{minutes}M")?;
    }
    let (seconds, fraction) = (seconds % 60, (ms % 1000).unsigned_abs());
    if seconds == 0 && fraction == 0 {
        return Ok(());
    }
    let sign = if ms < 0 { "-" } else { "" };
    write!(out, "{sign}{}", seconds.unsigned_abs())?;
    if fraction > 0 {
        let digits = format!("{fraction:03}");
        write!(out, ".{}", digits.trim_end_matches('0'))?;
    }
    out.write_char('S')
}

/// Java's `Period` of months: `P27M`.
pub fn write_iso_period(out: &mut dyn Write, months: i64) -> Result {
    if months == 0 {
        out.write_str("P0D")
    } else {
        write!(out, "P{months}M")
    }
}

/// CAST of a timestamp to fewer digits: cut towards 1970.
///
/// Flink: `DateTimeUtils.truncate`, which looks at how many digits the nanoseconds of the second have when written
/// without leading zeros, and leaves short ones alone.
pub const fn truncate_timestamp(ms: i64, nanos: u32, precision: u8) -> (i64, u32) {
    let fraction = nanos_of_second(ms, nanos);
    let digits = if fraction == 0 { 1 } else { fraction.ilog10() + 1 };
    if digits <= precision as u32 {
        return (ms, nanos);
    }
    if precision <= 3 {
        let unit = 10_i64.pow(3 - precision as u32);
        return (ms / unit * unit, 0);
    }
    let unit = 10_u32.pow(9 - if precision > 9 { 9 } else { precision as u32 });
    (ms, nanos / unit * unit)
}

const fn nanos_of_second(ms: i64, nanos: u32) -> i64 {
    ms.rem_euclid(1000) * 1_000_000 + nanos as i64
}

/// `13:14:15` of milliseconds since midnight.
fn write_clock(out: &mut dyn Write, ms: i64) -> Result {
    write_digits(out, (ms / 3_600_000).unsigned_abs(), 2)?;
    for part in [ms / 60_000 % 60, ms / 1000 % 60] {
        out.write_char(':')?;
        write_digits(out, part.unsigned_abs(), 2)?;
    }
    Ok(())
}

/// A fraction of a second in as many groups of three digits as it needs.
fn write_groups(out: &mut dyn Write, nanos: i64) -> Result {
    let (number, width) = match nanos.unsigned_abs() {
        0 => return Ok(()),
        nanos if nanos % 1_000_000 == 0 => (nanos / 1_000_000, 3),
        nanos if nanos % 1000 == 0 => (nanos / 1000, 6),
        nanos => (nanos, 9),
    };
    out.write_char('.')?;
    write_digits(out, number, width)
}
