//! The tokens that statements are read from.

use sg_diag::Span;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A keyword or a name.
    Word(Word),
    /// Digits, with a point or an exponent.
    Number(String),
    /// A string of any kind, decoded.
    SingleQuotedString(String),
    /// The digits of `X'0a'`.
    HexStringLiteral(String),
    /// `?` or `$` of a pattern.
    Placeholder(char),
    Comma,
    SemiColon,
    Period,
    Colon,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Plus,
    Minus,
    Mul,
    Div,
    Mod,
    Eq,
    Neq,
    Lt,
    LtEq,
    Gt,
    GtEq,
    /// `||`
    StringConcat,
    /// `=>`
    RArrow,
    /// `|`
    Pipe,
    /// `^`
    Caret,
    /// Behind the last token.
    Eof,
}

/// A keyword or a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Without quotes.
    pub(crate) value: String,
    /// The quote around it.
    pub(crate) quote_style: Option<char>,
}

impl Token {
    pub(crate) fn word(value: &str, quote_style: Option<char>) -> Self {
        Self::Word(Word {
            value: value.to_owned(),
            quote_style,
        })
    }
}

/// A token with its place in the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenWithSpan {
    pub(crate) token: Token,
    pub(crate) span: Span,
}
