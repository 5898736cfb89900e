//! What connectors deliver and take, as far as planning has to know.
//!
//! `kafka`, `upsert-kafka`, `mysql-cdc`, `jdbc`, `iceberg` and `filesystem` are stand-ins: their rows come from the
//! events of the replay, their changelog modes are those of the real ones (tests/oracle does the same). The binder has
//! checked that the connector can be read or written, and its options.

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

/// The row kinds that a table delivers.
pub(super) fn source_mode(table: &Table) -> ChangelogMode {
    if let Some(given) = table.options.get("changelog-mode") {
        return given
            .split(',')
            .fold(ChangelogMode::INSERT_ONLY, |mode, word| match word.trim() {
                "UB" => mode.with(RowKind::UpdateBefore),
                "UA" => mode.with(RowKind::UpdateAfter),
                "D" => mode.with(RowKind::Delete),
                _ => mode,
            });
    }
    match table.connector().unwrap_or_default() {
        "mysql-cdc" => ChangelogMode::ALL,
        // Kafka's tombstones are keys without a value.
        "upsert-kafka" => ChangelogMode::ALL
            .without(RowKind::UpdateBefore)
            .with_deletes_by_key(),
        _ if is_cdc_format(table) => ChangelogMode::ALL,
        _ => ChangelogMode::INSERT_ONLY,
    }
}

/// The row kinds that a table takes.
#[inline(never)]
pub(super) fn sink_accepts(table: &Table) -> SinkAccepts {
    match table
        .options
        .get("sink-accepts")
        .map(|word| sg_value::case::lower(word))
        .as_deref()
    {
        Some("append") => return SinkAccepts::Append,
        Some("upsert") => return SinkAccepts::Upsert,
        Some("retract") => return SinkAccepts::Retract,
        Some(_) => return SinkAccepts::All,
        None => {}
    }
    let has_key = table.primary_key.is_some();
    match table.connector().unwrap_or_default() {
        "replay" | "jdbc" if has_key => SinkAccepts::Upsert,
        "blackhole" | "upsert-kafka" => SinkAccepts::Upsert,
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
