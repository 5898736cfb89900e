//! Rows of a key by time with numbers beside them: what OVER by event time remembers of a key but for its accumulators.
//!
//! To Flink these are states of their own: a map of lists, and values. Here they are one record, because each row looks
//! for all of them: its numbers, and its rows one behind the other. The state of the rows is a [`Table::ByTime`], each
//! number behind it a [`Table::Part`] that has nothing but its classes.
//!
//! [`Table::ByTime`]: super::Table::ByTime
//! [`Table::Part`]: super::Table::Part
#![expect(
    clippy::indexing_slicing,
    reason = "shards are a few bits of a hash, and numbers of rows come from the record"
)]

use std::{borrow::Cow, ops::Range, rc::Rc};

use sg_value::{
    Gather as _, Value,
    bytes::{map_entry_bytes, value_entry_bytes},
};

use super::{
    EntryView, Key, KeyLayout, MapShape, Note, SHARDS, Slots, StateSpec, map::MapClasses, shard_of,
    slots::NO_SLOT, written,
};
use crate::{
    index::folded,
    trace::{Class, KeyText, NamespaceText, StateEvent, StateOp},
};

/// A state of rows by time, and the numbers of the states behind it.
#[derive(Clone, Debug)]
pub(crate) struct ByTimeTable {
    layout: Rc<Layout>,
    /// Records by the numbers of keys.
    shards: Vec<Rc<Vec<Option<Rc<Record>>>>>,
}

#[derive(Debug)]
struct Layout {
    handle: u32,
    spec: Rc<StateSpec>,
    shape: MapShape,
    keys: KeyLayout,
    classes: MapClasses,
    number: [Class; 1],
    /// Cells of a row and of what stands before it.
    stride: usize,
    /// Bytes of an entry beside its rows, and those of a row, where all have the same.
    constant: Option<(u64, u64)>,
}

/// Bytes of a number, and of a time.
const NUMBER_BYTES: u64 = 8;

/// Rows that a record has room for at first.
const FIRST_ROWS: usize = 4;

/// Numbers beside rows.
const NUMBERS: usize = 2;

#[derive(Clone, Debug, Default)]
struct Record {
    /// The rows by time and arrival. Before each stands a cell with its time, and in the place of the nanoseconds who
    /// wrote what there is at this time (the last row of a time says it).
    cells: Vec<Value>,
    /// Rows at the beginning that were taken.
    gap: usize,
    /// Rows whose time has come, with those that were taken: the next ones are probably those behind them.
    past: usize,
    numbers: [Number; NUMBERS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Number {
    value: i64,
    writer: u32,
    is_there: bool,
}

impl Layout {
    fn key_bytes(&self, key: &[Value]) -> u64 {
        self.keys.sizer.row_bytes(key)
    }

    /// Bytes of the rows of a time.
    #[inline]
    fn bytes(&self, key: &[Value], rows: &[Value]) -> u64 {
        match self.constant {
            Some((fixed, each)) => fixed + each * (rows.len() / self.stride) as u64,
            None => self.counted(key, rows),
        }
    }

    #[inline(never)]
    fn counted(&self, key: &[Value], rows: &[Value]) -> u64 {
        let sizes = rows.chunks_exact(self.stride).map(|row| {
            let row = self
                .shape
                .row
                .as_ref()
                .map_or(0, |sizer| sizer.row_bytes(&row[1..]));
            row + self.shape.item_bytes
        });
        let value = self.shape.frame_bytes + sizes.sum::<u64>();
        map_entry_bytes(self.key_bytes(key), self.spec.namespace, NUMBER_BYTES, value)
    }

    /// What the rows of a time print as.
    fn value(&self, rows: &[Value]) -> Value {
        let rows = rows.chunks_exact(self.stride);
        Value::Array(rows.map(|row| Value::Row(Rc::from(&row[1..]))).gather())
    }

    #[inline]
    fn trace(&self, note: &Note<'_>, op: StateOp, key: Key<'_>, rows: &[Value]) {
        if note.shared.trace.full() {
            let sub = [Value::Int(time_of(rows))];
            let bytes = self.bytes(key.cells, rows);
            self.tell(
                note,
                (self.handle, op),
                key,
                (Some(&sub), &self.value(rows), bytes),
            );
        }
    }

    fn trace_number(&self, note: &Note<'_>, op: StateOp, key: Key<'_>, (field, number): (usize, i64)) {
        if note.shared.trace.full() {
            let handle = self.handle + 1 + field as u32;
            let bytes = self.number_bytes(key.cells);
            self.tell(note, (handle, op), key, (None, &Value::Int(number), bytes));
        }
    }

    #[inline(never)]
    fn tell(
        &self,
        note: &Note<'_>,
        (handle, op): (u32, StateOp),
        key: Key<'_>,
        (sub, value, bytes): (Option<&[Value]>, &Value, u64),
    ) {
        note.shared.trace.state(&StateEvent {
            place: note.place,
            handle,
            op,
            key: KeyText {
                key: key.cells,
                classes: note.key_classes,
                sub: sub.map(|sub| (sub, &*self.classes.user_key)),
                namespace: NamespaceText::None,
            },
            value: std::slice::from_ref(value),
            classes: if sub.is_some() {
                &self.classes.value
            } else {
                &self.number
            },
            writer: note.writer,
            bytes,
            totals: note.counters.totals(),
        });
    }

    fn number_bytes(&self, key: &[Value]) -> u64 {
        value_entry_bytes(self.key_bytes(key), self.spec.namespace, NUMBER_BYTES)
    }
}

/// The time of the first of these rows.
#[inline]
fn time_of(rows: &[Value]) -> i64 {
    rows.first().and_then(Value::as_ms).unwrap_or_default()
}

impl Record {
    /// The number of a row that there is not yet.
    #[inline]
    fn end(&self, stride: usize) -> usize {
        self.cells.len() / stride
    }

    #[inline]
    fn time(&self, stride: usize, at: usize) -> i64 {
        time_of(&self.cells[at * stride..])
    }

    #[inline]
    fn rows(&self, stride: usize, rows: &Range<usize>) -> &[Value] {
        &self.cells[rows.start * stride..rows.end * stride]
    }

    /// The first row that is not before a time, or where there is none.
    fn find(&self, stride: usize, at_ms: i64) -> usize {
        let (mut from, mut to) = (self.gap, self.end(stride));
        while from < to {
            let middle = usize::midpoint(from, to);
            if self.time(stride, middle) < at_ms {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }

    /// The rows that have the time of this one, from it on.
    #[inline]
    fn same(&self, stride: usize, from: usize) -> Range<usize> {
        let (mut to, end) = (from, self.end(stride));
        if from < end {
            let at_ms = self.time(stride, from);
            while to < end && self.time(stride, to) == at_ms {
                to += 1;
            }
        }
        from..to
    }

    fn is_empty(&self) -> bool {
        self.cells.is_empty() && !self.numbers.iter().any(|number| number.is_there)
    }

    /// Says who wrote what there is at the time of this row, which is its last.
    #[inline]
    fn sign(&mut self, stride: usize, at: usize, writer: u64) {
        if let Value::Timestamp { nanos, .. } = &mut self.cells[at * stride] {
            *nanos = writer as u32;
        }
    }
}

impl ByTimeTable {
    pub(super) fn new(
        handle: u32,
        spec: Rc<StateSpec>,
        shape: MapShape,
        keys: &KeyLayout,
        (classes, number): (MapClasses, Class),
    ) -> Self {
        let sizes = keys.sizer.constant_bytes().zip(
            shape
                .row
                .as_ref()
                .and_then(sg_value::bytes::RowSizer::constant_bytes),
        );
        let fixed = |key| map_entry_bytes(key, spec.namespace, NUMBER_BYTES, shape.frame_bytes);
        let layout = Layout {
            handle,
            constant: sizes.map(|(key, row)| (fixed(key), row + shape.item_bytes)),
            stride: shape.fields.len() + 1,
            shape,
            spec,
            keys: keys.clone(),
            classes,
            number: [number],
        };
        Self {
            layout: Rc::new(layout),
            shards: std::iter::repeat_with(Rc::default).take(SHARDS).gather(),
        }
    }

    /// How user keys and rows print.
    pub(super) fn classes(&self) -> &MapClasses {
        &self.layout.classes
    }

    /// What there is of a key. An operator whose keys have no numbers has only one.
    #[inline]
    pub(crate) fn record<'t>(&'t mut self, key: Key<'t>) -> KeyRecord<'t> {
        let (place, slot) = match key.slot {
            NO_SLOT => (0, 0),
            slot => (shard_of(folded(key.hash)), slot as usize),
        };
        let shard = Rc::make_mut(&mut self.shards[place]);
        if slot >= shard.len() {
            shard.resize(slot + 1, None);
        }
        KeyRecord {
            layout: &self.layout,
            key,
            record: Rc::make_mut(shard[slot].get_or_insert_default()),
        }
    }

    /// Reads what a look for this key has to wait for.
    #[inline]
    pub(super) fn peek(&self, key: Key<'_>) -> u32 {
        let shard = self.shards.get(shard_of(folded(key.hash)));
        let record = shard.and_then(|shard| shard.get(key.slot as usize)?.as_deref());
        record.map_or(0, |record| {
            let row = |row: Option<&Value>| u32::from(row.is_some_and(Value::is_null));
            let rows = row(record.cells.last()) + row(record.cells.get(record.gap * self.layout.stride));
            rows ^ record.numbers[0].writer ^ record.numbers[1].writer
        })
    }

    /// Whether there is anything of the key of this number.
    pub(super) fn holds(&self, shard: usize, slot: u32) -> bool {
        let shard = self.shards.get(shard);
        let record = shard.and_then(|shard| shard.get(slot as usize)?.as_ref());
        record.is_some_and(|record| !record.is_empty())
    }

    /// Removes what is left of the key of this number.
    pub(super) fn forget(&mut self, shard: usize, slot: u32) {
        if let Some(shard) = self.shards.get_mut(shard)
            && let Some(record) = Rc::make_mut(shard).get_mut(slot as usize)
        {
            *record = None;
        }
    }

    fn records<'t>(&'t self, keys: &'t Slots) -> impl Iterator<Item = (&'t [Value], &'t Record)> {
        self.shards.iter().enumerate().flat_map(move |(at, shard)| {
            (0..)
                .zip(shard.iter())
                .filter_map(move |(slot, record)| Some((keys.cells(at, slot), &**record.as_ref()?)))
        })
    }

    /// The rows of all keys by time, to look at.
    pub(crate) fn iter<'t>(&'t self, keys: &'t Slots) -> impl Iterator<Item = EntryView<'t>> {
        let stride = self.layout.stride;
        self.records(keys).flat_map(move |(key, record)| {
            let mut next = record.gap;
            std::iter::from_fn(move || {
                let run = record.same(stride, next);
                next = run.end;
                let rows = record.rows(stride, &run);
                let Some(Value::Timestamp { nanos, .. }) = rows.chunks_exact(stride).next_back()?.first()
                else {
                    return None;
                };
                Some(EntryView {
                    key,
                    sub: Some(Cow::Owned(vec![Value::Int(time_of(rows))])),
                    namespace: &[],
                    value: Cow::Owned(vec![self.layout.value(rows)]),
                    writer: *nanos,
                    bytes: self.layout.bytes(key, rows),
                })
            })
        })
    }

    /// One of the numbers of all keys, to look at.
    pub(crate) fn numbers<'t>(
        &'t self,
        field: usize,
        keys: &'t Slots,
    ) -> impl Iterator<Item = EntryView<'t>> {
        self.records(keys).filter_map(move |(key, record)| {
            let number = record.numbers.get(field).filter(|number| number.is_there)?;
            Some(EntryView {
                key,
                sub: None,
                namespace: &[],
                value: Cow::Owned(vec![Value::Int(number.value)]),
                writer: number.writer,
                bytes: self.layout.number_bytes(key),
            })
        })
    }
}

/// What there is of a key, to work with. Rows have numbers, which hold until [`Self::settle`].
#[derive(Debug)]
pub(crate) struct KeyRecord<'t> {
    layout: &'t Layout,
    key: Key<'t>,
    record: &'t mut Record,
}

impl KeyRecord<'_> {
    /// One of its numbers.
    #[inline]
    pub(crate) fn number(&self, field: usize) -> Option<i64> {
        let number = self.record.numbers.get(field)?;
        number.is_there.then_some(number.value)
    }

    /// Sets one of its numbers, or forgets it.
    #[inline]
    pub(crate) fn set_number(&mut self, field: usize, new: Option<i64>, note: &Note<'_>) {
        let Some(number) = self.record.numbers.get_mut(field) else {
            return;
        };
        let before = std::mem::replace(
            number,
            Number {
                value: new.unwrap_or_default(),
                writer: note.writer as u32,
                is_there: new.is_some(),
            },
        );
        let op = match (before.is_there, new) {
            (false, None) => return,
            (true, Some(_)) => StateOp::Updated,
            (false, Some(_)) => {
                note.shared
                    .add_entry(note.counters, self.layout.number_bytes(self.key.cells));
                StateOp::Created
            }
            (true, None) => {
                let bytes = self.layout.number_bytes(self.key.cells);
                note.shared.remove_entries(note.counters, 1, bytes);
                StateOp::Removed
            }
        };
        self.layout
            .trace_number(note, op, self.key, (field, new.unwrap_or(before.value)));
    }

    /// Adds a row behind those of its time; whether it is the first.
    pub(crate) fn push(&mut self, at_ms: i64, row: &[Value], note: &Note<'_>) -> bool {
        let (layout, record) = (self.layout, &mut *self.record);
        let stride = layout.stride;
        if row.len() + 1 != stride {
            return false;
        }
        let end = record.end(stride);
        let is_last = end == record.gap || record.time(stride, end - 1) <= at_ms;
        let at = if is_last {
            end
        } else {
            record.find(stride, at_ms + 1)
        };
        if record.cells.capacity() == 0 {
            record.cells.reserve(FIRST_ROWS * stride);
        }
        record.cells.push(Value::Timestamp {
            ms: at_ms,
            nanos: note.writer as u32,
        });
        record.cells.extend_from_slice(row);
        if !is_last {
            record.cells[at * stride..].rotate_right(stride);
        }
        let mut from = at;
        while from > record.gap && record.time(stride, from - 1) == at_ms {
            from -= 1;
        }
        let rows = record.rows(stride, &(from..at + 1));
        let (first, bytes) = (from == at, layout.bytes(self.key.cells, rows));
        if first {
            note.shared.add_entry(note.counters, bytes);
        } else {
            let before = layout.bytes(self.key.cells, &rows[..rows.len() - stride]);
            note.counters.resize(before, bytes);
        }
        layout.trace(note, written(first), self.key, rows);
        first
    }

    /// The rows of a time that has come.
    #[inline]
    pub(crate) fn due(&mut self, at_ms: i64) -> Range<usize> {
        let stride = self.layout.stride;
        let record = &mut *self.record;
        let mut from = record.past.max(record.gap);
        let is_next = from < record.end(stride) && record.time(stride, from) == at_ms;
        if !is_next {
            from = record.find(stride, at_ms);
            if from >= record.end(stride) || record.time(stride, from) != at_ms {
                return from..from;
            }
        }
        let due = record.same(stride, from);
        record.past = due.end;
        due
    }

    /// The cells of a row.
    #[inline]
    pub(crate) fn row(&self, at: usize) -> &[Value] {
        let stride = self.layout.stride;
        &self.record.cells[at * stride + 1..(at + 1) * stride]
    }

    /// The time of the last row.
    pub(crate) fn last_ms(&self) -> Option<i64> {
        let (stride, record) = (self.layout.stride, &*self.record);
        let end = record.end(stride);
        (end > record.gap).then(|| record.time(stride, end - 1))
    }

    /// Takes the first row, if there is one.
    pub(crate) fn take_first(&mut self, note: &Note<'_>) -> Range<usize> {
        let (layout, record) = (self.layout, &mut *self.record);
        let at = record.gap;
        let run = record.same(layout.stride, at);
        match run.len() {
            0 => return at..at,
            1 => self.gone(note, &run),
            _ => {
                record.sign(layout.stride, run.end - 1, note.writer);
                let rows = record.rows(layout.stride, &run);
                let left = &rows[layout.stride..];
                let before = layout.bytes(self.key.cells, rows);
                note.counters.resize(before, layout.bytes(self.key.cells, left));
                layout.trace(note, StateOp::Updated, self.key, left);
            }
        }
        self.record.gap = at + 1;
        at..at + 1
    }

    /// Takes the rows up to a time.
    pub(crate) fn take_until(&mut self, last_ms: i64, note: &Note<'_>) -> Range<usize> {
        let stride = self.layout.stride;
        let from = self.record.gap;
        let mut to = from;
        while to < self.record.end(stride) && self.record.time(stride, to) <= last_ms {
            let run = self.record.same(stride, to);
            self.gone(note, &run);
            to = run.end;
            self.record.gap = to;
        }
        from..to
    }

    /// Notes that all rows of a time go away.
    #[inline]
    fn gone(&self, note: &Note<'_>, run: &Range<usize>) {
        let rows = self.record.rows(self.layout.stride, run);
        let bytes = self.layout.bytes(self.key.cells, rows);
        note.shared.remove_entries(note.counters, 1, bytes);
        self.layout.trace(note, StateOp::Removed, self.key, rows);
    }

    /// Forgets the rows that were taken, if that is worth it.
    #[inline]
    pub(crate) fn settle(&mut self) {
        let (stride, record) = (self.layout.stride, &mut *self.record);
        if record.gap > 0 && record.gap * 2 >= record.end(stride) {
            record.cells.drain(..record.gap * stride);
            record.past = record.past.saturating_sub(record.gap);
            record.gap = 0;
        }
    }

    /// Removes all rows.
    pub(crate) fn clear(&mut self, note: &Note<'_>) {
        self.take_until(i64::MAX, note);
        self.settle();
    }
}
