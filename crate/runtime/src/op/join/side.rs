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

/// A row of the other side.
#[derive(Clone, Debug)]
pub(super) struct Matched {
    pub(super) row: Row,
    /// Its number of matches before the change at work.
    pub(super) assoc: i64,
}

impl Side {
    /// All rows under a join key with the numbers of their matches and of their copies.
    pub(super) fn for_each(
        &self,
        state: &OpState<'_>,
        key: Key<'_>,
        mut visit: impl FnMut(&[Value], i64, i64) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        let number = |cells: &[Value], at: usize| cells.get(at).and_then(Value::as_int).unwrap_or(0);
        let row_of = |cells: &[Value]| cells.len().min(self.width);
        match (state.tables.get(self.handle), &self.layout) {
            (Some(Table::Value(table)), _) => {
                if let Some(cells) = table.get(key, &[]) {
                    let (row, _) = cells.split_at(row_of(cells));
                    visit(row, number(cells, self.width), 1)?;
                }
            }
            (Some(Table::Hashed(table)), Layout::Copies) => {
                for (row, cells) in table.entries(key, &[]) {
                    visit(row, number(cells, 1), number(cells, 0))?;
                }
            }
            (Some(Table::Hashed(table)), _) => {
                for (_, cells) in table.entries(key, &[]) {
                    let (row, _) = cells.split_at(row_of(cells));
                    visit(row, number(cells, self.width), 1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds a row that has so many matches; one of the same unique key is overwritten.
    pub(super) fn add(&self, state: &mut OpState<'_>, key: Key<'_>, row: &[Value], assoc: i64) {
        self.write(state, key, row, (|copies| copies + 1, assoc));
    }

    /// Sets the number of matches of a row; one that expired meanwhile is there again.
    pub(super) fn set_matches(&self, state: &mut OpState<'_>, key: Key<'_>, row: &[Value], assoc: i64) {
        self.write(state, key, row, (|copies| copies.max(1), assoc));
    }

    /// Writes a row; how often it is there then follows from how often it was.
    fn write(
        &self,
        state: &mut OpState<'_>,
        key: Key<'_>,
        row: &[Value],
        (times, assoc): (fn(i64) -> i64, i64),
    ) {
        let note = state.note;
        let matches = self.counts_matches.then_some(Value::Int(assoc));
        match (state.tables.get_mut(self.handle), &self.layout) {
            (Some(Table::Value(table)), _) => {
                let mut entry = table.entry(key, &[], |cells| {
                    cells.extend_from_slice(row);
                    cells.extend(matches.clone());
                });
                if !entry.created() {
                    let values = row.iter().cloned().chain(matches);
                    entry
                        .cells()
                        .iter_mut()
                        .zip(values)
                        .for_each(|(cell, value)| *cell = value);
                }
                entry.commit(&note);
            }
            (Some(Table::Hashed(table)), Layout::ByKey(columns)) => {
                let cells: Row = row.iter().cloned().chain(matches).gather();
                table.put(key, &[], (&unique_key(columns, row), cells), &note);
            }
            (Some(Table::Hashed(table)), _) => table.update(key, &[], row, &note, |held| {
                let times = Value::Int(times(copies(held)));
                match matches {
                    Some(matches) => Row::from([times, matches]),
                    None => Row::from([times]),
                }
            }),
            _ => {}
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
                let Some(held) = table.get(key, &[], row) else {
                    return;
                };
                let left = copies(Some(held)) - 1;
                if left > 0 {
                    let cells = std::iter::once(Value::Int(left)).chain(held.iter().skip(1).cloned());
                    let cells: Row = cells.gather();
                    table.put(key, &[], (row, cells), &note);
                } else {
                    table.remove(key, &[], row, &note);
                }
            }
            _ => {}
        }
    }
}

fn copies(cells: Option<&Row>) -> i64 {
    cells
        .and_then(|cells| cells.first())
        .and_then(Value::as_int)
        .unwrap_or(0)
}

/// The cells of these columns.
pub(super) fn unique_key(columns: &[usize], row: &[Value]) -> Row {
    columns
        .iter()
        .map(|column| row.get(*column).cloned().unwrap_or_default())
        .gather()
}
