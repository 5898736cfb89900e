//! Connectors and their options. Flink checks them when a table is used, not when it is declared.

use sg_diag::{Code, Diagnostic, Diagnostics, LabelText, Span};
use sg_value::Gather as _;

use super::{
    TableUse,
    datagen_options::{FieldTakes, field_options, field_problem},
};
use crate::{
    catalog::{ColumnKind, OptionSpan, Table, TableFormat},
    settings::parse_duration_ms,
};

/// A connector and what it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connector {
    /// The value of `'connector'`.
    name: &'static str,
    source: bool,
    sink: bool,
    /// Options with the kind of their value, besides `connector`; `None` where any option is taken, because
    /// the connector stands for one outside and its own options change nothing here.
    options: Option<&'static [(&'static str, Takes)]>,
}

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Text,
    Number,
    Boolean,
    Duration,
    /// Row kinds, comma-separated.
    RowKinds,
    /// One of these words.
    Word(&'static [&'static str]),
}

use Takes::{Boolean, Duration, Number, RowKinds, Text, Word};

/// Options that every connector has by itself.
const COMMON: [(&str, Takes); 6] = [
    ("property-version", Text),
    ("scan.watermark.alignment.group", Text),
    ("scan.watermark.alignment.max-drift", Duration),
    ("scan.watermark.alignment.update-interval", Duration),
    ("scan.watermark.emit.strategy", Word(&["on-event", "on-periodic"])),
    ("scan.watermark.idle-timeout", Duration),
];

/// `kafka`, `jdbc` … stand for the real ones: their rows come from the events, their output is shown.
const CONNECTORS: [Connector; 13] = [
    Connector {
        name: "blackhole",
        source: false,
        sink: true,
        options: Some(&[]),
    },
    Connector {
        name: "datagen",
        source: true,
        sink: false,
        options: Some(&[
            ("number-of-rows", Number),
            ("rows-per-second", Number),
            ("scan.parallelism", Number),
        ]),
    },
    Connector {
        name: "faker",
        source: true,
        sink: false,
        options: None,
    },
    Connector {
        name: "filesystem",
        source: true,
        sink: true,
        options: None,
    },
    Connector {
        name: "iceberg",
        source: true,
        sink: true,
        options: None,
    },
    Connector {
        name: "jdbc",
        source: true,
        sink: true,
        options: None,
    },
    Connector {
        name: "kafka",
        source: true,
        sink: true,
        options: None,
    },
    Connector {
        name: "legacy-csv",
        source: true,
        sink: true,
        options: None,
    },
    Connector {
        name: "mysql-cdc",
        source: true,
        sink: false,
        options: None,
    },
    Connector {
        name: "nexmark",
        source: true,
        sink: false,
        options: None,
    },
    Connector {
        name: "print",
        source: false,
        sink: true,
        options: Some(&[
            ("print-identifier", Text),
            ("sink.parallelism", Number),
            ("standard-error", Boolean),
        ]),
    },
    Connector {
        name: "replay",
        source: true,
        sink: true,
        options: Some(&[
            ("changelog-mode", RowKinds),
            ("lookup.cache", Word(&["none", "partial", "full"])),
            ("lookup.full-cache.periodic-reload.interval", Duration),
            (
                "lookup.full-cache.periodic-reload.schedule-mode",
                Word(&["fixed_delay", "fixed_rate"]),
            ),
            ("lookup.full-cache.reload-strategy", Word(&["periodic", "timed"])),
            ("lookup.partial-cache.cache-missing-key", Boolean),
            ("lookup.partial-cache.expire-after-access", Duration),
            ("lookup.partial-cache.expire-after-write", Duration),
            ("lookup.partial-cache.max-rows", Number),
            ("partitions", Number),
            ("sink-accepts", Word(&["append", "upsert", "retract", "all"])),
        ]),
    },
    Connector {
        name: "upsert-kafka",
        source: true,
        sink: true,
        options: None,
    },
];

/// Connectors that Flink has in a bare distribution and Streamglass does not run.
const NOT_RUN: [&str; 1] = ["legacy-csv"];

/// What is wrong with a table's connector and options where it is read or written at `site`.
pub(crate) fn check_options(table: &Table, used_as: TableUse, site: Span) -> Diagnostics {
    let mut diags = Diagnostics::new();
    let check = Check { table, used_as, site };
    match check.connector() {
        Ok(connector) => {
            diags.extend(check.options(connector));
            if used_as == TableUse::Source && !diags.has_errors() {
                diags.extend(check.metadata(connector));
            }
        }
        Err(diagnostic) => diags.push(*diagnostic),
    }
    diags
}

struct Check<'t> {
    table: &'t Table,
    used_as: TableUse,
    site: Span,
}

impl Check<'_> {
    /// Flink's first lines: which table, and its options in alphabetical order.
    fn head(&self) -> String {
        let mut options: Vec<String> = self
            .table
            .options
            .iter()
            .map(|(key, value)| format!("'{key}'='{value}'"))
            .gather();
        options.sort_unstable();
        let what = match self.used_as {
            TableUse::Source => "source for reading",
            TableUse::Sink => "sink for writing",
        };
        format!(
            "ValidationException: Unable to create a {what} table '{}'.\n\nTable options are:\n\n{}",
            self.table.full_name(),
            options.join("\n")
        )
        .trim_end()
        .to_owned()
    }

    /// At the option where it is written in this script, else at the place of use.
    fn at(&self, code: Code, span: impl Fn(OptionSpan) -> Span, key: &str) -> Diagnostic {
        let written = self.table.option_spans.get(key).copied().map(span);
        match written.filter(|span| !span.is_empty()) {
            Some(span) => Diagnostic::new(code, span).label(self.site, LabelText::NeededHere),
            None => Diagnostic::new(code, self.site),
        }
    }

    fn connector(&self) -> Result<&'static Connector, Box<Diagnostic>> {
        let Some(name) = self.table.connector() else {
            let cause = "ValidationException: Table options do not contain an option key 'connector' for discovering \
                         a connector.";
            return Err(Box::new(
                Diagnostic::new(Code::ConnectorMissing, self.site)
                    .arg("table", &self.table.name)
                    .flink(format!("{}\n{cause}", self.head())),
            ));
        };
        let Some(connector) = CONNECTORS.iter().find(|connector| connector.name == name) else {
            return Err(Box::new(self.unknown_connector(name)));
        };
        if NOT_RUN.contains(&connector.name) {
            let feature = format!("'connector' = '{name}'");
            let span = |option: OptionSpan| option.value;
            return Err(Box::new(
                self.at(Code::NotSupported, span, "connector")
                    .arg("feature", feature),
            ));
        }
        if connector.name == "filesystem" {
            self.file()?;
        }
        let (fits, only, not) = match self.used_as {
            TableUse::Source => (connector.source, "sink", "source"),
            TableUse::Sink => (connector.sink, "source", "sink"),
        };
        if fits {
            return Ok(connector);
        }
        let cause = format!(
            "ValidationException: Connector '{name}' can only be used as a {only}. It cannot be used as a {not}."
        );
        let code = match self.used_as {
            TableUse::Source => Code::ConnectorOnlySink,
            TableUse::Sink => Code::ConnectorOnlySource,
        };
        Err(Box::new(
            self.at(code, |option| option.value, "connector")
                .arg("connector", name)
                .flink(format!("{}\n{cause}", self.head())),
        ))
    }

    /// A file needs a path and a format that is there.
    #[inline(never)]
    fn file(&self) -> Result<(), Box<Diagnostic>> {
        if let Some(missing) = ["path", "format"]
            .into_iter()
            .find(|key| !self.table.options.contains_key(*key))
        {
            let cause = format!(
                "ValidationException: One or more required options are missing.\n\nMissing required options are:\n\n{missing}"
            );
            return Err(Box::new(
                Diagnostic::new(Code::OptionMissing, self.site)
                    .arg("option", missing)
                    .arg("connector", "filesystem")
                    .flink(format!("{}\n{cause}", self.head())),
            ));
        }
        let format = self.table.options.get("format").map_or("", String::as_str);
        if TableFormat::of_name(format).is_some() {
            return Ok(());
        }
        let cause = format!(
            "ValidationException: Could not find any format factory for identifier '{format}' in the classpath."
        );
        let diagnostic = self
            .at(Code::UnknownFormat, |option| option.value, "format")
            .arg("format", format)
            .flink(format!("{}\n{cause}", self.head()));
        let names = [
            "csv",
            "json",
            "debezium-json",
            "canal-json",
            "maxwell-json",
            "ogg-json",
        ];
        Err(Box::new(suggest_quoted(diagnostic, format, names)))
    }

    #[inline(never)]
    fn unknown_connector(&self, name: &str) -> Diagnostic {
        // faker and nexmark are libraries that Flink does not come with
        let names: Vec<&str> = CONNECTORS
            .iter()
            .map(|connector| connector.name)
            .filter(|name| !matches!(*name, "faker" | "nexmark"))
            .gather();
        let cause = format!(
            "ValidationException: Cannot discover a connector using option: 'connector'='{name}'\nValidationException: \
             Could not find any factory for identifier '{name}' that implements \
             'org.apache.flink.table.factories.DynamicTableFactory' in the classpath.\n\nAvailable factory identifiers \
             are:\n\n{}",
            names.join("\n")
        );
        let diagnostic = self
            .at(Code::UnknownConnector, |option| option.value, "connector")
            .arg("connector", name)
            .flink(format!("{}\n{cause}", self.head()));
        suggest_quoted(diagnostic, name, names)
    }

    fn options(&self, connector: &Connector) -> Vec<Diagnostic> {
        let Some(own) = connector.options else {
            return Vec::new();
        };
        let is_datagen = connector.name == "datagen";
        if is_datagen && let Some(problem) = field_problem(self.table) {
            let diagnostic = self
                .at(Code::DatagenOption, |option| option.value, &problem.key)
                .arg("option", &problem.key)
                .flink(format!("{}\n{}", self.head(), problem.flink));
            return vec![diagnostic];
        }
        let fields = if is_datagen {
            field_options(self.table)
        } else {
            Vec::new()
        };
        let mut known: Vec<(&str, Takes)> = own.to_vec();
        if is_datagen {
            known.extend(fields.iter().map(|(key, takes)| match takes {
                FieldTakes::Number => (key.as_str(), Number),
                FieldTakes::Anything => (key.as_str(), Text),
            }));
        } else {
            known.extend(COMMON);
        }
        known.push(("connector", Text));
        known.sort_unstable_by_key(|(key, _)| *key);
        let mut unknown: Vec<&str> = self
            .table
            .options
            .keys()
            .map(String::as_str)
            .filter(|key| !known.iter().any(|(name, _)| name == key))
            .gather();
        unknown.sort_unstable();
        let names: Vec<&str> = known.iter().map(|(key, _)| *key).gather();
        let mut found: Vec<Diagnostic> = unknown
            .iter()
            .map(|key| self.unknown_option(connector, key, &unknown, &names))
            .gather();
        for (key, takes) in &known {
            if let Some(value) = self.table.options.get(*key)
                && !accepts(*takes, value)
            {
                found.push(self.bad_value(key, value, *takes));
            }
        }
        found
    }

    /// Only stand-ins of connectors with metadata have any.
    fn metadata(&self, connector: &Connector) -> Option<Diagnostic> {
        let column = self
            .table
            .columns
            .iter()
            .find(|column| matches!(column.kind, ColumnKind::Metadata { .. }))?;
        if matches!(
            connector.name,
            "kafka" | "upsert-kafka" | "mysql-cdc" | "filesystem"
        ) {
            return None;
        }
        let flink = format!(
            "ValidationException: Table '{}' declares metadata columns, but the underlying DynamicTableSource doesn't \
             implement the SupportsReadingMetadata interface. Therefore, metadata cannot be read from the given source.",
            connector.name
        );
        Some(
            Diagnostic::new(Code::MetadataNotRead, column.span)
                .arg("connector", connector.name)
                .label(self.site, LabelText::NeededHere)
                .flink(flink),
        )
    }

    fn unknown_option(&self, connector: &Connector, key: &str, all: &[&str], names: &[&str]) -> Diagnostic {
        let cause = format!(
            "ValidationException: Unsupported options found for '{}'.\n\nUnsupported options:\n\n{}\n\nSupported \
             options:\n\n{}",
            connector.name,
            all.join("\n"),
            names.join("\n")
        );
        let diagnostic = self
            .at(Code::UnknownOption, |option| option.key, key)
            .arg("option", key)
            .arg("connector", connector.name)
            .flink(format!("{}\n{cause}", self.head()));
        suggest_quoted(diagnostic, key, names.iter().copied())
    }

    fn bad_value(&self, key: &str, value: &str, takes: Takes) -> Diagnostic {
        let mut cause = format!("IllegalArgumentException: Could not parse value '{value}' for key '{key}'.");
        if takes == Number {
            put!(cause, "\nNumberFormatException: For input string: \"{value}\"");
        }
        self.at(Code::BadOptionValue, |option| option.value, key)
            .arg("option", key)
            .arg("value", value)
            .flink(format!("{}\n{cause}", self.head()))
    }
}

/// Did-you-mean for something that stands in quotes.
fn suggest_quoted<'c>(
    diagnostic: Diagnostic,
    written: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Diagnostic {
    let span = diagnostic.span;
    let inner = if span.len() as usize == written.len() + 2 {
        Span::new(span.start + 1, span.end - 1)
    } else {
        span
    };
    diagnostic.suggest_similar_at(inner, written, candidates)
}

fn accepts(takes: Takes, value: &str) -> bool {
    match takes {
        Text => true,
        Number => value.trim().parse::<i64>().is_ok(),
        Boolean => value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false"),
        Duration => parse_duration_ms(value).is_some(),
        RowKinds => value
            .split(',')
            .all(|kind| matches!(kind.trim(), "I" | "UB" | "UA" | "D")),
        Word(words) => words.contains(&sg_value::case::lower(value).as_str()),
    }
}
