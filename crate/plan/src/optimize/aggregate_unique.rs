//! Grouping by a key that is unique already is a projection.
//!
//! Flink: `FlinkAggregateRemoveRule`; for functions that give a single value back. Cases:
//! group-agg/grouping-by-a-unique-key-is-removed.

use std::rc::Rc;

use sg_expr::{Expr, cast_exactly};
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, names},
};
use crate::logical::{LogicalNode, LogicalOp, unique_keys, unique_names};

pub(super) struct UniqueGroups;

impl Rule for UniqueGroups {
    fn name(&self) -> &'static str {
        "unique-groups"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let plain = matches!(aggregate.sets.as_slice(), [set] if set.len() == aggregate.keys.len());
        if !plain || aggregate.keys.is_empty() {
            return None;
        }
        let gives_back = aggregate
            .calls
            .iter()
            .all(|call| matches!(call.function.name, "SUM" | "MIN" | "MAX") && call.filter.is_none());
        let input = node.inputs.first()?;
        let unique = || {
            unique_keys(input)
                .iter()
                .any(|key| key.iter().all(|column| aggregate.keys.contains(column)))
        };
        if !gives_back || !unique() {
            return None;
        }
        let all = all_columns(input);
        let column = |at: u32| all.get(at as usize).cloned();
        let mut expressions: Vec<Expr> = aggregate
            .keys
            .iter()
            .map(|key| column(*key))
            .gather::<Option<_>>()?;
        for call in &aggregate.calls {
            let value = column(*call.args.first()?)?;
            expressions.push(if value.data_type == call.data_type {
                value
            } else {
                cast_exactly(value, &call.data_type)
            });
        }
        let own = names(input);
        let names: Vec<Option<Rc<str>>> = expressions
            .iter()
            .map(|expr| own.get(expr.as_column()? as usize).cloned())
            .gather();
        Some(
            cx.builder
                .project_always(Rc::clone(input), expressions, &unique_names(&names), node.span),
        )
    }
}
