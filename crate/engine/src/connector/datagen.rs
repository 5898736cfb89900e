//! `datagen`: random values within bounds, or sequences.
//!
//! Flink: `DataGenTableSourceFactory`, `RandomGeneratorVisitor`, `SequenceGeneratorVisitor`.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_plan::settings::parse_duration_ms;
use sg_value::{DataType, Gather as _, MapValue, TypeKind, Value, decimal::Decimal, decimal::DecimalType};

use super::{Column, Options, Random, sometimes_null};

/// Elements of a collection, characters of a text: Flink's defaults.
const ELEMENTS: i64 = 3;
const CHARACTERS: i64 = 100;
/// The longest text or collection.
const MOST: i64 = 10_000;

type Made = Result<Box<dyn Column>, Box<Diagnostic>>;

/// The generator of a column; `key` is `fields.name`, within rows `fields.name.field`.
pub(super) fn column(options: &Options<'_>, key: &str, data_type: &DataType) -> Made {
    let kind_key = format!("{key}.kind");
    match options.text(&kind_key) {
        Some("sequence") => sequence(options, key, data_type),
        Some("random") | None => {
            let made = random(options, key, data_type)?;
            Ok(sometimes_null(made, options.float(&format!("{key}.null-rate"))))
        }
        Some(other) => Err(Box::new(
            options
                .refuse(Code::GeneratorKindUnknown, &kind_key)
                .arg("kind", other)
                .flink(format!(
                    "ValidationException: Unsupported generator kind: {other}"
                )),
        )),
    }
}

fn sequence(options: &Options<'_>, key: &str, data_type: &DataType) -> Made {
    let bound = |name: &str| -> Result<i64, Box<Diagnostic>> {
        let key = format!("{key}.{name}");
        options.number(&key).ok_or_else(|| {
            Box::new(options.refuse(Code::SequenceWithoutBound, &key).flink(format!(
                "ValidationException: Could not find required property '{key}' for sequence generator."
            )))
        })
    };
    let (next, end) = (bound("start")?, bound("end")?);
    let form = match &data_type.kind {
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => Form::Integer,
        TypeKind::Float | TypeKind::Double => Form::Double,
        TypeKind::Decimal { precision, scale } => Form::Decimal(DecimalType::new(*precision, *scale)),
        TypeKind::Char(_) | TypeKind::Varchar(_) => Form::Text,
        other => {
            let refused = options
                .refuse(Code::SequenceType, &format!("{key}.kind"))
                .arg("type", other.to_string());
            return Err(Box::new(
                refused.flink(format!("ValidationException: Unsupported type: {data_type}")),
            ));
        }
    };
    Ok(Box::new(Sequence { next, end, form }))
}

/// How a whole number becomes a value.
#[derive(Clone, Copy)]
enum Form {
    Integer,
    Double,
    Decimal(DecimalType),
    Text,
}

struct Sequence {
    next: i64,
    end: i64,
    form: Form,
}

impl Column for Sequence {
    #[expect(clippy::cast_precision_loss, reason = "a sequence as DOUBLE is what it is")]
    fn next(&mut self, _: &mut Random, _: i64) -> Option<Value> {
        let number = self.next;
        if number > self.end {
            return None;
        }
        self.next = number.checked_add(1)?;
        Some(match self.form {
            Form::Integer => Value::Int(number),
            Form::Double => Value::Double(number as f64),
            Form::Decimal(to) => Decimal::from_i64(number, to).map_or(Value::Null, Value::decimal),
            Form::Text => Value::from(number.to_string().as_str()),
        })
    }
}

/// A generator that is a function of the random numbers and the time.
struct Drawn<F>(F);

impl<F: FnMut(&mut Random, i64) -> Value> Column for Drawn<F> {
    fn next(&mut self, random: &mut Random, now_ms: i64) -> Option<Value> {
        Some((self.0)(random, now_ms))
    }
}

/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;

#[expect(clippy::too_many_lines, reason = "one arm for each type")]
fn random(options: &Options<'_>, key: &str, data_type: &DataType) -> Made {
    let number = |name: &str| options.number(&format!("{key}.{name}"));
    let length = |default: i64| number("length").unwrap_or(default).clamp(0, MOST);
    let past_ms = || {
        let text = options.text(&format!("{key}.max-past"));
        text.and_then(parse_duration_ms).unwrap_or(0)
    };
    Ok(match &data_type.kind {
        TypeKind::Boolean => Box::new(Drawn(|random: &mut Random, _| {
            Value::Bool(random.between(0, 1) == 1)
        })),
        TypeKind::TinyInt => integer(
            number("min").unwrap_or(i64::from(i8::MIN)),
            number("max").unwrap_or(i64::from(i8::MAX)),
        ),
        TypeKind::SmallInt => integer(
            number("min").unwrap_or(i64::from(i16::MIN)),
            number("max").unwrap_or(i64::from(i16::MAX)),
        ),
        TypeKind::Int => integer(
            number("min").unwrap_or(i64::from(i32::MIN)),
            number("max").unwrap_or(i64::from(i32::MAX)),
        ),
        TypeKind::BigInt => integer(
            number("min").unwrap_or(i64::MIN),
            number("max").unwrap_or(i64::MAX),
        ),
        TypeKind::Float | TypeKind::Double => {
            let single = data_type.kind == TypeKind::Float;
            let largest = if single { f64::from(f32::MAX) } else { f64::MAX };
            let bound = |name: &str, default| options.float(&format!("{key}.{name}")).unwrap_or(default);
            let (low, high) = (bound("min", -largest), bound("max", largest));
            Box::new(Drawn(move |random: &mut Random, _| {
                let part = random.unit();
                // not `high - low`, which can be too large
                let drawn = low * (1.0 - part) + high * part;
                Value::Double(if single { rounded(drawn) } else { drawn })
            }))
        }
        TypeKind::Decimal { precision, scale } => {
            let to = DecimalType::new(*precision, *scale);
            let bound = |name: &str| {
                let text = options.text(&format!("{key}.{name}"))?;
                Decimal::parse(text.trim(), to)
                    .flatten()
                    .and_then(|unscaled| i64::try_from(unscaled).ok())
            };
            let most = 10_i64
                .checked_pow(u32::from(*precision))
                .map_or(i64::MAX, |power| power - 1);
            let (low, high) = (bound("min").unwrap_or(-most), bound("max").unwrap_or(most));
            Box::new(Drawn(move |random: &mut Random, _| {
                Value::Decimal(random.between(low, high))
            }))
        }
        TypeKind::Char(limit) | TypeKind::Varchar(limit) => {
            let limit = i64::from(*limit);
            let fixed = matches!(data_type.kind, TypeKind::Char(_));
            let length = if fixed {
                limit.min(MOST)
            } else {
                length(CHARACTERS.min(limit))
            };
            let varies = options.text(&format!("{key}.var-len")) == Some("true");
            Box::new(Drawn(move |random: &mut Random, _| {
                let length = if varies { random.between(1, length) } else { length };
                let digits = (0..length)
                    .map(|_| char::from_digit(u32::try_from(random.between(0, 15)).unwrap_or(0), 16));
                Value::from(digits.flatten().gather::<String>().as_str())
            }))
        }
        TypeKind::Binary(limit) | TypeKind::Varbinary(limit) => {
            let length = length(CHARACTERS.min(i64::from(*limit)));
            Box::new(Drawn(move |random: &mut Random, _| {
                let bytes: Vec<u8> = (0..length)
                    .map(|_| u8::try_from(random.between(0, 255)).unwrap_or(0))
                    .gather();
                Value::Bytes(Rc::from(bytes))
            }))
        }
        TypeKind::Date => Box::new(Drawn(|_: &mut Random, now_ms: i64| {
            Value::Int(now_ms.div_euclid(DAY_MS))
        })),
        TypeKind::Time(_) => Box::new(Drawn(|_: &mut Random, now_ms: i64| {
            Value::Int(now_ms.rem_euclid(DAY_MS))
        })),
        TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. } => {
            let past_ms = past_ms();
            Box::new(Drawn(move |random: &mut Random, now_ms: i64| {
                Value::timestamp_ms(now_ms - random.between(0, past_ms))
            }))
        }
        TypeKind::IntervalYearMonth(_) | TypeKind::IntervalDayTime(_) => integer(
            number("min").unwrap_or(0),
            number("max").unwrap_or(i64::from(i32::MAX)),
        ),
        TypeKind::Array(of) => collection(
            length(ELEMENTS),
            column(options, &format!("{key}.element"), of)?,
            None,
        ),
        TypeKind::Map(from, to) => collection(
            length(ELEMENTS),
            column(options, &format!("{key}.key"), from)?,
            Some(column(options, &format!("{key}.value"), to)?),
        ),
        TypeKind::Multiset(of) => collection(
            length(ELEMENTS),
            column(options, &format!("{key}.element"), of)?,
            Some(integer(0, 9)),
        ),
        TypeKind::Row(fields) => {
            let mut makers = fields
                .iter()
                .map(|field| column(options, &format!("{key}.{}", field.name), &field.data_type))
                .gather::<Result<Vec<_>, _>>()?;
            Box::new(Drawn(move |random: &mut Random, now_ms| {
                let cells = makers
                    .iter_mut()
                    .map(|maker| maker.next(random, now_ms).unwrap_or_default());
                Value::Row(cells.gather())
            }))
        }
        other => {
            let refused = options
                .refuse(Code::SequenceType, &format!("{key}.kind"))
                .arg("type", other.to_string());
            return Err(Box::new(refused));
        }
    })
}

fn integer(low: i64, high: i64) -> Box<dyn Column> {
    Box::new(Drawn(move |random: &mut Random, _| {
        Value::Int(random.between(low, high))
    }))
}

/// An array of elements, or a map of keys and values.
fn collection(length: i64, mut of: Box<dyn Column>, mut values: Option<Box<dyn Column>>) -> Box<dyn Column> {
    Box::new(Drawn(move |random: &mut Random, now_ms| {
        let mut elements = Vec::new();
        for _ in 0..length {
            elements.push(of.next(random, now_ms).unwrap_or_default());
        }
        let Some(values) = &mut values else {
            return Value::Array(Rc::from(elements));
        };
        let mut entries: Vec<(Value, Value)> = Vec::new();
        for key in elements {
            let value = values.next(random, now_ms).unwrap_or_default();
            if !entries.iter().any(|(known, _)| *known == key) {
                entries.push((key, value));
            }
        }
        Value::Map(Rc::new(MapValue { entries }))
    }))
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to a FLOAT")]
fn rounded(number: f64) -> f64 {
    f64::from(number as f32)
}
