//! Catalogs, models, ALTER DATABASE.

use super::{if_exists, if_not_exists, options};
use crate::ast::{CatalogAction, CatalogAlteration, CatalogStatement, ModelColumn, Statement};
use crate::cursor::{Cursor, Parsed};
use crate::types::data_type;

/// First words and what they mean.
const BEGINNINGS: [(&[&str], CatalogAction); 17] = [
    (&["CREATE", "CATALOG"], CatalogAction::CreateCatalog),
    (&["ALTER", "CATALOG"], CatalogAction::AlterCatalog),
    (&["DROP", "CATALOG"], CatalogAction::DropCatalog),
    (&["DESCRIBE", "CATALOG"], CatalogAction::DescribeCatalog(false)),
    (&["DESC", "CATALOG"], CatalogAction::DescribeCatalog(false)),
    (&["SHOW", "CREATE", "CATALOG"], CatalogAction::ShowCreateCatalog),
    (&["ALTER", "DATABASE"], CatalogAction::AlterDatabase),
    (&["CREATE", "MODEL"], CatalogAction::CreateModel),
    (&["CREATE", "TEMPORARY", "MODEL"], CatalogAction::CreateModel),
    // one that is there is not replaced
    (&["CREATE", "OR", "REPLACE", "MODEL"], CatalogAction::CreateModel),
    (&["ALTER", "MODEL"], CatalogAction::AlterModel),
    (&["DROP", "MODEL"], CatalogAction::DropModel),
    (&["DROP", "TEMPORARY", "MODEL"], CatalogAction::DropModel),
    (&["DESCRIBE", "MODEL"], CatalogAction::DescribeModel),
    (&["DESC", "MODEL"], CatalogAction::DescribeModel),
    (&["SHOW", "CREATE", "MODEL"], CatalogAction::ShowCreateModel),
    (
        &["SHOW", "CREATE", "TEMPORARY", "MODEL"],
        CatalogAction::ShowCreateModel,
    ),
];

/// The statement that begins here, if one of these does.
pub(super) fn catalog(cursor: &mut Cursor<'_>) -> Option<Parsed<Statement>> {
    let (words, action) = BEGINNINGS.iter().find(|(words, _)| cursor.at_words(words))?;
    cursor.take_words(words);
    let temporary = words.contains(&"TEMPORARY");
    Some(rest(cursor, *action, temporary).map(|one| Statement::Catalog(Box::new(one))))
}

fn rest(cursor: &mut Cursor<'_>, action: CatalogAction, temporary: bool) -> Parsed<CatalogStatement> {
    use CatalogAction as A;
    let creates = matches!(action, A::CreateCatalog | A::CreateModel);
    let conditional = match action {
        A::CreateCatalog | A::CreateModel => if_not_exists(cursor),
        A::DropCatalog | A::DropModel | A::AlterModel => if_exists(cursor),
        _ => false,
    };
    let extended = matches!(action, A::DescribeCatalog(_) | A::DescribeModel) && cursor.take_word("EXTENDED");
    let mut statement = CatalogStatement {
        action: match action {
            A::DescribeCatalog(_) => A::DescribeCatalog(extended),
            other => other,
        },
        name: cursor.object_name()?,
        conditional,
        temporary,
        columns: [Vec::new(), Vec::new()],
        comment: None,
        options: Vec::new(),
        change: None,
    };
    if matches!(action, A::CreateCatalog | A::AlterCatalog) && statement.name.parts.len() > 1 {
        let first = statement.name.parts.first().map_or(0, |part| part.span.end);
        return Err(cursor.flink_fails_at(cursor.unexpected(), first));
    }
    if action == A::CreateModel {
        for (word, columns) in ["INPUT", "OUTPUT"].into_iter().zip(&mut statement.columns) {
            if cursor.take_word(word) {
                *columns = cursor.parenthesized(model_column)?;
            }
        }
    }
    if creates {
        if cursor.take_word("COMMENT") {
            statement.comment = Some(cursor.text()?);
        }
        if cursor.take_word("WITH") {
            statement.options = options(cursor)?;
        }
    } else if matches!(action, A::AlterCatalog | A::AlterDatabase | A::AlterModel) {
        alteration(cursor, &mut statement)?;
    }
    Ok(statement)
}

/// `SET (…)`, and what else the kind of object has.
fn alteration(cursor: &mut Cursor<'_>, statement: &mut CatalogStatement) -> Parsed<()> {
    let action = statement.action;
    statement.change = Some(
        if action == CatalogAction::AlterCatalog && cursor.take_word("COMMENT") {
            statement.comment = Some(cursor.text()?);
            CatalogAlteration::Comment
        } else if action != CatalogAction::AlterDatabase && cursor.take_word("RESET") {
            let keys = options_keys(cursor)?;
            CatalogAlteration::Reset(keys)
        } else if action == CatalogAction::AlterModel && cursor.take_words(&["RENAME", "TO"]) {
            CatalogAlteration::Rename(cursor.object_name()?)
        } else {
            cursor.expect_word("SET")?;
            statement.options = options(cursor)?;
            CatalogAlteration::Set
        },
    );
    Ok(())
}

/// `('key', …)`, or nothing between the parentheses.
fn options_keys(cursor: &mut Cursor<'_>) -> Parsed<Vec<crate::ast::Text>> {
    use crate::token::Token;
    if *cursor.peek() == Token::LParen && cursor.peek_nth(1).token == Token::RParen {
        cursor.advance();
        cursor.advance();
        return Ok(Vec::new());
    }
    cursor.parenthesized(Cursor::text)
}

/// `a STRING COMMENT 'it'`
fn model_column(cursor: &mut Cursor<'_>) -> Parsed<ModelColumn> {
    let name = cursor.ident()?;
    let data_type = data_type(cursor)?;
    let comment = if cursor.take_word("COMMENT") {
        Some(cursor.text()?)
    } else {
        None
    };
    Ok(ModelColumn {
        name,
        data_type,
        comment,
    })
}
