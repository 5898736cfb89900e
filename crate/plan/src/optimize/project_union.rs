//! A projection above a UNION ALL goes into each input, and before they are rewritten, one above INTERSECT ALL and
//! EXCEPT ALL as well, though rows that differ are the same without a column: Flink counts them so.
//!
//! Flink: Calcite's `ProjectSetOpTransposeRule`. Cases: wm/current-watermark-goes-below-a-union,
//! setop/column-of-intersect-all.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Kinds, Rule, RuleContext, rewrite::names};
use crate::logical::{LogicalNode, LogicalOp, ProjectNode, SetOpNode, UnionNode, is_identity};

pub(super) struct ProjectBelowUnion;

pub(super) struct ProjectBelowSetOperation;

impl Rule for ProjectBelowSetOperation {
    fn name(&self) -> &'static str {
        "project-below-set-operation"
    }

    fn needs(&self) -> Kinds {
        Kinds::SET_OPERATION
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let of_all = |op: &LogicalOp| matches!(op, LogicalOp::SetOp(SetOpNode { all: true, .. }));
        below(node, of_all, cx)
    }
}

impl Rule for ProjectBelowUnion {
    fn name(&self) -> &'static str {
        "project-below-union"
    }

    fn needs(&self) -> Kinds {
        Kinds::UNION
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        below(
            node,
            |op| matches!(op, LogicalOp::Union(UnionNode { all: true })),
            cx,
        )
    }
}

fn below(
    node: &Rc<LogicalNode>,
    transposes: impl Fn(&LogicalOp) -> bool,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let LogicalOp::Project(ProjectNode { expressions }) = &node.op else {
        return None;
    };
    let union = node.inputs.first()?;
    if !transposes(&union.op) || is_identity(expressions, union) {
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
            .node(union.op.clone(), inputs, node.schema.to_vec(), union.span),
    )
}
