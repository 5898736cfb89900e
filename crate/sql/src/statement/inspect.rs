//! EXPLAIN, DESCRIBE, SHOW, USE, SET, RESET.

use sg_diag::{Code, Diagnostic, Span};

use super::{create, dml, option};
use crate::ast::{
    Describe, Explain, ExplainDetail, ObjectName, Reset, Set, Show, ShowFilter, ShowKind, Statement,
    TableOption, Text, Use, UseKind,
};
use crate::complaint::NO_QUERY;
use crate::cursor::{Cursor, Expected, Parsed};
use crate::token::Token;

const DETAILS: [(&str, ExplainDetail); 4] = [
    ("ESTIMATED_COST", ExplainDetail::EstimatedCost),
    ("CHANGELOG_MODE", ExplainDetail::ChangelogMode),
    ("PLAN_ADVICE", ExplainDetail::PlanAdvice),
    ("JSON_EXECUTION_PLAN", ExplainDetail::JsonExecutionPlan),
];

/// `EXPLAIN [PLAN FOR | detail, …] statement`
#[inline(never)]
pub(super) fn explain(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    cursor.expect_word("EXPLAIN")?;
    let mut details = Vec::new();
    if !cursor.take_words(&["PLAN", "FOR"]) {
        while let Some(&(word, detail)) = DETAILS.iter().find(|(word, _)| cursor.at_words(&[word])) {
            cursor.take_word(word);
            details.push(detail);
            if cursor.take_comma().is_none() {
                break;
            }
        }
    }
    let start = cursor.here();
    let statement = explained(cursor)?;
    Ok(Statement::Explain(Box::new(Explain {
        details,
        statement,
        span: cursor.since(start),
    })))
}

fn explained(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    if cursor.at_query() {
        return Ok(Statement::Query(Box::new(cursor.query()?)));
    }
    match cursor.word().as_deref() {
        Some("INSERT") => dml::insert(cursor).map(|insert| Statement::Insert(Box::new(insert))),
        Some("STATEMENT") => dml::statement_set(cursor).map(Statement::StatementSet),
        Some("EXECUTE") => dml::execute(cursor),
        Some("CREATE") => create::create(cursor),
        Some(word)
            if matches!(cursor.peek_nth(1).token, Token::Comma | Token::Word(_)) && word.contains('_') =>
        {
            let span = cursor.here();
            let detail = span.text(cursor.text);
            let diagnostic = Diagnostic::new(Code::ExplainDetailUnknown, span).arg("detail", detail);
            Err(diagnostic
                .suggest_similar(word, DETAILS.iter().map(|(word, _)| *word))
                .into())
        }
        _ => {
            let failure = cursor.expected(Expected("a query or an INSERT", "查询或 INSERT"));
            Err(if cursor.at_end() {
                failure
            } else {
                failure.0.flink(NO_QUERY).into()
            })
        }
    }
}

/// `DESCRIBE|DESC [FUNCTION] [EXTENDED] name`
#[inline(never)]
pub(super) fn describe(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    cursor.advance();
    if cursor.at_word("TABLE") {
        let failure = cursor.expected(crate::cursor::A_NAME);
        let Some(name) = crate::span::byte_span(cursor.peek_nth(1).span) else {
            return Err(failure);
        };
        let what = format!("Column '{}' not found in any table", name.text(cursor.text));
        return Err(failure.0.flink(cursor.invalid(name, &what)).into());
    }
    let function = cursor.take_word("FUNCTION");
    let extended = cursor.take_word("EXTENDED");
    Ok(Statement::Describe(Describe {
        table: cursor.object_name()?,
        function,
        extended,
    }))
}

/// `SHOW …`
#[inline(never)]
pub(super) fn show(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    let start = cursor.expect_word("SHOW")?;
    let kind = show_kind(cursor).map_err(|failure| match cursor.position() {
        1 if cursor.which(0, &["CREATE", "CURRENT"]).is_some() => {
            let found = crate::span::byte_span(cursor.peek_nth(1).span);
            cursor.flink_fails_at(failure, found.map_or(cursor.statement().end, |span| span.start))
        }
        1 => cursor.flink_fails_at(failure, start.start),
        _ => failure,
    })?;
    let filter = match kind {
        ShowKind::Modules { .. } => None,
        // they know no ILIKE
        ShowKind::Tables(_) | ShowKind::Views(_) | ShowKind::Columns(_) if cursor.at_word("ILIKE") => None,
        _ => filter(cursor)?,
    };
    Ok(Statement::Show(Show { kind, filter }))
}

#[inline(never)]
fn show_kind(cursor: &mut Cursor<'_>) -> Parsed<ShowKind> {
    if cursor.take_words(&["CURRENT", "CATALOG"]) {
        return Ok(ShowKind::CurrentCatalog);
    }
    if cursor.take_words(&["CURRENT", "DATABASE"]) {
        return Ok(ShowKind::CurrentDatabase);
    }
    if cursor.take_words(&["CREATE", "TABLE"]) {
        return cursor.object_name().map(ShowKind::CreateTable);
    }
    if cursor.take_words(&["CREATE", "VIEW"]) {
        return cursor.object_name().map(ShowKind::CreateView);
    }
    let full = cursor.take_word("FULL");
    if cursor.take_word("MODULES") {
        return Ok(ShowKind::Modules { full });
    }
    let user = cursor.take_word("USER");
    if cursor.take_word("FUNCTIONS") {
        return Ok(ShowKind::Functions {
            user,
            from: from(cursor)?,
        });
    }
    if cursor.take_word("TABLES") {
        return Ok(ShowKind::Tables(from(cursor)?));
    }
    if cursor.take_word("VIEWS") {
        return Ok(ShowKind::Views(from(cursor)?));
    }
    if cursor.take_word("JARS") {
        return Ok(ShowKind::Jars);
    }
    if cursor.take_word("MODELS") {
        return Ok(ShowKind::Models(from(cursor)?));
    }
    if cursor.take_word("CATALOGS") {
        return Ok(ShowKind::Catalogs);
    }
    if cursor.take_word("DATABASES") {
        return Ok(ShowKind::Databases(from(cursor)?));
    }
    if cursor.take_word("PARTITIONS") {
        return cursor.object_name().map(ShowKind::Partitions);
    }
    if cursor.take_word("COLUMNS") {
        return match from(cursor)? {
            Some(table) => Ok(ShowKind::Columns(table)),
            None => Err(cursor.expected(Expected("`FROM`", "`FROM`"))),
        };
    }
    Err(cursor.expected_one_of(&[
        "TABLES",
        "VIEWS",
        "DATABASES",
        "CATALOGS",
        "FUNCTIONS",
        "MODULES",
        "COLUMNS",
        "PARTITIONS",
        "CREATE",
    ]))
}

fn from(cursor: &mut Cursor<'_>) -> Parsed<Option<ObjectName>> {
    if cursor.take_word("FROM") || cursor.take_word("IN") {
        cursor.object_name().map(Some)
    } else {
        Ok(None)
    }
}

fn filter(cursor: &mut Cursor<'_>) -> Parsed<Option<ShowFilter>> {
    let negated = cursor.take_word("NOT");
    let ignores_case = cursor.at_words(&["ILIKE"]);
    if !cursor.take_word("LIKE") && !cursor.take_word("ILIKE") {
        return if negated {
            Err(cursor.expected_code("LIKE"))
        } else {
            Ok(None)
        };
    }
    Ok(Some(ShowFilter {
        pattern: cursor.text()?,
        negated,
        ignores_case,
    }))
}

/// `USE …`
#[inline(never)]
pub(super) fn use_(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    let start = cursor.expect_word("USE")?;
    if cursor.at_end() {
        return Err(cursor.flink_fails_at(cursor.expected(crate::cursor::A_NAME), start.start));
    }
    let kind = if cursor.at_words(&["CATALOG"]) && matches!(cursor.peek_nth(1).token, Token::Word(_)) {
        cursor.take_word("CATALOG");
        UseKind::Catalog(cursor.ident()?)
    } else if cursor.take_word("MODULES") {
        let mut modules = vec![cursor.ident()?];
        while cursor.take_comma().is_some() {
            modules.push(cursor.ident()?);
        }
        UseKind::Modules(modules)
    } else {
        UseKind::Database(cursor.object_name()?)
    };
    Ok(Statement::Use(Use { kind }))
}

/// `SET` or `SET 'key' = 'value'`
#[inline(never)]
pub(super) fn set(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    let word = cursor.expect_word("SET")?;
    let option = if cursor.at_end() {
        None
    } else if let Some(unquoted) = unquoted_option(cursor, word.end) {
        Some(unquoted)
    } else {
        Some(option(cursor)?)
    };
    Ok(Statement::Set(Set { option }))
}

/// `SET key = value` without quotes around the key, which Flink takes where the key, and the value without quotes, have no
/// blanks. Flink: `SetOperationParseStrategy`.
fn unquoted_option(cursor: &mut Cursor<'_>, from: u32) -> Option<TableOption> {
    let rest = Span::new(from, cursor.statement().end);
    let text = rest.text(cursor.text);
    let part = |part: &str, value: &str| {
        let start = text.find(part).and_then(|at| u32::try_from(at).ok()).unwrap_or(0);
        let length = u32::try_from(part.len()).unwrap_or(0);
        Text {
            value: value.to_owned(),
            span: Span::new(from + start, from + start + length),
        }
    };
    let is_word = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    let found = text.rmatch_indices('=').find_map(|(at, _)| {
        let (key, value) = (text.get(..at)?.trim(), text.get(at + 1..)?.trim());
        let inner = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let inner = inner.filter(|inner| !inner.contains('\''));
        let fits = is_word(key) && !key.contains('\'') && (inner.is_some() || is_word(value));
        fits.then(|| TableOption {
            key: part(key, key),
            value: part(value, inner.unwrap_or(value)),
        })
    })?;
    while !cursor.at_end() {
        cursor.advance();
    }
    Some(found)
}

/// `RESET` or `RESET 'key'`
#[inline(never)]
pub(super) fn reset(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    cursor.expect_word("RESET")?;
    let key = if cursor.at_end() {
        None
    } else if matches!(cursor.peek(), Token::SingleQuotedString(_)) {
        Some(cursor.text()?)
    } else {
        let rest = Span::new(cursor.here().start, cursor.statement().end);
        let key = rest.text(cursor.text);
        if key.contains(char::is_whitespace) {
            Some(super::option_text(cursor)?)
        } else {
            while !cursor.at_end() {
                cursor.advance();
            }
            Some(Text {
                value: key.to_owned(),
                span: rest,
            })
        }
    };
    Ok(Statement::Reset(Reset { key }))
}
