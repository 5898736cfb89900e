//! Text of doubles and floats as Java 17 prints them, which is what Flink prints.
//!
//! Nearly always these are the shortest digits that read back as the same number, which Rust finds too. Java up to 18
//! differs in a few places: it stops at fewer or later digits for powers of two, keeps at least two digits in the
//! exponent form, and prints integers beyond 2^53 from their exact digits. Those numbers take the slow way, which
//! repeats Java's digit generation on big integers. (case: types/float-and-double-rendering; the slow way was
//! compared with Java on 1.4 million numbers.)

use std::fmt::{self, Write};

use super::{java_digits::Binary, narrow};
use crate::float::{Digits, Layout, shortest_digits};

/// Java's `Double.toString`: `1.0`, `1.0E-4`, `NaN`, `Infinity`.
pub fn double_text(number: f64) -> String {
    let mut text = String::new();
    super::finish(write_double(&mut text, number));
    text
}

/// Java's `Float.toString`.
pub fn float_text(number: f32) -> String {
    let mut text = String::new();
    super::finish(write_float(&mut text, number));
    text
}

/// Appends Java's `Double.toString`.
pub fn write_double(out: &mut dyn Write, number: f64) -> fmt::Result {
    if let Some(thousandths) = thousandths(number.abs(), 1e7)
        && (from_integer(thousandths) / 1000.0).to_bits() == number.abs().to_bits()
    {
        return write_thousandths(out, number < 0.0, thousandths);
    }
    let bits = number.to_bits();
    let binary = Binary::new(bits >> 52 & 0x7ff, bits & ((1 << 52) - 1), Layout::DOUBLE);
    out.write_str(&text(number, binary, || shortest_digits(number)))
}

/// Appends Java's `Float.toString`.
pub fn write_float(out: &mut dyn Write, number: f32) -> fmt::Result {
    if let Some(thousandths) = thousandths(f64::from(number.abs()), 1e3)
        && (narrow(from_integer(thousandths)) / 1000.0).to_bits() == number.abs().to_bits()
    {
        return write_thousandths(out, number < 0.0, thousandths);
    }
    let bits = u64::from(number.to_bits());
    let binary = Binary::new(bits >> 23 & 0xff, bits & ((1 << 23) - 1), Layout::FLOAT);
    out.write_str(&text(f64::from(number), binary, || None))
}

/// A number from 0.001 below `limit` in thousandths.
///
/// The quick way: where they give the number back they are its digits, because no two texts of so few digits mean the
/// same number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "below 10^10 and not negative"
)]
fn thousandths(number: f64, limit: f64) -> Option<u64> {
    (0.001..limit)
        .contains(&number)
        .then(|| (number * 1000.0).round() as u64)
}

fn write_thousandths(out: &mut dyn Write, negative: bool, thousandths: u64) -> fmt::Result {
    let sign = if negative { "-" } else { "" };
    let (whole, rest) = (thousandths / 1000, thousandths % 1000);
    if rest % 100 == 0 {
        write!(out, "{sign}{whole}.{}", rest / 100)
    } else if rest % 10 == 0 {
        write!(out, "{sign}{whole}.{:02}", rest / 10)
    } else {
        write!(out, "{sign}{whole}.{rest:03}")
    }
}

#[expect(clippy::cast_precision_loss, reason = "below 10^10")]
const fn from_integer(number: u64) -> f64 {
    number as f64
}

/// `shortest` gives digits that are Java's for most doubles; without them Java's own way is taken.
fn text(number: f64, binary: Binary, shortest: impl FnOnce() -> Option<Digits>) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_infinite() {
        return format!("{sign}Infinity");
    }
    if binary.mantissa == 0 {
        return format!("{sign}0.0");
    }
    let digits = if binary.shortest_is_javas() {
        shortest()
    } else {
        None
    };
    let digits = digits
        .filter(|digits| !needs_second_digit(digits) && places(digits) + 1 != binary.places())
        .unwrap_or_else(|| binary.digits());
    layout(&digits, sign)
}

/// Whether Java would go on to a second digit where one suffices.
fn needs_second_digit(digits: &Digits) -> bool {
    digits.text.len() == 1 && !(-3..8).contains(&digits.exponent)
}

/// Digits behind the point. With one fewer than the exact text the number is a tie, where others and Java differ.
fn places(digits: &Digits) -> i32 {
    i32::try_from(digits.text.len()).unwrap_or(0) - 1 - digits.exponent
}

/// `12.5` from 10^-3 to 10^7, else `1.25E10`.
fn layout(digits: &Digits, sign: &str) -> String {
    let text = match digits.text.trim_end_matches('0') {
        "" => "0",
        text => text,
    };
    match (digits.exponent, usize::try_from(digits.exponent)) {
        (0..=6, Ok(exponent)) => match text.split_at_checked(exponent + 1) {
            Some((whole, fraction)) if !fraction.is_empty() => format!("{sign}{whole}.{fraction}"),
            _ => format!("{sign}{text}{:0<1$}.0", "", exponent + 1 - text.len()),
        },
        (-3..=-1, _) => {
            let zeros = usize::try_from(-1 - digits.exponent).unwrap_or(0);
            format!("{sign}0.{:0<zeros$}{text}", "")
        }
        (exponent, _) => {
            let (first, rest) = text.split_at(1);
            let rest = if rest.is_empty() { "0" } else { rest };
            format!("{sign}{first}.{rest}E{exponent}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_in_java() {
        for (number, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (100.0, "100.0"),
            (0.001, "0.001"),
            (0.0001, "1.0E-4"),
            (1e-5, "1.0E-5"),
            (1_234_567.0, "1234567.0"),
            (12_345_678.0, "1.2345678E7"),
            (9_999_999.999, "9999999.999"),
            (1e7, "1.0E7"),
            (1e10, "1.0E10"),
            (-100.999, "-100.999"),
            (3.000_000_000_000_000_4e-5, "3.0000000000000004E-5"),
            (0.200_000_001_490_116_12, "0.20000000149011612"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            // The slow way.
            (f64::from_bits(1), "4.9E-324"),
            (f64::from_bits(2), "1.0E-323"),
            (2_f64.powi(-44), "5.6843418860808015E-14"),
            (2e23, "1.9999999999999998E23"),
            (1_152_921_504_606_846_976.0, "1.15292150460684698E18"),
            (9_007_199_254_740_993.0, "9.007199254740992E15"),
            (-841_829_349_422_013.0 / 8.0, "-1.0522866867775162E14"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(double_text(number), text);
        }
    }

    #[test]
    fn floats_print_as_in_java() {
        for (number, text) in [
            (0.1, "0.1"),
            (16_777_216.0, "1.6777216E7"),
            (29_122_896.0, "2.9122896E7"),
            (1e10, "1.0E10"),
            (3.402_823_5e38, "3.4028235E38"),
            (9.671_407e24, "9.6714065E24"),
            (-2170.5 / 64.0, "-33.914062"),
            (f32::from_bits(1), "1.4E-45"),
            (f32::NAN, "NaN"),
        ] {
            assert_eq!(float_text(number), text);
        }
    }

    /// Floats always take Java's way; where the shortest digits are certainly Java's it finds the same.
    #[test]
    fn javas_way_finds_the_shortest_digits_of_floats() {
        let mut compared = 0;
        for bits in (0..0x7f80_0000_u32).step_by(10_007) {
            let number = f32::from_bits(bits);
            let binary = Binary::new(u64::from(bits >> 23), u64::from(bits & 0x7f_ffff), Layout::FLOAT);
            let text = format!("{number:e}");
            let (mantissa, exponent) = text.split_once('e').unwrap();
            let shortest = Digits {
                text: mantissa.replace('.', ""),
                exponent: exponent.parse().unwrap(),
            };
            if binary.shortest_is_javas()
                && !needs_second_digit(&shortest)
                && places(&shortest) + 1 != binary.places()
            {
                assert_eq!(layout(&binary.digits(), ""), layout(&shortest, ""));
                compared += 1;
            }
        }
        assert!(compared > 100_000, "{compared}");
    }
}
