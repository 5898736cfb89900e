//! Bytes of a `BinaryRowData`.
//!
//! ```text
//! | row kind, null bits: whole words | a slot of 8 bytes per field | what does not fit into the slots, in whole words |
//! ```
//!
//! Numbers are little-endian. A slot that points behind holds `offset << 32 | length`, one with text of its own holds the
//! text and `0x80 | length` in its last byte. Unused bytes are zero, so equal rows have equal bytes.
//! Flink: `BinaryRowWriter`, `BinaryArrayWriter`.

use crate::{
    layout::{INLINE_BYTES, Slot, array_header, integer_bytes, row_header, whole_words},
    value::Value,
};

/// Whether NULL keeps the place of its variable part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nulls {
    /// In a key: wide decimals and timestamps do.
    KeepPlace,
    /// Inside of values.
    TakeNone,
}

/// Appends the bytes of a row to `out`.
#[cfg_attr(sg_hot, optimize(speed))]
pub(super) fn write_row(out: &mut Vec<u8>, slots: &[Slot], row: &[Value], nulls: Nulls) {
    let writer = Writer {
        base: out.len(),
        null_bits: 8,
        header: row_header(slots.len()),
        width: 8,
        nulls,
    };
    out.resize(writer.base + writer.header + 8 * slots.len(), 0);
    for (at, (slot, value)) in slots.iter().zip(row).enumerate() {
        writer.write(out, at, slot, value);
    }
}

/// What a value's slot holds as a little-endian word, if that is all there is of it.
#[inline]
pub(super) fn slot_word(slot: &Slot, value: &Value) -> Option<u64> {
    match (slot, value) {
        (Slot::Fixed(_) | Slot::Double | Slot::Bytes, Value::Null) => Some(0),
        (Slot::Fixed(8), _) => Some(number(value).cast_unsigned()),
        (Slot::Fixed(width), _) => Some(number(value).cast_unsigned() & ((1 << (8 * width)) - 1)),
        (Slot::Double, Value::Double(number)) => Some(canonical_bits(*number)),
        (Slot::Bytes, Value::Str(text)) if text.len() <= INLINE_BYTES => {
            let mut word = [0; 8];
            put(&mut word, 0, text.as_bytes());
            put(&mut word, INLINE_BYTES, &[0x80 | low_8(text.len())]);
            Some(u64::from_le_bytes(word))
        }
        _ => None,
    }
}

fn write_array(out: &mut Vec<u8>, slot: &Slot, values: &[&Value]) {
    let header = array_header(values.len());
    let width = slot.element_width();
    let writer = Writer {
        base: out.len(),
        null_bits: 32,
        header,
        width,
        nulls: Nulls::TakeNone,
    };
    out.resize(writer.base + whole_words(header + width * values.len()), 0);
    put(out, writer.base, &low_32(values.len()).to_le_bytes());
    for (at, value) in values.iter().enumerate() {
        writer.write(out, at, slot, value);
    }
}

/// A row or array that is being written.
struct Writer {
    /// Where it starts.
    base: usize,
    /// Bits before the first null bit.
    null_bits: usize,
    /// Bytes before the first slot.
    header: usize,
    /// Bytes of a slot.
    width: usize,
    nulls: Nulls,
}

impl Writer {
    #[cfg_attr(sg_hot, optimize(speed))]
    fn write(&self, out: &mut Vec<u8>, at: usize, slot: &Slot, value: &Value) {
        let place = self.base + self.header + at * self.width;
        if value.is_null() {
            let bit = self.null_bits + at;
            if let Some(byte) = out.get_mut(self.base + bit / 8) {
                *byte |= 1 << (bit % 8);
            }
            match (slot, self.nulls) {
                (Slot::WideDecimal, Nulls::KeepPlace) => self.append(out, place, &[0; 16], 0),
                (Slot::WideTimestamp, Nulls::KeepPlace) => self.append(out, place, &[0; 8], 0),
                _ => {}
            }
            return;
        }
        match (slot, value) {
            (Slot::Fixed(width), _) => {
                let bytes = number(value).to_le_bytes();
                put(out, place, bytes.get(..usize::from(*width)).unwrap_or(&bytes));
            }
            (Slot::Float, Value::Double(number)) => put(out, place, &narrow_bits(*number).to_le_bytes()),
            (Slot::Double, Value::Double(number)) => put(out, place, &canonical_bits(*number).to_le_bytes()),
            (Slot::WideDecimal, _) => {
                let unscaled = value.unscaled().unwrap_or(0);
                let length = integer_bytes(unscaled);
                let mut place_of_16 = [0; 16];
                let bytes = unscaled.to_be_bytes();
                put(&mut place_of_16, 0, bytes.get(16 - length..).unwrap_or(&bytes));
                self.append(out, place, &place_of_16, length);
            }
            (Slot::WideTimestamp, Value::Timestamp { ms, nanos }) => {
                self.append(out, place, &ms.to_le_bytes(), *nanos as usize);
            }
            (Slot::Bytes, Value::Str(text)) => self.append_text(out, place, text.as_bytes()),
            (Slot::Bytes, Value::Bytes(bytes)) => self.append_text(out, place, bytes),
            (Slot::Row(slots), Value::Row(values)) => {
                self.nested(out, place, |out| write_row(out, slots, values, Nulls::TakeNone));
            }
            (Slot::Array(element), Value::Array(values)) => {
                let values: Vec<&Value> = values.iter().collect();
                self.nested(out, place, |out| write_array(out, element, &values));
            }
            (Slot::Map(types), Value::Map(map)) => {
                let keys: Vec<&Value> = map.entries.iter().map(|(key, _)| key).collect();
                let values: Vec<&Value> = map.entries.iter().map(|(_, value)| value).collect();
                self.nested(out, place, |out| {
                    let start = out.len();
                    out.extend([0; 4]);
                    write_array(out, &types.0, &keys);
                    let length = low_32(out.len() - start - 4);
                    put(out, start, &length.to_le_bytes());
                    write_array(out, &types.1, &values);
                });
            }
            (Slot::Raw, _) => self.append(out, place, &[0; 8], 8),
            // A value that is not of the column's type has no bytes.
            _ => debug_assert!(false, "{value:?} in a slot of {slot:?}"),
        }
    }

    fn append_text(&self, out: &mut Vec<u8>, place: usize, bytes: &[u8]) {
        if bytes.len() > INLINE_BYTES {
            self.append(out, place, bytes, bytes.len());
        } else {
            put(out, place, bytes);
            put(out, place + INLINE_BYTES, &[0x80 | low_8(bytes.len())]);
        }
    }

    /// Puts bytes behind the slots and their place into the slot.
    fn append(&self, out: &mut Vec<u8>, place: usize, bytes: &[u8], length: usize) {
        let offset = out.len() - self.base;
        out.extend_from_slice(bytes);
        out.resize(self.base + offset + whole_words(bytes.len()), 0);
        put(out, place, &((offset as u64) << 32 | length as u64).to_le_bytes());
    }

    fn nested(&self, out: &mut Vec<u8>, place: usize, write: impl FnOnce(&mut Vec<u8>)) {
        let start = out.len();
        write(out);
        let length = out.len() - start;
        out.resize(start + whole_words(length), 0);
        let offset = start - self.base;
        put(out, place, &((offset as u64) << 32 | length as u64).to_le_bytes());
    }
}

fn put(out: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = out.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// What a fixed slot holds.
fn number(value: &Value) -> i64 {
    match value {
        Value::Bool(truth) => i64::from(*truth),
        Value::Int(number) | Value::Decimal(number) | Value::Timestamp { ms: number, .. } => *number,
        _ => 0,
    }
}

/// Every NaN has the same bits, as keys see it.
const fn canonical_bits(number: f64) -> u64 {
    if number.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        number.to_bits()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "FLOAT values are rounded when they are made"
)]
const fn narrow_bits(number: f64) -> u32 {
    if number.is_nan() {
        0x7fc0_0000
    } else {
        (number as f32).to_bits()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rows are shorter than 4 GiB")]
const fn low_32(number: usize) -> u32 {
    number as u32
}

#[expect(clippy::cast_possible_truncation, reason = "at most 7")]
const fn low_8(number: usize) -> u8 {
    number as u8
}
