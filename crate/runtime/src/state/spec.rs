//! What an operator declares about a state.

use std::rc::Rc;

use sg_value::{
    DataType, Field, Gather as _, TimeKind, TypeKind, Value,
    bytes::{Namespace, RowSizer, ValueSizer, inline_list_bytes},
};

use super::RowOrder;

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
    /// Key → user key → rows; the user keys of a key are sorted.
    Map(MapShape),
    /// Key → number → rows, in one record a key with the states around it: what their rows are like, and which of these
    /// states it is.
    ByTime(Rc<[MapShape]>, usize),
    /// Key → number, in the record of the state so many before it.
    Part(ValueShape, usize),
    /// Key → user key → cells, walked in the order of Flink's heap backend.
    Hashed(HashedShape),
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
    /// A row of the first cells, and so many bytes for the rest.
    RowAnd(RowSizer, u64),
    /// A list of rows in the first cell, and so many bytes beside them.
    List(RowSizer, u64),
    /// Always the same: a number on its own.
    Constant(u64),
    /// A list in one cell: keys with numbers of rows behind them.
    Keys {
        /// Sizes of keys.
        row: RowSizer,
        /// Bytes beside each key.
        fixed: u64,
        /// Bytes per row of a key.
        each: u64,
    },
    /// As many as the first cell says.
    FirstCell,
    /// Nothing: it is no part of a savepoint.
    Untold,
}

/// A map from user keys to cells, in no order.
#[derive(Clone, Debug)]
pub(crate) struct HashedShape {
    /// Types of a user key's cells.
    pub(crate) key_types: Rc<[DataType]>,
    /// Bytes of a user key, and whether it is a binary row or a Java `Long`, which decides its place in the order.
    pub(crate) user_key: UserKeySize,
    /// Types of the value's cells.
    pub(crate) types: Rc<[DataType]>,
    /// Names of the value's cells, for the state view.
    pub(crate) names: Rc<[Rc<str>]>,
    /// What counts as a value's bytes.
    pub(crate) size: ValueSize,
}

impl ValueSize {
    /// The bytes if they are the same for all cells.
    pub(super) fn constant(&self) -> Option<u64> {
        match self {
            Self::Row(sizer) => sizer.constant_bytes(),
            Self::RowAnd(sizer, more) => Some(sizer.constant_bytes()? + more),
            Self::Constant(bytes) => Some(*bytes),
            _ => None,
        }
    }

    /// Bytes of these cells; `None` where they are no part of a savepoint.
    pub(crate) fn bytes(&self, cells: &[Value]) -> Option<u64> {
        match self {
            Self::Row(sizer) => Some(sizer.row_bytes(cells)),
            Self::RowAnd(sizer, more) => Some(sizer.row_bytes(cells) + more),
            Self::List(sizer, fixed) => {
                let rows = match cells.first() {
                    Some(Value::Array(rows)) => rows.iter(),
                    _ => [].iter(),
                };
                let rows = rows.filter_map(|row| match row {
                    Value::Row(cells) => Some(sizer.row_bytes(cells)),
                    _ => None,
                });
                Some(fixed + rows.sum::<u64>())
            }
            Self::Constant(bytes) => Some(*bytes),
            Self::Keys { row, fixed, each } => {
                let listed = match cells.last() {
                    Some(Value::Array(keys)) => keys.iter().map(|key| match key {
                        Value::Row(cells) => cells.split_last().map_or(0, |(count, cells)| {
                            let count = count.as_int().unwrap_or(0).unsigned_abs();
                            row.row_bytes(cells) + fixed + each * count
                        }),
                        _ => 0,
                    }),
                    _ => return Some(inline_list_bytes(0)),
                };
                Some(inline_list_bytes(listed.sum()))
            }
            Self::FirstCell => {
                let told = cells.first().and_then(Value::as_int);
                Some(told.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0))
            }
            Self::Untold => None,
        }
    }
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

/// A map from user keys to rows.
#[derive(Clone, Debug)]
pub(crate) struct MapShape {
    /// Types of a user key's cells.
    pub(crate) user_key_types: Rc<[DataType]>,
    /// Bytes of a user key.
    pub(crate) user_key: UserKeySize,
    /// How user keys sort; `None` as keys are.
    pub(crate) order: Option<Rc<RowOrder>>,
    /// Columns of a row.
    pub(crate) fields: Rc<[Field]>,
    /// Sizes of rows; `None` where a row is no part of the value.
    pub(crate) row: Option<RowSizer>,
    /// Bytes of a value beside its rows.
    pub(crate) frame_bytes: u64,
    /// Bytes beside each row.
    pub(crate) item_bytes: u64,
    /// Whether a user key maps to a list, not to one row.
    pub(crate) list: bool,
    /// Whether it is a list state: no user key, the elements one behind the other.
    pub(crate) flat: bool,
    /// Whether entries are part of a savepoint.
    pub(crate) counted: bool,
}

/// How the bytes of a user key are counted.
#[derive(Clone, Debug)]
pub(crate) enum UserKeySize {
    /// Always the same: a number.
    Fixed(u64),
    /// As a row.
    Row(RowSizer),
}

impl MapShape {
    /// Lists of rows by time: milliseconds as a number of 8 bytes, shown as a point in time.
    pub(crate) fn by_time(fields: &[Field]) -> Self {
        Self {
            user_key_types: Rc::from([DataType::not_null(TypeKind::Timestamp {
                precision: 3,
                time: TimeKind::Regular,
            })]),
            ..Self::by_number(fields)
        }
    }

    /// Lists of rows by a number of 8 bytes.
    pub(crate) fn by_number(fields: &[Field]) -> Self {
        Self {
            user_key_types: Rc::from([DataType::BIGINT]),
            user_key: UserKeySize::Fixed(8),
            order: None,
            ..Self::lists(fields)
        }
    }

    /// Lists of rows by a sort key.
    pub(crate) fn sorted(fields: &[Field], key_types: &[DataType], order: RowOrder) -> Self {
        Self {
            user_key_types: Rc::from(key_types),
            user_key: UserKeySize::Row(RowSizer::for_key(key_types)),
            order: Some(Rc::new(order)),
            ..Self::lists(fields)
        }
    }

    /// A row each by a number of 8 bytes.
    pub(crate) fn row_by_number(fields: &[Field]) -> Self {
        Self {
            frame_bytes: 0,
            list: false,
            ..Self::by_number(fields)
        }
    }

    /// Windows, given as start and end, by windows.
    pub(crate) fn window_by_window() -> Self {
        const WINDOW_BYTES: u64 = 16;
        let bound = |name: &str| Field {
            name: name.into(),
            data_type: DataType::not_null(TypeKind::Timestamp {
                precision: 3,
                time: TimeKind::Regular,
            }),
        };
        Self {
            user_key_types: Rc::from([bound("start").data_type, bound("end").data_type]),
            user_key: UserKeySize::Fixed(WINDOW_BYTES),
            row: None,
            frame_bytes: WINDOW_BYTES,
            list: false,
            ..Self::lists(&[bound("start"), bound("end")])
        }
    }

    /// One row per user key.
    pub(crate) fn single(fields: &[Field]) -> Self {
        Self {
            frame_bytes: 0,
            list: false,
            ..Self::lists(fields)
        }
    }

    /// A list of rows that is a state of its own.
    pub(crate) fn list(fields: &[Field]) -> Self {
        Self {
            flat: true,
            ..Self::lists(fields)
        }
    }

    fn lists(fields: &[Field]) -> Self {
        let types: Vec<DataType> = fields.iter().map(|field| field.data_type.clone()).gather();
        Self {
            user_key_types: Rc::from([]),
            user_key: UserKeySize::Fixed(0),
            order: None,
            fields: Rc::from(fields),
            row: Some(RowSizer::new(&types)),
            frame_bytes: inline_list_bytes(0),
            item_bytes: 0,
            list: true,
            flat: false,
            counted: true,
        }
    }

    /// Types of a value as it prints: the cells of the row, or a list of rows.
    pub(crate) fn value_types(&self) -> Vec<DataType> {
        if !self.list {
            return self.fields.iter().map(|field| field.data_type.clone()).gather();
        }
        let row = DataType::not_null(TypeKind::Row(self.fields.to_vec().into()));
        vec![DataType::not_null(TypeKind::Array(row.into()))]
    }

    /// Names of a value's cells, for the state view.
    pub(crate) fn value_names(&self) -> Vec<String> {
        if self.list {
            vec!["rows".to_owned()]
        } else {
            self.fields.iter().map(|field| field.name.to_string()).gather()
        }
    }
}

impl StateSpec {
    /// Makes one record a key of states of rows by number (one or two of them) and the numbers behind them (up to three).
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn in_one_record(states: Vec<Self>) -> Vec<Self> {
        let rows = states.iter().filter_map(|state| match &state.shape {
            Shape::Map(shape) => Some(shape.clone()),
            _ => None,
        });
        let rows: Rc<[MapShape]> = rows.gather();
        let part = |(at, state): (usize, Self)| Self {
            shape: match state.shape {
                Shape::Map(_) => Shape::ByTime(Rc::clone(&rows), at),
                Shape::Value(number) => Shape::Part(number, at),
                shape => shape,
            },
            ..state
        };
        states.into_iter().enumerate().map(part).gather()
    }

    /// Whether its keys may be found by numbers that the states of an operator share.
    pub(crate) fn can_share_keys(&self) -> bool {
        self.namespace == Namespace::Void && !self.ordered
    }

    /// Cells that a namespace adds to a key.
    pub(crate) const fn namespace_width(&self) -> usize {
        match self.namespace {
            Namespace::Void => 0,
            Namespace::WindowEnd => 1,
            Namespace::Window => 2,
        }
    }
}
