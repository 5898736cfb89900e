//! The condition of a join is simplified; a column that is one constant below is that constant in it.
//!
//! Flink: `SimplifyJoinConditionRule`, Calcite's `JoinReduceExpressionsRule`. A constant part of ON stays a condition of
//! its own, so that ON FALSE leaves no rows of the other side.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind, simplify};
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    constant_column::constants,
    join_parts::join_of,
    rewrite::{columns_of, conjunction, conjuncts, substitute, with_inputs},
};
use crate::{
    logical::{JoinNode, LogicalNode, LogicalOp, always, condition_fields, is_always, same_expression},
    physical::join::EquiKeys,
};

pub(super) struct SimplifyJoinCondition;

impl Rule for SimplifyJoinCondition {
    fn name(&self) -> &'static str {
        "simplify-join-condition"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let (join, left, right) = join_of(node)?;
        if is_always(&join.condition) {
            return None;
        }
        let fields = condition_fields(&left.schema, &right.schema);
        let known = constants(left).into_iter().chain(constants(right));
        let replacements: Vec<Expr> = (0_u32..)
            .zip(fields.iter().zip(known))
            .map(|(at, (field, constant))| {
                constant.unwrap_or_else(|| Expr::column(at, field.data_type.clone(), node.span))
            })
            .gather();
        let width = u32::try_from(left.schema.len()).ok()?;
        let parts: Vec<Expr> = conjuncts(&join.condition)
            .iter()
            .map(|part| with_constants(part, &replacements))
            .map(|part| collapsed(&part, width))
            .gather();
        // this equality is no business of the simplifier, which would spell it out; it stays where it is
        let is_kept = |part: &Expr| matches!(&part.kind, ExprKind::Call { function, .. } if function.name == "IS NOT DISTINCT FROM");
        let rest: Vec<Expr> = parts.iter().filter(|part| !is_kept(part)).cloned().gather();
        let count = rest.len();
        let rest = conjunction(&rest).map(simplify).filter(|rest| !is_always(rest));
        let mut rest: Vec<Expr> = rest.iter().flat_map(conjuncts).gather();
        let all: Vec<Expr> = if rest.len() == count {
            let mut rest = rest.into_iter();
            let all = parts.into_iter().map(|part| {
                if is_kept(&part) {
                    part
                } else {
                    rest.next().unwrap_or(part)
                }
            });
            all.gather()
        } else {
            let mut all: Vec<Expr> = parts.into_iter().filter(is_kept).gather();
            all.append(&mut rest);
            all
        };
        let condition = conjunction(&all).unwrap_or_else(|| always(node.span));
        if same_expression(&condition, &join.condition) {
            return None;
        }
        let changed = LogicalNode {
            op: LogicalOp::Join(JoinNode {
                condition,
                ..join.clone()
            }),
            ..(**node).clone()
        };
        Some(with_inputs(&changed, node.inputs.clone()))
    }
}

/// The condition with constants for columns that always have the same value.
fn with_constants(condition: &Expr, replacements: &[Expr]) -> Expr {
    let reads_constant = columns_of([condition]).iter().any(|&column| {
        replacements
            .get(column as usize)
            .is_some_and(|with| with.as_column().is_none())
    });
    if reads_constant {
        substitute(condition, replacements)
    } else {
        condition.clone()
    }
}

/// `a = b OR (a IS NULL AND b IS NULL)` as `IS NOT DISTINCT FROM`.
///
/// Calcite: `RelOptUtil.collapseExpandedIsNotDistinctFromExpr`.
#[inline(never)]
fn collapsed(condition: &Expr, width: u32) -> Expr {
    let ExprKind::Call { function, args } = &condition.kind else {
        return condition.clone();
    };
    if function.name != "OR" {
        return condition.clone();
    }
    let (keys, rest) = EquiKeys::split(condition, width);
    let equality = args.iter().find_map(|arg| match &arg.kind {
        ExprKind::Call { function, args } if function.name == "=" => Some(args.clone()),
        ExprKind::Call { function, args } if function.name == "IS TRUE" => match &args.first()?.kind {
            ExprKind::Call { function, args } if function.name == "=" => Some(args.clone()),
            _ => None,
        },
        _ => None,
    });
    match equality {
        Some(args) if rest.is_empty() && keys.filter_nulls == [false] => {
            let mut diags = sg_diag::Diagnostics::new();
            sg_expr::resolve_call("IS NOT DISTINCT FROM", args, condition.span, &mut diags)
        }
        _ => condition.clone(),
    }
}
