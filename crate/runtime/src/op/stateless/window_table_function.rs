//! Appends the windows of a row: `[input…, window_start, window_end, window_time]`.
//!
//! Flink: `AlignedWindowTableFunctionOperator`. Input and output: all row kinds, late rows too; a row whose time is NULL
//! is dropped. State: none. Timers: none. Watermark: forwarded. Differs from Flink: nothing known.
//! Cases: window-tvf/tvf-alone-passes-rows-through, window-tvf/hop-alone-copies-rows.

use sg_value::{Change, Value};

use crate::op::{Ctx, OpResult, Operator, agg::slices::Assigner};

/// The window.
pub(crate) struct WindowTableFunction {
    pub(crate) assigner: Assigner,
    /// The time column; `None` for processing time.
    pub(crate) rowtime: Option<usize>,
}

impl Operator for WindowTableFunction {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let instant_ms = match self.rowtime {
            Some(column) => change.row.get(column).and_then(Value::as_ms),
            None => Some(cx.clock.processing_ms),
        };
        let Some(instant_ms) = instant_ms else {
            return Ok(());
        };
        let out = &mut cx.out;
        self.assigner.for_each_window(instant_ms, |start_ms, end_ms| {
            // A processing-time attribute has no value of its own; it is made where it is read.
            let window_time = match self.rowtime {
                Some(_) => Value::timestamp_ms(self.assigner.instant_from_wall(end_ms.wrapping_sub(1))),
                None => Value::Null,
            };
            out.emit(change.kind, |cells| {
                cells.extend_from_slice(change.row);
                cells.push(Value::timestamp_ms(start_ms));
                cells.push(Value::timestamp_ms(end_ms));
                cells.push(window_time);
            });
        });
        Ok(())
    }
}
