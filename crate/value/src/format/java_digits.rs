//! Java's own way to the digits of doubles and floats (`FloatingDecimal` of Java 17).
//!
//! Exact division, stopped by a symmetric test. Small numbers are divided in machine words, which overflow now and then;
//! the digits show it, so this overflows too.

use std::cmp::Ordering;

use crate::float::{Digits, Layout, big::Big};

/// A positive number `mantissa * 2^exponent`; the mantissa is odd, its leading bit stands for 2^`top`.
#[derive(Clone, Copy)]
pub(super) struct Binary {
    pub(super) mantissa: u64,
    /// Bits of the mantissa.
    width: i32,
    top: i32,
    /// Bits that the format has for this number; fewer for subnormal ones.
    significant: i32,
    layout: Layout,
}

impl Binary {
    pub(super) fn new(exponent: u64, fraction: u64, layout: Layout) -> Self {
        let normal = exponent != 0;
        let mantissa = if normal {
            fraction | 1 << layout.fraction_bits
        } else {
            fraction
        };
        let exponent = i32::try_from(exponent.max(1)).unwrap_or(0) - layout.bias;
        let all = bit_width(mantissa);
        let top = exponent - i32::try_from(layout.fraction_bits).unwrap_or(0) + all - 1;
        let mantissa = mantissa.checked_shr(mantissa.trailing_zeros()).unwrap_or(0);
        Self {
            mantissa,
            width: bit_width(mantissa),
            top,
            significant: all,
            layout,
        }
    }

    /// Whether the shortest digits are certainly Java's: no neighbour of another distance, no midpoint in reach.
    pub(super) fn shortest_is_javas(self) -> bool {
        let full = i32::try_from(self.layout.fraction_bits).unwrap_or(0) + 1;
        self.width > 1 && self.significant == full && self.top < full
    }

    /// Java's digits (`FloatingDecimal`): exact division, cut as soon as the rest is within half a unit of the last
    /// binary place.
    pub(super) fn digits(self) -> Digits {
        let tiny = self.places();
        if tiny == 0 && self.top <= 62 {
            return self.integer_digits();
        }
        let exponent = self.estimated_exponent();
        let fives = (-exponent).max(0);
        let scale_fives = exponent.max(0);
        let (top_twos, scale_twos) = (fives + tiny + self.top, scale_fives + tiny);
        let value_twos = top_twos - (self.width - 1);
        let common = value_twos.min(scale_twos);
        // The lower neighbour of a power of two is only half as far away.
        let half_twos = top_twos - self.significant - common - i32::from(self.width == 1);
        let raise = (-half_twos).max(0);
        Division {
            mantissa: self.mantissa,
            width: self.width,
            fives,
            value_twos: value_twos - common + raise,
            scale_fives,
            scale_twos: scale_twos - common + raise,
            half_twos: half_twos + raise,
        }
        .run(exponent)
    }

    /// Places behind the binary point; the exact decimal text has as many behind its point.
    pub(super) fn places(self) -> i32 {
        (self.width - self.top - 1).max(0)
    }

    /// Whole numbers below 2^63: all digits, without those that the format cannot tell apart.
    fn integer_digits(self) -> Digits {
        let shift = u32::try_from(self.top + 1 - self.width).unwrap_or(0);
        let mut number = self.mantissa << shift;
        let spare = self.top - self.significant;
        // Flink runs on Java 17: `insignificantDigitsForPow2`, a table of floor(log10(2^n)).
        let dropped = if spare > 2 {
            u32::try_from((spare - 1) * 30_103 / 100_000).unwrap_or(0)
        } else {
            0
        };
        let unit = 10_u64.pow(dropped);
        let rest = number % unit;
        number /= unit;
        if rest >= unit - rest && dropped > 0 {
            number += 1;
        }
        let text = number.to_string();
        let length = i32::try_from(text.len()).unwrap_or(0);
        let exponent = length - 1 + i32::try_from(dropped).unwrap_or(0);
        Digits { text, exponent }
    }

    /// Java's guess at floor(log10), from the first bits of the mantissa; it may be one too high.
    #[expect(clippy::approx_constant, reason = "Java's digits decide")]
    fn estimated_exponent(self) -> i32 {
        let mantissa = self.mantissa << u32::try_from(53 - self.width).unwrap_or(0);
        let unit = f64::from_bits(mantissa & ((1 << 52) - 1) | 1023 << 52);
        let guess =
            (unit - 1.5) * 0.289_529_654 + 0.176_091_259 + f64::from(self.top) * 0.301_029_995_663_981;
        floor_i32(guess)
    }
}

/// The division `mantissa * 5^fives * 2^value_twos / (5^scale_fives * 2^scale_twos)`; a rest below
/// `5^fives * 2^half_twos` ends it.
struct Division {
    mantissa: u64,
    width: i32,
    fives: i32,
    value_twos: i32,
    scale_fives: i32,
    scale_twos: i32,
    half_twos: i32,
}

/// Whether the digits so far are within half a unit below, and above, the number.
#[derive(Clone, Copy)]
struct Reach {
    low: bool,
    high: bool,
}

impl Division {
    fn run(&self, exponent: i32) -> Digits {
        // Java takes the narrowest of three ways. The narrow ones overflow now and then, and so does this.
        let value = self.width + self.value_twos + bits_of_five(self.fives);
        let scale = self.scale_twos + 1 + bits_of_five(self.scale_fives + 1);
        if value < 64 && scale < 64 {
            self.in_words(exponent, value < 32 && scale < 32)
                .unwrap_or_else(|| self.in_big(exponent))
        } else {
            self.in_big(exponent)
        }
    }

    /// In 64 bits, or 32 if `narrow`, wrapping like Java.
    fn in_words(&self, exponent: i32, narrow: bool) -> Option<Digits> {
        let wrap = |number: i64| {
            if narrow {
                i64::from(low_i32(number))
            } else {
                number
            }
        };
        let power = |fives: i32, twos: i32| {
            let fives = 5_i64.checked_pow(u32::try_from(fives).ok()?)?;
            Some(wrap(fives.wrapping_shl(u32::try_from(twos).ok()?)))
        };
        let scale = power(self.scale_fives, self.scale_twos)?;
        let ten = wrap(scale.wrapping_mul(10));
        let mut half = power(self.fives, self.half_twos)?;
        let mantissa = i64::try_from(self.mantissa).ok()?;
        let mut rest = wrap(
            mantissa
                .wrapping_mul(power(self.fives, 0)?)
                .wrapping_shl(u32::try_from(self.value_twos).ok()?),
        );
        if scale == 0 {
            return None;
        }
        let mut digits = Generated::new(exponent);
        while digits.open() {
            let digit = u8::try_from(rest / scale).ok()?;
            rest = wrap((rest % scale).wrapping_mul(10));
            half = wrap(half.wrapping_mul(10));
            let reach = if half > 0 {
                Reach {
                    low: rest < half,
                    high: wrap(rest.wrapping_add(half)) > ten,
                }
            } else {
                Reach {
                    low: true,
                    high: true,
                }
            };
            digits.push(digit, reach);
        }
        let above_half = wrap(wrap(rest.wrapping_shl(1)).wrapping_sub(ten));
        Some(digits.finish(above_half.cmp(&0)))
    }

    fn in_big(&self, exponent: i32) -> Digits {
        let mut rest = Big::new(self.mantissa).times_powers(self.fives, self.value_twos);
        let scale = Big::new(1).times_powers(self.scale_fives, self.scale_twos);
        let mut half = Big::new(1).times_powers(self.fives, self.half_twos);
        let ten = scale.clone().times(10);
        let mut digits = Generated::new(exponent);
        while digits.open() {
            let digit = rest.divide_small(&scale);
            rest = rest.times(10);
            half = half.times(10);
            let reach = Reach {
                low: rest < half,
                high: rest.clone().plus(&half) >= ten,
            };
            digits.push(digit, reach);
        }
        digits.finish(rest.times(2).cmp(&ten))
    }
}

/// Digits while they are found.
struct Generated {
    digits: Vec<u8>,
    exponent: i32,
    started: bool,
    reach: Reach,
}

impl Generated {
    fn new(exponent: i32) -> Self {
        let reach = Reach {
            low: false,
            high: false,
        };
        Self {
            digits: Vec::with_capacity(18),
            exponent,
            started: false,
            reach,
        }
    }

    const fn open(&self) -> bool {
        !(self.reach.low || self.reach.high)
    }

    fn push(&mut self, digit: u8, reach: Reach) {
        self.reach = reach;
        if self.started || digit != 0 || reach.high {
            self.digits.push(digit);
        } else {
            // The guess was one too high.
            self.exponent -= 1;
        }
        // The exponent form always has a second digit.
        if !self.started && !(-3..8).contains(&self.exponent) {
            self.reach = Reach {
                low: false,
                high: false,
            };
        }
        self.started = true;
    }

    /// Rounds the last digit; `above_half` compares the rest with half a unit of it.
    fn finish(mut self, above_half: Ordering) -> Digits {
        let odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        let up = match above_half {
            _ if !self.reach.low => true,
            Ordering::Less => false,
            Ordering::Equal => odd,
            Ordering::Greater => true,
        };
        if self.reach.high && up {
            round_up(&mut self.digits, &mut self.exponent);
        }
        Digits {
            text: self.digits.iter().map(|digit| char::from(b'0' + digit)).collect(),
            exponent: self.exponent,
        }
    }
}

/// Bits of 5^n, as far as Java has a table; its estimate beyond.
fn bits_of_five(n: i32) -> i32 {
    match u32::try_from(n).ok().and_then(|n| 5_u64.checked_pow(n)) {
        Some(1) => 0,
        Some(power) => bit_width(power),
        None => n * 3,
    }
}

fn bit_width(number: u64) -> i32 {
    i32::try_from(u64::BITS - number.leading_zeros()).unwrap_or(0)
}

#[expect(clippy::cast_possible_truncation, reason = "exponents of doubles are small")]
fn floor_i32(number: f64) -> i32 {
    number.floor() as i32
}

#[expect(clippy::cast_possible_truncation, reason = "wrapping like Java's int")]
const fn low_i32(number: i64) -> i32 {
    number as i32
}

fn round_up(digits: &mut [u8], exponent: &mut i32) {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    if let Some(first) = digits.first_mut() {
        *first = 1;
    }
    *exponent += 1;
}
