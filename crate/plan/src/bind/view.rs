//! CREATE VIEW, and views where they are used.

use std::{mem, rc::Rc};

use sg_diag::{Code, Diagnostic, Span};
use sg_sql::{ast as ddl, byte_span, query as ast};
use sg_value::{Field, Gather as _};

use super::{Binder, BoundQuery, query::Place, table::Target};
use crate::{
    catalog::{ObjectPath, View, ViewText},
    unparse::Trail,
};

impl Binder<'_> {
    /// The declared view; its query is checked here and bound again where it is used.
    ///
    /// A view can only read what is declared before it, so no view reads itself.
    #[inline(never)]
    pub(crate) fn bind_create_view(&mut self, create: &ddl::CreateView) -> Option<View> {
        let path = self.target_path(&create.name, Target::Table, create.temporary)?;
        if let Some(object) = self.catalog.object_of_kind(&path, create.temporary) {
            if !create.if_not_exists {
                let first = object.span();
                self.already_exists("CreateTable", &create.name, first);
            }
            return None;
        }
        let columns: Vec<Rc<str>> = create
            .columns
            .iter()
            .map(|column| Rc::from(column.name.name.as_str()))
            .gather();
        let mark = self.diags.len();
        let mut view = self.view_of(&path, &columns, &create.query, create.name.span);
        self.drop_validation_heads(mark);
        self.check_view_columns(create, &columns, &view.fields);
        self.check_column_names(create, &view.fields);
        view.temporary = create.temporary;
        view.broken |= self.diags.has_errors();
        view.comment = create.comment.as_ref().map(|text| Rc::from(text.value.as_str()));
        view.column_comments = create
            .columns
            .iter()
            .filter_map(|column| {
                let comment = column.comment.as_ref()?;
                Some((
                    Rc::from(column.name.name.as_str()),
                    Rc::from(comment.value.as_str()),
                ))
            })
            .gather();
        Some(view)
    }

    /// A view of a query, under these names or the query's own.
    pub(super) fn view_of(
        &mut self,
        path: &ObjectPath,
        columns: &[Rc<str>],
        query: &ddl::QuerySyntax,
        span: Span,
    ) -> View {
        self.trail = Some(Trail::default());
        let bound = self.bind_query(&query.query, Place::Nested);
        let trail = self.trail.take().unwrap_or_default();
        let mut fields = bound.fields();
        if columns.len() == fields.len() {
            for (field, name) in fields.iter_mut().zip(columns) {
                field.name = Rc::clone(name);
            }
        }
        View {
            name: Rc::clone(&path.object),
            place: path.place.clone(),
            home: self.home.clone(),
            fields,
            comment: None,
            column_comments: Vec::new(),
            written: ViewText {
                statement: Rc::from(self.statement.text(self.text)),
                start: self.statement.start,
                trail,
            },
            columns: columns.to_vec(),
            query: Rc::clone(&query.query),
            side: Rc::clone(&self.side),
            spans: Rc::clone(&self.spans),
            temporary: false,
            broken: self.diags.has_errors() || self.failed,
            span,
        }
    }

    fn check_view_columns(&mut self, create: &ddl::CreateView, columns: &[Rc<str>], fields: &[Field]) {
        if columns.is_empty() || columns.len() == fields.len() || self.failed || self.diags.has_errors() {
            return;
        }
        let list = |names: &[Rc<str>]| names.iter().map(|name| &**name).gather::<Vec<_>>().join(", ");
        let flink = format!(
            "ValidationException: VIEW definition and input fields not match:\n\tDef fields: [{}].\n\tInput fields: [{}].",
            list(columns),
            list(
                &fields
                    .iter()
                    .map(|field| Rc::clone(&field.name))
                    .gather::<Vec<_>>()
            )
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
                .arg("columns", fields.len())
                .arg("given", columns.len())
                .flink(flink),
        );
    }

    /// Each column has a name of its own; Flink names the place of the first.
    fn check_column_names(&mut self, create: &ddl::CreateView, fields: &[Field]) {
        let twice = |name: &str| fields.iter().filter(|field| *field.name == *name).count() > 1;
        let Some(at) = fields.iter().position(|field| twice(&field.name)) else {
            return;
        };
        let Some(field) = fields.get(at) else { return };
        let items = match &*create.query.query.body {
            ast::SetExpr::Select(select) => select.projection.as_slice(),
            _ => &[],
        };
        // one star gives its columns names of their own
        if let [ast::SelectItem::Wildcard(_)] = items {
            return;
        }
        let item = |at: usize| match items.get(at) {
            Some(ast::SelectItem::UnnamedExpr(expr) | ast::SelectItem::ExprWithAlias { expr, .. }) => {
                Some(self.span(expr))
            }
            Some(ast::SelectItem::Wildcard(star)) => byte_span(*star),
            _ => None,
        };
        let span = item(at.min(items.len().saturating_sub(1))).unwrap_or(create.name.span);
        let place = self.position(span);
        let place = place.trim_start_matches("From ").trim_start_matches("At ");
        let place = place.split(" to ").next().unwrap_or(place);
        let flink = format!(
            "ValidationException: SQL validation failed. A column with the same name `{}` has been defined at {place}.",
            field.name
        );
        self.report(
            Diagnostic::new(Code::DuplicateColumn, span)
                .arg("column", &field.name)
                .flink(flink),
        );
    }

    /// The query of a view, as if it stood here. What is wrong with it was said where it is declared, except that
    /// what it reads may be gone since.
    pub(super) fn expand_view(&mut self, view: &Rc<View>, span: Span) -> BoundQuery {
        if view.broken || self.views.contains(&view.path()) {
            self.failed = true;
            return self.nothing(span);
        }
        let side = mem::replace(&mut self.side, Rc::clone(&view.side));
        let spans = mem::replace(&mut self.spans, Rc::clone(&view.spans));
        let with = mem::take(&mut self.with);
        let home = mem::replace(&mut self.home, view.home.clone());
        self.views.push(view.path());
        let (mut bound, sound) = self.scratch(|binder| binder.bind_query(&view.query, Place::Nested));
        self.views.pop();
        self.home = home;
        self.with = with;
        self.side = side;
        self.spans = spans;
        if !sound {
            let flink = self.validation(span, &format!("Object '{}' not found", view.path().dotted()));
            self.report(
                Diagnostic::new(Code::ViewIsStale, span)
                    .arg("view", &view.name)
                    .flink(flink),
            );
        }
        if !view.columns.is_empty() {
            bound.names.clone_from(&view.columns);
            let names: Vec<Option<Rc<str>>> = view.columns.iter().map(|name| Some(Rc::clone(name))).gather();
            let columns = bound.node.schema.iter().enumerate();
            let expressions = columns
                .map(|(at, field)| {
                    let at = u32::try_from(at).unwrap_or(u32::MAX);
                    sg_expr::Expr::column(at, field.data_type.clone(), span)
                })
                .gather();
            bound.node = self.builder.project(bound.node, expressions, &names, span);
        }
        bound
    }
}
