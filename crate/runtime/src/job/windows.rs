//! Which windows of an operator's subtask are open, for the trace.

use sg_value::ordered_map::OrderedMap;

use crate::trace::{Place, Trace, WindowOp};

/// Rows by end and start of a window: each key of a session window has windows of its own.
type Windows = OrderedMap<(i64, i64), u64>;

/// Windows that are open or have just fired.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindowLog {
    /// Nothing is counted of these; they share the type.
    open: Windows,
    /// Fired since the log was last settled, with the rows that came out.
    fired: Windows,
    /// Windows that were opened lately and are open, by their ends: the rows of all keys ask for the same ones.
    recent: [Option<(i64, i64)>; RECENT],
}

/// Slots of the windows that were opened lately.
const RECENT: usize = 16;

const fn slot((start_ms, end_ms): (i64, i64)) -> usize {
    let mixed = (end_ms ^ start_ms << 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.cast_signed());
    (mixed.cast_unsigned() >> 60) as usize
}

impl WindowLog {
    /// Notes a row for a window; whether it is the first.
    pub(crate) fn open(&mut self, window: (i64, i64)) -> bool {
        let place = self.recent.get_mut(slot(window));
        if let Some(place) = place {
            if *place == Some(window) {
                return false;
            }
            *place = Some(window);
        }
        let (start_ms, end_ms) = window;
        self.open.insert((end_ms, start_ms), 0)
    }

    /// Has to follow whenever windows were closed.
    fn forget_recent(&mut self) {
        self.recent = [None; RECENT];
    }

    /// Forgets a window; whether it was open.
    pub(crate) fn forget(&mut self, window: (i64, i64)) -> bool {
        if let Some(place) = self.recent.get_mut(slot(window)) {
            *place = None;
        }
        let (start_ms, end_ms) = window;
        self.open.remove(&(end_ms, start_ms)).is_some()
    }

    /// Notes that a window of one key fired.
    pub(crate) fn fire(&mut self, (start_ms, end_ms): (i64, i64), rows: u64) {
        *self.fired.entry((end_ms, start_ms)) += rows;
    }

    /// Traces what fired: all keys of a window together. A window that fired takes no more rows.
    pub(crate) fn settle(&mut self, trace: &Trace, place: Place) {
        if self.fired.is_empty() {
            return;
        }
        self.forget_recent();
        while let Some(((end_ms, start_ms), rows)) = self.fired.pop_first() {
            self.open.remove(&(end_ms, start_ms));
            if trace.full() {
                trace.window(place, WindowOp::Fired(rows), (start_ms, end_ms));
                trace.window(place, WindowOp::Sealed, (start_ms, end_ms));
            }
        }
    }

    /// Forgets windows from the first end on as long as they are over, silently: for whoever has no timers for them.
    pub(crate) fn forget_while(&mut self, is_over: impl Fn(i64) -> bool) {
        while let Some(((end_ms, _), _)) = self.open.first()
            && is_over(*end_ms)
        {
            self.open.pop_first();
            self.forget_recent();
        }
    }
}
