//! The watermarks that end bundles.
//!
//! Flink: `ProcTimeMiniBatchAssignerOperator`, `RowTimeMiniBatchAssginerOperator`. Input and output: all row kinds.
//! State: the last watermark, not per key. Timers: processing time, where bundles end by it. Watermark: by processing
//! time its own, and of those from above only the end of input; by event time those from above, at most one per
//! interval. Differs from Flink: of the watermarks by processing time
//! while no row comes anywhere only the first and the last come. Cases: optimisation/mini-batch-*.

use sg_value::Change;

use crate::{
    op::{Ctx, OpResult, Operator, TimerClock},
    state::Key,
    time::{Timer, Watermark},
};

/// The last watermark.
const LAST: usize = 0;
/// The change that would have come next when the last timer fired.
const SEEN: usize = 1;
/// The watermark from which on the next one passes.
const NEXT: usize = 1;

/// Bundles end at multiples of an interval of processing time.
pub(crate) struct ByProcessingTime {
    pub(crate) interval_ms: i64,
}

impl ByProcessingTime {
    #[cfg_attr(sg_hot, optimize(size))]
    fn batch(&self, now_ms: i64) -> i64 {
        now_ms - now_ms % self.interval_ms.max(1)
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn send(&self, cx: &mut Ctx<'_>) {
        let batch = self.batch(cx.clock.processing_ms);
        if batch > cx.vars[LAST] {
            cx.vars[LAST] = batch;
            cx.out.watermark(Watermark(batch));
        }
    }
}

impl Operator for ByProcessingTime {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_start(&self, cx: &mut Ctx<'_>) -> OpResult {
        let at_ms = cx.clock.processing_ms + self.interval_ms;
        cx.timers.register(TimerClock::Processing, at_ms, Key::NONE, &[]);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        self.send(cx);
        cx.out.emit_row(change.kind, change.row);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        self.send(cx);
        let shared = cx.report.site.shared;
        let mut at_ms = self.batch(cx.clock.processing_ms) + self.interval_ms;
        let next = shared.next_change.get().cast_signed();
        if next == cx.vars[SEEN] {
            // Nothing came anywhere since: the marks up to the next arrival would end empty bundles.
            at_ms = at_ms.max(self.batch(shared.clock_target_ms.get()));
        }
        cx.vars[SEEN] = next;
        cx.timers.register(TimerClock::Processing, at_ms, Key::NONE, &[]);
        Ok(())
    }
}

/// Watermarks of event time pass at most once per interval.
pub(crate) struct ByEventTime {
    pub(crate) interval_ms: i64,
}

impl Operator for ByEventTime {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_start(&self, cx: &mut Ctx<'_>) -> OpResult {
        cx.vars[NEXT] = self.interval_ms - 1;
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        cx.out.emit_row(change.kind, change.row);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_watermark_above(&self, cx: &mut Ctx<'_>, watermark: Watermark) -> OpResult {
        let current = watermark.0.max(cx.vars[LAST]);
        cx.vars[LAST] = current;
        if current >= cx.vars[NEXT] {
            cx.out.watermark(Watermark(current));
            let end = current - current % self.interval_ms.max(1) + self.interval_ms - 1;
            cx.vars[NEXT] = if end > current {
                end
            } else {
                end + self.interval_ms
            };
        }
        Ok(())
    }
}
