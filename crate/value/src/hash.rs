//! Hashes of keys: a fast one for tables, and Flink's own for key groups.

use crate::{data_type::DataType, value::Value};

/// Hash of a key row for tables of this process. Equal keys hash alike; the same on every platform.
pub fn table_hash(_key: &[Value]) -> u64 {
    todo!()
}

/// Lays keys out as Flink's `BinaryRowData` and hashes them; one per exchange, it keeps its buffer.
#[derive(Clone, Debug)]
pub struct KeyGrouper {
    #[expect(dead_code, reason = "filled with the layout")]
    types: Vec<DataType>,
}

impl KeyGrouper {
    /// For keys of these types.
    pub fn new(types: &[DataType]) -> Self {
        Self {
            types: types.to_vec(),
        }
    }

    /// `BinaryRowData.hashCode()` of the key.
    pub fn row_hash(&mut self, _key: &[Value]) -> i32 {
        todo!()
    }

    /// The key group of the key, 0 … `max_parallelism − 1`.
    pub fn key_group(&mut self, _key: &[Value], _max_parallelism: u32) -> u32 {
        todo!()
    }
}

/// The subtask that owns a key group: `group * parallelism / max_parallelism`.
pub const fn subtask_of_key_group(group: u32, parallelism: u32, max_parallelism: u32) -> u32 {
    (group as u64 * parallelism as u64 / max_parallelism as u64) as u32
}

/// Flink's default maximum parallelism for a parallelism: 1.5 times, rounded up to a power of two, 128 … 32768.
pub fn default_max_parallelism(_parallelism: u32) -> u32 {
    todo!()
}
