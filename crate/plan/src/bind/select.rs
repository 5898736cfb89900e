//! SELECT.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::Expr;
use sg_sql::{Reserved, byte_span, query as ast};
use sg_value::Gather as _;

use super::{
    Binder, BoundQuery,
    aggregate::Grouping,
    call::{call_name, has_aggregate},
    expr::{Clause, ExprCx},
    join::Star,
    name::{Part, dotted, find_relation, join},
    order::OrderKeys,
    over_window::direction,
    scope::Scope,
    subquery::with_queries,
};
use crate::logical::{
    AggregateNode, AggregateStage, LogicalNode, SortColumn, name_calls, same_expression, unique_names,
};
use crate::unparse::{Trail, Unparser};

/// A column of the select list after `*` is expanded.
enum Item<'e> {
    /// A column of FROM.
    Column(u32, Span),
    /// A column that USING made of two.
    Merged(usize, Span),
    /// An expression, with its alias.
    Expr(&'e ast::Expr, Option<Rc<str>>),
}

impl Binder<'_> {
    /// A SELECT, with the sort keys of the query that it is the body of.
    pub(super) fn bind_select(
        &mut self,
        select: &ast::Select,
        keys: &[ast::OrderByExpr],
        span: Span,
    ) -> (BoundQuery, OrderKeys) {
        let outer = self.windows.len();
        self.windows.extend(select.named_window.iter().cloned());
        let bound = self.bind_select_body(select, keys, span);
        self.windows.truncate(outer);
        bound
    }

    fn bind_select_body(
        &mut self,
        select: &ast::Select,
        keys: &[ast::OrderByExpr],
        span: Span,
    ) -> (BoundQuery, OrderKeys) {
        let hints = self.select_hints(select);
        let (mut node, scope) = self.bind_from(&select.from, &hints, span);
        self.check_query_hints(select, &scope);
        if let Some(condition) = &select.selection {
            // the bare name of a USING column is ambiguous here
            let strict = scope.without_merged();
            let mut cx = ExprCx::over(&strict, Clause::Where);
            if let Some(bound) = self.bind_condition(&mut cx, condition) {
                let span = bound.span;
                node = self.filter(node, bound, span);
            }
        }
        self.check_windows(&select.named_window);
        let mut items = self.expand_items(&scope, &select.projection);
        if !self.fits_columns(items.len(), span) {
            items.clear();
        }
        let has_group_by = !select.group_by.is_empty();
        let aggregates = has_group_by
            || select.having.is_some()
            || items
                .iter()
                .any(|item| matches!(item, Item::Expr(expr, _) if has_aggregate(self, expr)));
        let distinct = select.distinct;
        // DISTINCT is sorted by what it selects
        let inner = if distinct { &[][..] } else { keys };
        let (bound, order) = if aggregates {
            let grouping = self.bind_group_by(&scope, &select.group_by);
            self.bind_grouped(select, (node, &scope), &items, (grouping, inner), span)
        } else {
            let mut cx = ExprCx::over(&scope, Clause::Select);
            let (exprs, names) = self.bind_items(&mut cx, &items);
            let aliases = aliases(&names, &exprs);
            let qualify = self.bind_qualify(select, &scope, None, &aliases);
            let mut cx = ExprCx::over(&scope, Clause::OrderBy);
            let order = self.bind_order(&mut cx, inner, &names, &exprs);
            // a select list without aggregates is a projection even where it changes nothing
            let unique = result_names(&names);
            (
                self.selected(node, (exprs, names, unique), (qualify, &order), span),
                order,
            )
        };
        if distinct {
            let bound = self.distinct(bound, span);
            let order = self.order_of_columns(keys, &bound);
            return (bound, order);
        }
        (bound, order)
    }

    /// QUALIFY, over the same columns as the select list.
    fn bind_qualify(
        &mut self,
        select: &ast::Select,
        scope: &Scope,
        grouping: Option<&mut Grouping>,
        aliases: &[(Rc<str>, Expr)],
    ) -> Option<Expr> {
        let mut cx = ExprCx {
            scope,
            clause: Clause::Qualify,
            grouping,
            in_aggregate: false,
            aliases,
        };
        let written = select.qualify.as_ref()?;
        let condition = self.bind_condition(&mut cx, written);
        let named = |item: &ast::SelectItem| matches!(item, ast::SelectItem::ExprWithAlias { expr, .. } if super::call::has_over(expr));
        if condition.is_some() && !super::call::has_over(written) && !select.projection.iter().any(named) {
            let span = self.span(written);
            let first = match select.projection.first() {
                Some(ast::SelectItem::UnnamedExpr(expr) | ast::SelectItem::ExprWithAlias { expr, .. }) => {
                    self.span(expr)
                }
                Some(ast::SelectItem::Wildcard(star)) => byte_span(*star).unwrap_or(span),
                _ => span,
            };
            // names are printed in full, so it is bound again with a trail
            let outer = self.trail.replace(Trail::default());
            let _bound = self.scratch(|binder| binder.bind_condition(&mut cx, written));
            let trail = std::mem::replace(&mut self.trail, outer).unwrap_or_default();
            let printer = Unparser {
                text: self.text,
                spans: &self.spans,
                trail: &trail,
            };
            let shown = printer.expr(written);
            let message = format!("QUALIFY expression '{shown}' must contain a window function");
            let flink = self.validation(first.join(span), &message);
            self.report(Diagnostic::new(Code::QualifyNeedsWindow, span).flink(flink));
            return None;
        }
        condition
    }

    /// Sort keys: select items by their place or name, else expressions over the columns of FROM.
    fn bind_order(
        &mut self,
        cx: &mut ExprCx<'_>,
        keys: &[ast::OrderByExpr],
        names: &[Rc<str>],
        exprs: &[Expr],
    ) -> OrderKeys {
        let mut order = OrderKeys::default();
        for key in keys {
            let column = Self::sort_item(&key.expr, names).or_else(|| {
                if self.out_of_range(&key.expr) {
                    return None;
                }
                let expr = self.bind_expr(cx, &key.expr);
                if expr.is_invalid() {
                    return None;
                }
                let known = exprs
                    .iter()
                    .chain(&order.hidden)
                    .position(|known| same_expression(known, &expr));
                let at = known.unwrap_or_else(|| {
                    order.hidden.push(expr);
                    exprs.len() + order.hidden.len() - 1
                });
                u32::try_from(at).ok()
            });
            match column {
                Some(column) => order.keys.push(SortColumn {
                    column,
                    direction: direction(key.options),
                }),
                None => self.failed = true,
            }
        }
        order
    }

    /// The select list as a projection; with QUALIFY it computes the condition too, filters, and drops it.
    fn selected(
        &mut self,
        node: Rc<LogicalNode>,
        (mut exprs, names, mut unique): (Vec<Expr>, Vec<Rc<str>>, Vec<Rc<str>>),
        (qualify, order): (Option<Expr>, &OrderKeys),
        span: Span,
    ) -> BoundQuery {
        for (at, hidden) in order.hidden.iter().enumerate() {
            exprs.push(hidden.clone());
            let own = hidden.as_column().and_then(|column| {
                let field = node.schema.get(column as usize)?;
                (!unique.contains(&field.name)).then(|| Rc::clone(&field.name))
            });
            unique.push(own.unwrap_or_else(|| Rc::from(format!("EXPR${}", names.len() + at))));
        }
        let width = exprs.len();
        let Some(condition) = qualify else {
            let (exprs, queries) = self.attach(exprs);
            let node = self.builder.project_always(node, exprs, &unique, span);
            let node = with_queries(node, queries);
            return BoundQuery { node, names };
        };
        exprs.push(condition);
        unique.push(Rc::from("QualifyExpression"));
        let (exprs, queries) = self.attach(exprs);
        let node = self.builder.project_always(node, exprs, &unique, span);
        let node = with_queries(node, queries);
        let columns: Vec<Expr> = (0_u32..)
            .zip(node.schema.iter())
            .map(|(at, field)| Expr::column(at, field.data_type.clone(), span))
            .gather();
        let (visible, condition) = columns.split_at(width.min(columns.len()));
        let condition = condition.first().cloned().unwrap_or_else(|| Expr::invalid(span));
        let node = self.builder.filter(node, condition, span);
        let kept = unique.get(..width).unwrap_or(&unique).to_vec();
        let node = self.builder.project_always(node, visible.to_vec(), &kept, span);
        BoundQuery { node, names }
    }

    /// SELECT with aggregates or GROUP BY: projection, aggregation, HAVING, projection.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn bind_grouped(
        &mut self,
        select: &ast::Select,
        (node, scope): (Rc<LogicalNode>, &Scope),
        items: &[Item<'_>],
        (mut grouping, keys): (Grouping, &[ast::OrderByExpr]),
        span: Span,
    ) -> (BoundQuery, OrderKeys) {
        let ((exprs, mut names), item_diags) = self.apart(|binder| {
            let mut cx = ExprCx::grouped(scope, Clause::Select, &mut grouping);
            binder.bind_items(&mut cx, items)
        });
        let written = |expr: &Expr| {
            let text = self.text.get(expr.span.start as usize..expr.span.end as usize);
            let letters = text.unwrap_or_default().chars();
            letters
                .filter(|letter| !letter.is_whitespace())
                .map(|letter| letter.to_ascii_lowercase())
        };
        for (expr, name) in exprs.iter().zip(&names) {
            if let Some(column) = expr.as_column() {
                // the name of the last item that is written like this one
                let alike =
                    |other: &Expr| other.as_column() == Some(column) && written(other).eq(written(expr));
                let last = exprs.iter().rposition(alike).and_then(|at| names.get(at));
                grouping.name_column(column, last.unwrap_or(name));
            }
        }
        count_distinct_names(&mut names);
        let having = select.having.as_ref().and_then(|having| {
            let mut cx = ExprCx::grouped(scope, Clause::Having, &mut grouping);
            self.bind_condition(&mut cx, having)
        });
        self.diags.append(item_diags);
        let aliases = aliases(&names, &exprs);
        let qualify = self.bind_qualify(select, scope, Some(&mut grouping), &aliases);
        let order = {
            let mut cx = ExprCx::grouped(scope, Clause::OrderBy, &mut grouping);
            self.bind_order(&mut cx, keys, &names, &exprs)
        };
        let ttl_hint = self.ttl_hint(select, scope);
        let mut node = self.aggregated((node, scope), grouping, ttl_hint, span);
        if let Some(condition) = having {
            let span = condition.span;
            node = self.filter(node, condition, span);
        }
        if qualify.is_none() && order.hidden.is_empty() {
            return (self.projected(node, exprs, names, span), order);
        }
        let unique = result_names(&names);
        (
            self.selected(node, (exprs, names, unique), (qualify, &order), span),
            order,
        )
    }

    /// The projection of keys and arguments, and the aggregation above it.
    fn aggregated(
        &mut self,
        (node, scope): (Rc<LogicalNode>, &Scope),
        grouping: Grouping,
        ttl_hint: Option<Rc<str>>,
        span: Span,
    ) -> Rc<LogicalNode> {
        let names = grouping.input_names(scope, &node);
        // the aggregation is where its keys are written
        let keys = grouping
            .input
            .iter()
            .take(grouping.keys.len())
            .map(|column| column.expr.span);
        let keys_span = keys
            .filter(|span| !span.is_empty())
            .reduce(Span::join)
            .unwrap_or(span);
        let mut expressions: Vec<Expr> = grouping.input.into_iter().map(|column| column.expr).gather();
        if expressions.is_empty() {
            // a row without columns is nothing, so Calcite selects a constant
            expressions.push(super::query::zero(span));
        }
        let names = if names.is_empty() { vec![None] } else { names };
        let input = self.builder.project(node, expressions, &names, span);
        let count = u32::try_from(grouping.keys.len()).unwrap_or(u32::MAX);
        let key_names: Vec<Rc<str>> = input
            .schema
            .iter()
            .take(grouping.keys.len())
            .map(|field| Rc::clone(&field.name))
            .gather();
        let mut calls = grouping.calls;
        name_calls(&mut calls, &key_names);
        let aggregate = AggregateNode {
            keys: (0..count).gather(),
            sets: grouping.sets,
            calls,
            ttl_hint,
            stage: AggregateStage::Whole,
        };
        self.builder.aggregate(input, aggregate, keys_span)
    }

    pub(super) fn projected(
        &mut self,
        node: Rc<LogicalNode>,
        exprs: Vec<Expr>,
        names: Vec<Rc<str>>,
        span: Span,
    ) -> BoundQuery {
        let given: Vec<Option<Rc<str>>> = names.iter().map(|name| Some(Rc::clone(name))).gather();
        let (exprs, queries) = self.attach(exprs);
        let node = self.builder.project(node, exprs, &given, span);
        let node = with_queries(node, queries);
        BoundQuery { node, names }
    }

    /// DISTINCT groups by all columns.
    pub(super) fn distinct(&mut self, bound: BoundQuery, span: Span) -> BoundQuery {
        let count = u32::try_from(bound.node.schema.len()).unwrap_or(u32::MAX);
        let keys: Vec<u32> = (0..count).gather();
        let aggregate = AggregateNode {
            sets: vec![keys.clone()],
            keys,
            calls: Vec::new(),
            ttl_hint: None,
            stage: AggregateStage::Whole,
        };
        let node = self.builder.aggregate(bound.node, aggregate, span);
        BoundQuery {
            node,
            names: bound.names,
        }
    }

    fn bind_items(&mut self, cx: &mut ExprCx<'_>, items: &[Item<'_>]) -> (Vec<Expr>, Vec<Rc<str>>) {
        let mut exprs = Vec::with_capacity(items.len());
        let mut names = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let (expr, name) = match item {
                Item::Column(column, span) => self.bind_star_column(cx, *column, *span),
                Item::Merged(at, span) => self.bind_merged(cx, *at, *span),
                Item::Expr(expr, alias) => {
                    let bound = self.bind_expr(cx, expr);
                    let name = alias.clone().or_else(|| derived_name(expr));
                    (bound, name.unwrap_or_else(|| Rc::from(format!("EXPR${at}"))))
                }
            };
            let is_null = self.check_bare_null(&expr);
            exprs.push(if is_null { Expr::invalid(expr.span) } else { expr });
            names.push(name);
        }
        (exprs, names)
    }

    /// A column of `*` that USING made of several.
    fn bind_merged(&mut self, cx: &mut ExprCx<'_>, at: usize, span: Span) -> (Expr, Rc<str>) {
        let Some(merged) = cx.scope.merged.get(at).cloned() else {
            return (Expr::invalid(span), Rc::from(""));
        };
        let name = Rc::clone(&merged.name);
        let expr = if cx.grouping.is_none() {
            self.merged_star(cx.scope, &merged, span)
        } else {
            self.bind_ungrouped_name(cx, &[Part { text: &name, span }])
        };
        (expr, name)
    }

    /// A column of `*`; over an aggregation it has to be a key like any other.
    fn bind_star_column(&mut self, cx: &mut ExprCx<'_>, column: u32, span: Span) -> (Expr, Rc<str>) {
        let Some(field) = cx.scope.columns.get(column as usize) else {
            return (Expr::invalid(span), Rc::from(""));
        };
        let name = Rc::clone(&field.name);
        let expr = if cx.grouping.is_none() {
            Self::column(cx.scope, column, span)
        } else {
            let owner = cx
                .scope
                .relations
                .iter()
                .find(|relation| relation.columns.contains(&column));
            let owner = owner.and_then(|relation| relation.name.clone());
            let part = Part { text: &name, span };
            match &owner {
                Some(owner) => self.bind_ungrouped_name(cx, &[Part { text: owner, span }, part]),
                None => self.bind_ungrouped_name(cx, &[part]),
            }
        };
        (expr, name)
    }

    fn expand_items<'e>(&mut self, scope: &Scope, items: &'e [ast::SelectItem]) -> Vec<Item<'e>> {
        let mut expanded = Vec::with_capacity(items.len());
        for item in items {
            match item {
                ast::SelectItem::UnnamedExpr(expr) => expanded.push(Item::Expr(expr, None)),
                ast::SelectItem::ExprWithAlias { expr, alias } => {
                    expanded.push(Item::Expr(expr, Some(Rc::from(alias.value.as_str()))));
                }
                ast::SelectItem::Wildcard(star) => {
                    let span = byte_span(*star).unwrap_or_default();
                    if scope.relations.is_empty() && !scope.is_broken() {
                        self.star_without_from(span);
                    }
                    for relation in &scope.relations {
                        self.check_duplicate_names(scope, relation, span);
                    }
                    expanded.extend(Self::star_columns(scope).into_iter().map(|star| match star {
                        Star::Column(column) => Item::Column(column, span),
                        Star::Merged(at) => Item::Merged(at, span),
                    }));
                }
                ast::SelectItem::QualifiedWildcard(kind, star) => {
                    let span = byte_span(*star).unwrap_or_default();
                    self.expand_qualified(scope, kind, span, &mut expanded);
                }
            }
        }
        expanded
    }

    fn star_without_from(&mut self, span: Span) {
        let flink = self.validation(span, "SELECT * requires a FROM clause");
        self.report(Diagnostic::new(Code::StarWithoutFrom, span).flink(flink));
    }

    fn check_duplicate_names(&mut self, scope: &Scope, relation: &super::scope::Relation, span: Span) {
        let mut seen: Vec<&str> = Vec::new();
        for (_, field) in scope.columns_of(relation) {
            if seen.contains(&&*field.name) {
                let flink = self.validation(span, &format!("Column '{}' is ambiguous", field.name));
                self.report(
                    Diagnostic::new(Code::AmbiguousColumn, span)
                        .arg("column", &field.name)
                        .flink(flink),
                );
                return;
            }
            seen.push(&field.name);
        }
    }

    /// `t.*`
    fn expand_qualified<'e>(
        &mut self,
        scope: &Scope,
        kind: &'e ast::SelectItemQualifiedWildcardKind,
        span: Span,
        expanded: &mut Vec<Item<'e>>,
    ) {
        let ast::SelectItemQualifiedWildcardKind::ObjectName(name) = kind else {
            return self.text_not_supported(span);
        };
        let mut parts: Vec<Part<'_>> = name.0.iter().map(Part::of).gather();
        parts.push(Part { text: "*", span });
        match find_relation(&self.home, scope, &parts) {
            Some((relation, used)) if used + 1 == parts.len() => {
                self.check_duplicate_names(scope, relation, span);
                self.trail_star(scope, relation.columns.clone(), span);
                expanded.extend(relation.columns.clone().map(|column| Item::Column(column, span)));
            }
            _ => {
                parts.pop();
                let (text, span) = (dotted(&parts), join(&parts));
                self.unknown_qualifier(scope, Part { text: &text, span }, span);
            }
        }
    }
}

/// Select items by name.
fn aliases(names: &[Rc<str>], exprs: &[Expr]) -> Vec<(Rc<str>, Expr)> {
    names.iter().cloned().zip(exprs.iter().cloned()).gather()
}

/// The name that Flink gives to a select item without alias: that of a column or field, of a call without
/// parentheses; `None` for `EXPR$n`.
fn derived_name(expr: &ast::Expr) -> Option<Rc<str>> {
    match expr {
        ast::Expr::Identifier(name) => Some(Rc::from(name.value.as_str())),
        ast::Expr::CompoundIdentifier(parts) => parts.last().map(|name| Rc::from(name.value.as_str())),
        ast::Expr::Nested(inner) => derived_name(inner),
        ast::Expr::CompoundFieldAccess { access_chain, .. } => match access_chain.last() {
            Some(ast::AccessExpr::Dot(ast::Expr::Identifier(name))) => Some(Rc::from(name.value.as_str())),
            _ => None,
        },
        ast::Expr::Function(function)
            if matches!(function.args, ast::FunctionArguments::None) && Reserved::of(function).is_none() =>
        {
            call_name(function).map(Rc::from)
        }
        _ => None,
    }
}

/// Names of a result: clashing ones get a number.
pub(crate) fn result_names(names: &[Rc<str>]) -> Vec<Rc<str>> {
    let given: Vec<Option<Rc<str>>> = names.iter().map(|name| Some(Rc::clone(name))).gather();
    unique_names(&given)
}

/// Over a GROUP BY, an item without a name is numbered by how many different names stand before it, not by its place: case
/// group-agg/repeated-names.
fn count_distinct_names(names: &mut [Rc<str>]) {
    for at in 1..names.len() {
        let (before, rest) = names.split_at_mut(at);
        if let Some(name) = rest.first_mut()
            && **name == *format!("EXPR${at}")
        {
            let repeats =
                |(at, name): &(usize, &Rc<str>)| before.iter().take(*at).any(|other| other == *name);
            let repeated = before.iter().enumerate().filter(repeats).count();
            if repeated > 0 {
                *name = Rc::from(format!("EXPR${}", at - repeated));
            }
        }
    }
}
