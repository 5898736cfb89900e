//! Functions of numbers. Doubles go through `libm`, so that every platform agrees.

use std::f64::consts::{E, PI};

use sg_diag::Code;
use sg_value::{
    Gather as _, TypeKind, Value,
    decimal::{Decimal, DecimalType, not_a_decimal},
    float::{Digits, f64_from_text, shortest_digits},
    format::double_text,
};

use super::{
    CallSite, Eval, FunctionDef, Kernel, Resolve,
    arithmetic::not_runnable,
    definition::Family::Arithmetic,
    exp::exp,
    failure,
    signature::{Nullable, Param, Returns, Signature, takes},
};
use crate::{
    bound::Expr,
    number::{decimal_of, double_from, round_to_float, wrap},
    resolve::Request,
    types::{KindExt, decimal_kind, scale_of},
};

use Param::{Int, Integer, Number};

static ONE: &[Signature] = &[takes(&[Number], Returns::Double)];
static TWO: &[Signature] = &[takes(&[Number, Number], Returns::Double)];
static ONE_OR_TWO: &[Signature] = &[takes(&[Number, Number], Returns::Double).optional(1)];
static CONSTANT: &[Signature] = &[takes(&[], Returns::Double).nulls(Nullable::Never)];
static SAME: &[Signature] = &[takes(&[Number], Returns::Same(0))];
static ROUNDED: &[Signature] = &[takes(&[Number, Int], Returns::From(rounded_kind)).optional(1)];
static BITS: &[Signature] = &[takes(&[Integer], Returns::Text)];
static HEX: &[Signature] = &[
    takes(&[Integer], Returns::Text),
    takes(&[Param::Text], Returns::Text),
];
static UNHEX: &[Signature] = &[takes(&[Param::Text], Returns::Bytes).nullable()];

const fn double(name: &'static str, compute: fn(f64) -> f64, doc: [&'static str; 2]) -> FunctionDef {
    FunctionDef::new(name, Arithmetic, Resolve::Table(ONE), Eval::Double(compute), doc)
}

const fn doubles(name: &'static str, compute: fn(f64, f64) -> f64, doc: [&'static str; 2]) -> FunctionDef {
    FunctionDef::new(name, Arithmetic, Resolve::Table(TWO), Eval::Doubles(compute), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "ABS",
        Arithmetic,
        Resolve::Rules(resolve_abs),
        Eval::Build(abs),
        ["The number without its sign.", "绝对值。"],
    )
    .written(&["ABS(number)"]),
    FunctionDef::new(
        "SIGN",
        Arithmetic,
        Resolve::Table(SAME),
        Eval::Build(sign),
        [
            "-1, 0 or 1, in the number's type.",
            "符号：-1、0 或 1，类型与参数相同。",
        ],
    ),
    FunctionDef::new(
        "ROUND",
        Arithmetic,
        Resolve::Table(ROUNDED),
        Eval::Build(|site| round(site, true)),
        [
            "Rounded to so many digits behind the point, half away from zero.",
            "四舍五入到小数点后若干位。",
        ],
    ),
    FunctionDef::new(
        "TRUNCATE",
        Arithmetic,
        Resolve::Table(ROUNDED),
        Eval::Build(|site| round(site, false)),
        [
            "Cut to so many digits behind the point.",
            "截断到小数点后若干位。",
        ],
    ),
    doubles(
        "POWER",
        libm::pow,
        [
            "The first number to the power of the second.",
            "第一个数的第二个数次幂。",
        ],
    ),
    double("SQRT", libm::sqrt, ["The square root.", "平方根。"]),
    double("EXP", exp, ["e to the power of a number.", "e 的若干次幂。"]),
    double("LN", libm::log, ["The natural logarithm.", "自然对数。"]),
    double(
        "LOG10",
        libm::log10,
        ["The logarithm of base 10.", "以 10 为底的对数。"],
    ),
    double(
        "LOG2",
        |x| libm::log(x) / libm::log(2.0),
        ["The logarithm of base 2.", "以 2 为底的对数。"],
    ),
    FunctionDef::new(
        "LOG",
        Arithmetic,
        Resolve::Table(ONE_OR_TWO),
        Eval::Build(log),
        [
            "The natural logarithm, or the second number's logarithm of the first as base.",
            "自然对数；两个参数时，以第一个为底求第二个的对数。",
        ],
    ),
    double("SIN", libm::sin, ["The sine.", "正弦。"]),
    double("SINH", libm::sinh, ["The hyperbolic sine.", "双曲正弦。"]),
    double("COS", libm::cos, ["The cosine.", "余弦。"]),
    double("COSH", libm::cosh, ["The hyperbolic cosine.", "双曲余弦。"]),
    double("TAN", libm::tan, ["The tangent.", "正切。"]),
    double("TANH", libm::tanh, ["The hyperbolic tangent.", "双曲正切。"]),
    double("COT", |x| 1.0 / libm::tan(x), ["The cotangent.", "余切。"]),
    double("ASIN", libm::asin, ["The arc sine.", "反正弦。"]),
    double("ACOS", libm::acos, ["The arc cosine.", "反余弦。"]),
    double("ATAN", libm::atan, ["The arc tangent.", "反正切。"]),
    doubles(
        "ATAN2",
        libm::atan2,
        [
            "The angle of the point (x, y), given as y, x.",
            "由 y、x 求点 (x, y) 的角度。",
        ],
    ),
    double(
        "DEGREES",
        |x| x * (180.0 / PI),
        ["Degrees from radians.", "弧度转角度。"],
    ),
    double(
        "RADIANS",
        |x| x * (PI / 180.0),
        ["Radians from degrees.", "角度转弧度。"],
    ),
    FunctionDef::new(
        "PI",
        Arithmetic,
        Resolve::Table(CONSTANT),
        Eval::Values(|_| Ok(Value::Double(PI))),
        ["The number π.", "圆周率 π。"],
    ),
    FunctionDef::new(
        "E",
        Arithmetic,
        Resolve::Table(CONSTANT),
        Eval::Values(|_| Ok(Value::Double(E))),
        ["The number e.", "自然常数 e。"],
    ),
    FunctionDef::new(
        "BIN",
        Arithmetic,
        Resolve::Table(BITS),
        Eval::Values(bin),
        ["The bits of an integer.", "整数的二进制文本。"],
    ),
    FunctionDef::new(
        "HEX",
        Arithmetic,
        Resolve::Table(HEX),
        Eval::Values(hex),
        [
            "An integer, or the bytes of a text, in hexadecimal digits.",
            "整数或文本字节的十六进制文本。",
        ],
    ),
    FunctionDef::new(
        "UNHEX",
        Arithmetic,
        Resolve::Table(UNHEX),
        Eval::Values(unhex),
        [
            "Bytes from hexadecimal digits; NULL where there are others.",
            "由十六进制文本得到字节；含其他字符时为 NULL。",
        ],
    ),
];

fn resolve_abs(mut request: Request<'_>) -> Expr {
    let operand = request.plain(0);
    match request.args.len() {
        1 if operand.kind.is_numeric() => {
            let args = std::mem::take(&mut request.args);
            request.call(args, operand)
        }
        1 if operand.kind.is_interval() => not_runnable(request),
        1 => request.wrong_types(&[
            "'ABS(<NUMERIC>)'".to_owned(),
            "'ABS(<DATETIME_INTERVAL>)'".to_owned(),
        ]),
        _ => {
            request.report_count(1);
            Expr::invalid(request.span)
        }
    }
}

fn abs(site: &CallSite<'_>) -> Kernel {
    let bits = site.kind(0).integer_bits().unwrap_or(64);
    Box::new(move |values, _| {
        Ok(match values.first() {
            Some(Value::Int(number)) => Value::Int(wrap(number.wrapping_abs(), bits)),
            Some(Value::Double(number)) => Value::Double(libm::fabs(*number)),
            Some(other) => other
                .unscaled()
                .map_or(Value::Null, |unscaled| Value::decimal(unscaled.abs())),
            None => Value::Null,
        })
    })
}

fn sign(site: &CallSite<'_>) -> Kernel {
    let one = 10_i128.pow(u32::from(scale_of(site.kind(0))));
    Box::new(move |values, _| {
        Ok(match values.first() {
            Some(Value::Int(number)) => Value::Int(number.signum()),
            Some(Value::Double(number)) if *number == 0.0 || number.is_nan() => Value::Double(*number),
            Some(Value::Double(number)) => Value::Double(1.0_f64.copysign(*number)),
            Some(other) => other
                .unscaled()
                .map_or(Value::Null, |unscaled| Value::decimal(unscaled.signum() * one)),
            None => Value::Null,
        })
    })
}

fn log(site: &CallSite<'_>) -> Kernel {
    let scales = [scale_of(site.kind(0)), scale_of(site.kind(1))];
    Box::new(move |values, _| {
        let [a, b] = scales;
        let number = |at: usize, scale| values.get(at).and_then(|value| double_from(value, scale));
        Ok(match (number(0, a), number(1, b)) {
            (Some(base), Some(x)) => Value::Double(libm::log(x) / libm::log(base)),
            (Some(x), None) => Value::Double(libm::log(x)),
            _ => Value::Null,
        })
    })
}

/// ROUND of a DECIMAL has the digits that are asked for, where they are constant.
fn rounded_kind(args: &[Expr]) -> TypeKind {
    let Some(operand) = args.first() else {
        return TypeKind::Null;
    };
    let digits = match args.get(1) {
        None => Some(0),
        Some(digits) => digits.as_literal().and_then(Value::as_int),
    };
    match (
        &operand.data_type.kind,
        digits.and_then(|digits| i32::try_from(digits).ok()),
    ) {
        (TypeKind::Decimal { precision, scale }, Some(digits)) => {
            decimal_kind(DecimalType::new(*precision, *scale).rounded(digits))
        }
        (kind, _) => kind.clone(),
    }
}

fn round(site: &CallSite<'_>, half_up: bool) -> Kernel {
    let from = site.kind(0).clone();
    let result = site.data_type.kind.as_decimal();
    let bits = from.integer_bits();
    let single = from == TypeKind::Float;
    let scale = scale_of(&from);
    Box::new(move |values, _| {
        let digits = values.get(1).map_or(Some(0), Value::as_int);
        let Some(digits) = digits.and_then(|digits| i32::try_from(digits).ok()) else {
            return Ok(Value::Null);
        };
        Ok(match values.first() {
            Some(Value::Double(number)) => {
                let rounded = if half_up {
                    round_double(*number, digits)
                } else {
                    truncate_double(*number, digits)
                };
                let rounded = rounded.map_err(|(class, text)| {
                    failure(Code::ValueNotTaken)
                        .arg("function", if half_up { "ROUND" } else { "TRUNCATE" })
                        .arg("reason", "the number is not finite or has too many digits")
                        .flink(format!("{class}: {text}"))
                })?;
                Value::Double(if single { round_to_float(rounded) } else { rounded })
            }
            Some(value) => {
                let to = result.unwrap_or(DecimalType::new(38, 0));
                let to = if bits.is_some() {
                    DecimalType::new(38, 0)
                } else {
                    to
                };
                let number = decimal_of(value, scale);
                let rounded = if half_up {
                    number.round(digits, to)
                } else {
                    number.truncate(digits, to)
                };
                match (rounded, bits) {
                    (Some(unscaled), Some(bits)) => {
                        Value::Int(wrap(Decimal::new(unscaled, 0).to_i64(), bits))
                    }
                    (Some(unscaled), None) => Value::decimal(unscaled),
                    (None, _) => Value::Null,
                }
            }
            None => Value::Null,
        })
    })
}

/// The class of a Java exception, and what it says.
type Exception = (&'static str, String);

/// Rounds the shortest decimal text of a double, as Java's BigDecimal.valueOf does; there is no -0.0.
fn round_double(number: f64, digits: i32) -> Result<f64, Exception> {
    let Some(shortest) = shortest_digits(number) else {
        return Err(("NumberFormatException", not_a_decimal(&double_text(number))));
    };
    Ok(match rounded_digits(number, &shortest, digits) {
        0.0 => 0.0,
        rounded => rounded,
    })
}

/// Cuts a double as a DECIMAL(38, 18), which it may be too large for. Case: types/truncate-goes-through-a-decimal.
fn truncate_double(number: f64, digits: i32) -> Result<f64, Exception> {
    let through = DecimalType::new(38, 18);
    let text = double_text(number);
    match Decimal::parse(&text, through) {
        None => Err(("NumberFormatException", not_a_decimal(&text))),
        Some(None) => Err((
            "NullPointerException",
            "Cannot invoke \"org.apache.flink.table.data.DecimalData.scale()\" because \"b0\" is null"
                .to_owned(),
        )),
        Some(Some(unscaled)) => {
            let cut = Decimal::new(unscaled, 18).truncate(digits, through);
            Ok(Decimal::new(cut.unwrap_or(0), 18).to_f64())
        }
    }
}

fn rounded_digits(number: f64, shortest: &Digits, digits: i32) -> f64 {
    let (all, exponent) = (shortest.text.as_bytes(), shortest.exponent);
    // How many of the digits stay.
    let keep = exponent.saturating_add(1).saturating_add(digits);
    let Ok(keep) = usize::try_from(keep) else {
        return 0.0;
    };
    if keep >= all.len() {
        return number;
    }
    let (kept, cut) = all.split_at(keep);
    let mut kept = kept.to_vec();
    let up = cut.first().is_some_and(|digit| *digit >= b'5');
    let mut exponent = exponent;
    if up {
        let mut carry = true;
        for digit in kept.iter_mut().rev() {
            if *digit == b'9' {
                *digit = b'0';
            } else {
                *digit += 1;
                carry = false;
                break;
            }
        }
        if carry {
            kept.insert(0, b'1');
            exponent += 1;
        }
    }
    if kept.is_empty() {
        return 0.0;
    }
    let digits_text = String::from_utf8_lossy(&kept).into_owned();
    let (first, rest) = digits_text.split_at_checked(1).unwrap_or(("0", ""));
    let rounded = f64_from_text(&format!("{first}.{rest}0e{exponent}")).unwrap_or(number);
    rounded.copysign(number)
}

fn bin(values: &[Value]) -> super::Outcome {
    Ok(match values.first() {
        Some(Value::Int(number)) => Value::from(format!("{number:b}").as_str()),
        _ => Value::Null,
    })
}

fn hex(values: &[Value]) -> super::Outcome {
    Ok(match values.first() {
        Some(Value::Int(number)) => Value::from(format!("{number:X}").as_str()),
        Some(Value::Str(text)) => Value::Str(hex_digits(text.as_bytes(), true).into()),
        _ => Value::Null,
    })
}

/// Two digits a byte.
pub(super) fn hex_digits(bytes: &[u8], upper: bool) -> String {
    let digits: &[u8; 16] = if upper {
        b"0123456789ABCDEF"
    } else {
        b"0123456789abcdef"
    };
    let digit = |nibble: u8| {
        digits
            .get(usize::from(nibble))
            .map_or('0', |digit| char::from(*digit))
    };
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .gather()
}

fn unhex(values: &[Value]) -> super::Outcome {
    let Some(text) = values.first().and_then(Value::as_str) else {
        return Ok(Value::Null);
    };
    let nibbles: Option<Vec<u8>> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|nibble| u8::try_from(nibble).ok()))
        .gather();
    let Some(nibbles) = nibbles else {
        return Ok(Value::Null);
    };
    // Flink writes a zero byte for a single first digit.
    let (odd, pairs) = nibbles.split_at(nibbles.len() % 2);
    let mut bytes: Vec<u8> = odd.iter().map(|_| 0).gather();
    bytes.extend(
        pairs
            .chunks_exact(2)
            .map(|pair| pair.iter().fold(0, |byte, nibble| byte << 4 | nibble)),
    );
    Ok(Value::Bytes(bytes.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_round_by_their_text() {
        for (number, digits, expected) in [
            (2.675, 2, 2.68),
            (2.345, 2, 2.35),
            (1.5, 0, 2.0),
            (0.4, 0, 0.0),
            (0.5, 0, 1.0),
            (125.0, -1, 130.0),
            (-2.5, 0, -3.0),
            (99.99, 1, 100.0),
            (1e20, 2, 1e20),
            (4.0, -2, 0.0),
        ] {
            assert_eq!(round_double(number, digits), Ok(expected), "{number} to {digits}");
        }
        assert_eq!(truncate_double(42.345, 2), Ok(42.34));
        assert_eq!(truncate_double(42.324, 0), Ok(42.0));
        assert_eq!(truncate_double(-0.9, 0).map(f64::to_bits), Ok(0));
        assert_eq!(round_double(-0.0, 2).map(f64::to_bits), Ok(0));
        assert!(round_double(f64::NAN, 2).is_err());
        assert!(truncate_double(1e21, 2).is_err());
    }
}
