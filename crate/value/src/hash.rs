//! Hashes of keys: a fast one for tables, and Flink's own for key groups.

use std::hash::{Hash, Hasher};

use crate::{data_type::DataType, value::Value};

/// Hash of a key row for tables of this process. Equal keys hash alike; the same on every platform.
pub fn table_hash(key: &[Value]) -> u64 {
    let mut hasher = TableHasher::default();
    for value in key {
        value.hash(&mut hasher);
    }
    hasher.finish()
}

/// Multiply and add on 64 bits, like `FxHasher` of a 64-bit machine, but the same on every platform.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableHasher {
    state: u64,
}

impl TableHasher {
    /// An odd number with well-spread bits.
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

    const fn add(&mut self, word: u64) {
        self.state = self.state.wrapping_add(word).wrapping_mul(Self::FACTOR);
    }
}

impl Hasher for TableHasher {
    fn finish(&self) -> u64 {
        // The high bits are the good ones; tables look at the low ones, shards at the top.
        self.state.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let mut eight = [0; 8];
            eight.copy_from_slice(word);
            self.add(u64::from_le_bytes(eight));
        }
        let rest = words.remainder();
        let mut eight = [0; 8];
        eight.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
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
