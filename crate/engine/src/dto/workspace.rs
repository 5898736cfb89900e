//! A workspace: everything a replay is a function of.
//!
//! It crosses as JSON text, so that numbers in rows keep all their digits. What reads it (`read.rs`) goes through a tree
//! of values: code that serde derives for each struct is many times as large.

use serde_json::{Map, Value};
use sg_value::sorted::SortedMap;
use ts_rs::TS;

/// Everything a replay is a function of.
#[derive(Clone, Debug, Default, TS)]
#[ts(export, rename_all = "camelCase")]
pub struct Workspace {
    /// Tables, views and settings that all queries share.
    pub script: String,
    /// One or two queries.
    pub queries: Vec<QueryText>,
    /// Number of partitions of tables that have several.
    pub sources: Vec<SourcePartitions>,
    /// The arrivals; they are replayed by `at`, ties as listed.
    pub events: Vec<ScenarioEvent>,
    /// UTC text of the moment at which processing time begins; 1970 if empty.
    pub start: String,
    /// Whether the input ends after the last arrival.
    pub end: EndOfInput,
    /// `SET 'key' = 'value'` in front of every script.
    #[ts(as = "std::collections::BTreeMap<String, String>")]
    pub settings: Texts,
    /// Watermark settings per partition.
    pub controls: Vec<SourceControl>,
    /// Files that tables read, by path.
    #[ts(optional, as = "Option<std::collections::BTreeMap<String, String>>")]
    pub files: Texts,
    /// Makes the arrivals instead of `events`.
    #[ts(optional)]
    pub generator: Option<Generator>,
}

/// One query of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, TS)]
#[ts(export)]
pub struct QueryText {
    /// A SELECT, or INSERTs, with settings of its own if wanted.
    pub sql: String,
}

/// How many partitions a table has.
#[derive(Clone, Debug, Default, PartialEq, Eq, TS)]
#[ts(export)]
pub struct SourcePartitions {
    /// The table.
    pub table: String,
    /// Its partitions, at least 1.
    pub partitions: u32,
}

/// What happens after the last arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, TS)]
#[ts(export, rename_all = "lowercase")]
pub enum EndOfInput {
    /// Nothing: a topic never ends.
    #[default]
    Open,
    /// The final watermark flushes every window.
    Flush,
}

/// One entry of the replay. Exactly one of `row`, `watermark`, `control` is given.
#[derive(Clone, Debug, Default, TS)]
#[ts(export, rename_all = "camelCase")]
pub struct ScenarioEvent {
    /// Arrival in processing time, milliseconds after `start`.
    #[ts(type = "number")]
    pub at: i64,
    /// The table.
    pub table: String,
    /// The source's partition, 0 if not given.
    #[ts(optional, as = "Option<u32>")]
    pub partition: u32,
    /// Row kind, `+I` if not given.
    #[ts(type = "'+I' | '-U' | '+U' | '-D'", optional)]
    pub kind: Option<String>,
    /// The columns that are not NULL, by name.
    #[ts(type = "Record<string, unknown>", optional)]
    pub row: Option<Map<String, Value>>,
    /// A source watermark, UTC text.
    #[ts(optional)]
    pub watermark: Option<String>,
    /// A change of the partition's status.
    #[ts(optional)]
    pub control: Option<EventControl>,
}

/// A change of a partition's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TS)]
#[ts(export, rename_all = "lowercase")]
pub enum EventControl {
    /// It is left out of the minimum until it sends again.
    Idle,
    /// It counts again.
    Active,
    /// Its watermark is frozen.
    Hold,
    /// Its watermark moves again.
    Release,
}

/// What a person set on a partition's card; it holds for the whole replay.
#[derive(Clone, Debug, Default, TS)]
#[ts(export, rename_all = "camelCase")]
pub struct SourceControl {
    /// The table.
    pub table: String,
    /// The partition; all of them if not given.
    #[ts(optional)]
    pub partition: Option<u32>,
    /// Replaces the declared bound of out-of-orderness, milliseconds.
    #[ts(type = "number", optional)]
    pub out_of_orderness_ms: Option<i64>,
    /// The watermark is frozen from `from_slot` on.
    #[ts(optional)]
    pub hold: Option<bool>,
    /// The partition is idle from `from_slot` on, until it sends again.
    #[ts(optional)]
    pub idle: Option<bool>,
    /// The arrival slot from which `hold` and `idle` are set, 0 if not given.
    #[ts(optional)]
    pub from_slot: Option<u32>,
}

/// A seeded stream of any length for one table.
#[derive(Clone, Debug, TS)]
#[ts(export, rename_all = "camelCase")]
pub struct Generator {
    /// The table; its only string or first number column takes the key, other numbers random amounts.
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

/// A change of a workspace.
#[derive(Clone, Debug, TS)]
#[ts(export, rename_all = "lowercase", tag = "kind")]
pub enum Edit {
    /// Other arrivals.
    Events {
        /// All of them.
        events: Vec<ScenarioEvent>,
    },
    /// Another text of one query.
    Query {
        /// Which query.
        index: u32,
        /// Its new text.
        sql: String,
    },
    /// Other watermark settings.
    Control {
        /// All of them.
        controls: Vec<SourceControl>,
    },
    /// Another end.
    End {
        /// What happens after the last arrival.
        end: EndOfInput,
    },
    /// Other tables.
    Script {
        /// The new script.
        script: String,
    },
}

/// Texts by name.
#[derive(Clone, Debug, Default)]
pub struct Texts(pub SortedMap<String, String>);
