//! What happens behind a query: its result in each encoding of a changelog, and what sinks make of it.

use serde::Serialize;
use ts_rs::TS;

use super::diagnostic::Diagnostic;

/// What `downstream` gives.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[ts(export)]
pub struct Downstream {
    /// The result as changelogs.
    pub encodings: Encodings,
    /// One per sink of the query; for a bare query one per kind of sink that it could be written to.
    pub sinks: Vec<SinkReport>,
}

/// The same result as an append, a retract and an upsert stream.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Encodings {
    /// Why an append stream cannot carry it.
    pub append_refusal: Option<Diagnostic>,
    /// Positions of the columns of the upsert key; `None` where the rows have none.
    pub key: Option<Vec<u32>>,
    /// Messages so far in each encoding: append, retract, upsert.
    pub messages: [u32; 3],
    /// The newest changes, oldest first.
    pub rows: Vec<EncodedRow>,
    /// Changes before those.
    pub earlier: u32,
}

/// A change in the encodings. In the append encoding every row is added.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct EncodedRow {
    /// Arrivals taken when it came: 0 before the first.
    pub slots: u32,
    /// Its cells as text.
    pub cells: Vec<Option<String>>,
    /// Whether the retract stream adds the row; else it takes it back.
    pub add: bool,
    /// What the upsert stream sends: the row under its key, the key without a row, or nothing.
    #[ts(type = "'put' | 'tombstone' | 'none'")]
    pub upsert: &'static str,
}

/// What a sink has made of the changes that reached it.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SinkReport {
    /// The operator; `None` for a sink that the query could have.
    pub operator: Option<u32>,
    /// The table; empty for a sink that the query could have.
    pub table: String,
    /// The value of `'connector'`.
    pub connector: String,
    /// The value of `'format'`, or what is taken for it.
    pub format: String,
    /// How it writes.
    #[ts(
        type = "'log' | 'cdc-log' | 'upsert-log' | 'statements' | 'upsert-statements' | 'files' | 'lake' | 'upsert-lake' | 'lines' | 'nothing' | 'changes'"
    )]
    pub writes: &'static str,
    /// Names of the key's columns.
    pub key: Vec<String>,
    /// Why the query cannot be written there.
    #[ts(type = "'changes' | 'key' | null")]
    pub refused: Option<&'static str>,
    /// Changes that came: `+I`, `-U`, `+U`, `-D`.
    pub received: [u32; 4],
    /// Rows that it added.
    pub appended: u32,
    /// Rows that it put in place of others.
    pub updated: u32,
    /// Rows that it took away.
    pub deleted: u32,
    /// Messages, statements, lines, or rows of data and delete files.
    pub writes_done: u32,
    /// Bytes of those.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Files of all kinds.
    pub files: u32,
    /// Rows that whoever reads gets, with all that is written.
    pub live_rows: u32,
    /// Bytes of those rows, written once.
    #[ts(type = "number")]
    pub live_bytes: u64,
    /// Rows that readers get now: those of the last commit or flush.
    pub visible_rows: u32,
    /// Rows that readers have to read for that.
    pub read_rows: u32,
    /// Milliseconds between two commits or flushes; 0 where each change is written at once.
    #[ts(type = "number")]
    pub interval_ms: i64,
    /// Whether that interval is none that the script has set.
    pub interval_assumed: bool,
    /// Rows that gather until they are flushed; 0 for no limit.
    pub batch_rows: u32,
    /// The newest commits, flushes or files, oldest first; the last one may be open.
    pub batches: Vec<SinkBatch>,
    /// Batches before those.
    pub earlier_batches: u32,
    /// The newest messages or statements, oldest first.
    pub log: Vec<SinkMessage>,
}

/// A commit of a lake table, a flush of statements, or a file.
#[derive(Clone, Copy, Debug, Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SinkBatch {
    /// When it was made; for an open one when it will be.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// Whether it is still gathering: readers do not see it.
    pub open: bool,
    /// Rows in the data file, or rows written by statements.
    pub rows: u32,
    /// Rows of the position delete file: rows of the same commit's data file that no longer count.
    pub position_deletes: u32,
    /// Rows of the equality delete file, or DELETE statements.
    pub equality_deletes: u32,
    /// Bytes of all of it.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// A message of a log or a statement.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SinkMessage {
    /// What it does.
    #[ts(type = "'add' | 'put' | 'take' | 'tombstone'")]
    pub does: &'static str,
    /// Text of the key, or of the row where there is no key.
    pub text: String,
    /// Its bytes.
    pub bytes: u32,
    /// Whether a later message has the same key, so that compaction removes it.
    pub superseded: bool,
}
