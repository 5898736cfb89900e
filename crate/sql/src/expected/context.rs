//! What stands before a failure, as far as it decides what could have followed.

use crate::keyword::is_reserved;
use crate::lexer::{LexKind, Lexeme};

/// Words that begin a part of a statement.
const CLAUSES: [&str; 34] = [
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "FETCH",
    "ON",
    "USING",
    "QUALIFY",
    "WINDOW",
    "VALUES",
    "WITH",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "CREATE",
    "DROP",
    "ALTER",
    "INSERT",
    "SHOW",
    "EXPLAIN",
    "DESCRIBE",
    "USE",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "WATERMARK",
    "PARTITIONED",
    "PARTITION",
    "JOIN",
];

/// Words that are no names where they stand, though they could be elsewhere.
const CONTEXTUAL: [&str; 26] = [
    "TIMESTAMPADD",
    "TIMESTAMPDIFF",
    "IF",
    "OR",
    "REPLACE",
    "TEMPORARY",
    "METADATA",
    "VIRTUAL",
    "ENFORCED",
    "KEY",
    "COMMENT",
    "SYSTEM_TIME",
    "CONFLICT",
    "DO",
    "VIEW",
    "VIEWS",
    "DATABASE",
    "CATALOG",
    "MODEL",
    "FUNCTION",
    "OVERWRITE",
    "PLAN",
    "FIRST",
    "AFTER",
    "TABLES",
    "FILTER",
];

/// The text before a failure in classes of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Context {
    /// What stands before the innermost open bracket, with the bracket; empty outside of all.
    pub(super) opener: Vec<String>,
    /// From the last word that begins a part, within that bracket.
    pub(super) tail: Vec<String>,
    /// The statement's first word.
    statement: Option<String>,
    /// The operator to which the parser went back.
    pub(super) operator: Option<String>,
    /// The token that did not fit: where the same failed behind the same words, it is such an operator.
    pub(super) found: Option<String>,
}

impl Context {
    /// The context behind these lexemes.
    pub(super) fn of(text: &str, before: &[Lexeme], operator: Option<String>) -> Self {
        let mut frames: Vec<Vec<String>> = vec![Vec::new()];
        for lexeme in before {
            let class = class(text, *lexeme);
            let nested = frames.len() > 1;
            let Some(frame) = frames.last_mut() else { break };
            match class.as_str() {
                "(" | "[" | "ROW<" => {
                    frame.push(class);
                    frames.push(Vec::new());
                }
                ")" | "]" if nested => {
                    frames.pop();
                    if let Some(frame) = frames.last_mut() {
                        let closed = if class == ")" { "()" } else { "[]" };
                        frame.pop();
                        frame.push(closed.to_owned());
                    }
                }
                "NAME" if ends_with(frame, &["NAME", "."]) => {
                    frame.pop();
                }
                _ => frame.push(class),
            }
        }
        let inner = frames.pop().unwrap_or_default();
        let opener = frames.last().map_or_else(Vec::new, |outer| last(outer, 3));
        Self {
            opener,
            tail: tail(&inner),
            statement: before.first().map(|first| class(text, *first)),
            operator,
            found: None,
        }
    }

    /// How alike two contexts are; `None` where one says nothing about the other.
    pub(super) fn likeness(&self, other: &Self) -> Option<u32> {
        let operand = self.operator.is_none() && other.operator.is_some();
        let known = if operand {
            self.found == other.operator && self.tail == other.tail
        } else {
            self.operator == other.operator
        };
        if !known || self.opener.is_empty() != other.opener.is_empty() {
            return None;
        }
        let common = |left: &[String], right: &[String]| {
            let pairs = left.iter().rev().zip(right.iter().rev());
            u32::try_from(pairs.take_while(|(left, right)| left == right).count()).unwrap_or(0)
        };
        let tail = common(&self.tail, &other.tail);
        if tail == 0 && !(self.tail.is_empty() && other.tail.is_empty()) {
            return None;
        }
        let exact = u32::from(self.tail == other.tail) * 40 + u32::from(operand) * 50;
        let clause = u32::from(self.tail.first() == other.tail.first()) * 20;
        let exact = exact + u32::from(self.statement == other.statement) * 12;
        let opener = common(&self.opener, &other.opener) * 15;
        Some(exact + clause + opener + tail * 4)
    }
}

fn ends_with(frame: &[String], words: &[&str]) -> bool {
    frame.len() >= words.len()
        && frame
            .iter()
            .rev()
            .zip(words.iter().rev())
            .all(|(left, right)| left == right)
}

fn last(words: &[String], count: usize) -> Vec<String> {
    words
        .get(words.len().saturating_sub(count)..)
        .unwrap_or_default()
        .to_vec()
}

/// From the last clause on; of a list only the comma before its last item is left.
fn tail(words: &[String]) -> Vec<String> {
    let clause = words.iter().rposition(|word| CLAUSES.contains(&word.as_str()));
    let from = clause.unwrap_or(0);
    let own = words.get(from..).unwrap_or_default();
    let Some(comma) = own.iter().rposition(|word| word == ",") else {
        return own.to_vec();
    };
    let mut kept: Vec<String> = if clause.is_some() {
        own.iter().take(1).cloned().collect()
    } else {
        Vec::new()
    };
    let behind = own.get(comma + 1..).unwrap_or_default();
    if behind.is_empty() {
        kept.push(",".to_owned());
    }
    kept.extend(behind.iter().cloned());
    kept
}

fn class(text: &str, lexeme: Lexeme) -> String {
    let written = lexeme.span.text(text);
    match lexeme.kind {
        LexKind::Word => {
            let upper = written.to_ascii_uppercase();
            if is_reserved(&upper) || CONTEXTUAL.contains(&upper.as_str()) {
                upper
            } else {
                "NAME".to_owned()
            }
        }
        LexKind::QuotedName => "NAME".to_owned(),
        LexKind::Number => "NUMBER".to_owned(),
        LexKind::String(_) => "TEXT".to_owned(),
        _ => written.to_owned(),
    }
}
