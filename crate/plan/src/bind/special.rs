//! Expressions with a syntax of their own: CASE, CAST, IN, BETWEEN, LIKE, EXTRACT, TRIM ….

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{CastMode, Expr, cast, common_type};
use sg_sql::{Reserved, query as ast, reserved};
use sg_value::{DataType, Gather as _};

use super::{
    Binder,
    expr::{Clause, ExprCx},
    literal::{plain_text, string},
    subquery::Quantifier,
};

impl Binder<'_> {
    #[inline(never)]
    pub(super) fn bind_special(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr, span: Span) -> Expr {
        use ast::Expr as E;
        match expr {
            E::IsNull(of) => self.bind_call_of(cx, "IS NULL", &[of], span),
            E::IsNotNull(of) => self.bind_call_of(cx, "IS NOT NULL", &[of], span),
            E::IsTrue(of) => self.bind_call_of(cx, "IS TRUE", &[of], span),
            E::IsNotTrue(of) => self.bind_call_of(cx, "IS NOT TRUE", &[of], span),
            E::IsFalse(of) => self.bind_call_of(cx, "IS FALSE", &[of], span),
            E::IsNotFalse(of) => self.bind_call_of(cx, "IS NOT FALSE", &[of], span),
            E::IsUnknown(of) => self.bind_call_of(cx, "IS UNKNOWN", &[of], span),
            E::IsNotUnknown(of) => self.bind_call_of(cx, "IS NOT UNKNOWN", &[of], span),
            E::IsDistinctFrom(left, right) => self.bind_call_of(cx, "IS DISTINCT FROM", &[left, right], span),
            E::IsNotDistinctFrom(left, right) => {
                self.bind_call_of(cx, "IS NOT DISTINCT FROM", &[left, right], span)
            }
            E::IsJson {
                expr, kind, negated, ..
            } => self.bind_is_json(cx, expr, *kind, *negated, span),
            E::In {
                expr,
                target,
                negated,
                ..
            } => self.bind_in(cx, expr, target, *negated, span),
            E::Between {
                expr,
                negated,
                low,
                high,
            } => {
                let name = if *negated { "NOT BETWEEN" } else { "BETWEEN" };
                self.bind_call_of(cx, name, &[expr, low, high], span)
            }
            E::Like { .. } | E::SimilarTo { .. } | E::ILike { .. } | E::RLike { .. } => {
                self.bind_like(cx, expr, span)
            }
            E::Case { .. } => self.bind_case(cx, expr, span),
            E::Extract { .. } | E::Ceil { .. } | E::Floor { .. } => self.bind_unit_call(cx, expr, span),
            E::Position { expr, r#in } => self.bind_call_of(cx, "POSITION", &[expr, r#in], span),
            E::Substring { .. } | E::Overlay { .. } | E::Trim { .. } => self.bind_text_call(cx, expr, span),
            E::Exists { subquery, negated } => self.bind_exists(cx, (subquery, *negated), span),
            E::Subquery(query) => self.bind_scalar_query(cx, query, span),
            E::AnyOp {
                left,
                compare_op,
                right,
                ..
            } => self.bind_quantified(cx, (left, compare_op, right), Quantifier::Any, span),
            E::AllOp {
                left,
                compare_op,
                right,
            } => self.bind_quantified(cx, (left, compare_op, right), Quantifier::All, span),
            E::GroupingSets(_) | E::Cube(_) | E::Rollup(_) => self.unsupported("GROUPING SETS", span),
            _ => self.unsupported_text(span),
        }
    }

    pub(super) fn bind_not(&mut self, cx: &mut ExprCx<'_>, operand: &ast::Expr, span: Span) -> Expr {
        if let ast::Expr::Function(function) = operand
            && Reserved::of(function) == Some(Reserved::BetweenSymmetric)
        {
            let args = reserved::args(function);
            return self.bind_call_of(cx, "NOT BETWEEN SYMMETRIC", &args, span);
        }
        self.bind_call_of(cx, "NOT", &[operand], span)
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn bind_is_json(
        &mut self,
        cx: &mut ExprCx<'_>,
        expr: &ast::Expr,
        kind: Option<ast::JsonPredicateType>,
        negated: bool,
        span: Span,
    ) -> Expr {
        let name = match (negated, kind) {
            (false, None | Some(ast::JsonPredicateType::Value)) => "IS JSON VALUE",
            (true, None | Some(ast::JsonPredicateType::Value)) => "IS NOT JSON VALUE",
            (false, Some(ast::JsonPredicateType::Scalar)) => "IS JSON SCALAR",
            (true, Some(ast::JsonPredicateType::Scalar)) => "IS NOT JSON SCALAR",
            (false, Some(ast::JsonPredicateType::Array)) => "IS JSON ARRAY",
            (true, Some(ast::JsonPredicateType::Array)) => "IS NOT JSON ARRAY",
            (false, Some(ast::JsonPredicateType::Object)) => "IS JSON OBJECT",
            (true, Some(ast::JsonPredicateType::Object)) => "IS NOT JSON OBJECT",
        };
        self.bind_call_of(cx, name, &[expr], span)
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn bind_in(
        &mut self,
        cx: &mut ExprCx<'_>,
        expr: &ast::Expr,
        target: &ast::InTarget,
        negated: bool,
        span: Span,
    ) -> Expr {
        let name = if negated { "NOT IN" } else { "IN" };
        match target {
            ast::InTarget::List(list) => {
                if !self.fits_values(list.len(), span) {
                    return Expr::invalid(span);
                }
                let args = std::iter::once(expr).chain(list);
                let args: Vec<Expr> = args.map(|arg| self.bind_expr(cx, arg)).gather();
                if self.mixed_list(&args, span) {
                    return Expr::invalid(span);
                }
                let before = self.diags.len();
                let result = self.call(name, args, span);
                if result.is_invalid() {
                    self.reword_list(before, span);
                }
                result
            }
            ast::InTarget::Subquery(query) => self.bind_in_query(cx, expr, (query, negated), span),
        }
    }

    /// Values of a list that do not compare with the left side are named once, as one list.
    fn reword_list(&mut self, before: usize, span: Span) {
        let flink = self.validation(span, "Values passed to IN operator must have compatible types");
        let mut said = std::mem::take(&mut self.diags).into_vec();
        let of_list = said.get_mut(before..).unwrap_or_default();
        for diagnostic in of_list {
            if diagnostic.code == Code::WrongArgumentTypes {
                diagnostic.flink = Some(flink.clone());
            }
        }
        self.diags.extend(said);
    }

    /// Numbers beside texts in the list of IN.
    fn mixed_list(&mut self, args: &[Expr], span: Span) -> bool {
        let elements = args.get(1..).unwrap_or_default();
        let types: Vec<DataType> = elements.iter().map(|element| element.data_type.clone()).gather();
        if args.iter().any(Expr::is_invalid) || common_type(&types).is_some() {
            return false;
        }
        let Some(first) = elements.first() else {
            return false;
        };
        let open = self.spans.bracket_before(first.span.start).unwrap_or(span);
        let place = Span::new(open.start, span.end);
        let flink = self.validation(place, "Values in expression list must have compatible types");
        self.report(
            Diagnostic::new(Code::NoCommonType, place)
                .arg("function", "IN")
                .arg_list("types", types.iter().map(|data_type| data_type.kind.to_string()))
                .flink(flink),
        );
        true
    }

    #[inline(never)]
    fn bind_like(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr, span: Span) -> Expr {
        let (name, expr, pattern, escape) = match expr {
            ast::Expr::Like {
                negated,
                expr,
                pattern,
                escape_char,
            } => (
                if *negated { "NOT LIKE" } else { "LIKE" },
                expr,
                pattern,
                escape_char,
            ),
            ast::Expr::SimilarTo {
                negated,
                expr,
                pattern,
                escape_char,
            } => (
                if *negated { "NOT SIMILAR TO" } else { "SIMILAR TO" },
                expr,
                pattern,
                escape_char,
            ),
            _ => {
                let name = if matches!(expr, ast::Expr::RLike { .. }) {
                    "RLIKE"
                } else {
                    "ILIKE"
                };
                let flink = self.validation(span, &format!("No match found for function signature {name}"));
                self.report(
                    Diagnostic::new(Code::NotFlinkSyntax, span)
                        .arg("construct", name)
                        .flink(flink),
                );
                return Expr::invalid(span);
            }
        };
        let mut args: Vec<&ast::Expr> = vec![expr, pattern];
        args.extend(escape.as_deref());
        if let Some(ast::Expr::Value(value)) = escape.as_deref()
            && let ast::Value::SingleQuotedString(text) = &value.value
            && text.chars().count() != 1
            && name.ends_with("LIKE")
        {
            self.report(
                Diagnostic::new(Code::EscapeNotOneCharacter, span)
                    .flink(format!("ValidationException: Invalid escape character '{text}'")),
            );
            return Expr::invalid(span);
        }
        self.bind_call_of(cx, name, &args, span)
    }

    #[inline(never)]
    fn bind_case(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr, span: Span) -> Expr {
        let ast::Expr::Case {
            operand,
            conditions,
            else_result,
            ..
        } = expr
        else {
            return Expr::invalid(span);
        };
        let mut args = Vec::with_capacity(conditions.len() * 2 + 1);
        for branch in conditions {
            args.push(match operand {
                Some(operand) => self.bind_when(cx, operand, &branch.condition),
                None => self.bind_expr(cx, &branch.condition),
            });
            args.push(self.bind_expr(cx, &branch.result));
        }
        args.push(match else_result {
            Some(result) => self.bind_expr(cx, result),
            None => Expr::null(span),
        });
        self.call("CASE", args, span)
    }

    /// `CASE x WHEN v` and `CASE x WHEN a, b`
    fn bind_when(&mut self, cx: &mut ExprCx<'_>, operand: &ast::Expr, value: &ast::Expr) -> Expr {
        let span = self.span(value);
        let values = match Reserved::of_expr(value) {
            Some((Reserved::WhenList, values)) => values,
            _ => vec![value],
        };
        let mut tests: Vec<Expr> = values
            .iter()
            .map(|value| self.bind_call_of(cx, "=", &[operand, value], span))
            .gather();
        if tests.len() == 1 {
            return tests.pop().unwrap_or_else(|| Expr::invalid(span));
        }
        self.call("OR", tests, span)
    }

    fn bind_unit_call(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr, span: Span) -> Expr {
        match expr {
            ast::Expr::Extract { field, expr, .. } => {
                let call = span.text(self.text);
                let open = call.find('(').map_or(0, |at| at + 1);
                let rest = call.get(open..).unwrap_or_default();
                let blanks = rest.len() - rest.trim_start().len();
                let word = rest
                    .trim_start()
                    .split(char::is_whitespace)
                    .next()
                    .unwrap_or_default();
                let start = span.start + u32::try_from(open + blanks).unwrap_or(0);
                let unit = Span::new(start, start + u32::try_from(word.len()).unwrap_or(0));
                let symbol = Expr::symbol(&field_word(field), unit);
                let operand = self.bind_expr(cx, expr);
                self.call("EXTRACT", vec![symbol, operand], span)
            }
            ast::Expr::Ceil { expr, field } => self.bind_rounding(cx, "CEIL", expr, field, span),
            ast::Expr::Floor { expr, field } => self.bind_rounding(cx, "FLOOR", expr, field, span),
            _ => Expr::invalid(span),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn bind_rounding(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        expr: &ast::Expr,
        field: &ast::CeilFloorKind,
        span: Span,
    ) -> Expr {
        let mut args = vec![self.bind_expr(cx, expr)];
        match field {
            ast::CeilFloorKind::Whole => {}
            ast::CeilFloorKind::DateTimeField(field) => {
                // the unit is the last word
                let word = field_word(field);
                let call = span.text(self.text);
                let end = call.trim_end_matches(')').trim_end().len();
                let end = span.start + u32::try_from(end).unwrap_or(0);
                let start = end.saturating_sub(u32::try_from(word.len()).unwrap_or(0));
                args.push(Expr::symbol(&word, Span::new(start, end)));
            }
            ast::CeilFloorKind::Scale(_) => return self.unsupported_text(span),
        }
        self.call(name, args, span)
    }

    #[inline(never)]
    fn bind_text_call(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr, span: Span) -> Expr {
        match expr {
            ast::Expr::Substring {
                expr,
                substring_from,
                substring_for,
                shorthand,
            } => {
                let mut args: Vec<&ast::Expr> = vec![expr];
                args.extend(substring_from.as_deref());
                args.extend(substring_for.as_deref());
                let name = if *shorthand { "SUBSTR" } else { "SUBSTRING" };
                self.bind_call_of(cx, name, &args, span)
            }
            ast::Expr::Overlay {
                expr,
                overlay_what,
                overlay_from,
                overlay_for,
            } => {
                let mut args: Vec<&ast::Expr> = vec![expr, overlay_what, overlay_from];
                args.extend(overlay_for.as_deref());
                self.bind_call_of(cx, "OVERLAY", &args, span)
            }
            ast::Expr::Trim {
                trim_where,
                trim_what,
                expr,
            } => {
                let side = match trim_where {
                    Some(ast::TrimWhereField::Leading) => "LEADING",
                    Some(ast::TrimWhereField::Trailing) => "TRAILING",
                    Some(ast::TrimWhereField::Both) | None => "BOTH",
                };
                let what = match trim_what {
                    Some(what) => self.bind_expr(cx, what),
                    None => string(" ", span),
                };
                let text = self.bind_expr(cx, expr);
                self.call("TRIM", vec![Expr::symbol(side, span), what, text], span)
            }
            _ => self.unsupported("this form of TRIM", span),
        }
    }

    /// Flink syntax that stands as a call of a reserved name.
    #[inline(never)]
    pub(super) fn bind_reserved(
        &mut self,
        cx: &mut ExprCx<'_>,
        kind: Reserved,
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        let args = reserved::args(function);
        match kind {
            Reserved::Cast => self.bind_cast(cx, &args, CastMode::Explicit, span),
            Reserved::TryCast => self.bind_cast(cx, &args, CastMode::Try, span),
            Reserved::Map => self.bind_call_of(cx, "MAP", &args, span),
            Reserved::Multiset => self.bind_call_of(cx, "MULTISET", &args, span),
            Reserved::BetweenSymmetric => self.bind_call_of(cx, "BETWEEN SYMMETRIC", &args, span),
            Reserved::MinusToInterval => self.bind_minus_to_interval(cx, &args, span),
            Reserved::TimestampLtzLiteral => {
                let text = args.first().and_then(|arg| match arg {
                    ast::Expr::Value(value) => plain_text(&value.value),
                    _ => None,
                });
                match text {
                    Some(text) => self.bind_ltz_literal(text, span),
                    None => self.unsupported_text(span),
                }
            }
            Reserved::Overlaps => self.bind_call_of(cx, "OVERLAPS", &args, span),
            Reserved::JsonValue => self.bind_json(cx, "JSON_VALUE", &args, span),
            Reserved::JsonQuery => self.bind_json(cx, "JSON_QUERY", &args, span),
            Reserved::JsonExists => self.bind_json(cx, "JSON_EXISTS", &args, span),
            Reserved::JsonObject => self.bind_json(cx, "JSON_OBJECT", &args, span),
            Reserved::JsonArray => self.bind_json(cx, "JSON_ARRAY", &args, span),
            Reserved::JsonObjectAgg | Reserved::JsonArrayAgg => {
                self.bind_json_aggregate(cx, kind, function, span)
            }
            Reserved::Table
            | Reserved::PartitionBy
            | Reserved::OrderBy
            | Reserved::Descriptor
            | Reserved::Type
            | Reserved::JsonClause
            | Reserved::WhenList => self.misplaced(span),
        }
    }

    /// A table or descriptor argument outside a table function.
    fn misplaced(&mut self, span: Span) -> Expr {
        self.report(Diagnostic::new(Code::MisplacedTableArgument, span));
        Expr::invalid(span)
    }

    fn bind_cast(&mut self, cx: &mut ExprCx<'_>, args: &[&ast::Expr], mode: CastMode, span: Span) -> Expr {
        let [operand, target] = args else {
            return Expr::invalid(span);
        };
        let operand = self.bind_expr(cx, operand);
        let side = std::rc::Rc::clone(&self.side);
        let data_type = side
            .type_at(self.span(target))
            .and_then(|syntax| self.bind_type(syntax));
        match data_type {
            Some(to) if !operand.is_invalid() => {
                self.expressions(|diags| cast(operand, &to, mode, span, diags))
            }
            _ => Expr::invalid(span),
        }
    }

    fn bind_minus_to_interval(&mut self, cx: &mut ExprCx<'_>, args: &[&ast::Expr], span: Span) -> Expr {
        let Some(units) = self.side.interval_at(span).copied() else {
            return Expr::invalid(span);
        };
        let mut args: Vec<Expr> = args.iter().map(|arg| self.bind_expr(cx, arg)).gather();
        args.push(Expr::symbol(units.from.word(), units.span));
        args.extend(units.to.map(|to| Expr::symbol(to.word(), units.span)));
        self.call("MINUS_DATE", args, span)
    }
}

/// The unit as Flink names it: `HOUR`, `DOW`.
pub(crate) fn field_word(field: &ast::DateTimeField) -> String {
    match field {
        ast::DateTimeField::Unit(unit) => unit.word().to_owned(),
        ast::DateTimeField::Custom(word) => word.value.to_ascii_uppercase(),
    }
}

impl Clause {
    /// Whether aggregate calls can stand in it.
    pub(super) const fn takes_aggregates(self) -> bool {
        matches!(self, Self::Select | Self::Having | Self::OrderBy)
    }

    /// Whether windowed calls can stand in it.
    pub(super) const fn takes_windowed_calls(self) -> bool {
        matches!(self, Self::Select | Self::Qualify | Self::OrderBy)
    }
}
