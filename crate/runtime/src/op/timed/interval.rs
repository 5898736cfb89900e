//! Rows of two inputs whose times are near enough.
//!
//! Flink: `TimeIntervalJoin`, `RowTimeIntervalJoin`, `ProcTimeIntervalJoin`. Input: inserts. Output: inserts; a pair as
//! soon as its second row is there, a row without partner in an outer join once nobody can come any more.
//! State: `IntervalJoinLeftCache`, `IntervalJoinRightCache` (key → time → rows, each with whether it was joined),
//! `IntervalJoinLeftTimerState`, `IntervalJoinRightTimerState`. No TTL. Timers: one per key and side, when the earliest
//! row expires. Watermark: held back by the larger reach. Differs from Flink: rows of one key come out by time.
//! Cases: join-interval/*.

use sg_expr::EvalError;
use sg_value::{Change, RowKind, Value};

use super::Pairing;
use crate::{
    op::{Ctx, OpResult, Operator, TimerClock, source::watermark_assigner::rowtime_is_null},
    state::{Item, MapTable, Table, UserKey},
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

/// State handles: caches, then the times at which rows of a side are cleaned up next.
const CACHES: [usize; 2] = [0, 1];
const CLEANUPS: [usize; 2] = [2, 3];
/// Rows of a side up to this time are gone; of all keys together, as in Flink.
const EXPIRED: [usize; 2] = [0, 1];
/// The mark of a row that was joined.
const JOINED: i64 = 1;

const fn side<T: Copy>(of: [T; 2], input: u32) -> T {
    let [left, right] = of;
    if input == 0 { left } else { right }
}

impl IntervalJoin {
    /// The operator's time.
    fn now_ms(&self, cx: &Ctx<'_>) -> i64 {
        if self.rowtime {
            cx.clock.watermark.0.max(0)
        } else {
            cx.clock.processing_ms
        }
    }

    fn cache<'c>(cx: &'c mut Ctx<'_>, input: u32) -> Option<&'c mut MapTable> {
        match cx.state.tables.get_mut(side(CACHES, input)) {
            Some(Table::Map(table)) => Some(table),
            _ => None,
        }
    }

    /// Rows of a side up to this time meet nobody any more.
    fn expiration_ms(&self, now_ms: i64, input: u32) -> i64 {
        if now_ms == i64::MAX {
            i64::MAX
        } else {
            now_ms - side(self.reach_ms, input) - 1
        }
    }

    /// Removes the rows of a side up to a time; the time of the first one that is left.
    fn expire(&self, cx: &mut Ctx<'_>, input: u32, until_ms: i64) -> Option<i64> {
        let (key, note) = (cx.key, cx.state.note);
        let outer = side(self.outer, input);
        let Some(Table::Map(cache)) = cx.state.tables.get_mut(side(CACHES, input)) else {
            return None;
        };
        cache.drop_until(key.into(), &note, until_ms, &mut |items| {
            if outer {
                for item in items.iter().filter(|item| item.mark != JOINED) {
                    self.pairing.pad(&mut cx.out, RowKind::Insert, &item.row, input);
                }
            }
        })
    }

    /// Asks to be called when the earliest row of a side expires.
    fn register(&self, cx: &mut Ctx<'_>, input: u32, row_ms: i64) {
        let at_ms = row_ms
            .saturating_add(side(self.reach_ms, input))
            .saturating_add(1);
        let clock = if self.rowtime {
            TimerClock::Event
        } else {
            TimerClock::Processing
        };
        cx.timers.register(clock, at_ms, cx.key, &[]);
        cx.set_number(side(CLEANUPS, input), Some(at_ms));
    }

    /// Meets the cached rows of the other side, by time; whether there was a match. Those that have expired go away.
    fn meet(
        &self,
        cx: &mut Ctx<'_>,
        input: u32,
        row: &[Value],
        (from_ms, to_ms): (i64, i64),
    ) -> Result<bool, EvalError> {
        let (key, other) = (cx.key, 1 - input);
        let expired_ms = cx.vars.get(side(EXPIRED, other)).copied().unwrap_or_default();
        let first = |cx: &Ctx<'_>| match cx.state.tables.get(side(CACHES, other)) {
            Some(Table::Map(cache)) => cache.first_number(key.into()),
            _ => None,
        };
        let mut first_ms = first(cx);
        let mut joined = false;
        while let Some(at_ms) = first_ms
            && at_ms <= expired_ms
        {
            joined |= self.pair_up(cx, input, row, (at_ms.max(from_ms), at_ms.min(to_ms)))?;
            self.expire(cx, other, at_ms);
            first_ms = first(cx);
        }
        if first_ms.is_some_and(|at_ms| at_ms <= to_ms) {
            joined |= self.pair_up(cx, input, row, (from_ms, to_ms))?;
        }
        Ok(joined)
    }

    /// Emits pairs with the cached rows of the other side between two times, the first and the last; whether there are any.
    fn pair_up(
        &self,
        cx: &mut Ctx<'_>,
        input: u32,
        row: &[Value],
        (from_ms, to_ms): (i64, i64),
    ) -> Result<bool, EvalError> {
        let (key, note, other) = (cx.key, cx.state.note, 1 - input);
        if !self.pairing.can_match(key) {
            return Ok(false);
        }
        let Some(Table::Map(cache)) = cx.state.tables.get_mut(side(CACHES, other)) else {
            return Ok(false);
        };
        let outer = side(self.outer, other);
        let mut joined = false;
        let mut next = [Value::Int(from_ms)];
        loop {
            // rows of a time that were not joined before: they get their mark before those of the next time are met
            let (mut newly, mut at_ms) = (Vec::new(), to_ms);
            let entries = cache.entries(key.into());
            let entries = entries.map(|entries| {
                let first = entries.first().map(|(time, _)| &**time);
                let skips = first.is_some_and(|first| first < &next[..]);
                entries.iter_from(skips.then_some(&next[..]))
            });
            for (time, items) in entries.into_iter().flatten() {
                at_ms = time.as_number().unwrap_or(i64::MAX);
                if at_ms > to_ms {
                    break;
                }
                for (at, item) in items.iter().enumerate() {
                    let pair: (&[Value], &[Value]) = if input == 0 {
                        (row, &item.row)
                    } else {
                        (&item.row, row)
                    };
                    if !self.pairing.matches(pair, (cx.eval, &mut cx.scratch.first))? {
                        continue;
                    }
                    Pairing::emit(&mut cx.out, RowKind::Insert, pair);
                    joined = true;
                    if outer && item.mark != JOINED {
                        newly.push(at);
                    }
                }
                if !newly.is_empty() {
                    break;
                }
            }
            if newly.is_empty() {
                return Ok(joined);
            }
            cache.update(key.into(), UserKey::number(at_ms), &note, &mut |items| {
                for at in &newly {
                    if let Some(item) = items.as_mut().get_mut(*at) {
                        item.mark = JOINED;
                    }
                }
            });
            next = [Value::Int(at_ms.saturating_add(1))];
        }
    }
}

impl Operator for IntervalJoin {
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult {
        let other = 1 - input;
        let now_ms = self.now_ms(cx);
        let row_ms = if self.rowtime {
            let time = change.row.get(side(self.times, input)).and_then(Value::as_ms);
            time.ok_or_else(|| EvalError::new(rowtime_is_null(self.span)))?
        } else {
            now_ms
        };
        let from_ms = row_ms.saturating_sub(side(self.reach_ms, other));
        let to_ms = row_ms.saturating_add(side(self.reach_ms, input));
        let mut joined = false;
        let expired = side(EXPIRED, other);
        if cx.vars.get(expired).is_none_or(|expired_ms| *expired_ms < to_ms) {
            let expiration_ms = self.expiration_ms(now_ms, other);
            if let Some(expired_ms) = cx.vars.get_mut(expired) {
                *expired_ms = expiration_ms;
            }
            joined = self.meet(cx, input, change.row, (from_ms, to_ms))?;
        }
        if now_ms < to_ms {
            let (key, note) = (cx.key, cx.state.note);
            let item = Item::new(change.row, i64::from(joined));
            if let Some(cache) = Self::cache(cx, input) {
                cache.push(key.into(), UserKey::number(row_ms), item, &note);
            }
            if cx.number(side(CLEANUPS, input)).is_none() {
                self.register(cx, input, row_ms);
            }
        } else if !joined && side(self.outer, input) {
            self.pairing.pad(&mut cx.out, RowKind::Insert, change.row, input);
        }
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let now_ms = self.now_ms(cx);
        // Flink looks at the right cache first.
        for input in [1, 0] {
            if cx.number(side(CLEANUPS, input)) != Some(timer.at_ms) {
                continue;
            }
            let expiration_ms = self.expiration_ms(now_ms, input);
            if let Some(expired_ms) = cx.vars.get_mut(side(EXPIRED, input)) {
                *expired_ms = expiration_ms;
            }
            let earliest_ms = self.expire(cx, input, expiration_ms);
            match earliest_ms {
                Some(at_ms) => self.register(cx, input, at_ms),
                None => cx.set_number(side(CLEANUPS, input), None),
            }
        }
        Ok(())
    }
}
