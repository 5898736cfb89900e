//! UNION is UNION ALL whose rows are grouped by all columns.
//!
//! Flink: Calcite's `UnionToDistinctRule`.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Kinds, Rule, RuleContext};
use crate::logical::{AggregateNode, AggregateStage, LogicalNode, LogicalOp, UnionNode};

pub(super) struct UnionDistinct;

impl Rule for UnionDistinct {
    fn name(&self) -> &'static str {
        "union-distinct"
    }

    fn needs(&self) -> Kinds {
        Kinds::UNION
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Union(UnionNode { all: false }) = node.op else {
            return None;
        };
        let all = Rc::new(LogicalNode {
            op: LogicalOp::Union(UnionNode { all: true }),
            ..(**node).clone()
        });
        let count = u32::try_from(node.schema.len()).unwrap_or(u32::MAX);
        let keys: Vec<u32> = (0..count).gather();
        let aggregate = AggregateNode {
            sets: vec![keys.clone()],
            keys,
            calls: Vec::new(),
            ttl_hint: None,
            stage: AggregateStage::Whole,
        };
        Some(cx.builder.aggregate(all, aggregate, node.span))
    }
}
