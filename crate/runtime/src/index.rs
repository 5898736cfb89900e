//! Numbers of entries by the hash of their keys: one table for all that is looked up so, whatever its entries are.
//!
//! The hash lies beside the number, so that growing reads no entry, and an entry of another hash is not compared.

use hashbrown::HashTable;

/// Numbers by hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index(HashTable<Known>);

#[derive(Clone, Copy, Debug)]
struct Known {
    hash: u32,
    number: u32,
}

/// The table's hash: it looks at the low bits and at the top seven.
const fn spread(hash: u32) -> u64 {
    hash as u64 | (hash as u64) << 32
}

/// 32 bits of a hash.
pub(crate) const fn folded(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

impl Index {
    /// The number with this hash for which `same` holds.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        self.0
            .find(spread(hash), |known| known.hash == hash && same(known.number))
            .map(|known| known.number)
    }

    /// Adds a number that is not there.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn insert(&mut self, hash: u32, number: u32) {
        self.0
            .insert_unique(spread(hash), Known { hash, number }, |known| spread(known.hash));
    }

    /// Takes a number out.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn remove(&mut self, hash: u32, number: u32) {
        if let Ok(found) = self.0.find_entry(spread(hash), |known| known.number == number) {
            found.remove();
        }
    }

    /// Gives an entry another number.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn renumber(&mut self, hash: u32, from: u32, to: u32) {
        if let Some(known) = self.0.find_mut(spread(hash), |known| known.number == from) {
            known.number = to;
        }
    }

    /// Forgets the numbers from this one on.
    pub(crate) fn truncate(&mut self, limit: u32) {
        self.0.retain(|known| known.number < limit);
    }
}
