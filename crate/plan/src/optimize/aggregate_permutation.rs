//! A projection that only puts all columns into another order is no use below an aggregation, which reads by number: its
//! keys come in the order of the input, and a projection above puts them back.
//!
//! Flink: Calcite's `AggregateProjectMergeRule`; with fewer columns the projection is cheaper and stays.
//! Cases: statements/datagen-sequences, group-agg/keys-in-another-order, group-agg/rollup-in-another-order.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::{Gather as _, sorted::sorted_numbers};

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{columns_of, names, with_inputs},
};
use crate::{
    bind::set_order,
    logical::{AggregateNode, GroupWindowNode, LogicalNode, LogicalOp, is_identity},
    physical::node::WindowSource,
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
        let aggregate = match &node.op {
            LogicalOp::Aggregate(aggregate) => aggregate,
            LogicalOp::GroupWindow(window) if !self.0 => return window_over_permutation(node, window),
            _ => return None,
        };
        if self.0 != (aggregate.sets.len() > 1) {
            return None;
        }
        if !self.0
            && let Some(ordered) = in_table_order(node, aggregate, cx)
        {
            return Some(ordered);
        }
        let (columns, input) = permutation(node)?;
        let moved = |column: u32| columns.get(column as usize).copied();
        let keys: Vec<u32> = aggregate
            .keys
            .iter()
            .map(|&key| moved(key))
            .gather::<Option<_>>()?;
        let sorted = sorted_numbers(keys.iter().copied());
        // a projection that puts keys back costs more than one that filters as well
        if !self.0 && sorted != keys && matches!(input.op, LogicalOp::Filter(_)) {
            return None;
        }
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

/// The columns that a projection below the node puts into another order, and what is below it.
fn permutation(node: &LogicalNode) -> Option<(Vec<u32>, &Rc<LogicalNode>)> {
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
    let all = columns.len() == width && sorted_numbers(columns.iter().copied()).len() == width;
    all.then_some((columns, input))
}

/// A group window with at most one key reads by number, too. Case: group-window/columns-in-another-order.
fn window_over_permutation(node: &LogicalNode, window: &GroupWindowNode) -> Option<Rc<LogicalNode>> {
    let (columns, input) = permutation(node)?;
    let mut window = window.clone();
    let WindowSource::TimeColumn(time) = &mut window.window.source else {
        return None;
    };
    if window.keys.len() > 1 {
        return None;
    }
    let calls = window.calls.iter_mut();
    let read = calls.flat_map(|call| call.args.iter_mut().chain(&mut call.filter));
    for column in read.chain(&mut window.keys).chain([time]) {
        *column = *columns.get(*column as usize)?;
    }
    let moved = LogicalNode {
        op: LogicalOp::GroupWindow(window),
        ..node.clone()
    };
    Some(with_inputs(&moved, vec![Rc::clone(input)]))
}

/// A projection that picks what a filter reads, too, picks in the order of the table, where the keys stay in theirs.
/// Flink: `ProjectFilterTransposeRule` offers that projection, and the one above it only permutes.
/// Case: group-agg/filtered-columns-in-table-order.
fn in_table_order(
    node: &LogicalNode,
    aggregate: &AggregateNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let below = node.inputs.first()?;
    let LogicalOp::Project(project) = &below.op else {
        return None;
    };
    let input = below.inputs.first()?;
    let LogicalOp::Filter(filter) = &input.op else {
        return None;
    };
    let columns: Vec<u32> = project
        .expressions
        .iter()
        .map(Expr::as_column)
        .gather::<Option<_>>()?;
    let sorted = sorted_numbers(columns.iter().copied());
    let read = columns_of([&filter.condition]);
    if sorted == columns
        || sorted.len() != columns.len()
        || !read.iter().all(|column| sorted.contains(column))
    {
        return None;
    }
    let place = |at: u32| {
        let column = columns.get(at as usize)?;
        u32::try_from(sorted.iter().position(|other| other == column)?).ok()
    };
    let mut moved = aggregate.clone();
    for key in &mut moved.keys {
        *key = place(*key)?;
    }
    if !moved.keys.is_sorted() {
        return None;
    }
    for call in &mut moved.calls {
        for column in call.args.iter_mut().chain(&mut call.filter) {
            *column = place(*column)?;
        }
    }
    let pick = |column: &u32| {
        let at = columns.iter().position(|other| other == column)?;
        Some((
            project.expressions.get(at)?.clone(),
            Rc::clone(&below.schema.get(at)?.name),
        ))
    };
    let (expressions, names): (Vec<Expr>, Vec<Rc<str>>) = sorted.iter().filter_map(pick).unzip();
    let ordered = cx
        .builder
        .project_always(Rc::clone(input), expressions, &names, below.span);
    let node = LogicalNode {
        op: LogicalOp::Aggregate(moved),
        ..node.clone()
    };
    Some(with_inputs(&node, vec![ordered]))
}
