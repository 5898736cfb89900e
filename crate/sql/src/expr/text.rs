//! Calls whose arguments are joined by words: EXTRACT, FLOOR, POSITION, SUBSTRING, OVERLAY, TRIM.

use super::{Prefix, operator::RANGE, value};
use crate::ast::TimeUnit;
use crate::cursor::{Cursor, Expected, Parsed};
use crate::query::{CeilFloorKind, DateTimeField, Expr, TrimWhereField, Value};
use crate::token::Token;

/// Who reads a call of this function.
pub(super) fn reader(word: &str) -> Option<Prefix> {
    Some(match word {
        "EXTRACT" => extract,
        "CEIL" | "FLOOR" => rounding,
        "POSITION" => position,
        "SUBSTRING" | "SUBSTR" => substring,
        "OVERLAY" => overlay,
        "TRIM" => trim,
        _ => return None,
    })
}

/// A function's word, and its parenthesis behind it.
fn open(cursor: &mut Cursor<'_>) -> Parsed<()> {
    cursor.advance();
    cursor.open()?;
    Ok(())
}

/// A unit of time or another part of one, such as EPOCH; which of them there are is the binder's to say.
fn any_field(cursor: &mut Cursor<'_>) -> Parsed<DateTimeField> {
    if let Some(unit) = cursor.word().and_then(|word| TimeUnit::from_word(&word)) {
        cursor.advance();
        return Ok(DateTimeField::Unit(unit));
    }
    match cursor.peek() {
        Token::Word(_) if !cursor.at_word("FROM") => cursor.any_word().map(DateTimeField::Custom),
        _ => Err(cursor.expected(Expected("a unit of time", "时间单位"))),
    }
}

/// `EXTRACT(unit FROM x)`
fn extract(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    open(cursor)?;
    let field = any_field(cursor)?;
    cursor.expect_word("FROM")?;
    let expr = Box::new(cursor.tree()?);
    cursor.close()?;
    Ok(Expr::Extract { field, expr })
}

/// `FLOOR(x)`, `FLOOR(x TO unit)`, `FLOOR(x, n)`
fn rounding(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let ceil = cursor.at_word("CEIL");
    open(cursor)?;
    let expr = Box::new(cursor.tree()?);
    let field = if cursor.take_word("TO") {
        CeilFloorKind::DateTimeField(any_field(cursor)?)
    } else if cursor.take(&Token::Comma) {
        let scale = value(cursor.current());
        if !matches!(scale.value, Value::Number(..)) {
            return Err(cursor.expected(Expected("a number", "数字")));
        }
        cursor.advance();
        CeilFloorKind::Scale(scale)
    } else {
        CeilFloorKind::Whole
    };
    cursor.close()?;
    Ok(if ceil {
        Expr::Ceil { expr, field }
    } else {
        Expr::Floor { expr, field }
    })
}

/// `POSITION(a IN b)`
fn position(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    open(cursor)?;
    let expr = Box::new(cursor.operators(RANGE)?);
    cursor.expect_word("IN")?;
    let r#in = Box::new(cursor.tree()?);
    cursor.close()?;
    Ok(Expr::Position { expr, r#in })
}

/// `SUBSTRING(x FROM a [FOR b])`, `SUBSTRING(x, a [, b])`
fn substring(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let shorthand = cursor.at_word("SUBSTR");
    open(cursor)?;
    let expr = Box::new(cursor.tree()?);
    let substring_from = if cursor.take(&Token::Comma) || cursor.take_word("FROM") {
        Some(Box::new(cursor.tree()?))
    } else if shorthand {
        None
    } else {
        return Err(cursor.expected_one_of(&["FROM", ","]));
    };
    let substring_for = if cursor.take_word("FOR") || cursor.take(&Token::Comma) {
        Some(Box::new(cursor.tree()?))
    } else {
        None
    };
    cursor.close()?;
    Ok(Expr::Substring {
        expr,
        substring_from,
        substring_for,
        shorthand,
    })
}

/// `OVERLAY(x PLACING y FROM a [FOR b])`
fn overlay(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    open(cursor)?;
    let expr = Box::new(cursor.tree()?);
    cursor.expect_word("PLACING")?;
    let overlay_what = Box::new(cursor.tree()?);
    cursor.expect_word("FROM")?;
    let overlay_from = Box::new(cursor.tree()?);
    let overlay_for = if cursor.take_word("FOR") {
        Some(Box::new(cursor.tree()?))
    } else {
        None
    };
    cursor.close()?;
    Ok(Expr::Overlay {
        expr,
        overlay_what,
        overlay_from,
        overlay_for,
    })
}

/// `TRIM(x)`, `TRIM([LEADING|TRAILING|BOTH] [y] FROM x)`
fn trim(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    open(cursor)?;
    let trim_where = match cursor.take_one(&["LEADING", "TRAILING", "BOTH"]) {
        Some(0) => Some(TrimWhereField::Leading),
        Some(1) => Some(TrimWhereField::Trailing),
        Some(_) => Some(TrimWhereField::Both),
        None => None,
    };
    let mut trim_what = None;
    if trim_where.is_none() || !cursor.at_word("FROM") {
        trim_what = Some(Box::new(cursor.tree()?));
    }
    let expr = match trim_what.take() {
        Some(all) if !cursor.at_word("FROM") => all,
        what => {
            cursor.advance();
            trim_what = what;
            Box::new(cursor.tree()?)
        }
    };
    cursor.close()?;
    Ok(Expr::Trim {
        expr,
        trim_where,
        trim_what,
    })
}
