//! Values from one type to another, as CAST converts them. Case: types/number-casts, types/string-casts.

use std::rc::Rc;

use sg_diag::Code;
use sg_value::{
    DataType, Gather as _, MapValue, TypeKind, Value,
    data_type::MAX_LENGTH,
    decimal::{Decimal, DecimalType, not_a_decimal},
    format::{cast_text, double_text},
    number::{parse_decimal, parse_double, parse_float, parse_integer},
    time::{DAY_MS, parse_date, parse_time, parse_timestamp, truncate_timestamp},
};

use super::{Failure, Outcome, failure};
use crate::{
    eval::EvalCx,
    number::{
        decimal_of, double_from_long, float_from_long, int_from_double, long_from_double, round_to_float,
        wrap,
    },
    types::{KindExt, scale_of},
};

/// Converts a value that is not NULL; NULLs inside stay.
pub(crate) type Convert = Box<dyn Fn(&Value, &EvalCx) -> Outcome>;

/// The conversion between two types between which CAST exists.
pub(crate) fn caster(from: &DataType, to: &DataType) -> Convert {
    let (source, target) = (&from.kind, &to.kind);
    if source == target || (source.is_interval() && target.is_interval()) {
        return Box::new(|value, _| Ok(value.clone()));
    }
    match target {
        kind if kind.is_character() => to_text(from, kind),
        kind if kind.is_integer() => to_integer(source, kind),
        kind if kind.is_approximate() => to_double(source, *kind == TypeKind::Float),
        TypeKind::Decimal { precision, scale } => to_decimal(source, DecimalType::new(*precision, *scale)),
        TypeKind::Boolean => Box::new(to_boolean),
        kind if kind.is_binary() => to_bytes(kind),
        kind if kind.is_datetime() => to_datetime(source, kind),
        TypeKind::Array(element) => to_array(source, element),
        TypeKind::Multiset(_) | TypeKind::Map(..) => to_map(source, target),
        TypeKind::Row(_) | TypeKind::Structured(..) => to_row(source, target),
        TypeKind::IntervalYearMonth(_) | TypeKind::IntervalDayTime(_) => to_interval(target),
        _ => Box::new(|value, _| Ok(value.clone())),
    }
}

const fn decimal_type(to: DecimalType) -> TypeKind {
    TypeKind::Decimal {
        precision: to.precision,
        scale: to.scale,
    }
}

fn cast_failed(value: &str, to: &TypeKind, flink: &str) -> Failure {
    failed_as(exception_class(to), value, to, flink)
}

/// Whether `TRY_CAST` gives NULL instead of a failure: to Flink a number as a DECIMAL never fails, so that NaN does so there,
/// too. Case: types/nan-as-a-decimal.
pub(super) fn can_fail(from: &DataType) -> bool {
    !from.kind.is_approximate()
}

fn failed_as(class: &str, value: &str, to: &TypeKind, flink: &str) -> Failure {
    Box::new(
        failure(Code::CastFailed)
            .arg("value", value)
            .arg("to", to)
            .flink(format!("{class}: {flink}")),
    )
}

/// The class of Java's exception for a text that is no value of a type.
const fn exception_class(to: &TypeKind) -> &'static str {
    match to {
        TypeKind::TinyInt
        | TypeKind::SmallInt
        | TypeKind::Int
        | TypeKind::BigInt
        | TypeKind::Float
        | TypeKind::Double
        | TypeKind::Decimal { .. } => "NumberFormatException",
        TypeKind::Date | TypeKind::Time(_) | TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. } => {
            "DateTimeException"
        }
        _ => "TableException",
    }
}

fn to_integer(from: &TypeKind, to: &TypeKind) -> Convert {
    let bits = to.integer_bits().unwrap_or(64);
    let kind = to.clone();
    let scale = scale_of(from);
    Box::new(move |value, _| {
        let number = match value {
            Value::Int(number) => wrap(*number, bits),
            Value::Bool(truth) => i64::from(*truth),
            Value::Double(number) if bits == 64 => long_from_double(*number),
            // Java converts to int first, then cuts.
            Value::Double(number) => wrap(i64::from(int_from_double(*number)), bits),
            Value::Decimal(_) | Value::BigDecimal(_) => wrap(decimal_of(value, scale).to_i64(), bits),
            Value::Str(text) => {
                let most = i64::MAX >> (64 - bits);
                parse_integer(text, -most - 1, most)
                    .map_err(|error| cast_failed(text, &kind, &error.message))?
            }
            _ => return Ok(Value::Null),
        };
        Ok(Value::Int(number))
    })
}

fn to_double(from: &TypeKind, single: bool) -> Convert {
    let scale = scale_of(from);
    let kind = if single { TypeKind::Float } else { TypeKind::Double };
    Box::new(move |value, _| {
        let number = match value {
            Value::Int(number) if single => float_from_long(*number),
            Value::Int(number) => double_from_long(*number),
            Value::Bool(truth) => f64::from(*truth),
            Value::Double(number) => *number,
            Value::Decimal(_) | Value::BigDecimal(_) => decimal_of(value, scale).to_f64(),
            Value::Str(text) => {
                // a FLOAT is not the one nearest to the nearest DOUBLE
                let read = if single { parse_float } else { parse_double };
                read(text).map_err(|error| cast_failed(text, &kind, &error.message))?
            }
            _ => return Ok(Value::Null),
        };
        Ok(Value::Double(if single {
            round_to_float(number)
        } else {
            number
        }))
    })
}

fn to_decimal(from: &TypeKind, to: DecimalType) -> Convert {
    let scale = scale_of(from);
    Box::new(move |value, _| {
        let unscaled = match value {
            Value::Int(number) => Decimal::from_i64(*number, to),
            Value::Bool(truth) => Decimal::from_i64(i64::from(*truth), to),
            // this fails in TRY_CAST, too, see `can_fail`
            Value::Double(number) if !number.is_finite() => {
                let text = double_text(*number);
                return Err(cast_failed(&text, &decimal_type(to), &not_a_decimal(&text)));
            }
            Value::Double(number) => Decimal::from_f64(*number, to),
            Value::Decimal(_) | Value::BigDecimal(_) => decimal_of(value, scale).rescale(to),
            Value::Str(text) => {
                let unscaled = parse_decimal(text, to);
                Some(unscaled.map_err(|error| {
                    if error.out_of_bounds {
                        let class = "ArrayIndexOutOfBoundsException";
                        failed_as(class, text, &decimal_type(to), &error.message)
                    } else {
                        cast_failed(text, &decimal_type(to), &error.message)
                    }
                })?)
            }
            _ => None,
        };
        Ok(unscaled.map_or(Value::Null, Value::decimal))
    })
}

fn to_boolean(value: &Value, _: &EvalCx) -> Outcome {
    let truth = match value {
        Value::Int(number) => *number != 0,
        Value::Double(number) => *number != 0.0,
        Value::Decimal(_) | Value::BigDecimal(_) => value.unscaled() != Some(0),
        Value::Str(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" | "y" | "1" => true,
            "false" | "f" | "no" | "n" | "0" => false,
            _ => {
                let message = format!("Cannot parse '{text}' as BOOLEAN.");
                return Err(cast_failed(text, &TypeKind::Boolean, &message));
            }
        },
        Value::Bool(truth) => *truth,
        _ => return Ok(Value::Null),
    };
    Ok(Value::Bool(truth))
}

fn to_text(from: &DataType, to: &TypeKind) -> Convert {
    let from = from.clone();
    let fit = TextFit::new(to);
    Box::new(move |value, cx| {
        Ok(match value {
            Value::Str(text) => fit.value(text),
            Value::Bytes(bytes) if from.kind != TypeKind::Bitmap => {
                fit.value(&Rc::from(&*String::from_utf8_lossy(bytes)))
            }
            other => match cast_text(other, &from, &cx.zone) {
                Some(text) => fit.value(&Rc::from(text)),
                None => Value::Null,
            },
        })
    })
}

/// Cuts to the length of CHAR or VARCHAR and pads CHAR with blanks. Case: types/char-is-padded-by-cast.
#[derive(Clone, Copy)]
pub(crate) struct TextFit {
    length: usize,
    pads: bool,
}

impl TextFit {
    /// For a character type.
    pub(crate) fn new(to: &TypeKind) -> Self {
        Self {
            length: to.length().unwrap_or(MAX_LENGTH) as usize,
            pads: matches!(to, TypeKind::Char(_)),
        }
    }

    /// Only cuts.
    pub(crate) fn cutting(to: &TypeKind) -> Self {
        Self {
            pads: false,
            ..Self::new(to)
        }
    }

    /// The text in that type; the same text where it fits.
    pub(crate) fn value(self, text: &Rc<str>) -> Value {
        if !self.pads && text.len() <= self.length {
            return Value::Str(Rc::clone(text));
        }
        let count = text.chars().count();
        if count > self.length {
            return Value::Str(text.chars().take(self.length).gather::<String>().into());
        }
        if self.pads && count < self.length {
            let mut padded = text.to_string();
            padded.extend(std::iter::repeat_n(' ', self.length - count));
            return Value::Str(padded.into());
        }
        Value::Str(Rc::clone(text))
    }
}

fn to_bytes(to: &TypeKind) -> Convert {
    let length = to.length().unwrap_or(MAX_LENGTH) as usize;
    let pads = matches!(to, TypeKind::Binary(_));
    Box::new(move |value, _| {
        let bytes: &[u8] = match value {
            Value::Str(text) => text.as_bytes(),
            Value::Bytes(bytes) => bytes,
            _ => return Ok(Value::Null),
        };
        let mut fitted = bytes.get(..length.min(bytes.len())).unwrap_or(bytes).to_vec();
        if pads {
            fitted.resize(length, 0);
        }
        Ok(Value::Bytes(fitted.into()))
    })
}

/// What a date or time is read from, besides itself.
fn to_datetime(from: &TypeKind, to: &TypeKind) -> Convert {
    let (from, to) = (from.clone(), to.clone());
    let digits = to.fraction_digits().unwrap_or(0);
    let from_instant = matches!(from, TypeKind::TimestampLtz { .. });
    let to_instant = matches!(to, TypeKind::TimestampLtz { .. });
    Box::new(move |value, cx| {
        // First the wall clock, then the target.
        let (wall_ms, nanos) = match (value, &from) {
            (Value::Str(text), _) => return text_to_datetime(text, &to, cx),
            (Value::Int(days), TypeKind::Date) => (days.saturating_mul(DAY_MS), 0),
            (Value::Int(time_ms), _) => (*time_ms, 0),
            (Value::Timestamp { ms, nanos }, _) if from_instant && to_instant => {
                let (ms, nanos) = truncate_timestamp(*ms, *nanos, digits);
                return Ok(Value::Timestamp { ms, nanos });
            }
            (Value::Timestamp { ms, nanos }, _) if from_instant => (cx.zone.wall_from_instant(*ms), *nanos),
            (Value::Timestamp { ms, nanos }, _) => (*ms, *nanos),
            _ => return Ok(Value::Null),
        };
        Ok(match &to {
            // Java's division and remainder, towards 1970 (case: types/timestamp-precisions).
            TypeKind::Date => Value::Int(wall_ms / DAY_MS),
            TypeKind::Time(_) => {
                let (ms, _) = truncate_timestamp(wall_ms % DAY_MS, 0, digits);
                Value::Int(ms.rem_euclid(DAY_MS))
            }
            _ => {
                let (ms, nanos) = truncate_timestamp(wall_ms, nanos, digits);
                let ms = if to_instant {
                    cx.zone.instant_from_wall(ms)
                } else {
                    ms
                };
                Value::Timestamp { ms, nanos }
            }
        })
    })
}

fn text_to_datetime(text: &str, to: &TypeKind, cx: &EvalCx) -> Outcome {
    let wrong = |message: String| cast_failed(text, to, &message);
    match to {
        TypeKind::Date => parse_date(text)
            .map(Value::Int)
            .map_err(|error| wrong(error.message)),
        TypeKind::Time(digits) => parse_time(text, *digits)
            .map(Value::Int)
            .map_err(|error| wrong(error.message)),
        _ => {
            let digits = to.fraction_digits().unwrap_or(0);
            let (ms, nanos) = parse_timestamp(text, digits).map_err(|error| wrong(error.message))?;
            let instant = matches!(to, TypeKind::TimestampLtz { .. });
            Ok(Value::Timestamp {
                ms: if instant {
                    cx.zone.instant_from_wall(ms)
                } else {
                    ms
                },
                nanos,
            })
        }
    }
}

/// An integer counts the smallest unit of the interval that is named.
fn to_interval(to: &TypeKind) -> Convert {
    use sg_value::IntervalUnit as U;
    let unit = match to {
        TypeKind::IntervalYearMonth(fields) | TypeKind::IntervalDayTime(fields) => match fields.last {
            U::Year => 12,
            U::Month => 1,
            U::Day => DAY_MS,
            U::Hour => 3_600_000,
            U::Minute => 60_000,
            U::Second => 1_000,
        },
        _ => 1,
    };
    Box::new(move |value, _| {
        Ok(match value {
            Value::Int(number) => Value::Int(number.wrapping_mul(unit)),
            _ => Value::Null,
        })
    })
}

fn element_caster(from: &DataType, to: &DataType) -> Convert {
    let convert = caster(from, to);
    Box::new(move |value, cx| {
        if value.is_null() {
            Ok(Value::Null)
        } else {
            convert(value, cx)
        }
    })
}

fn to_array(from: &TypeKind, to: &DataType) -> Convert {
    let TypeKind::Array(from) = from else {
        return Box::new(|_, _| Ok(Value::Null));
    };
    let convert = element_caster(from, to);
    Box::new(move |value, cx| match value {
        Value::Array(elements) => {
            let converted: Result<Vec<Value>, Failure> =
                elements.iter().map(|element| convert(element, cx)).gather();
            Ok(Value::Array(converted?.into()))
        }
        _ => Ok(Value::Null),
    })
}

fn to_map(from: &TypeKind, to: &TypeKind) -> Convert {
    let (keys, values) = match (from, to) {
        (TypeKind::Map(from_key, from_value), TypeKind::Map(to_key, to_value)) => (
            element_caster(from_key, to_key),
            element_caster(from_value, to_value),
        ),
        (TypeKind::Multiset(from), TypeKind::Multiset(to)) => {
            let count: Convert = Box::new(|value, _| Ok(value.clone()));
            (element_caster(from, to), count)
        }
        _ => return Box::new(|_, _| Ok(Value::Null)),
    };
    Box::new(move |value, cx| match value {
        Value::Map(map) => {
            let entries: Result<Vec<(Value, Value)>, Failure> = map
                .entries
                .iter()
                .map(|(key, value)| Ok((keys(key, cx)?, values(value, cx)?)))
                .gather();
            Ok(Value::Map(Rc::new(MapValue { entries: entries? })))
        }
        _ => Ok(Value::Null),
    })
}

fn to_row(from: &TypeKind, to: &TypeKind) -> Convert {
    let (Some(from), Some(to)) = (from.fields(), to.fields()) else {
        return Box::new(|_, _| Ok(Value::Null));
    };
    let fields: Vec<Convert> = from
        .iter()
        .zip(to.iter())
        .map(|(from, to)| element_caster(&from.data_type, &to.data_type))
        .gather();
    Box::new(move |value, cx| match value {
        Value::Row(cells) => {
            let converted: Result<Vec<Value>, Failure> = cells
                .iter()
                .zip(&fields)
                .map(|(cell, convert)| convert(cell, cx))
                .gather();
            Ok(Value::Row(converted?.into()))
        }
        _ => Ok(Value::Null),
    })
}
