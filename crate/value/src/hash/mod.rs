//! Hashes of keys: a fast one for tables, and Flink's own, by which keys find their subtask.

mod binary_row;
mod key_group;
mod murmur;

use std::hash::{Hash, Hasher};

pub use key_group::{KeyGrouper, default_max_parallelism, subtask_of_key_group};
pub(crate) use murmur::hash_bytes;

use crate::value::Value;

/// Hash of a key row for tables of this process. Equal keys hash alike; the same on every platform.
#[cfg_attr(sg_hot, optimize(speed))]
pub fn table_hash(key: &[Value]) -> u64 {
    let mut hasher = TableHasher::default();
    for value in key {
        value.hash(&mut hasher);
    }
    hasher.finish()
}

/// `hashCode()` of a value in Flink's internal form (`BinaryStringData`, `TimestampData`, `Integer`); of a negative BIGINT that
/// of the INT. `None` of what is none of these.
pub fn java_code(value: &Value) -> Option<i32> {
    #[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
    const fn folded(number: i64) -> i32 {
        (number ^ (number.cast_unsigned() >> 32).cast_signed()) as i32
    }
    Some(match value {
        Value::Null => 0,
        Value::Bool(true) => 1231,
        Value::Bool(false) => 1237,
        Value::Int(number) => i32::try_from(*number).unwrap_or_else(|_| folded(*number)),
        Value::Double(number) => folded(number.to_bits().cast_signed()),
        Value::Str(text) => hash_bytes(text.as_bytes()),
        Value::Timestamp { ms, nanos } => folded(*ms).wrapping_mul(31).wrapping_add(nanos.cast_signed()),
        _ => return None,
    })
}

/// Multiply and add on 64 bits, like `FxHasher` of a 64-bit machine, but the same on every platform.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableHasher {
    state: u64,
}

impl TableHasher {
    /// An odd number with well-spread bits.
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

    #[cfg_attr(sg_hot, optimize(speed))]
    const fn add(&mut self, word: u64) {
        self.state = self.state.wrapping_add(word).wrapping_mul(Self::FACTOR);
    }
}

impl Hasher for TableHasher {
    fn finish(&self) -> u64 {
        // The high bits are the good ones; tables look at the low ones, shards at the top.
        self.state.rotate_left(26)
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let mut eight = [0; 8];
            eight.copy_from_slice(word);
            self.add(u64::from_le_bytes(eight));
        }
        let mut eight = [0; 8];
        eight
            .iter_mut()
            .zip(words.remainder())
            .for_each(|(to, from)| *to = *from);
        self.add(u64::from_le_bytes(eight) ^ ((bytes.len() as u64) << 56));
    }

    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }
}

#[cfg(test)]
mod tests;
