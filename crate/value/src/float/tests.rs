//! Against the standard library, which finds the same with tables.

use proptest::prelude::*;

use super::{exact_digits, f32_from_text, f64_from_text, fixed, shortest_digits};

/// The same, and all bits of it.
#[track_caller]
fn reads(text: &str) {
    let expected = text.parse::<f64>().ok();
    assert_eq!(
        f64_from_text(text).map(f64::to_bits),
        expected.map(f64::to_bits),
        "{text}"
    );
    let expected = text.parse::<f32>().ok();
    assert_eq!(
        f32_from_text(text).map(f32::to_bits),
        expected.map(f32::to_bits),
        "{text} as f32"
    );
}

/// Its exact text, that of the middle between it and the next, and numbers just beside these.
fn reads_around(number: f64) {
    let next = f64::from_bits(number.to_bits() + 1);
    for text in [
        format!("{number:e}"),
        format!("{number:.800e}"),
        middle(number, next),
    ] {
        let (mantissa, exponent) = text.split_once('e').unwrap();
        reads(&text);
        for beside in [
            format!("{mantissa}0000000000001e{exponent}"),
            format!("{mantissa}{}1e{exponent}", "0".repeat(900)),
            format!("-{}e{exponent}", less(mantissa)),
            format!("{}e{exponent}", less(&format!("{mantissa}{}", "0".repeat(60)))),
        ] {
            reads(&beside);
        }
    }
}

/// The exact digits of (a + b) / 2, of neighbours.
fn middle(a: f64, b: f64) -> String {
    use bigdecimal::{BigDecimal, FromPrimitive as _};
    let sum = BigDecimal::from_f64(a).unwrap() + BigDecimal::from_f64(b).unwrap();
    let (digits, scale) = (sum * BigDecimal::from_f64(0.5).unwrap())
        .normalized()
        .into_bigint_and_exponent();
    let digits = digits.to_string();
    let exponent = i64::try_from(digits.len()).unwrap() - 1 - scale;
    let (first, rest) = digits.split_at(1);
    format!("{first}.{rest}e{exponent}")
}

/// One less in the last place.
fn less(digits: &str) -> String {
    let mut bytes = digits.as_bytes().to_vec();
    for byte in bytes.iter_mut().rev() {
        match byte {
            b'0' => *byte = b'9',
            b'1'..=b'9' => {
                *byte -= 1;
                break;
            }
            _ => {}
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn prints(number: f64) {
    let text = format!("{:e}", number.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap();
    let shortest = shortest_digits(number).unwrap();
    let exact = exact_digits(number).unwrap();
    // In the middle of two texts of the shortest length Rust takes the upper one, and we the even one, like Java.
    if exact.text.len() != shortest.text.len() + 1 {
        assert_eq!(shortest.text, mantissa.replace('.', ""), "{text}");
        assert_eq!(shortest.exponent.to_string(), exponent, "{text}");
    }
    for places in [0, 1, 2, 6, 17, 40] {
        assert_eq!(fixed(number, places), format!("{number:.places$}"));
        let digits = exact.rounded(i64::try_from(places).unwrap() + 1);
        let (first, rest) = digits.text.split_at(1);
        let point = if places > 0 { "." } else { "" };
        assert_eq!(
            format!("{first}{point}{rest:0<places$}e{}", digits.exponent),
            format!("{:.places$e}", number.abs())
        );
    }
}

/// Divided by bars.
const FORMS: &str = "|+|-|.|e|1e|e1|.e1|1e+|1e-|1 | 1|1..2|1.2.3|1e1.0|1e1e1|--1|+-1|0x1|1_0|١|1f|1d|1e٣|1.|.5|+.5|-5.|\
    1.e1|1e+5|1E-5|00.00|-0|0e999999999999999999999999|1e999999999999999999999999|\
    1e-999999999999999999999999|000123.4560|9007199254740993|9007199254740993.0000000000000000000000001|\
    18446744073709551615|18446744073709551616|1e22|1e23|123456789012345678e-27|123456789012345678e27|\
    123456789012345678e28|1e308|1e309|1.7976931348623157e308|1.7976931348623158e308|\
    1.7976931348623159e308|179769313486231580793e289|4.9e-324|2.4703282292062327e-324|\
    2.4703282292062328e-324|1e-323|2.2250738585072011e-308|2.2250738585072014e-308|3.4028235e38|\
    3.4028235677973366e38|3.4028235677973367e38|7e-46|7.1e-46|1.17549429e-38|16777217|16777217.0000001|\
    33554434.99999999999999999999";

#[test]
fn forms() {
    for text in FORMS.split('|') {
        reads(text);
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            reads(&format!("-{text}"));
        }
    }
    for word in ["inf", "nan", "NaN", "Infinity", "infinity"] {
        assert_eq!(f64_from_text(word), None);
    }
    let zeros = "0".repeat(5000);
    for text in [
        format!("0.{zeros}123e5002"),
        format!("123{zeros}e-5000"),
        format!("1{zeros}"),
        format!("0.{zeros}1"),
        format!("9007199254740993{zeros}1e-5001"),
        format!("0.5{zeros}"),
    ] {
        reads(&text);
    }
}

#[test]
fn limits() {
    let double = |bits| f64::from_bits(bits);
    for number in [
        f64::MIN_POSITIVE,
        double(1),
        double(2),
        double(3),
        double((1 << 52) - 1),
        double((1 << 52) + 1),
        f64::from_bits(f64::MAX.to_bits() - 1),
        1.0,
        0.1,
        9_007_199_254_740_992.0,
        f64::from(f32::MAX),
        f64::from(f32::MIN_POSITIVE),
        f64::from(f32::from_bits(1)),
        0.5,
        2.5,
        1e23,
    ] {
        reads_around(number);
        prints(number);
        prints(-number);
    }
    for number in [
        0.0,
        -0.0,
        f64::MAX,
        0.25,
        0.35,
        1.5,
        0.05,
        9.995,
        99.5,
        0.95,
        999_999.999_999_95,
        1e300,
    ] {
        prints(number);
    }
    for exponent in (0..2046).step_by(41) {
        reads_around(double(exponent << 52));
        prints(double(exponent << 52));
    }
    assert_eq!(shortest_digits(f64::NAN), None);
    assert_eq!(fixed(f64::NEG_INFINITY, 2), "-Infinity");
}

fn finite() -> impl Strategy<Value = f64> {
    any::<u64>()
        .prop_map(f64::from_bits)
        .prop_filter("finite", |number| number.is_finite())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn numbers_of_any_form(text in "[-+]?[0-9]{1,25}(\\.[0-9]{0,25})?([eE][-+]?[0-9]{1,3})?") {
        reads(&text);
    }

    #[test]
    fn usual_numbers(text in "-?[0-9]{1,9}(\\.[0-9]{0,9})?(e-?[0-9]{1,2})?") {
        reads(&text);
    }

    #[test]
    fn numbers_of_many_digits(digits in "[1-9][0-9]{700,900}", exponent in -1200_i32..400) {
        reads(&format!("{digits}e{exponent}"));
        reads(&format!("0.{digits}e{exponent}"));
    }

    #[test]
    fn neighbours_and_their_middles(number in finite()) {
        reads_around(number.abs());
    }

    #[test]
    fn neighbours_of_floats(bits in 0_u32..0x7f7f_ffff) {
        let (number, next) = (f32::from_bits(bits), f32::from_bits(bits + 1));
        let tie = f64::midpoint(f64::from(number), f64::from(next));
        for number in [f64::from(number), tie, f64::from_bits(tie.to_bits() - 1), f64::from_bits(tie.to_bits() + 1)] {
            reads(&format!("{number:e}"));
            reads(&format!("{number:.400e}"));
        }
    }

    #[test]
    fn digits(number in finite(), whole in any::<i64>(), places in 0..6) {
        prints(number);
        prints(f64::from(i32::try_from(whole >> 32).unwrap()) / 10_f64.powi(places));
    }
}

/// Minutes of it; run by hand after a change (`cargo test -p sg_value --release float -- --ignored`).
#[test]
#[ignore = "takes minutes"]
fn many_millions() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for round in 0..4_000_000 {
        let bits = random();
        let number = f64::from_bits(bits & !(1 << 63));
        if number.is_finite() {
            reads(&format!("{number:e}"));
            let digits = random() % 10_u64.pow(u32::try_from(random() % 20).unwrap());
            reads(&format!(
                "{digits}e{}",
                i64::try_from(random() % 60).unwrap() - 40
            ));
            reads(&format!(
                "{digits}e{}",
                i64::try_from(random() % 700).unwrap() - 370
            ));
            if number < f64::MAX && round % 50 == 0 {
                reads_around(number);
                prints(number);
            }
        }
    }
}
