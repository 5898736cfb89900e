//! Numbers of keys, shared by all states of an operator: a row looks for its key once, and each state finds what it has
//! of the key by the number.
//!
//! A number is one within the shard that the key's hash says, which is the same in all states. It stays a key's until
//! [`Slots::sweep`] finds neither a state with an entry nor a timer of it; that is looked for when there are twice as many
//! keys as last time, and only where no key is at work.
#![expect(
    clippy::indexing_slicing,
    reason = "numbers come from the index, which only holds those of keys"
)]

use std::rc::Rc;

use sg_value::{Gather as _, Value, hash::table_hash};

use super::{Key, KeyLayout, SHARDS, Table, same_cells, shard_of};
use crate::{
    index::{Index, folded},
    time::TimerQueue,
};

/// The keys of an operator's subtask. Without shards where each state looks for its keys itself.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    shards: Vec<Rc<Shard>>,
    /// Cells of a key.
    width: usize,
    /// Numbers in use.
    taken: usize,
    /// How many there may be before they are looked through.
    most: usize,
}

#[derive(Clone, Debug, Default)]
struct Shard {
    index: Index,
    /// The keys one behind the other.
    cells: Vec<Value>,
    /// Their hashes; `None` where a number is free.
    hashes: Vec<Option<u32>>,
    free: Vec<u32>,
}

/// The number of a key that has none.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// Fewer keys are not looked through.
const FEW: usize = 16_384;

impl Shard {
    #[inline]
    fn find(&self, hash: u32, key: &[Value]) -> Option<u32> {
        self.index.find(hash, |slot| {
            let at = slot as usize * key.len();
            same_cells(&self.cells[at..at + key.len()], key)
        })
    }

    fn insert(&mut self, hash: u32, key: &[Value]) -> u32 {
        let slot = self.free.pop().unwrap_or(self.hashes.len() as u32);
        let at = slot as usize * key.len();
        if let Some(cells) = self.cells.get_mut(at..at + key.len()) {
            cells.clone_from_slice(key);
            self.hashes[slot as usize] = Some(hash);
        } else {
            self.cells.extend_from_slice(key);
            self.hashes.push(Some(hash));
        }
        self.index.insert(hash, slot);
        slot
    }
}

impl Slots {
    /// Numbers for keys of this layout, if states share them.
    pub(crate) fn new(keys: &KeyLayout) -> Self {
        let shards = if keys.shared { SHARDS } else { 0 };
        Self {
            shards: std::iter::repeat_with(Rc::default).take(shards).gather(),
            width: keys.width,
            taken: 0,
            most: FEW,
        }
    }

    /// Whether states share the keys.
    #[inline]
    pub(crate) const fn are_shared(&self) -> bool {
        !self.shards.is_empty()
    }

    /// Reads where the look for a hash begins.
    #[inline]
    pub(crate) fn peek(&self, hash: u64) -> u32 {
        let shard = self.shards.get(shard_of(folded(hash)));
        shard.map_or(0, |shard| shard.index.peek(folded(hash)))
    }

    /// A key to work with.
    pub(crate) fn key<'k>(&mut self, cells: &'k [Value]) -> Key<'k> {
        self.hashed(cells, table_hash(cells))
    }

    /// The same where the hash is known.
    #[inline]
    pub(crate) fn hashed<'k>(&mut self, cells: &'k [Value], hash: u64) -> Key<'k> {
        let mut key = self.known(cells, hash);
        if key.slot == NO_SLOT
            && cells.len() == self.width
            && let Some(shard) = self.shards.get_mut(shard_of(folded(hash)))
        {
            key.slot = Rc::make_mut(shard).insert(folded(hash), cells);
            self.taken += 1;
        }
        key
    }

    /// A key that has a number only if it has one already.
    #[inline]
    pub(crate) fn known<'k>(&self, cells: &'k [Value], hash: u64) -> Key<'k> {
        let shard = self.shards.get(shard_of(folded(hash)));
        let found = shard.and_then(|shard| shard.find(folded(hash), cells));
        Key {
            cells,
            hash,
            slot: found.unwrap_or(NO_SLOT),
        }
    }

    /// The cells of the key of a number.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn cells(&self, shard: usize, slot: u32) -> &[Value] {
        let from = slot as usize * self.width;
        let shard = self.shards.get(shard);
        shard
            .and_then(|shard| shard.cells.get(from..from + self.width))
            .unwrap_or_default()
    }

    /// Whether it is time to look for numbers that nobody needs any more.
    #[inline]
    pub(crate) const fn are_many(&self) -> bool {
        self.taken >= self.most
    }

    /// Takes the numbers back of which no state has an entry, and for which no timer waits.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn sweep(&mut self, tables: &mut [Table], timers: [&TimerQueue; 2]) {
        let mut awaited: Vec<Vec<bool>> = Vec::new();
        awaited.extend(self.shards.iter().map(|shard| vec![false; shard.hashes.len()]));
        for (_, waiting) in timers.into_iter().flat_map(TimerQueue::iter) {
            for (key, _) in waiting.iter() {
                let shard = awaited.get_mut(shard_of(folded(key.hash)));
                if let Some(awaited) = shard.and_then(|shard| shard.get_mut(key.slot as usize)) {
                    *awaited = true;
                }
            }
        }
        self.keep(&mut |shard, slot| {
            let held = awaited[shard][slot as usize] || tables.iter().any(|table| table.holds(shard, slot));
            if !held {
                for table in tables.iter_mut() {
                    table.forget(shard, slot);
                }
            }
            held
        });
    }

    /// Takes the numbers back that nobody holds, given by shard and number.
    #[cfg_attr(sg_hot, optimize(size))]
    fn keep(&mut self, held: &mut dyn FnMut(usize, u32) -> bool) {
        for (at, shard) in self.shards.iter_mut().enumerate() {
            for slot in 0..shard.hashes.len() as u32 {
                if let Some(hash) = shard.hashes[slot as usize]
                    && !held(at, slot)
                {
                    let shard = Rc::make_mut(shard);
                    shard.index.remove(hash, slot);
                    shard.hashes[slot as usize] = None;
                    shard.free.push(slot);
                    self.taken -= 1;
                }
            }
        }
        self.most = (self.taken * 2).max(FEW);
    }
}

#[cfg(test)]
mod tests {
    use sg_value::bytes::RowSizer;

    use super::*;

    fn number(slots: &mut Slots, key: i64) -> (usize, u32) {
        let cells = [Value::Int(key)];
        let key = slots.key(&cells);
        (shard_of(folded(key.hash)), key.slot)
    }

    #[test]
    fn a_key_keeps_its_number_as_long_as_a_state_holds_it() {
        let mut slots = Slots::new(&KeyLayout {
            width: 1,
            sizer: RowSizer::for_key(&[]),
            shared: true,
        });
        let keys = FEW as i64;
        let before: Vec<_> = (0..keys).map(|key| number(&mut slots, key)).collect();
        assert!(slots.are_many());
        let snapshot = slots.clone();
        // one key in four has an entry
        let held: Vec<_> = before.iter().step_by(4).copied().collect();
        slots.keep(&mut |shard, slot| held.contains(&(shard, slot)));
        assert_eq!(slots.taken, held.len());
        assert!(!slots.are_many());
        // others get what is free, and none of them what is not
        let mut all = held.clone();
        all.extend((keys..keys * 2).map(|key| number(&mut slots, key)));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), held.len() + FEW);
        for (key, own) in (0..keys).zip(before) {
            let cells = [Value::Int(key)];
            let known = slots.known(&cells, table_hash(&cells));
            assert_eq!(known.slot, if key % 4 == 0 { own.1 } else { NO_SLOT });
            assert_eq!(snapshot.known(&cells, table_hash(&cells)).slot, own.1);
        }
    }

    #[test]
    fn where_states_look_themselves_no_key_has_a_number() {
        let mut slots = Slots::new(&KeyLayout {
            width: 1,
            sizer: RowSizer::for_key(&[]),
            shared: false,
        });
        assert_eq!(number(&mut slots, 7).1, NO_SLOT);
        assert!(!slots.are_many());
    }
}
