//! What crosses to JavaScript: plain data, the source of the TypeScript types.
//!
//! Offsets in here are UTF-16 code units (a browser's string index); everywhere else in the engine they are bytes.
//! Times are milliseconds since 1970-01-01T00:00:00Z unless the name says otherwise. Texts come in both languages.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A text in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Text {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

/// A range of UTF-16 offsets in one of the workspace's texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Range {
    /// First code unit.
    pub start: u32,
    /// Behind the last code unit.
    pub end: u32,
}

/// Which text of the workspace a diagnostic or an operator points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum Source {
    /// The shared script with the tables.
    Script,
    /// The query's own text.
    Query,
}

/// Something said about SQL, events or options.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct DiagnosticView {
    /// Stable kebab-case name.
    pub code: String,
    /// `error`, `unsupported`, `warning` or `note`.
    pub severity: String,
    /// The idea behind it (a glossary entry).
    pub concept: String,
    /// The text it points into.
    pub source: Source,
    /// Where.
    pub range: Range,
    /// What is wrong.
    pub message: Text,
    /// What to do, if it is known.
    pub way_out: Option<Text>,
    /// What Flink itself says, if it is known.
    pub flink: Option<String>,
    /// Edits that mend it.
    pub fixes: Vec<FixView>,
}

/// An edit that mends a diagnostic.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct FixView {
    /// What it does.
    pub title: Text,
    /// The replacements, all within one text.
    pub edits: Vec<EditView>,
}

/// A replacement of a range.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct EditView {
    /// What is replaced.
    pub range: Range,
    /// By what.
    pub text: String,
}

/// A workspace: everything a replay is a function of. Crosses as JSON text, so that numbers keep all digits.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
pub struct Workspace {
    /// Tables, views and settings that all queries share.
    pub script: String,
    /// One or two queries.
    pub queries: Vec<QueryText>,
    /// The arrivals, in any order; they are replayed by `at`, ties as listed.
    pub events: Vec<Event>,
    /// Makes arrivals instead of `events`.
    pub generator: Option<Generator>,
    /// UTC text of the moment at which processing time begins; 1970 if empty.
    pub start: String,
    /// Whether the input ends after the last arrival.
    pub end: EndOfInput,
    /// Watermark settings per partition.
    pub controls: Vec<PartitionControl>,
}

/// One query of a workspace.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueryText {
    /// A SELECT, or INSERTs, with settings of its own if wanted.
    pub sql: String,
}

/// What happens after the last arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum EndOfInput {
    /// Nothing: a topic never ends.
    #[default]
    Open,
    /// The final watermark flushes every window.
    Flush,
}

/// One entry of the replay. Exactly one of `row`, `watermark`, `idle`, `hold` is given.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[ts(export)]
pub struct Event {
    /// Arrival in processing time, milliseconds after `start`.
    #[ts(type = "number")]
    pub at: i64,
    /// The table.
    pub table: String,
    /// The source's partition.
    pub partition: u32,
    /// `+I` (default), `-U`, `+U`, `-D`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub kind: Option<String>,
    /// The columns that are not NULL, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(type = "Record<string, unknown>", optional)]
    pub row: Option<serde_json::Map<String, serde_json::Value>>,
    /// A source watermark, UTC text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub watermark: Option<String>,
    /// The partition becomes idle (`true`) or active again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub idle: Option<bool>,
    /// The partition's watermark is held (`true`) or released.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hold: Option<bool>,
}

/// A seeded stream of any length for one table: `key`, `amount` and time columns are found by type.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export)]
pub struct Generator {
    /// The table.
    pub table: String,
    /// Start of the sequence; the same seed makes the same rows.
    pub seed: u32,
    /// Number of rows.
    pub rows: u32,
    /// Number of distinct keys.
    pub keys: u32,
    /// Number of source partitions.
    pub partitions: u32,
    /// Milliseconds between two arrivals.
    pub interval_ms: u32,
    /// Largest distance of event time behind arrival.
    pub out_of_orderness_ms: u32,
}

/// What a person set on a partition's card; a function of the whole replay, not of a moment.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[ts(export)]
pub struct PartitionControl {
    /// The table.
    pub table: String,
    /// The partition.
    pub partition: u32,
    /// Replaces the declared bound of out-of-orderness, milliseconds.
    #[ts(type = "number | null")]
    pub out_of_orderness_ms: Option<i64>,
    /// The watermark is frozen from this arrival slot on.
    pub hold_from_slot: Option<u32>,
    /// The partition is idle from this arrival slot on, until it sends again.
    pub idle_from_slot: Option<u32>,
}

/// What `open` gives.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Opened {
    /// Grows with every open or edit; frames carry no generation, answers do.
    pub generation: u32,
    /// Number of arrivals.
    pub slots: u32,
    /// Said about the shared script and the events.
    pub diagnostics: Vec<DiagnosticView>,
    /// The tables that have arrivals.
    pub sources: Vec<SourceView>,
    /// One per query, in order.
    pub queries: Vec<QueryView>,
}

/// A table with arrivals.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SourceView {
    /// The table's name.
    pub table: String,
    /// Number of partitions.
    pub partitions: u32,
    /// Its physical columns: what an event's cells are.
    pub columns: Vec<ColumnView>,
    /// The event-time column's index in `columns`, if it is physical.
    pub rowtime: Option<u32>,
    /// The column that names an event best: the first string, else the first column that is no time.
    pub label: Option<u32>,
    /// The column drawn inside an event's mark: the first number that is no key.
    pub amount: Option<u32>,
    /// The watermark declaration as written, and the literal of its bound.
    pub watermark: Option<WatermarkView>,
}

/// A table's watermark declaration.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct WatermarkView {
    /// The clause as written: `WATERMARK FOR ts AS ts - INTERVAL '20' SECOND`.
    pub text: String,
    /// The clause in the script.
    pub range: Range,
    /// The bound's digits in the script, where the expression is `column - INTERVAL '…' unit`.
    pub literal: Option<Range>,
    /// That bound in milliseconds.
    #[ts(type = "number | null")]
    pub bound_ms: Option<i64>,
    /// `perRow`, `perPartition` (made inside the source, combined over partitions) or `fromSource`.
    pub made: String,
}

/// A column.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ColumnView {
    /// Its name.
    pub name: String,
    /// Its type as Flink prints it.
    pub data_type: String,
    /// Whether it is a number (aligned to the end).
    pub numeric: bool,
}

/// A query as planned.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct QueryView {
    /// Whether it runs.
    pub runs: bool,
    /// Said about its text.
    pub diagnostics: Vec<DiagnosticView>,
    /// The plan that runs, first line first.
    pub plan: Vec<PlanLine>,
    /// The text of EXPLAIN.
    pub explain: String,
    /// How the running plan differs from EXPLAIN's, if it does.
    pub explain_note: Option<Text>,
    /// Operators of the job in topological order; the index is the id.
    pub operators: Vec<OperatorView>,
    /// Output columns of the result.
    pub columns: Vec<ColumnView>,
    /// Positions of the result's upsert key, if it has one.
    pub key: Option<Vec<u32>>,
    /// `append`, `retract` or `upsert`.
    pub mode: String,
    /// What its state will do.
    pub verdict: Verdict,
}

/// What a query's state will do in the long run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum Verdict {
    /// It keeps none.
    Stateless,
    /// The watermark frees it.
    Bounded,
    /// A time-to-live frees it; results can be wrong.
    BoundedByTtl,
    /// One entry a key, for ever.
    Unbounded,
}

/// A line of the plan.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct PlanLine {
    /// Indentation, 0 for the root.
    pub depth: u32,
    /// Name of the exec node.
    pub name: String,
    /// Its attributes as printed.
    pub attributes: String,
    /// Row kinds it emits: `I,UB,UA,D`.
    pub changelog_mode: String,
    /// The running operator, if it is one (an exchange is none).
    pub operator: Option<u32>,
    /// Whether it keeps state.
    pub stateful: bool,
    /// The SQL it came from.
    pub range: Option<(Source, Range)>,
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
    /// `source`, `stateless`, `stateful`, `local` (a buffer, no state) or `sink`.
    pub role: String,
    /// The table of a source or sink.
    pub table: Option<String>,
    /// Its inputs.
    pub inputs: Vec<InputView>,
    /// Names of its output columns.
    pub columns: Vec<String>,
    /// Names of its key columns.
    pub keys: Vec<String>,
    /// Number of subtasks.
    pub parallelism: u32,
    /// Operators with the same number run as one chain.
    pub chain: u32,
    /// Whether its state is freed by the watermark.
    pub uses_watermark: bool,
    /// State handles by number: Flink's state names.
    pub states: Vec<String>,
    /// The SQL it came from.
    pub range: Option<(Source, Range)>,
}

/// An input of an operator.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct InputView {
    /// The operator it comes from.
    pub from: u32,
    /// `forward`, `hash`, `single` or `rebalance`.
    pub distribution: String,
    /// The hash key's column names.
    pub hash: Vec<String>,
}

/// What an edit gives.
#[derive(Clone, Copy, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Edited {
    /// The new generation.
    pub generation: u32,
    /// Frames of earlier slots stay true.
    pub first_changed_slot: u32,
}

/// What is said about a script while it is typed.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Analysis {
    /// Diagnostics of script and query.
    pub diagnostics: Vec<DiagnosticView>,
    /// Token classes of the query's text, for highlighting without an editor.
    pub tokens: Vec<TokenView>,
    /// Marks for the gutter and underlines.
    pub lenses: Vec<Lens>,
    /// Literals that control time.
    pub literals: Vec<TimeLiteral>,
}

/// A token and its class.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TokenView {
    /// Where.
    pub range: Range,
    /// `keyword`, `function`, `number`, `string`, `comment`, `operator`, `identifier`.
    pub class: String,
}

/// A mark beside a line of SQL.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Lens {
    /// `bounded`, `unbounded` or `updates`.
    pub kind: String,
    /// What it marks.
    pub range: Range,
    /// The sentence.
    pub text: Text,
}

/// A literal that controls time and may be dragged.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TimeLiteral {
    /// The digits.
    pub range: Range,
    /// The unit's length in milliseconds.
    #[ts(type = "number")]
    pub unit_ms: i64,
    /// The value in units.
    pub value: f64,
}

/// A completion.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Completion {
    /// What is inserted.
    pub label: String,
    /// `keyword`, `function`, `table`, `column`.
    pub kind: String,
    /// A type or signature.
    pub detail: String,
    /// One line of help.
    pub help: Text,
}

/// A page of keyed state.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct StatePage {
    /// All entries of the handle.
    pub total: u32,
    /// The asked part.
    pub entries: Vec<StateEntryView>,
}

/// A state entry.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
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

/// A card of the Why? panel.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct WhyCard {
    /// Stable diagnostic id: `window-waits`, `late-dropped`, …
    pub id: String,
    /// `happened`, `waiting`, `outside`, `dropped` or `differs`.
    pub section: String,
    /// The fact.
    pub heading: Text,
    /// The explanation; `**…**` marks values.
    pub body: Text,
    /// Whether something is still open.
    pub unresolved: bool,
    /// The event that it is about, as arrival slot.
    pub slot: Option<u32>,
    /// Watermarks per partition against what is needed.
    pub gauge: Option<Gauge>,
    /// What can be tried.
    pub moves: Vec<Move>,
}

/// Watermarks per partition against a needed value.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Gauge {
    /// The watermark that would release it.
    #[ts(type = "number")]
    pub needed: i64,
    /// The same as text.
    pub needed_text: String,
    /// One bar per partition.
    pub bars: Vec<GaugeBar>,
}

/// A partition's watermark in a gauge.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct GaugeBar {
    /// The table.
    pub table: String,
    /// The partition.
    pub partition: u32,
    /// Its watermark, if it has one.
    #[ts(type = "number | null")]
    pub watermark: Option<i64>,
    /// The same as text.
    pub text: String,
    /// `passed`, `holds`, `idle` or `outside`.
    pub status: String,
}

/// Something a person can try, with its effect computed by running it.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Move {
    /// What it does.
    pub label: Text,
    /// What would come of it.
    pub effect: Text,
    /// How the page carries it out.
    pub action: MoveAction,
}

/// How the page carries a move out.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase", tag = "kind")]
#[ts(export)]
pub enum MoveAction {
    /// Mark a partition idle from a slot on.
    #[serde(rename_all = "camelCase")]
    Idle {
        /// The table.
        table: String,
        /// The partition.
        partition: u32,
        /// The arrival slot.
        slot: u32,
    },
    /// Insert an event behind a slot.
    #[serde(rename_all = "camelCase")]
    Inject {
        /// The table.
        table: String,
        /// The partition.
        partition: u32,
        /// Event time it must at least have.
        #[ts(type = "number")]
        event_time_ms: i64,
        /// The same as text.
        event_time: String,
        /// The arrival slot behind which it goes.
        slot: u32,
    },
    /// Set the bound of out-of-orderness.
    #[serde(rename_all = "camelCase")]
    Bound {
        /// The table.
        table: String,
        /// Milliseconds.
        #[ts(type = "number")]
        out_of_orderness_ms: i64,
    },
    /// Show a slot.
    #[serde(rename_all = "camelCase")]
    Show {
        /// The arrival slot.
        slot: u32,
    },
}

/// The state bill of an operator.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Bill {
    /// The operator.
    pub operator: u32,
    /// Its name.
    pub name: String,
    /// Entries now.
    pub entries: u32,
    /// Bytes now.
    #[ts(type = "number")]
    pub bytes: i64,
    /// Most bytes so far.
    #[ts(type = "number")]
    pub peak_bytes: i64,
    /// Distinct keys seen.
    pub keys: u32,
    /// Windows (namespaces) that are open at once; 1 without windows.
    pub windows: u32,
    /// Mean bytes of an entry.
    pub bytes_per_entry: f64,
    /// keys × windows × bytes.
    #[ts(type = "number")]
    pub predicted_bytes: i64,
    /// Bytes per minute of processing time, over the replay so far.
    pub slope_bytes_per_minute: f64,
    /// `watermark`, `ttl`, `never`.
    pub cleanup: String,
    /// What its state will do.
    pub verdict: Verdict,
    /// Bytes after 1 day and after 30 days at this slope (bounded: the peak).
    pub projected_day_bytes: f64,
    /// Bytes after 30 days.
    pub projected_month_bytes: f64,
    /// Which part of the product grows: `keys`, `windows` or `none`.
    pub growing: String,
    /// Changelog rows so far, by kind: +I, −U, +U, −D.
    pub emitted: [u32; 4],
    /// The bill in a sentence.
    pub sentence: Text,
}
