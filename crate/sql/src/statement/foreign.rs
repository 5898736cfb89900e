//! Statements that Flink knows and that have no meaning here, and those that Flink refuses on a stream.

use sg_diag::{Code, Diagnostic};

use crate::cursor::{Cursor, Failure};
use crate::token::Token;

/// Begin of a statement, and what it is called.
type Row = (&'static [&'static str], &'static str);

/// Needs a cluster, its files, or its client.
const OF_A_CLUSTER: &[Row] = &[
    (&["ADD", "JAR"], "ADD JAR"),
    (&["REMOVE", "JAR"], "REMOVE JAR"),
    (&["SHOW", "JOBS"], "SHOW JOBS"),
    (&["SHOW", "PROCEDURES"], "SHOW PROCEDURES"),
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
    (&["CREATE", "CONNECTION"], "CREATE CONNECTION"),
    (&["QUIT"], "QUIT"),
    (&["EXIT"], "EXIT"),
    (&["CLEAR"], "CLEAR"),
    (&["HELP"], "HELP"),
    (&["SOURCE"], "SOURCE"),
];

/// Could run here one day.
const NOT_YET: &[Row] = &[
    (&["DESCRIBE", "DATABASE"], "DESCRIBE DATABASE"),
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

/// What Flink says where there is neither cluster nor file.
#[inline(never)]
fn without_cluster(cursor: &Cursor<'_>, feature: &str) -> Option<String> {
    let text = |n: usize| match &cursor.peek_nth(n).token {
        Token::SingleQuotedString(text) => text.clone(),
        Token::Word(word) => word.value.clone(),
        _ => String::new(),
    };
    let name = text(2);
    Some(match feature {
        "UPSERT" => "ValidationException: SQL validation failed. UPSERT INTO statement is not supported. Please use INSERT INTO \
                     instead."
            .to_owned(),
        "SHOW JOBS" => {
            "UnsupportedOperationException: ShowJobsOperation doesn't support ExecutableOperation yet.".to_owned()
        }
        // read as the description of a query, an expression
        "DESCRIBE DATABASE" => {
            let name = crate::span::byte_span(cursor.peek_nth(2).span)?;
            cursor.invalid(name, &format!("Column '{}' not found in any table", text(2)))
        }
        "SHOW PROCEDURES" => format!("UnsupportedOperationException: listProcedures {NOT_IN_MEMORY}"),
        "CALL" => {
            let twice = "SQL validation failed. ".repeat(2);
            format!("ValidationException: {twice}getProcedure {NOT_IN_MEMORY}")
        }
        "LOAD MODULE" if name == "core" => format!(
            "ValidationException: Could not execute LOAD MODULE `{name}`. A module with name '{name}' already exists"
        ),
        "UNLOAD MODULE" if name != "core" => format!(
            "ValidationException: Could not execute UNLOAD MODULE {name}. No module with name '{name}' exists"
        ),
        "ADD JAR" => format!(
            "TableException: Could not register the specified resource [ResourceUri{{resourceType=JAR, uri='{name}'}}].\n\
             FileNotFoundException: jar or artifact resource [{name}] not found."
        ),
        _ => return None,
    })
}

/// The token at which Flink's parser fails, where it does not even read the statement.
fn misfit(cursor: &Cursor<'_>, feature: &str) -> Option<usize> {
    match feature {
        "COMPILE PLAN" => {
            let at = if cursor.which(3, &["IF"]).is_some() { 6 } else { 3 };
            let compiles = cursor.which(at + 1, &["INSERT", "UPSERT", "STATEMENT"]).is_some();
            (cursor.which(at, &["FOR"]).is_some() && !compiles).then_some(at + 1)
        }
        "CREATE MATERIALIZED TABLE" if cursor.which(2, &["TABLE"]).is_none() => Some(2),
        _ => None,
    }
}

/// What the catalog in memory says.
const NOT_IN_MEMORY: &str =
    "is not implemented for class org.apache.flink.table.catalog.GenericInMemoryCatalog.";

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
        if let Some(n) = misfit(cursor, feature) {
            return Some(cursor.flink_fails_at_nth(diagnostic.into(), n));
        }
        return Some(match without_cluster(cursor, feature) {
            Some(flink) => diagnostic.flink(flink).into(),
            None => diagnostic.into(),
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
