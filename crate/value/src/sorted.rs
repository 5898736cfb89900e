//! A map for few entries: a sorted list.
//!
//! Smaller as code than a tree of its own per type. An entry in the middle moves those behind it, so it is not for what
//! grows with the data.

use std::borrow::Borrow;

/// Entries in the order of their keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

/// Keys in their order.
pub type SortedSet<K> = SortedMap<K, ()>;

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(own, _)| own.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (_, value) = self.0.get(self.place(key).ok()?)?;
        Some(value)
    }

    /// The same, to change.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        let (_, value) = self.0.get_mut(at)?;
        Some(value)
    }

    /// Whether a key is there.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// The value of a key; where there is none, this one is put there first.
    pub fn get_or_insert(&mut self, key: K, value: V) -> &mut V {
        let at = match self.place(&key) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (key, value));
                at
            }
        };
        #[expect(clippy::indexing_slicing, reason = "it was found or put there")]
        &mut self.0[at].1
    }

    /// Puts a value at a key, instead of what is there; whether the key is new.
    pub fn insert(&mut self, key: K, value: V) -> bool {
        let place = self.place(&key);
        match place {
            Ok(at) => {
                if let Some((_, own)) = self.0.get_mut(at) {
                    *own = value;
                }
            }
            Err(at) => self.0.insert(at, (key, value)),
        }
        place.is_err()
    }

    /// Takes a key out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        Some(self.0.remove(at).1)
    }
}

impl<K, V> SortedMap<K, V> {
    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> std::slice::Iter<'_, (K, V)> {
        self.0.iter()
    }

    /// Keeps the entries for which this holds.
    pub fn retain(&mut self, keep: impl FnMut(&(K, V)) -> bool) {
        self.0.retain(keep);
    }

    /// Takes so many entries from the front out.
    pub fn drop_first(&mut self, count: usize) {
        self.0.drain(..count.min(self.0.len()));
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = &'a (K, V);
    type IntoIter = std::slice::Iter<'a, (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    /// Of entries with one key the last counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

/// Numbers sorted, each once.
pub fn sorted_numbers(numbers: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut numbers: Vec<u32> = numbers.into_iter().collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_in_the_order_of_keys_and_the_last_of_a_key_counts() {
        let mut map: SortedMap<i64, &str> = [(3, "c"), (1, "a"), (3, "d")].into_iter().collect();
        assert_eq!(map.iter().collect::<Vec<_>>(), [&(1, "a"), &(3, "d")]);
        assert!(map.insert(2, "b"));
        assert!(!map.insert(2, "e"));
        assert_eq!(*map.get_or_insert(2, "f"), "e");
        assert_eq!(map.remove(&1), Some("a"));
        assert_eq!(map.remove(&1), None);
        assert_eq!(map.keys().copied().collect::<Vec<_>>(), [2, 3]);
        map.drop_first(1);
        assert_eq!(map.get(&3), Some(&"d"));
        assert_eq!(sorted_numbers([3, 1, 3]), [1, 3]);
    }
}
