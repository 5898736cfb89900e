//! Parts of `MATCH_RECOGNIZE`.

use std::fmt;

use super::{Expr, Ident};

/// `expr AS name`
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// What is measured.
    pub expr: Expr,
    /// Its name.
    pub alias: Ident,
}

/// How many rows a match gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsPerMatch {
    /// ONE ROW PER MATCH
    OneRow,
    /// ALL ROWS PER MATCH
    AllRows(Option<EmptyMatchesMode>),
}

/// What becomes of empty matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyMatchesMode {
    /// SHOW EMPTY MATCHES
    Show,
    /// OMIT EMPTY MATCHES
    Omit,
    /// WITH UNMATCHED ROWS
    WithUnmatched,
}

/// Where matching goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum AfterMatchSkip {
    /// PAST LAST ROW
    PastLastRow,
    /// TO NEXT ROW
    ToNextRow,
    /// TO FIRST symbol
    ToFirst(Ident),
    /// TO LAST symbol, TO symbol
    ToLast(Ident),
}

/// `symbol AS condition`
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolDefinition {
    /// The symbol.
    pub symbol: Ident,
    /// Which rows it stands for.
    pub definition: Expr,
}

/// A symbol of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchRecognizeSymbol {
    /// A name.
    Named(Ident),
    /// `^`
    Start,
    /// `$`
    End,
}

impl fmt::Display for MatchRecognizeSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => name.fmt(f),
            Self::Start => f.write_str("^"),
            Self::End => f.write_str("$"),
        }
    }
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchRecognizePattern {
    /// `a`
    Symbol(MatchRecognizeSymbol),
    /// `{- a -}`
    Exclude(MatchRecognizeSymbol),
    /// `PERMUTE(a, b)`
    Permute(Vec<MatchRecognizeSymbol>),
    /// `a b`
    Concat(Vec<Self>),
    /// `(a)`
    Group(Box<Self>),
    /// `a | b`
    Alternation(Vec<Self>),
    /// `a+`
    Repetition(Box<Self>, RepetitionQuantifier),
}

/// How often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepetitionQuantifier {
    /// `*`
    ZeroOrMore,
    /// `+`
    OneOrMore,
    /// `?`
    AtMostOne,
    /// `{n}`
    Exactly(u32),
    /// `{n,}`
    AtLeast(u32),
    /// `{,n}`
    AtMost(u32),
    /// `{n,m}`
    Range(u32, u32),
    /// A question mark behind it: as few as possible.
    Reluctant(Box<Self>),
}
