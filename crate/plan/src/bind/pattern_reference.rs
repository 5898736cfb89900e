//! What conditions and measures of `MATCH_RECOGNIZE` read: columns of pattern variables, FIRST and LAST, aggregates.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Expr, aggregate::is_aggregate};
use sg_sql::{Reserved, byte_span, query as ast, reserved::args as arguments};
use sg_value::{DataType, Field, Gather as _, TimeKind, TypeKind, Value};

use super::{Binder, call::call_name, expr::ExprCx};
use crate::logical::{Offset, Reference, ReferenceKind, RowsOf};

/// A pattern whose conditions and measures are bound.
#[derive(Debug)]
pub(crate) struct PatternCx {
    /// Pattern variables.
    pub(super) variables: Vec<Rc<str>>,
    /// SUBSETs with their variables.
    pub(super) subsets: Vec<(Rc<str>, Vec<u32>)>,
    /// What was read so far.
    pub(super) references: Vec<Reference>,
    /// The variable whose condition is bound.
    pub(super) own: Option<u32>,
    /// Columns of the input.
    input: Vec<Field>,
    /// FIRST or LAST around.
    pub(super) offset: Option<Offset>,
    /// Inside an aggregate or FIRST or LAST.
    pub(super) within: Within,
    /// Inside an aggregate: columns are those of a row.
    pub(super) by_row: bool,
}

/// A call around that reads the rows of one variable.
#[derive(Debug, Default)]
pub(super) enum Within {
    /// None.
    #[default]
    Nothing,
    /// One whose variable is not known yet.
    Call,
    /// One that reads these rows.
    Rows(RowsOf),
    /// One that reads the rows of several variables, which is refused.
    Several,
}

impl PatternCx {
    pub(super) fn new(input: Vec<Field>) -> Self {
        Self {
            variables: Vec::new(),
            subsets: Vec::new(),
            references: Vec::new(),
            own: None,
            input,
            offset: None,
            within: Within::Nothing,
            by_row: false,
        }
    }

    /// The number of a variable, a new one if it was not known.
    pub(super) fn variable(&mut self, name: &str) -> u32 {
        self.known(name).unwrap_or_else(|| {
            self.variables.push(Rc::from(name));
            u32::try_from(self.variables.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// The number of a variable.
    pub(super) fn known(&self, name: &str) -> Option<u32> {
        let at = self.variables.iter().position(|variable| **variable == *name)?;
        u32::try_from(at).ok()
    }

    fn rows_of(&self, name: &str) -> Option<RowsOf> {
        let members = match self.known(name) {
            Some(variable) => vec![variable],
            None => self
                .subsets
                .iter()
                .find(|(subset, _)| self.own.is_none() && **subset == *name)
                // Flink takes no row for the rows of a subset, and conditions cannot name one.
                .map(|_| vec![u32::MAX])?,
        };
        Some(RowsOf {
            name: Rc::from(name),
            variables: members,
        })
    }

    /// The column of a reference, the same for equal ones.
    pub(super) fn reference(&mut self, kind: ReferenceKind, data_type: DataType, span: Span) -> Expr {
        let same = |known: &Reference| match (&known.kind, &kind) {
            (
                ReferenceKind::Field { rows, column, offset },
                ReferenceKind::Field {
                    rows: other_rows,
                    column: other_column,
                    offset: other_offset,
                },
            ) => rows == other_rows && column == other_column && offset == other_offset,
            (ReferenceKind::Rowtime(of), ReferenceKind::Rowtime(other)) => of == other,
            (ReferenceKind::Proctime, ReferenceKind::Proctime) => true,
            _ => false,
        };
        let at = self.references.iter().position(same).unwrap_or_else(|| {
            self.references.push(Reference {
                kind,
                data_type: data_type.clone(),
            });
            self.references.len() - 1
        });
        Expr::column(u32::try_from(at).unwrap_or(u32::MAX), data_type, span)
    }
}

impl Binder<'_> {
    /// What an expression reads of a match, if it stands in one and reads something.
    #[inline(never)]
    pub(super) fn pattern_reference(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr) -> Option<Expr> {
        self.pattern.as_ref()?;
        let span = self.span(expr);
        match expr {
            ast::Expr::Identifier(name) => self.pattern_field(None, name, span),
            ast::Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [variable, column] => self.pattern_field(Some(variable), column, span),
                _ => None,
            },
            ast::Expr::Function(function) => match Reserved::of(function) {
                Some(kind @ (Reserved::JsonArrayAgg | Reserved::JsonObjectAgg)) => {
                    let (_, name, args) = self.json_aggregate(kind, function);
                    Some(self.pattern_aggregate(cx, (function, expr), (&name, args), span))
                }
                _ => self.pattern_call(cx, (function, expr), span),
            },
            _ => None,
        }
    }

    fn pattern_field(
        &mut self,
        variable: Option<&ast::Ident>,
        column: &ast::Ident,
        span: Span,
    ) -> Option<Expr> {
        let pattern = self.pattern.as_ref()?;
        let rows = match variable {
            None => RowsOf {
                name: Rc::from("*"),
                variables: Vec::new(),
            },
            Some(name) => {
                let Some(rows) = pattern.rows_of(&name.value) else {
                    let known = pattern.variables.clone();
                    self.unknown_variable(name, &known, span);
                    return Some(Expr::invalid(span));
                };
                rows
            }
        };
        let found = (0_u32..)
            .zip(&pattern.input)
            .find(|(_, field)| *field.name == *column.value);
        let Some((at, data_type)) = found.map(|(at, field)| (at, field.data_type.clone())) else {
            let place = byte_span(column.span).unwrap_or(span);
            let table = variable.map_or("*", |name| name.value.as_str());
            let names: Vec<Rc<str>> = pattern.input.iter().map(|field| Rc::clone(&field.name)).gather();
            let message = match variable {
                Some(_) => format!("Column '{}' not found in table '{table}'", column.value),
                None => format!("Column '{}' not found in any table", column.value),
            };
            let flink = self.validation(place, &message);
            self.report(
                Diagnostic::new(Code::UnknownColumnAnywhere, place)
                    .arg("column", &column.value)
                    .flink(flink)
                    .suggest_similar(&column.value, names.iter().map(|name| &**name)),
            );
            return Some(Expr::invalid(span));
        };
        let pattern = self.pattern.as_mut()?;
        match &pattern.within {
            Within::Nothing => {}
            Within::Call => pattern.within = Within::Rows(rows.clone()),
            Within::Rows(known) if *known == rows => {}
            Within::Rows(_) | Within::Several => {
                pattern.within = Within::Several;
                return Some(Expr::invalid(span));
            }
        }
        if pattern.by_row {
            return Some(Expr::column(at, data_type, span));
        }
        let offset = pattern.offset;
        Some(pattern.reference(
            ReferenceKind::Field {
                rows,
                column: at,
                offset,
            },
            data_type,
            span,
        ))
    }

    fn unknown_variable(&mut self, name: &ast::Ident, known: &[Rc<str>], span: Span) {
        let place = byte_span(name.span).unwrap_or(span);
        let flink = self.validation(place, &format!("Table '{}' not found", name.value));
        self.report(
            Diagnostic::new(Code::PatternVariableUnknown, place)
                .arg("variable", &name.value)
                .flink(flink)
                .suggest_similar(&name.value, known.iter().map(|name| &**name)),
        );
    }

    fn pattern_call(
        &mut self,
        cx: &mut ExprCx<'_>,
        (function, expr): (&ast::Function, &ast::Expr),
        span: Span,
    ) -> Option<Expr> {
        let name = call_name(function)?;
        match name.as_str() {
            "FIRST" | "LAST" => Some(self.pattern_offset(cx, (function, expr), name == "FIRST", span)),
            "PREV" | "NEXT" => {
                let flink = if self.pattern.as_ref()?.own.is_some() {
                    "TableException: Flink does not support physical offsets within partition.".to_owned()
                } else {
                    let text = self.navigation_text((function, expr), 1);
                    self.validation_as_written(span, &format!("Cannot use PREV/NEXT in MEASURE '{text}'"))
                };
                self.report(Diagnostic::new(Code::MatchPhysicalOffset, span).flink(flink));
                Some(Expr::invalid(span))
            }
            "CLASSIFIER" => {
                self.unsupported_in_pattern("CLASSIFIER", "", span);
                Some(Expr::invalid(span))
            }
            "MATCH_NUMBER" => {
                let flink = self.validation_as_written(
                    span,
                    "No match found for function signature MATCH_NUMBER().\nSupported signatures are:\n'MATCH_NUMBER()'",
                );
                let diagnostic = Diagnostic::new(Code::MatchFunction, span);
                self.report(diagnostic.arg("function", &name).flink(flink));
                Some(Expr::invalid(span))
            }
            "MATCH_ROWTIME" | "MATCH_PROCTIME" => {
                self.pattern_time(cx, function, name == "MATCH_ROWTIME", span)
            }
            aggregate if is_aggregate(aggregate) || aggregate == "SINGLE_VALUE" => {
                let args = arguments(function);
                Some(self.pattern_aggregate(cx, (function, expr), (aggregate, args), span))
            }
            _ => None,
        }
    }

    fn pattern_time(
        &mut self,
        cx: &mut ExprCx<'_>,
        function: &ast::Function,
        rowtime: bool,
        span: Span,
    ) -> Option<Expr> {
        if let (true, Some(argument)) = (rowtime, arguments(function).first()) {
            let read = self.bind_expr(cx, argument);
            let pattern = self.pattern.as_mut()?;
            let known = read
                .as_column()
                .and_then(|at| pattern.references.get(at as usize));
            return Some(match known.map(|reference| &reference.kind) {
                Some(ReferenceKind::Field { rows, column, .. }) if read.data_type.is_rowtime() => {
                    let of = Some((Rc::clone(&rows.name), *column));
                    pattern.reference(ReferenceKind::Rowtime(of), read.data_type, span)
                }
                _ => Expr::invalid(span),
            });
        }
        let pattern = self.pattern.as_mut()?;
        let mut of_input = pattern.input.iter().map(|field| &field.data_type);
        let data_type = match of_input.find(|data_type| data_type.is_rowtime()) {
            Some(data_type) if rowtime => data_type.with_nullable(false),
            _ => DataType::not_null(TypeKind::TimestampLtz {
                precision: 3,
                time: if rowtime {
                    TimeKind::Rowtime
                } else {
                    TimeKind::Proctime
                },
            }),
        };
        let kind = if rowtime {
            ReferenceKind::Rowtime(None)
        } else {
            ReferenceKind::Proctime
        };
        Some(pattern.reference(kind, data_type, span))
    }

    /// A function that Flink's code generation does not know.
    pub(super) fn unsupported_in_pattern(&mut self, name: &str, argument: &str, span: Span) {
        self.report(
            Diagnostic::new(Code::MatchFunction, span)
                .arg("function", name)
                .flink(sg_expr::unsupported_call(name, argument)),
        );
    }

    /// FIRST, LAST, PREV or NEXT as Calcite prints it: with its offset.
    fn navigation_text(&self, (function, expr): (&ast::Function, &ast::Expr), offset: u8) -> String {
        let mut text = self.printed(expr);
        if arguments(function).len() == 1 {
            text.pop();
            text += if offset == 0 { ", 0)" } else { ", 1)" };
        }
        text
    }

    pub(super) fn several_variables(&mut self, text: &str, span: Span) -> Expr {
        let flink = self.validation_as_written(span, &format!("Multiple pattern variables in '{text}'"));
        self.report(Diagnostic::new(Code::MatchSeveralVariables, span).flink(flink));
        Expr::invalid(span)
    }

    pub(super) fn nested_navigation(&mut self, message: &str, span: Span) -> Expr {
        let flink = self.validation_as_written(span, message);
        self.report(Diagnostic::new(Code::MatchNestedNavigation, span).flink(flink));
        Expr::invalid(span)
    }

    /// FIRST(…, n) and LAST(…, n): each column inside is that of another row.
    #[inline(never)]
    fn pattern_offset(
        &mut self,
        cx: &mut ExprCx<'_>,
        (function, expr): (&ast::Function, &ast::Expr),
        from_first: bool,
        span: Span,
    ) -> Expr {
        let args = arguments(function);
        let (Some(inner), rest) = (args.first(), args.get(1)) else {
            return Expr::invalid(span);
        };
        let rows = match rest {
            None => 0,
            Some(count) => {
                let outer = self.pattern.take();
                let bound = self.bind_expr(cx, count);
                self.pattern = outer;
                let Some(Value::Int(rows)) = bound.as_literal() else {
                    self.not_supported("FIRST/LAST(…, expression)", span);
                    return Expr::invalid(span);
                };
                u32::try_from(*rows).unwrap_or(0)
            }
        };
        let Some(pattern) = self.pattern.as_mut() else {
            return Expr::invalid(span);
        };
        if pattern.by_row {
            // an aggregate reads each of its rows, whatever stands around the column
            return self.bind_expr(cx, inner);
        }
        if pattern.offset.is_some() {
            let text = self.navigation_text((function, expr), 0);
            return self.nested_navigation(&format!("Cannot nest PREV/NEXT under LAST/FIRST '{text}'"), span);
        }
        let (offset, within) = (pattern.offset, std::mem::take(&mut pattern.within));
        pattern.offset = Some(Offset { from_first, rows });
        pattern.within = Within::Call;
        let bound = self.bind_expr(cx, inner);
        let mut several = false;
        if let Some(pattern) = self.pattern.as_mut() {
            pattern.offset = offset;
            several = matches!(std::mem::replace(&mut pattern.within, within), Within::Several);
        }
        if several {
            let text = self.navigation_text((function, expr), 0);
            return self.several_variables(&text, span);
        }
        bound
    }
}
