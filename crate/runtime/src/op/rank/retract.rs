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
//! where an update was the last output of a row, taking it back leaves it among the rows and only lowers the number of
//! rows of its sort key, by which places are counted. Flink compares the kinds, too.

use std::rc::Rc;

use sg_value::{Change, Gather as _, Row, RowKind, Value};

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
    /// Visits all sort keys in order, each with the number of its rows and those that are there.
    fn walk(&self, cx: &Ctx<'_>, mut visit: impl FnMut(&UserKey, i64, &[Item])) {
        let cells = match cx.state.tables.get(self.keys) {
            Some(Table::Value(keys)) => keys.get(cx.key, &[]),
            _ => None,
        };
        let counts: &[Value] = match cells.and_then(<[Value]>::first) {
            Some(Value::Array(counts)) => counts,
            _ => &[],
        };
        let Some(Table::Map(table)) = cx.state.tables.get(DATA) else {
            return;
        };
        let mut counts = counts.iter();
        for (own, rows) in table.entries(cx.key.into()).into_iter().flatten() {
            let mut ahead = counts.clone();
            let count = ahead.find_map(|counted| match counted {
                Value::Row(cells) => match cells.split_last()? {
                    (count, key) if *key == *own.cells => count.as_int(),
                    _ => None,
                },
                _ => None,
            });
            if count.is_some() {
                counts = ahead;
            }
            visit(own, count.unwrap_or(0), &rows.items);
        }
    }

    /// The rows in order, and the place of the first one of a sort key.
    fn rows(&self, cx: &Ctx<'_>, sort_key: &UserKey) -> (Vec<Stored>, i64) {
        let (mut all, mut place) = (Vec::new(), 1);
        self.walk(cx, |own, count, items| {
            if own < sort_key {
                place += count;
            }
            let items = if count > 0 { items } else { &[] };
            all.extend(items.iter().enumerate().map(|(within, item)| Stored {
                sort_key: own.clone(),
                within,
                row: Rc::clone(&item.row),
                mark: item.mark,
            }));
        });
        (all, place)
    }

    fn update(cx: &mut Ctx<'_>, sort_key: &UserKey, change: impl FnOnce(&mut Vec<Item>)) {
        let (key, note) = (cx.key, cx.state.note);
        if let Some(data) = table(&mut cx.state, DATA) {
            data.update(key.into(), sort_key, &note, change);
        }
    }

    /// There is one row more of a sort key, or less.
    fn count(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, by: i64) {
        let (key, note) = (cx.key, cx.state.note);
        let mut counts: Vec<Value> = Vec::new();
        self.walk(cx, |own, count, _| {
            let count = if own == sort_key { count + by } else { count };
            if count > 0 {
                let cells = own.cells.iter().cloned();
                counts.push(Value::Row(cells.chain([Value::Int(count)]).gather()));
            }
        });
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
        Self::update(cx, sort_key, |items| items.push(item));
        self.count(cx, sort_key, 1);
        let (rows, first) = self.rows(cx, sort_key);
        let Some(at) = rows.iter().rposition(|stored| stored.sort_key == *sort_key) else {
            return;
        };
        let Some(own) = rows.get(at) else { return };
        if !self.places.cascades() {
            let place = at as i64 + 1;
            if place > end {
                return;
            }
            if let Some(out) = usize::try_from(end).ok().and_then(|end| rows.get(end)) {
                self.places.emit(cx, RowKind::Delete, &out.row, end);
            }
            self.places.emit(cx, RowKind::Insert, &own.row, place);
            return;
        }
        let mut current = own;
        let mut next = first + self.number(cx, sort_key) - 1;
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

    /// The number of rows of a sort key.
    fn number(&self, cx: &Ctx<'_>, sort_key: &UserKey) -> i64 {
        let mut number = 0;
        self.walk(cx, |own, count, _| {
            if own == sort_key {
                number = count;
            }
        });
        number
    }

    fn take_back(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, row: &[Value], end: i64) {
        let (rows, first) = self.rows(cx, sort_key);
        let found = rows.iter().position(|stored| {
            stored.sort_key == *sort_key
                && *stored.row == *row
                && (!self.remembers_kinds || stored.mark == RowKind::Insert as i64)
        });
        let Some(at) = found else {
            self.count(cx, sort_key, -1);
            return;
        };
        let Some(removed) = rows.get(at) else { return };
        let within = removed.within;
        Self::update(cx, sort_key, |items| {
            if within < items.len() {
                items.remove(within);
            }
        });
        if !self.places.cascades() {
            self.count(cx, sort_key, -1);
            let place = at as i64 + 1;
            if place > end {
                return;
            }
            self.places.emit(cx, RowKind::Delete, &removed.row, place);
            if let Some(next) = usize::try_from(end).ok().and_then(|end| rows.get(end)) {
                self.places.emit(cx, RowKind::Insert, &next.row, end);
            }
            return;
        }
        let mut place = first + within as i64;
        if place <= end {
            // the rows as they are numbered without the one that is gone
            let (after, _) = self.rows(cx, sort_key);
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
        self.count(cx, sort_key, -1);
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
