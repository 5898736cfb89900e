//! `(t1.a = 1 AND t2.b = 2) OR (t1.a = 3 AND t2.b = 4)` also says `t1.a IN (1, 3)` and `t2.b IN (2, 4)`.
//!
//! Flink: `JoinDependentConditionDerivationRule`, for inner joins.

use std::rc::Rc;

use sg_diag::Diagnostics;
use sg_expr::{Expr, ExprKind, resolve_call};
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    join_parts::{Reads, join_of},
    rewrite::{conjunction, conjuncts, with_inputs},
};
use crate::logical::{JoinKind, JoinNode, LogicalNode, LogicalOp, same_expression};

pub(super) struct DerivedConditions;

impl Rule for DerivedConditions {
    fn name(&self) -> &'static str {
        "derived-conditions"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let (join, left, _) = join_of(node)?;
        if join.kind != JoinKind::Inner {
            return None;
        }
        let width = u32::try_from(left.schema.len()).ok()?;
        let own = conjuncts(&join.condition);
        let mut derived: Vec<Expr> = Vec::new();
        for condition in &own {
            for side in [Reads::Left, Reads::Right] {
                if let Some(more) = of_side(condition, side, width)
                    && !derived
                        .iter()
                        .chain(&own)
                        .any(|known| same_expression(known, &more))
                {
                    derived.push(more);
                }
            }
        }
        if derived.is_empty() {
            return None;
        }
        let all: Vec<Expr> = own.into_iter().chain(derived).gather();
        let condition = conjunction(&all)?;
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

/// What a disjunction over both sides says about one side: something in each branch, or nothing.
fn of_side(condition: &Expr, side: Reads, width: u32) -> Option<Expr> {
    let ExprKind::Call { function, args } = &condition.kind else {
        return None;
    };
    if function.name != "OR" || Reads::of(condition, width) != Reads::Both {
        return None;
    }
    let branches: Vec<Expr> = args
        .iter()
        .map(|branch| {
            let parts = conjuncts(branch);
            let of_side: Vec<Expr> = parts
                .into_iter()
                .filter(|part| Reads::of(part, width) == side)
                .gather();
            conjunction(&of_side)
        })
        .gather::<Option<_>>()?;
    let derived = resolve_call("OR", branches, condition.span, &mut Diagnostics::new());
    Some(derived)
}
