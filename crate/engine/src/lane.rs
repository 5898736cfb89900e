//! One query of a workspace while it is replayed: its job, what it has done, and where it can be resumed.

use std::rc::Rc;

use sg_plan::job::JobGraph;
use sg_runtime::Fault;
use sg_runtime::{Arrival, ArrivalKind, Job, Output, Snapshot};
use sg_runtime::{JobOptions, TraceLevel};
use sg_value::Gather as _;

use crate::arrivals::Timed;
use crate::dto;

/// Slots between two snapshots.
const SNAPSHOT_EVERY: u32 = 64;

/// A query that runs over a workspace's arrivals.
#[derive(Debug)]
pub(crate) struct Lane {
    /// What runs.
    pub(crate) graph: Rc<JobGraph>,
    job: Job,
    /// For each of the workspace's sources its number in the job, if the query reads it.
    sources: Vec<Option<u32>>,
    /// Ascending by slot; taken before the arrival of that slot.
    snapshots: Vec<Snapshot>,
    /// What reached the sinks before the first arrival.
    pub(crate) started: Vec<Output>,
    /// `execution.checkpointing.interval`, where it is set.
    pub(crate) checkpoint_ms: Option<i64>,
    /// Why its result cannot go where rows are only appended.
    pub(crate) append_refusal: Option<dto::Diagnostic>,
    /// Why it stopped.
    pub(crate) fault: Option<Fault>,
}

impl Lane {
    /// Builds the job and runs what comes before the first arrival.
    pub(crate) fn new(graph: &Rc<JobGraph>, tables: &[Rc<str>], options: &JobOptions) -> Result<Self, Fault> {
        let mut job = Job::build(graph, options)?;
        let sources = tables
            .iter()
            .map(|table| {
                job.sources()
                    .iter()
                    .find(|source| source.table == *table)
                    .map(|source| source.source)
            })
            .gather();
        let fault = job.start().err();
        let started = job.take_outputs();
        Ok(Self {
            started,
            checkpoint_ms: None,
            append_refusal: None,
            graph: Rc::clone(graph),
            snapshots: vec![job.snapshot()],
            job,
            sources,
            fault,
        })
    }

    /// Runs one arrival, with what a control lets arrive in the same slot before it.
    pub(crate) fn push(&mut self, before: &[Timed], timed: &Timed) {
        if self.fault.is_some() {
            return;
        }
        if self.job.slot().is_multiple_of(SNAPSHOT_EVERY)
            && self
                .snapshots
                .last()
                .is_none_or(|last| last.slot() < self.job.slot())
        {
            self.snapshots.push(self.job.snapshot());
        }
        self.fault = push(&mut self.job, &self.sources, before, timed).err();
    }

    /// The end of all inputs.
    pub(crate) fn end(&mut self) {
        if self.fault.is_none() {
            self.fault = self.job.end().err();
        }
    }

    /// Appends the frames written since the last call.
    pub(crate) fn take_frames(&mut self, frames: &mut Vec<u8>) {
        self.job.take_frames(frames);
    }

    /// For each of the workspace's sources its number in the job, if the query reads it.
    pub(crate) fn sources(&self) -> &[Option<u32>] {
        &self.sources
    }

    /// The job as it runs.
    pub(crate) const fn job(&self) -> &Job {
        &self.job
    }

    /// Calls `look` with the job as it stood after `slots` arrivals, then brings the job back to where it was.
    ///
    /// `look` may push arrivals of its own through [`Probe::push`]; nothing of it is traced or kept.
    pub(crate) fn at<R>(
        &mut self,
        slots: u32,
        arrivals: &[(Vec<Timed>, Timed)],
        look: impl FnOnce(&mut Probe<'_>) -> R,
    ) -> R {
        let now = self.job.snapshot();
        self.job.set_trace(TraceLevel::Off);
        if let Some(nearest) = self
            .snapshots
            .iter()
            .rev()
            .find(|snapshot| snapshot.slot() <= slots)
        {
            self.job.visit(nearest);
        }
        let mut probe = Probe {
            job: &mut self.job,
            sources: &self.sources,
            failed: false,
        };
        let from = probe.job.slot() as usize;
        for (before, timed) in arrivals.get(from..slots as usize).unwrap_or_default() {
            probe.push_with(before, timed);
        }
        let result = look(&mut probe);
        self.job.visit(&now);
        self.job.set_trace(TraceLevel::Full);
        result
    }
}

/// A job at some slot, to look at and to try things on.
pub(crate) struct Probe<'a> {
    /// The job.
    pub(crate) job: &'a mut Job,
    sources: &'a [Option<u32>],
    /// Whether the job stopped.
    pub(crate) failed: bool,
}

impl Probe<'_> {
    /// Lets something arrive.
    pub(crate) fn push(&mut self, timed: &Timed) {
        self.push_with(&[], timed);
    }

    /// The same with the controls that take effect in the same slot.
    pub(crate) fn push_with(&mut self, before: &[Timed], timed: &Timed) {
        if !self.failed {
            self.failed = push(self.job, self.sources, before, timed).is_err();
        }
    }
}

fn push(job: &mut Job, sources: &[Option<u32>], before: &[Timed], timed: &Timed) -> Result<(), Fault> {
    let arrivals: Vec<Arrival> = before
        .iter()
        .filter(|control| source_of(sources, control).is_some())
        .chain([timed])
        .map(|timed| arrival(sources, timed))
        .gather();
    job.push_all(&arrivals)
}

fn source_of(sources: &[Option<u32>], timed: &Timed) -> Option<u32> {
    sources.get(timed.source as usize).copied().flatten()
}

/// The arrival for a job; nothing but the time where the job does not read the table.
fn arrival(sources: &[Option<u32>], timed: &Timed) -> Arrival {
    let source = source_of(sources, timed);
    Arrival {
        source: source.unwrap_or_default(),
        partition: timed.partition,
        processing_time_ms: timed.at_ms,
        kind: if source.is_some() {
            timed.kind.clone()
        } else {
            ArrivalKind::Tick
        },
    }
}
