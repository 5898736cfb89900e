//! Window table functions with their parameters.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Charset, calcite_type};
use sg_sql::query as ast;

use super::{
    Binder, BoundQuery,
    expr::{Clause, ExprCx},
    scope::Scope,
    subquery::record_type,
};

/// A window table function and its parameters behind DATA and TIMECOL.
pub(super) struct Signature {
    pub(super) name: &'static str,
    /// Names of all parameters in positional order.
    pub(super) parameters: &'static [&'static str],
    /// How many of them are required.
    pub(super) required: usize,
    /// How Flink's messages write it.
    pub(super) form: &'static str,
}

/// All of them.
pub(super) const SIGNATURES: [Signature; 5] = [
    Signature {
        name: "TUMBLE",
        parameters: &["DATA", "TIMECOL", "SIZE", "OFFSET"],
        required: 3,
        form: "TUMBLE(TABLE table_name, DESCRIPTOR(timecol), datetime interval[, datetime interval])",
    },
    Signature {
        name: "HOP",
        parameters: &["DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"],
        required: 4,
        form: "HOP(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, datetime interval])",
    },
    Signature {
        name: "CUMULATE",
        parameters: &["DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"],
        required: 4,
        form: "CUMULATE(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, datetime interval])",
    },
    Signature {
        name: "SESSION",
        parameters: &["DATA", "TIMECOL", "GAP"],
        required: 3,
        form: "SESSION(TABLE table_name [PARTITION BY (cols, ...)], DESCRIPTOR(timecol), datetime interval)",
    },
    // An extension: Flink has no such function.
    Signature {
        name: "CUMULATE_DYNAMIC",
        parameters: &["DATA", "TIMECOL", "STEP", "GAP"],
        required: 4,
        form: "CUMULATE_DYNAMIC(TABLE table_name [PARTITION BY (cols, ...)], DESCRIPTOR(timecol), datetime interval, \
               datetime interval)",
    },
];

impl Binder<'_> {
    /// Whether there are as many positional arguments as the function has parameters; reported where not.
    #[inline(never)]
    pub(super) fn check_window_count(
        &mut self,
        signature: &Signature,
        args: &[ast::FunctionArg],
        span: Span,
    ) -> bool {
        let named = args
            .iter()
            .any(|arg| matches!(arg, ast::FunctionArg::Named { .. }));
        if !named && (args.len() < signature.required || args.len() > signature.parameters.len()) {
            let missing = signature.parameters.get(args.len());
            let code = match missing {
                Some(_) => Code::WindowArgumentMissing,
                None => Code::WindowArgumentUnknown,
            };
            // of a call without arguments Flink looks at the first
            let none = "ValidationException: SQL validation failed. Index 0 out of bounds for length 0";
            let message = format!(
                "Invalid number of arguments to function '{}'. Was expecting {} arguments",
                signature.name, signature.required
            );
            let span = self.window_call(args, span);
            let flink = match args {
                [] => none.to_owned(),
                _ => self.validation(span, &message),
            };
            self.report(
                Diagnostic::new(code, span)
                    .arg("function", signature.name)
                    .arg("parameter", missing.copied().unwrap_or_default())
                    .arg("form", signature.form)
                    .flink(flink),
            );
            return false;
        }
        true
    }

    /// The whole call of a function whose name stands at `span`.
    pub(super) fn window_call(&self, args: &[ast::FunctionArg], span: Span) -> Span {
        let end = args.last().map_or(span.end, |arg| match arg {
            ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => self.span(expr).end,
            _ => span.end,
        });
        let rest = Span::new(end, self.statement.end).text(self.text);
        let close = rest.find(')').map_or(0, |at| u32::try_from(at + 1).unwrap_or(0));
        Span::new(span.start, end + close)
    }

    /// Flink's message for lengths that are no intervals: it shows the types of all arguments.
    #[inline(never)]
    pub(super) fn name_wrong_lengths(
        &mut self,
        signature: &Signature,
        input: &BoundQuery,
        lengths: &[&ast::Expr],
        call: Span,
    ) {
        let mut types = vec![
            format!("<{}>", record_type(&input.node.schema)),
            "<COLUMN_LIST>".to_owned(),
        ];
        for length in lengths {
            let (bound, _) = self.scratch(|binder| {
                binder.bind_expr(&mut ExprCx::over(&Scope::default(), Clause::Select), length)
            });
            types.push(format!("<{}>", calcite_type(&bound.data_type, Charset::Hidden)));
        }
        let message = format!(
            "Cannot apply '{0}' to arguments of type '{0}({1})'. Supported form(s): {2}",
            signature.name,
            types.join(", "),
            signature.form
        );
        let flink = self.validation(call, &message);
        let said = std::mem::take(&mut self.diags);
        self.diags.extend(said.into_iter().map(|one| match one.code {
            Code::WindowLengthNotInterval if one.flink.is_none() => one.flink(flink.clone()),
            _ => one,
        }));
    }
}
