//! One shard of a state table: flat cells, an index by hash, and the order of writes where entries expire.
//!
//! Hot path: nothing is allocated per access. An entry is `stride` neighbouring cells, its key first, so that the
//! probe, the comparison and the update touch the same memory:
//!
//! ```text
//! cells   [key… namespace… value…][key… namespace… value…]…      stride = key width + value width
//! meta    [hash, writer, bytes   ][hash, writer, bytes   ]…      12 bytes an entry
//! index   hash → entry number                                    8 bytes a place
//! slots   number of the key → entry number                       4 bytes a key, in the place of the index where the
//!                                                                states of an operator share their keys
//! ```
//!
//! Where keys are shared and nothing expires, an entry's number is that of its key: there is no index, and what is removed
//! leaves its place to the next entry of the key, which mostly comes.
//!
//! In wasm a COUNT(*) by BIGINT takes 16 + 16 + 12 bytes and up to three places.
#![expect(
    clippy::indexing_slicing,
    reason = "entry numbers come from the index, which only holds numbers of entries"
)]

use sg_value::Value;

use super::{Key, KeyLayout, SHARDS, StateSpec, order::WriteOrder, shard_of};
use crate::index::{Index, folded};

/// Entries of one shard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shard<E = ()> {
    index: Index,
    /// Entry numbers by the number of the key, [`NO_ENTRY`] where there is none.
    slots: Vec<u32>,
    meta: Vec<Meta>,
    cells: Vec<Value>,
    /// What hangs on an entry beside its cells.
    extra: Vec<E>,
    order: WriteOrder,
}

/// What is known about an entry beside its cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meta {
    /// Hash of key and namespace, or the number of the key.
    pub(crate) code: u32,
    /// The change that wrote it last.
    pub(crate) writer: u32,
    /// Bytes of the entry.
    pub(crate) bytes: u32,
}

/// Whether cells are the same, which are mostly numbers.
#[inline]
pub(crate) fn same_cells(left: &[Value], right: &[Value]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|cells| match cells {
            (Value::Int(left), Value::Int(right)) => left == right,
            (left, right) => left == right,
        })
}

/// Cells per entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    /// Of key and namespace.
    pub(crate) key: usize,
    /// Of all.
    pub(crate) stride: usize,
    /// Whether the order of writes is kept.
    pub(crate) expires: bool,
    /// Whether entries are found by the numbers of their keys.
    pub(crate) shared: bool,
    /// Whether they have these numbers themselves.
    pub(crate) direct: bool,
    /// Number of the last shard: [`SHARDS`] - 1, or 0 where entries are walked in the order in which they came in.
    pub(crate) last_shard: usize,
}

const NO_ENTRY: u32 = u32::MAX;

/// The place of a key without an entry, where entries have the numbers of their keys.
const ABSENT: Meta = Meta {
    code: NO_ENTRY,
    writer: 0,
    bytes: 0,
};

impl Widths {
    /// Of a state with so many cells a value.
    pub(crate) fn new(keys: &KeyLayout, spec: &StateSpec, value: usize) -> Self {
        let key = keys.width + spec.namespace_width();
        let expires = spec.ttl_ms > 0;
        let shared = keys.shared && spec.can_share_keys();
        Self {
            key,
            stride: key + value,
            expires,
            shared,
            direct: shared && !expires,
            last_shard: if spec.ordered { 0 } else { SHARDS - 1 },
        }
    }

    /// Where an entry is: its shard, and what finds it there.
    #[inline]
    pub(crate) fn place(self, key: Key<'_>, namespace: &[Value]) -> (usize, u32) {
        if self.shared {
            return (shard_of(folded(key.hash)), key.slot);
        }
        let hash = key.with_namespace(namespace);
        (shard_of(hash) & self.last_shard, hash)
    }
}

impl<E: Default> Shard<E> {
    /// The numbers of all entries.
    pub(crate) fn numbers(&self, widths: Widths) -> impl Iterator<Item = u32> {
        let there = move |meta: &Meta| !widths.direct || meta.code != NO_ENTRY;
        let all = (0..).zip(&self.meta);
        all.filter(move |(_, meta)| there(meta)).map(|(ix, _)| ix)
    }

    /// The entry of this key, given as the cells of key and namespace.
    #[inline]
    pub(crate) fn find(&self, widths: Widths, code: u32, key: &[Value], namespace: &[Value]) -> Option<u32> {
        if widths.shared {
            return self.of_slot(widths, code);
        }
        self.index.find(code, |ix| {
            let at = ix as usize * widths.stride;
            let cells = &self.cells[at..at + widths.key];
            let (own_key, own_namespace) = cells.split_at(key.len());
            same_cells(own_key, key) && same_cells(own_namespace, namespace)
        })
    }

    /// Appends an entry whose value cells `fill` pushes. The key must not be there.
    pub(crate) fn insert(
        &mut self,
        widths: Widths,
        meta: Meta,
        key: impl IntoIterator<Item = Value>,
        fill: impl FnOnce(&mut Vec<Value>),
    ) -> u32 {
        if widths.direct {
            let mut fill = Some(fill);
            let mut fill = |cells: &mut Vec<Value>| fill.take().into_iter().for_each(|fill| fill(cells));
            return self.occupy(widths, meta, &mut key.into_iter(), &mut fill);
        }
        let ix = self.meta.len() as u32;
        self.meta.push(meta);
        self.extra.push(E::default());
        self.cells.extend(key);
        fill(&mut self.cells);
        debug_assert_eq!(
            self.cells.len(),
            self.meta.len() * widths.stride,
            "an entry of another width"
        );
        if widths.shared {
            let slot = meta.code as usize;
            if slot >= self.slots.len() {
                self.slots.resize(slot + 1, NO_ENTRY);
            }
            self.slots[slot] = ix;
        } else {
            self.index.insert(meta.code, ix);
        }
        if widths.expires {
            self.order.append(ix);
        }
        ix
    }

    /// The last cell at the place of a key, where entries have the numbers of their keys; NULL if there is no entry.
    #[inline]
    pub(crate) fn last_cell(&self, widths: Widths, slot: u32) -> Option<&Value> {
        self.cells.get((slot as usize + 1) * widths.stride - 1)
    }

    /// Puts an entry, whose value is one cell, where the number of its key says, or changes the one that is there.
    #[inline]
    pub(crate) fn set_cell(&mut self, widths: Widths, meta: Meta, key: &[Value], cell: Value) {
        let from = meta.code as usize * widths.stride;
        if let Some([own @ .., value]) = self.cells.get_mut(from..from + widths.stride) {
            if !same_cells(own, key) {
                own.clone_from_slice(key);
            }
            *value = cell;
            self.meta[meta.code as usize] = meta;
        } else {
            let mut cell = Some(cell);
            self.occupy(widths, meta, &mut key.iter().cloned(), &mut |cells| {
                cells.push(cell.take().unwrap_or_default());
            });
        }
    }

    /// Puts an entry where the number of its key says. There is one of it for all who fill entries: it happens once a key.
    #[inline(never)]
    fn occupy(
        &mut self,
        widths: Widths,
        meta: Meta,
        key: &mut dyn Iterator<Item = Value>,
        fill: &mut dyn FnMut(&mut Vec<Value>),
    ) -> u32 {
        let slot = meta.code as usize;
        if slot >= self.meta.len() {
            self.meta.resize(slot + 1, ABSENT);
            self.extra.resize_with(slot + 1, E::default);
            self.cells.resize((slot + 1) * widths.stride, Value::Null);
        }
        self.meta[slot] = meta;
        let (from, end) = (slot * widths.stride, self.cells.len());
        for (cell, own) in self.cells[from..from + widths.key].iter_mut().zip(key) {
            *cell = own;
        }
        fill(&mut self.cells);
        for (at, value) in (from + widths.key..from + widths.stride).zip(end..) {
            self.cells.swap(at, value);
        }
        self.cells.truncate(end);
        meta.code
    }

    /// Takes an entry out and tells what hung on it; the last entry moves to its place, where entries do not have the numbers
    /// of their keys.
    #[inline(never)]
    pub(crate) fn remove(&mut self, widths: Widths, ix: u32) -> E {
        if widths.direct {
            self.meta[ix as usize] = ABSENT;
            self.value_mut(widths, ix).fill(Value::Null);
            return std::mem::take(&mut self.extra[ix as usize]);
        }
        let last = self.meta.len() as u32 - 1;
        let code = self.meta[ix as usize].code;
        if widths.shared {
            self.slots[code as usize] = NO_ENTRY;
        } else {
            self.index.remove(code, ix);
        }
        if ix != last {
            let moved = self.meta[last as usize].code;
            if widths.shared {
                self.slots[moved as usize] = ix;
            } else {
                self.index.renumber(moved, last, ix);
            }
            let (front, back) = self.cells.split_at_mut(last as usize * widths.stride);
            let at = ix as usize * widths.stride;
            front[at..at + widths.stride].swap_with_slice(&mut back[..widths.stride]);
        }
        self.meta.swap_remove(ix as usize);
        let extra = self.extra.swap_remove(ix as usize);
        self.cells.truncate(self.meta.len() * widths.stride);
        if widths.expires {
            self.order.swap_remove(ix);
        }
        extra
    }

    /// The entry of a key, given as what [`Widths::place`] says: a guess where its hash alone says which, good enough to read
    /// ahead.
    #[inline]
    pub(crate) fn guess(&self, widths: Widths, code: u32) -> Option<u32> {
        if widths.shared {
            return self.of_slot(widths, code);
        }
        self.index.find(code, |_| true)
    }

    /// Reads what is read first of an entry.
    #[inline]
    pub(crate) fn peek(&self, widths: Widths, ix: u32) -> u32 {
        let null = self.cells(widths, ix).last().is_some_and(Value::is_null);
        self.meta(ix).bytes.wrapping_add(u32::from(null))
    }

    /// The entry of the key of this number.
    #[inline]
    pub(crate) fn of_slot(&self, widths: Widths, slot: u32) -> Option<u32> {
        if widths.direct {
            let meta = self.meta.get(slot as usize);
            return meta.filter(|meta| meta.code != NO_ENTRY).map(|_| slot);
        }
        let ix = self.slots.get(slot as usize).copied();
        ix.filter(|ix| *ix != NO_ENTRY)
    }

    /// All cells of an entry.
    pub(crate) fn cells(&self, widths: Widths, ix: u32) -> &[Value] {
        let at = ix as usize * widths.stride;
        &self.cells[at..at + widths.stride]
    }

    /// The value cells of an entry, to change.
    pub(crate) fn value_mut(&mut self, widths: Widths, ix: u32) -> &mut [Value] {
        let at = ix as usize * widths.stride;
        &mut self.cells[at + widths.key..at + widths.stride]
    }

    /// What is known about an entry.
    pub(crate) fn meta(&self, ix: u32) -> Meta {
        self.meta[ix as usize]
    }

    /// The same, to change.
    pub(crate) fn meta_mut(&mut self, ix: u32) -> &mut Meta {
        &mut self.meta[ix as usize]
    }

    /// What hangs on an entry.
    pub(crate) fn extra(&self, ix: u32) -> Option<&E> {
        self.extra.get(ix as usize)
    }

    /// The same, to change.
    pub(crate) fn extra_mut(&mut self, ix: u32) -> Option<&mut E> {
        self.extra.get_mut(ix as usize)
    }

    /// Notes a write at a time that is not before any other.
    pub(crate) fn touch(&mut self, ix: u32, now_ms: i64) {
        self.order.touch(ix, now_ms);
    }

    /// The entry that was written longest ago, and when.
    pub(crate) fn oldest(&self) -> Option<(u32, i64)> {
        self.order.oldest()
    }
}
