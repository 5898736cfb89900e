//! Clauses of the JSON functions.

use super::TypeSyntax;

/// A clause of a JSON function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonClause {
    /// `RETURNING type`
    Returning(TypeSyntax),
    /// `… ON EMPTY`
    OnEmpty(JsonBehavior),
    /// `… ON ERROR`
    OnError(JsonBehavior),
    /// `… WRAPPER`
    Wrapper(JsonWrapper),
    /// `NULL ON NULL`
    NullOnNull,
    /// `ABSENT ON NULL`
    AbsentOnNull,
}

/// What a JSON function gives where there is nothing or where it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonBehavior {
    /// `NULL`
    Null,
    /// `ERROR`
    Error,
    /// `DEFAULT expression`; the expression is the clause's argument.
    Default,
    /// `EMPTY ARRAY`
    EmptyArray,
    /// `EMPTY OBJECT`
    EmptyObject,
    /// `TRUE`
    True,
    /// `FALSE`
    False,
    /// `UNKNOWN`
    Unknown,
}

/// Whether `JSON_QUERY` puts its result into an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonWrapper {
    /// `WITHOUT [ARRAY] WRAPPER`
    Without,
    /// `WITH CONDITIONAL [ARRAY] WRAPPER`
    Conditional,
    /// `WITH [UNCONDITIONAL] [ARRAY] WRAPPER`
    Unconditional,
}
