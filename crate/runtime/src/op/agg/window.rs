//! Aggregates per key and window, in one phase or as the second of two.
//!
//! Flink: `WindowAggOperator` with `SliceSharedWindowAggProcessor` / `SliceUnsharedWindowAggProcessor`.
//! Input: all row kinds (one phase), or `[key…, accumulator cells…, slice end]` of the local phase.
//! Output: `[key…, results…, window properties…]`, inserts only. A row is dropped when the last window of its slice has
//! fired; until then it counts in those that have not.
//! State: `window-aggs` (key, slice end → accumulators) and the views of the functions, without TTL. HOP windows merge
//! their slices when they fire; CUMULATE windows take theirs into the first.
//! Timers: at the last millisecond of the next window, event time or processing time. Watermark: forwarded.
//! Differs from Flink: rows are counted when they arrive, as a checkpoint would see them, instead of at the next flush
//! of a buffer, except where that can be seen in the result. Cases: window-tvf/*.

use sg_diag::Span;
use sg_expr::{Aggregates, EvalError, Views};
use sg_plan::physical::node::WindowProperty;
use sg_value::{Change, RowKind, Value};

use super::{
    carried,
    merged::MergedViews,
    slices::{Parts, SliceOf, Slicer},
};
use crate::{
    op::{Collector, Ctx, Late, OpResult, Operator, TimerClock, source::watermark_assigner::rowtime_is_null},
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
            self.open(cx, end_ms, watermark);
        }
        // A timer that is there already is not registered twice; asking only for new entries saves the look-up. What
        // comes in after its window has fired gets none here.
        if first && (!self.slicer.rowtime() || self.slicer.fired_by(end_ms, watermark).is_none()) {
            self.wait_for(cx, key, end_ms);
        }
        Ok(())
    }

    /// Registers the timer of a window.
    fn wait_for(&self, cx: &mut Ctx<'_>, key: Key<'_>, end_ms: i64) {
        let clock = if self.slicer.rowtime() {
            TimerClock::Event
        } else {
            TimerClock::Processing
        };
        let fires_at_ms = self.slicer.fires_at(end_ms);
        cx.timers.register(clock, fires_at_ms, key, &[Value::Int(end_ms)]);
    }

    /// Notes the windows that a new slice is part of and that have not fired.
    fn open(&self, cx: &mut Ctx<'_>, slice_end_ms: i64, watermark: Watermark) {
        if !cx.report.site.shared.traced.get() {
            return;
        }
        self.slicer
            .open_windows(slice_end_ms, watermark, |window| cx.report.opened(window));
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
        let watermark = cx.clock.watermark;
        self.open(cx, end_ms, watermark);
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
            let key = cx.state.keys.key(entry.key);
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

    /// Whether a window without a row is left.
    fn is_empty(&self, cells: &[Value], views: &mut dyn Views) -> Result<bool, EvalError> {
        let Some(counter) = self.record_counter else {
            return Ok(false);
        };
        Ok(self.aggregates.value(counter, cells, views)?.as_int() == Some(0))
    }

    fn emit(&self, out: &mut Collector<'_>, key: Key<'_>, results: &mut Vec<Value>, window: (i64, i64)) {
        results.truncate(self.visible);
        out.emit(RowKind::Insert, |cells| {
            cells.extend_from_slice(key.cells);
            cells.append(results);
            cells.extend(
                self.properties
                    .iter()
                    .map(|property| self.slicer.property(*property, window)),
            );
        });
    }

    /// Fires the window of one slice, which nothing needs afterwards. Whether it was empty.
    fn fire_own(&self, cx: &mut Ctx<'_>, end_ms: i64) -> Result<bool, EvalError> {
        let namespace = [Value::Int(end_ms)];
        let key = cx.key;
        let note = cx.state.note;
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(true);
        };
        let Some(mut entry) = acc.existing(key, &namespace) else {
            return Ok(true);
        };
        let empty = self.is_empty(entry.cells(), &mut views)?;
        if !empty {
            let results = &mut cx.scratch.first;
            results.clear();
            self.aggregates.values(entry.cells(), &mut views, results)?;
            self.emit(&mut cx.out, key, results, self.slicer.window(end_ms));
        }
        views.clear();
        entry.remove(&note);
        Ok(empty)
    }

    /// Fires a window that is made of several slices, the latest first, without changing them. Whether it was empty.
    fn fire_several(
        &self,
        cx: &mut Ctx<'_>,
        end_ms: i64,
        (count, apart_ms): (i64, i64),
    ) -> Result<bool, EvalError> {
        let key = cx.key;
        let mut merged = MergedViews::default();
        let cells = &mut cx.scratch.second;
        cells.clear();
        self.aggregates.create(cells);
        for at in 0..count {
            let namespace = [Value::Int(end_ms.wrapping_sub(at * apart_ms))];
            let Some((acc, views)) = cx.state.value_and_views(ACC, key, &namespace) else {
                return Ok(true);
            };
            let Some(slice) = acc.get(key, &namespace) else {
                continue;
            };
            if !self.aggregates.views().is_empty() {
                merged.set_other(views.all());
            }
            self.aggregates.merge(cells, slice, &mut merged)?;
        }
        let empty = self.is_empty(cells, &mut merged)?;
        if !empty {
            let results = &mut cx.scratch.first;
            results.clear();
            self.aggregates.values(cells, &mut merged, results)?;
            self.emit(&mut cx.out, key, results, self.slicer.window(end_ms));
        }
        Ok(empty)
    }

    /// Fires a window whose first slice takes in the slice that ends with it. Whether it was empty.
    fn fire_into(&self, cx: &mut Ctx<'_>, end_ms: i64, first_ms: i64) -> Result<bool, EvalError> {
        let key = cx.key;
        let note = cx.state.note;
        let latest = if end_ms == first_ms {
            None
        } else {
            let namespace = [Value::Int(end_ms)];
            let found = cx.state.value_and_views(ACC, key, &namespace);
            found.and_then(|(acc, views)| Some((acc.get(key, &namespace)?.to_vec(), views.all())))
        };
        let namespace = [Value::Int(first_ms)];
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(true);
        };
        let mut entry = acc.entry(key, &namespace, |cells| self.aggregates.create(cells));
        if let Some((cells, other)) = latest {
            views.set_other(other);
            self.aggregates.merge(entry.cells(), &cells, &mut views)?;
        }
        let empty = self.is_empty(entry.cells(), &mut views)?;
        if !empty {
            let results = &mut cx.scratch.first;
            results.clear();
            self.aggregates.values(entry.cells(), &mut views, results)?;
            self.emit(&mut cx.out, key, results, self.slicer.window(end_ms));
        }
        entry.commit(&note);
        Ok(empty)
    }

    fn forget_expired(&self, cx: &mut Ctx<'_>, end_ms: i64) {
        for slice_end_ms in self.slicer.expired(end_ms).into_iter().flatten() {
            Self::forget(cx, slice_end_ms);
        }
    }

    /// Removes a slice that no window needs any more.
    fn forget(cx: &mut Ctx<'_>, end_ms: i64) {
        let key = cx.key;
        let note = cx.state.note;
        let namespace = [Value::Int(end_ms)];
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return;
        };
        if let Some(entry) = acc.existing(key, &namespace) {
            views.clear();
            entry.remove(&note);
        }
    }

    /// Takes a change into its slice, at once or at the next flush.
    fn put(&self, cx: &mut Ctx<'_>, end_ms: i64, change: Change<'_>) -> OpResult {
        if let Some(handle) = self.buffer {
            self.buffer(cx, handle, end_ms, change);
            return Ok(());
        }
        let watermark = cx.clock.watermark;
        self.take_in(cx, cx.key, Slice { end_ms, watermark }, change)
    }

    /// A change whose slice's own window has fired: it counts in the later windows of the slice, if there are any left.
    fn after_firing(&self, cx: &mut Ctx<'_>, end_ms: i64, change: Change<'_>) -> OpResult {
        let watermark = cx.clock.watermark;
        let last_ms = self.slicer.last_window_end(end_ms);
        if let Some(by_ms) = self.slicer.fired_by(last_ms, watermark) {
            // What a local phase sends has no time of its own: there it is the end of the window that counts.
            let by_ms = self
                .slicer
                .time_of(change.row)
                .map_or(by_ms, |at_ms| watermark.0.saturating_sub(at_ms));
            let late = Late {
                by_ms,
                watermark_ms: watermark.0,
            };
            cx.report.late(late, self.slicer.window(last_ms));
            return Ok(());
        }
        self.put(cx, self.slicer.late_target(end_ms), change)?;
        // These may be the first rows of the key, so that no window waits for them.
        let (interval_ms, _) = self.slicer.interval();
        let mut next_ms = end_ms;
        while self.slicer.fired_by(next_ms, watermark).is_some() {
            next_ms += interval_ms;
        }
        self.wait_for(cx, cx.key, next_ms);
        self.open(cx, end_ms, watermark);
        Ok(())
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
        if self.slicer.rowtime() && self.slicer.fired_by(end_ms, watermark).is_some() {
            self.after_firing(cx, end_ms, change)
        } else {
            self.put(cx, end_ms, change)
        }
    }

    fn hears_watermarks(&self) -> bool {
        true
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
        let end_ms = *end_ms;
        let empty = match self.slicer.parts(end_ms) {
            Parts::Own => self.fire_own(cx, end_ms)?,
            Parts::Several { count, apart_ms } => {
                let empty = self.fire_several(cx, end_ms, (count, apart_ms))?;
                self.forget_expired(cx, end_ms);
                empty
            }
            Parts::Into(first_ms) => {
                let empty = self.fire_into(cx, end_ms, first_ms)?;
                self.forget_expired(cx, end_ms);
                empty
            }
        };
        if let Some(next_ms) = self.slicer.next_window_end(end_ms, empty) {
            self.wait_for(cx, cx.key, next_ms);
        }
        cx.report.fired(self.slicer.window(end_ms), u64::from(!empty));
        Ok(())
    }
}
