//! When a window fires.
//!
//! Flink: `EventTimeTriggers.AfterEndOfWindow` with `withEarlyFirings` and `withLateFirings`, `ProcessingTimeTriggers`,
//! `ElementTriggers.EveryElement`.

use sg_value::Value;

use super::remove;
use crate::{
    op::{
        Ctx, TimerClock,
        agg::sessions::{Session, cells},
    },
    state::Table,
    time::Timer,
};

/// At the end of the window, and beside it as the options say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trigger {
    /// Before the end.
    pub(crate) early: Option<Firing>,
    /// After the end.
    pub(crate) late: Option<LateFiring>,
}

/// Firing after the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateFiring {
    pub(crate) firing: Firing,
    /// Handle of the state that says that the window has fired at its end.
    pub(crate) fired: usize,
}

/// When to fire beside the end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Firing {
    /// With each row.
    EachRow,
    /// Again and again in processing time, from the first row on.
    Every {
        interval_ms: i64,
        /// Handle of the state of the next time.
        next: usize,
    },
}

impl Firing {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(self, cx: &mut Ctx<'_>, window: Session) -> bool {
        let Self::Every { interval_ms, next } = self else {
            return true;
        };
        if next_of(cx, next, window).is_none() {
            let at_ms = cx.clock.processing_ms + interval_ms;
            wait(cx, next, window, at_ms);
        }
        false
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_processing_time(self, cx: &mut Ctx<'_>, window: Session, at_ms: i64) -> bool {
        match self {
            Self::Every { interval_ms, next } if next_of(cx, next, window) == Some(at_ms) => {
                wait(cx, next, window, at_ms + interval_ms);
                true
            }
            Self::Every { .. } | Self::EachRow => false,
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn clear(self, cx: &mut Ctx<'_>, window: Session) {
        let Self::Every { next, .. } = self else { return };
        if let Some(at_ms) = next_of(cx, next, window) {
            cx.timers
                .delete(TimerClock::Processing, at_ms, cx.key, &cells(window));
            remove(cx, next, window);
        }
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn next_of(cx: &Ctx<'_>, handle: usize, window: Session) -> Option<i64> {
    match cx.state.tables.get(handle) {
        Some(Table::Value(table)) => table.get(cx.key, &cells(window))?.first()?.as_int(),
        _ => None,
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn wait(cx: &mut Ctx<'_>, handle: usize, window: Session, at_ms: i64) {
    set(cx, handle, window, Value::Int(at_ms));
    cx.timers
        .register(TimerClock::Processing, at_ms, cx.key, &cells(window));
}

#[cfg_attr(sg_hot, optimize(size))]
fn set(cx: &mut Ctx<'_>, handle: usize, window: Session, value: Value) {
    let key = cx.key;
    let note = cx.state.note;
    if let Some(Table::Value(table)) = cx.state.tables.get_mut(handle) {
        let mut entry = table.entry(key, &cells(window), |cells| cells.push(value.clone()));
        if let Some(cell) = entry.cells().first_mut() {
            *cell = value;
        }
        entry.commit(&note);
    }
}

impl Trigger {
    #[cfg_attr(sg_hot, optimize(size))]
    fn has_fired(self, cx: &Ctx<'_>, window: Session) -> Option<Firing> {
        let late = self.late?;
        let fired = match cx.state.tables.get(late.fired) {
            Some(Table::Value(table)) => table.get(cx.key, &cells(window)).is_some(),
            _ => false,
        };
        fired.then_some(late.firing)
    }

    /// A change came into a window that fires at this time: whether to fire now.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn on_change(
        self,
        cx: &mut Ctx<'_>,
        window: Session,
        (clock, at_ms): (TimerClock, i64),
    ) -> bool {
        if let Some(late) = self.has_fired(cx, window) {
            return late.on_change(cx, window);
        }
        if clock == TimerClock::Event && at_ms <= cx.clock.watermark.0 {
            return true;
        }
        cx.timers.register(clock, at_ms, cx.key, &cells(window));
        self.early.is_some_and(|early| early.on_change(cx, window))
    }

    /// A timer of the window fires, perhaps that of its end: whether to emit.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn on_timer(
        self,
        cx: &mut Ctx<'_>,
        window: Session,
        (is_end, timer): (bool, Timer<'_>),
    ) -> bool {
        let late = self.has_fired(cx, window);
        if is_end && late.is_none() {
            if let Some(late) = self.late {
                set(cx, late.fired, window, Value::Bool(true));
            }
            return true;
        }
        if timer.clock == TimerClock::Event {
            return false;
        }
        let firing = late.or(self.early);
        firing.is_some_and(|firing| firing.on_processing_time(cx, window, timer.at_ms))
    }

    /// The window is gone.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn clear(self, cx: &mut Ctx<'_>, window: Session, (clock, at_ms): (TimerClock, i64)) {
        if let Some(early) = self.early {
            early.clear(cx, window);
        }
        if let Some(late) = self.late {
            late.firing.clear(cx, window);
            remove(cx, late.fired, window);
        }
        cx.timers.delete(clock, at_ms, cx.key, &cells(window));
    }
}
