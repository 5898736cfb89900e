//! A map that is walked in the order of Java's `HashMap`, which is the order in which Flink's heap states give their
//! entries.
//!
//! Appendix A of the fact sheet on joins: a bucket is `(h ^ h >>> 16) & (capacity − 1)`, 16 buckets that double when
//! more than three quarters are taken, buckets ascending, within a bucket in order of insertion; it never shrinks.
//! Cases: join-regular/no-equality-joins-on-one-task.
#![expect(
    clippy::indexing_slicing,
    reason = "the order holds numbers of entries, and both are changed together"
)]

use sg_value::{Row, Value};

/// Java's first capacity.
const FIRST_CAPACITY: u32 = 16;

/// Entries by key.
#[derive(Clone, Debug)]
pub(crate) struct JavaMap<E> {
    capacity: u32,
    /// Numbers of entries, by bucket and within a bucket by insertion.
    order: Vec<u32>,
    entries: Vec<Slot<E>>,
}

#[derive(Clone, Debug)]
struct Slot<E> {
    /// Java's hash of the key with its high bits mixed in.
    hash: u32,
    key: Row,
    value: E,
}

impl<E> Default for JavaMap<E> {
    fn default() -> Self {
        Self {
            capacity: FIRST_CAPACITY,
            order: Vec::new(),
            entries: Vec::new(),
        }
    }
}

/// `h ^ h >>> 16`
pub(super) const fn mixed(code: i32) -> u32 {
    let code = code.cast_unsigned();
    code ^ code >> 16
}

impl<E> JavaMap<E> {
    /// An empty map with at least this many buckets, a power of two.
    pub(crate) fn with_capacity(capacity: u32) -> Self {
        Self {
            capacity: capacity.max(FIRST_CAPACITY),
            ..Self::default()
        }
    }

    /// Number of buckets.
    pub(crate) const fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Whether there is no entry.
    pub(crate) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    const fn bucket(&self, hash: u32) -> u32 {
        hash & (self.capacity - 1)
    }

    /// Place in the order of the first entry that is not before a bucket.
    fn start_of(&self, bucket: u32) -> usize {
        self.order
            .partition_point(|&at| self.bucket(self.entries[at as usize].hash) < bucket)
    }

    /// Place in the order and number of a key's entry.
    fn find(&self, hash: u32, key: &[Value]) -> Option<(usize, usize)> {
        let bucket = self.bucket(hash);
        let start = self.start_of(bucket);
        self.order[start..]
            .iter()
            .map(|&at| at as usize)
            .enumerate()
            .take_while(|(_, at)| self.bucket(self.entries[*at].hash) == bucket)
            .find(|(_, at)| self.entries[*at].hash == hash && *self.entries[*at].key == *key)
            .map(|(place, at)| (start + place, at))
    }

    /// The entry of a key with this Java hash code.
    pub(crate) fn get(&self, code: i32, key: &[Value]) -> Option<&E> {
        let (_, at) = self.find(mixed(code), key)?;
        Some(&self.entries[at].value)
    }

    /// The same, to change.
    pub(crate) fn get_mut(&mut self, code: i32, key: &[Value]) -> Option<&mut E> {
        let (_, at) = self.find(mixed(code), key)?;
        Some(&mut self.entries[at].value)
    }

    /// Adds an entry; the key must not be there.
    pub(crate) fn insert(&mut self, code: i32, key: Row, value: E) {
        let hash = mixed(code);
        let bucket = self.bucket(hash);
        let end = self.start_of(bucket + 1);
        let number = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.order.insert(end, number);
        self.entries.push(Slot { hash, key, value });
        if self.entries.len() as u64 * 4 > u64::from(self.capacity) * 3 && self.capacity < 1 << 30 {
            self.capacity *= 2;
            let (entries, mask) = (&self.entries, self.capacity - 1);
            self.order.sort_by_key(|&at| entries[at as usize].hash & mask);
        }
    }

    /// Takes an entry out.
    pub(crate) fn remove(&mut self, code: i32, key: &[Value]) -> Option<E> {
        let (place, at) = self.find(mixed(code), key)?;
        self.order.remove(place);
        let last = self.entries.len() - 1;
        if at != last {
            let bucket = self.bucket(self.entries[last].hash);
            let start = self.start_of(bucket);
            let moved = self.order[start..]
                .iter_mut()
                .find(|number| **number as usize == last);
            if let Some(number) = moved {
                *number = u32::try_from(at).unwrap_or(u32::MAX);
            }
        }
        Some(self.entries.swap_remove(at).value)
    }

    /// The entries in Java's order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&Row, &E)> {
        self.order.iter().map(|&at| {
            let slot = &self.entries[at as usize];
            (&slot.key, &slot.value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: i64) -> Row {
        Row::from([Value::Int(number)])
    }

    /// Hash codes of Longs that are small are the numbers themselves.
    fn order(map: &JavaMap<()>) -> Vec<i64> {
        map.iter().filter_map(|(key, ())| key[0].as_int()).collect()
    }

    #[test]
    fn buckets_ascend_and_double() {
        let mut map = JavaMap::default();
        for number in [40, 3, 24, 8, 1] {
            map.insert(number as i32, key(number), ());
        }
        assert_eq!(order(&map), [1, 3, 40, 24, 8]);
        for number in 100..108 {
            map.insert(number as i32, key(number), ());
        }
        assert_eq!(
            order(&map),
            [1, 3, 100, 101, 102, 103, 40, 8, 104, 105, 106, 107, 24],
            "32 buckets from the 13th entry on"
        );
        assert!(map.remove(40, &key(40)).is_some());
        assert!(map.remove(40, &key(40)).is_none());
        assert!(map.get(24, &key(24)).is_some());
        assert_eq!(order(&map), [1, 3, 100, 101, 102, 103, 8, 104, 105, 106, 107, 24]);
        for number in 100..108 {
            map.remove(number as i32, &key(number));
        }
        assert_eq!(order(&map), [1, 3, 8, 24]);
    }
}
