//! What connectors deliver and take, as far as planning has to know.
//!
//! `kafka`, `upsert-kafka`, `mysql-cdc`, `jdbc`, `iceberg` and `filesystem` are stand-ins: their rows come from the
//! events of the replay, their changelog modes are those of the real ones (tests/oracle does the same).

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_value::RowKind;

use super::node::ChangelogMode;
use crate::catalog::Table;

/// Row kinds that a sink takes, given what the query would like to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SinkAccepts {
    /// Inserts.
    Append,
    /// Everything but `-U`; deletes may carry the whole row.
    Upsert,
    /// Everything, and `-U` with every `+U`.
    Retract,
    /// Whatever comes, with `-U`.
    All,
}

impl SinkAccepts {
    /// The changelog mode for a query with these kinds (in which updates come as pairs).
    pub(super) const fn mode(self, requested: ChangelogMode) -> ChangelogMode {
        match self {
            Self::Append => ChangelogMode::INSERT_ONLY,
            Self::Upsert => requested.without(RowKind::UpdateBefore),
            Self::Retract => ChangelogMode::ALL,
            Self::All => requested,
        }
    }
}

/// Formats whose messages carry before images.
fn is_cdc_format(table: &Table) -> bool {
    let format = table
        .options
        .get("format")
        .or_else(|| table.options.get("value.format"));
    format.is_some_and(|format| {
        ["debezium", "canal", "maxwell", "ogg"]
            .iter()
            .any(|family| format.contains(family))
    })
}

/// The row kinds that a table delivers, or a diagnostic where it cannot be read.
pub(super) fn source_mode(table: &Table, span: Span, diags: &mut Diagnostics) -> ChangelogMode {
    let connector = table.connector().unwrap_or_default();
    if matches!(connector, "print" | "blackhole") {
        diags.push(
            Diagnostic::new(Code::ConnectorIsNoSource, span)
                .arg("table", &table.name)
                .arg("connector", connector)
                .flink(format!(
                    "Connector '{connector}' can only be used as a sink. It cannot be used as a source."
                )),
        );
    }
    if let Some(given) = table.options.get("changelog-mode") {
        return declared_mode(table, given, span, diags);
    }
    match connector {
        "mysql-cdc" => ChangelogMode::ALL,
        "upsert-kafka" => ChangelogMode::ALL.without(RowKind::UpdateBefore),
        _ if is_cdc_format(table) => ChangelogMode::ALL,
        _ => ChangelogMode::INSERT_ONLY,
    }
}

fn declared_mode(table: &Table, given: &str, span: Span, diags: &mut Diagnostics) -> ChangelogMode {
    let kinds = given.split(',').map(|word| match word.trim() {
        "I" => Some(RowKind::Insert),
        "UB" => Some(RowKind::UpdateBefore),
        "UA" => Some(RowKind::UpdateAfter),
        "D" => Some(RowKind::Delete),
        _ => None,
    });
    let mode = kinds
        .collect::<Option<Vec<RowKind>>>()
        .map(|kinds| kinds.into_iter().fold(ChangelogMode::NONE, ChangelogMode::with))
        .filter(|mode| mode.contains(RowKind::Insert));
    mode.unwrap_or_else(|| {
        let place = table
            .option_spans
            .get("changelog-mode")
            .map_or(span, |place| place.value);
        diags.push(Diagnostic::new(Code::BadChangelogMode, place).arg("value", given));
        ChangelogMode::INSERT_ONLY
    })
}

/// The row kinds that a table takes, or a diagnostic where it cannot be written.
pub(super) fn sink_accepts(table: &Table, span: Span, diags: &mut Diagnostics) -> SinkAccepts {
    match table.options.get("sink-accepts").map(String::as_str) {
        Some("append") => return SinkAccepts::Append,
        Some("upsert") => return SinkAccepts::Upsert,
        Some("retract") => return SinkAccepts::Retract,
        Some(_) => return SinkAccepts::All,
        None => {}
    }
    let has_key = table.primary_key.is_some();
    let connector = table.connector().unwrap_or_default();
    match connector {
        "replay" if has_key => SinkAccepts::Upsert,
        "blackhole" | "upsert-kafka" => SinkAccepts::Upsert,
        "jdbc" if has_key => SinkAccepts::Upsert,
        "jdbc" => SinkAccepts::Append,
        "kafka" | "filesystem" if is_cdc_format(table) => SinkAccepts::Retract,
        "kafka" | "filesystem" => SinkAccepts::Append,
        "iceberg"
            if table
                .options
                .get("write.upsert.enabled")
                .is_some_and(|on| on == "true") =>
        {
            SinkAccepts::Upsert
        }
        "mysql-cdc" | "datagen" => {
            diags.push(
                Diagnostic::new(Code::ConnectorIsNoSink, span)
                    .arg("table", &table.name)
                    .arg("connector", connector)
                    .flink(format!(
                        "Connector '{connector}' can only be used as a source. It cannot be used as a sink."
                    )),
            );
            SinkAccepts::All
        }
        _ => SinkAccepts::All,
    }
}

/// Whether the source makes watermarks itself, per partition, instead of an operator behind it.
pub(super) fn pushes_watermarks(table: &Table) -> bool {
    match table.connector().unwrap_or_default() {
        "kafka" => true,
        "replay" => {
            table
                .options
                .get("partitions")
                .and_then(|text| text.trim().parse::<u32>().ok())
                > Some(1)
        }
        _ => false,
    }
}
