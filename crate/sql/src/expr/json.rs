//! The SQL/JSON functions with their clauses.

use sg_diag::Span;

use super::{Prefix, special::string_argument};
use crate::ast::{JsonBehavior, JsonClause, JsonWrapper};
use crate::cursor::{AN_EXPRESSION, Cursor, Expected, Parsed};
use crate::query::Expr;
use crate::reserved::Reserved;
use crate::token::Token;
use crate::types::data_type;

/// Who reads a call of this function.
pub(super) fn reader(word: &str) -> Option<Prefix> {
    Some(match word {
        "JSON_VALUE" => |cursor| query(cursor, Reserved::JsonValue),
        "JSON_QUERY" => |cursor| query(cursor, Reserved::JsonQuery),
        "JSON_EXISTS" => |cursor| query(cursor, Reserved::JsonExists),
        "JSON_OBJECT" => |cursor| pairs(cursor, Reserved::JsonObject),
        "JSON_OBJECTAGG" => |cursor| pairs(cursor, Reserved::JsonObjectAgg),
        "JSON_ARRAY" => |cursor| values(cursor, Reserved::JsonArray),
        "JSON_ARRAYAGG" => |cursor| values(cursor, Reserved::JsonArrayAgg),
        _ => return None,
    })
}

/// `JSON_VALUE(x, 'path' clause…)` and its like.
fn query(cursor: &mut Cursor<'_>, reserved: Reserved) -> Parsed<Expr> {
    let start = open(cursor)?;
    let mut args = vec![cursor.tree()?];
    cursor.expect(&Token::Comma, ",")?;
    args.push(string_argument(cursor)?);
    while *cursor.peek() != Token::RParen {
        args.push(query_clause(cursor)?);
    }
    close(cursor, start, reserved, args)
}

/// `JSON_OBJECT([KEY] k VALUE v, k : v … [NULL|ABSENT ON NULL])`
fn pairs(cursor: &mut Cursor<'_>, reserved: Reserved) -> Parsed<Expr> {
    let start = open(cursor)?;
    let mut args = Vec::new();
    while *cursor.peek() != Token::RParen && !at_null_clause(cursor) {
        if cursor.at_words(&["KEY"]) && !matches!(cursor.peek_nth(1).token, Token::Period | Token::LBracket) {
            cursor.take_word("KEY");
        }
        args.push(cursor.tree()?);
        if !cursor.take_word("VALUE") && !cursor.take(&Token::Colon) && cursor.take_comma().is_none() {
            return Err(cursor.expected(Expected("`VALUE`", "`VALUE`")));
        }
        args.push(cursor.tree()?);
        if cursor.take_comma().is_none() {
            break;
        }
    }
    null_clause(cursor, &mut args);
    close(cursor, start, reserved, args)
}

/// `JSON_ARRAY(v, … [NULL|ABSENT ON NULL])`
fn values(cursor: &mut Cursor<'_>, reserved: Reserved) -> Parsed<Expr> {
    let start = open(cursor)?;
    let mut args = Vec::new();
    while *cursor.peek() != Token::RParen && !at_null_clause(cursor) {
        args.push(cursor.tree()?);
        if cursor.take_comma().is_none() {
            break;
        }
    }
    null_clause(cursor, &mut args);
    close(cursor, start, reserved, args)
}

fn open(cursor: &mut Cursor<'_>) -> Parsed<Span> {
    let start = cursor.here();
    cursor.advance();
    cursor.expect(&Token::LParen, "(")?;
    Ok(start)
}

fn close(cursor: &mut Cursor<'_>, start: Span, reserved: Reserved, args: Vec<Expr>) -> Parsed<Expr> {
    cursor.expect(&Token::RParen, ")")?;
    let call = reserved.call(cursor.since(start), args);
    if matches!(reserved, Reserved::JsonObjectAgg | Reserved::JsonArrayAgg) && cursor.at_words(&["FILTER"]) {
        return with_filter(cursor, call);
    }
    Ok(call)
}

/// `FILTER (WHERE …)` behind an aggregate.
fn with_filter(cursor: &mut Cursor<'_>, mut call: Expr) -> Parsed<Expr> {
    if let Expr::Function(function) = &mut call {
        function.filter = Some(cursor.filter()?);
    }
    Ok(call)
}

fn at_null_clause(cursor: &Cursor<'_>) -> bool {
    cursor.at_words(&["NULL", "ON", "NULL"]) || cursor.at_words(&["ABSENT", "ON", "NULL"])
}

fn null_clause(cursor: &mut Cursor<'_>, args: &mut Vec<Expr>) {
    let start = cursor.here();
    let clause = if cursor.take_words(&["NULL", "ON", "NULL"]) {
        JsonClause::NullOnNull
    } else if cursor.take_words(&["ABSENT", "ON", "NULL"]) {
        JsonClause::AbsentOnNull
    } else {
        return;
    };
    args.push(keep(cursor, start, clause, Vec::new()));
}

/// A clause of `JSON_VALUE`, `JSON_QUERY` or `JSON_EXISTS`; which of them take it is the binder's to say.
fn query_clause(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.here();
    if cursor.take_word("RETURNING") {
        let data_type = data_type(cursor)?;
        return Ok(keep(cursor, start, JsonClause::Returning(data_type), Vec::new()));
    }
    if let Some(wrapper) = wrapper(cursor)? {
        return Ok(keep(cursor, start, JsonClause::Wrapper(wrapper), Vec::new()));
    }
    let (behavior, default) = behavior(cursor)?;
    cursor.expect_word("ON")?;
    let clause = if cursor.take_word("EMPTY") {
        JsonClause::OnEmpty(behavior)
    } else if cursor.take_word("ERROR") {
        JsonClause::OnError(behavior)
    } else {
        return Err(cursor.expected(Expected("`EMPTY` or `ERROR`", "`EMPTY` 或 `ERROR`")));
    };
    Ok(keep(cursor, start, clause, default.into_iter().collect()))
}

fn wrapper(cursor: &mut Cursor<'_>) -> Parsed<Option<JsonWrapper>> {
    let wrapper = if cursor.take_word("WITHOUT") {
        JsonWrapper::Without
    } else if cursor.take_word("WITH") {
        if cursor.take_word("CONDITIONAL") {
            JsonWrapper::Conditional
        } else {
            cursor.take_word("UNCONDITIONAL");
            JsonWrapper::Unconditional
        }
    } else {
        return Ok(None);
    };
    cursor.take_word("ARRAY");
    cursor.expect_word("WRAPPER")?;
    Ok(Some(wrapper))
}

fn behavior(cursor: &mut Cursor<'_>) -> Parsed<(JsonBehavior, Option<Expr>)> {
    const WORDS: [(&[&str], JsonBehavior); 8] = [
        (&["NULL"], JsonBehavior::Null),
        (&["ERROR"], JsonBehavior::Error),
        (&["EMPTY", "ARRAY"], JsonBehavior::EmptyArray),
        (&["EMPTY", "OBJECT"], JsonBehavior::EmptyObject),
        (&["TRUE"], JsonBehavior::True),
        (&["FALSE"], JsonBehavior::False),
        (&["UNKNOWN"], JsonBehavior::Unknown),
        (&["EMPTY"], JsonBehavior::EmptyArray),
    ];
    if cursor.take_word("DEFAULT") {
        return Ok((JsonBehavior::Default, Some(cursor.tree()?)));
    }
    match WORDS.iter().find(|(words, _)| cursor.at_words(words)) {
        Some((words, behavior)) => {
            cursor.take_words(words);
            Ok((*behavior, None))
        }
        None => Err(cursor.expected(AN_EXPRESSION)),
    }
}

fn keep(cursor: &mut Cursor<'_>, start: Span, clause: JsonClause, args: Vec<Expr>) -> Expr {
    let span = cursor.since(start);
    cursor.side.json.insert(span.start, clause);
    Reserved::JsonClause.call(span, args)
}
