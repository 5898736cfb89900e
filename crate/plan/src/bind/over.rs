//! Windowed calls: `f(x) OVER (PARTITION BY … ORDER BY … ROWS …)`, and the WINDOW clause.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{
    Charset, Expr, KindExt as _, OverCall, OverFrame,
    aggregate::{over_function, resolve_over},
    calcite_type, cast_exactly, family_name,
};
use sg_sql::query as ast;
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{
    Binder,
    expr::{Clause, ExprCx},
    over_window::Called,
};

/// Functions whose frame is always the rows so far, whatever is written.
const WITHOUT_FRAME: [&str; 7] = [
    "ROW_NUMBER",
    "RANK",
    "DENSE_RANK",
    "PERCENT_RANK",
    "CUME_DIST",
    "LAG",
    "LEAD",
];

/// Whether two types are one but for lengths and digits; NULL, and texts and timestamps of either kind, are not told
/// apart.
fn same_root(left: &TypeKind, right: &TypeKind) -> bool {
    let text = |kind: &TypeKind| matches!(kind, TypeKind::Char(_) | TypeKind::Varchar(_));
    let time = |kind: &TypeKind| matches!(kind, TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. });
    std::mem::discriminant(left) == std::mem::discriminant(right)
        || *right == TypeKind::Null
        || text(left) && text(right)
        || time(left) && time(right)
}

/// What Calcite casts to a text and back by itself.
fn is_simple(kind: &TypeKind) -> bool {
    use TypeKind as K;
    !matches!(
        kind,
        K::Array(_) | K::Map(..) | K::Multiset(_) | K::Row(_) | K::Binary(_) | K::Varbinary(_) | K::Raw(_)
    )
}

/// A value of the column itself has its type, an event time included.
fn keep_rowtime(data_type: &mut DataType, of: Option<&DataType>) {
    if let Some(of) = of
        && of.is_rowtime()
        && of.without_time_attribute().kind == data_type.kind
    {
        data_type.kind = of.kind.clone();
    }
}

impl Binder<'_> {
    /// A windowed call.
    pub(super) fn bind_over(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        if !cx.clause.takes_windowed_calls() {
            return self.over_not_allowed(cx.clause, name, span);
        }
        let called = self.called(&function.name);
        if called.is_none() && over_function(name).is_none() {
            return self.unsupported(&format!("{name} … OVER (…)"), span);
        } else if function.filter.is_some() {
            return self.filter_before_over(name, span);
        }
        let Some((mut args, distinct)) = self.bind_over_arguments(cx, name, function, span) else {
            return Expr::invalid(span);
        };
        let Some(window) = self.bind_over_window(cx, ((name, &args), function), span) else {
            return Expr::invalid(span);
        };
        let mut user = None;
        if let Some(called) = called {
            let Some(fitted) = self.user_arguments(&called, &args, span) else {
                return Expr::invalid(span);
            };
            args = fitted;
            user = called.function.aggregate(&called.written);
        }
        let types: Vec<DataType> = args.iter().map(|arg| arg.data_type.clone()).gather();
        if let ("LAG" | "LEAD", [value, distance, default]) = (name, types.as_slice())
            && !same_root(&value.kind, &default.kind)
            && (!self.settings.batch || default.kind.is_character())
        {
            return self.default_of_another_type(name, [value, distance, default], span);
        }
        let full = !window.frame.has_offset();
        let resolved = match &user {
            Some((aggregate, result)) => Some((aggregate.row(), result.clone())),
            None => self.expressions(|diags| resolve_over(name, &types, full, span, diags)),
        };
        let Some((definition, mut data_type)) = resolved else {
            return Expr::invalid(span);
        };
        keep_rowtime(&mut data_type, types.first());
        let frame = if WITHOUT_FRAME.contains(&definition.name) {
            OverFrame {
                rows: definition.name == "ROW_NUMBER",
                ..OverFrame::DEFAULT
            }
        } else {
            window.frame
        };
        let call = OverCall {
            user: user.map(|(aggregate, _)| Rc::new(aggregate)),
            function: definition,
            distinct: distinct && !matches!(definition.name, "MIN" | "MAX"),
            args,
            partition: window.partition,
            order: window.order,
            frame,
        };
        match definition.name {
            "SUM" => self.sum_over(call, &data_type, span),
            "AVG" => {
                let sum_type = self.expressions(|diags| resolve_over("SUM", &types, full, span, diags));
                let sum_type = sum_type.map_or_else(|| data_type.clone(), |(_, sum_type)| sum_type);
                let mut sum = self.sum_over(call.clone(), &sum_type, span);
                if matches!(data_type.kind, TypeKind::Decimal { .. }) && sum.data_type.kind != data_type.kind
                {
                    sum = cast_exactly(sum.clone(), &data_type.with_nullable(sum.data_type.nullable));
                }
                let count = count_over(call, span);
                let average = self.call("/", vec![sum, count], span);
                if average.is_invalid() || average.data_type.kind == data_type.kind {
                    average
                } else {
                    cast_exactly(average, &data_type)
                }
            }
            "STDDEV_POP" | "STDDEV_SAMP" | "STDDEV" | "VAR_POP" | "VAR_SAMP" | "VARIANCE" => {
                self.deviation_over(call, &data_type, span)
            }
            _ => call.into_expr(data_type, span),
        }
    }

    /// What stands before and behind the word OVER.
    fn around_over(&self, span: Span) -> (Span, Span) {
        self.spans.parted_by(span, "OVER").unwrap_or((span, span))
    }

    /// Functions that rank need an order and take no frame, and NTILE needs a number. `units` is where a frame begins.
    /// Flink: Calcite's `SqlOverOperator`, `SqlWindow`, `SqlNtileAggFunction`.
    #[inline(never)]
    pub(super) fn check_ranking(
        &mut self,
        (name, args): Called<'_>,
        (unordered, units): (bool, Option<Span>),
        span: Span,
    ) -> bool {
        let (called, behind) = self.around_over(span);
        let ranks = matches!(name, "RANK" | "DENSE_RANK" | "PERCENT_RANK" | "CUME_DIST");
        let (code, flink) = if ranks && unordered {
            let said = "RANK or DENSE_RANK functions require ORDER BY clause in window specification";
            (Code::OverNeedsOrder, self.validation(behind, said))
        } else if name == "NTILE" && args.iter().any(|arg| arg.as_literal().is_none()) {
            let said = "Argument to function 'NTILE' must be a literal";
            (Code::ArgumentNotLiteral, self.validation(called, said))
        } else if let (Some(units), true) = (units, WITHOUT_FRAME.contains(&name)) {
            let said = "ROW/RANGE not allowed with RANK, DENSE_RANK or ROW_NUMBER functions";
            (Code::TakesNoFrame, self.validation(units, said))
        } else {
            return true;
        };
        self.report(Diagnostic::new(code, span).arg("function", name).flink(flink));
        false
    }

    fn filter_before_over(&mut self, name: &str, span: Span) -> Expr {
        let (called, _) = self.around_over(span);
        let flink = self.validation(called, "OVER must be applied to aggregate function");
        let diagnostic = Diagnostic::new(Code::FilterBeforeOver, span).arg("function", name);
        self.report(diagnostic.flink(flink));
        Expr::invalid(span)
    }

    /// Flink names the type of the distance where it means that of the value.
    #[inline(never)]
    fn default_of_another_type(
        &mut self,
        name: &str,
        [value, distance, default]: [&DataType; 3],
        span: Span,
    ) -> Expr {
        let text = |kind: &TypeKind| matches!(kind, TypeKind::Char(_) | TypeKind::Varchar(_));
        let number = |data_type: &DataType| family_name(data_type) == "NUMERIC";
        let castable = text(&value.kind) && is_simple(&default.kind)
            || text(&default.kind) && is_simple(&value.kind)
            || number(value) && number(default);
        let flink = if castable {
            format!("TableException: Please explicitly cast default value {default} to {distance}.")
        } else {
            let shown = [value, distance, default].map(|data_type| {
                let attribute = if data_type.is_rowtime() { " *ROWTIME*" } else { "" };
                let text = sg_value::case::upper(&calcite_type(data_type, Charset::Hidden));
                format!("<{text}{attribute}>")
            });
            let (called, _) = self.around_over(span);
            let message = format!(
                "Cannot apply '{name}' to arguments of type '{name}({})'. Supported form(s): '{name}(<ANY>)'\n\
                 '{name}(<ANY>, <NUMERIC>)'\n'{name}(<ANY>, <NUMERIC>, <ANY>)'",
                shown.join(", ")
            );
            self.validation(called, &message)
        };
        let diagnostic = Diagnostic::new(Code::DefaultOfAnotherType, span)
            .arg("function", name)
            .arg("type", &default.kind)
            .arg("wanted", &value.kind);
        self.report(diagnostic.flink(flink));
        Expr::invalid(span)
    }

    /// Deviations are made of sums of values and squares, and of counts.
    fn deviation_over(&mut self, call: OverCall, data_type: &DataType, span: Span) -> Expr {
        let name = call.function.name;
        let of = data_type.clone();
        let Some(value) = call.args.first().cloned() else {
            return Expr::invalid(span);
        };
        let square = self.call("*", vec![value.clone(), value], span);
        let squares = OverCall {
            args: vec![square],
            ..call.clone()
        };
        let squares = self.sum_over(squares, &of, span);
        let sum = self.sum_over(call.clone(), &of, span);
        let count = count_over(call, span);
        self.deviation_of(name, [squares, sum, count], data_type, span)
    }

    /// `STDDEV_*` or `VAR_*` of this type from sums of values and squares and a count.
    ///
    /// Flink: Calcite's `AvgVarianceConvertlet`. Of one row the sample deviation of a NOT NULL argument is a NULL that a cast
    /// makes NOT NULL. Cases: over/sample-variance-*, match/deviations.
    pub(super) fn deviation_of(
        &mut self,
        name: &str,
        [squares, sum, count]: [Expr; 3],
        data_type: &DataType,
        span: Span,
    ) -> Expr {
        let of = data_type;
        let typed = |expr: Expr| {
            if expr.is_invalid() || expr.data_type.kind == of.kind {
                return expr;
            }
            let to = of.with_nullable(expr.data_type.nullable);
            cast_exactly(expr, &to)
        };
        let counted = if of.kind == count.data_type.kind {
            count.clone()
        } else {
            cast_exactly(count.clone(), &of.with_nullable(false))
        };
        let product = self.call("*", vec![sum.clone(), sum], span);
        let mean = self.call("/", vec![product, counted.clone()], span);
        let spread = self.call("-", vec![squares, mean], span);
        let divisor = if name.ends_with("_POP") {
            counted
        } else {
            let one = Expr::literal(Value::Int(1), DataType::not_null(TypeKind::BigInt), span);
            let only = self.call("=", vec![count.clone(), one], span);
            let none = Expr::literal(Value::Null, DataType::nullable(TypeKind::BigInt), span);
            let one = Expr::literal(Value::Int(1), DataType::not_null(TypeKind::Int), span);
            let mut less = self.call("-", vec![count, one], span);
            if self.pattern.is_some() {
                less = cast_exactly(less, &DataType::nullable(TypeKind::BigInt));
            }
            self.call("CASE", vec![only, none, less], span)
        };
        let mut result = typed(self.call("/", vec![spread, divisor], span));
        if name.starts_with("STDDEV") {
            let half = TypeKind::Decimal {
                precision: 2,
                scale: 1,
            };
            let half = Expr::literal(Value::Decimal(5), DataType::not_null(half), span);
            result = typed(self.call("POWER", vec![result, half], span));
        }
        if data_type.nullable {
            result
        } else {
            cast_exactly(result, data_type)
        }
    }

    fn over_not_allowed(&mut self, clause: Clause, name: &str, span: Span) -> Expr {
        let clause = clause.name();
        let flink = self.validation(
            span,
            &format!("Windowed aggregate expression is illegal in {clause} clause"),
        );
        self.report(
            Diagnostic::new(Code::AggregateNotAllowed, span)
                .arg("function", name)
                .arg("clause", clause)
                .flink(flink),
        );
        Expr::invalid(span)
    }

    #[inline(never)]
    fn bind_over_arguments(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        function: &ast::Function,
        span: Span,
    ) -> Option<(Vec<Expr>, bool)> {
        let ast::FunctionArguments::List(list) = &function.args else {
            return Some((Vec::new(), false));
        };
        let mut args = Vec::with_capacity(list.args.len());
        for arg in &list.args {
            match arg {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => {
                    let arg = self.bind_expr(cx, expr);
                    let constant = sg_expr::constant_value(&sg_expr::fold(arg.clone()));
                    args.push(match constant {
                        Some(value) => Expr::literal(value, arg.data_type.clone(), arg.span),
                        None => arg,
                    });
                }
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Wildcard)
                    if name == "COUNT" && list.args.len() == 1 => {}
                _ => {
                    self.report(Diagnostic::new(Code::StarArgument, span).arg("function", name));
                    return None;
                }
            }
        }
        let broken = args
            .iter()
            .any(|arg| self.check_bare_null(arg) || arg.is_invalid());
        let distinct = list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
        (!broken).then_some((args, distinct))
    }

    /// SUM is `$SUM0` where there is a value, else NULL.
    fn sum_over(&mut self, call: OverCall, data_type: &DataType, span: Span) -> Expr {
        let count = data_type.nullable.then(|| count_over(call.clone(), span));
        let name = if data_type.nullable { "$SUM0" } else { "SUM" };
        let Some(function) = over_function(name) else {
            return Expr::invalid(span);
        };
        let sum = OverCall { function, ..call };
        let sum = sum.into_expr(data_type.with_nullable(false), span);
        let Some(count) = count else {
            return sum;
        };
        // the batch planner does not widen it
        let kind = if self.settings.batch {
            TypeKind::Int
        } else {
            TypeKind::BigInt
        };
        let zero = Expr::literal(Value::Int(0), DataType::not_null(kind), span);
        let some = self.call(">", vec![count, zero], span);
        let none = Expr::literal(Value::Null, data_type.with_nullable(true), span);
        let case = self.call("CASE", vec![some, sum, none], span);
        Expr {
            data_type: data_type.clone(),
            ..case
        }
    }
}

/// COUNT over the same window and values.
fn count_over(call: OverCall, span: Span) -> Expr {
    let Some(count) = over_function("COUNT") else {
        return Expr::invalid(span);
    };
    let call = OverCall {
        function: count,
        ..call
    };
    call.into_expr(DataType::not_null(TypeKind::BigInt), span)
}
