//! `MATCH_RECOGNIZE`: a pattern over rows in order, and what is said about the rows that it takes.
//!
//! Conditions and measures are expressions over *references*: what they read of the rows that a match has taken so far,
//! each a column of its own. So everything that knows expressions works on them as well.

use std::rc::Rc;

use sg_expr::{AggregateCall, Expr};
use sg_value::DataType;

/// A pattern over the rows of each partition. Output: the partition columns, then the measures.
#[derive(Clone, Debug)]
pub struct MatchNode {
    /// PARTITION BY columns.
    pub partition: Vec<u32>,
    /// ORDER BY columns, the first of them a time attribute; `true` is DESC.
    pub order: Vec<(u32, bool)>,
    /// Event time or processing time.
    pub rowtime: bool,
    /// Names of the pattern variables; those that are only defined stand behind those of the pattern.
    pub variables: Vec<Rc<str>>,
    /// What has to come, in this order, nothing in between.
    pub pattern: Vec<PatternItem>,
    /// SUBSET: names for several variables.
    pub subsets: Vec<(Rc<str>, Vec<u32>)>,
    /// What a row has to meet to be taken by a variable, in the order in which it is written.
    pub define: Vec<(u32, Expr)>,
    /// The measures, over the references.
    pub measures: Vec<Expr>,
    /// What conditions and measures read.
    pub references: Vec<Reference>,
    /// AFTER MATCH SKIP
    pub after: AfterMatch,
    /// WITHIN as written, for the plan text.
    pub within: Option<Expr>,
    /// WITHIN, milliseconds.
    pub within_ms: Option<i64>,
}

/// A variable of a pattern with its quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternItem {
    /// The variable.
    pub variable: u32,
    /// How often it comes at least.
    pub min: u32,
    /// How often it comes at most; `None` without an end.
    pub max: Option<u32>,
    /// Whether a quantifier is written.
    pub quantified: bool,
    /// `*?`: as few rows as possible.
    pub reluctant: bool,
}

impl PatternItem {
    /// Whether it takes every row that it can, so that the next variable gets none of them.
    ///
    /// Flink: `PatternVisitor.applyQuantifier`.
    pub fn is_greedy(&self) -> bool {
        self.quantified && !self.reluctant && !self.is_optional_one() && Some(self.min) != self.max
    }

    /// `?`
    pub fn is_optional_one(&self) -> bool {
        (self.min, self.max) == (0, Some(1))
    }
}

/// Where the search goes on after a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterMatch {
    /// PAST LAST ROW
    PastLastRow,
    /// TO NEXT ROW
    ToNextRow,
    /// TO FIRST variable
    ToFirst(u32),
    /// TO LAST variable
    ToLast(u32),
}

/// What an expression reads of the rows of a match.
#[derive(Clone, Debug)]
pub struct Reference {
    /// What it reads.
    pub kind: ReferenceKind,
    /// Its type; that of a time attribute until attributes are materialised.
    pub data_type: DataType,
}

/// The kinds of references.
#[derive(Clone, Debug)]
pub enum ReferenceKind {
    /// A column of one row.
    Field {
        /// Of which rows.
        rows: RowsOf,
        /// The input column.
        column: u32,
        /// LAST(…, n) or FIRST(…, n); without one the last row.
        offset: Option<Offset>,
    },
    /// An aggregate over rows.
    Aggregate {
        /// Of which rows.
        rows: RowsOf,
        /// The call; its arguments are columns from 0 on.
        call: Box<AggregateCall>,
        /// The arguments over the input columns; none for `COUNT(*)`.
        arguments: Vec<Expr>,
        /// Whether a condition's text shows its columns bare.
        bare: bool,
    },
    /// `MATCH_ROWTIME()`, or of a column of a variable.
    Rowtime(Option<(Rc<str>, u32)>),
    /// `MATCH_PROCTIME()`
    Proctime,
}

/// A place among the rows of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// From the first row on; else from the last one back.
    pub from_first: bool,
    /// How many rows further.
    pub rows: u32,
}

/// Rows of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsOf {
    /// The name that is written; `*` for all rows.
    pub name: Rc<str>,
    /// The variables; all of them if empty.
    pub variables: Vec<u32>,
}
