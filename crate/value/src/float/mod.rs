//! Doubles and floats from text and to digits, exactly.
//!
//! The standard library does the same with tables that alone were 12 kB of the engine (11 compressed). Nothing here needs one, and
//! nothing else in the engine may ask the standard library: no `parse::<f64>()`, no `{}` or `{:.2}` of a double.

pub(crate) mod big;
mod digits;
mod read;
#[cfg(test)]
mod tests;

pub use digits::{Digits, exact_digits, fixed, shortest_digits};
pub(crate) use read::from_hexadecimal;
pub use read::{f32_from_text, f64_from_text};

/// The fields of a floating-point format.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) fraction_bits: u32,
    pub(crate) bias: i32,
}

impl Layout {
    pub(crate) const DOUBLE: Self = Self {
        fraction_bits: 52,
        bias: 1023,
    };
    pub(crate) const FLOAT: Self = Self {
        fraction_bits: 23,
        bias: 127,
    };
}
