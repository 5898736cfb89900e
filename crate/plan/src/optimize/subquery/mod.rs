//! Sub-queries in conditions and select lists become joins.
//!
//! Flink: `FlinkSubQueryRemoveRule` (semi and anti joins for IN and EXISTS that are whole conditions), Calcite's
//! `SubQueryRemoveRule` and `RelDecorrelator` for all others: a left join with what the sub-query finds, at most one row
//! per row of the query around.
//! Cases: join-regular/semi-join-in-is-no-duplicate-maker, statements/scalar-subquery-in-select, statements/correlated-count.

mod decorrelate;
mod join;
pub(super) mod make;
mod semi;
mod top;
mod value;

use std::rc::Rc;

use sg_expr::{
    Expr, ExprKind,
    function::subquery::{EXISTS_QUERY, IN_QUERY, SCALAR_QUERY, SOME_QUERY},
};
use sg_value::{Gather as _, Value};

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, conjunction, conjuncts, names},
};
use crate::logical::{JoinNode, LogicalNode, LogicalOp, always, is_always};
use value::Wide;

pub(super) struct RemoveSubQueries;

impl Rule for RemoveSubQueries {
    fn name(&self) -> &'static str {
        "remove-sub-queries"
    }

    fn needs(&self) -> Kinds {
        Kinds::SEVERAL_INPUTS
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        if node.inputs.len() < 2 {
            return None;
        }
        match &node.op {
            LogicalOp::Filter(filter) => {
                let condition = with_certain_rows(&filter.condition, node);
                Some(in_filter(node, &condition, cx))
            }
            LogicalOp::Project(project) => {
                let sure = |expr| with_certain_rows(expr, node);
                let expressions: Vec<Expr> = project.expressions.iter().map(sure).gather();
                Some(in_project(node, &expressions, cx))
            }
            LogicalOp::Join(join) if node.inputs.len() > 2 => join::in_condition(node, join, cx),
            LogicalOp::Join(join) => lateral(node, join, cx),
            _ => None,
        }
    }
}

/// A sub-query where it stands.
pub(super) struct Query<'e> {
    name: &'static str,
    /// The input that it is.
    input: usize,
    /// What columns of the query around are called by in it.
    outer: u32,
    operands: &'e [Expr],
}

/// The sub-query that an expression is.
fn query_of(expr: &Expr) -> Option<Query<'_>> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    if ![IN_QUERY, EXISTS_QUERY, SCALAR_QUERY, SOME_QUERY].contains(&function.name) {
        return None;
    }
    let [input, outer, operands @ ..] = args.as_slice() else {
        return None;
    };
    let number = |expr: &Expr| expr.as_literal().and_then(Value::as_int);
    Some(Query {
        name: function.name,
        input: usize::try_from(number(input)?).ok()?,
        outer: u32::try_from(number(outer)?).ok()?,
        operands,
    })
}

/// EXISTS of a query that always has a row is TRUE. Calcite: `SubQueryRemoveRule.rewriteExists`.
/// Cases: join-regular/exists-of-an-aggregate*.
fn with_certain_rows(expr: &Expr, node: &LogicalNode) -> Expr {
    let ExprKind::Call { function, args } = &expr.kind else {
        return expr.clone();
    };
    let query = query_of(expr).filter(|query| query.name == EXISTS_QUERY);
    if query.is_some_and(|query| node.inputs.get(query.input).is_some_and(|plan| has_a_row(plan))) {
        return make::truth(true, expr.span);
    }
    let args = args.iter().map(|arg| with_certain_rows(arg, node)).gather();
    Expr {
        kind: ExprKind::Call { function, args },
        ..expr.clone()
    }
}

fn has_a_row(node: &LogicalNode) -> bool {
    match &node.op {
        LogicalOp::Aggregate(aggregate) => aggregate.keys.is_empty() && aggregate.sets.len() == 1,
        LogicalOp::Project(_) => node.inputs.first().is_some_and(|input| has_a_row(input)),
        LogicalOp::Values(values) => !values.rows.is_empty(),
        _ => false,
    }
}

/// The sub-query that an expression is or negates.
fn whole_query(expr: &Expr) -> Option<(Query<'_>, bool)> {
    if let Some(query) = query_of(expr) {
        return Some((query, false));
    }
    match &expr.kind {
        ExprKind::Call { function, args } if function.name == "NOT" => Some((query_of(args.first()?)?, true)),
        _ => None,
    }
}

/// Whether a sub-query that is no plain value stands inside of an expression.
fn has_inner_test(expr: &Expr) -> bool {
    if let Some(query) = query_of(expr) {
        return query.name != SCALAR_QUERY;
    }
    match &expr.kind {
        ExprKind::Call { args, .. } => args.iter().any(has_inner_test),
        _ => false,
    }
}

fn in_filter(node: &Rc<LogicalNode>, condition: &Expr, cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    let Some(input) = node.inputs.first() else {
        return Rc::clone(node);
    };
    let (parts, counted): (Vec<Expr>, Vec<Expr>) = conjuncts(condition)
        .into_iter()
        .partition(|part| counted_rows(part, node).is_none());
    // one test under OR, and none becomes a semi join
    let semi_joins = parts
        .iter()
        .all(|part| whole_query(part).is_some() || !has_inner_test(part));
    let mut left = Rc::clone(input);
    let mut rest = Vec::new();
    for part in counted {
        let joined = counted_rows(&part, node).and_then(|(query, plan)| {
            let exists = Query {
                name: EXISTS_QUERY,
                operands: &[],
                ..query
            };
            semi::join(&left, &exists, (&plan, false), cx)
        });
        match joined {
            Some(joined) => left = joined,
            None => rest.push(part),
        }
    }
    for part in parts {
        let joined = match whole_query(&part) {
            Some((query, negated)) if semi_joins => node
                .inputs
                .get(query.input)
                .and_then(|plan| semi::join(&left, &query, (plan, negated), cx)),
            _ => None,
        };
        match joined {
            Some(joined) => left = joined,
            None => rest.push(part),
        }
    }
    let own_names = names(&left);
    let width = left.schema.len();
    let mut wide = Wide::new(left, node, value::Truth::OnlyTrue);
    let rest: Vec<Expr> = rest
        .iter()
        .map(|part| compared_count(wide.replaced(part, cx)))
        .gather();
    let mut result = wide.node;
    if let Some(condition) = conjunction(&rest) {
        result = cx.builder.filter(result, condition, node.span);
    }
    if result.schema.len() == width {
        return result;
    }
    let columns = all_columns(&result).into_iter().take(width).gather();
    cx.builder.project_always(result, columns, &own_names, node.span)
}

/// `(SELECT COUNT(*) FROM t) > 0`, which is `EXISTS (SELECT * FROM t)`: the sub-query and what it counts.
///
/// Flink: `FlinkRewriteSubQueryRule`.
fn counted_rows<'e>(expr: &'e Expr, node: &LogicalNode) -> Option<(Query<'e>, Rc<LogicalNode>)> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    let [one, other] = args.as_slice() else {
        return None;
    };
    let number = |expr: &Expr| expr.as_literal().and_then(Value::as_int);
    let query = match function.name {
        ">" if number(other) == Some(0) => query_of(one)?,
        ">=" if number(other) == Some(1) => query_of(one)?,
        "<" if number(one) == Some(0) => query_of(other)?,
        "<=" if number(one) == Some(1) => query_of(other)?,
        _ => return None,
    };
    if query.name != SCALAR_QUERY {
        return None;
    }
    let plan = node.inputs.get(query.input)?;
    let LogicalOp::Aggregate(aggregate) = &plan.op else {
        return None;
    };
    let counts = matches!(aggregate.calls.as_slice(), [call]
        if call.function.name == "COUNT" && call.args.is_empty() && call.filter.is_none());
    let rows = plan.inputs.first()?;
    (counts && aggregate.keys.is_empty()).then(|| (query, Rc::clone(rows)))
}

fn in_project(node: &Rc<LogicalNode>, expressions: &[Expr], cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    let Some(input) = node.inputs.first() else {
        return Rc::clone(node);
    };
    let mut wide = Wide::new(Rc::clone(input), node, value::Truth::Full);
    let expressions: Vec<Expr> = expressions.iter().map(|expr| wide.replaced(expr, cx)).gather();
    let mut own_names = names(node);
    // As long as it is a correlation, all of its columns in order are no projection, and their new names are lost.
    let width = u32::try_from(input.schema.len()).unwrap_or(u32::MAX);
    let all = (0..width).chain(wide.correlated.iter().copied());
    if !wide.correlated.is_empty() && all.map(Some).eq(expressions.iter().map(Expr::as_column)) {
        let found = names(&wide.node);
        let columns = expressions.iter().filter_map(Expr::as_column);
        own_names = columns
            .filter_map(|at| found.get(at as usize).map(Rc::clone))
            .gather();
    }
    cx.builder
        .project_always(wide.node, expressions, &own_names, node.span)
}

/// A right input that reads the left one: what it reads becomes a condition of the join.
fn lateral(node: &Rc<LogicalNode>, join: &JoinNode, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
    let outer = join.lateral?;
    if let Some(ranked) = top::ranked(node, join, cx) {
        return Some(ranked);
    }
    if let Some(unnested) = join::unnested(node, join, cx) {
        return Some(unnested);
    }
    let [left, right] = node.inputs.as_slice() else {
        return None;
    };
    let pulled = decorrelate::pull(right, outer, decorrelate::Mode::Equal(left), cx)?;
    let width = u32::try_from(left.schema.len()).ok()?;
    let own = join
        .condition
        .map_columns(&mut |column| match column.checked_sub(width) {
            None => column,
            Some(at) => pulled.columns.get(at as usize).map_or(u32::MAX, |at| at + width),
        });
    let mut conditions: Vec<Expr> = conjuncts(&own)
        .into_iter()
        .filter(|part| !is_always(part))
        .gather();
    conditions.extend(
        pulled
            .conditions
            .iter()
            .map(|condition| semi::around(condition, outer, width)),
    );
    let condition = conjunction(&conditions).unwrap_or_else(|| always(node.span));
    let changed = JoinNode {
        condition,
        lateral: None,
        ..join.clone()
    };
    let columns = pulled.columns;
    let joined = cx
        .builder
        .join((Rc::clone(left), pulled.node), changed, node.span);
    let all = all_columns(&joined);
    let expressions: Vec<Expr> = (0..width)
        .chain(columns.iter().map(|at| at + width))
        .filter_map(|at| all.get(at as usize).cloned())
        .gather();
    Some(
        cx.builder
            .project_always(joined, expressions, &names(node), node.span),
    )
}

/// `CASE(IS NULL(n), 0, n) > 2`: where 0 would not pass, the CASE is not needed.
///
/// Calcite: `RexSimplify` of comparisons with CASE.
fn compared_count(expr: Expr) -> Expr {
    let ExprKind::Call { function, args } = &expr.kind else {
        return expr;
    };
    if !["=", "<>", "<", "<=", ">", ">="].contains(&function.name) {
        return expr;
    }
    let count_of = |side: &Expr| match &side.kind {
        ExprKind::Call { function, args } if function.name == "CASE" => match args.as_slice() {
            [test, zero, value] => {
                let ExprKind::Call { function, .. } = &test.kind else {
                    return None;
                };
                let is_zero = zero.as_literal().and_then(Value::as_int) == Some(0);
                (function.name == "IS NULL" && is_zero).then(|| (zero.clone(), value.clone()))
            }
            _ => None,
        },
        _ => None,
    };
    let Some(at) = args.iter().position(|side| count_of(side).is_some()) else {
        return expr;
    };
    let Some((zero, value)) = args.get(at).and_then(count_of) else {
        return expr;
    };
    let with = |replacement: Expr| {
        let mut args = args.clone();
        if let Some(slot) = args.get_mut(at) {
            *slot = replacement;
        }
        Expr {
            kind: ExprKind::Call { function, args },
            ..expr.clone()
        }
    };
    match sg_expr::simplify(with(zero)).as_literal() {
        Some(Value::Bool(false)) => with(value),
        Some(Value::Bool(true)) => {
            let span = expr.span;
            let none = make::call("IS NULL", vec![value.clone()], span);
            make::call("OR", vec![none, with(value)], span)
        }
        _ => expr,
    }
}
