//! A projection that gives its input's columns in order is no node; names that only it has are lost.
//!
//! Flink: Calcite's `ProjectRemoveRule`. Case: statements/view-with-column-names.

use std::rc::Rc;

use super::{Rule, RuleContext};
use crate::logical::{LogicalNode, LogicalOp, is_identity};

pub(super) struct RemoveProject;

impl Rule for RemoveProject {
    fn name(&self) -> &'static str {
        "remove-project"
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let input = node.inputs.first()?;
        is_identity(&project.expressions, input).then(|| Rc::clone(input))
    }
}
