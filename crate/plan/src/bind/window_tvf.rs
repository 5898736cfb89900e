//! Window table functions: TUMBLE, HOP, CUMULATE, SESSION with positional or named arguments.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Charset, calcite_type};
use sg_sql::{Reserved, query as ast, reserved};
use sg_value::{DataType, Field, Gather as _, TimeKind, TypeKind};

use super::{
    Binder, BoundQuery,
    call::call_name,
    expr::{Clause, ExprCx},
    from::{Source, broken_scope, idents},
    interval::{millis_of, unit_words},
    query::Place,
    scope::Scope,
    window_check::{cumulate_problem, hop_problem, session_problem, tumble_problem},
    window_signature::{SIGNATURES, Signature},
};
use crate::{
    logical::{LogicalNode, LogicalOp, WindowTvfNode, unique_names},
    physical::node::{WindowKind, WindowSource, WindowSpec},
};

/// The arguments of a call by parameter; `None` where one is missing.
type Slots<'e> = Vec<Option<&'e ast::Expr>>;

/// Whether it is the name of a window table function, in capitals.
pub(super) fn is_window(name: &str) -> bool {
    SIGNATURES.iter().any(|signature| signature.name == name)
}

impl Binder<'_> {
    /// `TABLE(f(…))`
    pub(super) fn bind_table_expression(
        &mut self,
        expr: &ast::Expr,
        alias: Option<&ast::TableAlias>,
    ) -> (Rc<LogicalNode>, Scope) {
        match expr {
            ast::Expr::Function(function) => {
                let args = match &function.args {
                    ast::FunctionArguments::List(list) => list.args.as_slice(),
                    _ => &[],
                };
                self.bind_table_function(&function.name, args, alias)
            }
            other => {
                let span = self.span(other);
                self.text_not_supported(span);
                (self.nothing(span).node, broken_scope(span))
            }
        }
    }

    /// `f(…)` in FROM.
    pub(super) fn bind_table_function(
        &mut self,
        name: &ast::ObjectName,
        args: &[ast::FunctionArg],
        alias: Option<&ast::TableAlias>,
    ) -> (Rc<LogicalNode>, Scope) {
        let span = super::table::name_span(name);
        let word = match idents(name).as_slice() {
            [one] => one.value.to_ascii_uppercase(),
            _ => String::new(),
        };
        if word == "TABLE"
            && let [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(inner))] = args
        {
            return self.bind_table_expression(inner, alias);
        }
        let Some(signature) = SIGNATURES.iter().find(|signature| signature.name == word) else {
            return self.unknown_table_function(&word, span);
        };
        match self.bind_window(signature, args, span) {
            Some(bound) => self.relation(bound, &Source::default(), (None, alias), span),
            None => (self.nothing(span).node, broken_scope(span)),
        }
    }

    pub(super) fn unknown_table_function(&mut self, name: &str, span: Span) -> (Rc<LogicalNode>, Scope) {
        const OTHERS: [&str; 5] = [
            "TO_CHANGELOG",
            "FROM_CHANGELOG",
            "ML_PREDICT",
            "ML_EVALUATE",
            "VECTOR_SEARCH",
        ];
        if OTHERS.contains(&name) {
            self.not_supported(name, span);
        } else {
            let names = SIGNATURES.iter().map(|signature| signature.name);
            let flink = self.validation(span, &format!("No match found for function signature {name}()"));
            self.report(
                Diagnostic::new(Code::UnknownTableFunction, span)
                    .arg("function", name)
                    .flink(flink)
                    .suggest_similar(name, names),
            );
        }
        (self.nothing(span).node, broken_scope(span))
    }

    fn bind_window(
        &mut self,
        signature: &Signature,
        args: &[ast::FunctionArg],
        span: Span,
    ) -> Option<BoundQuery> {
        if !self.check_window_count(signature, args, span) {
            return None;
        }
        let slots = self.window_slots(signature, args, span)?;
        let data = slots.first().copied().flatten();
        let input = data.map(|data| self.bind_window_data(signature, data, span));
        let missing = signature
            .parameters
            .iter()
            .zip(&slots)
            .take(signature.required)
            .find(|(_, slot)| slot.is_none());
        if let Some((parameter, _)) = missing {
            self.report(
                Diagnostic::new(Code::WindowArgumentMissing, span)
                    .arg("function", signature.name)
                    .arg("parameter", parameter)
                    .arg("form", signature.form),
            );
            return None;
        }
        let (input, partition) = input?;
        let column = slots
            .get(1)
            .copied()
            .flatten()
            .and_then(|expr| self.bind_descriptor(&input, expr));
        let mut lengths = Vec::new();
        let mut units = Vec::new();
        let mut sound = true;
        let before = self.diags.len();
        for slot in slots.iter().skip(2) {
            let length = match slot {
                Some(expr) => self.bind_length(signature, expr),
                None => Some((0, Rc::from("SECOND"))),
            };
            sound &= length.is_some();
            let (length, unit) = length.unwrap_or_default();
            lengths.push(length);
            units.push(unit);
        }
        if self.diags.len() > before {
            let given: Vec<&ast::Expr> = slots.iter().skip(2).copied().flatten().gather();
            let call = self.window_call(args, span);
            self.name_wrong_lengths(signature, &input, &given, call);
        }
        let column = column?;
        let rowtime = self.check_time_column(signature, &input, column)?;
        if !sound {
            return None;
        }
        let kind = self.window_kind(signature, &lengths, span)?;
        let parts = WindowParts {
            kind,
            column: column.column,
            rowtime,
            partition,
            units,
            time_span: column.span,
        };
        Some(self.window_node(input, parts, span))
    }

    /// Sorts the arguments by parameter.
    fn window_slots<'e>(
        &mut self,
        signature: &Signature,
        args: &'e [ast::FunctionArg],
        span: Span,
    ) -> Option<Slots<'e>> {
        let mut slots: Slots<'e> = vec![None; signature.parameters.len()];
        for (at, arg) in args.iter().enumerate() {
            let (position, expr) = match arg {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => (Some(at), expr),
                ast::FunctionArg::Named {
                    name,
                    arg: ast::FunctionArgExpr::Expr(expr),
                    ..
                } => {
                    let known = |parameter: &&str| parameter.eq_ignore_ascii_case(&name.value);
                    (signature.parameters.iter().position(known), expr)
                }
                _ => (None, ast_dummy(args)?),
            };
            let Some(slot) = position.and_then(|at| slots.get_mut(at)) else {
                let place = self.span(expr);
                self.report(
                    Diagnostic::new(Code::WindowArgumentUnknown, place)
                        .arg("function", signature.name)
                        .arg("form", signature.form),
                );
                return None;
            };
            *slot = Some(expr);
        }
        if args.is_empty() {
            self.report(
                Diagnostic::new(Code::WindowArgumentMissing, span)
                    .arg("function", signature.name)
                    .arg("parameter", "DATA")
                    .arg("form", signature.form),
            );
            return None;
        }
        Some(slots)
    }

    /// `TABLE t [PARTITION BY k]` or a sub-query, and the partition columns.
    fn bind_window_data(
        &mut self,
        signature: &Signature,
        data: &ast::Expr,
        span: Span,
    ) -> (BoundQuery, Vec<u32>) {
        let place = self.span(data);
        let (table, partition) = match Reserved::of_expr(data) {
            Some((Reserved::Table, args)) => {
                let mut partition = Vec::new();
                for arg in args.iter().skip(1) {
                    match Reserved::of_expr(arg) {
                        Some((Reserved::PartitionBy, columns)) => partition = columns,
                        _ => self.not_supported("TABLE … ORDER BY", place),
                    }
                }
                let bound = match args.first() {
                    Some(ast::Expr::Subquery(query)) => self.bind_window_query(query),
                    Some(name) => self.bind_table_argument(name, place),
                    None => return (self.nothing(span), Vec::new()),
                };
                (bound, partition)
            }
            _ => match data {
                ast::Expr::Subquery(query) => (self.bind_window_query(query), Vec::new()),
                other => {
                    self.table_word_missing(signature, other);
                    return (self.nothing(span), Vec::new());
                }
            },
        };
        if !partition.is_empty() && !matches!(signature.name, "SESSION" | "CUMULATE_DYNAMIC") {
            let message = format!(
                "Only tables with set semantics may be partitioned. Invalid PARTITION BY clause in the 0-th operand \
                 of table function '{}'",
                signature.name
            );
            let flink = self.validation(place, &message);
            self.report(
                Diagnostic::new(Code::WindowPartition, place)
                    .arg("function", signature.name)
                    .flink(flink),
            );
            return (table, Vec::new());
        }
        let columns = partition
            .iter()
            .filter_map(|expr| self.bind_descriptor_column(&table, expr))
            .map(|found| found.column)
            .gather();
        (table, columns)
    }

    /// A sub-query as the table. Of UNION, INTERSECT, EXCEPT and WITH Flink's planner runs the first SELECT alone.
    /// Cases: window-tvf/inline-*.
    fn bind_window_query(&mut self, query: &ast::Query) -> BoundQuery {
        let errors = self.diags.errors();
        let whole = self.bind_query(query, Place::Nested);
        let sound = self.diags.errors() == errors && !self.failed;
        let first = match &*query.body {
            ast::SetExpr::Select(_) if query.with.is_none() => return whole,
            _ => first_select(query),
        };
        let Some(first) = first.filter(|_| sound) else {
            return whole;
        };
        let span = self.spans.query(query);
        let bound = self.bind_body(first, span);
        if bound.names.len() != whole.names.len() {
            self.not_supported(
                "WITH in a window function, whose first SELECT has other columns",
                span,
            );
            return whole;
        }
        self.report(Diagnostic::new(Code::FirstSelectOnly, span));
        BoundQuery {
            node: bound.node,
            names: whole.names,
        }
    }

    /// Without the word TABLE Flink takes a name for a column of nothing.
    fn table_word_missing(&mut self, signature: &Signature, data: &ast::Expr) {
        let span = self.span(data);
        let text = span.text(self.text);
        let flink = self.validation(span, &format!("Column '{text}' not found in any table"));
        self.report(
            Diagnostic::new(Code::TableWordMissing, span)
                .arg("function", signature.name)
                .arg("text", text)
                .fix(sg_diag::Fix::insert(span.start, "TABLE "))
                .flink(flink),
        );
    }

    fn bind_table_argument(&mut self, name: &ast::Expr, span: Span) -> BoundQuery {
        let parts: Vec<&ast::Ident> = match name {
            ast::Expr::Identifier(ident) => vec![ident],
            ast::Expr::CompoundIdentifier(idents) => idents.iter().gather(),
            _ => Vec::new(),
        };
        let place = self.span(name);
        let place = if place.is_empty() { span } else { place };
        let (bound, source) = self.bind_table_by_name(&parts, place);
        let own = parts.last().map_or("", |part| part.value.as_str());
        if let Some(trail) = &mut self.trail {
            let names = bound.names.iter().map(|name| format!("`{own}`.`{name}`"));
            trail.stars.insert(place.start, names.gather());
        }
        self.failed |= source.broken;
        bound
    }

    fn bind_descriptor(&mut self, input: &BoundQuery, expr: &ast::Expr) -> Option<TimeColumn> {
        if let Some((Reserved::Descriptor, columns)) = Reserved::of_expr(expr) {
            if let [column] = columns.as_slice() {
                self.bind_descriptor_column(input, column)
            } else {
                let span = self.span(expr);
                self.report(Diagnostic::new(Code::DescriptorColumns, span));
                None
            }
        } else {
            if let ast::Expr::Function(function) = expr
                && call_name(function).as_deref() == Some("DESCRIPTOR")
                && let [column] = reserved::args(function).as_slice()
            {
                return self.bind_descriptor_column(input, column);
            }
            self.descriptor_missing(input, expr);
            None
        }
    }

    /// Flink takes what stands in the place of DESCRIPTOR(…) for a column of nothing.
    fn descriptor_missing(&mut self, input: &BoundQuery, expr: &ast::Expr) {
        let span = self.span(expr);
        let text = span.text(self.text);
        let flink = self.validation(span, &format!("Column '{text}' not found in any table"));
        let mut diagnostic = Diagnostic::new(Code::DescriptorMissing, span)
            .arg("text", text)
            .flink(flink);
        if input.names.iter().any(|name| **name == *text) {
            diagnostic = diagnostic.fix(sg_diag::Fix::replace(span, format!("DESCRIPTOR({text})")));
        }
        self.report(diagnostic);
    }

    fn bind_descriptor_column(&mut self, input: &BoundQuery, expr: &ast::Expr) -> Option<TimeColumn> {
        let span = self.span(expr);
        let name = match expr {
            ast::Expr::Identifier(ident) => &ident.value,
            ast::Expr::CompoundIdentifier(idents) => &idents.last()?.value,
            _ => {
                self.report(Diagnostic::new(Code::DescriptorColumns, span));
                return None;
            }
        };
        let found = input.names.iter().position(|known| **known == **name);
        if found.is_none() && !self.failed {
            let flink = self.validation(span, &format!("Unknown identifier '{name}'"));
            self.report(
                Diagnostic::new(Code::UnknownDescriptor, span)
                    .arg("column", name)
                    .flink(flink)
                    .suggest_similar(name, input.names.iter().map(|name| &**name)),
            );
        }
        Some(TimeColumn {
            column: u32::try_from(found?).ok()?,
            span,
        })
    }

    /// A size, slide, step, gap or offset in milliseconds.
    fn bind_length(&mut self, signature: &Signature, expr: &ast::Expr) -> Option<(i64, Rc<str>)> {
        let bound = self.bind_expr(&mut ExprCx::over(&Scope::default(), Clause::Select), expr);
        if bound.is_invalid() {
            return None;
        }
        if let Some(length) = millis_of(&bound) {
            return Some((length, Rc::from(unit_words(&bound.data_type.kind))));
        }
        if matches!(bound.data_type.kind, TypeKind::IntervalYearMonth(_)) {
            let flink = "TableException: Window aggregate only support SECOND, MINUTE, HOUR, DAY as the time unit. \
                         MONTH and YEAR time unit are not supported yet.";
            self.report(Diagnostic::new(Code::WindowInMonths, bound.span).flink(flink));
            return None;
        }
        self.report(
            Diagnostic::new(Code::WindowLengthNotInterval, bound.span)
                .arg("function", signature.name)
                .arg("form", signature.form),
        );
        None
    }

    /// Whether the time column is event time; `None` where it is no time attribute.
    #[inline(never)]
    fn check_time_column(
        &mut self,
        signature: &Signature,
        input: &BoundQuery,
        TimeColumn { column, span }: TimeColumn,
    ) -> Option<bool> {
        let field = input.node.schema.get(column as usize)?;
        let name = input.names.get(column as usize)?;
        if field.data_type.is_rowtime() || field.data_type.is_proctime() {
            return Some(field.data_type.is_rowtime());
        }
        let is_timestamp = matches!(
            field.data_type.kind,
            TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. }
        );
        let diagnostic = Diagnostic::new(Code::NotATimeAttribute, span)
            .arg("function", signature.name)
            .arg("column", name)
            .arg("type", &field.data_type);
        if is_timestamp {
            // Flink finds out when it plans: said again with its message, unless something else keeps it from that
            self.deferred.push(diagnostic);
            return Some(true);
        }
        let flink = format!(
            "ValidationException: SQL validation failed. The window function {} requires the timecol to be TIMESTAMP or \
             TIMESTAMP_LTZ, but is {}.\nBesides, the timecol must be a time attribute type in streaming mode.",
            signature.form,
            calcite_type(&field.data_type.with_nullable(true), Charset::Hidden)
        );
        self.report(diagnostic.flink(flink));
        None
    }

    #[inline(never)]
    fn window_kind(&mut self, signature: &Signature, lengths: &[i64], span: Span) -> Option<WindowKind> {
        let (kind, problem) = match (signature.name, lengths) {
            ("TUMBLE", &[size_ms, offset_ms]) => (
                WindowKind::Tumble { size_ms, offset_ms },
                tumble_problem(size_ms, offset_ms),
            ),
            ("HOP", &[slide_ms, size_ms, offset_ms]) => (
                WindowKind::Hop {
                    slide_ms,
                    size_ms,
                    offset_ms,
                },
                hop_problem(slide_ms, size_ms),
            ),
            ("CUMULATE", &[step_ms, max_size_ms, offset_ms]) => (
                WindowKind::Cumulate {
                    step_ms,
                    max_size_ms,
                    offset_ms,
                },
                cumulate_problem(step_ms, max_size_ms),
            ),
            ("CUMULATE_DYNAMIC", &[step_ms, gap_ms]) => (
                WindowKind::Dynamic { step_ms, gap_ms },
                session_problem(step_ms.min(gap_ms)),
            ),
            (_, &[gap_ms]) => (WindowKind::Session { gap_ms }, session_problem(gap_ms)),
            _ => return None,
        };
        let Some((code, message)) = problem else {
            return Some(kind);
        };
        self.report(
            Diagnostic::new(code, span)
                .arg("function", signature.name)
                .flink(format!("ValidationException: {message}")),
        );
        None
    }

    /// The node: the input's columns, then `window_start`, `window_end`, `window_time`.
    fn window_node(&mut self, input: BoundQuery, parts: WindowParts, span: Span) -> BoundQuery {
        let time = input
            .node
            .schema
            .get(parts.column as usize)
            .map(|field| field.data_type.clone());
        let zone = match &time {
            Some(DataType {
                kind: TypeKind::TimestampLtz { .. },
                ..
            }) => Rc::clone(&self.settings.zone),
            _ => Rc::from("UTC"),
        };
        let bound = DataType::not_null(TypeKind::Timestamp {
            precision: 3,
            time: TimeKind::Regular,
        });
        let attribute = time.unwrap_or_else(|| bound.clone()).with_nullable(false);
        let added = [
            ("window_start", bound.clone()),
            ("window_end", bound),
            ("window_time", attribute),
        ];
        let names: Vec<Option<Rc<str>>> = input
            .names
            .iter()
            .map(Rc::clone)
            .chain(added.iter().map(|(name, _)| Rc::from(*name)))
            .map(Some)
            .gather();
        let names = unique_names(&names);
        let types = input.node.schema.iter().map(|field| field.data_type.clone());
        let types = types.chain(added.into_iter().map(|(_, data_type)| data_type));
        let schema: Vec<Field> = names
            .iter()
            .zip(types)
            .map(|(name, data_type)| Field {
                name: Rc::clone(name),
                data_type,
            })
            .gather();
        let window = WindowSpec {
            kind: parts.kind,
            source: WindowSource::TimeColumn(parts.column),
            rowtime: parts.rowtime,
            zone,
            span,
        };
        let tvf = WindowTvfNode {
            window,
            partition: parts.partition,
            units: parts.units,
            time_span: parts.time_span,
        };
        let node = self
            .builder
            .node(LogicalOp::WindowTvf(tvf), vec![input.node], schema, span);
        BoundQuery { node, names }
    }
}

/// A column of the input as DESCRIPTOR names it.
#[derive(Clone, Copy)]
struct TimeColumn {
    column: u32,
    span: Span,
}

struct WindowParts {
    kind: WindowKind,
    column: u32,
    rowtime: bool,
    partition: Vec<u32>,
    units: Vec<Rc<str>>,
    time_span: Span,
}

/// Any expression of the arguments, to have a place for a message.
fn ast_dummy(args: &[ast::FunctionArg]) -> Option<&ast::Expr> {
    args.iter().find_map(|arg| match arg {
        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr))
        | ast::FunctionArg::Named {
            arg: ast::FunctionArgExpr::Expr(expr),
            ..
        } => Some(expr),
        _ => None,
    })
}

/// The SELECT of a query that comes first in the text.
fn first_select(query: &ast::Query) -> Option<&ast::SetExpr> {
    if let Some(table) = query.with.as_ref().and_then(|with| with.cte_tables.first()) {
        return first_select(&table.query);
    }
    let mut body = &*query.body;
    loop {
        match body {
            ast::SetExpr::Select(_) => return Some(body),
            ast::SetExpr::SetOperation { left, .. } => body = left,
            ast::SetExpr::Query(query) => return first_select(query),
            _ => return None,
        }
    }
}
