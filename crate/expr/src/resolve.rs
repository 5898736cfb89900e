//! From a name and arguments to a typed call.

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_value::{DataType, Gather as _, TypeKind};

use crate::{
    bound::{Expr, ExprKind},
    function::{FunctionDef, Resolve, find, functions, signature::Signature},
    types::{Charset, calcite_type, family_name},
};

/// Resolves a call: overload, implicit casts, result type. Reports a failure and returns `Invalid`; an `Invalid`
/// argument gives `Invalid` without another report.
///
/// Operators and special syntax are calls too. Words such as units are [`Expr::symbol`]s.
///
/// | SQL | name | arguments |
/// | --- | --- | --- |
/// | `a + b`, `-a`, `a \|\| b`, `a % b` | the operator | one or two |
/// | `a = b`, `a <> b`, `a < b` … | the operator | two |
/// | `NOT a`, `a AND b`, `a OR b` | `NOT`, `AND`, `OR` | one; two or more |
/// | `a IS NULL`, `a IS NOT TRUE` … | `IS NULL`, `IS NOT TRUE` … | one |
/// | `a IS [NOT] DISTINCT FROM b` | `IS [NOT] DISTINCT FROM` | two |
/// | `a [NOT] BETWEEN [SYMMETRIC] b AND c` | `BETWEEN`, `NOT BETWEEN`, `BETWEEN SYMMETRIC`, `NOT BETWEEN SYMMETRIC` | three |
/// | `a [NOT] IN (b, c)` | `IN`, `NOT IN` | two or more |
/// | `a [NOT] LIKE b ESCAPE c`, `a [NOT] SIMILAR TO b` | `LIKE`, `NOT LIKE`, `SIMILAR TO`, `NOT SIMILAR TO` | two or three |
/// | `CASE WHEN a THEN b ELSE c END` | `CASE` | condition, result …, else (a NULL literal where it is missing); `CASE x WHEN v` is written as `x = v` by the caller |
/// | `r.f` | `.` | the row, `Expr::symbol` of the field's name |
/// | `a[i]` | `ITEM` | two |
/// | `EXTRACT(u FROM a)` | `EXTRACT` | symbol, operand |
/// | `FLOOR(a TO u)`, `CEIL(a TO u)` | `FLOOR`, `CEIL` | operand, symbol |
/// | `TRIM([BOTH] [x] FROM s)` | `TRIM` | symbol BOTH, LEADING or TRAILING; what (a literal blank where it is missing); text |
/// | `SUBSTRING(s FROM a FOR b)`, `POSITION(a IN s)`, `OVERLAY(a PLACING b FROM c FOR d)` | the name | in the order written |
/// | `TIMESTAMPADD(u, n, t)`, `TIMESTAMPDIFF(u, a, b)` | the name | symbol first |
/// | `(a - b) DAY TO SECOND` | `MINUS_DATE` | two, then a symbol per unit |
/// | `INTERVAL a DAY` with an expression | `*` | the expression, the literal of one unit |
/// | `ROW(…)`, `ARRAY[…]`, `MAP[…]` | `ROW`, `ARRAY`, `MAP` | in order |
/// | `a IS [NOT] JSON OBJECT` | `IS [NOT] JSON [VALUE\|SCALAR\|ARRAY\|OBJECT]` | one |
/// | `CURRENT_TIMESTAMP`, `NOW()` … | the name | none |
pub fn resolve_call(name: &str, args: Vec<Expr>, span: Span, diags: &mut Diagnostics) -> Expr {
    let Some(function) = find(name) else {
        return unknown_call(name, &args, span, diags);
    };
    if args.iter().any(Expr::is_invalid) {
        return Expr::invalid(span);
    }
    let request = Request {
        function,
        args,
        span,
        diags,
    };
    match &function.resolve {
        Resolve::Table(signatures) => request.by_signatures(signatures),
        Resolve::Rules(rules) => rules(request),
        Resolve::Internal => Expr::invalid(span),
    }
}

/// Reports that there is no function of this name.
pub fn unknown_call(name: &str, args: &[Expr], span: Span, diags: &mut Diagnostics) -> Expr {
    if !args.iter().any(Expr::is_invalid) {
        diags.push(unknown_function(name, args, span));
    }
    Expr::invalid(span)
}

fn unknown_function(name: &str, args: &[Expr], span: Span) -> Diagnostic {
    let families: Vec<String> = args
        .iter()
        .map(|arg| format!("<{}>", family_name(&arg.data_type)))
        .gather();
    let known = functions().filter(|row| row.name.starts_with(|c: char| c.is_ascii_alphabetic()));
    let at = Span::new(
        span.start,
        span.start
            .saturating_add(u32::try_from(name.len()).unwrap_or(0))
            .min(span.end),
    );
    Diagnostic::new(Code::UnknownFunction, span)
        .arg("function", name)
        .suggest_similar_at(
            at,
            name,
            known.flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied())),
        )
        .flink(format!(
            "No match found for function signature {name}({}){}",
            families.join(", "),
            match name.to_ascii_uppercase().as_str() {
                form @ ("ARRAY" | "MAP") => format!(
                    ".\nSupported signatures are:\n'{form}(<EQUIVALENT_TYPE>, <EQUIVALENT_TYPE>, <...>)'"
                ),
                "DATE_TRUNC" =>
                    ".\nSupported signatures are:\n'DATE_TRUNC(<DATE>, <DATETIME_INTERVAL>)'".to_owned(),
                _ => String::new(),
            }
        ))
}

/// A call to be typed.
pub(crate) struct Request<'d> {
    pub(crate) function: &'static FunctionDef,
    pub(crate) args: Vec<Expr>,
    pub(crate) span: Span,
    pub(crate) diags: &'d mut Diagnostics,
}

impl Request<'_> {
    /// The call with these arguments and this type.
    pub(crate) fn call(&self, args: Vec<Expr>, data_type: DataType) -> Expr {
        call(self.function, args, data_type, self.span)
    }

    /// Whether an argument can be NULL.
    pub(crate) fn any_nullable(&self) -> bool {
        self.args.iter().any(|arg| arg.data_type.nullable)
    }

    /// The type of an argument without being a time attribute; NULL where there is none.
    pub(crate) fn plain(&self, at: usize) -> DataType {
        match self.args.get(at) {
            Some(arg) => arg.data_type.without_time_attribute(),
            None => Expr::null(self.span).data_type,
        }
    }

    /// Exactly `N` arguments, or a report.
    pub(crate) fn take<const N: usize>(&mut self) -> Option<[Expr; N]> {
        match <[Expr; N]>::try_from(std::mem::take(&mut self.args)) {
            Ok(args) => Some(args),
            Err(args) => {
                self.args = args;
                self.report_count(N);
                None
            }
        }
    }

    /// Reports and gives up.
    pub(crate) fn refuse(self, diagnostic: Diagnostic) -> Expr {
        self.diags.push(diagnostic);
        Expr::invalid(self.span)
    }

    /// Resolves another call in place of, or within, this one.
    pub(crate) fn sub_call(&mut self, name: &str, args: Vec<Expr>) -> Expr {
        resolve_call(name, args, self.span, self.diags)
    }

    /// Flink's new type system knows no such count of arguments.
    pub(crate) fn no_such_signature(self, expected: &str) -> Expr {
        let families: Vec<String> = self
            .args
            .iter()
            .map(|arg| format!("<{}>", family_name(&arg.data_type)))
            .gather();
        let name = self.function.name;
        let diagnostic = Diagnostic::new(Code::WrongArgumentCount, self.span)
            .arg("function", name)
            .arg("given", self.args.len())
            .arg_list("forms", self.function.forms())
            .flink(format!(
                "No match found for function signature {name}({}).\nSupported signatures are:\n{expected}",
                families.join(", ")
            ));
        self.refuse(diagnostic)
    }

    /// Flink's new type system does not take these arguments, and may say `why`.
    pub(crate) fn not_accepted(self, expected: &str, why: &str) -> Expr {
        let name = self.function.name;
        let types: Vec<String> = self.args.iter().map(|arg| arg.data_type.to_string()).gather();
        let why = if why.is_empty() {
            String::new()
        } else {
            format!("\nValidationException: {why}")
        };
        let diagnostic = Diagnostic::new(Code::WrongArgumentTypes, self.span)
            .arg("function", name)
            .arg_list("types", self.args.iter().map(|arg| arg.data_type.kind.to_string()))
            .arg_list("forms", self.function.forms())
            .flink(format!(
                "ValidationException: SQL validation failed. Invalid function call:\n{name}({})\nValidationException: \
                Invalid input arguments. Expected signatures are:\n{expected}{why}",
                types.join(", ")
            ));
        self.refuse(diagnostic)
    }

    /// An instant and a time of the wall clock have no difference.
    pub(crate) fn mixed_instants(self, kinds: &[TypeKind; 2]) -> Expr {
        let diagnostic = Diagnostic::new(Code::CallNotRunnable, self.span)
            .arg("function", self.function.name)
            .arg_list("types", kinds.iter().map(ToString::to_string))
            .flink("CodeGenException: TIMESTAMP_LTZ only supports diff between the same type.");
        self.refuse(diagnostic)
    }

    /// Types the call by signatures.
    pub(crate) fn by_signatures(mut self, signatures: &'static [Signature]) -> Expr {
        if let Some(signature) = signatures.iter().find(|signature| signature.accepts(&self.args)) {
            let args = std::mem::take(&mut self.args);
            let data_type = signature.result(&args);
            return self.call(args, data_type);
        }
        if signatures
            .iter()
            .any(|signature| signature.takes_count(self.args.len()))
        {
            let forms = supported(self.function.name, signatures);
            return self.wrong_types(&forms);
        }
        let expected = signatures.first().map_or(0, |signature| signature.params.len());
        self.report_count(expected);
        Expr::invalid(self.span)
    }

    /// Reports a wrong number of arguments.
    pub(crate) fn report_count(&mut self, expected: usize) {
        let name = self.function.name;
        let forms: Vec<String> = self
            .function
            .forms()
            .into_iter()
            .map(std::borrow::Cow::into_owned)
            .gather();
        self.diags.push(
            Diagnostic::new(Code::WrongArgumentCount, self.span)
                .arg("function", name)
                .arg("given", self.args.len())
                .arg_list("forms", forms)
                .flink(format!(
                    "Invalid number of arguments to function '{name}'. Was expecting {expected} arguments"
                )),
        );
    }

    /// Reports argument types that fit no form, and gives up. `supported` are Flink's forms, for its own message.
    pub(crate) fn wrong_types(self, supported: &[String]) -> Expr {
        let name = self.function.name;
        self.wrong_types_of(name, supported)
    }

    /// The same of a function that Flink calls otherwise.
    pub(crate) fn wrong_types_of(self, name: &str, supported: &[String]) -> Expr {
        let types: Vec<String> = self
            .args
            .iter()
            .map(|arg| {
                let attribute = if arg.data_type.is_rowtime() {
                    " *ROWTIME*"
                } else {
                    ""
                };
                match arg.as_symbol() {
                    Some(unit) if matches!(name, "EXTRACT" | "TIMESTAMPDIFF" | "TIMESTAMPADD") => {
                        format!("<INTERVAL {unit}>")
                    }
                    _ => {
                        let text = sg_value::case::upper(&calcite_type(&arg.data_type, Charset::Hidden));
                        format!("<{text}{attribute}>")
                    }
                }
            })
            .gather();
        let written = match types.as_slice() {
            [unit, time] if name == "EXTRACT" => format!("EXTRACT({unit} FROM {time})"),
            [left, right] if is_operator(name) || name.ends_with("DISTINCT FROM") => {
                format!("{left} {name} {right}")
            }
            [value, low, high] if name.ends_with("SYMMETRIC") => format!("{value} {name} {low} AND {high}"),
            [operand] if is_operator(name) => format!("{name}{operand}"),
            [operand] if name.starts_with("IS ") => format!("{operand} {name}"),
            [_, what, _] if name == "TRIM" => format!("TRIM([BOTH|LEADING|TRAILING] <SYMBOL> FROM {what})"),
            _ => format!("{name}({})", types.join(", ")),
        };
        let shown: Vec<String> = self
            .args
            .iter()
            .map(|arg| arg.data_type.kind.to_string())
            .gather();
        let forms: Vec<String> = self
            .function
            .forms()
            .into_iter()
            .map(std::borrow::Cow::into_owned)
            .gather();
        let diagnostic = Diagnostic::new(Code::WrongArgumentTypes, self.span)
            .arg("function", name)
            .arg_list("types", shown)
            .arg_list("forms", forms)
            .flink(format!(
                "Cannot apply '{name}' to arguments of type '{written}'. Supported form(s): {}",
                supported.join("\n")
            ));
        self.diags.push(diagnostic);
        Expr::invalid(self.span)
    }
}

/// What Flink's code generation says of a call that it does not know.
pub fn unsupported_call(name: &str, types: &str) -> String {
    format!(
        "CodeGenException: Unsupported call: {name}({types}) \nIf you think this function should be supported, you can \
         create an issue and start a discussion for it."
    )
}

/// Flink's list of forms: `'ABS(<NUMERIC>)'`.
fn supported(name: &str, signatures: &[Signature]) -> Vec<String> {
    let form = |params: &[&str]| format!("'{name}({})'", params.join(", "));
    let mut forms = Vec::new();
    for signature in signatures {
        let params: Vec<&str> = signature
            .params
            .iter()
            .map(|param| match (name, param.family()) {
                ("LIKE" | "SIMILAR TO", _) => "<STRING>",
                (_, family) => family,
            })
            .gather();
        // Most functions name their longest form alone.
        let shorter = params.get(..params.len().saturating_sub(signature.optional));
        match name {
            "NOT" => forms.push(format!("'NOT{}'", params.concat())),
            "TRIM" => forms.push("'TRIM([BOTH|LEADING|TRAILING] <ANY> FROM <STRING>)'".to_owned()),
            "CONCAT_WS" => forms.push("'CONCAT_WS(<CHARACTER>)'".to_owned()),
            name if name.starts_with("IS ") => forms.push(format!("'{} {name}'", params.concat())),
            "SUBSTRING" | "SUBSTR" | "TO_TIMESTAMP" | "TO_DATE" | "FROM_UNIXTIME" | "UNIX_TIMESTAMP" => {
                if signature.optional > 0 {
                    forms.push(form(shorter.unwrap_or_default()));
                }
                forms.push(form(&params));
            }
            "ROUND" | "TRUNCATE" | "REGEXP_EXTRACT" => {
                forms.extend([form(&params), form(shorter.unwrap_or_default())]);
            }
            _ => forms.push(form(&params)),
        }
    }
    forms
}

fn is_operator(name: &str) -> bool {
    matches!(name, "AND" | "OR" | "NOT")
        || !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$' || c == '_')
}

/// A call node.
pub(crate) fn call(function: &'static FunctionDef, args: Vec<Expr>, data_type: DataType, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Call { function, args },
        data_type,
        span,
    }
}
