//! Reads a workspace and its edits from JSON.

use serde_json::{Map, Value};
use sg_value::sorted::SortedMap;

use super::workspace::{
    Edit, EndOfInput, EventControl, Generator, QueryText, ScenarioEvent, SourceControl, SourcePartitions,
    Texts, Workspace,
};

/// What was found, or where which other thing was expected.
type Found<T> = Result<T, String>;

impl Workspace {
    /// From JSON text; what is not given is empty.
    pub fn read(json: &str) -> Found<Self> {
        let mut fields = Fields::parse(json)?;
        Ok(Self {
            script: fields.or_default("script")?,
            queries: fields.or_default("queries")?,
            sources: fields.or_default("sources")?,
            events: fields.or_default("events")?,
            start: fields.or_default("start")?,
            end: fields.or_default("end")?,
            settings: fields.or_default("settings")?,
            controls: fields.or_default("controls")?,
            files: fields.or_default("files")?,
            generator: fields.or_default("generator")?,
        })
    }
}

impl Edit {
    /// From JSON text.
    pub fn read(json: &str) -> Found<Self> {
        let mut fields = Fields::parse(json)?;
        let kind: String = fields.get("kind")?;
        Ok(match &*kind {
            "events" => Self::Events {
                events: fields.get("events")?,
            },
            "query" => Self::Query {
                index: fields.get("index")?,
                sql: fields.get("sql")?,
            },
            "control" => Self::Control {
                controls: fields.get("controls")?,
            },
            "end" => Self::End {
                end: fields.get("end")?,
            },
            "script" => Self::Script {
                script: fields.get("script")?,
            },
            _ => return Err(unknown(&kind, "`events`, `query`, `control`, `end`, `script`")),
        })
    }
}

/// What a JSON value can be read as.
trait Read: Sized {
    fn read(json: Value) -> Found<Self>;
}

impl Read for QueryText {
    fn read(json: Value) -> Found<Self> {
        let mut fields = Fields::of(json)?;
        Ok(Self {
            sql: fields.get("sql")?,
        })
    }
}

impl Read for SourcePartitions {
    fn read(json: Value) -> Found<Self> {
        let mut fields = Fields::of(json)?;
        Ok(Self {
            table: fields.get("table")?,
            partitions: fields.get("partitions")?,
        })
    }
}

impl Read for ScenarioEvent {
    fn read(json: Value) -> Found<Self> {
        let mut fields = Fields::of(json)?;
        Ok(Self {
            at: fields.or_default("at")?,
            table: fields.or_default("table")?,
            partition: fields.or_default("partition")?,
            kind: fields.or_default("kind")?,
            row: fields.or_default("row")?,
            watermark: fields.or_default("watermark")?,
            control: fields.or_default("control")?,
        })
    }
}

impl Read for SourceControl {
    fn read(json: Value) -> Found<Self> {
        let mut fields = Fields::of(json)?;
        Ok(Self {
            table: fields.or_default("table")?,
            partition: fields.or_default("partition")?,
            out_of_orderness_ms: fields.or_default("outOfOrdernessMs")?,
            hold: fields.or_default("hold")?,
            idle: fields.or_default("idle")?,
            from_slot: fields.or_default("fromSlot")?,
        })
    }
}

impl Read for Generator {
    fn read(json: Value) -> Found<Self> {
        let mut fields = Fields::of(json)?;
        Ok(Self {
            table: fields.get("table")?,
            seed: fields.get("seed")?,
            rows: fields.get("rows")?,
            keys: fields.get("keys")?,
            partitions: fields.get("partitions")?,
            interval_ms: fields.get("intervalMs")?,
            out_of_orderness_ms: fields.get("outOfOrdernessMs")?,
        })
    }
}

impl Read for EndOfInput {
    fn read(json: Value) -> Found<Self> {
        let word = String::read(json)?;
        Ok(match &*word {
            "open" => Self::Open,
            "flush" => Self::Flush,
            _ => return Err(unknown(&word, "`open`, `flush`")),
        })
    }
}

impl Read for EventControl {
    fn read(json: Value) -> Found<Self> {
        let word = String::read(json)?;
        Ok(match &*word {
            "idle" => Self::Idle,
            "active" => Self::Active,
            "hold" => Self::Hold,
            "release" => Self::Release,
            _ => return Err(unknown(&word, "`idle`, `active`, `hold`, `release`")),
        })
    }
}

impl Read for Texts {
    fn read(json: Value) -> Found<Self> {
        let mut texts = SortedMap::default();
        for (name, text) in Map::read(json)? {
            let text = within(&name, String::read(text))?;
            texts.insert(name, text);
        }
        Ok(Self(texts))
    }
}

impl Read for Map<String, Value> {
    fn read(json: Value) -> Found<Self> {
        match json {
            Value::Object(fields) => Ok(fields),
            _ => expected("an object"),
        }
    }
}

impl Read for String {
    fn read(json: Value) -> Found<Self> {
        match json {
            Value::String(text) => Ok(text),
            _ => expected("a text"),
        }
    }
}

impl Read for bool {
    fn read(json: Value) -> Found<Self> {
        json.as_bool().map_or_else(|| expected("true or false"), Ok)
    }
}

impl Read for i64 {
    fn read(json: Value) -> Found<Self> {
        json.as_i64().map_or_else(|| expected("a whole number"), Ok)
    }
}

impl Read for u32 {
    fn read(json: Value) -> Found<Self> {
        let number = i64::read(json)?;
        Self::try_from(number).or_else(|_| expected("a whole number from 0 to 4294967295"))
    }
}

impl<T: Read> Read for Option<T> {
    fn read(json: Value) -> Found<Self> {
        if json.is_null() {
            return Ok(None);
        }
        T::read(json).map(Some)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: Value) -> Found<Self> {
        let Value::Array(items) = json else {
            return expected("a list");
        };
        let mut list = Self::with_capacity(items.len());
        for item in items {
            list.push(T::read(item).or_else(|error| within(&(list.len() + 1).to_string(), Err(error)))?);
        }
        Ok(list)
    }
}

/// An object of which fields are taken.
struct Fields(Map<String, Value>);

impl Fields {
    fn parse(json: &str) -> Found<Self> {
        Self::of(serde_json::from_str(json).map_err(|error| error.to_string())?)
    }

    fn of(json: Value) -> Found<Self> {
        Map::read(json).map(Self)
    }

    fn or_default<T: Read + Default>(&mut self, name: &str) -> Found<T> {
        match self.0.get_mut(name) {
            Some(json) => within(name, T::read(json.take())),
            None => Ok(T::default()),
        }
    }

    fn get<T: Read>(&mut self, name: &str) -> Found<T> {
        match self.0.get_mut(name) {
            Some(json) => within(name, T::read(json.take())),
            None => Err(format!("missing field `{name}`")),
        }
    }
}

fn within<T>(name: &str, found: Found<T>) -> Found<T> {
    found.map_err(|error| at(name, &error))
}

fn at(name: &str, error: &str) -> String {
    format!("{name}: {error}")
}

fn unknown(word: &str, known: &str) -> String {
    format!("unknown variant `{word}`, expected one of {known}")
}

fn expected<T>(what: &str) -> Found<T> {
    Err(format!("expected {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Edit, String> {
        Edit::read(json)
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
        for at in ["1.5", "1e3", "null", "\"1\"", "9223372036854775808"] {
            let text = format!(r#"{{"kind":"events","events":[{{"table":"t"}},{{"at":{at}}}]}}"#);
            assert_eq!(
                read(&text).unwrap_err(),
                "events: 2: at: expected a whole number",
                "{at}"
            );
        }
        assert!(read(r#"{"kind":"query","index":-1,"sql":""}"#).is_err());
        assert!(read(r#"{"kind":"query","index":null,"sql":""}"#).is_err());
        assert!(read(r#"{"kind":"script","script":1}"#).is_err());
        assert!(read("[]").is_err());
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

    #[test]
    fn a_workspace_is_read_with_what_is_missing() {
        let workspace = Workspace::read("{}").unwrap();
        assert!(workspace.events.is_empty() && workspace.end == EndOfInput::Open);
        let workspace = Workspace::read(
            r#"{"script":"s","queries":[{"sql":"q"}],"sources":[{"table":"t","partitions":2}],"start":"x",
            "events":[{"at":1,"table":"t","partition":3,"kind":"-D","row":null},{"watermark":"w","control":"hold"}],
            "end":"flush","settings":{"b":"2","a":"1"},"files":{"f":"text"},"more":[],
            "controls":[{"table":"t","outOfOrdernessMs":-5,"hold":true,"fromSlot":7},{}],
            "generator":{"table":"g","seed":1,"rows":2,"keys":3,"partitions":4,"intervalMs":5,"outOfOrdernessMs":6}}"#,
        )
        .unwrap();
        assert_eq!(workspace.queries[0].sql, "q");
        assert_eq!(workspace.sources[0].partitions, 2);
        let [first, second] = &*workspace.events else {
            panic!("{:?}", workspace.events)
        };
        assert_eq!(
            (first.at, first.partition, first.kind.as_deref()),
            (1, 3, Some("-D"))
        );
        assert!(first.row.is_none() && first.control.is_none());
        assert_eq!((second.at, second.watermark.as_deref()), (0, Some("w")));
        assert_eq!(second.control, Some(EventControl::Hold));
        assert_eq!(workspace.settings.0.get("a").map(String::as_str), Some("1"));
        assert_eq!(workspace.files.0.get("f").map(String::as_str), Some("text"));
        let [control, empty] = &*workspace.controls else {
            panic!("{:?}", workspace.controls)
        };
        assert_eq!(
            (control.out_of_orderness_ms, control.from_slot),
            (Some(-5), Some(7))
        );
        assert_eq!(
            (control.hold, control.idle, control.partition),
            (Some(true), None, None)
        );
        assert_eq!(empty.hold, None);
        let generator = workspace.generator.unwrap();
        assert_eq!((generator.seed, generator.rows, generator.keys), (1, 2, 3));
        assert_eq!(
            (
                generator.partitions,
                generator.interval_ms,
                generator.out_of_orderness_ms
            ),
            (4, 5, 6)
        );
        for (json, error) in [
            (
                r#"{"generator":{"table":"g"}}"#,
                "generator: missing field `seed`",
            ),
            (r#"{"queries":[{}]}"#, "queries: 1: missing field `sql`"),
            (r#"{"script":null}"#, "script: expected a text"),
            (
                r#"{"end":"never"}"#,
                "end: unknown variant `never`, expected one of `open`, `flush`",
            ),
            (r#"{"sources":{}}"#, "sources: expected a list"),
            (r#"{"files":{"a":1}}"#, "files: a: expected a text"),
            ("null", "expected an object"),
        ] {
            assert_eq!(Workspace::read(json).unwrap_err(), error);
        }
        assert!(Workspace::read("{").unwrap_err().contains("line 1"));
    }
}
