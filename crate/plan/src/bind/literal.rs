//! Literals: numbers, strings, dates and times.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{CastMode, Expr, cast};
use sg_sql::query as ast;
use sg_value::{DataType, Gather as _, TimeKind, TypeKind, Value, float::f64_from_text};

use super::Binder;

impl Binder<'_> {
    #[inline(never)]
    pub(super) fn bind_literal(&mut self, value: &ast::Value, span: Span) -> Expr {
        match value {
            ast::Value::Number(digits) => self.bind_number(digits, span),
            ast::Value::SingleQuotedString(text) => string(text, span),
            ast::Value::HexStringLiteral(digits) => self.bind_hex(digits, span),
            ast::Value::Boolean(truth) => {
                Expr::literal(Value::Bool(*truth), DataType::not_null(TypeKind::Boolean), span)
            }
            ast::Value::Null => Expr::null(span),
        }
    }

    /// INT, BIGINT, DECIMAL by its digits, DOUBLE with an exponent; `digits` may begin with a minus.
    pub(super) fn bind_number(&mut self, digits: &str, span: Span) -> Expr {
        if digits.contains(['e', 'E']) {
            let number = f64_from_text(digits).unwrap_or(f64::NAN);
            return Expr::literal(Value::Double(number), DataType::not_null(TypeKind::Double), span);
        }
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let unscaled = format!("{whole}{fraction}");
        let Ok(number) = unscaled.parse::<i64>() else {
            return self.number_out_of_range(digits, span);
        };
        if fraction.is_empty() {
            let kind = if i32::try_from(number).is_ok() {
                TypeKind::Int
            } else {
                TypeKind::BigInt
            };
            return Expr::literal(Value::Int(number), DataType::not_null(kind), span);
        }
        let count = |text: &str| u8::try_from(text.bytes().filter(u8::is_ascii_digit).count()).unwrap_or(38);
        let kind = TypeKind::Decimal {
            precision: count(&unscaled).max(1),
            scale: count(fraction),
        };
        Expr::literal(Value::decimal(i128::from(number)), DataType::not_null(kind), span)
    }

    fn number_out_of_range(&mut self, digits: &str, span: Span) -> Expr {
        let flink = self.validation(span, &format!("Numeric literal '{digits}' out of range"));
        self.report(
            Diagnostic::new(Code::NumberOutOfRange, span)
                .arg("number", digits)
                .flink(flink),
        );
        Expr::invalid(span)
    }

    fn bind_hex(&mut self, digits: &str, span: Span) -> Expr {
        let nibbles: Option<Vec<u8>> = digits
            .chars()
            .map(|digit| digit.to_digit(16).and_then(|nibble| u8::try_from(nibble).ok()))
            .gather();
        match nibbles {
            Some(nibbles) if nibbles.len() % 2 == 0 => {
                let bytes: Vec<u8> = nibbles
                    .chunks_exact(2)
                    .map(|pair| pair.iter().fold(0, |byte, nibble| byte << 4 | nibble))
                    .gather();
                let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                let data_type = DataType::not_null(TypeKind::Binary(length));
                Expr::literal(Value::Bytes(Rc::from(bytes)), data_type, span)
            }
            _ => {
                self.report(
                    Diagnostic::new(Code::BadLiteral, span)
                        .arg("type", "BINARY")
                        .arg("text", digits),
                );
                Expr::invalid(span)
            }
        }
    }

    /// `DATE '…'`, `TIME '…'`, `TIMESTAMP '…'`
    #[inline(never)]
    pub(super) fn bind_typed_string(&mut self, typed: &ast::TypedString, span: Span) -> Expr {
        let Some(text) = plain_text(&typed.value.value) else {
            return self.unsupported_text(span);
        };
        let digits = text
            .split_once('.')
            .map_or(0, |(_, fraction)| fraction.len().min(9));
        let precision = u8::try_from(digits).unwrap_or(9);
        let (kind, format) = match typed.data_type {
            ast::DataType::Date => (TypeKind::Date, "yyyy-MM-dd"),
            ast::DataType::Time => (TypeKind::Time(precision), "HH:mm:ss"),
            ast::DataType::Timestamp => (
                TypeKind::Timestamp {
                    precision,
                    time: TimeKind::Regular,
                },
                "yyyy-MM-dd HH:mm:ss",
            ),
        };
        self.bind_time_literal(text, kind, format, span)
    }

    /// `TIMESTAMP WITH LOCAL TIME ZONE '…'`
    pub(super) fn bind_ltz_literal(&mut self, text: &str, span: Span) -> Expr {
        let digits = text
            .split_once('.')
            .map_or(0, |(_, fraction)| fraction.len().min(9));
        let kind = TypeKind::TimestampLtz {
            precision: u8::try_from(digits).unwrap_or(9),
            time: TimeKind::Regular,
        };
        let local = TypeKind::Timestamp {
            precision: u8::try_from(digits).unwrap_or(9),
            time: TimeKind::Regular,
        };
        // Which moment it is depends on the session's time zone.
        let plain = self.bind_time_literal(text, local, "yyyy-MM-dd HH:mm:ss", span);
        if plain.is_invalid() {
            return plain;
        }
        let to = DataType::not_null(kind);
        self.expressions(|diags| cast(plain, &to, CastMode::Explicit, span, diags))
    }

    fn bind_time_literal(&mut self, text: &str, kind: TypeKind, format: &str, span: Span) -> Expr {
        let word = match kind {
            TypeKind::Date => "DATE",
            TypeKind::Time(_) => "TIME",
            _ => "TIMESTAMP",
        };
        let full = if word == "TIMESTAMP" && !text.contains(' ') {
            format!("{} 00:00:00", text.trim())
        } else {
            text.to_owned()
        };
        let to = DataType::not_null(kind);
        let (value, sound) = self.scratch(|binder| {
            binder.expressions(|diags| {
                let literal = cast(string(&full, span), &to, CastMode::Explicit, span, diags);
                sg_expr::fold(literal)
            })
        });
        match value.as_literal() {
            Some(literal) if sound && !literal.is_null() => Expr::literal(literal.clone(), to, span),
            _ => {
                let message = format!("Illegal {word} literal '{text}': not in format '{format}'");
                let flink = self.validation(span, &message);
                let diagnostic = Diagnostic::new(Code::BadLiteral, span)
                    .arg("type", word)
                    .arg("text", text);
                self.report(diagnostic.flink(flink));
                Expr::invalid(span)
            }
        }
    }
}

/// A CHAR(n) literal, n counted in characters.
pub(super) fn string(text: &str, span: Span) -> Expr {
    let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    Expr::literal(
        Value::from(text),
        DataType::not_null(TypeKind::Char(length)),
        span,
    )
}

/// The text of a string literal.
pub(super) fn plain_text(value: &ast::Value) -> Option<&str> {
    match value {
        ast::Value::SingleQuotedString(text) => Some(text),
        _ => None,
    }
}
