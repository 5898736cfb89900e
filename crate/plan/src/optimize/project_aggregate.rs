//! Aggregate calls that nobody reads are not computed; the projection below keeps their arguments.
//!
//! Flink: Calcite's `ProjectAggregateMergeRule`, Flink's `PruneAggregateCallRule`. Calls without a name are numbered anew; the
//! bounds of a group window stay. Cases: group-agg/unnamed-calls-are-numbered-anew, group-window/calls-that-nobody-reads.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::{Field, Gather as _};

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{columns_of, positions, renumber, with_inputs},
};
use crate::logical::{FilterNode, LogicalNode, LogicalOp, ProjectNode};

/// Whether a call has no name but the number of its column: it follows the column.
pub(super) fn is_numbered(name: &str, column: u32) -> bool {
    name.strip_prefix("$f").and_then(|number| number.parse().ok()) == Some(column)
}

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
        let (keys, calls) = match &grouped.op {
            LogicalOp::Aggregate(aggregate) => (aggregate.keys.len(), &aggregate.calls),
            LogicalOp::GroupWindow(window) => (window.keys.len(), &window.calls),
            _ => return None,
        };
        let read = columns_of(
            project
                .expressions
                .iter()
                .chain(filter.map(|filter| &filter.condition)),
        );
        let width = grouped.schema.len();
        let is_call = |column: u32| (keys..keys + calls.len()).contains(&(column as usize));
        let kept: Vec<u32> = (0_u32..)
            .take(width)
            .filter(|column| !is_call(*column) || read.contains(column))
            .gather();
        if kept.len() == width {
            return None;
        }
        let mut schema: Vec<Field> = kept
            .iter()
            .filter_map(|column| grouped.schema.get(*column as usize).cloned())
            .gather();
        let mut fewer = Vec::with_capacity(calls.len());
        for (&column, (place, field)) in kept.iter().zip((0..).zip(&mut schema)) {
            let Some(call) = (column as usize).checked_sub(keys).and_then(|at| calls.get(at)) else {
                continue;
            };
            let mut call = call.clone();
            if is_numbered(&call.name, column) {
                call.name = Rc::from(format!("$f{place}"));
                field.name = Rc::clone(&call.name);
            }
            fewer.push(call);
        }
        let mut op = grouped.op.clone();
        match &mut op {
            LogicalOp::Aggregate(aggregate) => aggregate.calls = fewer,
            LogicalOp::GroupWindow(window) => window.calls = fewer,
            _ => {}
        }
        let positions = positions(&kept, width);
        let mut input = with_inputs(
            &LogicalNode {
                op,
                schema: Rc::from(schema),
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
