//! What reads the relation to its left: UNNEST, LATERAL, and table functions of the script.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Expr, ExprKind};
use sg_sql::{byte_span, query as ast};
use sg_value::{Field, Gather as _, Row};

use super::{
    Binder, BoundQuery,
    expr::{Clause, ExprCx},
    from::{Source, idents},
    join::Bound,
    query::Place,
    scope::{Relation, Scope},
    subquery::Outer,
};
use crate::logical::{
    CorrelateNode, JoinKind, LogicalNode, TableFunction, ValuesNode, as_outer_column, is_always,
    outer_columns_of, unnest_columns,
};
use crate::user_function::UserFunctionKind;

/// `UNNEST(…) [WITH ORDINALITY] AS t (…)`, `LATERAL TABLE(f(…)) AS t (…)`
pub(super) struct Unnest<'f> {
    of: Of<'f>,
    alias: Option<&'f ast::TableAlias>,
    span: Span,
}

/// What gives the rows.
#[derive(Clone, Copy)]
enum Of<'f> {
    /// UNNEST of a collection, perhaps WITH ORDINALITY.
    Collection(&'f ast::Expr, bool),
    /// A table function; without LATERAL it does not see what stands before it.
    Function(&'f ast::Function, bool),
}

/// A bound call: the function, its arguments, its columns in plans and in the query.
struct TableCall {
    function: TableFunction,
    args: Vec<Expr>,
    columns: Vec<Field>,
    names: Vec<Rc<str>>,
    span: Span,
}

/// The UNNEST that a factor is.
pub(super) fn unnest_of(factor: &ast::TableFactor) -> Option<Unnest<'_>> {
    const fn only(args: &[ast::FunctionArg]) -> Option<&ast::Expr> {
        match args {
            [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(arg))] => Some(arg),
            _ => None,
        }
    }
    let is_unnest = |name: &ast::ObjectName| match idents(name).as_slice() {
        [word] => word.quote_style.is_none() && word.value.eq_ignore_ascii_case("UNNEST"),
        _ => false,
    };
    match factor {
        ast::TableFactor::Table {
            name,
            alias,
            args: Some(args),
            with_ordinality,
            ..
        } if is_unnest(name) => Some(Unnest {
            of: Of::Collection(only(args)?, *with_ordinality),
            alias: alias.as_ref(),
            span: super::table::name_span(name),
        }),
        ast::TableFactor::Function {
            name,
            args,
            alias,
            with_ordinality,
            ..
        } if is_unnest(name) => Some(Unnest {
            of: Of::Collection(only(args)?, *with_ordinality),
            alias: alias.as_ref(),
            span: super::table::name_span(name),
        }),
        ast::TableFactor::Function {
            name,
            args,
            alias,
            lateral,
            ..
        } if is_table(name) => table_call(only(args)?, alias.as_ref(), *lateral),
        ast::TableFactor::Table {
            name,
            alias,
            args: Some(args),
            ..
        } if is_table(name) => table_call(only(args)?, alias.as_ref(), false),
        ast::TableFactor::TableFunction { expr, alias } => table_call(expr, alias.as_ref(), false),
        _ => None,
    }
}

fn is_table(name: &ast::ObjectName) -> bool {
    matches!(idents(name).as_slice(), [word] if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("TABLE"))
}

/// `TABLE(f(…))`, but for the functions of windows.
fn table_call<'f>(
    call: &'f ast::Expr,
    alias: Option<&'f ast::TableAlias>,
    lateral: bool,
) -> Option<Unnest<'f>> {
    let ast::Expr::Function(function) = call else {
        return None;
    };
    let known = super::call::call_name(function).is_some_and(|name| super::window_tvf::is_window(&name));
    (!known).then(|| Unnest {
        of: Of::Function(function, lateral),
        alias,
        span: super::table::name_span(&function.name),
    })
}

impl Binder<'_> {
    /// The factor of a join, which may read its left side; `Some` for the number under which it does.
    pub(super) fn bind_factor_beside(
        &mut self,
        left: &Scope,
        factor: &ast::TableFactor,
    ) -> (Bound, Option<u32>) {
        let ast::TableFactor::Derived {
            subquery,
            alias,
            lateral: true,
            ..
        } = factor
        else {
            return (self.bind_factor(factor), None);
        };
        let span = self.spans.query(subquery);
        let id = self.next_outer();
        self.outer.push(Outer {
            id,
            scope: left.clone(),
        });
        let bound = self.bind_query(subquery, Place::Nested);
        self.outer.pop();
        let correlated = super::subquery::reads_outer(&bound.node, id).then_some(id);
        let bound = self.relation(bound, &Source::default(), (None, alias.as_ref()), span);
        (bound, correlated)
    }

    /// The left side joined with the elements of one of its columns.
    pub(super) fn bind_unnest(
        &mut self,
        left: Bound,
        unnest: &Unnest<'_>,
        (kind, constraint): (JoinKind, &ast::JoinConstraint),
    ) -> Bound {
        let scope = match unnest.of {
            Of::Function(_, false) => Scope::default(),
            _ => left.1.clone(),
        };
        let id = self.next_outer();
        self.outer.push(Outer { id, scope });
        let call = match unnest.of {
            Of::Collection(arg, ordinality) => self.collection_call(arg, ordinality, unnest),
            Of::Function(function, _) => self.script_call(function, unnest.span),
        };
        self.outer.pop();
        let Some(call) = call else {
            let scope = self.with_relation(&left.1, unnest, Vec::new(), true);
            return (left.0, scope);
        };
        if matches!(kind, JoinKind::Right | JoinKind::Full) {
            let word = kind.word().to_ascii_uppercase();
            self.report(
                Diagnostic::new(Code::TemporalJoinKind, unnest.span)
                    .arg("kind", &word)
                    .flink(format!("IllegalStateException: Unknown join type {word}")),
            );
        }
        let mut call = call;
        let named = self.named_columns(&call, unnest);
        let renamed = unnest.alias.map_or(0, |alias| alias.columns.len());
        if kind == JoinKind::Left && call.function == TableFunction::UnnestWithOrdinality && renamed > 0 {
            call.columns.clone_from(&named);
        }
        let broken = renamed > 0 && renamed != named.len();
        let both = self.with_relation(&left.1, unnest, named.clone(), broken);
        let condition = match constraint {
            ast::JoinConstraint::On(condition) => {
                let mut cx = ExprCx::over(&both, Clause::On);
                self.bind_condition(&mut cx, condition)
            }
            _ => None,
        };
        let condition = condition.filter(|condition| !is_always(condition));
        let call = TableCall {
            names: named.iter().map(|field| Rc::clone(&field.name)).gather(),
            ..call
        };
        self.with_rows((left.0, id), call, (kind, condition), both)
    }

    /// A collection whose elements become rows.
    fn collection_call(
        &mut self,
        arg: &ast::Expr,
        ordinality: bool,
        unnest: &Unnest<'_>,
    ) -> Option<TableCall> {
        let span = self.span(arg);
        let nothing = Scope::default();
        let arg = self.bind_expr(&mut ExprCx::over(&nothing, Clause::Select), arg);
        if arg.is_invalid() {
            return None;
        }
        let Some(columns) = unnest_columns(&arg.data_type, ordinality) else {
            // up to the closing parenthesis
            let call = unnest.span.join(span);
            self.not_a_collection(&arg, Span::new(call.start, call.end + 1));
            return None;
        };
        // the validator calls a lone column by its place
        let validator = |field: &Field| match &*field.name {
            "f0" if columns.len() == 1 => Rc::from("EXPR$0"),
            "f0" => Rc::from("KEY"),
            "f1" => Rc::from("VALUE"),
            _ => Rc::clone(&field.name),
        };
        Some(TableCall {
            function: if ordinality {
                TableFunction::UnnestWithOrdinality
            } else {
                TableFunction::Unnest
            },
            names: columns.iter().map(validator).gather(),
            columns,
            args: vec![arg],
            span,
        })
    }

    /// A call of a table function of the script.
    #[inline(never)]
    fn script_call(&mut self, function: &ast::Function, span: Span) -> Option<TableCall> {
        let Some(called) = self.called(&function.name) else {
            let name = super::call::call_name(function).unwrap_or_default();
            self.unknown_table_function(&name, span);
            return None;
        };
        let written = &called.written;
        let columns = match &called.function.kind {
            UserFunctionKind::Table(columns) => columns.clone(),
            UserFunctionKind::Foreign(language) => {
                self.foreign_function(language, span);
                return None;
            }
            UserFunctionKind::Broken => {
                self.failed = true;
                return None;
            }
            kind => {
                let code = if matches!(kind, UserFunctionKind::TableAggregate) {
                    Code::TableAggregateInSql
                } else {
                    Code::NoTableFunction
                };
                let flink = format!(
                    "ValidationException: SQL validation failed. Function '{written}' cannot be used as a table function."
                );
                let diagnostic = Diagnostic::new(code, span).arg("function", written);
                self.report(diagnostic.flink(flink));
                return None;
            }
        };
        let nothing = Scope::default();
        let mut cx = ExprCx::over(&nothing, Clause::Select);
        let args = self.bind_arguments(&mut cx, written, function, span)?;
        let args = self.user_arguments(&called, &args, span)?;
        Some(TableCall {
            function: TableFunction::Script,
            args: std::iter::once(called.function.script(written).head())
                .chain(args)
                .gather(),
            names: columns.iter().map(|field| Rc::clone(&field.name)).gather(),
            columns,
            span,
        })
    }

    fn with_rows(
        &mut self,
        (left, id): (Rc<LogicalNode>, u32),
        call: TableCall,
        (kind, condition): (JoinKind, Option<Expr>),
        mut both: Scope,
    ) -> Bound {
        let span = call.span;
        let width = u32::try_from(left.schema.len()).unwrap_or(u32::MAX);
        let read: Vec<(u32, u32)> = call.args.iter().flat_map(outer_columns_of).gather();
        let lookups = read.iter().filter(|(query, _)| *query == id).count();
        let lookups = u32::try_from(lookups).unwrap_or(0);
        let keeps = kind == JoinKind::Left;
        let own = condition
            .as_ref()
            .filter(|_| keeps)
            .map(|condition| condition.map_columns(&mut |column| column.wrapping_sub(width)));
        let reads_left = condition.as_ref().is_some_and(|condition| {
            let mut any = false;
            condition.for_each_column(&mut |column| any |= column < width);
            any
        });
        if keeps && reads_left {
            self.not_supported("LEFT JOIN UNNEST(…) ON … with columns of the left table", span);
        }
        let node = CorrelateNode {
            left: keeps,
            function: call.function,
            args: call.args.iter().map(|arg| of_left(arg, id)).gather(),
            columns: call.columns,
            names: call.names,
            condition: own,
            lookups,
        };
        let unnests = node.function != TableFunction::Script;
        let mut joined = if lookups == 0 && !keeps && unnests && width > 0 {
            // a constant is unnested once, and what it gives is joined
            let rows: Vec<Row> = vec![Rc::from([])];
            let one = self.builder.values(ValuesNode { rows }, Vec::new(), span);
            let called = self.builder.correlate(one, node, span);
            let join = crate::logical::JoinNode {
                kind: JoinKind::Inner,
                condition: crate::logical::always(span),
                hints: crate::logical::JoinHints::default(),
                lateral: None,
            };
            self.builder.join((left, called), join, span)
        } else {
            self.builder.correlate(left, node, span)
        };
        for (field, own) in both.columns.iter_mut().zip(joined.schema.iter()) {
            field.data_type = own.data_type.clone();
        }
        if let Some(condition) = condition.filter(|_| !keeps) {
            let span = condition.span;
            joined = self.filter(joined, condition, span);
        }
        (joined, both)
    }

    fn named_columns(&mut self, call: &TableCall, unnest: &Unnest<'_>) -> Vec<Field> {
        let given: Vec<Rc<str>> = unnest
            .alias
            .map(|alias| &alias.columns)
            .into_iter()
            .flatten()
            .map(|column| Rc::from(column.name.value.as_str()))
            .gather();
        let (columns, own, span) = (&call.columns, call.names.clone(), call.span);
        let node = self
            .builder
            .values(ValuesNode { rows: Vec::new() }, columns.clone(), span);
        let bound = BoundQuery {
            node,
            names: own.clone(),
        };
        if let Some(alias) = unnest.alias {
            let place = super::query::name_list(&alias.columns).unwrap_or(span);
            self.check_column_list(&given, &bound, &alias.name.value, place);
        }
        let fits = given.len() == columns.len();
        columns
            .iter()
            .zip(own)
            .enumerate()
            .map(|(at, (field, own))| Field {
                name: given.get(at).filter(|_| fits).cloned().unwrap_or(own),
                data_type: field.data_type.clone(),
            })
            .gather()
    }

    /// The scope with the relation of an UNNEST behind it.
    fn with_relation(
        &mut self,
        left: &Scope,
        unnest: &Unnest<'_>,
        columns: Vec<Field>,
        broken: bool,
    ) -> Scope {
        let offset = u32::try_from(left.columns.len()).unwrap_or(u32::MAX);
        let count = u32::try_from(columns.len()).unwrap_or(0);
        let name: Option<Rc<str>> = unnest.alias.map(|alias| Rc::from(alias.name.value.as_str()));
        let span = unnest
            .alias
            .and_then(|alias| byte_span(alias.name.span))
            .unwrap_or(unnest.span);
        let mut both = left.clone();
        let relation = Relation {
            name,
            columns: offset..offset + count,
            span,
            whole: span,
            broken,
            table: None,
        };
        let other = Scope::of(relation.clone(), Vec::new());
        self.check_relation_names(left, &other);
        both.relations.push(relation);
        both.columns.extend(columns);
        both
    }

    fn not_a_collection(&mut self, arg: &Expr, span: Span) {
        let forms = "UNNEST(<MULTISET>)\nUNNEST(<ARRAY>)\nUNNEST(<MAP>)";
        let shown = sg_expr::calcite_type(&arg.data_type.with_nullable(true), sg_expr::Charset::Hidden);
        let message = format!(
            "Cannot apply 'UNNEST' to arguments of type 'UNNEST(<{shown}>)'. Supported form(s): 'UNNEST(<MULTISET>)'\n\
             'UNNEST(<ARRAY>)'\n'UNNEST(<MAP>)'\n{forms}"
        );
        let flink = self.validation(span, &message);
        self.report(
            Diagnostic::new(Code::UnnestArgument, arg.span)
                .arg("type", &arg.data_type)
                .flink(flink),
        );
    }
}

/// The argument over the columns of the left side.
fn of_left(expr: &Expr, id: u32) -> Expr {
    if let Some((_, column)) = as_outer_column(expr).filter(|(query, _)| *query == id) {
        return Expr::column(column, expr.data_type.clone(), expr.span);
    }
    match &expr.kind {
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| of_left(arg, id)).gather(),
            },
            ..expr.clone()
        },
        _ => expr.clone(),
    }
}
