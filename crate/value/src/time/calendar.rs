//! The proleptic Gregorian calendar.

use super::DAY_MS;

/// A calendar date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// Astronomical year: 0 is the year before 1.
    pub year: i64,
    /// 1 … 12.
    pub month: u8,
    /// 1 … 31.
    pub day: u8,
}

impl Civil {
    /// A date of numbers that may lie outside of the calendar: month 14 is February of the next year.
    pub fn new(year: i64, month: i64, day: u8) -> Self {
        let months = year * 12 + month - 1;
        Self {
            year: months.div_euclid(12),
            month: byte(months.rem_euclid(12) + 1),
            day,
        }
    }
}

/// Days of an era of 400 years.
const ERA_DAYS: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_SHIFT: i64 = 719_468;

/// Days since 1970-01-01. The year starts in March here, so that the leap day comes last.
pub fn days_from_civil(date: Civil) -> i64 {
    let month = i64::from(date.month);
    let year = date.year - i64::from(month <= 2);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(date.day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    year.div_euclid(400) * ERA_DAYS + day_of_era - EPOCH_SHIFT
}

/// The date of a day number.
pub fn civil_from_days(days: i64) -> Civil {
    let shifted = days + EPOCH_SHIFT;
    let day_of_era = shifted.rem_euclid(ERA_DAYS);
    let leap_days = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / (ERA_DAYS - 1);
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let month = (march_month + 2) % 12 + 1;
    let year = shifted.div_euclid(ERA_DAYS) * 400 + year_of_era + i64::from(month <= 2);
    Civil {
        year,
        month: byte(month),
        day: byte(day_of_year - (153 * march_month + 2) / 5 + 1),
    }
}

/// Days of a month.
pub fn month_days(year: i64, month: u8) -> u8 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Moves a date by months; the day is cut to the month's length: Jan 31 plus a month is the end of February.
pub fn add_months_to_days(days: i64, months: i64) -> i64 {
    let from = civil_from_days(days);
    let to = Civil::new(from.year, i64::from(from.month).saturating_add(months), from.day);
    days_from_civil(Civil {
        day: to.day.min(month_days(to.year, to.month)),
        ..to
    })
}

/// Moves a wall clock in milliseconds by months; the time of day stays.
pub fn add_months(ms: i64, months: i64) -> i64 {
    let days = add_months_to_days(ms.div_euclid(DAY_MS), months);
    days.wrapping_mul(DAY_MS).wrapping_add(ms.rem_euclid(DAY_MS))
}

/// Whole months from one date to another (TIMESTAMPDIFF(MONTH, …) of dates), towards zero.
///
/// Flink: `DateTimeUtils.subtractMonths`; Jan 31 to Feb 29 is one month.
pub fn months_between_days(from: i64, to: i64) -> i64 {
    if to < from {
        return -months_between_days(to, from);
    }
    // No month is longer, so the first guess is at most the result.
    let mut months = (to - from) / 31;
    while add_months_to_days(from, months) < to && add_months_to_days(from, months + 1) <= to {
        months += 1;
    }
    months
}

/// Whole months from one wall clock to another (TIMESTAMPDIFF(MONTH, …)).
///
/// As in Flink the time of day counts only if the last month ends on the very day, and then in one direction only.
pub fn months_between(from_ms: i64, to_ms: i64) -> i64 {
    let (from, to) = (from_ms.div_euclid(DAY_MS), to_ms.div_euclid(DAY_MS));
    let months = months_between_days(from, to);
    let early = to_ms.rem_euclid(DAY_MS) < from_ms.rem_euclid(DAY_MS);
    months - i64::from(early && add_months_to_days(from, months) == to)
}

/// A number that is known to be small.
fn byte(number: i64) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn date(year: i64, month: u8, day: u8) -> Civil {
        Civil { year, month, day }
    }

    #[test]
    fn known_days() {
        for (civil, days) in [
            (date(1970, 1, 1), 0),
            (date(1969, 12, 31), -1),
            (date(2024, 2, 29), 19_782),
            (date(2000, 3, 1), 11_017),
            (date(1, 1, 1), -719_162),
            (date(0, 2, 29), -719_469),
            (date(9999, 12, 31), 2_932_896),
        ] {
            assert_eq!(days_from_civil(civil), days);
            assert_eq!(civil_from_days(days), civil);
        }
    }

    #[test]
    fn months_are_cut_to_the_end() {
        let add = |from, months| civil_from_days(add_months_to_days(days_from_civil(from), months));
        assert_eq!(add(date(2024, 1, 31), 1), date(2024, 2, 29));
        assert_eq!(add(date(2023, 12, 31), 14), date(2025, 2, 28));
        assert_eq!(add(date(2024, 1, 15), -13), date(2022, 12, 15));
        assert_eq!(add_months(-1, 1), add_months_to_days(-1, 1) * DAY_MS + DAY_MS - 1);
    }

    #[test]
    fn months_between_counts_whole_months() {
        let day = days_from_civil;
        assert_eq!(
            months_between_days(day(date(2024, 1, 31)), day(date(2024, 2, 29))),
            1
        );
        assert_eq!(
            months_between_days(day(date(2024, 1, 15)), day(date(2024, 2, 14))),
            0
        );
        assert_eq!(
            months_between_days(day(date(2024, 2, 15)), day(date(2024, 1, 14))),
            -1
        );
        let noon = 12 * 3_600_000;
        let (from, to) = (
            day(date(2024, 1, 15)) * DAY_MS + noon,
            day(date(2024, 2, 15)) * DAY_MS,
        );
        assert_eq!(months_between(from, to), 0);
        assert_eq!(months_between(from, to + noon), 1);
    }

    proptest! {
        #[test]
        fn every_day_has_one_date(days in -10_000_000_i64..10_000_000) {
            let civil = civil_from_days(days);
            prop_assert_eq!(days_from_civil(civil), days);
            prop_assert!(civil.day <= month_days(civil.year, civil.month));
        }
    }
}
