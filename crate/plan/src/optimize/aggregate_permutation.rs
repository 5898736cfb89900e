//! A projection that only puts all columns into another order is no use below an aggregation, which reads by number: its
//! keys come in the order of the input, and a projection above puts them back.
//!
//! Flink: Calcite's `AggregateProjectMergeRule`; with fewer columns the projection is cheaper and stays.
//! Cases: statements/datagen-sequences, group-agg/keys-in-another-order, group-agg/rollup-in-another-order.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::{Gather as _, sorted::sorted_numbers};

use super::{Kinds, Rule, RuleContext, rewrite::names};
use crate::{
    bind::set_order,
    logical::{AggregateNode, LogicalNode, LogicalOp, is_identity},
};

/// With `true` only for grouping sets, before they are expanded.
pub(super) struct AggregateOverPermutation(pub(super) bool);

impl Rule for AggregateOverPermutation {
    fn name(&self) -> &'static str {
        "aggregate-over-permutation"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        if self.0 != (aggregate.sets.len() > 1) {
            return None;
        }
        let below = node.inputs.first()?;
        let LogicalOp::Project(project) = &below.op else {
            return None;
        };
        let input = below.inputs.first()?;
        let columns: Vec<u32> = project
            .expressions
            .iter()
            .map(Expr::as_column)
            .gather::<Option<_>>()?;
        let width = input.schema.len();
        if columns.len() != width || sorted_numbers(columns.iter().copied()).len() != width {
            return None;
        }
        let moved = |column: u32| columns.get(column as usize).copied();
        let keys: Vec<u32> = aggregate
            .keys
            .iter()
            .map(|&key| moved(key))
            .gather::<Option<_>>()?;
        let sorted = sorted_numbers(keys.iter().copied());
        // where a key comes to lie
        let place = |at: u32| {
            let key = keys.get(at as usize)?;
            u32::try_from(sorted.iter().position(|other| other == key)?).ok()
        };
        let mut sets: Vec<Vec<u32>> = aggregate
            .sets
            .iter()
            .map(|set| sorted_numbers(set.iter().filter_map(|&at| place(at))))
            .gather();
        sets.sort_by(|left, right| set_order(left, right));
        let mut calls = aggregate.calls.clone();
        for call in &mut calls {
            let grouping = call.function.name == "GROUPING";
            for arg in &mut call.args {
                *arg = if grouping { place(*arg) } else { moved(*arg) }?;
            }
            if let Some(filter) = &mut call.filter {
                *filter = moved(*filter)?;
            }
        }
        let restored: Vec<Expr> = (0_u32..)
            .zip(node.schema.iter())
            .map(|(at, field)| Expr::column(place(at).unwrap_or(at), field.data_type.clone(), node.span))
            .gather();
        let op = AggregateNode {
            keys: sorted,
            sets,
            calls,
            ..aggregate.clone()
        };
        let merged = cx.builder.aggregate(Rc::clone(input), op, node.span);
        if is_identity(&restored, &merged) {
            return Some(merged);
        }
        Some(
            cx.builder
                .project_always(merged, restored, &names(node), node.span),
        )
    }
}
