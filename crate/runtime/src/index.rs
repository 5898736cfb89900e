//! Numbers of entries by the hash of their keys: one table for all that is looked up so, whatever its entries are.
//!
//! The hash lies beside the number, so that growing reads no entry, and an entry of another hash is not compared. Who
//! finds its place taken goes to the next one; what is removed lets those behind it come back.
#![expect(
    clippy::indexing_slicing,
    reason = "a place is always taken modulo the number of places"
)]

/// Numbers by hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// A power of two, or none.
    places: Vec<Known>,
    taken: usize,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    hash: u32,
    /// `FREE` where there is nothing.
    number: u32,
}

const FREE: Known = Known {
    hash: 0,
    number: u32::MAX,
};

/// 32 bits of a hash.
pub(crate) const fn folded(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

impl Index {
    /// The place of the number with this hash for which `same` holds.
    #[inline]
    fn place(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<(usize, u32)> {
        let mask = self.places.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(known) = self.places.get(at)
            && known.number != FREE.number
        {
            if known.hash == hash && same(known.number) {
                return Some((at, known.number));
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// The number with this hash for which `same` holds.
    #[inline]
    pub(crate) fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        self.place(hash, same).map(|(_, number)| number)
    }

    /// Reads where the look for a hash begins.
    #[inline]
    pub(crate) fn peek(&self, hash: u32) -> u32 {
        let at = hash as usize & self.places.len().wrapping_sub(1);
        self.places.get(at).map_or(0, |known| known.number)
    }

    /// Adds a number that is not there.
    pub(crate) fn insert(&mut self, hash: u32, number: u32) {
        if self.taken * 4 >= self.places.len() * 3 {
            let places = (self.places.len() * 2).max(4);
            let before = std::mem::replace(&mut self.places, vec![FREE; places]);
            for known in before {
                if known.number != FREE.number {
                    self.put(known);
                }
            }
        }
        self.taken += 1;
        self.put(Known { hash, number });
    }

    #[inline]
    fn put(&mut self, new: Known) {
        let mask = self.places.len() - 1;
        let mut at = new.hash as usize & mask;
        while self.places[at].number != FREE.number {
            at = (at + 1) & mask;
        }
        self.places[at] = new;
    }

    /// Takes a number out.
    pub(crate) fn remove(&mut self, hash: u32, number: u32) {
        let Some((mut free, _)) = self.place(hash, |known| known == number) else {
            return;
        };
        let mask = self.places.len() - 1;
        let mut at = free;
        loop {
            at = (at + 1) & mask;
            let known = self.places[at];
            if known.number == FREE.number {
                break;
            }
            // whoever would be found at the free place, too, comes there
            let from_own = at.wrapping_sub(known.hash as usize) & mask;
            if from_own >= at.wrapping_sub(free) & mask {
                self.places[free] = known;
                free = at;
            }
        }
        self.places[free] = FREE;
        self.taken -= 1;
    }

    /// Gives an entry another number.
    pub(crate) fn renumber(&mut self, hash: u32, from: u32, to: u32) {
        if let Some((at, _)) = self.place(hash, |known| known == from) {
            self.places[at].number = to;
        }
    }

    /// Forgets the numbers from this one on.
    pub(crate) fn truncate(&mut self, limit: u32) {
        let before = std::mem::take(self);
        for known in before.places {
            if known.number < limit {
                self.insert(known.hash, known.number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_another_place_is_found_whatever_is_removed() {
        let mut index = Index::default();
        // three in four meet others on their way
        let hash = |number: u32| number / 4 * 7;
        let found = |index: &Index, number: u32| index.find(hash(number), |own| own == number);
        for number in 0..500 {
            index.insert(hash(number), number);
        }
        for number in (0..500).filter(|number| number % 3 == 0) {
            index.remove(hash(number), number);
            index.remove(hash(number), number);
        }
        for number in 0..500 {
            assert_eq!(found(&index, number), (number % 3 > 0).then_some(number));
        }
        index.renumber(hash(499), 499, 7000);
        assert_eq!(index.find(hash(499), |own| own == 7000), Some(7000));
        index.truncate(100);
        assert!((100..500).all(|number| found(&index, number).is_none()));
        assert!((0..100).all(|number| found(&index, number).is_some() == (number % 3 > 0)));
    }
}
