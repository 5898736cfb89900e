//! Classes of a script's tokens, for colouring.

use sg_diag::Span;

use crate::keyword::{is_keyword, is_type_name};
use crate::lexer::{Broken, LexKind, Lexeme, lex};

/// What a token is to the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// A word of the language.
    Keyword,
    /// A type's name.
    Type,
    /// A function's name: a word before a parenthesis.
    Function,
    /// Any other name.
    Name,
    /// A name in backquotes.
    QuotedName,
    /// A number.
    Number,
    /// A string.
    String,
    /// A comment.
    Comment,
    /// A hint.
    Hint,
    /// An operator.
    Operator,
    /// Parentheses, commas, periods, semicolons.
    Punctuation,
    /// Not part of Flink SQL.
    Broken,
}

/// The tokens of a script in order; white space has none.
pub fn highlight(script: &str) -> Vec<(Span, TokenClass)> {
    let lexemes = lex(script);
    let classes = lexemes.iter().enumerate().map(|(position, lexeme)| {
        let text = lexeme.span.text(script);
        let next = lexemes
            .get(position + 1)
            .map_or("", |next| next.span.text(script));
        let previous = position
            .checked_sub(1)
            .and_then(|before| lexemes.get(before))
            .map_or("", |it| it.span.text(script));
        (lexeme.span, class(lexeme, text, previous, next))
    });
    classes.collect()
}

fn class(lexeme: &Lexeme, text: &str, previous: &str, next: &str) -> TokenClass {
    match lexeme.kind {
        LexKind::Word if previous == "." => TokenClass::Name,
        LexKind::Word if is_type_name(text) && !(next == "(" && matches!(text, "ROW" | "row")) => {
            TokenClass::Type
        }
        LexKind::Word if next == "(" && !is_clause(text) => TokenClass::Function,
        LexKind::Word if is_keyword(text) => TokenClass::Keyword,
        LexKind::Word => TokenClass::Name,
        LexKind::QuotedName => TokenClass::QuotedName,
        LexKind::Number => TokenClass::Number,
        LexKind::String(_) => TokenClass::String,
        LexKind::Comment | LexKind::Broken(Broken::Comment) => TokenClass::Comment,
        LexKind::Hint => TokenClass::Hint,
        LexKind::Symbol if matches!(text, "(" | ")" | "[" | "]" | "{" | "}" | "," | "." | ";") => {
            TokenClass::Punctuation
        }
        LexKind::Symbol => TokenClass::Operator,
        LexKind::Broken(_) => TokenClass::Broken,
    }
}

/// Keywords that a parenthesis follows without making them a function.
fn is_clause(word: &str) -> bool {
    const CLAUSES: [&str; 28] = [
        "ALL",
        "AND",
        "ANY",
        "AS",
        "BY",
        "DISTINCT",
        "EXCEPT",
        "EXISTS",
        "FILTER",
        "FROM",
        "IN",
        "INTERSECT",
        "INTO",
        "KEY",
        "LIKE",
        "MATCH_RECOGNIZE",
        "NOT",
        "ON",
        "OR",
        "OVER",
        "PATTERN",
        "SELECT",
        "SETS",
        "SOME",
        "THEN",
        "UNION",
        "USING",
        "VALUES",
    ];
    const MORE: [&str; 5] = ["WHEN", "WHERE", "WITH", "HAVING", "LATERAL"];
    CLAUSES
        .iter()
        .chain(&MORE)
        .any(|clause| clause.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_has_a_class() {
        let script = "SELECT COUNT(*), `a b` /* c */ FROM t WHERE x >= 1.5 AND y IN ('z'); \"q\"";
        let shown: Vec<String> = highlight(script)
            .iter()
            .map(|(span, class)| format!("{} {class:?}", span.text(script)))
            .collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        SELECT Keyword
        COUNT Function
        ( Punctuation
        * Operator
        ) Punctuation
        , Punctuation
        `a b` QuotedName
        /* c */ Comment
        FROM Keyword
        t Name
        WHERE Keyword
        x Name
        >= Operator
        1.5 Number
        AND Keyword
        y Name
        IN Keyword
        ( Punctuation
        'z' String
        ) Punctuation
        ; Punctuation
        "q" Broken
        "#);
    }
}
