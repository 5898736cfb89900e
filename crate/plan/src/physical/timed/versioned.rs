//! Temporal joins: the condition says which version of a right row a left row asks for.
//!
//! Flink: `TemporalJoinUtil`, `TemporalJoinRewriteWithUniqueKeyRule`. Binding puts a call into the condition that reads
//! both times, so that rules over conditions and columns need not know of it.

use sg_expr::{Expr, ExprKind};

use crate::{logical::LogicalNode, physical::join::conjuncts};

/// The call that binding makes: of the left time and, where the right side has one, the right time.
pub const LOGICAL_CONDITION: &str = "__INITIAL_TEMPORAL_JOIN_CONDITION";

/// The times of a temporal join, as columns of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionTimes {
    /// The time of a left row.
    pub left: u32,
    /// From when on a right row is valid.
    pub right: u32,
}

/// The times of a temporal join, and what else its condition asks for.
pub(in crate::physical) fn versioned(
    condition: &Expr,
    left: &LogicalNode,
    right: &LogicalNode,
) -> Option<(VersionTimes, Vec<Expr>)> {
    let width = u32::try_from(left.schema.len()).ok()?;
    let mut times = None;
    let mut rest = Vec::new();
    for part in conjuncts(condition) {
        match asked(part) {
            Some((left, right)) => times = Some((left, right)),
            None => rest.push(part.clone()),
        }
    }
    let (of_left, of_right) = times?;
    let right_time = of_right.checked_sub(width)?;
    debug_assert!(
        (right_time as usize) < right.schema.len(),
        "a column of the right side"
    );
    Some((
        VersionTimes {
            left: of_left,
            right: right_time,
        },
        rest,
    ))
}

fn asked(expr: &Expr) -> Option<(u32, u32)> {
    match &expr.kind {
        ExprKind::Call { function, args } if function.name == LOGICAL_CONDITION => match args.as_slice() {
            [left, right] => Some((left.as_column()?, right.as_column()?)),
            _ => None,
        },
        _ => None,
    }
}
