//! Map states: key (and namespace) → user key → rows, the user keys of a key sorted.
//!
//! Rows wait in them by time, are ranked in them by sort key, or lie in them by a key of their own.
#![expect(clippy::indexing_slicing, reason = "a shard's number is six bits of a hash")]

use std::{
    borrow::Cow,
    cmp::Ordering,
    collections::{BTreeMap, VecDeque, btree_map::Entry},
    rc::Rc,
};

use sg_value::{
    Gather as _, Row, Value,
    bytes::{TTL_BYTES, list_entry_bytes, map_entry_bytes},
    order::sort_compare,
};

use super::{
    EntryView, Key, KeyLayout, MapShape, Note, StateSpec, UserKeySize, namespace_text,
    shard::{Meta, Shard, Widths},
    shard_of, written,
};
use crate::trace::{Class, KeyText, StateEvent, StateOp};

/// A state that maps a key to sorted user keys with rows each.
#[derive(Clone, Debug)]
pub(crate) struct MapTable {
    layout: Rc<Layout>,
    shards: Vec<Rc<Shard<Rc<Entries>>>>,
    /// Writes in order, for the time-to-live; a user key written again stands in it again.
    writes: Rc<VecDeque<Write>>,
}

/// The user keys of one key with what they map to.
pub(crate) type Entries = BTreeMap<UserKey, Rows>;

/// How cells of a user key sort: direction and place of NULL, cell by cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOrder {
    pub(crate) cells: Vec<CellOrder>,
}

/// How one cell sorts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellOrder {
    pub(crate) descending: bool,
    pub(crate) nulls_first: bool,
}

impl RowOrder {
    /// Order of two rows of cells.
    pub(crate) fn compare(&self, left: &[Value], right: &[Value]) -> Ordering {
        for ((left, right), order) in left.iter().zip(right).zip(&self.cells) {
            let ordering = match (left.is_null(), right.is_null()) {
                (true, true) => Ordering::Equal,
                (true, false) if order.nulls_first => Ordering::Less,
                (true, false) => Ordering::Greater,
                (false, true) if order.nulls_first => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) if order.descending => sort_compare(right, left),
                (false, false) => sort_compare(left, right),
            };
            if ordering != Ordering::Equal {
                return ordering;
            }
        }
        Ordering::Equal
    }
}

/// The cells of a user key, sorted by their order; without one as keys are.
#[derive(Clone, Debug)]
pub(crate) struct UserKey {
    pub(crate) cells: Row,
    order: Option<Rc<RowOrder>>,
}

impl PartialEq for UserKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for UserKey {}

impl PartialOrd for UserKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UserKey {
    fn cmp(&self, other: &Self) -> Ordering {
        match &self.order {
            Some(order) => order.compare(&self.cells, &other.cells),
            None => self.cells.cmp(&other.cells),
        }
    }
}

/// What a user key maps to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) items: Vec<Item>,
    writer: u32,
    bytes: u32,
    written_ms: i64,
}

/// A row with a number whose meaning is the operator's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) row: Row,
    pub(crate) mark: i64,
}

#[derive(Clone, Debug)]
struct Write {
    at_ms: i64,
    hash: u64,
    key: Row,
    namespace: Row,
    user_key: UserKey,
}

#[derive(Debug)]
struct Layout {
    handle: u32,
    spec: Rc<StateSpec>,
    shape: MapShape,
    keys: KeyLayout,
    widths: Widths,
    classes: MapClasses,
}

/// A key and a namespace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'a> {
    pub(crate) key: Key<'a>,
    pub(crate) namespace: &'a [Value],
}

impl<'a> From<Key<'a>> for Spot<'a> {
    fn from(key: Key<'a>) -> Self {
        Self { key, namespace: &[] }
    }
}

/// How user keys and rows print.
#[derive(Debug)]
pub(super) struct MapClasses {
    pub(super) user_key: Rc<[Class]>,
    pub(super) value: Rc<[Class]>,
}

impl Layout {
    fn entry_bytes(&self, key: &[Value], user_key: &[Value], items: &[Item]) -> u64 {
        if !self.shape.counted {
            return 0;
        }
        let ttl = if self.widths.expires { TTL_BYTES } else { 0 };
        let user_key = match &self.shape.user_key {
            UserKeySize::Fixed(bytes) => *bytes,
            UserKeySize::Row(sizer) => sizer.row_bytes(user_key),
        };
        let rows: u64 = items
            .iter()
            .map(|item| {
                let row = self
                    .shape
                    .row
                    .as_ref()
                    .map_or(0, |sizer| sizer.row_bytes(&item.row));
                row + self.shape.item_bytes
            })
            .sum();
        if self.shape.flat {
            let key = self.keys.sizer.row_bytes(key);
            return list_entry_bytes(key, self.spec.namespace, items.len() as u64, rows);
        }
        map_entry_bytes(
            self.keys.sizer.row_bytes(key),
            self.spec.namespace,
            user_key,
            self.shape.frame_bytes + rows + ttl,
        )
    }

    fn value_cells<'r>(&self, items: &'r [Item]) -> Cow<'r, [Value]> {
        match items {
            [item] if !self.shape.list => Cow::Borrowed(&item.row),
            _ => Cow::Owned(vec![Value::Array(
                items.iter().map(|item| Value::Row(Rc::clone(&item.row))).gather(),
            )]),
        }
    }

    fn trace(
        &self,
        note: &Note<'_>,
        op: StateOp,
        (key, namespace): (&[Value], &[Value]),
        (user_key, rows): (&UserKey, &Rows),
    ) {
        if !self.shape.counted {
            return;
        }
        let value = self.value_cells(&rows.items);
        note.shared.trace.state(&StateEvent {
            place: note.place,
            handle: self.handle,
            op,
            key: KeyText {
                key,
                classes: note.key_classes,
                sub: Some((&user_key.cells, &self.classes.user_key)),
                namespace: namespace_text(&self.spec, namespace),
            },
            value: &value,
            classes: &self.classes.value,
            writer: note.writer,
            bytes: u64::from(rows.bytes),
            totals: note.counters.totals(),
        });
    }

    fn user_key(&self, cells: Row) -> UserKey {
        UserKey {
            cells,
            order: self.shape.order.clone(),
        }
    }

    /// Entries that are no part of a savepoint are not counted.
    fn leave(&self, note: &Note<'_>, entries: u64, bytes: u64) {
        if self.shape.counted {
            note.shared.remove_entries(note.counters, entries, bytes);
        }
    }
}

impl MapTable {
    pub(super) fn new(
        handle: u32,
        spec: Rc<StateSpec>,
        shape: MapShape,
        keys: &KeyLayout,
        classes: MapClasses,
    ) -> Self {
        let key = keys.width + spec.namespace_width();
        let layout = Layout {
            handle,
            widths: Widths {
                key,
                stride: key,
                expires: spec.ttl_ms > 0,
            },
            shape,
            keys: keys.clone(),
            classes,
            spec,
        };
        Self {
            layout: Rc::new(layout),
            shards: std::iter::repeat_with(Rc::default).take(64).gather(),
            writes: Rc::default(),
        }
    }

    /// How user keys and rows print.
    pub(super) fn classes(&self) -> &MapClasses {
        &self.layout.classes
    }

    /// A user key of this state, to look up or to compare with.
    pub(crate) fn user_key(&self, cells: Row) -> UserKey {
        self.layout.user_key(cells)
    }

    /// All user keys of a key.
    pub(crate) fn entries(&self, spot: Spot<'_>) -> Option<&Entries> {
        let Spot { key, namespace } = spot;
        let hash = key.with_namespace(namespace);
        let shard = &self.shards[shard_of(hash)];
        let ix = shard.find(self.layout.widths, hash, key.cells, namespace)?;
        shard.extra(ix).map(|entries| &**entries)
    }

    /// The rows of a user key; none if it is not there.
    pub(crate) fn get(&self, spot: Spot<'_>, user_key: &UserKey) -> &[Item] {
        self.entries(spot)
            .and_then(|entries| entries.get(user_key))
            .map_or(&[], |rows| &rows.items)
    }

    /// Changes the rows of a user key, which are none if it is not there; without rows it is gone.
    pub(crate) fn update<R>(
        &mut self,
        spot: Spot<'_>,
        user_key: &UserKey,
        note: &Note<'_>,
        change: impl FnOnce(&mut Vec<Item>) -> R,
    ) -> R {
        let Spot { key, namespace } = spot;
        let layout = Rc::clone(&self.layout);
        let hash = key.with_namespace(namespace);
        let shard = Rc::make_mut(&mut self.shards[shard_of(hash)]);
        let ix = shard
            .find(layout.widths, hash, key.cells, namespace)
            .unwrap_or_else(|| {
                let cells = key.cells.iter().chain(namespace).cloned();
                let meta = Meta {
                    hash,
                    writer: 0,
                    bytes: 0,
                };
                shard.insert(layout.widths, meta, cells, |_| ())
            });
        let mut nothing = Rc::default();
        let entries = Rc::make_mut(shard.extra_mut(ix).unwrap_or(&mut nothing));
        let keep = |rows: &mut Rows, created: bool| {
            let before = u64::from(rows.bytes);
            let bytes = layout.entry_bytes(key.cells, &user_key.cells, &rows.items);
            rows.bytes = bytes as u32;
            rows.writer = note.writer as u32;
            rows.written_ms = note.now_ms;
            if layout.shape.counted {
                if created {
                    note.shared.add_entry(note.counters, bytes);
                } else {
                    note.counters.resize(before, bytes);
                }
                if note.shared.trace.full() {
                    layout.trace(note, written(created), (key.cells, namespace), (user_key, rows));
                }
            }
        };
        let (result, gone) = match entries.entry(user_key.clone()) {
            Entry::Occupied(mut held) => {
                let rows = held.get_mut();
                let result = change(&mut rows.items);
                let gone = rows.items.is_empty();
                if gone {
                    let rows = held.remove();
                    layout.leave(note, 1, u64::from(rows.bytes));
                    if note.shared.trace.full() {
                        layout.trace(note, StateOp::Removed, (key.cells, namespace), (user_key, &rows));
                    }
                } else {
                    keep(rows, false);
                }
                (result, gone)
            }
            Entry::Vacant(place) => {
                let mut rows = Rows::default();
                let result = change(&mut rows.items);
                let gone = rows.items.is_empty();
                if !gone {
                    keep(&mut rows, true);
                    place.insert(rows);
                }
                (result, gone)
            }
        };
        if gone {
            if entries.is_empty() {
                shard.remove(layout.widths, ix);
            }
            return result;
        }
        if layout.widths.expires {
            let write = Write {
                at_ms: note.now_ms,
                hash: key.hash,
                key: key.cells.into(),
                namespace: namespace.into(),
                user_key: user_key.clone(),
            };
            Rc::make_mut(&mut self.writes).push_back(write);
        }
        result
    }

    /// Takes a user key out with its rows.
    pub(crate) fn take(&mut self, spot: Spot<'_>, user_key: &UserKey, note: &Note<'_>) -> Vec<Item> {
        self.take_out(spot, user_key, note, StateOp::Removed)
    }

    fn take_out(&mut self, spot: Spot<'_>, user_key: &UserKey, note: &Note<'_>, op: StateOp) -> Vec<Item> {
        let Spot { key, namespace } = spot;
        let layout = Rc::clone(&self.layout);
        let hash = key.with_namespace(namespace);
        let shard = &mut self.shards[shard_of(hash)];
        let Some(ix) = shard.find(layout.widths, hash, key.cells, namespace) else {
            return Vec::new();
        };
        let shard = Rc::make_mut(shard);
        let Some(entries) = shard.extra_mut(ix).map(Rc::make_mut) else {
            return Vec::new();
        };
        let Some(rows) = entries.remove(user_key) else {
            return Vec::new();
        };
        let empty = entries.is_empty();
        layout.leave(note, 1, u64::from(rows.bytes));
        if note.shared.trace.full() {
            layout.trace(note, op, (key.cells, namespace), (user_key, &rows));
        }
        if empty {
            shard.remove(layout.widths, ix);
        }
        rows.items
    }

    /// Removes all user keys of a key.
    pub(crate) fn clear(&mut self, spot: Spot<'_>, note: &Note<'_>) {
        let Spot { key, namespace } = spot;
        let layout = Rc::clone(&self.layout);
        let hash = key.with_namespace(namespace);
        let shard = &mut self.shards[shard_of(hash)];
        let Some(ix) = shard.find(layout.widths, hash, key.cells, namespace) else {
            return;
        };
        let shard = Rc::make_mut(shard);
        for (user_key, rows) in shard.extra(ix).into_iter().flat_map(|entries| entries.iter()) {
            layout.leave(note, 1, u64::from(rows.bytes));
            if note.shared.trace.full() {
                layout.trace(note, StateOp::Removed, (key.cells, namespace), (user_key, rows));
            }
        }
        shard.remove(layout.widths, ix);
    }

    pub(super) fn expire(&mut self, note: &Note<'_>) {
        let ttl_ms = self.layout.spec.ttl_ms;
        if ttl_ms == 0 {
            return;
        }
        let limit_ms = note.now_ms.saturating_sub(ttl_ms);
        while self.writes.front().is_some_and(|write| write.at_ms <= limit_ms) {
            let Some(write) = Rc::make_mut(&mut self.writes).pop_front() else {
                break;
            };
            let spot = Spot {
                key: Key {
                    cells: &write.key,
                    hash: write.hash,
                },
                namespace: &write.namespace,
            };
            let current = self
                .entries(spot)
                .and_then(|entries| entries.get(&write.user_key));
            if current.is_some_and(|rows| rows.written_ms == write.at_ms) {
                self.take_out(spot, &write.user_key, note, StateOp::Expired);
            }
        }
    }

    /// All entries, to look at.
    pub(crate) fn iter(&self) -> impl Iterator<Item = EntryView<'_>> {
        let widths = self.layout.widths;
        let keys = self.layout.keys.width;
        self.shards.iter().flat_map(move |shard| {
            (0..shard.len() as u32).flat_map(move |ix| {
                let (key, namespace) = shard.cells(widths, ix).split_at(keys);
                let entries = shard.extra(ix).into_iter().flat_map(|entries| entries.iter());
                entries.map(move |(user_key, rows)| EntryView {
                    key,
                    sub: Some(&user_key.cells),
                    namespace,
                    value: self.layout.value_cells(&rows.items),
                    writer: rows.writer,
                    bytes: u64::from(rows.bytes),
                })
            })
        })
    }
}
