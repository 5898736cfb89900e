//! Batch mode: the rows that are left at the end of the input, each once and as an insert.
//!
//! Flink: nothing of this kind; its batch plans have operators of their own, whose inputs end. Here streaming operators
//! compute, and their changes add up. Input: all row kinds. Output: inserts, at the end, by the sort key and then in the
//! order in which they came. State: `rows` (hash of a row → the row, with its place). Watermark: forwarded.
//! Differs from Flink: the order of rows without ORDER BY. Tests: `tests/statements/batch.rs`.

use std::{
    hash::{Hash, Hasher},
    rc::Rc,
};

use sg_value::{Change, Gather as _, Row, RowKind, Value};

use super::places::table;
use crate::{
    op::{Ctx, OpResult, Operator, TimerClock},
    state::{Item, RowOrder},
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

fn hash_of(row: &[Value]) -> i64 {
    let mut hasher = sg_value::hash::TableHasher::default();
    row.hash(&mut hasher);
    hasher.finish().cast_signed()
}

impl Operator for FinalResult {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let number = cx.vars.get(ARRIVED).copied().unwrap_or(0) + 1;
        if let Some(arrived) = cx.vars.get_mut(ARRIVED) {
            *arrived = number;
        }
        if let Some(rows) = table(&mut cx.state, ROWS) {
            let hash = rows.user_key(Rc::from([Value::Int(hash_of(change.row))]));
            rows.update(key.into(), &hash, &note, |items| {
                if !change.kind.retracts() {
                    items.push(Item {
                        row: Rc::from(change.row),
                        mark: number,
                    });
                } else if let Some(at) = items.iter().rposition(|item| *item.row == *change.row) {
                    items.remove(at);
                }
            });
        }
        // No watermark but the last one comes in batch mode.
        cx.timers.register(TimerClock::Event, i64::MAX, key, &[]);
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some(rows) = table(&mut cx.state, ROWS) else {
            return Ok(());
        };
        let entries = rows
            .entries(key.into())
            .into_iter()
            .flat_map(|entries| entries.values());
        let mut left: Vec<Item> = entries.flat_map(|rows| rows.items.iter().cloned()).gather();
        rows.clear(key.into(), &note);
        let cells = |row: &Row| -> Vec<Value> {
            self.columns
                .iter()
                .map(|column| row.get(*column).cloned().unwrap_or_default())
                .gather()
        };
        left.sort_by(|a, b| {
            let by_key = self.order.compare(&cells(&a.row), &cells(&b.row));
            by_key.then(a.mark.cmp(&b.mark))
        });
        for item in left {
            cx.out.emit_row(RowKind::Insert, &item.row);
        }
        Ok(())
    }
}
