//! The entries of one key of a map state: flat cells, walked in the order of Java's `HashMap`.
//!
//! As in [`super::JavaMap`], but an entry is found, added and taken out without moving others, since these maps are met
//! once a row. As long as Java has 16 buckets the entries are one list in its order; then each bucket has its own, as in
//! Java.
//!
//! ```text
//! buckets  number of the bucket → its first entry                  not before the 13th entry
//! heads    [hash, next of the list, writer, bytes]…                by number of the entry
//! cells    [user key… value… (time of the write)]…                 by number of the entry
//! ```
#![expect(
    clippy::indexing_slicing,
    reason = "numbers of entries come from the buckets, which only hold those of entries"
)]

use sg_value::{Gather as _, Value};

use super::{java_map::mixed, same_cells};

/// Java's first capacity.
const FIRST_CAPACITY: usize = 16;

/// No entry.
const NONE: u32 = u32::MAX;

/// Entries by user key.
#[derive(Clone, Debug)]
pub(super) struct JavaRows {
    /// The first entry of the only list.
    first: u32,
    buckets: Vec<u32>,
    heads: Vec<Head>,
    cells: Vec<Value>,
}

impl Default for JavaRows {
    fn default() -> Self {
        Self {
            first: NONE,
            buckets: Vec::new(),
            heads: Vec::new(),
            cells: Vec::new(),
        }
    }
}

/// What is known about an entry beside its cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// Java's hash of the user key with its high bits mixed in.
    hash: u32,
    /// The entry behind it in its bucket.
    next: u32,
    /// The change that wrote it last.
    pub(super) writer: u32,
    /// Bytes of the entry.
    pub(super) bytes: u32,
}

/// Cells per entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowWidths {
    /// Of the user key.
    pub(super) key: usize,
    /// Of user key and value.
    pub(super) value_end: usize,
    /// Of all.
    pub(super) stride: usize,
}

impl JavaRows {
    /// Reads what is first read of it and what is first written.
    #[inline]
    pub(super) fn peek(&self) -> u32 {
        let last = self.heads.last().map_or(0, |head| head.hash);
        let null = self.cells.last().is_some_and(Value::is_null);
        last.wrapping_add(u32::from(null))
    }

    /// Whether there is no entry.
    pub(super) const fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The entry of a user key with this Java hash code.
    #[inline]
    pub(super) fn find(&self, widths: RowWidths, code: i32, user_key: &[Value]) -> Option<u32> {
        let hash = mixed(code);
        let same = |at: u32| same_cells(self.user_key(widths, at), user_key);
        if self.buckets.is_empty() {
            let mut heads = (0..).zip(&self.heads);
            return heads
                .find(|(at, head)| head.hash == hash && same(*at))
                .map(|(at, _)| at);
        }
        let mut at = self.buckets[hash as usize & (self.buckets.len() - 1)];
        while let Some(head) = self.heads.get(at as usize) {
            if head.hash == hash && same(at) {
                return Some(at);
            }
            at = head.next;
        }
        None
    }

    /// Adds an entry with an empty value; the user key must not be there.
    pub(super) fn insert(&mut self, widths: RowWidths, code: i32, user_key: &[Value]) -> u32 {
        let at = self.heads.len() as u32;
        if self.heads.len() == self.heads.capacity() {
            // the first entry of many keys is their only one
            let more = if at == 0 { 1 } else { (at as usize).max(5) };
            self.heads.reserve_exact(more);
            self.cells.reserve_exact(more * widths.stride);
        }
        self.heads.push(Head {
            hash: mixed(code),
            next: NONE,
            writer: 0,
            bytes: 0,
        });
        for cell in user_key {
            self.cells.push(cell.clone());
        }
        for _ in widths.key..widths.stride {
            self.cells.push(Value::Null);
        }
        self.append(at);
        let capacity = self.buckets.len().max(FIRST_CAPACITY);
        if self.heads.len() * 4 > capacity * 3 && capacity < 1 << 30 {
            self.grow();
        }
        at
    }

    /// Puts an entry where it belongs in the order: behind the others of its bucket.
    #[inline]
    fn append(&mut self, entry: u32) {
        let hash = self.heads[entry as usize].hash;
        let (mut at, mask) = match self.buckets.len().checked_sub(1) {
            None => (self.first, FIRST_CAPACITY as u32 - 1),
            // all of a list are of one bucket: none is behind the new one
            Some(mask) => (self.buckets[hash as usize & mask], 0),
        };
        let mut before = NONE;
        while let Some(head) = self.heads.get(at as usize)
            && head.hash & mask <= hash & mask
        {
            before = at;
            at = head.next;
        }
        self.heads[entry as usize].next = at;
        if before == NONE {
            *self.start_mut(hash) = entry;
        } else {
            self.heads[before as usize].next = entry;
        }
    }

    /// Where the list of a hash starts.
    fn start_mut(&mut self, hash: u32) -> &mut u32 {
        match self.buckets.len().checked_sub(1) {
            None => &mut self.first,
            Some(mask) => &mut self.buckets[hash as usize & mask],
        }
    }

    /// Twice as many buckets, in which entries keep their order.
    #[cfg_attr(sg_hot, optimize(size))]
    fn grow(&mut self) {
        let order: Vec<u32> = self.order().gather();
        let capacity = self.buckets.len().max(FIRST_CAPACITY) * 2;
        self.buckets.clear();
        self.buckets.resize(capacity, NONE);
        let mut last = vec![NONE; capacity];
        for at in order {
            let bucket = self.heads[at as usize].hash as usize & (capacity - 1);
            self.heads[at as usize].next = NONE;
            if last[bucket] == NONE {
                self.buckets[bucket] = at;
            } else {
                self.heads[last[bucket] as usize].next = at;
            }
            last[bucket] = at;
        }
    }

    /// Lets what leads to an entry lead elsewhere.
    fn relink(&mut self, entry: u32, to: u32) {
        let start = self.start_mut(self.heads[entry as usize].hash);
        if *start == entry {
            *start = to;
            return;
        }
        let mut at = *start;
        while let Some(head) = self.heads.get_mut(at as usize) {
            if head.next == entry {
                head.next = to;
                return;
            }
            at = head.next;
        }
    }

    /// Takes an entry out; the last one gets its number.
    pub(super) fn remove(&mut self, widths: RowWidths, entry: u32) {
        self.relink(entry, self.heads[entry as usize].next);
        let last = self.heads.len() as u32 - 1;
        if entry != last {
            self.relink(last, entry);
            let (front, back) = self.cells.split_at_mut(last as usize * widths.stride);
            let at = entry as usize * widths.stride;
            front[at..at + widths.stride].swap_with_slice(&mut back[..widths.stride]);
        }
        self.heads.swap_remove(entry as usize);
        self.cells.truncate(last as usize * widths.stride);
    }

    /// Numbers of the entries in Java's order.
    #[inline]
    pub(super) fn order(&self) -> impl Iterator<Item = u32> {
        let mut buckets = self.buckets.iter();
        let mut at = if self.buckets.is_empty() { self.first } else { NONE };
        std::iter::from_fn(move || {
            while at == NONE {
                at = *buckets.next()?;
            }
            let entry = at;
            at = self.heads[at as usize].next;
            Some(entry)
        })
    }

    /// What is known about an entry beside its cells.
    #[inline]
    pub(super) fn head(&self, entry: u32) -> Head {
        self.heads[entry as usize]
    }

    /// Notes who wrote an entry, and its size.
    #[inline]
    pub(super) fn set_head(&mut self, entry: u32, writer: u32, bytes: u32) {
        let head = &mut self.heads[entry as usize];
        (head.writer, head.bytes) = (writer, bytes);
    }

    /// The cells of an entry's user key.
    #[inline]
    pub(super) fn user_key(&self, widths: RowWidths, entry: u32) -> &[Value] {
        let at = entry as usize * widths.stride;
        &self.cells[at..at + widths.key]
    }

    /// The cells of user key and value.
    #[inline]
    pub(super) fn entry(&self, widths: RowWidths, entry: u32) -> (&[Value], &[Value]) {
        let at = entry as usize * widths.stride;
        self.cells[at..at + widths.value_end].split_at(widths.key)
    }

    /// The cells behind the user key, to change.
    #[inline]
    pub(super) fn value_mut(&mut self, widths: RowWidths, entry: u32) -> &mut [Value] {
        let at = entry as usize * widths.stride;
        &mut self.cells[at + widths.key..at + widths.stride]
    }

    /// When an entry was written, where that is kept.
    pub(super) fn written_ms(&self, widths: RowWidths, entry: u32) -> Option<i64> {
        let at = entry as usize * widths.stride;
        self.cells[at + widths.value_end..at + widths.stride]
            .first()?
            .as_int()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::JavaMap, *};

    const WIDTHS: RowWidths = RowWidths {
        key: 1,
        value_end: 1,
        stride: 1,
    };

    #[test]
    fn it_walks_as_the_map_does_whatever_is_removed() {
        let (mut rows, mut map) = (JavaRows::default(), JavaMap::default());
        let mut random = 1_u32;
        for step in 0..6_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // few hash codes, so that buckets have several entries; first it grows, then it shrinks
            let number = i64::from(random >> 8) % if step < 4_000 { 700 } else { 40 };
            let (key, code) = ([Value::Int(number)], number as i32 / 3 * 5);
            match rows.find(WIDTHS, code, &key) {
                Some(entry) if step % 3 > 0 || step > 4_000 => {
                    rows.remove(WIDTHS, entry);
                    assert!(map.remove(code, &key).is_some());
                }
                Some(_) => assert!(map.get(code, &key).is_some()),
                None if step % 7 > 0 => {
                    rows.insert(WIDTHS, code, &key);
                    map.insert(code, key.clone().into(), ());
                }
                None => assert!(map.get(code, &key).is_none()),
            }
            if step % 50 == 0 {
                let walked: Vec<_> = rows.order().map(|at| rows.user_key(WIDTHS, at)).collect();
                let expected: Vec<_> = map.iter().map(|(key, ())| &**key).collect();
                assert_eq!(walked, expected);
            }
        }
    }
}
