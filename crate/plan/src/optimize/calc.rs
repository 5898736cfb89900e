//! A filter above a projection goes below it, so that both are one Calc.
//!
//! Flink: `FlinkCalcMergeRule`.

use std::rc::Rc;

use super::{Rule, RuleContext, filter_merge::MergeFilters, filter_project::FilterBelowProject};
use crate::logical::LogicalNode;

pub(super) struct CalcOrder;

impl Rule for CalcOrder {
    fn name(&self) -> &'static str {
        "calc-order"
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        FilterBelowProject
            .apply(node, cx)
            .or_else(|| MergeFilters.apply(node, cx))
    }
}
