//! Catalogs: what they say of themselves, and their coming and going.
//!
//! Statements: `tests/statements/kinds.tsv` and `catalogs.tsv`; cases: statements/describe-catalog, statements/show-*.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_sql::ast::{CatalogAction, CatalogAlteration, CatalogStatement, TableOption};
use sg_value::{Gather as _, sorted::SortedMap};

use super::Binder;
use crate::{
    catalog::{Database, FIRST_DATABASE, Model, NamedCatalog, ObjectPath},
    unparse::{quoted, quoted_text},
};

/// The only type of a catalog that Flink's bare distribution has.
const IN_MEMORY: &str = "generic_in_memory";

/// What a statement does to the session.
pub(crate) enum CatalogChange {
    /// There is another catalog, or it says something else of itself.
    Catalog(Rc<str>, NamedCatalog),
    /// It is gone.
    NoCatalog(Rc<str>),
    /// There is another model, in the place of the one at this path.
    Model(ObjectPath, Model),
    /// It is gone.
    NoModel(ObjectPath, bool),
    /// Nothing but a text.
    Shown(String),
}

impl Binder<'_> {
    /// What is to be changed, if anything is.
    #[inline(never)]
    pub(crate) fn bind_catalog_statement(&mut self, statement: &CatalogStatement) -> Option<CatalogChange> {
        let name: Rc<str> = Rc::from(statement.name.object());
        match statement.action {
            CatalogAction::CreateCatalog => self.create_catalog(statement, name),
            CatalogAction::DropCatalog => self.drop_catalog(statement, name),
            CatalogAction::AlterCatalog => self.alter_catalog(statement, name),
            CatalogAction::DescribeCatalog(extended) => {
                let known = self.catalog_that_describes(statement)?;
                Some(CatalogChange::Shown(described(&name, &known, extended)))
            }
            CatalogAction::ShowCreateCatalog => {
                let known = self.catalog_that_describes(statement)?;
                let head = format!("CREATE CATALOG {}\n", quoted(&name));
                Some(CatalogChange::Shown(declaration(
                    head,
                    known.comment.as_ref(),
                    &known.options,
                )))
            }
            CatalogAction::AlterDatabase => {
                let path = self.database_path(&statement.name)?;
                if self.catalog.databases(&path.catalog).is_none() {
                    let flink = format!("ValidationException: Catalog {} not exists", path.catalog);
                    self.no_catalog(&path.catalog, statement.name.span, flink);
                } else if !self.catalog.has(&path) {
                    let flink = format!(
                        "ValidationException: Database {0} not exists\nDatabaseNotExistException: Database {0} does not exist in \
                         Catalog {1}.",
                        path.database, path.catalog
                    );
                    self.unknown_database(&path, statement.name.span, flink);
                }
                None
            }
            _ => self.bind_model_statement(statement),
        }
    }

    fn create_catalog(&mut self, statement: &CatalogStatement, name: Rc<str>) -> Option<CatalogChange> {
        let options = &statement.options;
        if self.catalog.catalogs.contains_key(&name) {
            if !statement.conditional {
                let properties: Vec<String> = options
                    .iter()
                    .map(|option| format!("{}={}", option.key.value, option.value.value))
                    .gather();
                let flink = format!(
                    "ValidationException: Could not execute CREATE CATALOG: (catalogName: [{name}], properties: [{{{}}}], \
                     ignoreIfExists: [false])\nCatalogException: Catalog {name} already exists.",
                    properties.join(", ")
                );
                self.report(
                    Diagnostic::new(Code::CatalogExists, statement.name.span)
                        .arg("catalog", &name)
                        .flink(flink),
                );
            }
            return None;
        }
        let options = pairs(options);
        if !self.check_catalog(&name, &options, statement) {
            return None;
        }
        let comment = statement
            .comment
            .as_ref()
            .map(|text| Rc::from(text.value.as_str()));
        let mut catalog = NamedCatalog {
            comment,
            options,
            databases: SortedMap::default(),
        };
        let database = Rc::from(catalog.first_database());
        catalog.databases.insert(database, Database::default());
        Some(CatalogChange::Catalog(name, catalog))
    }

    /// Whether a catalog can have these options.
    fn check_catalog(
        &mut self,
        name: &str,
        options: &SortedMap<String, String>,
        statement: &CatalogStatement,
    ) -> bool {
        let unknown: Vec<&str> = options
            .iter()
            .map(|(key, _)| key.as_str())
            .filter(|key| !matches!(*key, "type" | "property-version" | FIRST_DATABASE))
            .gather();
        let why = match options.get("type").map(String::as_str) {
            None => {
                "ValidationException: Catalog options do not contain an option key 'type' for discovering a catalog."
                    .to_owned()
            }
            Some(IN_MEMORY) if !unknown.is_empty() => format!(
                "ValidationException: Unsupported options found for '{IN_MEMORY}'.\n\nUnsupported options:\n\n{}\n\nSupported \
                 options:\n\n{FIRST_DATABASE}\nproperty-version",
                unknown.join("\n")
            ),
            Some(IN_MEMORY) if options.get(FIRST_DATABASE).is_some_and(String::is_empty) => {
                "IllegalArgumentException: defaultDatabase cannot be null or empty".to_owned()
            }
            Some(IN_MEMORY) => return true,
            Some(kind) => format!(
                "ValidationException: Could not find any factory for identifier '{kind}' that implements \
                 'org.apache.flink.table.factories.CatalogFactory' in the classpath.\n\nAvailable factory identifiers \
                 are:\n\n{IN_MEMORY}"
            ),
        };
        let list: Vec<String> = options
            .iter()
            .map(|(key, value)| format!("'{key}'='{value}'\n"))
            .gather();
        let flink = format!(
            "ValidationException: Unable to create catalog '{name}'.\n\nCatalog options are:\n{}{why}",
            list.concat()
        );
        let kind = statement.options.iter().find(|option| option.key.value == "type");
        let span = kind.map_or(statement.name.span, |kind| kind.value.span);
        self.report(Diagnostic::new(Code::CatalogType, span).flink(flink));
        false
    }

    fn alter_catalog(&mut self, statement: &CatalogStatement, name: Rc<str>) -> Option<CatalogChange> {
        let rest = alteration_text(statement);
        let flink = format!(
            "ValidationException: Could not execute ALTER CATALOG {name}{rest}\nCatalogException: Catalog {name} does not \
             exist in the catalog store."
        );
        let reset =
            |flink: &str| format!("ValidationException: ALTER CATALOG RESET does not support {flink}");
        let mut other = self.known_catalog(statement, flink)?;
        match statement.change.as_ref()? {
            CatalogAlteration::Comment => {
                let text = statement.comment.as_ref()?;
                other.comment = Some(Rc::from(text.value.as_str()));
            }
            CatalogAlteration::Reset(keys) => {
                let wrong = match keys.as_slice() {
                    [] => Some("empty key"),
                    keys if keys.iter().any(|key| key.value == "type") => Some("changing 'type'"),
                    _ => None,
                };
                if let Some(wrong) = wrong {
                    let diagnostic = Diagnostic::new(Code::CatalogType, statement.name.span);
                    self.report(diagnostic.flink(reset(wrong)));
                    return None;
                }
                for key in keys {
                    other.options.remove(&key.value);
                }
            }
            _ => {
                for option in &statement.options {
                    other
                        .options
                        .insert(option.key.value.clone(), option.value.value.clone());
                }
                if !self.check_catalog(&name, &other.options, statement) {
                    return None;
                }
            }
        }
        Some(CatalogChange::Catalog(name, other))
    }

    fn drop_catalog(&mut self, statement: &CatalogStatement, name: Rc<str>) -> Option<CatalogChange> {
        let (code, why) = if name == self.home.catalog {
            (
                Code::CatalogInUse,
                "Cannot drop a catalog which is currently in use.".to_owned(),
            )
        } else if self.catalog.catalogs.contains_key(&name) || statement.conditional {
            return Some(CatalogChange::NoCatalog(name));
        } else {
            (Code::UnknownCatalog, format!("Catalog {name} does not exist."))
        };
        let flink = format!(
            "ValidationException: Could not execute DROP CATALOG: (catalogName: [{name}])\nCatalogException: {why}"
        );
        let diagnostic = Diagnostic::new(code, statement.name.span);
        self.report(diagnostic.arg("catalog", &name).flink(flink));
        None
    }

    fn catalog_that_describes(&mut self, statement: &CatalogStatement) -> Option<NamedCatalog> {
        let flink = format!(
            "ValidationException: Cannot obtain metadata information from Catalog {}.",
            statement.name.object()
        );
        self.known_catalog(statement, flink)
    }

    /// What a catalog says of itself; the default one says nothing.
    fn known_catalog(&mut self, statement: &CatalogStatement, flink: String) -> Option<NamedCatalog> {
        let (name, span) = (statement.name.object(), statement.name.span);
        let Some(known) = self.catalog.catalogs.get(name) else {
            self.no_catalog(name, span, flink);
            return None;
        };
        if known.options.iter().next().is_none() {
            self.report(Diagnostic::new(Code::CatalogWithoutOptions, span).flink(flink));
            return None;
        }
        Some(known.clone())
    }

    /// Says that a declaration is kept and cannot be used.
    pub(super) fn declared_only(&mut self, what: &str, span: sg_diag::Span) {
        self.report(Diagnostic::new(Code::DeclaredOnly, span).arg("what", what));
    }
}

/// Options by their keys.
pub(super) fn pairs(options: &[TableOption]) -> SortedMap<String, String> {
    let mut pairs = SortedMap::default();
    for option in options {
        pairs.insert(option.key.value.clone(), option.value.value.clone());
    }
    pairs
}

/// What ALTER does, as Flink repeats it.
fn alteration_text(statement: &CatalogStatement) -> String {
    match &statement.change {
        Some(CatalogAlteration::Comment) => {
            let text = statement.comment.as_ref().map_or("", |text| text.value.as_str());
            format!(" COMMENT '{text}'")
        }
        Some(CatalogAlteration::Reset(keys)) => {
            let keys: Vec<String> = keys.iter().map(|key| format!("'{}'", key.value)).gather();
            format!("\n  RESET {}", keys.join(", "))
        }
        _ => {
            let all: Vec<String> = statement
                .options
                .iter()
                .map(|option| format!("'{}' = '{}'", option.key.value, option.value.value))
                .gather();
            format!("\n  SET {}", all.join(", "))
        }
    }
}

fn described(name: &str, catalog: &NamedCatalog, extended: bool) -> String {
    let comment = catalog.comment.as_deref().unwrap_or("null");
    let mut text = format!("+I[name, {name}]\n+I[type, {IN_MEMORY}]\n+I[comment, {comment}]\n");
    for (key, value) in catalog
        .options
        .iter()
        .filter(|(key, _)| extended && key != "type")
    {
        put!(text, "+I[option:{key}, {value}]\n");
    }
    text
}

/// The end of a declaration: comment and options.
pub(super) fn declaration(
    mut text: String,
    comment: Option<&Rc<str>>,
    options: &SortedMap<String, String>,
) -> String {
    if let Some(comment) = comment {
        put!(text, "COMMENT {}\n", quoted_text(comment));
    }
    let options: Vec<String> = options
        .iter()
        .map(|(key, value)| format!("  {} = {}", quoted_text(key), quoted_text(value)))
        .gather();
    if !options.is_empty() {
        put!(text, "WITH (\n{}\n)\n", options.join(",\n"));
    }
    text
}
