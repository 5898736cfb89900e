//! Sub-queries in expressions, and names of the query around them.
//!
//! A sub-query becomes a further input of the node whose expression it stands in; a call names it by that input's
//! number. A column of the query around it is a call of [`OUTER_COLUMN`].

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{
    Expr, ExprKind,
    function::subquery::{EXISTS_QUERY, IN_QUERY, OUTER_COLUMN, SCALAR_QUERY, SOME_QUERY},
    planned_function,
};
use sg_sql::query as ast;
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::{
    Binder, BoundQuery,
    expr::ExprCx,
    name::{Part, find_relation},
    query::Place,
    scope::Scope,
};
use crate::{catalog::DatabasePath, logical::LogicalNode};

/// A query around the one that is being bound.
#[derive(Clone, Debug)]
pub(super) struct Outer {
    /// What calls of [`OUTER_COLUMN`] name it by.
    pub(super) id: u32,
    pub(super) scope: Scope,
}

/// Sub-queries that wait for the node that they belong to.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    next: u32,
    plans: Vec<(u32, Rc<LogicalNode>)>,
}

/// Operators that quantify over a sub-query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    Any,
    All,
}

impl Binder<'_> {
    /// `EXISTS (SELECT …)`
    pub(super) fn bind_exists(
        &mut self,
        cx: &mut ExprCx<'_>,
        (query, negated): (&ast::Query, bool),
        span: Span,
    ) -> Expr {
        let (_, number) = self.bind_inner(cx, query, span);
        let exists = query_call(EXISTS_QUERY, number, Vec::new(), truth(false), span);
        self.negated(exists, negated, span)
    }

    /// `(SELECT …)` as a value.
    pub(super) fn bind_scalar_query(&mut self, cx: &mut ExprCx<'_>, query: &ast::Query, span: Span) -> Expr {
        let (bound, number) = self.bind_inner(cx, query, span);
        match bound.node.schema.as_ref() {
            [field] => {
                let data_type = field.data_type.with_nullable(true);
                query_call(SCALAR_QUERY, number, Vec::new(), data_type, span)
            }
            [] => Expr::invalid(span),
            _ => self.columns_of_subquery(1, &bound, span),
        }
    }

    /// `a IN (SELECT …)`, `(a, b) IN (SELECT …)`
    pub(super) fn bind_in_query(
        &mut self,
        cx: &mut ExprCx<'_>,
        operand: &ast::Expr,
        (query, negated): (&ast::Query, bool),
        span: Span,
    ) -> Expr {
        let operands: Vec<Expr> = match operand {
            ast::Expr::Tuple(items) => items.iter().map(|item| self.bind_expr(cx, item)).gather(),
            single => vec![self.bind_expr(cx, single)],
        };
        let (bound, number) = self.bind_inner(cx, query, span);
        if operands.iter().any(Expr::is_invalid) || bound.node.schema.is_empty() {
            return Expr::invalid(span);
        }
        if operands.len() != bound.node.schema.len() {
            return self.columns_of_subquery(operands.len(), &bound, span);
        }
        let clash = operands
            .iter()
            .zip(bound.node.schema.iter())
            .find(|(operand, field)| {
                matches!(
                    (
                        sg_expr::family_name(&operand.data_type),
                        sg_expr::family_name(&field.data_type)
                    ),
                    ("NUMERIC", "CHARACTER") | ("CHARACTER", "NUMERIC")
                ) || super::operator::is_text_with_other(&operand.data_type, &field.data_type)
            });
        if let Some((operand, field)) = clash {
            let flink = super::operator::join_types(&operand.data_type, &field.data_type);
            self.report(
                Diagnostic::new(Code::NumberComparedWithText, span)
                    .arg("left", &operand.data_type.kind)
                    .arg("right", &field.data_type.kind)
                    .flink(flink),
            );
            return Expr::invalid(span);
        }
        let nullable = operands.iter().any(|operand| operand.data_type.nullable)
            || bound.node.schema.iter().any(|field| field.data_type.nullable);
        let found = query_call(IN_QUERY, number, operands, truth(nullable), span);
        self.negated(found, negated, span)
    }

    /// `a > ANY (SELECT …)`, `a > ALL (SELECT …)`
    pub(super) fn bind_quantified(
        &mut self,
        cx: &mut ExprCx<'_>,
        (left, op, right): (&ast::Expr, &ast::BinaryOperator, &ast::Expr),
        quantifier: Quantifier,
        span: Span,
    ) -> Expr {
        use ast::BinaryOperator as B;
        let query = match right {
            ast::Expr::Subquery(query) => query,
            ast::Expr::Nested(inner) => match &**inner {
                ast::Expr::Subquery(query) => query,
                _ => return self.unsupported_text(span),
            },
            _ => return self.unsupported_text(span),
        };
        let (name, opposite) = match op {
            B::Eq => ("=", "<>"),
            B::NotEq => ("<>", "="),
            B::Lt => ("<", ">="),
            B::LtEq => ("<=", ">"),
            B::Gt => (">", "<="),
            B::GtEq => (">=", "<"),
            _ => return self.unsupported_text(span),
        };
        match (quantifier, name) {
            (Quantifier::Any, "=") => return self.bind_in_query(cx, left, (query, false), span),
            (Quantifier::All, "<>") => return self.bind_in_query(cx, left, (query, true), span),
            _ => {}
        }
        let operand = self.bind_expr(cx, left);
        let (bound, number) = self.bind_inner(cx, query, span);
        if operand.is_invalid() || bound.node.schema.is_empty() {
            return Expr::invalid(span);
        }
        if bound.node.schema.len() != 1 {
            return self.columns_of_subquery(1, &bound, span);
        }
        let negated = quantifier == Quantifier::All;
        let symbol = Expr::symbol(if negated { opposite } else { name }, span);
        let some = query_call(SOME_QUERY, number, vec![symbol, operand], truth(true), span);
        self.negated(some, negated, span)
    }

    fn negated(&mut self, expr: Expr, negated: bool, span: Span) -> Expr {
        if negated {
            self.call("NOT", vec![expr], span)
        } else {
            expr
        }
    }

    /// A sub-query that has not as many columns as are wanted.
    fn columns_of_subquery(&mut self, wanted: usize, bound: &BoundQuery, span: Span) -> Expr {
        let text = span.text(self.text);
        // Flink names the query without its parentheses.
        let end = span.end - u32::from(text.ends_with(')'));
        let (start, message) = if text.starts_with('(') {
            let record = record_type(&bound.node.schema);
            let message = format!(
                "Cannot apply '$SCALAR_QUERY' to arguments of type '$SCALAR_QUERY(<{record}>)'. Supported form(s): \
                 '$SCALAR_QUERY(<RECORDTYPE(SINGLE FIELD)>)'"
            );
            (span.start + 1, message)
        } else {
            (
                span.start,
                "Values passed to IN operator must have compatible types".to_owned(),
            )
        };
        let flink = self.validation(Span::new(start, end), &message);
        self.report(
            Diagnostic::new(Code::SubqueryColumns, span)
                .arg("wanted", wanted)
                .arg("columns", bound.node.schema.len())
                .flink(flink),
        );
        Expr::invalid(span)
    }

    /// A number for a query around.
    pub(super) const fn next_outer(&mut self) -> u32 {
        let id = self.subqueries.next;
        self.subqueries.next += 1;
        id
    }

    /// Binds a sub-query that sees the columns of the query around it; the number it waits under.
    fn bind_inner(&mut self, cx: &ExprCx<'_>, query: &ast::Query, span: Span) -> (BoundQuery, u32) {
        let id = self.next_outer();
        if self.pattern.is_some() {
            let text = self.printed(&ast::Expr::Subquery(Box::new(query.clone())));
            let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
            let flink = format!(
                "ValidationException: SQL validation failed. no SELECT scope for {}",
                inner.unwrap_or_default()
            );
            let diagnostic = Diagnostic::new(Code::MatchFunction, span).arg("function", "SELECT");
            self.report(diagnostic.flink(flink));
            return (self.nothing(span), id);
        }
        self.outer.push(Outer {
            id,
            scope: cx.scope.clone(),
        });
        let bound = self.bind_query(query, Place::Nested);
        self.outer.pop();
        if cx.grouping.is_some() && reads_outer(&bound.node, id) {
            self.not_supported("correlated (SELECT …) in a query with GROUP BY", span);
        }
        self.subqueries.plans.push((id, Rc::clone(&bound.node)));
        (bound, id)
    }

    /// How many sub-queries wait.
    pub(super) const fn waiting(&self) -> usize {
        self.subqueries.plans.len()
    }

    /// The sub-queries of a condition of ON, which wait behind others. Columns around them are those of both inputs, and
    /// Flink takes the columns of the right one that stand where they should: cases join-regular/exists-in-on-*.
    pub(super) fn check_queries_in_on(&mut self, behind: usize, [both, right]: [&Scope; 2], span: Span) {
        let mut read = Vec::new();
        for (id, plan) in self.subqueries.plans.iter().skip(behind) {
            read_around(plan, *id, &mut read);
        }
        for at in &read {
            let (Some(meant), taken) = (both.columns.get(*at as usize), right.columns.get(*at as usize))
            else {
                continue;
            };
            let flink = match taken {
                None => {
                    let length = right.columns.len() + 1;
                    format!("ArrayIndexOutOfBoundsException: Index {at} out of bounds for length {length}")
                }
                Some(taken) if meant.data_type.kind != taken.data_type.kind => {
                    super::operator::join_types(&taken.data_type, &meant.data_type)
                }
                Some(_) => continue,
            };
            self.report(Diagnostic::new(Code::InQueryInOn, span).flink(flink));
            return;
        }
        if !read.is_empty() {
            self.report(Diagnostic::new(Code::OnReadsRight, span));
        }
    }

    /// The expressions with their sub-queries numbered as inputs behind the first, and those inputs.
    pub(super) fn attach(&mut self, exprs: Vec<Expr>) -> (Vec<Expr>, Vec<Rc<LogicalNode>>) {
        if self.subqueries.plans.is_empty() {
            return (exprs, Vec::new());
        }
        let mut inputs = Vec::new();
        let exprs = exprs
            .into_iter()
            .map(|expr| self.numbered(expr, &mut inputs))
            .gather();
        (exprs, inputs)
    }

    fn numbered(&self, expr: Expr, inputs: &mut Vec<Rc<LogicalNode>>) -> Expr {
        let ExprKind::Call { function, args } = expr.kind else {
            return expr;
        };
        let mut args: Vec<Expr> = args.into_iter().map(|arg| self.numbered(arg, inputs)).gather();
        if is_query(function.name)
            && let Some(first) = args.first_mut()
            && let Some(id) = first.as_literal().and_then(Value::as_int)
            && let Some((_, plan)) = self
                .subqueries
                .plans
                .iter()
                .find(|(known, _)| i64::from(*known) == id)
        {
            inputs.push(Rc::clone(plan));
            first.kind = ExprKind::Literal(Value::Int(i64::try_from(inputs.len()).unwrap_or(0)));
        }
        Expr {
            kind: ExprKind::Call { function, args },
            ..expr
        }
    }

    /// A filter, with the sub-queries of its condition.
    pub(super) fn filter(&mut self, input: Rc<LogicalNode>, condition: Expr, span: Span) -> Rc<LogicalNode> {
        let (mut exprs, queries) = self.attach(vec![condition]);
        let condition = exprs.pop().unwrap_or_else(|| Expr::invalid(span));
        let node = self.builder.filter(input, condition, span);
        with_queries(node, queries)
    }

    /// A column of a query around, if the name means one.
    pub(super) fn outer_name(&mut self, scope: &Scope, parts: &[Part<'_>]) -> Option<Expr> {
        if self.outer.is_empty() || means_column(&self.home, scope, parts) || scope.is_broken() {
            return None;
        }
        let at = self
            .outer
            .iter()
            .rposition(|outer| means_column(&self.home, &outer.scope, parts))?;
        let outer = self.outer.get(at)?.clone();
        let found = self.bind_name(&outer.scope, parts);
        Some(outer_columns(&found, outer.id))
    }
}

/// The node with sub-queries as further inputs.
pub(super) fn with_queries(node: Rc<LogicalNode>, queries: Vec<Rc<LogicalNode>>) -> Rc<LogicalNode> {
    if queries.is_empty() {
        return node;
    }
    let mut changed = (*node).clone();
    changed.inputs.extend(queries);
    Rc::new(changed)
}

fn truth(nullable: bool) -> DataType {
    DataType {
        kind: TypeKind::Boolean,
        nullable,
    }
}

fn number(value: u32, span: Span) -> Expr {
    Expr::literal(
        Value::Int(i64::from(value)),
        DataType::not_null(TypeKind::Int),
        span,
    )
}

fn query_call(name: &str, id: u32, operands: Vec<Expr>, data_type: DataType, span: Span) -> Expr {
    let Some(function) = planned_function(name) else {
        return Expr::invalid(span);
    };
    // the first number will be that of the input, the second stays
    let args = [number(id, span), number(id, span)]
        .into_iter()
        .chain(operands)
        .gather();
    Expr {
        kind: ExprKind::Call { function, args },
        data_type,
        span,
    }
}

/// Whether calls of this name have a sub-query.
pub(crate) fn is_query(name: &str) -> bool {
    [IN_QUERY, EXISTS_QUERY, SCALAR_QUERY, SOME_QUERY].contains(&name)
}

/// Whether `IN (SELECT …)` or its like stands in an expression.
pub(super) fn has_membership(expr: &Expr) -> bool {
    calls_any(expr, &[IN_QUERY, SOME_QUERY])
}

/// Whether it asks IN a sub-query.
pub(super) fn has_in_query(expr: &Expr) -> bool {
    calls_any(expr, &[IN_QUERY])
}

/// The column that Flink's planner misses for an IN of ON, over so many columns.
///
/// IN that is a whole condition compares its operand, all others count rows first.
pub(super) fn missed_column(condition: &Expr, width: usize) -> String {
    let operands = match &condition.kind {
        ExprKind::Call { function, args } if function.name == "AND" => {
            let whole = args.iter().find(|arg| has_in_query(arg));
            return whole.map_or_else(String::new, |whole| missed_column(whole, width));
        }
        ExprKind::Call { function, args } if function.name == IN_QUERY => args.get(2..).unwrap_or_default(),
        _ => return format!("p2) for {}", width + 2),
    };
    let columns: Vec<Option<u32>> = operands.iter().map(Expr::as_column).gather();
    let last = |column: &&Option<u32>| column.is_some_and(|at| at as usize + 1 == width);
    match columns.iter().find(last) {
        Some(_) => format!("p1) for {}", width.saturating_sub(1)),
        None if columns.contains(&None) => format!("p2) for {}", width + 1),
        None => format!("p2) for {width}"),
    }
}

/// The columns of one query around that a tree reads.
fn read_around(node: &LogicalNode, outer: u32, found: &mut Vec<u32>) {
    for expr in crate::logical::expressions(node) {
        let columns = crate::logical::outer_columns_of(expr);
        found.extend(
            columns
                .into_iter()
                .filter(|(query, _)| *query == outer)
                .map(|(_, at)| at),
        );
    }
    for input in &node.inputs {
        read_around(input, outer, found);
    }
}

fn calls_any(expr: &Expr, names: &[&str]) -> bool {
    match &expr.kind {
        ExprKind::Call { function, args } => {
            names.contains(&function.name) || args.iter().any(|arg| calls_any(arg, names))
        }
        _ => false,
    }
}

/// Whether the name means something here.
fn means_column(home: &DatabasePath, scope: &Scope, parts: &[Part<'_>]) -> bool {
    match parts {
        [] => true,
        [part] => {
            let has_field =
                |field: &sg_value::Field| super::name::has_field(&field.data_type.kind, part.text);
            scope.named(part.text).next().is_some() || scope.columns.iter().any(has_field)
        }
        [first, ..] => {
            find_relation(home, scope, parts).is_some() || scope.named(first.text).next().is_some()
        }
    }
}

/// The expression with columns as those of a query around.
fn outer_columns(expr: &Expr, id: u32) -> Expr {
    match &expr.kind {
        ExprKind::Column(column) => {
            let Some(function) = planned_function(OUTER_COLUMN) else {
                return Expr::invalid(expr.span);
            };
            let args = vec![number(id, expr.span), number(*column, expr.span)];
            Expr {
                kind: ExprKind::Call { function, args },
                ..expr.clone()
            }
        }
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| outer_columns(arg, id)).gather(),
            },
            ..expr.clone()
        },
        _ => expr.clone(),
    }
}

/// Whether anything in the tree reads a column of this query around.
pub(super) fn reads_outer(node: &LogicalNode, id: u32) -> bool {
    crate::logical::expressions(node).iter().any(|expr| {
        crate::logical::outer_columns_of(expr)
            .iter()
            .any(|(query, _)| *query == id)
    }) || node.inputs.iter().any(|input| reads_outer(input, id))
}

/// A row type as the validator's messages have it: `RECORDTYPE(INTEGER A, TIMESTAMP(3) *ROWTIME* TS)`.
pub(super) fn record_type(schema: &[Field]) -> String {
    sg_value::case::upper(&crate::physical::explain::record_type(schema))
}
