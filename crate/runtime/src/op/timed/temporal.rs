//! Left rows with the version of a right row that was valid at their time.
//!
//! Flink: `TemporalRowTimeJoinOperator`. Input: all row kinds; a version is what came last with its time, a deleted one
//! means that there is none from then on. Output: the kinds of the left rows, once the watermark has reached them, in the
//! order of arrival.
//! State: `left` (key → number → row), `right` (key → time → row), `next-index`, `timer`; with a TTL `cleanup-timestamp`;
//! all in one record a key.
//! Timers: one of event time per key, at the smallest time that waits; one of processing time where state expires.
//! Watermark: the smaller one. Versions before the newest one that the watermark has passed are forgotten.
//! Differs from Flink: nothing known. Cases: join-temporal/*.

use sg_diag::Span;
use sg_expr::{EvalCx, EvalError};
use sg_value::{Change, RowKind, Value};

use super::Pairing;
use crate::{
    op::{
        Collector, Ctx, OpResult, Operator, TimerClock, Timers, source::watermark_assigner::rowtime_is_null,
    },
    state::{KeyRecord, Note, Table},
    time::Timer,
};

/// The join.
pub(super) struct TemporalJoin {
    pub(super) pairing: Pairing,
    /// Time columns of the left and the right input.
    pub(super) times: [usize; 2],
    /// Whether left rows are shown without a version.
    pub(super) left_outer: bool,
    pub(super) ttl_ms: i64,
    pub(super) span: Span,
}

/// The runs of rows of a key: `left`, `right`.
const LEFT: usize = 0;
const RIGHT: usize = 1;
/// Its numbers.
const NEXT_INDEX: usize = 0;
const TIMER: usize = 1;
const CLEANUP: usize = 2;

/// The kind that the mark of a row says.
fn kind_of(mark: i64) -> RowKind {
    let kind = usize::try_from(mark).ok();
    kind.and_then(|kind| RowKind::ALL.get(kind).copied())
        .unwrap_or(RowKind::Insert)
}

/// What the join works with.
struct Work<'w, 'a> {
    record: KeyRecord<'w>,
    out: &'w mut Collector<'a>,
    timers: &'w mut Timers<'a>,
    eval: &'w EvalCx,
    buffer: &'w mut Vec<Value>,
    note: Note<'w>,
    watermark_ms: i64,
    now_ms: i64,
}

impl<'w, 'a> Work<'w, 'a> {
    /// What there is of the current key.
    #[inline]
    fn of(cx: &'w mut Ctx<'a>) -> Option<Self> {
        let Some(Table::ByTime(table)) = cx.state.tables.first_mut() else {
            return None;
        };
        Some(Self {
            record: table.record(cx.key),
            out: &mut cx.out,
            timers: &mut cx.timers,
            eval: cx.eval,
            buffer: &mut cx.scratch.first,
            note: cx.state.note,
            watermark_ms: cx.clock.watermark.0,
            now_ms: cx.clock.processing_ms,
        })
    }

    fn set(&mut self, field: usize, number: Option<i64>) {
        self.record.set_number(field, number, &self.note);
    }

    fn delete_timer(&mut self, clock: TimerClock, at_ms: Option<i64>) {
        if let Some(at_ms) = at_ms {
            self.timers.delete(clock, at_ms, self.record.key(), &[]);
        }
    }

    /// One timer per key, at the smallest time that waits.
    fn await_time(&mut self, at_ms: i64) {
        let registered = self.record.number(TIMER);
        if registered.is_some_and(|registered_ms| registered_ms <= at_ms) {
            return;
        }
        self.delete_timer(TimerClock::Event, registered);
        self.set(TIMER, Some(at_ms));
        self.timers
            .register(TimerClock::Event, at_ms, self.record.key(), &[]);
    }
}

impl TemporalJoin {
    fn time_of(&self, row: &[Value], input: usize) -> Option<i64> {
        row.get(*self.times.get(input)?)?.as_ms()
    }

    /// Whatever is done to a key postpones the end of its state.
    fn postpone_cleanup(&self, work: &mut Work<'_, '_>) {
        if self.ttl_ms == 0 {
            return;
        }
        let now_ms = work.now_ms;
        let registered = work.record.number(CLEANUP);
        if registered.is_some_and(|at_ms| now_ms.saturating_add(self.ttl_ms) <= at_ms) {
            return;
        }
        let at_ms = now_ms.saturating_add(self.ttl_ms.saturating_mul(3) / 2);
        work.delete_timer(TimerClock::Processing, registered);
        work.set(CLEANUP, Some(at_ms));
        work.timers
            .register(TimerClock::Processing, at_ms, work.record.key(), &[]);
    }

    /// Emits the left rows up to the watermark; the smallest time of those that stay.
    fn release(&self, work: &mut Work<'_, '_>) -> Result<Option<i64>, EvalError> {
        let (mut waiting_ms, mut result): (Option<i64>, OpResult) = (None, Ok(()));
        let mut at = work.record.first(LEFT);
        // where the next row that stays belongs
        let mut end = at;
        while let Some((_, mark)) = work.record.head(LEFT, at) {
            let time = self.time_of(work.record.row(LEFT, at), 0);
            if result.is_ok()
                && let Some(row_ms) = time
                && row_ms <= work.watermark_ms
            {
                let first = work.record.first(LEFT) == at;
                work.record.take(LEFT, &(at..at + 1), &work.note);
                result = self.join_version(work, row_ms, (at, mark));
                // mostly what came first is due first, and nothing has to be moved
                end += usize::from(first);
            } else {
                if let Some(row_ms) = time {
                    waiting_ms = Some(waiting_ms.map_or(row_ms, |other_ms| other_ms.min(row_ms)));
                }
                if end < at {
                    work.record.move_row(LEFT, at, end);
                }
                end += 1;
            }
            at += 1;
        }
        work.record.cut(LEFT, end);
        work.record.settle(LEFT);
        result?;
        // versions before the last one that has passed
        let mut first = work.record.first(RIGHT);
        while let Some((from_ms, _)) = work.record.head(RIGHT, first + 1)
            && from_ms <= work.watermark_ms
        {
            work.record.take(RIGHT, &(first..first + 1), &work.note);
            first += 1;
        }
        work.record.settle(RIGHT);
        Ok(waiting_ms)
    }

    /// Emits a left row with the version that was valid at its time.
    fn join_version(&self, work: &mut Work<'_, '_>, row_ms: i64, (at, mark): (usize, i64)) -> OpResult {
        let record = &work.record;
        let (row, kind) = (record.row(LEFT, at), kind_of(mark));
        let behind = record.find(RIGHT, row_ms.saturating_add(1));
        let version = behind
            .checked_sub(1)
            .filter(|version| *version >= record.first(RIGHT))
            .filter(|version| {
                let head = record.head(RIGHT, *version);
                head.is_some_and(|(_, mark)| !kind_of(mark).retracts())
            })
            .map(|version| record.row(RIGHT, version));
        let joined = match version {
            Some(version) => self.pairing.matches((row, version), (work.eval, work.buffer))?,
            None => false,
        };
        match version {
            Some(version) if joined => Pairing::emit(work.out, kind, (row, version)),
            _ if self.left_outer => self.pairing.pad(work.out, kind, row, 0),
            _ => {}
        }
        Ok(())
    }
}

impl Operator for TemporalJoin {
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult {
        let Some(at_ms) = self.time_of(change.row, input as usize) else {
            return Err(EvalError::new(rowtime_is_null(self.span)));
        };
        let Some(mut work) = Work::of(cx) else {
            return Ok(());
        };
        let (mut run, mut number, note) = (RIGHT, at_ms, work.note);
        if input == 0 {
            (run, number) = (LEFT, work.record.number(NEXT_INDEX).unwrap_or(0));
            work.set(NEXT_INDEX, Some(number + 1));
        }
        work.record
            .push(run, (number, change.kind as i64), change.row, &note);
        work.await_time(at_ms);
        self.postpone_cleanup(&mut work);
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let Some(mut work) = Work::of(cx) else {
            return Ok(());
        };
        if timer.clock == TimerClock::Processing {
            let note = work.note;
            if work.record.number(CLEANUP) != Some(timer.at_ms) {
                return Ok(());
            }
            for run in [LEFT, RIGHT] {
                work.record.clear(run, &note);
            }
            let registered = work.record.number(TIMER);
            work.delete_timer(TimerClock::Event, registered);
            for field in [NEXT_INDEX, TIMER, CLEANUP] {
                work.set(field, None);
            }
            return Ok(());
        }
        work.set(TIMER, None);
        let waiting_ms = self.release(&mut work)?;
        if let Some(at_ms) = waiting_ms {
            work.await_time(at_ms);
        }
        if self.ttl_ms > 0 {
            if waiting_ms.is_some() || work.record.first_number(RIGHT).is_some() {
                self.postpone_cleanup(&mut work);
            } else {
                let registered = work.record.number(CLEANUP);
                work.delete_timer(TimerClock::Processing, registered);
                work.set(CLEANUP, None);
                work.set(NEXT_INDEX, None);
            }
        }
        Ok(())
    }
}
