//! Result types of DECIMAL arithmetic.

use super::MAX_PRECISION;
use crate::data_type::TypeKind;

/// Precision and scale of a DECIMAL; `scale <= precision <= 38`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecimalType {
    /// All digits, 1 … 38.
    pub precision: u8,
    /// Digits behind the point, 0 … `precision`.
    pub scale: u8,
}

/// The scale that a result keeps at least when its digits do not fit (Flink: `LogicalTypeMerging`).
const MIN_ADJUSTED_SCALE: i32 = 6;

impl DecimalType {
    /// DECIMAL(precision, scale).
    pub const fn new(precision: u8, scale: u8) -> Self {
        Self { precision, scale }
    }

    /// The DECIMAL that a number type counts as in arithmetic with DECIMAL; `None` for anything else.
    pub const fn of(kind: &TypeKind) -> Option<Self> {
        match kind {
            TypeKind::Decimal { precision, scale } => Some(Self::new(*precision, *scale)),
            TypeKind::TinyInt => Some(Self::new(3, 0)),
            TypeKind::SmallInt => Some(Self::new(5, 0)),
            TypeKind::Int => Some(Self::new(10, 0)),
            TypeKind::BigInt => Some(Self::new(19, 0)),
            _ => None,
        }
    }

    /// The type without nullability.
    pub const fn kind(self) -> TypeKind {
        TypeKind::Decimal {
            precision: self.precision,
            scale: self.scale,
        }
    }

    /// The type of `self + other` and of `self - other`.
    #[must_use]
    pub fn sum(self, other: Self) -> Self {
        let scale = self.scale.max(other.scale);
        Self::adjusted(
            self.whole().max(other.whole()) + i32::from(scale) + 1,
            scale.into(),
        )
    }

    /// The type of `self * other`.
    #[must_use]
    pub fn product(self, other: Self) -> Self {
        let precision = i32::from(self.precision) + i32::from(other.precision) + 1;
        Self::adjusted(precision, i32::from(self.scale) + i32::from(other.scale))
    }

    /// The type of `self / other`.
    #[must_use]
    pub fn quotient(self, other: Self) -> Self {
        let scale = MIN_ADJUSTED_SCALE.max(i32::from(self.scale) + i32::from(other.precision) + 1);
        Self::adjusted(self.whole() + i32::from(other.scale) + scale, scale)
    }

    /// The type of `self % other`.
    #[must_use]
    pub fn remainder(self, other: Self) -> Self {
        let scale = self.scale.max(other.scale);
        Self::adjusted(self.whole().min(other.whole()) + i32::from(scale), scale.into())
    }

    /// The type that CASE, UNION, VALUES or a comparison gives to both. Beyond 38 digits the scale gives way.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        let max = i32::from(MAX_PRECISION);
        let whole = self.whole().max(other.whole()).min(max);
        let scale = i32::from(self.scale.max(other.scale)).min(max - whole);
        Self::clamped(whole + scale, scale)
    }

    /// The type of SUM over this type.
    #[must_use]
    pub const fn summed(self) -> Self {
        Self::new(MAX_PRECISION, self.scale)
    }

    /// The type of AVG over this type.
    #[must_use]
    pub fn averaged(self) -> Self {
        Self::new(MAX_PRECISION, self.scale.max(6))
    }

    /// The type of `ROUND(self, digits)` and `TRUNCATE(self, digits)`.
    #[must_use]
    pub fn rounded(self, digits: i32) -> Self {
        if digits >= i32::from(self.scale) {
            return self;
        }
        let digits = digits.max(0);
        Self::clamped(self.whole() + 1 + digits, digits)
    }

    /// The type of `FLOOR(self)` and `CEIL(self)`.
    #[must_use]
    pub const fn floored(self) -> Self {
        Self::new(self.precision, 0)
    }

    /// Whether `unscaled` has at most `precision` digits.
    pub fn fits(self, unscaled: i128) -> bool {
        super::pow10(self.precision).is_none_or(|bound| unscaled.unsigned_abs() < bound)
    }

    /// Digits before the point.
    fn whole(self) -> i32 {
        i32::from(self.precision) - i32::from(self.scale)
    }

    /// A derived type that keeps its whole digits and gives up scale, down to 6, when it has more than 38.
    fn adjusted(precision: i32, scale: i32) -> Self {
        let max = i32::from(MAX_PRECISION);
        if precision <= max {
            return Self::clamped(precision, scale);
        }
        let whole = precision - scale;
        Self::clamped(max, (max - whole).max(scale.min(MIN_ADJUSTED_SCALE)))
    }

    fn clamped(precision: i32, scale: i32) -> Self {
        let byte =
            |number: i32| u8::try_from(number.clamp(0, i32::from(MAX_PRECISION))).unwrap_or(MAX_PRECISION);
        Self::new(byte(precision).max(1), byte(scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn t(precision: u8, scale: u8) -> DecimalType {
        DecimalType::new(precision, scale)
    }

    #[test]
    fn results_have_flinks_types() {
        assert_eq!(t(10, 2).sum(t(5, 4)), t(13, 4));
        assert_eq!(t(38, 0).sum(t(38, 0)), t(38, 0));
        assert_eq!(t(2, 1).product(t(2, 1)), t(5, 2));
        assert_eq!(t(38, 18).product(t(38, 18)), t(38, 6));
        assert_eq!(t(10, 0).quotient(t(2, 1)), t(17, 6));
        assert_eq!(t(2, 1).quotient(t(10, 0)), t(13, 12));
        assert_eq!(t(10, 2).quotient(t(10, 2)), t(23, 13));
        assert_eq!(t(38, 0).quotient(t(38, 0)), t(38, 6));
        assert_eq!(t(20, 10).quotient(t(20, 10)), t(38, 18));
        assert_eq!(t(38, 10).product(t(38, 10)), t(38, 6));
        assert_eq!(t(10, 2).remainder(t(5, 4)), t(5, 4));
        assert_eq!(t(10, 2).common(t(8, 4)), t(12, 4));
        assert_eq!(t(10, 0).common(t(2, 1)), t(11, 1));
    }

    #[test]
    fn rounding_keeps_room_for_the_carry() {
        assert_eq!(t(6, 3).rounded(1), t(5, 1));
        assert_eq!(t(6, 3).rounded(-1), t(4, 0));
        assert_eq!(t(6, 3).rounded(3), t(6, 3));
        assert_eq!(t(6, 3).floored(), t(6, 0));
    }
}
