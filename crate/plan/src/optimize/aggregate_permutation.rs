//! A projection that only puts all columns into another order is no use below an aggregation, which reads by number.
//!
//! Flink: Calcite's `AggregateProjectMergeRule`; with fewer columns the projection is cheaper and stays.
//! Case: statements/datagen-sequences.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Rule, RuleContext, rewrite::with_inputs};
use crate::logical::{AggregateNode, LogicalNode, LogicalOp};

pub(super) struct AggregateOverPermutation;

impl Rule for AggregateOverPermutation {
    fn name(&self) -> &'static str {
        "aggregate-over-permutation"
    }

    fn apply(&self, node: &Rc<LogicalNode>, _: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let LogicalOp::Project(project) = &below.op else {
            return None;
        };
        let input = below.inputs.first()?;
        // a scan can be read as it is; above other nodes names would be lost
        if !matches!(input.op, LogicalOp::Scan(_) | LogicalOp::Watermark(_)) || aggregate.sets.len() != 1 {
            return None;
        }
        let columns: Vec<u32> = project
            .expressions
            .iter()
            .map(sg_expr::Expr::as_column)
            .gather::<Option<_>>()?;
        let mut sorted = columns.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let same_names = columns.iter().zip(below.schema.iter()).all(|(&column, field)| {
            input
                .schema
                .get(column as usize)
                .is_some_and(|own| own.name == field.name)
        });
        if sorted.len() != input.schema.len() || columns.len() != sorted.len() || !same_names {
            return None;
        }
        let moved = |column: u32| columns.get(column as usize).copied();
        let mut calls = aggregate.calls.clone();
        for call in &mut calls {
            for arg in &mut call.args {
                *arg = moved(*arg)?;
            }
            call.filter = match call.filter {
                Some(filter) => Some(moved(filter)?),
                None => None,
            };
        }
        let keys = aggregate
            .keys
            .iter()
            .map(|&key| moved(key))
            .gather::<Option<_>>()?;
        let op = LogicalOp::Aggregate(AggregateNode {
            keys,
            calls,
            ..aggregate.clone()
        });
        Some(with_inputs(
            &LogicalNode {
                op,
                ..(**node).clone()
            },
            vec![Rc::clone(input)],
        ))
    }
}
