//! The double or float nearest to a decimal text, ties to the even one.

use super::{Layout, big::Big};

/// The digits that a machine word holds whatever they are.
const WORD_DIGITS: usize = 19;
/// A tie between two doubles has at most 767 digits; of what follows counts only whether it is zero.
const MOST_DIGITS: usize = 800;
/// 5^27 is the largest power of five in 64 bits.
const MOST_FIVES: u32 = 27;

/// The nearest double of `-12.5e3`: a sign, digits with at most one point among or beside them, an exponent. Words like
/// `NaN` are none.
pub fn f64_from_text(text: &str) -> Option<f64> {
    let (negative, text) = signed(text);
    let decimal = Decimal::read(text)?;
    let number = decimal
        .quick_double()
        .unwrap_or_else(|| f64::from_bits(decimal.bits(Layout::DOUBLE)));
    Some(if negative { -number } else { number })
}

/// The nearest float, which is not always the float nearest to the nearest double; else as [`f64_from_text`].
pub fn f32_from_text(text: &str) -> Option<f32> {
    let (negative, text) = signed(text);
    let bits = u32::try_from(Decimal::read(text)?.bits(Layout::FLOAT)).ok()?;
    let number = f32::from_bits(bits);
    Some(if negative { -number } else { number })
}

/// The nearest double, or float, of Java's `0x1.8p3`: hexadecimal digits, and a power of two that is not left out.
pub(crate) fn from_hexadecimal(text: &str, single: bool) -> Option<f64> {
    let (negative, text) = signed(text);
    let text = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let mut exponent = read_exponent(exponent)?;
    let (mut word, mut more, mut point, mut seen) = (0_u64, false, 0, false);
    for letter in digits.chars() {
        if letter == '.' && point == 0 {
            point = 4;
            continue;
        }
        let digit = u64::from(letter.to_digit(16)?);
        seen = true;
        exponent -= point;
        if word >> 60 == 0 {
            word = word << 4 | digit;
        } else {
            more |= digit > 0;
            exponent += 4;
        }
    }
    let zeros = word.leading_zeros();
    let binary = Binary {
        word: word.checked_shl(zeros).unwrap_or(0),
        exponent: i32::try_from((exponent - i64::from(zeros)).clamp(-5000, 5000)).ok()?,
        more,
    };
    let number = match (word, single) {
        (0, _) => 0.0,
        (_, true) => f64::from(f32::from_bits(u32::try_from(binary.rounded(Layout::FLOAT)).ok()?)),
        (_, false) => f64::from_bits(binary.rounded(Layout::DOUBLE)),
    };
    seen.then_some(if negative { -number } else { number })
}

/// Whether there is a minus, and what is behind the sign.
fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `digits * 10^exponent`
struct Decimal<'a> {
    /// Without zeros at the front; a point may be among them.
    digits: &'a str,
    /// The first 19 digits.
    word: u64,
    /// All digits, and those in `word`.
    count: usize,
    in_word: usize,
    /// Of the last digit.
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// The number of a text without a sign.
    fn read(text: &'a str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, read_exponent(exponent)?),
            None => (text, 0),
        };
        let mut decimal = Self {
            digits: digits.trim_start_matches(['0', '.']),
            word: 0,
            count: 0,
            in_word: 0,
            exponent,
        };
        let (mut seen, mut point) = (false, false);
        for byte in digits.bytes() {
            match byte {
                b'.' if !point => point = true,
                b'0'..=b'9' => {
                    seen = true;
                    decimal.exponent -= i64::from(point);
                    if decimal.in_word < WORD_DIGITS {
                        decimal.word = decimal.word * 10 + u64::from(byte - b'0');
                        decimal.in_word += usize::from(decimal.word > 0);
                    }
                    decimal.count += usize::from(decimal.word > 0);
                }
                _ => return None,
            }
        }
        seen.then_some(decimal)
    }

    /// Few digits and a small exponent: one operation on exact doubles, which rounds once.
    #[expect(clippy::cast_precision_loss, reason = "below 2^53 there is none")]
    fn quick_double(&self) -> Option<f64> {
        let power = || {
            let exponent = i32::try_from(self.exponent.unsigned_abs()).ok()?;
            (exponent <= 22).then(|| (0..exponent).fold(1.0, |power, _| power * 10.0))
        };
        if self.count > self.in_word || self.word > 1 << 53 {
            return None;
        }
        Some(if self.exponent < 0 {
            self.word as f64 / power()?
        } else {
            self.word as f64 * power()?
        })
    }

    fn bits(&self, layout: Layout) -> u64 {
        let count = i64::try_from(self.count).unwrap_or(i64::MAX);
        let magnitude = count.saturating_add(self.exponent);
        // Below half of 4.9e-324, and above 1.8e308.
        if self.word == 0 || magnitude < -330 {
            return 0;
        }
        let Ok(exponent) = i32::try_from(self.exponent) else {
            return Binary::HUGE.rounded(layout);
        };
        if magnitude > 310 {
            return Binary::HUGE.rounded(layout);
        }
        if self.count == self.in_word && exponent.unsigned_abs() <= MOST_FIVES {
            Binary::of_word(self.word, exponent).rounded(layout)
        } else {
            self.in_big(exponent).rounded(layout)
        }
    }

    fn in_big(&self, exponent: i32) -> Binary {
        let mut number = Big::new(0);
        let mut digits = self.digits.bytes().filter(u8::is_ascii_digit);
        for digit in digits.by_ref().take(MOST_DIGITS) {
            number = number.times_plus(10, u32::from(digit - b'0'));
        }
        let left = i32::try_from(self.count.saturating_sub(MOST_DIGITS)).unwrap_or(i32::MAX);
        let mut exponent = exponent.saturating_add(left);
        if digits.any(|digit| digit != b'0') {
            number = number.times_plus(10, 1);
            exponent -= 1;
        }
        Binary::of_ratio(
            number.times_powers(exponent, 0),
            Big::new(1).times_powers(-exponent, 0),
            exponent,
        )
    }
}

/// Saturates far from what a text's digits could make up for.
fn read_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = signed(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.bytes().fold(0_i64, |number, byte| {
        (number * 10 + i64::from(byte - b'0')).min(1 << 50)
    });
    Some(if negative { -number } else { number })
}

/// `word * 2^exponent` and perhaps a little more, where the first bit of `word` is set.
struct Binary {
    word: u64,
    exponent: i32,
    more: bool,
}

impl Binary {
    /// Above all doubles.
    const HUGE: Self = Self {
        word: 1 << 63,
        exponent: 2000,
        more: false,
    };

    /// `number * 10^exponent` with at most 27 powers.
    fn of_word(number: u64, exponent: i32) -> Self {
        let fives = u128::from(5_u64.pow(exponent.unsigned_abs().min(MOST_FIVES)));
        let (product, shift, rest) = if exponent < 0 {
            let zeros = number.leading_zeros();
            let dividend = u128::from(number << zeros) << 63;
            let quotient = dividend / fives;
            (quotient, 63 + zeros, dividend - quotient * fives)
        } else {
            (u128::from(number) * fives, 0, 0)
        };
        let zeros = product.leading_zeros();
        let product = product << zeros;
        Self {
            word: high(product),
            exponent: exponent + 64 - small(zeros) - small(shift),
            more: rest != 0 || product << 64 != 0,
        }
    }

    /// `dividend / divisor * 2^exponent`, bit for bit.
    fn of_ratio(dividend: Big, divisor: Big, exponent: i32) -> Self {
        let shift = dividend.bits() - divisor.bits();
        let mut rest = dividend.times_powers(0, -shift);
        let divisor = divisor.times_powers(0, shift);
        let (mut word, mut places) = (0, -1);
        while word >> 63 == 0 {
            let bit = rest >= divisor;
            if bit {
                rest.subtract(&divisor);
            }
            word = word << 1 | u64::from(bit);
            rest = rest.times(2);
            places += 1;
        }
        Self {
            word,
            exponent: exponent + shift - places,
            more: !rest.is_zero(),
        }
    }

    /// The bits of the nearest number of a format.
    fn rounded(&self, layout: Layout) -> u64 {
        let first = self.exponent + 63;
        // Subnormal numbers have fewer bits.
        let lacking = (1 - layout.bias - first).max(0);
        let dropped = 63 - layout.fraction_bits + lacking.unsigned_abs();
        if first > layout.bias {
            return u64::from(2 * layout.bias.unsigned_abs() + 1) << layout.fraction_bits;
        }
        if dropped > 64 {
            return 0;
        }
        // The half, and what is above and below it.
        let half = 1 << (dropped - 1);
        let kept = self.word.checked_shr(dropped).unwrap_or(0);
        let rest = self.word - kept.checked_shl(dropped).unwrap_or(0);
        let up = rest > half || rest == half && (self.more || kept % 2 == 1);
        // The leading bit of a normal number counts as one more in the exponent, and so does a carry.
        let exponent = u64::from((first + lacking + layout.bias - 1).unsigned_abs());
        (exponent << layout.fraction_bits) + kept + u64::from(up)
    }
}

const fn high(number: u128) -> u64 {
    (number >> 64) as u64
}

#[expect(clippy::cast_possible_wrap, reason = "at most 128")]
const fn small(count: u32) -> i32 {
    count as i32
}
