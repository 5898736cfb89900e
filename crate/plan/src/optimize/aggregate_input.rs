//! `COUNT(*)` needs no column: it reads a 0 in place of several columns, the only column as it is, and behind a filter
//! the column that the filter reads if that is no wider than the 0.
//!
//! Flink: Calcite's `RelBuilder` prunes the input of an aggregation; behind a filter `ProjectFilterTransposeRule` offers
//! its column, and the cheaper row to exchange wins.
//! Cases: group-agg/count-of-*, statements/nested-subqueries, statements/scalar-subquery-in-select.

use std::rc::Rc;

use sg_expr::{AggregateCall, Expr};
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, columns_of, names, positions, renumber, with_inputs},
};
use crate::logical::{FilterNode, LogicalNode, LogicalOp, same_expression};

pub(super) struct AggregateInput;

impl Rule for AggregateInput {
    fn name(&self) -> &'static str {
        "aggregate-input"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let reads = |call: &AggregateCall| !call.args.is_empty() || call.filter.is_some();
        let below = node.inputs.first()?;
        let LogicalOp::Project(project) = &below.op else {
            return None;
        };
        if !aggregate.keys.is_empty() || aggregate.calls.iter().any(reads) {
            return None;
        }
        let input = below.inputs.first()?;
        if input.schema.len() == 1 {
            return Some(with_inputs(node, vec![Rc::clone(input)]));
        }
        if let LogicalOp::Filter(filter) = &input.op
            && let Some(narrow) = filtered(input, filter, cx)
        {
            return Some(with_inputs(node, vec![narrow]));
        }
        let zero = Expr::literal(Value::Int(0), DataType::not_null(TypeKind::Int), below.span);
        if matches!(project.expressions.as_slice(), [only] if same_expression(only, &zero)) {
            return None;
        }
        let nothing = cx
            .builder
            .project_always(Rc::clone(input), vec![zero], &[Rc::from("$f0")], below.span);
        Some(with_inputs(node, vec![nothing]))
    }
}

/// The filter over just the column that it reads, where there is only one and it is narrow.
fn filtered(
    node: &Rc<LogicalNode>,
    filter: &FilterNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let input = node.inputs.first()?;
    let kept = columns_of([&filter.condition]);
    let columns = all_columns(input);
    let narrow = |column: &Expr| {
        use TypeKind as K;
        let kind = &column.data_type.kind;
        matches!(
            kind,
            K::Boolean | K::TinyInt | K::SmallInt | K::Int | K::Float | K::Date | K::Time(_)
        )
    };
    let [only] = kept.as_slice() else { return None };
    if !columns.get(*only as usize).is_some_and(narrow) {
        return None;
    }
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
