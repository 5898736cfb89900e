//! Reads one statement: its first words decide who reads the rest.

mod alter;
mod catalog;
mod create;
mod dml;
mod element;
mod foreign;
mod function;
mod inspect;

use sg_diag::{Code, Diagnostic};

use crate::ast::{Statement, TableOption};
use crate::complaint::{NO_QUERY, encountered, trailing_comma};
use crate::cursor::{Cursor, Failure, Parsed};
use crate::keyword::is_reserved;
use crate::token::Token;

/// First words of the statements that are read here.
const FIRST_WORDS: [&str; 16] = [
    "SELECT", "WITH", "VALUES", "TABLE", "INSERT", "EXECUTE", "BEGIN", "CREATE", "ALTER", "DROP", "EXPLAIN",
    "DESCRIBE", "SHOW", "USE", "SET", "RESET",
];

/// Reads a whole statement; everything up to the end belongs to it.
pub(crate) fn statement(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    let statement = dispatch(cursor)?;
    if cursor.at_end() {
        Ok(statement)
    } else {
        Err(cursor.unexpected())
    }
}

fn dispatch(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    if cursor.at_query() {
        return Ok(Statement::Query(Box::new(cursor.query()?)));
    }
    if let Some(statement) = catalog::catalog(cursor) {
        return statement;
    }
    if let Some(refusal) = foreign::refuse(cursor) {
        return Err(refusal);
    }
    if let Some(function) = function::function(cursor) {
        return function;
    }
    match cursor.word().as_deref() {
        Some("INSERT") => dml::insert(cursor).map(|insert| Statement::Insert(Box::new(insert))),
        Some("EXECUTE" | "BEGIN") => dml::execute(cursor),
        Some("CREATE") => create::create(cursor),
        Some("REPLACE") if cursor.at_words(&["REPLACE", "TABLE"]) => create::replace(cursor),
        Some("ALTER") => alter::alter(cursor),
        Some("DROP") => create::drop(cursor),
        Some("EXPLAIN") => inspect::explain(cursor),
        Some("DESCRIBE" | "DESC") => inspect::describe(cursor),
        Some("SHOW") => inspect::show(cursor),
        Some("USE") => inspect::use_(cursor),
        Some("SET") => inspect::set(cursor),
        Some("RESET") => inspect::reset(cursor),
        _ => Err(unknown(cursor)),
    }
}

fn unknown(cursor: &Cursor<'_>) -> Failure {
    let span = cursor.here();
    let found = span.text(cursor.text);
    let code = if cursor.at_words(&["END"]) {
        Code::EndWithoutBegin
    } else {
        Code::UnknownStatement
    };
    let diagnostic = Diagnostic::new(code, span);
    if code == Code::EndWithoutBegin {
        return diagnostic.into();
    }
    let diagnostic = diagnostic
        .arg("found", found)
        .suggest_similar(&found.to_ascii_uppercase(), FIRST_WORDS)
        .flink(NO_QUERY);
    // what is no expression either is not read at all
    if is_reserved(found) {
        return cursor.flink_fails_at_nth(diagnostic.into(), 0);
    }
    diagnostic.into()
}

/// `IF NOT EXISTS`
fn if_not_exists(cursor: &mut Cursor<'_>) -> bool {
    cursor.take_words(&["IF", "NOT", "EXISTS"])
}

/// `IF EXISTS`
fn if_exists(cursor: &mut Cursor<'_>) -> bool {
    cursor.take_words(&["IF", "EXISTS"])
}

/// `('key' = 'value', …)`, or nothing between the parentheses.
fn options(cursor: &mut Cursor<'_>) -> Parsed<Vec<TableOption>> {
    cursor.expect(&Token::LParen, "(")?;
    let mut options = Vec::new();
    while *cursor.peek() != Token::RParen {
        options.push(option(cursor)?);
        let Some(comma) = cursor.take_comma() else { break };
        if *cursor.peek() == Token::RParen {
            return Err(trailing_comma(comma, ")").into());
        }
    }
    cursor.expect(&Token::RParen, ")")?;
    Ok(options)
}

/// `'key' = 'value'`
fn option(cursor: &mut Cursor<'_>) -> Parsed<TableOption> {
    let key = option_text(cursor)?;
    cursor
        .expect(&Token::Eq, "=")
        .map_err(|failure| fails_behind_strings(cursor, failure, &[]))?;
    let value = option_text(cursor)?;
    if matches!(cursor.peek(), Token::SingleQuotedString(_)) {
        return Err(fails_behind_strings(
            cursor,
            cursor.list_goes_on(),
            &[Token::Comma, Token::RParen],
        ));
    }
    Ok(TableOption { key, value })
}

/// Strings beside each other are one for Flink's parser, which fails at what follows them, unless it fits.
fn fails_behind_strings(cursor: &Cursor<'_>, failure: Failure, fits: &[Token]) -> Failure {
    let mut n = 0;
    while matches!(cursor.peek_nth(n).token, Token::SingleQuotedString(_)) {
        n += 1;
    }
    if n == 0 || fits.contains(&cursor.peek_nth(n).token) {
        return failure;
    }
    cursor.flink_fails_at_nth(failure, n)
}

/// A quoted string; a bare word, number or `a.b-c` in its place gets quotes as a fix.
fn option_text(cursor: &mut Cursor<'_>) -> Parsed<crate::ast::Text> {
    if !matches!(cursor.peek(), Token::Word(_) | Token::Number(..)) {
        return cursor.text();
    }
    let start = cursor.here();
    let mut end = start;
    let mut n = 0;
    while let Some(span) = crate::span::byte_span(cursor.peek_nth(n).span) {
        let joins = matches!(
            cursor.peek_nth(n).token,
            Token::Word(_) | Token::Number(..) | Token::Period | Token::Minus | Token::Colon
        );
        if !joins || (n > 0 && span.start != end.end) {
            break;
        }
        end = span;
        n += 1;
    }
    let span = start.join(end);
    let found = span.text(cursor.text);
    let diagnostic = Diagnostic::new(Code::UnquotedOption, span).arg("found", found);
    let fixed = diagnostic.fix(sg_diag::Fix::replace(span, format!("'{found}'")));
    let first = start.text(cursor.text);
    if is_reserved(first) {
        return Err(fixed.into());
    }
    let flink = encountered(cursor.text, cursor.statement(), start);
    Err(fixed.flink(flink).into())
}
