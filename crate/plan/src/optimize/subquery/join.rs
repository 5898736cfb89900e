//! Joins whose condition or right input has something of a query in it: sub-queries in ON, LATERAL over UNNEST.

use std::rc::Rc;

use sg_expr::{
    Expr, ExprKind,
    function::subquery::{EXISTS_QUERY, SCALAR_QUERY},
};
use sg_value::{Field, Gather as _};

use super::{
    make::truth,
    query_of,
    semi::around,
    value::{Truth, Wide},
};
use crate::{
    logical::{CorrelateNode, JoinKind, JoinNode, LogicalNode, LogicalOp, is_always, outer_columns_of},
    optimize::{
        RuleContext,
        rewrite::{all_columns, conjunction, conjuncts, names},
    },
};

/// What sub-queries of ON find joins the right input.
///
/// Calcite: `SubQueryRemoveRule.matchJoin`, which counts the columns of a found row from the left input, but those of
/// EXISTS from the right one; and the columns around a sub-query, which are those of the whole row, from the right one as
/// well. Cases: join-regular/scalar-sub-query-in-on, join-regular/exists-in-on*.
#[inline(never)]
pub(super) fn in_condition(
    node: &Rc<LogicalNode>,
    join: &JoinNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let (left, rest) = node.inputs.split_first()?;
    let right = rest.first()?;
    let offset = u32::try_from(left.schema.len()).ok()?;
    let of = LogicalNode {
        inputs: rest.to_vec(),
        ..(**node).clone()
    };
    let mut wide = Wide::new(Rc::clone(right), &of, Truth::OnlyTrue);
    let parts: Vec<Expr> = conjuncts(&join.condition)
        .iter()
        .map(|part| match query_of(part) {
            Some(query) if query.name == EXISTS_QUERY => {
                wide.found_by = JoinKind::Inner;
                let found = wide.replaced(part, cx);
                wide.found_by = JoinKind::Left;
                if query_of(&found).is_some() {
                    found
                } else {
                    truth(true, part.span)
                }
            }
            _ => replaced(part, &mut wide, offset, cx),
        })
        .gather();
    let row: Vec<&Field> = left.schema.iter().chain(&*wide.node.schema).gather();
    let parts: Vec<Expr> = parts.iter().map(|part| retyped(part, &row)).gather();
    let condition = conjunction(&parts).unwrap_or_else(|| truth(true, node.span));
    let changed = JoinNode {
        condition,
        ..join.clone()
    };
    let joined = cx.builder.join((Rc::clone(left), wide.node), changed, node.span);
    let columns = all_columns(&joined).into_iter().take(node.schema.len()).gather();
    Some(
        cx.builder
            .project_always(joined, columns, &names(node), node.span),
    )
}

/// The expression over the columns that it reads, whatever was meant.
fn retyped(expr: &Expr, row: &[&Field]) -> Expr {
    match &expr.kind {
        ExprKind::Column(at) => {
            let data_type = row.get(*at as usize).map(|field| field.data_type.clone());
            Expr::column(
                *at,
                data_type.unwrap_or_else(|| expr.data_type.clone()),
                expr.span,
            )
        }
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| retyped(arg, row)).gather(),
            },
            ..expr.clone()
        },
        _ => expr.clone(),
    }
}

fn replaced(expr: &Expr, wide: &mut Wide<'_>, offset: u32, cx: &mut RuleContext<'_>) -> Expr {
    let negated = matches!(&expr.kind, ExprKind::Call { function, args }
        if function.name == "NOT" && args.first().and_then(query_of).is_some_and(|query| query.name != SCALAR_QUERY));
    if negated || query_of(expr).is_some_and(|query| query.name != SCALAR_QUERY) {
        let first = wide.width();
        return wide.replaced(expr, cx).map_columns(&mut |_| first);
    }
    if query_of(expr).is_some() {
        let found = wide.replaced(expr, cx);
        return found.map_columns(&mut |column| column + offset);
    }
    match &expr.kind {
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| replaced(arg, wide, offset, cx)).gather(),
            },
            ..expr.clone()
        },
        _ => expr.clone(),
    }
}

/// `LATERAL (SELECT … FROM UNNEST(l.a) …)` calls UNNEST for each row of the left input.
///
/// Case: unnest/lateral-query-over-unnest.
pub(super) fn unnested(
    node: &Rc<LogicalNode>,
    join: &JoinNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let outer = join.lateral?;
    let [left, right] = node.inputs.as_slice() else {
        return None;
    };
    let keeps = join.kind == JoinKind::Left;
    let can = matches!(join.kind, JoinKind::Inner | JoinKind::Left) && is_always(&join.condition);
    let called = if can {
        over(right, left, (outer, keeps), cx)?
    } else {
        return None;
    };
    let columns = all_columns(&called);
    Some(
        cx.builder
            .project_always(called, columns, &names(node), node.span),
    )
}

/// The same nodes over the columns of the left input and their own.
fn over(
    node: &Rc<LogicalNode>,
    left: &Rc<LogicalNode>,
    (outer, keeps): (u32, bool),
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let width = u32::try_from(left.schema.len()).ok()?;
    let input = node.inputs.first()?;
    match &node.op {
        LogicalOp::Project(project) => {
            let below = over(input, left, (outer, keeps), cx)?;
            let mut expressions = all_columns(left);
            expressions.extend(project.expressions.iter().map(|expr| around(expr, outer, width)));
            let mut all = names(left);
            all.extend(names(node));
            Some(cx.builder.project_always(below, expressions, &all, node.span))
        }
        LogicalOp::Filter(filter) if !keeps => {
            let below = over(input, left, (outer, keeps), cx)?;
            let condition = around(&filter.condition, outer, width);
            Some(cx.builder.filter(below, condition, node.span))
        }
        LogicalOp::Correlate(call) if input.schema.is_empty() => {
            let lookups = call
                .args
                .iter()
                .map(|arg| outer_columns_of(arg).len())
                .sum::<usize>();
            let call = CorrelateNode {
                left: keeps,
                args: call.args.iter().map(|arg| around(arg, outer, width)).gather(),
                lookups: u32::try_from(lookups).ok()?,
                ..(**call).clone()
            };
            Some(cx.builder.correlate(Rc::clone(left), call, node.span))
        }
        _ => None,
    }
}
