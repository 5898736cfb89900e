//! The SQL/JSON functions and their clauses, which become words among the arguments.

use sg_diag::Span;
use sg_expr::Expr;
use sg_sql::{
    Reserved,
    ast::{JsonBehavior, JsonClause, JsonWrapper},
    query as ast,
};
use sg_value::Value;

use super::{Binder, expr::ExprCx};

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
