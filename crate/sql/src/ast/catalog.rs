//! Statements about catalogs and models, and ALTER DATABASE.

use super::{Ident, ObjectName, TableOption, Text, TypeSyntax};

/// A statement about a catalog, a database or a model.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogStatement {
    /// What is done.
    pub action: CatalogAction,
    /// To what.
    pub name: ObjectName,
    /// `IF NOT EXISTS` or `IF EXISTS` is written.
    pub conditional: bool,
    /// `TEMPORARY` is written.
    pub temporary: bool,
    /// `INPUT (…)` and `OUTPUT (…)` of a model.
    pub columns: [Vec<ModelColumn>; 2],
    /// `COMMENT '…'`
    pub comment: Option<Text>,
    /// `WITH (…)` or `SET (…)`, in order.
    pub options: Vec<TableOption>,
    /// What ALTER does.
    pub change: Option<CatalogAlteration>,
}

/// A column of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelColumn {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub data_type: TypeSyntax,
    /// `COMMENT '…'`
    pub comment: Option<Text>,
}

/// What ALTER does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogAlteration {
    /// `SET (…)`
    Set,
    /// `RESET ('key', …)`
    Reset(Vec<Text>),
    /// `COMMENT '…'`
    Comment,
    /// `RENAME TO name`
    Rename(ObjectName),
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogAction {
    /// `CREATE CATALOG`
    CreateCatalog,
    /// `ALTER CATALOG`
    AlterCatalog,
    /// `DROP CATALOG`
    DropCatalog,
    /// `DESCRIBE CATALOG`, with `EXTENDED` or not
    DescribeCatalog(bool),
    /// `SHOW CREATE CATALOG`
    ShowCreateCatalog,
    /// `ALTER DATABASE`
    AlterDatabase,
    /// `CREATE MODEL`
    CreateModel,
    /// `ALTER MODEL`
    AlterModel,
    /// `DROP MODEL`
    DropModel,
    /// `DESCRIBE MODEL`
    DescribeModel,
    /// `SHOW CREATE MODEL`
    ShowCreateModel,
}
