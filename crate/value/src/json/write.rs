//! JSON from values.

use std::fmt::Write;

use serde_json::{Map, Number, Value as Json};

use super::base64;
use crate::{
    data_type::{DataType, TypeKind},
    decimal::{Decimal, java_text_of_number},
    format::cell_text,
    time::{DAY_MS, write_iso_date},
    value::Value,
};

/// JSON of a value: timestamps in SQL style without trailing zeros, bytes as Base64, rows and maps as objects, decimals
/// without trailing zeros (`1e+2`).
pub fn json_from_value(value: &Value, data_type: &DataType) -> Json {
    match (value, &data_type.kind) {
        (Value::Null, _) => Json::Null,
        (Value::Bool(truth), _) => Json::Bool(*truth),
        (Value::Int(days), TypeKind::Date) => Json::String(date_text(*days)),
        (Value::Int(ms), TypeKind::Time(_)) => Json::String(clock_text(*ms, 0)),
        (Value::Int(number), _) => Json::Number((*number).into()),
        (Value::Double(_), _) => number(&cell_text(value, data_type)),
        (Value::Decimal(_) | Value::BigDecimal(_), TypeKind::Decimal { scale, .. }) => {
            let text = Decimal::new(value.unscaled().unwrap_or(0), *scale).to_string();
            number(&java_text_of_number(&text).unwrap_or(text))
        }
        (Value::Timestamp { ms, nanos }, kind) => {
            let zulu = if matches!(kind, TypeKind::TimestampLtz { .. }) {
                "Z"
            } else {
                ""
            };
            let date = date_text(ms.div_euclid(DAY_MS));
            Json::String(format!(
                "{date} {}{zulu}",
                clock_text(ms.rem_euclid(DAY_MS), *nanos)
            ))
        }
        (Value::Str(text), _) => Json::String(text.to_string()),
        (Value::Bytes(bytes), _) => Json::String(base64::encode(bytes)),
        (Value::Row(values), TypeKind::Row(fields)) => Json::Object(
            fields
                .iter()
                .zip(values.iter())
                .map(|(field, value)| (field.name.to_string(), json_from_value(value, &field.data_type)))
                .collect(),
        ),
        (Value::Array(values), TypeKind::Array(element)) => Json::Array(
            values
                .iter()
                .map(|value| json_from_value(value, element))
                .collect(),
        ),
        (Value::Map(map), kind) => {
            let Some((key_type, value_type)) = kind.map_types() else {
                return Json::Null;
            };
            let entries = map.entries.iter();
            Json::Object(
                entries
                    .map(|(key, value)| (cell_text(key, key_type), json_from_value(value, value_type)))
                    .collect::<Map<_, _>>(),
            )
        }
        _ => Json::String(cell_text(value, data_type)),
    }
}

/// A number; NaN and infinities are text.
fn number(text: &str) -> Json {
    text.parse::<Number>()
        .map_or_else(|_| Json::String(text.to_owned()), Json::Number)
}

fn date_text(days: i64) -> String {
    let mut text = String::new();
    let written = write_iso_date(&mut text, days);
    debug_assert!(written.is_ok(), "a string takes any text");
    text
}

/// `13:14:15` and the fraction without trailing zeros.
fn clock_text(ms: i64, nanos: u32) -> String {
    let mut text = format!(
        "{:02}:{:02}:{:02}",
        ms / 3_600_000,
        ms / 60_000 % 60,
        ms / 1000 % 60
    );
    let fraction = ms % 1000 * 1_000_000 + i64::from(nanos);
    if fraction > 0 {
        let digits = format!("{fraction:09}");
        let written = write!(text, ".{}", digits.trim_end_matches('0'));
        debug_assert!(written.is_ok(), "a string takes any text");
    }
    text
}
