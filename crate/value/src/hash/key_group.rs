//! Key groups: which subtask owns a key.
//!
//! Flink hashes the bytes of the key's `BinaryRowData`, spreads the hash over `max_parallelism` key groups, and gives
//! each subtask a range of groups (`KeyGroupRangeAssignment`).

use super::{
    binary_row::{Nulls, slot_word, write_row},
    murmur::{hash_long_words, hash_words, spread},
};
use crate::{data_type::DataType, layout::Slot, value::Value};

/// Finds the key groups of keys of fixed types; keeps its buffer, so nothing is allocated per key.
#[derive(Clone, Debug)]
pub struct KeyGrouper {
    slots: Vec<Slot>,
    bytes: Vec<u8>,
}

impl KeyGrouper {
    /// For keys of these types.
    pub fn new(types: &[DataType]) -> Self {
        Self {
            slots: types.iter().map(Slot::of).collect(),
            bytes: Vec::new(),
        }
    }

    /// `BinaryRowData.hashCode()` of the key.
    pub fn row_hash(&mut self, key: &[Value]) -> i32 {
        self.hash_of_slots(key)
            .unwrap_or_else(|| hash_words(self.row_bytes(key)))
    }

    /// The same of a row that is one word of header and a slot a field, which does not have to be written for it.
    #[cfg_attr(sg_hot, optimize(speed))]
    fn hash_of_slots(&self, key: &[Value]) -> Option<i32> {
        /// A header has eight bits before the null bits.
        const MOST_FIELDS: usize = 56;
        if key.len() != self.slots.len() || key.len() > MOST_FIELDS {
            return None;
        }
        let mut header = 0;
        for (at, value) in key.iter().enumerate() {
            header |= u64::from(value.is_null()) << (8 + at);
        }
        let mut fields = self.slots.iter().zip(key);
        hash_long_words(key.len() + 1, header, || {
            let (slot, value) = fields.next()?;
            slot_word(slot, value)
        })
    }

    /// The bytes of the key's `BinaryRowData`, without the length that precedes a serialised one.
    pub fn row_bytes(&mut self, key: &[Value]) -> &[u8] {
        self.bytes.clear();
        write_row(&mut self.bytes, &self.slots, key, Nulls::KeepPlace);
        &self.bytes
    }

    /// The key group of the key, 0 … `max_parallelism − 1`.
    pub fn key_group(&mut self, key: &[Value], max_parallelism: u32) -> u32 {
        spread(self.row_hash(key)) % max_parallelism.max(1)
    }
}

/// The subtask that owns a key group; `max_parallelism` is above 0.
pub const fn subtask_of_key_group(group: u32, parallelism: u32, max_parallelism: u32) -> u32 {
    group * parallelism / max_parallelism
}

/// Flink's maximum parallelism where none is set: half as much again, rounded up to a power of two, 128 … 32768.
pub fn default_max_parallelism(parallelism: u32) -> u32 {
    const RANGE: (u32, u32) = (128, 32_768);
    let wanted = parallelism.saturating_add(parallelism / 2);
    wanted
        .checked_next_power_of_two()
        .unwrap_or(RANGE.1)
        .clamp(RANGE.0, RANGE.1)
}
