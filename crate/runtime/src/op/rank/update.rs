//! The best rows of input whose rows only get better: just those are kept, by their key.
//!
//! Flink: `UpdatableTopNFunction`. Input: `+I`, `+U`. Output: `+I`, `-U`, `+U`, `-D`.
//! State: `data-state-with-update` (row key → row, number within its sort key); TTL applies. The order of the rows is in
//! memory only. Timers: none. Watermark: forwarded. Differs from Flink: the order in memory is not forgotten while
//! state expires. Cases: topn/counts-climb-update-fast, topn/counts-climb-without-rank-number.

use std::rc::Rc;

use sg_value::{Change, Gather as _, Row, RowKind};

use super::places::{DATA, Places, table};
use crate::{
    op::{Ctx, OpResult, Operator},
    state::{Entries, Item, RowOrder, Table, UserKey},
};

/// The places, the key and the order.
pub(crate) struct UpdateTopN {
    pub(crate) places: Places,
    pub(crate) row_key: Vec<usize>,
    pub(crate) order: RowOrder,
}

/// A row of the list.
#[derive(Clone)]
struct Listed {
    row_key: UserKey,
    sort_key: UserKey,
    row: Row,
    /// Rows of one sort key are ordered by when they came to it.
    since: i64,
}

impl Operator for UpdateTopN {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let end = self.places.end(cx, change);
        let mut list = self.list(cx);
        let row_key = UserKey::of(change.row, &self.row_key);
        let sort_key = UserKey::of(change.row, &self.places.sort);
        let row: Row = Rc::from(change.row);
        let known = list.iter().position(|listed| *listed.row_key == *row_key);
        let since = list.iter().map(|listed| listed.since).max().unwrap_or(0) + 1;
        let Some(from) = known else {
            self.enter(
                cx,
                list,
                Listed {
                    row_key,
                    sort_key,
                    row,
                    since,
                },
                end,
            );
            return Ok(());
        };
        let Some(old) = list.get(from).cloned() else {
            return Ok(());
        };
        let same = self.order.compare(&sort_key, &old.sort_key).is_eq();
        let new = Listed {
            row_key,
            sort_key,
            row,
            since: if same { old.since } else { since },
        };
        Self::keep(cx, &new);
        if !self.places.puts_out_rank {
            if same || !self.places.cascades() {
                self.places
                    .emit(cx, RowKind::UpdateBefore, &old.row, from as i64 + 1);
                self.places
                    .emit(cx, RowKind::UpdateAfter, &new.row, from as i64 + 1);
                return Ok(());
            }
        } else if same {
            self.places
                .emit(cx, RowKind::UpdateBefore, &old.row, from as i64 + 1);
            self.places
                .emit(cx, RowKind::UpdateAfter, &new.row, from as i64 + 1);
            return Ok(());
        }
        list.remove(from);
        let to = self.insertion(&list, &new);
        self.moved(cx, (&list, from, to), (&old, &new), end);
        Ok(())
    }
}

impl UpdateTopN {
    /// The rows of the current partition in order.
    fn list(&self, cx: &Ctx<'_>) -> Vec<Listed> {
        let entries = match cx.state.tables.get(DATA) {
            Some(Table::Map(table)) => table.entries(cx.key.into()),
            _ => None,
        };
        let mut list: Vec<Listed> = entries
            .into_iter()
            .flat_map(Entries::iter)
            .filter_map(|(row_key, items)| {
                let item = items.first()?;
                Some(Listed {
                    row_key: row_key.clone(),
                    sort_key: UserKey::of(&item.row, &self.places.sort),
                    row: Rc::clone(&item.row),
                    since: item.mark,
                })
            })
            .gather();
        list.sort_by(|left, right| {
            self.order
                .compare(&left.sort_key, &right.sort_key)
                .then(left.since.cmp(&right.since))
        });
        list
    }

    /// Where a row comes in: behind those of its sort key.
    fn insertion(&self, list: &[Listed], row: &Listed) -> usize {
        list.partition_point(|listed| self.order.compare(&listed.sort_key, &row.sort_key).is_le())
    }

    fn keep(cx: &mut Ctx<'_>, listed: &Listed) {
        let (key, note) = (cx.key, cx.state.note);
        let Some(data) = table(&mut cx.state, DATA) else {
            return;
        };
        let item = Item {
            row: Rc::clone(&listed.row),
            mark: listed.since,
        };
        data.put(key.into(), listed.row_key.clone(), item, &note);
    }

    fn forget(cx: &mut Ctx<'_>, listed: &Listed) {
        let (key, note) = (cx.key, cx.state.note);
        if let Some(data) = table(&mut cx.state, DATA) {
            data.take(key.into(), &listed.row_key, &note);
        }
    }

    /// A row that was not in the list.
    fn enter(&self, cx: &mut Ctx<'_>, mut list: Vec<Listed>, new: Listed, end: i64) {
        let at = self.insertion(&list, &new);
        if at as i64 >= end {
            return;
        }
        Self::keep(cx, &new);
        list.insert(at, new);
        let out = usize::try_from(end).ok().filter(|end| list.len() > *end);
        let gone = out.and_then(|_| list.pop());
        if let Some(gone) = &gone {
            Self::forget(cx, gone);
        }
        if !self.places.cascades() {
            if let Some(gone) = gone {
                self.places.emit_row(cx, RowKind::Delete, &gone.row);
            }
            if let Some(new) = list.get(at) {
                self.places.emit_row(cx, RowKind::Insert, &new.row);
            }
            return;
        }
        let mut place = at as i64 + 1;
        let behind: Vec<Listed> = list.iter().skip(at).cloned().chain(gone).gather();
        for pair in behind.windows(2) {
            let [after, before] = pair else { continue };
            if place > end {
                break;
            }
            self.places.emit(cx, RowKind::UpdateBefore, &before.row, place);
            self.places.emit(cx, RowKind::UpdateAfter, &after.row, place);
            place += 1;
        }
        if place <= end
            && let Some(last) = behind.last()
        {
            self.places.emit(cx, RowKind::Insert, &last.row, place);
        }
    }

    /// A row that moves from one place up to another; `list` is without it.
    fn moved(
        &self,
        cx: &mut Ctx<'_>,
        (list, from, to): (&[Listed], usize, usize),
        (old, new): (&Listed, &Listed),
        end: i64,
    ) {
        let place = |at: usize| at as i64 + 1;
        if to == from {
            self.places.emit(cx, RowKind::UpdateBefore, &old.row, place(from));
            self.places.emit(cx, RowKind::UpdateAfter, &new.row, place(from));
            return;
        }
        let (first, last) = (to.min(from), to.max(from));
        let after = |at: usize| -> Option<&Row> {
            if at == to {
                return Some(&new.row);
            }
            let index = if at > to { at - 1 } else { at };
            list.get(index).map(|listed| &listed.row)
        };
        let before = |at: usize| -> Option<&Row> {
            if at == from {
                return Some(&old.row);
            }
            let index = if at > from { at - 1 } else { at };
            list.get(index).map(|listed| &listed.row)
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
