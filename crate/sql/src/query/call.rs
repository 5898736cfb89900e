//! Calls and windows.

use sg_diag::Span;

use super::{Expr, Ident, ObjectName, OrderByExpr, Query};

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: ObjectName,
    /// `{fn f(x)}` was written.
    pub uses_odbc_syntax: bool,
    /// Its arguments.
    pub args: FunctionArguments,
    /// `FILTER (WHERE …)`
    pub filter: Option<Expr>,
    /// IGNORE NULLS or RESPECT NULLS
    pub null_treatment: Option<NullTreatment>,
    /// `OVER …`
    pub over: Option<WindowType>,
    /// `WITHIN GROUP (ORDER BY …)`
    pub within_group: Vec<OrderByExpr>,
}

/// What stands in the parentheses of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionArguments {
    /// There are none: `CURRENT_DATE`.
    None,
    /// A query: `ARRAY(SELECT …)`.
    Subquery(Box<Query>),
    /// Arguments.
    List(FunctionArgumentList),
}

/// Arguments with what is said about them.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionArgumentList {
    /// ALL or DISTINCT
    pub duplicate_treatment: Option<DuplicateTreatment>,
    /// The arguments.
    pub args: Vec<FunctionArg>,
    /// Clauses behind them.
    pub clauses: Vec<FunctionArgumentClause>,
}

/// What becomes of equal arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicateTreatment {
    /// DISTINCT
    Distinct,
    /// ALL
    All,
}

/// A clause behind the arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionArgumentClause {
    /// `ORDER BY …`
    OrderBy(Vec<OrderByExpr>),
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionArg {
    /// `name => a`
    Named {
        /// The parameter.
        name: Ident,
        /// The argument.
        arg: FunctionArgExpr,
    },
    /// `a`
    Unnamed(FunctionArgExpr),
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionArgExpr {
    /// An expression.
    Expr(Expr),
    /// `t.*`
    QualifiedWildcard(ObjectName),
    /// `*`
    Wildcard,
}

/// What a window function does with NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullTreatment {
    /// IGNORE NULLS
    IgnoreNulls,
    /// RESPECT NULLS
    RespectNulls,
}

/// What stands behind OVER.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowType {
    /// `(…)`
    WindowSpec(WindowSpec),
    /// The name of a window.
    NamedWindow(Ident),
}

/// `name AS (…)` of the WINDOW clause.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedWindowDefinition(pub Ident, pub NamedWindowExpr);

/// What a window's name stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum NamedWindowExpr {
    /// The name of another window.
    NamedWindow(Ident),
    /// `(…)`
    WindowSpec(WindowSpec),
}

/// `(PARTITION BY … ORDER BY … ROWS …)`
#[derive(Clone, Debug, PartialEq)]
pub struct WindowSpec {
    /// The window that it is made from.
    pub window_name: Option<Ident>,
    /// `PARTITION BY …`
    pub partition_by: Vec<Expr>,
    /// `ORDER BY …`
    pub order_by: Vec<OrderByExpr>,
    /// `ROWS …`
    pub window_frame: Option<WindowFrame>,
    /// `DISALLOW PARTIAL`
    pub disallow_partial: Option<Span>,
    /// With its parentheses.
    pub span: Span,
}

/// `ROWS BETWEEN … AND …`
#[derive(Clone, Debug, PartialEq)]
pub struct WindowFrame {
    /// What is counted.
    pub units: WindowFrameUnits,
    /// Where it begins.
    pub start_bound: WindowFrameBound,
    /// Where it ends; at the current row where nothing is said.
    pub end_bound: Option<WindowFrameBound>,
    /// Of the units, the beginning, and the end.
    pub spans: [Span; 3],
}

/// What a frame counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowFrameUnits {
    /// ROWS
    Rows,
    /// RANGE
    Range,
}

/// An end of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowFrameBound {
    /// CURRENT ROW
    CurrentRow,
    /// `a PRECEDING`, UNBOUNDED PRECEDING
    Preceding(Option<Box<Expr>>),
    /// `a FOLLOWING`, UNBOUNDED FOLLOWING
    Following(Option<Box<Expr>>),
}
