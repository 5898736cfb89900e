//! Fields of dates and times, and rounding to a unit.
//!
//! These repeat Flink's `DateTimeUtils` with its rough edges, which are named where they are. Where a rule says
//! "towards 1970" a moment before 1970 counts to the day after it (case: types/timestamp-precisions).

use super::{Civil, DAY_MS, calendar::days_from_civil, civil_from_days};

/// A unit that EXTRACT, FLOOR, CEIL, TIMESTAMPADD or TIMESTAMPDIFF knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TimeUnit {
    Millennium,
    Century,
    Decade,
    Year,
    IsoYear,
    Quarter,
    Month,
    Week,
    Day,
    DayOfYear,
    DayOfWeek,
    IsoDayOfWeek,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
    Epoch,
}

const WORDS: [(&str, TimeUnit); 19] = [
    ("MILLENNIUM", TimeUnit::Millennium),
    ("CENTURY", TimeUnit::Century),
    ("DECADE", TimeUnit::Decade),
    ("YEAR", TimeUnit::Year),
    ("ISOYEAR", TimeUnit::IsoYear),
    ("QUARTER", TimeUnit::Quarter),
    ("MONTH", TimeUnit::Month),
    ("WEEK", TimeUnit::Week),
    ("DAY", TimeUnit::Day),
    ("DOY", TimeUnit::DayOfYear),
    ("DOW", TimeUnit::DayOfWeek),
    ("ISODOW", TimeUnit::IsoDayOfWeek),
    ("HOUR", TimeUnit::Hour),
    ("MINUTE", TimeUnit::Minute),
    ("SECOND", TimeUnit::Second),
    ("MILLISECOND", TimeUnit::Millisecond),
    ("MICROSECOND", TimeUnit::Microsecond),
    ("NANOSECOND", TimeUnit::Nanosecond),
    ("EPOCH", TimeUnit::Epoch),
];

impl TimeUnit {
    /// The unit for a word of any case: `DOY`, `hour`, `SQL_TSI_DAY`.
    pub fn from_word(word: &str) -> Option<Self> {
        let upper = word.to_ascii_uppercase();
        let word = upper.strip_prefix("SQL_TSI_").unwrap_or(&upper);
        WORDS.iter().find(|(own, _)| *own == word).map(|(_, unit)| *unit)
    }

    /// The unit's word as Flink prints it: `DOY`, `HOUR`.
    pub fn word(self) -> &'static str {
        WORDS
            .iter()
            .find(|(_, own)| *own == self)
            .map_or("", |(word, _)| word)
    }

    /// Milliseconds of a unit of fixed length, WEEK … MILLISECOND.
    pub const fn fixed_ms(self) -> Option<i64> {
        match self {
            Self::Week => Some(7 * DAY_MS),
            Self::Day => Some(DAY_MS),
            Self::Hour => Some(3_600_000),
            Self::Minute => Some(60_000),
            Self::Second => Some(1_000),
            Self::Millisecond => Some(1),
            _ => None,
        }
    }

    /// Months of a unit of whole months, MILLENNIUM … MONTH.
    pub const fn fixed_months(self) -> Option<i64> {
        match self {
            Self::Millennium => Some(12_000),
            Self::Century => Some(1_200),
            Self::Decade => Some(120),
            Self::Year => Some(12),
            Self::Quarter => Some(3),
            Self::Month => Some(1),
            _ => None,
        }
    }
}

/// CAST(timestamp AS DATE): whole days towards 1970.
pub const fn date_from_timestamp(wall_ms: i64) -> i64 {
    wall_ms / DAY_MS
}

/// CAST(timestamp AS TIME(precision)); negative before 1970, as in Flink.
pub const fn time_from_timestamp(wall_ms: i64, precision: u8) -> i64 {
    truncate_time(wall_ms % DAY_MS, precision)
}

/// Cuts milliseconds of a day to the digits that TIME(precision) keeps.
pub const fn truncate_time(ms: i64, precision: u8) -> i64 {
    let unit = match precision {
        0 => 1000,
        1 => 100,
        2 => 10,
        _ => 1,
    };
    ms / unit * unit
}

/// EXTRACT(unit FROM timestamp) of a wall clock. Days count towards 1970; the time of day is negative before.
pub fn extract(unit: TimeUnit, wall_ms: i64, nanos: u32) -> i64 {
    match unit {
        TimeUnit::Epoch => wall_ms / 1000,
        TimeUnit::Microsecond => wall_ms % 1000 * 1000 + i64::from(nanos / 1000),
        TimeUnit::Nanosecond => wall_ms % 1000 * 1_000_000 + i64::from(nanos),
        TimeUnit::Hour | TimeUnit::Minute | TimeUnit::Second | TimeUnit::Millisecond => {
            extract_time(unit, wall_ms)
        }
        _ => extract_date(unit, wall_ms / DAY_MS),
    }
}

/// EXTRACT(unit FROM time), and of the time of day within a longer span of milliseconds.
pub const fn extract_time(unit: TimeUnit, ms: i64) -> i64 {
    match unit {
        TimeUnit::Hour => ms % DAY_MS / 3_600_000,
        TimeUnit::Minute => ms % 3_600_000 / 60_000,
        TimeUnit::Second => ms % 60_000 / 1000,
        TimeUnit::Millisecond => ms % 1000,
        TimeUnit::Microsecond => ms % 1000 * 1000,
        TimeUnit::Nanosecond => ms % 1000 * 1_000_000,
        TimeUnit::Epoch => ms / 1000,
        _ => 0,
    }
}

/// EXTRACT(unit FROM date).
pub fn extract_date(unit: TimeUnit, days: i64) -> i64 {
    let Civil { year, month, day } = civil_from_days(days);
    let (month, day) = (i64::from(month), i64::from(day));
    // The sign of the rounding follows the year, so that there is no century 0.
    let period = |years: i64| {
        if year > 0 {
            (year + years - 1) / years
        } else {
            (year - years + 1) / years
        }
    };
    match unit {
        TimeUnit::Millennium => period(1000),
        TimeUnit::Century => period(100),
        TimeUnit::Decade => year / 10,
        TimeUnit::Year => year,
        TimeUnit::IsoYear => iso_week(days).0,
        TimeUnit::Quarter => (month + 2) / 3,
        TimeUnit::Month => month,
        TimeUnit::Week => iso_week(days).1,
        TimeUnit::Day => day,
        TimeUnit::DayOfYear => days - first_day(year) + 1,
        TimeUnit::DayOfWeek => (days + 4).rem_euclid(7) + 1,
        TimeUnit::IsoDayOfWeek => iso_day_of_week(days),
        TimeUnit::Epoch => days * 86_400,
        TimeUnit::Hour
        | TimeUnit::Minute
        | TimeUnit::Second
        | TimeUnit::Millisecond
        | TimeUnit::Microsecond
        | TimeUnit::Nanosecond => 0,
    }
}

/// EXTRACT(unit FROM interval of days and times).
pub const fn extract_interval_ms(unit: TimeUnit, ms: i64) -> i64 {
    match unit {
        TimeUnit::Day => ms / DAY_MS,
        _ => extract_time(unit, ms),
    }
}

/// EXTRACT(unit FROM interval of years and months).
pub const fn extract_interval_months(unit: TimeUnit, months: i64) -> i64 {
    match unit {
        TimeUnit::Millennium => months / 12_000,
        TimeUnit::Century => months / 1_200,
        TimeUnit::Decade => months / 120,
        TimeUnit::Year => months / 12,
        TimeUnit::Quarter => (months % 12 - 1) / 3 + 1,
        _ => months % 12,
    }
}

/// FLOOR(wall clock TO unit) in milliseconds. Weeks start on Sunday.
pub fn floor(unit: TimeUnit, wall_ms: i64) -> i64 {
    match unit {
        TimeUnit::Week => {}
        _ => {
            if let Some(length) = unit.fixed_ms() {
                return wall_ms.div_euclid(length) * length;
            }
        }
    }
    floor_date(unit, wall_ms / DAY_MS) * DAY_MS
}

/// CEIL(wall clock TO unit) in milliseconds.
///
/// As in Flink the units from WEEK up look at the date only: noon of January 1st is its own ceiling to YEAR.
pub fn ceil(unit: TimeUnit, wall_ms: i64) -> i64 {
    match unit {
        TimeUnit::Week => {}
        _ => {
            if let Some(length) = unit.fixed_ms() {
                return -(-wall_ms).div_euclid(length) * length;
            }
        }
    }
    ceil_date(unit, wall_ms / DAY_MS) * DAY_MS
}

/// FLOOR(date TO unit).
pub fn floor_date(unit: TimeUnit, days: i64) -> i64 {
    let Civil { year, month, .. } = rounding_date(days);
    match unit {
        TimeUnit::Millennium => first_day(1000 * ((year + 999) / 1000) - 999),
        TimeUnit::Century => first_day(100 * ((year + 99) / 100) - 99),
        TimeUnit::Decade => first_day(10 * (year / 10)),
        TimeUnit::Year => first_day(year),
        TimeUnit::Quarter => first_of_month(year, (i64::from(month) + 2) / 3 * 3 - 2),
        TimeUnit::Month => first_of_month(year, month.into()),
        TimeUnit::Week => days_from_civil(rounding_date(days)) - (days + 4).rem_euclid(7),
        _ => days,
    }
}

/// CEIL(date TO unit).
///
/// As in Flink the first day of a quarter is its own ceiling only in the first quarter, and no day is its own to DAY.
pub fn ceil_date(unit: TimeUnit, days: i64) -> i64 {
    let Civil { year, month, day } = rounding_date(days);
    let month = i64::from(month);
    let within_year = i64::from(month > 1 || day > 1);
    match unit {
        TimeUnit::Millennium => first_day(1000 * ((year + 999) / 1000) + 1),
        TimeUnit::Century => first_day(100 * ((year + 99) / 100) + 1),
        TimeUnit::Decade => first_day(10 * (1 + year / 10)),
        TimeUnit::Year => first_day(year + within_year),
        TimeUnit::Quarter => first_of_month(year, ((month + 2) / 3 + within_year) * 3 - 2),
        TimeUnit::Month => first_of_month(year, month + i64::from(day > 1)),
        TimeUnit::Week => {
            let day_of_week = (days + 4).rem_euclid(7);
            days_from_civil(rounding_date(days)) + if day_of_week > 0 { 7 - day_of_week } else { 0 }
        }
        TimeUnit::Day => days + 1,
        _ => days,
    }
}

/// The date that FLOOR and CEIL look at: before 1582-10-15 Flink reads the day number in the Julian calendar.
fn rounding_date(days: i64) -> Civil {
    const FIRST_GREGORIAN: i64 = -141_427;
    if days >= FIRST_GREGORIAN {
        return civil_from_days(days);
    }
    let shifted = days + 2_440_588 + 32_082;
    let years = (4 * shifted + 3) / 1461;
    let day_of_year = shifted - 1461 * years / 4;
    let month = (5 * day_of_year + 2) / 153;
    let day = u8::try_from(day_of_year - (153 * month + 2) / 5 + 1).unwrap_or(1);
    Civil::new(years - 4800 + month / 10, month + 3 - 12 * (month / 10), day)
}

fn first_day(year: i64) -> i64 {
    first_of_month(year, 1)
}

/// Month 13 is January of the next year.
fn first_of_month(year: i64, month: i64) -> i64 {
    days_from_civil(Civil::new(year, month, 1))
}

/// 1 Monday … 7 Sunday.
const fn iso_day_of_week(days: i64) -> i64 {
    (days + 3).rem_euclid(7) + 1
}

/// ISO year and week: the week belongs to the year of its Thursday.
fn iso_week(days: i64) -> (i64, i64) {
    let thursday = days + 4 - iso_day_of_week(days);
    let year = civil_from_days(thursday).year;
    (year, (thursday - first_day(year)) / 7 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{parse_date, parse_timestamp};

    fn wall(text: &str) -> (i64, u32) {
        parse_timestamp(text, 9).unwrap()
    }

    fn unit(word: &str) -> TimeUnit {
        TimeUnit::from_word(word).unwrap()
    }

    /// Executed examples of Flink.
    #[test]
    fn fields_of_a_timestamp() {
        let (ms, nanos) = wall("2024-03-15 13:14:15.678");
        for (word, expected) in [
            ("YEAR", 2024),
            ("QUARTER", 1),
            ("MONTH", 3),
            ("WEEK", 11),
            ("DAY", 15),
            ("DOY", 75),
            ("DOW", 6),
            ("ISODOW", 5),
            ("ISOYEAR", 2024),
            ("HOUR", 13),
            ("MINUTE", 14),
            ("SECOND", 15),
            ("MILLISECOND", 678),
            ("MICROSECOND", 678_000),
            ("NANOSECOND", 678_000_000),
            ("EPOCH", 1_710_508_455),
            ("DECADE", 202),
            ("CENTURY", 21),
            ("MILLENNIUM", 3),
        ] {
            assert_eq!(extract(unit(word), ms, nanos), expected, "{word}");
            assert_eq!(unit(word).word(), word);
        }
        let (ms, nanos) = wall("1969-12-31 23:00:00.000000001");
        assert_eq!(extract(TimeUnit::Day, ms, nanos), 1);
        assert_eq!(extract(TimeUnit::Hour, ms, nanos), -1);
    }

    #[test]
    fn fields_of_dates_times_and_intervals() {
        let day = parse_date("2006-06-05").unwrap();
        assert_eq!(extract_date(TimeUnit::Day, day), 5);
        assert_eq!(extract_date(TimeUnit::Epoch, 1), 86_400);
        assert_eq!(
            extract_date(TimeUnit::IsoYear, parse_date("2021-01-03").unwrap()),
            2020
        );
        assert_eq!(
            extract_date(TimeUnit::Week, parse_date("2021-01-03").unwrap()),
            53
        );
        assert_eq!(
            extract_date(TimeUnit::IsoYear, parse_date("2024-12-30").unwrap()),
            2025
        );
        assert_eq!(extract_time(TimeUnit::Hour, 47_655_000), 13);
        assert_eq!(extract_interval_ms(TimeUnit::Day, 10 * DAY_MS + 18_000_000), 10);
        assert_eq!(extract_interval_ms(TimeUnit::Hour, 10 * DAY_MS + 18_000_000), 5);
        assert_eq!(extract_interval_months(TimeUnit::Year, 27), 2);
        assert_eq!(extract_interval_months(TimeUnit::Month, 27), 3);
    }

    /// Executed examples of Flink.
    #[test]
    fn floor_and_ceil_of_a_timestamp() {
        let at = wall("2024-03-15 13:14:15.678").0;
        for (word, floored, ceiled) in [
            ("YEAR", "2024-01-01 00:00:00", "2025-01-01 00:00:00"),
            ("QUARTER", "2024-01-01 00:00:00", "2024-04-01 00:00:00"),
            ("MONTH", "2024-03-01 00:00:00", "2024-04-01 00:00:00"),
            ("WEEK", "2024-03-10 00:00:00", "2024-03-17 00:00:00"),
            ("DAY", "2024-03-15 00:00:00", "2024-03-16 00:00:00"),
            ("HOUR", "2024-03-15 13:00:00", "2024-03-15 14:00:00"),
            ("MINUTE", "2024-03-15 13:14:00", "2024-03-15 13:15:00"),
            ("SECOND", "2024-03-15 13:14:15", "2024-03-15 13:14:16"),
            (
                "MILLISECOND",
                "2024-03-15 13:14:15.678",
                "2024-03-15 13:14:15.678",
            ),
            ("DECADE", "2020-01-01 00:00:00", "2030-01-01 00:00:00"),
            ("CENTURY", "2001-01-01 00:00:00", "2101-01-01 00:00:00"),
            ("MILLENNIUM", "2001-01-01 00:00:00", "3001-01-01 00:00:00"),
        ] {
            assert_eq!(floor(unit(word), at), wall(floored).0, "{word}");
            assert_eq!(ceil(unit(word), at), wall(ceiled).0, "{word}");
        }
        let sunday = wall("2024-03-17").0;
        assert_eq!(floor(TimeUnit::Week, sunday), sunday);
        assert_eq!(ceil(TimeUnit::Week, sunday), sunday);
    }

    #[test]
    fn rough_edges_of_ceil() {
        let date = |text| parse_date(text).unwrap();
        assert_eq!(
            ceil_date(TimeUnit::Quarter, date("2024-04-01")),
            date("2024-07-01")
        );
        assert_eq!(
            ceil_date(TimeUnit::Quarter, date("2024-01-01")),
            date("2024-01-01")
        );
        assert_eq!(ceil_date(TimeUnit::Day, date("2024-01-01")), date("2024-01-02"));
        let noon = wall("2024-01-01 12:00:00").0;
        assert_eq!(ceil(TimeUnit::Year, noon), wall("2024-01-01").0);
    }

    #[test]
    fn casts_cut_towards_1970() {
        assert_eq!(date_from_timestamp(-1), 0);
        assert_eq!(time_from_timestamp(-1, 0), 0);
        assert_eq!(
            date_from_timestamp(wall("2024-01-01 23:59:59.999").0),
            parse_date("2024-01-01").unwrap()
        );
        assert_eq!(
            time_from_timestamp(wall("2024-01-01 23:59:59.999").0, 1),
            86_399_900
        );
    }
}
