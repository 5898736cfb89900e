//! Tables and views that statements have declared, and the session's settings.

use std::rc::Rc;

use indexmap::IndexMap;
use sg_diag::Span;
use sg_expr::Expr;
use sg_value::Field;

/// What names can mean.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Tables and views by name, in order of declaration. All live in `default_catalog.default_database`.
    pub objects: IndexMap<Rc<str>, CatalogObject>,
    /// `SET 'key' = 'value'`.
    pub settings: IndexMap<String, String>,
}

/// A table or a view.
#[derive(Clone, Debug)]
pub enum CatalogObject {
    /// CREATE TABLE
    Table(Rc<Table>),
    /// CREATE VIEW
    View(Rc<View>),
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
    /// The declaration.
    pub span: Span,
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
    /// `name AS expression` over the physical columns.
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
    /// The watermark expression over the table's columns; `None` for SOURCE_WATERMARK().
    pub expression: Option<Expr>,
    /// The whole clause.
    pub span: Span,
}

/// A declared view: its query's text is bound anew where it is used.
#[derive(Clone, Debug)]
pub struct View {
    /// Name as declared.
    pub name: Rc<str>,
    /// Column names given in the declaration, or empty.
    pub columns: Vec<Rc<str>>,
    /// The query's parsed form.
    pub query: Rc<sqlparser::ast::Query>,
    /// The declaration.
    pub span: Span,
}


