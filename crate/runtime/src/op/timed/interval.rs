//! Rows of two inputs whose times are near enough.
//!
//! Flink: `TimeIntervalJoin`, `RowTimeIntervalJoin`, `ProcTimeIntervalJoin`. Input: inserts. Output: inserts; a pair as
//! soon as its second row is there, a row without partner in an outer join once nobody can come any more.
//! State: `IntervalJoinLeftCache`, `IntervalJoinRightCache` (key → time → rows, each with whether it was joined),
//! `IntervalJoinLeftTimerState`, `IntervalJoinRightTimerState`, in one record a key. No TTL. Timers: one per key and side, when the earliest
//! row expires. Watermark: held back by the larger reach. Differs from Flink: rows of one key come out by time.
//! Cases: join-interval/*.

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
use sg_diag::Span;

/// The join.
pub(super) struct IntervalJoin {
    pub(super) pairing: Pairing,
    pub(super) rowtime: bool,
    /// Time columns of the left and the right input.
    pub(super) times: [usize; 2],
    /// How long after it a left and a right row can meet rows of the other side.
    pub(super) reach_ms: [i64; 2],
    /// Whether rows of a side are shown without a match.
    pub(super) outer: [bool; 2],
    pub(super) span: Span,
}

/// Among the numbers of a key: when its rows of a side are cleaned up next. Its rows of a side are the run of its number.
const CLEANUPS: [usize; 2] = [0, 1];
/// Rows of a side up to this time are gone; of all keys together, as in Flink.
const EXPIRED: [usize; 2] = [0, 1];
/// The mark of a row that was joined.
const JOINED: i64 = 1;

#[inline]
#[expect(clippy::indexing_slicing, reason = "there are two, and a bit says which")]
const fn side<T: Copy>(of: &[T; 2], input: u32) -> T {
    of[input as usize & 1]
}

/// What the join works with.
struct Work<'w, 'a> {
    record: KeyRecord<'w>,
    out: &'w mut Collector<'a>,
    timers: &'w mut Timers<'a>,
    eval: &'w EvalCx,
    buffer: &'w mut Vec<Value>,
    note: Note<'w>,
}

impl IntervalJoin {
    /// What there is of the current key.
    #[inline]
    fn work<'w, 'a>(cx: &'w mut Ctx<'a>) -> Option<Work<'w, 'a>> {
        let Some(Table::ByTime(table)) = cx.state.tables.first_mut() else {
            return None;
        };
        Some(Work {
            record: table.record(cx.key),
            out: &mut cx.out,
            timers: &mut cx.timers,
            eval: cx.eval,
            buffer: &mut cx.scratch.first,
            note: cx.state.note,
        })
    }

    /// The operator's time.
    fn now_ms(&self, cx: &Ctx<'_>) -> i64 {
        if self.rowtime {
            cx.clock.watermark.0.max(0)
        } else {
            cx.clock.processing_ms
        }
    }

    /// Rows of a side up to this time meet nobody any more.
    fn expiration_ms(&self, now_ms: i64, input: u32) -> i64 {
        if now_ms == i64::MAX {
            i64::MAX
        } else {
            now_ms.wrapping_sub(side(&self.reach_ms, input)).wrapping_sub(1)
        }
    }

    /// Removes the rows of a side up to a time.
    fn expire(&self, work: &mut Work<'_, '_>, input: u32, until_ms: i64) {
        let (run, outer) = (input as usize, side(&self.outer, input));
        while let Some((at_ms, _)) = work.record.head(run, work.record.first(run))
            && at_ms <= until_ms
        {
            let rows = work.record.same(run, work.record.first(run));
            if outer {
                for row in rows.clone() {
                    if work.record.head(run, row).is_some_and(|(_, mark)| mark != JOINED) {
                        self.pairing
                            .pad(work.out, RowKind::Insert, work.record.row(run, row), input);
                    }
                }
            }
            work.record.take(run, &rows, &work.note);
        }
    }

    /// Asks to be called when the earliest row of a side expires.
    fn register(&self, work: &mut Work<'_, '_>, input: u32, row_ms: i64) {
        let at_ms = row_ms.wrapping_add(side(&self.reach_ms, input)).wrapping_add(1);
        let clock = if self.rowtime {
            TimerClock::Event
        } else {
            TimerClock::Processing
        };
        work.timers.register(clock, at_ms, work.record.key(), &[]);
        work.record
            .set_number(side(&CLEANUPS, input), Some(at_ms), &work.note);
    }

    /// Meets the cached rows of the other side, by time; whether there was a match. Those that have expired go away.
    fn meet(
        &self,
        work: &mut Work<'_, '_>,
        (input, row): (u32, &[Value]),
        (from_ms, to_ms): (i64, i64),
        expired_ms: i64,
    ) -> Result<bool, EvalError> {
        let (other, run) = (1 - input, 1 - input as usize);
        let mut joined = false;
        while let Some(at_ms) = work.record.first_number(run)
            && at_ms <= expired_ms
        {
            if from_ms <= at_ms && at_ms <= to_ms {
                joined |= self.pair_up(work, (input, row), work.record.first(run), at_ms)?;
            }
            self.expire(work, other, at_ms);
        }
        if work.record.first_number(run).is_some_and(|at_ms| at_ms <= to_ms) {
            let from = work.record.find(run, from_ms);
            joined |= self.pair_up(work, (input, row), from, to_ms)?;
        }
        work.record.settle(run);
        Ok(joined)
    }

    /// Emits pairs with the cached rows of the other side from one on, up to a time; whether there are any.
    fn pair_up(
        &self,
        work: &mut Work<'_, '_>,
        (input, row): (u32, &[Value]),
        from: usize,
        to_ms: i64,
    ) -> Result<bool, EvalError> {
        let (run, outer) = (1 - input as usize, side(&self.outer, 1 - input));
        let (mut joined, mut newly) = (false, false);
        let mut next = work.record.head(run, from);
        if next.is_none() || !self.pairing.can_match(work.record.key()) {
            return Ok(false);
        }
        for at in from.. {
            let Some((at_ms, mark)) = next else { break };
            if at_ms > to_ms {
                break;
            }
            let held = work.record.row(run, at);
            let pair = if input == 0 { (row, held) } else { (held, row) };
            let matches = self.pairing.matches(pair, (work.eval, work.buffer))?;
            if matches {
                Pairing::emit(work.out, RowKind::Insert, pair);
                joined = true;
            }
            if outer && matches && mark != JOINED {
                work.record.mark(run, at, JOINED);
                newly = true;
            }
            next = work.record.head(run, at + 1);
            // rows of a time get their mark before those of the next time are met
            if newly && next.is_none_or(|(next_ms, _)| next_ms != at_ms) {
                work.record.marked(run, at, &work.note);
                newly = false;
            }
        }
        Ok(joined)
    }
}

impl Operator for IntervalJoin {
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult {
        let other = 1 - input;
        let now_ms = self.now_ms(cx);
        let row_ms = if self.rowtime {
            let time = change.row.get(side(&self.times, input)).and_then(Value::as_ms);
            time.ok_or_else(|| EvalError::new(rowtime_is_null(self.span)))?
        } else {
            now_ms
        };
        let from_ms = row_ms.wrapping_sub(side(&self.reach_ms, other));
        let to_ms = row_ms.wrapping_add(side(&self.reach_ms, input));
        let mut may_meet = false;
        let mut expiration_ms = 0;
        if let Some(expired_ms) = cx.vars.get_mut(side(&EXPIRED, other))
            && *expired_ms < to_ms
        {
            expiration_ms = self.expiration_ms(now_ms, other);
            *expired_ms = expiration_ms;
            may_meet = true;
        }
        let Some(mut work) = Self::work(cx) else {
            return Ok(());
        };
        let joined =
            may_meet && self.meet(&mut work, (input, change.row), (from_ms, to_ms), expiration_ms)?;
        if now_ms < to_ms {
            let head = (row_ms, i64::from(joined));
            let note = work.note;
            work.record.push(input as usize, head, change.row, &note);
            if work.record.number(side(&CLEANUPS, input)).is_none() {
                self.register(&mut work, input, row_ms);
            }
        } else if !joined && side(&self.outer, input) {
            self.pairing.pad(work.out, RowKind::Insert, change.row, input);
        }
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let now_ms = self.now_ms(cx);
        let mut expired = [None; 2];
        let Some(mut work) = Self::work(cx) else {
            return Ok(());
        };
        let note = work.note;
        // Flink looks at the right cache first.
        for input in [1, 0] {
            if work.record.number(side(&CLEANUPS, input)) != Some(timer.at_ms) {
                continue;
            }
            let expiration_ms = self.expiration_ms(now_ms, input);
            self.expire(&mut work, input, expiration_ms);
            work.record.settle(input as usize);
            match work.record.first_number(input as usize) {
                Some(at_ms) => self.register(&mut work, input, at_ms),
                None => work.record.set_number(side(&CLEANUPS, input), None, &note),
            }
            if let Some(expired) = expired.get_mut(input as usize) {
                *expired = Some(expiration_ms);
            }
        }
        for (own, expired) in EXPIRED.into_iter().zip(expired) {
            if let (Some(own), Some(expired)) = (cx.vars.get_mut(own), expired) {
                *own = expired;
            }
        }
        Ok(())
    }
}
