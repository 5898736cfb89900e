//! CREATE VIEW, and views where they are used.

use std::{mem, rc::Rc};

use sg_diag::{Code, Diagnostic, Span};
use sg_sql::ast as ddl;

use super::{Binder, BoundQuery, query::Place};
use crate::catalog::{DEFAULT_CATALOG, DEFAULT_DATABASE, View};

impl Binder<'_> {
    /// The declared view; its query is checked here and bound again where it is used.
    ///
    /// A view can only read what is declared before it, so no view reads itself.
    pub(crate) fn bind_create_view(&mut self, create: &ddl::CreateView) -> Option<View> {
        let name = self.object_name(&create.name)?;
        if let Some(object) = self.catalog.object(&name) {
            if !create.if_not_exists {
                let first = object.span();
                self.already_exists("CreateTable", &create.name, first);
            }
            return None;
        }
        let bound = self.bind_query(&create.query.query, Place::Nested);
        let columns: Vec<Rc<str>> = create
            .columns
            .iter()
            .map(|column| Rc::from(column.name.name.as_str()))
            .collect();
        self.check_view_columns(create, &columns, &bound);
        Some(View {
            name,
            columns,
            query: Rc::new((*create.query.query).clone()),
            side: Rc::clone(&self.side),
            spans: Rc::clone(&self.spans),
            temporary: create.temporary,
            broken: self.diags.has_errors() || self.failed,
            span: create.name.span,
        })
    }

    fn check_view_columns(&mut self, create: &ddl::CreateView, columns: &[Rc<str>], bound: &BoundQuery) {
        if columns.is_empty() || columns.len() == bound.names.len() || self.failed || self.diags.has_errors()
        {
            return;
        }
        let list = |names: &[Rc<str>]| names.iter().map(|name| &**name).collect::<Vec<_>>().join(", ");
        let flink = format!(
            "ValidationException: VIEW definition and input fields not match:\n\tDef fields: [{}].\n\tInput fields: [{}].",
            list(columns),
            list(&bound.names)
        );
        let first = create
            .columns
            .first()
            .map_or(create.name.span, |column| column.name.span);
        let span = create
            .columns
            .last()
            .map_or(first, |column| first.join(column.name.span));
        self.report(
            Diagnostic::new(Code::ColumnListLength, span)
                .arg("table", create.name.object())
                .arg("columns", bound.names.len())
                .arg("given", columns.len())
                .flink(flink),
        );
    }

    /// The query of a view, as if it stood here. What is wrong with it was said where it is declared, except that
    /// what it reads may be gone since.
    pub(super) fn expand_view(&mut self, view: &Rc<View>, span: Span) -> BoundQuery {
        if view.broken || self.views.contains(&view.name) {
            self.failed = true;
            return self.nothing(span);
        }
        let side = mem::replace(&mut self.side, Rc::clone(&view.side));
        let spans = mem::replace(&mut self.spans, Rc::clone(&view.spans));
        let with = mem::take(&mut self.with);
        self.views.push(Rc::clone(&view.name));
        let (mut bound, sound) = self.scratch(|binder| binder.bind_query(&view.query, Place::Nested));
        self.views.pop();
        self.with = with;
        self.side = side;
        self.spans = spans;
        if !sound {
            let flink = self.validation(
                span,
                &format!(
                    "Object '{DEFAULT_CATALOG}.{DEFAULT_DATABASE}.{}' not found",
                    view.name
                ),
            );
            self.report(
                Diagnostic::new(Code::ViewIsStale, span)
                    .arg("view", &view.name)
                    .flink(flink),
            );
        }
        if !view.columns.is_empty() {
            bound.names.clone_from(&view.columns);
            let names: Vec<Option<Rc<str>>> = view.columns.iter().map(|name| Some(Rc::clone(name))).collect();
            let columns = bound.node.schema.iter().enumerate();
            let expressions = columns
                .map(|(at, field)| {
                    let at = u32::try_from(at).unwrap_or(u32::MAX);
                    sg_expr::Expr::column(at, field.data_type.clone(), span)
                })
                .collect();
            bound.node = self.builder.project(bound.node, expressions, &names, span);
        }
        bound
    }
}
