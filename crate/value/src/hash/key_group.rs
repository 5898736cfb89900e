//! Key groups: which subtask owns a key.
//!
//! Flink hashes the bytes of the key's `BinaryRowData`, spreads the hash over `max_parallelism` key groups, and gives
//! each subtask a range of groups (`KeyGroupRangeAssignment`).

use super::{
    binary_row::{Nulls, write_row},
    murmur::{hash_words, spread},
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
        hash_words(self.row_bytes(key))
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
