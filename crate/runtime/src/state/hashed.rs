//! Map states: key (and namespace) → user key → cells, walked in the order of Flink's heap backend.
//!
//! [`super::MapTable`] walks sorted user keys instead. Flink: `MapState`. An entry has its own time-to-live; an expired one is never seen.
//!
//! Hot path: nothing is allocated per access, see [`JavaRows`].
#![expect(clippy::indexing_slicing, reason = "a shard's number is a few bits of a hash")]

use std::{borrow::Cow, cell::RefCell, collections::VecDeque, rc::Rc};

use sg_value::{
    DataType, Gather as _, Row, Value,
    bytes::{TTL_BYTES, map_entry_bytes},
    hash::KeyGrouper,
};

use super::{
    EntryView, HashedShape, Key, KeyLayout, Note, SHARDS, Slots, StateSpec, UserKeySize,
    java_rows::{JavaRows, RowWidths},
    namespace_text,
    shard::{Meta, Shard, Widths},
    written,
};
use crate::trace::{Class, KeyText, StateEvent, StateOp};

/// A state that maps a key to entries by another key.
#[derive(Clone, Debug)]
pub(crate) struct HashedTable {
    layout: Rc<Layout>,
    shards: Vec<Rc<Shard<Rc<JavaRows>>>>,
    /// Writes in order, for the time-to-live; an entry written again stands in it again.
    writes: Rc<VecDeque<Write>>,
}

#[derive(Clone, Debug)]
struct Write {
    at_ms: i64,
    hash: u64,
    key: Row,
    namespace: Row,
    user_key: Row,
}

#[derive(Debug)]
struct Layout {
    handle: u32,
    spec: Rc<StateSpec>,
    shape: HashedShape,
    keys: KeyLayout,
    widths: Widths,
    row_widths: RowWidths,
    /// Bytes of an entry where all have the same.
    constant: Option<u64>,
    hasher: Hasher,
    classes: HashedClasses,
}

/// How user keys and values print.
#[derive(Debug)]
pub(super) struct HashedClasses {
    pub(super) key: Rc<[Class]>,
    pub(super) value: Rc<[Class]>,
}

/// Java's `hashCode` of user keys.
#[derive(Debug)]
enum Hasher {
    /// `BinaryRowData.hashCode`
    Row(RefCell<KeyGrouper>),
    /// `Long.hashCode`
    Long,
}

impl Hasher {
    fn new(shape: &HashedShape) -> Self {
        match shape.user_key {
            UserKeySize::Row(_) => Self::Row(RefCell::new(KeyGrouper::new(&shape.key_types))),
            UserKeySize::Fixed(_) => Self::Long,
        }
    }

    fn code(&self, user_key: &[Value]) -> i32 {
        match self {
            Self::Row(grouper) => grouper.borrow_mut().row_hash(user_key),
            Self::Long => {
                let number = match user_key.first() {
                    Some(Value::Int(number)) => *number,
                    Some(Value::Timestamp { ms, .. }) => *ms,
                    _ => 0,
                }
                .cast_unsigned();
                ((number ^ number >> 32) as u32).cast_signed()
            }
        }
    }
}

impl Layout {
    fn entry_bytes(&self, key: &[Value], rows: &JavaRows, entry: u32) -> u64 {
        if let Some(bytes) = self.constant {
            return bytes;
        }
        let (user_key, cells) = rows.entry(self.row_widths, entry);
        let user_key = match &self.shape.user_key {
            UserKeySize::Row(sizer) => sizer.row_bytes(user_key),
            UserKeySize::Fixed(bytes) => *bytes,
        };
        let value = self.shape.size.bytes(cells).unwrap_or(0);
        self.frame_bytes(self.keys.sizer.row_bytes(key), user_key, value)
    }

    /// Bytes of an entry of which these are the parts.
    fn frame_bytes(&self, key: u64, user_key: u64, value: u64) -> u64 {
        let ttl = if self.widths.expires { TTL_BYTES } else { 0 };
        map_entry_bytes(key, self.spec.namespace, user_key, value + ttl)
    }

    /// What [`Self::entry_bytes`] gives for every entry, if it is always the same.
    fn constant_bytes(&self) -> Option<u64> {
        let user_key = match &self.shape.user_key {
            UserKeySize::Row(sizer) => sizer.constant_bytes()?,
            UserKeySize::Fixed(bytes) => *bytes,
        };
        let key = self.keys.sizer.constant_bytes()?;
        Some(self.frame_bytes(key, user_key, self.shape.size.constant()?))
    }

    #[inline(never)]
    #[cfg_attr(sg_hot, optimize(size))]
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn trace(
        &self,
        note: &Note<'_>,
        op: StateOp,
        (key, namespace): (&[Value], &[Value]),
        rows: &JavaRows,
        entry: u32,
    ) {
        let (user_key, cells) = rows.entry(self.row_widths, entry);
        note.shared.trace.state(&StateEvent {
            place: note.place,
            handle: self.handle,
            op,
            key: KeyText {
                key,
                classes: note.key_classes,
                sub: Some((user_key, &self.classes.key)),
                namespace: namespace_text(&self.spec, namespace),
            },
            value: cells,
            classes: &self.classes.value,
            writer: note.writer,
            bytes: u64::from(rows.head(entry).bytes),
            totals: note.counters.totals(),
        });
    }
}

/// The entries of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<'t> {
    widths: RowWidths,
    rows: &'t JavaRows,
}

impl<'t> Group<'t> {
    /// The places of the entries in Flink's order. They are valid until an entry is added to the key or taken out.
    #[inline]
    pub(crate) fn places(self) -> impl Iterator<Item = u32> {
        self.rows.order()
    }

    /// The cells of user key and value at a place.
    #[inline]
    pub(crate) fn entry(self, place: u32) -> (&'t [Value], &'t [Value]) {
        self.rows.entry(self.widths, place)
    }

    /// The cells of user keys and values in Flink's order.
    #[inline]
    pub(crate) fn entries(self) -> impl Iterator<Item = (&'t [Value], &'t [Value])> {
        self.places().map(move |place| self.entry(place))
    }
}

impl HashedTable {
    pub(super) fn new(
        handle: u32,
        spec: Rc<StateSpec>,
        shape: HashedShape,
        keys: &KeyLayout,
        classes: HashedClasses,
    ) -> Self {
        let widths = Widths::new(keys, &spec, 0);
        let value_end = shape.key_types.len() + shape.types.len();
        let mut layout = Layout {
            handle,
            row_widths: RowWidths {
                key: shape.key_types.len(),
                value_end,
                stride: value_end + usize::from(widths.expires),
            },
            widths,
            constant: None,
            hasher: Hasher::new(&shape),
            shape,
            keys: keys.clone(),
            classes,
            spec,
        };
        layout.constant = layout.constant_bytes();
        Self {
            layout: Rc::new(layout),
            shards: (0..SHARDS).map(|_| Rc::default()).gather(),
            writes: Rc::default(),
        }
    }

    /// How user keys and values print.
    pub(super) fn classes(&self) -> &HashedClasses {
        &self.layout.classes
    }

    /// Reads what a look for this key has to wait for.
    #[inline]
    pub(super) fn peek(&self, key: Key<'_>, namespace: &[Value]) -> u32 {
        let (place, code) = self.layout.widths.place(key, namespace);
        let shard = &self.shards[place];
        let ix = shard.guess(self.layout.widths, code);
        let rows = ix.and_then(|ix| shard.extra(ix));
        rows.map_or(0, |rows| rows.peek())
    }

    /// The entries of a key, if there are any.
    #[inline]
    pub(crate) fn group(&self, key: Key<'_>, namespace: &[Value]) -> Option<Group<'_>> {
        let (place, code) = self.layout.widths.place(key, namespace);
        let shard = &self.shards[place];
        let ix = shard.find(self.layout.widths, code, key.cells, namespace)?;
        Some(Group {
            widths: self.layout.row_widths,
            rows: shard.extra(ix)?,
        })
    }

    /// The cells of an entry.
    pub(crate) fn get(&self, key: Key<'_>, namespace: &[Value], user_key: &[Value]) -> Option<&[Value]> {
        let group = self.group(key, namespace)?;
        let code = self.layout.hasher.code(user_key);
        let place = group.rows.find(group.widths, code, user_key)?;
        Some(group.entry(place).1)
    }

    /// Writes an entry: `write` gets its cells and whether it is new; then they are all NULL.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    pub(crate) fn write(
        &mut self,
        key: Key<'_>,
        namespace: &[Value],
        user_key: &[Value],
        note: &Note<'_>,
        write: impl FnOnce(&mut [Value], bool),
    ) {
        let layout = &self.layout;
        let code = layout.hasher.code(user_key);
        let Some(rows) = rows_mut(layout, &mut self.shards, key, namespace) else {
            return;
        };
        let widths = layout.row_widths;
        let found = rows.find(widths, code, user_key);
        let place = found.unwrap_or_else(|| rows.insert(widths, code, user_key));
        write(rows.value_mut(widths, place), found.is_none());
        let created = found.is_none();
        commit(
            layout,
            rows,
            &mut self.writes,
            (key, namespace),
            (place, created),
            note,
        );
    }

    /// Writes the entry at a place of a key: `write` gets its cells.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    pub(crate) fn write_at(
        &mut self,
        key: Key<'_>,
        namespace: &[Value],
        place: u32,
        note: &Note<'_>,
        write: impl FnOnce(&mut [Value]),
    ) {
        let layout = &self.layout;
        if let Some(rows) = rows_mut(layout, &mut self.shards, key, namespace) {
            write(rows.value_mut(layout.row_widths, place));
            commit(
                layout,
                rows,
                &mut self.writes,
                (key, namespace),
                (place, false),
                note,
            );
        }
    }

    /// Removes an entry; false where there was none.
    pub(crate) fn remove(
        &mut self,
        key: Key<'_>,
        namespace: &[Value],
        user_key: &[Value],
        note: &Note<'_>,
    ) -> bool {
        self.take_out(key, namespace, user_key, note, StateOp::Removed)
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn take_out(
        &mut self,
        key: Key<'_>,
        namespace: &[Value],
        user_key: &[Value],
        note: &Note<'_>,
        op: StateOp,
    ) -> bool {
        let Some(group) = self.group(key, namespace) else {
            return false;
        };
        let code = self.layout.hasher.code(user_key);
        let Some(entry) = group.rows.find(group.widths, code, user_key) else {
            return false;
        };
        let layout = &self.layout;
        let (place, code) = layout.widths.place(key, namespace);
        let shard = Rc::make_mut(&mut self.shards[place]);
        let Some(ix) = shard.find(layout.widths, code, key.cells, namespace) else {
            return false;
        };
        let Some(rows) = shard.extra_mut(ix).map(Rc::make_mut) else {
            return false;
        };
        note.shared
            .remove_entries(note.counters, 1, u64::from(rows.head(entry).bytes));
        if note.shared.trace.full() {
            layout.trace(note, op, (key.cells, namespace), rows, entry);
        }
        rows.remove(layout.row_widths, entry);
        if rows.is_empty() {
            // Java's map would keep its capacity; Flink's heap backend drops a map that became empty.
            shard.remove(layout.widths, ix);
        }
        true
    }

    /// Whether there is an entry of the key of this number.
    pub(super) fn holds(&self, shard: usize, slot: u32) -> bool {
        self.shards
            .get(shard)
            .is_some_and(|shard| shard.of_slot(self.layout.widths, slot).is_some())
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
            let key = keys.known(&write.key, write.hash);
            let code = self.layout.hasher.code(&write.user_key);
            let current = self.group(key, &write.namespace).and_then(|group| {
                let entry = group.rows.find(group.widths, code, &write.user_key)?;
                group.rows.written_ms(group.widths, entry)
            });
            if current == Some(write.at_ms) {
                self.take_out(key, &write.namespace, &write.user_key, note, StateOp::Expired);
            }
        }
    }

    /// All entries, to look at.
    pub(crate) fn iter(&self) -> impl Iterator<Item = EntryView<'_>> {
        let (widths, row_widths) = (self.layout.widths, self.layout.row_widths);
        let keys = self.layout.keys.width;
        self.shards.iter().flat_map(move |shard| {
            shard.numbers(widths).flat_map(move |ix| {
                let (key, namespace) = shard.cells(widths, ix).split_at(keys);
                shard.extra(ix).into_iter().flat_map(move |rows| {
                    rows.order().map(move |entry| {
                        let (user_key, cells) = rows.entry(row_widths, entry);
                        let head = rows.head(entry);
                        EntryView {
                            key,
                            sub: Some(user_key.into()),
                            namespace,
                            value: Cow::Borrowed(cells),
                            writer: head.writer,
                            bytes: u64::from(head.bytes),
                        }
                    })
                })
            })
        })
    }
}

/// The entries of a key, to change; none yet if it is new.
#[inline]
fn rows_mut<'s>(
    layout: &Layout,
    shards: &'s mut [Rc<Shard<Rc<JavaRows>>>],
    key: Key<'_>,
    namespace: &[Value],
) -> Option<&'s mut JavaRows> {
    let (place, code) = layout.widths.place(key, namespace);
    let shard = Rc::make_mut(&mut shards[place]);
    let found = shard.find(layout.widths, code, key.cells, namespace);
    let ix = found.unwrap_or_else(|| {
        let meta = Meta {
            code,
            writer: 0,
            bytes: 0,
        };
        let key = key.cells.iter().chain(namespace).cloned();
        shard.insert(layout.widths, meta, key, |_| ())
    });
    shard.extra_mut(ix).map(Rc::make_mut)
}

/// Counts, dates and traces an entry that was written.
#[inline]
#[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
fn commit(
    layout: &Layout,
    rows: &mut JavaRows,
    writes: &mut Rc<VecDeque<Write>>,
    (key, namespace): (Key<'_>, &[Value]),
    (place, created): (u32, bool),
    note: &Note<'_>,
) {
    let bytes = layout.entry_bytes(key.cells, rows, place);
    if created {
        note.shared.add_entry(note.counters, bytes);
    } else {
        note.counters.resize(u64::from(rows.head(place).bytes), bytes);
    }
    rows.set_head(place, note.writer as u32, bytes as u32);
    if note.shared.trace.full() {
        layout.trace(note, written(created), (key.cells, namespace), rows, place);
    }
    if layout.widths.expires {
        let widths = layout.row_widths;
        if let Some(cell) = rows.value_mut(widths, place).last_mut() {
            *cell = Value::Int(note.now_ms);
        }
        let write = Write {
            at_ms: note.now_ms,
            hash: key.hash,
            key: key.cells.into(),
            namespace: namespace.into(),
            user_key: rows.user_key(widths, place).into(),
        };
        Rc::make_mut(writes).push_back(write);
    }
}

/// The classes of a map's types.
pub(super) fn classes_of(shape: &HashedShape, class: impl Fn(&DataType) -> Class) -> HashedClasses {
    HashedClasses {
        key: shape.key_types.iter().map(&class).gather(),
        value: shape.types.iter().map(&class).gather(),
    }
}
