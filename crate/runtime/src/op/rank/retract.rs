//! The best rows of input that takes rows back: all rows are kept.
//!
//! Flink: `RetractableTopNFunction`; LIMIT is the same with one sort key for all. Input: all row kinds. Output: `+I` and
//! `-D`, or, where places are numbered, `-U` and `+U` for every row that moves.
//! State: `data-state` (sort key → rows) and `sorted-map` (sort keys with numbers of rows); TTL applies.
//! Timers: none. Watermark: forwarded. Differs from Flink: `sorted-map` and `data-state` are one table, whose entries
//! also count the bytes that a sort key takes in `sorted-map`. Cases: topn/deleted-row-promotes-the-next,
//! topn/sum-may-fall-retract-strategy, select/limit-refills-after-delete.
//!
//! A stored row remembers the kind of its last output, and a row is found again only by what was stored as an insert:
//! where an update was the last output of a row, taking it back does nothing. Flink compares the kinds, too.

use std::rc::Rc;

use sg_value::{Change, Row, RowKind, Value};

use super::places::{DATA, Places, table};
use crate::{
    op::{Ctx, OpResult, Operator},
    state::{Item, Table, UserKey},
};

/// The places.
pub(crate) struct RetractTopN {
    pub(crate) places: Places,
    /// Handle of `sorted-map`.
    pub(crate) keys: usize,
    /// Whether the kind of a row's last output stays with it.
    pub(crate) remembers_kinds: bool,
}

impl Operator for RetractTopN {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let end = self.places.end(cx, change);
        let cells = self.places.sort_key(change.row);
        let Some(sort_key) = table(&mut cx.state, DATA).map(|table| table.user_key(cells)) else {
            return Ok(());
        };
        if change.kind.retracts() {
            self.take_back(cx, &sort_key, change.row, end);
        } else {
            self.take_in(cx, &sort_key, Rc::from(change.row), end);
        }
        Ok(())
    }
}

/// A row in state.
struct Stored {
    sort_key: UserKey,
    /// Its place among those of its sort key.
    within: usize,
    row: Row,
    /// The kind of its last output.
    mark: i64,
}

impl RetractTopN {
    /// The rows in order.
    fn rows(cx: &Ctx<'_>) -> Vec<Stored> {
        let entries = match cx.state.tables.get(DATA) {
            Some(Table::Map(table)) => table.entries(cx.key.into()),
            _ => None,
        };
        entries
            .into_iter()
            .flatten()
            .flat_map(|(own, rows)| {
                rows.items.iter().enumerate().map(|(within, item)| Stored {
                    sort_key: own.clone(),
                    within,
                    row: Rc::clone(&item.row),
                    mark: item.mark,
                })
            })
            .collect()
    }

    fn update(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, change: impl FnOnce(&mut Vec<Item>)) {
        let (key, note) = (cx.key, cx.state.note);
        if let Some(data) = table(&mut cx.state, DATA) {
            data.update(key.into(), sort_key, &note, change);
        }
        self.count_keys(cx);
    }

    /// Keeps the numbers of rows per sort key, which are a value of their own in Flink.
    fn count_keys(&self, cx: &mut Ctx<'_>) {
        let (key, note) = (cx.key, cx.state.note);
        let counts: Vec<Value> = match cx.state.tables.get(DATA) {
            Some(Table::Map(table)) => table
                .entries(key.into())
                .into_iter()
                .flatten()
                .map(|(own, rows)| {
                    let count = Value::Int(rows.items.len() as i64);
                    Value::Row(own.cells.iter().cloned().chain([count]).collect())
                })
                .collect(),
            _ => return,
        };
        let Some(Table::Value(keys)) = cx.state.tables.get_mut(self.keys) else {
            return;
        };
        if counts.is_empty() {
            if let Some(entry) = keys.existing(key, &[]) {
                entry.remove(&note);
            }
            return;
        }
        let mut entry = keys.entry(key, &[], |cells| cells.push(Value::Null));
        if let Some(cell) = entry.cells().first_mut() {
            *cell = Value::Array(Rc::from(counts));
        }
        entry.commit(&note);
    }

    fn take_in(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, row: Row, end: i64) {
        let item = Item {
            row,
            mark: RowKind::Insert as i64,
        };
        self.update(cx, sort_key, |items| items.push(item));
        let rows = Self::rows(cx);
        let Some(at) = rows.iter().rposition(|stored| stored.sort_key == *sort_key) else {
            return;
        };
        let place = at as i64 + 1;
        let (Some(own), true) = (rows.get(at), place <= end) else {
            return;
        };
        if !self.places.cascades() {
            if let Some(out) = usize::try_from(end).ok().and_then(|end| rows.get(end)) {
                self.places.emit(cx, RowKind::Delete, &out.row, end);
            }
            self.places.emit(cx, RowKind::Insert, &own.row, place);
            return;
        }
        let mut current = own;
        let mut next = place;
        for before in rows.iter().skip(at + 1) {
            if next > end {
                break;
            }
            self.emit(cx, RowKind::UpdateBefore, before, next);
            self.emit(cx, RowKind::UpdateAfter, current, next);
            current = before;
            next += 1;
        }
        if next <= end {
            self.emit(cx, RowKind::Insert, current, next);
        }
    }

    fn take_back(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, row: &[Value], end: i64) {
        let rows = Self::rows(cx);
        let found = rows.iter().position(|stored| {
            stored.sort_key == *sort_key
                && *stored.row == *row
                && (!self.remembers_kinds || stored.mark == RowKind::Insert as i64)
        });
        let Some(at) = found else { return };
        let Some(removed) = rows.get(at) else { return };
        let within = removed.within;
        self.update(cx, sort_key, |items| {
            if within < items.len() {
                items.remove(within);
            }
        });
        let mut place = at as i64 + 1;
        if place > end {
            return;
        }
        if !self.places.cascades() {
            self.places.emit(cx, RowKind::Delete, &removed.row, place);
            if let Some(next) = usize::try_from(end).ok().and_then(|end| rows.get(end)) {
                self.places.emit(cx, RowKind::Insert, &next.row, end);
            }
            return;
        }
        // the rows as they are numbered without the one that is gone
        let after: Vec<Stored> = Self::rows(cx);
        let mut before = None;
        for row in after.iter().skip(at) {
            if place > end {
                break;
            }
            match before {
                None => self.places.emit(cx, RowKind::UpdateBefore, &removed.row, place),
                Some(before) => self.emit(cx, RowKind::UpdateBefore, before, place),
            }
            self.emit(cx, RowKind::UpdateAfter, row, place);
            before = Some(row);
            place += 1;
        }
        if place <= end {
            match before {
                None => self.places.emit(cx, RowKind::Delete, &removed.row, place),
                Some(before) => self.emit(cx, RowKind::Delete, before, place),
            }
        }
    }

    /// Emits a stored row; where kinds are remembered, it has this kind from now on.
    fn emit(&self, cx: &mut Ctx<'_>, kind: RowKind, stored: &Stored, place: i64) {
        let silent =
            place < self.places.start || (kind == RowKind::UpdateBefore && !self.places.update_before);
        if self.remembers_kinds && !silent {
            let (key, note) = (cx.key, cx.state.note);
            if let Some(data) = table(&mut cx.state, DATA) {
                data.update(key.into(), &stored.sort_key, &note, |items| {
                    if let Some(item) = items.get_mut(stored.within) {
                        item.mark = kind as i64;
                    }
                });
            }
        }
        self.places.emit(cx, kind, &stored.row, place);
    }
}
