//! The state-size model: bytes of serialised rows and of state entries.
//!
//! A figure is what an entry takes in a canonical savepoint, as if a checkpoint were taken now.

use crate::{data_type::DataType, value::Value};

/// The fixed part of an entry: lengths and key group prefix, with a maximum parallelism of at most 128.
pub const ENTRY_FRAME_BYTES: u64 = 8 + 1;

/// Sizes of rows of fixed types. Cheap per row: only fields of variable length are looked at.
#[derive(Clone, Debug)]
pub struct RowSizer {
    #[expect(dead_code, reason = "filled with the plan")]
    fixed: u64,
}

impl RowSizer {
    /// Prepares the sizes of rows with these types.
    pub fn new(_types: &[DataType]) -> Self {
        todo!()
    }

    /// The same for keys: NULL of wide decimals and timestamps keeps its variable part.
    pub fn for_key(_types: &[DataType]) -> Self {
        todo!()
    }

    /// R(row): the row as key, user key, value or list element, with its length prefix.
    pub fn row_bytes(&self, _row: &[Value]) -> u64 {
        todo!()
    }
}

/// Size of single values on their own, S(t): map views, DISTINCT.
#[derive(Clone, Debug)]
pub struct ValueSizer {
    #[expect(dead_code, reason = "filled with the plan")]
    data_type: DataType,
}

impl ValueSizer {
    /// Prepares the sizes of values of this type.
    pub fn new(data_type: &DataType) -> Self {
        Self {
            data_type: data_type.clone(),
        }
    }

    /// S(value).
    pub fn value_bytes(&self, _value: &Value) -> u64 {
        todo!()
    }
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

/// Bytes of a VALUE entry; `key` = R(key), `value` = V.
pub const fn value_entry_bytes(key: u64, namespace: Namespace, value: u64) -> u64 {
    ENTRY_FRAME_BYTES + key + namespace.bytes() + value
}

/// Bytes of a MAP entry; `user_key` = U.
pub const fn map_entry_bytes(key: u64, namespace: Namespace, user_key: u64, value: u64) -> u64 {
    ENTRY_FRAME_BYTES + key + namespace.bytes() + user_key + 1 + value
}

/// Bytes of a LIST entry with `count` elements of `elements` bytes together; 0 for an empty list.
pub const fn list_entry_bytes(key: u64, namespace: Namespace, count: u64, elements: u64) -> u64 {
    if count == 0 {
        0
    } else {
        ENTRY_FRAME_BYTES + key + namespace.bytes() + elements + (count - 1)
    }
}

/// Bytes of a timer.
pub const fn timer_entry_bytes(key: u64, namespace: Namespace) -> u64 {
    ENTRY_FRAME_BYTES + 8 + key + namespace.bytes()
}

/// Bytes that a state TTL adds to a VALUE, a MAP entry or a LIST element.
pub const TTL_BYTES: u64 = 8;
