//! A group key that is a constant in the projection below is not grouped by; it is added again above.
//!
//! Flink: Calcite's `AggregateProjectPullUpConstantsRule`. At least one key stays.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind};
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    project_aggregate::is_numbered,
    rewrite::{names, positions, with_inputs},
};
use crate::logical::{AggregateNode, LogicalNode, LogicalOp, ProjectNode};

pub(super) struct ConstantKeys;

impl Rule for ConstantKeys {
    fn name(&self) -> &'static str {
        "constant-keys"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let LogicalOp::Project(project) = &below.op else {
            return None;
        };
        if aggregate.sets.len() != 1 || aggregate.keys.len() < 2 {
            return None;
        }
        let constant = |key: u32| {
            project
                .expressions
                .get(key as usize)
                .filter(|expr| is_constant(expr))
        };
        let mut fewer = aggregate.clone();
        fewer.keys.retain(|&key| constant(key).is_none());
        if fewer.keys.is_empty() {
            fewer.keys.extend(aggregate.keys.first());
        }
        let removed = aggregate.keys.len() - fewer.keys.len();
        if removed == 0 {
            return None;
        }
        let count = u32::try_from(fewer.keys.len()).unwrap_or(u32::MAX);
        let before = u32::try_from(aggregate.keys.len()).unwrap_or(u32::MAX);
        for (at, call) in (0..).zip(&mut fewer.calls) {
            if is_numbered(&call.name, before.saturating_add(at)) {
                call.name = Rc::from(format!("$f{}", count.saturating_add(at)));
            }
        }
        fewer.sets = vec![(0..count).gather()];
        let grouped = grouped(node, &fewer, project, cx)?;
        let keys = aggregate.keys.len();
        let expressions: Vec<Expr> = node
            .schema
            .iter()
            .enumerate()
            .filter_map(|(at, field)| {
                let position = match aggregate.keys.get(at) {
                    Some(key) => match fewer.keys.iter().position(|kept| kept == key) {
                        Some(position) => position,
                        None => return constant(*key).cloned(),
                    },
                    None => at - keys + fewer.keys.len(),
                };
                let position = u32::try_from(position).ok()?;
                Some(Expr::column(position, field.data_type.clone(), node.span))
            })
            .gather();
        Some(
            cx.builder
                .project_always(grouped, expressions, &names(node), node.span),
        )
    }
}

/// The aggregation over just the columns that it still reads.
fn grouped(
    node: &Rc<LogicalNode>,
    aggregate: &AggregateNode,
    project: &ProjectNode,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let below = node.inputs.first()?;
    let mut kept: Vec<u32> = aggregate.keys.clone();
    for call in &aggregate.calls {
        kept.extend(call.args.iter().copied().chain(call.filter));
    }
    kept.sort_unstable();
    kept.dedup();
    let positions = positions(&kept, below.schema.len());
    let at = |column: u32| positions.get(column as usize).copied().flatten();
    let mut renumbered = aggregate.clone();
    for key in &mut renumbered.keys {
        *key = at(*key)?;
    }
    for call in &mut renumbered.calls {
        for arg in &mut call.args {
            *arg = at(*arg)?;
        }
        call.filter = match call.filter {
            Some(filter) => Some(at(filter)?),
            None => None,
        };
    }
    let pick = |column: &u32| project.expressions.get(*column as usize).cloned();
    let expressions: Vec<Expr> = kept.iter().filter_map(pick).gather();
    let all_names = names(below);
    let kept_names: Vec<Rc<str>> = kept
        .iter()
        .filter_map(|&column| all_names.get(column as usize).map(Rc::clone))
        .gather();
    let input = below.inputs.first().map(Rc::clone)?;
    let narrow = cx
        .builder
        .project_always(input, expressions, &kept_names, below.span);
    let op = LogicalOp::Aggregate(renumbered);
    Some(with_inputs(
        &LogicalNode {
            op,
            ..(**node).clone()
        },
        vec![narrow],
    ))
}

/// A literal, or a literal whose nullability is changed by a cast.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Call { function, args } => {
            function.name == "CAST" && args.first().is_some_and(|arg| arg.as_literal().is_some())
        }
        _ => false,
    }
}
