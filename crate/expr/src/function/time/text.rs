//! Dates and times from and to text and numbers.

use sg_diag::Code;
use sg_value::{
    TypeKind, Value,
    decimal::{Decimal, DecimalType},
    time::{DAY_MS, Zone, parse_date, parse_timestamp, truncate_timestamp},
};

use super::{
    super::{
        CallSite, Eval, Failure, FunctionDef, Kernel, Outcome, Resolve, Volatility,
        definition::Family::Time,
        failure,
        signature::{Nullable, Param, Returns, Signature, takes},
    },
    is_instant,
    pattern::{Clock, Parsed, Pattern},
    wall,
};
use crate::{
    bound::Expr,
    eval::EvalCx,
    infer::timestamp_ltz,
    number::decimal_of,
    types::{KindExt, scale_of},
};

use Param::{Integer, Number, Text, Timestamp};

static DATE_FORMAT: &[Signature] = &[
    takes(&[Timestamp, Text], Returns::Text).nullable(),
    takes(&[Text, Text], Returns::Text).nullable(),
];
static TO_TIMESTAMP: &[Signature] = &[takes(&[Text, Text], Returns::Timestamp3).optional(1).nullable()];
static TO_DATE: &[Signature] = &[takes(&[Text, Text], Returns::Date).optional(1).nullable()];
static TO_LTZ: &[Signature] = &[
    takes(&[Number, Param::Int], Returns::From(ltz_of_number))
        .optional(1)
        .nullable(),
    takes(&[Text, Text, Text], Returns::Ltz3).optional(2).nullable(),
];
static UNIX: &[Signature] = &[
    takes(&[], Returns::BigInt).nulls(Nullable::Never),
    takes(&[Text, Text], Returns::BigInt).optional(1),
];
static FROM_UNIX: &[Signature] = &[takes(&[Integer, Text], Returns::Text).optional(1).nullable()];
static CONVERT: &[Signature] = &[takes(&[Text, Text, Text], Returns::Text).nullable()];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&CallSite<'_>) -> Kernel,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Time, Resolve::Table(of), Eval::Build(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(
        "DATE_FORMAT",
        DATE_FORMAT,
        date_format,
        [
            "A timestamp as text, by a Java pattern such as yyyy-MM-dd HH:mm.",
            "按 Java 格式（如 yyyy-MM-dd HH:mm）把时间戳写成文本。",
        ],
    ),
    row(
        "TO_TIMESTAMP",
        TO_TIMESTAMP,
        to_timestamp,
        [
            "A TIMESTAMP(3) from text; NULL where the text is none.",
            "把文本读成 TIMESTAMP(3)；无法读取时为 NULL。",
        ],
    ),
    row(
        "TO_TIMESTAMP_LTZ",
        TO_LTZ,
        to_ltz,
        [
            "An instant from seconds (0) or milliseconds (3) since 1970, or from text in UTC.",
            "由 1970 年起的秒数（0）或毫秒数（3），或由 UTC 文本得到时刻。",
        ],
    ),
    row(
        "TO_DATE",
        TO_DATE,
        to_date,
        [
            "A DATE from text; NULL where the text is none.",
            "把文本读成 DATE；无法读取时为 NULL。",
        ],
    ),
    row(
        "UNIX_TIMESTAMP",
        UNIX,
        unix_timestamp,
        [
            "Seconds since 1970: of now, or of a text in the session's zone.",
            "自 1970 年起的秒数：当前时间，或会话时区下的文本时间。",
        ],
    )
    .volatility(Volatility::Session),
    row(
        "FROM_UNIXTIME",
        FROM_UNIX,
        from_unixtime,
        [
            "Seconds since 1970 as text in the session's zone.",
            "把自 1970 年起的秒数写成会话时区下的文本。",
        ],
    )
    .volatility(Volatility::Session),
    row(
        "CONVERT_TZ",
        CONVERT,
        convert_tz,
        [
            "A text yyyy-MM-dd HH:mm:ss from one time zone in another.",
            "把 yyyy-MM-dd HH:mm:ss 文本从一个时区转换到另一个时区。",
        ],
    ),
];

/// What texts without a pattern look like.
const SECONDS: &str = "yyyy-MM-dd HH:mm:ss";

fn not_taken(function: &'static str, reason: String) -> Failure {
    Box::new(
        failure(Code::ValueNotTaken)
            .arg("function", function)
            .arg("reason", &reason)
            .flink(reason),
    )
}

/// A pattern that is compiled once where it is constant.
struct Patterns {
    constant: Option<Result<Pattern, String>>,
    at: usize,
}

impl Patterns {
    fn of(site: &CallSite<'_>, at: usize) -> Self {
        Self {
            constant: site.literal_text(at).map(Pattern::new),
            at,
        }
    }

    /// Runs something with the pattern; the text of Java's exception where it is none.
    fn with<T>(&self, values: &[Value], run: impl FnOnce(&Pattern) -> T) -> Result<T, String> {
        match &self.constant {
            Some(Ok(pattern)) => Ok(run(pattern)),
            Some(Err(message)) => Err(message.clone()),
            None => {
                let text = values.get(self.at).and_then(Value::as_str).unwrap_or(SECONDS);
                Pattern::new(text).map(|pattern| run(&pattern))
            }
        }
    }
}

fn text(values: &[Value], at: usize) -> &str {
    values.get(at).and_then(Value::as_str).unwrap_or_default()
}

fn date_format(site: &CallSite<'_>) -> Kernel {
    let instant = is_instant(site.kind(0));
    let patterns = Patterns::of(site, 1);
    Box::new(move |values, cx| {
        let clock = match values.first() {
            Some(Value::Str(given)) => match parse_seconds(given) {
                Some(wall_ms) => Clock {
                    wall_ms,
                    nanos: 0,
                    offset_ms: None,
                },
                None => return Ok(Value::Null),
            },
            Some(at @ Value::Timestamp { ms, .. }) => {
                let (wall_ms, nanos) = wall(at, instant, cx).unwrap_or_default();
                Clock {
                    wall_ms,
                    nanos,
                    offset_ms: instant.then(|| cx.zone.offset_ms(*ms)),
                }
            }
            _ => return Ok(Value::Null),
        };
        let written = patterns
            .with(values, |pattern| pattern.write(clock))
            .and_then(|written| written);
        written
            .map(|text| Value::Str(text.into()))
            .map_err(|message| not_taken("DATE_FORMAT", message))
    })
}

/// `yyyy-MM-dd HH:mm:ss`, what follows is ignored.
fn parse_seconds(text: &str) -> Option<i64> {
    Pattern::new(SECONDS)
        .ok()?
        .read(text, false)
        .map(|parsed| parsed.wall_ms)
}

fn to_timestamp(site: &CallSite<'_>) -> Kernel {
    let patterns = (site.args.len() > 1).then(|| Patterns::of(site, 1));
    Box::new(move |values, _| {
        let given = text(values, 0);
        let read = match &patterns {
            None => parse_timestamp(given, 3).ok(),
            Some(patterns) => patterns
                .with(values, |pattern| pattern.read(given, true))
                .ok()
                .flatten()
                .map(|parsed| (parsed.wall_ms, parsed.nanos)),
        };
        Ok(read.map_or(Value::Null, |(ms, nanos)| {
            let (ms, nanos) = truncate_timestamp(ms, nanos, 3);
            Value::Timestamp { ms, nanos }
        }))
    })
}

fn to_date(site: &CallSite<'_>) -> Kernel {
    let patterns = (site.args.len() > 1).then(|| Patterns::of(site, 1));
    Box::new(move |values, _| {
        let given = text(values, 0);
        let days = match &patterns {
            None => parse_date(given).ok(),
            Some(patterns) => patterns
                .with(values, |pattern| pattern.read(given, true))
                .ok()
                .flatten()
                .map(|parsed| parsed.wall_ms.div_euclid(DAY_MS)),
        };
        Ok(days.map_or(Value::Null, Value::Int))
    })
}

/// LTZ(max(3, p)) for a constant precision p.
fn ltz_of_number(args: &[Expr]) -> TypeKind {
    let digits = args
        .get(1)
        .and_then(Expr::as_literal)
        .and_then(Value::as_int)
        .unwrap_or(3);
    timestamp_ltz(u8::try_from(digits.clamp(3, 9)).unwrap_or(3))
}

fn to_ltz(site: &CallSite<'_>) -> Kernel {
    if site.kind(0).is_character() {
        return ltz_of_text(site);
    }
    let scale = scale_of(site.kind(0));
    Box::new(move |values, _| {
        let digits = values.get(1).and_then(Value::as_int).unwrap_or(3);
        let Ok(digits) = u8::try_from(digits) else {
            return Ok(Value::Null);
        };
        let Some(units) = values.first().and_then(|value| units_of(value, scale, digits)) else {
            return Ok(Value::Null);
        };
        Ok(instant_of_nanos(units))
    })
}

/// Nanoseconds since 1970 of a number in units of 10^-digits seconds; decimals lose their fraction, doubles keep it.
fn units_of(value: &Value, scale: u8, digits: u8) -> Option<i128> {
    let unit = 10_i128.checked_pow(u32::from(9_u8.checked_sub(digits)?))?;
    match value {
        Value::Int(number) => i128::from(*number).checked_mul(unit),
        Value::Double(number) => Decimal::from_f64(*number, DecimalType::new(38, 9))?
            .checked_mul(unit)
            .map(|scaled| scaled / 1_000_000_000),
        other => i128::from(decimal_of(other, scale).to_i64()).checked_mul(unit),
    }
}

fn instant_of_nanos(nanos: i128) -> Value {
    let ms = nanos.div_euclid(1_000_000);
    match (i64::try_from(ms), u32::try_from(nanos.rem_euclid(1_000_000))) {
        (Ok(ms), Ok(nanos)) => Value::Timestamp { ms, nanos },
        _ => Value::Null,
    }
}

/// Texts are read as UTC unless a zone is given.
fn ltz_of_text(site: &CallSite<'_>) -> Kernel {
    let patterns = (site.args.len() > 1).then(|| Patterns::of(site, 1));
    let zone = site.literal_text(2).and_then(Zone::parse);
    Box::new(move |values, _| {
        let given = text(values, 0);
        let parsed = match &patterns {
            None => match parse_timestamp(given, 3) {
                Ok((wall_ms, nanos)) => Parsed {
                    wall_ms,
                    nanos,
                    offset_ms: None,
                },
                Err(error) => {
                    let flink = format!("DateTimeParseException: {}", error.message);
                    let mut failed = not_taken("TO_TIMESTAMP_LTZ", error.message);
                    failed.flink = Some(flink);
                    return Err(failed);
                }
            },
            Some(patterns) => match patterns.with(values, |pattern| pattern.read(given, true)) {
                Ok(Some(parsed)) => parsed,
                _ => return Ok(Value::Null),
            },
        };
        let named = match (&zone, values.get(2)) {
            (Some(zone), _) => Some(zone.clone()),
            (None, Some(name)) => name.as_str().and_then(Zone::parse),
            (None, None) => None,
        };
        let instant_ms = match (parsed.offset_ms, named) {
            (Some(offset_ms), _) => parsed.wall_ms - offset_ms,
            (None, Some(zone)) => zone.instant_from_wall(parsed.wall_ms),
            (None, None) => parsed.wall_ms,
        };
        let (ms, nanos) = truncate_timestamp(instant_ms, parsed.nanos, 3);
        Ok(Value::Timestamp { ms, nanos })
    })
}

fn unix_timestamp(site: &CallSite<'_>) -> Kernel {
    if site.args.is_empty() {
        return Box::new(|_, cx| Ok(Value::Int(cx.processing_time_ms.div_euclid(1_000))));
    }
    let patterns = (site.args.len() > 1).then(|| Patterns::of(site, 1));
    Box::new(move |values, cx| {
        let given = text(values, 0);
        let read = |pattern: &Pattern| pattern.read(given, false);
        let parsed = match &patterns {
            None => Pattern::new(SECONDS).ok().and_then(|pattern| read(&pattern)),
            Some(patterns) => patterns.with(values, read).ok().flatten(),
        };
        Ok(Value::Int(parsed.map_or(i64::MIN, |parsed| seconds(parsed, cx))))
    })
}

fn seconds(parsed: Parsed, cx: &EvalCx) -> i64 {
    let instant_ms = match parsed.offset_ms {
        Some(offset_ms) => parsed.wall_ms - offset_ms,
        None => cx.zone.instant_from_wall(parsed.wall_ms),
    };
    instant_ms.div_euclid(1_000)
}

fn from_unixtime(site: &CallSite<'_>) -> Kernel {
    let patterns = (site.args.len() > 1).then(|| Patterns::of(site, 1));
    Box::new(move |values, cx| {
        let Some(seconds) = values.first().and_then(Value::as_int) else {
            return Ok(Value::Null);
        };
        let instant_ms = seconds.saturating_mul(1_000);
        let clock = Clock {
            wall_ms: cx.zone.wall_from_instant(instant_ms),
            nanos: 0,
            offset_ms: Some(cx.zone.offset_ms(instant_ms)),
        };
        let written = match &patterns {
            None => Pattern::new(SECONDS).and_then(|pattern| pattern.write(clock)),
            Some(patterns) => patterns
                .with(values, |pattern| pattern.write(clock))
                .and_then(|written| written),
        };
        written
            .map(|text| Value::Str(text.into()))
            .map_err(|message| not_taken("FROM_UNIXTIME", message))
    })
}

fn convert_tz(_: &CallSite<'_>) -> Kernel {
    Box::new(|values, _| -> Outcome {
        let zones = (Zone::parse(text(values, 1)), Zone::parse(text(values, 2)));
        let (Some(wall_ms), (Some(from), Some(to))) = (parse_seconds(text(values, 0)), zones) else {
            return Ok(Value::Null);
        };
        let instant_ms = from.instant_from_wall(wall_ms);
        let clock = Clock {
            wall_ms: to.wall_from_instant(instant_ms),
            nanos: 0,
            offset_ms: None,
        };
        let written = Pattern::new(SECONDS).and_then(|pattern| pattern.write(clock));
        Ok(written.map_or(Value::Null, |text| Value::Str(text.into())))
    })
}
