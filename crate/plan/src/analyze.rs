//! Statements in order: declarations change the catalog, queries and inserts become plans.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_sql::{
    ParsedStatement, Script,
    ast::{CreateTable, DropKind, ExplainDetail, Insert, Replace, Statement},
};
use sg_value::{Field, Gather as _};

use crate::{
    Settings,
    bind::{
        Altered, Binder, BinderInput, CatalogChange, FunctionChange, Place, insert_of, result_names,
        without_target_columns,
    },
    catalog::{Catalog, CatalogObject, Database},
    logical::{LogicalNode, check_windows, shown_type, validated_types},
    settings,
};

/// What a script has declared, and what its statements are to do.
#[derive(Clone, Debug)]
pub struct Analyzed {
    /// The catalog behind the last statement.
    pub catalog: Catalog,
    /// One per statement of the script, broken ones included.
    pub statements: Vec<Planned>,
}

/// What a statement is to do.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The statement's text.
    pub span: Span,
    /// Settings as they are where it stands.
    pub settings: Settings,
    /// What it is.
    pub kind: PlannedKind,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum PlannedKind {
    /// It has errors, which were reported.
    Failed,
    /// It changed the catalog or the settings, or does nothing here.
    Done,
    /// A bare query.
    Query(PlannedQuery),
    /// INSERTs that run as one job: sink nodes in order.
    Inserts(Vec<Rc<LogicalNode>>),
    /// EXPLAIN of a query or of INSERTs.
    Explain {
        /// What beside the plans is to be shown.
        details: Vec<ExplainDetail>,
        /// What is explained.
        of: Box<Self>,
    },
    /// DESCRIBE, SHOW …: a text, without a job.
    Show(String),
}

/// A bare query.
#[derive(Clone, Debug)]
pub struct PlannedQuery {
    /// Its tree.
    pub logical: Rc<LogicalNode>,
    /// Names and types of the result, as Flink's result schema shows them.
    pub columns: Vec<Field>,
}

/// Binds all statements of a script. `text` is what the script was parsed from; `catalog` is what was declared
/// before it, in other texts.
pub fn analyze_script(text: &str, script: &Script, catalog: Catalog, diags: &mut Diagnostics) -> Analyzed {
    let mut analyzed = Analyzed {
        catalog,
        statements: Vec::with_capacity(script.statements.len()),
    };
    for parsed in &script.statements {
        let settings = Settings::read(&analyzed.catalog.settings);
        sg_expr::fold_in(&settings.zone);
        let kind = match &parsed.statement {
            Ok(statement) => {
                let mut run = Run {
                    text,
                    parsed,
                    settings: &settings,
                    diags,
                };
                run.statement(statement, &mut analyzed.catalog)
            }
            Err(()) => PlannedKind::Failed,
        };
        analyzed.statements.push(Planned {
            span: parsed.span,
            settings,
            kind,
        });
    }
    analyzed
}

/// One statement.
struct Run<'a> {
    text: &'a str,
    parsed: &'a ParsedStatement,
    settings: &'a Settings,
    diags: &'a mut Diagnostics,
}

impl Run<'_> {
    /// Binds something; returns it only where nothing is wrong, and what there is in any case.
    fn bind<T>(&mut self, catalog: &Catalog, bind: impl FnOnce(&mut Binder<'_>) -> T) -> (T, bool) {
        let input = BinderInput {
            text: self.text,
            catalog,
            settings: self.settings,
        };
        let side = Rc::new(self.parsed.side.clone());
        let spans = Rc::new(self.parsed.spans.clone());
        let mut binder = Binder::new(input, self.parsed.span, side, spans);
        let bound = bind(&mut binder);
        let (diags, sound) = binder.finish();
        self.diags.append(diags);
        (bound, sound)
    }

    fn statement(&mut self, statement: &Statement, catalog: &mut Catalog) -> PlannedKind {
        match statement {
            Statement::Query(_) | Statement::Insert(_) | Statement::StatementSet(_) => {
                self.job(statement, catalog)
            }
            Statement::Explain(explain) => match self.explained(&explain.statement, catalog) {
                PlannedKind::Failed => PlannedKind::Failed,
                of => PlannedKind::Explain {
                    details: explain.details.clone(),
                    of: Box::new(of),
                },
            },
            Statement::CreateTable(create) if create.as_query.is_some() => {
                self.create_table_as(create, catalog)
            }
            Statement::CreateTable(_)
            | Statement::CreateView(_)
            | Statement::CreateDatabase(_)
            | Statement::Function(_)
            | Statement::Catalog(_)
            | Statement::Drop(_) => self.declaration(statement, catalog),
            Statement::AlterTable(_) | Statement::AlterView(_) => self.alteration(statement, catalog),
            Statement::Set(_) | Statement::Reset(_) | Statement::Use(_) => self.session(statement, catalog),
            Statement::Describe(describe) => self.shown(catalog, |binder| binder.bind_describe(describe)),
            Statement::Show(show) => self.shown(catalog, |binder| binder.bind_show(show)),
        }
    }

    /// What EXPLAIN explains. Flink validates a query twice then, and its message has two heads.
    #[inline(never)]
    fn explained(&mut self, statement: &Statement, catalog: &Catalog) -> PlannedKind {
        let mark = self.diags.len();
        let kind = self.job(statement, catalog);
        if matches!(statement, Statement::Query(_)) && self.diags.len() > mark {
            let head = "SQL validation failed. ";
            let diags = std::mem::take(self.diags);
            for (at, mut diagnostic) in diags.into_iter().enumerate() {
                if let Some(flink) = diagnostic.flink.as_mut().filter(|_| at >= mark)
                    && flink.contains(head)
                {
                    *flink = flink.replacen(head, &head.repeat(2), 1);
                }
                self.diags.push(diagnostic);
            }
        }
        kind
    }

    /// A query or INSERTs.
    fn job(&mut self, statement: &Statement, catalog: &Catalog) -> PlannedKind {
        match statement {
            Statement::Query(query) => {
                let (bound, sound) = self.bind(catalog, |binder| {
                    binder.bind_query(&query.query, Place::Statement)
                });
                if !sound || !self.windows_are_sound(&bound.node) {
                    return PlannedKind::Failed;
                }
                let names = result_names(&bound.names);
                let columns = names
                    .into_iter()
                    .zip(validated_types(&bound.node))
                    .map(|(name, data_type)| Field {
                        name,
                        data_type: shown_type(&data_type),
                    })
                    .gather();
                PlannedKind::Query(PlannedQuery {
                    logical: bound.node,
                    columns,
                })
            }
            Statement::Insert(insert) => self.inserts(std::slice::from_ref(&**insert), catalog),
            Statement::StatementSet(set) => self.inserts(&set.inserts, catalog),
            // EXPLAIN declares nothing.
            Statement::CreateTable(create) if create.as_query.is_some() => {
                let create = CreateTable {
                    replace: Replace::OrCreate,
                    ..CreateTable::clone(create)
                };
                self.create_table_as(&create, &mut catalog.clone())
            }
            _ => {
                let span = self.parsed.span;
                self.diags.push(
                    Diagnostic::new(Code::NothingToExplain, span).flink(
                        "SqlParserException: SQL parse failed. Unsupported CREATE OR REPLACE statement for EXPLAIN. The \
                         statement must define a query using the AS clause (i.e. CTAS/RTAS statements).",
                    ),
                );
                PlannedKind::Failed
            }
        }
    }

    /// What Flink's planner says about windows.
    fn windows_are_sound(&mut self, root: &Rc<LogicalNode>) -> bool {
        let before = self.diags.len();
        check_windows(root, self.settings, self.diags);
        self.diags.len() == before
    }

    #[inline(never)]
    fn inserts(&mut self, inserts: &[Insert], catalog: &Catalog) -> PlannedKind {
        let mut sinks = Vec::with_capacity(inserts.len());
        let mut all_sound = true;
        let mut next = crate::logical::Builder::default();
        for insert in inserts {
            let ((sink, builder), sound) = self.bind(catalog, |binder| {
                binder.builder = next.clone();
                (binder.bind_insert(insert), binder.builder.clone())
            });
            next = builder;
            let sound = sound && sink.as_ref().is_some_and(|sink| self.windows_are_sound(sink));
            all_sound &= sound;
            sinks.extend(sink);
        }
        if all_sound {
            PlannedKind::Inserts(sinks)
        } else {
            PlannedKind::Failed
        }
    }

    /// CREATE TABLE … AS: the table, then the INSERT of its query.
    #[inline(never)]
    fn create_table_as(&mut self, create: &CreateTable, catalog: &mut Catalog) -> PlannedKind {
        let (table, sound) = self.bind(catalog, |binder| binder.bind_create_table(create));
        let Some(table) = table else {
            return done(sound);
        };
        catalog.insert(CatalogObject::Table(Rc::new(table)));
        if !sound {
            return PlannedKind::Failed;
        }
        let names = create
            .as_query
            .as_ref()
            .map(|query| self.bind(catalog, |binder| binder.query_names(query)).0);
        match insert_of(create, &names.unwrap_or_default(), self.parsed.span) {
            Some(insert) => match self.inserts(&[insert], catalog) {
                // The list of columns is not written, so it is not printed.
                PlannedKind::Inserts(sinks) => {
                    PlannedKind::Inserts(sinks.iter().map(without_target_columns).gather())
                }
                other => other,
            },
            None => PlannedKind::Failed,
        }
    }

    fn declaration(&mut self, statement: &Statement, catalog: &mut Catalog) -> PlannedKind {
        match statement {
            Statement::CreateTable(create) => {
                let (table, sound) = self.bind(catalog, |binder| binder.bind_create_table(create));
                if let Some(table) = table {
                    catalog.insert(CatalogObject::Table(Rc::new(table)));
                }
                done(sound)
            }
            Statement::CreateView(create) => {
                let (view, sound) = self.bind(catalog, |binder| binder.bind_create_view(create));
                if let Some(view) = view {
                    catalog.insert(CatalogObject::View(Rc::new(view)));
                }
                done(sound)
            }
            Statement::CreateDatabase(create) => {
                let (path, sound) = self.bind(catalog, |binder| binder.bind_create_database(create));
                if let Some(path) = path
                    && let Some(known) = catalog.catalogs.get_mut(&*path.catalog)
                {
                    let comment = create.comment.as_ref().map(|text| Rc::from(text.value.as_str()));
                    known.databases.insert(path.database, Database { comment });
                }
                done(sound)
            }
            Statement::Function(function) => {
                let (change, sound) = self.bind(catalog, |binder| binder.bind_function_statement(function));
                match change {
                    Some(FunctionChange::Put(scope, path, function)) => {
                        catalog.functions.insert(scope, path, function);
                    }
                    Some(FunctionChange::Gone(scope, path)) => catalog.functions.remove(scope, &path),
                    None => {}
                }
                done(sound)
            }
            Statement::Catalog(one) => {
                let (change, sound) = self.bind(catalog, |binder| binder.bind_catalog_statement(one));
                match change {
                    Some(CatalogChange::Shown(text)) if sound => return PlannedKind::Show(text),
                    other => change_catalog(other, catalog),
                }
                done(sound)
            }
            Statement::Drop(drop) if drop.kind == DropKind::Database => {
                let (gone, sound) = self.bind(catalog, |binder| binder.bind_drop_database(drop));
                if let Some(gone) = gone {
                    for (path, temporary) in gone.inside {
                        catalog.remove(&path, temporary);
                    }
                    if let Some(known) = catalog.catalogs.get_mut(&*gone.path.catalog) {
                        known.databases.remove(&*gone.path.database);
                    }
                }
                done(sound)
            }
            Statement::Drop(drop) => {
                let (gone, sound) = self.bind(catalog, |binder| binder.bind_drop(drop));
                if let Some((path, temporary)) = gone {
                    catalog.remove(&path, temporary);
                }
                done(sound)
            }
            _ => PlannedKind::Done,
        }
    }

    /// ALTER TABLE and ALTER VIEW.
    #[inline(never)]
    fn alteration(&mut self, statement: &Statement, catalog: &mut Catalog) -> PlannedKind {
        let (altered, sound) = self.bind(catalog, |binder| match statement {
            Statement::AlterTable(alter) => binder.bind_alter_table(alter),
            Statement::AlterView(alter) => binder.bind_alter_view(alter),
            _ => None,
        });
        match altered {
            Some(Altered::Object(object)) => catalog.insert(object),
            Some(Altered::Renamed(from, object)) => {
                catalog.remove(&from, object.temporary());
                catalog.insert(object);
            }
            Some(Altered::Nothing) | None => {}
        }
        done(sound)
    }

    #[inline(never)]
    fn shown(
        &mut self,
        catalog: &Catalog,
        show: impl FnOnce(&mut Binder<'_>) -> Option<String>,
    ) -> PlannedKind {
        match self.bind(catalog, show) {
            (Some(text), true) => PlannedKind::Show(text),
            _ => PlannedKind::Failed,
        }
    }

    #[inline(never)]
    fn session(&mut self, statement: &Statement, catalog: &mut Catalog) -> PlannedKind {
        match statement {
            Statement::Set(set) => {
                let Some(option) = &set.option else {
                    let lines = catalog
                        .settings
                        .iter()
                        .map(|(key, value)| format!("+I[{key}, {value}]\n"));
                    return PlannedKind::Show(lines.gather());
                };
                let (key, value) = (&option.key.value, &option.value.value);
                if let Err(def) = settings::check(key, value) {
                    self.diags.push(
                        Diagnostic::new(Code::BadSettingValue, option.value.span)
                            .arg("key", key)
                            .arg("value", value)
                            .arg("default", def.default)
                            .flink(format!(
                                "IllegalArgumentException: Could not parse value '{value}' for key '{key}'."
                            )),
                    );
                    return PlannedKind::Failed;
                }
                catalog.settings.insert(key.clone(), value.clone());
                PlannedKind::Done
            }
            Statement::Reset(reset) => {
                match &reset.key {
                    Some(key) => {
                        catalog.settings.shift_remove(&key.value);
                    }
                    None => catalog.settings.clear(),
                }
                PlannedKind::Done
            }
            Statement::Use(used) => {
                let (database, sound) = self.bind(catalog, |binder| binder.bind_use(used));
                if let Some(database) = database {
                    catalog.current = database;
                }
                done(sound)
            }
            _ => PlannedKind::Done,
        }
    }
}

/// What a statement about catalogs and models does.
fn change_catalog(change: Option<CatalogChange>, catalog: &mut Catalog) {
    match change {
        Some(CatalogChange::Catalog(name, other)) => {
            catalog.catalogs.insert(name, other);
        }
        Some(CatalogChange::NoCatalog(name)) => catalog.remove_catalog(&name),
        Some(CatalogChange::Model(from, model)) => {
            catalog.remove_model(&from, model.temporary);
            catalog.models.push(model);
        }
        Some(CatalogChange::NoModel(path, temporary)) => catalog.remove_model(&path, temporary),
        Some(CatalogChange::Shown(_)) | None => {}
    }
}

const fn done(sound: bool) -> PlannedKind {
    if sound {
        PlannedKind::Done
    } else {
        PlannedKind::Failed
    }
}
