//! The order in which a bundle's keys are worked off: that of Java's `HashMap`.

use std::cell::RefCell;
use std::rc::Rc;

use sg_value::{DataType, Gather as _, Row, Value, hash::KeyGrouper};

use crate::state::JavaMap;

/// Hashes keys as Flink does.
pub(crate) struct KeyOrder(RefCell<KeyGrouper>);

impl KeyOrder {
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn new(types: &[DataType]) -> Self {
        Self(RefCell::new(KeyGrouper::new(types)))
    }

    /// Numbers of entries by key; keys in the order of a map whose capacity is `capacity` and may grow.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn sorted<'k>(
        &self,
        keys: impl Iterator<Item = &'k [Value]>,
        capacity: &mut i64,
    ) -> Vec<(Row, Vec<usize>)> {
        let mut map: JavaMap<Vec<usize>> = JavaMap::with_capacity(u32::try_from(*capacity).unwrap_or(0));
        for (at, key) in keys.enumerate() {
            let code = self.0.borrow_mut().row_hash(key);
            match map.get_mut(code, key) {
                Some(numbers) => numbers.push(at),
                None => map.insert(code, key.into(), vec![at]),
            }
        }
        *capacity = i64::from(map.capacity());
        map.iter()
            .map(|(key, numbers)| (Rc::clone(key), numbers.clone()))
            .gather()
    }
}
