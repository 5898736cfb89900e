//! ALTER TABLE and ALTER VIEW.

use sg_diag::{Code, Diagnostic};

use super::element::{Element, column, distribution, element};
use super::{dml::partition_value, if_exists, options};
use crate::ast::{
    AlterAction, AlterTable, AlterView, ElementPosition, PartitionChange, PositionedElement, Statement,
};
use crate::cursor::{Cursor, Parsed};
use crate::token::Token;

/// `ALTER …`
#[inline(never)]
pub(super) fn alter(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    cursor.expect_word("ALTER")?;
    if cursor.take_word("TABLE") {
        let if_exists = if_exists(cursor);
        let name = cursor.object_name()?;
        let action = action(cursor)?;
        return Ok(Statement::AlterTable(Box::new(AlterTable {
            name,
            if_exists,
            action,
        })));
    }
    if cursor.take_word("VIEW") {
        let name = cursor.object_name()?;
        let view = if cursor.take_words(&["RENAME", "TO"]) {
            AlterView::Rename {
                name,
                to: cursor.object_name()?,
            }
        } else if cursor.take_word("AS") {
            AlterView::Query {
                name,
                query: cursor.query()?,
            }
        } else {
            return Err(cursor.expected_one_of(&["RENAME TO", "AS"]));
        };
        return Ok(Statement::AlterView(Box::new(view)));
    }
    Err(cursor.expected_one_of(&["TABLE", "VIEW", "FUNCTION"]))
}

#[inline(never)]
fn action(cursor: &mut Cursor<'_>) -> Parsed<AlterAction> {
    if cursor.take_word("RENAME") {
        if cursor.take_word("TO") {
            return cursor.object_name().map(AlterAction::RenameTable);
        }
        let old = cursor.ident()?;
        cursor.expect_word("TO")?;
        return Ok(AlterAction::RenameColumn(old, cursor.ident()?));
    }
    if cursor.take_word("SET") {
        return options(cursor).map(AlterAction::SetOptions);
    }
    if cursor.take_word("RESET") {
        let start = cursor.here();
        if *cursor.peek() == Token::LParen && cursor.peek_nth(1).token == Token::RParen {
            let diagnostic = Diagnostic::new(Code::NothingToDoHere, start).arg("feature", "RESET ()");
            return Err(diagnostic
                .flink("ValidationException: ALTER TABLE RESET does not support empty key")
                .into());
        }
        return cursor.parenthesized(Cursor::text).map(AlterAction::ResetOptions);
    }
    for (word, make) in [
        ("ADD", AlterAction::Add as fn(_) -> _),
        ("MODIFY", AlterAction::Modify),
    ] {
        if cursor.take_word(word) {
            if word == "ADD"
                && let Some(added) = partitions(cursor, &["IF", "NOT", "EXISTS"])?
            {
                return Ok(added);
            }
            return elements(cursor).map(make);
        }
    }
    if cursor.take_word("DROP") {
        if let Some(dropped) = partitions(cursor, &["IF", "EXISTS"])? {
            return Ok(dropped);
        }
        return drop(cursor);
    }
    Err(cursor.expected_one_of(&["ADD", "MODIFY", "DROP", "RENAME", "SET", "RESET"]))
}

/// `PARTITION (…)`, several of them: with options where they are added, with commas where they are dropped.
#[inline(never)]
fn partitions(cursor: &mut Cursor<'_>, condition: &[&str]) -> Parsed<Option<AlterAction>> {
    let ahead = [condition, &["PARTITION"]].concat();
    if !cursor.at_word("PARTITION") && !cursor.at_words(&ahead) {
        return Ok(None);
    }
    let added = condition.contains(&"NOT");
    let conditional = cursor.take_words(condition);
    let mut partitions = Vec::new();
    while cursor.take_word("PARTITION") {
        let values = cursor.parenthesized(partition_value)?;
        let own = if added && cursor.take_word("WITH") {
            options(cursor)?
        } else {
            Vec::new()
        };
        partitions.push((values, own));
        if !added && cursor.take_comma().is_none() {
            break;
        }
    }
    Ok(Some(AlterAction::Partitions(PartitionChange {
        added,
        conditional,
        partitions,
    })))
}

fn elements(cursor: &mut Cursor<'_>) -> Parsed<Vec<PositionedElement>> {
    if *cursor.peek() == Token::LParen {
        let lists = cursor.parenthesized(positioned)?;
        return Ok(lists.into_iter().flatten().collect());
    }
    positioned(cursor)
}

/// One element; a column with a key of its own gives two.
fn positioned(cursor: &mut Cursor<'_>) -> Parsed<Vec<PositionedElement>> {
    if cursor.at_words(&["DISTRIBUTION"]) {
        return Ok(vec![PositionedElement::Distribution(distribution(
            cursor,
            "DISTRIBUTION",
        )?)]);
    }
    if !["WATERMARK", "CONSTRAINT", "PRIMARY", "UNIQUE"]
        .iter()
        .any(|word| cursor.at_words(&[word]))
    {
        let (column, key) = column(cursor)?;
        let position = position(cursor)?;
        let mut elements = vec![PositionedElement::Column(column, position)];
        elements.extend(key.map(PositionedElement::PrimaryKey));
        return Ok(elements);
    }
    Ok(match element(cursor)? {
        Element::Column(column, _) => vec![PositionedElement::Column(column, ElementPosition::Default)],
        Element::Watermark(watermark) => vec![PositionedElement::Watermark(watermark)],
        Element::PrimaryKey(key) => vec![PositionedElement::PrimaryKey(key)],
    })
}

fn position(cursor: &mut Cursor<'_>) -> Parsed<ElementPosition> {
    if cursor.take_word("FIRST") {
        return Ok(ElementPosition::First);
    }
    if cursor.take_word("AFTER") {
        return cursor.ident().map(ElementPosition::After);
    }
    Ok(ElementPosition::Default)
}

fn drop(cursor: &mut Cursor<'_>) -> Parsed<AlterAction> {
    let start = cursor.here();
    if cursor.take_words(&["PRIMARY", "KEY"]) {
        return Ok(AlterAction::DropPrimaryKey(cursor.since(start)));
    }
    if cursor.take_word("CONSTRAINT") {
        return cursor.ident().map(AlterAction::DropConstraint);
    }
    if cursor.take_word("WATERMARK") {
        return Ok(AlterAction::DropWatermark(start));
    }
    if cursor.take_word("DISTRIBUTION") {
        return Ok(AlterAction::DropDistribution(start));
    }
    if *cursor.peek() == Token::LParen {
        return cursor.parenthesized(Cursor::ident).map(AlterAction::DropColumns);
    }
    Ok(AlterAction::DropColumns(vec![cursor.ident()?]))
}
