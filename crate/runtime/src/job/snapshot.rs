//! A job as it stood between two slots, and the way back.
//!
//! Nothing is on its way between slots, so a snapshot is: state tables and timers (shared until somebody writes), gates,
//! clocks, counters. Texts of the trace that were written after it are forgotten when the job goes back, so that a
//! second run writes the same bytes as the first: whoever keeps frames drops those of later slots with their texts.

use sg_value::Gather as _;

use super::{
    Job,
    lookups::LookupTable,
    shared::Counters,
    source::ScanRun,
    task::{OpRun, Subtask},
    windows::WindowLog,
};
use crate::{
    op::Vars,
    state::{Slots, Table},
    time::{ChannelGate, TimerQueue, Watermark},
};

/// A job as it stood between two slots. Cheap to take: it shares the state with the job until either writes.
#[derive(Clone, Debug)]
pub struct Snapshot {
    slot: u32,
    now_ms: i64,
    next_change: u64,
    entries: u64,
    counters: Vec<Counters>,
    told: Vec<[u64; 5]>,
    texts_written: usize,
    subtasks: Vec<SubtaskSnapshot>,
    network: (Vec<Vec<u32>>, Option<u64>),
    lookups: Vec<LookupTable>,
}

#[derive(Clone, Debug)]
struct SubtaskSnapshot {
    gate: ChannelGate,
    ops: Vec<OpSnapshot>,
}

#[derive(Clone, Debug)]
struct OpSnapshot {
    tables: Vec<Table>,
    keys: Slots,
    event: TimerQueue,
    processing: TimerQueue,
    watermark: Watermark,
    sent: Watermark,
    vars: Vars,
    last_change: u64,
    rows: u64,
    windows: WindowLog,
    scan: Option<ScanRun>,
}

impl Snapshot {
    /// Number of arrivals that it has seen.
    #[cfg_attr(sg_hot, optimize(size))]
    pub const fn slot(&self) -> u32 {
        self.slot
    }
}

impl OpSnapshot {
    #[cfg_attr(sg_hot, optimize(size))]
    fn take(op: &OpRun) -> Self {
        Self {
            tables: op.tables.clone(),
            keys: op.keys.clone(),
            event: op.event.clone(),
            processing: op.processing.clone(),
            watermark: op.watermark,
            sent: op.sent,
            vars: op.vars,
            last_change: op.last_change,
            rows: op.rows,
            windows: op.windows.clone(),
            scan: op.scan.clone(),
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn restore(&self, op: &mut OpRun) {
        op.tables.clone_from(&self.tables);
        op.keys.clone_from(&self.keys);
        op.event = self.event.clone();
        op.processing = self.processing.clone();
        op.watermark = self.watermark;
        op.sent = self.sent;
        op.vars = self.vars;
        op.last_change = self.last_change;
        op.rows = self.rows;
        op.windows = self.windows.clone();
        op.scan.clone_from(&self.scan);
        op.eval.watermark_ms = self.watermark.ms();
        op.out.clear();
    }
}

impl Job {
    /// The job as it stands. Only between slots.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn snapshot(&self) -> Snapshot {
        let subtasks = self.subtasks.iter().map(|Subtask { gate, ops }| SubtaskSnapshot {
            gate: gate.clone(),
            ops: ops.iter().map(OpSnapshot::take).gather(),
        });
        Snapshot {
            slot: self.slot,
            now_ms: self.now_ms,
            next_change: self.shared.next_change.get(),
            entries: self.shared.entries.get(),
            counters: self.shared.counters.clone(),
            told: self.told.clone(),
            texts_written: self.shared.trace.texts_written(),
            subtasks: subtasks.gather(),
            network: self.network.remembered(),
            lookups: self.shared.lookups.snapshot(),
        }
    }

    /// Goes back (or forward) to where a snapshot of this job, or of one built alike, was taken. Frames that were not
    /// taken yet are gone.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.shared.trace.rewind(snapshot.texts_written);
        self.visit(snapshot);
    }

    /// The same for a look at another slot from which the job comes back: its frames go on as if nothing had been.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn visit(&mut self, snapshot: &Snapshot) {
        self.slot = snapshot.slot;
        self.now_ms = snapshot.now_ms;
        self.fault = None;
        self.shared.next_change.set(snapshot.next_change);
        self.shared.entries.set(snapshot.entries);
        self.shared.counters.clone_from(&snapshot.counters);
        self.told.clone_from(&snapshot.told);
        self.network.restore(&snapshot.network);
        self.shared.lookups.restore(&snapshot.lookups);
        self.sinks.clear();
        for (subtask, saved) in self.subtasks.iter_mut().zip(&snapshot.subtasks) {
            subtask.gate = saved.gate.clone();
            for (op, saved) in subtask.ops.iter_mut().zip(&saved.ops) {
                saved.restore(op);
            }
        }
    }
}
