//! Conditions of HAVING that read group keys only are tested before grouping.
//!
//! Flink: Calcite's `FilterAggregateTransposeRule`; a key has to be in every grouping set.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{columns_of, conjunction, conjuncts, is_volatile, with_inputs},
};
use crate::logical::{LogicalNode, LogicalOp};

pub(super) struct FilterBelowAggregate;

impl Rule for FilterBelowAggregate {
    fn name(&self) -> &'static str {
        "filter-below-aggregate"
    }

    fn needs(&self) -> Kinds {
        Kinds::FILTER
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Filter(filter) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let (keys, sets) = match &below.op {
            LogicalOp::Aggregate(aggregate) => (&aggregate.keys, aggregate.sets.as_slice()),
            LogicalOp::GroupWindow(window) => (&window.keys, &[][..]),
            _ => return None,
        };
        let (down, up): (Vec<Expr>, Vec<Expr>) = conjuncts(&filter.condition)
            .into_iter()
            .partition(|condition| on_keys(condition, keys, sets));
        let down: Vec<Expr> = down
            .iter()
            .map(|condition| {
                condition.map_columns(&mut |column| keys.get(column as usize).copied().unwrap_or(u32::MAX))
            })
            .gather();
        let condition = conjunction(&down)?;
        let input = below.inputs.first().map(Rc::clone)?;
        let filtered = cx.builder.filter(input, condition, node.span);
        let grouped = with_inputs(below, vec![filtered]);
        Some(match conjunction(&up) {
            Some(condition) => cx.builder.filter(grouped, condition, node.span),
            None => grouped,
        })
    }
}

fn on_keys(condition: &Expr, keys: &[u32], sets: &[Vec<u32>]) -> bool {
    let columns = columns_of([condition]);
    let is_key =
        |column: &u32| (*column as usize) < keys.len() && sets.iter().all(|set| set.contains(column));
    !columns.is_empty() && columns.iter().all(is_key) && !is_volatile(condition)
}
