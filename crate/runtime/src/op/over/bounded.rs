//! Running aggregates over the last rows, by event time.
//!
//! Flink: `RowTimeRangeBoundedPrecedingFunction`, `RowTimeRowsBoundedPrecedingFunction`. Input and output: inserts; rows wait
//! for the watermark, but only those are dropped that are not after the last time given out for their key.
//! State: `lastTriggeringTsState`, `accState`, `inputState` (time → rows), and `processedCountState` with a cleanup time
//! for ROWS, `cleanupTsState` for RANGE. Timers: event time of rows and of the cleanup of RANGE, processing time of that
//! of ROWS. Watermark: forwarded. Differs from Flink: nothing known. Cases: over/*bounded*.

use sg_value::{Change, Value};

use super::{
    calls::Calls,
    cleanup::Cleanup,
    unbounded::{time_of, wait},
};
use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock},
    state::{Item, Items, Table},
    time::Timer,
};

/// The calls, the frame and the states.
pub(crate) struct BoundedOver {
    pub(crate) calls: Calls,
    pub(crate) rowtime: usize,
    pub(crate) frame: Frame,
    /// Handle of `inputState`.
    pub(crate) input: usize,
    /// Handle of `lastTriggeringTsState`.
    pub(crate) last: usize,
}

/// How far a frame reaches back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frame {
    /// So many rows.
    Rows {
        count: i64,
        /// Handle of `processedCountState`.
        processed: usize,
        cleanup: Cleanup,
    },
    /// So many milliseconds.
    Range {
        length_ms: i64,
        /// Handle of `cleanupTsState`.
        cleanup: usize,
    },
}

impl BoundedOver {
    fn late(cx: &mut Ctx<'_>, at_ms: i64) {
        let watermark = cx.clock.watermark;
        cx.report.late(
            Late {
                by_ms: watermark.0.saturating_sub(at_ms),
                watermark_ms: watermark.0,
            },
            (at_ms, at_ms + 1),
        );
    }

    /// Sees to it that the state of a key goes away half a frame after its last row.
    fn schedule(cx: &mut Ctx<'_>, at_ms: i64, length_ms: i64, cleanup: usize) {
        let needed_ms = at_ms + length_ms + 1;
        if cx.number(cleanup).is_some_and(|known_ms| known_ms >= needed_ms) {
            return;
        }
        let cleanup_ms = at_ms + length_ms + length_ms / 2 + 1;
        cx.timers.register(TimerClock::Event, cleanup_ms, cx.key, &[]);
        cx.set_number(cleanup, Some(cleanup_ms));
    }

    fn rows_of(&self, cx: &Ctx<'_>, at_ms: i64) -> Items {
        match cx.state.tables.get(self.input) {
            Some(Table::Map(input)) => input.get(cx.key.into(), &[Value::Int(at_ms)]).into(),
            _ => Items::None,
        }
    }

    /// The rows of one time with the values of all rows since `length_ms` before.
    fn fire_range(&self, cx: &mut Ctx<'_>, at_ms: i64, length_ms: i64) -> OpResult {
        let rows = self.rows_of(cx, at_ms);
        if rows.is_empty() {
            return Ok(());
        }
        let (key, note) = (cx.key, cx.state.note);
        let mut out: Vec<Item> = Vec::new();
        if let Some(Table::Map(input)) = cx.state.tables.get_mut(self.input) {
            input.take_until(key.into(), &note, at_ms - length_ms - 1, &mut out);
        }
        self.calls.answer(cx, &out, &rows)
    }

    /// Each row of one time with the values of the rows before it.
    fn fire_rows(&self, cx: &mut Ctx<'_>, at_ms: i64, count: i64, processed: usize) -> OpResult {
        let mut so_far = cx.number(processed).unwrap_or(0);
        for item in self.rows_of(cx, at_ms).iter() {
            let mut out = None;
            if so_far == count + 1 {
                out = self.take_oldest(cx);
            } else {
                so_far += 1;
            }
            self.calls
                .answer(cx, out.as_slice(), std::slice::from_ref(item))?;
        }
        cx.set_number(processed, Some(so_far));
        Ok(())
    }

    /// The first row of the earliest time.
    fn take_oldest(&self, cx: &mut Ctx<'_>) -> Option<Item> {
        let (key, note) = (cx.key, cx.state.note);
        let Some(Table::Map(input)) = cx.state.tables.get_mut(self.input) else {
            return None;
        };
        input.pop_first(key.into(), &note)
    }

    fn clear(&self, cx: &mut Ctx<'_>, others: &[usize]) {
        Calls::clear(cx);
        let (key, note) = (cx.key, cx.state.note);
        if let Some(Table::Map(input)) = cx.state.tables.get_mut(self.input) {
            input.clear(key.into(), &note);
        }
        for handle in others.iter().chain([&self.last]) {
            cx.set_number(*handle, None);
        }
    }
}

impl Operator for BoundedOver {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        if let Frame::Rows { cleanup, .. } = self.frame {
            cleanup.touch(cx);
        }
        let at_ms = time_of(change.row, self.rowtime);
        if at_ms <= cx.number(self.last).unwrap_or(0) {
            Self::late(cx, at_ms);
            return Ok(());
        }
        wait(cx, self.input, at_ms, change.row);
        if let Frame::Range { length_ms, cleanup } = self.frame {
            Self::schedule(cx, at_ms, length_ms, cleanup);
        }
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        match self.frame {
            Frame::Range { length_ms, cleanup } => {
                if cx
                    .number(cleanup)
                    .is_some_and(|cleanup_ms| cleanup_ms <= timer.at_ms)
                {
                    self.clear(cx, &[cleanup]);
                    return Ok(());
                }
                self.fire_range(cx, timer.at_ms, length_ms)?;
            }
            Frame::Rows {
                count,
                processed,
                cleanup,
            } => {
                if timer.clock == TimerClock::Processing {
                    let last = cx.number(self.last).unwrap_or(0);
                    let waits = match cx.state.tables.get(self.input) {
                        Some(Table::Map(input)) => input
                            .entries(cx.key.into())
                            .and_then(|entries| entries.last()?.0.as_number())
                            .is_some_and(|time_ms| time_ms > last),
                        _ => false,
                    };
                    if waits {
                        cleanup.touch(cx);
                    } else {
                        self.clear(cx, &[processed, cleanup.state]);
                    }
                    return Ok(());
                }
                self.fire_rows(cx, timer.at_ms, count, processed)?;
                cleanup.touch(cx);
            }
        }
        cx.set_number(self.last, Some(timer.at_ms));
        Ok(())
    }
}
