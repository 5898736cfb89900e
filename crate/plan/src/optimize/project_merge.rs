//! Two projections are one.
//!
//! Flink: Calcite's `ProjectMergeRule`; not where the upper one would compute a volatile expression twice.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    Rule, RuleContext,
    rewrite::{is_volatile, reads, substitute, with_inputs},
};
use crate::logical::{LogicalNode, LogicalOp, ProjectNode};

pub(super) struct MergeProjects;

impl Rule for MergeProjects {
    fn name(&self) -> &'static str {
        "merge-projects"
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(upper) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let LogicalOp::Project(lower) = &below.op else {
            return None;
        };
        let counts = reads(&upper.expressions, lower.expressions.len());
        let twice = lower
            .expressions
            .iter()
            .zip(counts)
            .any(|(expr, count)| count > 1 && is_volatile(expr));
        if twice {
            return None;
        }
        let expressions: Vec<Expr> = upper
            .expressions
            .iter()
            .map(|expr| substitute(expr, &lower.expressions))
            .gather();
        let merged = LogicalNode {
            op: LogicalOp::Project(ProjectNode { expressions }),
            ..(**node).clone()
        };
        Some(with_inputs(&merged, below.inputs.clone()))
    }
}
