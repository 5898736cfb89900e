//! FROM: tables, views, WITH tables, sub-queries, table functions.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, LabelText, Span};
use sg_sql::{Hint, HintArgument, byte_span, query as ast};
use sg_value::{Field, Gather as _};

use super::{
    Binder, BoundQuery, TableUse,
    matching::MatchClauses,
    query::Place,
    scope::{Relation, Scope},
};
use crate::{
    catalog::{CatalogObject, ColumnKind, ObjectPath, Table},
    logical::{LogicalNode, LogicalOp, ScanNode, WatermarkNode},
};

/// What is known about a relation beside its query.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    /// Where it lives, if it is a table or view of a catalog.
    pub(super) path: Option<ObjectPath>,
    /// Its declaration has errors.
    pub(super) broken: bool,
}

impl Binder<'_> {
    /// The relations of FROM and their columns; without FROM one row and no columns.
    pub(super) fn bind_from(
        &mut self,
        from: &[ast::TableWithJoins],
        hints: &[Hint],
        span: Span,
    ) -> (Rc<LogicalNode>, Scope) {
        let Some((first, rest)) = from.split_first() else {
            return (self.one_row(span), Scope::default());
        };
        let mut joined = self.bind_joins(first, hints);
        for item in rest {
            joined = self.comma_join(joined, item, hints);
        }
        joined
    }

    pub(super) fn check_relation_names(&mut self, scope: &Scope, other: &Scope) {
        for relation in &other.relations {
            let Some(name) = &relation.name else { continue };
            if let Some(first) = scope
                .relations
                .iter()
                .find(|known| known.name.as_ref() == Some(name))
            {
                self.duplicate_relation(name, relation, first.span);
            }
        }
    }

    pub(super) fn bind_factor(&mut self, factor: &ast::TableFactor) -> (Rc<LogicalNode>, Scope) {
        match factor {
            ast::TableFactor::Table {
                name,
                alias,
                args: None,
                ..
            } => {
                let span = super::table::name_span(name);
                let parts = idents(name);
                let (bound, source) = self.bind_table_by_name(&parts, span);
                let own = parts.last().map(|ident| Rc::from(ident.value.as_str()));
                self.relation(bound, &source, (own, alias.as_ref()), span)
            }
            ast::TableFactor::Table {
                name,
                alias,
                args: Some(args),
                ..
            } => self.bind_table_function(name, args, alias.as_ref()),
            ast::TableFactor::Function {
                name,
                args,
                alias,
                lateral,
                ..
            } => {
                if *lateral {
                    self.not_supported("LATERAL TABLE(…)", super::table::name_span(name));
                }
                self.bind_table_function(name, args, alias.as_ref())
            }
            ast::TableFactor::TableFunction { expr, alias } => {
                self.bind_table_expression(expr, alias.as_ref())
            }
            ast::TableFactor::Derived {
                subquery,
                alias,
                lateral,
                ..
            } => {
                let span = self.spans.query(subquery);
                if *lateral {
                    self.not_supported("LATERAL (SELECT …)", span);
                }
                let bound = self.bind_query(subquery, Place::Nested);
                self.relation(bound, &Source::default(), (None, alias.as_ref()), span)
            }
            ast::TableFactor::NestedJoin {
                table_with_joins,
                alias,
            } => {
                let item = std::slice::from_ref(&**table_with_joins);
                let (node, scope) = self.bind_from(item, &[], self.statement);
                match alias {
                    Some(alias) => self.renamed_scope(node, &scope, alias),
                    None => (node, scope),
                }
            }
            ast::TableFactor::MatchRecognize {
                table,
                partition_by,
                order_by,
                measures,
                rows_per_match,
                after_match_skip,
                pattern,
                symbols,
                alias,
            } => self.bind_match(MatchClauses {
                table,
                partition_by,
                order_by,
                measures,
                rows_per_match: rows_per_match.as_ref(),
                after: after_match_skip.as_ref(),
                pattern,
                symbols,
                alias: alias.as_ref(),
            }),
        }
    }

    /// A relation of one query, under its alias or own name.
    pub(super) fn relation(
        &mut self,
        bound: BoundQuery,
        source: &Source,
        (own, alias): (Option<Rc<str>>, Option<&ast::TableAlias>),
        span: Span,
    ) -> (Rc<LogicalNode>, Scope) {
        let mut columns = bound.fields();
        let mut place = span;
        let name = match alias {
            Some(alias) => {
                place = byte_span(alias.name.span).unwrap_or(span);
                let given: Vec<Rc<str>> = alias
                    .columns
                    .iter()
                    .map(|column| Rc::from(column.name.value.as_str()))
                    .gather();
                let list = super::query::name_list(&alias.columns).unwrap_or(place);
                self.check_column_list(&given, &bound, &alias.name.value, list);
                rename(&mut columns, &given);
                Some(Rc::from(alias.name.value.as_str()))
            }
            None => own,
        };
        let node = if alias.is_some_and(|alias| !alias.columns.is_empty()) {
            named_values(bound.node, &columns)
        } else {
            bound.node
        };
        let count = u32::try_from(columns.len()).unwrap_or(u32::MAX);
        let relation = Relation {
            name,
            table: source.path.clone().filter(|_| alias.is_none()),
            columns: 0..count,
            span: place,
            whole: span.join(place),
            broken: source.broken,
        };
        (node, Scope::of(relation, columns))
    }

    /// `(a JOIN b) AS x`
    fn renamed_scope(
        &mut self,
        node: Rc<LogicalNode>,
        scope: &Scope,
        alias: &ast::TableAlias,
    ) -> (Rc<LogicalNode>, Scope) {
        let names = scope.columns.iter().map(|field| Rc::clone(&field.name)).gather();
        let source = Source {
            path: None,
            broken: scope.is_broken(),
        };
        self.relation(
            BoundQuery { node, names },
            &source,
            (None, Some(alias)),
            self.statement,
        )
    }

    /// A WITH table, a view or a table.
    pub(super) fn bind_table_by_name(&mut self, parts: &[&ast::Ident], span: Span) -> (BoundQuery, Source) {
        if !self.count_table() {
            let source = Source {
                path: None,
                broken: true,
            };
            return (self.nothing(span), source);
        }
        if let [name] = parts
            && let Some(at) = self.with.iter().rposition(|table| *table.name == *name.value)
        {
            self.trail_table(span, || format!("`{}`", name.value));
            return (self.expand_with(at, span), Source::default());
        }
        let texts: Vec<&str> = parts.iter().map(|part| part.value.as_str()).gather();
        let Some(path) = self.home.object(&texts) else {
            return self.unknown_table(parts, span);
        };
        self.trail_table(span, || path.quoted());
        match self.catalog.object(&path) {
            Some(CatalogObject::Table(table)) => {
                let table = Rc::clone(table);
                self.failed |= table.broken;
                let source = Source {
                    path: Some(path),
                    broken: table.broken,
                };
                (self.bind_table(&table, span), source)
            }
            Some(CatalogObject::View(view)) => {
                let view = Rc::clone(view);
                if !self.side.hints_after(span).is_empty() {
                    self.hint_on_view(&path, span);
                }
                let source = Source {
                    path: Some(path),
                    broken: view.broken,
                };
                (self.expand_view(&view, span), source)
            }
            None => self.unknown_table(parts, span),
        }
    }

    fn unknown_table(&mut self, parts: &[&ast::Ident], span: Span) -> (BoundQuery, Source) {
        let shown = parts
            .iter()
            .map(|part| part.value.as_str())
            .gather::<Vec<_>>()
            .join(".");
        let texts: Vec<&str> = parts.iter().map(|part| part.value.as_str()).gather();
        let path = self.home.object(&texts);
        let place = path.as_ref().map_or(&self.home, |path| &path.place);
        let object = texts.last().copied().unwrap_or_default();
        let declared: Vec<Rc<str>> = self
            .catalog
            .objects_of(place)
            .map(|object| object.path().object)
            .gather();
        let names = || {
            let declared = declared.iter().map(|name| &**name);
            let with = self.with.iter().map(|table| &*table.name);
            declared.chain(with.filter(|_| texts.len() == 1))
        };
        let other_case = names().find(|name| name.eq_ignore_ascii_case(object) && *name != object);
        let within = format!("{}.{}", place.catalog, place.database);
        let message = match (texts.as_slice(), other_case) {
            (_, Some(name)) => {
                format!("Object '{object}' not found within '{within}'; did you mean '{name}'?")
            }
            ([_, .., _], _) if self.catalog.has(place) => {
                format!("Object '{object}' not found within '{within}'")
            }
            ([catalog, inner, ..], _) if self.catalog.databases(catalog).is_some() => {
                format!("Object '{inner}' not found within '{catalog}'")
            }
            ([catalog, _, _], _) => {
                let mut known = self.catalog.catalogs.keys();
                let other_case = known.find(|name| name.eq_ignore_ascii_case(catalog));
                let meant = other_case.map_or_else(String::new, |name| format!("; did you mean '{name}'?"));
                format!("Object '{catalog}' not found{meant}")
            }
            ([first, ..], _) => format!("Object '{first}' not found"),
            ([], _) => String::new(),
        };
        let flink = self.validation(span, &message);
        let place = place.clone();
        if self.catalog.databases(&place.catalog).is_none() {
            self.no_catalog(&place.catalog, span, flink);
            let source = Source {
                path: None,
                broken: true,
            };
            return (self.nothing(span), source);
        }
        let diagnostic = Diagnostic::new(Code::UnknownTable, span)
            .arg("table", &shown)
            .flink(flink)
            .suggest_similar(&shown, names());
        self.report(diagnostic);
        (
            self.nothing(span),
            Source {
                path: None,
                broken: true,
            },
        )
    }

    fn hint_on_view(&mut self, path: &ObjectPath, span: Span) {
        let flink = format!(
            "ValidationException: View '{}' cannot be enriched with new options. Hints can only be applied to tables.",
            path.quoted()
        );
        self.report(
            Diagnostic::new(Code::HintOnView, span)
                .arg("view", &path.object)
                .flink(flink),
        );
    }

    /// The query of a WITH table, as if it stood here.
    fn expand_with(&mut self, at: usize, span: Span) -> BoundQuery {
        let Some(table) = self.with.get(at).cloned() else {
            return self.nothing(span);
        };
        if !self.count_tables(table.tables) {
            self.failed = true;
            return self.nothing(span);
        }
        let mut bound = table.bound;
        self.failed |= table.broken;
        if !table.columns.is_empty() {
            bound.names.clone_from(&table.columns);
        }
        bound
    }

    /// Scan, computed columns, watermark.
    fn bind_table(&mut self, table: &Rc<Table>, span: Span) -> BoundQuery {
        let names: Vec<Rc<str>> = table
            .columns
            .iter()
            .map(|column| Rc::clone(&column.field.name))
            .gather();
        let (table, hints) = self.hinted(table, span);
        self.diags
            .append(super::check_options(&table, TableUse::Source, span));
        let columns = table.scan_columns();
        let scan = ScanNode {
            table: Rc::clone(&table),
            columns: columns.clone(),
            source_watermark: false,
            hints,
        };
        let mut node = self.builder.scan(scan, span);
        let is_reordered = !columns
            .iter()
            .copied()
            .eq(0..u32::try_from(table.columns.len()).unwrap_or(0));
        if is_reordered {
            node = self.computed_columns(node, &table, &columns, span);
        }
        if let Some(watermark) = &table.watermark {
            let watermark = WatermarkNode {
                rowtime: watermark.column,
                expression: watermark.expression.clone(),
            };
            node = self.builder.watermark(node, watermark, span);
        }
        BoundQuery { node, names }
    }

    /// All columns of a table in order, over what its connector delivers.
    fn computed_columns(
        &mut self,
        node: Rc<LogicalNode>,
        table: &Table,
        delivered: &[u32],
        span: Span,
    ) -> Rc<LogicalNode> {
        let position = |column: u32| {
            let at = delivered.iter().position(|&delivered| delivered == column);
            at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
        };
        let expressions = (0_u32..)
            .zip(&table.columns)
            .map(|(at, column)| match &column.kind {
                ColumnKind::Computed { expr, .. } => expr.map_columns(&mut |column| position(column)),
                ColumnKind::Physical | ColumnKind::Metadata { .. } => sg_expr::Expr::column(
                    position(at),
                    column.field.data_type.without_time_attribute(),
                    column.span,
                ),
            })
            .gather();
        let names: Vec<Rc<str>> = table
            .columns
            .iter()
            .map(|column| Rc::clone(&column.field.name))
            .gather();
        self.builder.project_always(node, expressions, &names, span)
    }

    /// The table with the options of `/*+ OPTIONS(…) */` behind its name.
    pub(super) fn hinted(&mut self, table: &Rc<Table>, span: Span) -> (Rc<Table>, Vec<(String, String)>) {
        let side = Rc::clone(&self.side);
        let mut pairs = Vec::new();
        for hint in side.hints_after(span) {
            if !hint.name.name.eq_ignore_ascii_case("OPTIONS") {
                self.unknown_hint(&hint.name.name, hint.span);
                continue;
            }
            for arg in &hint.args {
                if let HintArgument::Pair(key, value) = arg {
                    pairs.push((key.value.clone(), value.value.clone()));
                }
            }
        }
        if pairs.is_empty() {
            return (Rc::clone(table), pairs);
        }
        let mut hinted = (**table).clone();
        hinted.options.extend(pairs.iter().cloned());
        (Rc::new(hinted), pairs)
    }

    /// Two relations of one name.
    fn duplicate_relation(&mut self, name: &str, relation: &Relation, first: Span) {
        let span = relation.span;
        let flink = self.validation(
            relation.whole,
            &format!("Duplicate relation name '{name}' in FROM clause"),
        );
        self.report(
            Diagnostic::new(Code::DuplicateRelation, span)
                .arg("name", name)
                .label(first, LabelText::FirstHere)
                .flink(flink),
        );
    }
}

/// The identifiers of a name.
pub(super) fn idents(name: &ast::ObjectName) -> Vec<&ast::Ident> {
    name.0.iter().gather()
}

/// VALUES take the names of the alias that they stand under.
fn named_values(node: Rc<LogicalNode>, columns: &[Field]) -> Rc<LogicalNode> {
    if !matches!(node.op, LogicalOp::Values(_)) || columns.len() != node.schema.len() {
        return node;
    }
    let mut named = (*node).clone();
    named.schema = named
        .schema
        .iter()
        .zip(columns)
        .map(|(field, given)| Field {
            name: Rc::clone(&given.name),
            data_type: field.data_type.clone(),
        })
        .gather();
    Rc::new(named)
}

fn rename(columns: &mut [Field], names: &[Rc<str>]) {
    for (field, name) in columns.iter_mut().zip(names) {
        field.name = Rc::clone(name);
    }
}

/// Where the first relation stands.
pub(super) fn scope_span(scope: &Scope) -> Option<Span> {
    scope.relations.first().map(|relation| relation.span)
}

/// A scope in which no name is reported.
pub(super) fn broken_scope(span: Span) -> Scope {
    Scope::of(
        Relation {
            name: None,
            table: None,
            columns: 0..0,
            span,
            whole: span,
            broken: true,
        },
        Vec::new(),
    )
}
