//! Rows of a key by number with numbers beside them: what OVER and the joins by time remember of a key.
//!
//! To Flink these are states of their own: maps from a time (or a number) to rows, and values. Here they are one record,
//! because each row looks for all of them: its runs of rows, each one behind the other, and its numbers. The first of
//! these states is a [`Table::ByTime`], each one behind it a [`Table::Part`] that has nothing but its classes.
//!
//! [`Table::ByTime`]: super::Table::ByTime
//! [`Table::Part`]: super::Table::Part
#![expect(
    clippy::indexing_slicing,
    reason = "shards are a few bits of a hash, and numbers of rows come from the record"
)]

mod record;

use std::{borrow::Cow, rc::Rc};

use sg_value::{
    Gather as _, Value,
    bytes::{Namespace, RowSizer, map_entry_bytes, value_entry_bytes},
};

pub(crate) use record::KeyRecord;

use super::{
    EntryView, Key, KeyLayout, MapShape, Note, SHARDS, Slots, map::MapClasses, shard_of, slots::NO_SLOT,
};
use crate::{
    index::folded,
    trace::{Class, KeyText, NamespaceText, StateEvent, StateOp},
};
use record::{Buffers, Record};

/// States of rows by number, and the numbers of the states behind them.
#[derive(Clone, Debug)]
pub(crate) struct ByTimeTable {
    layout: Rc<Layout>,
    /// Records by the numbers of keys.
    shards: Vec<Rc<Vec<Option<Rc<Record>>>>>,
    spare: Buffers,
}

#[derive(Debug)]
struct Layout {
    handle: u32,
    keys: KeyLayout,
    runs: Box<[RunLayout]>,
    number: [Class; 1],
}

/// What rows of a run are like.
#[derive(Debug)]
struct RunLayout {
    shape: MapShape,
    classes: MapClasses,
    /// Cells of a row and of what stands before it.
    stride: usize,
    /// Bytes of an entry beside its rows, where all have the same.
    frame: Option<u64>,
    /// Bytes of a row, where all have the same.
    each: Option<u64>,
}

/// Cells and how they print.
type Shown<'s> = (&'s [Value], &'s [Class]);

/// Bytes of a number, and of a time.
const NUMBER_BYTES: u64 = 8;

impl RunLayout {
    /// Bytes of a row in an entry.
    #[inline]
    fn row_bytes(&self, row: &[Value]) -> u64 {
        self.each.unwrap_or_else(|| self.counted(row))
    }

    #[inline(never)]
    fn counted(&self, row: &[Value]) -> u64 {
        let sizer = self.shape.row.as_ref();
        sizer.map_or(0, |sizer| sizer.row_bytes(row)) + self.shape.item_bytes
    }

    /// The rows of a number, without what stands before them.
    fn rows<'r>(&self, cells: &'r [Value]) -> impl Iterator<Item = &'r [Value]> + use<'r> {
        cells.chunks_exact(self.stride).map(|row| &row[1..])
    }

    /// Bytes of these rows together.
    #[inline]
    fn all_bytes(&self, cells: &[Value]) -> u64 {
        match self.each {
            Some(each) => each * (cells.len() / self.stride) as u64,
            None => self.rows(cells).map(|row| self.counted(row)).sum(),
        }
    }

    /// What the rows of a number print as.
    fn value<'r>(&self, cells: &'r [Value]) -> Cow<'r, [Value]> {
        if !self.shape.list {
            return Cow::Borrowed(&cells[1..self.stride]);
        }
        let rows = self.rows(cells).map(|row| Value::Row(Rc::from(row)));
        Cow::Owned(vec![Value::Array(rows.gather())])
    }
}

impl Layout {
    fn key_bytes(&self, key: &[Value]) -> u64 {
        self.keys.sizer.row_bytes(key)
    }

    /// Bytes of an entry beside its rows.
    #[inline]
    fn frame_bytes(&self, run: &RunLayout, key: &[Value]) -> u64 {
        run.frame
            .unwrap_or_else(|| frame_bytes(&run.shape, self.key_bytes(key)))
    }

    fn number_bytes(&self, key: &[Value]) -> u64 {
        value_entry_bytes(self.key_bytes(key), Namespace::Void, NUMBER_BYTES)
    }

    /// Tells what happened to the rows of a number.
    #[inline(never)]
    fn trace(&self, note: &Note<'_>, op: StateOp, key: Key<'_>, (at, cells): (usize, &[Value])) {
        let run = &self.runs[at];
        let sub = [Value::Int(record::number_of(cells))];
        let bytes = self.frame_bytes(run, key.cells) + run.all_bytes(cells);
        let sub = Some((&sub[..], &*run.classes.user_key));
        self.tell(
            note,
            (at, op),
            (key, sub),
            ((&run.value(cells), &run.classes.value), bytes),
        );
    }

    #[inline(never)]
    fn trace_number(&self, note: &Note<'_>, op: StateOp, key: Key<'_>, (field, number): (usize, i64)) {
        let bytes = self.number_bytes(key.cells);
        let value = ((&[Value::Int(number)][..], &self.number[..]), bytes);
        self.tell(note, (self.runs.len() + field, op), (key, None), value);
    }

    fn tell(
        &self,
        note: &Note<'_>,
        (part, op): (usize, StateOp),
        (key, sub): (Key<'_>, Option<Shown<'_>>),
        ((value, classes), bytes): (Shown<'_>, u64),
    ) {
        note.shared.trace.state(&StateEvent {
            place: note.place,
            handle: self.handle + part as u32,
            op,
            key: KeyText {
                key: key.cells,
                classes: note.key_classes,
                sub,
                namespace: NamespaceText::None,
            },
            value,
            classes,
            writer: note.writer,
            bytes,
            totals: note.counters.totals(),
        });
    }
}

/// Bytes of an entry beside its rows, under a key of so many.
fn frame_bytes(shape: &MapShape, key: u64) -> u64 {
    map_entry_bytes(key, Namespace::Void, NUMBER_BYTES, shape.frame_bytes)
}

impl ByTimeTable {
    /// A table whose rows and numbers are those of the states from this handle on. Of each run the classes are given.
    pub(super) fn new(
        handle: u32,
        shapes: &[MapShape],
        keys: &KeyLayout,
        mut classes: impl FnMut(&MapShape) -> MapClasses,
        number: Class,
    ) -> Self {
        let key = keys.sizer.constant_bytes();
        let runs = shapes.iter().map(|shape| RunLayout {
            stride: shape.fields.len() + 1,
            frame: key.map(|key| frame_bytes(shape, key)),
            each: match shape.row.as_ref().map(RowSizer::constant_bytes) {
                Some(row) => row.map(|row| row + shape.item_bytes),
                None => Some(shape.item_bytes),
            },
            classes: classes(shape),
            shape: shape.clone(),
        });
        let layout = Layout {
            handle,
            keys: keys.clone(),
            runs: runs.gather(),
            number: [number],
        };
        Self {
            layout: Rc::new(layout),
            shards: std::iter::repeat_with(Rc::default).take(SHARDS).gather(),
            spare: Buffers::default(),
        }
    }

    /// How user keys and rows of its first state print.
    pub(super) fn classes(&self) -> &MapClasses {
        &self.layout.runs[0].classes
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
            spare: &mut self.spare,
        }
    }

    /// Reads what the next row of this key has to wait for.
    #[inline]
    pub(super) fn peek(&self, key: Key<'_>) -> u32 {
        let shard = self.shards.get(shard_of(folded(key.hash)));
        let record = shard.and_then(|shard| shard.get(key.slot as usize)?.as_deref());
        record.map_or(0, |record| {
            record.peek(self.layout.runs.iter().map(|run| run.stride))
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

    /// The entries of one of its states in all keys, to look at.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn entries<'t>(&'t self, part: usize, keys: &'t Slots) -> Vec<EntryView<'t>> {
        let mut entries = Vec::new();
        for (at, shard) in self.shards.iter().enumerate() {
            for (slot, record) in (0..).zip(shard.iter()) {
                let Some(record) = record else { continue };
                let key = keys.cells(at, slot);
                let Some(run) = self.layout.runs.get(part) else {
                    let number = record.number(part - self.layout.runs.len());
                    entries.extend(number.map(|(number, writer)| EntryView {
                        key,
                        sub: None,
                        namespace: &[],
                        value: Cow::Owned(vec![Value::Int(number)]),
                        writer,
                        bytes: self.layout.number_bytes(key),
                    }));
                    continue;
                };
                for (cells, writer) in record.groups(part, run.stride) {
                    entries.push(EntryView {
                        key,
                        sub: Some(Cow::Owned(vec![Value::Int(record::number_of(cells))])),
                        namespace: &[],
                        value: run.value(cells),
                        writer,
                        bytes: self.layout.frame_bytes(run, key) + run.all_bytes(cells),
                    });
                }
            }
        }
        entries
    }
}
