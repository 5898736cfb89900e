//! Columns, watermarks, keys and distributions of a table.

use sg_diag::{Code, Diagnostic, Fix, Span};

use crate::ast::{Column, ColumnKind, Distribution, DistributionKind, Ident, PrimaryKey, Text, Watermark};
use crate::cursor::{Cursor, Parsed};
use crate::token::Token;
use crate::types::data_type;

/// An element of CREATE TABLE's parentheses; a column may bring a key of its own.
pub(super) enum Element {
    Column(Column, Option<PrimaryKey>),
    Watermark(Watermark),
    PrimaryKey(PrimaryKey),
}

pub(super) fn element(cursor: &mut Cursor<'_>) -> Parsed<Element> {
    if cursor.at_words(&["WATERMARK"]) {
        return watermark(cursor).map(Element::Watermark);
    }
    if at_constraint(cursor) {
        return table_constraint(cursor).map(Element::PrimaryKey);
    }
    column(cursor).map(|(column, key)| Element::Column(column, key))
}

fn at_constraint(cursor: &Cursor<'_>) -> bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE"]
        .iter()
        .any(|word| cursor.at_words(&[word]))
}

/// `WATERMARK FOR column AS expression`
fn watermark(cursor: &mut Cursor<'_>) -> Parsed<Watermark> {
    let start = cursor.expect_words(&["WATERMARK", "FOR"])?;
    let mut column = vec![cursor.ident()?];
    while cursor.take(&Token::Period) {
        column.push(cursor.ident()?);
    }
    cursor.expect_word("AS")?;
    let expr = cursor.expr()?;
    Ok(Watermark {
        column,
        expr,
        span: cursor.since(start),
    })
}

/// `[CONSTRAINT name] PRIMARY KEY (columns) [NOT ENFORCED]`
fn table_constraint(cursor: &mut Cursor<'_>) -> Parsed<PrimaryKey> {
    let start = cursor.here();
    let constraint = constraint_name(cursor)?;
    refuse_unique(cursor)?;
    cursor.expect_words(&["PRIMARY", "KEY"])?;
    let columns = cursor.parenthesized(Cursor::ident)?;
    let not_enforced = enforcement(cursor, start)?;
    Ok(PrimaryKey {
        constraint,
        columns,
        not_enforced,
        span: cursor.since(start),
    })
}

fn constraint_name(cursor: &mut Cursor<'_>) -> Parsed<Option<Ident>> {
    if cursor.take_word("CONSTRAINT") {
        cursor.ident().map(Some)
    } else {
        Ok(None)
    }
}

fn refuse_unique(cursor: &Cursor<'_>) -> Parsed<()> {
    if !cursor.at_words(&["UNIQUE"]) {
        return Ok(());
    }
    let diagnostic = Diagnostic::new(Code::UniqueNotSupported, cursor.here());
    Err(diagnostic
        .flink("SqlValidateException: UNIQUE constraint is not supported yet")
        .into())
}

/// True for `NOT ENFORCED`; anything else is reported, as Flink refuses it.
fn enforcement(cursor: &mut Cursor<'_>, start: Span) -> Parsed<bool> {
    if cursor.at_words(&["NOT"]) && !cursor.at_words(&["NOT", "NULL"]) {
        cursor.expect_words(&["NOT", "ENFORCED"])?;
        return Ok(true);
    }
    let here = cursor.here();
    let fix = if cursor.take_word("ENFORCED") {
        Fix::replace(here, "NOT ENFORCED")
    } else {
        Fix::insert(cursor.behind(), " NOT ENFORCED")
    };
    let flink = "SqlValidateException: Flink doesn't support ENFORCED mode for PRIMARY KEY constraint. ENFORCED/NOT ENFORCED controls if \
                 the constraint checks are performed on the incoming/outgoing data. Flink does not own the data \
                 therefore the only supported mode is the NOT ENFORCED mode";
    cursor.report(
        Diagnostic::new(Code::PrimaryKeyEnforced, cursor.since(start))
            .fix(fix)
            .flink(flink),
    );
    Ok(false)
}

/// A column, and the key it declares for itself.
pub(super) fn column(cursor: &mut Cursor<'_>) -> Parsed<(Column, Option<PrimaryKey>)> {
    let start = cursor.here();
    let name = cursor.ident()?;
    let mut key = None;
    let kind = if cursor.take_word("AS") {
        ColumnKind::Computed(cursor.expr()?)
    } else if matches!(cursor.peek(), Token::Comma | Token::RParen) {
        ColumnKind::Named
    } else {
        let data_type = data_type(cursor)?;
        if cursor.take_word("METADATA") {
            let key = if cursor.take_word("FROM") {
                Some(cursor.text()?)
            } else {
                None
            };
            ColumnKind::Metadata {
                data_type,
                key,
                is_virtual: cursor.take_word("VIRTUAL"),
            }
        } else {
            key = column_key(cursor, &name)?;
            ColumnKind::Physical(data_type)
        }
    };
    refuse_default(cursor)?;
    let comment = comment(cursor)?;
    if key.is_none() && matches!(kind, ColumnKind::Physical(_)) {
        key = column_key(cursor, &name)?;
    }
    let span = cursor.since(start);
    Ok((
        Column {
            name,
            kind,
            comment,
            span,
        },
        key,
    ))
}

fn comment(cursor: &mut Cursor<'_>) -> Parsed<Option<Text>> {
    if cursor.take_word("COMMENT") {
        cursor.text().map(Some)
    } else {
        Ok(None)
    }
}

fn refuse_default(cursor: &Cursor<'_>) -> Parsed<()> {
    if cursor.at_words(&["DEFAULT"]) {
        return Err(Diagnostic::new(Code::ColumnDefault, cursor.here()).into());
    }
    Ok(())
}

/// `[CONSTRAINT name] PRIMARY KEY [NOT ENFORCED]` behind a column's type.
fn column_key(cursor: &mut Cursor<'_>, column: &Ident) -> Parsed<Option<PrimaryKey>> {
    if !at_constraint(cursor) {
        return Ok(None);
    }
    let start = cursor.here();
    let constraint = constraint_name(cursor)?;
    refuse_unique(cursor)?;
    cursor.expect_words(&["PRIMARY", "KEY"])?;
    let not_enforced = enforcement(cursor, start)?;
    Ok(Some(PrimaryKey {
        constraint,
        columns: vec![column.clone()],
        not_enforced,
        span: cursor.since(start),
    }))
}

/// `DISTRIBUTED|DISTRIBUTION [BY [HASH|RANGE] (columns)] [INTO n BUCKETS]`
pub(super) fn distribution(cursor: &mut Cursor<'_>, word: &'static str) -> Parsed<Distribution> {
    let start = cursor.expect_word(word)?;
    let mut kind = DistributionKind::Unknown;
    let mut columns = Vec::new();
    if cursor.take_word("BY") {
        if cursor.take_word("HASH") {
            kind = DistributionKind::Hash;
        } else if cursor.take_word("RANGE") {
            kind = DistributionKind::Range;
        }
        columns = cursor.parenthesized(Cursor::ident)?;
    }
    let mut buckets = None;
    if cursor.take_word("INTO") {
        buckets = Some(cursor.number()?);
        cursor.expect_word("BUCKETS")?;
    } else if columns.is_empty() {
        return Err(cursor.expected(crate::cursor::Expected("`BY` or `INTO`", "`BY` 或 `INTO`")));
    }
    Ok(Distribution {
        kind,
        columns,
        buckets,
        span: cursor.since(start),
    })
}
