//! Batch mode: the rows that are left at the end of the input, each once and as an insert.
//!
//! Flink: nothing of this kind; its batch plans have operators of their own, whose inputs end. Here streaming operators
//! compute, and their changes add up. Input: all row kinds. Output: inserts, at the end, by the sort key and then in the
//! order in which they came. State: `rows` (hash of a row → the row, with its place). Watermark: forwarded.
//! Differs from Flink: the order of rows without ORDER BY. Tests: `tests/statements/batch.rs`.

use std::hash::{Hash, Hasher};

use sg_value::{Change, Gather as _, Row, RowKind, Value};

use super::places::table;
use crate::{
    op::{Ctx, OpResult, Operator, TimerClock},
    state::{Entries, Item, RowOrder, UserKey},
    time::Timer,
};

const ROWS: usize = 0;
/// Rows that have come.
const ARRIVED: usize = 0;

pub(crate) struct FinalResult {
    /// Columns of ORDER BY.
    pub(crate) columns: Vec<usize>,
    pub(crate) order: RowOrder,
}

#[cfg_attr(sg_hot, optimize(size))]
fn hash_of(row: &[Value]) -> i64 {
    let mut hasher = sg_value::hash::TableHasher::default();
    row.hash(&mut hasher);
    hasher.finish().cast_signed()
}

/// Keeps a row for the end, or forgets one that is taken back. State 0 is `rows`.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn keep(cx: &mut Ctx<'_>, change: Change<'_>) {
    let (key, note) = (cx.key, cx.state.note);
    let number = cx.vars.get(ARRIVED).copied().unwrap_or(0) + 1;
    if let Some(arrived) = cx.vars.get_mut(ARRIVED) {
        *arrived = number;
    }
    if let Some(rows) = table(&mut cx.state, ROWS) {
        let hash = UserKey::number(hash_of(change.row));
        rows.update(key.into(), hash, &note, &mut |items| {
            if !change.kind.retracts() {
                items.push(Item::new(change.row, number));
            } else if let Some(at) = items.iter().rposition(|item| *item.row == *change.row) {
                items.remove(at);
            }
        });
    }
    // No watermark but the last one comes in batch mode.
    cx.timers.register(TimerClock::Event, i64::MAX, key, &[]);
}

/// Takes the rows of the current key that are left, by some of their columns and then by arrival.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn take_left(cx: &mut Ctx<'_>, columns: &[usize], order: &RowOrder) -> Vec<Row> {
    let (key, note) = (cx.key, cx.state.note);
    let Some(rows) = table(&mut cx.state, ROWS) else {
        return Vec::new();
    };
    let entries = rows.entries(key.into()).into_iter().flat_map(Entries::iter);
    let mut left: Vec<Item> = entries.flat_map(|(_, items)| items.iter().cloned()).gather();
    rows.clear(key.into(), &note);
    left.sort_by(|a, b| {
        let by_key = order.compare(&cells(&a.row, columns), &cells(&b.row, columns));
        by_key.then(a.mark.cmp(&b.mark))
    });
    left.into_iter().map(|item| item.row).gather()
}

/// Some columns of a row.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn cells(row: &Row, columns: &[usize]) -> Vec<Value> {
    let cell = |column: &usize| row.get(*column).cloned().unwrap_or_default();
    columns.iter().map(cell).gather()
}

impl Operator for FinalResult {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        keep(cx, change);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        for row in take_left(cx, &self.columns, &self.order) {
            cx.out.emit_row(RowKind::Insert, &row);
        }
        Ok(())
    }
}
