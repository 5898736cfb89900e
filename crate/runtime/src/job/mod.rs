//! A running job.
//!
//! Each arrival is a slot. Within it the job runs until nothing is on its way; only between slots is it looked at,
//! snapshotted or restored.

mod arrive;
pub(crate) mod batch;
mod channel;
mod layout;
mod look;
pub(crate) mod lookups;
pub(crate) mod shared;
pub(crate) mod sinks;
mod snapshot;
mod source;
mod task;
mod timing;
pub(crate) mod windows;

use std::rc::Rc;

use sg_diag::Diagnostic;
use sg_plan::job::{JobGraph, OperatorId};
use sg_value::{Field, Gather as _, Row, RowKind, Value, time::Zone};

use crate::{
    fault::Fault,
    options::{JobOptions, TraceLevel},
    state::Table,
    time::ChannelGate,
    trace::{Phase, Trace},
};
use channel::Network;
use layout::{Layout, Role};
use shared::Shared;
use sinks::SinkBuffer;
pub use snapshot::Snapshot;
use source::ScanRun;
use task::{Arrived, Driver, Failed, OpRun, Subtask, TaskPlace};

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
    /// Text of the key: `a, 1`; behind it that of the key within it, where the state has one: `a[7]`.
    pub key: String,
    /// The part in brackets, empty if there is none.
    pub sub: String,
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

/// A row that was dropped because its window was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateDrop {
    /// The operator that dropped it.
    pub operator: OperatorId,
    /// How far the watermark was past the row's event time; of what a local phase sent, past its window's end.
    pub by_ms: i64,
    /// The watermark, milliseconds since the epoch.
    pub watermark_ms: i64,
    /// Start of the window, milliseconds since the epoch.
    pub window_start_ms: i64,
    /// End of the window, exclusive.
    pub window_end_ms: i64,
}

/// A partition of a source, as its subtask sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionState {
    /// The watermark that it has handed on; `None` before the first.
    pub watermark_ms: Option<i64>,
    /// Whether it is left out of the minimum.
    pub idle: bool,
    /// Whether its watermark is frozen.
    pub held: bool,
    /// Processing time of its last row, the start of the run before the first.
    pub last_row_ms: i64,
    /// A bound of out-of-orderness that replaces the declared watermark expression.
    pub out_of_orderness_ms: Option<i64>,
}

/// A running job.
pub struct Job {
    layout: Layout,
    shared: Shared,
    subtasks: Vec<Subtask>,
    network: Network,
    sinks: SinkBuffer,
    /// Processing time.
    now_ms: i64,
    /// Number of arrivals so far.
    slot: u32,
    fault: Option<Fault>,
    /// Numbers that the trace has said last, per operator.
    told: Vec<[u64; 5]>,
    /// Subtasks and positions of operators that wait for processing time.
    clocked: Vec<(usize, TaskPlace, usize)>,
    /// The same for those whose state expires.
    expiring: Vec<(usize, TaskPlace, usize)>,
}

impl Job {
    /// Builds the operators of a graph. Fails where one of them does not run.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn build(graph: &Rc<JobGraph>, options: &JobOptions) -> Result<Self, Fault> {
        let trace = Trace::new(options.trace, options.query);
        let layout = Layout::new(graph, options, &trace)?;
        let zone = Zone::parse(&graph.zone).unwrap_or(Zone::UTC);
        let mut subtasks = Vec::with_capacity(layout.subtasks());
        let (mut clocked, mut expiring) = (Vec::new(), Vec::new());
        for (number, task) in layout.tasks.iter().enumerate() {
            for at in 0..task.parallelism {
                let place = TaskPlace { task: number, at };
                let mut ops = Vec::with_capacity(task.ops.len());
                for (position, info) in task.ops.iter().filter_map(|op| layout.ops.get(*op)).enumerate() {
                    if info.uses_processing_time {
                        clocked.push((subtasks.len(), place, position));
                    }
                    if info.expires() {
                        expiring.push((subtasks.len(), place, position));
                    }
                    let tables = (0..).zip(&info.states);
                    let tables = tables
                        .map(|(handle, spec)| Table::new(handle, Rc::clone(spec), &info.key_layout, &trace))
                        .gather();
                    let eval = sg_expr::EvalCx {
                        zone: zone.clone(),
                        ..sg_expr::EvalCx::default()
                    };
                    let scan = match &info.role {
                        Role::Scan(scan) => Some(ScanRun::new(
                            scan.partitions_of(at, task.parallelism),
                            options.start_ms,
                        )),
                        Role::Operator(_) => None,
                    };
                    ops.push(OpRun::new(info, tables, eval, scan));
                }
                subtasks.push(Subtask {
                    gate: ChannelGate::new(&task.channels),
                    ops,
                });
            }
        }
        Ok(Self {
            shared: Shared::new(
                trace,
                options.limits,
                layout.ops.len(),
                layout::lookup_tables(graph, &layout.sources, options.start_ms),
            ),
            network: Network::new(&layout, options.channel_seed),
            told: vec![[0; 5]; layout.ops.len()],
            layout,
            subtasks,
            sinks: SinkBuffer::default(),
            now_ms: options.start_ms,
            slot: 0,
            fault: None,
            clocked,
            expiring,
        })
    }

    /// The tables that it reads.
    pub fn sources(&self) -> &[SourceInfo] {
        &self.layout.sources
    }

    /// The task of an operator: operators of one chain share one. `None` for an unknown operator.
    pub fn task_of(&self, operator: OperatorId) -> Option<u32> {
        self.layout
            .ops
            .get(operator.0 as usize)
            .map(|info| info.task as u32)
    }

    /// Number of arrivals so far.
    pub const fn slot(&self) -> u32 {
        self.slot
    }

    /// Why it stopped, if it did.
    pub const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// What happens before the first arrival: `VALUES` rows. To be called once, before anything else.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn start(&mut self) -> Result<(), Fault> {
        self.slot_of(Phase::Start, |job| {
            for number in 0..job.subtasks.len() {
                job.start_subtask(number)?;
            }
            job.settle()
        })
    }

    /// Runs one arrival to the end: one slot.
    pub fn push(&mut self, arrival: &Arrival) -> Result<(), Fault> {
        self.push_all(std::slice::from_ref(arrival))
    }

    /// Runs several arrivals, each to the end, as one slot: controls that take effect together with an event.
    pub fn push_all(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        let result = self.slot_of(Phase::Arrival, |job| {
            arrivals.iter().try_for_each(|arrival| job.arrive(arrival))
        });
        self.slot += 1;
        result
    }

    fn arrive(&mut self, arrival: &Arrival) -> Result<(), Failed> {
        let Arrival {
            source,
            partition,
            processing_time_ms,
            ..
        } = *arrival;
        let at = arrive::At { source, partition };
        self.advance_clock(processing_time_ms)?;
        match &arrival.kind {
            ArrivalKind::Row { kind, row } => self.arrive_row(at, *kind, row),
            other => self.arrive_control(at, other),
        }
    }

    /// The same for a row that is only borrowed.
    #[inline(never)]
    pub fn push_row(
        &mut self,
        source: u32,
        partition: u32,
        processing_time_ms: i64,
        change: sg_value::Change<'_>,
    ) -> Result<(), Fault> {
        let at = arrive::At { source, partition };
        let result = self.slot_of(Phase::Arrival, |job| {
            job.advance_clock(processing_time_ms)?;
            job.arrive_row(at, change.kind, change.row)
        });
        self.slot += 1;
        result
    }

    /// Rows that arrive together, all inserted, as one slot; `rows` holds their cells, as many a row as the source has
    /// columns. An operator takes all of them before the next one does, which spares most of the work beside the rows.
    #[inline(never)]
    pub fn push_rows(
        &mut self,
        source: u32,
        partition: u32,
        processing_time_ms: i64,
        rows: &[Value],
    ) -> Result<(), Fault> {
        let width = self
            .layout
            .sources
            .get(source as usize)
            .map_or(0, |source| source.columns.len());
        let at = arrive::At { source, partition };
        let result = self.slot_of(Phase::Arrival, |job| {
            job.advance_clock(processing_time_ms)?;
            job.arrive_rows(at, width, rows)
        });
        self.slot += 1;
        result
    }

    /// The end of all inputs: the final watermark. Pending processing-time timers are dropped.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn end(&mut self) -> Result<(), Fault> {
        self.slot_of(Phase::End, |job| {
            job.end_sources()?;
            job.settle()
        })
    }

    /// Changes that reached sinks in the last slot (or start, or end), in order.
    pub fn outputs(&self) -> impl Iterator<Item = OutputRef<'_>> {
        self.sinks.iter()
    }

    /// The same, owned; they are gone afterwards.
    pub fn take_outputs(&mut self) -> Vec<Output> {
        self.sinks.take()
    }

    /// Moves the frames written since the last call behind `into`, each with its length in front.
    pub fn take_frames(&mut self, into: &mut Vec<u8>) {
        self.shared.trace.take(into);
    }

    /// Changes how much is written down from the next slot on.
    pub fn set_trace(&mut self, level: TraceLevel) {
        self.shared.trace.set_level(level);
        self.shared
            .traced
            .set(self.shared.traced.get() || self.shared.trace.on());
    }

    /// Runs one slot and closes its frame.
    fn slot_of(
        &mut self,
        phase: Phase,
        run: impl FnOnce(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        self.sinks.clear();
        self.shared.late_drops.borrow_mut().clear();
        self.shared
            .slot_changes_left
            .set(self.shared.limits.max_slot_changes);
        let traced = self.shared.trace.on();
        if traced {
            self.shared
                .trace
                .begin(phase, self.slot, self.now_ms, self.shared.next_change.get());
        }
        let mut result = run(self).map_err(|failed| self.fault_of(failed));
        if result.is_ok()
            && let Some(diagnostic) = self.shared.run_limit()
        {
            result = Err(self.limit_fault(diagnostic));
        }
        if let Err(fault) = &result {
            self.network.clear();
            self.fault = Some(fault.clone());
            self.shared.trace.set_phase(Phase::Fault);
            self.shared.trace.fault(fault.operator.0, &fault.diagnostic);
        }
        if traced {
            self.tell_stats();
            self.shared.trace.end();
        }
        result
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn fault_of(&self, failed: Failed) -> Fault {
        let operator = OperatorId(failed.operator);
        Fault {
            operator,
            slot: self.slot,
            diagnostic: failed.error.diagnostic,
        }
    }

    /// A limit of the whole run is laid at the door of the operator that holds or makes most.
    #[cfg_attr(sg_hot, optimize(size))]
    fn limit_fault(&self, mut diagnostic: Diagnostic) -> Fault {
        let load = |at: &usize| {
            self.shared
                .counters
                .get(*at)
                .map_or(0, |counters| counters.entries.get().max(counters.rows_out.get()))
        };
        let worst = (0..self.layout.ops.len()).rev().max_by_key(load).unwrap_or(0);
        if let Some(info) = self.layout.ops.get(worst) {
            diagnostic.span = info.span;
        }
        Fault {
            operator: OperatorId(worst as u32),
            slot: self.slot,
            diagnostic: Box::new(diagnostic),
        }
    }

    /// Runs until nothing is on its way.
    fn settle(&mut self) -> Result<(), Failed> {
        while let Some(mut sent) = self.network.pop() {
            let Some(subtask) = self.subtasks.get_mut(sent.subtask) else {
                continue;
            };
            let mut driver = Driver {
                layout: &self.layout,
                shared: &self.shared,
                sinks: &mut self.sinks,
                now_ms: self.now_ms,
            };
            let from = Arrived {
                input: sent.input,
                channel: sent.channel,
                batch: &mut sent.batch,
            };
            driver.take(sent.place, subtask, from)?;
            self.network.send(&self.layout, &self.shared, sent.place, subtask);
            self.network.recycle(sent.batch);
        }
        Ok(())
    }

    fn tell_stats(&mut self) {
        for (at, (told, counters)) in (0_u32..).zip(self.told.iter_mut().zip(&self.shared.counters)) {
            let numbers = [
                counters.entries.get(),
                counters.bytes.get(),
                counters.rows_in.get(),
                counters.rows_out.get(),
                counters.late.get(),
            ];
            if *told != numbers {
                *told = numbers;
                self.shared.trace.stats(at, &numbers);
            }
        }
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job")
            .field("slot", &self.slot)
            .field("fault", &self.fault)
            .finish_non_exhaustive()
    }
}
