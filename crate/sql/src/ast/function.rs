//! CREATE, ALTER and DROP FUNCTION.

use super::{Ident, ObjectName, Text};

/// `CREATE|ALTER|DROP [TEMPORARY [SYSTEM]] FUNCTION [IF [NOT] EXISTS] name [AS 'text' [LANGUAGE word]]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionStatement {
    /// What is done.
    pub action: FunctionAction,
    /// Where the function lives.
    pub scope: FunctionScope,
    /// `IF NOT EXISTS`, or `IF EXISTS` of the other two, is written.
    pub if_exists: bool,
    /// Its name.
    pub name: ObjectName,
    /// Behind AS; DROP has none.
    pub source: Option<Text>,
    /// Behind LANGUAGE.
    pub language: Option<Ident>,
}

/// What is done with a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionAction {
    /// CREATE
    Create,
    /// ALTER
    Alter,
    /// DROP
    Drop,
}

/// Where a function lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionScope {
    /// In a database.
    Catalog,
    /// `TEMPORARY`: in a database, of the session only.
    Temporary,
    /// `TEMPORARY SYSTEM`: in no database, before the built-in ones.
    System,
}
