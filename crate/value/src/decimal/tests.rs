use std::{str::FromStr, string::ToString};

use bigdecimal::{BigDecimal, RoundingMode, Zero};
use proptest::prelude::*;

use super::*;

fn decimal(text: &str) -> Decimal {
    let scale = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let scale = u8::try_from(scale).unwrap();
    let unscaled = Decimal::parse(text, DecimalType::new(MAX_PRECISION, scale))
        .unwrap()
        .unwrap();
    Decimal::new(unscaled, scale)
}

fn text(unscaled: Option<i128>, to: DecimalType) -> String {
    unscaled.map_or_else(
        || "NULL".to_owned(),
        |unscaled| Decimal::new(unscaled, to.scale).to_string(),
    )
}

#[test]
fn cast_rounds_half_away_from_zero() {
    let to = DecimalType::new(6, 2);
    for (from, expected) in [
        ("2.345", "2.35"),
        ("-2.345", "-2.35"),
        ("1.235", "1.24"),
        ("0.004", "0.00"),
    ] {
        assert_eq!(text(decimal(from).rescale(to), to), expected);
    }
    assert_eq!(decimal("99.99").rescale(DecimalType::new(3, 2)), None);
    assert_eq!(decimal("9.995").rescale(DecimalType::new(3, 2)), None);
}

#[test]
fn arithmetic_of_the_recorded_cases() {
    let third = DecimalType::new(17, 14);
    for (from, expected) in [
        ("2.345", "0.78166666666667"),
        ("2.500", "0.83333333333333"),
        ("-2.500", "-0.83333333333333"),
        ("-2.345", "-0.78166666666667"),
    ] {
        assert_eq!(
            text(decimal(from).divide(Decimal::new(3, 0), third), third),
            expected
        );
    }
    let squared = DecimalType::new(38, 6);
    let large = decimal("99999999999999999999.500000000000000000");
    assert_eq!(large.multiply(large, squared), None);
    let small = decimal("1.500000000000000000");
    assert_eq!(text(small.multiply(small, squared), squared), "2.250000");
    let all_nines = decimal("99999999999999999999999999999999999999");
    assert_eq!(all_nines.add(all_nines, DecimalType::new(38, 0)), None);
    assert_eq!(
        all_nines.multiply(Decimal::new(10, 0), DecimalType::new(38, 0)),
        None
    );
}

#[test]
fn quotients_are_rounded_to_38_digits_first() {
    // 0.4999…(38 nines)…5 becomes 0.5 in the first rounding and 1 in the second.
    let dividend = Decimal::new(49_999_999_999_999_999_999_999_999_999_999_999_999, 38);
    let divisor = decimal("1.0000000000000000000000000000000000000");
    assert_eq!(dividend.divide(divisor, DecimalType::new(38, 0)), Some(0));
    let two_thirds = Decimal::new(2, 0)
        .divide(Decimal::new(3, 0), DecimalType::new(38, 37))
        .unwrap();
    assert_eq!(
        Decimal::new(two_thirds, 37).to_string(),
        "0.6666666666666666666666666666666666667"
    );
}

#[test]
fn floor_ceil_round_truncate() {
    let rows = [
        ("2.345", "2", "3", "2.3", "2.3"),
        ("2.550", "2", "3", "2.6", "2.5"),
        ("-2.550", "-3", "-2", "-2.6", "-2.5"),
        ("-0.049", "-1", "0", "0.0", "0.0"),
    ];
    for (from, floor, ceil, round, truncate) in rows {
        let number = decimal(from);
        let to = DecimalType::new(6, 3).rounded(1);
        assert_eq!(number.floor().to_string(), floor);
        assert_eq!(number.ceil().to_string(), ceil);
        assert_eq!(text(number.round(1, to), to), round);
        assert_eq!(text(number.truncate(1, to), to), truncate);
    }
    let hundreds = DecimalType::new(6, 1).rounded(-2);
    assert_eq!(decimal("12350.5").round(-2, hundreds), Some(12400));
    assert_eq!(decimal("12350.5").truncate(-2, hundreds), Some(12300));
    assert_eq!(decimal("12350.5").round(-40, hundreds), Some(0));
}

#[test]
fn text_is_read_as_java_reads_it() {
    let to = DecimalType::new(10, 2);
    for (from, expected) in [
        ("1.5e3", "1500.00"),
        ("-.5", "-0.50"),
        ("+5.", "5.00"),
        ("0.005", "0.01"),
        ("0.00499999999999999999999999999999999999999999999999", "0.00"),
        ("1e-400", "0.00"),
        ("0e400", "0.00"),
        ("123456789.12", "NULL"),
        ("1e400", "NULL"),
    ] {
        assert_eq!(text(Decimal::parse(from, to).unwrap(), to), expected, "{from}");
    }
    for from in ["", ".", "-", "1e", "1 ", "abc", "1.2.3", "1e5.0", "0x10", "e5"] {
        assert_eq!(Decimal::parse(from, to), None, "{from}");
    }
}

#[test]
fn doubles_and_integers() {
    assert_eq!(Decimal::from_f64(2.675, DecimalType::new(5, 2)), Some(268));
    assert_eq!(Decimal::from_f64(f64::NAN, DecimalType::new(5, 2)), None);
    assert_eq!(Decimal::from_f64(1e30, DecimalType::new(5, 2)), None);
    assert_eq!(decimal("0.1").to_f64().to_bits(), 0.1_f64.to_bits());
    assert_eq!(
        decimal("123456789012345678901.5").to_f64().to_bits(),
        123_456_789_012_345_678_901.5_f64.to_bits()
    );
    assert_eq!(decimal("-2.99").to_i64(), -2);
    assert_eq!(decimal("9223372036854775808").to_i64(), i64::MIN);
}

/// A decimal of up to 38 digits with any scale.
fn any_decimal() -> impl Strategy<Value = Decimal> {
    let bound = 10_i128.pow(38) - 1;
    let unscaled = prop_oneof![
        -bound..=bound,
        any::<i64>().prop_map(i128::from),
        -1000_i128..1000
    ];
    (unscaled, 0_u8..=38).prop_map(|(unscaled, scale)| Decimal::new(unscaled, scale))
}

fn any_type() -> impl Strategy<Value = DecimalType> {
    (1_u8..=38)
        .prop_flat_map(|precision| (0..=precision).prop_map(move |scale| DecimalType::new(precision, scale)))
}

fn big(number: Decimal) -> BigDecimal {
    BigDecimal::from_str(&number.to_string()).unwrap()
}

fn expected(number: &BigDecimal, to: DecimalType) -> Option<i128> {
    let rounded = number.with_scale_round(to.scale.into(), RoundingMode::HalfUp);
    let unscaled = i128::from_str(&rounded.into_bigint_and_exponent().0.to_string()).ok()?;
    to.fits(unscaled).then_some(unscaled)
}

proptest! {
    // Finds: wrong alignment, lost carry, overflow of the intermediate, rounding of negative numbers.
    #[test]
    fn arithmetic_equals_arbitrary_precision(a in any_decimal(), b in any_decimal(), to in any_type()) {
        prop_assert_eq!(a.add(b, to), expected(&(big(a) + big(b)), to));
        prop_assert_eq!(a.subtract(b, to), expected(&(big(a) - big(b)), to));
        prop_assert_eq!(a.multiply(b, to), expected(&(big(a) * big(b)), to));
        prop_assert_eq!(a.rescale(to), expected(&big(a), to));
        prop_assert_eq!(a.compare(b), big(a).cmp(&big(b)));
        if b.unscaled != 0 {
            prop_assert_eq!(a.remainder(b, to), expected(&(big(a) % big(b)), to));
        }
    }

    // Finds: a quotient that is rounded once where Flink rounds twice, or at the wrong digit.
    #[test]
    fn quotient_equals_two_exact_roundings(a in any_decimal(), b in any_decimal(), to in any_type()) {
        prop_assume!(b.unscaled != 0);
        let (a_big, b_big) = (big(a), big(b));
        if a_big.is_zero() {
            prop_assert_eq!(a.divide(b, to), Some(0));
        } else {
            // Digits enough to decide both roundings: 80 beyond the first.
            let quotient = (a_big * BigDecimal::from_str("1e160").unwrap()).with_scale(160)
                / b_big.with_scale(160);
            let first = quotient.with_precision_round(38.try_into().unwrap(), RoundingMode::HalfUp);
            let first = first / BigDecimal::from_str("1e160").unwrap();
            prop_assert_eq!(a.divide(b, to), expected(&first, to));
        }
    }

    #[test]
    fn text_comes_back(a in any_decimal()) {
        let to = DecimalType::new(38, a.scale);
        prop_assert_eq!(Decimal::parse(&a.to_string(), to), Some(Some(a.unscaled)));
        prop_assert_eq!(a.to_f64().to_bits(), a.to_string().parse::<f64>().unwrap().to_bits());
    }

    #[test]
    fn parsing_equals_arbitrary_precision(text in "-?[0-9]{1,45}(\\.[0-9]{0,45})?(e-?[0-9]{1,2})?", to in any_type()) {
        let number = BigDecimal::from_str(&text).unwrap();
        prop_assert_eq!(Decimal::parse(&text, to), Some(expected(&number, to)), "{}", text);
    }
}
