//! A filter goes below a projection: its condition over the projected expressions.
//!
//! Flink: Calcite's `FilterProjectTransposeRule`; not where an expression gives another value each time.

use std::rc::Rc;

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{columns_of, is_volatile, substitute, with_inputs},
};
use crate::logical::{LogicalNode, LogicalOp};

pub(super) struct FilterBelowProject;

impl Rule for FilterBelowProject {
    fn name(&self) -> &'static str {
        "filter-below-project"
    }

    fn needs(&self) -> Kinds {
        Kinds::FILTER
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Filter(filter) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let LogicalOp::Project(project) = &below.op else {
            return None;
        };
        let reads_volatile = columns_of([&filter.condition])
            .iter()
            .any(|&column| project.expressions.get(column as usize).is_some_and(is_volatile));
        if reads_volatile {
            return None;
        }
        let condition = substitute(&filter.condition, &project.expressions);
        let input = below.inputs.first().map(Rc::clone)?;
        let filtered = cx.builder.filter(input, condition, node.span);
        Some(with_inputs(below, vec![filtered]))
    }
}
