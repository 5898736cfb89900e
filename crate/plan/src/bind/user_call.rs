//! Calls of functions that the script has created.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{CastMode, Expr, cast, converts_implicitly, script::user_call};
use sg_sql::query as ast;
use sg_value::{DataType, Gather as _, TypeKind};

use super::{Binder, expr::ExprCx, from::idents};
use crate::user_function::{UserFunction, UserFunctionKind};

/// A function of the script in a call.
#[derive(Clone)]
pub(super) struct Called {
    pub(super) function: Rc<UserFunction>,
    /// Its name as the call writes it; plans show it so.
    pub(super) written: Rc<str>,
}

const fn is_text(data_type: &DataType) -> bool {
    matches!(data_type.kind, TypeKind::Char(_) | TypeKind::Varchar(_))
}

impl Binder<'_> {
    /// The function of the script that a name means.
    pub(super) fn called(&self, name: &ast::ObjectName) -> Option<Called> {
        let parts: Vec<&str> = idents(name).iter().map(|part| part.value.as_str()).gather();
        let function = self.catalog.user_function(&self.home, &parts)?;
        Some(Called {
            function: Rc::clone(function),
            written: Rc::from(*parts.last()?),
        })
    }

    /// Whether a call is one of an aggregate function of the script.
    pub(super) fn is_user_aggregate(&self, function: &ast::Function) -> bool {
        self.called(&function.name)
            .is_some_and(|called| matches!(called.function.kind, UserFunctionKind::Aggregate { .. }))
    }

    /// A call in an expression.
    #[inline(never)]
    pub(super) fn bind_user_call(
        &mut self,
        cx: &mut ExprCx<'_>,
        called: &Called,
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        let written = &called.written;
        let result = match &called.function.kind {
            UserFunctionKind::Aggregate { .. } if function.over.is_some() => {
                return self.bind_over(cx, written, function, span);
            }
            UserFunctionKind::Aggregate { .. } => return self.bind_aggregate(cx, written, function, span),
            UserFunctionKind::Foreign(language) => {
                self.foreign_function(language, span);
                return Expr::invalid(span);
            }
            UserFunctionKind::Broken => {
                self.failed = true;
                return Expr::invalid(span);
            }
            UserFunctionKind::TableAggregate => {
                self.report(Diagnostic::new(Code::TableAggregateInSql, span).arg("function", written));
                return Expr::invalid(span);
            }
            UserFunctionKind::Table(_) => {
                let diagnostic = Diagnostic::new(Code::TableFunctionHere, span).arg("function", written);
                self.report(diagnostic.flink(format!(
                    "ValidationException: SQL validation failed. Cannot call table function here: '{written}'"
                )));
                return Expr::invalid(span);
            }
            UserFunctionKind::Scalar(result) => result.clone(),
        };
        let clause = match (&function.over, &function.filter) {
            (Some(_), _) => Some("OVER"),
            (_, Some(_)) => Some("FILTER"),
            _ => None,
        };
        if let Some(clause) = clause {
            self.report(
                Diagnostic::new(Code::NotAnAggregate, span)
                    .arg("function", written)
                    .arg("clause", clause),
            );
            return Expr::invalid(span);
        }
        let Some(args) = self.bind_arguments(cx, written, function, span) else {
            return Expr::invalid(span);
        };
        match self.user_arguments(called, &args, span) {
            Some(args) => user_call(&called.function.script(written), args, result, span),
            None => Expr::invalid(span),
        }
    }

    /// The arguments with the types that the function declares.
    pub(super) fn user_arguments(&mut self, called: &Called, args: &[Expr], span: Span) -> Option<Vec<Expr>> {
        if args.iter().any(Expr::is_invalid) {
            return None;
        }
        let input = &called.function.input;
        let written = &called.written;
        let form = called.function.signature(written);
        if args.len() != input.len() {
            let families: Vec<String> = args
                .iter()
                .map(|arg| format!("<{}>", sg_expr::family_name(&arg.data_type)))
                .gather();
            let message = format!(
                "No match found for function signature {written}({}).\nSupported signatures are:\n{form}",
                families.join(", ")
            );
            let flink = self.validation(span, &message);
            self.report(
                Diagnostic::new(Code::WrongArgumentCount, span)
                    .arg("function", written)
                    .arg("given", args.len())
                    .arg_list("forms", [form])
                    .flink(flink),
            );
            return None;
        }
        let mut fitted = Vec::with_capacity(args.len());
        for (at, (arg, to)) in args.iter().zip(input).enumerate() {
            let from = arg.data_type.without_time_attribute();
            let null = arg.data_type.nullable && !to.nullable;
            if null || !converts_implicitly(&from, to) {
                self.wrong_user_argument(called, args, at);
                return None;
            }
            let at = arg.span;
            let arg = arg.clone();
            // a text is taken as it is
            if is_text(&from) && is_text(to) {
                fitted.push(arg);
                continue;
            }
            fitted.push(self.expressions(|diags| cast(arg, to, CastMode::Implicit, at, diags)));
        }
        Some(fitted)
    }

    fn wrong_user_argument(&mut self, called: &Called, args: &[Expr], at: usize) {
        let (Some(arg), Some(expected)) = (args.get(at), called.function.input.get(at)) else {
            return;
        };
        let written = &called.written;
        let types: Vec<String> = args.iter().map(|arg| arg.data_type.to_string()).gather();
        let form = called.function.signature(written);
        let flink = format!(
            "ValidationException: SQL validation failed. Invalid function call:\n{written}({})\nValidationException: \
             Invalid input arguments. Expected signatures are:\n{form}\nValidationException: Invalid argument type at \
             position {at}. Data type {expected} expected but {} passed.",
            types.join(", "),
            arg.data_type
        );
        self.report(
            Diagnostic::new(Code::WrongArgumentTypes, arg.span)
                .arg("function", written)
                .arg_list("types", types)
                .arg_list("forms", [form])
                .flink(flink),
        );
    }
}
