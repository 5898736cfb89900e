//! What an operator declares about a state.

use std::rc::Rc;

use sg_value::{
    DataType,
    bytes::{Namespace, RowSizer, ValueSizer},
};

/// Declaration of a state: an operator's factory makes one per handle, in order.
#[derive(Clone, Debug)]
pub(crate) struct StateSpec {
    /// Flink's name: `accState`, `window-aggs`.
    pub(crate) name: Rc<str>,
    /// Namespace of the entries.
    pub(crate) namespace: Namespace,
    /// What an entry is.
    pub(crate) shape: Shape,
    /// Time-to-live in milliseconds of processing time since the last write; 0 never.
    pub(crate) ttl_ms: i64,
    /// Length of the window that ends at a namespace of [`Namespace::WindowEnd`], to print it.
    pub(crate) slice_ms: i64,
    /// Whether entries are walked in the order in which they came in, all keys together (buffers).
    pub(crate) ordered: bool,
}

/// What an entry is.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Key → row of cells.
    Value(ValueShape),
    /// Key → value → number; the values of a key are sorted.
    Counts(CountsShape),
}

/// Cells of a value state.
#[derive(Clone, Debug)]
pub(crate) struct ValueShape {
    /// Types of the cells.
    pub(crate) types: Rc<[DataType]>,
    /// Names of the cells, for the state view.
    pub(crate) names: Rc<[Rc<str>]>,
    /// What counts as its bytes.
    pub(crate) size: ValueSize,
}

/// How the bytes of a value's cells are counted.
#[derive(Clone, Debug)]
pub(crate) enum ValueSize {
    /// One row of all cells.
    Row(RowSizer),
    /// Nothing: it is no part of a savepoint.
    Untold,
}

/// A map from values to numbers beside an accumulator.
#[derive(Clone, Debug)]
pub(crate) struct CountsShape {
    /// Types of a value's cells (mostly one).
    pub(crate) types: Rc<[DataType]>,
    /// Sizes of a value on its own, where it has one cell.
    pub(crate) single: Option<ValueSizer>,
    /// Sizes of a value of several cells.
    pub(crate) row: RowSizer,
    /// Bytes of a number.
    pub(crate) number_bytes: u64,
}

impl StateSpec {
    /// Cells that a namespace adds to a key.
    pub(crate) const fn namespace_width(&self) -> usize {
        match self.namespace {
            Namespace::Void => 0,
            Namespace::WindowEnd => 1,
            Namespace::Window => 2,
        }
    }
}
