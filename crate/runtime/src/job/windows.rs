//! Which windows of an operator's subtask are open, for the trace.

use std::collections::BTreeMap;

use crate::trace::{Place, Trace, WindowOp};

/// Rows by end and start of a window. A tree: each key of a session window has windows of its own.
type Windows = BTreeMap<(i64, i64), u64>;

/// Windows that are open or have just fired.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindowLog {
    /// Nothing is counted of these; they share the type.
    open: Windows,
    /// Fired since the log was last settled, with the rows that came out.
    fired: Windows,
}

impl WindowLog {
    /// Notes a row for a window; whether it is the first.
    pub(crate) fn open(&mut self, (start_ms, end_ms): (i64, i64)) -> bool {
        self.open.insert((end_ms, start_ms), 0).is_none()
    }

    /// Forgets a window; whether it was open.
    pub(crate) fn forget(&mut self, (start_ms, end_ms): (i64, i64)) -> bool {
        self.open.remove(&(end_ms, start_ms)).is_some()
    }

    /// Notes that a window of one key fired.
    pub(crate) fn fire(&mut self, (start_ms, end_ms): (i64, i64), rows: u64) {
        *self.fired.entry((end_ms, start_ms)).or_default() += rows;
    }

    /// Traces what fired: all keys of a window together. A window that fired takes no more rows.
    pub(crate) fn settle(&mut self, trace: &Trace, place: Place) {
        if self.fired.is_empty() {
            return;
        }
        for ((end_ms, start_ms), rows) in std::mem::take(&mut self.fired) {
            self.open.remove(&(end_ms, start_ms));
            if trace.full() {
                trace.window(place, WindowOp::Fired(rows), (start_ms, end_ms));
                trace.window(place, WindowOp::Sealed, (start_ms, end_ms));
            }
        }
    }

    /// Forgets windows from the first end on as long as they are over, silently: for whoever has no timers for them.
    pub(crate) fn forget_while(&mut self, is_over: impl Fn(i64) -> bool) {
        while let Some(((end_ms, _), _)) = self.open.first_key_value()
            && is_over(*end_ms)
        {
            self.open.pop_first();
        }
    }
}
