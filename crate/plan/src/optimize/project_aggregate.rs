//! Aggregate calls that nobody reads are not computed; the projection below keeps their arguments.
//!
//! Flink: Calcite's `ProjectAggregateMergeRule`.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{columns_of, positions, renumber, with_inputs},
};
use crate::logical::{FilterNode, LogicalNode, LogicalOp, ProjectNode};

pub(super) struct UnusedAggregates;

impl Rule for UnusedAggregates {
    fn name(&self) -> &'static str {
        "unused-aggregates"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let (filter, grouped) = match &below.op {
            LogicalOp::Filter(filter) => (Some(filter), below.inputs.first()?),
            _ => (None, below),
        };
        let LogicalOp::Aggregate(aggregate) = &grouped.op else {
            return None;
        };
        let read = columns_of(
            project
                .expressions
                .iter()
                .chain(filter.map(|filter| &filter.condition)),
        );
        let keys = aggregate.keys.len();
        let width = grouped.schema.len();
        let kept: Vec<u32> = (0_u32..)
            .take(width)
            .filter(|column| (*column as usize) < keys || read.contains(column))
            .gather();
        if kept.len() == width {
            return None;
        }
        let mut fewer = aggregate.clone();
        fewer.calls = kept
            .iter()
            .filter_map(|&column| (column as usize).checked_sub(keys))
            .filter_map(|at| aggregate.calls.get(at).cloned())
            .gather();
        let positions = positions(&kept, width);
        let mut input = with_inputs(
            &LogicalNode {
                op: LogicalOp::Aggregate(fewer),
                ..(**grouped).clone()
            },
            grouped.inputs.clone(),
        );
        if let Some(filter) = filter {
            let condition = renumber(&filter.condition, &positions);
            let filtered = LogicalNode {
                op: LogicalOp::Filter(FilterNode { condition }),
                ..(**below).clone()
            };
            input = with_inputs(&filtered, vec![input]);
        }
        let expressions: Vec<Expr> = project
            .expressions
            .iter()
            .map(|expr| renumber(expr, &positions))
            .gather();
        let changed = LogicalNode {
            op: LogicalOp::Project(ProjectNode { expressions }),
            ..(**node).clone()
        };
        Some(with_inputs(&changed, vec![input]))
    }
}
