//! The tree of a query: what plain SQL there is in a statement, with the spans that its nodes carry.
//!
//! Constructs that only Flink has are reserved calls ([`crate::reserved`]) or stand in the side table
//! ([`crate::SideTable`]); the whole span of a node comes from [`crate::Spans`]. Names follow the SQL standard.

mod call;
mod expr;
mod matching;
mod table;

use std::fmt;

use sg_diag::Span;

pub use call::{
    DuplicateTreatment, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArgumentList,
    FunctionArguments, NamedWindowDefinition, NamedWindowExpr, NullTreatment, WindowFrame, WindowFrameBound,
    WindowFrameUnits, WindowSpec, WindowType,
};
pub use expr::{
    AccessExpr, BinaryOperator, CaseWhen, CeilFloorKind, DataType, DateTimeField, Expr, InTarget, Interval,
    JsonPredicateType, TrimWhereField, TypedString, UnaryOperator, Value, ValueWithSpan,
};
pub use matching::{
    AfterMatchSkip, EmptyMatchesMode, MatchRecognizePattern, MatchRecognizeSymbol, Measure,
    RepetitionQuantifier, RowsPerMatch, SymbolDefinition,
};
pub use table::{
    Join, JoinConstraint, JoinOperator, TableAlias, TableAliasColumnDef, TableFactor, TableWithJoins,
};

/// A name.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// Without quotes.
    pub value: String,
    /// The quote it was written in.
    pub quote_style: Option<char>,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// A name of several parts: `catalog.database.table`.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectName(pub Vec<Ident>);

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.quote_style {
            Some(quote) => write!(f, "{quote}{}{quote}", self.value),
            None => f.write_str(&self.value),
        }
    }
}

impl fmt::Display for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            part.fmt(f)?;
        }
        Ok(())
    }
}

/// A query: a body with what stands around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// `WITH …`
    pub with: Option<With>,
    /// SELECT, VALUES, or such joined by set operators.
    pub body: Box<SetExpr>,
    /// `ORDER BY …`
    pub order_by: Vec<OrderByExpr>,
    /// `LIMIT n`; LIMIT ALL is none.
    pub limit: Option<Expr>,
    /// `OFFSET n [ROWS]`
    pub offset: Option<Expr>,
    /// `FETCH FIRST n ROWS ONLY`
    pub fetch: Option<Fetch>,
}

/// `WITH a AS (…), …`
#[derive(Clone, Debug, PartialEq)]
pub struct With {
    /// The word WITH.
    pub with_token: Span,
    /// `WITH RECURSIVE`
    pub recursive: bool,
    /// The queries that get names.
    pub cte_tables: Vec<Cte>,
}

/// `name (columns) AS (query)`
#[derive(Clone, Debug, PartialEq)]
pub struct Cte {
    /// Its name, and names for its columns.
    pub alias: TableAlias,
    /// The query.
    pub query: Box<Query>,
}

/// `FETCH FIRST n ROWS ONLY`
#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    /// How many rows; one where nothing is said.
    pub quantity: Option<Expr>,
}

/// The body of a query.
#[derive(Clone, Debug, PartialEq)]
pub enum SetExpr {
    /// `SELECT …`
    Select(Box<Select>),
    /// `(query)`
    Query(Box<Query>),
    /// `left UNION [ALL] right` and its like.
    SetOperation {
        /// UNION, EXCEPT, INTERSECT or MINUS.
        op: SetOperator,
        /// ALL or DISTINCT.
        set_quantifier: SetQuantifier,
        /// What stands before the operator.
        left: Box<Self>,
        /// What stands behind it.
        right: Box<Self>,
    },
    /// `VALUES …`
    Values(Values),
    /// `TABLE t`
    Table(ObjectName),
}

/// A set operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOperator {
    /// UNION
    Union,
    /// EXCEPT
    Except,
    /// INTERSECT
    Intersect,
    /// MINUS, which is refused.
    Minus,
}

/// What becomes of equal rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetQuantifier {
    /// ALL
    All,
    /// DISTINCT
    Distinct,
    /// Nothing is said, which means DISTINCT.
    None,
}

/// `VALUES (1, 2), (3, 4)`
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// `ROW(1, 2)` was written.
    pub explicit_row: bool,
    /// The rows.
    pub rows: Vec<Parens<Vec<Expr>>>,
}

/// Something in parentheses.
#[derive(Clone, Debug, PartialEq)]
pub struct Parens<T> {
    /// The parenthesis before it, or its first token where there is none.
    pub opening_token: Span,
    /// What stands inside.
    pub content: T,
    /// The parenthesis behind it, or its last token where there is none.
    pub closing_token: Span,
}

/// `SELECT …` up to its last clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    /// The word SELECT.
    pub select_token: Span,
    /// `SELECT DISTINCT`
    pub distinct: bool,
    /// What is selected.
    pub projection: Vec<SelectItem>,
    /// `FROM …`; empty without.
    pub from: Vec<TableWithJoins>,
    /// `WHERE …`
    pub selection: Option<Expr>,
    /// `GROUP BY …`; empty without.
    pub group_by: Vec<Expr>,
    /// `HAVING …`
    pub having: Option<Expr>,
    /// `WINDOW …`
    pub named_window: Vec<NamedWindowDefinition>,
    /// `QUALIFY …`
    pub qualify: Option<Expr>,
}

/// One item of a select list.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectItem {
    /// `a`
    UnnamedExpr(Expr),
    /// `a AS b`
    ExprWithAlias {
        /// What is selected.
        expr: Expr,
        /// Its name.
        alias: Ident,
    },
    /// `t.*`, `(row).*`; the star's span.
    QualifiedWildcard(SelectItemQualifiedWildcardKind, Span),
    /// `*`; the star's span.
    Wildcard(Span),
}

/// What stands before `.*`.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectItemQualifiedWildcardKind {
    /// A table.
    ObjectName(ObjectName),
    /// A row.
    Expr(Expr),
}

/// A key to sort by.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderByExpr {
    /// The key.
    pub expr: Expr,
    /// How.
    pub options: OrderByOptions,
}

/// How to sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderByOptions {
    /// ASC or DESC.
    pub sort: Option<OrderBySort>,
    /// NULLS FIRST or NULLS LAST.
    pub nulls_first: Option<bool>,
}

/// The direction of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBySort {
    /// ASC
    Asc,
    /// DESC
    Desc,
}
