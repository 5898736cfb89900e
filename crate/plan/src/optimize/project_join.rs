//! Columns that neither the projection above a join nor its condition reads go away below it.
//!
//! Flink: `FlinkProjectJoinTransposeRule`, `ProjectSemiAntiJoinTransposeRule`; Calcite's `PushProjector`. Expressions stay
//! above the join. A side of which nothing is read keeps its first column.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    join_parts::join_of,
    rewrite::{all_columns, columns_of, names, positions, renumber, with_inputs},
};
use crate::{
    logical::{FilterNode, JoinNode, LogicalNode, LogicalOp, ProjectNode},
    physical::multi_join::{self, Chain},
};

pub(super) struct ColumnsBelowJoin;

/// The right side of a semi or anti join needs only what the condition reads.
pub(super) struct ColumnsBelowSemiJoin;

impl Rule for ColumnsBelowSemiJoin {
    fn name(&self) -> &'static str {
        "columns-below-semi-join"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let (join, left, right) = join_of(node)?;
        let width = u32::try_from(left.schema.len()).ok()?;
        let all = left.schema.len() + right.schema.len();
        let read = columns_of([&join.condition]);
        let kept: Vec<u32> = read
            .iter()
            .filter_map(|column| column.checked_sub(width))
            .gather();
        if !join.kind.is_semi_or_anti() || kept.len() == right.schema.len() {
            return None;
        }
        let columns: Vec<u32> = (0..width)
            .chain(kept.iter().map(|column| column + width))
            .gather();
        let narrow = JoinNode {
            condition: renumber(&join.condition, &positions(&columns, all)),
            ..join.clone()
        };
        let right = narrowed(right, &kept, cx);
        let changed = LogicalNode {
            op: LogicalOp::Join(narrow),
            ..(**node).clone()
        };
        Some(with_inputs(&changed, vec![Rc::clone(left), right]))
    }
}

impl Rule for ColumnsBelowJoin {
    fn name(&self) -> &'static str {
        "columns-below-join"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let (filter, joined) = match &below.op {
            LogicalOp::Filter(filter) => (Some(filter), below.inputs.first()?),
            _ => (None, below),
        };
        if let Some(chain) = multi_join::chain(joined, cx.settings)
            && chain.inputs.len() > 2
        {
            return below_chain(node, project, (filter, joined), &chain, cx);
        }
        let (join, left, right) = join_of(joined)?;
        let read = columns_of(
            project
                .expressions
                .iter()
                .chain([&join.condition])
                .chain(filter.map(|filter| &filter.condition)),
        );
        let width = u32::try_from(left.schema.len()).ok()?;
        let all = width.saturating_add(u32::try_from(right.schema.len()).ok()?);
        let (of_left, of_right): (Vec<u32>, Vec<u32>) = read.iter().partition(|&&column| column < width);
        let kept_left = if of_left.is_empty() { vec![0] } else { of_left };
        // where no right column is in the output, a row without columns is enough
        let kept_right: Vec<u32> = if of_right.is_empty() && !join.kind.is_semi_or_anti() {
            vec![0]
        } else {
            of_right.iter().map(|column| column - width).gather()
        };
        if kept_left.len() == left.schema.len() && kept_right.len() == right.schema.len() {
            return None;
        }
        let kept: Vec<u32> = kept_left
            .iter()
            .copied()
            .chain(kept_right.iter().map(|column| column + width))
            .gather();
        let positions = positions(&kept, all as usize);
        let narrow = JoinNode {
            condition: renumber(&join.condition, &positions),
            ..join.clone()
        };
        let left = narrowed(left, &kept_left, cx);
        let right = narrowed(right, &kept_right, cx);
        let input = with_inputs(
            &LogicalNode {
                op: LogicalOp::Join(narrow),
                ..(**joined).clone()
            },
            vec![left, right],
        );
        Some(above(node, project, (filter, input), &positions))
    }
}

/// The projection and the filter over a join that has fewer columns.
fn above(
    node: &Rc<LogicalNode>,
    project: &ProjectNode,
    (filter, mut input): (Option<&FilterNode>, Rc<LogicalNode>),
    positions: &[Option<u32>],
) -> Rc<LogicalNode> {
    if let (Some(filter), Some(below)) = (filter, node.inputs.first()) {
        let condition = renumber(&filter.condition, positions);
        let filtered = LogicalNode {
            op: LogicalOp::Filter(FilterNode { condition }),
            ..(**below).clone()
        };
        input = with_inputs(&filtered, vec![input]);
    }
    let expressions: Vec<Expr> = project
        .expressions
        .iter()
        .map(|expr| renumber(expr, positions))
        .gather();
    let changed = LogicalNode {
        op: LogicalOp::Project(ProjectNode { expressions }),
        ..(**node).clone()
    };
    with_inputs(&changed, vec![input])
}

/// Joins that become one node have no projections between them: columns go away below all of them.
fn below_chain(
    node: &Rc<LogicalNode>,
    project: &ProjectNode,
    (filter, joined): (Option<&FilterNode>, &Rc<LogicalNode>),
    chain: &Chain,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let read = columns_of(
        project
            .expressions
            .iter()
            .chain(chain.steps.iter().map(|step| &step.condition))
            .chain(filter.map(|filter| &filter.condition)),
    );
    let (mut start, mut kept, mut inputs) = (0, Vec::new(), Vec::new());
    for input in &chain.inputs {
        let end = start + u32::try_from(input.schema.len()).ok()?;
        let mut own: Vec<u32> = read
            .iter()
            .filter(|&&column| (start..end).contains(&column))
            .map(|column| column - start)
            .gather();
        if own.is_empty() {
            own.push(0);
        }
        inputs.push(narrowed(input, &own, cx));
        kept.extend(own.iter().map(|column| column + start));
        start = end;
    }
    if kept.len() == start as usize {
        return None;
    }
    let positions = positions(&kept, start as usize);
    let input = chained(joined, &inputs, &positions)?;
    Some(above(node, project, (filter, input), &positions))
}

/// The same joins of other inputs.
fn chained(
    node: &Rc<LogicalNode>,
    inputs: &[Rc<LogicalNode>],
    positions: &[Option<u32>],
) -> Option<Rc<LogicalNode>> {
    let (last, before) = inputs.split_last()?;
    if before.is_empty() {
        return Some(Rc::clone(last));
    }
    let (join, left, _) = join_of(node)?;
    let narrow = JoinNode {
        condition: renumber(&join.condition, positions),
        ..join.clone()
    };
    let changed = LogicalNode {
        op: LogicalOp::Join(narrow),
        ..(**node).clone()
    };
    Some(with_inputs(
        &changed,
        vec![chained(left, before, positions)?, Rc::clone(last)],
    ))
}

/// The node with these columns only.
pub(super) fn narrowed(input: &Rc<LogicalNode>, kept: &[u32], cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    if kept.len() == input.schema.len() {
        return Rc::clone(input);
    }
    let columns = all_columns(input);
    let all_names = names(input);
    let pick = |column: &u32| columns.get(*column as usize).cloned();
    let expressions: Vec<Expr> = kept.iter().filter_map(pick).gather();
    let kept_names: Vec<Rc<str>> = kept
        .iter()
        .filter_map(|&column| all_names.get(column as usize).map(Rc::clone))
        .gather();
    cx.builder
        .project_always(Rc::clone(input), expressions, &kept_names, input.span)
}
