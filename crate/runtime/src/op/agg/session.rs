//! Aggregates per key and session.
//!
//! Flink: `WindowAggOperator` with `UnsliceWindowAggProcessor` and `SessionWindowAssigner`. Input: all row kinds.
//! Output: `[key…, results…, window properties…]`, inserts only. A row is dropped when the session that it would belong
//! to, after merging with those that it touches, is over.
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
        let note = cx.state.note;
        let namespace = cells(placed.state);
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
        cx.report.opened(placed.session);
        cx.timers.register(
            self.clock(),
            self.assigner.fires_at(placed.session.1),
            key,
            &cells(placed.session),
        );
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let Some(session) = session_of(timer.namespace) else {
            return Ok(());
        };
        let key = cx.key;
        let note = cx.state.note;
        let state = match self.source {
            SessionSource::Attached { .. } => Some(session),
            SessionSource::Time(_) => self.sessions.state_of(&mut cx.state, key, session),
        };
        let Some(state) = state else { return Ok(()) };
        let namespace = cells(state);
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &namespace) else {
            return Ok(());
        };
        let mut rows = 0;
        if let Some(mut entry) = acc.existing(key, &namespace) {
            let empty = match self.record_counter {
                Some(counter) => {
                    let count = self.aggregates.value(counter, entry.cells(), &mut views)?;
                    count.as_int() == Some(0)
                }
                None => false,
            };
            if !empty {
                rows = 1;
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
                            .map(|property| self.assigner.property(*property, session)),
                    );
                });
            }
            views.clear();
            entry.remove(&note);
        }
        self.sessions.retire(&mut cx.state, key, session);
        cx.report.fired(session, rows);
        Ok(())
    }
}
