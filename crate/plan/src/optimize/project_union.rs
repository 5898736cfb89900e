//! A projection above a UNION ALL goes into each input.
//!
//! Flink: Calcite's `ProjectSetOpTransposeRule`. Case: wm/current-watermark-goes-below-a-union.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Kinds, Rule, RuleContext, rewrite::names};
use crate::logical::{LogicalNode, LogicalOp, ProjectNode, UnionNode, is_identity};

pub(super) struct ProjectBelowUnion;

impl Rule for ProjectBelowUnion {
    fn name(&self) -> &'static str {
        "project-below-union"
    }

    fn needs(&self) -> Kinds {
        Kinds::UNION
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(ProjectNode { expressions }) = &node.op else {
            return None;
        };
        let union = node.inputs.first()?;
        let LogicalOp::Union(UnionNode { all: true }) = union.op else {
            return None;
        };
        if is_identity(expressions, union) {
            return None;
        }
        let names = names(node);
        let inputs = union
            .inputs
            .iter()
            .map(|input| {
                cx.builder
                    .project_always(Rc::clone(input), expressions.clone(), &names, node.span)
            })
            .gather();
        Some(
            cx.builder
                .union(inputs, node.schema.to_vec(), UnionNode { all: true }, union.span),
        )
    }
}
