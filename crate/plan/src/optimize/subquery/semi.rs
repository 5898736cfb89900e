//! IN and EXISTS as whole conditions: semi joins, negated anti joins.

use std::rc::Rc;

use sg_expr::{
    Expr, ExprKind,
    function::subquery::{EXISTS_QUERY, IN_QUERY},
};
use sg_value::Gather as _;

use super::{
    Query,
    decorrelate::{Mode, pull},
    make::{aggregate, aggregate_call, call, column, join as joined, truth},
};
use crate::{
    logical::{JoinKind, LogicalNode, as_outer_column},
    optimize::{RuleContext, rewrite::conjunction},
};

/// The rows of `left` that pass; `None` where the sub-query cannot be taken apart.
pub(super) fn join(
    left: &Rc<LogicalNode>,
    query: &Query<'_>,
    (plan, negated): (&Rc<LogicalNode>, bool),
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    if ![IN_QUERY, EXISTS_QUERY].contains(&query.name) {
        return None;
    }
    let kind = if negated { JoinKind::Anti } else { JoinKind::Semi };
    let pulled = pull(plan, query.outer, Mode::AsWritten, cx)?;
    let width = u32::try_from(left.schema.len()).ok()?;
    if query.name == EXISTS_QUERY && pulled.conditions.is_empty() {
        let right = any_row(&pulled.node, cx)?;
        let condition = column(&right, 0).map_columns(&mut |at| at + width);
        return Some(joined(left, right, (kind, Some(condition)), cx));
    }
    let mut conditions: Vec<Expr> = query
        .operands
        .iter()
        .zip(&pulled.columns)
        .map(|(operand, &at)| {
            let found = column(&pulled.node, at).map_columns(&mut |at| at + width);
            equal(operand, &found, negated)
        })
        .gather();
    conditions.extend(
        pulled
            .conditions
            .iter()
            .map(|condition| around(condition, query.outer, width)),
    );
    Some(joined(left, pulled.node, (kind, conjunction(&conditions)), cx))
}

/// The equality of an operand and a column; NOT IN also counts what is not known to differ.
fn equal(operand: &Expr, found: &Expr, negated: bool) -> Expr {
    let span = operand.span;
    let equal = call("=", vec![operand.clone(), found.clone()], span);
    if !negated {
        return equal;
    }
    let mut parts: Vec<Expr> = [operand, found]
        .into_iter()
        .filter(|side| side.data_type.nullable)
        .map(|side| call("IS NULL", vec![side.clone()], span))
        .gather();
    if parts.is_empty() {
        return equal;
    }
    parts.push(equal);
    call("OR", parts, span)
}

/// The condition over the join's columns: those of the query around are on the left.
pub(super) fn around(expr: &Expr, outer: u32, width: u32) -> Expr {
    if let Some((query, at)) = as_outer_column(expr) {
        return if query == outer {
            Expr::column(at, expr.data_type.clone(), expr.span)
        } else {
            expr.clone()
        };
    }
    match &expr.kind {
        ExprKind::Column(at) => Expr::column(at + width, expr.data_type.clone(), expr.span),
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| around(arg, outer, width)).gather(),
            },
            ..expr.clone()
        },
        ExprKind::Literal(_) | ExprKind::Invalid => expr.clone(),
    }
}

/// One row that says whether a node has rows: `MIN(TRUE) IS NOT NULL`.
fn any_row(node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
    let span = node.span;
    let marked = cx
        .builder
        .project_always(Rc::clone(node), vec![truth(true, span)], &[Rc::from("i")], span);
    let smallest = aggregate_call("MIN", &[0], &marked, (false, "m"))?;
    let counted = aggregate(marked, Vec::new(), vec![smallest], cx);
    let found = call("IS NOT NULL", vec![column(&counted, 0)], span);
    Some(
        cx.builder
            .project_always(counted, vec![found], &[Rc::from("$f0")], span),
    )
}
