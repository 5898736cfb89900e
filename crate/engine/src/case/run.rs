//! Running a case: the sections that the real Flink recorded, as this engine gives them.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Lang, Span};
use sg_plan::catalog::Catalog;
use sg_plan::job::OperatorId;
use sg_plan::physical;
use sg_runtime::Fault;
use sg_runtime::{Arrival, ArrivalKind, Job, OutputRef};
use sg_runtime::{JobOptions, SourceOptions};
use sg_value::{DataType, Gather as _, Row, Value, format, json};

use super::format::{Case, Step, StepKind};
use crate::arrivals::SourceTable;
use crate::connector::{Place, metadata, metadata_columns};
use crate::file::{refuse_one_name, rows_of_job};
use crate::prepare::{PreparedJob, PreparedStatement, prepare};

/// Processing time at which a replay begins: 2024-01-01T00:00:00Z. No case depends on the date.
const START_MS: i64 = 1_704_067_200_000;

/// The two outer messages of every job that failed on the recording side.
const JOB_FAILED: &str = "RuntimeException: java.util.concurrent.ExecutionException: \
    org.apache.flink.runtime.client.JobExecutionException: Job execution failed.\n\
    JobException: Recovery is suppressed by NoRestartBackoffTimeStrategy";

/// What a case gives, section by section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections {
    /// Each event line with what it made the query emit.
    pub trace: Option<String>,
    /// Schemas of results.
    pub types: Option<String>,
    /// Plans.
    pub plan: Option<String>,
    /// Why a statement was refused or the job failed; then there is nothing else.
    pub error: Option<String>,
    /// The same as diagnostics, for people.
    pub diagnostics: Vec<Diagnostic>,
}

impl Sections {
    /// A section by its name.
    pub fn get(&self, name: &str) -> Option<&str> {
        match name {
            "trace" => self.trace.as_deref(),
            "types" => self.types.as_deref(),
            "plan" => self.plan.as_deref(),
            "error" => self.error.as_deref(),
            _ => None,
        }
    }

    fn failed(error: String, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            error: Some(error),
            diagnostics,
            ..Self::default()
        }
    }
}

/// Runs a case.
pub fn run(case: &Case) -> Sections {
    let text = script_text(case);
    let prepared = prepare(&text);
    if prepared.diagnostics.has_errors() {
        let diagnostics = prepared.diagnostics.sorted();
        let refusal = diagnostics
            .iter()
            .find(|diagnostic| diagnostic.severity().is_refusal());
        return Sections::failed(refusal.map(error_text).unwrap_or_default(), diagnostics);
    }
    let mut sections = Sections::default();
    let mut trace = Trace::new(&case.steps);
    let mut replayed = false;
    for statement in &prepared.statements {
        match statement {
            PreparedStatement::Text {
                schema: true, text, ..
            } => sections.types.get_or_insert_default().push_str(text),
            PreparedStatement::Text {
                schema: false, text, ..
            } => append(&mut sections.plan, text),
            PreparedStatement::Job(job) => {
                if let Some(schema) = &job.query {
                    append(&mut sections.types, &physical::types(schema));
                }
                append(&mut sections.plan, &job.explain());
                replayed = true;
                let told_apart = refuse_one_name(&job.graph, !case.steps.is_empty());
                let files = match told_apart.and_then(|()| rows_of_job(&job.graph, &case.files)) {
                    Ok(files) => files,
                    Err(diagnostic) => {
                        let text = format!("{JOB_FAILED}\n{}", error_text(&diagnostic));
                        return Sections::failed(text, vec![*diagnostic]);
                    }
                };
                let sources = files.into_iter().map(|(table, rows)| SourceOptions {
                    table: Rc::clone(&table.name),
                    partitions: 1,
                    out_of_orderness_ms: Vec::new(),
                    bounded: Some(Rc::from(rows)),
                });
                let options = JobOptions {
                    start_ms: START_MS,
                    sources: sources.gather(),
                    ..JobOptions::default()
                };
                let running = match Job::build(&job.graph, &options) {
                    Ok(running) => running,
                    // An operator that does not run is refused before anything arrives.
                    Err(fault) => {
                        return Sections::failed(error_text(&fault.diagnostic), vec![*fault.diagnostic]);
                    }
                };
                if let Err(fault) = replay(case, &prepared.catalog, (job, running), &mut trace) {
                    let text = format!("{JOB_FAILED}\n{}", error_text(&fault.diagnostic));
                    return Sections::failed(text, vec![*fault.diagnostic]);
                }
            }
        }
    }
    sections.trace = replayed.then(|| trace.text());
    sections
}

/// The SQL as analysed: the parallelism of the case stands in front as a setting.
pub(crate) fn script_text(case: &Case) -> String {
    match case.parallelism {
        1 => case.sql.clone(),
        parallelism => format!("SET 'parallelism.default' = '{parallelism}';\n{}", case.sql),
    }
}

/// Flink's message where it is known, else ours.
fn error_text(diagnostic: &Diagnostic) -> String {
    diagnostic
        .flink
        .clone()
        .unwrap_or_else(|| diagnostic.message(Lang::En))
}

fn append(section: &mut Option<String>, text: &str) {
    let body = section.get_or_insert_default();
    body.push_str(text.trim_end());
    body.push('\n');
}

/// Outputs by step: index 0 is the start, the last one the end.
struct Trace<'a> {
    steps: &'a [Step],
    outputs: Vec<Vec<String>>,
}

impl<'a> Trace<'a> {
    fn new(steps: &'a [Step]) -> Self {
        Self {
            steps,
            outputs: vec![Vec::new(); steps.len() + 2],
        }
    }

    fn take(&mut self, at: usize, job: &Job, sinks: &Sinks) {
        if let Some(rows) = self.outputs.get_mut(at) {
            rows.extend(job.outputs().map(|output| sinks.text(output)));
        }
    }

    fn text(&self) -> String {
        let start = self
            .outputs
            .first()
            .filter(|rows| !rows.is_empty())
            .map(|_| "start");
        let names = self.steps.iter().map(|step| step.text.as_str()).chain(["end"]);
        let skipped = usize::from(start.is_none());
        let mut text = String::new();
        for (name, rows) in start
            .into_iter()
            .chain(names)
            .zip(self.outputs.iter().skip(skipped))
        {
            text.push_str(name);
            text.push('\n');
            for row in rows {
                text.push_str("    ");
                text.push_str(row);
                text.push('\n');
            }
        }
        text
    }
}

/// Names and types of a job's sinks.
struct Sinks(Vec<(String, Vec<DataType>)>);

impl Sinks {
    fn new(job: &PreparedJob) -> Self {
        let sinks = job.graph.operators.iter().map(|operator| {
            let name = match &operator.op {
                physical::node::PhysicalOp::Sink(spec) => {
                    spec.table.as_ref().map(|table| format!("{} ", table.name))
                }
                _ => None,
            };
            let types = operator
                .schema
                .iter()
                .map(|field| field.data_type.clone())
                .gather();
            (name.unwrap_or_default(), types)
        });
        Self(sinks.gather())
    }

    fn text(&self, output: OutputRef<'_>) -> String {
        let Some((name, types)) = self.0.get(output.sink.0 as usize) else {
            return String::new();
        };
        format!("{name}{}", format::row_text(output.kind, output.row, types))
    }
}

fn replay(
    case: &Case,
    catalog: &Catalog,
    (prepared, mut job): (&PreparedJob, Job),
    trace: &mut Trace<'_>,
) -> Result<(), Fault> {
    let sinks = Sinks::new(prepared);
    job.start()?;
    trace.take(0, &job, &sinks);
    let mut now_ms = START_MS;
    make_rows(&mut job, catalog, &mut |job| trace.take(0, job, &sinks))?;
    let mut offsets: Vec<&str> = Vec::new();
    for (at, step) in case.steps.iter().enumerate() {
        // What the time since the last event brings stands under that event.
        now_ms = step.at_ms.map_or(now_ms, |at| START_MS + at).max(now_ms);
        push(&mut job, 0, now_ms, ArrivalKind::Tick)?;
        trace.take(at, &job, &sinks);
        let source = job
            .sources()
            .iter()
            .find(|source| *source.table == *step.table)
            .map(|source| source.source);
        if let Some(source) = source {
            let place = Place {
                partition: 0,
                offset: offsets
                    .iter()
                    .filter(|table| **table == step.table)
                    .count()
                    .try_into()
                    .unwrap_or(0),
                at_ms: now_ms,
            };
            if matches!(step.kind, StepKind::Row { .. }) {
                offsets.push(&step.table);
            }
            let kind = arrival(catalog, step, place).map_err(|diagnostic| unread(at, diagnostic))?;
            push(&mut job, source, now_ms, kind)?;
            trace.take(at + 1, &job, &sinks);
        }
        now_ms += case.settle_ms;
    }
    push(&mut job, 0, now_ms + 3 * case.settle_ms, ArrivalKind::Tick)?;
    trace.take(case.steps.len(), &job, &sinks);
    job.end()?;
    trace.take(case.steps.len() + 1, &job, &sinks);
    Ok(())
}

/// Tables whose connector makes rows have them before the first event.
fn make_rows(job: &mut Job, catalog: &Catalog, take: &mut dyn FnMut(&Job)) -> Result<(), Fault> {
    let sources: Vec<(u32, Rc<str>)> = job
        .sources()
        .iter()
        .map(|source| (source.source, Rc::clone(&source.table)))
        .gather();
    for (source, table) in sources {
        let Some(declared) = catalog.table_named(&table) else {
            continue;
        };
        if !crate::connector::makes_rows(declared) {
            continue;
        }
        let columns = SourceTable::new(declared, 1).columns;
        let made = crate::connector::made_rows(declared, &columns, START_MS);
        for row in made.map_err(|wrong| unread(0, *wrong))? {
            push(job, source, START_MS, row.arrival())?;
            take(job);
        }
    }
    Ok(())
}

fn push(job: &mut Job, source: u32, processing_time_ms: i64, kind: ArrivalKind) -> Result<(), Fault> {
    job.push(&Arrival {
        source,
        partition: 0,
        processing_time_ms,
        kind,
    })
}

/// An event that its source cannot read fails the job, as Flink's format does.
fn unread(step: usize, diagnostic: Diagnostic) -> Fault {
    let slot = u32::try_from(step).unwrap_or(u32::MAX);
    Fault {
        operator: OperatorId(0),
        slot,
        diagnostic: Box::new(diagnostic),
    }
}

#[expect(clippy::result_large_err, reason = "shown at once; an event is read once")]
fn arrival(catalog: &Catalog, step: &Step, place: Place) -> Result<ArrivalKind, Diagnostic> {
    match &step.kind {
        StepKind::Watermark(ms) => Ok(ArrivalKind::Watermark(*ms)),
        StepKind::Idle => Ok(ArrivalKind::Idle),
        StepKind::Row { kind, json: text } => Ok(ArrivalKind::Row {
            kind: *kind,
            row: read_row(catalog, &step.table, text, place)?,
        }),
    }
}

#[expect(clippy::result_large_err, reason = "shown at once; an event is read once")]
fn read_row(catalog: &Catalog, table: &str, text: &str, place: Place) -> Result<Row, Diagnostic> {
    let fail = |code| Diagnostic::new(code, Span::default()).arg("source", table);
    let Some(declared) = catalog.table_named(table) else {
        return Err(fail(Code::EventTableUnknown));
    };
    let parsed: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        fail(Code::EventValueUnreadable)
            .arg("field", "")
            .arg("reason", error)
    })?;
    let columns = SourceTable::new(declared, 1).columns;
    let mut cells: Vec<Value> = json::row_from_json(&parsed, &columns)
        .map_err(|error| {
            fail(Code::EventValueUnreadable)
                .arg("field", &error.field)
                .arg("reason", &error.message)
                .flink(error.message)
        })?
        .into_iter()
        .gather();
    let extra = metadata_columns(declared);
    cells.extend(metadata(declared, &extra, parsed.as_object(), place));
    Ok(Rc::from(cells))
}
