//! Lookups that are tried again while they find nothing.
//!
//! Flink: `RetryableLookupFunctionDelegator`: the task sleeps between two attempts, so that rows behind wait, too.
//! Input and output: as in [`super::lookup`], in the order of the input. State: the rows that wait, which are no part of
//! a savepoint. Timers: processing time, the next attempt of the first of them. Watermark: waits until no row does.
//! Differs from Flink: the source goes on even where it is chained to the join; of several watermarks that wait the last
//! one comes. Cases: join-lookup/retry-*.

use sg_value::{Change, Value};

use super::lookup::LookupJoin;
use crate::{
    op::{Ctx, OpResult, Operator, TimerClock, batch::bundle::change_of},
    state::{Key, Table},
    time::{Timer, Watermark},
};

/// The buffer's handle.
const BUFFER: usize = 0;
/// Numbers of the subtask: the first row that waits, the row that would wait next, and how often the first one was tried
/// again.
const FIRST: usize = 0;
const NEXT: usize = 1;
const TRIED: usize = 2;
/// A watermark that waits, and whether there is one.
const WATERMARK: usize = 3;
const HELD: usize = 4;

pub(super) struct Retrying {
    pub(super) lookup: LookupJoin,
    pub(super) delay_ms: i64,
    /// How often at most a lookup is repeated.
    pub(super) attempts: i64,
}

impl Retrying {
    /// Waits for the next attempt. Until the next arrival nothing changes that could be found, so of the attempts before it
    /// only the last one is made.
    #[cfg_attr(sg_hot, optimize(size))]
    fn wait(&self, cx: &mut Ctx<'_>) {
        let now_ms = cx.clock.processing_ms;
        let left = (self.attempts - cx.vars[TRIED]).max(1);
        let until_ms = cx.out.site.shared.clock_target_ms.get().saturating_sub(now_ms);
        let attempts = until_ms.checked_div(self.delay_ms).unwrap_or(left).clamp(1, left);
        cx.vars[TRIED] += attempts - 1;
        let at_ms = now_ms.saturating_add(self.delay_ms.saturating_mul(attempts));
        cx.timers.register(TimerClock::Processing, at_ms, Key::NONE, &[]);
    }

    /// Answers the rows that wait, as far as the first one that finds nothing and may be tried again.
    #[cfg_attr(sg_hot, optimize(size))]
    fn work_off(&self, cx: &mut Ctx<'_>, end: bool) -> OpResult {
        while cx.vars[FIRST] < cx.vars[NEXT] {
            let (namespace, note) = ([Value::Int(cx.vars[FIRST])], cx.state.note);
            let Some(Table::Value(buffer)) = cx.state.tables.get(BUFFER) else {
                return Ok(());
            };
            let cells = buffer.get(Key::NONE, &namespace).unwrap_or_default().to_vec();
            if let Some(change) = change_of(&cells) {
                let last = end || cx.vars[TRIED] >= self.attempts;
                if !self.lookup.answer(cx, change, last)? {
                    self.wait(cx);
                    return Ok(());
                }
            }
            if let Some(Table::Value(buffer)) = cx.state.tables.get_mut(BUFFER)
                && let Some(entry) = buffer.existing(Key::NONE, &namespace)
            {
                entry.remove(&note);
            }
            cx.vars[FIRST] += 1;
            cx.vars[TRIED] = 0;
        }
        if cx.vars[HELD] != 0 {
            cx.vars[HELD] = 0;
            let watermark = Watermark(cx.vars[WATERMARK]);
            cx.out.watermark(watermark);
        }
        Ok(())
    }
}

impl Operator for Retrying {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let waits = cx.vars[FIRST] < cx.vars[NEXT];
        if !waits && self.lookup.answer(cx, change, self.attempts <= 0)? {
            return Ok(());
        }
        let (namespace, note) = ([Value::Int(cx.vars[NEXT])], cx.state.note);
        if let Some(Table::Value(buffer)) = cx.state.tables.get_mut(BUFFER) {
            let entry = buffer.entry(Key::NONE, &namespace, |cells| {
                cells.extend_from_slice(change.row);
                cells.push(Value::Int(change.kind as i64));
            });
            entry.commit(&note);
        }
        cx.vars[NEXT] += 1;
        if !waits {
            self.wait(cx);
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        cx.vars[TRIED] += 1;
        self.work_off(cx, false)
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_watermark_above(&self, cx: &mut Ctx<'_>, watermark: Watermark) -> OpResult {
        if cx.vars[FIRST] < cx.vars[NEXT] {
            cx.vars[WATERMARK] = watermark.0;
            cx.vars[HELD] = 1;
        } else {
            cx.out.watermark(watermark);
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn hears_watermarks(&self) -> bool {
        true
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_watermark(&self, cx: &mut Ctx<'_>, _before: Watermark) -> OpResult {
        // The end of the input: nothing will be found that is not there.
        self.work_off(cx, true)
    }
}
