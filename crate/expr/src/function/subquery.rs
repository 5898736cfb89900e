//! Sub-queries inside expressions, and what they read of the query around them. Optimization turns them into joins;
//! nothing of this is ever computed.
//!
//! The first argument of a sub-query is the number of the node's input that is the sub-query, the second of
//! [`OUTER_COLUMN`] a column of the query around it, which its first argument names.

use super::{Eval, FunctionDef, Resolve, definition::Family::Logic};

/// `a IN (SELECT …)`: sub-query, operands.
pub const IN_QUERY: &str = "$IN";
/// `EXISTS (SELECT …)`: sub-query.
pub const EXISTS_QUERY: &str = "EXISTS";
/// `(SELECT …)` as a value: sub-query.
pub const SCALAR_QUERY: &str = "$SCALAR_QUERY";
/// `a > SOME (SELECT …)`: sub-query, the comparison as a symbol, operand.
pub const SOME_QUERY: &str = "$SOME";
/// A column of the query around: number of that query, column.
pub const OUTER_COLUMN: &str = "$cor";

/// Whether calls of this name are a sub-query or read the query around one.
pub fn is_sub_query(name: &str) -> bool {
    [IN_QUERY, EXISTS_QUERY, SCALAR_QUERY, SOME_QUERY, OUTER_COLUMN].contains(&name)
}

const fn row(name: &'static str) -> FunctionDef {
    FunctionDef::new(name, Logic, Resolve::Internal, Eval::Never, ["", ""]).sees_nulls()
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(IN_QUERY),
    row(EXISTS_QUERY),
    row(SCALAR_QUERY),
    row(SOME_QUERY),
    row(OUTER_COLUMN),
];
