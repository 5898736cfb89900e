//! Statements that Flink knows and that have no meaning here, and those that Flink refuses on a stream.

use sg_diag::{Code, Diagnostic};

use crate::cursor::{Cursor, Failure};

/// Begin of a statement, and what it is called.
type Row = (&'static [&'static str], &'static str);

/// Needs a cluster, its files, or its client.
const OF_A_CLUSTER: &[Row] = &[
    (&["ADD", "JAR"], "ADD JAR"),
    (&["REMOVE", "JAR"], "REMOVE JAR"),
    (&["SHOW", "JARS"], "SHOW JARS"),
    (&["SHOW", "JOBS"], "SHOW JOBS"),
    (&["SHOW", "PROCEDURES"], "SHOW PROCEDURES"),
    (&["SHOW", "MODELS"], "SHOW MODELS"),
    (&["SHOW", "CONNECTIONS"], "SHOW CONNECTIONS"),
    (&["SHOW", "MATERIALIZED"], "SHOW MATERIALIZED TABLES"),
    (&["STOP", "JOB"], "STOP JOB"),
    (&["DESCRIBE", "JOB"], "DESCRIBE JOB"),
    (&["SAVEPOINT"], "SAVEPOINT"),
    (&["LOAD", "MODULE"], "LOAD MODULE"),
    (&["UNLOAD", "MODULE"], "UNLOAD MODULE"),
    (&["COMPILE"], "COMPILE PLAN"),
    (&["EXECUTE", "PLAN"], "EXECUTE PLAN"),
    (&["CALL"], "CALL"),
    (&["CREATE", "CATALOG"], "CREATE CATALOG"),
    (&["ALTER", "CATALOG"], "ALTER CATALOG"),
    (&["DROP", "CATALOG"], "DROP CATALOG"),
    (&["DESCRIBE", "CATALOG"], "DESCRIBE CATALOG"),
    (&["CREATE", "CONNECTION"], "CREATE CONNECTION"),
    (&["CREATE", "MODEL"], "CREATE MODEL"),
    (&["CREATE", "TEMPORARY", "MODEL"], "CREATE MODEL"),
    (&["ALTER", "MODEL"], "ALTER MODEL"),
    (&["DROP", "MODEL"], "DROP MODEL"),
    (&["DESCRIBE", "MODEL"], "DESCRIBE MODEL"),
    (&["QUIT"], "QUIT"),
    (&["EXIT"], "EXIT"),
    (&["CLEAR"], "CLEAR"),
    (&["HELP"], "HELP"),
    (&["SOURCE"], "SOURCE"),
];

/// Could run here one day.
const NOT_YET: &[Row] = &[
    (&["DESCRIBE", "DATABASE"], "DESCRIBE DATABASE"),
    (&["ALTER", "DATABASE"], "ALTER DATABASE"),
    (&["CREATE", "MATERIALIZED"], "CREATE MATERIALIZED TABLE"),
    (&["CREATE", "OR", "ALTER"], "CREATE OR ALTER MATERIALIZED TABLE"),
    (&["ALTER", "MATERIALIZED"], "ALTER MATERIALIZED TABLE"),
    (&["DROP", "MATERIALIZED"], "DROP MATERIALIZED TABLE"),
    (&["UPSERT"], "UPSERT"),
];

/// Flink runs it in batch mode only, or never.
const NOT_ON_STREAMS: &[Row] = &[
    (&["UPDATE"], "UPDATE"),
    (&["DELETE"], "DELETE"),
    (&["TRUNCATE"], "TRUNCATE TABLE"),
    (&["MERGE"], "MERGE"),
    (&["ANALYZE"], "ANALYZE TABLE"),
];

/// The refusal of a statement that is known and not run, or `None`.
#[inline(never)]
pub(super) fn refuse(cursor: &Cursor<'_>) -> Option<Failure> {
    let find = |rows: &[Row]| rows.iter().find(|(words, _)| cursor.at_words(words)).copied();
    let (code, (words, feature)) = find(OF_A_CLUSTER)
        .map(|row| (Code::NothingToDoHere, row))
        .or_else(|| find(NOT_YET).map(|row| (Code::NotSupported, row)))
        .or_else(|| find(NOT_ON_STREAMS).map(|row| (Code::StatementNotOnStreams, row)))?;
    let last = crate::span::byte_span(cursor.peek_nth(words.len().saturating_sub(1)).span);
    let span = last.map_or(cursor.here(), |last| cursor.here().join(last));
    let diagnostic = Diagnostic::new(code, span);
    if code != Code::StatementNotOnStreams {
        let diagnostic = diagnostic.arg("feature", feature);
        return Some(if feature == "UPSERT" {
            let said = "UPSERT INTO statement is not supported. Please use INSERT INTO instead.";
            diagnostic
                .flink(format!("ValidationException: SQL validation failed. {said}"))
                .into()
        } else {
            diagnostic.into()
        });
    }
    let diagnostic = diagnostic.arg("statement", feature);
    Some(
        match feature {
            "UPDATE" | "DELETE" => diagnostic.flink(format!(
                "TableException: {feature} statement is not supported for streaming mode now."
            )),
            "TRUNCATE TABLE" => diagnostic
                .flink("TableException: TRUNCATE TABLE statement is not supported in streaming mode."),
            "ANALYZE TABLE" => {
                diagnostic.flink("TableException: ANALYZE TABLE is not supported for streaming mode now")
            }
            _ => diagnostic.flink(format!(
                "TableException: Unsupported query: {}",
                cursor.statement().text(cursor.text)
            )),
        }
        .into(),
    )
}
