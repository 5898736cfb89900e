//! One row per key by time: the first or the last.
//!
//! Flink: `ProcTimeDeduplicateKeepFirstRowFunction`, `ProcTimeDeduplicateKeepLastRowFunction`,
//! `RowTimeDeduplicateFunction`, `RowTimeDeduplicateKeepFirstRowFunction`. Input: inserts. Output: `+I`, and where rows are
//! replaced `-U` (if wanted) and `+U`.
//! State: `deduplicate-state` (the row, or that there was one); TTL applies. The first row by event time waits in
//! `waiting-to-emit-on-timer`, without TTL, and leaves `already-emitted-state-boolean` behind. Timers: event time of the
//! waiting row. Watermark: forwarded. Differs from Flink: nothing known. Cases: dedup/*.

use std::rc::Rc;

use sg_value::{Change, Row, RowKind, Value};

use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock},
    state::Table,
    time::Timer,
};

const STATE: usize = 0;

/// The first row of each key to arrive.
pub(crate) struct FirstByArrival;

impl Operator for FirstByArrival {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some(Table::Value(table)) = cx.state.tables.get_mut(STATE) else {
            return Ok(());
        };
        let entry = table.entry(key, &[], |cells| cells.push(Value::Bool(true)));
        if !entry.created() {
            return Ok(());
        }
        entry.commit(&note);
        cx.out.emit_row(RowKind::Insert, change.row);
        Ok(())
    }
}

/// A row that replaces the one before.
pub(crate) struct Replace {
    /// Column of the event time by which rows are compared; `None` by arrival.
    pub(crate) rowtime: Option<usize>,
    /// Whether an equal or later row replaces, else an earlier one.
    pub(crate) keep_last: bool,
    /// Columns by which rows are equal: all but processing-time attributes.
    pub(crate) compared: Vec<usize>,
    /// Whether an equal row is left out.
    pub(crate) silent: bool,
    pub(crate) update_before: bool,
    /// Kind of the first row of a key.
    pub(crate) first_kind: RowKind,
}

impl Replace {
    /// Whether a row takes the place of the one in state.
    fn replaces(&self, before: &[Value], row: &[Value]) -> bool {
        let Some(rowtime) = self.rowtime else {
            return true;
        };
        let (before, own) = (time_of(before, rowtime), time_of(row, rowtime));
        if self.keep_last {
            before <= own
        } else {
            own < before
        }
    }
}

/// The time of a row. Flink reads NULL as 0 here.
fn time_of(row: &[Value], column: usize) -> i64 {
    row.get(column).and_then(Value::as_ms).unwrap_or(0)
}

impl Operator for Replace {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some(Table::Value(table)) = cx.state.tables.get_mut(STATE) else {
            return Ok(());
        };
        let mut entry = table.entry(key, &[], |cells| {
            cells.extend_from_slice(change.row);
            cells.push(Value::Bool(false));
        });
        if entry.created() {
            if let Some(updated) = entry.cells().last_mut() {
                *updated = Value::Bool(self.first_kind == RowKind::UpdateAfter);
            }
            entry.commit(&note);
            cx.out.emit_row(self.first_kind, change.row);
            return Ok(());
        }
        let Some((updated, cells)) = entry.cells().split_last_mut() else {
            return Ok(());
        };
        if !self.replaces(cells, change.row) {
            return Ok(());
        }
        let same = |column: &usize| cells.get(*column) == change.row.get(*column);
        let silent = self.silent && updated.as_bool() == Some(false) && self.compared.iter().all(same);
        let before = &mut cx.scratch.first;
        before.clear();
        if self.update_before && !silent {
            before.extend_from_slice(cells);
        }
        cells.clone_from_slice(change.row);
        *updated = Value::Bool(!silent);
        entry.commit(&note);
        if silent {
            return Ok(());
        }
        if self.update_before {
            cx.out.emit_row(RowKind::UpdateBefore, before);
        }
        cx.out.emit_row(RowKind::UpdateAfter, change.row);
        Ok(())
    }
}

/// The first row of each key by event time, once the watermark has passed it.
pub(crate) struct FirstByTime {
    pub(crate) rowtime: usize,
}

/// Handle of what was given out.
const EMITTED: usize = 1;

impl Operator for FirstByTime {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let at_ms = time_of(change.row, self.rowtime);
        if let Some(Table::Value(emitted)) = cx.state.tables.get(EMITTED)
            && emitted.get(key, &[]).is_some()
        {
            return Ok(());
        }
        let watermark = cx.clock.watermark;
        if at_ms < watermark.0 {
            cx.report.late(
                Late {
                    by_ms: watermark.0.saturating_sub(at_ms),
                    watermark_ms: watermark.0,
                },
                (at_ms, at_ms.saturating_add(1)),
            );
            return Ok(());
        }
        let Some(Table::Value(waiting)) = cx.state.tables.get_mut(STATE) else {
            return Ok(());
        };
        let mut entry = waiting.entry(key, &[], |cells| cells.extend_from_slice(change.row));
        if entry.created() {
            entry.commit(&note);
        } else {
            let before_ms = entry.cells().get(self.rowtime).and_then(Value::as_ms);
            if before_ms.is_some_and(|before_ms| before_ms <= at_ms) {
                return Ok(());
            }
            entry.cells().clone_from_slice(change.row);
            entry.commit(&note);
            if let Some(before_ms) = before_ms {
                cx.timers.delete(TimerClock::Event, before_ms, key, &[]);
            }
        }
        cx.timers.register(TimerClock::Event, at_ms, key, &[]);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some(Table::Value(waiting)) = cx.state.tables.get_mut(STATE) else {
            return Ok(());
        };
        let Some(mut entry) = waiting.existing(key, &[]) else {
            return Ok(());
        };
        let row: Row = Rc::from(&*entry.cells());
        entry.remove(&note);
        cx.out.emit_row(RowKind::Insert, &row);
        if let Some(Table::Value(emitted)) = cx.state.tables.get_mut(EMITTED) {
            emitted
                .entry(key, &[], |cells| cells.push(Value::Bool(true)))
                .commit(&note);
        }
        Ok(())
    }
}
