//! A join with a side that has no rows is the other side, padded or not at all.
//!
//! Flink: `PruneEmptyRules.JOIN_LEFT_INSTANCE` and `JOIN_RIGHT_INSTANCE`.

use std::rc::Rc;

use sg_expr::{Expr, fold};
use sg_value::{Gather as _, Value};

use super::{
    Kinds, Rule, RuleContext,
    filter_constant::{is_empty, nothing},
    join_parts::join_of,
    rewrite::{all_columns, names, substitute},
};
use crate::logical::{JoinKind, LogicalNode, LogicalOp};

pub(super) struct JoinOfNothing;

impl Rule for JoinOfNothing {
    fn name(&self) -> &'static str {
        "join-of-nothing"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let (join, left, right) = join_of(node)?;
        match (is_empty(left), is_empty(right)) {
            (false, false)
                if join.kind == JoinKind::Anti && never(&join.condition, left.schema.len(), right) =>
            {
                Some(Rc::clone(left))
            }
            (false, false) => None,
            (_, true) if join.kind == JoinKind::Anti => Some(Rc::clone(left)),
            (false, true) if join.kind.keeps_left() => {
                let mut expressions = all_columns(left);
                expressions.extend(nulls(node, left.schema.len(), right.schema.len()));
                Some(
                    cx.builder
                        .project_always(Rc::clone(left), expressions, &names(node), node.span),
                )
            }
            (true, false) if join.kind.keeps_right() => {
                let mut expressions = nulls(node, 0, left.schema.len());
                expressions.extend(all_columns(right));
                Some(
                    cx.builder
                        .project_always(Rc::clone(right), expressions, &names(node), node.span),
                )
            }
            _ => Some(nothing(node, cx)),
        }
    }
}

/// Whether a condition on the right side alone is not TRUE for its only row.
///
/// Case: join-regular/not-exists-of-nothing.
fn never(condition: &Expr, width: usize, right: &LogicalNode) -> bool {
    let (LogicalOp::Project(project), Some(input)) = (&right.op, right.inputs.first()) else {
        return false;
    };
    let LogicalOp::Values(values) = &input.op else {
        return false;
    };
    let ([row], Some(column)) = (values.rows.as_slice(), condition.as_column()) else {
        return false;
    };
    let Some(expr) = (column as usize)
        .checked_sub(width)
        .and_then(|at| project.expressions.get(at))
    else {
        return false;
    };
    let cells = row.iter().zip(input.schema.iter());
    let cells: Vec<Expr> = cells
        .map(|(cell, field)| Expr::literal(cell.clone(), field.data_type.clone(), condition.span))
        .gather();
    let answer = fold(substitute(expr, &cells));
    matches!(answer.as_literal(), Some(Value::Bool(false) | Value::Null))
}

/// NULLs for columns of the join.
fn nulls(node: &LogicalNode, from: usize, count: usize) -> Vec<Expr> {
    let padded = node.schema.iter().skip(from).take(count);
    padded
        .map(|field| Expr::literal(Value::Null, field.data_type.with_nullable(true), node.span))
        .gather()
}
