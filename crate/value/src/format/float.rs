//! Text of doubles and floats as Java 17 prints them, which is what Flink prints.
//!
//! Nearly always these are the shortest digits that read back as the same number, which Rust finds too. Java up to 18
//! differs in a few places: it stops at fewer or later digits for powers of two, keeps at least two digits in the
//! exponent form, and prints integers beyond 2^53 from their exact digits. Those numbers take the slow way, which
//! repeats Java's digit generation on big integers. (case: types/float-and-double-rendering; the slow way was
//! compared with Java on 1.4 million numbers.)

use std::cmp::Ordering;

use super::big::Big;

/// Java's `Double.toString`: `1.0`, `1.0E-4`, `NaN`, `Infinity`.
pub fn double_text(number: f64) -> String {
    let bits = number.to_bits();
    let binary = Binary::new(bits >> 52 & 0x7ff, bits & ((1 << 52) - 1), Layout::DOUBLE);
    text(number, binary, || format!("{:e}", number.abs()))
}

/// Java's `Float.toString`.
pub fn float_text(number: f32) -> String {
    let bits = u64::from(number.to_bits());
    let binary = Binary::new(bits >> 23 & 0xff, bits & ((1 << 23) - 1), Layout::FLOAT);
    text(f64::from(number), binary, || format!("{:e}", number.abs()))
}

fn text(number: f64, binary: Binary, shortest: impl FnOnce() -> String) -> String {
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
        Digits::from_exponent_form(&shortest())
    } else {
        None
    };
    let digits = digits
        .filter(|digits| !digits.needs_second_digit() && digits.places() + 1 != binary.places())
        .unwrap_or_else(|| binary.digits());
    digits.layout(sign)
}

/// The fields of a floating-point format.
#[derive(Clone, Copy)]
struct Layout {
    mantissa_bits: u32,
    bias: i32,
}

impl Layout {
    const DOUBLE: Self = Self {
        mantissa_bits: 52,
        bias: 1023,
    };
    const FLOAT: Self = Self {
        mantissa_bits: 23,
        bias: 127,
    };
}

/// A positive number `mantissa * 2^exponent`; the mantissa is odd, its leading bit stands for 2^`top`.
#[derive(Clone, Copy)]
struct Binary {
    mantissa: u64,
    /// Bits of the mantissa.
    width: i32,
    top: i32,
    /// Bits that the format has for this number; fewer for subnormal ones.
    significant: i32,
    layout: Layout,
}

impl Binary {
    fn new(exponent: u64, fraction: u64, layout: Layout) -> Self {
        let normal = exponent != 0;
        let mantissa = if normal {
            fraction | 1 << layout.mantissa_bits
        } else {
            fraction
        };
        let exponent = i32::try_from(exponent.max(1)).unwrap_or(0) - layout.bias;
        let all = bit_width(mantissa);
        let top = exponent - i32::try_from(layout.mantissa_bits).unwrap_or(0) + all - 1;
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
    fn shortest_is_javas(self) -> bool {
        let full = i32::try_from(self.layout.mantissa_bits).unwrap_or(0) + 1;
        self.width > 1 && self.significant == full && self.top < full
    }

    /// Java's digits (`FloatingDecimal`): exact division, cut as soon as the rest is within half a unit of the last
    /// binary place.
    fn digits(self) -> Digits {
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
    fn places(self) -> i32 {
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
        let mut exponent = i32::try_from(dropped).unwrap_or(0) - 1;
        let mut digits = Vec::with_capacity(19);
        while number > 0 {
            digits.push(u8::try_from(number % 10).unwrap_or(0));
            number /= 10;
            exponent += 1;
        }
        digits.reverse();
        Digits { digits, exponent }
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
            digits: self.digits,
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

/// Decimal digits, the first of which stands for 10^`exponent`.
struct Digits {
    digits: Vec<u8>,
    exponent: i32,
}

impl Digits {
    /// Reads Rust's `1.25e-7`.
    fn from_exponent_form(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once('e')?;
        let digits = mantissa
            .bytes()
            .filter(u8::is_ascii_digit)
            .map(|byte| byte - b'0')
            .collect();
        Some(Self {
            digits,
            exponent: exponent.parse().ok()?,
        })
    }

    /// Whether Java would go on to a second digit where one suffices.
    fn needs_second_digit(&self) -> bool {
        self.digits.len() == 1 && !(-3..8).contains(&self.exponent)
    }

    /// Digits behind the point. With one fewer than the exact text the number is a tie, where Rust and Java differ.
    fn places(&self) -> i32 {
        i32::try_from(self.digits.len()).unwrap_or(0) - 1 - self.exponent
    }

    /// `12.5` from 10^-3 to 10^7, else `1.25E10`.
    fn layout(mut self, sign: &str) -> String {
        while self.digits.len() > 1 && self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        let text: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let length = text.len();
        match (self.exponent, usize::try_from(self.exponent)) {
            (0..=6, Ok(exponent)) => {
                let whole = exponent + 1;
                if length > whole {
                    let (whole, fraction) = text.split_at(whole);
                    format!("{sign}{whole}.{fraction}")
                } else {
                    format!("{sign}{text}{:0<1$}.0", "", whole - length)
                }
            }
            (-3..=-1, _) => {
                let zeros = usize::try_from(-1 - self.exponent).unwrap_or(0);
                format!("{sign}0.{:0<zeros$}{text}", "")
            }
            (exponent, _) => {
                let (first, rest) = text.split_at(1);
                let rest = if rest.is_empty() { "0" } else { rest };
                format!("{sign}{first}.{rest}E{exponent}")
            }
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
}
