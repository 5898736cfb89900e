//! JSON as these functions write it: numbers as Java's `BigDecimal`, times in ISO form, bytes in base64.

use std::fmt::Write;

use serde_json::Value as Json;
use sg_value::{
    DataType, Gather as _, TypeKind, Value,
    decimal::Decimal,
    format::{cast_text, double_text},
    json::{json_text, write_json_string},
    time::{Zone, write_iso_instant},
};

use super::super::string::base64;
use crate::types::scale_of;

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_json_string(&mut out, text);
    out
}

/// A text as JSON, if it begins with a value, whatever follows: to Jackson a number whose exponent is no Java `int` is none.
/// Cases: types/json-odd-numbers, types/json-functions-of-odd-texts.
pub(super) fn parsed(text: &str) -> Option<Json> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Json>();
    let json = values.next()?.ok()?;
    has_numbers_of_java(&json).then_some(json)
}

fn has_numbers_of_java(json: &Json) -> bool {
    match json {
        Json::Number(number) => {
            let exponent = number.as_str().split_once(['e', 'E']);
            exponent.is_none_or(|(_, exponent)| exponent.parse::<i32>().is_ok())
        }
        Json::Array(elements) => elements.iter().all(has_numbers_of_java),
        Json::Object(fields) => fields.values().all(has_numbers_of_java),
        _ => true,
    }
}

/// Parsed JSON in its compact form, keys in order; numbers normalised. Case: types/json-order-of-keys.
pub(super) fn compact(json: &Json) -> String {
    match json {
        Json::Number(number) => big_decimal(number.as_str()),
        Json::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(compact).gather();
            format!("[{}]", elements.join(","))
        }
        Json::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().gather();
            fields.sort_by_key(|(name, _)| *name);
            let fields: Vec<String> = fields
                .into_iter()
                .map(|(name, value)| format!("{}:{}", quoted(name), compact(value)))
                .gather();
            format!("{{{}}}", fields.join(","))
        }
        other => json_text(other),
    }
}

/// A scalar without quotes.
pub(super) fn scalar(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(plain_number(number.as_str())),
        Json::Bool(truth) => Some(truth.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// Integers as they are, other numbers as `BigDecimal` writes them.
fn plain_number(text: &str) -> String {
    if text.contains(['.', 'e', 'E']) {
        big_decimal(text)
    } else if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// Java's `new BigDecimal(text).toString()`: scientific where the exponent is positive or below -6.
pub(super) fn big_decimal(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let Ok(exponent) = exponent.parse::<i32>().map(i64::from) else {
        return text.to_owned();
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let unscaled = format!("{whole}{fraction}");
    let (sign, unscaled) = match unscaled.trim_start_matches('0') {
        "" => ("", "0"),
        digits => (sign, digits),
    };
    let Ok(fraction) = i64::try_from(fraction.len()) else {
        return text.to_owned();
    };
    let scale = fraction - exponent;
    let Ok(length) = i64::try_from(unscaled.len()) else {
        return text.to_owned();
    };
    let adjusted = length - 1 - scale;
    if scale >= 0 && adjusted >= -6 {
        let Ok(scale) = usize::try_from(scale) else {
            return text.to_owned();
        };
        let padded = format!("{unscaled:0>width$}", width = scale + 1);
        let (whole, fraction) = padded
            .split_at_checked(padded.len() - scale)
            .unwrap_or((&padded, ""));
        let point = if fraction.is_empty() { "" } else { "." };
        return format!("{sign}{whole}{point}{fraction}");
    }
    let (first, rest) = unscaled.split_at_checked(1).unwrap_or((unscaled, ""));
    let point = if rest.is_empty() { "" } else { "." };
    let plus = if adjusted > 0 { "+" } else { "" };
    format!("{sign}{first}{point}{rest}E{plus}{adjusted}")
}

/// JSON of a value of a type.
pub(super) fn of_value(value: &Value, data_type: &DataType) -> String {
    match (value, &data_type.kind) {
        (Value::Null, _) => "null".to_owned(),
        (Value::Bool(truth), _) => truth.to_string(),
        (Value::Str(text), TypeKind::Variant) => text.to_string(),
        (Value::Str(text), _) => quoted(text),
        // a FLOAT as the DOUBLE that it is, too: 0.10000000149011612
        (Value::Double(number), _) => approximate(&double_text(*number)),
        (Value::Decimal(_) | Value::BigDecimal(_), kind) => {
            big_decimal(&Decimal::new(value.unscaled().unwrap_or(0), scale_of(kind)).to_string())
        }
        (Value::Bytes(bytes), _) => quoted(&base64(bytes)),
        (Value::Timestamp { ms, nanos }, kind) => {
            let mut text = String::new();
            let written = write_iso_instant(&mut text, *ms, *nanos);
            debug_assert!(written.is_ok(), "writing to a String failed");
            let instant = matches!(kind, TypeKind::TimestampLtz { .. });
            quoted(if instant {
                &text
            } else {
                text.trim_end_matches('Z')
            })
        }
        (Value::Array(elements), TypeKind::Array(of)) => {
            let elements: Vec<String> = elements.iter().map(|element| of_value(element, of)).gather();
            format!("[{}]", elements.join(","))
        }
        (Value::Row(cells), TypeKind::Row(fields) | TypeKind::Structured(_, fields)) => {
            let mut text = String::from("{");
            for (cell, field) in cells.iter().zip(fields.iter()) {
                let comma = if text.len() > 1 { "," } else { "" };
                // Writing to a String cannot fail.
                let _ignored = write!(
                    text,
                    "{comma}{}:{}",
                    quoted(&field.name),
                    of_value(cell, &field.data_type)
                );
            }
            text.push('}');
            text
        }
        (Value::Map(map), TypeKind::Map(key_type, value_type)) => {
            let entries = map.entries.iter().map(|(key, value)| {
                let key = cast_text(key, key_type, &Zone::UTC).unwrap_or_default();
                format!("{}:{}", quoted(&key), of_value(value, value_type))
            });
            format!("{{{}}}", entries.gather::<Vec<_>>().join(","))
        }
        (other, _) => cast_text(other, data_type, &Zone::UTC).unwrap_or_default(),
    }
}

/// A DOUBLE goes through `BigDecimal`; NaN and infinities are texts.
fn approximate(text: &str) -> String {
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !text.ends_with('y') {
        big_decimal(text)
    } else {
        quoted(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_big_decimals() {
        for (text, expected) in [
            ("1e3", "1E+3"),
            ("1.0E10", "1.0E+10"),
            ("1.50", "1.50"),
            ("0.001", "0.001"),
            ("1.0E-5", "0.000010"),
            ("1E-7", "1E-7"),
            ("-12", "-12"),
            ("0.0", "0.0"),
        ] {
            assert_eq!(big_decimal(text), expected, "{text}");
        }
    }
}
