//! Dates, times and timestamps from text: CAST's forms and those of the JSON format.

use super::{Civil, DAY_MS, days_from_civil, month_days, truncate_time};
use crate::number::trim_java;

/// A text that is no date or time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateError {
    /// What Flink's exception says.
    pub message: String,
}

/// CAST(text AS DATE): days since 1970-01-01.
///
/// Takes `2024-1-5`, `2024-01`, `2024`; what follows a blank is ignored (case: types/string-casts).
pub fn parse_date(text: &str) -> Result<i64, DateError> {
    let error = || DateError {
        message: format!("For input string: '{text}'."),
    };
    let date = match text.find(' ') {
        Some(blank) if blank > 0 => text.get(..blank).unwrap_or(text),
        _ => text,
    };
    let mut parts = date.splitn(3, '-').map(|part| digits(trim_java(part)));
    let mut next = |default| parts.next().unwrap_or(Digits::Number(default)).number();
    let (year, month, day) = (next(0)?, next(1)?, next(1)?);
    let (Some(year), Some(month), Some(day)) = (year, month, day) else {
        return Err(error());
    };
    let (Ok(month), Ok(day)) = (u8::try_from(month), u8::try_from(day)) else {
        return Err(error());
    };
    let valid = year <= 9999 && (1..=12).contains(&month) && (1..=month_days(year, month)).contains(&day);
    if valid {
        Ok(days_from_civil(Civil { year, month, day }))
    } else {
        Err(error())
    }
}

/// CAST(text AS TIME(precision)): milliseconds since midnight.
///
/// Takes `12`, `12:34`, `12:34:56.789` with blanks around the parts. An offset behind it is added (`+`) or taken off (`-`),
/// and may lead out of the day: so does Flink's `DateTimeUtils.parseTime`.
pub fn parse_time(text: &str, precision: u8) -> Result<i64, DateError> {
    let error = || DateError {
        message: format!(
            "Invalid time format: '{text}'. Expected format: HH:mm:ss[.fff] where HH is 00-23, mm is 00-59, ss is 00-59"
        ),
    };
    let sign = text.find('-').or_else(|| text.find('+'));
    let (clock, offset) = match sign.and_then(|at| text.split_at_checked(at)) {
        Some((clock, zone)) => {
            let direction = if zone.starts_with('-') { -1 } else { 1 };
            let mut parts = zone
                .get(1..)
                .unwrap_or("")
                .splitn(2, ':')
                .map(|part| digits(trim_java(part)));
            let mut next = || parts.next().unwrap_or(Digits::Number(0)).number();
            let (Some(hours), Some(minutes)) = (next()?, next()?) else {
                return Err(error());
            };
            (clock, direction * (hours * 3_600_000 + minutes * 60_000))
        }
        None => (text, 0),
    };
    let mut parts = clock.splitn(3, ':');
    let mut next = || parts.next().map(trim_java);
    let hour = digits(next().unwrap_or("")).number()?;
    let minute = next().map_or(Digits::Number(0), digits).number()?;
    let (second, fraction) = next().map_or(("0", ""), |part| part.split_once('.').unwrap_or((part, "")));
    let second = digits(trim_java(second)).number()?;
    let (Some(hour @ 0..24), Some(minute @ 0..60), Some(second @ 0..60)) = (hour, minute, second) else {
        return Err(error());
    };
    let ms = hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction_ms(trim_java(fraction)) + offset;
    // Flink calculates in INT.
    Ok(truncate_time(crate::number::wrap_integer(ms, 32), precision))
}

/// Three digits of a fraction, the fourth rounds; anything but a digit counts as zero.
fn fraction_ms(text: &str) -> i64 {
    let digit = |at: usize| {
        text.chars()
            .nth(at)
            .filter(char::is_ascii_digit)
            .map_or(0, |digit| i64::from(digit as u8 - b'0'))
    };
    let round = text.chars().nth(3).is_some_and(|next| next >= '5');
    digit(0) * 100 + digit(1) * 10 + digit(2) + i64::from(round)
}

/// CAST(text AS TIMESTAMP(precision)): milliseconds and nanoseconds of the wall clock; further digits are cut.
///
/// Takes `2024-1-5` and `2024-01-05 10:00:00[.fraction]`; a day up to 31 is cut to the month's end.
pub fn parse_timestamp(text: &str, precision: u8) -> Result<(i64, u32), DateError> {
    let mut reader = Reader::new(text);
    let fields = (|| {
        let mut fields = Fields {
            year: reader.year()?,
            ..Fields::default()
        };
        reader.literal('-')?;
        fields.month = reader.two_or_more().unwrap_or(1);
        reader.literal('-')?;
        fields.day = reader.two_or_more().unwrap_or(1);
        let date_end = reader.at;
        if reader.loose_clock(&mut fields).is_err() {
            reader.at = date_end;
            fields = Fields {
                year: fields.year,
                month: fields.month,
                day: fields.day,
                ..Fields::default()
            };
        }
        reader.end()?;
        Ok(fields)
    })();
    let fields = fields.map_err(|failure: Failure| failure.error(text))?;
    if fields.year < 1 {
        let range = "YearOfEra (valid values 1 - 999999999/1000000000)";
        return Err(invalid(
            text,
            &format!("Invalid value for {range}: {}", fields.year),
        ));
    }
    let (ms, nanos) = fields.resolve(text)?;
    let unit = 10_u32.pow(9 - u32::from(precision.min(9)));
    let nanos = nanos / unit * unit;
    Ok((ms + i64::from(nanos / 1_000_000), nanos % 1_000_000))
}

/// A TIMESTAMP of the JSON format: `2024-01-05 10:00:00[.fraction]`, with `Z` behind it for `TIMESTAMP_LTZ`.
pub fn parse_sql_timestamp(text: &str, zulu: bool) -> Result<(i64, u32), DateError> {
    let mut reader = Reader::new(text);
    let fields = (|| {
        let mut fields = Fields::default();
        reader.iso_date(&mut fields)?;
        reader.literal(' ')?;
        reader.strict_clock(&mut fields)?;
        if zulu {
            reader.literal('Z')?;
        }
        reader.end()?;
        Ok(fields)
    })();
    let (ms, nanos) = fields
        .map_err(|failure: Failure| failure.error(text))?
        .resolve(text)?;
    Ok((ms + i64::from(nanos / 1_000_000), nanos % 1_000_000))
}

/// A DATE of the JSON format: `2024-01-05`; the day must exist.
pub fn parse_iso_date(text: &str) -> Result<i64, DateError> {
    let mut reader = Reader::new(text);
    let mut fields = Fields::default();
    reader
        .iso_date(&mut fields)
        .and_then(|()| reader.end())
        .map_err(|failure| failure.error(text))?;
    let (month, day) = fields.month_and_day(text)?;
    if day > month_days(fields.year, month) {
        let message = if (month, day) == (2, 29) {
            format!(
                "Invalid date 'February 29' as '{}' is not a leap year",
                fields.year
            )
        } else {
            let names = ["FEBRUARY", "APRIL", "JUNE", "SEPTEMBER", "NOVEMBER"];
            let name = names
                .get(match month {
                    2 => 0,
                    4 => 1,
                    6 => 2,
                    9 => 3,
                    _ => 4,
                })
                .unwrap_or(&"");
            format!("Invalid date '{name} {day}'")
        };
        return Err(invalid(text, &message));
    }
    Ok(days_from_civil(Civil {
        year: fields.year,
        month,
        day,
    }))
}

/// A TIME of the JSON format: `10:00:00[.fraction]`, in milliseconds.
pub fn parse_sql_time(text: &str) -> Result<i64, DateError> {
    let mut reader = Reader::new(text);
    let mut fields = Fields::default();
    reader
        .strict_clock(&mut fields)
        .and_then(|()| reader.end())
        .map_err(|failure| failure.error(text))?;
    let (ms, nanos) = fields.clock(text)?;
    Ok((ms + i64::from(nanos / 1_000_000)) % DAY_MS)
}

fn invalid(text: &str, why: &str) -> DateError {
    DateError {
        message: format!("Text '{}' could not be parsed: {why}", abbreviated(text)),
    }
}

/// As `DateTimeParseException` quotes: at most 64 characters.
fn abbreviated(text: &str) -> String {
    if text.chars().count() > 64 {
        text.chars().take(64).chain("...".chars()).collect()
    } else {
        text.to_owned()
    }
}

/// A part that should consist of digits.
enum Digits {
    Number(i64),
    None,
    /// More than an INT holds: Java's own exception.
    TooLarge(String),
}

fn digits(text: &str) -> Digits {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Digits::None;
    }
    text.parse::<i32>().map_or_else(
        |_| Digits::TooLarge(text.to_owned()),
        |number| Digits::Number(number.into()),
    )
}

impl Digits {
    fn number(self) -> Result<Option<i64>, DateError> {
        match self {
            Self::Number(number) => Ok(Some(number)),
            Self::None => Ok(None),
            Self::TooLarge(text) => Err(DateError {
                message: format!("For input string: \"{text}\""),
            }),
        }
    }
}

/// Why a formatter of Java gives up, and at which character.
enum Failure {
    At(usize),
    Unparsed(usize),
}

impl Failure {
    fn error(&self, text: &str) -> DateError {
        let (how, at) = match self {
            Self::At(at) => (" could not be parsed at index", at),
            Self::Unparsed(at) => (" could not be parsed, unparsed text found at index", at),
        };
        DateError {
            message: format!("Text '{}'{how} {at}", abbreviated(text)),
        }
    }
}

/// Numbers as they stand in the text.
struct Fields {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    nanos: u32,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            year: 1970,
            month: 1,
            day: 1,
            hour: 0,
            minute: 0,
            second: 0,
            nanos: 0,
        }
    }
}

impl Fields {
    /// Milliseconds of whole seconds, and the nanoseconds of the second. A day beyond the month's end is cut (Java's
    /// "smart" resolver), 24:00:00 is the next day.
    fn resolve(&self, text: &str) -> Result<(i64, u32), DateError> {
        let (month, day) = self.month_and_day(text)?;
        let date = Civil {
            year: self.year,
            month,
            day: day.min(month_days(self.year, month)),
        };
        let (clock, nanos) = self.clock(text)?;
        Ok((days_from_civil(date) * DAY_MS + clock, nanos))
    }

    fn month_and_day(&self, text: &str) -> Result<(u8, u8), DateError> {
        let Ok(month @ 1..=12) = u8::try_from(self.month) else {
            return Err(out_of_range(
                text,
                "MonthOfYear (valid values 1 - 12)",
                self.month,
            ));
        };
        let Ok(day @ 1..=31) = u8::try_from(self.day) else {
            return Err(out_of_range(
                text,
                "DayOfMonth (valid values 1 - 28/31)",
                self.day,
            ));
        };
        Ok((month, day))
    }

    fn clock(&self, text: &str) -> Result<(i64, u32), DateError> {
        if (self.hour, self.minute, self.second, self.nanos) == (24, 0, 0, 0) {
            return Ok((DAY_MS, 0));
        }
        for (field, value, limit) in [
            ("HourOfDay", self.hour, 24),
            ("MinuteOfHour", self.minute, 60),
            ("SecondOfMinute", self.second, 60),
        ] {
            if !(0..limit).contains(&value) {
                return Err(out_of_range(
                    text,
                    &format!("{field} (valid values 0 - {})", limit - 1),
                    value,
                ));
            }
        }
        Ok((
            self.hour * 3_600_000 + self.minute * 60_000 + self.second * 1000,
            self.nanos,
        ))
    }
}

fn out_of_range(text: &str, field: &str, value: i64) -> DateError {
    invalid(text, &format!("Invalid value for {field}: {value}"))
}

/// Reads a text as Java's `DateTimeFormatter` does. Positions count UTF-16 units.
struct Reader {
    units: Vec<u16>,
    at: usize,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self {
            units: text.encode_utf16().collect(),
            at: 0,
        }
    }

    fn peek(&self) -> Option<char> {
        self.units
            .get(self.at)
            .and_then(|unit| char::from_u32(u32::from(*unit)))
    }

    fn literal(&mut self, expected: char) -> Result<(), Failure> {
        if self.peek() == Some(expected) {
            self.at += 1;
            Ok(())
        } else {
            Err(Failure::At(self.at))
        }
    }

    fn end(&self) -> Result<(), Failure> {
        if self.at == self.units.len() {
            Ok(())
        } else {
            Err(Failure::Unparsed(self.at))
        }
    }

    /// Up to `most` digits; how many there were, and their number.
    fn digits(&mut self, most: usize) -> (usize, i64) {
        let (start, mut number) = (self.at, 0_i64);
        while self.at - start < most
            && let Some(digit) = self.peek().and_then(|unit| unit.to_digit(10))
        {
            number = number.saturating_mul(10).saturating_add(i64::from(digit));
            self.at += 1;
        }
        (self.at - start, number)
    }

    /// Exactly `width` digits.
    fn fixed(&mut self, width: usize) -> Result<i64, Failure> {
        let start = self.at;
        let (count, number) = self.digits(width);
        if count == width {
            return Ok(number);
        }
        self.at = start;
        Err(Failure::At(start))
    }

    /// Four digits, or more with a sign in front (`SignStyle.EXCEEDS_PAD`).
    fn year(&mut self) -> Result<i64, Failure> {
        let start = self.at;
        let sign = self.peek().filter(|unit| matches!(unit, '+' | '-'));
        self.at += usize::from(sign.is_some());
        let first = self.at;
        let (count, number) = self.digits(19);
        match (sign, count) {
            (_, 0..=3) => Err(Failure::At(first)),
            (Some('-'), _) if number == 0 => Err(Failure::At(start)),
            (Some('-'), _) => Ok(-number),
            (Some(_), 4) | (None, 5..) => Err(Failure::At(start)),
            _ => Ok(number),
        }
    }

    /// The pattern `[MM][M]`: two digits, any number of digits, both (then equal), or nothing.
    fn two_or_more(&mut self) -> Option<i64> {
        let two = self.fixed(2).ok();
        let start = self.at;
        let negative = self.peek() == Some('-');
        self.at += usize::from(negative);
        let (count, number) = self.digits(19);
        let number = if negative { -number } else { number };
        if count == 0 || (negative && number == 0) || two.is_some_and(|two| two != number) {
            self.at = start;
            return two;
        }
        Some(number)
    }

    /// `[.fraction]` of up to nine digits, in nanoseconds.
    fn fraction(&mut self) -> u32 {
        if self.literal('.').is_err() {
            return 0;
        }
        let (count, number) = self.digits(9);
        let missing = u32::try_from(9 - count).unwrap_or(0);
        u32::try_from(number * 10_i64.pow(missing)).unwrap_or(0)
    }

    /// The pattern ` [HH][H]:[mm][m]:[ss][s]` and a fraction.
    fn loose_clock(&mut self, fields: &mut Fields) -> Result<(), Failure> {
        self.literal(' ')?;
        fields.hour = self.two_or_more().unwrap_or(0);
        self.literal(':')?;
        fields.minute = self.two_or_more().unwrap_or(0);
        self.literal(':')?;
        fields.second = self.two_or_more().unwrap_or(0);
        fields.nanos = self.fraction();
        Ok(())
    }

    /// `HH:mm:ss` and a fraction.
    fn strict_clock(&mut self, fields: &mut Fields) -> Result<(), Failure> {
        fields.hour = self.fixed(2)?;
        self.literal(':')?;
        fields.minute = self.fixed(2)?;
        self.literal(':')?;
        fields.second = self.fixed(2)?;
        fields.nanos = self.fraction();
        Ok(())
    }

    /// `yyyy-MM-dd`.
    fn iso_date(&mut self, fields: &mut Fields) -> Result<(), Failure> {
        fields.year = self.year()?;
        self.literal('-')?;
        fields.month = self.fixed(2)?;
        self.literal('-')?;
        fields.day = self.fixed(2)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
