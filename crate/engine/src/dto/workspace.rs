//! A workspace: everything a replay is a function of.
//!
//! It crosses as JSON text, so that numbers in rows keep all their digits.

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::{Map, Value};
use sg_value::sorted::SortedMap;
use ts_rs::TS;

/// Everything a replay is a function of.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[ts(export)]
pub struct QueryText {
    /// A SELECT, or INSERTs, with settings of its own if wanted.
    pub sql: String,
}

/// How many partitions a table has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[ts(export)]
pub struct SourcePartitions {
    /// The table.
    pub table: String,
    /// Its partitions, at least 1.
    pub partitions: u32,
}

/// What happens after the last arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum EndOfInput {
    /// Nothing: a topic never ends.
    #[default]
    Open,
    /// The final watermark flushes every window.
    Flush,
}

/// One entry of the replay. Exactly one of `row`, `watermark`, `control` is given.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
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
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
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
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
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

/// What an edit may hold, before it is known which one it is.
#[derive(Deserialize)]
struct EditFields {
    kind: EditKind,
    events: Option<Vec<ScenarioEvent>>,
    index: Option<u32>,
    sql: Option<String>,
    controls: Option<Vec<SourceControl>>,
    end: Option<EndOfInput>,
    script: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EditKind {
    Events,
    Query,
    Control,
    End,
    Script,
}

/// Through one struct: the derived code would keep every edit as loose values before it knows the kind.
impl<'de> Deserialize<'de> for Edit {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = EditFields::deserialize(from)?;
        let missing = D::Error::missing_field;
        Ok(match fields.kind {
            EditKind::Events => Self::Events {
                events: fields.events.ok_or_else(|| missing("events"))?,
            },
            EditKind::Query => Self::Query {
                index: fields.index.ok_or_else(|| missing("index"))?,
                sql: fields.sql.ok_or_else(|| missing("sql"))?,
            },
            EditKind::Control => Self::Control {
                controls: fields.controls.ok_or_else(|| missing("controls"))?,
            },
            EditKind::End => Self::End {
                end: fields.end.ok_or_else(|| missing("end"))?,
            },
            EditKind::Script => Self::Script {
                script: fields.script.ok_or_else(|| missing("script"))?,
            },
        })
    }
}

/// Texts by name.
#[derive(Clone, Debug, Default)]
pub struct Texts(pub SortedMap<String, String>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Texts;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Texts, A::Error> {
                let mut texts = SortedMap::default();
                while let Some((name, text)) = entries.next_entry()? {
                    texts.insert(name, text);
                }
                Ok(Texts(texts))
            }
        }

        from.deserialize_map(Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Edit, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn an_edit_is_read_by_its_kind() {
        let events = read(r#"{"events":[{"at":-5,"table":"t","row":{"n":1.50}}],"kind":"events"}"#).unwrap();
        let Edit::Events { events } = events else {
            panic!("{events:?}")
        };
        assert_eq!(events[0].at, -5);
        assert_eq!(events[0].row.as_ref().unwrap()["n"].to_string(), "1.50");
        assert!(matches!(
            read(r#"{"kind":"query","index":1,"sql":""}"#),
            Ok(Edit::Query { index: 1, .. })
        ));
        assert!(matches!(
            read(r#"{"kind":"control","controls":[]}"#),
            Ok(Edit::Control { .. })
        ));
        assert!(matches!(
            read(r#"{"kind":"end","end":"flush"}"#),
            Ok(Edit::End {
                end: EndOfInput::Flush
            })
        ));
        assert!(matches!(
            read(r#"{"kind":"script","script":"","more":1}"#),
            Ok(Edit::Script { .. })
        ));
        assert!(
            read(r#"{"kind":"events"}"#)
                .unwrap_err()
                .starts_with("missing field `events`")
        );
        assert!(
            read(r#"{"events":[]}"#)
                .unwrap_err()
                .starts_with("missing field `kind`")
        );
        assert!(
            read(r#"{"kind":"rows"}"#)
                .unwrap_err()
                .starts_with("unknown variant `rows`, expected one of")
        );
    }
}
