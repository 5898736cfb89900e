//! Chains of joins on one common key as one exec node, `MultiJoin`: no rows in between are kept.
//!
//! Flink: `JoinToMultiJoinRule`, `AttributeBasedJoinKeyExtractor`. With `table.optimizer.multi-join.enabled` or the hint
//! `MULTI_JOIN`, INNER and LEFT joins whose equalities share a column of each input are merged from the left; a join of
//! two tables becomes one, too. Case: join-regular/multi-join-*.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::{Gather as _, sorted::sorted_numbers};

use super::{
    join::EquiKeys,
    timed::{Timed, timed},
};
use crate::{
    logical::{JoinKind, JoinNode, LogicalNode, LogicalOp},
    settings::Settings,
};

/// Several inputs, each kept; output: the columns of all.
#[derive(Clone, Debug)]
pub struct MultiJoinSpec {
    /// The inputs in order.
    pub inputs: Vec<MultiJoinInput>,
    /// `STATE_TTL` of each input as written, for the plan text.
    pub ttl_hints: Vec<Option<Rc<str>>>,
}

/// An input of a multi-join.
#[derive(Clone, Debug)]
pub struct MultiJoinInput {
    /// What joins it to the inputs before it; `None` for the first one.
    pub step: Option<JoinStep>,
    /// Columns of the common key.
    pub key: Vec<u32>,
    /// Columns by which its rows are told apart.
    pub unique: Option<Vec<u32>>,
    /// Time-to-live of its state in milliseconds, 0 never.
    pub ttl_ms: i64,
    /// Number of its columns.
    pub width: u32,
}

/// How an input meets those before it.
#[derive(Clone, Debug)]
pub struct JoinStep {
    /// Rows of the inputs before it are kept without a match.
    pub left: bool,
    /// The condition over the columns of the inputs up to this one.
    pub condition: Expr,
    /// Columns that have to be equal.
    pub keys: EquiKeys,
}

impl MultiJoinSpec {
    /// The common key's columns of an input.
    pub fn key(&self, input: usize) -> &[u32] {
        self.inputs.get(input).map_or(&[], |input| &input.key)
    }

    /// Whether no row is kept without a match.
    pub fn is_inner(&self) -> bool {
        let steps = self.inputs.iter().filter_map(|input| input.step.as_ref());
        !steps.into_iter().any(|step| step.left)
    }
}

/// A chain before its inputs are lowered.
pub(crate) struct Chain {
    pub(crate) inputs: Vec<Rc<LogicalNode>>,
    pub(crate) steps: Vec<JoinStep>,
    /// Time-to-live as hinted.
    pub(super) ttl: Vec<Option<Rc<str>>>,
    /// Columns of the common key by input.
    pub(super) keys: Vec<Vec<u32>>,
}

/// The chain that ends with a join, `None` where it stays a join of two.
pub(crate) fn chain(node: &LogicalNode, settings: &Settings) -> Option<Chain> {
    let (join, left, right) = regular(node, settings)?;
    let width: usize = left.schema.len();
    let (keys, _) = EquiKeys::split(&join.condition, u32::try_from(width).ok()?);
    let step = JoinStep {
        left: join.kind == JoinKind::Left,
        condition: join.condition.clone(),
        keys,
    };
    let [left_ttl, right_ttl] = join.hints.ttl.clone();
    if let Some(mut before) = chain(left, settings) {
        before.inputs.push(Rc::clone(right));
        before.steps.push(step.clone());
        before.ttl.push(right_ttl.clone());
        before.keys = common_keys(&before.inputs, &before.steps);
        if !before.keys.is_empty() {
            return Some(before);
        }
    }
    let inputs = vec![Rc::clone(left), Rc::clone(right)];
    let steps = vec![step];
    let keys = common_keys(&inputs, &steps);
    (!keys.is_empty()).then_some(Chain {
        inputs,
        steps,
        ttl: vec![left_ttl, right_ttl],
        keys,
    })
}

/// A join that can be part of a chain.
fn regular<'n>(
    node: &'n LogicalNode,
    settings: &Settings,
) -> Option<(&'n JoinNode, &'n Rc<LogicalNode>, &'n Rc<LogicalNode>)> {
    let (LogicalOp::Join(join), [left, right]) = (&node.op, node.inputs.as_slice()) else {
        return None;
    };
    let merged = (settings.multi_join || join.hints.multi)
        && matches!(join.kind, JoinKind::Inner | JoinKind::Left)
        && join.lateral.is_none()
        && matches!(timed(join, left, right), Timed::Regular);
    merged.then_some((join, left, right))
}

/// For each input the columns that are equal in all of them; nothing where there are none.
fn common_keys(inputs: &[Rc<LogicalNode>], steps: &[JoinStep]) -> Vec<Vec<u32>> {
    let mut start = 0;
    let mut starts: Vec<u32> = Vec::new();
    for input in inputs {
        starts.push(start);
        start += u32::try_from(input.schema.len()).unwrap_or(0);
    }
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for (step, start) in steps.iter().zip(starts.iter().skip(1)) {
        for (left, right) in step.keys.left.iter().zip(&step.keys.right) {
            let mut merged = vec![*left, start + right];
            sets.retain(|set| {
                let meets = set.iter().any(|column| merged.contains(column));
                if meets {
                    merged.extend(set);
                }
                !meets
            });
            sets.push(sorted_numbers(merged));
        }
    }
    sets.sort();
    let of_input = |set: &[u32], at: usize| {
        let from = starts.get(at).copied()?;
        let to = starts.get(at + 1).copied().unwrap_or(start);
        let column = set.iter().find(|column| (from..to).contains(*column))?;
        Some(column - from)
    };
    sets.retain(|set| (0..inputs.len()).all(|at| of_input(set, at).is_some()));
    if sets.is_empty() {
        return Vec::new();
    }
    (0..inputs.len())
        .map(|at| sets.iter().filter_map(|set| of_input(set, at)).gather())
        .gather()
}
