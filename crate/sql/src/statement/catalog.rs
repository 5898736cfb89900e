//! Catalogs, models, ALTER DATABASE.

use super::{if_exists, if_not_exists, options};
use crate::ast::{CatalogAction, CatalogStatement, Statement};
use crate::cursor::{Cursor, Parsed};
use crate::token::Token;

/// First words and what they mean.
const BEGINNINGS: [(&[&str], CatalogAction); 10] = [
    (&["CREATE", "CATALOG"], CatalogAction::CreateCatalog),
    (&["ALTER", "CATALOG"], CatalogAction::AlterCatalog),
    (&["DROP", "CATALOG"], CatalogAction::DropCatalog),
    (&["DESCRIBE", "CATALOG"], CatalogAction::DescribeCatalog),
    (&["DESC", "CATALOG"], CatalogAction::DescribeCatalog),
    (&["SHOW", "CREATE", "CATALOG"], CatalogAction::DescribeCatalog),
    (&["ALTER", "DATABASE"], CatalogAction::AlterDatabase),
    (&["CREATE", "MODEL"], CatalogAction::CreateModel),
    (&["CREATE", "TEMPORARY", "MODEL"], CatalogAction::CreateModel),
    (&["DROP", "MODEL"], CatalogAction::DropModel),
];

/// The statement that begins here, if one of these does.
pub(super) fn catalog(cursor: &mut Cursor<'_>) -> Option<Parsed<Statement>> {
    let (words, action) = BEGINNINGS.iter().find(|(words, _)| cursor.at_words(words))?;
    cursor.take_words(words);
    Some(rest(cursor, *action).map(|one| Statement::Catalog(Box::new(one))))
}

fn rest(cursor: &mut Cursor<'_>, action: CatalogAction) -> Parsed<CatalogStatement> {
    use CatalogAction as A;
    let creates = matches!(action, A::CreateCatalog | A::CreateModel);
    let conditional = match action {
        A::CreateCatalog | A::CreateModel => if_not_exists(cursor),
        A::DropCatalog | A::DropModel => if_exists(cursor),
        A::DescribeCatalog => {
            cursor.take_word("EXTENDED");
            false
        }
        A::AlterCatalog | A::AlterDatabase => false,
    };
    let mut statement = CatalogStatement {
        action,
        name: cursor.object_name()?,
        conditional,
        options: Vec::new(),
        rest: String::new(),
    };
    if action == A::CreateModel {
        for word in ["INPUT", "OUTPUT"] {
            if cursor.take_word(word) {
                skip_parentheses(cursor)?;
            }
        }
    }
    if (creates || action == A::AlterCatalog) && cursor.take_word("COMMENT") {
        let comment = cursor.text()?;
        statement.rest = format!(" COMMENT '{}'", comment.value);
        if !creates {
            return Ok(statement);
        }
    }
    if creates && cursor.take_word("WITH") {
        statement.options = options(cursor)?;
    } else if matches!(action, A::AlterCatalog | A::AlterDatabase) {
        cursor.expect_word("SET")?;
        statement.options = options(cursor)?;
        let all: Vec<String> = statement
            .options
            .iter()
            .map(|option| format!("'{}' = '{}'", option.key.value, option.value.value))
            .collect();
        statement.rest = format!("\n  SET {}", all.join(", "));
    }
    Ok(statement)
}

/// `(a STRING, b ARRAY<INT>)`: the columns of a model are not looked at.
fn skip_parentheses(cursor: &mut Cursor<'_>) -> Parsed<()> {
    cursor.expect(&Token::LParen, "(")?;
    let mut open = 1;
    while open > 0 && !cursor.at_end() {
        match cursor.advance().token {
            Token::LParen => open += 1,
            Token::RParen => open -= 1,
            _ => {}
        }
    }
    Ok(())
}
