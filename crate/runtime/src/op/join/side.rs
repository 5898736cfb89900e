//! The rows of one input of a join, in the layout that its unique keys allow.
//!
//! Flink: `JoinRecordStateViews`, `OuterJoinRecordStateViews`. State `left-records` or `right-records`; TTL per side.

use sg_expr::EvalError;
use sg_value::{Gather as _, Row, Value};

use crate::{
    op::OpState,
    state::{Key, Table},
};

/// One input's state.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) layout: Layout,
    /// Handle of the state.
    pub(super) handle: usize,
    /// Number of columns.
    pub(super) width: usize,
    /// Whether each row is kept with the number of its matches.
    pub(super) counts_matches: bool,
}

/// How rows of an input are kept under a join key.
#[derive(Debug)]
pub(super) enum Layout {
    /// The join key contains a unique key: one row, `[row…, matches]`.
    One,
    /// By a unique key: key → `[row…, matches]`.
    ByKey(Box<[usize]>),
    /// No unique key: row → `[copies, matches]`.
    Copies,
}

/// A row of the other side that matches, by its place there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matched {
    place: u32,
    /// Its number of matches before the change at work.
    pub(super) assoc: i64,
    /// How often it is there.
    pub(super) times: i64,
}

impl Side {
    /// All rows under a join key with the numbers of their matches and of their copies.
    #[inline]
    pub(super) fn for_each(
        &self,
        state: &OpState<'_>,
        key: Key<'_>,
        mut visit: impl FnMut(&[Value], Matched) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        let number = |cells: &[Value], at: usize| cells.get(at).and_then(Value::as_int).unwrap_or(0);
        let row_of = |cells: &[Value]| cells.len().min(self.width);
        match state.tables.get(self.handle) {
            Some(Table::Value(table)) => {
                if let Some(cells) = table.get(key, &[]) {
                    let (row, _) = cells.split_at(row_of(cells));
                    let matched = Matched {
                        place: 0,
                        assoc: number(cells, self.width),
                        times: 1,
                    };
                    visit(row, matched)?;
                }
            }
            Some(Table::Hashed(table)) => {
                let copies = matches!(self.layout, Layout::Copies);
                let Some(group) = table.group(key, &[]) else {
                    return Ok(());
                };
                for place in group.places() {
                    let (user_key, cells) = group.entry(place);
                    let (row, at) = if copies {
                        (user_key, 1)
                    } else {
                        (cells, self.width)
                    };
                    let matched = Matched {
                        place,
                        assoc: number(cells, at),
                        times: if copies { number(cells, 0) } else { 1 },
                    };
                    visit(row.get(..row_of(row)).unwrap_or_default(), matched)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A row that was found.
    pub(super) fn row<'s>(&self, state: &'s OpState<'_>, key: Key<'_>, found: Matched) -> &'s [Value] {
        let cells = match (state.tables.get(self.handle), &self.layout) {
            (Some(Table::Value(table)), _) => table.get(key, &[]),
            (Some(Table::Hashed(table)), layout) => table.group(key, &[]).map(|group| {
                let (user_key, cells) = group.entry(found.place);
                if matches!(layout, Layout::Copies) {
                    user_key
                } else {
                    cells
                }
            }),
            _ => None,
        };
        cells
            .and_then(|cells| cells.get(..self.width))
            .unwrap_or_default()
    }

    /// Sets the number of matches of a row that was found.
    pub(super) fn set_matches(&self, state: &mut OpState<'_>, key: Key<'_>, found: Matched, assoc: i64) {
        if !self.counts_matches {
            return;
        }
        let note = state.note;
        let set = |cell: Option<&mut Value>| {
            if let Some(cell) = cell {
                *cell = Value::Int(assoc);
            }
        };
        match (state.tables.get_mut(self.handle), &self.layout) {
            (Some(Table::Value(table)), _) => {
                if let Some(mut entry) = table.existing(key, &[]) {
                    set(entry.cells().get_mut(self.width));
                    entry.commit(&note);
                }
            }
            (Some(Table::Hashed(table)), layout) => {
                let at = if matches!(layout, Layout::Copies) {
                    1
                } else {
                    self.width
                };
                table.write_at(key, &[], found.place, &note, |cells| set(cells.get_mut(at)));
            }
            _ => {}
        }
    }

    /// Adds a row that has so many matches; one of the same unique key is overwritten.
    pub(super) fn add(&self, state: &mut OpState<'_>, key: Key<'_>, row: &[Value], assoc: i64) {
        let note = state.note;
        let matches = self.counts_matches.then_some(assoc);
        match (state.tables.get_mut(self.handle), &self.layout) {
            (Some(Table::Value(table)), _) => {
                let mut entry = table.entry(key, &[], |cells| {
                    cells.extend_from_slice(row);
                    cells.extend(matches.map(Value::Int));
                });
                if !entry.created() {
                    self.overwrite(entry.cells(), row, matches);
                }
                entry.commit(&note);
            }
            (Some(Table::Hashed(table)), Layout::ByKey(columns)) => {
                let user_key = unique_key(columns, row);
                table.write(key, &[], &user_key, &note, |cells, _| {
                    self.overwrite(cells, row, matches);
                });
            }
            (Some(Table::Hashed(table)), _) => table.write(key, &[], row, &note, |cells, created| {
                if let [copies, rest @ ..] = cells {
                    let before = if created { 0 } else { copies.as_int().unwrap_or(0) };
                    *copies = Value::Int(before + 1);
                    if let (Some(matches), Some(cell)) = (matches, rest.first_mut()) {
                        *cell = Value::Int(matches);
                    }
                }
            }),
            _ => {}
        }
    }

    /// Lets cells be a row and the number of its matches, if that is kept.
    fn overwrite(&self, cells: &mut [Value], row: &[Value], matches: Option<i64>) {
        for (cell, value) in cells.iter_mut().zip(row) {
            cell.clone_from(value);
        }
        if let (Some(matches), Some(cell)) = (matches, cells.get_mut(self.width)) {
            *cell = Value::Int(matches);
        }
    }

    /// Takes a row back.
    pub(super) fn retract(&self, state: &mut OpState<'_>, key: Key<'_>, row: &[Value]) {
        let note = state.note;
        match (state.tables.get_mut(self.handle), &self.layout) {
            (Some(Table::Value(table)), _) => {
                if let Some(entry) = table.existing(key, &[]) {
                    entry.remove(&note);
                }
            }
            (Some(Table::Hashed(table)), Layout::ByKey(columns)) => {
                table.remove(key, &[], &unique_key(columns, row), &note);
            }
            (Some(Table::Hashed(table)), _) => {
                let copies = table.get(key, &[], row).and_then(<[Value]>::first);
                let Some(left) = copies.and_then(Value::as_int) else {
                    return;
                };
                if left > 1 {
                    table.write(key, &[], row, &note, |cells, _| {
                        if let Some(copies) = cells.first_mut() {
                            *copies = Value::Int(left - 1);
                        }
                    });
                } else {
                    table.remove(key, &[], row, &note);
                }
            }
            _ => {}
        }
    }
}

/// The cells of these columns.
pub(super) fn unique_key(columns: &[usize], row: &[Value]) -> Row {
    columns
        .iter()
        .map(|column| row.get(*column).cloned().unwrap_or_default())
        .gather()
}
