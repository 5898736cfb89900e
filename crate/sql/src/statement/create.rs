//! CREATE TABLE, VIEW and DATABASE, and DROP.

use sg_diag::{Code, Diagnostic, Span};

use super::element::{Element, distribution, element};
use super::{if_exists, if_not_exists, options};
use crate::ast::{
    Column, ColumnKind, CreateDatabase, CreateTable, CreateView, Drop, DropKind, Like, LikeFeature,
    LikeMerge, LikeOption, ObjectName, Replace, Statement, ViewColumn,
};
use crate::cursor::{Cursor, Failure, Parsed};
use crate::token::Token;

/// `CREATE …`
#[inline(never)]
pub(super) fn create(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    cursor.expect_word("CREATE")?;
    let or_replace = cursor.take_words(&["OR", "REPLACE"]);
    let temporary = cursor.take_word("TEMPORARY");
    if cursor.take_word("TABLE") {
        return create_table(cursor, or_replace, temporary);
    }
    if cursor.take_word("VIEW") {
        return create_view(cursor, or_replace, temporary);
    }
    if !or_replace && !temporary && cursor.take_word("DATABASE") {
        return create_database(cursor);
    }
    Err(cursor.expected_one_of(&["TABLE", "VIEW", "DATABASE", "FUNCTION"]))
}

/// `REPLACE TABLE … AS query`
#[inline(never)]
pub(super) fn replace(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    cursor.expect_words(&["REPLACE", "TABLE"])?;
    let mut statement = create_table(cursor, true, false)?;
    if let Statement::CreateTable(table) = &mut statement {
        if table.as_query.is_none() {
            return Err(cursor.expected_code("AS"));
        }
        table.replace = Replace::Existing;
    }
    Ok(statement)
}

#[expect(
    clippy::fn_params_excessive_bools,
    reason = "words of the statement, each there or not"
)]
fn create_table(cursor: &mut Cursor<'_>, or_replace: bool, temporary: bool) -> Parsed<Statement> {
    let if_not_exists = if_not_exists(cursor);
    let name = cursor.object_name()?;
    let mut table = empty_table(name);
    if or_replace {
        table.replace = Replace::OrCreate;
    }
    table.temporary = temporary;
    table.if_not_exists = if_not_exists;
    if *cursor.peek() == Token::LParen {
        let elements = cursor.parenthesized(element)?;
        for element in elements {
            add_element(cursor, &mut table, element);
        }
    }
    clauses(cursor, &mut table)?;
    check_named_columns(cursor, &table);
    if let Some(query) = table.as_query.as_ref().filter(|_| temporary) {
        cursor.report(
            Diagnostic::new(Code::TemporaryTableAs, query.span).flink(
                "SqlValidateException: CREATE TABLE AS SELECT syntax does not support to create temporary table yet.",
            ),
        );
    }
    Ok(Statement::CreateTable(Box::new(table)))
}

fn empty_table(name: ObjectName) -> CreateTable {
    CreateTable {
        name,
        temporary: false,
        replace: Replace::Never,
        if_not_exists: false,
        columns: Vec::new(),
        watermark: None,
        primary_key: None,
        comment: None,
        distribution: None,
        partitioned_by: Vec::new(),
        options: Vec::new(),
        options_span: None,
        like: None,
        as_query: None,
    }
}

fn add_element(cursor: &mut Cursor<'_>, table: &mut CreateTable, element: Element) {
    let mut again = |code: Code, span: Span, first: Span, flink: &str| {
        cursor.report(
            Diagnostic::new(code, span)
                .label(first, sg_diag::LabelText::FirstHere)
                .flink(flink),
        );
    };
    match element {
        Element::Column(column, key) => {
            if let Some(key) = key {
                add_element(cursor, table, Element::PrimaryKey(key));
            }
            table.columns.push(column);
        }
        Element::Watermark(watermark) => match &table.watermark {
            Some(first) => again(
                Code::SecondWatermark,
                watermark.span,
                first.span,
                "SqlParserException: SQL parse failed. Multiple WATERMARK declarations are not supported yet.",
            ),
            None => table.watermark = Some(watermark),
        },
        Element::PrimaryKey(key) => match &table.primary_key {
            Some(first) => again(
                Code::SecondPrimaryKey,
                key.span,
                first.span,
                "SqlValidateException: Duplicate primary key definition",
            ),
            None => table.primary_key = Some(key),
        },
    }
}

/// Only a table that is made from a query can leave the types out.
fn check_named_columns(cursor: &mut Cursor<'_>, table: &CreateTable) {
    let untyped = table
        .columns
        .iter()
        .filter(|column| matches!(column.kind, ColumnKind::Named));
    // the parser has decided for names with types or without at the first column
    let first_is_untyped = |column: &Column| matches!(column.kind, ColumnKind::Named);
    let first = table.columns.first().is_some_and(first_is_untyped);
    let odd = table
        .columns
        .iter()
        .find(|column| first_is_untyped(column) != first);
    for column in untyped.filter(|_| table.as_query.is_none()) {
        let diagnostic = Diagnostic::new(Code::ColumnNeedsType, column.span).arg("column", &column.name.name);
        let Failure(diagnostic) = match odd {
            Some(odd) => cursor.flink_fails_at(diagnostic.into(), odd.name.span.end),
            None => diagnostic
                .flink(
                    "SqlParserException: SQL parse failed. Columns identifiers without types in the schema are \
                     supported on CTAS/RTAS statements only.",
                )
                .into(),
        };
        cursor.report(*diagnostic);
    }
}

/// Clauses behind the columns, in the order that Flink wants.
const ORDER: [&str; 6] = ["COMMENT", "DISTRIBUTED", "PARTITIONED", "WITH", "LIKE", "AS"];

fn clauses(cursor: &mut Cursor<'_>, table: &mut CreateTable) -> Parsed<()> {
    let mut last: Option<usize> = None;
    while let Some(word) = cursor.word() {
        let Some(position) = ORDER.iter().position(|clause| *clause == word) else {
            return Ok(());
        };
        let start = cursor.here();
        check_order(last, position, start)?;
        last = Some(position);
        match word.as_str() {
            "COMMENT" => {
                cursor.take_word("COMMENT");
                table.comment = Some(cursor.text()?);
            }
            "DISTRIBUTED" => table.distribution = Some(distribution(cursor, "DISTRIBUTED")?),
            "PARTITIONED" => {
                cursor.expect_words(&["PARTITIONED", "BY"])?;
                table.partitioned_by = cursor.parenthesized(Cursor::ident)?;
            }
            "WITH" => {
                cursor.take_word("WITH");
                table.options = options(cursor)?;
                table.options_span = Some(cursor.since(start));
            }
            "LIKE" => table.like = Some(like(cursor)?),
            _ => {
                cursor.take_word("AS");
                table.as_query = Some(cursor.query()?);
            }
        }
    }
    Ok(())
}

fn check_order(last: Option<usize>, position: usize, span: Span) -> Parsed<()> {
    let name = |position: usize| ORDER.get(position).copied().unwrap_or("");
    match last {
        Some(last) if last == position => Err(Diagnostic::new(Code::DuplicateClause, span)
            .arg("clause", name(position))
            .into()),
        Some(last) if last > position => {
            let diagnostic = Diagnostic::new(Code::ClauseOrder, span).arg("clause", name(position));
            Err(diagnostic.arg("before", name(last)).into())
        }
        _ => Ok(()),
    }
}

/// `LIKE other [(INCLUDING ALL …)]`
fn like(cursor: &mut Cursor<'_>) -> Parsed<Like> {
    let start = cursor.expect_word("LIKE")?;
    let table = cursor.object_name()?;
    let mut options: Vec<LikeOption> = Vec::new();
    if cursor.take(&Token::LParen) {
        while *cursor.peek() != Token::RParen {
            let word = cursor.nth_word(1).unwrap_or_default();
            let option = like_option(cursor)?;
            let flink = if options.iter().any(|known| known.feature == option.feature) {
                "Each like option feature can be declared only once.".to_owned()
            } else if option.merge == LikeMerge::Overwriting
                && matches!(
                    option.feature,
                    LikeFeature::All
                        | LikeFeature::Constraints
                        | LikeFeature::Distribution
                        | LikeFeature::Partitions
                )
            {
                format!("Illegal merging strategy 'OVERWRITING' for '{word}' option.")
            } else {
                String::new()
            };
            if !flink.is_empty() {
                cursor.report(
                    Diagnostic::new(Code::LikeOptionRefused, option.span)
                        .arg("option", option.span.text(cursor.text))
                        .flink(format!("SqlValidateException: {flink}")),
                );
            }
            options.push(option);
        }
        cursor.expect(&Token::RParen, ")")?;
    }
    Ok(Like {
        table,
        options,
        span: cursor.since(start),
    })
}

fn like_option(cursor: &mut Cursor<'_>) -> Parsed<LikeOption> {
    const MERGES: [(&str, LikeMerge); 3] = [
        ("INCLUDING", LikeMerge::Including),
        ("EXCLUDING", LikeMerge::Excluding),
        ("OVERWRITING", LikeMerge::Overwriting),
    ];
    const FEATURES: [(&str, LikeFeature); 8] = [
        ("ALL", LikeFeature::All),
        ("CONSTRAINTS", LikeFeature::Constraints),
        ("DISTRIBUTION", LikeFeature::Distribution),
        ("GENERATED", LikeFeature::Generated),
        ("METADATA", LikeFeature::Metadata),
        ("OPTIONS", LikeFeature::Options),
        ("PARTITIONS", LikeFeature::Partitions),
        ("WATERMARKS", LikeFeature::Watermarks),
    ];
    let start = cursor.here();
    let Some(&(word, merge)) = MERGES.iter().find(|(word, _)| cursor.at_words(&[word])) else {
        return Err(cursor.expected_one_of(&MERGES.map(|(word, _)| word)));
    };
    cursor.take_word(word);
    let Some(&(word, feature)) = FEATURES.iter().find(|(word, _)| cursor.at_words(&[word])) else {
        return Err(cursor.expected_one_of(&FEATURES.map(|(word, _)| word)));
    };
    cursor.take_word(word);
    Ok(LikeOption {
        merge,
        feature,
        span: cursor.since(start),
    })
}

#[expect(
    clippy::fn_params_excessive_bools,
    reason = "words of the statement, each there or not"
)]
fn create_view(cursor: &mut Cursor<'_>, or_replace: bool, temporary: bool) -> Parsed<Statement> {
    let if_not_exists = if_not_exists(cursor);
    let name = cursor.object_name()?;
    let columns = if *cursor.peek() == Token::LParen {
        cursor.parenthesized(view_column)?
    } else {
        Vec::new()
    };
    let comment = if cursor.take_word("COMMENT") {
        Some(cursor.text()?)
    } else {
        None
    };
    cursor.expect_word("AS")?;
    let query = cursor.query()?;
    let view = CreateView {
        name,
        temporary,
        or_replace,
        if_not_exists,
        columns,
        comment,
        query,
    };
    Ok(Statement::CreateView(Box::new(view)))
}

fn view_column(cursor: &mut Cursor<'_>) -> Parsed<ViewColumn> {
    let name = cursor.ident()?;
    let comment = if cursor.take_word("COMMENT") {
        Some(cursor.text()?)
    } else {
        None
    };
    Ok(ViewColumn { name, comment })
}

fn create_database(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    let if_not_exists = if_not_exists(cursor);
    let name = cursor.object_name()?;
    let comment = if cursor.take_word("COMMENT") {
        Some(cursor.text()?)
    } else {
        None
    };
    let options = if cursor.take_word("WITH") {
        options(cursor)?
    } else {
        Vec::new()
    };
    Ok(Statement::CreateDatabase(CreateDatabase {
        name,
        if_not_exists,
        comment,
        options,
    }))
}

/// `DROP …`
#[inline(never)]
pub(super) fn drop(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    cursor.expect_word("DROP")?;
    let temporary = cursor.take_word("TEMPORARY");
    let kind = if cursor.take_word("TABLE") {
        DropKind::Table
    } else if cursor.take_word("VIEW") {
        DropKind::View
    } else if !temporary && cursor.take_word("DATABASE") {
        DropKind::Database
    } else {
        return Err(cursor.expected_one_of(&["TABLE", "VIEW", "DATABASE", "FUNCTION"]));
    };
    let if_exists = if_exists(cursor);
    let name = cursor.object_name()?;
    let mut cascade = false;
    if kind == DropKind::Database && !cursor.take_word("RESTRICT") {
        cascade = cursor.take_word("CASCADE");
    }
    Ok(Statement::Drop(Drop {
        kind,
        name,
        temporary,
        if_exists,
        cascade,
    }))
}
