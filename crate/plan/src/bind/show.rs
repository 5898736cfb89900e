//! SHOW …, DESCRIBE and USE: what the session knows, as text.
//!
//! Cases: statements/show-*, statements/describe-*.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_sql::ast as ddl;
use sg_value::{Field, Gather as _};

use super::Binder;
use crate::{
    catalog::{CatalogObject, ColumnKind, DatabasePath, ObjectPath, Table},
    unparse::{create_table, create_view, metadata},
};

/// A database that goes.
pub(crate) struct DroppedDatabase {
    pub(crate) path: DatabasePath,
    /// What goes with it, and whether it is temporary.
    pub(crate) inside: Vec<(ObjectPath, bool)>,
}

impl Binder<'_> {
    /// The rows of SHOW, one a line.
    pub(crate) fn bind_show(&mut self, show: &ddl::Show) -> Option<String> {
        let rows = match &show.kind {
            ddl::ShowKind::Tables(database) => self.objects_in(database.as_ref(), false)?,
            ddl::ShowKind::Views(database) => self.objects_in(database.as_ref(), true)?,
            ddl::ShowKind::Catalogs => self.catalog.catalogs.keys().map(ToString::to_string).gather(),
            ddl::ShowKind::Jars => Vec::new(),
            ddl::ShowKind::Models(database) => self.models_of(database.as_ref())?,
            ddl::ShowKind::Databases(name) => {
                let catalog = name.as_ref().map_or(&*self.home.catalog, ddl::ObjectName::object);
                let Some(databases) = self.catalog.databases(catalog) else {
                    let (catalog, span) = (
                        Rc::from(catalog),
                        name.as_ref().map_or(self.statement, |name| name.span),
                    );
                    self.no_such_catalog(&catalog, span);
                    return None;
                };
                databases.keys().map(ToString::to_string).gather()
            }
            ddl::ShowKind::CurrentCatalog => return Some(format!("{}\n", self.home.catalog)),
            ddl::ShowKind::CurrentDatabase => return Some(format!("{}\n", self.home.database)),
            ddl::ShowKind::Functions { user, .. } => {
                let own = self.catalog.functions.names(&self.home);
                let own = own.iter().map(ToString::to_string);
                if *user {
                    own.gather()
                } else {
                    let mut names = function_names();
                    names.extend(own);
                    names.sort_unstable();
                    names.dedup();
                    names
                }
            }
            ddl::ShowKind::Modules { full: false } => vec!["core".to_owned()],
            ddl::ShowKind::Modules { full: true } => vec!["+I[core, true]".to_owned()],
            ddl::ShowKind::Columns(name) => {
                let rows = self.described(name)?;
                let kept = rows
                    .into_iter()
                    .filter(|(name, _)| passes(show.filter.as_ref(), name));
                return Some(lines(kept.map(|(_, row)| row)));
            }
            ddl::ShowKind::CreateTable(name) => return self.show_create(name, true),
            ddl::ShowKind::CreateView(name) => return self.show_create(name, false),
            ddl::ShowKind::Partitions(name) => {
                let path = self.object_path(name)?;
                let head = format!("Could not execute SHOW PARTITIONS {}", path.dotted());
                self.no_partitions(&path, name.span, ("SHOW PARTITIONS", &head));
                return None;
            }
        };
        let kept = rows.into_iter().filter(|row| passes(show.filter.as_ref(), row));
        Some(lines(kept))
    }

    /// The lasting models of a database.
    fn models_of(&mut self, database: Option<&ddl::ObjectName>) -> Option<Vec<String>> {
        if let Some(name) = database
            && let Some(path) = self.database_path(name)
            && self.catalog.databases(&path.catalog).is_some()
            && !self.catalog.has(&path)
        {
            let flink = format!(
                "ValidationException: Database {0} does not exist\nDatabaseNotExistException: Database {0} does not exist in \
                 Catalog {1}.",
                path.database, path.catalog
            );
            self.unknown_database(&path, name.span, flink);
            return None;
        }
        let database = self.shown_database(database)?;
        let models = self.catalog.models.iter();
        let mut names: Vec<String> = models
            .filter(|model| !model.temporary && model.path.place == database)
            .map(|model| model.path.object.to_string())
            .gather();
        names.sort_unstable();
        Some(names)
    }

    /// The database of a name, which may be unknown.
    pub(super) fn database_path(&self, name: &ddl::ObjectName) -> Option<DatabasePath> {
        let parts: Vec<&str> = name.parts.iter().map(|part| part.name.as_str()).gather();
        self.home.sibling(&parts)
    }

    /// The database of `FROM`, or the current one.
    fn shown_database(&mut self, database: Option<&ddl::ObjectName>) -> Option<DatabasePath> {
        let Some(name) = database else {
            return Some(self.home.clone());
        };
        let path = self.database_path(name)?;
        if self.catalog.databases(&path.catalog).is_none() {
            self.no_such_catalog(&path.catalog, name.span);
            return None;
        }
        if !self.catalog.has(&path) {
            let flink = format!(
                "ValidationException: Database '{}'.'{}' doesn't exist.",
                path.catalog, path.database
            );
            self.unknown_database(&path, name.span, flink);
            return None;
        }
        Some(path)
    }

    fn objects_in(&mut self, database: Option<&ddl::ObjectName>, views_only: bool) -> Option<Vec<String>> {
        let database = self.shown_database(database)?;
        let mut names: Vec<String> = self
            .catalog
            .objects_of(&database)
            .filter(|object| !views_only || matches!(object, CatalogObject::View(_)))
            .map(|object| object.path().object.to_string())
            .gather();
        names.sort_unstable();
        Some(names)
    }

    pub(super) fn unknown_database(&mut self, path: &DatabasePath, span: Span, flink: String) {
        let names: Vec<Rc<str>> = self
            .catalog
            .databases(&path.catalog)
            .map_or_else(Vec::new, |databases| databases.keys().map(Rc::clone).gather());
        self.report(
            Diagnostic::new(Code::UnknownDatabase, span)
                .arg("database", &path.database)
                .flink(flink)
                .suggest_similar(&path.database, names.iter().map(|name| &**name)),
        );
    }

    /// A catalog that is named and not there.
    pub(super) fn no_catalog(&mut self, name: &str, span: Span, flink: String) {
        let names: Vec<Rc<str>> = self.catalog.catalogs.keys().map(Rc::clone).gather();
        self.report(
            Diagnostic::new(Code::UnknownCatalog, span)
                .arg("catalog", name)
                .flink(flink)
                .suggest_similar(name, names.iter().map(|name| &**name)),
        );
    }

    fn no_such_catalog(&mut self, name: &str, span: Span) {
        self.no_catalog(
            name,
            span,
            format!("ValidationException: Catalog {name} does not exist"),
        );
    }

    fn show_create(&mut self, name: &ddl::ObjectName, table: bool) -> Option<String> {
        let path = self.object_path(name)?;
        let (word, other) = if table {
            ("TABLE", "VIEW")
        } else {
            ("VIEW", "TABLE")
        };
        let text = match self.catalog.object(&path) {
            Some(CatalogObject::Table(declared)) if table => create_table(declared),
            Some(CatalogObject::View(declared)) if !table => create_view(declared),
            Some(_) => {
                let is = if table { "tables" } else { "views" };
                let (a, found) = if table { ("a", "view") } else { ("a", "table") };
                let flink = format!(
                    "TableException: SHOW CREATE {word} is only supported for {is}, but {} is {a} {found}. Please use SHOW \
                     CREATE {other} instead.",
                    path.quoted()
                );
                let diagnostic = Diagnostic::new(Code::ShowCreateOfOther, name.span)
                    .arg("name", &path.object)
                    .arg("statement", format!("SHOW CREATE {other}"));
                self.report(diagnostic.flink(flink));
                return None;
            }
            None => {
                let kind = if table { "Table" } else { "View" };
                let flink = format!(
                    "ValidationException: Could not execute SHOW CREATE {word}. {kind} with identifier {} does not exist.",
                    path.quoted()
                );
                self.no_such_object(&path, name.span, flink);
                return None;
            }
        };
        Some(format!("{text}\n"))
    }

    /// The rows of DESCRIBE.
    pub(crate) fn bind_describe(&mut self, describe: &ddl::Describe) -> Option<String> {
        if describe.function {
            return self.describe_function(describe);
        }
        let rows = self.described(&describe.table)?;
        Some(lines(rows.into_iter().map(|(_, row)| row)))
    }

    /// The column's name and its row.
    fn described(&mut self, name: &ddl::ObjectName) -> Option<Vec<(String, String)>> {
        let path = self.object_path(name)?;
        match self.catalog.object(&path) {
            Some(CatalogObject::Table(table)) => Some(table_rows(table)),
            Some(CatalogObject::View(view)) => {
                let comments = |field: &Field| {
                    let found = view.column_comments.iter().find(|(name, _)| *name == field.name);
                    found.map(|(_, comment)| comment.to_string())
                };
                let commented = !view.column_comments.is_empty();
                let rows = view.fields.iter().map(|field| {
                    let mut cells = vec![None, None, None];
                    if commented {
                        cells.push(comments(field));
                    }
                    (field.name.to_string(), row(field, cells))
                });
                Some(rows.gather())
            }
            None => {
                let flink = format!(
                    "ValidationException: Tables or views with the identifier '{}' doesn't exist.",
                    path.dotted()
                );
                self.no_such_object(&path, name.span, flink);
                None
            }
        }
    }

    /// USE: the database that is current from then on.
    #[inline(never)]
    pub(crate) fn bind_use(&mut self, used: &ddl::Use) -> Option<DatabasePath> {
        match &used.kind {
            ddl::UseKind::Database(name) => {
                let path = self.database_path(name)?;
                if self.catalog.databases(&path.catalog).is_none() {
                    self.unknown_catalog(&path.catalog, name.span);
                    return None;
                }
                if self.catalog.has(&path) {
                    return Some(path);
                }
                let flink = format!(
                    "CatalogException: A database with name [{}] does not exist in the catalog: [{}].",
                    path.database, path.catalog
                );
                self.unknown_database(&path, name.span, flink);
                None
            }
            ddl::UseKind::Catalog(name) if *name.name == *self.home.catalog => Some(self.home.clone()),
            ddl::UseKind::Catalog(name) => {
                let Some(catalog) = self.catalog.catalogs.get(&*name.name) else {
                    self.unknown_catalog(&name.name, name.span);
                    return None;
                };
                Some(DatabasePath::new(&name.name, catalog.first_database()))
            }
            ddl::UseKind::Modules(names) => {
                let span = names.first().map_or(self.statement, |name| name.span);
                if names.len() == 1 && names.iter().all(|name| name.name == "core") {
                    return Some(self.home.clone());
                }
                let diagnostic = Diagnostic::new(Code::NothingToDoHere, span).arg("feature", "USE MODULES");
                let all: Vec<&str> = names.iter().map(|name| name.name.as_str()).gather();
                let why = match all.iter().find(|name| **name != "core") {
                    Some(unknown) => format!("No module with name '{unknown}' exists"),
                    None => "Module 'core' appears more than once".to_owned(),
                };
                self.report(diagnostic.flink(format!(
                    "ValidationException: Could not execute USE MODULES: [{}]. {why}",
                    all.join(", ")
                )));
                None
            }
        }
    }

    fn unknown_catalog(&mut self, name: &str, span: Span) {
        let flink = format!("CatalogException: A catalog with name [{name}] does not exist.");
        self.no_catalog(name, span, flink);
    }

    /// CREATE DATABASE: whether there is something to create.
    #[inline(never)]
    pub(crate) fn bind_create_database(&mut self, create: &ddl::CreateDatabase) -> Option<DatabasePath> {
        let path = self.database_path(&create.name)?;
        let catalog = &path.catalog;
        let flink = create_database_text(create, catalog);
        if self.catalog.databases(catalog).is_none() {
            let flink =
                format!("TableException: {flink}\nValidationException: Catalog {catalog} does not exist");
            self.no_catalog(catalog, create.name.span, flink);
            return None;
        }
        if !self.catalog.has(&path) {
            return Some(path);
        }
        if create.if_not_exists {
            return None;
        }
        let name = &path.database;
        let flink = format!(
            "ValidationException: {flink}\nDatabaseAlreadyExistException: Database {name} already exists in Catalog {catalog}."
        );
        let diagnostic = Diagnostic::new(Code::DatabaseExists, create.name.span);
        self.report(diagnostic.arg("database", name).flink(flink));
        None
    }

    /// DROP DATABASE: the database and the objects that go with it.
    #[inline(never)]
    pub(crate) fn bind_drop_database(&mut self, drop: &ddl::Drop) -> Option<DroppedDatabase> {
        let path = self.database_path(&drop.name)?;
        let (catalog, name) = (&path.catalog, &path.database);
        let exists = if drop.if_exists { "IF EXISTS " } else { "" };
        let how = if drop.cascade { "CASCADE" } else { "RESTRICT" };
        if self.catalog.databases(catalog).is_none() {
            let gap = if drop.if_exists { " " } else { "" };
            let flink = format!(
                "TableException: Could not execute DROP DATABASE {exists}{gap}{catalog}.{name} {how}\nCatalogNotExistException: \
                 Catalog {catalog} does not exist."
            );
            self.no_catalog(catalog, drop.name.span, flink);
            return None;
        }
        let head = format!("Could not execute DROP DATABASE {exists}{catalog}.{name} {how}");
        if !self.catalog.has(&path) {
            if !drop.if_exists {
                let flink = format!(
                    "ValidationException: {head}\nDatabaseNotExistException: Database {name} does not exist in Catalog \
                     {catalog}."
                );
                self.unknown_database(&path, drop.name.span, flink);
            }
            return None;
        }
        if path == self.home {
            let flink = format!(
                "TableException: {head}\nValidationException: Cannot drop a database which is currently in use."
            );
            let diagnostic = Diagnostic::new(Code::DatabaseInUse, drop.name.span);
            self.report(diagnostic.arg("database", name).flink(flink));
            return None;
        }
        let inside: Vec<(ObjectPath, bool)> = self
            .catalog
            .objects_of(&path)
            .map(|object| (object.path(), object.temporary()))
            .gather();
        if !inside.is_empty() && !drop.cascade {
            let flink = format!(
                "ValidationException: {head}\nDatabaseNotEmptyException: Database {name} in catalog {catalog} is \
                 not empty."
            );
            let diagnostic = Diagnostic::new(Code::DatabaseNotEmpty, drop.name.span);
            self.report(diagnostic.arg("database", name).flink(flink));
            return None;
        }
        Some(DroppedDatabase { path, inside })
    }
}

/// The statement as Flink repeats it.
fn create_database_text(create: &ddl::CreateDatabase, catalog: &str) -> String {
    let options: Vec<String> = create
        .options
        .iter()
        .map(|option| format!("{}={}", option.key.value, option.value.value))
        .gather();
    format!(
        "Could not execute CREATE DATABASE: (catalogDatabase: [{{{}}}], catalogName: [{catalog}], databaseName: [{}], \
         ignoreIfExists: [{}])",
        options.join(", "),
        create.name.object(),
        create.if_not_exists
    )
}

fn lines(rows: impl Iterator<Item = String>) -> String {
    rows.fold(String::new(), |mut text, row| {
        text.push_str(&row);
        text.push('\n');
        text
    })
}

/// Names of functions as Flink lists them: in small letters, operators left out.
fn function_names() -> Vec<String> {
    let is_name = |name: &str| {
        name.chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let mut names: Vec<String> = sg_expr::functions()
        .map(|function| function.name)
        .chain(sg_expr::aggregate::aggregates().map(|function| function.name))
        .filter(|name| is_name(name))
        .map(str::to_ascii_lowercase)
        .gather();
    names.sort_unstable();
    names.dedup();
    names
}

/// `[NOT] LIKE 'pattern'`
fn passes(filter: Option<&ddl::ShowFilter>, name: &str) -> bool {
    let Some(filter) = filter else { return true };
    let (pattern, name) = if filter.ignores_case {
        (
            sg_value::case::lower(&filter.pattern.value),
            sg_value::case::lower(name),
        )
    } else {
        (filter.pattern.value.clone(), name.to_owned())
    };
    let pattern: Vec<char> = pattern.chars().gather();
    let name: Vec<char> = name.chars().gather();
    matches_like(&pattern, &name) != filter.negated
}

/// `%` stands for anything, `_` for one character.
fn matches_like(pattern: &[char], text: &[char]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some(('%', rest)), _) => {
            (0..=text.len()).any(|skipped| matches_like(rest, text.get(skipped..).unwrap_or(&[])))
        }
        (Some(('_', rest)), Some((_, text))) => matches_like(rest, text),
        (Some((letter, rest)), Some((other, text))) if letter == other => matches_like(rest, text),
        _ => false,
    }
}

/// `+I[name, type, null, key, extras, watermark]`
fn row(field: &Field, cells: Vec<Option<String>>) -> String {
    let nullable = field.data_type.nullable;
    let mut texts = vec![
        field.name.to_string(),
        field.data_type.with_nullable(true).to_string(),
        nullable.to_string(),
    ];
    texts.extend(
        cells
            .into_iter()
            .map(|cell| cell.unwrap_or_else(|| "null".to_owned())),
    );
    format!("+I[{}]", texts.join(", "))
}

fn table_rows(table: &Table) -> Vec<(String, String)> {
    let commented = table.columns.iter().any(|column| column.comment.is_some());
    let key = table.primary_key.as_deref().unwrap_or_default();
    let key_names: Vec<&str> = key
        .iter()
        .filter_map(|&at| table.columns.get(at as usize))
        .map(|column| &*column.field.name)
        .gather();
    let rows = (0_u32..).zip(&table.columns).map(|(at, column)| {
        let in_key = key
            .contains(&at)
            .then(|| format!("PRI({})", key_names.join(", ")));
        let extras = match &column.kind {
            ColumnKind::Physical => None,
            ColumnKind::Computed { text, .. } => Some(format!("AS {text}")),
            ColumnKind::Metadata { .. } => Some(metadata(column)),
        };
        let watermark = table
            .watermark
            .as_ref()
            .filter(|watermark| watermark.column == at)
            .map(|watermark| watermark.text.to_string());
        let mut cells = vec![in_key, extras, watermark];
        if commented {
            cells.push(column.comment.as_ref().map(ToString::to_string));
        }
        (column.field.name.to_string(), row(&column.field, cells))
    });
    rows.gather()
}
