//! What a run is told beside its graph.

use std::rc::Rc;

use sg_value::{Row, RowKind};

/// How much of the run is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TraceLevel {
    /// Nothing; counters are kept all the same.
    #[default]
    Off,
    /// One frame per slot with the operators' counters and the watermarks of the gates.
    Counters,
    /// Everything: each change on each edge, state, timers, windows.
    Full,
}

/// Limits that keep a page alive; reaching one is a fault that names it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// State entries of all operators together.
    pub max_state_entries: u64,
    /// Changes that all operators together may emit in one slot.
    pub max_slot_changes: u64,
    /// Changes that all operators together may emit in the whole run.
    pub max_changes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_state_entries: 5_000_000,
            max_slot_changes: 1_000_000,
            max_changes: u64::MAX,
        }
    }
}

/// One table that is read.
#[derive(Clone, Debug)]
pub struct SourceOptions {
    /// The table's name.
    pub table: Rc<str>,
    /// Number of partitions, at least 1. Partitions go to the source's subtasks in turn.
    pub partitions: u32,
    /// Per partition: a bound of out-of-orderness in milliseconds instead of the declared watermark expression.
    pub out_of_orderness_ms: Vec<Option<i64>>,
    /// All that it ever delivers, at the start: then it ends.
    pub bounded: Option<Rc<[(RowKind, Row)]>>,
}

/// Options of a run.
#[derive(Clone, Debug, Default)]
pub struct JobOptions {
    /// How much is written down.
    pub trace: TraceLevel,
    /// Which query this is in the frames: 0 for A, 1 for B.
    pub query: u8,
    /// Processing time at the start, milliseconds since the epoch, UTC.
    pub start_ms: i64,
    /// Limits.
    pub limits: Limits,
    /// Partitions of the tables; a table that is not listed has one.
    pub sources: Vec<SourceOptions>,
    /// Chooses between channels that have something instead of taking what was sent first. Whatever the seed, the
    /// materialised result is the same.
    pub channel_seed: Option<u64>,
}
