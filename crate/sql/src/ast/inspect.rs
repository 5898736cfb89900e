//! EXPLAIN, DESCRIBE, SHOW, SET, RESET, USE.

use sg_diag::Span;

use super::{Ident, ObjectName, Statement, TableOption, Text};

/// `EXPLAIN [PLAN FOR | detail, …] statement`
#[derive(Clone, Debug, PartialEq)]
pub struct Explain {
    /// What is wanted beside the plans.
    pub details: Vec<ExplainDetail>,
    /// A query, an INSERT, a statement set, or CREATE TABLE … AS.
    pub statement: Statement,
    /// Where that statement stands.
    pub span: Span,
}

/// A detail of EXPLAIN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplainDetail {
    /// `ESTIMATED_COST`
    EstimatedCost,
    /// `CHANGELOG_MODE`
    ChangelogMode,
    /// `PLAN_ADVICE`
    PlanAdvice,
    /// `JSON_EXECUTION_PLAN`
    JsonExecutionPlan,
}

/// `DESCRIBE [FUNCTION] [EXTENDED] name`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Describe {
    /// The table or view, or the function.
    pub table: ObjectName,
    /// `FUNCTION` is written.
    pub function: bool,
    /// `EXTENDED` is written.
    pub extended: bool,
}

/// `SHOW …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Show {
    /// What is listed.
    pub kind: ShowKind,
    /// `[NOT] LIKE 'pattern'`
    pub filter: Option<ShowFilter>,
}

/// What SHOW lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShowKind {
    /// `TABLES [FROM database]`
    Tables(Option<ObjectName>),
    /// `VIEWS [FROM database]`
    Views(Option<ObjectName>),
    /// `CATALOGS`
    Catalogs,
    /// `DATABASES [FROM catalog]`
    Databases(Option<ObjectName>),
    /// `CURRENT CATALOG`
    CurrentCatalog,
    /// `CURRENT DATABASE`
    CurrentDatabase,
    /// `[USER] FUNCTIONS [FROM database]`
    Functions {
        /// Only those of the session.
        user: bool,
        /// Of which database.
        from: Option<ObjectName>,
    },
    /// `[FULL] MODULES`
    Modules {
        /// With those not in use.
        full: bool,
    },
    /// `COLUMNS FROM table`
    Columns(ObjectName),
    /// `CREATE TABLE table`
    CreateTable(ObjectName),
    /// `CREATE VIEW view`
    CreateView(ObjectName),
    /// `JARS`
    Jars,
    /// `MODELS [FROM database]`
    Models(Option<ObjectName>),
    /// `PARTITIONS table`
    Partitions(ObjectName),
}

/// `[NOT] LIKE|ILIKE 'pattern'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowFilter {
    /// The pattern.
    pub pattern: Text,
    /// `NOT` is written.
    pub negated: bool,
    /// `ILIKE` is written.
    pub ignores_case: bool,
}

/// `SET` or `SET 'key' = 'value'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// `None` lists all settings.
    pub option: Option<TableOption>,
}

/// `RESET` or `RESET 'key'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// `None` resets all settings.
    pub key: Option<Text>,
}

/// `USE …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// What is chosen.
    pub kind: UseKind,
}

/// What USE chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// `USE [catalog.]database`
    Database(ObjectName),
    /// `USE CATALOG catalog`
    Catalog(Ident),
    /// `USE MODULES a, b`
    Modules(Vec<Ident>),
}
