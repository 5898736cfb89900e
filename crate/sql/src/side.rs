//! What the tree cannot carry, kept by its position in the text.

use std::collections::BTreeMap;

use sg_diag::Span;

use crate::ast::{ExprSyntax, Ident, IntervalSyntax, JsonClause, QuerySyntax, Text, TypeSyntax};

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

/// `name = (a, b)` of `MATCH_RECOGNIZE`'s SUBSET.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subset {
    /// The new symbol.
    pub name: Ident,
    /// The symbols it stands for.
    pub symbols: Vec<Ident>,
}

/// Which rows a measure of `MATCH_RECOGNIZE` sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureSemantics {
    /// `RUNNING`
    Running,
    /// `FINAL`
    Final,
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
    /// By the offset where the clause begins.
    pub(crate) json: BTreeMap<u32, JsonClause>,
    /// By the offset of the first symbol that is defined.
    pub(crate) within: BTreeMap<u32, ExprSyntax>,
    /// By the offset of the first symbol that is defined.
    pub(crate) subsets: BTreeMap<u32, Vec<Subset>>,
    /// By the offset of the expression behind it.
    pub(crate) semantics: BTreeMap<u32, MeasureSemantics>,
    /// By the offset of the parenthesis that opens the query.
    pub(crate) match_inputs: BTreeMap<u32, QuerySyntax>,
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

    /// The clause that a [`crate::Reserved::JsonClause`] at this span stands for.
    pub fn json_clause_at(&self, span: Span) -> Option<&JsonClause> {
        self.json.get(&span.start)
    }

    /// The WITHIN interval of a `MATCH_RECOGNIZE`; the span is that of the first symbol it defines.
    pub fn within(&self, first_symbol: Span) -> Option<&ExprSyntax> {
        self.within.get(&first_symbol.start)
    }

    /// The SUBSETs of a `MATCH_RECOGNIZE`; the span is that of the first symbol it defines.
    pub fn subsets(&self, first_symbol: Span) -> &[Subset] {
        self.subsets.get(&first_symbol.start).map_or(&[], Vec::as_slice)
    }

    /// The query that stands in front of a `MATCH_RECOGNIZE`; the span is that of the table's name in the tree.
    pub fn match_input(&self, name: Span) -> Option<&QuerySyntax> {
        self.match_inputs.get(&name.start)
    }

    /// `RUNNING` or `FINAL` before the expression at this span.
    pub fn semantics_at(&self, expr: Span) -> Option<MeasureSemantics> {
        self.semantics.get(&expr.start).copied()
    }
}
