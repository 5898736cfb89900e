//! Two filters are one; the lower condition comes first.
//!
//! Flink: Calcite's `FilterMergeRule`. Case: select/view-on-view-and-with.

use std::rc::Rc;

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{conjunction, with_inputs},
};
use crate::logical::{FilterNode, LogicalNode, LogicalOp};

pub(super) struct MergeFilters;

impl Rule for MergeFilters {
    fn name(&self) -> &'static str {
        "merge-filters"
    }

    fn needs(&self) -> Kinds {
        Kinds::FILTER
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Filter(upper) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let LogicalOp::Filter(lower) = &below.op else {
            return None;
        };
        let condition = conjunction(&[lower.condition.clone(), upper.condition.clone()])?;
        let merged = LogicalNode {
            op: LogicalOp::Filter(FilterNode { condition }),
            ..(**node).clone()
        };
        Some(with_inputs(&merged, below.inputs.clone()))
    }
}
