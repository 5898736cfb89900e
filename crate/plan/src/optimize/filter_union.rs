//! A filter above a UNION ALL goes into each input.
//!
//! Flink: Calcite's `FilterSetOpTransposeRule`.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Kinds, Rule, RuleContext, rewrite::with_inputs};
use crate::logical::{LogicalNode, LogicalOp};

pub(super) struct FilterBelowUnion;

impl Rule for FilterBelowUnion {
    fn name(&self) -> &'static str {
        "filter-below-union"
    }

    fn needs(&self) -> Kinds {
        Kinds::UNION.or(Kinds::SET_OPERATION)
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Filter(filter) = &node.op else {
            return None;
        };
        let union = node.inputs.first()?;
        let (LogicalOp::Union(_) | LogicalOp::SetOp(_)) = union.op else {
            return None;
        };
        let inputs = union
            .inputs
            .iter()
            .map(|input| {
                cx.builder
                    .filter(Rc::clone(input), filter.condition.clone(), node.span)
            })
            .gather();
        Some(with_inputs(union, inputs))
    }
}
