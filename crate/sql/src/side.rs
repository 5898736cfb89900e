//! What the tree cannot carry, kept by its position in the text.

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

/// Things by their place in the text. A few a statement, so a list is smaller than a tree and no slower.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByPlace<T>(Vec<(u32, T)>);

impl<T> Default for ByPlace<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ByPlace<T> {
    /// Puts a thing at a place, instead of what is there.
    pub(crate) fn insert(&mut self, place: u32, thing: T) {
        match self.0.iter_mut().find(|(at, _)| *at == place) {
            Some((_, known)) => *known = thing,
            None => self.0.push((place, thing)),
        }
    }

    /// Adds to what stands at a place.
    pub(crate) fn extend<U>(&mut self, place: u32, more: Vec<U>)
    where
        T: Extend<U> + Default,
    {
        if let Some((_, known)) = self.0.iter_mut().find(|(at, _)| *at == place) {
            known.extend(more);
        } else {
            let mut first = T::default();
            first.extend(more);
            self.0.push((place, first));
        }
    }

    pub(crate) fn get(&self, place: u32) -> Option<&T> {
        self.0.iter().find(|(at, _)| *at == place).map(|(_, thing)| thing)
    }

    /// Places and things in the order in which they were put there.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(u32, T)> {
        self.0.iter()
    }
}

/// Hints, types and clauses of one statement, by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideTable {
    /// By the offset where the word before the hint ends (SELECT, or the last part of a table name).
    pub(crate) hints: ByPlace<Vec<Hint>>,
    /// By the offset where the type begins.
    pub(crate) types: ByPlace<TypeSyntax>,
    /// By the offset where the construct begins.
    pub(crate) intervals: ByPlace<IntervalSyntax>,
    /// By the offset where the clause begins.
    pub(crate) json: ByPlace<JsonClause>,
    /// By the offset of the first symbol that is defined.
    pub(crate) within: ByPlace<ExprSyntax>,
    /// By the offset of the first symbol that is defined.
    pub(crate) subsets: ByPlace<Vec<Subset>>,
    /// By the offset of the expression behind it.
    pub(crate) semantics: ByPlace<MeasureSemantics>,
    /// By the offset of the parenthesis that opens the query.
    pub(crate) match_inputs: ByPlace<QuerySyntax>,
}

impl SideTable {
    /// Hints that follow directly behind this span: that of a `SELECT` keyword, or of a table name.
    pub fn hints_after(&self, span: Span) -> &[Hint] {
        self.hints.get(span.end).map_or(&[], Vec::as_slice)
    }

    /// Every hint of the statement.
    pub fn all_hints(&self) -> impl Iterator<Item = &Hint> {
        self.hints.iter().flat_map(|(_, hints)| hints)
    }

    /// The type that a [`crate::Reserved::Type`] argument at this span stands for.
    pub fn type_at(&self, span: Span) -> Option<&TypeSyntax> {
        self.types.get(span.start)
    }

    /// The units of a [`crate::Reserved::MinusToInterval`] at this span.
    pub fn interval_at(&self, span: Span) -> Option<&IntervalSyntax> {
        self.intervals.get(span.start)
    }

    /// The clause that a [`crate::Reserved::JsonClause`] at this span stands for.
    pub fn json_clause_at(&self, span: Span) -> Option<&JsonClause> {
        self.json.get(span.start)
    }

    /// The WITHIN interval of a `MATCH_RECOGNIZE`; the span is that of the first symbol it defines.
    pub fn within(&self, first_symbol: Span) -> Option<&ExprSyntax> {
        self.within.get(first_symbol.start)
    }

    /// The SUBSETs of a `MATCH_RECOGNIZE`; the span is that of the first symbol it defines.
    pub fn subsets(&self, first_symbol: Span) -> &[Subset] {
        self.subsets.get(first_symbol.start).map_or(&[], Vec::as_slice)
    }

    /// The query that stands in front of a `MATCH_RECOGNIZE`; the span is that of the table's name in the tree.
    pub fn match_input(&self, name: Span) -> Option<&QuerySyntax> {
        self.match_inputs.get(name.start)
    }

    /// `RUNNING` or `FINAL` before the expression at this span.
    pub fn semantics_at(&self, expr: Span) -> Option<MeasureSemantics> {
        self.semantics.get(expr.start).copied()
    }
}
