//! Running aggregates by processing time.
//!
//! Flink: `ProcTimeUnboundedPrecedingFunction`, `ProcTimeRowsBoundedPrecedingFunction`,
//! `ProcTimeRangeBoundedPrecedingFunction`. Input and output: inserts. A row comes out at once; with a RANGE the rows of a
//! millisecond come out together one millisecond later. State: `accState` (TTL applies to the unbounded one), for frames
//! with a bound `inputState` (arrival → rows), `processedCountState` and `smallestTSState` or `cleanupTsState`.
//! Timers: processing time. Watermark: forwarded. Differs from Flink: nothing known. Cases: over/proctime-*.

use sg_value::{Change, Value};

use super::{calls::Calls, cleanup::Cleanup};
use crate::{
    op::{Ctx, OpResult, Operator, TimerClock},
    state::{Item, Items, Table, UserKey},
    time::Timer,
};

/// All rows so far.
pub(crate) struct RunningOver {
    pub(crate) calls: Calls,
}

impl Operator for RunningOver {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        self.calls.answer(cx, &[], &[item_of(change.row)])
    }
}

/// The last rows.
pub(crate) struct LastRows {
    pub(crate) calls: Calls,
    /// Rows before the current one.
    pub(crate) count: i64,
    pub(crate) input: usize,
    pub(crate) processed: usize,
    pub(crate) smallest: usize,
    pub(crate) cleanup: Cleanup,
}

impl LastRows {
    #[cfg_attr(sg_hot, optimize(size))]
    fn clear(&self, cx: &mut Ctx<'_>) {
        Calls::clear(cx);
        let (key, note) = (cx.key, cx.state.note);
        if let Some(Table::Map(input)) = cx.state.tables.get_mut(self.input) {
            input.clear(key.into(), &note);
        }
        for handle in [self.processed, self.smallest, self.cleanup.state] {
            cx.set_number(handle, None);
        }
    }
}

impl Operator for LastRows {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        self.cleanup.touch(cx);
        let (key, note, now_ms) = (cx.key, cx.state.note, cx.clock.processing_ms);
        let so_far = cx.number(self.processed).unwrap_or(0);
        let mut out = Vec::new();
        let mut first_ms = None;
        if let Some(Table::Map(input)) = cx.state.tables.get_mut(self.input) {
            if so_far == self.count + 1 {
                out.extend(input.pop_first(key.into(), &note));
            }
            push(input, key, now_ms, change.row, &note);
            first_ms = input.first_number(key.into());
        }
        if so_far <= self.count {
            cx.set_number(self.processed, Some(so_far + 1));
        }
        if let Some(first_ms) = first_ms {
            cx.set_number(self.smallest, Some(first_ms));
        }
        self.calls.answer(cx, &out, &[item_of(change.row)])
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        self.clear(cx);
        Ok(())
    }
}

/// The rows of the last milliseconds.
pub(crate) struct LastTime {
    pub(crate) calls: Calls,
    pub(crate) length_ms: i64,
    pub(crate) input: usize,
    pub(crate) cleanup: usize,
}

impl Operator for LastTime {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note, now_ms) = (cx.key, cx.state.note, cx.clock.processing_ms);
        if let Some(Table::Map(input)) = cx.state.tables.get_mut(self.input) {
            push(input, key, now_ms, change.row, &note);
        }
        cx.timers.register(TimerClock::Processing, now_ms + 1, key, &[]);
        let needed_ms = now_ms + self.length_ms + 1;
        if cx
            .number(self.cleanup)
            .is_none_or(|known_ms| known_ms < needed_ms)
        {
            let cleanup_ms = now_ms + self.length_ms + self.length_ms / 2 + 1;
            cx.timers.register(TimerClock::Processing, cleanup_ms, key, &[]);
            cx.set_number(self.cleanup, Some(cleanup_ms));
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        if cx
            .number(self.cleanup)
            .is_some_and(|cleanup_ms| cleanup_ms <= timer.at_ms)
        {
            Calls::clear(cx);
            if let Some(Table::Map(input)) = cx.state.tables.get_mut(self.input) {
                input.clear(key.into(), &note);
            }
            cx.set_number(self.cleanup, None);
            return Ok(());
        }
        let at_ms = timer.at_ms - 1;
        let mut out: Vec<Item> = Vec::new();
        let mut rows = Items::None;
        if let Some(Table::Map(input)) = cx.state.tables.get_mut(self.input) {
            let own = input.get(key.into(), &[Value::Int(at_ms)]);
            rows = own.into();
            if rows.is_empty() {
                return Ok(());
            }
            input.take_until(key.into(), &note, at_ms - self.length_ms - 1, &mut out);
        }
        self.calls.answer(cx, &out, &rows)
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn push(
    input: &mut crate::state::MapTable,
    key: crate::state::Key<'_>,
    at_ms: i64,
    row: &[Value],
    note: &crate::state::Note<'_>,
) {
    input.push(key.into(), UserKey::number(at_ms), item_of(row), note);
}

#[cfg_attr(sg_hot, optimize(size))]
fn item_of(row: &[Value]) -> Item {
    Item::new(row, 0)
}
