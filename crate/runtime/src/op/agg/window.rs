//! Aggregates per key and window, in one phase or as the second of two.
//!
//! Flink: `SlicingWindowOperator` with `SlicingSharedWindowAggProcessor` / `SlicingUnsharedWindowAggProcessor`.
//! Input: all row kinds (one phase), or `[key…, accumulator cells…, slice end]` of the local phase.
//! Output: `[key…, results…, window properties…]`, inserts only. A row whose window has fired is dropped.
//! State: `window-aggs` (key, slice end → accumulators) and the views of the functions, without TTL.
//! Timers: at the last millisecond of each window, event time or processing time. Watermark: forwarded.
//! Differs from Flink: rows are counted when they arrive, as a checkpoint would see them, instead of at the next flush
//! of a buffer, except where that can be seen in the result. Cases: window-tvf/*.

use sg_diag::Span;
use sg_expr::{Aggregates, EvalError};
use sg_plan::physical::node::WindowProperty;
use sg_value::{Change, RowKind, Value};

use super::{
    carried,
    slices::{SliceOf, Slicer},
};
use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock, source::watermark_assigner::rowtime_is_null},
    state::{Key, Table},
    time::{Timer, Watermark},
    trace::Cause,
};

/// The calls and the window.
pub(crate) struct WindowAggregate {
    pub(crate) aggregates: Aggregates,
    pub(crate) slicer: Slicer,
    pub(crate) input: WindowInput,
    pub(crate) properties: Vec<WindowProperty>,
    pub(crate) record_counter: Option<usize>,
    pub(crate) visible: usize,
    /// Handle of the buffer, where rows have to wait as in Flink.
    pub(crate) buffer: Option<usize>,
    pub(crate) span: Span,
}

/// What comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowInput {
    /// Rows.
    Rows,
    /// Accumulators of a local phase, behind so many key cells.
    Accumulators {
        /// Number of key cells in front.
        keys: usize,
    },
}

/// A slice, and the watermark by which it is judged.
#[derive(Clone, Copy, Debug)]
struct Slice {
    end_ms: i64,
    watermark: Watermark,
}

/// The state's handle.
const ACC: usize = 0;
/// The watermark at which the buffer is looked at next.
const NEXT_TRIGGER: usize = 0;
/// The smallest slice in the buffer.
const FIRST_SLICE: usize = 1;
/// Number of the next row in the buffer.
const SEQUENCE: usize = 2;

impl WindowAggregate {
    /// Takes a change into the state of its slice and sees to it that the slice's window fires.
    fn take_in(&self, cx: &mut Ctx<'_>, key: Key<'_>, slice: Slice, change: Change<'_>) -> OpResult {
        let Slice { end_ms, watermark } = slice;
        let note = cx.state.note;
        let namespace = [Value::Int(end_ms)];
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(());
        };
        let mut entry = acc.entry(key, &namespace, |cells| self.aggregates.create(cells));
        let first = entry.created();
        match self.input {
            WindowInput::Accumulators { keys } => {
                let width = self.aggregates.cell_types().len();
                let cells = change.row.get(keys..keys + width).unwrap_or_default();
                if self.aggregates.views().is_empty() {
                    self.aggregates.merge(entry.cells(), cells, &mut views)?;
                } else {
                    let mut cells = cells.to_vec();
                    views.set_other(carried::unpack(self.aggregates.cell_types(), &mut cells));
                    self.aggregates.merge(entry.cells(), &cells, &mut views)?;
                }
            }
            WindowInput::Rows if change.kind.retracts() => {
                self.aggregates.retract(entry.cells(), change.row, &mut views)?;
            }
            WindowInput::Rows => self
                .aggregates
                .accumulate(entry.cells(), change.row, &mut views)?,
        }
        entry.commit(&note);
        if first {
            cx.report.opened(self.slicer.window(end_ms));
        }
        // A timer that is there already is not registered twice; asking only for new entries saves the look-up. What
        // comes in after its window has fired gets none and stays.
        if first && (!self.slicer.rowtime() || self.slicer.fired_by(end_ms, watermark).is_none()) {
            let clock = if self.slicer.rowtime() {
                TimerClock::Event
            } else {
                TimerClock::Processing
            };
            cx.timers
                .register(clock, self.slicer.fires_at(end_ms), key, &namespace);
        }
        Ok(())
    }

    fn buffer(&self, cx: &mut Ctx<'_>, handle: usize, end_ms: i64, change: Change<'_>) {
        let note = cx.state.note;
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(handle) else {
            return;
        };
        let namespace = [Value::Int(end_ms), Value::Int(cx.vars[SEQUENCE])];
        cx.vars[SEQUENCE] += 1;
        cx.vars[FIRST_SLICE] = cx.vars[FIRST_SLICE].min(end_ms);
        let entry = buffer.entry(cx.key, &namespace, |cells| {
            cells.extend_from_slice(change.row);
            cells.push(Value::Int(change.kind as i64));
        });
        entry.commit(&note);
        cx.report.opened(self.slicer.window(end_ms));
    }

    fn flush(&self, cx: &mut Ctx<'_>, handle: usize, watermark: Watermark) -> OpResult {
        let note = cx.state.note;
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(handle) else {
            return Ok(());
        };
        let taken = buffer.take_all(&note);
        for entry in taken.iter() {
            let [Value::Int(end_ms), _] = entry.namespace else {
                continue;
            };
            let Some((Value::Int(kind), row)) = entry.value.split_last() else {
                continue;
            };
            let kind = RowKind::ALL
                .get(*kind as usize)
                .copied()
                .unwrap_or(RowKind::Insert);
            let key = Key {
                cells: entry.key,
                hash: sg_value::hash::table_hash(entry.key),
            };
            cx.out.cause = Cause::Watermark(u64::from(entry.writer));
            let slice = Slice {
                end_ms: *end_ms,
                watermark,
            };
            self.take_in(cx, key, slice, Change { kind, row })?;
        }
        cx.vars[FIRST_SLICE] = i64::MAX;
        Ok(())
    }

    fn property(&self, property: WindowProperty, (start_ms, end_ms): (i64, i64)) -> Value {
        match property {
            WindowProperty::Start => Value::timestamp_ms(start_ms),
            WindowProperty::End => Value::timestamp_ms(end_ms),
            WindowProperty::Rowtime => Value::timestamp_ms(self.slicer.instant_from_wall(end_ms - 1)),
            WindowProperty::Proctime => Value::Null,
        }
    }
}

impl Operator for WindowAggregate {
    fn on_start(&self, cx: &mut Ctx<'_>) -> OpResult {
        cx.vars[NEXT_TRIGGER] = i64::MIN;
        cx.vars[FIRST_SLICE] = i64::MAX;
        Ok(())
    }

    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let SliceOf::End(end_ms) = self.slicer.slice_of(change.row, cx.clock.processing_ms) else {
            return Err(EvalError::new(rowtime_is_null(self.span)));
        };
        let watermark = cx.clock.watermark;
        if self.slicer.rowtime()
            && let Some(by_ms) = self.slicer.fired_by(end_ms, watermark)
        {
            // What a local phase sends has no time of its own: there it is the end of the window that counts.
            let by_ms = self
                .slicer
                .time_of(change.row)
                .map_or(by_ms, |at_ms| watermark.0.saturating_sub(at_ms));
            cx.report.late(
                Late {
                    by_ms,
                    watermark_ms: watermark.0,
                },
                self.slicer.window(end_ms),
            );
            return Ok(());
        }
        match self.buffer {
            Some(handle) => {
                self.buffer(cx, handle, end_ms, change);
                Ok(())
            }
            None => self.take_in(cx, cx.key, Slice { end_ms, watermark }, change),
        }
    }

    fn on_watermark(&self, cx: &mut Ctx<'_>, before: Watermark) -> OpResult {
        let watermark = cx.clock.watermark;
        let Some(handle) = self.buffer else { return Ok(()) };
        if watermark.0 < cx.vars[NEXT_TRIGGER] {
            return Ok(());
        }
        let first_slice = cx.vars[FIRST_SLICE];
        if first_slice != i64::MAX && self.slicer.fired_by(first_slice, watermark).is_some() {
            self.flush(cx, handle, before)?;
        }
        cx.vars[NEXT_TRIGGER] = self.slicer.next_trigger(watermark);
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let [Value::Int(end_ms)] = timer.namespace else {
            return Ok(());
        };
        let window = self.slicer.window(*end_ms);
        let key = cx.key;
        let note = cx.state.note;
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, timer.namespace) else {
            return Ok(());
        };
        let Some(mut entry) = acc.existing(key, timer.namespace) else {
            return Ok(());
        };
        let empty = match self.record_counter {
            Some(counter) => {
                self.aggregates
                    .value(counter, entry.cells(), &mut views)?
                    .as_int()
                    == Some(0)
            }
            None => false,
        };
        if !empty {
            let results = &mut cx.scratch.first;
            results.clear();
            self.aggregates.values(entry.cells(), &mut views, results)?;
            results.truncate(self.visible);
            cx.out.emit(RowKind::Insert, |cells| {
                cells.extend_from_slice(key.cells);
                cells.append(results);
                cells.extend(
                    self.properties
                        .iter()
                        .map(|property| self.property(*property, window)),
                );
            });
        }
        views.clear();
        entry.remove(&note);
        cx.report.fired(window, u64::from(!empty));
        Ok(())
    }
}
