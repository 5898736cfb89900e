//! Aggregates per key and window of GROUP BY: TUMBLE, HOP, SESSION, and CUMULATE as an extension.
//!
//! Flink: `AggregateWindowOperator` with `GeneralWindowProcessFunction`, `PanedWindowProcessFunction` and
//! `MergingWindowProcessFunction`. Input: all row kinds; a time that is NULL is the epoch. Output:
//! `[key…, results…, window properties…]`: inserts at the end of each window; with `table.exec.emit.*` updates, and
//! deletes where a window loses all its rows. A row is dropped for the windows that are over, lateness included.
//! State, all by window and without TTL: `window-aggs` (of HOP and CUMULATE by pane, the greatest common divisor of size
//! and slide; of SESSION by the name in `session-window-mapping`), the views of the functions, `previous-aggs` (the last
//! output), and what the triggers remember.
//! Timers: at the last millisecond of each window, and after the allowed lateness; in processing time for delays.
//! Watermark: forwarded. Differs from Flink: nothing known. Cases: group-window/*.

pub(super) mod make;
mod panes;
mod trigger;

use sg_expr::{Aggregates, EvalError, Views};
use sg_plan::physical::node::WindowProperty;
use sg_value::{Change, RowKind, Value};

use super::agg::{
    merged::MergedViews,
    sessions::{Placed, Session, Sessions, cells, session_of},
    slices::Assigner,
};
use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock},
    state::Table,
    time::{Timer, Watermark},
};
use panes::Panes;
use trigger::Trigger;

/// The calls and the windows.
pub(crate) struct GroupWindow {
    pub(crate) aggregates: Aggregates,
    pub(crate) assigner: Assigner,
    pub(crate) kind: Kind,
    /// The time column; `None` for processing time.
    pub(crate) rowtime: Option<usize>,
    pub(crate) properties: Vec<WindowProperty>,
    pub(crate) record_counter: Option<usize>,
    pub(crate) visible: usize,
    pub(crate) trigger: Trigger,
    /// How long after its end a window takes rows.
    pub(crate) lateness_ms: i64,
    /// Handle of the last output of each window, where it is updated.
    pub(crate) previous: Option<usize>,
}

/// How windows and states go together.
pub(crate) enum Kind {
    /// A window is a state.
    Single,
    /// A window is made of panes.
    Paned(Panes),
    /// Windows merge.
    Merging(Sessions),
}

/// The handle of the accumulators.
const ACC: usize = 0;

impl GroupWindow {
    const fn clock(&self) -> TimerClock {
        match self.rowtime {
            Some(_) => TimerClock::Event,
            None => TimerClock::Processing,
        }
    }

    /// When a window fires.
    #[cfg_attr(sg_hot, optimize(size))]
    fn fires_at(&self, window: Session) -> i64 {
        self.assigner.fires_at(window.1)
    }

    /// When a window is forgotten.
    #[cfg_attr(sg_hot, optimize(size))]
    fn ends_at(&self, window: Session) -> i64 {
        self.assigner.fires_at(window.1.saturating_add(self.lateness_ms))
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn is_late(&self, window: Session, watermark: Watermark) -> bool {
        self.rowtime.is_some() && self.ends_at(window) <= watermark.0
    }

    /// Takes a change into a state.
    #[cfg_attr(sg_hot, optimize(size))]
    fn take_in(&self, cx: &mut Ctx<'_>, state: Session, change: Change<'_>) -> OpResult {
        let key = cx.key;
        let note = cx.state.note;
        let namespace = cells(state);
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(());
        };
        let mut entry = acc.entry(key, &namespace, |cells| self.aggregates.create(cells));
        if change.kind.retracts() {
            self.aggregates.retract(entry.cells(), change.row, &mut views)?;
        } else {
            self.aggregates
                .accumulate(entry.cells(), change.row, &mut views)?;
        }
        entry.commit(&note);
        Ok(())
    }

    /// A change is there for a window: it may fire, and it has to be forgotten some day.
    #[cfg_attr(sg_hot, optimize(size))]
    fn touch(&self, cx: &mut Ctx<'_>, window: Session) -> OpResult {
        cx.report.opened(window);
        let fires_at_ms = self.fires_at(window);
        if self.trigger.on_change(cx, window, (self.clock(), fires_at_ms)) {
            self.emit(cx, window)?;
        }
        let ends_at_ms = self.ends_at(window);
        cx.timers
            .register(self.clock(), ends_at_ms, cx.key, &cells(window));
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn late(&self, cx: &mut Ctx<'_>, window: Session, wall_ms: i64) {
        let watermark_ms = cx.clock.watermark.0;
        let late = Late {
            by_ms: watermark_ms.saturating_sub(self.assigner.instant_from_wall(wall_ms)),
            watermark_ms,
        };
        cx.report.late(late, window);
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn single(&self, cx: &mut Ctx<'_>, wall_ms: i64, change: Change<'_>) -> OpResult {
        let mut window = (wall_ms, wall_ms);
        self.assigner
            .for_each_window_of(wall_ms, |start_ms, end_ms| window = (start_ms, end_ms));
        if self.is_late(window, cx.clock.watermark) {
            self.late(cx, window, wall_ms);
            return Ok(());
        }
        self.take_in(cx, window, change)?;
        self.touch(cx, window)
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn paned(&self, cx: &mut Ctx<'_>, panes: &Panes, wall_ms: i64, change: Change<'_>) -> OpResult {
        let watermark = cx.clock.watermark;
        let pane = panes.pane_of(wall_ms);
        let last = panes.last_window(pane);
        if self.is_late(last, watermark) {
            self.late(cx, last, wall_ms);
            return Ok(());
        }
        self.take_in(cx, pane, change)?;
        let mut windows = Vec::new();
        self.assigner
            .for_each_window_of(wall_ms, |start_ms, end_ms| windows.push((start_ms, end_ms)));
        for window in windows {
            if !self.is_late(window, watermark) {
                self.touch(cx, window)?;
            }
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn merging(&self, cx: &mut Ctx<'_>, sessions: &Sessions, wall_ms: i64, change: Change<'_>) -> OpResult {
        let key = cx.key;
        let placed = sessions.place(&mut cx.state, key, wall_ms);
        Sessions::forget_timers(cx, &placed.gone, (self.clock(), |session| self.fires_at(session)));
        self.merge_states(cx, &placed)?;
        if self.is_late(placed.session, cx.clock.watermark) {
            sessions.retire(&mut cx.state, key, placed.session);
            self.late(cx, placed.session, wall_ms);
            return Ok(());
        }
        self.take_in(cx, placed.state, change)?;
        self.touch(cx, placed.session)
    }

    /// Brings the accumulators of merged sessions together.
    #[cfg_attr(sg_hot, optimize(size))]
    fn merge_states(&self, cx: &mut Ctx<'_>, placed: &Placed) -> OpResult {
        super::agg::session::merge_states(&self.aggregates, cx, placed)
    }

    /// The results and the window's columns; `None` where no row is left.
    #[cfg_attr(sg_hot, optimize(size))]
    fn results(&self, cx: &mut Ctx<'_>, window: Session) -> Result<Option<Vec<Value>>, EvalError> {
        let key = cx.key;
        if let Kind::Paned(panes) = &self.kind {
            let mut merged = MergedViews::default();
            let mut whole = Vec::new();
            self.aggregates.create(&mut whole);
            for pane in panes.of(window) {
                let namespace = cells(pane);
                let Some((acc, views)) = cx.state.value_and_views(ACC, key, &namespace) else {
                    return Ok(None);
                };
                let Some(part) = acc.get(key, &namespace) else {
                    continue;
                };
                if !self.aggregates.views().is_empty() {
                    merged.set_other(views.all());
                }
                self.aggregates.merge(&mut whole, part, &mut merged)?;
            }
            return self.finished(&whole, &mut merged, window);
        }
        let state = match &self.kind {
            Kind::Merging(sessions) => sessions.state_of(&mut cx.state, key, window),
            Kind::Single | Kind::Paned(_) => Some(window),
        };
        let Some(state) = state else { return Ok(None) };
        let namespace = cells(state);
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(None);
        };
        match acc.get(key, &namespace) {
            Some(cells) => self.finished(cells, &mut views, window),
            None => Ok(None),
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn finished(
        &self,
        cells: &[Value],
        views: &mut dyn Views,
        window: Session,
    ) -> Result<Option<Vec<Value>>, EvalError> {
        if let Some(counter) = self.record_counter
            && self.aggregates.value(counter, cells, views)?.as_int() == Some(0)
        {
            return Ok(None);
        }
        let mut results = Vec::new();
        self.aggregates.values(cells, views, &mut results)?;
        results.truncate(self.visible);
        let bounds = self
            .properties
            .iter()
            .map(|property| self.assigner.property(*property, window));
        results.extend(bounds);
        Ok(Some(results))
    }

    /// Emits the result of a window, where it has changed.
    #[cfg_attr(sg_hot, optimize(size))]
    fn emit(&self, cx: &mut Ctx<'_>, window: Session) -> OpResult {
        let results = self.results(cx, window)?;
        let key = cx.key;
        let note = cx.state.note;
        let send = |cx: &mut Ctx<'_>, kind, results: &[Value]| {
            cx.out.emit(kind, |cells| {
                cells.extend_from_slice(key.cells);
                cells.extend_from_slice(results);
            });
        };
        let Some(handle) = self.previous else {
            if let Some(results) = results {
                send(cx, RowKind::Insert, &results);
            }
            return Ok(());
        };
        let namespace = cells(window);
        let Some(Table::Value(table)) = cx.state.tables.get_mut(handle) else {
            return Ok(());
        };
        let before = table.get(key, &namespace).map(<[Value]>::to_vec);
        match (before, results) {
            (None, None) => {}
            (Some(before), Some(after)) if before == after => {}
            (before, Some(after)) => {
                let mut entry = table.entry(key, &namespace, |cells| cells.extend_from_slice(&after));
                entry.cells().clone_from_slice(&after);
                entry.commit(&note);
                match before {
                    Some(before) => {
                        send(cx, RowKind::UpdateBefore, &before);
                        send(cx, RowKind::UpdateAfter, &after);
                    }
                    None => send(cx, RowKind::Insert, &after),
                }
            }
            (Some(before), None) => {
                if let Some(entry) = table.existing(key, &namespace) {
                    entry.remove(&note);
                }
                send(cx, RowKind::Delete, &before);
            }
        }
        Ok(())
    }

    /// Forgets a window.
    #[cfg_attr(sg_hot, optimize(size))]
    fn forget(&self, cx: &mut Ctx<'_>, window: Session) {
        let key = cx.key;
        let fires_at_ms = self.fires_at(window);
        self.trigger.clear(cx, window, (self.clock(), fires_at_ms));
        match &self.kind {
            Kind::Single => clear(cx, window),
            Kind::Paned(panes) => {
                for pane in panes.of(window) {
                    if panes.last_window(pane) == window {
                        clear(cx, pane);
                    }
                }
            }
            Kind::Merging(sessions) => {
                if let Some(state) = sessions.state_of(&mut cx.state, key, window) {
                    clear(cx, state);
                }
                sessions.retire(&mut cx.state, key, window);
            }
        }
        if let Some(handle) = self.previous {
            remove(cx, handle, window);
        }
    }
}

/// Removes accumulators and their views.
#[cfg_attr(sg_hot, optimize(size))]
fn clear(cx: &mut Ctx<'_>, state: Session) {
    let key = cx.key;
    let note = cx.state.note;
    let namespace = cells(state);
    let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
        return;
    };
    if let Some(entry) = acc.existing(key, &namespace) {
        views.clear();
        entry.remove(&note);
    }
}

/// Removes a window's entry of a value state.
#[cfg_attr(sg_hot, optimize(size))]
fn remove(cx: &mut Ctx<'_>, handle: usize, window: Session) {
    let key = cx.key;
    let note = cx.state.note;
    if let Some(Table::Value(table)) = cx.state.tables.get_mut(handle)
        && let Some(entry) = table.existing(key, &cells(window))
    {
        entry.remove(&note);
    }
}

impl Operator for GroupWindow {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let instant_ms = match self.rowtime {
            // Flink reads a time that is NULL as 0 (case: group-window/null-time-is-the-epoch).
            Some(column) => change.row.get(column).and_then(Value::as_ms).unwrap_or(0),
            None => cx.clock.processing_ms,
        };
        let wall_ms = self.assigner.wall_from_instant(instant_ms);
        match &self.kind {
            Kind::Single => self.single(cx, wall_ms, change),
            Kind::Paned(panes) => self.paned(cx, panes, wall_ms, change),
            Kind::Merging(sessions) => self.merging(cx, sessions, wall_ms, change),
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let Some(window) = session_of(timer.namespace) else {
            return Ok(());
        };
        let is_end = timer.clock == self.clock() && timer.at_ms == self.fires_at(window);
        let emitted = cx.out.batch.len();
        if self.trigger.on_timer(cx, window, (is_end, timer)) {
            self.emit(cx, window)?;
        }
        if timer.clock == self.clock() && timer.at_ms == self.ends_at(window) {
            let rows = cx.out.batch.len() - emitted;
            self.forget(cx, window);
            cx.report.fired(window, rows as u64);
        }
        Ok(())
    }
}
