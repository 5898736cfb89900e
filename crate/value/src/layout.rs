//! How Flink lays a field out in a `BinaryRowData`: what sits in its slot of 8 bytes, and what behind the slots.

use std::rc::Rc;

use crate::data_type::{DataType, TypeKind};

/// The layout class of a type. Nullability, names and precision within a class do not matter.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// A number of 1, 2, 4 or 8 bytes in the slot.
    Fixed(u8),
    /// FLOAT, 4 bytes in the slot.
    Float,
    /// DOUBLE, 8 bytes in the slot.
    Double,
    /// DECIMAL of more than 18 digits: 16 bytes behind the slots.
    WideDecimal,
    /// TIMESTAMP of more than 3 digits: the nanoseconds in the slot, 8 bytes of milliseconds behind.
    WideTimestamp,
    /// Characters or bytes: up to 7 in the slot, else behind in whole words.
    Bytes,
    /// Behind the slots; element layout.
    Array(Rc<Self>),
    /// Behind the slots; layouts of key and value.
    Map(Rc<(Self, Self)>),
    /// Behind the slots; layouts of the fields.
    Row(Rc<[Self]>),
    /// A placeholder of 8 bytes behind the slots (the view of a map or list in an accumulator).
    Raw,
}

impl Slot {
    pub(crate) fn of(data_type: &DataType) -> Self {
        match &data_type.kind {
            TypeKind::Boolean | TypeKind::TinyInt => Self::Fixed(1),
            TypeKind::SmallInt => Self::Fixed(2),
            TypeKind::Int | TypeKind::Date | TypeKind::Time(_) | TypeKind::IntervalYearMonth(_) => {
                Self::Fixed(4)
            }
            TypeKind::BigInt | TypeKind::IntervalDayTime(_) | TypeKind::Null => Self::Fixed(8),
            TypeKind::Float => Self::Float,
            TypeKind::Double => Self::Double,
            TypeKind::Decimal {
                precision: 0..=18, ..
            } => Self::Fixed(8),
            TypeKind::Decimal { .. } => Self::WideDecimal,
            TypeKind::Timestamp { precision: 0..=3, .. }
            | TypeKind::TimestampLtz { precision: 0..=3, .. } => Self::Fixed(8),
            TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. } => Self::WideTimestamp,
            // Unverified: a VARIANT is counted as its text, a BITMAP as its portable form.
            TypeKind::Char(_)
            | TypeKind::Varchar(_)
            | TypeKind::Binary(_)
            | TypeKind::Varbinary(_)
            | TypeKind::Variant
            | TypeKind::Bitmap => Self::Bytes,
            TypeKind::Array(element) => Self::Array(Rc::new(Self::of(element))),
            TypeKind::Map(key, value) => Self::Map(Rc::new((Self::of(key), Self::of(value)))),
            TypeKind::Multiset(element) => Self::Map(Rc::new((Self::of(element), Self::Fixed(4)))),
            TypeKind::Row(fields) | TypeKind::Structured(_, fields) => {
                Self::Row(fields.iter().map(|field| Self::of(&field.data_type)).collect())
            }
            TypeKind::Raw(_) => Self::Raw,
        }
    }

    /// Bytes of an element in an array.
    pub(crate) const fn element_width(&self) -> usize {
        match self {
            Self::Fixed(width) => *width as usize,
            Self::Float => 4,
            _ => 8,
        }
    }
}

/// Rounded up to whole words.
pub(crate) const fn whole_words(bytes: usize) -> usize {
    (bytes + 7) & !7
}

/// Bytes of the row kind and the null bits of `fields` fields.
pub(crate) const fn row_header(fields: usize) -> usize {
    (fields + 71) / 64 * 8
}

/// Bytes of the length and the null bits of an array.
pub(crate) const fn array_header(elements: usize) -> usize {
    4 + elements.div_ceil(32) * 4
}

/// The most bytes that fit into a slot.
pub(crate) const INLINE_BYTES: usize = 7;

/// Bytes of the shortest two's complement form.
pub(crate) fn integer_bytes(number: i128) -> usize {
    let magnitude = if number < 0 { !number } else { number };
    let bits = i128::BITS - magnitude.leading_zeros();
    bits as usize / 8 + 1
}
