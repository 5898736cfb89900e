//! The best rows of input whose rows only get better: just those are kept, by their key.
//!
//! Flink: `UpdatableTopNFunction`. Input: `+I`, `+U`. Output: `+I`, `-U`, `+U`, `-D`.
//! State: `data-state-with-update` (row key → row, number within its sort key); TTL applies. The order of the rows is in
//! memory only. Timers: none. Watermark: forwarded. Differs from Flink: what expires in state goes from memory, too.
//! Cases: topn/counts-climb-update-fast, topn/counts-climb-without-rank-number.

use std::rc::Rc;

use sg_value::{Change, Gather as _, Row, RowKind};

use super::places::{DATA, Places, table};
use crate::{
    op::{Ctx, OpResult, Operator},
    state::{Entries, Item, Table, UserKey, row_of},
};

/// The places and the key.
pub(crate) struct UpdateTopN {
    pub(crate) places: Places,
    pub(crate) row_key: Vec<usize>,
    /// Whether state expires: what is in memory then goes with it.
    pub(crate) expires: bool,
}

/// Handle of the rows by sort key, in memory. Rows of one sort key are in the order in which they came to it.
const ORDER: usize = 1;

/// A row and what it stands under.
#[derive(Clone)]
struct Listed {
    row_key: UserKey,
    sort_key: UserKey,
    row: Row,
}

impl Operator for UpdateTopN {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let end = self.places.end(cx, change);
        if self.expires {
            self.forget_expired(cx);
        }
        let row_key = UserKey::of(change.row, &self.row_key);
        let sort_key = UserKey::of(change.row, &self.places.sort);
        let known = match cx.state.tables.get(DATA) {
            Some(Table::Map(data)) => data.get(cx.key.into(), &row_key).first(),
            _ => None,
        };
        let Some(old) = known.map(|item| Rc::clone(&item.row)) else {
            if let Some(at) = Self::enters(cx, &sort_key, end) {
                let row = row_of(change.row);
                let new = Listed {
                    row_key,
                    sort_key,
                    row,
                };
                self.enter(cx, &new, (at, end));
            }
            return Ok(());
        };
        let old = Listed {
            row_key: row_key.clone(),
            sort_key: UserKey::of(&old, &self.places.sort),
            row: old,
        };
        let new = Listed {
            row_key,
            sort_key,
            row: row_of(change.row),
        };
        Self::keep(cx, &new);
        let same = Self::order(cx).is_none_or(|order| order.compare(&new.sort_key, &old.sort_key).is_eq());
        let from = Self::replace(cx, &old, same.then_some(&new));
        if same || !self.places.cascades() {
            if !same {
                Self::insert(cx, &new);
            }
            let place = from as i64 + 1;
            self.places.emit(cx, RowKind::UpdateBefore, &old.row, place);
            self.places.emit(cx, RowKind::UpdateAfter, &new.row, place);
            return Ok(());
        }
        let list = Self::list(cx);
        let to = Self::insertion(cx, &new.sort_key);
        Self::insert(cx, &new);
        self.moved(cx, (&list, from, to), (&old.row, &new.row), end);
        Ok(())
    }
}

impl UpdateTopN {
    /// The rows of the current partition by sort key.
    fn order<'c>(cx: &'c Ctx<'_>) -> Option<Entries<'c>> {
        match cx.state.tables.get(ORDER) {
            Some(Table::Map(table)) => table.entries(cx.key.into()),
            _ => None,
        }
    }

    /// The rows of the current partition in order.
    #[cfg_attr(sg_hot, optimize(size))]
    fn list(cx: &Ctx<'_>) -> Vec<Row> {
        let entries = Self::order(cx).into_iter().flat_map(Entries::iter);
        entries
            .flat_map(|(_, items)| items.iter().map(|item| Rc::clone(&item.row)))
            .gather()
    }

    /// Where a row comes in: behind those of its sort key.
    #[cfg_attr(sg_hot, optimize(size))]
    fn insertion(cx: &Ctx<'_>, sort_key: &UserKey) -> usize {
        let Some(order) = Self::order(cx) else { return 0 };
        let before = |(own, _): &(&UserKey, &[Item])| order.compare(own, sort_key).is_le();
        order
            .iter()
            .take_while(before)
            .map(|(_, items)| items.len())
            .sum()
    }

    /// The same of a row that is not there, if that is one of the shown places.
    fn enters(cx: &Ctx<'_>, sort_key: &UserKey, end: i64) -> Option<usize> {
        let order = Self::order(cx);
        let behind_all = order.and_then(|order| {
            let (worst, _) = order.last()?;
            (order.compare(sort_key, worst).is_ge()).then(|| order.count())
        });
        let at = behind_all.unwrap_or_else(|| Self::insertion(cx, sort_key));
        ((at as i64) < end).then_some(at)
    }

    fn keep(cx: &mut Ctx<'_>, listed: &Listed) {
        let (key, note) = (cx.key, cx.state.note);
        let item = Item {
            row: Rc::clone(&listed.row),
            mark: 0,
        };
        if let Some(data) = table(&mut cx.state, DATA) {
            data.put(key.into(), listed.row_key.clone(), item, &note);
        }
    }

    fn insert(cx: &mut Ctx<'_>, listed: &Listed) {
        let (key, note) = (cx.key, cx.state.note);
        let item = Item {
            row: Rc::clone(&listed.row),
            mark: 0,
        };
        if let Some(order) = table(&mut cx.state, ORDER) {
            order.push(key.into(), listed.sort_key.clone(), item, &note);
        }
    }

    /// Takes a row out of the order, or puts another in its place, and tells where it stood.
    #[cfg_attr(sg_hot, optimize(size))]
    fn replace(cx: &mut Ctx<'_>, old: &Listed, new: Option<&Listed>) -> usize {
        let (key, note) = (cx.key, cx.state.note);
        let mut at = Self::order(cx).map_or(0, |order| {
            let before = |(own, _): &(&UserKey, &[Item])| order.compare(own, &old.sort_key).is_lt();
            order
                .iter()
                .take_while(before)
                .map(|(_, items)| items.len())
                .sum()
        });
        if let Some(order) = table(&mut cx.state, ORDER) {
            order.update(key.into(), old.sort_key.clone(), &note, &mut |items| {
                let Some(within) = items.iter().position(|item| Rc::ptr_eq(&item.row, &old.row)) else {
                    return;
                };
                at += within;
                match new {
                    None => {
                        items.remove(within);
                    }
                    Some(new) => {
                        if let Some(item) = items.as_mut().get_mut(within) {
                            item.row = Rc::clone(&new.row);
                        }
                    }
                }
            });
        }
        at
    }

    /// Takes the last row out and tells it.
    fn forget_last(&self, cx: &mut Ctx<'_>) -> Option<Row> {
        let (sort_key, items) = Self::order(cx)?.last()?;
        let row = Rc::clone(&items.last()?.row);
        let last = Listed {
            row_key: UserKey::of(&row, &self.row_key),
            sort_key: sort_key.clone(),
            row,
        };
        Self::replace(cx, &last, None);
        let (key, note) = (cx.key, cx.state.note);
        if let Some(data) = table(&mut cx.state, DATA) {
            data.take(key.into(), &last.row_key, &note);
        }
        Some(last.row)
    }

    /// Takes out what is in memory and not in state any more.
    fn forget_expired(&self, cx: &mut Ctx<'_>) {
        for row in Self::list(cx) {
            let row_key = UserKey::of(&row, &self.row_key);
            let is_there = match cx.state.tables.get(DATA) {
                Some(Table::Map(data)) => !data.get(cx.key.into(), &row_key).is_empty(),
                _ => true,
            };
            if !is_there {
                let sort_key = UserKey::of(&row, &self.places.sort);
                let gone = Listed {
                    row_key,
                    sort_key,
                    row,
                };
                Self::replace(cx, &gone, None);
            }
        }
    }

    /// A row that was not in the list.
    fn enter(&self, cx: &mut Ctx<'_>, new: &Listed, (at, end): (usize, i64)) {
        Self::keep(cx, new);
        Self::insert(cx, new);
        let count = Self::order(cx).map_or(0, Entries::count);
        let full = count as i64 > end;
        let gone = if full { self.forget_last(cx) } else { None };
        if !self.places.cascades() {
            if let Some(gone) = gone {
                self.places.emit_row(cx, RowKind::Delete, &gone);
            }
            self.places.emit_row(cx, RowKind::Insert, &new.row);
            return;
        }
        let mut place = at as i64 + 1;
        let list = Self::list(cx);
        let behind: Vec<Row> = list.into_iter().skip(at).chain(gone).gather();
        for pair in behind.windows(2) {
            let [after, before] = pair else { continue };
            if place > end {
                break;
            }
            self.places.emit(cx, RowKind::UpdateBefore, before, place);
            self.places.emit(cx, RowKind::UpdateAfter, after, place);
            place += 1;
        }
        if place <= end
            && let Some(last) = behind.last()
        {
            self.places.emit(cx, RowKind::Insert, last, place);
        }
    }

    /// A row that moves from one place up to another; `list` is without it.
    fn moved(
        &self,
        cx: &mut Ctx<'_>,
        (list, from, to): (&[Row], usize, usize),
        (old, new): (&Row, &Row),
        end: i64,
    ) {
        let place = |at: usize| at as i64 + 1;
        if to == from {
            self.places.emit(cx, RowKind::UpdateBefore, old, place(from));
            self.places.emit(cx, RowKind::UpdateAfter, new, place(from));
            return;
        }
        let (first, last) = (to.min(from), to.max(from));
        let after = |at: usize| -> Option<&Row> {
            if at == to {
                return Some(new);
            }
            let index = if at > to { at - 1 } else { at };
            list.get(index)
        };
        let before = |at: usize| -> Option<&Row> {
            if at == from {
                return Some(old);
            }
            let index = if at > from { at - 1 } else { at };
            list.get(index)
        };
        // the place that it leaves is taken back right behind the one that it takes
        if let Some(row) = before(first) {
            self.places.emit(cx, RowKind::UpdateBefore, row, place(first));
        }
        if place(last) <= end
            && let Some(row) = before(last)
        {
            self.places.emit(cx, RowKind::UpdateBefore, row, place(last));
        }
        if let Some(row) = after(first) {
            self.places.emit(cx, RowKind::UpdateAfter, row, place(first));
        }
        for at in first + 1..last {
            if let (Some(gone), Some(row)) = (before(at), after(at)) {
                self.places.emit(cx, RowKind::UpdateBefore, gone, place(at));
                self.places.emit(cx, RowKind::UpdateAfter, row, place(at));
            }
        }
        if place(last) <= end
            && let Some(row) = after(last)
        {
            self.places.emit(cx, RowKind::UpdateAfter, row, place(last));
        }
    }
}
