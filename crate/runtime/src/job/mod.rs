//! A running job.

use std::rc::Rc;

use sg_plan::job::{JobGraph, OperatorId};
use sg_value::{Field, Row, RowKind, Value};

use crate::{fault::Fault, options::JobOptions};

/// Something that arrives at a source.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// Index into [`Job::sources`].
    pub source: u32,
    /// The partition, below the source's number of partitions.
    pub partition: u32,
    /// Processing time of the arrival, milliseconds since the epoch, UTC. Never goes back.
    pub processing_time_ms: i64,
    /// What arrives.
    pub kind: ArrivalKind,
}

/// What arrives.
#[derive(Clone, Debug)]
pub enum ArrivalKind {
    /// A row of the source's physical columns.
    Row {
        /// Its kind.
        kind: RowKind,
        /// Its cells, one per column of [`SourceInfo::columns`].
        row: Row,
    },
    /// A watermark of the partition, milliseconds since the epoch.
    Watermark(i64),
    /// The partition has nothing to say for the time being.
    Idle,
    /// It has again.
    Active,
    /// The partition's watermark stands still from now on.
    Hold,
    /// It moves again, and catches up.
    Release,
    /// Nothing but the time; the source does not matter.
    Tick,
}

/// A table that the job reads. All scans of one table are one source.
#[derive(Clone, Debug)]
pub struct SourceInfo {
    /// Its number in arrivals.
    pub source: u32,
    /// The table's name.
    pub table: Rc<str>,
    /// Number of partitions.
    pub partitions: u32,
    /// Physical columns: what a row consists of.
    pub columns: Rc<[Field]>,
}

/// A change that reached a sink.
#[derive(Clone, Debug)]
pub struct Output {
    /// The sink.
    pub sink: OperatorId,
    /// Kind of the change.
    pub kind: RowKind,
    /// Its cells.
    pub row: Row,
}

/// The same, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct OutputRef<'a> {
    /// The sink.
    pub sink: OperatorId,
    /// Kind of the change.
    pub kind: RowKind,
    /// Its cells.
    pub row: &'a [Value],
}

/// A state of an operator, as declared.
#[derive(Clone, Debug)]
pub struct StateHandle {
    /// Its number within the operator.
    pub handle: u32,
    /// Flink's name: `accState`.
    pub name: String,
    /// Columns of a value.
    pub columns: Vec<String>,
}

/// One entry of state.
#[derive(Clone, Debug)]
pub struct StateRow {
    /// The subtask that holds it.
    pub subtask: u32,
    /// Text of the key: `[a, 1]`.
    pub key: String,
    /// Text of the namespace (a window), empty if there is none.
    pub namespace: String,
    /// Text of the value.
    pub value: String,
    /// The change that wrote it last.
    pub last_writer: u64,
    /// Bytes in a savepoint.
    pub bytes: u64,
}

/// A page of state entries, ordered by key and namespace.
#[derive(Clone, Debug, Default)]
pub struct StatePage {
    /// Number of entries in all.
    pub total: u64,
    /// Entries from the offset on.
    pub rows: Vec<StateRow>,
}

/// Counters of an operator, all subtasks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperatorStats {
    /// State entries and timers.
    pub entries: u64,
    /// Their bytes in a savepoint.
    pub bytes: u64,
    /// The lowest watermark of its subtasks; `None` before the first.
    pub watermark_ms: Option<i64>,
    /// Rows dropped because they were late.
    pub late_dropped: u64,
    /// Changes taken.
    pub rows_in: u64,
    /// Changes emitted.
    pub rows_out: u64,
}

/// A job as it stood between two slots. Cheap to take: it shares the state with the job until either writes.
#[derive(Clone, Debug)]
pub struct Snapshot {
    slot: u32,
}

impl Snapshot {
    /// Number of arrivals that it has seen.
    pub const fn slot(&self) -> u32 {
        self.slot
    }
}

/// A running job.
#[derive(Debug)]
pub struct Job {
    sources: Vec<SourceInfo>,
}

impl Job {
    /// Builds the operators of a graph. Fails where an operator cannot run what its spec asks for.
    pub fn build(_graph: &Rc<JobGraph>, _options: JobOptions) -> Result<Self, Fault> {
        todo!()
    }

    /// The tables that it reads.
    pub fn sources(&self) -> &[SourceInfo] {
        &self.sources
    }

    /// States of an operator, by handle.
    pub fn state_handles(&self, _operator: OperatorId) -> Vec<StateHandle> {
        todo!()
    }

    /// What happens before the first arrival: `VALUES` rows.
    pub fn start(&mut self) -> Result<(), Fault> {
        todo!()
    }

    /// Runs one arrival to the end. One slot.
    pub fn push(&mut self, _arrival: &Arrival) -> Result<(), Fault> {
        todo!()
    }

    /// The same for a row that is only borrowed.
    pub fn push_row(
        &mut self,
        _source: u32,
        _partition: u32,
        _processing_time_ms: i64,
        _kind: RowKind,
        _row: &[Value],
    ) -> Result<(), Fault> {
        todo!()
    }

    /// The end of all inputs: the final watermark. Pending processing-time timers are dropped.
    pub fn end(&mut self) -> Result<(), Fault> {
        todo!()
    }

    /// Number of arrivals so far.
    pub fn slot(&self) -> u32 {
        todo!()
    }

    /// Changes that reached sinks in the last slot (or start, or end), in order.
    pub fn outputs(&self) -> impl Iterator<Item = OutputRef<'_>> {
        std::iter::empty()
    }

    /// The same, owned; they are gone afterwards.
    pub fn take_outputs(&mut self) -> Vec<Output> {
        todo!()
    }

    /// Moves the frames written since the last call behind `into`, each with its length in front.
    pub fn take_frames(&mut self, _into: &mut Vec<u8>) {
        todo!()
    }

    /// Changes how much is written down from the next slot on.
    pub fn set_trace(&mut self, _level: crate::options::TraceLevel) {
        todo!()
    }

    /// The job as it stands. Only between slots.
    pub fn snapshot(&self) -> Snapshot {
        todo!()
    }

    /// Goes back (or forward) to where a snapshot of this job was taken.
    pub fn restore(&mut self, _snapshot: &Snapshot) {
        todo!()
    }

    /// Entries of a state, all subtasks together, ordered by key and namespace.
    pub fn state_page(&self, _operator: OperatorId, _handle: u32, _offset: u64, _limit: u64) -> StatePage {
        todo!()
    }

    /// Counters of all operators, by id.
    pub fn operator_stats(&self) -> Vec<OperatorStats> {
        todo!()
    }
}
