//! Running aggregates over the last rows, by event time.
//!
//! Flink: `RowTimeRangeBoundedPrecedingFunction`, `RowTimeRowsBoundedPrecedingFunction`. Input and output: inserts; rows wait
//! for the watermark, but only those are dropped that are not after the last time given out for their key.
//! State: `accState`, and in one record a key `inputState` (time → rows), `lastTriggeringTsState`, and `processedCountState`
//! for ROWS, `cleanupTsState` for RANGE; ROWS has a cleanup time beside it. Timers: event time of rows and of the cleanup
//! of RANGE, processing time of that of ROWS. Watermark: forwarded. Differs from Flink: nothing known.
//! Cases: over/*bounded*.

use sg_value::{Change, RowKind};

use super::{calls::Calls, cleanup::Cleanup, unbounded::time_of};
use crate::{
    op::{Ctx, Late, OpResult, OpState, Operator, TimerClock},
    state::{Key, KeyRecord, Table, ViewSet},
    time::Timer,
};

/// The calls, the frame and the states.
pub(crate) struct BoundedOver {
    pub(crate) calls: Calls,
    pub(crate) rowtime: usize,
    pub(crate) frame: Frame,
    /// Handle of `inputState`, with the numbers in it.
    pub(crate) input: usize,
}

/// The rows of a record.
const ROWS: usize = 0;
/// `lastTriggeringTsState` among the numbers.
const LAST: usize = 0;
/// `processedCountState` or `cleanupTsState`.
const OTHER: usize = 1;

/// How far a frame reaches back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frame {
    /// So many rows.
    Rows { count: i64, cleanup: Cleanup },
    /// So many milliseconds.
    Range { length_ms: i64 },
}

impl BoundedOver {
    fn late(cx: &mut Ctx<'_>, at_ms: i64) {
        let watermark = cx.clock.watermark;
        cx.report.late(
            Late {
                by_ms: watermark.0.saturating_sub(at_ms),
                watermark_ms: watermark.0,
            },
            (at_ms, at_ms.saturating_add(1)),
        );
    }

    /// What there is of a key.
    #[inline]
    fn record<'s>(&self, state: &'s mut OpState<'_>, key: Key<'s>) -> Option<KeyRecord<'s>> {
        match state.tables.get_mut(self.input) {
            Some(Table::ByTime(table)) => Some(table.record(key)),
            _ => None,
        }
    }

    /// The rows of one time come out: of ROWS each with the values of the rows before it, of RANGE all with those of
    /// the rows since `length_ms` before.
    fn give_out(&self, cx: &mut Ctx<'_>, at_ms: i64) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some((states, rest)) = cx.state.tables.split_at_mut_checked(self.input) else {
            return Ok(());
        };
        let (Some((Table::Value(acc), views)), Some(Table::ByTime(table))) =
            (states.split_first_mut(), rest.first_mut())
        else {
            return Ok(());
        };
        let mut views = ViewSet::new(views, key, &[], note);
        let mut record = table.record(key);
        let due = record.due(ROWS, at_ms);
        let results = &mut cx.scratch.first;
        // how many rows come out together
        let (together, mut so_far) = match self.frame {
            Frame::Rows { .. } => (1, record.number(OTHER).unwrap_or(0)),
            Frame::Range { .. } => (due.len(), 0),
        };
        let mut from = due.start;
        while from < due.end {
            let own = from..from + together;
            from = own.end;
            let out = match self.frame {
                Frame::Range { length_ms } => {
                    record.take_until(ROWS, at_ms.wrapping_sub(length_ms + 1), &note)
                }
                Frame::Rows { count, .. } if so_far == count + 1 => record.take_first(ROWS, &note),
                Frame::Rows { .. } => {
                    so_far += 1;
                    0..0
                }
            };
            let mut entry = acc.entry(key, &[], |cells| self.calls.aggregates.create(cells));
            for row in out {
                self.calls
                    .retract(entry.cells(), record.row(ROWS, row), &mut views)?;
            }
            for row in own.clone() {
                self.calls
                    .accumulate(entry.cells(), record.row(ROWS, row), &mut views)?;
            }
            results.clear();
            self.calls.aggregates.values(entry.cells(), &mut views, results)?;
            entry.commit(&note);
            for row in own {
                cx.out.emit(RowKind::Insert, |cells| {
                    cells.extend_from_slice(record.row(ROWS, row));
                    cells.extend_from_slice(results);
                });
            }
        }
        record.settle(ROWS);
        if let Frame::Rows { cleanup, .. } = self.frame {
            record.set_number(OTHER, Some(so_far), &note);
            if cleanup.is_on() {
                cleanup.touch(cx);
                if let Some(mut record) = self.record(&mut cx.state, key) {
                    record.set_number(LAST, Some(at_ms), &note);
                }
                return Ok(());
            }
        }
        record.set_number(LAST, Some(at_ms), &note);
        Ok(())
    }

    fn clear(&self, cx: &mut Ctx<'_>) {
        Calls::clear(cx);
        let (key, note) = (cx.key, cx.state.note);
        if let Some(mut record) = self.record(&mut cx.state, key) {
            record.clear(ROWS, &note);
            record.set_number(OTHER, None, &note);
        }
        if let Frame::Rows { cleanup, .. } = self.frame {
            cleanup.clear(cx);
        }
        if let Some(mut record) = self.record(&mut cx.state, key) {
            record.set_number(LAST, None, &note);
        }
    }
}

impl Operator for BoundedOver {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        if let Frame::Rows { cleanup, .. } = self.frame {
            cleanup.touch(cx);
        }
        let at_ms = time_of(change.row, self.rowtime);
        let (key, note) = (cx.key, cx.state.note);
        let Some(mut record) = self.record(&mut cx.state, key) else {
            return Ok(());
        };
        if at_ms <= record.number(LAST).unwrap_or(0) {
            Self::late(cx, at_ms);
            return Ok(());
        }
        if record.push(ROWS, (at_ms, 0), change.row, &note) {
            cx.timers.register(TimerClock::Event, at_ms, key, &[]);
        }
        let Frame::Range { length_ms } = self.frame else {
            return Ok(());
        };
        // the state of a key goes away half a frame after its last row
        let needed_ms = at_ms.wrapping_add(length_ms + 1);
        if record.number(OTHER).is_none_or(|known_ms| known_ms < needed_ms) {
            let cleanup_ms = at_ms.wrapping_add(length_ms + length_ms / 2 + 1);
            cx.timers.register(TimerClock::Event, cleanup_ms, key, &[]);
            record.set_number(OTHER, Some(cleanup_ms), &note);
        }
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let key = cx.key;
        if let (Frame::Rows { .. }, TimerClock::Event) = (self.frame, timer.clock) {
            return self.give_out(cx, timer.at_ms);
        }
        let Some(record) = self.record(&mut cx.state, key) else {
            return Ok(());
        };
        match self.frame {
            Frame::Range { .. }
                if record
                    .number(OTHER)
                    .is_some_and(|cleanup_ms| cleanup_ms <= timer.at_ms) =>
            {
                self.clear(cx);
                Ok(())
            }
            Frame::Rows { cleanup, .. } if timer.clock == TimerClock::Processing => {
                let last = record.number(LAST).unwrap_or(0);
                if record.last_number(ROWS).is_some_and(|time_ms| time_ms > last) {
                    cleanup.touch(cx);
                } else {
                    self.clear(cx);
                }
                Ok(())
            }
            _ => self.give_out(cx, timer.at_ms),
        }
    }
}
