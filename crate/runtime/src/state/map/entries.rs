//! The user keys of one key, to read.

use std::cmp::Ordering;

use sg_value::Value;

use super::{Held, Item, Layout, UserKey};
use sg_value::ordered::{Ordered, Place};

/// The user keys of one key with what they map to, in order.
#[derive(Clone, Copy)]
pub(crate) struct Entries<'t> {
    pub(super) held: &'t Ordered<Held>,
    pub(super) layout: &'t Layout,
}

impl<'t> Entries<'t> {
    /// All user keys with their rows, in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'t UserKey, &'t [Item])> {
        self.iter_from(None)
    }

    /// The same from a user key on, if one is given.
    pub(crate) fn iter_from(self, from: Option<&[Value]>) -> impl Iterator<Item = (&'t UserKey, &'t [Item])> {
        let (Ok(from) | Err(from)) = from.map_or(Ok(Place::FIRST), |from| self.layout.find(self.held, from));
        let held = self.held.iter_from(from);
        held.map(|held| (&held.user_key, &*held.rows.items))
    }

    /// The first user key and its rows.
    pub(crate) fn first(self) -> Option<(&'t UserKey, &'t [Item])> {
        self.held.first().map(|held| (&held.user_key, &*held.rows.items))
    }

    /// The last user key and its rows.
    pub(crate) fn last(self) -> Option<(&'t UserKey, &'t [Item])> {
        self.held.last().map(|held| (&held.user_key, &*held.rows.items))
    }

    /// The rows of a user key; none if it is not there.
    pub(crate) fn get(self, user_key: &[Value]) -> &'t [Item] {
        let found = self.layout.find(self.held, user_key).ok();
        let held = found.and_then(|place| self.held.get(place));
        held.map_or(&[], |held| &held.rows.items)
    }

    /// The neighbours of a user key: the last one before it, and the first one from it on.
    pub(crate) fn around(self, user_key: &[Value]) -> [Option<(&'t UserKey, &'t [Item])>; 2] {
        let (Ok(place) | Err(place)) = self.layout.find(self.held, user_key);
        [self.held.before(place), self.held.get(place)]
            .map(|held| held.map(|held| (&held.user_key, &*held.rows.items)))
    }

    /// Order of two user keys.
    pub(crate) fn compare(self, left: &[Value], right: &[Value]) -> Ordering {
        self.layout.compare(left, right)
    }

    /// How many rows there are.
    pub(crate) fn count(self) -> usize {
        self.held.iter().map(|held| held.rows.items.len()).sum()
    }
}
