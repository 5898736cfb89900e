//! `'connector' = 'filesystem'`: rows from a file of the workspace, in the formats of Flink's distribution.
//!
//! Flink: `JsonRowDataDeserializationSchema`, `CsvRowDataDeserializationSchema`, `DebeziumJsonDeserializationSchema`,
//! `CanalJsonDeserializationSchema`, `MaxwellJsonDeserializationSchema`, `OggJsonDeserializationSchema`. A line is a
//! message, but for values in quotes, which go on over line feeds. The file is read as a whole before anything else arrives, and its table ends with it.
//! Cases: cdc/*-file.

mod csv;

use serde_json::Value as Json;
use sg_diag::{Code, Diagnostic};
use sg_plan::{
    catalog::{Table, TableFormat},
    job::JobGraph,
    physical::node::PhysicalOp,
};
use sg_value::{
    Field, Gather as _, Row, RowKind, TypeKind, Value,
    json::{JsonReader, json_text, value_from_json},
    sorted::SortedMap,
};

/// What Flink's file source puts around a message that it cannot read.
const READING: &str = "RuntimeException: One or more fetchers have encountered exception\n\
    RuntimeException: SplitFetcher thread 0 received unexpected exception while polling the records\n";

/// Rows of a file, with their kinds.
pub(crate) type FileRows = Vec<(RowKind, Row)>;

/// Events and files call tables by the last part of their names: two of one name get the same rows, so where there are
/// rows they have to be alike. `replayed` says whether rows come from outside of the tables' connectors.
pub(crate) fn refuse_one_name(graph: &JobGraph, replayed: bool) -> Result<(), Box<Diagnostic>> {
    let tables = graph.operators.iter();
    let tables: Vec<_> = tables
        .filter_map(|operator| Some((operator.table()?, operator.span)))
        .gather();
    for (at, (table, span)) in tables.iter().enumerate() {
        let before = tables.iter().take(at).map(|(other, _)| other);
        let twins = before.filter(|other| other.name == table.name && other.path() != table.path());
        for other in twins {
            let alike = other.options == table.options && fields(other) == fields(table);
            let arrive = replayed || [other, table].iter().any(|one| one.connector() != Some("replay"));
            if arrive && !alike {
                let feature = format!("{} beside {} in one job", table.full_name(), other.full_name());
                return Err(Box::new(
                    Diagnostic::new(Code::NotSupported, *span).arg("feature", feature),
                ));
            }
        }
    }
    Ok(())
}

fn fields(table: &Table) -> Vec<&Field> {
    table.columns.iter().map(|column| &column.field).gather()
}

/// The rows of all tables of a job that read files, by table.
pub(crate) fn rows_of_job(
    graph: &JobGraph,
    files: &SortedMap<String, String>,
) -> Result<Vec<(std::rc::Rc<Table>, FileRows)>, Box<Diagnostic>> {
    let mut read: Vec<(std::rc::Rc<Table>, FileRows)> = Vec::new();
    for operator in &graph.operators {
        let PhysicalOp::Scan(scan) = &operator.op else {
            continue;
        };
        let table = &scan.table;
        let known = read.iter().any(|(other, _)| other.name == table.name);
        if table.connector() == Some("filesystem") && !known {
            read.push((std::rc::Rc::clone(table), rows(table, files)?));
        }
    }
    Ok(read)
}

fn rows(table: &Table, files: &SortedMap<String, String>) -> Result<FileRows, Box<Diagnostic>> {
    let path = table.options.get("path").map_or("", String::as_str);
    let Some(text) = files.get(path) else {
        return Err(Box::new(
            Diagnostic::new(Code::FileMissing, table.span)
                .arg("path", path)
                .flink(format!(
                    "FlinkRuntimeException: Could not enumerate file splits\nFileNotFoundException: File {path} does not exist or the \
                     user running Flink ('root') has insufficient permissions to access it."
                )),
        ));
    };
    let format = Format::of(table);
    let mut rows = Vec::new();
    for (at, read) in format.messages(text) {
        match read {
            Ok(read) => rows.extend(read),
            Err(_) if format.ignores_errors => {}
            Err(reason) => {
                return Err(Box::new(
                    Diagnostic::new(Code::FileUnreadable, table.span)
                        .arg("path", path)
                        .arg("line", at)
                        .arg("reason", reason.lines().last().unwrap_or_default())
                        .flink(format!("{READING}{reason}")),
                ));
            }
        }
    }
    Ok(rows)
}

/// How lines become rows.
#[derive(Debug)]
pub(crate) struct Format {
    kind: TableFormat,
    fields: Vec<Field>,
    ignores_errors: bool,
    /// A missing field is an error.
    needs_fields: bool,
    /// Messages lie within `payload`.
    has_schema: bool,
    csv: csv::Csv,
}

impl Format {
    fn of(table: &Table) -> Self {
        let kind = table.file_format();
        let name = table.options.get("format").map_or("", String::as_str);
        let option = |key: &str| table.options.get(&format!("{name}.{key}")).map(String::as_str);
        let is_on = |key: &str| option(key).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let columns = table.scan_columns();
        let fields = columns
            .iter()
            .filter_map(|column| table.columns.get(*column as usize))
            .filter(|column| matches!(column.kind, sg_plan::catalog::ColumnKind::Physical));
        Self {
            kind,
            fields: fields.map(|column| column.field.clone()).gather(),
            ignores_errors: is_on("ignore-parse-errors"),
            needs_fields: is_on("fail-on-missing-field"),
            has_schema: is_on("schema-include"),
            csv: csv::Csv::new(&option),
        }
    }

    /// The lines of a file that a person gave: values separated by a character, or else JSON. What a value's type cannot
    /// take is NULL.
    pub(crate) fn of_file(table: &Table, delimiter: Option<char>) -> Self {
        let (mut between, tolerant) = ([0; 4], Some("true"));
        let between: Option<&str> = delimiter.map(|one| &*one.encode_utf8(&mut between));
        let option = |key: &str| match key {
            "field-delimiter" => between,
            "ignore-parse-errors" => tolerant,
            _ => None,
        };
        Self {
            kind: if delimiter.is_some() {
                TableFormat::Csv
            } else {
                TableFormat::Json
            },
            ignores_errors: true,
            csv: csv::Csv::new(&option),
            ..Self::of(table)
        }
    }

    /// Whether a row of quoted values goes on behind a line.
    pub(crate) fn goes_on(&self, line: &str, open: bool) -> bool {
        self.kind == TableFormat::Csv && self.csv.open_behind(line, open)
    }

    /// What the messages of a file are read as, each with the number of its line. A row of quoted values has several lines.
    /// Cases: cdc/csv-*.
    fn messages<'a>(
        &'a self,
        text: &'a str,
    ) -> Box<dyn Iterator<Item = (usize, Result<FileRows, String>)> + 'a> {
        if self.kind != TableFormat::Csv {
            let lines = (1..)
                .zip(text.lines())
                .filter(|(_, line)| !line.trim().is_empty());
            return Box::new(lines.map(|(at, line)| (at, self.read(line))));
        }
        let mut reading = csv::Reading::new(text);
        Box::new(std::iter::from_fn(move || {
            self.csv.skip_comments(&mut reading);
            let at = reading.line;
            Some((at, self.next_of_csv(&mut reading)?))
        }))
    }

    fn next_of_csv(&self, reading: &mut csv::Reading<'_>) -> Option<Result<FileRows, String>> {
        let row = self
            .csv
            .next(reading)?
            .and_then(|record| self.csv.row(&record, &self.fields));
        Some(row.map(|row| vec![(RowKind::Insert, row)]))
    }

    /// The rows of a message, or why it is none.
    pub(crate) fn read(&self, line: &str) -> Result<FileRows, String> {
        if self.kind == TableFormat::Csv {
            let read = self.next_of_csv(&mut csv::Reading::new(line));
            return read.unwrap_or_else(|| Ok(Vec::new()));
        }
        let parsed: Result<Json, _> = serde_json::from_str(line);
        if self.kind == TableFormat::Json {
            let parsed = parsed
                .map_err(|error| format!("IOException: Failed to deserialize JSON '{line}'.\n{error}"))?;
            let readable = if self.ignores_errors && parsed.is_object() {
                without_unreadable(parsed, &self.fields)
            } else {
                parsed
            };
            let row = self
                .row(&readable)
                .map_err(|error| format!("IOException: Failed to deserialize JSON '{line}'.\n{error}"))?;
            return Ok(vec![(RowKind::Insert, row)]);
        }
        let (name, message) = match self.kind {
            TableFormat::Debezium => ("Debezium JSON", self.debezium(parsed)),
            TableFormat::Canal => ("Canal JSON", self.canal(parsed)),
            TableFormat::Maxwell => ("Maxwell JSON", self.maxwell(parsed)),
            _ => ("Ogg JSON", self.ogg(parsed)),
        };
        message.map_err(|reason| {
            let reason = reason.map_or_else(String::new, |reason| format!("\n{reason}"));
            format!("IOException: Corrupt {name} message '{line}'.{reason}")
        })
    }

    fn row(&self, json: &Json) -> Result<Row, String> {
        if self.needs_fields
            && let Some(missing) = self.fields.iter().find(|field| json.get(&*field.name).is_none())
        {
            return Err(format!(
                "JsonParseException: Could not find field with name '{}'.",
                missing.name
            ));
        }
        let mut reader = JsonReader::new(&self.fields).map_err(|error| error.message)?;
        if self.kind == TableFormat::Json {
            reader = reader.as_written();
        }
        reader.row(json).map(Row::from).map_err(|error| error.to_string())
    }

    fn part(&self, message: &Json, name: &str) -> Result<Option<Row>, Option<String>> {
        match message.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(part) => self.row(part).map(Some).map_err(Some),
        }
    }

    fn debezium(&self, parsed: serde_json::Result<Json>) -> Result<FileRows, Option<String>> {
        let parsed = parsed.map_err(|error| Some(error.to_string()))?;
        let message = if self.has_schema {
            parsed.get("payload").cloned().unwrap_or_default()
        } else {
            parsed
        };
        let (before, after) = (self.part(&message, "before")?, self.part(&message, "after")?);
        let missing = |word: &str| {
            Some(format!(
                "IllegalStateException: The \"before\" field of {word} message is null, if you are using Debezium Postgres Connector, \
                 please check the Postgres table has been set REPLICA IDENTITY to FULL level."
            ))
        };
        match (message.get("op").and_then(Json::as_str), before, after) {
            (Some("c" | "r"), _, Some(after)) => Ok(vec![(RowKind::Insert, after)]),
            (Some("u"), None, _) => Err(missing("UPDATE")),
            (Some("d"), None, _) => Err(missing("DELETE")),
            (Some("u"), Some(before), Some(after)) => Ok(update(before, after)),
            (Some("d"), Some(before), _) => Ok(vec![(RowKind::Delete, before)]),
            (op, ..) => Err(Some(format!(
                "IOException: Unknown \"op\" value \"{}\". The Debezium JSON message is '{}'",
                op.unwrap_or("null"),
                json_text(&message)
            ))),
        }
    }

    #[inline(never)]
    fn canal(&self, parsed: serde_json::Result<Json>) -> Result<FileRows, Option<String>> {
        let message = parsed.map_err(|error| Some(error.to_string()))?;
        let kind = message.get("type").and_then(Json::as_str).unwrap_or_default();
        let data = message.get("data").and_then(Json::as_array);
        let mut rows = Vec::new();
        match kind {
            "INSERT" | "DELETE" => {
                let row_kind = if kind == "INSERT" {
                    RowKind::Insert
                } else {
                    RowKind::Delete
                };
                for part in data.into_iter().flatten() {
                    rows.push((row_kind, self.row(part).map_err(Some)?));
                }
            }
            "UPDATE" => {
                let old = message.get("old").cloned().unwrap_or_default();
                for (at, part) in data.into_iter().flatten().enumerate() {
                    let after = self.row(part).map_err(Some)?;
                    let own = old.get(at).cloned().unwrap_or_default();
                    let before = self.overlaid(&after, &own, &old)?;
                    rows.extend(update(before, after));
                }
            }
            "CREATE" => {}
            other => {
                return Err(Some(format!(
                    "IOException: Unknown \"type\" value \"{other}\". The Canal JSON message is '{}'",
                    json_text(&message)
                )));
            }
        }
        Ok(rows)
    }

    fn maxwell(&self, parsed: serde_json::Result<Json>) -> Result<FileRows, Option<String>> {
        let message = parsed.map_err(|error| Some(error.to_string()))?;
        let kind = message.get("type").and_then(Json::as_str).unwrap_or_default();
        let Some(data) = self.part(&message, "data")? else {
            return Err(None);
        };
        match kind {
            "insert" => Ok(vec![(RowKind::Insert, data)]),
            "update" => {
                let old = message.get("old").cloned().unwrap_or_default();
                let before = self.overlaid(&data, &old, &old)?;
                Ok(update(before, data))
            }
            "delete" => Ok(vec![(RowKind::Delete, data)]),
            other => Err(Some(format!(
                "IOException: Unknown \"type\" value \"{other}\". The Maxwell JSON message is '{}'",
                json_text(&message)
            ))),
        }
    }

    fn ogg(&self, parsed: serde_json::Result<Json>) -> Result<FileRows, Option<String>> {
        let message = parsed.map_err(|error| Some(error.to_string()))?;
        let (before, after) = (self.part(&message, "before")?, self.part(&message, "after")?);
        match (message.get("op_type").and_then(Json::as_str), before, after) {
            (Some("I"), _, Some(after)) => Ok(vec![(RowKind::Insert, after)]),
            (Some("U"), Some(before), Some(after)) => Ok(update(before, after)),
            (Some("D"), Some(before), _) => Ok(vec![(RowKind::Delete, before)]),
            _ => Err(None),
        }
    }

    /// A row before its update: as after it, but for the fields that the old values name anywhere.
    fn overlaid(&self, after: &Row, own: &Json, all: &Json) -> Result<Row, Option<String>> {
        let old = if own.is_object() {
            self.row(own).map_err(Some)?
        } else {
            self.fields.iter().map(|_| Value::Null).gather()
        };
        let cells = self.fields.iter().zip(old.iter().zip(after.iter()));
        Ok(cells
            .map(|(field, (old, new))| {
                if old.is_null() && !names(all, &field.name) {
                    new.clone()
                } else {
                    old.clone()
                }
            })
            .gather())
    }
}

/// The object with NULL for the fields that their types cannot take, the innermost ones.
fn without_unreadable(json: Json, fields: &[Field]) -> Json {
    let Json::Object(mut object) = json else {
        return Json::Null;
    };
    for field in fields {
        let Some(value) = object.get_mut(&*field.name) else {
            continue;
        };
        let taken = value.take();
        *value = match &field.data_type.kind {
            TypeKind::Row(inner) => without_unreadable(taken, inner),
            _ if value_from_json(&taken, &field.data_type).is_err() => Json::Null,
            _ => taken,
        };
    }
    Json::Object(object)
}

/// Whether a field of this name stands anywhere within.
fn names(json: &Json, name: &str) -> bool {
    match json {
        Json::Object(fields) => fields.contains_key(name) || fields.values().any(|inner| names(inner, name)),
        Json::Array(items) => items.iter().any(|inner| names(inner, name)),
        _ => false,
    }
}

fn update(before: Row, after: Row) -> FileRows {
    vec![(RowKind::UpdateBefore, before), (RowKind::UpdateAfter, after)]
}
