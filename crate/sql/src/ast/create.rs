//! CREATE and DROP.

use sg_diag::Span;

use super::{ExprSyntax, Ident, ObjectName, QuerySyntax, Text, TypeSyntax};

/// What becomes of a table that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// CREATE TABLE: it stays.
    Never,
    /// CREATE OR REPLACE TABLE
    OrCreate,
    /// REPLACE TABLE: there has to be one.
    Existing,
}

/// `CREATE [OR REPLACE] [TEMPORARY] TABLE [IF NOT EXISTS] name …`
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTable {
    /// The new table's name.
    pub name: ObjectName,
    /// `TEMPORARY` is written.
    pub temporary: bool,
    /// What becomes of a table of this name.
    pub replace: Replace,
    /// `IF NOT EXISTS` is written.
    pub if_not_exists: bool,
    /// Columns in order.
    pub columns: Vec<Column>,
    /// `WATERMARK FOR … AS …`, at most one.
    pub watermark: Option<Watermark>,
    /// The primary key, wherever it is written.
    pub primary_key: Option<PrimaryKey>,
    /// `COMMENT '…'`
    pub comment: Option<Text>,
    /// `DISTRIBUTED …`
    pub distribution: Option<Distribution>,
    /// `PARTITIONED BY (…)`
    pub partitioned_by: Vec<Ident>,
    /// `WITH (…)`, in order.
    pub options: Vec<TableOption>,
    /// The whole WITH clause.
    pub options_span: Option<Span>,
    /// `LIKE other (…)`
    pub like: Option<Like>,
    /// `AS query`
    pub as_query: Option<QuerySyntax>,
}

/// A column of CREATE TABLE.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: Ident,
    /// Physical, computed, metadata, or only named.
    pub kind: ColumnKind,
    /// `COMMENT '…'`
    pub comment: Option<Text>,
    /// The whole definition.
    pub span: Span,
}

/// Where a column's values come from.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    /// `name type`
    Physical(TypeSyntax),
    /// `name AS expression`
    Computed(ExprSyntax),
    /// `name type METADATA [FROM 'key'] [VIRTUAL]`
    Metadata {
        /// The declared type.
        data_type: TypeSyntax,
        /// The key in the connector; the column's name if not written.
        key: Option<Text>,
        /// True if the column is not written to a sink.
        is_virtual: bool,
    },
    /// `name` alone, in CREATE TABLE … AS query.
    Named,
}

/// `WATERMARK FOR column AS expression`
#[derive(Clone, Debug, PartialEq)]
pub struct Watermark {
    /// The column, or the path to a nested field.
    pub column: Vec<Ident>,
    /// The watermark expression.
    pub expr: ExprSyntax,
    /// The whole clause.
    pub span: Span,
}

/// `[CONSTRAINT name] PRIMARY KEY (columns) NOT ENFORCED`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimaryKey {
    /// The constraint's name.
    pub constraint: Option<Ident>,
    /// Key columns in order.
    pub columns: Vec<Ident>,
    /// False where `ENFORCED` is written or nothing; Flink then refuses the table.
    pub not_enforced: bool,
    /// The whole clause.
    pub span: Span,
}

/// `DISTRIBUTED [BY [HASH|RANGE] (columns)] [INTO n BUCKETS]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// How rows go to buckets.
    pub kind: DistributionKind,
    /// Distribution columns.
    pub columns: Vec<Ident>,
    /// Number of buckets.
    pub buckets: Option<u32>,
    /// The whole clause.
    pub span: Span,
}

/// How a table's rows are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistributionKind {
    /// Nothing written: the connector decides.
    Unknown,
    /// `HASH`
    Hash,
    /// `RANGE`
    Range,
}

/// `'key' = 'value'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOption {
    /// The key.
    pub key: Text,
    /// The value.
    pub value: Text,
}

/// `LIKE other (INCLUDING … EXCLUDING …)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Like {
    /// The table that is taken as a model.
    pub table: ObjectName,
    /// What is taken from it, in order.
    pub options: Vec<LikeOption>,
    /// The whole clause.
    pub span: Span,
}

/// One option of LIKE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikeOption {
    /// How.
    pub merge: LikeMerge,
    /// Of what.
    pub feature: LikeFeature,
    /// Where it stands.
    pub span: Span,
}

/// What happens to a feature of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeMerge {
    /// Taken; a clash is an error.
    Including,
    /// Left out.
    Excluding,
    /// Taken; the new table's own wins.
    Overwriting,
}

/// A part of a table that LIKE can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeFeature {
    /// Everything.
    All,
    /// Primary key.
    Constraints,
    /// Distribution.
    Distribution,
    /// Computed columns.
    Generated,
    /// Metadata columns.
    Metadata,
    /// WITH options.
    Options,
    /// Partition columns.
    Partitions,
    /// Watermark.
    Watermarks,
}

/// `CREATE [OR REPLACE] [TEMPORARY] VIEW [IF NOT EXISTS] name [(columns)] [COMMENT '…'] AS query`
#[derive(Clone, Debug, PartialEq)]
pub struct CreateView {
    /// The new view's name.
    pub name: ObjectName,
    /// `TEMPORARY` is written.
    pub temporary: bool,
    /// `OR REPLACE` is written (Flink reads and ignores it).
    pub or_replace: bool,
    /// `IF NOT EXISTS` is written.
    pub if_not_exists: bool,
    /// New names for the columns; empty if not written.
    pub columns: Vec<ViewColumn>,
    /// `COMMENT '…'`
    pub comment: Option<Text>,
    /// What the view shows.
    pub query: QuerySyntax,
}

/// A column name of CREATE VIEW.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewColumn {
    /// The name.
    pub name: Ident,
    /// `COMMENT '…'`
    pub comment: Option<Text>,
}

/// `CREATE DATABASE [IF NOT EXISTS] [catalog.]name [COMMENT '…'] [WITH (…)]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateDatabase {
    /// The new database's name, perhaps with its catalog.
    pub name: ObjectName,
    /// `IF NOT EXISTS` is written.
    pub if_not_exists: bool,
    /// `COMMENT '…'`
    pub comment: Option<Text>,
    /// `WITH (…)`, in order.
    pub options: Vec<TableOption>,
}

/// `DROP [TEMPORARY] TABLE|VIEW|DATABASE [IF EXISTS] name [RESTRICT|CASCADE]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drop {
    /// Table or view.
    pub kind: DropKind,
    /// Which.
    pub name: ObjectName,
    /// `TEMPORARY` is written.
    pub temporary: bool,
    /// `IF EXISTS` is written.
    pub if_exists: bool,
    /// `CASCADE` is written; only a database takes it.
    pub cascade: bool,
}

/// What DROP takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropKind {
    /// A table.
    Table,
    /// A view.
    View,
    /// A database.
    Database,
}
