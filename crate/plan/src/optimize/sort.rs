//! Sorting and limiting: what happens to them before they are planned.
//!
//! Flink: Calcite's `SortProjectTransposeRule`, chosen by cost where fewer rows are left to project, and
//! `PruneEmptyRules.SORT_FETCH_ZERO_INSTANCE`. Cases: topn/order-by-limit, select/limit-*.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Kinds, Rule, RuleContext, rewrite::with_inputs};
use crate::logical::{LogicalNode, LogicalOp, SortColumn, SortNode, ValuesNode};

/// LIMIT 0 is no rows.
pub(super) struct LimitZero;

impl Rule for LimitZero {
    fn name(&self) -> &'static str {
        "limit-zero"
    }

    fn needs(&self) -> Kinds {
        Kinds::SORT
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Sort(sort) = &node.op else {
            return None;
        };
        (sort.fetch == Some(0)).then(|| {
            cx.builder
                .values(ValuesNode { rows: Vec::new() }, node.schema.to_vec(), node.span)
        })
    }
}

/// What is limited is projected afterwards.
pub(super) struct LimitBelowProject;

impl Rule for LimitBelowProject {
    fn name(&self) -> &'static str {
        "limit-below-project"
    }

    fn needs(&self) -> Kinds {
        Kinds::SORT
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Sort(sort) = &node.op else {
            return None;
        };
        sort.fetch.or(sort.offset)?;
        let projected = node.inputs.first()?;
        let LogicalOp::Project(project) = &projected.op else {
            return None;
        };
        let input = projected.inputs.first()?;
        // where a Calc stands below anyway, another one above is no gain
        if matches!(input.op, LogicalOp::Filter(_) | LogicalOp::Project(_)) {
            return None;
        }
        let order = sort
            .order
            .iter()
            .map(|key| {
                Some(SortColumn {
                    column: project.expressions.get(key.column as usize)?.as_column()?,
                    ..*key
                })
            })
            .gather::<Option<Vec<_>>>()?;
        let sort = LogicalNode {
            op: LogicalOp::Sort(SortNode {
                order,
                ..sort.clone()
            }),
            ..(**node).clone()
        };
        let sorted = with_inputs(&sort, vec![Rc::clone(input)]);
        Some(with_inputs(projected, vec![sorted]))
    }
}
