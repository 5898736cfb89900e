//! The state-size model: bytes of serialised rows, values and state entries.
//!
//! A figure is what an entry takes in a canonical savepoint of Flink, the same from either backend, as if a checkpoint
//! were taken now. Names of the model: R(row) is a row as key, user key, value or list element; S(value) is a value on
//! its own (map views, DISTINCT). The functions are exact against measured savepoints (test below).

use crate::{
    data_type::DataType,
    layout::{INLINE_BYTES, Slot, array_header, integer_bytes, row_header, whole_words},
    value::{MapValue, Value},
};

/// Sizes of rows of fixed types. Cheap per row: only fields of variable length are looked at.
#[derive(Clone, Debug)]
pub struct RowSizer {
    /// Length prefix, header and slots, and whatever every row has behind them.
    fixed: u64,
    /// Position and layout of fields whose size depends on the value.
    variable: Vec<(usize, Slot)>,
}

impl RowSizer {
    /// For rows as values and list elements: NULL takes nothing beyond its slot.
    pub fn new(types: &[DataType]) -> Self {
        Self::with(types, |_| false)
    }

    /// For rows as keys (group, join, partition, unique and sort keys): a NULL of a wide DECIMAL or TIMESTAMP takes as
    /// much as any other value.
    pub fn for_key(types: &[DataType]) -> Self {
        Self::with(types, |slot| {
            matches!(slot, Slot::WideDecimal | Slot::WideTimestamp)
        })
    }

    fn with(types: &[DataType], always: fn(&Slot) -> bool) -> Self {
        let fields = types.len();
        let mut fixed = 4 + row_header(fields) + 8 * fields;
        let mut variable = Vec::new();
        for (at, data_type) in types.iter().enumerate() {
            match Slot::of(data_type) {
                Slot::Fixed(_) | Slot::Float | Slot::Double => {}
                Slot::Raw => fixed += 8,
                Slot::WideDecimal if always(&Slot::WideDecimal) => fixed += 16,
                Slot::WideTimestamp if always(&Slot::WideTimestamp) => fixed += 8,
                slot => variable.push((at, slot)),
            }
        }
        Self {
            fixed: fixed as u64,
            variable,
        }
    }

    /// R(row).
    #[cfg_attr(sg_hot, optimize(speed))]
    pub fn row_bytes(&self, row: &[Value]) -> u64 {
        let variable: usize = self
            .variable
            .iter()
            .filter_map(|(at, slot)| Some(variable_bytes(slot, row.get(*at)?)))
            .sum();
        self.fixed + variable as u64
    }

    /// R(row) if it is the same for every row.
    pub const fn constant_bytes(&self) -> Option<u64> {
        if self.variable.is_empty() {
            Some(self.fixed)
        } else {
            None
        }
    }
}

/// Sizes of single values of one type.
#[derive(Clone, Debug)]
pub struct ValueSizer {
    slot: Slot,
}

impl ValueSizer {
    /// For values of this type.
    pub fn new(data_type: &DataType) -> Self {
        Self {
            slot: Slot::of(data_type),
        }
    }

    /// S(value); 0 for NULL.
    pub fn value_bytes(&self, value: &Value) -> u64 {
        let bytes = match (&self.slot, value) {
            (_, Value::Null) => 0,
            (Slot::WideDecimal, _) => 4 + value.unscaled().map_or(0, integer_bytes),
            (Slot::WideTimestamp, _) => 12,
            (Slot::Bytes, Value::Str(text)) => 4 + text.len(),
            (Slot::Bytes, Value::Bytes(bytes)) => 4 + bytes.len(),
            (Slot::Array(element), Value::Array(values)) => 4 + array_bytes(element, values.iter()),
            (Slot::Map(types), Value::Map(map)) => 8 + map_arrays(&types.0, &types.1, map),
            (Slot::Row(slots), Value::Row(values)) => 4 + nested_row_bytes(slots, values),
            (slot, _) => slot.element_width(),
        };
        bytes as u64
    }
}

/// What a value takes beyond its slot.
fn variable_bytes(slot: &Slot, value: &Value) -> usize {
    match (slot, value) {
        (Slot::Raw, _) => 8,
        (_, Value::Null) => 0,
        (Slot::Bytes, Value::Str(text)) => text_bytes(text.len()),
        (Slot::Bytes, Value::Bytes(bytes)) => text_bytes(bytes.len()),
        (Slot::WideDecimal, _) => 16,
        (Slot::WideTimestamp, _) => 8,
        (Slot::Array(element), Value::Array(values)) => array_bytes(element, values.iter()),
        (Slot::Map(types), Value::Map(map)) => whole_words(4 + map_arrays(&types.0, &types.1, map)),
        (Slot::Row(slots), Value::Row(values)) => whole_words(nested_row_bytes(slots, values)),
        _ => 0,
    }
}

const fn text_bytes(length: usize) -> usize {
    if length > INLINE_BYTES {
        whole_words(length)
    } else {
        0
    }
}

fn nested_row_bytes(slots: &[Slot], values: &[Value]) -> usize {
    let variable: usize = slots
        .iter()
        .zip(values)
        .map(|(slot, value)| variable_bytes(slot, value))
        .sum();
    row_header(slots.len()) + 8 * slots.len() + variable
}

fn map_arrays(key: &Slot, value: &Slot, map: &MapValue) -> usize {
    array_bytes(key, map.entries.iter().map(|(key, _)| key))
        + array_bytes(value, map.entries.iter().map(|(_, value)| value))
}

/// arr(elements).
fn array_bytes<'a>(slot: &Slot, values: impl ExactSizeIterator<Item = &'a Value>) -> usize {
    let count = values.len();
    let variable: usize = values.map(|value| variable_bytes(slot, value)).sum();
    array_of(count, slot.element_width()) + variable
}

const fn array_of(count: usize, width: usize) -> usize {
    whole_words(array_header(count) + count * width)
}

/// Namespace of a state entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// None: 1 byte.
    Void,
    /// A window's end (window table functions): 8 bytes.
    WindowEnd,
    /// A window's start and end (sessions, group windows): 16 bytes.
    Window,
}

impl Namespace {
    /// Serialised bytes.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Void => 1,
            Self::WindowEnd => 8,
            Self::Window => 16,
        }
    }
}

/// What surrounds key and value of an entry: two lengths of 4 bytes and the key group, which takes one byte as long as
/// the maximum parallelism is at most 128.
pub const ENTRY_FRAME_BYTES: u64 = 8 + 1;

/// What an entry takes more than the functions here say, because its key group takes two bytes.
pub const fn wide_key_group_bytes(max_parallelism: u32) -> u64 {
    if max_parallelism > 128 { 1 } else { 0 }
}

/// What a state TTL adds to a VALUE entry, a MAP entry or a LIST element; nothing to timers.
pub const TTL_BYTES: u64 = 8;

/// A VALUE entry: `key` = R(key), `value` = V.
pub const fn value_entry_bytes(key: u64, namespace: Namespace, value: u64) -> u64 {
    ENTRY_FRAME_BYTES + key + namespace.bytes() + value
}

/// A MAP entry: `user_key` = U; a byte says whether the value is NULL.
pub const fn map_entry_bytes(key: u64, namespace: Namespace, user_key: u64, value: u64) -> u64 {
    ENTRY_FRAME_BYTES + key + namespace.bytes() + user_key + 1 + value
}

/// A LIST entry of `count` elements that take `elements` bytes together; an empty list has no entry.
pub const fn list_entry_bytes(key: u64, namespace: Namespace, count: u64, elements: u64) -> u64 {
    if count == 0 {
        0
    } else {
        ENTRY_FRAME_BYTES + key + namespace.bytes() + elements + (count - 1)
    }
}

/// A timer.
pub const fn timer_entry_bytes(key: u64, namespace: Namespace) -> u64 {
    ENTRY_FRAME_BYTES + 8 + key + namespace.bytes()
}

/// V of a list or map that is itself a value: `elements` is the sum of its parts.
pub const fn inline_list_bytes(elements: u64) -> u64 {
    4 + elements
}

/// V of an array of `count` BIGINTs on its own (the positions of `FIRST_VALUE` and `LAST_VALUE`).
pub const fn bigint_array_bytes(count: usize) -> u64 {
    4 + array_of(count, 8) as u64
}

/// V of a DISTINCT map: `calls` is the number of aggregate calls on it.
pub const fn distinct_value_bytes(calls: u64, retracting: bool) -> u64 {
    if retracting && calls > 1 {
        12 + 8 * calls
    } else {
        8
    }
}

/// What the ROW of an `ARRAY_AGG` takes beyond its slot in an accumulator: `count` elements, `elements` = Σ S(x).
pub const fn array_agg_bytes(count: u64, elements: u64) -> u64 {
    8 + 16 + (4 + count.div_ceil(8) + elements).next_multiple_of(8) + 8
}

#[cfg(test)]
mod tests;
