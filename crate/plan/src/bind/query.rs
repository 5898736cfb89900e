//! Queries: WITH, set operations, VALUES.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{CastMode, Expr, cast, common_type};
use sg_sql::{Reserved, byte_span, query as ast};
use sg_value::{DataType, Field, Gather as _, Row, TypeKind, Value};

use super::{
    Binder,
    expr::{Clause, ExprCx},
    literal::plain_text,
    scope::Scope,
};
use crate::logical::{LogicalNode, LogicalOp, SetOpNode, UnionNode, ValuesNode};

/// A bound query: its tree, and its column names as the validator has them.
///
/// The tree's own names can differ (a projection that only renames is not a node), the types do not.
#[derive(Clone, Debug)]
pub(crate) struct BoundQuery {
    pub(crate) node: Rc<LogicalNode>,
    /// One per column; clashing names are still equal.
    pub(crate) names: Vec<Rc<str>>,
}

impl BoundQuery {
    /// Names and types, for a scope.
    pub(super) fn fields(&self) -> Vec<Field> {
        self.names
            .iter()
            .zip(self.node.schema.iter())
            .map(|(name, field)| Field {
                name: Rc::clone(name),
                data_type: field.data_type.clone(),
            })
            .gather()
    }
}

/// A table of WITH. Its tree stands at every place where it is used: logical nodes are shared, exec nodes are made anew.
#[derive(Clone, Debug)]
pub(super) struct WithTable {
    pub(super) name: Rc<str>,
    pub(super) columns: Vec<Rc<str>>,
    pub(super) bound: BoundQuery,
    /// How many tables it reads, those of other WITH tables included.
    pub(super) tables: usize,
    /// Its query has errors that were reported.
    pub(super) broken: bool,
}

/// Where a query stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A statement: the order of its rows counts.
    Statement,
    /// Inside another query or a view: ORDER BY without LIMIT is dropped, as Flink does.
    Nested,
}

/// The constant 0 that stands for a row without columns.
pub(super) fn zero(span: Span) -> Expr {
    Expr::literal(Value::Int(0), DataType::not_null(TypeKind::Int), span)
}

/// Where the names of `t (a, b)` stand.
pub(super) fn name_list(columns: &[ast::TableAliasColumnDef]) -> Option<Span> {
    let spans = columns.iter().filter_map(|column| byte_span(column.name.span));
    spans.reduce(Span::join)
}

impl Binder<'_> {
    /// A query of a statement or inside another one.
    pub(crate) fn bind_query(&mut self, query: &ast::Query, place: Place) -> BoundQuery {
        let outer = self.with.len();
        if let Some(with) = &query.with {
            self.bind_with(with);
        }
        let span = self.spans.query(query);
        let keys = Self::counting_order(query, place);
        let (bound, order) = match &*query.body {
            ast::SetExpr::Select(select) => self.bind_select(select, keys, span),
            body => {
                let bound = self.bind_body(body, span);
                let order = self.order_of_columns(keys, &bound);
                (bound, order)
            }
        };
        let bound = self.sorted(bound, order, query, span);
        self.with.truncate(outer);
        bound
    }

    #[inline(never)]
    fn bind_with(&mut self, with: &ast::With) {
        if with.recursive {
            let span = byte_span(with.with_token).unwrap_or(self.statement);
            self.not_supported("WITH RECURSIVE", span);
        }
        for table in &with.cte_tables {
            let (errors, before) = (self.diags.errors(), self.tables);
            let bound = self.bind_query(&table.query, Place::Nested);
            // counted again at each place where it is used
            let tables = std::mem::replace(&mut self.tables, before) - before;
            let columns: Vec<Rc<str>> = table
                .alias
                .columns
                .iter()
                .map(|column| Rc::from(column.name.value.as_str()))
                .gather();
            let columns_match = columns.is_empty() || columns.len() == bound.names.len();
            if !columns_match && let Some(place) = name_list(&table.alias.columns) {
                // The parentheses belong to the list here.
                let before = self
                    .text
                    .get(..place.start as usize)
                    .unwrap_or_default()
                    .trim_end();
                let after = self.text.get(place.end as usize..).unwrap_or_default();
                let end = after
                    .find(')')
                    .and_then(|at| u32::try_from(at + 1).ok())
                    .unwrap_or(0);
                let start = u32::try_from(before.len().saturating_sub(1)).unwrap_or(place.start);
                let list = Span::new(start, place.end + end);
                let flink = self.validation(list, "Number of columns must match number of query columns");
                self.report(
                    Diagnostic::new(Code::ColumnListLength, list)
                        .arg("table", &table.alias.name.value)
                        .arg("columns", bound.names.len())
                        .arg("given", columns.len())
                        .flink(flink),
                );
            }
            self.with.push(WithTable {
                name: Rc::from(table.alias.name.value.as_str()),
                columns,
                bound,
                tables,
                broken: self.diags.errors() > errors,
            });
        }
    }

    /// `t (a, b)` has to name every column.
    pub(super) fn check_column_list(
        &mut self,
        columns: &[Rc<str>],
        bound: &BoundQuery,
        name: &str,
        span: Span,
    ) {
        if columns.is_empty() || columns.len() == bound.names.len() {
            return;
        }
        let message = format!(
            "List of column aliases must have same degree as table; table has {} columns ({}), whereas alias list \
             has {} columns",
            bound.names.len(),
            bound
                .names
                .iter()
                .map(|name| format!("'{name}'"))
                .gather::<Vec<_>>()
                .join(", "),
            columns.len()
        );
        let flink = self.validation(span, &message);
        self.report(
            Diagnostic::new(Code::ColumnListLength, span)
                .arg("table", name)
                .arg("columns", bound.names.len())
                .arg("given", columns.len())
                .flink(flink),
        );
    }

    pub(super) fn bind_body(&mut self, body: &ast::SetExpr, span: Span) -> BoundQuery {
        match body {
            ast::SetExpr::Select(select) => self.bind_select(select, &[], span).0,
            ast::SetExpr::Query(query) => self.bind_query(query, Place::Nested),
            ast::SetExpr::Values(values) => self.bind_values(values, span),
            ast::SetExpr::SetOperation {
                left,
                op,
                set_quantifier,
                right,
            } => {
                let all = matches!(set_quantifier, ast::SetQuantifier::All);
                let word = set_operation(*op, all);
                let left_bound = self.bind_body(left, span);
                let right_bound = self.bind_body(right, span);
                self.bind_set_operation((left, &left_bound), (right, &right_bound), (*op, all, word), span)
            }
            ast::SetExpr::Table(table) => self.bind_table_body(table, span),
        }
    }

    /// `TABLE t` as a query.
    fn bind_table_body(&mut self, table: &ast::ObjectName, span: Span) -> BoundQuery {
        let parts: Vec<&ast::Ident> = table.0.iter().gather();
        self.bind_table_by_name(&parts, span).0
    }

    /// A query without columns, where something was reported.
    pub(super) fn nothing(&mut self, span: Span) -> BoundQuery {
        let node = self
            .builder
            .values(ValuesNode { rows: Vec::new() }, Vec::new(), span);
        BoundQuery {
            node,
            names: Vec::new(),
        }
    }

    /// One row with the constant 0: what SELECT without FROM reads.
    pub(super) fn one_row(&mut self, span: Span) -> Rc<LogicalNode> {
        let field = Field {
            name: Rc::from("ZERO"),
            data_type: DataType::not_null(TypeKind::Int),
        };
        let rows: Vec<Row> = vec![Rc::from([Value::Int(0)])];
        self.builder.values(ValuesNode { rows }, vec![field], span)
    }

    #[inline(never)]
    fn bind_set_operation(
        &mut self,
        (left_body, left): (&ast::SetExpr, &BoundQuery),
        (right_body, right): (&ast::SetExpr, &BoundQuery),
        (op, all, word): (ast::SetOperator, bool, &str),
        span: Span,
    ) -> BoundQuery {
        if left.names.len() != right.names.len() {
            if !left.names.is_empty() && !right.names.is_empty() {
                self.column_count_mismatch(right_body, word, (left.names.len(), right.names.len()), span);
            }
            return left.clone();
        }
        let mut schema = Vec::with_capacity(left.names.len());
        for (at, name) in left
            .node
            .schema
            .iter()
            .map(|field| Rc::clone(&field.name))
            .enumerate()
        {
            let types: Vec<DataType> = [left, right]
                .iter()
                .filter_map(|side| side.node.schema.get(at))
                .map(|field| field.data_type.clone())
                .gather();
            let data_type = if let Some(data_type) = union_type(&types) {
                data_type
            } else {
                self.column_type_mismatch(left_body, at, word, &types, span);
                DataType::nullable(TypeKind::Null)
            };
            schema.push(Field { name, data_type });
        }
        let inputs = vec![Rc::clone(&left.node), Rc::clone(&right.node)];
        let node = match op {
            ast::SetOperator::Union => self.builder.union(inputs, schema, UnionNode { all }, span),
            ast::SetOperator::Intersect | ast::SetOperator::Except | ast::SetOperator::Minus => {
                let except = op != ast::SetOperator::Intersect;
                let node = LogicalOp::SetOp(SetOpNode { except, all });
                self.builder.node(node, inputs, schema, span)
            }
        };
        BoundQuery {
            node,
            names: left.names.clone(),
        }
    }

    fn column_count_mismatch(
        &mut self,
        right: &ast::SetExpr,
        word: &str,
        counts: (usize, usize),
        span: Span,
    ) {
        let place = self.select_list_span(right).unwrap_or(span);
        let flink = self.validation(place, &format!("Column count mismatch in {word}"));
        self.report(
            Diagnostic::new(Code::SetColumnCount, place)
                .arg("operation", word)
                .arg("left", counts.0)
                .arg("right", counts.1)
                .flink(flink),
        );
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn column_type_mismatch(
        &mut self,
        left: &ast::SetExpr,
        at: usize,
        word: &str,
        types: &[DataType],
        span: Span,
    ) {
        if types.iter().any(|data_type| data_type.kind == TypeKind::Null) {
            // an expression that failed already
            self.failed = true;
            return;
        }
        let place = self.select_item_span(left, at).unwrap_or(span);
        let flink = self.validation(place, &format!("Type mismatch in column {} of {word}", at + 1));
        let shown = |at: usize| types.get(at).map(ToString::to_string).unwrap_or_default();
        self.report(
            Diagnostic::new(Code::SetColumnType, place)
                .arg("operation", word)
                .arg("column", at + 1)
                .arg("left", shown(0))
                .arg("right", shown(1))
                .flink(flink),
        );
    }

    /// The select list of the first SELECT.
    fn select_list_span(&self, body: &ast::SetExpr) -> Option<Span> {
        let items = first_select(body)?;
        let first = self.item_span(items.first()?)?;
        Some(
            items
                .iter()
                .filter_map(|item| self.item_span(item))
                .fold(first, Span::join),
        )
    }

    fn select_item_span(&self, body: &ast::SetExpr, at: usize) -> Option<Span> {
        let items = first_select(body)?;
        self.item_span(items.get(at).or(items.first())?)
    }

    fn item_span(&self, item: &ast::SelectItem) -> Option<Span> {
        match item {
            ast::SelectItem::UnnamedExpr(expr) => Some(self.span(expr)),
            ast::SelectItem::ExprWithAlias { expr, alias } => {
                let span = self.span(expr);
                Some(byte_span(alias.span).map_or(span, |alias| span.join(alias)))
            }
            ast::SelectItem::Wildcard(star) => byte_span(*star),
            ast::SelectItem::QualifiedWildcard(..) => None,
        }
    }

    /// VALUES: literal rows where all are literals, else a union of one-row projections.
    #[inline(never)]
    fn bind_values(&mut self, values: &ast::Values, span: Span) -> BoundQuery {
        let scope = Scope::default();
        let mut rows: Vec<Vec<Expr>> = Vec::with_capacity(values.rows.len());
        let mut literal = true;
        for row in &values.rows {
            literal = literal && row.content.iter().all(is_literal);
            let mut cx = ExprCx::over(&scope, Clause::Values);
            let bound: Vec<Expr> = row
                .content
                .iter()
                .map(|expr| self.bind_expr(&mut cx, expr))
                .gather();
            let broken = self.any_bare_null(&bound) || bound.iter().any(Expr::is_invalid);
            self.failed |= broken;
            rows.push(bound);
        }
        let width = rows.first().map_or(0, Vec::len);
        if let Some(row) = rows.iter().find(|row| row.len() != width) {
            let place = row
                .iter()
                .map(|expr| expr.span)
                .reduce(Span::join)
                .unwrap_or(span);
            let flink = self.validation(
                span,
                "Values passed to VALUES operator must have compatible types",
            );
            self.report(Diagnostic::new(Code::ValuesRowLength, place).flink(flink));
            return self.nothing(span);
        }
        let names: Vec<Rc<str>> = (0..width).map(|at| Rc::from(format!("EXPR${at}"))).gather();
        let Some(schema) = self.values_schema(&rows, &names, span) else {
            return self.nothing(span);
        };
        let node = if literal {
            self.literal_rows(rows, schema, span)
        } else {
            self.union_of_rows(rows, schema, span)
        };
        BoundQuery { node, names }
    }

    fn values_schema(&mut self, rows: &[Vec<Expr>], names: &[Rc<str>], span: Span) -> Option<Vec<Field>> {
        let mut schema = Vec::with_capacity(names.len());
        for (at, name) in names.iter().enumerate() {
            let types: Vec<DataType> = rows
                .iter()
                .filter_map(|row| row.get(at))
                .map(|expr| expr.data_type.clone())
                .gather();
            if rows.iter().any(|row| row.get(at).is_none_or(Expr::is_invalid)) {
                schema.push(Field {
                    name: Rc::clone(name),
                    data_type: DataType::nullable(TypeKind::Null),
                });
                continue;
            }
            let Some(data_type) = union_type(&types) else {
                let flink = self.validation(
                    span,
                    "Values passed to VALUES operator must have compatible types",
                );
                let types = types.iter().map(ToString::to_string);
                self.report(
                    Diagnostic::new(Code::ValuesTypes, span)
                        .arg("column", at + 1)
                        .arg_list("types", types)
                        .flink(flink),
                );
                return None;
            };
            schema.push(Field {
                name: Rc::clone(name),
                data_type,
            });
        }
        Some(schema)
    }

    fn literal_rows(&mut self, rows: Vec<Vec<Expr>>, schema: Vec<Field>, span: Span) -> Rc<LogicalNode> {
        let rows = rows
            .into_iter()
            .map(|row| {
                let cells: Vec<Value> = row
                    .into_iter()
                    .zip(&schema)
                    .map(|(expr, field)| {
                        let span = expr.span;
                        let cast = self.expressions(|diags| {
                            cast(expr, &field.data_type, CastMode::Implicit, span, diags)
                        });
                        sg_expr::constant_value(&sg_expr::fold(cast)).unwrap_or(Value::Null)
                    })
                    .gather();
                Rc::from(cells)
            })
            .gather();
        self.builder.values(ValuesNode { rows }, schema, span)
    }

    fn union_of_rows(&mut self, rows: Vec<Vec<Expr>>, schema: Vec<Field>, span: Span) -> Rc<LogicalNode> {
        let names: Vec<Option<Rc<str>>> = schema.iter().map(|field| Some(Rc::clone(&field.name))).gather();
        let mut inputs: Vec<Rc<LogicalNode>> = rows
            .into_iter()
            .map(|row| {
                let one = self.one_row(span);
                self.builder.project(one, row, &names, span)
            })
            .gather();
        if inputs.len() == 1 {
            return inputs.pop().unwrap_or_else(|| self.one_row(span));
        }
        self.builder.union(inputs, schema, UnionNode { all: true }, span)
    }
}

/// The type that holds all of these columns.
///
/// Equal types but for a time attribute keep the attribute, as UNION ALL of two rowtime columns does.
fn union_type(types: &[DataType]) -> Option<DataType> {
    let first = types.first()?;
    let nullable = types.iter().any(|data_type| data_type.nullable);
    if types.iter().all(|data_type| data_type.kind == first.kind) {
        return Some(first.with_nullable(nullable));
    }
    let plain: Vec<DataType> = types.iter().map(DataType::without_time_attribute).gather();
    common_type(&plain)
}

const fn set_operation(op: ast::SetOperator, all: bool) -> &'static str {
    match (op, all) {
        (ast::SetOperator::Union, true) => "UNION ALL",
        (ast::SetOperator::Union, false) => "UNION",
        (ast::SetOperator::Intersect, true) => "INTERSECT ALL",
        (ast::SetOperator::Intersect, false) => "INTERSECT",
        (ast::SetOperator::Except, true) => "EXCEPT ALL",
        (ast::SetOperator::Except, false) => "EXCEPT",
        (ast::SetOperator::Minus, _) => "MINUS",
    }
}

fn first_select(body: &ast::SetExpr) -> Option<&[ast::SelectItem]> {
    match body {
        ast::SetExpr::Select(select) => Some(&select.projection),
        ast::SetExpr::Query(query) => first_select(&query.body),
        ast::SetExpr::SetOperation { left, .. } => first_select(left),
        _ => None,
    }
}

/// What Calcite's parser makes a literal: constants, negative numbers, dates, intervals; no CAST.
fn is_literal(expr: &ast::Expr) -> bool {
    match expr {
        ast::Expr::Value(_) | ast::Expr::TypedString(_) => true,
        ast::Expr::Interval(interval) => match &*interval.value {
            ast::Expr::Value(value) => plain_text(&value.value).is_some(),
            _ => false,
        },
        ast::Expr::UnaryOp {
            op: ast::UnaryOperator::Minus,
            expr,
        } => {
            matches!(&**expr, ast::Expr::Value(value) if matches!(value.value, ast::Value::Number(..)))
        }
        ast::Expr::Nested(inner) => is_literal(inner),
        ast::Expr::Function(function) => Reserved::of(function) == Some(Reserved::TimestampLtzLiteral),
        _ => false,
    }
}
