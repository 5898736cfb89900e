//! CREATE, ALTER and DROP FUNCTION.

use sg_diag::{Code, Diagnostic};

use super::{if_exists, if_not_exists};
use crate::ast::{FunctionAction, FunctionScope, FunctionStatement, Statement};
use crate::cursor::{Cursor, Expected, Parsed};

/// First words and what they mean.
const BEGINNINGS: [(&str, FunctionAction); 3] = [
    ("CREATE", FunctionAction::Create),
    ("ALTER", FunctionAction::Alter),
    ("DROP", FunctionAction::Drop),
];

/// Words behind them.
const SCOPES: [(&[&str], FunctionScope); 3] = [
    (&["FUNCTION"], FunctionScope::Catalog),
    (&["TEMPORARY", "FUNCTION"], FunctionScope::Temporary),
    (&["TEMPORARY", "SYSTEM", "FUNCTION"], FunctionScope::System),
];

/// The statement about a function that begins here, if one does.
#[inline(never)]
pub(super) fn function(cursor: &mut Cursor<'_>) -> Option<Parsed<Statement>> {
    for (word, action) in BEGINNINGS {
        for (words, scope) in SCOPES {
            let all: Vec<&str> = std::iter::once(word).chain(words.iter().copied()).collect();
            if cursor.take_words(&all) {
                return Some(rest(cursor, action, scope).map(|one| Statement::Function(Box::new(one))));
            }
        }
    }
    None
}

fn rest(cursor: &mut Cursor<'_>, action: FunctionAction, scope: FunctionScope) -> Parsed<FunctionStatement> {
    let conditional = if action == FunctionAction::Create {
        if_not_exists(cursor)
    } else {
        if_exists(cursor)
    };
    let mut statement = FunctionStatement {
        action,
        scope,
        if_exists: conditional,
        name: cursor.object_name()?,
        source: None,
        language: None,
    };
    if action == FunctionAction::Drop {
        return Ok(statement);
    }
    cursor.expect_word("AS")?;
    statement.source = Some(cursor.text()?);
    if cursor.take_word("LANGUAGE") {
        if cursor.word().is_none() {
            return Err(cursor.expected(Expected("the name of a language", "语言名称")));
        }
        statement.language = Some(cursor.ident()?);
    }
    if cursor.at_words(&["USING"]) {
        let diagnostic = Diagnostic::new(Code::NothingToDoHere, cursor.here());
        return Err(diagnostic.arg("feature", "USING JAR").into());
    }
    Ok(statement)
}
