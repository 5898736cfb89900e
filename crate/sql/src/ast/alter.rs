//! ALTER TABLE and ALTER VIEW.

use sg_diag::Span;

use super::{
    Column, Distribution, Ident, ObjectName, PartitionValue, PrimaryKey, QuerySyntax, TableOption, Text,
    Watermark,
};

/// `ALTER TABLE [IF EXISTS] name action`
#[derive(Clone, Debug, PartialEq)]
pub struct AlterTable {
    /// Which table.
    pub name: ObjectName,
    /// `IF EXISTS` is written.
    pub if_exists: bool,
    /// What changes.
    pub action: AlterAction,
}

/// What ALTER TABLE changes.
#[derive(Clone, Debug, PartialEq)]
pub enum AlterAction {
    /// `RENAME TO new`
    RenameTable(ObjectName),
    /// `RENAME old TO new`
    RenameColumn(Ident, Ident),
    /// `SET ('key' = 'value', …)`
    SetOptions(Vec<TableOption>),
    /// `RESET ('key', …)`
    ResetOptions(Vec<Text>),
    /// `ADD element` or `ADD (element, …)`
    Add(Vec<PositionedElement>),
    /// `MODIFY element` or `MODIFY (element, …)`
    Modify(Vec<PositionedElement>),
    /// `DROP column` or `DROP (column, …)`
    DropColumns(Vec<Ident>),
    /// `DROP PRIMARY KEY`
    DropPrimaryKey(Span),
    /// `DROP CONSTRAINT name`
    DropConstraint(Ident),
    /// `DROP WATERMARK`
    DropWatermark(Span),
    /// `DROP DISTRIBUTION`
    DropDistribution(Span),
    /// `ADD PARTITION (…) …` and `DROP PARTITION (…), …`
    Partitions(PartitionChange),
}

/// Partitions that come or go.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionChange {
    /// ADD.
    pub added: bool,
    /// `IF NOT EXISTS`, `IF EXISTS`
    pub conditional: bool,
    /// Their values, and their options.
    pub partitions: Vec<(Vec<PartitionValue>, Vec<TableOption>)>,
}

/// An element that ALTER TABLE adds or changes.
#[derive(Clone, Debug, PartialEq)]
pub enum PositionedElement {
    /// A column, and where it goes.
    Column(Column, ElementPosition),
    /// A watermark.
    Watermark(Watermark),
    /// A primary key.
    PrimaryKey(PrimaryKey),
    /// A distribution.
    Distribution(Distribution),
}

/// Where a column goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementPosition {
    /// To the end (ADD), or where it is (MODIFY).
    Default,
    /// `FIRST`
    First,
    /// `AFTER column`
    After(Ident),
}

/// `ALTER VIEW name RENAME TO new` or `ALTER VIEW name AS query`
#[derive(Clone, Debug, PartialEq)]
pub enum AlterView {
    /// Another name.
    Rename {
        /// Which view.
        name: ObjectName,
        /// Its new name.
        to: ObjectName,
    },
    /// Another query.
    Query {
        /// Which view.
        name: ObjectName,
        /// What it shows from then on.
        query: QuerySyntax,
    },
}
