//! The best rows for each distinct key of the same rows: a Top-N, no join.
//!
//! Flink: `CorrelateSortToRankRule`. Case: statements/lateral-top-two.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind};
use sg_value::Gather as _;

use crate::{
    logical::{
        JoinKind, JoinNode, LogicalNode, LogicalOp, RankNode, RankRange, SortColumn, as_outer_column,
        is_always,
    },
    optimize::{
        RuleContext,
        rewrite::{all_columns, conjuncts, names},
    },
    physical::explain::logical_text,
};

/// `(SELECT DISTINCT k FROM t) AS l, LATERAL (SELECT … FROM t WHERE t.k = l.k ORDER BY … LIMIT n)`
pub(super) fn ranked(
    node: &Rc<LogicalNode>,
    join: &JoinNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let [left, right] = node.inputs.as_slice() else {
        return None;
    };
    if join.kind != JoinKind::Inner || !is_always(&join.condition) {
        return None;
    }
    let (keys, rows) = distinct(left)?;
    let LogicalOp::Sort(sort) = &right.op else {
        return None;
    };
    let end = sort.fetch.filter(|_| sort.offset.is_none())?;
    let project = right.inputs.first()?;
    let LogicalOp::Project(shown) = &project.op else {
        return None;
    };
    let filter = project.inputs.first()?;
    let LogicalOp::Filter(tested) = &filter.op else {
        return None;
    };
    let same = filter.inputs.first()?;
    if logical_text(same) != logical_text(rows) {
        return None;
    }
    let mut met: Vec<u32> = conjuncts(&tested.condition)
        .iter()
        .map(|part| met_key(part, join.lateral?, &keys))
        .gather::<Option<_>>()?;
    met.sort_unstable();
    let mut partition = keys.clone();
    partition.sort_unstable();
    if met != partition {
        return None;
    }
    let order: Vec<SortColumn> = sort
        .order
        .iter()
        .map(|key| {
            Some(SortColumn {
                column: shown.expressions.get(key.column as usize)?.as_column()?,
                ..*key
            })
        })
        .gather::<Option<_>>()?;
    let rank = RankNode {
        function: "ROW_NUMBER",
        partition,
        order,
        range: RankRange::Constant { start: 1, end },
        puts_out_rank: false,
    };
    let ranked = cx.builder.node(
        LogicalOp::Rank(rank),
        vec![Rc::clone(same)],
        same.schema.to_vec(),
        node.span,
    );
    let columns = all_columns(&ranked);
    let mut expressions: Vec<Expr> = keys
        .iter()
        .filter_map(|&key| columns.get(key as usize).cloned())
        .gather();
    expressions.extend(shown.expressions.iter().cloned());
    Some(
        cx.builder
            .project_always(ranked, expressions, &names(node), node.span),
    )
}

/// The columns of the rows that a node has once each, in its order, and the rows.
fn distinct(node: &Rc<LogicalNode>) -> Option<(Vec<u32>, &Rc<LogicalNode>)> {
    let LogicalOp::Aggregate(aggregate) = &node.op else {
        return None;
    };
    let input = node.inputs.first()?;
    let LogicalOp::Project(project) = &input.op else {
        return None;
    };
    if !aggregate.calls.is_empty() {
        return None;
    }
    let keys = aggregate
        .keys
        .iter()
        .map(|&key| project.expressions.get(key as usize)?.as_column())
        .gather::<Option<_>>()?;
    Some((keys, input.inputs.first()?))
}

/// The column that a condition compares with the key of the row around.
fn met_key(part: &Expr, outer: u32, keys: &[u32]) -> Option<u32> {
    let ExprKind::Call { function, args } = &part.kind else {
        return None;
    };
    let [one, other] = args.as_slice() else {
        return None;
    };
    let (around, own) = match (as_outer_column(one), as_outer_column(other)) {
        (Some(around), None) => (around, other),
        (None, Some(around)) => (around, one),
        _ => return None,
    };
    let own = own.as_column()?;
    let key = keys.get(around.1 as usize)?;
    (function.name == "=" && around.0 == outer && *key == own).then_some(own)
}
