//! Numbers and truth values from text, as CAST reads them, and conversions that lose something on purpose.
//!
//! Flink: `BinaryStringDataUtil`.

use std::borrow::Cow;

use crate::{
    decimal::{Decimal, DecimalType, not_a_decimal, pow10},
    float::{f32_from_text, f64_from_text, from_hexadecimal},
};

/// Why a text is no number or truth value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberError {
    /// What Flink's exception says.
    pub message: String,
    /// Whether it is Java's `ArrayIndexOutOfBoundsException` instead of the one of the type.
    pub out_of_bounds: bool,
}

impl From<String> for NumberError {
    fn from(message: String) -> Self {
        Self {
            message,
            out_of_bounds: false,
        }
    }
}

impl NumberError {
    fn because(text: &str, reason: &str) -> Self {
        format!("For input string: '{text}'. {reason}").into()
    }
}

/// The low 64 bits, as Java's `BigInteger.longValue`.
#[expect(clippy::cast_possible_truncation, reason = "wrapping is what this is for")]
pub const fn wrap_i64(number: i128) -> i64 {
    number as i64
}

/// A number as TINYINT, SMALLINT, INT or BIGINT of `bits`, wrapping around (CAST between integers).
#[expect(clippy::cast_possible_truncation, reason = "wrapping is what this is for")]
pub const fn wrap_integer(number: i64, bits: u32) -> i64 {
    match bits {
        8 => number as i8 as i64,
        16 => number as i16 as i64,
        32 => number as i32 as i64,
        _ => number,
    }
}

/// CAST(double AS TINYINT … BIGINT) of `bits`: cut towards zero; NaN is 0, and what is too large the largest INT or
/// BIGINT, which TINYINT and SMALLINT then wrap (case: types/number-casts).
#[expect(
    clippy::cast_possible_truncation,
    reason = "Rust's cast saturates like Java's"
)]
pub const fn integer_from_double(number: f64, bits: u32) -> i64 {
    if bits > 32 {
        number as i64
    } else {
        wrap_integer(number as i32 as i64, bits)
    }
}

/// A double rounded to FLOAT, still as a double: the form in which a FLOAT is kept.
#[expect(clippy::cast_possible_truncation, reason = "rounding is what this is for")]
pub const fn round_to_float(number: f64) -> f64 {
    number as f32 as f64
}

/// The nearest double (CAST of an integer AS DOUBLE).
#[expect(clippy::cast_precision_loss, reason = "rounding is what this is for")]
pub const fn double_from_integer(number: i64) -> f64 {
    number as f64
}

/// The nearest FLOAT of an integer, as a double.
#[expect(clippy::cast_precision_loss, reason = "rounding is what this is for")]
pub const fn float_from_integer(number: i64) -> f64 {
    number as f32 as f64
}

/// CAST(text AS TINYINT … BIGINT) within `min..=max`: blanks around it are trimmed, a fraction is dropped.
pub fn parse_integer(text: &str, min: i64, max: i64) -> Result<i64, NumberError> {
    let text = text.trim_matches(' ');
    let error = |reason| Err(NumberError::because(text, reason));
    let (negative, digits) = match text.as_bytes() {
        [] => return error("Input is empty."),
        [b'+' | b'-'] => return error("Input has only positive or negative symbol."),
        [sign @ (b'+' | b'-'), digits @ ..] => (*sign == b'-', digits),
        digits => (false, digits),
    };
    // Narrow types are read as INT first.
    let least = if min < i64::from(i32::MIN) {
        i64::MIN
    } else {
        i64::from(i32::MIN)
    };
    let mut number = 0_i64;
    let mut bytes = digits.iter();
    for byte in bytes.by_ref() {
        match byte {
            b'.' => break,
            b'0'..=b'9' => {}
            _ => return error("Invalid character found."),
        }
        // Counting downwards reaches the smallest number too.
        match number
            .checked_mul(10)
            .and_then(|number| number.checked_sub(i64::from(byte - b'0')))
        {
            Some(next) if next >= least => number = next,
            _ => return error("Overflow."),
        }
    }
    if bytes.any(|byte| !byte.is_ascii_digit()) {
        return error("Invalid character found.");
    }
    if !negative {
        match number.checked_neg() {
            Some(positive) if positive <= -(least + 1) => number = positive,
            _ => return error("Overflow."),
        }
    }
    if (min..=max).contains(&number) {
        Ok(number)
    } else {
        error("Overflow.")
    }
}

/// CAST(text AS DOUBLE): Java's `Double.parseDouble`, which also takes `0x1.8p3`. Case: types/doubles-from-texts.
pub fn parse_double(text: &str) -> Result<f64, NumberError> {
    java_float(text, false)
}

/// CAST(text AS FLOAT): the nearest FLOAT, as a double.
pub fn parse_float(text: &str) -> Result<f64, NumberError> {
    java_float(text, true)
}

fn not_a_double(text: &str) -> NumberError {
    format!("For input string: \"{}\"", trim_java(text)).into()
}

/// Java's `String.trim`: everything up to the blank.
pub(crate) fn trim_java(text: &str) -> &str {
    text.trim_matches(|unit| unit <= ' ')
}

fn java_float(text: &str, single: bool) -> Result<f64, NumberError> {
    let text = trim_java(text);
    if text.is_empty() {
        return Err("empty String".to_owned().into());
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        "NaN" => return Ok(f64::NAN),
        "Infinity" if text.starts_with('-') => return Ok(f64::NEG_INFINITY),
        "Infinity" => return Ok(f64::INFINITY),
        _ => {}
    }
    let mantissa = unsigned
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || *byte == b'.');
    if mantissa.filter(|byte| *byte == b'.').count() > 1 {
        return Err("multiple points".to_owned().into());
    }
    let number = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    let read = if single {
        f32_from_text(number).map(f64::from)
    } else {
        f64_from_text(number)
    };
    read.or_else(|| from_hexadecimal(number, single))
        .ok_or_else(|| not_a_double(text))
}

/// CAST(text AS BOOLEAN): `true t yes y 1` and `false f no n 0` in any case, blanks not trimmed.
pub fn parse_boolean(text: &str) -> Result<bool, NumberError> {
    let is = |words: [&str; 5]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(["true", "t", "yes", "y", "1"]) {
        Ok(true)
    } else if is(["false", "f", "no", "n", "0"]) {
        Ok(false)
    } else {
        Err(format!("Cannot parse '{text}' as BOOLEAN.").into())
    }
}

/// CAST(text AS DECIMAL): the unscaled number, rounded half up. What does not fit is an error here, not NULL.
///
/// Up to 18 digits and characters Flink reads on a short way that is more generous (`1x` is 1), counts leading zeros, and
/// fails where more than 18 digits would be rounded away. Cases: types/texts-to-short-decimals, types/texts-to-long-decimals.
pub fn parse_decimal(text: &str, to: DecimalType) -> Result<i128, NumberError> {
    let parsed = if to.precision > 18 || text.len() > 18 {
        let number = text.trim_matches([' ', '\n', '\t']);
        let number = &*with_ascii_digits(number);
        Decimal::parse(number, to).ok_or_else(|| not_a_decimal(number))?
    } else {
        compact_decimal(text.as_bytes(), to)?
    };
    parsed.ok_or_else(|| NumberError::because(text, "Overflow."))
}

/// The zeros of the scripts whose digits Java's `BigDecimal` reads, too: those of one UTF-16 unit.
const ZEROS: [u16; 36] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

#[cfg_attr(sg_hot, optimize(size))]
fn with_ascii_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |letter: char| {
        let digits = ZEROS
            .iter()
            .map(|zero| u32::from(letter).wrapping_sub(u32::from(*zero)));
        let digit = digits.into_iter().find(|digit| *digit < 10);
        digit
            .and_then(|digit| char::from_digit(digit, 10))
            .unwrap_or(letter)
    };
    Cow::Owned(text.chars().map(plain).collect())
}

/// How many powers of ten Flink has at hand.
const COMPACT_POWERS: u32 = 19;

/// `BinaryStringDataUtil.toDecimalFromBytes`.
fn compact_decimal(text: &[u8], to: DecimalType) -> Result<Option<i128>, NumberError> {
    const fn blank(byte: u8) -> bool {
        matches!(byte, b' ' | b'\n' | b'\t')
    }
    let text = text.trim_ascii_start();
    let (negative, text) = match text {
        [] | [b'+' | b'-'] => return Ok(None),
        [sign @ (b'+' | b'-'), rest @ ..] => (*sign == b'-', rest),
        all => (false, all),
    };
    let (mut significand, mut digits, mut point) = (0_i128, 0_i32, None);
    let mut bytes = text.iter();
    let mut last = 0;
    for byte in bytes.by_ref() {
        last = *byte;
        match byte {
            b'0'..=b'9' => {
                significand = significand * 10 + i128::from(byte - b'0');
                digits += 1;
            }
            b'.' if point.is_some() => return Ok(None),
            b'.' => point = Some(digits),
            // One character that is no digit ends the number, whatever it is.
            _ => break,
        }
    }
    let mut exponent = point.unwrap_or(digits) - digits;
    if matches!(last, b'e' | b'E') && bytes.len() > 0 {
        let (sign, rest) = match bytes.as_slice() {
            [b'+' | b'-'] => return Ok(None),
            [b'-', rest @ ..] => (-1, rest),
            [b'+', rest @ ..] => (1, rest),
            rest => (1, rest),
        };
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = rest.iter().take(count).fold(0, |number: i32, byte| {
            if number >= 40 {
                number
            } else {
                number * 10 + i32::from(byte - b'0')
            }
        });
        exponent += sign * number;
        // The character that ends the exponent is skipped too.
        if rest.iter().skip(count + 1).any(|byte| !blank(*byte)) {
            return Ok(None);
        }
    } else if bytes.any(|byte| !blank(*byte)) {
        return Ok(None);
    }
    let change = exponent + i32::from(to.scale);
    if digits + change > i32::from(to.precision) {
        return Ok(None);
    }
    let places = change.unsigned_abs();
    let unit = u8::try_from(places).ok().filter(|_| places < COMPACT_POWERS);
    let Some(unit) = unit.and_then(pow10).and_then(|unit| i128::try_from(unit).ok()) else {
        let index = (places - 1).max(COMPACT_POWERS);
        return Err(NumberError {
            message: format!("Index {index} out of bounds for length {COMPACT_POWERS}"),
            out_of_bounds: true,
        });
    };
    // 18 digits times 10^18 at most
    let magnitude = if change >= 0 {
        significand * unit
    } else {
        (significand + unit / 2) / unit
    };
    Ok(Some(if negative { -magnitude } else { magnitude }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> Result<i64, String> {
        parse_integer(text, i32::MIN.into(), i32::MAX.into()).map_err(|error| error.message)
    }

    /// All of these were executed by Flink.
    #[test]
    fn integers_as_cast_reads_them() {
        for (text, number) in [
            ("42", 42),
            (" 42 ", 42),
            ("1.9", 1),
            ("-1.9", -1),
            ("+5", 5),
            ("1.", 1),
            (".5", 0),
            (".", 0),
            ("+.", 0),
            ("00012", 12),
            ("-2147483648", i64::from(i32::MIN)),
            ("1.99999999999999999999", 1),
        ] {
            assert_eq!(integer(text), Ok(number), "{text}");
        }
        for (text, reason) in [
            ("", "Input is empty."),
            ("-", "Input has only positive or negative symbol."),
            ("abc", "Invalid character found."),
            ("1e3", "Invalid character found."),
            ("1 2", "Invalid character found."),
            ("1.9.9", "Invalid character found."),
            ("2147483648", "Overflow."),
            ("99999999999x", "Overflow."),
        ] {
            assert_eq!(
                integer(text),
                Err(format!("For input string: '{text}'. {reason}"))
            );
        }
        assert_eq!(
            parse_integer("300", -128, 127).unwrap_err().message,
            "For input string: '300'. Overflow."
        );
        assert_eq!(
            parse_integer("-9223372036854775808", i64::MIN, i64::MAX),
            Ok(i64::MIN)
        );
        assert!(parse_integer("9223372036854775808", i64::MIN, i64::MAX).is_err());
    }

    #[test]
    fn doubles_as_cast_reads_them() {
        for (text, number) in [
            ("1.5e3", 1500.0),
            (" 1.9 ", 1.9),
            ("\t1", 1.0),
            ("-Infinity", f64::NEG_INFINITY),
            ("1f", 1.0),
            ("0x1.8p3", 12.0),
            ("-0X.8P1d", -1.0),
            ("0x1.fffffffffffff8p0", 2.0),
            ("0x1.fffffffffffff7p0", 1.999_999_999_999_999_8),
            ("0x0.00000000000000000000000000000001p-947", 0.0),
            ("0x1p-1074", 5e-324),
            ("0x10000000000000000000001p-100000000000", 0.0),
            ("0x1p1024", f64::INFINITY),
        ] {
            assert_eq!(
                parse_double(text).map(f64::to_bits),
                Ok(f64::to_bits(number)),
                "{text}"
            );
        }
        assert!(parse_double("NaN").unwrap().is_nan());
        assert_eq!(parse_float("0.1"), Ok(f64::from(0.1_f32)));
        assert_eq!(parse_float("0x1.000001p0"), Ok(1.0));
        assert_eq!(
            parse_float("0x1.0000010000001p0"),
            Ok(f64::from(1.0_f32.next_up()))
        );
        for (text, message) in [
            ("", "empty String"),
            ("  ", "empty String"),
            ("abc", "For input string: \"abc\""),
            ("1.9.9", "multiple points"),
            ("inf", "For input string: \"inf\""),
            (".", "For input string: \".\""),
            ("0x1", "For input string: \"0x1\""),
            ("0x.p1", "For input string: \"0x.p1\""),
            ("0x1p", "For input string: \"0x1p\""),
        ] {
            assert_eq!(parse_double(text).unwrap_err().message, message);
        }
    }

    #[test]
    fn decimals_as_cast_reads_them() {
        let narrow = |text| parse_decimal(text, DecimalType::new(10, 2)).map_err(|error| error.message);
        for (text, unscaled) in [
            ("1.9", 190),
            (" 42 ", 4200),
            ("1e3", 100_000),
            ("-.5", -50),
            ("1.x", 100),
            ("1.005", 101),
        ] {
            assert_eq!(narrow(text), Ok(unscaled), "{text}");
        }
        for text in ["", "-", "abc", "2147483648", "1.9.9", "1 2"] {
            assert_eq!(
                narrow(text),
                Err(format!("For input string: '{text}'. Overflow."))
            );
        }
        let wide = |text| parse_decimal(text, DecimalType::new(30, 2)).map_err(|error| error.message);
        assert_eq!(wide("99999999999999999999"), Ok(9_999_999_999_999_999_999_900));
        assert_eq!(wide("."), Err("No digits found.".to_owned()));
        let mark = "neither a decimal digit number, decimal point, nor \"e\" notation exponential mark.";
        assert_eq!(wide("abc"), Err(format!("Character a is {mark}")));
    }

    #[test]
    fn truth_values_as_cast_reads_them() {
        for (text, truth) in [
            ("true", true),
            ("T", true),
            ("yes", true),
            ("1", true),
            ("No", false),
            ("f", false),
        ] {
            assert_eq!(parse_boolean(text), Ok(truth));
        }
        assert_eq!(
            parse_boolean(" true").unwrap_err().message,
            "Cannot parse ' true' as BOOLEAN."
        );
    }

    #[test]
    fn numbers_wrap_and_saturate_like_javas() {
        assert_eq!(wrap_integer(300, 8), 44);
        assert_eq!(wrap_integer(40_000, 16), -25_536);
        assert_eq!(integer_from_double(1e10, 32), i64::from(i32::MAX));
        assert_eq!(integer_from_double(1e10, 8), -1);
        assert_eq!(integer_from_double(-1.999, 64), -1);
        assert_eq!(integer_from_double(f64::NAN, 64), 0);
    }
}
