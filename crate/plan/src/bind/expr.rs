//! Scalar expressions.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Expr, ExprKind, resolve_call};
use sg_sql::{Reserved, query as ast};
use sg_value::{Gather as _, TypeKind};

use super::{Binder, aggregate::Grouping, name::Part, scope::Scope};

/// Where an expression stands; decides what it may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clause {
    Select,
    Where,
    On,
    GroupBy,
    Having,
    Qualify,
    OrderBy,
    Values,
    /// A computed column or a watermark.
    Declaration,
}

impl Clause {
    /// The clause as Flink's messages name it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Select => "SELECT",
            Self::Where => "WHERE",
            Self::On => "ON",
            Self::GroupBy => "GROUP BY",
            Self::Having => "HAVING",
            Self::Qualify => "QUALIFY",
            Self::OrderBy => "ORDER BY",
            Self::Values => "VALUES",
            Self::Declaration => "CREATE TABLE",
        }
    }
}

/// What is around an expression.
pub(super) struct ExprCx<'c> {
    pub(super) scope: &'c Scope,
    pub(super) clause: Clause,
    /// The aggregation whose output the expression is over, if any.
    pub(super) grouping: Option<&'c mut Grouping>,
    /// Inside an argument of an aggregate call.
    pub(super) in_aggregate: bool,
    /// Select items that a name can mean where FROM has no such column.
    pub(super) aliases: &'c [(Rc<str>, Expr)],
}

impl<'c> ExprCx<'c> {
    /// Directly over the columns of a scope.
    pub(super) const fn over(scope: &'c Scope, clause: Clause) -> Self {
        Self {
            scope,
            clause,
            grouping: None,
            in_aggregate: false,
            aliases: &[],
        }
    }

    /// Over the output of an aggregation whose input has this scope.
    pub(super) const fn grouped(scope: &'c Scope, clause: Clause, grouping: &'c mut Grouping) -> Self {
        Self {
            scope,
            clause,
            grouping: Some(grouping),
            in_aggregate: false,
            aliases: &[],
        }
    }
}

/// The select item that a name means where no column of FROM has it.
fn alias_of(cx: &ExprCx<'_>, name: &str) -> Option<Expr> {
    if cx.aliases.is_empty() || cx.scope.named(name).next().is_some() {
        return None;
    }
    let found = cx.aliases.iter().find(|(alias, _)| **alias == *name);
    found.map(|(_, expr)| expr.clone())
}

impl Binder<'_> {
    /// The whole span of an expression.
    pub(super) fn span(&self, expr: &ast::Expr) -> Span {
        self.spans.expr(expr)
    }

    /// A call of the expression registry.
    pub(super) fn call(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        self.expressions(|diags| resolve_call(name, args, span, diags))
    }

    /// A typed expression, `Invalid` where something was reported.
    pub(super) fn bind_expr(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr) -> Expr {
        if let Some(key) = self.match_group_key(cx, expr) {
            return key;
        }
        if let Some(read) = self.pattern_reference(cx, expr) {
            return read;
        }
        let span = self.span(expr);
        match expr {
            ast::Expr::Identifier(ident) => match alias_of(cx, &ident.value) {
                Some(expr) => expr,
                None => self.bind_ungrouped_name(cx, &[Part::of(ident)]),
            },
            ast::Expr::CompoundIdentifier(idents) => {
                let parts: Vec<Part<'_>> = idents.iter().map(Part::of).gather();
                self.bind_ungrouped_name(cx, &parts)
            }
            ast::Expr::Nested(inner) => self.bind_expr(cx, inner),
            ast::Expr::Value(value) => self.bind_literal(&value.value, span),
            ast::Expr::TypedString(typed) => self.bind_typed_string(typed, span),
            ast::Expr::Interval(interval) => self.bind_interval(cx, interval, span),
            ast::Expr::BinaryOp { left, op, right } => self.bind_binary(cx, (left, op, right), span),
            ast::Expr::UnaryOp { op, expr } => self.bind_unary(cx, *op, expr, span),
            ast::Expr::Function(function) => match Reserved::of(function) {
                Some(reserved) => self.bind_reserved(cx, reserved, function, span),
                None => self.bind_function(cx, function, span),
            },
            ast::Expr::CompoundFieldAccess { root, access_chain } => {
                self.bind_access(cx, root, access_chain, span)
            }
            ast::Expr::Tuple(items) => self.bind_call(cx, "ROW", items, span),
            ast::Expr::Array(array) => self.bind_call(cx, "ARRAY", array, span),
            _ => self.bind_special(cx, expr, span),
        }
    }

    /// A call whose arguments are all plain expressions.
    pub(super) fn bind_call(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let args = args.iter().map(|arg| self.bind_expr(cx, arg)).gather();
        self.call(name, args, span)
    }

    /// The same with references.
    pub(super) fn bind_call_of(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        args: &[&ast::Expr],
        span: Span,
    ) -> Expr {
        let args = args.iter().map(|arg| self.bind_expr(cx, arg)).gather();
        self.call(name, args, span)
    }

    /// `r.f`, `a[1]`, `m['k'].f`
    #[inline(never)]
    fn bind_access(
        &mut self,
        cx: &mut ExprCx<'_>,
        root: &ast::Expr,
        chain: &[ast::AccessExpr],
        span: Span,
    ) -> Expr {
        let (mut expr, chain) = self.bind_access_root(cx, root, chain);
        for access in chain {
            expr = match access {
                ast::AccessExpr::Dot(ast::Expr::Identifier(name)) => {
                    let part = Part::of(name);
                    let whole = expr.span.join(part.span);
                    self.bind_field_of(expr, part, whole)
                }
                ast::AccessExpr::Subscript(index) => {
                    let index = self.bind_expr(cx, index);
                    let end = Span::new(span.start, (index.span.end + 1).min(span.end));
                    self.bind_item(expr, index, end)
                }
                ast::AccessExpr::Dot(_) => self.unsupported("a[x:y]", span),
            };
        }
        expr
    }

    /// The tree hangs the parts of `t.c[1]` on the chain of `t`: names first.
    fn bind_access_root<'e>(
        &mut self,
        cx: &mut ExprCx<'_>,
        root: &ast::Expr,
        chain: &'e [ast::AccessExpr],
    ) -> (Expr, &'e [ast::AccessExpr]) {
        let ast::Expr::Identifier(first) = root else {
            return (self.bind_expr(cx, root), chain);
        };
        let mut parts = vec![Part::of(first)];
        let mut rest = chain;
        while let [ast::AccessExpr::Dot(ast::Expr::Identifier(name)), tail @ ..] = rest {
            parts.push(Part::of(name));
            rest = tail;
        }
        (self.bind_ungrouped_name(cx, &parts), rest)
    }

    fn bind_field_of(&mut self, row: Expr, part: Part<'_>, span: Span) -> Expr {
        if row.is_invalid() {
            return Expr::invalid(span);
        }
        if !super::name::has_field(&row.data_type.kind, part.text) {
            let flink = match &row.kind {
                ExprKind::Call { .. } => {
                    self.validation(part.span, &format!("Unknown field '{}'", part.text))
                }
                _ => self.validation(span, &format!("Column '{}' not found in any table", part.text)),
            };
            let names: Vec<&str> = match row.data_type.kind.fields() {
                Some(fields) => fields.iter().map(|field| &*field.name).gather(),
                None => Vec::new(),
            };
            let diagnostic = Diagnostic::new(Code::UnknownField, part.span)
                .arg("field", part.text)
                .arg("type", &row.data_type)
                .flink(flink)
                .suggest_similar(part.text, names);
            self.report(diagnostic);
            return Expr::invalid(span);
        }
        self.field(row, part, span)
    }

    /// `a[i]`, `m[k]`, and `r['field']`, which is a field.
    #[inline(never)]
    fn bind_item(&mut self, container: Expr, index: Expr, span: Span) -> Expr {
        if self.is_outside(&container, &index, span) {
            return Expr::invalid(span);
        }
        if matches!(container.data_type.kind, TypeKind::Row(_))
            && let Some(name) = index.as_literal().and_then(sg_value::Value::as_str)
        {
            let name = name.to_owned();
            return self.bind_field_of(
                container,
                Part {
                    text: &name,
                    span: index.span,
                },
                span,
            );
        }
        // a field by its number
        if let (TypeKind::Row(fields), Some(sg_value::Value::Int(at))) =
            (&container.data_type.kind, index.as_literal())
            && let Some(field) = usize::try_from(*at - 1).ok().and_then(|at| fields.get(at))
        {
            let name = std::rc::Rc::clone(&field.name);
            let part = Part {
                text: &name,
                span: index.span,
            };
            return self.bind_field_of(container, part, span);
        }
        self.call("ITEM", vec![container, index], span)
    }

    /// Whether a row has no such field; reported as Flink fails then.
    #[inline(never)]
    fn is_outside(&mut self, container: &Expr, index: &Expr, span: Span) -> bool {
        let (TypeKind::Row(fields), Some(wanted)) = (&container.data_type.kind, index.as_literal()) else {
            return false;
        };
        let (known, shown, what) = match wanted {
            sg_value::Value::Int(at) => {
                let known = usize::try_from(*at - 1).is_ok_and(|at| at < fields.len());
                (known, at.to_string(), format!("at position {at}"))
            }
            _ => match wanted.as_str() {
                Some(name) => {
                    let known = fields.iter().any(|field| *field.name == *name);
                    (known, name.to_owned(), format!("'{name}'"))
                }
                None => return false,
            },
        };
        if !known {
            let row = sg_expr::calcite_type(&container.data_type, sg_expr::Charset::Hidden);
            let names = fields.iter().map(|field| &*field.name);
            self.report(
                Diagnostic::new(Code::UnknownField, span)
                    .arg("field", &shown)
                    .arg("type", &container.data_type.kind)
                    .suggest_similar_at(index.span, &shown, names)
                    .flink(format!(
                        "AssertionError: Cannot infer type of field {what} within ROW type: {row}"
                    )),
            );
        }
        !known
    }

    /// A condition of WHERE, HAVING or FILTER; `None` where it is broken.
    pub(super) fn bind_condition(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr) -> Option<Expr> {
        self.bind_condition_of(cx.clause.name(), cx, expr)
    }

    /// A condition of a clause of this name.
    pub(super) fn bind_condition_of(
        &mut self,
        clause: &str,
        cx: &mut ExprCx<'_>,
        expr: &ast::Expr,
    ) -> Option<Expr> {
        let condition = self.with_conjuncts(expr, |binder| binder.bind_expr(cx, expr));
        if condition.is_invalid() {
            return None;
        }
        if !matches!(condition.data_type.kind, TypeKind::Boolean | TypeKind::Null) {
            let span = self.span(expr);
            let message = format!("{clause} clause must be a condition");
            let flink = self.validation(span, &message);
            self.report(
                Diagnostic::new(Code::ConditionNotBoolean, span)
                    .arg("clause", clause)
                    .arg("type", &condition.data_type)
                    .flink(flink),
            );
            return None;
        }
        Some(condition)
    }

    /// Reports a bare NULL where Flink does not take one.
    pub(super) fn check_bare_null(&mut self, expr: &Expr) -> bool {
        let is_bare = expr.data_type.kind == TypeKind::Null && expr.as_literal().is_some();
        if is_bare {
            let flink = self.validation(expr.span, "Illegal use of 'NULL'");
            self.report(Diagnostic::new(Code::BareNull, expr.span).flink(flink));
        }
        is_bare
    }

    /// Reports every bare NULL in a list where Flink does not take one.
    pub(super) fn any_bare_null(&mut self, exprs: &[Expr]) -> bool {
        exprs.iter().filter(|expr| self.check_bare_null(expr)).count() > 0
    }
}
