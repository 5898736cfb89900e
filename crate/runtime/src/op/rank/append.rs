//! The best rows of input that only comes: just those are kept.
//!
//! Flink: `AppendOnlyTopNFunction`; LIMIT is the same with one sort key for all. Input: inserts. Output: `+I`, `-D`, or,
//! where places are numbered, `-U` and `+U` for every row that moves.
//! State: `data-state-with-append` (sort key → rows); TTL applies per sort key, and rows in memory live as long.
//! Timers: none. Watermark: forwarded. Differs from Flink: nothing known. Cases: topn/*, select/limit-*.

use std::rc::Rc;

use sg_value::{Change, Row, RowKind};

use super::places::{Places, SortedRows};
use crate::{
    op::{Ctx, OpResult, Operator},
    state::{Entries, Item, UserKey, row_of},
};

/// The places and the rows.
pub(crate) struct AppendTopN {
    pub(crate) places: Places,
    pub(crate) rows: SortedRows,
}

impl Operator for AppendTopN {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let end = self.places.end(cx, change);
        self.rows.load(cx);
        let key = cx.key;
        let sort_key = UserKey::of(change.row, &self.places.sort);
        let entries = self.rows.entries(&cx.state, key);
        let count = entries.map_or(0, Entries::count);
        let is_better = |entries: Entries<'_>| {
            let worst = entries.last();
            worst.is_none_or(|(worst, _)| entries.compare(&sort_key, worst).is_lt())
        };
        if (count as i64) >= end && !entries.is_none_or(is_better) {
            return Ok(());
        }
        let row = row_of(change.row);
        let item = Item {
            row: Rc::clone(&row),
            mark: 0,
        };
        self.rows.update(&mut cx.state, key, &sort_key, &mut |items| {
            items.push(item.clone());
        });
        if self.places.cascades() {
            self.move_down(cx, &sort_key, &row, end);
        } else {
            self.push_out(cx, &row, count as i64 + 1 > end);
        }
        Ok(())
    }
}

impl AppendTopN {
    /// Every row behind the new one takes the next place; keys behind the one that holds the last place go away.
    fn move_down(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, row: &Row, end: i64) {
        let key = cx.key;
        let (mut place, mut current) = (0_i64, None);
        let mut gone: Vec<UserKey> = Vec::new();
        let entries = self.rows.entries(&cx.state, key);
        for (own, items) in entries.into_iter().flat_map(Entries::iter) {
            if place >= end {
                gone.push(own.clone());
                continue;
            }
            let Some(current) = &mut current else {
                place += items.len() as i64;
                if entries.is_some_and(|entries| entries.compare(own, sort_key).is_eq()) {
                    // the new row stands behind those of its key
                    place -= 1;
                    current = Some(row);
                }
                continue;
            };
            for item in items {
                if place >= end {
                    break;
                }
                place += 1;
                let before = &item.row;
                self.places
                    .emit_to(&mut cx.out, RowKind::UpdateBefore, before, place);
                self.places
                    .emit_to(&mut cx.out, RowKind::UpdateAfter, current, place);
                *current = before;
            }
        }
        if place < end
            && let Some(last) = current
        {
            self.places.emit_to(&mut cx.out, RowKind::Insert, last, place + 1);
        }
        for own in gone {
            self.rows.remove(&mut cx.state, key, &own);
        }
    }

    /// The last row makes place for the new one.
    fn push_out(&self, cx: &mut Ctx<'_>, row: &Row, full: bool) {
        let key = cx.key;
        if full {
            let last = self
                .rows
                .entries(&cx.state, key)
                .and_then(Entries::last)
                .and_then(|(own, items)| Some((own.clone(), Rc::clone(&items.last()?.row))));
            if let Some((own, last)) = last {
                self.rows.update(&mut cx.state, key, &own, &mut |items| {
                    items.remove(items.len() - 1);
                });
                if last == *row {
                    return;
                }
                self.places.emit_row(cx, RowKind::Delete, &last);
            }
        }
        self.places.emit_row(cx, RowKind::Insert, row);
    }
}
