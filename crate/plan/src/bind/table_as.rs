//! CREATE TABLE … AS SELECT: the query's columns behind the declared ones, then an INSERT of the query.
//!
//! Flink: `MergeTableAsUtil`. Cases: statements/create-table-as-*.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::converts_implicitly;
use sg_sql::ast as ddl;
use sg_value::{Field, Gather as _};

use super::{Binder, query::Place, table::Parts};
use crate::{
    catalog::{Column, ColumnKind},
    logical::{LogicalNode, LogicalOp, SinkNode, shown_type, validated_types},
};

impl Binder<'_> {
    /// The query's columns as columns of the new table.
    pub(super) fn query_columns(&mut self, query: &ddl::QuerySyntax) -> Vec<Column> {
        let bound = self.bind_query(&query.query, Place::Statement);
        let types = validated_types(&bound.node);
        let named = bound.names.iter().zip(types);
        named
            .map(|(name, data_type)| Column {
                field: Field {
                    name: Rc::clone(name),
                    data_type: shown_type(&data_type.without_time_attribute()),
                },
                kind: ColumnKind::Physical,
                comment: None,
                span: query.span,
            })
            .gather()
    }

    /// Names of the query's columns.
    pub(crate) fn query_names(&mut self, query: &ddl::QuerySyntax) -> Vec<Rc<str>> {
        self.scratch(|binder| binder.bind_query(&query.query, Place::Statement).names)
            .0
    }

    /// Declared columns go first; one that the query has too gives it its type. A mere list of names puts the query's
    /// columns into another order.
    pub(super) fn bind_columns_as(
        &mut self,
        create: &ddl::CreateTable,
        query: Vec<Column>,
        parts: &mut Parts,
    ) {
        if !create.columns.is_empty() && create.columns.iter().all(is_bare) {
            parts.columns = self.in_order_of(&create.columns, query);
            return;
        }
        parts.columns = query;
        let taken = parts.columns.len();
        let of_query = |column: &&ddl::Column| {
            let known = |known: &Column| *known.field.name == *column.name.name;
            matches!(column.kind, ddl::ColumnKind::Physical(_))
                && parts
                    .columns
                    .get(..taken)
                    .is_some_and(|all| all.iter().any(known))
        };
        let (typed, own): (Vec<&ddl::Column>, Vec<&ddl::Column>) = create.columns.iter().partition(of_query);
        for column in typed {
            let place = parts
                .columns
                .iter()
                .position(|known| *known.field.name == *column.name.name);
            if let ddl::ColumnKind::Physical(syntax) = &column.kind
                && let Some(data_type) = self.bind_type(syntax)
                && let Some(at) = place
                && let Some(known) = parts.columns.get_mut(at)
            {
                let from = std::mem::replace(&mut known.field.data_type, data_type.clone());
                if !converts_implicitly(&from, &data_type) {
                    let name = &column.name.name;
                    let flink = format!(
                        "ValidationException: Incompatible types for sink column '{name}' at position {}. The source column \
                         has type '{from}', while the target column has type '{data_type}'.",
                        at + 1
                    );
                    let diagnostic = Diagnostic::new(Code::SinkColumnType, column.span)
                        .arg("sink", create.name.object())
                        .arg("column", name)
                        .arg("type", &data_type)
                        .arg("given", &from);
                    self.report(diagnostic.flink(flink));
                }
            }
        }
        let own: Vec<ddl::Column> = own.into_iter().cloned().gather();
        self.bind_columns(&own, parts);
        let added = parts.columns.len().saturating_sub(taken);
        parts.columns.rotate_left(taken);
        let shift = |at: u32| {
            let moved = if (at as usize) < taken {
                at as usize + added
            } else {
                at as usize - taken
            };
            u32::try_from(moved).unwrap_or(at)
        };
        for column in &mut parts.columns {
            if let ColumnKind::Computed { expr, .. } = &mut column.kind {
                *expr = expr.map_columns(&mut |at| shift(at));
            }
        }
    }

    /// A key needs values, and a query's column is as nullable as it is.
    pub(super) fn check_key_as(&mut self, create: &ddl::CreateTable, parts: &Parts) {
        let (Some(query), Some(key)) = (&create.as_query, &create.primary_key) else {
            return;
        };
        let named = |name: &str| parts.columns.iter().find(|column| *column.field.name == *name);
        let nullable = key.columns.iter().find(|column| {
            named(&column.name)
                .is_some_and(|known| known.span == query.span && known.field.data_type.nullable)
        });
        if let Some(column) = nullable {
            let names: Vec<Rc<str>> = key
                .columns
                .iter()
                .map(|column| Rc::from(column.name.as_str()))
                .gather();
            let given = parts.constraint.as_ref();
            let flink = format!(
                "ValidationException: Invalid primary key '{}'. Column '{}' is nullable.",
                super::alter::constraint_name(given, &names),
                column.name
            );
            let diagnostic = Diagnostic::new(Code::NullableKey, column.span).arg("column", &column.name);
            self.report(diagnostic.flink(flink));
        }
    }

    fn in_order_of(&mut self, names: &[ddl::Column], mut query: Vec<Column>) -> Vec<Column> {
        let span = names
            .iter()
            .map(|column| column.span)
            .reduce(Span::join)
            .unwrap_or_default();
        let mut ordered = Vec::with_capacity(names.len());
        for column in names {
            let name = column.name.name.as_str();
            if let Some(at) = query.iter().position(|known| *known.field.name == *name) {
                ordered.push(query.remove(at));
                continue;
            }
            let known: Vec<Rc<str>> = query.iter().map(|known| Rc::clone(&known.field.name)).gather();
            let flink = format!("ValidationException: Column '{name}' not found in the source schema. ");
            self.report(
                Diagnostic::new(Code::UnknownTargetColumn, column.name.span)
                    .arg("column", name)
                    .arg("table", "AS SELECT")
                    .flink(flink)
                    .suggest_similar(name, known.iter().map(|name| &**name)),
            );
            return ordered;
        }
        if !query.is_empty() {
            self.report(
                Diagnostic::new(Code::ColumnListLength, span)
                    .arg("table", "AS SELECT")
                    .arg("columns", ordered.len() + query.len())
                    .arg("given", ordered.len())
                    .flink(
                        "ValidationException: The number of columns in the column list must match the number of columns in \
                         the source schema.",
                    ),
            );
        }
        ordered
    }
}

const fn is_bare(column: &ddl::Column) -> bool {
    matches!(column.kind, ddl::ColumnKind::Named)
}

/// The sink of the INSERT as plans print it: its list of columns is not written.
pub(crate) fn without_target_columns(sink: &Rc<LogicalNode>) -> Rc<LogicalNode> {
    match &sink.op {
        LogicalOp::Sink(spec) => Rc::new(LogicalNode {
            op: LogicalOp::Sink(SinkNode {
                columns: None,
                ..spec.clone()
            }),
            ..LogicalNode::clone(sink)
        }),
        _ => Rc::clone(sink),
    }
}

/// The INSERT that fills the table.
pub(crate) fn insert_of(create: &ddl::CreateTable, names: &[Rc<str>], span: Span) -> Option<ddl::Insert> {
    let query = create.as_query.clone()?;
    let listed = !create.columns.is_empty();
    let ident = |name: &Rc<str>| ddl::Ident {
        name: name.to_string(),
        span: query.span,
    };
    Some(ddl::Insert {
        table: create.name.clone(),
        overwrite: false,
        partition: Vec::new(),
        columns: listed.then(|| names.iter().map(ident).gather()),
        query,
        on_conflict: None,
        span,
    })
}
