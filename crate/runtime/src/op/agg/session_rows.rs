//! Appends the session of a row, when it is over: `[input…, window_start, window_end, window_time]`.
//!
//! Flink: `UnalignedWindowTableFunctionOperator`. Input and output: all row kinds. Rows wait until their session is over
//! and come out in the order of arrival. Dropped are rows whose session is over when they arrive, and, silently, rows
//! whose time is NULL.
//! State: `session-window-tvf-counter` (key → number of the next row; it stays for ever),
//! `session-window-tvf-acc` (key, name of a session's state → number → row) and `session-window-mapping`; without TTL.
//! Timers: at the last millisecond of each session. Watermark: forwarded.
//! Differs from Flink: nothing known. Cases: window-tvf/session-alone-*.

use sg_value::{Change, Gather as _, Value};

use super::{
    session::is_over,
    sessions::{Session, Sessions, cells, session_of},
    slices::Assigner,
    steps::kind_of,
};
use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock},
    state::{Entries, Item, Spot, Table, UserKey},
    time::Timer,
};

/// The sessions.
pub(crate) struct SessionRows {
    pub(crate) assigner: Assigner,
    /// The time column; `None` for processing time.
    pub(crate) rowtime: Option<usize>,
    pub(crate) sessions: Sessions,
}

/// The handle of the number of the next row.
const COUNTER: usize = 0;
/// The handle of the rows.
const ROWS: usize = 1;
/// The handle of the map from sessions to the names of their states.
pub(crate) const MAPPING: usize = 2;

impl SessionRows {
    const fn clock(&self) -> TimerClock {
        match self.rowtime {
            Some(_) => TimerClock::Event,
            None => TimerClock::Processing,
        }
    }

    /// The number of the next row of the key.
    fn number(cx: &mut Ctx<'_>) -> i64 {
        let number = cx.number(COUNTER).unwrap_or(0);
        cx.set_number(COUNTER, Some(number + 1));
        number
    }

    fn keep(cx: &mut Ctx<'_>, state: Session, number: i64, item: Item) {
        let note = cx.state.note;
        let Some(Table::Map(rows)) = cx.state.tables.get_mut(ROWS) else {
            return;
        };
        let spot = Spot {
            key: cx.key,
            namespace: &cells(state),
        };
        rows.put(spot, UserKey::number(number), item, &note);
    }

    /// Takes all rows of a session's state out, in the order of arrival.
    fn take_all(cx: &mut Ctx<'_>, state: Session) -> Vec<(i64, Item)> {
        let note = cx.state.note;
        let Some(Table::Map(rows)) = cx.state.tables.get_mut(ROWS) else {
            return Vec::new();
        };
        let namespace = cells(state);
        let entries = rows
            .entries(Spot {
                key: cx.key,
                namespace: &namespace,
            })
            .into_iter()
            .flat_map(Entries::iter);
        let taken = entries
            .filter_map(|(user_key, items)| Some((user_key.as_number()?, items.first()?.clone())))
            .gather();
        rows.clear(
            Spot {
                key: cx.key,
                namespace: &namespace,
            },
            &note,
        );
        taken
    }
}

impl Operator for SessionRows {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let instant_ms = match self.rowtime {
            Some(column) => change.row.get(column).and_then(Value::as_ms),
            None => Some(cx.clock.processing_ms),
        };
        let Some(instant_ms) = instant_ms else {
            return Ok(());
        };
        let key = cx.key;
        let wall_ms = self.assigner.wall_from_instant(instant_ms);
        let placed = self.sessions.place(&mut cx.state, key, wall_ms);
        let fires_at = |session: Session| self.assigner.fires_at(session.1);
        Sessions::forget_timers(cx, &placed.gone, (self.clock(), fires_at));
        for other in &placed.merged {
            for (number, item) in Self::take_all(cx, *other) {
                Self::keep(cx, placed.state, number, item);
            }
        }
        if self.rowtime.is_some() && is_over(&self.assigner, placed.session, cx.clock.watermark) {
            self.sessions.retire(&mut cx.state, key, placed.session);
            let watermark_ms = cx.clock.watermark.0;
            let late = Late {
                by_ms: watermark_ms.saturating_sub(instant_ms),
                watermark_ms,
            };
            cx.report.late(late, placed.session);
            return Ok(());
        }
        let number = Self::number(cx);
        let item = Item::new(change.row, change.kind as i64);
        Self::keep(cx, placed.state, number, item);
        cx.report.opened(placed.session);
        cx.timers.register(
            self.clock(),
            fires_at(placed.session),
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
        let Some(state) = self.sessions.state_of(&mut cx.state, key, session) else {
            return Ok(());
        };
        let rows = Self::take_all(cx, state);
        // A processing-time attribute has no value of its own; it is made where it is read.
        let window_time = match self.rowtime {
            Some(_) => Value::timestamp_ms(self.assigner.instant_from_wall(session.1 - 1)),
            None => Value::Null,
        };
        for (_, item) in &rows {
            cx.out.emit(kind_of(item), |cells| {
                cells.extend_from_slice(&item.row);
                cells.push(Value::timestamp_ms(session.0));
                cells.push(Value::timestamp_ms(session.1));
                cells.push(window_time.clone());
            });
        }
        self.sessions.retire(&mut cx.state, key, session);
        cx.report.fired(session, rows.len() as u64);
        Ok(())
    }
}
