//! INSERT and statement sets.

use sg_diag::{Code, Diagnostic, Span};

use crate::ast::{Insert, OnConflict, PartitionValue, Statement, StatementSet, Text};
use crate::cursor::{Cursor, Expected, Failure, Parsed};
use crate::token::Token;

/// `INSERT INTO|OVERWRITE …`
#[inline(never)]
pub(super) fn insert(cursor: &mut Cursor<'_>) -> Parsed<Insert> {
    let start = cursor.expect_word("INSERT")?;
    let overwrite = cursor.take_word("OVERWRITE");
    if !overwrite {
        cursor.expect_word("INTO")?;
    }
    let table = cursor.object_name()?;
    let partition = if cursor.take_word("PARTITION") {
        cursor.parenthesized(partition_value)?
    } else {
        Vec::new()
    };
    let columns = if *cursor.peek() == Token::LParen && !cursor.at_query() {
        Some(cursor.parenthesized(Cursor::ident)?)
    } else {
        None
    };
    cursor.hint_places.push(table.span.end);
    let query = cursor.query()?;
    let on_conflict = on_conflict(cursor)?;
    Ok(Insert {
        table,
        overwrite,
        partition,
        columns,
        query,
        on_conflict,
        span: cursor.since(start),
    })
}

pub(super) fn partition_value(cursor: &mut Cursor<'_>) -> Parsed<PartitionValue> {
    let column = cursor.ident()?;
    cursor.expect(&Token::Eq, "=")?;
    let span = cursor.here();
    let value = if let Token::Number(digits) = cursor.peek() {
        cursor.advance();
        let value = digits.clone();
        Text { value, span }
    } else {
        cursor.text()?
    };
    Ok(PartitionValue { column, value })
}

fn on_conflict(cursor: &mut Cursor<'_>) -> Parsed<Option<(OnConflict, Span)>> {
    const ACTIONS: [(&str, OnConflict); 3] = [
        ("ERROR", OnConflict::Error),
        ("NOTHING", OnConflict::Nothing),
        ("DEDUPLICATE", OnConflict::Deduplicate),
    ];
    let start = cursor.here();
    if !cursor.take_words(&["ON", "CONFLICT"]) {
        return Ok(None);
    }
    cursor.expect_word("DO")?;
    for (word, action) in ACTIONS {
        if cursor.take_word(word) {
            return Ok(Some((action, cursor.since(start))));
        }
    }
    Err(cursor.expected_one_of(&ACTIONS.map(|(word, _)| word)))
}

/// `EXECUTE STATEMENT SET BEGIN … END`, `BEGIN STATEMENT SET; … END`, `EXECUTE insert`, `EXECUTE query`
#[inline(never)]
pub(super) fn execute(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    let start = cursor.here();
    if cursor.at_word("BEGIN") {
        let words = cursor.expect_words(&["BEGIN", "STATEMENT", "SET"]);
        words.map_err(|failure| cursor.flink_fails_at(failure, start.start))?;
        cursor.expect(&Token::SemiColon, ";")?;
        return inserts(cursor, start).map(Statement::StatementSet);
    }
    cursor.expect_word("EXECUTE")?;
    if cursor.at_words(&["STATEMENT"]) {
        return statement_set(cursor).map(Statement::StatementSet);
    }
    if cursor.at_words(&["INSERT"]) {
        return insert(cursor).map(|insert| Statement::Insert(Box::new(insert)));
    }
    if cursor.at_query() {
        return Ok(Statement::Query(Box::new(cursor.query()?)));
    }
    Err(cursor.expected(Expected(
        "`STATEMENT SET`, `INSERT` or a query",
        "`STATEMENT SET`、`INSERT` 或查询",
    )))
}

/// `STATEMENT SET BEGIN insert; … END`
pub(super) fn statement_set(cursor: &mut Cursor<'_>) -> Parsed<StatementSet> {
    let start = cursor.expect_words(&["STATEMENT", "SET", "BEGIN"])?;
    inserts(cursor, start)
}

/// The inserts up to END. A broken one is reported, and reading goes on behind its semicolon.
fn inserts(cursor: &mut Cursor<'_>, start: Span) -> Parsed<StatementSet> {
    let mut inserts = Vec::new();
    let mut broken: Option<Failure> = None;
    let first = cursor.here().start;
    while !cursor.take_word("END") {
        if cursor.at_end() {
            let end = Diagnostic::new(Code::StatementSetWithoutEnd, start);
            return Err(
                broken.unwrap_or_else(|| end.fix(sg_diag::Fix::insert(cursor.behind(), "; END")).into())
            );
        }
        match set_insert(cursor) {
            Ok(insert) => inserts.push(insert),
            Err(failure) => {
                cursor.recover();
                if let Some(earlier) = broken.replace(failure) {
                    cursor.report(*earlier.0);
                }
                while !cursor.at_end() && *cursor.peek() != Token::SemiColon {
                    cursor.advance();
                }
                cursor.take(&Token::SemiColon);
            }
        }
    }
    match broken {
        Some(failure) => Err(failure),
        None if inserts.is_empty() => {
            let diagnostic = Diagnostic::new(Code::StatementSetEmpty, cursor.since(start));
            Err(cursor.flink_fails_at(diagnostic.into(), first))
        }
        None => Ok(StatementSet { inserts }),
    }
}

fn set_insert(cursor: &mut Cursor<'_>) -> Parsed<Insert> {
    if !cursor.at_words(&["INSERT"]) {
        let span = cursor.here();
        let found = span.text(cursor.text);
        return Err(Diagnostic::new(Code::StatementSetOnlyInserts, span)
            .arg("found", found)
            .into());
    }
    let insert = insert(cursor)?;
    if !cursor.at_end() && !cursor.take(&Token::SemiColon) {
        return Err(cursor.unexpected());
    }
    Ok(insert)
}
