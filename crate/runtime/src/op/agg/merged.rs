//! The maps beside an accumulator that is made only to be read: a window's slices put together, or one computation of OVER.
//!
//! Flink keeps them on the heap (`AbstractWindowAggProcessor`, merge without a target), not in state.

use sg_expr::Views;
use sg_value::{Gather as _, Value, ordered_map::OrderedMap};

use super::carried::ViewEntries;

/// Maps in memory, and the entries of the accumulator that is merged in.
#[derive(Debug, Default)]
pub(crate) struct MergedViews {
    /// Per view the values with their numbers; a view that was not used yet may be missing.
    maps: Vec<OrderedMap<Vec<Value>, i64>>,
    /// Per view what is left of the other accumulator's entries, last first.
    other: ViewEntries,
}

impl MergedViews {
    /// Sets the entries of the accumulator that is merged in, per view.
    pub(crate) fn set_other(&mut self, mut other: ViewEntries) {
        for entries in &mut other {
            entries.reverse();
        }
        self.other = other;
    }
}

impl Views for MergedViews {
    fn get(&mut self, view: u32, value: &[Value]) -> i64 {
        let map = self.maps.get(view as usize);
        map.and_then(|map| map.get(value)).copied().unwrap_or(0)
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn put(&mut self, view: u32, value: &[Value], number: i64) {
        let at = view as usize;
        if self.maps.len() <= at {
            self.maps.resize_with(at + 1, OrderedMap::default);
        }
        let Some(map) = self.maps.get_mut(at) else {
            return;
        };
        if number == 0 {
            map.remove(value);
        } else {
            map.insert(value.to_vec(), number);
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn extreme(&mut self, view: u32, largest: bool) -> Option<Value> {
        let map = self.maps.get(view as usize)?;
        let positive = |(_, number): &(Vec<Value>, i64)| *number > 0;
        let found = if largest {
            map.rfind(positive)
        } else {
            map.iter().find(|entry| positive(entry))
        };
        found.and_then(|(value, _)| value.first().cloned())
    }

    fn next_of_other(&mut self, view: u32) -> Option<(Vec<Value>, i64)> {
        self.other.get_mut(view as usize)?.pop()
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn entries(&mut self, view: u32) -> Vec<(Vec<Value>, i64)> {
        let maps = self.maps.get(view as usize).into_iter();
        maps.flat_map(OrderedMap::iter)
            .map(|(value, number)| (value.clone(), *number))
            .gather()
    }
}
