//! What happens behind a query up to a position: its changelog in three encodings, and the books of its sinks.
//!
//! All of it is computed anew from the first arrival, so that it is a function of the position like everything else.

mod encode;
mod ledger;
mod size;
mod target;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use sg_plan::job::{JobGraph, OperatorId, OperatorSpec};
use sg_plan::physical::node::{PhysicalOp, SinkSpec};
use sg_runtime::{Output, OutputRef};
use sg_value::{Change, Field, RowKind};

use crate::dto::{Downstream, EndOfInput};
use crate::replay::Replay;
use encode::Encoder;
use ledger::Ledger;
use target::Target;

/// Sinks that a bare query is compared by: connector, an option, whether they need the key.
const IMAGINED: [(&str, (&str, &str), bool); 6] = [
    ("kafka", ("format", "json"), false),
    ("kafka", ("format", "debezium-json"), false),
    ("upsert-kafka", ("format", "json"), true),
    ("jdbc", ("", ""), true),
    ("filesystem", ("format", "parquet"), false),
    ("iceberg", ("write.upsert.enabled", "true"), true),
];

impl Replay {
    /// What the changes of a query up to `slots` arrivals have led to behind it.
    pub(crate) fn downstream(&mut self, query: usize, slots: u32) -> Downstream {
        let ends = self.workspace.end == EndOfInput::Flush && slots as usize > self.slots.len();
        let start_ms = self.arrivals.start_ms;
        let Some(Some(lane)) = self.lanes.get_mut(query) else {
            return Downstream::default();
        };
        let graph = Rc::clone(&lane.graph);
        let started = lane.started.clone();
        let append_refusal = lane.append_refusal.clone();
        let mut books = Books::new(&graph, lane.checkpoint_ms, start_ms);
        for output in &started {
            let Output { sink, kind, row } = output;
            let (sink, kind) = (*sink, *kind);
            books.take(0, OutputRef { sink, kind, row });
        }
        let arrivals = &self.slots;
        lane.at(0, arrivals, |probe| {
            for ((before, timed), slot) in arrivals.iter().zip(1..=slots) {
                books.advance(timed.at_ms);
                probe.push_with(before, timed);
                for output in probe.job.outputs() {
                    books.take(slot, output);
                }
            }
            if ends && !probe.failed && probe.job.end().is_ok() {
                for output in probe.job.outputs() {
                    books.take(slots, output);
                }
                let last = arrivals.last().map_or(start_ms, |(_, timed)| timed.at_ms);
                books.ledgers.iter_mut().for_each(|ledger| ledger.end(last));
            }
            let stats = probe.job.operator_stats();
            for ledger in &mut books.ledgers {
                let operator = ledger.operator().and_then(|at| stats.get(at as usize));
                ledger.discard_all(operator.map_or(0, |stats| stats.rows_in));
            }
        });
        let mut encodings = books.encoder.finish();
        encodings.append_refusal = append_refusal;
        Downstream {
            encodings,
            sinks: books.ledgers.into_iter().map(Ledger::report).collect(),
        }
    }
}

/// The encoder of the first sink's changes and a ledger per sink.
struct Books {
    first: OperatorId,
    encoder: Encoder,
    ledgers: Vec<Ledger>,
}

impl Books {
    fn new(graph: &JobGraph, checkpoint_ms: Option<i64>, start_ms: i64) -> Self {
        let sinks: Vec<(&OperatorSpec, &SinkSpec)> = graph
            .operators
            .iter()
            .filter_map(|operator| match &operator.op {
                PhysicalOp::Sink(spec) => Some((operator, spec)),
                _ => None,
            })
            .collect();
        let mut ledgers = Vec::new();
        for (operator, spec) in &sinks {
            if let Some(table) = &spec.table {
                let target = Target::of_table(operator.id.0, table, checkpoint_ms);
                ledgers.push(Ledger::new(target, start_ms));
            } else {
                let imagined = imagined(graph, operator, checkpoint_ms);
                ledgers.extend(imagined.into_iter().map(|target| Ledger::new(target, start_ms)));
            }
        }
        let first = sinks.first();
        let input = first.and_then(|(operator, _)| input_of(graph, operator));
        let fields = first.map_or_else(Vec::new, |(operator, _)| operator.schema.to_vec());
        let before_images = input.is_none_or(|input| {
            let mode = input.changelog_mode;
            !mode.contains(RowKind::UpdateAfter) || mode.contains(RowKind::UpdateBefore)
        });
        Self {
            first: first.map_or(OperatorId(0), |(operator, _)| operator.id),
            encoder: Encoder::new(
                fields,
                input.and_then(|input| input.upsert_key.clone()),
                before_images,
            ),
            ledgers,
        }
    }

    fn advance(&mut self, now_ms: i64) {
        self.ledgers.iter_mut().for_each(|ledger| ledger.advance(now_ms));
    }

    fn take(&mut self, slots: u32, output: OutputRef<'_>) {
        let change = Change {
            kind: output.kind,
            row: output.row,
        };
        if output.sink == self.first {
            self.encoder.take(slots, change);
        }
        for ledger in &mut self.ledgers {
            if ledger.operator().is_none_or(|operator| operator == output.sink.0) {
                ledger.take(change);
            }
        }
    }
}

/// The operator that a sink reads.
fn input_of<'g>(graph: &'g JobGraph, sink: &OperatorSpec) -> Option<&'g OperatorSpec> {
    graph.operators.get(sink.inputs.first()?.from.0 as usize)
}

/// The sinks that a bare query could have.
fn imagined(graph: &JobGraph, sink: &OperatorSpec, checkpoint_ms: Option<i64>) -> Vec<Target> {
    let input = input_of(graph, sink);
    let fields: Vec<Field> = sink.schema.to_vec();
    let key = input.and_then(|input| input.upsert_key.clone());
    let appends = input.is_none_or(|input| input.changelog_mode.is_insert_only());
    let made = IMAGINED.iter().map(|(connector, option, needs_key)| {
        let key = if *needs_key { key.clone() } else { None };
        let keyless = *needs_key && key.is_none();
        let mut target = Target::imagined(connector, *option, (fields.clone(), key), checkpoint_ms);
        target.refused = match target.writes.name() {
            _ if keyless => Some("key"),
            "log" | "files" if !appends => Some("changes"),
            _ => None,
        };
        target
    });
    made.collect()
}
