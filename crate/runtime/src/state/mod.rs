//! Keyed state: what operators remember between rows.
//!
//! An operator declares its states ([`StateSpec`]) and reaches them by handle. All entries are counted in bytes as a
//! savepoint would hold them, and the totals are adjusted with each write; nothing is walked to know a size. A state
//! is 16 shards, each shared with the snapshots that hold it until somebody writes to it.

mod by_time;
mod counts;
mod hashed;
mod items;
mod java_map;
mod java_rows;
mod map;
mod order;
mod shard;
mod slots;
mod spec;
mod value;

use std::{borrow::Cow, rc::Rc};

use sg_value::{DataType, Value};

pub(crate) use by_time::{ByTimeTable, KeyRecord};
use counts::Classes;
pub(crate) use counts::{CountsTable, ViewSet};
pub(crate) use hashed::{Group, HashedTable};
pub(crate) use items::{CellOrder, Item, Items, RowOrder, UserKey, row_of};
pub(crate) use java_map::JavaMap;
use map::MapClasses;
pub(crate) use map::{Entries, MapTable, Spot};
pub(crate) use shard::same_cells;
pub(crate) use slots::Slots;
pub(crate) use spec::{
    CountsShape, HashedShape, MapShape, Shape, StateSpec, UserKeySize, ValueShape, ValueSize,
};
pub(crate) use value::ValueTable;

use crate::{
    job::shared::{Counters, Shared},
    op::TimerLayout,
    trace::{Class, NamespaceText, Place, StateOp, Trace},
};

/// A key with its hash, computed once per row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key<'a> {
    /// Its cells.
    pub(crate) cells: &'a [Value],
    /// [`sg_value::hash::table_hash`] of the cells.
    pub(crate) hash: u64,
    /// Its number in [`Slots`].
    pub(crate) slot: u32,
}

impl Key<'_> {
    /// The key of what has none.
    pub(crate) const NONE: Self = Self {
        cells: &[],
        hash: 0,
        slot: slots::NO_SLOT,
    };

    /// 32 bits of the hash of key and namespace.
    fn with_namespace(self, namespace: &[Value]) -> u32 {
        let mut hash = self.hash;
        for cell in namespace {
            let word = cell.as_int().unwrap_or_default() as u64;
            hash = (hash.rotate_left(5) ^ word)
                .wrapping_mul(0xf135_7aea_2e62_a9c5)
                .rotate_left(26);
        }
        (hash ^ hash >> 32) as u32
    }
}

/// Shards of a state. More of them are less to copy after a snapshot, but what each row looks at no longer lies in the
/// fastest memory.
const SHARDS: usize = 16;

/// Which shard an entry is in; the index of a shard uses other bits of the hash.
#[inline]
const fn shard_of(hash: u32) -> usize {
    (hash >> 18) as usize & (SHARDS - 1)
}

/// Where an operator's subtask works: what stays the same while it takes a batch, so that it is put together once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) counters: &'a Counters,
    pub(crate) place: Place,
    /// Classes of the key's cells.
    pub(crate) key_classes: &'a [Class],
    /// Classes of the output's cells.
    pub(crate) classes: &'a [Class],
    /// How its timers count and print.
    pub(crate) timers: &'a TimerLayout,
    /// Processing time.
    pub(crate) now_ms: i64,
}

/// Who writes: all that a table needs to count and to trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note<'a> {
    pub(crate) site: &'a Site<'a>,
    /// The change at work.
    pub(crate) writer: u64,
}

impl<'a> std::ops::Deref for Note<'a> {
    type Target = Site<'a>;

    #[inline]
    fn deref(&self) -> &Site<'a> {
        self.site
    }
}

/// A state of an operator's subtask.
#[derive(Clone, Debug)]
pub(crate) enum Table {
    Value(ValueTable),
    Counts(CountsTable),
    Map(MapTable),
    Hashed(HashedTable),
    ByTime(ByTimeTable),
    /// What lies in the records of the table so many before it.
    Part(Part),
}

/// A state that has only its classes.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// How many states there are before it from the one on that has the records.
    pub(crate) at: usize,
    /// Of the numbers of rows.
    sub: Option<Rc<[Class]>>,
    value: Rc<[Class]>,
}

impl Table {
    /// An empty table for keys of these types.
    pub(crate) fn new(handle: u32, spec: Rc<StateSpec>, keys: &KeyLayout, trace: &Trace) -> Self {
        match spec.shape.clone() {
            Shape::Value(shape) => {
                let classes = trace.classes(&*shape.types);
                Self::Value(ValueTable::new(handle, spec, shape, keys, classes.into()))
            }
            Shape::Counts(shape) => {
                let classes = Classes {
                    cells: trace.classes(&*shape.types).into(),
                    number: trace.class(&DataType::BIGINT),
                };
                Self::Counts(CountsTable::new(handle, spec, shape, keys, classes))
            }
            Shape::Hashed(shape) => {
                let classes = hashed::classes_of(&shape, |data_type| trace.class(data_type));
                Self::Hashed(HashedTable::new(handle, spec, shape, keys, classes))
            }
            Shape::ByTime(shapes, 0) => {
                let number = trace.class(&DataType::BIGINT);
                let classes = |shape: &MapShape| MapClasses::new(shape, trace);
                Self::ByTime(ByTimeTable::new(handle, &shapes, keys, classes, number))
            }
            Shape::ByTime(shapes, at) => {
                let classes = shapes.get(at).map(|shape| MapClasses::new(shape, trace));
                let classes = classes.unwrap_or_default();
                Self::Part(Part {
                    at,
                    sub: Some(classes.user_key),
                    value: classes.value,
                })
            }
            Shape::Part(shape, at) => Self::Part(Part {
                at,
                sub: None,
                value: trace.classes(&*shape.types).into(),
            }),
            Shape::Map(shape) => {
                let classes = MapClasses::new(&shape, trace);
                Self::Map(MapTable::new(handle, spec, shape, keys, classes))
            }
        }
    }

    /// Removes what was last written at or before `now - ttl`.
    pub(crate) fn expire(&mut self, note: &Note<'_>, keys: &Slots) {
        match self {
            Self::Value(table) => table.expire(note),
            Self::Counts(table) => table.expire(note, keys),
            Self::Map(table) => table.expire(note, keys),
            Self::Hashed(table) => table.expire(note, keys),
            Self::ByTime(_) | Self::Part(_) => {}
        }
    }

    /// Reads what the next rows of these keys look for, so that none of them waits alone for memory. What it gives says
    /// nothing.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn look_ahead(&self, keys: &[(u64, u32)], namespace: &[Value]) -> u32 {
        let keys = keys.iter().map(|(hash, slot)| Key {
            cells: &[],
            hash: *hash,
            slot: *slot,
        });
        match self {
            Self::Value(table) => keys.fold(0, |sum, key| sum ^ table.peek(key, namespace)),
            Self::Map(table) => keys.fold(0, |sum, key| sum ^ table.peek(key, namespace)),
            Self::Hashed(table) => keys.fold(0, |sum, key| sum ^ table.peek(key, namespace)),
            Self::ByTime(table) => keys.fold(0, |sum, key| sum ^ table.peek(key)),
            Self::Counts(_) | Self::Part(..) => 0,
        }
    }

    /// Removes what is left of a key that has no entry.
    fn forget(&mut self, shard: usize, slot: u32) {
        match self {
            Self::Map(table) => table.forget(shard, slot),
            Self::ByTime(table) => table.forget(shard, slot),
            _ => {}
        }
    }

    /// Whether there is an entry of the key of this number in a shard.
    fn holds(&self, shard: usize, slot: u32) -> bool {
        match self {
            Self::Value(table) => table.holds(shard, slot),
            Self::Counts(table) => table.holds(shard, slot),
            Self::Map(table) => table.holds(shard, slot),
            Self::Hashed(table) => table.holds(shard, slot),
            Self::ByTime(table) => table.holds(shard, slot),
            Self::Part(_) => false,
        }
    }
}

impl Table {
    /// Classes of an entry's value cells.
    pub(crate) fn value_classes(&self) -> Cow<'_, [Class]> {
        match self {
            Self::Value(table) => Cow::Borrowed(table.classes()),
            Self::Counts(table) => Cow::Owned(vec![table.classes().number]),
            Self::Map(table) => Cow::Borrowed(&table.classes().value),
            Self::Hashed(table) => Cow::Borrowed(&table.classes().value),
            Self::ByTime(table) => Cow::Borrowed(&table.classes().value),
            Self::Part(part) => Cow::Borrowed(&part.value),
        }
    }

    /// Classes of the values within a key, of a count state.
    pub(crate) fn sub_classes(&self) -> Option<&[Class]> {
        match self {
            Self::Value(_) => None,
            Self::Part(part) => part.sub.as_deref(),
            Self::Counts(table) => Some(&table.classes().cells),
            Self::Map(table) => Some(&table.classes().user_key),
            Self::Hashed(table) => Some(&table.classes().key),
            Self::ByTime(table) => Some(&table.classes().user_key),
        }
    }
}

/// Types of a key, as far as state needs them.
#[derive(Clone, Debug)]
pub(crate) struct KeyLayout {
    /// Number of cells.
    pub(crate) width: usize,
    /// Sizes of keys.
    pub(crate) sizer: sg_value::bytes::RowSizer,
    /// Whether states share numbers for keys ([`Slots`]): where several look for the same ones.
    pub(crate) shared: bool,
}

/// The namespace cells of an entry as text.
pub(crate) fn namespace_text(spec: &StateSpec, namespace: &[Value]) -> NamespaceText {
    match namespace {
        [Value::Int(end_ms)] => NamespaceText::Window {
            start_ms: end_ms.wrapping_sub(spec.slice_ms),
            end_ms: *end_ms,
        },
        [Value::Int(start_ms), Value::Int(end_ms)] => NamespaceText::Window {
            start_ms: *start_ms,
            end_ms: *end_ms,
        },
        _ => NamespaceText::None,
    }
}

/// One entry of a state, to look at.
#[derive(Clone, Debug)]
pub(crate) struct EntryView<'a> {
    pub(crate) key: &'a [Value],
    pub(crate) sub: Option<Cow<'a, [Value]>>,
    pub(crate) namespace: &'a [Value],
    pub(crate) value: Cow<'a, [Value]>,
    pub(crate) writer: u32,
    pub(crate) bytes: u64,
}

/// What an entry's write was.
const fn written(created: bool) -> StateOp {
    if created {
        StateOp::Created
    } else {
        StateOp::Updated
    }
}
