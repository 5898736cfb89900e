//! Constants as Calcite prints them.

use std::fmt::Write;

use sg_value::{
    DataType, Gather as _, TypeKind, Value,
    decimal::Decimal,
    float::{exact_digits, shortest_digits},
    format::double_text,
    time::{write_date, write_time, write_timestamp},
};

use crate::types::{Charset, KindExt, calcite_type, scale_of};

/// Whether the type follows the constant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeSuffix {
    /// Where it cannot be seen from the constant: not for INTEGER, BOOLEAN, `CHAR` of its own length, DATE, TIME(0),
    /// TIMESTAMP(0).
    AsNeeded,
    /// As execution plans have it: only for NULL and intervals, strings without prefix.
    Execution,
    /// Never.
    Never,
}

/// The text of a constant.
pub(super) fn literal_text(value: &Value, data_type: &DataType, suffix: TypeSuffix) -> String {
    let charset = if suffix == TypeSuffix::Execution {
        Charset::Hidden
    } else {
        Charset::Shown
    };
    let typed = |text: String| format!("{text}:{}", calcite_type(data_type, charset));
    if value.is_null() {
        return if suffix == TypeSuffix::Never {
            "null".to_owned()
        } else {
            typed("null".to_owned())
        };
    }
    let text = bare_text(value, data_type, suffix);
    let shown = match suffix {
        TypeSuffix::Never => false,
        TypeSuffix::Execution => data_type.kind.is_interval(),
        TypeSuffix::AsNeeded => needs_type(value, &data_type.kind),
    };
    if shown { typed(text) } else { text }
}

fn needs_type(value: &Value, kind: &TypeKind) -> bool {
    match kind {
        TypeKind::Boolean | TypeKind::Int | TypeKind::Date | TypeKind::Null => false,
        TypeKind::Char(length) => value
            .as_str()
            .is_none_or(|text| text.encode_utf16().count() != *length as usize),
        TypeKind::Time(0)
        | TypeKind::Timestamp { precision: 0, .. }
        | TypeKind::TimestampLtz { precision: 0, .. } => false,
        _ => true,
    }
}

fn bare_text(value: &Value, data_type: &DataType, suffix: TypeSuffix) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Str(text) if suffix == TypeSuffix::Execution => format!("'{text}'"),
        Value::Str(text) => format!("_UTF-16LE'{}'", text.replace('\'', "''")),
        Value::Bytes(bytes) => {
            let mut text = String::from("X'");
            for byte in bytes.iter() {
                put(&mut text, |out| write!(out, "{byte:02x}"));
            }
            text.push('\'');
            text
        }
        Value::Decimal(_) | Value::BigDecimal(_) => {
            Decimal::new(value.unscaled().unwrap_or(0), scale_of(&data_type.kind)).to_string()
        }
        Value::Double(number) => scientific(*number),
        Value::Timestamp { ms, nanos } => {
            let mut text = String::new();
            put(&mut text, |out| write_timestamp(out, *ms, *nanos, 9));
            trim_fraction(&text).to_owned()
        }
        Value::Int(number) => {
            let mut text = String::new();
            match data_type.kind {
                TypeKind::Date => put(&mut text, |out| write_date(out, *number)),
                TypeKind::Time(_) => {
                    put(&mut text, |out| write_time(out, *number, 3));
                    return trim_fraction(&text).to_owned();
                }
                _ => put(&mut text, |out| write!(out, "{number}")),
            }
            text
        }
        Value::Row(cells) | Value::Array(cells) => {
            let inner: Vec<String> = cells
                .iter()
                .map(|cell| literal_text(cell, &DataType::nullable(TypeKind::Null), TypeSuffix::Never))
                .gather();
            format!("[{}]", inner.join(", "))
        }
        Value::Map(_) | Value::Null => String::new(),
    }
}

/// Writing to a String cannot fail.
fn put(out: &mut String, write: impl FnOnce(&mut String) -> std::fmt::Result) {
    let result = write(out);
    debug_assert!(result.is_ok(), "writing to a String failed");
}

/// Without zeros at the end of a fraction, and without an empty one.
fn trim_fraction(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// Calcite's scientific notation: `1E3`, `1.5E0`; numbers that were computed show 20 digits of their exact value.
fn scientific(number: f64) -> String {
    let (Some(shortest), Some(exact)) = (shortest_digits(number), exact_digits(number)) else {
        return double_text(number);
    };
    if shortest.text.len() <= 15 {
        return join_scientific(number, &shortest.text, shortest.exponent);
    }
    // Cut, not rounded.
    let digits = format!("{:0<20}", exact.text);
    join_scientific(number, digits.get(..20).unwrap_or(&digits), exact.exponent)
}

fn join_scientific(number: f64, digits: &str, exponent: i32) -> String {
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let mut rest = digits.chars();
    let first = rest.next().unwrap_or('0');
    let rest = rest.as_str();
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}E{exponent}")
}
