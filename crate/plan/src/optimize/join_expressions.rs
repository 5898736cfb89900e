//! Operands of an equality in ON that are no plain columns are computed below the join, so that they are its keys.
//!
//! Calcite: `JoinPushExpressionsRule`, `RelOptUtil.pushDownJoinConditions`. A cast of a column keeps the column's name,
//! anything else is called `$f` and its position.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind};
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    join_parts::{Reads, join_of, of_right},
    rewrite::{all_columns, names},
};
use crate::logical::{JoinNode, LogicalNode};

pub(super) struct JoinExpressions;

impl Rule for JoinExpressions {
    fn name(&self) -> &'static str {
        "join-expressions"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let (join, left, right) = join_of(node)?;
        let mut extra = Extra {
            width: u32::try_from(left.schema.len()).ok()?,
            right_width: u32::try_from(right.schema.len()).ok()?,
            left: Vec::new(),
            right: Vec::new(),
        };
        let condition = extra.taken_out(&join.condition);
        if extra.left.is_empty() && extra.right.is_empty() {
            return None;
        }
        let condition = extra.renumbered(&condition);
        let old_width = left.schema.len();
        let new_left = extended(left, extra.left, cx);
        let new_right = extended(right, extra.right, cx);
        let changed = JoinNode {
            condition,
            ..join.clone()
        };
        let wide = cx
            .builder
            .join((Rc::clone(&new_left), Rc::clone(&new_right)), changed, node.span);
        let columns = all_columns(&wide);
        let of_left = columns.iter().take(old_width);
        let of_right = columns
            .iter()
            .skip(new_left.schema.len())
            .take(if join.kind.is_semi_or_anti() {
                0
            } else {
                right.schema.len()
            });
        let expressions: Vec<Expr> = of_left.chain(of_right).cloned().gather();
        let own_names = names(node);
        Some(
            cx.builder
                .project_always(wide, expressions, &own_names, node.span),
        )
    }
}

/// Placeholders for columns that are still to be added: far above all others.
const LEFT: u32 = 1 << 30;
const RIGHT: u32 = 1 << 31;

struct Extra {
    width: u32,
    right_width: u32,
    left: Vec<Expr>,
    right: Vec<Expr>,
}

impl Extra {
    /// The condition with placeholders for operands that are computed below.
    fn taken_out(&mut self, condition: &Expr) -> Expr {
        let ExprKind::Call { function, args } = &condition.kind else {
            return condition.clone();
        };
        let args = match (function.name, args.as_slice()) {
            ("AND", parts) => parts.iter().map(|part| self.taken_out(part)).gather(),
            ("=" | "IS NOT DISTINCT FROM", [one, other]) => {
                match (Reads::of(one, self.width), Reads::of(other, self.width)) {
                    (Reads::Left, Reads::Right) | (Reads::Right, Reads::Left) => {
                        vec![self.operand(one), self.operand(other)]
                    }
                    _ => return condition.clone(),
                }
            }
            _ => return condition.clone(),
        };
        Expr {
            kind: ExprKind::Call { function, args },
            ..condition.clone()
        }
    }

    fn operand(&mut self, expr: &Expr) -> Expr {
        let is_computed = matches!(&expr.kind, ExprKind::Call { function, .. }
            if !matches!(function.name, "AND" | "OR" | "NOT" | "=" | "IS NOT DISTINCT FROM"));
        if !is_computed {
            return expr.clone();
        }
        let at = |list: &[Expr]| u32::try_from(list.len()).unwrap_or(0);
        let column = if Reads::of(expr, self.width) == Reads::Left {
            self.left.push(expr.clone());
            LEFT + at(&self.left) - 1
        } else {
            self.right.push(of_right(expr, self.width));
            RIGHT + at(&self.right) - 1
        };
        Expr::column(column, expr.data_type.clone(), expr.span)
    }

    /// The condition over the wider inputs.
    fn renumbered(&self, condition: &Expr) -> Expr {
        let added = u32::try_from(self.left.len()).unwrap_or(0);
        condition.map_columns(&mut |column| {
            if column >= RIGHT {
                self.width + added + self.right_width + (column - RIGHT)
            } else if column >= LEFT {
                self.width + (column - LEFT)
            } else if column >= self.width {
                column + added
            } else {
                column
            }
        })
    }
}

/// The input with more columns behind its own.
fn extended(input: &Rc<LogicalNode>, extra: Vec<Expr>, cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    if extra.is_empty() {
        return Rc::clone(input);
    }
    let mut given: Vec<Option<Rc<str>>> = names(input).into_iter().map(Some).gather();
    given.extend(extra.iter().map(|expr| alias(expr, input)));
    let mut expressions = all_columns(input);
    expressions.extend(extra);
    cx.builder
        .project(Rc::clone(input), expressions, &given, input.span)
}

/// The name that a cast keeps.
///
/// Calcite: `RelBuilder.inferAlias`.
pub(super) fn alias(expr: &Expr, input: &LogicalNode) -> Option<Rc<str>> {
    match &expr.kind {
        ExprKind::Column(column) => input
            .schema
            .get(*column as usize)
            .map(|field| Rc::clone(&field.name)),
        ExprKind::Call { function, args } if function.name == "CAST" => alias(args.first()?, input),
        _ => None,
    }
}
