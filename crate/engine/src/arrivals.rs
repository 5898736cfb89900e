//! From a workspace's events to arrivals: rows checked against their tables, in the order of the replay.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_plan::catalog::{Catalog, CatalogObject, ColumnKind, Table};
use sg_runtime::ArrivalKind;
use sg_value::{Field, Gather as _, Row, RowKind, Value, format, json, time};

use crate::connector::{Place, metadata, metadata_columns};
use crate::dto;

/// A table that events arrive at.
#[derive(Clone, Debug)]
pub(crate) struct SourceTable {
    /// The table.
    pub(crate) table: Rc<Table>,
    /// Its physical columns: what a row consists of.
    pub(crate) columns: Rc<[Field]>,
    /// Number of partitions.
    pub(crate) partitions: u32,
}

/// An arrival that any job over the same tables can take.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    /// Index into the sources.
    pub(crate) source: u32,
    /// The partition.
    pub(crate) partition: u32,
    /// Processing time, milliseconds since the epoch.
    pub(crate) at_ms: i64,
    /// What arrives.
    pub(crate) kind: ArrivalKind,
    /// Number of the event in the workspace's list; controls have none.
    pub(crate) event: Option<u32>,
}

/// The arrivals of a workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals {
    /// Tables with arrivals, in order of declaration.
    pub(crate) sources: Vec<SourceTable>,
    /// Arrivals by time, ties as listed.
    pub(crate) list: Vec<Timed>,
    /// Processing time before the first arrival.
    pub(crate) start_ms: i64,
    /// What is wrong with events; the rest is replayed.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Arrivals {
    /// Checks and orders a workspace's events.
    pub(crate) fn new(workspace: &dto::Workspace, catalog: &Catalog) -> Self {
        let mut arrivals = Self {
            sources: source_tables(workspace, catalog),
            ..Self::default()
        };
        arrivals.start_ms = match workspace.start.trim() {
            "" => 0,
            text => timestamp_ms(text).unwrap_or_else(|| {
                arrivals
                    .report(Diagnostic::new(Code::ReplayStartUnreadable, Span::default()).arg("text", text));
                0
            }),
        };
        if let Some(generator) = &workspace.generator {
            crate::generate::generate(generator, &mut arrivals);
        }
        for (number, event) in workspace.events.iter().enumerate() {
            match arrivals.read(event) {
                Ok(mut timed) => {
                    timed.event = u32::try_from(number).ok();
                    arrivals.list.push(timed);
                }
                Err(diagnostic) => arrivals.report(diagnostic.arg("event", number + 1)),
            }
        }
        arrivals.make_rows(workspace);
        arrivals.list.sort_by_key(|timed| timed.at_ms);
        arrivals.add_metadata(workspace);
        arrivals
    }

    /// Metadata columns behind the physical ones; offsets count in the order of arrival.
    fn add_metadata(&mut self, workspace: &dto::Workspace) {
        for (number, source) in (0_u32..).zip(&self.sources) {
            let columns = metadata_columns(&source.table);
            if columns.is_empty() {
                continue;
            }
            let mut offsets = vec![0_i64; source.partitions as usize];
            for timed in self.list.iter_mut().filter(|timed| timed.source == number) {
                let ArrivalKind::Row { row, .. } = &mut timed.kind else {
                    continue;
                };
                let Some(offset) = offsets.get_mut(timed.partition as usize) else {
                    continue;
                };
                let place = Place {
                    partition: timed.partition,
                    offset: *offset,
                    at_ms: timed.at_ms,
                };
                *offset += 1;
                let event = timed.event.and_then(|event| workspace.events.get(event as usize));
                let given = event.and_then(|event| event.row.as_ref());
                let more = metadata(&source.table, &columns, given, place);
                *row = row.iter().cloned().chain(more).gather();
            }
        }
    }

    /// Rows of tables whose connector makes them, where the workspace has none of its own for them.
    fn make_rows(&mut self, workspace: &dto::Workspace) {
        for number in 0..self.sources.len() {
            let Some(source) = self.sources.get(number) else {
                continue;
            };
            let table = &source.table;
            let has_events = workspace.events.iter().any(|event| *event.table == *table.name)
                || workspace
                    .generator
                    .as_ref()
                    .is_some_and(|generator| *generator.table == *table.name);
            if has_events || !crate::connector::makes_rows(table) {
                continue;
            }
            let partitions = source.partitions;
            match crate::connector::made_rows(table, &source.columns, self.start_ms) {
                Ok(made) => {
                    let timed = (0_u32..).zip(&made).map(|(at, made)| Timed {
                        source: u32::try_from(number).unwrap_or(u32::MAX),
                        partition: at % partitions,
                        at_ms: self.start_ms.saturating_add(made.at_ms),
                        kind: made.arrival(),
                        event: None,
                    });
                    self.list.extend(timed);
                }
                Err(wrong) => self.report(*wrong),
            }
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    #[expect(clippy::result_large_err, reason = "shown at once; an event is read once")]
    fn read(&self, event: &dto::ScenarioEvent) -> Result<Timed, Diagnostic> {
        let at = |code| Diagnostic::new(code, Span::default()).arg("source", &event.table);
        let position = self
            .sources
            .iter()
            .position(|source| *source.table.name == *event.table);
        let Some((source, known)) =
            position.and_then(|at| Some((u32::try_from(at).ok()?, self.sources.get(at)?)))
        else {
            let names = self.sources.iter().map(|source| &*source.table.name);
            return Err(at(Code::EventTableUnknown).suggest_similar(&event.table, names));
        };
        if event.partition >= known.partitions {
            return Err(at(Code::EventPartitionUnknown)
                .arg("partition", event.partition)
                .arg("partitions", known.partitions));
        }
        let kind = match event {
            dto::ScenarioEvent { row: Some(row), .. } => {
                let written = event.kind.as_deref().unwrap_or("+I");
                let kind = RowKind::from_short(written)
                    .ok_or_else(|| at(Code::EventRowKindUnknown).arg("kind", written))?;
                ArrivalKind::Row {
                    kind,
                    row: read_row(known, row)?,
                }
            }
            dto::ScenarioEvent {
                watermark: Some(text),
                ..
            } => ArrivalKind::Watermark(
                timestamp_ms(text).ok_or_else(|| at(Code::EventWatermarkUnreadable).arg("text", text))?,
            ),
            dto::ScenarioEvent {
                control: Some(control),
                ..
            } => match control {
                dto::EventControl::Idle => ArrivalKind::Idle,
                dto::EventControl::Active => ArrivalKind::Active,
                dto::EventControl::Hold => ArrivalKind::Hold,
                dto::EventControl::Release => ArrivalKind::Release,
            },
            _ => return Err(at(Code::EventEmpty)),
        };
        let at_ms = self.start_ms.saturating_add(event.at);
        Ok(Timed {
            source,
            partition: event.partition,
            at_ms,
            kind,
            event: None,
        })
    }

    /// The arrivals as the timeline lists them, before they are replayed.
    pub(crate) fn slot_info(&self) -> Vec<dto::SlotInfo> {
        self.list.iter().map(|timed| self.slot(timed)).gather()
    }

    fn slot(&self, timed: &Timed) -> dto::SlotInfo {
        let mut info = dto::SlotInfo {
            at_ms: timed.at_ms,
            source: timed.source,
            partition: timed.partition,
            kind: "tick",
            rowtime_ms: None,
            cells: Vec::new(),
            event: timed.event.unwrap_or(u32::MAX),
        };
        match &timed.kind {
            ArrivalKind::Row { kind, row } => {
                info.kind = kind.short();
                if let Some(source) = self.sources.get(timed.source as usize) {
                    info.rowtime_ms = source.rowtime_ms(row);
                    info.cells = source.cells(row);
                }
            }
            ArrivalKind::Watermark(ms) => {
                info.kind = "watermark";
                info.rowtime_ms = Some(*ms);
            }
            ArrivalKind::Idle => info.kind = "idle",
            ArrivalKind::Active => info.kind = "active",
            ArrivalKind::Hold => info.kind = "hold",
            ArrivalKind::Release => info.kind = "release",
            ArrivalKind::Tick => {}
        }
        info
    }
}

impl SourceTable {
    /// A table with a number of partitions.
    pub(crate) fn new(table: &Rc<Table>, partitions: u32) -> Self {
        let physical = table
            .columns
            .iter()
            .filter(|column| matches!(column.kind, ColumnKind::Physical));
        let columns = physical.map(|column| column.field.clone()).gather();
        Self {
            table: Rc::clone(table),
            columns,
            partitions: partitions.max(1),
        }
    }

    /// Event time of a row: its rowtime column, where that is physical or computed from physical columns.
    pub(crate) fn rowtime_ms(&self, row: &[Value]) -> Option<i64> {
        let column = self
            .table
            .columns
            .get(self.table.watermark.as_ref()?.column as usize)?;
        match &column.kind {
            ColumnKind::Physical => {
                let at = self
                    .columns
                    .iter()
                    .position(|field| field.name == column.field.name)?;
                row.get(at)?.as_ms()
            }
            ColumnKind::Computed { expr: expression, .. } => {
                // A computed column is bound over all columns of its table; only physical ones are filled here.
                let mut cells = vec![Value::Null; self.table.columns.len()];
                for (field, value) in self.columns.iter().zip(row) {
                    let at = self
                        .table
                        .columns
                        .iter()
                        .position(|known| known.field.name == field.name)?;
                    *cells.get_mut(at)? = value.clone();
                }
                let compiled = sg_expr::compile(expression);
                compiled.eval(&cells, &sg_expr::EvalCx::default()).ok()?.as_ms()
            }
            ColumnKind::Metadata { .. } => None,
        }
    }

    /// The row's cells as text, NULL as `None`.
    pub(crate) fn cells(&self, row: &[Value]) -> Vec<Option<String>> {
        let cell = |(value, field): (&Value, &Field)| {
            (!value.is_null()).then(|| format::cell_text(value, &field.data_type))
        };
        row.iter().zip(self.columns.iter()).map(cell).gather()
    }
}

/// Milliseconds of a UTC timestamp's text.
pub(crate) fn timestamp_ms(text: &str) -> Option<i64> {
    let text = text.trim().trim_end_matches('Z').replace('T', " ");
    time::parse_timestamp(&text, 3).ok().map(|(ms, _)| ms)
}

#[expect(clippy::result_large_err, reason = "shown at once; an event is read once")]
fn read_row(
    source: &SourceTable,
    row: &serde_json::Map<String, serde_json::Value>,
) -> Result<Row, Diagnostic> {
    let at = |code| Diagnostic::new(code, Span::default()).arg("source", &source.table.name);
    if let Some(unknown) = row.keys().find(|name| {
        !source.columns.iter().any(|field| *field.name == **name)
            && !metadata_columns(&source.table)
                .iter()
                .any(|(field, _)| *field.name == **name)
    }) {
        let names = source.columns.iter().map(|field| &*field.name);
        return Err(at(Code::EventFieldUnknown)
            .arg("field", unknown)
            .suggest_similar(unknown, names));
    }
    let cells =
        json::row_from_json(&serde_json::Value::Object(row.clone()), &source.columns).map_err(|error| {
            at(Code::EventValueUnreadable)
                .arg("field", &error.field)
                .arg("reason", &error.message)
        })?;
    Ok(Row::from(cells))
}

/// All declared tables that rows can be read from, with the partitions that the workspace or their options give.
fn source_tables(workspace: &dto::Workspace, catalog: &Catalog) -> Vec<SourceTable> {
    let tables = catalog.objects().filter_map(|object| match object {
        CatalogObject::Table(table) => Some(table),
        CatalogObject::View(_) => None,
    });
    tables
        .map(|table| {
            let given = workspace
                .sources
                .iter()
                .find(|source| *source.table == *table.name);
            let option = || {
                table
                    .options
                    .get("partitions")
                    .and_then(|text| text.trim().parse().ok())
            };
            let partitions = given.map(|source| source.partitions).or_else(option).unwrap_or(1);
            SourceTable::new(table, partitions)
        })
        .gather()
}
