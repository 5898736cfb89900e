//! The one place that takes sqlparser's errors apart.
//!
//! They are sentences of the form `Expected: <what>, found: <token> at Line: 1, Column: <byte offset + 1>`, without the
//! position at the end of the input. An error that our own hooks made carries the number of a diagnostic.

use sg_diag::{Code, Diagnostic, Span};
use sqlparser::parser::ParserError;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::complaint::trailing_comma;
use crate::cursor::{A_NAME, A_QUERY, Cursor, Expected, Failure};
use crate::dialect::FlinkDialect;
use crate::keyword::is_reserved;
use crate::limit;
use crate::span::byte_span;

/// What sqlparser calls the things it misses, and what we call them.
const PHRASES: [(&str, Expected); 18] = [
    ("an expression", Expected("an expression", "表达式")),
    ("identifier", A_NAME),
    ("an identifier after AS", A_NAME),
    ("table name", Expected("a table name", "表名")),
    ("SELECT, VALUES, or a subquery in the query body", A_QUERY),
    ("a value", Expected("a value", "值")),
    ("a concrete value", Expected("a value", "值")),
    ("literal number", Expected("a number", "数字")),
    ("literal int", Expected("a whole number", "整数")),
    ("date/time field", Expected("a unit of time", "时间单位")),
    ("argument operator", Expected("`=>`", "`=>`")),
    ("joined table", Expected("a join", "连接")),
    (
        "ON, or USING after JOIN",
        Expected("`ON` or `USING`", "`ON` 或 `USING`"),
    ),
    ("JOIN or APPLY after CROSS", Expected("`JOIN`", "`JOIN`")),
    (
        "PRECEDING or FOLLOWING",
        Expected("`PRECEDING` or `FOLLOWING`", "`PRECEDING` 或 `FOLLOWING`"),
    ),
    (
        "ROWS, RANGE, GROUPS",
        Expected("`ROWS` or `RANGE`", "`ROWS` 或 `RANGE`"),
    ),
    (
        "after match skip option",
        Expected("a place to skip to", "跳转位置"),
    ),
    (
        "IN or BETWEEN after NOT",
        Expected("`IN`, `BETWEEN` or `LIKE`", "`IN`、`BETWEEN` 或 `LIKE`"),
    ),
];

/// Marks an error that stands for a diagnostic kept by the dialect.
const OURS: char = '\u{1}';

/// Wraps one of our failures for the way through sqlparser.
pub(crate) fn through_sqlparser(dialect: &FlinkDialect, failure: Failure) -> ParserError {
    let number = dialect.keep_failure(*failure.0);
    ParserError::ParserError(format!("{OURS}{number}"))
}

/// The diagnostic that an error of sqlparser stands for.
pub(crate) fn failure(cursor: &Cursor<'_, '_>, error: ParserError) -> Failure {
    let text = match error {
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => text,
        ParserError::RecursionLimitExceeded => {
            let here = cursor.here();
            return Diagnostic::new(Code::NestingTooDeep, here)
                .arg("limit", limit::NESTING)
                .into();
        }
    };
    if let Some(number) = text.strip_prefix(OURS) {
        return match number
            .parse()
            .ok()
            .and_then(|number: usize| cursor.dialect.take_failure(number))
        {
            Some(diagnostic) => diagnostic.into(),
            None => cursor.unexpected(),
        };
    }
    let (sentence, offset) = split_position(&text);
    let found = found_token(cursor, offset);
    match sentence
        .strip_prefix("Expected: ")
        .and_then(|rest| rest.split_once(", found: "))
    {
        Some((expected, _)) => missing(cursor, expected, &found),
        None => cursor.expected_at(&found, "something else".to_owned(), "其他内容".to_owned()),
    }
}

fn missing(cursor: &Cursor<'_, '_>, expected: &str, found: &TokenWithSpan) -> Failure {
    if expected == "an expression"
        && let Some(comma) = comma_before(cursor, found)
    {
        let text = byte_span(found.span).map_or("", |span| span.text(&cursor.dialect.text));
        return trailing_comma(comma, text).into();
    }
    if let Some(failure) = star_except(cursor, found) {
        return failure;
    }
    if let Some((_, ours)) = PHRASES.iter().find(|(theirs, _)| *theirs == expected) {
        return cursor.expected_at(found, ours.0.to_owned(), ours.1.to_owned());
    }
    let sign = expected.split(" after ").next().unwrap_or(expected);
    let code = format!("`{sign}`");
    cursor.expected_at(found, code.clone(), code)
}

/// `* EXCEPT (secret)`: what follows EXCEPT is no query.
fn star_except(cursor: &Cursor<'_, '_>, found: &TokenWithSpan) -> Option<Failure> {
    let open = cursor.token_before(byte_span(found.span)?)?;
    let except = cursor.token_before(byte_span(open.span)?)?;
    let span = byte_span(except.span)?;
    let star = cursor.token_before(span)?;
    let word = matches!(&except.token, Token::Word(word) if word.value.eq_ignore_ascii_case("EXCEPT"));
    if !word || open.token != Token::LParen || star.token != Token::Mul {
        return None;
    }
    let diagnostic = Diagnostic::new(Code::NotFlinkSyntax, span).arg("construct", "* EXCEPT ( … )");
    let flink = "SqlParserException: SQL parse failed. Non-query expression encountered in illegal context";
    Some(diagnostic.flink(flink).into())
}

/// The comma directly before a word or bracket that ends a list.
pub(crate) fn comma_before(cursor: &Cursor<'_, '_>, found: &TokenWithSpan) -> Option<Span> {
    let ends = match &found.token {
        Token::Word(word) => word.quote_style.is_none() && is_reserved(&word.value),
        Token::RParen | Token::RBracket => true,
        _ => false,
    };
    let before = cursor.token_before(byte_span(found.span)?)?;
    if ends && before.token == Token::Comma {
        byte_span(before.span)
    } else {
        None
    }
}

/// The sentence, and the byte offset at its end.
fn split_position(text: &str) -> (&str, Option<u32>) {
    let Some((sentence, position)) = text.rsplit_once(" at Line: ") else {
        return (text, None);
    };
    let column = position
        .rsplit_once("Column: ")
        .and_then(|(_, column)| column.trim().parse::<u32>().ok());
    (sentence, column.and_then(|column| column.checked_sub(1)))
}

/// The token at an offset; without one, the end of the statement.
fn found_token(cursor: &Cursor<'_, '_>, offset: Option<u32>) -> TokenWithSpan {
    let end = TokenWithSpan {
        token: Token::EOF,
        span: sqlparser::tokenizer::Span::empty(),
    };
    let Some(offset) = offset else { return end };
    let mut index = 0;
    loop {
        let token = cursor.parser.token_at(index);
        match byte_span(token.span) {
            Some(Span { start, .. }) if start >= offset => return token.clone(),
            Some(_) => index += 1,
            None => return end,
        }
    }
}
