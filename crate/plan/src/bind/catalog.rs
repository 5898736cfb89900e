//! Catalogs, models and ALTER DATABASE: their names are kept, as nothing can be put into them here.
//!
//! Statements: `tests/statements/kinds.tsv`.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_sql::ast::{CatalogAction, CatalogStatement};
use sg_value::Gather as _;

use super::Binder;
use crate::catalog::DEFAULT_CATALOG;

/// The only type of a catalog that Flink's bare distribution has.
const IN_MEMORY: &str = "generic_in_memory";

/// What a statement does to the session.
pub(crate) enum CatalogChange {
    /// There is another catalog.
    Catalog(Rc<str>),
    /// It is gone.
    NoCatalog(Rc<str>),
    /// There is another model.
    Model(Rc<str>),
    /// It is gone.
    NoModel(Rc<str>),
}

impl Binder<'_> {
    /// What is to be changed, if anything is.
    pub(crate) fn bind_catalog_statement(&mut self, statement: &CatalogStatement) -> Option<CatalogChange> {
        let name: Rc<str> = Rc::from(statement.name.object());
        match statement.action {
            CatalogAction::CreateCatalog => self.create_catalog(statement, name),
            CatalogAction::DropCatalog => self.drop_catalog(statement, name),
            CatalogAction::AlterCatalog => {
                let flink = format!(
                    "ValidationException: Could not execute ALTER CATALOG {name}{}\nCatalogException: Catalog {name} does \
                     not exist in the catalog store.",
                    statement.rest
                );
                self.catalog_has_nothing(statement, flink)
            }
            CatalogAction::DescribeCatalog => {
                let flink =
                    format!("ValidationException: Cannot obtain metadata information from Catalog {name}.");
                self.catalog_has_nothing(statement, flink)
            }
            CatalogAction::AlterDatabase => {
                if !self.catalog.databases.contains_key(&name) {
                    let flink = format!(
                        "ValidationException: Database {name} not exists\nDatabaseNotExistException: Database {name} does \
                         not exist in Catalog {DEFAULT_CATALOG}."
                    );
                    self.unknown_database(&name, statement.name.span, flink);
                }
                None
            }
            CatalogAction::CreateModel => {
                if self.catalog.models.contains(&name) {
                    if !statement.conditional {
                        self.report(
                            Diagnostic::new(Code::ModelExists, statement.name.span).arg("model", &name),
                        );
                    }
                    return None;
                }
                self.declared_only("MODEL", statement.name.span);
                Some(CatalogChange::Model(name))
            }
            CatalogAction::DropModel => {
                if self.catalog.models.contains(&name) || statement.conditional {
                    return Some(CatalogChange::NoModel(name));
                }
                let flink = format!(
                    "ValidationException: Model with identifier '{DEFAULT_CATALOG}.{}.{name}' does not exist.",
                    self.catalog.current_database
                );
                self.report(
                    Diagnostic::new(Code::UnknownModel, statement.name.span)
                        .arg("model", &name)
                        .flink(flink),
                );
                None
            }
        }
    }

    fn create_catalog(&mut self, statement: &CatalogStatement, name: Rc<str>) -> Option<CatalogChange> {
        let options = &statement.options;
        if *name == *DEFAULT_CATALOG || self.catalog.catalogs.contains(&name) {
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
        let kind = options.iter().find(|option| option.key.value == "type");
        let why = match kind {
            Some(kind) if kind.value.value == IN_MEMORY => {
                self.declared_only("CATALOG", statement.name.span);
                return Some(CatalogChange::Catalog(name));
            }
            Some(kind) => format!(
                "Could not find any factory for identifier '{}' that implements 'org.apache.flink.table.factories.CatalogFactory' \
                 in the classpath.\n\nAvailable factory identifiers are:\n\n{IN_MEMORY}",
                kind.value.value
            ),
            None => {
                "Catalog options do not contain an option key 'type' for discovering a catalog.".to_owned()
            }
        };
        let list: Vec<String> = options
            .iter()
            .map(|option| format!("'{}'='{}'\n", option.key.value, option.value.value))
            .gather();
        let flink = format!(
            "ValidationException: Unable to create catalog '{name}'.\n\nCatalog options are:\n{}ValidationException: {why}",
            list.concat()
        );
        let span = kind.map_or(statement.name.span, |kind| kind.value.span);
        self.report(Diagnostic::new(Code::CatalogType, span).flink(flink));
        None
    }

    fn drop_catalog(&mut self, statement: &CatalogStatement, name: Rc<str>) -> Option<CatalogChange> {
        let (code, why) = if *name == *DEFAULT_CATALOG {
            (
                Code::CatalogInUse,
                "Cannot drop a catalog which is currently in use.".to_owned(),
            )
        } else if self.catalog.catalogs.contains(&name) || statement.conditional {
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

    /// The default catalog has no description; one of the session is only a name.
    fn catalog_has_nothing(&mut self, statement: &CatalogStatement, flink: String) -> Option<CatalogChange> {
        let (name, span) = (statement.name.object(), statement.name.span);
        if self.catalog.catalogs.iter().any(|known| **known == *name) {
            let feature = match statement.action {
                CatalogAction::AlterCatalog => "ALTER CATALOG",
                _ => "DESCRIBE CATALOG",
            };
            self.not_supported(feature, span);
        } else if name == DEFAULT_CATALOG {
            self.report(Diagnostic::new(Code::CatalogWithoutOptions, span).flink(flink));
        } else {
            let diagnostic = Diagnostic::new(Code::UnknownCatalog, span);
            self.report(diagnostic.arg("catalog", name).flink(flink));
        }
        None
    }

    /// Says that a declaration is kept and cannot be used.
    pub(super) fn declared_only(&mut self, what: &str, span: sg_diag::Span) {
        self.report(Diagnostic::new(Code::DeclaredOnly, span).arg("what", what));
    }
}
