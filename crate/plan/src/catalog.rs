//! Tables and views that statements have declared, and the session's settings.

use std::rc::Rc;

use indexmap::IndexMap;
use sg_diag::Span;
use sg_expr::Expr;
use sg_sql::{SideTable, Spans};
use sg_value::{
    Field, Gather as _,
    format::{FIRST_CAPACITY, bucket_order, string_hash},
    sorted::SortedMap,
};

use crate::{
    unparse::{Trail, Unparser},
    user_function::UserFunctions,
};

/// The catalog that is there from the beginning.
pub const DEFAULT_CATALOG: &str = "default_catalog";
/// Its database.
pub const DEFAULT_DATABASE: &str = "default_database";

/// A database and its catalog.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DatabasePath {
    /// Its catalog.
    pub catalog: Rc<str>,
    /// Its own name.
    pub database: Rc<str>,
}

impl DatabasePath {
    /// A database of a catalog.
    pub fn new(catalog: &str, database: &str) -> Self {
        Self {
            catalog: Rc::from(catalog),
            database: Rc::from(database),
        }
    }

    /// The object that a name stands for where this database is the current one.
    pub fn object(&self, parts: &[&str]) -> Option<ObjectPath> {
        let (object, place) = parts.split_last()?;
        Some(ObjectPath {
            place: self.sibling(place)?,
            object: Rc::from(*object),
        })
    }

    /// The database that a name stands for where this one is the current one.
    pub fn sibling(&self, parts: &[&str]) -> Option<Self> {
        match parts {
            [] => Some(self.clone()),
            [database] => Some(Self {
                catalog: Rc::clone(&self.catalog),
                database: Rc::from(*database),
            }),
            [catalog, database] => Some(Self::new(catalog, database)),
            _ => None,
        }
    }
}

/// Where an object lives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectPath {
    /// Its database.
    pub place: DatabasePath,
    /// Its own name.
    pub object: Rc<str>,
}

impl ObjectPath {
    /// `shop.orders`
    pub fn in_catalog(&self) -> String {
        format!("{}.{}", self.place.database, self.object)
    }

    /// `default_catalog.shop.orders`
    pub fn dotted(&self) -> String {
        format!("{}.{}", self.place.catalog, self.in_catalog())
    }

    /// The same with every part in backquotes.
    pub fn quoted(&self) -> String {
        format!(
            "`{}`.`{}`.`{}`",
            self.place.catalog, self.place.database, self.object
        )
    }

    /// `default_catalog, shop, orders`
    pub(crate) fn listed(&self) -> String {
        format!("{}, {}, {}", self.place.catalog, self.place.database, self.object)
    }

    /// Another object beside this one.
    pub(crate) fn beside(&self, object: &str) -> Self {
        Self {
            place: self.place.clone(),
            object: Rc::from(object),
        }
    }
}

/// A database.
#[derive(Clone, Debug, Default)]
pub struct Database {
    /// COMMENT '…'
    pub comment: Option<Rc<str>>,
}

/// A catalog: what it says of itself, and its databases.
#[derive(Clone, Debug, Default)]
pub struct NamedCatalog {
    /// COMMENT '…'
    pub comment: Option<Rc<str>>,
    /// WITH (…); the one that is there from the beginning has none.
    pub options: SortedMap<String, String>,
    /// CREATE DATABASE
    pub databases: SortedMap<Rc<str>, Database>,
}

/// The option of a catalog for the database that is there from the beginning.
pub(crate) const FIRST_DATABASE: &str = "default-database";

impl NamedCatalog {
    /// The database that is there from the beginning.
    pub(crate) fn first_database(&self) -> &str {
        // only the catalog that nobody declared has no options
        let named = if self.options.iter().next().is_none() {
            DEFAULT_DATABASE
        } else {
            "default"
        };
        self.options.get(FIRST_DATABASE).map_or(named, String::as_str)
    }
}

/// A model, which nothing can ask here.
#[derive(Clone, Debug)]
pub struct Model {
    /// Where it lives.
    pub path: ObjectPath,
    /// CREATE TEMPORARY MODEL
    pub temporary: bool,
    /// INPUT (…) and OUTPUT (…), with their comments.
    pub columns: [Vec<(Field, Option<Rc<str>>)>; 2],
    /// COMMENT '…'
    pub comment: Option<Rc<str>>,
    /// WITH (…)
    pub options: SortedMap<String, String>,
}

/// What names can mean.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// Tables and views, in order of declaration.
    objects: IndexMap<ObjectPath, CatalogObject>,
    /// Temporary ones; they hide others of their name.
    temporary: IndexMap<ObjectPath, CatalogObject>,
    /// The database that a name without one belongs to.
    pub current: DatabasePath,
    /// CREATE CATALOG, and the one that is there from the beginning.
    pub catalogs: SortedMap<Rc<str>, NamedCatalog>,
    /// CREATE MODEL.
    pub models: Vec<Model>,
    /// `SET 'key' = 'value'`.
    pub settings: IndexMap<String, String>,
    /// CREATE FUNCTION
    pub functions: UserFunctions,
}

impl Default for Catalog {
    fn default() -> Self {
        let current = DatabasePath::new(DEFAULT_CATALOG, DEFAULT_DATABASE);
        let mut first = NamedCatalog::default();
        first
            .databases
            .insert(Rc::clone(&current.database), Database::default());
        Self {
            objects: IndexMap::new(),
            temporary: IndexMap::new(),
            catalogs: std::iter::once((Rc::clone(&current.catalog), first)).collect(),
            current,
            models: Vec::new(),
            settings: IndexMap::new(),
            functions: UserFunctions::default(),
        }
    }
}

impl Catalog {
    /// Databases of a catalog; none where there is no such catalog.
    pub(crate) fn databases(&self, catalog: &str) -> Option<&SortedMap<Rc<str>, Database>> {
        Some(&self.catalogs.get(catalog)?.databases)
    }

    /// Names of all catalogs as Flink lists them: as Java's `HashSet` keeps them.
    pub(crate) fn listed(&self) -> String {
        let names: Vec<&str> = self.catalogs.keys().map(|name| &**name).gather();
        let hashes: Vec<i32> = names.iter().map(|name| string_hash(name)).gather();
        let order = bucket_order(&hashes, FIRST_CAPACITY);
        let listed: Vec<&str> = order.iter().filter_map(|at| names.get(*at).copied()).gather();
        listed.join(", ")
    }

    /// Whether there is this database.
    pub(crate) fn has(&self, place: &DatabasePath) -> bool {
        self.databases(&place.catalog)
            .is_some_and(|databases| databases.contains_key(&*place.database))
    }

    /// Forgets a catalog and what is in it; what is temporary stays.
    pub(crate) fn remove_catalog(&mut self, name: &str) {
        self.catalogs.remove(name);
        self.objects.retain(|path, _| *path.place.catalog != *name);
        self.models
            .retain(|model| model.temporary || *model.path.place.catalog != *name);
        self.functions.remove_catalog(name);
    }

    /// The model at this path; a temporary one comes first.
    pub fn model(&self, path: &ObjectPath) -> Option<&Model> {
        let at = |temporary| {
            let mut models = self.models.iter();
            models.find(|model| model.path == *path && model.temporary == temporary)
        };
        at(true).or_else(|| at(false))
    }

    /// Forgets a model.
    pub fn remove_model(&mut self, path: &ObjectPath, temporary: bool) {
        self.models
            .retain(|model| model.path != *path || model.temporary != temporary);
    }

    /// The table or view at this path; case matters, and a temporary one comes first.
    pub fn object(&self, path: &ObjectPath) -> Option<&CatalogObject> {
        self.temporary.get(path).or_else(|| self.objects.get(path))
    }

    /// The object of this path among the temporary ones, or among the others.
    pub fn object_of_kind(&self, path: &ObjectPath, temporary: bool) -> Option<&CatalogObject> {
        if temporary {
            self.temporary.get(path)
        } else {
            self.objects.get(path)
        }
    }

    /// Adds an object, or replaces the one at its path.
    pub fn insert(&mut self, object: CatalogObject) {
        let path = object.path();
        if object.temporary() {
            self.temporary.insert(path, object);
        } else {
            self.objects.insert(path, object);
        }
    }

    /// Takes an object away.
    pub fn remove(&mut self, path: &ObjectPath, temporary: bool) {
        if temporary {
            self.temporary.shift_remove(path);
        } else {
            self.objects.shift_remove(path);
        }
    }

    /// All tables and views, in order of declaration, temporary ones last; what is hidden is left out.
    pub fn objects(&self) -> impl Iterator<Item = &CatalogObject> {
        self.objects
            .iter()
            .filter(|(path, _)| !self.temporary.contains_key(*path))
            .map(|(_, object)| object)
            .chain(self.temporary.values())
    }

    /// Tables and views of a database.
    pub fn objects_of<'c>(&'c self, database: &'c DatabasePath) -> impl Iterator<Item = &'c CatalogObject> {
        self.objects()
            .filter(move |object| object.path().place == *database)
    }

    /// The first table of this name in any database: events name their table without one.
    pub fn table_named(&self, name: &str) -> Option<&Rc<Table>> {
        self.objects().find_map(|object| match object {
            CatalogObject::Table(table) if *table.name == *name => Some(table),
            _ => None,
        })
    }

    /// Names of the tables and views that a name without database can mean.
    pub fn names(&self) -> Vec<Rc<str>> {
        self.objects_of(&self.current)
            .map(|object| object.path().object)
            .gather()
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
    /// Where it lives.
    pub fn path(&self) -> ObjectPath {
        match self {
            Self::Table(table) => table.path(),
            Self::View(view) => view.path(),
        }
    }

    /// Whether it is of the session only.
    pub fn temporary(&self) -> bool {
        match self {
            Self::Table(table) => table.temporary,
            Self::View(view) => view.temporary,
        }
    }

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
    /// Its database.
    pub place: DatabasePath,
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
    /// DISTRIBUTED …, as SHOW CREATE TABLE prints it.
    pub distribution: Option<Rc<str>>,
    /// The name in CONSTRAINT … PRIMARY KEY.
    pub constraint: Option<Rc<str>>,
    /// CREATE TEMPORARY TABLE
    pub temporary: bool,
    /// The declaration has errors that were reported: a query over it is not planned.
    pub broken: bool,
    /// The name in the declaration.
    pub span: Span,
}

/// What a file of a table holds, line by line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// `csv`
    Csv,
    /// `json`
    Json,
    /// `debezium-json`
    Debezium,
    /// `canal-json`
    Canal,
    /// `maxwell-json`
    Maxwell,
    /// `ogg-json`
    Ogg,
}

impl TableFormat {
    /// The format of this name; `None` where Flink's bare distribution has none, or Streamglass does not read it.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "csv" => Self::Csv,
            "json" => Self::Json,
            "debezium-json" => Self::Debezium,
            "canal-json" => Self::Canal,
            "maxwell-json" => Self::Maxwell,
            "ogg-json" => Self::Ogg,
            _ => return None,
        })
    }
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
        self.path().dotted()
    }

    /// Where it lives.
    pub fn path(&self) -> ObjectPath {
        ObjectPath {
            place: self.place.clone(),
            object: Rc::clone(&self.name),
        }
    }

    /// The format of its file; JSON where none is given.
    pub fn file_format(&self) -> TableFormat {
        let name = self.options.get("format");
        name.and_then(|name| TableFormat::of_name(name))
            .unwrap_or(TableFormat::Json)
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
            .gather()
    }

    /// Columns that an INSERT writes: all but computed and virtual ones.
    pub fn sink_columns(&self) -> Vec<u32> {
        let written = |kind: &ColumnKind| match kind {
            ColumnKind::Physical => true,
            ColumnKind::Computed { .. } => false,
            ColumnKind::Metadata { is_virtual, .. } => !is_virtual,
        };
        (0_u32..)
            .zip(&self.columns)
            .filter(|(_, column)| written(&column.kind))
            .map(|(at, _)| at)
            .gather()
    }
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// Name and type.
    pub field: Field,
    /// Where its value comes from.
    pub kind: ColumnKind,
    /// COMMENT '…'
    pub comment: Option<Rc<str>>,
    /// The declaration.
    pub span: Span,
}

/// Where a column's value comes from.
#[derive(Clone, Debug)]
pub enum ColumnKind {
    /// The connector delivers it.
    Physical,
    /// `name AS expression`; its column numbers are the table's.
    Computed {
        /// The expression.
        expr: Expr,
        /// Its text as Flink prints it.
        text: Rc<str>,
    },
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
    /// The expression's text as Flink prints it.
    pub text: Rc<str>,
    /// The whole clause.
    pub span: Span,
}

/// The statement of a view, with the names that it had then: it is printed when somebody asks.
#[derive(Clone, Debug)]
pub(crate) struct ViewText {
    pub(crate) statement: Rc<str>,
    /// Where the statement begins in its script.
    pub(crate) start: u32,
    pub(crate) trail: Trail,
}

/// A declared view: its query is bound anew where it is used.
#[derive(Clone, Debug)]
pub struct View {
    /// Name as declared.
    pub name: Rc<str>,
    /// Its database.
    pub place: DatabasePath,
    /// The database that was current when it was declared: names in its query begin there.
    pub(crate) home: DatabasePath,
    /// Names and types of its columns.
    pub fields: Vec<Field>,
    /// COMMENT '…'
    pub comment: Option<Rc<str>>,
    /// Comments of columns, by name.
    pub column_comments: Vec<(Rc<str>, Rc<str>)>,
    /// What SHOW CREATE VIEW prints the query of.
    pub(crate) written: ViewText,
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

impl View {
    /// The query with all names in full.
    pub(crate) fn text(&self) -> String {
        let ViewText {
            statement,
            start,
            trail,
        } = &self.written;
        // spans count from the beginning of the script
        let mut text = " ".repeat(*start as usize);
        text.push_str(statement);
        let printer = Unparser {
            text: &text,
            spans: &self.spans,
            trail,
        };
        printer.query(&self.query)
    }

    /// Where it lives.
    pub fn path(&self) -> ObjectPath {
        ObjectPath {
            place: self.place.clone(),
            object: Rc::clone(&self.name),
        }
    }
}
