//! What a sink is: connector, format, key, and when it writes.

use sg_plan::catalog::Table;
use sg_plan::settings::parse_duration_ms;
use sg_value::{Field, Gather as _, Value};

use super::size::Format;

/// Flink makes no checkpoint unless it is told to; this is taken where the script does not say.
const ASSUMED_CHECKPOINT_MS: i64 = 60_000;
/// `sink.rolling-policy.rollover-interval`, from which on a file of lines is closed.
const ROLLOVER_MS: i64 = 1_800_000;

/// How a sink writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writes {
    /// Messages of inserts.
    Log,
    /// Messages that say whether the row comes or goes.
    CdcLog,
    /// Messages by key; a key without a value takes the row away.
    UpsertLog,
    /// INSERT.
    Statements,
    /// INSERT … ON CONFLICT UPDATE, and DELETE.
    UpsertStatements,
    /// Files of rows.
    Files,
    /// A table of data and delete files.
    Lake,
    /// The same, deleting by key before each row.
    UpsertLake,
    /// Lines of the task manager's output.
    Lines,
    /// Nothing.
    Nothing,
    /// The playground's own sink: what comes is kept as it is.
    Changes,
}

impl Writes {
    /// Its name in the report.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::CdcLog => "cdc-log",
            Self::UpsertLog => "upsert-log",
            Self::Statements => "statements",
            Self::UpsertStatements => "upsert-statements",
            Self::Files => "files",
            Self::Lake => "lake",
            Self::UpsertLake => "upsert-lake",
            Self::Lines => "lines",
            Self::Nothing => "nothing",
            Self::Changes => "changes",
        }
    }

    /// Whether each batch is made of files.
    pub(super) const fn makes_files(self) -> bool {
        matches!(self, Self::Files | Self::Lake | Self::UpsertLake)
    }
}

/// A sink as the ledger sees it.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) operator: Option<u32>,
    pub(super) table: String,
    pub(super) connector: String,
    pub(super) format_name: String,
    pub(super) writes: Writes,
    /// Columns that are written.
    pub(super) fields: Vec<Field>,
    /// Positions of the key among them.
    pub(super) key: Option<Vec<u32>>,
    pub(super) interval_ms: i64,
    pub(super) interval_assumed: bool,
    pub(super) batch_rows: u32,
    pub(super) refused: Option<&'static str>,
    format: Format,
    key_format: Format,
}

impl Target {
    /// The sink of a table; `checkpoint_ms` where the script sets the interval of checkpoints.
    pub(super) fn of_table(operator: u32, table: &Table, checkpoint_ms: Option<i64>) -> Self {
        let written = table.sink_columns();
        let fields: Vec<Field> = written
            .iter()
            .filter_map(|at| table.columns.get(*at as usize))
            .map(|column| column.field.clone())
            .gather();
        let place = |column: &u32| {
            (0_u32..)
                .zip(&written)
                .find(|(_, other)| *other == column)
                .map(|(at, _)| at)
        };
        let key: Option<Vec<u32>> = table
            .primary_key
            .as_ref()
            .and_then(|key| key.iter().map(place).gather());
        let option = |name: &str| table.options.get(name).map(String::as_str);
        let mut target = Self::made(
            table.connector().unwrap_or_default(),
            &option,
            (fields, key),
            checkpoint_ms,
        );
        target.operator = Some(operator);
        target.table = table.name.to_string();
        target
    }

    /// A sink that a query could have.
    pub(super) fn imagined(
        connector: &str,
        (name, value): (&str, &str),
        (fields, key): (Vec<Field>, Option<Vec<u32>>),
        checkpoint_ms: Option<i64>,
    ) -> Self {
        let option = |wanted: &str| (wanted == name).then_some(value);
        Self::made(connector, &option, (fields, key), checkpoint_ms)
    }

    fn made<'o>(
        connector: &str,
        option: &dyn Fn(&str) -> Option<&'o str>,
        (fields, key): (Vec<Field>, Option<Vec<u32>>),
        checkpoint_ms: Option<i64>,
    ) -> Self {
        let format_name = option("value.format")
            .or_else(|| option("format"))
            .unwrap_or(match connector {
                "kafka" | "upsert-kafka" | "filesystem" => "json",
                "iceberg" => "parquet",
                _ => "",
            });
        let format = Format::named(format_name);
        let keyed = key.is_some();
        let upserting = option("write.upsert.enabled").is_some_and(|on| on.eq_ignore_ascii_case("true"));
        let writes = match connector {
            "kafka" if matches!(format, Format::Envelope(_)) => Writes::CdcLog,
            "kafka" => Writes::Log,
            "upsert-kafka" => Writes::UpsertLog,
            "jdbc" if keyed => Writes::UpsertStatements,
            "jdbc" => Writes::Statements,
            "filesystem" | "legacy-csv" => Writes::Files,
            "iceberg" if upserting && keyed => Writes::UpsertLake,
            "iceberg" => Writes::Lake,
            "print" => Writes::Lines,
            "blackhole" => Writes::Nothing,
            _ => Writes::Changes,
        };
        let duration = |name: &str| option(name).and_then(parse_duration_ms);
        let rows = |name: &str| option(name).and_then(|text| text.trim().parse::<u32>().ok());
        let (interval_ms, interval_assumed, batch_rows) = match writes {
            Writes::Statements | Writes::UpsertStatements => (
                duration("sink.buffer-flush.interval").unwrap_or(1_000),
                option("sink.buffer-flush.interval").is_none(),
                rows("sink.buffer-flush.max-rows").unwrap_or(100),
            ),
            // Files of lines stay open over checkpoints, until they are large or old.
            Writes::Files if matches!(format, Format::Json | Format::Csv) => (
                duration("sink.rolling-policy.rollover-interval").unwrap_or(ROLLOVER_MS),
                option("sink.rolling-policy.rollover-interval").is_none(),
                0,
            ),
            Writes::Files | Writes::Lake | Writes::UpsertLake => (
                checkpoint_ms.unwrap_or(ASSUMED_CHECKPOINT_MS),
                checkpoint_ms.is_none(),
                0,
            ),
            _ => (0, false, 0),
        };
        let key_format = match writes {
            Writes::UpsertLog => Format::named(option("key.format").unwrap_or("json")),
            _ => Format::Plain,
        };
        Self {
            operator: None,
            table: String::new(),
            connector: connector.to_owned(),
            format_name: format_name.to_owned(),
            writes,
            fields,
            key,
            interval_ms,
            interval_assumed,
            batch_rows,
            refused: None,
            format,
            key_format,
        }
    }

    /// Names of the key's columns.
    pub(super) fn key_names(&self) -> Vec<String> {
        let key = self.key.as_deref().unwrap_or_default();
        key.iter()
            .filter_map(|at| self.fields.get(*at as usize))
            .map(|field| field.name.to_string())
            .gather()
    }

    /// Bytes of a row as it is written.
    pub(super) fn row_bytes(&self, row: &[Value]) -> u64 {
        self.format.bytes(row, self.fields.iter())
    }

    /// Bytes of its key.
    pub(super) fn key_bytes(&self, row: &[Value]) -> u64 {
        let key = self.key.as_deref().unwrap_or_default();
        let cells: Vec<(&Value, &Field)> = key
            .iter()
            .filter_map(|at| Some((row.get(*at as usize)?, self.fields.get(*at as usize)?)))
            .gather();
        let values: Vec<Value> = cells.iter().map(|(value, _)| (*value).clone()).gather();
        self.key_format
            .bytes(&values, cells.iter().map(|(_, field)| *field))
    }
}
