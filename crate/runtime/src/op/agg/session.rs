//! Aggregates per key and session.
//!
//! Flink: `WindowAggOperator` with `UnsliceWindowAggProcessor` and `SessionWindowAssigner`. Input: all row kinds.
//! Output: `[key…, results…, window properties…]`, inserts only. A row is dropped when the session that it would belong
//! to, after merging with those that it touches, is over.
//! `CUMULATE_DYNAMIC`, an extension, is the same with further results: at the end of every step, counted from the start
//! of the session, what the session has by then, whether anything came or not. Rows wait in `session-waiting` (key → time
//! → rows) until the step that they lie in ends, so that a result never has a row from behind its end.
//! State: `window-aggs` (key, name of a session's state → accumulators), the views of the functions, and
//! `session-window-mapping` (key → session → name of its state), without TTL.
//! Timers: at the last millisecond of each session. Watermark: forwarded.
//! Differs from Flink: nothing known. Cases: window-tvf/session-*.

use sg_diag::Span;
use sg_expr::{Aggregates, EvalError};
use sg_plan::physical::node::WindowProperty;
use sg_value::{Change, RowKind, Value};

use super::{
    sessions::{Placed, Session, Sessions, cells, session_of},
    slices::Assigner,
    steps::{self, Steps},
};
use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock, source::watermark_assigner::rowtime_is_null},
    time::{Timer, Watermark},
};

/// The calls and the sessions.
pub(crate) struct SessionAggregate {
    pub(crate) aggregates: Aggregates,
    pub(crate) assigner: Assigner,
    pub(crate) source: SessionSource,
    /// Results before the end; `None` for results at the end only.
    pub(crate) steps: Option<Steps>,
    /// Event time or processing time.
    pub(crate) rowtime: bool,
    pub(crate) sessions: Sessions,
    pub(crate) properties: Vec<WindowProperty>,
    pub(crate) record_counter: Option<usize>,
    pub(crate) visible: usize,
    pub(crate) span: Span,
}

/// Where the session of a row comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SessionSource {
    /// From its time, in this column; `None` for processing time.
    Time(Option<usize>),
    /// Rows bring it with them: columns of its start and end. Nothing merges, and no row is late.
    Attached { start: usize, end: usize },
}

/// The handle of the accumulators.
const ACC: usize = 0;

impl SessionAggregate {
    const fn clock(&self) -> TimerClock {
        if self.rowtime {
            TimerClock::Event
        } else {
            TimerClock::Processing
        }
    }

    /// The time up to which timers have fired.
    const fn now_ms(&self, cx: &Ctx<'_>) -> i64 {
        if self.rowtime {
            cx.clock.watermark.0
        } else {
            cx.clock.processing_ms
        }
    }

    /// The end of the first step of a session that fires after a time, unless the session ends before.
    fn next_step(&self, session: Session, after_ms: i64) -> Option<i64> {
        let end_ms = steps::next_end(&self.assigner, session.0, (self.steps?.step_ms, after_ms));
        (end_ms < session.1).then_some(end_ms)
    }

    /// Registers the timer of the next step.
    fn wait_for_step(&self, cx: &mut Ctx<'_>, session: Session, after_ms: i64) {
        if let Some(end_ms) = self.next_step(session, after_ms) {
            let at_ms = self.assigner.fires_at(end_ms);
            cx.timers.register(self.clock(), at_ms, cx.key, &cells(session));
        }
    }

    /// The session of a change; `None` where it is over.
    fn place(&self, cx: &mut Ctx<'_>, change: Change<'_>) -> Result<Option<Placed>, EvalError> {
        let at = |column: usize| change.row.get(column).and_then(Value::as_ms);
        let instant_ms = match self.source {
            SessionSource::Time(Some(column)) => at(column),
            SessionSource::Time(None) => Some(cx.clock.processing_ms),
            SessionSource::Attached { start, end } => {
                return match (at(start), at(end)) {
                    (Some(start_ms), Some(end_ms)) => Ok(Some(Placed::alone((start_ms, end_ms)))),
                    _ => Err(EvalError::new(rowtime_is_null(self.span))),
                };
            }
        };
        let Some(instant_ms) = instant_ms else {
            return Err(EvalError::new(rowtime_is_null(self.span)));
        };
        let key = cx.key;
        let wall_ms = self.assigner.wall_from_instant(instant_ms);
        let placed = self.sessions.place(&mut cx.state, key, wall_ms);
        let fires_at = |session: Session| self.assigner.fires_at(session.1);
        for gone in &placed.gone {
            if let Some(step_end_ms) = self.next_step(*gone, self.now_ms(cx)) {
                let at_ms = self.assigner.fires_at(step_end_ms);
                cx.timers.delete(self.clock(), at_ms, key, &cells(*gone));
            }
        }
        Sessions::forget_timers(cx, &placed.gone, (self.clock(), fires_at));
        merge_states(&self.aggregates, cx, &placed)?;
        if self.rowtime && is_over(&self.assigner, placed.session, cx.clock.watermark) {
            self.sessions.retire(&mut cx.state, key, placed.session);
            Self::late(cx, placed.session, instant_ms);
            return Ok(None);
        }
        Ok(Some(placed))
    }

    fn late(cx: &mut Ctx<'_>, session: Session, instant_ms: i64) {
        let watermark_ms = cx.clock.watermark.0;
        let late = Late {
            by_ms: watermark_ms.saturating_sub(instant_ms),
            watermark_ms,
        };
        cx.report.late(late, session);
    }
}

/// Brings the accumulators of merged sessions together.
pub(crate) fn merge_states(aggregates: &Aggregates, cx: &mut Ctx<'_>, placed: &Placed) -> OpResult {
    let key = cx.key;
    let note = cx.state.note;
    for other in &placed.merged {
        let namespace = cells(*other);
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(());
        };
        let Some(mut entry) = acc.existing(key, &namespace) else {
            continue;
        };
        let taken = entry.cells().to_vec();
        let entries = views.all();
        views.clear();
        entry.remove(&note);

        let namespace = cells(placed.state);
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(());
        };
        let mut entry = acc.entry(key, &namespace, |cells| aggregates.create(cells));
        views.set_other(entries);
        aggregates.merge(entry.cells(), &taken, &mut views)?;
        entry.commit(&note);
    }
    Ok(())
}

/// Whether the watermark has reached the last millisecond of a session.
pub(super) fn is_over(assigner: &Assigner, session: Session, watermark: Watermark) -> bool {
    watermark.0 >= assigner.fires_at(session.1)
}

impl Operator for SessionAggregate {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let Some(placed) = self.place(cx, change)? else {
            return Ok(());
        };
        let key = cx.key;
        match (self.steps.and_then(|steps| steps.waiting), &self.source) {
            (Some(waiting), SessionSource::Time(Some(column))) => {
                let instant_ms = change.row.get(*column).and_then(Value::as_ms);
                Steps::wait(waiting, cx, instant_ms.unwrap_or(i64::MIN), change);
            }
            _ => self.add(cx, placed.state, change)?,
        }
        cx.report.opened(placed.session);
        cx.timers.register(
            self.clock(),
            self.assigner.fires_at(placed.session.1),
            key,
            &cells(placed.session),
        );
        let now_ms = self.now_ms(cx);
        self.wait_for_step(cx, placed.session, now_ms);
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let Some(session) = session_of(timer.namespace) else {
            return Ok(());
        };
        let key = cx.key;
        let state = match self.source {
            SessionSource::Attached { .. } => Some(session),
            SessionSource::Time(_) => self.sessions.state_of(&mut cx.state, key, session),
        };
        let Some(state) = state else { return Ok(()) };
        if let Some(waiting) = self.steps.and_then(|steps| steps.waiting) {
            for item in Steps::due(waiting, cx, timer.at_ms) {
                let kind = steps::kind_of(&item);
                self.add(cx, state, Change { kind, row: &item.row })?;
            }
        }
        if timer.at_ms < self.assigner.fires_at(session.1) {
            if let Some(end_ms) = self.next_step(session, timer.at_ms - 1) {
                let window = (session.0, end_ms);
                let rows = self.emit(cx, (state, window), false)?;
                cx.report.fired(window, rows);
            }
            self.wait_for_step(cx, session, timer.at_ms);
            return Ok(());
        }
        let rows = self.emit(cx, (state, session), true)?;
        self.sessions.retire(&mut cx.state, key, session);
        cx.report.fired(session, rows);
        Ok(())
    }
}

impl SessionAggregate {
    /// Takes a change into the accumulators under a name.
    fn add(&self, cx: &mut Ctx<'_>, state: Session, change: Change<'_>) -> OpResult {
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

    /// Emits what a state holds as the result of a window, after the last of which it goes; how many rows that are.
    fn emit(
        &self,
        cx: &mut Ctx<'_>,
        (state, window): (Session, Session),
        last: bool,
    ) -> Result<u64, EvalError> {
        let (key, note) = (cx.key, cx.state.note);
        let namespace = cells(state);
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(0);
        };
        let Some(mut entry) = acc.existing(key, &namespace) else {
            return Ok(0);
        };
        let own = entry.cells();
        let empty = match self.record_counter {
            Some(counter) => self.aggregates.value(counter, own, &mut views)?.as_int() == Some(0),
            None => false,
        };
        if !empty {
            let results = &mut cx.scratch.first;
            results.clear();
            self.aggregates.values(own, &mut views, results)?;
            results.truncate(self.visible);
            cx.out.emit(RowKind::Insert, |cells| {
                cells.extend_from_slice(key.cells);
                cells.append(results);
                let properties = self.properties.iter();
                cells.extend(properties.map(|property| self.assigner.property(*property, window)));
            });
        }
        if last {
            views.clear();
            entry.remove(&note);
        }
        Ok(u64::from(!empty))
    }
}
