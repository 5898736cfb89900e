//! Group windows: TUMBLE, HOP, SESSION and CUMULATE in GROUP BY, and `TUMBLE_START` and its likes over them.
//!
//! A window is a group key: a call of `$TUMBLE` over the time attribute. `TUMBLE_START(ts, …)` in SELECT or HAVING is
//! `TUMBLE_START` over that key's column. Flink: Calcite's `SqlGroupedWindowFunction`.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Charset, Expr, ExprKind, calcite_type, planned_function};
use sg_sql::query as ast;
use sg_value::{DataType, Gather as _, TimeKind, TypeKind};

use super::{
    Binder,
    aggregate::Grouping,
    expr::{Clause, ExprCx},
    interval::millis_of,
    scope::Scope,
};
use crate::logical::same_expression;

/// A window function of GROUP BY.
struct GroupWindow {
    /// As SQL writes it.
    name: &'static str,
    /// As plans write it.
    planned: &'static str,
    /// Lengths behind the time column.
    lengths: usize,
    /// How messages write it.
    form: &'static str,
}

const WINDOWS: [GroupWindow; 4] = [
    GroupWindow {
        name: "TUMBLE",
        planned: "$TUMBLE",
        lengths: 1,
        form: "TUMBLE(time, size)",
    },
    GroupWindow {
        name: "HOP",
        planned: "$HOP",
        lengths: 2,
        form: "HOP(time, slide, size)",
    },
    GroupWindow {
        name: "SESSION",
        planned: "$SESSION",
        lengths: 1,
        form: "SESSION(time, gap)",
    },
    // An extension: Flink has CUMULATE only as a table function.
    GroupWindow {
        name: "CUMULATE",
        planned: "$CUMULATE",
        lengths: 2,
        form: "CUMULATE(time, step, size[, offset])",
    },
];

/// What a call asks of a window.
const BOUNDS: [&str; 4] = ["_START", "_END", "_ROWTIME", "_PROCTIME"];

fn window_of(name: &str) -> Option<&'static GroupWindow> {
    WINDOWS.iter().find(|window| window.name == name)
}

/// The window whose bound a function is.
fn bounded(name: &str) -> Option<(&'static GroupWindow, &'static str)> {
    BOUNDS.iter().find_map(|suffix| {
        let window = window_of(name.strip_suffix(suffix)?)?;
        Some((window, *suffix))
    })
}

/// Whether this is a window of GROUP BY or a bound of one.
pub(super) fn is_group_window(name: &str) -> bool {
    window_of(name).is_some() || bounded(name).is_some()
}

/// Whether an expression is a group window.
pub(super) fn is_window_key(expr: &Expr) -> bool {
    window_name(expr).is_some()
}

fn window_name(expr: &Expr) -> Option<&'static str> {
    match &expr.kind {
        ExprKind::Call { function, .. } => WINDOWS
            .iter()
            .find(|window| window.planned == function.name)
            .map(|window| window.name),
        _ => None,
    }
}

fn planned_call(name: &str, args: Vec<Expr>, data_type: DataType, span: Span) -> Expr {
    match planned_function(name) {
        Some(function) => Expr {
            kind: ExprKind::Call { function, args },
            data_type,
            span,
        },
        None => Expr::invalid(span),
    }
}

impl Binder<'_> {
    /// `TUMBLE(…)` or `TUMBLE_START(…)`, wherever it stands.
    #[inline(never)]
    pub(super) fn bind_group_window(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        if let Some((window, suffix)) = bounded(name) {
            return self.bind_window_bound(cx, (window, suffix), function, span);
        }
        let Some(window) = window_of(name) else {
            return Expr::invalid(span);
        };
        if cx.clause != Clause::GroupBy {
            let message = format!(
                "Group function '{}' can only appear in GROUP BY clause",
                window.planned
            );
            let flink = self.validation(span, &message);
            self.report(
                Diagnostic::new(Code::GroupWindowOutsideGroupBy, span)
                    .arg("function", window.name)
                    .flink(flink),
            );
            return Expr::invalid(span);
        }
        self.bind_window_key(cx.scope, window, function, span)
            .unwrap_or_else(|| Expr::invalid(span))
    }

    fn bind_window_key(
        &mut self,
        scope: &Scope,
        window: &'static GroupWindow,
        function: &ast::Function,
        span: Span,
    ) -> Option<Expr> {
        let args = self.bind_window_arguments(scope, window, function, span)?;
        self.check_window_types(window, &args, span)?;
        let time = args.first()?;
        if !(time.data_type.is_rowtime() || time.data_type.is_proctime()) {
            let shown = time.data_type.with_nullable(true);
            let flink = format!(
                "TableException: Window aggregate can only be defined over a time attribute column, but {shown} encountered."
            );
            self.report(
                Diagnostic::new(Code::NotATimeAttribute, time.span)
                    .arg("function", window.name)
                    .arg("column", time.span.text(self.text))
                    .arg("type", &time.data_type)
                    .flink(flink),
            );
            return None;
        }
        let is_extension = window.name == "CUMULATE";
        let lengths = args.get(1..).unwrap_or_default();
        if lengths.len() > window.lengths && !is_extension {
            let flink = format!(
                "TableException: {} window with alignment is not supported yet.",
                window.name
            );
            self.report(
                Diagnostic::new(Code::GroupWindowAlignment, span)
                    .arg("function", window.name)
                    .flink(flink),
            );
            return None;
        }
        for length in lengths {
            self.check_window_length(window, length)?;
        }
        self.check_window_sizes(window, lengths, span)?;
        let data_type = time.data_type.clone();
        Some(planned_call(window.planned, args, data_type, span))
    }

    #[inline(never)]
    fn bind_window_arguments(
        &mut self,
        scope: &Scope,
        window: &GroupWindow,
        function: &ast::Function,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let mut args = Vec::new();
        if let ast::FunctionArguments::List(list) = &function.args {
            for arg in &list.args {
                let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) = arg else {
                    self.window_argument_count(window, span);
                    return None;
                };
                args.push(self.bind_expr(&mut ExprCx::over(scope, Clause::Where), expr));
            }
        }
        if args.iter().any(Expr::is_invalid) {
            return None;
        }
        if !(window.lengths + 1..=window.lengths + 2).contains(&args.len()) {
            self.window_argument_count(window, span);
            return None;
        }
        Some(args)
    }

    fn window_argument_count(&mut self, window: &GroupWindow, span: Span) {
        let message = format!(
            "Invalid number of arguments to function '{}'. Was expecting {} arguments",
            window.planned,
            window.lengths + 1
        );
        let flink = self.validation(span, &message);
        self.report(
            Diagnostic::new(Code::GroupWindowArguments, span)
                .arg("function", window.name)
                .arg("form", window.form)
                .flink(flink),
        );
    }

    /// A time and intervals; Flink takes a TIME as alignment besides.
    fn check_window_types(&mut self, window: &GroupWindow, args: &[Expr], span: Span) -> Option<()> {
        let is_interval = |kind: &TypeKind| {
            matches!(
                kind,
                TypeKind::IntervalDayTime(_) | TypeKind::IntervalYearMonth(_)
            )
        };
        let fits = args.iter().enumerate().all(|(at, arg)| {
            let kind = &arg.data_type.kind;
            match at {
                0 => matches!(
                    kind,
                    TypeKind::Timestamp { .. }
                        | TypeKind::TimestampLtz { .. }
                        | TypeKind::Date
                        | TypeKind::Time(_)
                ),
                at if at > window.lengths && window.name != "CUMULATE" => matches!(kind, TypeKind::Time(_)),
                _ => is_interval(kind),
            }
        });
        if fits {
            return Some(());
        }
        let types: Vec<String> = args
            .iter()
            .map(|arg| {
                let text = calcite_type(&arg.data_type, Charset::Hidden);
                let attribute = if arg.data_type.is_rowtime() {
                    " *ROWTIME*"
                } else {
                    ""
                };
                format!("<{text}{attribute}>")
            })
            .gather();
        let lengths = ", <DATETIME_INTERVAL>".repeat(window.lengths);
        let name = window.planned;
        let message = format!(
            "Cannot apply '{name}' to arguments of type '{name}({})'. Supported form(s): '{name}(<DATETIME>{lengths})'\n\
             '{name}(<DATETIME>{lengths}, <TIME>)'",
            types.join(", ")
        );
        let flink = self.validation(span, &message);
        self.report(
            Diagnostic::new(Code::GroupWindowArguments, span)
                .arg("function", window.name)
                .arg("form", window.form)
                .flink(flink),
        );
        None
    }

    fn check_window_length(&mut self, window: &GroupWindow, length: &Expr) -> Option<()> {
        if matches!(length.data_type.kind, TypeKind::IntervalYearMonth(_)) {
            let flink = "TableException: Window aggregate only support SECOND, MINUTE, HOUR, DAY as the time unit. \
                         MONTH and YEAR time unit are not supported yet.";
            self.report(Diagnostic::new(Code::WindowInMonths, length.span).flink(flink));
            return None;
        }
        if millis_of(length).is_none() {
            self.report(
                Diagnostic::new(Code::GroupWindowNotConstant, length.span)
                    .arg("function", window.name)
                    .flink("TableException: Only constant window descriptors are supported."),
            );
            return None;
        }
        Some(())
    }

    /// Flink: the checks of `TumblingWindowAssigner`, `SlidingWindowAssigner` and `SessionWindowAssigner`.
    #[inline(never)]
    fn check_window_sizes(&mut self, window: &GroupWindow, lengths: &[Expr], span: Span) -> Option<()> {
        let lengths: Vec<i64> = lengths.iter().filter_map(millis_of).gather();
        let sizes = lengths.get(..window.lengths).unwrap_or_default();
        let positive = sizes.iter().all(|size| *size > 0);
        if !positive {
            let flink = match window.name {
                "TUMBLE" => "TumblingWindowAssigner parameters must satisfy size > 0",
                "HOP" => "SlidingWindowAssigner parameters must satisfy slide > 0 and size > 0",
                "SESSION" => "SessionWindowAssigner parameters must satisfy 0 < size",
                _ => "CumulativeWindowAssigner parameters must satisfy step > 0 and size > 0",
            };
            self.report(
                Diagnostic::new(Code::WindowSizeNotPositive, span)
                    .arg("function", window.name)
                    .flink(format!("IllegalArgumentException: {flink}")),
            );
            return None;
        }
        if let ("CUMULATE", [step, size]) = (window.name, sizes)
            && size % step != 0
        {
            self.report(Diagnostic::new(Code::WindowSizeNotMultiple, span).arg("function", window.name));
            return None;
        }
        Some(())
    }

    /// `TUMBLE_START(ts, INTERVAL '1' HOUR)`
    #[inline(never)]
    fn bind_window_bound(
        &mut self,
        cx: &mut ExprCx<'_>,
        (window, suffix): (&'static GroupWindow, &'static str),
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        let name = format!("{}{suffix}", window.name);
        let scope = cx.scope;
        let (key, sound) = self.scratch(|binder| {
            binder
                .bind_window_key(scope, window, function, span)
                .unwrap_or_else(|| Expr::invalid(span))
        });
        let grouping = cx.grouping.as_deref();
        let at = grouping
            .filter(|_| sound)
            .and_then(|grouping| window_column(grouping, &key));
        if let Some((at, time)) = at {
            if suffix == "_ROWTIME" && time.is_proctime() {
                self.report(
                    Diagnostic::new(Code::GroupWindowWithoutRowtime, span)
                        .arg("function", name)
                        .arg("window", window.name)
                        .flink("ValidationException: A proctime window cannot provide a rowtime attribute."),
                );
                return Expr::invalid(span);
            }
            if suffix == "_PROCTIME" && time.is_rowtime() {
                let warning = Diagnostic::new(Code::GroupWindowProctimeIsNull, span);
                self.report(warning.arg("function", &name));
            }
            let data_type = bound_type(suffix, &time);
            let column = Expr::column(at, time, span);
            return planned_call(&name, vec![column], data_type, span);
        }
        if grouping.is_some_and(|grouping| grouping.broken) {
            self.failed = true;
            return Expr::invalid(span);
        }
        let message = format!(
            "Call to auxiliary group function '{name}' must have matching call to group function '{}' in GROUP BY clause",
            window.planned
        );
        let flink = match grouping {
            Some(_) => self.validation(span, &message),
            None => unsupported_call(&name, &key).replace(" *ROWTIME*", ""),
        };
        self.report(
            Diagnostic::new(Code::GroupWindowUnmatched, span)
                .arg("function", name)
                .arg("window", window.name)
                .flink(flink),
        );
        Expr::invalid(span)
    }

    /// One window at most, and none in several grouping sets.
    pub(super) fn check_group_windows(&mut self, grouping: &mut Grouping) {
        let windows: Vec<Expr> = grouping
            .keys
            .iter()
            .map(|key| &key.expr)
            .filter(|expr| is_window_key(expr))
            .cloned()
            .gather();
        let Some(first) = windows.first() else { return };
        if let Some(second) = windows.get(1) {
            self.report(
                Diagnostic::new(Code::GroupWindowTwice, second.span)
                    .flink("TableException: Only a single window group function may be used in GROUP BY"),
            );
            grouping.broken = true;
        } else if grouping.sets.len() > 1 {
            let name = window_name(first).unwrap_or_default();
            let flink = unsupported_call(&format!("${name}"), first);
            self.report(
                Diagnostic::new(Code::GroupWindowInSets, first.span)
                    .arg("function", name)
                    .flink(flink),
            );
            grouping.broken = true;
        }
    }
}

/// What Flink says of a call that nothing has taken away before code is made of it.
fn unsupported_call(name: &str, call: &Expr) -> String {
    let types: Vec<String> = match &call.kind {
        ExprKind::Call { args, .. } => args
            .iter()
            .map(|arg| {
                // Flink's own types have seconds of three digits in all intervals.
                let text = sg_expr::shown_type(&arg.data_type.with_nullable(true)).to_string();
                let mut text = text;
                if !arg.data_type.nullable {
                    text.push_str(" NOT NULL");
                }
                text
            })
            .gather(),
        _ => Vec::new(),
    };
    sg_expr::unsupported_call(name, &types.join(", "))
}

/// The key's column and the type of its time attribute.
fn window_column(grouping: &Grouping, key: &Expr) -> Option<(u32, DataType)> {
    (0_u32..)
        .zip(&grouping.keys)
        .find(|(_, other)| same_expression(&other.expr, key))
        .map(|(at, other)| (at, other.expr.data_type.clone()))
}

fn bound_type(suffix: &str, time: &DataType) -> DataType {
    let timestamp = |precision, time| TypeKind::Timestamp { precision, time };
    match suffix {
        // Flink gives both the type of the window's time; of an event-time window the processing time is NULL
        "_ROWTIME" | "_PROCTIME" => time.with_nullable(time.is_rowtime()),
        _ => DataType::not_null(timestamp(3, TimeKind::Regular)),
    }
}
