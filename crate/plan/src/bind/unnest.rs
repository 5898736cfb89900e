//! What reads the relation to its left: UNNEST and LATERAL.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Expr, ExprKind};
use sg_sql::{byte_span, query as ast};
use sg_value::{Field, Row};

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

/// `UNNEST(…) [WITH ORDINALITY] AS t (…)`
pub(super) struct Unnest<'f> {
    arg: &'f ast::Expr,
    alias: Option<&'f ast::TableAlias>,
    ordinality: bool,
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
            arg: only(args)?,
            alias: alias.as_ref(),
            ordinality: *with_ordinality,
            span: super::table::name_span(name),
        }),
        ast::TableFactor::Function {
            name,
            args,
            alias,
            with_ordinality,
            ..
        } if is_unnest(name) => Some(Unnest {
            arg: only(args)?,
            alias: alias.as_ref(),
            ordinality: *with_ordinality,
            span: super::table::name_span(name),
        }),
        _ => None,
    }
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
        let id = self.next_outer();
        self.outer.push(Outer {
            id,
            scope: left.1.clone(),
        });
        let arg = {
            let nothing = Scope::default();
            let mut cx = ExprCx::over(&nothing, Clause::Select);
            self.bind_expr(&mut cx, unnest.arg)
        };
        self.outer.pop();
        let span = self.span(unnest.arg);
        if arg.is_invalid() {
            let scope = self.with_relation(&left.1, unnest, Vec::new(), true);
            return (left.0, scope);
        }
        let Some(columns) = unnest_columns(&arg.data_type, unnest.ordinality) else {
            self.not_a_collection(&arg, unnest.span.join(span));
            let scope = self.with_relation(&left.1, unnest, Vec::new(), true);
            return (left.0, scope);
        };
        if matches!(kind, JoinKind::Right | JoinKind::Full) {
            self.not_supported("RIGHT JOIN UNNEST(…)", unnest.span);
        }
        let named = self.named_columns(&columns, unnest, span);
        let both = self.with_relation(&left.1, unnest, named.clone(), false);
        let condition = match constraint {
            ast::JoinConstraint::On(condition) => {
                let mut cx = ExprCx::over(&both, Clause::On);
                self.bind_condition(&mut cx, condition)
            }
            _ => None,
        };
        let condition = condition.filter(|condition| !is_always(condition));
        let names: Vec<Rc<str>> = named.iter().map(|field| Rc::clone(&field.name)).collect();
        self.called(left.0, (arg, columns, names), (unnest, kind, condition), both)
    }

    fn called(
        &mut self,
        left: Rc<LogicalNode>,
        (arg, columns, names): (Expr, Vec<Field>, Vec<Rc<str>>),
        (unnest, kind, condition): (&Unnest<'_>, JoinKind, Option<Expr>),
        mut both: Scope,
    ) -> Bound {
        let span = unnest.span.join(arg.span);
        let width = u32::try_from(left.schema.len()).unwrap_or(u32::MAX);
        let lookups = u32::try_from(outer_columns_of(&arg).len()).unwrap_or(0);
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
            function: if unnest.ordinality {
                TableFunction::UnnestWithOrdinality
            } else {
                TableFunction::Unnest
            },
            args: vec![of_left(&arg)],
            columns,
            names,
            condition: own,
            lookups,
        };
        let mut joined = if lookups == 0 && !keeps {
            // a constant is called once, and what it gives is joined
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

    fn named_columns(&mut self, columns: &[Field], unnest: &Unnest<'_>, span: Span) -> Vec<Field> {
        let given: Vec<Rc<str>> = unnest
            .alias
            .map(|alias| &alias.columns)
            .into_iter()
            .flatten()
            .map(|column| Rc::from(column.name.value.as_str()))
            .collect();
        // the validator calls a lone column by its place
        let validator = |field: &Field| match &*field.name {
            "f0" if columns.len() == 1 => Rc::from("EXPR$0"),
            "f0" => Rc::from("KEY"),
            "f1" => Rc::from("VALUE"),
            _ => Rc::clone(&field.name),
        };
        let own: Vec<Rc<str>> = columns.iter().map(validator).collect();
        let node = self
            .builder
            .values(ValuesNode { rows: Vec::new() }, columns.to_vec(), span);
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
            .collect()
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
fn of_left(expr: &Expr) -> Expr {
    if let Some((_, column)) = as_outer_column(expr) {
        return Expr::column(column, expr.data_type.clone(), expr.span);
    }
    match &expr.kind {
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(of_left).collect(),
            },
            ..expr.clone()
        },
        _ => expr.clone(),
    }
}
