//! Expressions.

use sqlparser::ast::{
    AccessExpr, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    InTarget, ObjectName, ObjectNamePart, OrderByExpr, Subscript, WindowFrameBound, WindowSpec, WindowType,
};

use super::Check;
use crate::ast::TimeUnit;
use crate::reserved::Reserved;
use crate::span::byte_span;

impl Check<'_> {
    pub(super) fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
    pub(super) fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Identifier(ident) => self.ident(ident),
            Expr::CompoundIdentifier(parts) => {
                for part in parts {
                    self.ident(part);
                }
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                self.expr(root);
                for access in access_chain {
                    self.access(access);
                }
            }
            Expr::Nested(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotFalse(inner)
            | Expr::IsTrue(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsUnknown(inner)
            | Expr::IsNotUnknown(inner)
            | Expr::UnaryOp { expr: inner, .. }
            | Expr::IsJson { expr: inner, .. }
            | Expr::Extract { expr: inner, .. }
            | Expr::Ceil { expr: inner, .. }
            | Expr::Floor { expr: inner, .. } => self.expr(inner),
            Expr::BinaryOp { left, right, .. }
            | Expr::IsDistinctFrom(left, right)
            | Expr::IsNotDistinctFrom(left, right)
            | Expr::AnyOp { left, right, .. }
            | Expr::AllOp { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Between { expr, low, high, .. } => self.exprs([&**expr, &**low, &**high]),
            Expr::In { expr, target, .. } => {
                self.expr(expr);
                self.in_target(target);
            }
            Expr::Like {
                expr: left,
                pattern,
                escape_char,
                any,
                ..
            }
            | Expr::ILike {
                expr: left,
                pattern,
                escape_char,
                any,
                ..
            } => {
                self.exprs([&**left, &**pattern]);
                self.exprs(escape_char.as_deref());
                if *any {
                    self.foreign("LIKE ANY", self.spans.expr(expr));
                }
            }
            Expr::SimilarTo {
                expr,
                pattern,
                escape_char,
                ..
            } => {
                self.exprs([&**expr, &**pattern]);
                self.exprs(escape_char.as_deref());
            }
            Expr::RLike { expr, pattern, .. } => self.exprs([&**expr, &**pattern]),
            Expr::Tuple(items) => self.exprs(items),
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
                self.exprs(sets.iter().flatten());
            }
            Expr::Array(array) => self.exprs(&array.elem),
            Expr::Case {
                operand,
                conditions,
                else_result,
                ..
            } => {
                self.exprs(operand.as_deref());
                for when in conditions {
                    self.exprs([&when.condition, &when.result]);
                }
                self.exprs(else_result.as_deref());
            }
            Expr::Exists { subquery, .. } | Expr::Subquery(subquery) => self.query(subquery),
            Expr::Function(function) => self.function(function),
            _ => self.other(expr),
        }
    }

    /// Expressions that look like calls, and those of other databases.
    fn other(&mut self, expr: &Expr) {
        match expr {
            Expr::Value(_) | Expr::TypedString(_) | Expr::Interval(_) | Expr::Wildcard(_) => {}
            Expr::QualifiedWildcard(name, _) => self.object_name(name),
            Expr::Position { expr, r#in } => self.exprs([&**expr, &**r#in]),
            Expr::Substring {
                expr,
                substring_from,
                substring_for,
                ..
            } => {
                self.expr(expr);
                self.exprs(substring_from.as_deref());
                self.exprs(substring_for.as_deref());
            }
            Expr::Trim {
                trim_what,
                expr,
                trim_characters,
                ..
            } => {
                self.expr(expr);
                self.exprs(trim_what.as_deref());
                self.exprs(trim_characters.iter().flatten());
            }
            Expr::Overlay {
                expr,
                overlay_what,
                overlay_from,
                overlay_for,
            } => {
                self.exprs([&**expr, &**overlay_what, &**overlay_from]);
                self.exprs(overlay_for.as_deref());
            }
            Expr::MemberOf(member) => self.exprs([&*member.value, &*member.array]),
            Expr::AtTimeZone { .. } => self.foreign("AT TIME ZONE", self.spans.expr(expr)),
            Expr::Collate { .. } => self.foreign("COLLATE", self.spans.expr(expr)),
            Expr::IsNormalized { .. } => self.foreign("IS NORMALIZED", self.spans.expr(expr)),
            Expr::Convert { .. } => self.foreign("CONVERT( … USING … )", self.spans.expr(expr)),
            _ => self.foreign("This expression", self.spans.expr(expr)),
        }
    }

    fn access(&mut self, access: &AccessExpr) {
        match access {
            // Behind a period every word is a field; sqlparser has checked its shape.
            AccessExpr::Dot(Expr::Identifier(_)) => {}
            AccessExpr::Dot(field) => self.expr(field),
            AccessExpr::Subscript(Subscript::Index { index }) => self.expr(index),
            AccessExpr::Subscript(Subscript::Slice {
                lower_bound,
                upper_bound,
                ..
            }) => {
                let bound = lower_bound.as_ref().or(upper_bound.as_ref());
                let span = bound.map_or_else(|| self.spans.statement(), |bound| self.spans.expr(bound));
                self.foreign("A slice `[a:b]`", span);
            }
        }
    }

    fn in_target(&mut self, target: &InTarget) {
        match target {
            InTarget::List(items) => self.exprs(items),
            InTarget::Subquery(query) => self.query(query),
            InTarget::Unnest(array) => self.foreign("IN UNNEST( … )", self.spans.expr(array)),
            InTarget::Table { name, .. } => {
                self.foreign("IN without parentheses", self.spans.object_name(name));
            }
        }
    }

    fn function(&mut self, function: &Function) {
        let args = match &function.args {
            FunctionArguments::List(list) => {
                for clause in &list.clauses {
                    self.clause(clause, function);
                }
                list.args.as_slice()
            }
            FunctionArguments::Subquery(query) => {
                self.query(query);
                &[]
            }
            FunctionArguments::None => &[],
        };
        let takes_unit = Reserved::of(function).is_none() && is_timestamp_arithmetic(&function.name);
        for (position, arg) in args.iter().enumerate() {
            if !(takes_unit && position == 0 && is_unit(arg)) {
                self.argument(arg);
            }
        }
        self.order_by(&function.within_group);
        self.exprs(function.filter.as_deref());
        match &function.over {
            Some(WindowType::WindowSpec(spec)) => self.window(spec),
            Some(WindowType::NamedWindow(name)) => self.ident(name),
            None => {}
        }
    }

    fn clause(&mut self, clause: &FunctionArgumentClause, function: &Function) {
        let construct = match clause {
            FunctionArgumentClause::OrderBy(keys) => return self.order_by(keys),
            FunctionArgumentClause::IgnoreOrRespectNulls(_) => "IGNORE NULLS inside the parentheses",
            FunctionArgumentClause::Where(_) => "WHERE inside the parentheses",
            FunctionArgumentClause::Limit(_) => "LIMIT inside the parentheses",
            FunctionArgumentClause::OnOverflow(_) => "ON OVERFLOW",
            FunctionArgumentClause::Having(_) => "HAVING inside the parentheses",
            FunctionArgumentClause::Separator(_) => "SEPARATOR",
            FunctionArgumentClause::JsonNullClause(_) => "ON NULL",
            FunctionArgumentClause::JsonReturningClause(_) => "RETURNING",
        };
        self.foreign(construct, self.spans.object_name(&function.name));
    }

    pub(super) fn argument(&mut self, arg: &FunctionArg) {
        let expr = match arg {
            FunctionArg::Named { name, arg, .. } => {
                self.ident(name);
                arg
            }
            FunctionArg::ExprNamed { arg, .. } | FunctionArg::Unnamed(arg) => arg,
        };
        if let FunctionArgExpr::Expr(expr) = expr {
            self.expr(expr);
        }
    }

    pub(super) fn order_by(&mut self, keys: &[OrderByExpr]) {
        for key in keys {
            self.expr(&key.expr);
        }
    }

    pub(super) fn window(&mut self, spec: &WindowSpec) {
        if let Some(name) = &spec.window_name {
            self.ident(name);
        }
        self.exprs(&spec.partition_by);
        self.order_by(&spec.order_by);
        if let Some(frame) = &spec.window_frame {
            for bound in std::iter::once(&frame.start_bound).chain(&frame.end_bound) {
                if let WindowFrameBound::Preceding(Some(expr)) | WindowFrameBound::Following(Some(expr)) =
                    bound
                {
                    self.expr(expr);
                }
            }
        }
    }

    pub(super) fn object_name(&mut self, name: &ObjectName) {
        // `UNNEST( … )` in FROM comes as a table of that name.
        let unnest = matches!(name.0.as_slice(),
            [ObjectNamePart::Identifier(word)] if word.value.eq_ignore_ascii_case("UNNEST"));
        if unnest {
            return;
        }
        for part in &name.0 {
            if let ObjectNamePart::Identifier(ident) = part
                && byte_span(ident.span).is_some()
            {
                self.ident(ident);
            }
        }
    }
}

/// True for the functions whose first argument is a unit of time.
fn is_timestamp_arithmetic(name: &ObjectName) -> bool {
    matches!(name.0.as_slice(), [ObjectNamePart::Identifier(word)]
        if ["TIMESTAMPADD", "TIMESTAMPDIFF"].iter().any(|known| known.eq_ignore_ascii_case(&word.value)))
}

fn is_unit(arg: &FunctionArg) -> bool {
    matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(word)))
        if TimeUnit::from_word(&word.value).is_some())
}
