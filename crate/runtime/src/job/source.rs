//! Scans: from what arrives at a table to rows, watermarks and idleness of a source's subtask.
//!
//! Partitions go to the subtasks of a scan in turn. Where the source makes the watermarks itself, it does so per
//! partition and combines them inside ([`SplitCombiner`]); otherwise an operator behind it makes them and sees the rows
//! of all partitions as one stream.

use std::rc::Rc;

use sg_expr::{Compiled, EvalCx, compile};
use sg_plan::physical::node::{ScanSpec, SourceWatermark};
use sg_value::{Gather as _, Row, RowKind, Value};

use super::{PartitionState, SourceInfo};
use crate::{
    options::JobOptions,
    time::{Moved, SplitCombiner, Watermark},
    trace::{Class, Trace},
};

/// What a scan does, fixed.
pub(super) struct ScanInfo {
    /// Number of the table among the sources.
    pub(super) source: u32,
    /// For each output column the number of the arriving cell.
    pub(super) columns: Vec<usize>,
    /// The number of the event-time cell, if it is among the arriving ones.
    pub(super) rowtime: Option<usize>,
    pub(super) watermarks: Watermarks,
    /// Classes of the arriving cells.
    pub(super) classes: Box<[Class]>,
    /// Number of the table's partitions.
    pub(super) partitions: u32,
    /// All that a table delivers that ends with it.
    pub(super) bounded: Option<Rc<[(RowKind, Row)]>>,
    /// Per partition a bound that replaces the expression.
    bounds_ms: Vec<Option<i64>>,
}

/// Who makes the watermarks of a scan.
pub(super) enum Watermarks {
    /// An operator behind it, or nobody.
    Elsewhere,
    /// Whoever feeds the source.
    Explicit,
    /// An expression over the output columns, per partition.
    Declared(Declared),
}

/// A declaration that the source evaluates.
pub(super) struct Declared {
    expression: Compiled,
    /// Output column of the event time.
    rowtime: Option<usize>,
    start_ms: i64,
    pub(super) interval_ms: i64,
    pub(super) idle_timeout_ms: i64,
}

impl Declared {
    /// The next time at which what is pending goes out.
    pub(super) const fn next_tick(&self, now_ms: i64) -> i64 {
        now_ms + self.interval_ms - (now_ms - self.start_ms).rem_euclid(self.interval_ms)
    }
}

impl ScanInfo {
    pub(super) fn new(spec: &ScanSpec, sources: &[SourceInfo], options: &JobOptions, trace: &Trace) -> Self {
        let table = &spec.table;
        let arriving = table.scan_columns();
        let position = |column: &u32| arriving.iter().position(|other| other == column);
        let found = sources.iter().find(|source| source.table == table.name);
        let rowtime = table.watermark.as_ref().map(|watermark| watermark.column);
        let watermarks = match &spec.watermark {
            None => Watermarks::Elsewhere,
            Some(SourceWatermark::FromSource) => Watermarks::Explicit,
            Some(SourceWatermark::PerPartition(pushed)) => Watermarks::Declared(Declared {
                expression: compile(&pushed.expression),
                rowtime: rowtime
                    .and_then(|rowtime| spec.columns.iter().position(|column| *column == rowtime)),
                start_ms: options.start_ms,
                interval_ms: pushed.interval_ms.max(0),
                idle_timeout_ms: pushed.idle_timeout_ms.max(0),
            }),
        };
        let listed = options.sources.iter().find(|source| source.table == table.name);
        Self {
            source: found.map_or(0, |source| source.source),
            columns: spec.columns.iter().filter_map(position).gather(),
            rowtime: rowtime.as_ref().and_then(position),
            watermarks,
            classes: trace.classes(
                found
                    .iter()
                    .flat_map(|source| source.columns.iter())
                    .map(|field| &field.data_type),
            ),
            partitions: found.map_or(1, |source| source.partitions),
            bounded: listed.and_then(|source| source.bounded.clone()),
            bounds_ms: listed.map_or_else(Vec::new, |source| source.out_of_orderness_ms.clone()),
        }
    }

    /// Whether an operator behind the scan makes the watermarks.
    pub(super) const fn made_elsewhere(&self) -> bool {
        matches!(self.watermarks, Watermarks::Elsewhere)
    }

    /// The bound that replaces a partition's declaration.
    pub(super) fn bound_ms(&self, partition: u32) -> Option<i64> {
        self.bounds_ms.get(partition as usize).copied().flatten()
    }

    /// Number of partitions that a subtask reads.
    pub(super) fn partitions_of(&self, subtask: u32, parallelism: u32) -> usize {
        (subtask..self.partitions).step_by(parallelism as usize).count()
    }
}

/// What changes about a scan's subtask.
#[derive(Clone, Debug)]
pub(super) struct ScanRun {
    pub(super) combiner: SplitCombiner,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    /// The largest watermark that was made, sent or not.
    made: Watermark,
    held: bool,
    last_row_ms: i64,
}

impl ScanRun {
    pub(super) fn new(partitions: usize, start_ms: i64) -> Self {
        let part = Part {
            made: Watermark::NONE,
            held: false,
            last_row_ms: start_ms,
        };
        Self {
            combiner: SplitCombiner::new(partitions),
            parts: vec![part; partitions],
        }
    }

    fn part(&mut self, local: u32) -> Option<&mut Part> {
        self.parts.get_mut(local as usize)
    }

    /// Notes a row's watermark; whether it may be sent at once.
    pub(super) fn note_row(&mut self, local: u32, watermark: Option<Watermark>, now_ms: i64) {
        if let Some(part) = self.part(local) {
            part.last_row_ms = now_ms;
            part.made = part.made.max(watermark.unwrap_or(Watermark::NONE));
        }
    }

    /// Notes an explicit watermark.
    pub(super) fn note_watermark(&mut self, local: u32, watermark: Watermark) {
        if let Some(part) = self.part(local) {
            part.made = part.made.max(watermark);
        }
    }

    /// Holds a partition or releases it.
    pub(super) fn hold(&mut self, local: u32, held: bool) {
        if let Some(part) = self.part(local) {
            part.held = held;
        }
    }

    /// Hands what a partition has made to the combiner, unless it is held.
    pub(super) fn send(&mut self, local: u32) -> Moved {
        match self.parts.get(local as usize) {
            Some(part) if !part.held && part.made != Watermark::NONE => {
                self.combiner.advance(local, part.made)
            }
            _ => Moved::default(),
        }
    }

    /// Whether a partition has something to send.
    pub(super) fn pending(&self, local: u32) -> bool {
        self.parts
            .get(local as usize)
            .is_some_and(|part| !part.held && part.made > self.combiner.part(local).0)
    }

    /// The time of a partition's last row.
    pub(super) fn last_row_ms(&self, local: u32) -> i64 {
        self.parts
            .get(local as usize)
            .map_or(i64::MIN, |part| part.last_row_ms)
    }

    /// A partition as it stands.
    pub(super) fn state(&self, local: u32) -> Option<PartitionState> {
        let part = self.parts.get(local as usize)?;
        let (watermark, idle) = self.combiner.part(local);
        Some(PartitionState {
            watermark_ms: watermark.ms(),
            idle,
            held: part.held,
            last_row_ms: part.last_row_ms,
            out_of_orderness_ms: None,
        })
    }

    /// Number of partitions.
    pub(super) fn len(&self) -> u32 {
        self.parts.len() as u32
    }
}

impl ScanInfo {
    /// The watermark that a row makes, if the source makes them.
    pub(super) fn watermark_of(
        &self,
        row: &[Value],
        partition: u32,
        eval: &EvalCx,
    ) -> Result<Option<Watermark>, sg_expr::EvalError> {
        let Watermarks::Declared(declared) = &self.watermarks else {
            return Ok(None);
        };
        if let Some(Some(bound_ms)) = self.bounds_ms.get(partition as usize)
            && let Some(rowtime) = declared.rowtime
        {
            let rowtime_ms = row.get(rowtime).and_then(Value::as_ms);
            return Ok(rowtime_ms.map(|rowtime_ms| Watermark(rowtime_ms.wrapping_sub(*bound_ms))));
        }
        Ok(declared.expression.eval(row, eval)?.as_ms().map(Watermark))
    }
}
