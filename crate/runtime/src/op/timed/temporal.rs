//! Left rows with the version of a right row that was valid at their time.
//!
//! Flink: `TemporalRowTimeJoinOperator`. Input: all row kinds; a version is what came last with its time, a deleted one
//! means that there is none from then on. Output: the kinds of the left rows, once the watermark has reached them, in the
//! order of arrival.
//! State: `left` (key → number → row), `right` (key → time → row), `next-index`, `timer`; with a TTL `cleanup-timestamp`.
//! Timers: one of event time per key, at the smallest time that waits; one of processing time where state expires.
//! Watermark: the smaller one. Versions before the newest one that the watermark has passed are forgotten.
//! Differs from Flink: nothing known. Cases: join-temporal/*.

use sg_diag::Span;
use sg_expr::EvalError;
use sg_value::{Change, RowKind, Value};

use super::Pairing;
use crate::{
    op::{Ctx, OpResult, Operator, TimerClock, source::watermark_assigner::rowtime_is_null},
    state::{Entries, Item, MapTable, Table, UserKey},
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

/// State handles.
const LEFT: usize = 0;
const RIGHT: usize = 1;
const NEXT_INDEX: usize = 2;
const TIMER: usize = 3;
const CLEANUP: usize = 4;

fn map<'c>(cx: &'c mut Ctx<'_>, handle: usize) -> Option<&'c mut MapTable> {
    match cx.state.tables.get_mut(handle) {
        Some(Table::Map(table)) => Some(table),
        _ => None,
    }
}

fn put(cx: &mut Ctx<'_>, handle: usize, at: i64, change: Change<'_>) {
    let (key, note) = (cx.key, cx.state.note);
    let item = Item::new(change.row, change.kind as i64);
    if let Some(table) = map(cx, handle) {
        table.put(key.into(), UserKey::number(at), item, &note);
    }
}

/// The kind that the mark of a row says.
fn kind_of(item: &Item) -> RowKind {
    let kind = usize::try_from(item.mark).ok();
    kind.and_then(|kind| RowKind::ALL.get(kind).copied())
        .unwrap_or(RowKind::Insert)
}

impl TemporalJoin {
    fn time_of(&self, row: &[Value], input: usize) -> Option<i64> {
        row.get(*self.times.get(input)?)?.as_ms()
    }

    /// One timer per key, at the smallest time that waits.
    fn await_time(cx: &mut Ctx<'_>, at_ms: i64) {
        let registered = cx.number(TIMER);
        if registered.is_some_and(|registered_ms| registered_ms <= at_ms) {
            return;
        }
        if let Some(registered_ms) = registered {
            cx.timers.delete(TimerClock::Event, registered_ms, cx.key, &[]);
        }
        cx.set_number(TIMER, Some(at_ms));
        cx.timers.register(TimerClock::Event, at_ms, cx.key, &[]);
    }

    /// Whatever is done to a key postpones the end of its state.
    fn postpone_cleanup(&self, cx: &mut Ctx<'_>) {
        if self.ttl_ms == 0 {
            return;
        }
        let now_ms = cx.clock.processing_ms;
        let registered = cx.number(CLEANUP);
        if registered.is_some_and(|at_ms| now_ms.saturating_add(self.ttl_ms) <= at_ms) {
            return;
        }
        let at_ms = now_ms.saturating_add(self.ttl_ms.saturating_mul(3) / 2);
        if let Some(registered_ms) = registered {
            cx.timers
                .delete(TimerClock::Processing, registered_ms, cx.key, &[]);
        }
        cx.set_number(CLEANUP, Some(at_ms));
        cx.timers.register(TimerClock::Processing, at_ms, cx.key, &[]);
    }

    fn drop_cleanup(cx: &mut Ctx<'_>) {
        if let Some(at_ms) = cx.number(CLEANUP) {
            cx.timers.delete(TimerClock::Processing, at_ms, cx.key, &[]);
            cx.set_number(CLEANUP, None);
        }
    }

    /// Emits the left rows up to the watermark; the smallest time of those that stay.
    fn release(&self, cx: &mut Ctx<'_>) -> Result<Option<i64>, EvalError> {
        let watermark_ms = cx.clock.watermark.0;
        let (key, note) = (cx.key, cx.state.note);
        let time_of = |items: &[Item]| items.first().and_then(|item| self.time_of(&item.row, 0));
        // mostly what came first is due first
        while let Some(table) = map(cx, LEFT)
            && let Some((_, items)) = table.entries(key.into()).and_then(Entries::first)
            && let Some(row_ms) = time_of(items)
            && row_ms <= watermark_ms
        {
            let taken = table.take_first(key.into(), &note, &|_| true);
            self.join_version(cx, row_ms, &taken)?;
        }
        let mut waiting_ms: Option<i64> = None;
        let mut due = Vec::new();
        let left = map(cx, LEFT).and_then(|table| table.entries(key.into()));
        for (at, items) in left.into_iter().flat_map(Entries::iter) {
            match time_of(items) {
                Some(row_ms) if row_ms <= watermark_ms => due.extend(at.as_number().map(|at| (at, row_ms))),
                Some(row_ms) => waiting_ms = Some(waiting_ms.map_or(row_ms, |other_ms| other_ms.min(row_ms))),
                None => {}
            }
        }
        for (at, row_ms) in due {
            if let Some(table) = map(cx, LEFT) {
                let taken = table.take(key.into(), &[Value::Int(at)], &note);
                self.join_version(cx, row_ms, &taken)?;
            }
        }
        // versions before the last one that has passed
        let second = |table: &MapTable| table.entries(key.into())?.iter().nth(1)?.0.as_number();
        while let Some(table) = map(cx, RIGHT)
            && second(table).is_some_and(|from_ms| from_ms <= watermark_ms)
        {
            table.take_first(key.into(), &note, &|_| true);
        }
        Ok(waiting_ms)
    }

    /// Emits a left row with the version that was valid at its time.
    fn join_version(&self, cx: &mut Ctx<'_>, row_ms: i64, taken: &[Item]) -> OpResult {
        let Some(item) = taken.first() else {
            return Ok(());
        };
        let versions = match cx.state.tables.get(RIGHT) {
            Some(Table::Map(table)) => table.entries(cx.key.into()),
            _ => None,
        };
        let version = versions
            .and_then(|versions| {
                let time = [Value::Int(row_ms)];
                let [before, from] = versions.around(&time);
                from.filter(|(from, _)| from.as_number() == Some(row_ms))
                    .or(before)
            })
            .and_then(|(_, items)| items.first())
            .filter(|version| !kind_of(version).retracts());
        let kind = kind_of(item);
        let joined = match version {
            Some(version) => self
                .pairing
                .matches((&item.row, &version.row), (cx.eval, &mut cx.scratch.first))?,
            None => false,
        };
        match version {
            Some(version) if joined => Pairing::emit(&mut cx.out, kind, (&item.row, &version.row)),
            _ if self.left_outer => self.pairing.pad(&mut cx.out, kind, &item.row, 0),
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
        if input == 0 {
            let index = cx.number(NEXT_INDEX).unwrap_or(0);
            cx.set_number(NEXT_INDEX, Some(index + 1));
            put(cx, LEFT, index, change);
        } else {
            put(cx, RIGHT, at_ms, change);
        }
        Self::await_time(cx, at_ms);
        self.postpone_cleanup(cx);
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        if timer.clock == TimerClock::Processing {
            let (key, note) = (cx.key, cx.state.note);
            if cx.number(CLEANUP) != Some(timer.at_ms) {
                return Ok(());
            }
            for handle in [LEFT, RIGHT] {
                if let Some(table) = map(cx, handle) {
                    table.clear(key.into(), &note);
                }
            }
            if let Some(at_ms) = cx.number(TIMER) {
                cx.timers.delete(TimerClock::Event, at_ms, key, &[]);
            }
            for handle in [NEXT_INDEX, TIMER, CLEANUP] {
                cx.set_number(handle, None);
            }
            return Ok(());
        }
        cx.set_number(TIMER, None);
        let waiting_ms = self.release(cx)?;
        if let Some(at_ms) = waiting_ms {
            Self::await_time(cx, at_ms);
        }
        if self.ttl_ms > 0 {
            let key = cx.key;
            let has_versions = map(cx, RIGHT).is_some_and(|table| table.entries(key.into()).is_some());
            if waiting_ms.is_some() || has_versions {
                self.postpone_cleanup(cx);
            } else {
                Self::drop_cleanup(cx);
                cx.set_number(NEXT_INDEX, None);
            }
        }
        Ok(())
    }
}
