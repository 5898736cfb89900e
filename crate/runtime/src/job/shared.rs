//! What all operators of a job share while it runs: the trace, the ids, the counters, the limits.

use std::cell::{Cell, RefCell};

use sg_diag::{Code, Diagnostic, Span};

use super::{
    LateDrop,
    lookups::{LookupTable, Lookups},
};
use crate::{
    options::Limits,
    trace::{Totals, Trace},
};

/// Shared by reference; everything that changes is a cell.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) trace: Trace,
    /// Whether there was ever a trace: else what only a trace tells need not be known. One may pause.
    pub(crate) traced: Cell<bool>,
    pub(crate) limits: Limits,
    /// The id of the next change; ids grow by 1 and begin at 1.
    pub(crate) next_change: Cell<u64>,
    /// The processing time that the clock is on its way to.
    pub(crate) clock_target_ms: Cell<i64>,
    /// Changes that may still be emitted in this slot.
    pub(crate) slot_changes_left: Cell<u64>,
    /// State entries of all operators.
    pub(crate) entries: Cell<u64>,
    /// Per operator.
    pub(crate) counters: Vec<Counters>,
    /// What was dropped in this slot.
    pub(crate) late_drops: RefCell<Vec<LateDrop>>,
    /// What lookup joins ask.
    pub(crate) lookups: Lookups,
}

/// Counters of an operator, all subtasks together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    /// State entries and timers.
    pub(crate) entries: Cell<u64>,
    /// Their bytes in a savepoint.
    pub(crate) bytes: Cell<u64>,
    /// Changes taken.
    pub(crate) rows_in: Cell<u64>,
    /// Changes emitted.
    pub(crate) rows_out: Cell<u64>,
    /// Rows dropped because they were late.
    pub(crate) late: Cell<u64>,
}

impl Shared {
    pub(super) fn new(trace: Trace, limits: Limits, operators: usize, lookups: Vec<LookupTable>) -> Self {
        Self {
            traced: Cell::new(trace.on()),
            trace,
            limits,
            next_change: Cell::new(1),
            clock_target_ms: Cell::new(i64::MIN),
            slot_changes_left: Cell::new(0),
            entries: Cell::new(0),
            counters: vec![Counters::default(); operators],
            late_drops: RefCell::default(),
            lookups: Lookups::new(lookups),
        }
    }

    /// A new id for a change.
    #[inline]
    pub(crate) fn new_change(&self) -> u64 {
        let id = self.next_change.get();
        self.next_change.set(id + 1);
        id
    }

    /// The first of so many new ids for changes that are emitted in this slot; `None` if that would be too many.
    #[inline]
    pub(crate) fn new_changes(&self, count: u64) -> Option<u64> {
        let left = self.slot_changes_left.get().checked_sub(count)?;
        self.slot_changes_left.set(left);
        let first = self.next_change.get();
        self.next_change.set(first + count);
        Some(first)
    }

    /// What stops the job when one arrival makes too much.
    pub(crate) fn step_limit(&self, span: Span) -> Diagnostic {
        Diagnostic::new(Code::StepLimit, span).arg("limit", self.limits.max_slot_changes)
    }

    /// What stops the job at the end of a slot, if a limit of the whole run was passed.
    pub(crate) fn run_limit(&self) -> Option<Diagnostic> {
        let Limits {
            max_state_entries,
            max_changes,
            ..
        } = self.limits;
        if self.entries.get() > max_state_entries {
            return Some(Diagnostic::new(Code::StateLimit, Span::default()).arg("limit", max_state_entries));
        }
        if self.next_change.get() > max_changes {
            return Some(Diagnostic::new(Code::RunLimit, Span::default()).arg("limit", max_changes));
        }
        None
    }

    /// Counts an entry or a timer more.
    pub(crate) fn add_entry(&self, counters: &Counters, bytes: u64) {
        self.entries.set(self.entries.get() + 1);
        counters.entries.set(counters.entries.get() + 1);
        counters.bytes.set(counters.bytes.get() + bytes);
    }

    /// Counts entries or timers less.
    pub(crate) fn remove_entries(&self, counters: &Counters, entries: u64, bytes: u64) {
        self.entries.set(self.entries.get() - entries);
        counters.entries.set(counters.entries.get() - entries);
        counters.bytes.set(counters.bytes.get() - bytes);
    }
}

impl Counters {
    /// An entry has another size.
    pub(crate) fn resize(&self, before: u64, after: u64) {
        self.bytes.set(self.bytes.get() + after - before);
    }

    /// Entries and bytes.
    pub(crate) fn totals(&self) -> Totals {
        Totals {
            entries: self.entries.get(),
            bytes: self.bytes.get(),
        }
    }

    /// Adds to a counter.
    #[inline]
    pub(crate) fn add(counter: &Cell<u64>, more: u64) {
        counter.set(counter.get() + more);
    }
}
