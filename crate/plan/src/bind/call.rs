//! Function calls.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{
    Expr,
    aggregate::{is_aggregate, is_window_function},
    unknown_call,
};
use sg_sql::{byte_span, query as ast};

use super::{Binder, expr::ExprCx, group_window::is_group_window};

/// Functions that take a bare NULL.
const TAKE_NULL: [&str; 7] = [
    "COALESCE", "IFNULL", "NULLIF", "TYPEOF", "GREATEST", "LEAST", "ROW",
];

/// Time attributes of a match.
const MATCH_TIMES: [&str; 2] = ["MATCH_ROWTIME", "MATCH_PROCTIME"];

/// Aggregate functions of Flink that the registry may lack.
const OTHER_AGGREGATES: [&str; 2] = ["APPROX_COUNT_DISTINCT", "SINGLE_VALUE"];

/// The name of a call in capitals, if it has one part.
pub(super) fn call_name(function: &ast::Function) -> Option<String> {
    match function.name.0.as_slice() {
        [name] => Some(name.value.to_ascii_uppercase()),
        _ => None,
    }
}

/// The name of a call as it is written, if it has one part; messages show it so.
fn call_text(function: &ast::Function) -> Option<String> {
    match function.name.0.as_slice() {
        [name] => Some(name.value.clone()),
        _ => None,
    }
}

impl Binder<'_> {
    #[inline(never)]
    pub(super) fn bind_function(
        &mut self,
        cx: &mut ExprCx<'_>,
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        if let Some(called) = self.called(&function.name) {
            return self.bind_user_call(cx, &called, function, span);
        }
        let Some(name) = call_name(function) else {
            return self.unknown_in_database(cx, function, span);
        };
        if function.over.is_some() {
            return self.bind_over(cx, &name, function, span);
        }
        if is_aggregate(&name) {
            return self.bind_aggregate(cx, &name, function, span);
        }
        match name.as_str() {
            name if OTHER_AGGREGATES.contains(&name) => return self.unsupported(name, span),
            "GROUPING" | "GROUPING_ID" | "GROUP_ID" => return self.bind_grouping(cx, &name, function, span),
            name if is_window_function(name) || name == "NTH_VALUE" => {
                return self.over_is_missing(name, span);
            }
            name if is_group_window(name) => return self.bind_group_window(cx, name, function, span),
            name if MATCH_TIMES.contains(&name) => return self.unsupported("MATCH_RECOGNIZE", span),
            _ => {}
        }
        if function.filter.is_some() {
            let (call, _) = self.spans.parted_by(span, "FILTER").unwrap_or((span, span));
            return self.filter_without_aggregate(&name, call);
        }
        let Some(args) = self.bind_arguments(cx, &name, function, span) else {
            return Expr::invalid(span);
        };
        if !TAKE_NULL.contains(&name.as_str()) && self.any_bare_null(&args) {
            return Expr::invalid(span);
        }
        let written = call_text(function).unwrap_or(name);
        if matches!(written.to_ascii_uppercase().as_str(), "ARRAY" | "MAP") {
            // they take brackets
            return self.expressions(|diags| unknown_call(&written, &args, span, diags));
        }
        self.call(&written, args, span)
    }

    /// `d.f(…)` where there is no such function.
    #[inline(never)]
    fn unknown_in_database(&mut self, cx: &mut ExprCx<'_>, function: &ast::Function, span: Span) -> Expr {
        let Some(name) = function.name.0.last() else {
            return Expr::invalid(span);
        };
        let Some(args) = self.bind_arguments(cx, &name.value, function, span) else {
            return Expr::invalid(span);
        };
        let span = byte_span(name.span).map_or(span, |name| Span::new(name.start, span.end));
        self.expressions(|diags| unknown_call(&name.value, &args, span, diags))
    }

    pub(super) fn bind_arguments(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        function: &ast::Function,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let list = match &function.args {
            ast::FunctionArguments::None => return Some(Vec::new()),
            ast::FunctionArguments::Subquery(_) => {
                self.not_supported("(SELECT …)", span);
                return None;
            }
            ast::FunctionArguments::List(list) => list,
        };
        let takes_unit = matches!(name, "TIMESTAMPADD" | "TIMESTAMPDIFF");
        let mut args = Vec::with_capacity(list.args.len());
        for (at, arg) in list.args.iter().enumerate() {
            args.push(match arg {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::Identifier(word)))
                    if takes_unit && at == 0 =>
                {
                    let span = byte_span(word.span).unwrap_or(span);
                    let word = word.value.to_ascii_uppercase();
                    Expr::symbol(word.strip_prefix("SQL_TSI_").unwrap_or(&word), span)
                }
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => self.bind_expr(cx, expr),
                ast::FunctionArg::Named {
                    arg: ast::FunctionArgExpr::Expr(expr),
                    ..
                } => {
                    let span = self.span(expr);
                    self.unsupported("name => value", span)
                }
                _ => self.star_argument(name, span),
            });
        }
        Some(args)
    }

    fn star_argument(&mut self, name: &str, span: Span) -> Expr {
        self.report_star(name, "Unknown identifier '*'", span);
        Expr::invalid(span)
    }

    /// `SUM(*)`: the star is taken for a name.
    pub(super) fn report_star(&mut self, name: &str, message: &str, span: Span) {
        let at = span
            .text(self.text)
            .find('*')
            .and_then(|at| u32::try_from(at).ok());
        let star = at.map_or(span, |at| Span::new(span.start + at, span.start + at + 1));
        let flink = self.validation_as_written(star, message);
        let diagnostic = Diagnostic::new(Code::StarArgument, star).arg("function", name);
        self.report(diagnostic.flink(flink));
    }

    fn filter_without_aggregate(&mut self, name: &str, span: Span) -> Expr {
        let flink = self.validation(span, "FILTER must be applied to aggregate function");
        let diagnostic = Diagnostic::new(Code::FilterWithoutAggregate, span).arg("function", name);
        self.report(diagnostic.flink(flink));
        Expr::invalid(span)
    }

    fn over_is_missing(&mut self, name: &str, span: Span) -> Expr {
        let flink = self.validation(span, "OVER clause is necessary for window functions");
        self.report(
            Diagnostic::new(Code::OverIsMissing, span)
                .arg("function", name)
                .flink(flink),
        );
        Expr::invalid(span)
    }
}

/// Whether a call of an aggregate function without OVER stands somewhere in the expression.
pub(super) fn has_aggregate(binder: &Binder<'_>, expr: &ast::Expr) -> bool {
    let mut found = false;
    walk(expr, &mut |function| {
        let named = call_name(function).is_some_and(|name| {
            is_aggregate(&name)
                || OTHER_AGGREGATES.contains(&name.as_str())
                || matches!(name.as_str(), "GROUPING" | "GROUPING_ID" | "GROUP_ID")
        });
        let reserved = matches!(
            sg_sql::Reserved::of(function),
            Some(sg_sql::Reserved::JsonObjectAgg | sg_sql::Reserved::JsonArrayAgg)
        );
        let any = || named || reserved || binder.is_user_aggregate(function);
        found = found || (function.over.is_none() && any());
    });
    found
}

/// Whether a function with OVER stands somewhere in the expression.
pub(super) fn has_over(expr: &ast::Expr) -> bool {
    let mut found = false;
    walk(expr, &mut |function| found |= function.over.is_some());
    found
}

/// Visits every function call of an expression that is not inside a sub-query.
fn walk(expr: &ast::Expr, visit: &mut impl FnMut(&ast::Function)) {
    use ast::Expr as E;
    if let E::Function(function) = expr {
        visit(function);
    }
    children(expr, &mut |child| walk(child, visit));
}

/// Calls `each` with every direct sub-expression.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
fn children<'e>(expr: &'e ast::Expr, each: &mut dyn FnMut(&'e ast::Expr)) {
    use ast::Expr as E;
    match expr {
        E::IsNull(of)
        | E::IsNotNull(of)
        | E::IsTrue(of)
        | E::IsNotTrue(of)
        | E::IsFalse(of)
        | E::IsNotFalse(of)
        | E::IsUnknown(of)
        | E::IsNotUnknown(of)
        | E::Nested(of) => each(of),
        E::UnaryOp { expr: of, .. }
        | E::IsJson { expr: of, .. }
        | E::Extract { expr: of, .. }
        | E::Ceil { expr: of, .. }
        | E::Floor { expr: of, .. } => each(of),
        E::IsDistinctFrom(left, right) | E::IsNotDistinctFrom(left, right) => {
            each(left);
            each(right);
        }
        E::BinaryOp { left, right, .. } => {
            each(left);
            each(right);
        }
        E::Between { expr, low, high, .. } => {
            each(expr);
            each(low);
            each(high);
        }
        E::In { expr, target, .. } => {
            each(expr);
            if let ast::InTarget::List(list) = target {
                list.iter().for_each(each);
            }
        }
        E::Like { expr, pattern, .. } | E::SimilarTo { expr, pattern, .. } => {
            each(expr);
            each(pattern);
        }
        E::Position { expr, r#in } => {
            each(expr);
            each(r#in);
        }
        E::Substring {
            expr,
            substring_from,
            substring_for,
            ..
        } => {
            each(expr);
            substring_from
                .iter()
                .chain(substring_for)
                .for_each(|part| each(part));
        }
        E::Trim { expr, trim_what, .. } => {
            each(expr);
            if let Some(part) = trim_what {
                each(part);
            }
        }
        E::Overlay {
            expr,
            overlay_what,
            overlay_from,
            overlay_for,
        } => {
            each(expr);
            each(overlay_what);
            each(overlay_from);
            if let Some(part) = overlay_for {
                each(part);
            }
        }
        E::Case {
            operand,
            conditions,
            else_result,
            ..
        } => {
            if let Some(part) = operand {
                each(part);
            }
            for branch in conditions {
                each(&branch.condition);
                each(&branch.result);
            }
            if let Some(part) = else_result {
                each(part);
            }
        }
        E::Tuple(items) => items.iter().for_each(each),
        E::Array(array) => array.iter().for_each(each),
        E::Interval(interval) => each(&interval.value),
        E::CompoundFieldAccess { root, .. } => each(root),
        E::Function(function) => {
            if let ast::FunctionArguments::List(list) = &function.args {
                for arg in &list.args {
                    if let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) = arg {
                        each(expr);
                    }
                }
            }
        }
        _ => {}
    }
}
