//! Count states: key (and namespace) → value → number, the values of a key sorted.
//!
//! These are the maps beside an accumulator: distinct values, and the values of a MIN or MAX that takes rows back.
#![expect(clippy::indexing_slicing, reason = "a shard's number is a few bits of a hash")]

use std::{borrow::Cow, collections::VecDeque, rc::Rc};

use sg_expr::Views;
use sg_value::{
    Gather as _, Row, Value,
    bytes::{TTL_BYTES, map_entry_bytes, value_entry_bytes},
};

use super::{
    CountsShape, EntryView, Key, KeyLayout, Note, SHARDS, Slots, StateSpec, Table, namespace_text,
    shard::{Meta, Shard, Widths},
    written,
};
use crate::trace::{Class, KeyText, StateEvent, StateOp};
use sg_value::ordered::{Ordered, Place};

/// A state that maps a key to sorted values with a number each.
#[derive(Clone, Debug)]
pub(crate) struct CountsTable {
    layout: Rc<Layout>,
    shards: Vec<Rc<Shard<Rc<Counts>>>>,
    /// Writes in order, for the time-to-live; a value written again stands in it again.
    writes: Rc<VecDeque<Write>>,
}

type Counts = Ordered<(Value, Count)>;

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    number: i64,
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
    value: Value,
}

#[derive(Debug)]
struct Layout {
    handle: u32,
    spec: Rc<StateSpec>,
    shape: CountsShape,
    keys: KeyLayout,
    widths: Widths,
    classes: Classes,
}

/// How values and numbers print.
#[derive(Debug)]
pub(super) struct Classes {
    pub(super) cells: Rc<[Class]>,
    pub(super) number: Class,
}

impl Layout {
    fn entry_bytes(&self, key: &[Value], value: &Value) -> u64 {
        let ttl = if self.widths.expires { TTL_BYTES } else { 0 };
        let number = self.shape.number_bytes + ttl;
        let key = self.keys.sizer.row_bytes(key);
        match (&self.shape.single, value) {
            (_, Value::Null) => value_entry_bytes(key, self.spec.namespace, number),
            (Some(sizer), value) => {
                map_entry_bytes(key, self.spec.namespace, sizer.value_bytes(value), number)
            }
            (None, value) => {
                let cells = cells_of(value);
                map_entry_bytes(key, self.spec.namespace, self.shape.row.row_bytes(cells), number)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn trace(&self, note: &Note<'_>, op: StateOp, at: &At<'_>, number: i64, bytes: u64) {
        note.shared.trace.state(&StateEvent {
            place: note.place,
            handle: self.handle,
            op,
            key: KeyText {
                key: at.key,
                classes: note.key_classes,
                sub: Some((cells_of(at.value), &self.classes.cells)),
                namespace: namespace_text(&self.spec, at.namespace),
            },
            value: &[Value::Int(number)],
            classes: &[self.classes.number],
            writer: note.writer,
            bytes,
            totals: note.counters.totals(),
        });
    }
}

/// An entry's place.
#[derive(Clone, Copy)]
struct At<'a> {
    key: &'a [Value],
    namespace: &'a [Value],
    value: &'a Value,
}

/// The place of a value.
fn find(counts: &Counts, value: &Value) -> Result<Place, Place> {
    counts.find(|(own, _)| match (own, value) {
        (Value::Int(own), Value::Int(value)) => own.cmp(value),
        (own, value) => own.cmp(value),
    })
}

/// The number of a value and what is known of it.
fn get<'c>(counts: &'c Counts, value: &Value) -> Option<&'c Count> {
    let place = find(counts, value).ok()?;
    counts.get(place).map(|(_, count)| count)
}

/// The cells of a value: itself, or those of the row that several make.
fn cells_of(value: &Value) -> &[Value] {
    match value {
        Value::Row(cells) => cells,
        single => std::slice::from_ref(single),
    }
}

/// One value for several cells.
fn value_of(cells: &[Value]) -> Value {
    match cells {
        [single] if !matches!(single, Value::Row(_)) => single.clone(),
        several => Value::Row(several.into()),
    }
}

impl CountsTable {
    pub(super) fn new(
        handle: u32,
        spec: Rc<StateSpec>,
        shape: CountsShape,
        keys: &KeyLayout,
        classes: Classes,
    ) -> Self {
        let layout = Layout {
            handle,
            widths: Widths::new(keys, &spec, 0),
            shape,
            keys: keys.clone(),
            classes,
            spec,
        };
        Self {
            layout: Rc::new(layout),
            #[expect(
                clippy::rc_clone_in_vec_init,
                reason = "shared on purpose until the first write"
            )]
            shards: vec![Rc::new(Shard::default()); SHARDS],
            writes: Rc::default(),
        }
    }

    /// How values and numbers print.
    pub(super) fn classes(&self) -> &Classes {
        &self.layout.classes
    }

    fn counts(&self, key: Key<'_>, namespace: &[Value]) -> Option<&Counts> {
        let (place, code) = self.layout.widths.place(key, namespace);
        let shard = &self.shards[place];
        // An entry has no time of its own: its values have.
        let ix = shard.find(self.layout.widths, code, key.cells, namespace)?;
        shard.extra(ix).map(|counts| &**counts)
    }

    /// The number of a value, 0 if it has none.
    pub(crate) fn get(&self, key: Key<'_>, namespace: &[Value], value: &[Value]) -> i64 {
        let Some(counts) = self.counts(key, namespace) else {
            return 0;
        };
        let count = match value {
            [single] if !matches!(single, Value::Row(_)) => get(counts, single),
            several => get(counts, &Value::Row(several.into())),
        };
        count.map_or(0, |count| count.number)
    }

    /// Sets the number of a value; 0 removes it.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    pub(crate) fn put(
        &mut self,
        key: Key<'_>,
        namespace: &[Value],
        value: &[Value],
        number: i64,
        note: &Note<'_>,
    ) {
        let value = value_of(value);
        let at = At {
            key: key.cells,
            namespace,
            value: &value,
        };
        if number == 0 {
            self.take_out(key, at, note, StateOp::Removed);
            return;
        }
        let layout = &self.layout;
        let (place, code) = layout.widths.place(key, namespace);
        let shard = Rc::make_mut(&mut self.shards[place]);
        let ix = shard
            .find(layout.widths, code, key.cells, namespace)
            .unwrap_or_else(|| {
                let cells = key.cells.iter().chain(namespace).cloned();
                shard.insert(
                    layout.widths,
                    Meta {
                        code,
                        writer: 0,
                        bytes: 0,
                    },
                    cells,
                    |_| (),
                )
            });
        let bytes = layout.entry_bytes(key.cells, &value);
        let count = Count {
            number,
            writer: note.writer as u32,
            bytes: bytes as u32,
            written_ms: note.now_ms,
        };
        let before = shard
            .extra_mut(ix)
            .map(Rc::make_mut)
            .and_then(|counts| match find(counts, &value) {
                Ok(place) => Some(std::mem::replace(&mut counts.get_mut(place).1, count)),
                Err(place) => {
                    counts.insert(place, (value.clone(), count));
                    None
                }
            });
        match before {
            None => note.shared.add_entry(note.counters, bytes),
            Some(before) => note.counters.resize(u64::from(before.bytes), bytes),
        }
        if note.shared.trace.full() {
            layout.trace(note, written(before.is_none()), &at, number, bytes);
        }
        if layout.widths.expires {
            let write = Write {
                at_ms: note.now_ms,
                hash: key.hash,
                key: key.cells.into(),
                namespace: namespace.into(),
                value,
            };
            Rc::make_mut(&mut self.writes).push_back(write);
        }
    }

    fn take_out(&mut self, key: Key<'_>, at: At<'_>, note: &Note<'_>, op: StateOp) {
        let layout = &self.layout;
        let (place, code) = layout.widths.place(key, at.namespace);
        let shard = &mut self.shards[place];
        let Some(ix) = shard.find(layout.widths, code, key.cells, at.namespace) else {
            return;
        };
        let shard = Rc::make_mut(shard);
        let Some(counts) = shard.extra_mut(ix).map(Rc::make_mut) else {
            return;
        };
        let Ok(place) = find(counts, at.value) else {
            return;
        };
        let (_, count) = counts.remove(place);
        let empty = counts.is_empty();
        note.shared
            .remove_entries(note.counters, 1, u64::from(count.bytes));
        if note.shared.trace.full() {
            layout.trace(note, op, &at, count.number, u64::from(count.bytes));
        }
        if empty {
            shard.remove(layout.widths, ix);
        }
    }

    /// The smallest or largest value.
    pub(crate) fn extreme(&self, key: Key<'_>, namespace: &[Value], largest: bool) -> Option<Value> {
        let counts = self.counts(key, namespace)?;
        let found = if largest { counts.last() } else { counts.first() };
        found.map(|(value, _)| value.clone())
    }

    /// All values of a key with their numbers.
    pub(crate) fn all(&self, key: Key<'_>, namespace: &[Value]) -> Vec<(Vec<Value>, i64)> {
        let counts = self.counts(key, namespace);
        counts
            .into_iter()
            .flat_map(Ordered::iter)
            .map(|(value, count)| (cells_of(value).to_vec(), count.number))
            .gather()
    }

    /// Removes all values of a key.
    pub(crate) fn clear(&mut self, key: Key<'_>, namespace: &[Value], note: &Note<'_>) {
        let layout = &self.layout;
        let (place, code) = layout.widths.place(key, namespace);
        let shard = &mut self.shards[place];
        let Some(ix) = shard.find(layout.widths, code, key.cells, namespace) else {
            return;
        };
        let shard = Rc::make_mut(shard);
        for (value, count) in shard.extra(ix).into_iter().flat_map(|counts| counts.iter()) {
            note.shared
                .remove_entries(note.counters, 1, u64::from(count.bytes));
            if note.shared.trace.full() {
                let at = At {
                    key: key.cells,
                    namespace,
                    value,
                };
                layout.trace(note, StateOp::Removed, &at, count.number, u64::from(count.bytes));
            }
        }
        shard.remove(layout.widths, ix);
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
            let current = self
                .counts(key, &write.namespace)
                .and_then(|counts| get(counts, &write.value));
            if current.is_some_and(|count| count.written_ms == write.at_ms) {
                let at = At {
                    key: &write.key,
                    namespace: &write.namespace,
                    value: &write.value,
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
            shard.numbers(widths).flat_map(move |ix| {
                let (key, namespace) = shard.cells(widths, ix).split_at(keys);
                let counts = shard.extra(ix).into_iter().flat_map(|counts| counts.iter());
                counts.map(move |(value, count)| EntryView {
                    key,
                    sub: Some(cells_of(value).into()),
                    namespace,
                    value: Cow::Owned(vec![Value::Int(count.number)]),
                    writer: count.writer,
                    bytes: u64::from(count.bytes),
                })
            })
        })
    }
}

/// The maps beside the accumulator of one key, as aggregate functions see them.
pub(crate) struct ViewSet<'a> {
    tables: &'a mut [Table],
    key: Key<'a>,
    namespace: &'a [Value],
    note: Note<'a>,
    /// Per view what is left of the other accumulator's entries, last first.
    other: Option<Vec<Listed>>,
}

/// The entries of a view: values with their numbers.
type Listed = Vec<(Vec<Value>, i64)>;

impl<'a> ViewSet<'a> {
    /// Views in these tables, in order.
    pub(crate) fn new(tables: &'a mut [Table], key: Key<'a>, namespace: &'a [Value], note: Note<'a>) -> Self {
        Self {
            tables,
            key,
            namespace,
            note,
            other: None,
        }
    }

    /// Sets the entries of the accumulator that is merged in, per view.
    pub(crate) fn set_other(&mut self, mut other: Vec<Listed>) {
        for entries in &mut other {
            entries.reverse();
        }
        self.other = Some(other);
    }

    /// All entries, per view.
    pub(crate) fn all(&self) -> Vec<Listed> {
        (0..self.tables.len() as u32)
            .map(|view| {
                self.table(view)
                    .map_or_else(Vec::new, |table| table.all(self.key, self.namespace))
            })
            .gather()
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for table in self.tables.iter_mut() {
            if let Table::Counts(table) = table {
                table.clear(self.key, self.namespace, &self.note);
            }
        }
    }

    fn table(&self, view: u32) -> Option<&CountsTable> {
        match self.tables.get(view as usize) {
            Some(Table::Counts(table)) => Some(table),
            _ => None,
        }
    }
}

impl Views for ViewSet<'_> {
    fn get(&mut self, view: u32, value: &[Value]) -> i64 {
        self.table(view)
            .map_or(0, |table| table.get(self.key, self.namespace, value))
    }

    fn put(&mut self, view: u32, value: &[Value], number: i64) {
        if let Some(Table::Counts(table)) = self.tables.get_mut(view as usize) {
            table.put(self.key, self.namespace, value, number, &self.note);
        }
    }

    fn extreme(&mut self, view: u32, largest: bool) -> Option<Value> {
        self.table(view)?.extreme(self.key, self.namespace, largest)
    }

    fn next_of_other(&mut self, view: u32) -> Option<(Vec<Value>, i64)> {
        self.other.as_mut()?.get_mut(view as usize)?.pop()
    }

    fn entries(&mut self, view: u32) -> Vec<(Vec<Value>, i64)> {
        self.table(view)
            .map_or_else(Vec::new, |table| table.all(self.key, self.namespace))
    }
}
