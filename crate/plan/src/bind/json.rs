//! The SQL/JSON functions and their clauses, which become words among the arguments.

use sg_diag::Span;
use sg_expr::Expr;
use sg_sql::{
    Reserved,
    ast::{JsonBehavior, JsonClause, JsonWrapper},
    query as ast,
};
use sg_value::{Gather as _, Value};

use super::{Binder, aggregate::AggregateParts, expr::ExprCx};

impl Binder<'_> {
    /// `JSON_VALUE(x, path NULL ON EMPTY)` and its like.
    pub(super) fn bind_json(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        args: &[&ast::Expr],
        span: Span,
    ) -> Expr {
        let mut bound = Vec::with_capacity(args.len());
        for arg in args {
            match Reserved::of_expr(arg) {
                Some((Reserved::JsonClause, values)) => {
                    let at = self.span(arg);
                    bound.extend(self.json_clause(at));
                    bound.extend(values.into_iter().map(|value| self.bind_expr(cx, value)));
                }
                _ => bound.push(self.bind_expr(cx, arg)),
            }
        }
        self.call(name, bound, span)
    }

    /// `JSON_OBJECTAGG(KEY k VALUE v ABSENT ON NULL)` and `JSON_ARRAYAGG(v NULL ON NULL)`
    pub(super) fn bind_json_aggregate(
        &mut self,
        cx: &mut ExprCx<'_>,
        kind: Reserved,
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        let (name, full_name, exprs) = self.json_aggregate(kind, function);
        if !self.takes_aggregate(cx, name, function, span) {
            return Expr::invalid(span);
        }
        let mut inner = ExprCx {
            aliases: &[],
            scope: cx.scope,
            clause: cx.clause,
            grouping: None,
            in_aggregate: true,
        };
        let args: Vec<Expr> = exprs.iter().map(|arg| self.bind_expr(&mut inner, arg)).gather();
        let bare = args.iter().filter(|arg| self.check_bare_null(arg)).count();
        let broken = bare > 0 || args.iter().any(Expr::is_invalid);
        let filter = match &function.filter {
            Some(filter) => self.bind_filter(cx, filter),
            None => None,
        };
        if broken || (filter.is_none() && function.filter.is_some()) {
            return Expr::invalid(span);
        }
        let parts = AggregateParts {
            args,
            distinct: false,
            filter,
            called: None,
        };
        self.aggregate_call(cx, &full_name, parts, span)
    }

    /// The aggregate's name, that of its row in the registry, which says what becomes of NULL, and its arguments.
    pub(super) fn json_aggregate<'f>(
        &self,
        kind: Reserved,
        function: &'f ast::Function,
    ) -> (&'static str, String, Vec<&'f ast::Expr>) {
        let (name, mut keeps_nulls) = match kind {
            Reserved::JsonObjectAgg => ("JSON_OBJECTAGG", true),
            _ => ("JSON_ARRAYAGG", false),
        };
        let mut args = sg_sql::reserved::args(function);
        args.retain(|arg| match Reserved::of_expr(arg) {
            Some((Reserved::JsonClause, _)) => {
                let clause = self.side.json_clause_at(self.span(arg));
                keeps_nulls = matches!(clause, Some(JsonClause::NullOnNull));
                false
            }
            _ => true,
        });
        let clause = if keeps_nulls {
            "NULL_ON_NULL"
        } else {
            "ABSENT_ON_NULL"
        };
        (name, format!("{name}_{clause}"), args)
    }

    /// A clause as a word, with the type behind RETURNING.
    fn json_clause(&mut self, span: Span) -> Vec<Expr> {
        let side = std::rc::Rc::clone(&self.side);
        let Some(clause) = side.json_clause_at(span) else {
            return vec![Expr::invalid(span)];
        };
        let word = match clause {
            JsonClause::Returning(syntax) => {
                let value = match self.bind_type(syntax) {
                    Some(data_type) => Expr::literal(Value::Null, data_type.with_nullable(true), span),
                    None => Expr::invalid(span),
                };
                return vec![Expr::symbol("RETURNING", span), value];
            }
            JsonClause::OnEmpty(behavior) => format!("{} ON EMPTY", behavior_word(*behavior)),
            JsonClause::OnError(behavior) => format!("{} ON ERROR", behavior_word(*behavior)),
            JsonClause::Wrapper(wrapper) => wrapper_word(*wrapper).to_owned(),
            JsonClause::NullOnNull => "NULL ON NULL".to_owned(),
            JsonClause::AbsentOnNull => "ABSENT ON NULL".to_owned(),
        };
        vec![Expr::symbol(&word, span)]
    }
}

const fn behavior_word(behavior: JsonBehavior) -> &'static str {
    match behavior {
        JsonBehavior::Null => "NULL",
        JsonBehavior::Error => "ERROR",
        JsonBehavior::Default => "DEFAULT",
        JsonBehavior::EmptyArray => "EMPTY ARRAY",
        JsonBehavior::EmptyObject => "EMPTY OBJECT",
        JsonBehavior::True => "TRUE",
        JsonBehavior::False => "FALSE",
        JsonBehavior::Unknown => "UNKNOWN",
    }
}

const fn wrapper_word(wrapper: JsonWrapper) -> &'static str {
    match wrapper {
        JsonWrapper::Without => "WITHOUT ARRAY",
        JsonWrapper::Conditional => "WITH CONDITIONAL ARRAY",
        JsonWrapper::Unconditional => "WITH UNCONDITIONAL ARRAY",
    }
}
