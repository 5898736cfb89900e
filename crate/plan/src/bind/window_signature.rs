//! Window table functions with their parameters.

use sg_diag::{Code, Diagnostic, Span};
use sg_sql::query as ast;

use super::Binder;

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
            let message = format!(
                "Invalid number of arguments to function '{}'. Was expecting {} arguments",
                signature.name, signature.required
            );
            let end = args.last().map_or(span.end, |arg| match arg {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => self.span(expr).end,
                _ => span.end,
            });
            let rest = Span::new(end, self.statement.end).text(self.text);
            let close = rest.find(')').map_or(0, |at| u32::try_from(at + 1).unwrap_or(0));
            let span = Span::new(span.start, end + close);
            let flink = self.validation(span, &message);
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
}
