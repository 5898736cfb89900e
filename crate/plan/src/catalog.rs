//! Tables and views that statements have declared, and the session's settings.

use std::rc::Rc;

use indexmap::IndexMap;
use sg_diag::Span;
use sg_expr::Expr;
use sg_sql::{SideTable, Spans};
use sg_value::Field;

/// The one catalog there is.
pub const DEFAULT_CATALOG: &str = "default_catalog";
/// The one database there is.
pub const DEFAULT_DATABASE: &str = "default_database";

/// What names can mean.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Tables and views by name, in order of declaration. All live in `default_catalog.default_database`.
    pub objects: IndexMap<Rc<str>, CatalogObject>,
    /// `SET 'key' = 'value'`.
    pub settings: IndexMap<String, String>,
}

impl Catalog {
    /// The table or view of this name; case matters.
    pub fn object(&self, name: &str) -> Option<&CatalogObject> {
        self.objects.get(name)
    }

    /// The table of this name, `None` for a view too.
    pub fn table(&self, name: &str) -> Option<&Rc<Table>> {
        match self.objects.get(name) {
            Some(CatalogObject::Table(table)) => Some(table),
            _ => None,
        }
    }
}

/// A table or a view.
#[derive(Clone, Debug)]
pub enum CatalogObject {
    /// CREATE TABLE
    Table(Rc<Table>),
    /// CREATE VIEW
    View(Rc<View>),
}

impl CatalogObject {
    /// Where it was declared.
    pub fn span(&self) -> Span {
        match self {
            Self::Table(table) => table.span,
            Self::View(view) => view.span,
        }
    }
}

/// A declared table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name as declared.
    pub name: Rc<str>,
    /// All columns in order; a rowtime column carries its time attribute in the type.
    pub columns: Vec<Column>,
    /// WATERMARK FOR …
    pub watermark: Option<Watermark>,
    /// PRIMARY KEY (…) NOT ENFORCED, as column numbers.
    pub primary_key: Option<Vec<u32>>,
    /// WITH ('key' = 'value') in order.
    pub options: IndexMap<String, String>,
    /// Places of the options, as far as they are written in this script.
    pub option_spans: IndexMap<String, OptionSpan>,
    /// COMMENT '…'
    pub comment: Option<Rc<str>>,
    /// PARTITIONED BY columns.
    pub partitioned_by: Vec<Rc<str>>,
    /// CREATE TEMPORARY TABLE
    pub temporary: bool,
    /// The declaration has errors that were reported: a query over it is not planned.
    pub broken: bool,
    /// The name in the declaration.
    pub span: Span,
}

/// Where an option is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct OptionSpan {
    /// The key with its quotes.
    pub key: Span,
    /// The value with its quotes.
    pub value: Span,
}

impl Table {
    /// `default_catalog.default_database.name`
    pub fn full_name(&self) -> String {
        format!("{DEFAULT_CATALOG}.{DEFAULT_DATABASE}.{}", self.name)
    }

    /// The value of `'connector'`.
    pub fn connector(&self) -> Option<&str> {
        self.options.get("connector").map(String::as_str)
    }

    /// Columns that a scan delivers: physical ones in order, behind them metadata columns.
    pub fn scan_columns(&self) -> Vec<u32> {
        let of = |wanted: fn(&ColumnKind) -> bool| {
            (0_u32..)
                .zip(&self.columns)
                .filter(move |(_, column)| wanted(&column.kind))
                .map(|(at, _)| at)
        };
        of(|kind| matches!(kind, ColumnKind::Physical))
            .chain(of(|kind| matches!(kind, ColumnKind::Metadata { .. })))
            .collect()
    }

    /// Columns that an INSERT writes: all but computed and virtual ones.
    pub fn sink_columns(&self) -> Vec<u32> {
        let written = |kind: &ColumnKind| match kind {
            ColumnKind::Physical => true,
            ColumnKind::Computed(_) => false,
            ColumnKind::Metadata { is_virtual, .. } => !is_virtual,
        };
        (0_u32..)
            .zip(&self.columns)
            .filter(|(_, column)| written(&column.kind))
            .map(|(at, _)| at)
            .collect()
    }
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// Name and type.
    pub field: Field,
    /// Where its value comes from.
    pub kind: ColumnKind,
    /// The declaration.
    pub span: Span,
}

/// Where a column's value comes from.
#[derive(Clone, Debug)]
pub enum ColumnKind {
    /// The connector delivers it.
    Physical,
    /// `name AS expression`; its column numbers are the table's.
    Computed(Expr),
    /// `name type METADATA [FROM key] [VIRTUAL]`
    Metadata {
        /// The connector's metadata key.
        key: Rc<str>,
        /// Not written to sinks.
        is_virtual: bool,
    },
}

/// A watermark declaration.
#[derive(Clone, Debug)]
pub struct Watermark {
    /// The rowtime column's number.
    pub column: u32,
    /// The watermark expression; its column numbers are the table's. `None` for `SOURCE_WATERMARK()`.
    pub expression: Option<Expr>,
    /// The whole clause.
    pub span: Span,
}

/// A declared view: its query is bound anew where it is used.
#[derive(Clone, Debug)]
pub struct View {
    /// Name as declared.
    pub name: Rc<str>,
    /// Column names given in the declaration, or empty.
    pub columns: Vec<Rc<str>>,
    /// The query's parsed form.
    pub query: Rc<sg_sql::query::Query>,
    /// Hints and types of the query, by position.
    pub side: Rc<SideTable>,
    /// Spans of the query's nodes.
    pub spans: Rc<Spans>,
    /// CREATE TEMPORARY VIEW
    pub temporary: bool,
    /// The query has errors that were reported where the view is declared.
    pub broken: bool,
    /// The name in the declaration.
    pub span: Span,
}
