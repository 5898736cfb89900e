//! Makes watermarks from rows: the largest value of the declared expression so far.
//!
//! Flink: `WatermarkAssignerOperator`. Input and output: all row kinds, each row before its watermark.
//! State: the largest value and the last watermark, not per key. Timers: processing time, where the interval is not 0.
//! Watermark: generated; of those from above only the end of input passes. Differs from Flink: nothing known.
//! Cases: wm/*.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Compiled, EvalError};
use sg_value::Change;

use crate::{
    job::batch::{Batch, Control},
    op::{Ctx, OpResult, Operator, TimerClock},
    state::Key,
    time::{Timer, Watermark},
    trace::WatermarkMove,
};

/// The declaration.
pub(crate) struct WatermarkAssigner {
    pub(crate) rowtime: usize,
    pub(crate) expression: Compiled,
    /// Instead of the expression: rowtime minus this.
    pub(crate) bound_ms: Option<i64>,
    /// 0: a watermark after each row that raises it.
    pub(crate) interval_ms: i64,
    /// After so much processing time without a row the output is idle; 0 never.
    pub(crate) idle_timeout_ms: i64,
    pub(crate) span: Span,
}

/// Both begin with 0, so that nothing at or before 1970 is ever sent.
const CURRENT: usize = 0;
const LAST: usize = 1;
const HELD: usize = 2;
const OPENED_MS: usize = 3;
/// Processing time of the last row.
const LAST_ROW_MS: usize = 4;
const IDLE: usize = 5;
/// Whether a timer will look for idleness.
const WATCHED: usize = 6;
/// The multiple of the interval that was waited for last.
const AWAITED_MS: usize = 7;

impl WatermarkAssigner {
    fn watermark(&self, cx: &Ctx<'_>, change: Change<'_>) -> Result<Option<i64>, EvalError> {
        let Some(rowtime_ms) = change.row.get(self.rowtime).and_then(sg_value::Value::as_ms) else {
            return Err(EvalError::new(rowtime_is_null(self.span)));
        };
        if let Some(bound_ms) = self.bound_ms {
            return Ok(Some(rowtime_ms.wrapping_sub(bound_ms)));
        }
        Ok(self.expression.eval(change.row, cx.eval)?.as_ms())
    }

    fn send(cx: &mut Ctx<'_>) {
        let [current, last, held, ..] = *cx.vars;
        if held != 0 || current <= last {
            return;
        }
        cx.vars[LAST] = current;
        cx.out.watermark(Watermark(current));
        Self::trace(cx, last);
    }

    /// The move as if the operator were a source with one partition.
    fn trace(cx: &Ctx<'_>, before: i64) {
        let [current, last, ..] = *cx.vars;
        let time = |ms: i64| if ms <= 0 { Watermark::NONE } else { Watermark(ms) };
        cx.out.site.shared.trace.watermark(
            cx.out.site.place,
            &WatermarkMove {
                within_source: true,
                channel: 0,
                channel_watermark: time(current),
                before: time(before),
                after: time(last),
                holder: Some(0),
                idle: cx.vars[IDLE] != 0,
            },
        );
    }

    /// Notes that there is a row, and asks to be called when there was none for long.
    fn watch(&self, cx: &mut Ctx<'_>) {
        if self.idle_timeout_ms == 0 {
            return;
        }
        cx.vars[LAST_ROW_MS] = cx.clock.processing_ms;
        if cx.vars[IDLE] != 0 {
            cx.vars[IDLE] = 0;
            cx.out.idle(false);
        }
        if cx.vars[WATCHED] == 0 {
            cx.vars[WATCHED] = 1;
            let at_ms = cx.clock.processing_ms + self.idle_timeout_ms;
            cx.timers.register(TimerClock::Processing, at_ms, Key::NONE, &[]);
        }
    }

    fn look_for_idleness(&self, cx: &mut Ctx<'_>) {
        if cx.vars[WATCHED] == 0 {
            return;
        }
        let silent_from_ms = cx.vars[LAST_ROW_MS] + self.idle_timeout_ms;
        if cx.clock.processing_ms >= silent_from_ms {
            cx.vars[WATCHED] = 0;
            cx.vars[IDLE] = 1;
            cx.out.idle(true);
        } else {
            cx.timers
                .register(TimerClock::Processing, silent_from_ms, Key::NONE, &[]);
        }
    }

    /// With an interval, what is pending goes out at the next multiple of it since the start.
    fn await_interval(&self, cx: &mut Ctx<'_>) {
        let since = cx.clock.processing_ms - cx.vars[OPENED_MS];
        let at_ms = cx.clock.processing_ms + self.interval_ms - since.rem_euclid(self.interval_ms);
        if at_ms == cx.vars[AWAITED_MS] {
            return;
        }
        cx.vars[AWAITED_MS] = at_ms;
        cx.timers.register(TimerClock::Processing, at_ms, Key::NONE, &[]);
    }
}

impl Operator for WatermarkAssigner {
    fn on_start(&self, cx: &mut Ctx<'_>) -> OpResult {
        cx.vars[OPENED_MS] = cx.clock.processing_ms;
        self.watch(cx);
        Ok(())
    }

    fn on_batch(&self, cx: &mut Ctx<'_>, batch: &mut Batch) -> Result<bool, EvalError> {
        let count = batch.len();
        if !batch.is_plain() || count == 0 || !cx.out.forward(batch) {
            return Ok(false);
        }
        self.watch(cx);
        for at in 0..count {
            let Some((_, change)) = cx.out.batch.change(at) else {
                continue;
            };
            let Some(watermark) = self.watermark(cx, change)? else {
                continue;
            };
            cx.vars[CURRENT] = cx.vars[CURRENT].max(watermark);
            let [current, last, held, ..] = *cx.vars;
            if held == 0 && current - last > self.interval_ms {
                cx.vars[LAST] = current;
                let control = Control::Watermark(Watermark(current));
                cx.out.batch.push_control_behind(at + 1, control);
            }
        }
        let [current, last, held, ..] = *cx.vars;
        if held == 0 && current > last {
            self.await_interval(cx);
        }
        Ok(true)
    }

    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        self.watch(cx);
        let watermark = self.watermark(cx, change)?;
        cx.out.emit_row(change.kind, change.row);
        let Some(watermark) = watermark else { return Ok(()) };
        cx.vars[CURRENT] = cx.vars[CURRENT].max(watermark);
        let [current, last, held, ..] = *cx.vars;
        if held != 0 {
            return Ok(());
        }
        if current - last > self.interval_ms {
            Self::send(cx);
        } else if current > last && self.interval_ms > 0 {
            Self::trace(cx, last);
            self.await_interval(cx);
        }
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        Self::send(cx);
        self.look_for_idleness(cx);
        Ok(())
    }

    fn on_hold(&self, cx: &mut Ctx<'_>, held: bool) -> OpResult {
        cx.vars[HELD] = i64::from(held);
        Self::send(cx);
        Ok(())
    }
}

/// Event time that is NULL where a watermark or a window needs it.
pub(crate) fn rowtime_is_null(span: Span) -> Diagnostic {
    Diagnostic::new(Code::RowtimeIsNull, span).flink(
        "RuntimeException: RowTime field should not be null, please convert it to a non-null long value.",
    )
}
