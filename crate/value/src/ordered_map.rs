//! A map that grows with the data: entries in the order of their keys, in the pieces of [`Ordered`].
//!
//! In place of the standard library's tree, whose code is four times as large for each type.

use std::borrow::Borrow;

use crate::ordered::{Iter, Ordered, Place};

/// Entries in the order of their keys.
#[derive(Clone, Debug)]
pub struct OrderedMap<K, V> {
    entries: Ordered<(K, V)>,
    len: usize,
}

impl<K, V> Default for OrderedMap<K, V> {
    fn default() -> Self {
        Self {
            entries: Ordered::default(),
            len: 0,
        }
    }
}

impl<'m, K: Default, V: Default> IntoIterator for &'m OrderedMap<K, V> {
    type Item = &'m (K, V);
    type IntoIter = Iter<'m, (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<K: Ord + Default, V: Default> OrderedMap<K, V> {
    #[inline(never)]
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        self.entries.find(|(own, _)| own.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (_, value) = self.entries.get(self.find(key).ok()?)?;
        Some(value)
    }

    /// The same, to change.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        let (_, value) = self.entries.get_mut(place);
        Some(value)
    }

    /// The value of a key; where there is none, an empty one is put there first.
    pub fn entry(&mut self, key: K) -> &mut V {
        let (_, value) = match self.find(&key) {
            Ok(place) => self.entries.get_mut(place),
            Err(place) => {
                self.len += 1;
                self.entries.insert(place, (key, V::default()));
                self.entries.newest()
            }
        };
        value
    }

    /// Puts a value at a key; whether the key is new.
    pub fn insert(&mut self, key: K, value: V) -> bool {
        match self.find(&key) {
            Ok(place) => {
                self.entries.get_mut(place).1 = value;
                false
            }
            Err(place) => {
                self.len += 1;
                self.entries.insert(place, (key, value));
                true
            }
        }
    }

    /// Takes a key out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.len -= 1;
        Some(self.entries.remove(place).1)
    }

    /// The first entry.
    pub fn first(&self) -> Option<&(K, V)> {
        self.entries.first()
    }

    /// Takes the first entry out.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        let first = self.entries.pop_first()?;
        self.len -= 1;
        Some(first)
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> Iter<'_, (K, V)> {
        self.entries.iter()
    }

    /// The last entry for which this holds.
    pub fn rfind(&self, holds: impl Fn(&(K, V)) -> bool) -> Option<&(K, V)> {
        let mut place = self.entries.end();
        loop {
            let entry = self.entries.before(place)?;
            if holds(entry) {
                return Some(entry);
            }
            place = self.entries.back(place)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_entries_are_what_was_written_last() {
        let mut map = OrderedMap::default();
        // every number below 1009 once, far from its neighbours
        for at in 0..1009_u32 {
            let key = at * 389 % 1009;
            *map.entry(key) += key;
            *map.entry(key) += 1;
        }
        assert!(map.iter().copied().eq((0..1009).map(|key| (key, key + 1))));
        assert!(map.insert(2000, 7) && !map.insert(3, 0));
        for key in (0..1009).filter(|key| key % 3 > 0) {
            assert_eq!(map.remove(&key), Some(key + 1));
        }
        assert_eq!(
            (map.get(&4), map.get(&6), map.get(&3)),
            (None, Some(&7), Some(&0))
        );
        assert_eq!(map.rfind(|(key, _)| *key < 1000), Some(&(999, 1000)));
        assert_eq!(map.rfind(|(_, number)| *number == 7), Some(&(2000, 7)));
        assert_eq!(map.rfind(|(_, number)| *number == 70_000), None);
        assert_eq!((map.pop_first(), map.first()), (Some((0, 1)), Some(&(3, 0))));
        while map.pop_first().is_some() {}
        assert!(map.is_empty());
    }
}
