//! The exponential function to within 0.51 units in the last place, which is what Java's comes to.
//!
//! `libm`'s is off by up to a whole unit: it gives 2.7182818284590455 for 1, Java 2.718281828459045.

/// ln 2 in two parts; the first has so few digits that its products with exponents are exact.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// 1/3!, 1/4! … 1/16!.
const TAIL: [f64; 14] = [
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
    1.0 / 87_178_291_200.0,
    1.0 / 1_307_674_368_000.0,
    1.0 / 20_922_789_888_000.0,
];

/// e to the power of `x`.
pub(super) fn exp(x: f64) -> f64 {
    // Results near the limits of doubles are libm's business.
    if !x.is_finite() || x.abs() > 700.0 {
        return libm::exp(x);
    }
    let power = libm::rint(x / std::f64::consts::LN_2);
    let (high, low) = two_sum(x - power * LN2_HIGH, -power * LN2_LOW);
    // 1 + r + r²/2 in twice the digits, the small rest in plain doubles.
    let (square, square_low) = two_product(high, high);
    let half_square_low = square_low / 2.0 + high * low;
    let tail = TAIL.iter().rev().fold(0.0, |sum, factor| sum * high + factor) * high * high * high;
    let (sum, rest) = two_sum(1.0, high);
    let (sum, more) = two_sum(sum, square / 2.0);
    let result = sum + (rest + more + low + half_square_low + tail);
    libm::ldexp(result, exponent(power))
}

/// The exponent of a result; its size is bounded above.
#[expect(clippy::cast_possible_truncation, reason = "at most 1010")]
const fn exponent(power: f64) -> i32 {
    power as i32
}

/// The sum and what rounding took from it.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let back = sum - a;
    (sum, (a - (sum - back)) + (b - back))
}

/// The product and what rounding took from it.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    (
        product,
        ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low,
    )
}

fn split(a: f64) -> (f64, f64) {
    let shifted = 134_217_729.0 * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_e_are_as_java_gives_them() {
        for (x, expected) in [
            (0.0, 1.0),
            (1.0, std::f64::consts::E),
            (-1.0, 0.367_879_441_171_442_33),
            (2.0, 7.389_056_098_930_65),
            (10.0, 22_026.465_794_806_718),
            (0.5, 1.648_721_270_700_128_2),
            (100.0, 2.688_117_141_816_135_6e43),
        ] {
            assert_eq!(exp(x), expected, "{x}");
        }
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert!(exp(710.0).is_infinite());
    }
}
