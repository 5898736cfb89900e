//! Aggregates over the rows of a pattern.
//!
//! Flink: `MatchCodeGenerator.AggBuilder`, Calcite's `PatternValidator`.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{AggregateCall, AggregateContext, Expr, aggregate::resolve_in_match};
use sg_sql::query as ast;
use sg_value::{DataType, Gather as _, TypeKind};

use super::{Binder, expr::ExprCx, pattern_reference::Within};
use crate::logical::{ReferenceKind, RowsOf};

/// Aggregates whose columns DEFINE's text shows bare: Calcite expands the others' as it does columns that stand alone.
///
/// Calcite: `SqlValidatorImpl.isAggregation`. Case: match/other-aggregates-in-define.
const BARE: [&str; 6] = ["COUNT", "SUM", "MIN", "MAX", "AVG", "APPROX_COUNT_DISTINCT"];

/// What Flink's code generation calls values of a type; JSON aggregates take only texts.
fn java_class(kind: &TypeKind) -> &'static str {
    match kind {
        TypeKind::Boolean => "java.lang.Boolean",
        TypeKind::TinyInt => "java.lang.Byte",
        TypeKind::SmallInt => "java.lang.Short",
        TypeKind::Int | TypeKind::Date | TypeKind::Time(_) | TypeKind::IntervalYearMonth(_) => {
            "java.lang.Integer"
        }
        TypeKind::BigInt | TypeKind::IntervalDayTime(_) => "java.lang.Long",
        TypeKind::Float => "java.lang.Float",
        TypeKind::Double => "java.lang.Double",
        TypeKind::Char(_) | TypeKind::Varchar(_) => "org.apache.flink.table.data.StringData",
        TypeKind::Decimal { .. } => "org.apache.flink.table.data.DecimalData",
        TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. } => {
            "org.apache.flink.table.data.TimestampData"
        }
        TypeKind::Array(_) => "org.apache.flink.table.data.ArrayData",
        TypeKind::Map(..) | TypeKind::Multiset(_) => "org.apache.flink.table.data.MapData",
        TypeKind::Row(_) => "org.apache.flink.table.data.RowData",
        _ => "byte[]",
    }
}

impl Binder<'_> {
    #[inline(never)]
    pub(super) fn pattern_aggregate(
        &mut self,
        cx: &mut ExprCx<'_>,
        (function, expr): (&ast::Function, &ast::Expr),
        (name, args): (&str, Vec<&ast::Expr>),
        span: Span,
    ) -> Expr {
        if self.refused_aggregate((function, expr), name, span) {
            return Expr::invalid(span);
        }
        let Some(pattern) = self.pattern.as_mut() else {
            return Expr::invalid(span);
        };
        let (within, by_row) = (std::mem::take(&mut pattern.within), pattern.by_row);
        pattern.within = Within::Call;
        pattern.by_row = true;
        let bound: Vec<Expr> = args.iter().map(|arg| self.bind_expr(cx, arg)).gather();
        let mut several = false;
        let read = self.pattern.as_mut().and_then(|pattern| {
            pattern.by_row = by_row;
            match std::mem::replace(&mut pattern.within, within) {
                Within::Rows(rows) => Some(rows),
                read => {
                    several = matches!(read, Within::Several);
                    None
                }
            }
        });
        if several {
            let text = self.printed(expr);
            return self.several_variables(&text, span);
        }
        if bound.iter().any(Expr::is_invalid) {
            return Expr::invalid(span);
        }
        let Some(bound) = self.fit_arguments(name, bound, span) else {
            return Expr::invalid(span);
        };
        let rows = read.unwrap_or_else(|| RowsOf {
            name: Rc::from("*"),
            variables: Vec::new(),
        });
        let deviates = name.starts_with("STDDEV") || name.starts_with("VAR");
        let bare = BARE.contains(&name);
        if name != "AVG" && !deviates {
            let called = self.aggregate_reference((name, bare), rows, bound, span);
            return self.filtered_in_pattern(function, called);
        }
        let Some(argument) = bound.first().cloned() else {
            return Expr::invalid(span);
        };
        // Flink's planner writes an average as sum and count, a deviation as these and a sum of squares.
        let sum = self.aggregate_reference(("SUM", bare), rows.clone(), bound.clone(), span);
        let count = self.aggregate_reference(("COUNT", bare), rows.clone(), bound, span);
        let wanted = argument.data_type.without_time_attribute().with_nullable(true);
        if deviates {
            let square = self.call("*", vec![argument.clone(), argument], span);
            let squares = self.aggregate_reference(("SUM", bare), rows, vec![square], span);
            return self.deviation_of(name, [squares, sum, count], &wanted, span);
        }
        let average = self.call("/", vec![sum, count], span);
        if average.is_invalid() || average.data_type.kind == wanted.kind {
            return average;
        }
        sg_expr::cast_exactly(average, &wanted)
    }

    /// What Flink says about an aggregate before it looks at its arguments.
    fn refused_aggregate(
        &mut self,
        (function, expr): (&ast::Function, &ast::Expr),
        name: &str,
        span: Span,
    ) -> bool {
        if is_distinct(function) {
            let text = self.printed(expr);
            let flink =
                self.validation_as_written(span, &format!("DISTINCT/ALL not allowed with {text} function"));
            self.report(Diagnostic::new(Code::MatchDistinct, span).flink(flink));
            return true;
        }
        if function.over.is_some() {
            let flink = "ValidationException: SQL validation failed. node.accept(PatternValidator) for node";
            self.report(
                Diagnostic::new(Code::MatchFunction, span)
                    .arg("function", "OVER")
                    .flink(flink),
            );
            return true;
        }
        if let ast::FunctionArguments::List(list) = &function.args
            && matches!(
                list.args.as_slice(),
                [ast::FunctionArg::Unnamed(
                    ast::FunctionArgExpr::QualifiedWildcard(_)
                )]
            )
        {
            self.report_star(name, "Unknown field '*'", span);
            return true;
        }
        let Some(pattern) = self.pattern.as_ref() else {
            return true;
        };
        if pattern.offset.is_some() {
            let text = self.printed(expr);
            self.nested_navigation(&format!("Cannot use aggregation in navigation '{text}'"), span);
            return true;
        }
        if pattern.by_row {
            let flink = self.validation(span, "Aggregate expressions cannot be nested");
            self.report(
                Diagnostic::new(Code::NestedAggregate, span)
                    .arg("function", name)
                    .flink(flink),
            );
            return true;
        }
        false
    }

    /// FILTER is read, and then Flink has no code for it.
    fn filtered_in_pattern(&mut self, function: &ast::Function, called: Expr) -> Expr {
        if function.filter.is_none() || called.is_invalid() {
            return called;
        }
        self.unsupported_in_pattern("FILTER", &format!("{}, BOOLEAN", called.data_type), called.span);
        Expr::invalid(called.span)
    }

    fn aggregate_reference(
        &mut self,
        (name, bare): (&str, bool),
        rows: RowsOf,
        arguments: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let arg_types: Vec<DataType> = arguments.iter().map(|arg| arg.data_type.clone()).gather();
        let context = AggregateContext {
            distinct: false,
            filtered: false,
            grouped: false,
        };
        let resolved = self.expressions(|diags| resolve_in_match(name, &arg_types, context, span, diags));
        let Some((function, data_type)) = resolved else {
            return Expr::invalid(span);
        };
        let is_text = |of: &DataType| matches!(of.kind, TypeKind::Char(_) | TypeKind::Varchar(_));
        if name.starts_with("JSON_") && !arg_types.iter().all(is_text) {
            self.json_of_no_text(name, &arg_types, span);
            return Expr::invalid(span);
        }
        let call = AggregateCall {
            function,
            args: (0..u32::try_from(arg_types.len()).unwrap_or(0)).gather(),
            arg_types,
            distinct: false,
            filter: None,
            retract: false,
            data_type: data_type.clone(),
            name: Rc::from(""),
            span,
            user: None,
        };
        let kind = ReferenceKind::Aggregate {
            rows,
            call: Box::new(call),
            arguments,
            bare,
        };
        match self.pattern.as_mut() {
            Some(pattern) => pattern.reference(kind, data_type, span),
            None => Expr::invalid(span),
        }
    }

    /// Outside of patterns the planner makes texts of the values first.
    #[inline(never)]
    fn json_of_no_text(&mut self, name: &str, types: &[DataType], span: Span) {
        let class = if name.starts_with("JSON_OBJECT") {
            "JsonObjectAggFunction"
        } else {
            "JsonArrayAggFunction"
        };
        let class = format!("org.apache.flink.table.runtime.functions.aggregate.{class}");
        let types: Vec<&str> = types.iter().map(|given| java_class(&given.kind)).gather();
        let flink = format!(
            "ValidationException: Could not find an implementation method 'accumulate' in class '{class}' for function \
             '{name}' that matches the following signature:\nvoid accumulate({class}.Accumulator, {})",
            types.join(", ")
        );
        let diagnostic = Diagnostic::new(Code::MatchFunction, span).arg("function", name);
        self.report(diagnostic.flink(flink));
    }
}

fn is_distinct(function: &ast::Function) -> bool {
    match &function.args {
        ast::FunctionArguments::List(list) => list.duplicate_treatment.is_some(),
        _ => false,
    }
}
