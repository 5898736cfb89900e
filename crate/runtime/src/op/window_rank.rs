//! The best rows, or the first or last row, of each window and partition, once, when the window ends.
//!
//! Flink: `WindowRankOperatorBuilder` with `TopNRecordsCombiner`, and `RowTimeWindowDeduplicateOperatorBuilder`. Input:
//! inserts whose window is in two columns. Output: inserts, the best first, perhaps with their place. A row whose window
//! has fired is dropped.
//! State: `window_rank` (key, window end → sort key → rows), which is not cut to the places: what was among the best when
//! it came stays; `window_deduplicate` (key, window end → row). Without TTL.
//! Timers: at the last millisecond of each window. Watermark: forwarded.
//! Differs from Flink: rows are sorted in when they arrive, as if one checkpoint were taken at the end of the window.
//! Cases: topn/window-*, dedup/window-*.

use std::rc::Rc;

use sg_diag::Diagnostic;
use sg_plan::physical::node::{WindowDeduplicateSpec, WindowKind, WindowRankSpec, WindowSource, WindowSpec};
use sg_value::{
    Change, DataType, Gather as _, Row, RowKind, Value,
    bytes::{Namespace, RowSizer},
};

use super::{
    Ctx, Late, OpResult, Operator, TimerClock,
    agg::slices::Assigner,
    factory::{Made, Plan, does_not_run},
    rank::make::cell_order,
};
use crate::{
    state::{
        Entries, Item, MapShape, RowOrder, Shape, Spot, StateSpec, Table, UserKey, ValueShape, ValueSize,
    },
    time::Timer,
};

/// The window that rows bring with them.
struct Attached {
    assigner: Assigner,
    start: Option<usize>,
    end: usize,
}

/// The best rows.
struct WindowRank {
    window: Attached,
    /// Input columns of the sort key.
    sort: Vec<usize>,
    start: i64,
    end: i64,
    puts_out_rank: bool,
}

/// The first row or the last.
struct WindowDeduplicate {
    window: Attached,
    time: usize,
    keep_last: bool,
}

/// The state's handle.
const ROWS: usize = 0;

/// The operator of a Top-N per window.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn rank(plan: &Plan<'_>, spec: &WindowRankSpec) -> Result<Made, Box<Diagnostic>> {
    let sort: Vec<usize> = spec.order.iter().map(|key| key.column as usize).gather();
    let key_types: Vec<DataType> = sort
        .iter()
        .filter_map(|column| plan.input.get(*column))
        .map(|field| field.data_type.clone())
        .gather();
    let order = RowOrder {
        cells: spec.order.iter().copied().map(cell_order).gather(),
    };
    let shape = Shape::Map(MapShape::sorted(plan.input, &key_types, order));
    let operator = WindowRank {
        window: attached(plan, &spec.window)?,
        sort,
        start: spec.places.0,
        end: spec.places.1,
        puts_out_rank: spec.puts_out_rank,
    };
    let window_ms = window_ms(&spec.window);
    Ok(Made {
        key: spec.partition.clone(),
        states: vec![state("window_rank", shape, window_ms)],
        timer_namespace: Namespace::WindowEnd,
        slice_ms: window_ms,
        timers_counted: true,
        ..Made::stateless(operator)
    })
}

/// The operator of a de-duplication per window.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn deduplicate(plan: &Plan<'_>, spec: &WindowDeduplicateSpec) -> Result<Made, Box<Diagnostic>> {
    let types: Vec<DataType> = plan.input.iter().map(|field| field.data_type.clone()).gather();
    let shape = Shape::Value(ValueShape {
        size: ValueSize::Row(RowSizer::new(&types)),
        types: types.into(),
        names: plan.input.iter().map(|field| Rc::clone(&field.name)).gather(),
    });
    let operator = WindowDeduplicate {
        window: attached(plan, &spec.window)?,
        time: spec.time as usize,
        keep_last: spec.keep_last,
    };
    let window_ms = window_ms(&spec.window);
    Ok(Made {
        key: spec.partition.clone(),
        states: vec![state("window_deduplicate", shape, window_ms)],
        timer_namespace: Namespace::WindowEnd,
        slice_ms: window_ms,
        timers_counted: true,
        ..Made::stateless(operator)
    })
}

#[cfg_attr(sg_hot, optimize(size))]
fn attached(plan: &Plan<'_>, window: &WindowSpec) -> Result<Attached, Box<Diagnostic>> {
    let WindowSource::Attached { start, end } = window.source else {
        return Err(does_not_run(plan, plan.spec.name));
    };
    Ok(Attached {
        assigner: Assigner::new(window).ok_or_else(|| does_not_run(plan, plan.spec.name))?,
        start: start.map(|start| start as usize),
        end: end as usize,
    })
}

/// Length of a window, to print it; of those that grow the step, of a SESSION the gap.
const fn window_ms(window: &WindowSpec) -> i64 {
    match window.kind {
        WindowKind::Tumble { size_ms, .. } | WindowKind::Hop { size_ms, .. } => size_ms,
        WindowKind::Cumulate { step_ms, .. } => step_ms,
        WindowKind::Session { gap_ms } | WindowKind::Dynamic { gap_ms, .. } => gap_ms,
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn state(name: &str, shape: Shape, slice_ms: i64) -> StateSpec {
    StateSpec {
        name: name.into(),
        namespace: Namespace::WindowEnd,
        shape,
        ttl_ms: 0,
        slice_ms,
        ordered: false,
    }
}

impl Attached {
    /// The window's end, wall clock, unless the window has fired; a row without one is dropped as well.
    #[cfg_attr(sg_hot, optimize(size))]
    fn end_of(&self, cx: &mut Ctx<'_>, change: Change<'_>) -> Option<i64> {
        let at = |column: usize| change.row.get(column).and_then(Value::as_ms);
        let end_ms = at(self.end)?;
        let start_ms = self.start.and_then(at).unwrap_or(end_ms);
        let fires_at_ms = self.assigner.fires_at(end_ms);
        let watermark_ms = cx.clock.watermark.0;
        if watermark_ms >= fires_at_ms {
            let late = Late {
                by_ms: watermark_ms.saturating_sub(fires_at_ms),
                watermark_ms,
            };
            cx.report.late(late, (start_ms, end_ms));
            return None;
        }
        cx.report.opened((start_ms, end_ms));
        cx.timers
            .register(TimerClock::Event, fires_at_ms, cx.key, &[Value::Int(end_ms)]);
        Some(end_ms)
    }

    /// Says that the window of some rows has fired.
    #[cfg_attr(sg_hot, optimize(size))]
    fn fired(&self, cx: &mut Ctx<'_>, end_ms: i64, rows: &[Row]) {
        let start = rows.first().zip(self.start);
        let start_ms = start.and_then(|(row, start)| row.get(start).and_then(Value::as_ms));
        cx.report
            .fired((start_ms.unwrap_or(end_ms), end_ms), rows.len() as u64);
    }
}

impl Operator for WindowRank {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let Some(end_ms) = self.window.end_of(cx, change) else {
            return Ok(());
        };
        let note = cx.state.note;
        let key = cx.key;
        let spot = Spot {
            key,
            namespace: &[Value::Int(end_ms)],
        };
        let Some(Table::Map(rows)) = cx.state.tables.get_mut(ROWS) else {
            return Ok(());
        };
        let sort_key = UserKey::of(change.row, &self.sort);
        let enters = rows.entries(spot).is_none_or(|entries| {
            let worst = entries.last();
            worst.is_none_or(|(worst, _)| entries.compare(&sort_key, worst).is_lt())
                || (entries.count() as u64) < self.end.unsigned_abs()
        });
        if enters {
            let item = Item::new(change.row, 0);
            rows.push(spot, sort_key, item, &note);
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let [Value::Int(end_ms)] = timer.namespace else {
            return Ok(());
        };
        let spot = Spot {
            key: cx.key,
            namespace: timer.namespace,
        };
        let note = cx.state.note;
        let Some(Table::Map(table)) = cx.state.tables.get_mut(ROWS) else {
            return Ok(());
        };
        let best: Vec<Row> = table
            .entries(spot)
            .into_iter()
            .flat_map(Entries::iter)
            .flat_map(|(_, items)| items.iter().map(|item| Rc::clone(&item.row)))
            .zip(1..=self.end)
            .filter(|(_, place)| *place >= self.start)
            .map(|(row, _)| row)
            .gather();
        table.clear(spot, &note);
        for (row, place) in best.iter().zip(self.start..) {
            cx.out.emit(RowKind::Insert, |cells| {
                cells.extend_from_slice(row);
                if self.puts_out_rank {
                    cells.push(Value::Int(place));
                }
            });
        }
        self.window.fired(cx, *end_ms, &best);
        Ok(())
    }
}

impl Operator for WindowDeduplicate {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let Some(end_ms) = self.window.end_of(cx, change) else {
            return Ok(());
        };
        let note = cx.state.note;
        let Some(Table::Value(table)) = cx.state.tables.get_mut(ROWS) else {
            return Ok(());
        };
        let own_ms = change.row.get(self.time).and_then(Value::as_ms);
        let mut entry = table.entry(cx.key, &[Value::Int(end_ms)], |cells| {
            cells.extend_from_slice(change.row);
        });
        if !entry.created() {
            let kept_ms = entry.cells().get(self.time).and_then(Value::as_ms);
            let replaces = if self.keep_last {
                own_ms >= kept_ms
            } else {
                own_ms < kept_ms
            };
            if !replaces {
                return Ok(());
            }
            entry.cells().clone_from_slice(change.row);
        }
        entry.commit(&note);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let [Value::Int(end_ms)] = timer.namespace else {
            return Ok(());
        };
        let note = cx.state.note;
        let Some(Table::Value(table)) = cx.state.tables.get_mut(ROWS) else {
            return Ok(());
        };
        let Some(mut entry) = table.existing(cx.key, timer.namespace) else {
            return Ok(());
        };
        let row: Row = Rc::from(&*entry.cells());
        entry.remove(&note);
        cx.out.emit_row(RowKind::Insert, &row);
        self.window.fired(cx, *end_ms, std::slice::from_ref(&row));
        Ok(())
    }
}
