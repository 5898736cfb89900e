//! PRINTF, after Java's `String.format`. What the format and its arguments do not agree on gives NULL.

use sg_value::{
    DataType, Gather as _, TypeKind, Value,
    float::{exact_digits, fixed},
    format::cell_text,
};

use super::super::{
    CallSite, Eval, FunctionDef, Kernel, Resolve,
    definition::Family::String as Strings,
    signature::{Param, Returns, Signature, takes},
};
use crate::types::KindExt;

static FORMAT: &[Signature] = &[takes(&[Param::Text, Param::Any], Returns::Text)
    .variadic()
    .optional(1)
    .nullable()];

pub(super) static ROWS: &[FunctionDef] = &[FunctionDef::new(
    "PRINTF",
    Strings,
    Resolve::Table(FORMAT),
    Eval::Build(printf),
    [
        "Values put into a format such as %s=%d, after Java's String.format.",
        "按 %s=%d 这样的格式组合文本，规则同 Java 的 String.format。",
    ],
)
.sees_nulls()];

/// One `%…` of a format.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
struct Spec {
    argument: Option<usize>,
    left: bool,
    zeros: bool,
    plus: bool,
    blank: bool,
    grouped: bool,
    width: usize,
    precision: Option<usize>,
}

fn printf(site: &CallSite<'_>) -> Kernel {
    let types: Vec<DataType> = site.args.iter().skip(1).map(|arg| arg.data_type.clone()).gather();
    Box::new(move |values, _| {
        let Some((Value::Str(format), args)) = values.split_first() else {
            return Ok(Value::Null);
        };
        Ok(formatted(format, args, &types).map_or(Value::Null, |text| Value::Str(text.into())))
    })
}

/// Wider fields than this are no replay's business.
const MOST_WIDTH: usize = 1 << 16;

fn formatted(format: &str, args: &[Value], types: &[DataType]) -> Option<String> {
    let mut out = String::new();
    let mut next = 0;
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let (spec, conversion, after) = spec(after)?;
        match conversion {
            '%' => out.push('%'),
            'n' => out.push('\n'),
            conversion => {
                let at = spec.argument.unwrap_or_else(|| {
                    next += 1;
                    next - 1
                });
                out.push_str(&spec.text(conversion, args.get(at)?, types.get(at)?)?);
            }
        }
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// Flags, width, precision and conversion.
fn spec(text: &str) -> Option<(Spec, char, &str)> {
    let mut spec = Spec::default();
    let mut rest = text;
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, after) = rest.split_at_checked(digits(rest))?;
    if let Some(after) = after.strip_prefix('$') {
        spec.argument = number.parse::<usize>().ok()?.checked_sub(1);
        rest = after;
    }
    loop {
        let mut letters = rest.chars();
        match letters.next()? {
            '-' => spec.left = true,
            '0' => spec.zeros = true,
            '+' => spec.plus = true,
            ' ' => spec.blank = true,
            ',' => spec.grouped = true,
            _ => break,
        }
        rest = letters.as_str();
    }
    let (width, after) = rest.split_at_checked(digits(rest))?;
    if !width.is_empty() {
        spec.width = width.parse().ok().filter(|width| *width <= MOST_WIDTH)?;
    }
    rest = after;
    if let Some(after) = rest.strip_prefix('.') {
        let (precision, after) = after.split_at_checked(digits(after))?;
        spec.precision = Some(
            precision
                .parse()
                .ok()
                .filter(|precision| *precision <= MOST_WIDTH)?,
        );
        rest = after;
    }
    let mut letters = rest.chars();
    let conversion = letters.next()?;
    Some((spec, conversion, letters.as_str()))
}

impl Spec {
    fn text(&self, conversion: char, value: &Value, data_type: &DataType) -> Option<String> {
        let integer = data_type.kind.is_integer();
        let text = match (conversion, value) {
            ('s' | 'S', value) => {
                let text = cell_text(value, data_type);
                let cut: String = text.chars().take(self.precision.unwrap_or(usize::MAX)).gather();
                if conversion == 'S' {
                    sg_value::case::upper(&cut)
                } else {
                    cut
                }
            }
            ('b', Value::Null) => "false".to_owned(),
            ('b', Value::Bool(truth)) => truth.to_string(),
            ('b', _) => "true".to_owned(),
            (_, Value::Null) => "null".to_owned(),
            ('d', Value::Int(number)) if integer => {
                self.signed(*number < 0, &self.group(&number.unsigned_abs().to_string()))
            }
            ('x' | 'X' | 'o', Value::Int(number)) if integer => {
                let bits = data_type.kind.integer_bits()?;
                let mask = if bits == 64 { u64::MAX } else { (1_u64 << bits) - 1 };
                let number = number.cast_unsigned() & mask;
                self.padded_zeros(&match conversion {
                    'x' => format!("{number:x}"),
                    'X' => format!("{number:X}"),
                    _ => format!("{number:o}"),
                })
            }
            ('f', Value::Double(number)) if number.is_finite() => {
                let digits = fixed(number.abs(), self.precision.unwrap_or(6));
                let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
                let point = if fraction.is_empty() { "" } else { "." };
                self.signed(
                    number.is_sign_negative(),
                    &format!("{}{point}{fraction}", self.group(whole)),
                )
            }
            ('e', Value::Double(number)) if number.is_finite() => {
                let places = self.precision.unwrap_or(6);
                let digits = exact_digits(*number)?.rounded(i64::try_from(places).ok()? + 1);
                let (first, rest) = digits.text.split_at_checked(1)?;
                let point = if places > 0 { "." } else { "" };
                let sign = if digits.exponent < 0 { '-' } else { '+' };
                let exponent = digits.exponent.abs();
                self.signed(
                    number.is_sign_negative(),
                    &format!("{first}{point}{rest:0<places$}e{sign}{exponent:02}"),
                )
            }
            ('c', Value::Int(number)) if integer && data_type.kind != TypeKind::BigInt => {
                char::from_u32(u32::try_from(*number).ok()?)?.to_string()
            }
            _ => return None,
        };
        let missing = self.width.saturating_sub(text.chars().count());
        let blanks = " ".repeat(missing);
        Some(if self.left {
            format!("{text}{blanks}")
        } else {
            format!("{blanks}{text}")
        })
    }

    fn signed(&self, negative: bool, digits: &str) -> String {
        let sign = match (negative, self.plus, self.blank) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        };
        let zeros = if self.zeros {
            self.width.saturating_sub(sign.len() + digits.len())
        } else {
            0
        };
        format!("{sign}{}{digits}", "0".repeat(zeros))
    }

    fn padded_zeros(&self, digits: &str) -> String {
        let zeros = if self.zeros {
            self.width.saturating_sub(digits.len())
        } else {
            0
        };
        "0".repeat(zeros) + digits
    }

    /// A comma between thousands, where asked for.
    fn group(&self, digits: &str) -> String {
        if !self.grouped {
            return digits.to_owned();
        }
        let mut out = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                out.push(',');
            }
            out.push(digit);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_javas() {
        let of = |format: &str, value: Value, kind: TypeKind| {
            formatted(format, &[value], &[DataType::nullable(kind)])
        };
        assert_eq!(of("%05d|%<x", Value::Int(42), TypeKind::Int), None);
        assert_eq!(
            of("%05d", Value::Int(-42), TypeKind::Int).as_deref(),
            Some("-0042")
        );
        assert_eq!(
            of("%,d", Value::Int(1_234_567), TypeKind::Int).as_deref(),
            Some("1,234,567")
        );
        assert_eq!(
            of("%-6sx", Value::from("ab"), TypeKind::Varchar(9)).as_deref(),
            Some("ab    x")
        );
        assert_eq!(
            of("%.2f%%", Value::Double(2.0 / 3.0), TypeKind::Double).as_deref(),
            Some("0.67%")
        );
        assert_eq!(
            of("%x", Value::Int(-1), TypeKind::Int).as_deref(),
            Some("ffffffff")
        );
        assert_eq!(of("%d", Value::from("x"), TypeKind::Varchar(9)), None);
        assert_eq!(
            of("%1$s %1$s", Value::Int(7), TypeKind::Int).as_deref(),
            Some("7 7")
        );
        assert_eq!(
            of("%.1e", Value::Double(12345.0), TypeKind::Double).as_deref(),
            Some("1.2e+04")
        );
    }
}
