//! What the tree cannot carry, kept by its position in the text.

use std::collections::BTreeMap;

use sg_diag::Span;

use crate::ast::{Ident, IntervalSyntax, Text, TypeSyntax};

/// A hint: `STATE_TTL('t' = '1d')`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Its name as written.
    pub name: Ident,
    /// What stands in its parentheses.
    pub args: Vec<HintArgument>,
    /// The whole hint.
    pub span: Span,
}

/// An argument of a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintArgument {
    /// `'key' = 'value'`
    Pair(Text, Text),
    /// A table name or alias.
    Name(Ident),
    /// A string alone.
    Text(Text),
}

/// Hints, types and clauses of one statement, by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideTable {
    /// By the offset where the word before the hint ends (SELECT, or the last part of a table name).
    pub(crate) hints: BTreeMap<u32, Vec<Hint>>,
    /// By the offset where the type begins.
    pub(crate) types: BTreeMap<u32, TypeSyntax>,
    /// By the offset where the construct begins.
    pub(crate) intervals: BTreeMap<u32, IntervalSyntax>,
}

impl SideTable {
    /// Hints that follow directly behind this span: that of a `SELECT` keyword, or of a table name.
    pub fn hints_after(&self, span: Span) -> &[Hint] {
        self.hints.get(&span.end).map_or(&[], Vec::as_slice)
    }

    /// Every hint of the statement.
    pub fn all_hints(&self) -> impl Iterator<Item = &Hint> {
        self.hints.values().flatten()
    }

    /// The type that a [`crate::Reserved::Type`] argument at this span stands for.
    pub fn type_at(&self, span: Span) -> Option<&TypeSyntax> {
        self.types.get(&span.start)
    }

    /// The units of a [`crate::Reserved::MinusToInterval`] at this span.
    pub fn interval_at(&self, span: Span) -> Option<&IntervalSyntax> {
        self.intervals.get(&span.start)
    }
}
