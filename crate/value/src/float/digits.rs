//! The decimal digits of doubles.

use super::big::Big;

/// Decimal digits, the first of which stands for 10^`exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    /// ASCII; the first is zero only for zero, which has one digit.
    pub text: String,
    /// The power of ten of the first digit.
    pub exponent: i32,
}

/// The fewest digits that only this number is nearest to, without the sign; nothing for NaN and infinities.
pub fn shortest_digits(number: f64) -> Option<Digits> {
    if !number.is_finite() {
        return None;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(number.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Digits::zero());
    }
    let before = small(whole.len()) - small(all.len() - digits.len()) - 1;
    Some(Digits {
        text: digits.trim_end_matches('0').to_owned(),
        exponent: exponent.parse::<i32>().ok()? + before,
    })
}

/// All digits of the number, of which there are up to 767, without the sign; nothing for NaN and infinities.
pub fn exact_digits(number: f64) -> Option<Digits> {
    if !number.is_finite() {
        return None;
    }
    let bits = number.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = match i32::try_from(bits >> 52 & 0x7ff).ok()? {
        0 => (fraction, -1074),
        biased => (fraction | 1 << 52, biased - 1075),
    };
    if mantissa == 0 {
        return Some(Digits::zero());
    }
    // n / 2^k is n * 5^k / 10^k.
    let mut number = Big::new(mantissa).times_powers(-exponent, exponent);
    let mut digits = Vec::new();
    while !number.is_zero() {
        let mut part = number.divide(1_000_000_000);
        for _ in 0..9 {
            digits.push(digit(part % 10));
            part /= 10;
        }
    }
    digits.reverse();
    let text: String = digits.into_iter().collect();
    let text = text.trim_start_matches('0');
    Some(Digits {
        exponent: small(text.len()) - 1 + exponent.min(0),
        text: text.trim_end_matches('0').to_owned(),
    })
}

/// The number with so many places behind the point, rounded half to even: `-0.25` with 1 is `-0.2`. Java's words for
/// NaN and infinities.
pub fn fixed(number: f64, places: usize) -> String {
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let Some(digits) = exact_digits(number) else {
        return if number.is_nan() {
            "NaN".to_owned()
        } else {
            format!("{sign}Infinity")
        };
    };
    let digits = digits.rounded(i64::from(digits.exponent) + 1 + i64::try_from(places).unwrap_or(0));
    let mut text = String::from(sign);
    let places = small(places);
    for place in (-places..=digits.exponent.max(0)).rev() {
        let at = usize::try_from(digits.exponent - place).ok();
        let known = at.and_then(|at| digits.text.as_bytes().get(at));
        text.push(known.map_or('0', |byte| char::from(*byte)));
        if place == 0 && places > 0 {
            text.push('.');
        }
    }
    text
}

impl Digits {
    fn zero() -> Self {
        Self {
            text: "0".to_owned(),
            exponent: 0,
        }
    }

    /// At most `count` digits, rounded half to even if these are exact; without zeros at the end. If even the first
    /// digit falls away, one zero or 1 stays.
    #[must_use]
    pub fn rounded(&self, count: i64) -> Self {
        let Ok(keep) = usize::try_from(count) else {
            return Self::zero();
        };
        let Some((kept, cut)) = self.text.split_at_checked(keep) else {
            return self.clone();
        };
        let odd = kept.bytes().next_back().is_some_and(|byte| byte % 2 == 1);
        let up = cut > "5" || cut == "5" && odd;
        let kept = if up {
            kept.trim_end_matches('9')
        } else {
            kept.trim_end_matches('0')
        };
        let (mut text, mut exponent) = (kept.to_owned(), self.exponent);
        if up {
            if let Some(last) = text.pop().and_then(|last| last.to_digit(10)) {
                text.push(digit(last + 1));
            } else {
                text.push('1');
                exponent += 1;
            }
        } else if text.is_empty() {
            return Self::zero();
        }
        Self { text, exponent }
    }
}

fn digit(number: u32) -> char {
    char::from_digit(number, 10).unwrap_or('0')
}

/// A count of digits or places.
fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 4)
}
