//! Java's patterns of dates and times (`yyyy-MM-dd HH:mm:ss.SSS`), English, for writing and reading.
//!
//! Weeks are those of the US locale: they begin on Sunday, and week 1 has January 1st.

use std::fmt::Write;

use sg_value::time::{Civil, DAY_MS, TimeUnit, civil_from_days, days_from_civil, extract_date};

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
enum Item {
    /// A letter and how often it stands there.
    Field(char, usize),
    /// Text that stands for itself.
    Text(String),
    /// `[` and `]`: what is between may be missing when reading.
    OptionalStart,
    OptionalEnd,
}

/// A wall clock to be written.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// Milliseconds as if in UTC.
    pub(super) wall_ms: i64,
    /// Nanoseconds within the millisecond.
    pub(super) nanos: u32,
    /// Offset of the zone and its name, where there is one.
    pub(super) offset_ms: Option<i64>,
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) wall_ms: i64,
    pub(super) nanos: u32,
    /// An offset that the text itself gives.
    pub(super) offset_ms: Option<i64>,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];
const QUARTERS: [&str; 4] = ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"];

const LETTERS: &str = "GuyDMLdQqYwWEecFahKkHmsSAnNVzOXxZp";
/// Letters that need an offset or a zone.
const ZONED: &str = "VzOXxZ";

impl Pattern {
    /// Compiles a pattern; the text of Java's exception where it is none.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let mut items = Vec::new();
        let mut rest = text.chars().peekable();
        while let Some(letter) = rest.next() {
            match letter {
                '\'' => items.push(Item::Text(quoted(&mut rest).ok_or_else(|| {
                    format!("Pattern ends with an incomplete string literal: {text}")
                })?)),
                '[' => items.push(Item::OptionalStart),
                ']' => items.push(Item::OptionalEnd),
                '{' | '}' | '#' => return Err(format!("Pattern includes reserved character: '{letter}'")),
                letter if letter.is_ascii_alphabetic() => {
                    if !LETTERS.contains(letter) {
                        return Err(format!("Unknown pattern letter: {letter}"));
                    }
                    let mut count = 1;
                    while rest.next_if_eq(&letter).is_some() {
                        count += 1;
                    }
                    items.push(Item::Field(letter, count));
                }
                other => items.push(Item::Text(other.to_string())),
            }
        }
        Ok(Self { items })
    }

    /// Writes a wall clock; the text of Java's exception where a field is not there.
    pub(super) fn write(&self, clock: Clock) -> Result<String, String> {
        let mut out = String::new();
        for item in &self.items {
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Field(letter, count) => write_field(&mut out, *letter, *count, clock)?,
                Item::OptionalStart | Item::OptionalEnd => {}
            }
        }
        Ok(out)
    }

    /// Reads a text; `None` where it does not follow the pattern. `whole`: nothing may follow.
    pub(super) fn read(&self, text: &str, whole: bool) -> Option<Parsed> {
        let mut fields = Fields::default();
        let rest = read_items(&self.items, text, &mut fields)?;
        if whole && !rest.is_empty() {
            return None;
        }
        fields.resolve()
    }
}

/// A quoted text, or the quote itself where two stand together.
fn quoted(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    let mut text = String::new();
    if rest.next_if_eq(&'\'').is_some() {
        return Some("'".to_owned());
    }
    loop {
        match rest.next()? {
            '\'' if rest.next_if_eq(&'\'').is_some() => text.push('\''),
            '\'' => return Some(text),
            other => text.push(other),
        }
    }
}

fn padded(out: &mut String, number: i64, width: usize) {
    let sign = if number < 0 { "-" } else { "" };
    // Writing to a String cannot fail.
    let _ignored = write!(out, "{sign}{:0>width$}", number.unsigned_abs());
}

fn name<const N: usize>(names: &[&'static str; N], at: i64) -> &'static str {
    usize::try_from(at)
        .ok()
        .and_then(|at| names.get(at).copied())
        .unwrap_or("")
}

fn short(text: &str, count: usize) -> &str {
    match count {
        0..=3 => text.get(..3).unwrap_or(text),
        4 => text,
        _ => text.get(..1).unwrap_or(text),
    }
}

fn write_field(out: &mut String, letter: char, count: usize, clock: Clock) -> Result<(), String> {
    if ZONED.contains(letter) {
        let Some(offset_ms) = clock.offset_ms else {
            return Err(if matches!(letter, 'V' | 'z') {
                "Unable to extract ZoneId from temporal".to_owned()
            } else {
                "Unsupported field: OffsetSeconds".to_owned()
            });
        };
        write_offset(out, offset_ms, letter, count);
        return Ok(());
    }
    let days = clock.wall_ms.div_euclid(DAY_MS);
    let time_ms = clock.wall_ms.rem_euclid(DAY_MS);
    let date = civil_from_days(days);
    let (year, month, day) = (date.year, i64::from(date.month), i64::from(date.day));
    let hour = time_ms / 3_600_000;
    let nano_of_second = time_ms % 1_000 * 1_000_000 + i64::from(clock.nanos);
    let weekday = extract_date(TimeUnit::DayOfWeek, days);
    match letter {
        'G' => out.push_str(if year > 0 {
            if count == 4 { "Anno Domini" } else { "AD" }
        } else {
            "BC"
        }),
        'u' => write_year(out, year, count),
        'y' => write_year(out, if year > 0 { year } else { 1 - year }, count),
        'Y' => write_year(out, week_year(days).0, count),
        'D' => padded(out, extract_date(TimeUnit::DayOfYear, days), count),
        'M' | 'L' if count <= 2 => padded(out, month, count),
        'M' | 'L' => out.push_str(short(name(&MONTHS, month - 1), count)),
        'd' => padded(out, day, count),
        'Q' | 'q' => match count {
            1 | 2 => padded(out, (month + 2) / 3, count),
            3 => {
                out.push('Q');
                padded(out, (month + 2) / 3, 1);
            }
            _ => out.push_str(name(&QUARTERS, (month - 1) / 3)),
        },
        'w' => padded(out, week_year(days).1, count),
        'W' => padded(out, (day + 6 + first_weekday(days, day)) / 7, count),
        'F' => padded(out, (day - 1) / 7 + 1, count),
        'E' => out.push_str(short(name(&DAYS, weekday - 1), count)),
        'e' | 'c' if count <= 2 => padded(out, weekday, count),
        'e' | 'c' => out.push_str(short(name(&DAYS, weekday - 1), count)),
        'a' => out.push_str(if hour < 12 { "AM" } else { "PM" }),
        'h' => padded(out, (hour + 11) % 12 + 1, count),
        'K' => padded(out, hour % 12, count),
        'k' => padded(out, (hour + 23) % 24 + 1, count),
        'H' => padded(out, hour, count),
        'm' => padded(out, time_ms / 60_000 % 60, count),
        's' => padded(out, time_ms / 1_000 % 60, count),
        'S' => {
            let digits = format!("{nano_of_second:09}");
            out.extend(digits.chars().chain(std::iter::repeat('0')).take(count));
        }
        'n' => padded(out, nano_of_second, count),
        'A' => padded(out, time_ms, count),
        'N' => padded(out, time_ms * 1_000_000 + i64::from(clock.nanos), count),
        _ => {}
    }
    Ok(())
}

fn write_year(out: &mut String, year: i64, count: usize) {
    if count == 2 {
        padded(out, year.rem_euclid(100), 2);
    } else {
        padded(out, year, count);
    }
}

fn write_offset(out: &mut String, offset_ms: i64, letter: char, count: usize) {
    let minutes = offset_ms / 60_000;
    if letter == 'X' && minutes == 0 {
        out.push('Z');
        return;
    }
    let sign = if minutes < 0 { '-' } else { '+' };
    let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
    let colon = matches!((letter, count), ('X' | 'x', 3 | 5) | ('Z', 5));
    // Writing to a String cannot fail.
    let _ignored = if count == 1 && matches!(letter, 'X' | 'x') && rest == 0 {
        write!(out, "{sign}{hours:02}")
    } else if colon {
        write!(out, "{sign}{hours:02}:{rest:02}")
    } else {
        write!(out, "{sign}{hours:02}{rest:02}")
    };
}

/// 0 for Sunday: the weekday of the first of the month.
fn first_weekday(days: i64, day: i64) -> i64 {
    (days - (day - 1) + 4).rem_euclid(7)
}

/// Year and week of the US calendar.
fn week_year(days: i64) -> (i64, i64) {
    let year = civil_from_days(days).year;
    let start = |year: i64| {
        let first = days_from_civil(Civil {
            year,
            month: 1,
            day: 1,
        });
        first - (first + 4).rem_euclid(7)
    };
    let of = if days >= start(year + 1) { year + 1 } else { year };
    (of, (days - start(of)) / 7 + 1)
}

/// What has been read so far.
#[derive(Clone, Debug, Default)]
struct Fields {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    hour: Option<i64>,
    half_hour: Option<i64>,
    afternoon: Option<bool>,
    minute: Option<i64>,
    second: Option<i64>,
    nano: Option<i64>,
    offset_ms: Option<i64>,
}

fn read_items<'t>(items: &[Item], text: &'t str, fields: &mut Fields) -> Option<&'t str> {
    let mut rest = text;
    let mut at = 0;
    while let Some(item) = items.get(at) {
        at += 1;
        match item {
            Item::Text(expected) => rest = rest.strip_prefix(expected.as_str())?,
            Item::Field(letter, count) => {
                let following = items.get(at..).unwrap_or_default();
                rest = read_field(*letter, *count, following, rest, fields)?;
            }
            Item::OptionalStart => {
                let inner = items.get(at..).unwrap_or_default();
                let length = optional_length(inner);
                let mut tried = fields.clone();
                if let Some(after) = read_items(inner.get(..length).unwrap_or_default(), rest, &mut tried) {
                    *fields = tried;
                    rest = after;
                }
                at += length;
            }
            Item::OptionalEnd => {}
        }
    }
    Some(rest)
}

/// Items up to the matching `]`.
fn optional_length(items: &[Item]) -> usize {
    let mut depth = 1;
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::OptionalStart => depth += 1,
            Item::OptionalEnd => depth -= 1,
            Item::Field(..) | Item::Text(_) => {}
        }
        if depth == 0 {
            return at;
        }
    }
    items.len()
}

fn is_numeric_field(item: &Item) -> Option<usize> {
    match item {
        Item::Field(letter, count) if "uyYDdHhKkmsSnAN".contains(*letter) => Some(*count),
        Item::Field('M' | 'L' | 'Q' | 'q', count) if *count <= 2 => Some(*count),
        _ => None,
    }
}

fn read_field<'t>(
    letter: char,
    count: usize,
    following: &[Item],
    text: &'t str,
    fields: &mut Fields,
) -> Option<&'t str> {
    match letter {
        'M' | 'L' if count > 2 => {
            let (at, rest) = read_name(&MONTHS, text, count)?;
            fields.month = Some(at + 1);
            return Some(rest);
        }
        'E' => return read_name(&DAYS, text, count).map(|(_, rest)| rest),
        'G' => return text.strip_prefix("AD"),
        'a' => {
            let (afternoon, rest) = match text.get(..2)?.to_ascii_uppercase().as_str() {
                "AM" => (false, text.get(2..)?),
                "PM" => (true, text.get(2..)?),
                _ => return None,
            };
            fields.afternoon = Some(afternoon);
            return Some(rest);
        }
        letter if ZONED.contains(letter) => {
            let (offset_ms, rest) = read_offset(text)?;
            fields.offset_ms = Some(offset_ms);
            return Some(rest);
        }
        _ => {}
    }
    // Fields that follow without anything between them keep their digits.
    let reserved: usize = following.iter().map_while(is_numeric_field).sum();
    let (least, most) = match (letter, count) {
        ('S', count) => (count, count),
        ('u' | 'y' | 'Y', 4..) => (count, 19),
        (_, 1) => (1, 19),
        (_, count) => (count, count),
    };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length = most.min(digits.saturating_sub(reserved).max(least));
    if digits < length || length < least {
        return None;
    }
    let (number, rest) = text.split_at_checked(length)?;
    let value: i64 = number.parse().ok()?;
    match letter {
        'u' | 'y' | 'Y' if count == 2 => fields.year = Some(2_000 + value),
        'u' | 'y' | 'Y' => fields.year = Some(value),
        'M' | 'L' => fields.month = Some(value),
        'd' => fields.day = Some(value),
        'D' => fields.day_of_year = Some(value),
        'H' => fields.hour = Some(value),
        'k' => fields.hour = Some(value % 24),
        'h' => fields.half_hour = Some(value % 12),
        'K' => fields.half_hour = Some(value),
        'm' => fields.minute = Some(value),
        's' => fields.second = Some(value),
        'S' => {
            let scale = 10_i64.checked_pow(u32::try_from(9_usize.checked_sub(count)?).ok()?)?;
            fields.nano = value.checked_mul(scale);
        }
        'n' => fields.nano = Some(value),
        _ => {}
    }
    Some(rest)
}

fn read_name<'t, const N: usize>(names: &[&str; N], text: &'t str, count: usize) -> Option<(i64, &'t str)> {
    names.iter().enumerate().find_map(|(at, name)| {
        let shown = short(name, count);
        let rest = text.get(..shown.len()).filter(|start| *start == shown)?;
        Some((i64::try_from(at).ok()?, text.get(rest.len()..)?))
    })
}

/// `Z`, `+08`, `+0800`, `+08:00`.
fn read_offset(text: &str) -> Option<(i64, &str)> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some((0, rest));
    }
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let hours: i64 = text.get(1..3)?.parse().ok()?;
    let rest = text.get(3..)?;
    let minutes_at = rest.strip_prefix(':').unwrap_or(rest);
    let (minutes, rest) = match minutes_at.get(..2).and_then(|digits| digits.parse::<i64>().ok()) {
        Some(minutes) => (minutes, minutes_at.get(2..)?),
        None => (0, rest),
    };
    Some((sign * (hours * 60 + minutes) * 60_000, rest))
}

impl Fields {
    /// Java's SMART resolution: a day beyond the month's end becomes its last one.
    fn resolve(&self) -> Option<Parsed> {
        let year = self.year.unwrap_or(1970);
        let days = match self.day_of_year {
            Some(day) if self.month.is_none() => {
                days_from_civil(Civil {
                    year,
                    month: 1,
                    day: 1,
                }) + day
                    - 1
            }
            _ => {
                let month = within(self.month.unwrap_or(1), 1, 12)?;
                let day = within(self.day.unwrap_or(1), 1, 31)?;
                let month = u8::try_from(month).ok()?;
                let last = i64::from(sg_value::time::month_days(year, month));
                days_from_civil(Civil {
                    year,
                    month,
                    day: u8::try_from(day.min(last)).ok()?,
                })
            }
        };
        let hour = match (self.hour, self.half_hour) {
            (Some(hour), _) => hour,
            (None, Some(half)) => half + if self.afternoon == Some(true) { 12 } else { 0 },
            (None, None) => 0,
        };
        let hour = within(hour, 0, 23)?;
        let minute = within(self.minute.unwrap_or(0), 0, 59)?;
        let second = within(self.second.unwrap_or(0), 0, 59)?;
        let nano = self.nano.unwrap_or(0);
        let time_ms = ((hour * 60 + minute) * 60 + second) * 1_000 + nano / 1_000_000;
        Some(Parsed {
            wall_ms: days.checked_mul(DAY_MS)?.checked_add(time_ms)?,
            nanos: u32::try_from(nano % 1_000_000).ok()?,
            offset_ms: self.offset_ms,
        })
    }
}

fn within(number: i64, least: i64, most: i64) -> Option<i64> {
    (least..=most).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2024-03-15 13:14:15.678, a Friday.
    const FRIDAY: Clock = Clock {
        wall_ms: 1_710_508_455_678,
        nanos: 0,
        offset_ms: None,
    };

    fn written(pattern: &str) -> Result<String, String> {
        Pattern::new(pattern)?.write(FRIDAY)
    }

    #[test]
    fn patterns_write_as_java_does() {
        assert_eq!(
            written("yyyy-MM-dd HH:mm:ss.SSS").unwrap(),
            "2024-03-15 13:14:15.678"
        );
        assert_eq!(
            written("EEE, MMM d, yy h:mm a").unwrap(),
            "Fri, Mar 15, 24 1:14 PM"
        );
        assert_eq!(written("D w u e").unwrap(), "75 11 2024 6");
        assert_eq!(written("'Q'Q").unwrap(), "Q1");
        assert_eq!(
            written("yyyy-MM-dd'T'HH:mm:ss.SSSSSS").unwrap(),
            "2024-03-15T13:14:15.678000"
        );
        assert_eq!(written("xx").unwrap_err(), "Unsupported field: OffsetSeconds");
        assert_eq!(written("bad pattern b").unwrap_err(), "Unknown pattern letter: b");
    }

    #[test]
    fn patterns_read_what_they_write() {
        let read = |pattern: &str, text: &str| {
            Pattern::new(pattern)
                .unwrap()
                .read(text, true)
                .map(|parsed| (parsed.wall_ms, parsed.offset_ms))
        };
        assert_eq!(read("yyyyMMdd", "20240315"), Some((1_710_460_800_000, None)));
        assert_eq!(
            read("dd/MM/yyyy HH", "15/03/2024 13"),
            Some((1_710_507_600_000, None))
        );
        assert_eq!(read("yyyy-MM-dd", "2024-02-31"), read("yyyy-MM-dd", "2024-02-29"));
        assert_eq!(read("yyyy-MM-dd HH", "2024-03-15 25"), None);
        assert_eq!(
            read("yyyy-MM-dd HH:mm X", "2024-03-15 13:00 +0800").unwrap().1,
            Some(28_800_000)
        );
        assert_eq!(read("yyyy[-MM]", "2024"), Some((1_704_067_200_000, None)));
        assert_eq!(read("yyyy-MM-dd", "bad"), None);
    }
}
