//! Which windows of an operator's subtask are open, for the trace.

use sg_value::sorted::{SortedMap, SortedSet};

use crate::trace::{Place, Trace, WindowOp};

/// Windows by end and start.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindowLog {
    open: SortedSet<(i64, i64)>,
    /// Fired since the log was last settled, with the rows that came out.
    fired: SortedMap<(i64, i64), u64>,
}

impl WindowLog {
    /// Notes a row for a window; whether it is the first.
    pub(crate) fn open(&mut self, (start_ms, end_ms): (i64, i64)) -> bool {
        self.open.insert((end_ms, start_ms), ())
    }

    /// Forgets a window; whether it was open.
    pub(crate) fn forget(&mut self, (start_ms, end_ms): (i64, i64)) -> bool {
        self.open.remove(&(end_ms, start_ms)).is_some()
    }

    /// Notes that a window of one key fired.
    pub(crate) fn fire(&mut self, (start_ms, end_ms): (i64, i64), rows: u64) {
        *self.fired.get_or_insert((end_ms, start_ms), 0) += rows;
    }

    /// Traces what fired: all keys of a window together. A window that fired takes no more rows.
    pub(crate) fn settle(&mut self, trace: &Trace, place: Place) {
        if self.fired.is_empty() {
            return;
        }
        let fired = std::mem::take(&mut self.fired);
        self.open.retain(|(window, ())| !fired.contains_key(window));
        for ((end_ms, start_ms), rows) in fired {
            if trace.full() {
                trace.window(place, WindowOp::Fired(rows), (start_ms, end_ms));
                trace.window(place, WindowOp::Sealed, (start_ms, end_ms));
            }
        }
    }

    /// Forgets windows from the first end on as long as they are over, silently: for whoever has no timers for them.
    pub(crate) fn forget_while(&mut self, is_over: impl Fn(i64) -> bool) {
        let over = self.open.keys().take_while(|(end_ms, _)| is_over(*end_ms));
        let over = over.count();
        self.open.drop_first(over);
    }
}
