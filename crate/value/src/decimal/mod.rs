//! DECIMAL(p, s): fixed point on 128 bits, with Flink's result types and rounding.
//!
//! A DECIMAL value is its unscaled number; the scale belongs to the column. Every operation takes the type of its
//! result, rounds half up (away from zero) to that scale, and gives `None` where the digits do not fit: SQL NULL, as
//! in Flink (case: types/decimal-overflow-gives-null).

mod text;
mod types;

use std::cmp::Ordering;

use ethnum::{I256, U256};

pub(crate) use text::java_text_of_number;
pub use text::not_a_decimal;
pub use types::DecimalType;

/// The most digits a DECIMAL can have.
pub const MAX_PRECISION: u8 = 38;

#[expect(clippy::indexing_slicing, reason = "calculated at compile time")]
const POWERS: [u128; 39] = {
    let mut powers = [1; 39];
    let mut at = 1;
    while at < 39 {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// 10^exponent; `None` above 38.
pub(crate) fn pow10(exponent: u8) -> Option<u128> {
    POWERS.get(usize::from(exponent)).copied()
}

/// 10^exponent; exponents of this module stay below 77.
fn wide_pow10(exponent: u32) -> U256 {
    U256::new(10).pow(exponent)
}

/// Decimal digits of a number; 0 has none.
fn digits(number: u128) -> u32 {
    number.checked_ilog10().map_or(0, |log| log + 1)
}

/// A DECIMAL value together with its scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The number without its point; at most 38 digits.
    pub unscaled: i128,
    /// Digits behind the point, 0 … 38.
    pub scale: u8,
}

impl Decimal {
    /// `unscaled / 10^scale`.
    pub const fn new(unscaled: i128, scale: u8) -> Self {
        Self { unscaled, scale }
    }

    /// The unscaled number in another type, rounded half up (CAST).
    pub fn rescale(self, to: DecimalType) -> Option<i128> {
        let unscaled = match to.scale.cmp(&self.scale) {
            Ordering::Equal => self.unscaled,
            Ordering::Greater => {
                let factor = i128::try_from(pow10(to.scale - self.scale)?).ok()?;
                self.unscaled.checked_mul(factor)?
            }
            Ordering::Less => {
                let magnitude = divide_half_up(self.unscaled.unsigned_abs(), pow10(self.scale - to.scale)?);
                signed(magnitude, self.unscaled < 0)?
            }
        };
        to.fits(unscaled).then_some(unscaled)
    }

    /// `self + other`.
    pub fn add(self, other: Self, to: DecimalType) -> Option<i128> {
        if self.scale == other.scale {
            // Two numbers of 38 digits cannot leave 128 bits.
            return Self::new(self.unscaled.checked_add(other.unscaled)?, self.scale).rescale(to);
        }
        let (left, right, scale) = self.aligned(other);
        rescale_wide(left + right, scale.into(), to)
    }

    /// `self - other`.
    pub fn subtract(self, other: Self, to: DecimalType) -> Option<i128> {
        self.add(Self::new(-other.unscaled, other.scale), to)
    }

    /// `self * other`.
    pub fn multiply(self, other: Self, to: DecimalType) -> Option<i128> {
        let scale = self.scale + other.scale;
        match self.unscaled.checked_mul(other.unscaled) {
            Some(product) if scale <= MAX_PRECISION => Self::new(product, scale).rescale(to),
            _ => rescale_wide(
                I256::from(self.unscaled) * I256::from(other.unscaled),
                scale.into(),
                to,
            ),
        }
    }

    /// `self / other`; `None` also where `other` is zero, which the caller reports as a fault.
    ///
    /// Flink rounds the quotient to 38 significant digits before it rounds to the scale (`MathContext(38, HALF_UP)`);
    /// this does the same.
    pub fn divide(self, other: Self, to: DecimalType) -> Option<i128> {
        if other.unscaled == 0 {
            return None;
        }
        if self.unscaled == 0 {
            return Some(0);
        }
        let negative = (self.unscaled < 0) != (other.unscaled < 0);
        let (dividend, divisor) = (self.unscaled.unsigned_abs(), other.unscaled.unsigned_abs());
        let (scale, other_scale) = (i32::from(self.scale), i32::from(other.scale));
        // The quotient has 38 digits at one of these two scales.
        let shift = 37 + digits(divisor) - digits(dividend);
        let full_scale = i32::try_from(shift).ok()? + scale - other_scale;
        let spare = full_scale - i32::from(to.scale);
        let direct = i32::from(to.scale) + other_scale - scale;
        let direct_dividend = u8::try_from(direct)
            .ok()
            .and_then(pow10)
            .and_then(|factor| dividend.checked_mul(factor));
        // Rounding twice differs from rounding once only if the divisor can tell 0.5 from 0.4999… of `spare` digits.
        if let (Some(dividend), Some(bound)) = (direct_dividend, u8::try_from(spare).ok().and_then(pow10))
            && divisor < bound
        {
            let quotient = signed(divide_half_up(dividend, divisor), negative)?;
            return to.fits(quotient).then_some(quotient);
        }
        let (quotient, full_scale) = full_quotient(dividend, divisor, shift, full_scale);
        let quotient = I256::try_from(quotient).ok()?;
        rescale_wide(if negative { -quotient } else { quotient }, full_scale, to)
    }

    /// `self % other` with the sign of `self`; `None` also where `other` is zero, which the caller reports as a fault.
    pub fn remainder(self, other: Self, to: DecimalType) -> Option<i128> {
        if other.unscaled == 0 {
            return None;
        }
        let (left, right, scale) = self.aligned(other);
        rescale_wide(left % right, scale.into(), to)
    }

    /// Which of the two numbers is larger.
    pub fn compare(self, other: Self) -> Ordering {
        if self.scale == other.scale {
            return self.unscaled.cmp(&other.unscaled);
        }
        let (left, right, _) = self.aligned(other);
        left.cmp(&right)
    }

    /// The largest whole number that is not above.
    pub fn floor(self) -> i128 {
        self.unscaled.div_euclid(self.unit())
    }

    /// The smallest whole number that is not below.
    pub fn ceil(self) -> i128 {
        -(-self.unscaled).div_euclid(self.unit())
    }

    /// `ROUND(self, digits)` in the type that `DecimalType::rounded` gives.
    pub fn round(self, digits: i32, to: DecimalType) -> Option<i128> {
        self.cut(digits, to, divide_half_up)
    }

    /// `TRUNCATE(self, digits)` in the type that `DecimalType::rounded` gives.
    pub fn truncate(self, digits: i32, to: DecimalType) -> Option<i128> {
        self.cut(digits, to, |dividend, divisor| dividend / divisor)
    }

    /// Replaces the digits behind position `digits` (before the point if negative) by zeros, dividing with `divide`.
    fn cut(self, digits: i32, to: DecimalType, divide: fn(u128, u128) -> u128) -> Option<i128> {
        let dropped = i32::from(self.scale).saturating_sub(digits);
        if dropped <= 0 {
            return self.rescale(to);
        }
        let Some(unit) = u8::try_from(dropped).ok().and_then(pow10) else {
            return Some(0);
        };
        let magnitude = divide(self.unscaled.unsigned_abs(), unit).checked_mul(unit)?;
        Self::new(signed(magnitude, self.unscaled < 0)?, self.scale).rescale(to)
    }

    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        /// Above, doubles have gaps.
        const EXACT: u128 = 1 << 53;
        match pow10(self.scale) {
            // Both operands are exact, so the one division rounds correctly.
            Some(unit) if self.unscaled.unsigned_abs() <= EXACT && self.scale <= 22 => {
                f64_from_exact(self.unscaled) / f64_from_exact(i128::try_from(unit).unwrap_or(1))
            }
            _ => crate::float::f64_from_text(&self.to_string()).unwrap_or(f64::NAN),
        }
    }

    /// The whole part as BIGINT, cut towards zero; wraps (CAST to integers).
    pub fn to_i64(self) -> i64 {
        crate::number::wrap_i64(self.unscaled / self.unit())
    }

    /// A whole number.
    pub fn from_i64(number: i64, to: DecimalType) -> Option<i128> {
        Self::new(number.into(), 0).rescale(to)
    }

    /// 10^scale.
    fn unit(self) -> i128 {
        pow10(self.scale)
            .and_then(|unit| i128::try_from(unit).ok())
            .unwrap_or(i128::MAX)
    }

    /// Both unscaled numbers at the larger scale: at most 76 digits.
    fn aligned(self, other: Self) -> (I256, I256, u8) {
        let scale = self.scale.max(other.scale);
        let widen = |number: Self| {
            let factor = wide_pow10(u32::from(scale - number.scale));
            I256::from(number.unscaled) * factor.as_i256()
        };
        (widen(self), widen(other), scale)
    }
}

/// The quotient with exactly 38 digits, rounded half up, and its scale. `shift` gives it 37 or 38 digits.
fn full_quotient(dividend: u128, divisor: u128, shift: u32, scale: i32) -> (U256, i32) {
    let divisor = U256::from(divisor);
    let quotient = |shift| divide_wide_half_up(U256::from(dividend) * wide_pow10(shift), divisor);
    let first = U256::from(dividend) * wide_pow10(shift) / divisor;
    if first >= wide_pow10(37) {
        (quotient(shift), scale)
    } else {
        (quotient(shift + 1), scale + 1)
    }
}

/// A number of at most 77 digits in another type, rounded half up. The scale may be negative.
fn rescale_wide(unscaled: I256, scale: i32, to: DecimalType) -> Option<i128> {
    let negative = unscaled.is_negative();
    let magnitude = unscaled.unsigned_abs();
    let dropped = scale - i32::from(to.scale);
    let magnitude = match u32::try_from(dropped) {
        Ok(0) => magnitude,
        Ok(dropped) if dropped > 76 => U256::ZERO,
        Ok(dropped) => divide_wide_half_up(magnitude, wide_pow10(dropped)),
        Err(_) if magnitude == U256::ZERO => magnitude,
        Err(_) => {
            let added = dropped.unsigned_abs();
            if added > u32::from(MAX_PRECISION) {
                return None;
            }
            magnitude.checked_mul(wide_pow10(added))?
        }
    };
    let unscaled = signed(u128::try_from(magnitude).ok()?, negative)?;
    to.fits(unscaled).then_some(unscaled)
}

fn divide_half_up(dividend: u128, divisor: u128) -> u128 {
    // The common case in 64 bits: division of 128 bits is a long way on wasm.
    if let (Ok(dividend), Ok(divisor)) = (u64::try_from(dividend), u64::try_from(divisor)) {
        let rest = dividend % divisor;
        return u128::from(dividend / divisor) + u128::from(rest >= divisor - rest);
    }
    let rest = dividend % divisor;
    dividend / divisor + u128::from(rest >= divisor - rest)
}

fn divide_wide_half_up(dividend: U256, divisor: U256) -> U256 {
    let (quotient, rest) = (dividend / divisor, dividend % divisor);
    quotient + U256::from(u8::from(rest >= divisor - rest))
}

fn signed(magnitude: u128, negative: bool) -> Option<i128> {
    let number = i128::try_from(magnitude).ok()?;
    Some(if negative { -number } else { number })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "callers pass numbers that doubles hold exactly"
)]
const fn f64_from_exact(number: i128) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests;
