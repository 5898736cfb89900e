//! What opening, advancing and looking into a workspace gives.

use serde::Serialize;
use ts_rs::TS;

use super::diagnostic::{Diagnostic, Span};

/// How far the run of a file is.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct FileProgress {
    /// Rows that were read.
    #[ts(type = "number")]
    pub rows: u64,
    /// Lines that are no rows.
    #[ts(type = "number")]
    pub unread: u64,
    /// One per query that runs.
    pub queries: Vec<FileResult>,
}

/// What the run of a file has led to in a query.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct FileResult {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The first rows; none where there are too many to list.
    pub table: Vec<Vec<Option<String>>>,
    /// Rows of the result.
    #[ts(type = "number")]
    pub rows: i64,
    /// Changes that made it.
    #[ts(type = "number")]
    pub changes: u64,
    /// Why it stopped.
    pub fault: Option<super::diagnostic::Bilingual>,
}

/// A column.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ColumnView {
    /// Its name.
    pub name: String,
    /// Its type as Flink prints it.
    #[serde(rename = "type")]
    pub data_type: String,
    /// Whether it is part of the key.
    pub key: bool,
    /// Whether it is an event-time attribute.
    pub rowtime: bool,
    /// Whether it is a number.
    pub numeric: bool,
}

/// An input of an operator.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct InputView {
    /// The operator it comes from.
    pub from: u32,
    /// How its rows are distributed.
    #[ts(type = "'forward' | 'hash' | 'single' | 'rebalance' | 'broadcast'")]
    pub distribution: &'static str,
    /// The hash key's column names.
    pub columns: Vec<String>,
}

/// An operator of the job.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct OperatorView {
    /// Its id.
    pub id: u32,
    /// Name of the exec node: `GroupAggregate`.
    pub name: String,
    /// Operators of one chain share a task.
    pub task: u32,
    /// Number of subtasks.
    pub parallelism: u32,
    /// Its inputs in order.
    pub inputs: Vec<InputView>,
    /// Its part in the job.
    #[ts(type = "'source' | 'stateless' | 'stateful' | 'sink'")]
    pub role: &'static str,
    /// Number in the session's list of sources, for a scan.
    pub source: Option<u32>,
    /// Who frees its state.
    #[ts(type = "'none' | 'watermark' | 'ttl' | 'never'")]
    pub cleanup: &'static str,
    /// Whether it waits for watermarks.
    pub uses_watermark: bool,
    /// Columns of its key.
    pub key_columns: Vec<ColumnView>,
    /// Whether its state is kept per window.
    pub windowed: bool,
    /// Row kinds it emits: `I,UB,UA,D`.
    pub mode: String,
    /// Attributes of the plan line: `groupBy=[shop]`.
    pub args: Vec<String>,
    /// The SQL it came from, in the query's text.
    pub span: Option<Span>,
    /// State handles by number: Flink's state names.
    pub states: Vec<String>,
    /// The table of a source or sink.
    pub table: Option<String>,
}

/// A table with arrivals.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SourceView {
    /// Its number.
    pub source: u32,
    /// The table's name.
    pub table: String,
    /// Number of partitions.
    pub partitions: u32,
    /// Its physical columns: what an event's cells are.
    pub columns: Vec<ColumnView>,
    /// Name of the event-time column, computed ones included.
    pub rowtime: Option<String>,
    /// Text of the declaration: `ts - INTERVAL '20' SECOND`.
    pub watermark: Option<String>,
    /// The declared bound in milliseconds, where the declaration is a column minus an interval.
    #[ts(type = "number | null")]
    pub out_of_orderness_ms: Option<i64>,
    /// `table.exec.source.idle-timeout`, where it is set.
    #[ts(type = "number | null")]
    pub idle_timeout_ms: Option<i64>,
    /// The bound's digits in the script, where there are any.
    pub literal: Option<Span>,
}

/// A line of the plan.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PlanNodeView {
    /// The running operator, if it is one (an exchange is none).
    pub operator: Option<u32>,
    /// Name of the exec node.
    pub name: String,
    /// Row kinds it emits: `I,UB,UA,D`.
    pub mode: String,
    /// Its attributes as printed.
    pub args: Vec<String>,
    /// What it is.
    #[ts(type = "'stateless' | 'stateful' | 'exchange'")]
    pub kind: &'static str,
    /// Indentation, 0 for the root.
    pub depth: u32,
}

/// The plan of a query.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct PlanView {
    /// The text of EXPLAIN with changelog modes.
    pub explain: String,
    /// The plan that runs, sink first.
    pub nodes: Vec<PlanNodeView>,
    /// Whether it aggregates in two phases.
    pub two_phase: bool,
    /// Whether the plan that runs carries more row kinds than EXPLAIN shows.
    pub differs_from_explain: bool,
}

/// A query as planned.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct QueryView {
    /// Whether it runs.
    pub ok: bool,
    /// Said about its text.
    pub diagnostics: Vec<Diagnostic>,
    /// Its plan.
    pub plan: Option<PlanView>,
    /// Operators of the job in topological order; the index is the id.
    pub operators: Vec<OperatorView>,
    /// Columns of the result.
    pub output_columns: Vec<ColumnView>,
    /// How its result changes.
    #[ts(type = "'append-only' | 'retract' | 'upsert'")]
    pub mode: &'static str,
}

/// An arrival, known before it is replayed.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SlotInfo {
    /// Processing time.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// Number of the source.
    pub source: u32,
    /// The partition.
    pub partition: u32,
    /// What arrives.
    #[ts(type = "'+I' | '-U' | '+U' | '-D' | 'watermark' | 'idle' | 'active' | 'hold' | 'release' | 'tick'")]
    pub kind: &'static str,
    /// Event time of a row, the value of a watermark.
    #[ts(type = "number | null")]
    pub rowtime_ms: Option<i64>,
    /// The row's cells as text.
    pub cells: Vec<Option<String>>,
    /// Number of the event in the workspace's list.
    pub event: u32,
}

/// What `open` gives.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Opened {
    /// Grows with every open or edit.
    pub generation: u32,
    /// Said about the shared script and the events.
    pub script_diagnostics: Vec<Diagnostic>,
    /// One per query, in order.
    pub queries: Vec<QueryView>,
    /// The tables that have arrivals.
    pub sources: Vec<SourceView>,
    /// Number of arrivals.
    pub slots: u32,
    /// The arrivals in order.
    pub slot_info: Vec<SlotInfo>,
}

/// What `advance` gives; the frames travel as bytes beside it.
#[derive(Clone, Debug, TS)]
#[ts(export)]
pub struct Advanced {
    /// Frames of both queries (see the runtime's frame format).
    #[ts(type = "Uint8Array")]
    pub frames: Vec<u8>,
    /// Whether nothing is left to replay.
    pub done: bool,
    /// The generation they belong to.
    pub generation: u32,
}

/// What an edit gives.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Edited {
    /// The workspace as it is now.
    pub opened: Opened,
    /// Frames of earlier slots stay true.
    pub first_changed_slot: u32,
}

/// A page of keyed state.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct StatePage {
    /// All entries of the handle.
    pub total: u32,
    /// The asked part.
    pub entries: Vec<StateEntryView>,
}

/// A state entry.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct StateEntryView {
    /// The key as text.
    pub key: String,
    /// The namespace (a window) as text, or empty.
    pub namespace: String,
    /// The value as text.
    pub value: String,
    /// Serialised bytes.
    pub bytes: u32,
}
