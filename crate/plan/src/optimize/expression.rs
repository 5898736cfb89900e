//! Constant parts of expressions are computed, conditions simplified.
//!
//! Flink: `ReduceExpressionsRule` and `RexSimplify`; what that means for an expression is the expression crate's
//! business.

use std::rc::Rc;

use sg_expr::{Expr, fold, simplify};
use sg_value::Gather as _;

use super::{Rule, RuleContext};
use crate::logical::{FilterNode, LogicalNode, LogicalOp, ProjectNode, same_expression};

pub(super) struct SimplifyExpressions;

impl Rule for SimplifyExpressions {
    fn name(&self) -> &'static str {
        "simplify-expressions"
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let op = match &node.op {
            LogicalOp::Project(project) => {
                let folded: Vec<Expr> = project.expressions.iter().map(|expr| fold(expr.clone())).gather();
                let changed = folded
                    .iter()
                    .zip(&project.expressions)
                    .any(|(new, old)| !same_expression(new, old));
                changed.then_some(LogicalOp::Project(ProjectNode { expressions: folded }))?
            }
            LogicalOp::Filter(filter) => {
                let condition = simplify(filter.condition.clone());
                (!same_expression(&condition, &filter.condition))
                    .then_some(LogicalOp::Filter(FilterNode { condition }))?
            }
            _ => return None,
        };
        let changed = LogicalNode {
            op,
            ..(**node).clone()
        };
        Some(super::rewrite::with_inputs(&changed, node.inputs.clone()))
    }
}
