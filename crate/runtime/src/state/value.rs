//! Value states: key (and namespace) → cells.
//!
//! Hot path: one probe per row; the cells are changed in place and the bytes adjusted when the entry is committed.
#![expect(clippy::indexing_slicing, reason = "a shard's number is below that of shards")]

use std::{borrow::Cow, rc::Rc};

use sg_value::{
    Gather as _, Value,
    bytes::{ENTRY_FRAME_BYTES, TTL_BYTES},
};

use super::{
    EntryView, Key, KeyLayout, Note, StateSpec, ValueShape, ValueSize, namespace_text,
    shard::{Meta, Shard, Widths},
    written,
};
use crate::trace::{Class, KeyText, StateEvent, StateOp};

/// A state that maps a key to a row of cells.
#[derive(Clone, Debug)]
pub(crate) struct ValueTable {
    layout: Rc<Layout>,
    shards: Vec<Rc<Shard>>,
}

/// What does not change.
#[derive(Debug)]
struct Layout {
    handle: u32,
    spec: Rc<StateSpec>,
    size: ValueSize,
    keys: KeyLayout,
    widths: Widths,
    classes: Rc<[Class]>,
    /// Bytes of an entry beside those of key and value.
    frame: u64,
    /// Bytes of an entry where all have the same.
    constant: Option<u64>,
}

impl Layout {
    fn entry_bytes(&self, cells: &[Value]) -> u64 {
        if let Some(bytes) = self.constant {
            return bytes;
        }
        let (key, rest) = cells.split_at(self.keys.width.min(cells.len()));
        let (_, value) = rest.split_at(self.spec.namespace_width().min(rest.len()));
        let value = self.size.bytes(value);
        value.map_or(0, |value| self.frame + self.keys.sizer.row_bytes(key) + value)
    }

    fn trace(&self, note: &Note<'_>, op: StateOp, cells: &[Value], bytes: u64) {
        let (key, rest) = cells.split_at(self.keys.width.min(cells.len()));
        let (namespace, value) = rest.split_at(self.spec.namespace_width().min(rest.len()));
        note.shared.trace.state(&StateEvent {
            place: note.place,
            handle: self.handle,
            op,
            key: KeyText {
                key,
                classes: note.key_classes,
                sub: None,
                namespace: namespace_text(&self.spec, namespace),
            },
            value,
            classes: &self.classes,
            writer: note.writer,
            bytes,
            totals: note.counters.totals(),
        });
    }
}

impl ValueTable {
    pub(super) fn new(
        handle: u32,
        spec: Rc<StateSpec>,
        shape: ValueShape,
        keys: &KeyLayout,
        classes: Rc<[Class]>,
    ) -> Self {
        let expires = spec.ttl_ms > 0;
        let frame = ENTRY_FRAME_BYTES + spec.namespace.bytes() + if expires { TTL_BYTES } else { 0 };
        let own = keys.sizer.constant_bytes().zip(shape.size.constant());
        let layout = Layout {
            handle,
            frame,
            constant: own.map(|(key, value)| frame + key + value),
            widths: Widths::new(keys, &spec, shape.types.len()),
            size: shape.size,
            keys: keys.clone(),
            classes,
            spec,
        };
        let shards = layout.widths.last_shard + 1;
        Self {
            layout: Rc::new(layout),
            #[expect(
                clippy::rc_clone_in_vec_init,
                reason = "shared on purpose until the first write"
            )]
            shards: vec![Rc::new(Shard::default()); shards],
        }
    }

    /// Classes of the cells.
    pub(super) fn classes(&self) -> &[Class] {
        &self.layout.classes
    }

    /// Reads what a look for this key has to wait for.
    #[inline]
    pub(super) fn peek(&self, key: Key<'_>, namespace: &[Value]) -> u32 {
        let widths = self.layout.widths;
        let (place, code) = widths.place(key, namespace);
        let shard = &self.shards[place];
        shard.guess(widths, code).map_or(0, |ix| shard.peek(widths, ix))
    }

    /// The cells of a key's entry.
    pub(crate) fn get(&self, key: Key<'_>, namespace: &[Value]) -> Option<&[Value]> {
        let (place, code) = self.layout.widths.place(key, namespace);
        let shard = &self.shards[place];
        let ix = shard.find(self.layout.widths, code, key.cells, namespace)?;
        shard.cells(self.layout.widths, ix).get(self.layout.widths.key..)
    }

    /// The entry of a key, made with the cells that `create` pushes where there is none.
    #[inline]
    pub(crate) fn entry(
        &mut self,
        key: Key<'_>,
        namespace: &[Value],
        create: impl FnOnce(&mut Vec<Value>),
    ) -> Entry<'_> {
        let (place, code) = self.layout.widths.place(key, namespace);
        let widths = self.layout.widths;
        let shard = Rc::make_mut(&mut self.shards[place]);
        let found = shard.find(widths, code, key.cells, namespace);
        let ix = found.unwrap_or_else(|| {
            let cells = key.cells.iter().chain(namespace).cloned();
            shard.insert(
                widths,
                Meta {
                    code,
                    writer: 0,
                    bytes: 0,
                },
                cells,
                create,
            )
        });
        Entry {
            layout: &self.layout,
            shard,
            ix,
            created: found.is_none(),
        }
    }

    /// The entry of a key, if there is one.
    #[inline]
    pub(crate) fn existing(&mut self, key: Key<'_>, namespace: &[Value]) -> Option<Entry<'_>> {
        let (place, code) = self.layout.widths.place(key, namespace);
        let ix = self.shards[place].find(self.layout.widths, code, key.cells, namespace)?;
        let shard = Rc::make_mut(&mut self.shards[place]);
        Some(Entry {
            layout: &self.layout,
            shard,
            ix,
            created: false,
        })
    }

    /// The number of a key, in a state of one number and without namespaces.
    #[inline]
    pub(crate) fn number(&self, key: Key<'_>) -> Option<i64> {
        let widths = self.layout.widths;
        if widths.direct {
            let (place, slot) = widths.place(key, &[]);
            return self.shards[place].last_cell(widths, slot)?.as_int();
        }
        self.get(key, &[])?.first()?.as_int()
    }

    /// Sets it, or forgets it.
    #[inline]
    pub(crate) fn set_number(&mut self, key: Key<'_>, number: Option<i64>, note: &Note<'_>) {
        let widths = self.layout.widths;
        let (place, slot) = widths.place(key, &[]);
        if let (true, Some(bytes), false) = (widths.direct, self.layout.constant, note.shared.trace.full()) {
            let before = self.shards[place].of_slot(widths, slot).is_some();
            let shard = &mut self.shards[place];
            match number {
                Some(number) => {
                    let meta = Meta {
                        code: slot,
                        writer: note.writer as u32,
                        bytes: bytes as u32,
                    };
                    Rc::make_mut(shard).set_cell(widths, meta, key.cells, Value::Int(number));
                    if !before {
                        note.shared.add_entry(note.counters, bytes);
                    }
                }
                None if before => {
                    Rc::make_mut(shard).remove(widths, slot);
                    note.shared.remove_entries(note.counters, 1, bytes);
                }
                None => {}
            }
            return;
        }
        let Some(number) = number else {
            if let Some(entry) = self.existing(key, &[]) {
                entry.remove(note);
            }
            return;
        };
        let mut entry = self.entry(key, &[], |cells| cells.push(Value::Null));
        if let Some(cell) = entry.cells().first_mut() {
            *cell = Value::Int(number);
        }
        entry.commit(note);
    }

    /// Takes all entries out, to be walked in the order in which they came in (if the state is ordered).
    pub(crate) fn take_all(&mut self, note: &Note<'_>) -> Taken {
        let shards: Vec<Rc<Shard>> = self.shards.iter_mut().map(std::mem::take).gather();
        let taken = Taken {
            layout: Rc::clone(&self.layout),
            shards,
        };
        let (mut entries, mut bytes) = (0, 0);
        for entry in taken.iter() {
            entries += 1;
            bytes += entry.bytes;
        }
        if note.shared.trace.full() {
            let layout = &self.layout;
            for shard in &taken.shards {
                for ix in shard.numbers(layout.widths) {
                    let size = u64::from(shard.meta(ix).bytes);
                    note.shared.remove_entries(note.counters, 1, size);
                    layout.trace(note, StateOp::Removed, shard.cells(layout.widths, ix), size);
                }
            }
        } else {
            note.shared.remove_entries(note.counters, entries, bytes);
        }
        taken
    }

    /// All entries, to look at; keys of a shard in the order in which they came in as far as none was removed.
    pub(crate) fn iter(&self) -> impl Iterator<Item = EntryView<'_>> {
        views(&self.layout, &self.shards)
    }

    /// Whether there is an entry of the key of this number.
    pub(super) fn holds(&self, shard: usize, slot: u32) -> bool {
        self.shards
            .get(shard)
            .is_some_and(|shard| shard.of_slot(self.layout.widths, slot).is_some())
    }

    pub(super) fn expire(&mut self, note: &Note<'_>) {
        let ttl_ms = self.layout.spec.ttl_ms;
        if ttl_ms == 0 {
            return;
        }
        let limit_ms = note.now_ms.saturating_sub(ttl_ms);
        for at in 0..self.shards.len() {
            while let Some((ix, written_ms)) = self.shards[at].oldest()
                && written_ms <= limit_ms
            {
                let shard = Rc::make_mut(&mut self.shards[at]);
                Entry {
                    layout: &self.layout,
                    shard,
                    ix,
                    created: false,
                }
                .take_out(note, StateOp::Expired);
            }
        }
    }
}

fn views<'t>(layout: &'t Layout, shards: &'t [Rc<Shard>]) -> impl Iterator<Item = EntryView<'t>> {
    shards.iter().flat_map(move |shard| {
        shard.numbers(layout.widths).map(move |ix| {
            let cells = shard.cells(layout.widths, ix);
            let (key, rest) = cells.split_at(layout.keys.width);
            let (namespace, value) = rest.split_at(layout.spec.namespace_width());
            let meta = shard.meta(ix);
            EntryView {
                key,
                sub: None,
                namespace,
                value: Cow::Borrowed(value),
                writer: meta.writer,
                bytes: u64::from(meta.bytes),
            }
        })
    })
}

/// Entries that were taken out of a table.
#[derive(Debug)]
pub(crate) struct Taken {
    layout: Rc<Layout>,
    shards: Vec<Rc<Shard>>,
}

impl Taken {
    /// The entries in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = EntryView<'_>> {
        views(&self.layout, &self.shards)
    }
}

/// An entry being changed. Whoever takes one ends with [`Entry::commit`] or [`Entry::remove`].
#[derive(Debug)]
#[must_use = "an entry is committed or removed"]
pub(crate) struct Entry<'t> {
    layout: &'t Layout,
    shard: &'t mut Shard,
    ix: u32,
    created: bool,
}

impl Entry<'_> {
    /// Whether it was not there before.
    pub(crate) const fn created(&self) -> bool {
        self.created
    }

    /// Its cells.
    #[inline]
    pub(crate) fn cells(&mut self) -> &mut [Value] {
        self.shard.value_mut(self.layout.widths, self.ix)
    }

    /// Keeps it with its new cells.
    #[inline]
    pub(crate) fn commit(self, note: &Note<'_>) {
        let bytes = self
            .layout
            .entry_bytes(self.shard.cells(self.layout.widths, self.ix));
        let meta = self.shard.meta_mut(self.ix);
        let before = u64::from(meta.bytes);
        meta.writer = note.writer as u32;
        meta.bytes = bytes as u32;
        if self.created {
            note.shared.add_entry(note.counters, bytes);
        } else {
            note.counters.resize(before, bytes);
        }
        if self.layout.widths.expires {
            self.shard.touch(self.ix, note.now_ms);
        }
        if note.shared.trace.full() {
            let cells = self.shard.cells(self.layout.widths, self.ix);
            self.layout.trace(note, written(self.created), cells, bytes);
        }
    }

    /// Removes it.
    pub(crate) fn remove(self, note: &Note<'_>) {
        if self.created {
            // Nobody has seen it.
            self.shard.remove(self.layout.widths, self.ix);
        } else {
            self.take_out(note, StateOp::Removed);
        }
    }

    fn take_out(self, note: &Note<'_>, op: StateOp) {
        let bytes = u64::from(self.shard.meta(self.ix).bytes);
        note.shared.remove_entries(note.counters, 1, bytes);
        if note.shared.trace.full() {
            let cells = self.shard.cells(self.layout.widths, self.ix);
            self.layout.trace(note, op, cells, bytes);
        }
        self.shard.remove(self.layout.widths, self.ix);
    }
}
