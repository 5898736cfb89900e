//! Statements in order: declarations change the catalog, queries and inserts become plans.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_sql::{
    ParsedStatement, Script,
    ast::{ExplainDetail, Insert, Statement},
};
use sg_value::Field;

use crate::{
    Settings,
    bind::{Binder, BinderInput, Place, result_names},
    catalog::{Catalog, CatalogObject},
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
    /// DESCRIBE, SHOW …: something to print, without a job.
    Show(Box<Statement>),
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
            Statement::Explain(explain) => match self.job(&explain.statement, catalog) {
                PlannedKind::Failed => PlannedKind::Failed,
                of => PlannedKind::Explain {
                    details: explain.details.clone(),
                    of: Box::new(of),
                },
            },
            Statement::CreateTable(_)
            | Statement::CreateView(_)
            | Statement::CreateDatabase(_)
            | Statement::Drop(_)
            | Statement::AlterTable(_)
            | Statement::AlterView(_) => self.declaration(statement, catalog),
            Statement::Set(_) | Statement::Reset(_) | Statement::Use(_) => self.session(statement, catalog),
            Statement::Describe(_) | Statement::Show(_) => PlannedKind::Show(Box::new(statement.clone())),
        }
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
                    .collect();
                PlannedKind::Query(PlannedQuery {
                    logical: bound.node,
                    columns,
                })
            }
            Statement::Insert(insert) => self.inserts(std::slice::from_ref(&**insert), catalog),
            Statement::StatementSet(set) => self.inserts(&set.inserts, catalog),
            _ => {
                let span = self.parsed.span;
                self.diags
                    .push(Diagnostic::new(Code::NotSupported, span).arg("feature", "EXPLAIN …"));
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

    fn declaration(&mut self, statement: &Statement, catalog: &mut Catalog) -> PlannedKind {
        match statement {
            Statement::CreateTable(create) => {
                let (table, sound) = self.bind(catalog, |binder| binder.bind_create_table(create));
                if let Some(table) = table {
                    catalog
                        .objects
                        .insert(Rc::clone(&table.name), CatalogObject::Table(Rc::new(table)));
                }
                done(sound)
            }
            Statement::CreateView(create) => {
                let (view, sound) = self.bind(catalog, |binder| binder.bind_create_view(create));
                if let Some(view) = view {
                    catalog
                        .objects
                        .insert(Rc::clone(&view.name), CatalogObject::View(Rc::new(view)));
                }
                done(sound)
            }
            Statement::Drop(drop) => {
                let (goes, sound) = self.bind(catalog, |binder| binder.bind_drop(drop));
                if goes {
                    catalog.objects.shift_remove(drop.name.object());
                }
                done(sound)
            }
            _ => {
                let span = self.parsed.span;
                let feature = match statement {
                    Statement::CreateDatabase(_) => "CREATE DATABASE",
                    _ => "ALTER",
                };
                self.diags
                    .push(Diagnostic::new(Code::NotSupported, span).arg("feature", feature));
                PlannedKind::Failed
            }
        }
    }

    fn session(&mut self, statement: &Statement, catalog: &mut Catalog) -> PlannedKind {
        match statement {
            Statement::Set(set) => {
                let Some(option) = &set.option else {
                    return PlannedKind::Show(Box::new(statement.clone()));
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
            _ => {
                let span = self.parsed.span;
                self.diags
                    .push(Diagnostic::new(Code::NotSupported, span).arg("feature", "USE"));
                PlannedKind::Failed
            }
        }
    }
}

const fn done(sound: bool) -> PlannedKind {
    if sound {
        PlannedKind::Done
    } else {
        PlannedKind::Failed
    }
}
