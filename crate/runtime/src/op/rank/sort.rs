//! Rows in the order of their time.
//!
//! Flink: `RowTimeSortOperator`, `ProcTimeSortOperator`. Input and output: inserts. By event time rows wait for the
//! watermark; one that is not after the last time given out is dropped in silence. By processing time rows pass, or wait
//! one millisecond where there are more sort keys. State: `dataState` (time → rows) and `lastTriggeringTsState`, or
//! `sortState`; no TTL. Timers: event time of rows, or processing time. Watermark: forwarded.
//! Differs from Flink: nothing known. Cases: select/order-by-rowtime-*.

use sg_value::{Change, Gather as _, Row, RowKind, Value};

use super::places::table;
use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock},
    state::{Item, Items, RowOrder, UserKey},
    time::Timer,
};

/// The time, and what sorts rows of one time.
pub(crate) struct TimeSort {
    /// Column of the event time; `None` for processing time.
    pub(crate) rowtime: Option<usize>,
    /// Further columns.
    pub(crate) columns: Vec<usize>,
    pub(crate) order: RowOrder,
}

const DATA: usize = 0;
const LAST: usize = 1;

impl TimeSort {
    #[cfg_attr(sg_hot, optimize(size))]
    fn sorted(&self, mut items: Items) -> Items {
        let key = |row: &Row| -> Vec<Value> {
            self.columns
                .iter()
                .map(|column| row.get(*column).cloned().unwrap_or_default())
                .gather()
        };
        if !self.columns.is_empty() {
            items
                .as_mut()
                .sort_by(|left, right| self.order.compare(&key(&left.row), &key(&right.row)));
        }
        items
    }
}

impl Operator for TimeSort {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let (at_ms, clock) = match self.rowtime {
            // Flink reads NULL as 0 here
            Some(rowtime) => (
                change.row.get(rowtime).and_then(Value::as_ms).unwrap_or(0),
                TimerClock::Event,
            ),
            None if self.columns.is_empty() => {
                cx.out.emit_row(change.kind, change.row);
                return Ok(());
            }
            None => (cx.clock.processing_ms + 1, TimerClock::Processing),
        };
        if self.rowtime.is_some() && cx.number(LAST).is_some_and(|last_ms| at_ms <= last_ms) {
            let watermark = cx.clock.watermark;
            cx.report.late(
                Late {
                    by_ms: watermark.0.saturating_sub(at_ms),
                    watermark_ms: watermark.0,
                },
                (at_ms, at_ms.saturating_add(1)),
            );
            return Ok(());
        }
        if let Some(data) = table(&mut cx.state, DATA) {
            let item = Item::new(change.row, 0);
            data.push(key.into(), UserKey::number(at_ms), item, &note);
        }
        cx.timers.register(clock, at_ms, key, &[]);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let items = match table(&mut cx.state, DATA) {
            Some(data) => data.take(key.into(), &[Value::Int(timer.at_ms)], &note),
            None => return Ok(()),
        };
        for item in self.sorted(items).iter() {
            cx.out.emit_row(RowKind::Insert, &item.row);
        }
        if self.rowtime.is_some() {
            cx.set_number(LAST, Some(timer.at_ms));
        }
        Ok(())
    }
}
