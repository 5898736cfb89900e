//! Map states: key (and namespace) → user key → rows, the user keys of a key sorted.
//!
//! Rows wait in them by time, are ranked in them by sort key, or lie in them by a key of their own.
#![expect(clippy::indexing_slicing, reason = "a shard's number is a few bits of a hash")]

mod entries;

use std::{borrow::Cow, cmp::Ordering, collections::VecDeque, rc::Rc};

use sg_value::{
    Gather as _, Row, Value,
    bytes::{RowSizer, TTL_BYTES, list_entry_bytes, map_entry_bytes},
};

pub(crate) use entries::Entries;

use super::{
    EntryView, Item, Items, Key, KeyLayout, MapShape, Note, SHARDS, Slots, StateSpec, UserKey, UserKeySize,
    namespace_text,
    shard::{Meta, Shard, Widths},
    written,
};
use crate::trace::{Class, KeyText, StateEvent, StateOp, Trace};
use sg_value::ordered::{Ordered, Place, Spare};

/// A state that maps a key to sorted user keys with rows each.
#[derive(Clone, Debug)]
pub(crate) struct MapTable {
    layout: Rc<Layout>,
    shards: Vec<Rc<Shard<Rc<Ordered<Held>>>>>,
    /// Writes in order, for the time-to-live; a user key written again stands in it again.
    writes: Rc<VecDeque<Write>>,
    /// Empty lists of user keys.
    spare: Spare<Ordered<Held>>,
}

/// A user key with what it maps to.
#[derive(Clone, Debug, Default)]
struct Held {
    user_key: UserKey,
    rows: Rows,
}

/// What a user key maps to.
#[derive(Clone, Debug, Default)]
struct Rows {
    items: Items,
    writer: u32,
    bytes: u32,
    written_ms: i64,
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
    /// Bytes of an entry without rows and of each row, where all have the same.
    constant: Option<(u64, u64)>,
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
#[derive(Debug, Default)]
pub(super) struct MapClasses {
    pub(super) user_key: Rc<[Class]>,
    pub(super) value: Rc<[Class]>,
}

impl MapClasses {
    /// Those of the types of a shape.
    pub(super) fn new(shape: &MapShape, trace: &Trace) -> Self {
        Self {
            user_key: trace.classes(&*shape.user_key_types).into(),
            value: trace.classes(&shape.value_types()).into(),
        }
    }
}

impl Layout {
    fn entry_bytes(&self, key: &[Value], user_key: &[Value], items: &[Item]) -> u64 {
        if let Some((entry, item)) = self.constant {
            return entry + item * items.len() as u64;
        }
        self.variable_bytes(key, user_key, items)
    }

    /// What an entry takes that does not always take the same.
    #[inline(never)]
    fn variable_bytes(&self, key: &[Value], user_key: &[Value], items: &[Item]) -> u64 {
        let ttl = if self.widths.expires { TTL_BYTES } else { 0 };
        let user_key = match &self.shape.user_key {
            UserKeySize::Fixed(bytes) => *bytes,
            UserKeySize::Row(sizer) => sizer.row_bytes(user_key),
        };
        let rows = match &self.shape.row {
            None => 0,
            Some(sizer) => match sizer.constant_bytes() {
                Some(bytes) => bytes * items.len() as u64,
                None => items.iter().map(|item| sizer.row_bytes(&item.row)).sum(),
            },
        } + self.shape.item_bytes * items.len() as u64;
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

    fn trace(&self, note: &Note<'_>, op: StateOp, spot: Spot<'_>, held: &Held) {
        if !self.shape.counted || !note.shared.trace.full() {
            return;
        }
        let value = self.value_cells(&held.rows.items);
        note.shared.trace.state(&StateEvent {
            place: note.place,
            handle: self.handle,
            op,
            key: KeyText {
                key: spot.key.cells,
                classes: note.key_classes,
                sub: Some((&held.user_key, &self.classes.user_key)),
                namespace: namespace_text(&self.spec, spot.namespace),
            },
            value: &value,
            classes: &self.classes.value,
            writer: note.writer,
            bytes: u64::from(held.rows.bytes),
            totals: note.counters.totals(),
        });
    }

    /// Order of two user keys.
    #[inline]
    fn compare(&self, left: &[Value], right: &[Value]) -> Ordering {
        match (&self.shape.order, left, right) {
            (Some(order), ..) => order.compare(left, right),
            (None, [Value::Int(left)], [Value::Int(right)]) => left.cmp(right),
            (None, ..) => left.cmp(right),
        }
    }

    /// The place of a user key.
    fn find(&self, held: &Ordered<Held>, user_key: &[Value]) -> Result<Place, Place> {
        if let (None, [Value::Int(number)]) = (&self.shape.order, user_key) {
            return held.find(|held| match &held.user_key {
                UserKey::One([Value::Int(own)]) => own.cmp(number),
                own => own.cmp(user_key),
            });
        }
        held.find(|held| self.compare(&held.user_key, user_key))
    }

    /// Notes that rows were written. Entries that are no part of a savepoint are not counted.
    fn keep(&self, note: &Note<'_>, spot: Spot<'_>, held: &mut Held, created: bool) {
        let rows = &mut held.rows;
        let before = u64::from(rows.bytes);
        let bytes = self.entry_bytes(spot.key.cells, &held.user_key, &rows.items);
        rows.bytes = bytes as u32;
        rows.writer = note.writer as u32;
        rows.written_ms = note.now_ms;
        if self.shape.counted {
            if created {
                note.shared.add_entry(note.counters, bytes);
            } else {
                note.counters.resize(before, bytes);
            }
        }
        self.trace(note, written(created), spot, held);
    }

    /// Notes that a user key went away.
    fn gone(&self, note: &Note<'_>, op: StateOp, spot: Spot<'_>, held: &Held) {
        if self.shape.counted {
            let bytes = u64::from(held.rows.bytes);
            note.shared.remove_entries(note.counters, 1, bytes);
        }
        self.trace(note, op, spot, held);
    }
}

/// Rows of a key that are read ahead: those of a short list are all walked soon.
const AHEAD: usize = 12;

impl MapTable {
    pub(super) fn new(
        handle: u32,
        spec: Rc<StateSpec>,
        shape: MapShape,
        keys: &KeyLayout,
        classes: MapClasses,
    ) -> Self {
        let widths = Widths::new(keys, &spec, 0);
        let mut layout = Layout {
            handle,
            widths,
            constant: (!shape.counted).then_some((0, 0)),
            shape,
            keys: keys.clone(),
            classes,
            spec,
        };
        let row = layout.shape.row.as_ref();
        if let (Some(_), Some(row), UserKeySize::Fixed(_), true, false) = (
            layout.keys.sizer.constant_bytes(),
            row.map_or(Some(0), RowSizer::constant_bytes),
            &layout.shape.user_key,
            layout.shape.counted,
            layout.shape.flat,
        ) {
            let entry = layout.variable_bytes(&[], &[], &[]);
            layout.constant = Some((entry, row + layout.shape.item_bytes));
        }
        Self {
            layout: Rc::new(layout),
            shards: std::iter::repeat_with(Rc::default).take(SHARDS).gather(),
            writes: Rc::default(),
            spare: Spare::default(),
        }
    }

    /// How user keys and rows print.
    pub(super) fn classes(&self) -> &MapClasses {
        &self.layout.classes
    }

    /// Reads what a look for this key has to wait for.
    #[inline]
    pub(super) fn peek(&self, key: Key<'_>, namespace: &[Value]) -> u32 {
        let (place, code) = self.layout.widths.place(key, namespace);
        let shard = &self.shards[place];
        let entries = shard
            .guess(self.layout.widths, code)
            .and_then(|ix| shard.extra(ix));
        let held = entries.into_iter().flat_map(|entries| entries.iter().take(AHEAD));
        held.fold(0, |sum, held| {
            let row = held.rows.items.first().and_then(|item| item.row.last());
            sum ^ held.rows.bytes ^ u32::from(row.is_some_and(Value::is_null))
        })
    }

    /// All user keys of a key.
    pub(crate) fn entries(&self, spot: Spot<'_>) -> Option<Entries<'_>> {
        let Spot { key, namespace } = spot;
        let (place, code) = self.layout.widths.place(key, namespace);
        let shard = &self.shards[place];
        let ix = shard.find(self.layout.widths, code, key.cells, namespace)?;
        let held = shard.extra(ix).filter(|held| !held.is_empty())?;
        Some(Entries {
            held,
            layout: &self.layout,
        })
    }

    /// The rows of a user key; none if it is not there.
    pub(crate) fn get(&self, spot: Spot<'_>, user_key: &[Value]) -> &[Item] {
        let entries = self.entries(spot);
        entries.map_or(&[], |entries| entries.get(user_key))
    }

    /// Order of two user keys.
    pub(crate) fn compare(&self, left: &[Value], right: &[Value]) -> Ordering {
        self.layout.compare(left, right)
    }

    /// Adds a row behind those of a user key; whether it is the first.
    pub(crate) fn push(&mut self, spot: Spot<'_>, user_key: UserKey, item: Item, note: &Note<'_>) -> bool {
        let (mut item, mut first) = (Some(item), false);
        self.update(spot, user_key, note, &mut |items| {
            first = items.is_empty();
            if let Some(item) = item.take() {
                items.push(item);
            }
        });
        first
    }

    /// Puts a row in the place of those of a user key.
    pub(crate) fn put(&mut self, spot: Spot<'_>, user_key: UserKey, item: Item, note: &Note<'_>) {
        let mut item = Some(item);
        self.update(spot, user_key, note, &mut |items| {
            if let Some(item) = item.take() {
                *items = Items::One(item);
            }
        });
    }

    /// Changes the rows of a user key, which are none if it is not there; without rows it is gone.
    pub(crate) fn update(
        &mut self,
        spot: Spot<'_>,
        user_key: UserKey,
        note: &Note<'_>,
        change: &mut dyn FnMut(&mut Items),
    ) {
        let Spot { key, namespace } = spot;
        let layout = &*self.layout;
        let (place, code) = layout.widths.place(key, namespace);
        let shard = Rc::make_mut(&mut self.shards[place]);
        let found = shard.find(layout.widths, code, key.cells, namespace);
        let mut new = None;
        let entries = match found.and_then(|ix| shard.extra_mut(ix)) {
            Some(entries) => Rc::make_mut(entries),
            None => Rc::make_mut(new.insert(self.spare.take())),
        };
        let write = layout.widths.expires.then(|| Write {
            at_ms: note.now_ms,
            hash: key.hash,
            key: key.cells.into(),
            namespace: namespace.into(),
            user_key: user_key.clone(),
        });
        match layout.find(entries, &user_key) {
            Ok(place) => {
                let held = entries.get_mut(place);
                change(&mut held.rows.items);
                if held.rows.items.is_empty() {
                    let held = entries.remove(place);
                    layout.gone(note, StateOp::Removed, spot, &held);
                    if let (true, false, Some(ix)) = (entries.is_empty(), layout.widths.shared, found) {
                        shard.remove(layout.widths, ix);
                    }
                    return;
                }
                layout.keep(note, spot, held, false);
            }
            Err(place) => {
                let mut held = Held {
                    user_key,
                    rows: Rows::default(),
                };
                change(&mut held.rows.items);
                if held.rows.items.is_empty() {
                    return;
                }
                layout.keep(note, spot, &mut held, true);
                entries.insert(place, held);
                if let Some(new) = new {
                    let cells = key.cells.iter().chain(namespace).cloned();
                    let meta = Meta {
                        code,
                        writer: 0,
                        bytes: 0,
                    };
                    let ix = shard.insert(layout.widths, meta, cells, |_| ());
                    if let Some(entries) = shard.extra_mut(ix) {
                        *entries = new;
                    }
                }
            }
        }
        if let Some(write) = write {
            Rc::make_mut(&mut self.writes).push_back(write);
        }
    }

    /// Takes a user key out with its rows.
    pub(crate) fn take(&mut self, spot: Spot<'_>, user_key: &[Value], note: &Note<'_>) -> Items {
        let place = |layout: &Layout, held: &Ordered<Held>| layout.find(held, user_key).ok();
        self.take_out(spot, (note, StateOp::Removed), &place)
    }

    /// Takes the first user key out with its rows, if this holds for its number.
    pub(crate) fn take_first(
        &mut self,
        spot: Spot<'_>,
        note: &Note<'_>,
        wanted: &dyn Fn(i64) -> bool,
    ) -> Items {
        let place = |_: &Layout, held: &Ordered<Held>| {
            let first = held.first()?.user_key.as_number();
            wanted(first?).then_some(Place::FIRST)
        };
        self.take_out(spot, (note, StateOp::Removed), &place)
    }

    /// Takes the rows of all user keys up to a number out.
    pub(crate) fn take_until(&mut self, spot: Spot<'_>, note: &Note<'_>, last: i64, into: &mut Vec<Item>) {
        loop {
            match self.take_first(spot, note, &|number| number <= last) {
                Items::None => return,
                Items::One(item) => into.push(item),
                Items::Many(items) => into.extend(items),
            }
        }
    }

    /// The number that the first user key is.
    pub(crate) fn first_number(&self, spot: Spot<'_>) -> Option<i64> {
        self.entries(spot)?.first()?.0.as_number()
    }

    /// Takes the first row of the first user key out.
    pub(crate) fn pop_first(&mut self, spot: Spot<'_>, note: &Note<'_>) -> Option<Item> {
        let (first, rows) = self.entries(spot)?.first()?;
        if rows.len() == 1 {
            return self.take_first(spot, note, &|_| true).remove(0);
        }
        let (first, mut popped) = (first.clone(), None);
        self.update(spot, first, note, &mut |items| popped = items.remove(0));
        popped
    }

    fn take_out(
        &mut self,
        spot: Spot<'_>,
        (note, op): (&Note<'_>, StateOp),
        place: &dyn Fn(&Layout, &Ordered<Held>) -> Option<Place>,
    ) -> Items {
        let Spot { key, namespace } = spot;
        let layout = &*self.layout;
        let (own, code) = layout.widths.place(key, namespace);
        let shard = &mut self.shards[own];
        let Some(ix) = shard.find(layout.widths, code, key.cells, namespace) else {
            return Items::None;
        };
        let Some(place) = shard.extra(ix).and_then(|held| place(layout, held)) else {
            return Items::None;
        };
        let shard = Rc::make_mut(shard);
        let Some(entries) = shard.extra_mut(ix).map(Rc::make_mut) else {
            return Items::None;
        };
        let held = entries.remove(place);
        let empty = entries.is_empty();
        layout.gone(note, op, spot, &held);
        if empty && !layout.widths.shared {
            self.spare.give(shard.remove(layout.widths, ix), |_| true);
        }
        held.rows.items
    }

    /// Removes all user keys of a key.
    pub(crate) fn clear(&mut self, spot: Spot<'_>, note: &Note<'_>) {
        let Spot { key, namespace } = spot;
        let layout = &*self.layout;
        let (place, code) = layout.widths.place(key, namespace);
        let shard = &mut self.shards[place];
        let Some(ix) = shard.find(layout.widths, code, key.cells, namespace) else {
            return;
        };
        let shard = Rc::make_mut(shard);
        for held in shard.extra(ix).into_iter().flat_map(|entries| entries.iter()) {
            layout.gone(note, StateOp::Removed, spot, held);
        }
        shard.remove(layout.widths, ix);
    }

    /// Whether there is a user key of the key of this number. What became empty stays where keys have numbers, because
    /// mostly the key comes again, until [`Self::forget`].
    pub(super) fn holds(&self, shard: usize, slot: u32) -> bool {
        let shard = self.shards.get(shard);
        let list = shard.and_then(|shard| shard.extra(shard.of_slot(self.layout.widths, slot)?));
        list.is_some_and(|list| !list.is_empty())
    }

    /// Removes what is left of the key of this number.
    pub(super) fn forget(&mut self, shard: usize, slot: u32) {
        if let Some(shard) = self.shards.get_mut(shard)
            && let Some(ix) = shard.of_slot(self.layout.widths, slot)
        {
            let list = Rc::make_mut(shard).remove(self.layout.widths, ix);
            self.spare.give(list, |_| true);
        }
    }

    pub(super) fn expire(&mut self, note: &Note<'_>, keys: &Slots) {
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
                key: keys.known(&write.key, write.hash),
                namespace: &write.namespace,
            };
            let place = |layout: &Layout, held: &Ordered<Held>| {
                let place = layout.find(held, &write.user_key).ok()?;
                (held.get(place)?.rows.written_ms == write.at_ms).then_some(place)
            };
            self.take_out(spot, (note, StateOp::Expired), &place);
        }
    }

    /// All entries, to look at.
    pub(crate) fn iter(&self) -> impl Iterator<Item = EntryView<'_>> {
        let widths = self.layout.widths;
        let keys = self.layout.keys.width;
        self.shards.iter().flat_map(move |shard| {
            shard.numbers(widths).flat_map(move |ix| {
                let (key, namespace) = shard.cells(widths, ix).split_at(keys);
                let entries = shard.extra(ix).into_iter().flat_map(|entries| entries.iter());
                entries.map(move |held| EntryView {
                    key,
                    sub: Some((&*held.user_key).into()),
                    namespace,
                    value: self.layout.value_cells(&held.rows.items),
                    writer: held.rows.writer,
                    bytes: u64::from(held.rows.bytes),
                })
            })
        })
    }
}
