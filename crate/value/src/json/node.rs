//! What Jackson says about a node of its tree.

use std::fmt::Write;

use serde_json::{Number, Value as Json};

use crate::{
    decimal::java_text_of_number,
    float::f64_from_text,
    format::double_text,
    number::{integer_from_double, trim_java},
};

/// How numbers with a point or an exponent are kept: exactly once a column of the table is DECIMAL, else as doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    Doubles,
    Exact,
    /// The same, but the text of a field that is a number is what was written: `-0`, `1.50`, `1e400`.
    DoublesAsWritten,
    ExactAsWritten,
}

/// A number as Jackson keeps it.
pub(super) enum Numeric {
    /// Digits without leading zeros, of any length.
    Integer(String),
    Double(f64),
    /// As written, to be kept exactly.
    Decimal(String),
}

impl Numbers {
    /// How numbers within objects and arrays are kept.
    const fn within(self) -> Self {
        match self {
            Self::Doubles | Self::DoublesAsWritten => Self::Doubles,
            Self::Exact | Self::ExactAsWritten => Self::Exact,
        }
    }

    /// The same, with fields as they were written.
    pub(super) const fn as_written(self) -> Self {
        match self.within() {
            Self::Exact => Self::ExactAsWritten,
            _ => Self::DoublesAsWritten,
        }
    }

    pub(super) fn numeric(self, number: &Number) -> Numeric {
        let text = number.as_str();
        if !text.contains(['.', 'e', 'E']) {
            return Numeric::Integer(if text == "-0" {
                "0".to_owned()
            } else {
                text.to_owned()
            });
        }
        match self.within() {
            Self::Exact => Numeric::Decimal(text.to_owned()),
            _ => Numeric::Double(f64_from_text(text).unwrap_or(f64::NAN)),
        }
    }

    /// `JsonNode.asText`: nothing for arrays and objects.
    pub(super) fn text(self, node: &Json) -> String {
        match node {
            Json::Null => "null".to_owned(),
            Json::Bool(truth) => truth.to_string(),
            Json::Number(number) if self != self.within() => number.as_str().to_owned(),
            Json::Number(number) => match self.numeric(number) {
                Numeric::Integer(digits) => digits,
                Numeric::Double(number) => double_text(number),
                Numeric::Decimal(text) => java_text_of_number(&text).unwrap_or(text),
            },
            Json::String(text) => text.clone(),
            Json::Array(_) | Json::Object(_) => String::new(),
        }
    }

    /// A whole number of `bits` as Jackson converts a number node: cut towards zero; `None` if it does not fit or the
    /// node is no number.
    pub(super) fn integer(self, node: &Json, bits: u32) -> Option<i64> {
        let Json::Number(number) = node else { return None };
        let least = -(1_i128 << (bits - 1));
        let whole = match self.numeric(number) {
            Numeric::Integer(digits) => digits.parse::<i128>().ok()?,
            Numeric::Double(number) => {
                let limit = if bits > 32 {
                    9_223_372_036_854_775_807.0
                } else {
                    2_147_483_647.0
                };
                let least = if bits > 32 { -limit } else { -limit - 1.0 };
                if !(least..=limit).contains(&number) {
                    return None;
                }
                i128::from(integer_from_double(number, bits))
            }
            Numeric::Decimal(text) => whole_part(&text)?,
        };
        (least..-least)
            .contains(&whole)
            .then(|| i64::try_from(whole).ok())
            .flatten()
    }

    /// `JsonNode.toString`: the node as JSON without blanks.
    pub(super) fn write(self, out: &mut String, node: &Json) {
        match node {
            Json::String(text) => write_string(out, text),
            Json::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    self.write(out, item);
                }
                out.push(']');
            }
            Json::Object(fields) => {
                out.push('{');
                for (at, (name, value)) in fields.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    write_string(out, name);
                    out.push(':');
                    self.write(out, value);
                }
                out.push('}');
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => out.push_str(&self.within().text(node)),
        }
    }
}

/// The digits before the point of a number that may have an exponent.
fn whole_part(text: &str) -> Option<i128> {
    use crate::decimal::{Decimal, DecimalType, MAX_PRECISION};
    let scale = 18;
    let number = Decimal::parse(text, DecimalType::new(MAX_PRECISION, scale))??;
    Some(number / 10_i128.pow(u32::from(scale)))
}

/// A JSON string as Jackson writes it.
fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for unit in text.chars() {
        match unit {
            '"' | '\\' => out.extend(['\\', unit]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if control < ' ' => {
                let written = write!(out, "\\u{:04X}", u32::from(control));
                debug_assert!(written.is_ok(), "a string takes any text");
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// Java's `Integer.parseInt` and `Long.parseLong` of a trimmed text; the error is what the exception says.
pub(super) fn java_integer(text: &str, bits: u32) -> Result<i64, String> {
    let text = trim_java(text);
    let error = || format!("For input string: \"{text}\"");
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error());
    }
    let number = text.parse::<i64>().ok().ok_or_else(error)?;
    let range = if bits > 32 {
        i64::MIN..=i64::MAX
    } else {
        i64::from(i32::MIN)..=i64::from(i32::MAX)
    };
    if !range.contains(&number) {
        return Err(error());
    }
    let limit = 1_i64 << (bits - 1).min(62);
    if bits < 32 && !(-limit..limit).contains(&number) {
        return Err(format!("Value out of range. Value:\"{text}\" Radix:10"));
    }
    Ok(number)
}
