//! DECIMAL(p, s): fixed point on 128 bits, with Flink's result types and rounding.
//!
//! A DECIMAL value is its unscaled number; the scale belongs to the column. Every operation takes the type of its
//! result, rounds half up to that scale, and gives `None` where the digits do not fit (SQL NULL, as in Flink).

/// The most digits a DECIMAL can have.
pub const MAX_PRECISION: u8 = 38;

/// Precision and scale of a DECIMAL; `scale <= precision <= 38`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecimalType {
    /// All digits, 1 … 38.
    pub precision: u8,
    /// Digits behind the point, 0 … `precision`.
    pub scale: u8,
}

impl DecimalType {
    /// DECIMAL(precision, scale).
    pub const fn new(precision: u8, scale: u8) -> Self {
        Self { precision, scale }
    }

    /// The type of `self + other` and of `self - other`.
    #[must_use]
    pub fn sum(self, _other: Self) -> Self {
        todo!()
    }

    /// The type of `self * other`.
    #[must_use]
    pub fn product(self, _other: Self) -> Self {
        todo!()
    }

    /// The type of `self / other`.
    #[must_use]
    pub fn quotient(self, _other: Self) -> Self {
        todo!()
    }

    /// The type of `self % other`.
    #[must_use]
    pub fn remainder(self, _other: Self) -> Self {
        todo!()
    }

    /// The type that CASE, UNION or a comparison gives to both.
    #[must_use]
    pub fn common(self, _other: Self) -> Self {
        todo!()
    }

    /// The type of `ROUND(self, digits)` and `TRUNCATE(self, digits)`.
    #[must_use]
    pub fn rounded(self, _digits: i32) -> Self {
        todo!()
    }

    /// Whether `unscaled` has at most `precision` digits.
    pub fn fits(self, _unscaled: i128) -> bool {
        todo!()
    }
}

/// A DECIMAL value together with its scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The number without its point.
    pub unscaled: i128,
    /// Digits behind the point.
    pub scale: u8,
}

impl Decimal {
    /// `unscaled / 10^scale`.
    pub const fn new(unscaled: i128, scale: u8) -> Self {
        Self { unscaled, scale }
    }

    /// The unscaled number in another type, rounded half up (CAST).
    pub fn rescale(self, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// `self + other`.
    pub fn add(self, _other: Self, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// `self - other`.
    pub fn subtract(self, _other: Self, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// `self * other`.
    pub fn multiply(self, _other: Self, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// `self / other`; the caller has checked that `other` is not zero (otherwise `None`).
    pub fn divide(self, _other: Self, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// `self % other` with the sign of `self`; the caller has checked that `other` is not zero (otherwise `None`).
    pub fn remainder(self, _other: Self, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// Which of the two numbers is larger.
    pub fn compare(self, _other: Self) -> std::cmp::Ordering {
        todo!()
    }

    /// The largest whole number that is not above, as DECIMAL(p, 0).
    pub fn floor(self) -> i128 {
        todo!()
    }

    /// The smallest whole number that is not below, as DECIMAL(p, 0).
    pub fn ceil(self) -> i128 {
        todo!()
    }

    /// `ROUND(self, digits)` in the type `DecimalType::rounded` gives.
    pub fn round(self, _digits: i32, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// `TRUNCATE(self, digits)` in the type `DecimalType::rounded` gives.
    pub fn truncate(self, _digits: i32, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        todo!()
    }

    /// The whole part as BIGINT; wraps (CAST to integers).
    pub fn to_i64(self) -> i64 {
        todo!()
    }

    /// A double through its decimal text, rounded half up; `None` for NaN, infinities and what does not fit.
    pub fn from_f64(_number: f64, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// A whole number.
    pub fn from_i64(_number: i64, _to: DecimalType) -> Option<i128> {
        todo!()
    }

    /// Reads `12.30`, `-.5`, `1.5e3` rounded half up to `to`; the outer `None`: not a number; the inner: does not fit.
    pub fn parse(_text: &str, _to: DecimalType) -> Option<Option<i128>> {
        todo!()
    }
}

impl std::fmt::Display for Decimal {
    /// Plain text with exactly `scale` digits behind the point: `12.30`.
    fn fmt(&self, _f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        todo!()
    }
}
