//! The constant that stands for a row without columns below `COUNT(*)` is not computed; if a filter is below, only
//! the columns that it reads reach it.
//!
//! Flink: Calcite's `RelBuilder` prunes the input of an aggregation after `ProjectFilterTransposeRule`.
//! Cases: statements/nested-subqueries, statements/scalar-subquery-in-select.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    Rule, RuleContext,
    rewrite::{all_columns, columns_of, names, positions, renumber, with_inputs},
};
use crate::logical::{FilterNode, LogicalNode, LogicalOp};

pub(super) struct AggregateInput;

impl Rule for AggregateInput {
    fn name(&self) -> &'static str {
        "aggregate-input"
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let reads_nothing = aggregate.keys.is_empty()
            && aggregate
                .calls
                .iter()
                .all(|call| call.args.is_empty() && call.filter.is_none());
        let below = node.inputs.first()?;
        let LogicalOp::Project(project) = &below.op else {
            return None;
        };
        let is_constant = project.expressions.iter().all(|expr| expr.as_literal().is_some());
        if !reads_nothing || !is_constant {
            return None;
        }
        let input = below.inputs.first()?;
        if matches!(input.op, LogicalOp::Join(_)) {
            return None;
        }
        let narrow = match &input.op {
            LogicalOp::Filter(filter) => filtered(input, filter, cx).unwrap_or_else(|| Rc::clone(input)),
            _ => Rc::clone(input),
        };
        Some(with_inputs(node, vec![narrow]))
    }
}

/// The filter over just the columns that it reads.
fn filtered(
    node: &Rc<LogicalNode>,
    filter: &FilterNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let input = node.inputs.first()?;
    let kept = columns_of([&filter.condition]);
    if kept.is_empty() || kept.len() == input.schema.len() {
        return None;
    }
    let columns = all_columns(input);
    let expressions: Vec<Expr> = kept
        .iter()
        .filter_map(|&column| columns.get(column as usize).cloned())
        .gather();
    let all_names = names(input);
    let kept_names: Vec<Rc<str>> = kept
        .iter()
        .filter_map(|&column| all_names.get(column as usize).map(Rc::clone))
        .gather();
    let narrow = cx
        .builder
        .project_always(Rc::clone(input), expressions, &kept_names, node.span);
    let condition = renumber(&filter.condition, &positions(&kept, input.schema.len()));
    Some(cx.builder.filter(narrow, condition, node.span))
}
