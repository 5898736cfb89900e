//! First phase of a window aggregation: adds rows up before they go over the exchange.
//!
//! Flink: `LocalSlicingWindowAggOperator`. Input: all row kinds. Output: `[key…, accumulator cells…, slice end]`,
//! inserts only. State: a buffer (key, slice end → accumulators), no keyed state of Flink's: its entries count as what a
//! checkpoint would make of them in the second phase. Timers: none. Watermark: forwarded, after the buffer is handed over
//! if the watermark has reached the end of a slice and the smallest slice in the buffer is complete. Rows are never late
//! here. Differs from Flink: nothing known. Cases: window-tvf/*, window-tvf/before-1970-two-phase.
//!
//! Hot path: one probe of the buffer and nothing allocated per row.

use sg_diag::Span;
use sg_expr::{Aggregates, EvalError};
use sg_value::{Change, RowKind, Value};

use super::{
    carried,
    slices::{SliceOf, Slicer},
};
use crate::{
    op::{Ctx, OpResult, Operator, source::watermark_assigner::rowtime_is_null},
    state::Table,
    time::Watermark,
    trace::Cause,
};

/// The calls and the window.
pub(crate) struct LocalWindowAggregate {
    pub(crate) aggregates: Aggregates,
    pub(crate) slicer: Slicer,
    pub(crate) span: Span,
}

/// The buffer's handle.
const BUFFER: usize = 0;
/// The watermark at which the buffer is looked at next; begins with 0.
const NEXT_TRIGGER: usize = 0;
/// The smallest slice in the buffer.
const FIRST_SLICE: usize = 1;

impl LocalWindowAggregate {
    fn flush(&self, cx: &mut Ctx<'_>) {
        let note = cx.state.note;
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(BUFFER) else {
            return;
        };
        let taken = buffer.take_all(&note);
        for entry in taken.iter() {
            let key = cx.state.keys.key(entry.key);
            let views = match cx.state.value_and_views(BUFFER, key, entry.namespace) {
                Some((_, mut views)) if !self.aggregates.views().is_empty() => {
                    let all = views.all();
                    views.clear();
                    all
                }
                _ => Vec::new(),
            };
            cx.out.cause = Cause::Watermark(u64::from(entry.writer));
            cx.out.emit(RowKind::Insert, |cells| {
                cells.extend_from_slice(entry.key);
                let from = cells.len();
                cells.extend_from_slice(&entry.value);
                if !views.is_empty() {
                    let cells = cells.get_mut(from..).unwrap_or_default();
                    carried::pack(self.aggregates.cell_types(), cells, views);
                }
                cells.extend_from_slice(entry.namespace);
            });
        }
        cx.vars[FIRST_SLICE] = i64::MAX;
    }
}

impl Operator for LocalWindowAggregate {
    fn on_start(&self, cx: &mut Ctx<'_>) -> OpResult {
        cx.vars[FIRST_SLICE] = i64::MAX;
        Ok(())
    }

    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let SliceOf::End(end_ms) = self.slicer.slice_of(change.row, cx.clock.processing_ms) else {
            return Err(EvalError::new(rowtime_is_null(self.span)));
        };
        let key = cx.key;
        let note = cx.state.note;
        let namespace = [Value::Int(end_ms)];
        let Some((buffer, mut views)) = cx.state.value_and_views(BUFFER, key, &namespace) else {
            return Ok(());
        };
        let mut entry = buffer.entry(key, &namespace, |cells| self.aggregates.create(cells));
        if change.kind.retracts() {
            self.aggregates.retract(entry.cells(), change.row, &mut views)?;
        } else {
            self.aggregates
                .accumulate(entry.cells(), change.row, &mut views)?;
        }
        let first = entry.created();
        entry.commit(&note);
        if first {
            cx.vars[FIRST_SLICE] = cx.vars[FIRST_SLICE].min(end_ms);
            let watermark = cx.clock.watermark;
            self.slicer
                .open_windows(end_ms, watermark, |window| cx.report.opened(window));
        }
        Ok(())
    }

    fn hears_watermarks(&self) -> bool {
        true
    }

    fn on_watermark(&self, cx: &mut Ctx<'_>, _before: Watermark) -> OpResult {
        let watermark = cx.clock.watermark;
        // Flink's operator begins with 0 as the watermark that it has seen: at 0 and before nothing is handed over.
        if watermark.0 > 0 && watermark.0 >= cx.vars[NEXT_TRIGGER] {
            let first_slice = cx.vars[FIRST_SLICE];
            if first_slice != i64::MAX && self.slicer.fired_by(first_slice, watermark).is_some() {
                self.flush(cx);
            }
            cx.vars[NEXT_TRIGGER] = self.slicer.next_trigger(watermark);
        }
        cx.report
            .windows
            .forget_while(|end_ms| self.slicer.fired_by(end_ms, watermark).is_some());
        Ok(())
    }
}
