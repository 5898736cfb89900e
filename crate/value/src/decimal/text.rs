//! Decimals from and to text.

use std::fmt;

use super::{Decimal, DecimalType, MAX_PRECISION, pow10, signed};
use crate::format::double_text;

impl Decimal {
    /// Reads `12.30`, `-.5`, `1.5e3`, rounded half up to `to`.
    ///
    /// The outer `None`: the text is no number; the inner one: it does not fit. Blanks are not trimmed.
    pub fn parse(text: &str, to: DecimalType) -> Option<Option<i128>> {
        let number = Text::read(text)?;
        Some(number.rescale(to))
    }

    /// A double through its decimal text (`BigDecimal.valueOf`), rounded half up; `None` for what does not fit, NaN
    /// and infinities.
    pub fn from_f64(number: f64, to: DecimalType) -> Option<i128> {
        Self::parse(&double_text(number), to)?
    }
}

impl fmt::Display for Decimal {
    /// Plain text with exactly `scale` digits behind the point: `12.30`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.unscaled.unsigned_abs();
        if self.unscaled < 0 {
            f.write_str("-")?;
        }
        match pow10(self.scale) {
            Some(unit) if self.scale > 0 => {
                let width = usize::from(self.scale);
                write!(f, "{}.{:0width$}", magnitude / unit, magnitude % unit)
            }
            _ => write!(f, "{magnitude}"),
        }
    }
}

/// The text of a number as Java prints a `BigDecimal` without trailing zeros: `1.50` is `1.5`, `100` is `1E+2`.
pub(crate) fn java_text_of_number(text: &str) -> Option<String> {
    let mut number = Text::read(text)?;
    while number.digits.last() == Some(&0) {
        number.digits.pop();
        number.exponent += 1;
    }
    if number.digits.is_empty() {
        return Some("0".to_owned());
    }
    let sign = if number.negative { "-" } else { "" };
    let digits: String = number
        .digits
        .iter()
        .map(|digit| char::from(b'0' + digit))
        .collect();
    let length = i64::try_from(digits.len()).ok()?;
    let leading = number.exponent + length - 1;
    if number.exponent > 0 || leading < -6 {
        let (first, rest) = digits.split_at_checked(1)?;
        let point = if rest.is_empty() { "" } else { "." };
        return Some(format!("{sign}{first}{point}{rest}E{leading:+}"));
    }
    if number.exponent == 0 {
        return Some(format!("{sign}{digits}"));
    }
    match usize::try_from(leading + 1) {
        Ok(whole) if whole > 0 => {
            let (whole, fraction) = digits.split_at_checked(whole)?;
            Some(format!("{sign}{whole}.{fraction}"))
        }
        _ => {
            let zeros = usize::try_from(-1 - leading).ok()?;
            Some(format!("{sign}0.{:0<zeros$}{digits}", ""))
        }
    }
}

/// What Java's `BigDecimal` says about a text that is no number.
pub fn not_a_decimal(text: &str) -> String {
    if text.is_empty() {
        return "Index 0 out of bounds for length 0".to_owned();
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut points = 0;
    for unit in digits.chars() {
        match unit {
            '0'..='9' => {}
            '.' => points += 1,
            'e' | 'E' => break,
            _ if digits.chars().count() > 18 => {
                return "Character array is missing \"e\" notation exponential mark.".to_owned();
            }
            _ => {
                let mark =
                    "neither a decimal digit number, decimal point, nor \"e\" notation exponential mark";
                return format!("Character {unit} is {mark}.");
            }
        }
        if points > 1 {
            return "Character array contains more than one decimal point.".to_owned();
        }
    }
    "No digits found.".to_owned()
}

/// A number as written: its significant digits (without leading zeros) and the power of ten of the last one.
struct Text {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Text {
    /// Java's grammar of `BigDecimal`: sign, digits with at most one point, exponent.
    fn read(text: &str) -> Option<Self> {
        let (negative, text) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            all => (false, all),
        };
        let (mut digits, mut exponent, mut any, mut point) = (Vec::new(), 0_i64, false, false);
        let mut bytes = text.iter();
        while let Some(byte) = bytes.next() {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    exponent -= i64::from(point);
                    if *byte != b'0' || !digits.is_empty() {
                        digits.push(byte - b'0');
                    }
                }
                b'.' if !point => point = true,
                b'e' | b'E' if any => {
                    let rest = std::str::from_utf8(bytes.as_slice()).ok()?;
                    exponent = exponent.checked_add(i64::from(rest.parse::<i32>().ok()?))?;
                    return Some(Self {
                        negative,
                        digits,
                        exponent,
                    });
                }
                _ => return None,
            }
        }
        any.then_some(Self {
            negative,
            digits,
            exponent,
        })
    }

    /// The unscaled number in a type, rounded half up.
    fn rescale(mut self, to: DecimalType) -> Option<i128> {
        let shift = self.exponent + i64::from(to.scale);
        // Keep one digit behind the scale to round with; the first of the dropped ones decides.
        if shift < -1 {
            let dropped = usize::try_from(-1 - shift).unwrap_or(usize::MAX);
            self.digits.truncate(self.digits.len().saturating_sub(dropped));
        }
        let up = shift < 0 && self.digits.pop().is_some_and(|digit| digit >= 5);
        let zeros = if self.digits.is_empty() { 0 } else { shift.max(0) };
        if i64::try_from(self.digits.len()).ok()? + zeros > i64::from(MAX_PRECISION) {
            return None;
        }
        let number = self
            .digits
            .iter()
            .fold(0_u128, |number, digit| number * 10 + u128::from(*digit));
        let number = number * pow10(u8::try_from(zeros).ok()?)? + u128::from(up);
        let unscaled = signed(number, self.negative)?;
        to.fits(unscaled).then_some(unscaled)
    }
}
