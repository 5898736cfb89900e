//! What map states hold: user keys, their order, and rows. What there is mostly one of lies in place, without a list.

use std::{cmp::Ordering, ops::Deref, rc::Rc};

use sg_value::{Gather as _, Row, Value, order::sort_compare};

/// How cells of a user key sort: direction and place of NULL, cell by cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOrder {
    pub(crate) cells: Vec<CellOrder>,
}

/// How one cell sorts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellOrder {
    pub(crate) descending: bool,
    pub(crate) nulls_first: bool,
}

impl RowOrder {
    /// Order of two rows of cells.
    pub(crate) fn compare(&self, left: &[Value], right: &[Value]) -> Ordering {
        for ((left, right), order) in left.iter().zip(right).zip(&self.cells) {
            let ordering = match (left.is_null(), right.is_null()) {
                (true, true) => Ordering::Equal,
                (true, false) if order.nulls_first => Ordering::Less,
                (true, false) => Ordering::Greater,
                (false, true) if order.nulls_first => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) if order.descending => sort_compare(right, left),
                (false, false) => sort_compare(left, right),
            };
            if ordering != Ordering::Equal {
                return ordering;
            }
        }
        Ordering::Equal
    }
}

/// The cells of a user key. Mostly it is one, and lies here.
#[derive(Clone, Debug)]
pub(crate) enum UserKey {
    One([Value; 1]),
    Cells(Row),
    /// No cells.
    Only,
}

impl UserKey {
    /// A key of one number.
    pub(crate) const fn number(number: i64) -> Self {
        Self::One([Value::Int(number)])
    }

    /// The only key of a state without user keys.
    pub(crate) const fn only() -> Self {
        Self::Only
    }

    /// The cells of some columns of a row.
    pub(crate) fn of(row: &[Value], columns: &[usize]) -> Self {
        let cell = |column: &usize| row.get(*column).cloned().unwrap_or_default();
        match columns {
            [column] => Self::One([cell(column)]),
            columns => Self::Cells(columns.iter().map(cell).gather()),
        }
    }

    /// The number that the key is.
    pub(crate) fn as_number(&self) -> Option<i64> {
        self.first()?.as_int()
    }

    /// The cells as a row.
    pub(crate) fn to_row(&self) -> Row {
        match self {
            Self::One(cell) => Rc::from(&cell[..]),
            Self::Cells(cells) => Rc::clone(cells),
            Self::Only => Rc::from([]),
        }
    }
}

impl Default for UserKey {
    fn default() -> Self {
        Self::One([Value::Null])
    }
}

impl From<Row> for UserKey {
    fn from(cells: Row) -> Self {
        match &*cells {
            [cell] => Self::One([cell.clone()]),
            _ => Self::Cells(cells),
        }
    }
}

impl Deref for UserKey {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        match self {
            Self::One(cell) => cell,
            Self::Cells(cells) => cells,
            Self::Only => &[],
        }
    }
}

/// A row with a number whose meaning is the operator's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) row: Row,
    pub(crate) mark: i64,
}

impl Item {
    /// A row that is kept.
    pub(crate) fn new(row: &[Value], mark: i64) -> Self {
        Self {
            row: row_of(row),
            mark,
        }
    }
}

/// Cells as a row. Of a few cells it is made at once, without an iterator.
pub(crate) fn row_of(cells: &[Value]) -> Row {
    match cells {
        [one] => Rc::new([one.clone()]),
        [one, two] => Rc::new([one.clone(), two.clone()]),
        [one, two, three] => Rc::new([one.clone(), two.clone(), three.clone()]),
        cells => Rc::from(cells),
    }
}

/// The rows of a user key. Mostly it is one, and lies here.
#[derive(Clone, Debug, Default)]
pub(crate) enum Items {
    #[default]
    None,
    One(Item),
    Many(Vec<Item>),
}

impl From<&[Item]> for Items {
    fn from(items: &[Item]) -> Self {
        match items {
            [] => Self::None,
            [item] => Self::One(item.clone()),
            items => Self::Many(items.to_vec()),
        }
    }
}

impl Items {
    /// Adds a row behind the others.
    pub(crate) fn push(&mut self, item: Item) {
        *self = match std::mem::take(self) {
            Self::None => Self::One(item),
            Self::One(first) => Self::Many(vec![first, item]),
            Self::Many(mut items) => {
                items.push(item);
                Self::Many(items)
            }
        };
    }

    /// Takes the row at a place out.
    pub(crate) fn remove(&mut self, at: usize) -> Option<Item> {
        match self {
            Self::Many(items) if at < items.len() => Some(items.remove(at)),
            Self::One(_) if at == 0 => match std::mem::take(self) {
                Self::One(item) => Some(item),
                _ => None,
            },
            _ => None,
        }
    }

    /// The rows, to change one of them.
    pub(crate) fn as_mut(&mut self) -> &mut [Item] {
        match self {
            Self::None => &mut [],
            Self::One(item) => std::slice::from_mut(item),
            Self::Many(items) => items,
        }
    }
}

impl Deref for Items {
    type Target = [Item];

    #[inline]
    fn deref(&self) -> &[Item] {
        match self {
            Self::None => &[],
            Self::One(item) => std::slice::from_ref(item),
            Self::Many(items) => items,
        }
    }
}
