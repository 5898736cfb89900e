//! Map states: key (and namespace) → user key → cells, walked in the order of Flink's heap backend.
//!
//! [`super::MapTable`] walks sorted user keys instead. Flink: `MapState`. An entry has its own time-to-live; an expired one is never seen.
#![expect(clippy::indexing_slicing, reason = "a shard's number is a few bits of a hash")]

use std::{borrow::Cow, cell::RefCell, collections::VecDeque, rc::Rc};

use sg_value::{
    DataType, Gather as _, Row, Value,
    bytes::{TTL_BYTES, map_entry_bytes},
    hash::KeyGrouper,
};

use super::{
    EntryView, HashedShape, Key, KeyLayout, Note, SHARDS, Slots, StateSpec, UserKeySize,
    java_map::JavaMap,
    namespace_text,
    shard::{Meta, Shard, Widths},
    written,
};
use crate::trace::{Class, KeyText, StateEvent, StateOp};

/// A state that maps a key to entries by another key.
#[derive(Clone, Debug)]
pub(crate) struct HashedTable {
    layout: Rc<Layout>,
    shards: Vec<Rc<Shard<Rc<JavaMap<Held>>>>>,
    /// Writes in order, for the time-to-live; an entry written again stands in it again.
    writes: Rc<VecDeque<Write>>,
}

/// An entry.
#[derive(Clone, Debug)]
struct Held {
    cells: Row,
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
    user_key: Row,
}

#[derive(Debug)]
struct Layout {
    handle: u32,
    spec: Rc<StateSpec>,
    shape: HashedShape,
    keys: KeyLayout,
    widths: Widths,
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
    fn entry_bytes(&self, key: &[Value], user_key: &[Value], cells: &[Value]) -> u64 {
        let ttl = if self.widths.expires { TTL_BYTES } else { 0 };
        let user_key = match &self.shape.user_key {
            UserKeySize::Row(sizer) => sizer.row_bytes(user_key),
            UserKeySize::Fixed(bytes) => *bytes,
        };
        let value = self.shape.size.bytes(cells).unwrap_or(0) + ttl;
        map_entry_bytes(
            self.keys.sizer.row_bytes(key),
            self.spec.namespace,
            user_key,
            value,
        )
    }

    fn trace(&self, note: &Note<'_>, op: StateOp, at: &At<'_>, held: &Held) {
        note.shared.trace.state(&StateEvent {
            place: note.place,
            handle: self.handle,
            op,
            key: KeyText {
                key: at.key,
                classes: note.key_classes,
                sub: Some((at.user_key, &self.classes.key)),
                namespace: namespace_text(&self.spec, at.namespace),
            },
            value: &held.cells,
            classes: &self.classes.value,
            writer: note.writer,
            bytes: u64::from(held.bytes),
            totals: note.counters.totals(),
        });
    }
}

/// An entry's place.
#[derive(Clone, Copy)]
struct At<'a> {
    key: &'a [Value],
    namespace: &'a [Value],
    user_key: &'a [Value],
}

impl HashedTable {
    pub(super) fn new(
        handle: u32,
        spec: Rc<StateSpec>,
        shape: HashedShape,
        keys: &KeyLayout,
        classes: HashedClasses,
    ) -> Self {
        let layout = Layout {
            handle,
            widths: Widths::new(keys, &spec, 0),
            hasher: Hasher::new(&shape),
            shape,
            keys: keys.clone(),
            classes,
            spec,
        };
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

    fn map(&self, key: Key<'_>, namespace: &[Value]) -> Option<&JavaMap<Held>> {
        let (place, code) = self.layout.widths.place(key, namespace);
        let shard = &self.shards[place];
        let ix = shard.find(self.layout.widths, code, key.cells, namespace)?;
        shard.extra(ix).map(|map| &**map)
    }

    /// The cells of an entry.
    pub(crate) fn get(&self, key: Key<'_>, namespace: &[Value], user_key: &[Value]) -> Option<&Row> {
        let map = self.map(key, namespace)?;
        map.get(self.layout.hasher.code(user_key), user_key)
            .map(|held| &held.cells)
    }

    /// The entries of a key in Flink's order.
    pub(crate) fn entries(
        &self,
        key: Key<'_>,
        namespace: &[Value],
    ) -> impl DoubleEndedIterator<Item = (&Row, &Row)> {
        self.map(key, namespace)
            .into_iter()
            .flat_map(|map| map.iter().map(|(user_key, held)| (user_key, &held.cells)))
    }

    /// Writes an entry.
    pub(crate) fn put(
        &mut self,
        key: Key<'_>,
        namespace: &[Value],
        (user_key, cells): (&[Value], Row),
        note: &Note<'_>,
    ) {
        self.update(key, namespace, user_key, note, |_| cells);
    }

    /// Writes an entry whose cells follow from those that are there.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    pub(crate) fn update(
        &mut self,
        key: Key<'_>,
        namespace: &[Value],
        user_key: &[Value],
        note: &Note<'_>,
        cells: impl FnOnce(Option<&Row>) -> Row,
    ) {
        let layout = &self.layout;
        let (place, code) = layout.widths.place(key, namespace);
        let shard = Rc::make_mut(&mut self.shards[place]);
        let ix = shard
            .find(layout.widths, code, key.cells, namespace)
            .unwrap_or_else(|| {
                let meta = Meta {
                    code,
                    writer: 0,
                    bytes: 0,
                };
                let key = key.cells.iter().chain(namespace).cloned();
                shard.insert(layout.widths, meta, key, |_| ())
            });
        let Some(map) = shard.extra_mut(ix).map(Rc::make_mut) else {
            return;
        };
        let at = At {
            key: key.cells,
            namespace,
            user_key,
        };
        let code = layout.hasher.code(user_key);
        let before = map.get_mut(code, user_key);
        let created = before.is_none();
        let cells = cells(before.as_ref().map(|before| &before.cells));
        let bytes = layout.entry_bytes(key.cells, user_key, &cells);
        let held = Held {
            cells,
            writer: note.writer as u32,
            bytes: bytes as u32,
            written_ms: note.now_ms,
        };
        let traced = note.shared.trace.full().then(|| held.clone());
        if let Some(before) = before {
            note.counters.resize(u64::from(before.bytes), bytes);
            *before = held;
        } else {
            map.insert(code, user_key.into(), held);
            note.shared.add_entry(note.counters, bytes);
        }
        if let Some(held) = traced {
            layout.trace(note, written(created), &at, &held);
        }
        if layout.widths.expires {
            let write = Write {
                at_ms: note.now_ms,
                hash: key.hash,
                key: key.cells.into(),
                namespace: namespace.into(),
                user_key: user_key.into(),
            };
            Rc::make_mut(&mut self.writes).push_back(write);
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
        let at = At {
            key: key.cells,
            namespace,
            user_key,
        };
        self.take_out(key, at, note, StateOp::Removed)
    }

    fn take_out(&mut self, key: Key<'_>, at: At<'_>, note: &Note<'_>, op: StateOp) -> bool {
        let layout = &self.layout;
        let (place, code) = layout.widths.place(key, at.namespace);
        let shard = &mut self.shards[place];
        let Some(ix) = shard.find(layout.widths, code, key.cells, at.namespace) else {
            return false;
        };
        let code = layout.hasher.code(at.user_key);
        if shard
            .extra(ix)
            .is_none_or(|map| map.get(code, at.user_key).is_none())
        {
            return false;
        }
        let shard = Rc::make_mut(shard);
        let Some(map) = shard.extra_mut(ix).map(Rc::make_mut) else {
            return false;
        };
        let Some(held) = map.remove(code, at.user_key) else {
            return false;
        };
        let empty = map.is_empty();
        note.shared
            .remove_entries(note.counters, 1, u64::from(held.bytes));
        if note.shared.trace.full() {
            layout.trace(note, op, &at, &held);
        }
        if empty {
            // Java's map would keep its capacity; Flink's heap backend drops a map that became empty.
            shard.remove(layout.widths, ix);
        }
        true
    }

    /// Whether there is an entry of the key of this number.
    pub(super) fn holds(&self, shard: usize, slot: u32) -> bool {
        self.shards
            .get(shard)
            .is_some_and(|shard| shard.of_slot(slot).is_some())
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
            let current = self
                .map(key, &write.namespace)
                .and_then(|map| map.get(code, &write.user_key));
            if current.is_some_and(|held| held.written_ms == write.at_ms) {
                let at = At {
                    key: &write.key,
                    namespace: &write.namespace,
                    user_key: &write.user_key,
                };
                self.take_out(key, at, note, StateOp::Expired);
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
                let entries = shard.extra(ix).into_iter().flat_map(|map| map.iter());
                entries.map(move |(user_key, held)| EntryView {
                    key,
                    sub: Some(user_key),
                    namespace,
                    value: Cow::Borrowed(&held.cells),
                    writer: held.writer,
                    bytes: u64::from(held.bytes),
                })
            })
        })
    }
}

/// The classes of a map's types.
pub(super) fn classes_of(shape: &HashedShape, class: impl Fn(&DataType) -> Class) -> HashedClasses {
    HashedClasses {
        key: shape.key_types.iter().map(&class).gather(),
        value: shape.types.iter().map(&class).gather(),
    }
}
