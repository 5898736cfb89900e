//! An aggregation without keys over no rows is one row: 0 for COUNT, NULL for the rest.
//!
//! Flink: Calcite's `AggregateValuesRule`. It is the only way to see a COUNT of 0: without rows at run time nothing
//! is emitted.

use std::rc::Rc;

use sg_value::{Field, Gather as _, Row, Value};

use super::{Kinds, Rule, RuleContext, filter_constant::is_empty};
use crate::logical::{LogicalNode, LogicalOp, ValuesNode};

pub(super) struct AggregateOfNothing;

impl Rule for AggregateOfNothing {
    fn name(&self) -> &'static str {
        "aggregate-of-nothing"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let mut below = node.inputs.first()?;
        while let LogicalOp::Project(_) = below.op {
            below = below.inputs.first()?;
        }
        if !is_empty(below) || !aggregate.keys.is_empty() {
            return None;
        }
        let cells: Option<Vec<Value>> = aggregate
            .calls
            .iter()
            .map(|call| match call.function.name {
                "COUNT" | "$SUM0" => Some(Value::Int(0)),
                "SUM" | "MIN" | "MAX" => Some(Value::Null),
                _ => None,
            })
            .gather();
        let row: Row = Rc::from(cells?);
        let schema: Vec<Field> = node.schema.to_vec();
        Some(
            cx.builder
                .values(ValuesNode { rows: vec![row] }, schema, node.span),
        )
    }
}
