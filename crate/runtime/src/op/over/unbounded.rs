//! Running aggregates over all rows so far, by event time.
//!
//! Flink: `RowTimeRangeUnboundedPrecedingFunction`, `RowTimeRowsUnboundedPrecedingFunction`. Input and output: inserts;
//! rows wait for the watermark, one that is not after it is dropped. RANGE: rows of one time have one result.
//! State: `accState`, `inputState` (time → rows), `RowTimeUnboundedOverCleanupTime`. Timers: event time of waiting rows,
//! processing time to forget a key. Watermark: forwarded. Differs from Flink: nothing known. Cases: over/*-unbounded-*.

use sg_value::{Change, Value};

use super::{calls::Calls, cleanup::Cleanup};
use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock},
    state::{Item, Items, Table, UserKey},
    time::Timer,
};

/// The calls and where rows wait.
pub(crate) struct UnboundedOver {
    pub(crate) calls: Calls,
    pub(crate) rowtime: usize,
    /// ROWS, else RANGE.
    pub(crate) rows: bool,
    /// Handle of `inputState`.
    pub(crate) input: usize,
    pub(crate) cleanup: Cleanup,
}

impl Operator for UnboundedOver {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        self.cleanup.touch(cx);
        let at_ms = time_of(change.row, self.rowtime);
        let watermark = cx.clock.watermark;
        if at_ms <= watermark.0 {
            cx.report.late(
                Late {
                    by_ms: watermark.0.saturating_sub(at_ms),
                    watermark_ms: watermark.0,
                },
                (at_ms, at_ms.saturating_add(1)),
            );
            return Ok(());
        }
        wait(cx, self.input, at_ms, change.row);
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        if timer.clock == TimerClock::Processing {
            if has_waiting(cx, self.input) {
                self.cleanup.touch(cx);
            } else {
                Calls::clear(cx);
                self.cleanup.clear(cx);
            }
            return Ok(());
        }
        let items = take(cx, self.input, timer.at_ms);
        if self.rows {
            for item in items.iter() {
                self.calls.answer(cx, &[], std::slice::from_ref(item))?;
            }
        } else {
            self.calls.answer(cx, &[], &items)?;
        }
        self.cleanup.touch(cx);
        Ok(())
    }
}

/// The time of a row. Flink reads NULL as 0 here.
pub(super) fn time_of(row: &[Value], column: usize) -> i64 {
    row.get(column).and_then(Value::as_ms).unwrap_or(0)
}

/// Lets a row wait for its time.
pub(super) fn wait(cx: &mut Ctx<'_>, handle: usize, at_ms: i64, row: &[Value]) {
    let (key, note) = (cx.key, cx.state.note);
    let Some(Table::Map(input)) = cx.state.tables.get_mut(handle) else {
        return;
    };
    let item = Item::new(row, 0);
    if input.push(key.into(), UserKey::number(at_ms), item, &note) {
        cx.timers.register(TimerClock::Event, at_ms, key, &[]);
    }
}

/// Takes the rows of a time out.
fn take(cx: &mut Ctx<'_>, handle: usize, at_ms: i64) -> Items {
    let (key, note) = (cx.key, cx.state.note);
    match cx.state.tables.get_mut(handle) {
        Some(Table::Map(input)) => input.take(key.into(), &[Value::Int(at_ms)], &note),
        _ => Items::None,
    }
}

/// Whether rows of the current key wait.
pub(super) fn has_waiting(cx: &Ctx<'_>, handle: usize) -> bool {
    match cx.state.tables.get(handle) {
        Some(Table::Map(input)) => input.entries(cx.key.into()).is_some(),
        _ => false,
    }
}
