//! What stands behind OVER and in the WINDOW clause: partition, order and frame.
//!
//! Flink: Calcite's `SqlWindow.validateOperand`, `SqlWindow.overlay` and `SqlToRelConverter.convertOver`.
//! Cases: over/frame-*, over/named-window-*, batch/frame-*.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Expr, FrameBound, KindExt as _, OverFrame, SortDirection};
use sg_sql::query as ast;
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{Binder, expr::ExprCx};
use crate::unparse::{Trail, Unparser};

/// What stands behind OVER, bound.
pub(super) struct Window {
    pub(super) partition: Vec<Expr>,
    pub(super) order: Vec<(Expr, SortDirection)>,
    pub(super) frame: OverFrame,
}

/// Where it is said that a window cannot be made of another: those of the WINDOW clause are checked there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reported {
    Here,
    Before,
}

/// The call before OVER: its name and arguments.
pub(super) type Called<'a> = (&'a str, &'a [Expr]);

/// Whether a type can be measured by distances of another: numbers by numbers, times by intervals.
/// `None` where it cannot be measured at all.
fn measured(order: &DataType, by: &DataType) -> Option<bool> {
    let interval = matches!(
        by.kind,
        TypeKind::IntervalDayTime(_) | TypeKind::IntervalYearMonth(_)
    );
    match order.kind {
        _ if order.kind.is_numeric() => Some(by.kind.is_numeric()),
        TypeKind::Date | TypeKind::Time(_) | TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. } => {
            Some(interval)
        }
        _ => None,
    }
}

fn has_distance(frame: &ast::WindowFrame) -> bool {
    use ast::WindowFrameBound::{Following, Preceding};
    let far = |bound: &ast::WindowFrameBound| matches!(bound, Preceding(Some(_)) | Following(Some(_)));
    far(&frame.start_bound) || frame.end_bound.as_ref().is_some_and(far)
}

/// The number of a bound, if it is a literal.
fn literal(amount: &ast::Expr) -> Option<String> {
    match amount {
        ast::Expr::UnaryOp {
            op: ast::UnaryOperator::Minus,
            expr,
        } => literal(expr).map(|text| format!("-{text}")),
        ast::Expr::Value(value) => match &value.value {
            ast::Value::Number(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

impl Binder<'_> {
    pub(super) fn bind_over_window(
        &mut self,
        cx: &mut ExprCx<'_>,
        (called, function): (Called<'_>, &ast::Function),
        span: Span,
    ) -> Option<Window> {
        match function.over.as_ref()? {
            ast::WindowType::WindowSpec(spec) => {
                let base = self.base_window(spec, Reported::Here)?;
                self.bind_window_spec(cx, (spec, base), (called, span))
            }
            ast::WindowType::NamedWindow(name) => {
                let place = sg_sql::byte_span(name.span).unwrap_or(span);
                let spec = self.named_window(&name.value, place)?;
                let base = self.base_window(&spec, Reported::Before)?;
                self.bind_window_spec(cx, (&spec, base), (called, span))
            }
        }
    }

    /// The windows of a WINDOW clause, whoever uses them.
    pub(super) fn check_windows(&mut self, windows: &[ast::NamedWindowDefinition]) {
        for (at, ast::NamedWindowDefinition(name, window)) in windows.iter().enumerate() {
            let before = windows.get(..at).unwrap_or_default();
            if before.iter().any(|other| other.0.value == name.value) {
                self.window_reference(&name.value, name.span, "Duplicate window names not allowed");
            }
            let ast::NamedWindowExpr::WindowSpec(spec) = window else {
                continue;
            };
            let text = spec.span.text(self.text);
            let twin = |other: &ast::NamedWindowDefinition| match &other.1 {
                ast::NamedWindowExpr::WindowSpec(other) => other.span.text(self.text) == text,
                ast::NamedWindowExpr::NamedWindow(_) => false,
            };
            if before.iter().any(twin) {
                let said = "Duplicate window specification not allowed in the same window clause";
                self.window_reference(&name.value, spec.span, said);
            } else if spec.window_name.is_some() {
                self.base_window(spec, Reported::Here);
            } else if let Some(frame) = &spec.window_frame {
                self.check_direction(frame);
            }
        }
    }

    fn window_reference(&mut self, window: &str, span: Span, said: &str) {
        let flink = self.validation(span, said);
        let diagnostic = Diagnostic::new(Code::WindowReference, span).arg("window", window);
        self.report(diagnostic.flink(flink));
    }

    /// The specification of a window of the WINDOW clause, or the name that there is none of.
    fn find_window(&self, name: &str) -> Result<&ast::WindowSpec, String> {
        let mut name = name;
        for _ in 0..=self.windows.len() {
            let found = self.windows.iter().rev().find(|window| window.0.value == name);
            match found.map(|window| &window.1) {
                Some(ast::NamedWindowExpr::WindowSpec(spec)) => return Ok(spec),
                Some(ast::NamedWindowExpr::NamedWindow(other)) => name = &other.value,
                None => break,
            }
        }
        Err(name.to_owned())
    }

    fn named_window(&mut self, name: &str, span: Span) -> Option<ast::WindowSpec> {
        let name = match self.find_window(name) {
            Ok(spec) => return Some(spec.clone()),
            Err(name) => name,
        };
        let flink = self.validation(span, &format!("Window '{name}' not found"));
        let known: Vec<String> = self.windows.iter().map(|window| window.0.value.clone()).gather();
        self.report(
            Diagnostic::new(Code::UnknownWindow, span)
                .arg("window", &name)
                .flink(flink)
                .suggest_similar(&name, known.iter().map(String::as_str)),
        );
        None
    }

    fn bind_window_spec(
        &mut self,
        cx: &mut ExprCx<'_>,
        (spec, base): (&ast::WindowSpec, Option<ast::WindowSpec>),
        (called, span): (Called<'_>, Span),
    ) -> Option<Window> {
        let whole = base.as_ref().unwrap_or(spec);
        let partition: Vec<Expr> = whole
            .partition_by
            .iter()
            .map(|expr| self.bind_expr(cx, expr))
            .gather();
        let order_by = if spec.order_by.is_empty() {
            &whole.order_by
        } else {
            &spec.order_by
        };
        let mut order = Vec::with_capacity(order_by.len());
        for key in order_by {
            let expr = self.bind_expr(cx, &key.expr);
            order.push((expr, direction(key.options)));
        }
        let broken = partition
            .iter()
            .chain(order.iter().map(|(expr, _)| expr))
            .any(Expr::is_invalid);
        if broken {
            return None;
        }
        let frame = spec.window_frame.as_ref();
        let units = frame.map(|frame| frame.spans[0]);
        let rows = frame.is_some_and(|frame| frame.units == ast::WindowFrameUnits::Rows);
        let own = units.filter(|_| base.is_none());
        if !self.check_ranking(called, (order.is_empty(), own), span) {
            return None;
        }
        let written = match (frame, units) {
            // Calcite takes the bounds of the window that is named, which has none
            (Some(_), Some(place)) if base.is_some() => {
                self.report(Diagnostic::new(Code::FrameIsLost, place));
                Some(OverFrame {
                    rows,
                    ..OverFrame::DEFAULT
                })
            }
            (Some(frame), _) => Some(self.bind_frame(cx, frame, &order, spec.span)?),
            _ => None,
        };
        if let Some(place) = spec.disallow_partial.or(whole.disallow_partial) {
            let flink = if rows {
                "CodeGenException: Unsupported cast from 'NULL' to 'INT'.".to_owned()
            } else {
                self.validation(place, "Cannot use DISALLOW PARTIAL with window based on RANGE")
            };
            return self.no_frame("DISALLOW PARTIAL", place, flink);
        }
        let default = if order.is_empty() {
            OverFrame::ALL
        } else {
            OverFrame::DEFAULT
        };
        Some(Window {
            frame: written.filter(|_| !order.is_empty()).unwrap_or(default),
            partition,
            order,
        })
    }

    /// The window that another one is made of, if it is made of one; what that one is made of is left out, as Calcite does.
    /// Cases: over/named-window-of-itself-is-empty, over/named-window-two-names-away-is-left-out.
    #[inline(never)]
    #[expect(
        clippy::option_option,
        reason = "outside: whether it may be; inside: whether there is one"
    )]
    fn base_window(&mut self, spec: &ast::WindowSpec, reported: Reported) -> Option<Option<ast::WindowSpec>> {
        let Some(name) = &spec.window_name else {
            return Some(None);
        };
        if reported == Reported::Before && self.find_window(&name.value).is_err() {
            return None;
        }
        let place = sg_sql::byte_span(name.span).unwrap_or(spec.span);
        let written = self.named_window(&name.value, place)?;
        let (place, said) = if let Some(expr) = spec.partition_by.first() {
            let said = "PARTITION BY not allowed with existing window reference";
            (self.span(expr), said)
        } else if let (Some(key), Some(_)) = (spec.order_by.first(), written.order_by.first()) {
            let said = "ORDER BY not allowed in both base and referenced windows";
            (self.span(&key.expr), said)
        } else if let Some(frame) = &written.window_frame {
            let said = "Referenced window cannot have framing declarations";
            (frame.spans[0], said)
        } else {
            return Some(Some(written));
        };
        if reported == Reported::Here {
            self.window_reference(&name.value, place, said);
        }
        None
    }

    fn no_frame<T>(&mut self, frame: &str, span: Span, flink: String) -> Option<T> {
        let diagnostic = Diagnostic::new(Code::FrameNotAllowed, span).arg("frame", frame);
        self.report(diagnostic.flink(flink));
        None
    }

    /// A frame with the order that it is measured along.
    #[inline(never)]
    fn bind_frame(
        &mut self,
        cx: &mut ExprCx<'_>,
        frame: &ast::WindowFrame,
        order: &[(Expr, SortDirection)],
        window: Span,
    ) -> Option<OverFrame> {
        let rows = frame.units == ast::WindowFrameUnits::Rows;
        let [units, start_span, end_span] = frame.spans;
        if !rows && order.len() != 1 && has_distance(frame) {
            let (place, said) = if order.is_empty() {
                (window, "Window specification must contain an ORDER BY clause")
            } else {
                (units, "RANGE clause cannot be used with compound ORDER BY clause")
            };
            let flink = self.validation(place, said);
            return self.no_frame("RANGE", units, flink);
        }
        let measure = (!rows).then(|| order.first()).flatten().map(|(key, _)| key);
        let measure = measure.map(|key| key.data_type.clone());
        let start = self.bind_bound(cx, (frame, &frame.start_bound, start_span), measure.as_ref())?;
        let end = match &frame.end_bound {
            Some(bound) => Some(self.bind_bound(cx, (frame, bound, end_span), measure.as_ref())?),
            None => None,
        };
        if !self.check_direction(frame) {
            return None;
        }
        let (start, end) = match (start, end) {
            (FrameBound::Following(_), None) => (FrameBound::CurrentRow, start),
            (_, end) => (start, end.unwrap_or(FrameBound::CurrentRow)),
        };
        // of all rows both are the same, and Calcite's `RexBuilder` says RANGE
        let all = (start, end) == (FrameBound::UnboundedPreceding, FrameBound::UnboundedFollowing);
        Some(OverFrame {
            rows: rows && !all,
            start,
            end,
        })
    }

    /// A frame that ends before it begins, by the words alone. Flink: `SqlWindow.checkSpecialLiterals`.
    #[inline(never)]
    fn check_direction(&mut self, frame: &ast::WindowFrame) -> bool {
        use ast::WindowFrameBound::{CurrentRow, Following, Preceding};
        let [_, start, end] = frame.spans;
        let (place, said) = match (&frame.start_bound, &frame.end_bound) {
            (Following(None), _) => (
                start,
                "UNBOUNDED FOLLOWING cannot be specified for the lower frame boundary",
            ),
            (_, Some(Preceding(None))) => (
                end,
                "UNBOUNDED PRECEDING cannot be specified for the upper frame boundary",
            ),
            (CurrentRow, Some(Preceding(_))) => (
                end,
                "Upper frame boundary cannot be PRECEDING when lower boundary is CURRENT ROW",
            ),
            (Following(_), Some(Preceding(_))) => (
                end,
                "Upper frame boundary cannot be PRECEDING when lower boundary is FOLLOWING",
            ),
            (Following(_), Some(CurrentRow)) => (
                end,
                "Upper frame boundary cannot be CURRENT ROW when lower boundary is FOLLOWING",
            ),
            _ => return true,
        };
        let flink = self.validation(place, said);
        let whole = start.join(end).text(self.text).to_owned();
        self.no_frame::<()>(&whole, place, flink).is_some()
    }

    fn bind_bound(
        &mut self,
        cx: &mut ExprCx<'_>,
        (frame, bound, place): (&ast::WindowFrame, &ast::WindowFrameBound, Span),
        measure: Option<&DataType>,
    ) -> Option<FrameBound> {
        let (written, preceding) = match bound {
            ast::WindowFrameBound::CurrentRow => return Some(FrameBound::CurrentRow),
            ast::WindowFrameBound::Preceding(None) => return Some(FrameBound::UnboundedPreceding),
            ast::WindowFrameBound::Following(None) => return Some(FrameBound::UnboundedFollowing),
            ast::WindowFrameBound::Preceding(Some(amount)) => (amount, true),
            ast::WindowFrameBound::Following(Some(amount)) => (amount, false),
        };
        let amount = self.bind_expr(cx, written);
        if amount.is_invalid() || self.check_bare_null(&amount) {
            return None;
        }
        let span = amount.span;
        let problem = match measure.map(|order| measured(order, &amount.data_type)) {
            Some(None) => Some("Data type of ORDER BY prohibits use of RANGE clause"),
            Some(Some(false)) => Some("Data Type mismatch between ORDER BY and RANGE clause"),
            None if literal(written).is_some_and(|text| text.parse::<u64>().is_err()) => {
                Some("ROWS value must be a non-negative integral constant")
            }
            _ => None,
        };
        let text = place.text(self.text).to_owned();
        if let Some(said) = problem {
            let flink = self.validation(span, said);
            return self.no_frame(&text, span, flink);
        }
        if let (TypeKind::IntervalYearMonth(_), true) = (&amount.data_type.kind, measure.is_some()) {
            let flink = "ValidationException: INTERVAL_YEAR_MONTH type is not allowed for window boundary";
            return self.no_frame(&text, span, flink.to_owned());
        }
        let folded = sg_expr::fold(amount);
        let Some(value) = folded.as_literal() else {
            if !self.check_direction(frame) {
                return None;
            }
            let word = if preceding { "PRECEDING" } else { "FOLLOWING" };
            let printer = Unparser {
                text: self.text,
                spans: &self.spans,
                trail: &Trail::default(),
            };
            let said = printer.expr(written);
            let flink = format!(
                "UnsupportedOperationException: class org.apache.calcite.sql.SqlBasicCall: {said} {word}"
            );
            return self.no_frame(&text, span, flink);
        };
        if let (Value::Decimal(_), false) = (value, self.settings.batch) {
            let flink = "TableException: the specific value is decimal which haven not supported yet.";
            return self.no_frame(&text, span, flink.to_owned());
        }
        let Some(count) = Value::as_int(value) else {
            self.not_supported("n PRECEDING", span);
            return None;
        };
        Some(if preceding {
            FrameBound::Preceding(count)
        } else {
            FrameBound::Following(count)
        })
    }
}

/// ASC, DESC, NULLS FIRST, NULLS LAST; NULL is the smallest value where nothing is said.
pub(super) fn direction(options: ast::OrderByOptions) -> SortDirection {
    let descending = matches!(options.sort, Some(ast::OrderBySort::Desc));
    let default = SortDirection::of(descending);
    SortDirection {
        nulls_first: options.nulls_first.unwrap_or(default.nulls_first),
        ..default
    }
}
