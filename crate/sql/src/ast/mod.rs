//! Statements of Flink SQL as syntax: nothing is resolved or checked against a catalog.

mod alter;
mod catalog;
mod create;
mod dml;
mod function;
mod inspect;
mod json;
mod types;

pub use alter::{AlterAction, AlterTable, AlterView, ElementPosition, PartitionChange, PositionedElement};
pub use catalog::{CatalogAction, CatalogAlteration, CatalogStatement, ModelColumn};
pub use create::{
    Column, ColumnKind, CreateDatabase, CreateTable, CreateView, Distribution, DistributionKind, Drop,
    DropKind, Like, LikeFeature, LikeMerge, LikeOption, PrimaryKey, Replace, TableOption, ViewColumn,
    Watermark,
};
pub use dml::{Insert, OnConflict, PartitionValue, QuerySyntax, StatementSet};
pub use function::{FunctionAction, FunctionScope, FunctionStatement};
pub use inspect::{Describe, Explain, ExplainDetail, Reset, Set, Show, ShowFilter, ShowKind, Use, UseKind};
pub use json::{JsonBehavior, JsonClause, JsonWrapper};
use sg_diag::Span;
pub use types::{IntervalSyntax, RowField, TimeUnit, TypeKind, TypeSyntax};

use std::rc::Rc;

use crate::query;

/// A statement. Each variant holds one struct.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `CREATE TABLE`
    CreateTable(Box<CreateTable>),
    /// `CREATE VIEW`
    CreateView(Box<CreateView>),
    /// `CREATE DATABASE`
    CreateDatabase(CreateDatabase),
    /// `DROP TABLE`, `DROP VIEW`, `DROP DATABASE`
    Drop(Drop),
    /// `ALTER TABLE`
    AlterTable(Box<AlterTable>),
    /// `ALTER VIEW`
    AlterView(Box<AlterView>),
    /// `CREATE FUNCTION`, `ALTER FUNCTION`, `DROP FUNCTION`
    Function(Box<FunctionStatement>),
    /// `CREATE CATALOG`, `CREATE MODEL`, `ALTER DATABASE` …
    Catalog(Box<CatalogStatement>),
    /// `SET`
    Set(Set),
    /// `RESET`
    Reset(Reset),
    /// `USE`
    Use(Use),
    /// `INSERT INTO`
    Insert(Box<Insert>),
    /// `EXECUTE STATEMENT SET BEGIN … END`
    StatementSet(StatementSet),
    /// `EXPLAIN`
    Explain(Box<Explain>),
    /// `DESCRIBE`
    Describe(Describe),
    /// `SHOW`
    Show(Show),
    /// A query by itself.
    Query(Box<QuerySyntax>),
}

/// A name as written, without its backquotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name; case matters.
    pub name: String,
    /// Where it stands, backquotes included.
    pub span: Span,
}

/// A name of up to three parts: `[catalog.][database.]object`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectName {
    /// The parts, the object last; one to three.
    pub parts: Vec<Ident>,
    /// All parts together.
    pub span: Span,
}

impl ObjectName {
    /// The last part, the object's own name.
    pub fn object(&self) -> &str {
        self.parts.last().map_or("", |part| part.name.as_str())
    }
}

/// A quoted string as written in DDL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The value.
    pub value: String,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// An expression inside a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprSyntax {
    /// The tree.
    pub expr: Rc<query::Expr>,
    /// Where it stands.
    pub span: Span,
}
