//! Statements about catalogs and models, and ALTER DATABASE.

use super::{ObjectName, TableOption};

/// A statement whose object has a name and options, and nothing else that matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogStatement {
    /// What is done.
    pub action: CatalogAction,
    /// To what.
    pub name: ObjectName,
    /// `IF NOT EXISTS` or `IF EXISTS` is written.
    pub conditional: bool,
    /// `WITH (…)` or `SET (…)`, in order.
    pub options: Vec<TableOption>,
    /// What stands behind the name, as Flink repeats it: ` COMMENT 'it'`.
    pub rest: String,
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
    /// `DESCRIBE CATALOG`, `SHOW CREATE CATALOG`
    DescribeCatalog,
    /// `ALTER DATABASE`
    AlterDatabase,
    /// `CREATE MODEL`
    CreateModel,
    /// `DROP MODEL`
    DropModel,
}
