//! A workspace while it is replayed: one list of arrivals, up to two queries in lockstep.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_plan::catalog::{Catalog, Table};
use sg_plan::job::OperatorSpec;
use sg_plan::physical::node::PhysicalOp;
use sg_plan::settings::parse_duration_ms;
use sg_runtime::ArrivalKind;
use sg_runtime::{JobOptions, Limits, SourceOptions, TraceLevel};
use sg_value::Gather as _;

use crate::arrivals::{Arrivals, Timed};
use crate::dto;
use crate::file::{FileRows, refuse_one_name, rows_of_job};
use crate::lane::Lane;
use crate::prepare::{Prepared, PreparedJob, PreparedStatement, prepare};
use crate::view::{TextPart, column_view, diagnostic_view, operator_views, plan_view, sink_mode};

/// What a page stands: all of it is traced, and the trace is kept.
const PAGE_LIMITS: Limits = Limits {
    max_state_entries: 1_000_000,
    max_slot_changes: 50_000,
    max_changes: 2_000_000,
};

/// A workspace that is open.
#[derive(Debug)]
pub(crate) struct Replay {
    /// What it was opened with.
    pub(crate) workspace: dto::Workspace,
    /// Tables and views of the shared script.
    pub(crate) catalog: Catalog,
    /// The arrivals.
    pub(crate) arrivals: Arrivals,
    /// Each arrival with the controls that take effect in its slot.
    pub(crate) slots: Vec<(Vec<Timed>, Timed)>,
    /// One per query; `None` where it does not run.
    pub(crate) lanes: Vec<Option<Lane>>,
    opened: Opened,
    position: usize,
    ended: bool,
}

/// The parts of the answer to `open` that stay.
#[derive(Debug, Default)]
struct Opened {
    script_diagnostics: Vec<dto::Diagnostic>,
    queries: Vec<dto::QueryView>,
}

impl Replay {
    /// Plans the queries, checks the events and builds the jobs.
    pub(crate) fn open(workspace: dto::Workspace) -> Self {
        let script = Script::new(&workspace);
        let shared = prepare(&script.text);
        let arrivals = Arrivals::new(&workspace, &shared.catalog);
        let slots = with_controls(&workspace, &arrivals);
        let part = script.shared();
        let mut opened = Opened::default();
        let said = shared
            .diagnostics
            .iter()
            .filter(|diagnostic| part.holds(diagnostic.span));
        opened
            .script_diagnostics
            .extend(said.map(|diagnostic| diagnostic_view(diagnostic, &part)));
        let about_events = arrivals
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic_view(diagnostic, &part));
        opened.script_diagnostics.extend(about_events);
        let mut replay = Self {
            catalog: shared.catalog,
            arrivals,
            slots,
            lanes: Vec::new(),
            opened,
            position: 0,
            ended: false,
            workspace,
        };
        for number in 0..replay.workspace.queries.len() {
            let (view, lane) = replay.open_query(&script, number);
            replay.opened.queries.push(view);
            replay.lanes.push(lane);
        }
        replay
    }

    fn open_query(&self, script: &Script, number: usize) -> (dto::QueryView, Option<Lane>) {
        let sql = self
            .workspace
            .queries
            .get(number)
            .map_or("", |query| query.sql.as_str());
        let (text, part) = script.with_query(sql);
        let mut prepared = prepare(&text);
        let jobs: Vec<PreparedJob> = std::mem::take(&mut prepared.statements)
            .into_iter()
            .filter_map(|statement| match statement {
                PreparedStatement::Job(job) => Some(job),
                PreparedStatement::Text { .. } => None,
            })
            .gather();
        if let Some(second) = jobs.get(1) {
            prepared
                .diagnostics
                .push(Diagnostic::new(Code::OneQueryPerLane, second.span));
        } else if jobs.is_empty() && !prepared.diagnostics.has_errors() {
            prepared
                .diagnostics
                .push(Diagnostic::new(Code::NoQuery, Span::at(script.query_offset())));
        }
        let mut view = query_view(&prepared, jobs.first(), &part);
        let refused = prepared.diagnostics.has_errors();
        let checkpoint_ms = prepared
            .catalog
            .settings
            .get("execution.checkpointing.interval")
            .and_then(|text| parse_duration_ms(text))
            .filter(|interval| *interval > 0);
        let lane = jobs.first().filter(|_| !refused).and_then(|job| {
            let made = self.lane(job, number).map(|mut lane| {
                lane.checkpoint_ms = checkpoint_ms;
                let refusal = job.append_refusal.as_ref();
                lane.append_refusal = refusal.map(|diagnostic| diagnostic_view(diagnostic, &part));
                lane
            });
            made.map_err(|diagnostic| view.diagnostics.push(diagnostic_view(&diagnostic, &part)))
                .ok()
        });
        view.ok = lane.is_some();
        if let Some(lane) = &lane {
            self.complete(&mut view, lane);
        }
        (view, lane)
    }

    fn lane(&self, job: &PreparedJob, number: usize) -> Result<Lane, Box<Diagnostic>> {
        let replayed = !self.workspace.events.is_empty() || self.workspace.generator.is_some();
        refuse_one_name(&job.graph, replayed)?;
        let files = rows_of_job(&job.graph, &self.workspace.files.0)?;
        let options = self.job_options(number, &files);
        Lane::new(&job.graph, &self.tables(), &options).map_err(|fault| fault.diagnostic)
    }

    /// Adds what only the built job knows: source numbers and state names.
    fn complete(&self, view: &mut dto::QueryView, lane: &Lane) {
        for operator in &mut view.operators {
            let handles = lane.job().state_handles(sg_plan::job::OperatorId(operator.id));
            operator.states = handles.into_iter().map(|handle| handle.name).gather();
            if operator.role == "source"
                && let Some(table) = &operator.table
            {
                let position = self
                    .arrivals
                    .sources
                    .iter()
                    .position(|source| *source.table.name == **table);
                operator.source = position.and_then(|at| u32::try_from(at).ok());
            }
        }
    }

    /// Names of the tables with arrivals, by source number.
    fn tables(&self) -> Vec<Rc<str>> {
        self.arrivals
            .sources
            .iter()
            .map(|source| Rc::clone(&source.table.name))
            .gather()
    }

    fn job_options(&self, query: usize, files: &[(Rc<Table>, FileRows)]) -> JobOptions {
        let sources = self.arrivals.sources.iter().map(|source| {
            let mut bounds = vec![None; source.partitions as usize];
            for control in self
                .workspace
                .controls
                .iter()
                .filter(|control| *control.table == *source.table.name)
            {
                for (partition, bound) in bounds.iter_mut().enumerate() {
                    if control.partition.is_none_or(|only| only as usize == partition) {
                        *bound = control.out_of_orderness_ms.or(*bound);
                    }
                }
            }
            SourceOptions {
                table: Rc::clone(&source.table.name),
                partitions: source.partitions,
                out_of_orderness_ms: bounds,
                bounded: files
                    .iter()
                    .find(|(table, _)| table.name == source.table.name)
                    .map(|(_, rows)| std::rc::Rc::from(rows.as_slice())),
            }
        });
        JobOptions {
            trace: TraceLevel::Full,
            query: u8::try_from(query).unwrap_or(u8::MAX),
            start_ms: self.arrivals.start_ms,
            limits: PAGE_LIMITS,
            sources: sources.gather(),
            channel_seed: None,
        }
    }

    /// What the page is told on opening.
    pub(crate) fn opened(&self, generation: u32) -> dto::Opened {
        let script = Script::new(&self.workspace);
        dto::Opened {
            generation,
            script_diagnostics: self.opened.script_diagnostics.clone(),
            queries: self.opened.queries.clone(),
            sources: crate::source_view::source_views(
                &self.arrivals.sources,
                &self.catalog,
                &script.shared(),
            ),
            slots: u32::try_from(self.slots.len()).unwrap_or(u32::MAX),
            slot_info: self.arrivals.slot_info(),
        }
    }

    /// Replays up to `max_slots` more arrivals; true when nothing is left.
    pub(crate) fn advance(&mut self, max_slots: usize, frames: &mut Vec<u8>) -> bool {
        let to = self.position.saturating_add(max_slots).min(self.slots.len());
        for (before, timed) in self.slots.get(self.position..to).unwrap_or_default() {
            for lane in self.lanes.iter_mut().flatten() {
                lane.push(before, timed);
            }
        }
        self.position = to;
        if to == self.slots.len() && !self.ended {
            self.ended = true;
            if self.workspace.end == dto::EndOfInput::Flush {
                self.lanes.iter_mut().flatten().for_each(Lane::end);
            }
        }
        for lane in self.lanes.iter_mut().flatten() {
            lane.take_frames(frames);
        }
        self.ended
    }
}

/// Each arrival with the holds and idles that begin with it.
fn with_controls(workspace: &dto::Workspace, arrivals: &Arrivals) -> Vec<(Vec<Timed>, Timed)> {
    let mut slots: Vec<(Vec<Timed>, Timed)> = arrivals
        .list
        .iter()
        .map(|timed| (Vec::new(), timed.clone()))
        .gather();
    for control in &workspace.controls {
        let Some(source) = arrivals
            .sources
            .iter()
            .position(|source| *source.table.name == *control.table)
        else {
            continue;
        };
        let partitions = arrivals.sources.get(source).map_or(0, |source| source.partitions);
        let kinds = [
            (control.hold, ArrivalKind::Hold),
            (control.idle, ArrivalKind::Idle),
        ];
        let slot = slots.get_mut(control.from_slot.unwrap_or(0) as usize);
        let (Some((before, timed)), Ok(source)) = (slot, u32::try_from(source)) else {
            continue;
        };
        for (_, kind) in kinds.iter().filter(|(set, _)| *set == Some(true)) {
            for partition in (0..partitions).filter(|at| control.partition.is_none_or(|only| only == *at)) {
                before.push(Timed {
                    source,
                    partition,
                    at_ms: timed.at_ms,
                    kind: kind.clone(),
                    event: None,
                });
            }
        }
    }
    slots
}

fn query_view(prepared: &Prepared, job: Option<&PreparedJob>, part: &TextPart<'_>) -> dto::QueryView {
    let said = prepared
        .diagnostics
        .iter()
        .filter(|diagnostic| part.holds(diagnostic.span));
    let root = job.and_then(|job| {
        job.graph
            .operators
            .iter()
            .rev()
            .find(|operator| operator.inputs.len() == 1)
    });
    let input = job
        .zip(root)
        .and_then(|(job, root)| job.graph.operators.get(root.inputs.first()?.from.0 as usize));
    dto::QueryView {
        ok: false,
        diagnostics: said.map(|diagnostic| diagnostic_view(diagnostic, part)).gather(),
        plan: job.map(|job| plan_view(&job.graph, &job.running(), &job.explain())),
        operators: job
            .map(|job| operator_views(&job.graph, part))
            .unwrap_or_default(),
        output_columns: root.map_or_else(Vec::new, |root| result_columns(root, input)),
        mode: input.map_or("append-only", |input| sink_mode(input.changelog_mode)),
    }
}

/// Columns of a result: with the names of the table that they are written to, and the key by which it is updated.
fn result_columns(root: &OperatorSpec, input: Option<&OperatorSpec>) -> Vec<dto::ColumnView> {
    let table = match &root.op {
        PhysicalOp::Sink(spec) => spec.table.as_ref(),
        _ => None,
    };
    let written = table.map(|table| table.sink_columns());
    let upserts = input.is_some_and(|input| sink_mode(input.changelog_mode) == "upsert");
    let key = match table.and_then(|table| table.primary_key.as_ref()) {
        Some(key) => key.as_slice(),
        None if upserts => input
            .and_then(|input| input.upsert_key.as_deref())
            .unwrap_or_default(),
        None => &[],
    };
    let columns = root.schema.iter().zip(0_u32..).map(|(field, at)| {
        let place = written
            .as_ref()
            .and_then(|written| written.get(at as usize))
            .copied();
        let mut column = column_view(field, key.contains(&place.unwrap_or(at)));
        let named = table.and_then(|table| table.columns.get(place? as usize));
        if let Some(named) = named {
            column.name = named.field.name.to_string();
        }
        column
    });
    columns.gather()
}

/// The text that is analysed: settings, the shared script, and behind it a query.
pub(crate) struct Script {
    text: String,
    prefix_bytes: u32,
}

impl Script {
    /// The shared part of a workspace.
    pub(crate) fn new(workspace: &dto::Workspace) -> Self {
        let quoted = |text: &str| text.replace('\'', "''");
        let mut text = String::new();
        for (key, value) in &workspace.settings.0 {
            let line = format!("SET '{}' = '{}';\n", quoted(key), quoted(value));
            text.push_str(&line);
        }
        let prefix_bytes = u32::try_from(text.len()).unwrap_or(u32::MAX);
        text.push_str(&workspace.script);
        Self { text, prefix_bytes }
    }

    /// The script that all queries share, as a part of the text.
    pub(crate) fn shared(&self) -> TextPart<'_> {
        TextPart::new(
            self.text.get(self.prefix_bytes as usize..).unwrap_or_default(),
            self.prefix_bytes,
        )
    }

    fn query_offset(&self) -> u32 {
        u32::try_from(self.text.len())
            .unwrap_or(u32::MAX)
            .saturating_add(2)
    }

    /// The text with a query behind it, and the query as a part of it.
    pub(crate) fn with_query<'a>(&self, sql: &'a str) -> (String, TextPart<'a>) {
        // The semicolon ends a script whose last statement has none; an empty statement is no statement.
        (
            format!("{};\n{sql}", self.text),
            TextPart::new(sql, self.query_offset()),
        )
    }
}
