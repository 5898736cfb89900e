//! Joins that know about time: by an interval, within equal windows, with the version of a row that was valid.
//!
//! Flink decides on the logical join which exec node it becomes (`StreamPhysicalIntervalJoinRule`,
//! `StreamPhysicalWindowJoinRule`, `StreamPhysicalTemporalJoinRule`); what is none of these is a regular join.

mod interval;
mod versioned;
mod windows;

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Field;

pub use interval::IntervalBounds;
pub(super) use interval::interval;
pub(super) use versioned::versioned;
pub use versioned::{LOGICAL_CONDITION, VersionTimes};
pub(super) use windows::equal_windows;

use super::{join::EquiKeys, node::WindowSpec};
use crate::{
    catalog::Table,
    logical::{JoinKind, JoinNode, LogicalNode, LookupHints},
};

/// What every join by time has.
#[derive(Clone, Debug)]
pub struct JoinCore {
    /// INNER, LEFT …
    pub kind: JoinKind,
    /// The condition over the columns of both inputs, for the plan text.
    pub condition: Expr,
    /// Columns that have to be equal.
    pub keys: EquiKeys,
    /// What else has to hold, over the columns of both inputs; the times are left out.
    pub residual: Option<Expr>,
}

/// Rows match whose times are near enough. Output: the columns of both inputs.
#[derive(Clone, Debug)]
pub struct IntervalJoinSpec {
    /// Kind, condition, keys.
    pub join: JoinCore,
    /// How near.
    pub bounds: IntervalBounds,
}

/// Rows match that are in the same window. Output: the columns of both inputs, or of the left one.
#[derive(Clone, Debug)]
pub struct WindowJoinSpec {
    /// Kind, condition, keys; the comparison of the windows is not among them.
    pub join: JoinCore,
    /// The windows of the left and the right input, attached to their rows.
    pub windows: [WindowSpec; 2],
}

/// A left row matches the version of the right row that was valid at its time. Output: the columns of both inputs.
#[derive(Clone, Debug)]
pub struct TemporalJoinSpec {
    /// Kind, condition, keys.
    pub join: JoinCore,
    /// The time of a left row, and from when on a right row is valid.
    pub times: VersionTimes,
    /// State time-to-live in milliseconds, 0 never.
    pub ttl_ms: i64,
}

/// A table is asked for the rows that match when a left row comes. Output: the left columns, then those of `columns`.
#[derive(Clone, Debug)]
pub struct LookupJoinSpec {
    /// INNER or LEFT.
    pub kind: JoinKind,
    /// The table that is asked.
    pub table: Rc<Table>,
    /// Columns of the table as numbers of its own columns, as a scan would deliver them.
    pub delivered: Vec<u32>,
    /// What is asked for: delivered columns with what they have to equal.
    pub keys: Vec<(u32, LookupKey)>,
    /// What is done to the rows that are found: over the delivered columns. `None` where they pass as they are.
    pub calc: Option<LookupCalc>,
    /// Left rows for which it is not TRUE are not looked up: over the left columns.
    pub before: Option<Expr>,
    /// What pairs have to meet: over the output columns.
    pub condition: Option<Expr>,
    /// The input's upsert key, for the plan text; only where the input updates.
    pub upsert_key: Option<Vec<u32>>,
    /// What hints say.
    pub hints: LookupHints,
    /// What is remembered of the table.
    pub cache: Option<LookupCache>,
}

/// What a lookup join remembers of the table that it asks.
///
/// Flink: `DefaultLookupCache`, and `LookupFullCache` where [`reload_ms`](Self::reload_ms) says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupCache {
    /// How many keys it holds at most; the one that was used longest ago leaves first.
    pub keys: u64,
    /// For how long after its last use an answer is given again, in milliseconds.
    pub idle_ms: i64,
    /// For how long after it was asked for an answer is given again, in milliseconds.
    pub age_ms: i64,
    /// Whether it holds that a key is missing, too.
    pub missing: bool,
    /// How often the whole table is loaded, in milliseconds; 0 where keys are asked for one by one.
    pub reload_ms: i64,
}

/// What a column of a looked-up table has to equal.
#[derive(Clone, Debug)]
pub enum LookupKey {
    /// A left column.
    Column(u32),
    /// A constant.
    Constant(Expr),
}

/// A projection and a filter of looked-up rows.
#[derive(Clone, Debug)]
pub struct LookupCalc {
    /// One expression per output column behind the left ones.
    pub projection: Vec<Expr>,
    /// Rows pass where it is TRUE.
    pub condition: Option<Expr>,
    /// Names and types of the projection.
    pub fields: Vec<Field>,
}

/// One of the joins that know about time.
#[derive(Clone, Debug)]
pub enum TimedJoinSpec {
    /// `IntervalJoin`
    Interval(IntervalJoinSpec),
    /// `WindowJoin`
    Window(WindowJoinSpec),
    /// `TemporalJoin`
    Temporal(TemporalJoinSpec),
    /// `LookupJoin`
    Lookup(LookupJoinSpec),
}

impl TimedJoinSpec {
    /// Name of the exec node.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Interval(_) => "IntervalJoin",
            Self::Window(_) => "WindowJoin",
            Self::Temporal(_) => "TemporalJoin",
            Self::Lookup(_) => "LookupJoin",
        }
    }

    /// Kind, condition and keys of a join with two inputs.
    pub const fn core(&self) -> Option<&JoinCore> {
        match self {
            Self::Interval(spec) => Some(&spec.join),
            Self::Window(spec) => Some(&spec.join),
            Self::Temporal(spec) => Some(&spec.join),
            Self::Lookup(_) => None,
        }
    }

    /// Columns of an input under which state is kept.
    pub fn key(&self, input: usize) -> &[u32] {
        self.core().map_or(&[], |core| core.keys.of(input))
    }

    /// The name of Flink's physical node where its inputs may only insert.
    pub(super) const fn appends_only(&self) -> Option<&'static str> {
        match self {
            Self::Interval(_) => Some("StreamPhysicalIntervalJoin"),
            Self::Window(_) => Some("StreamPhysicalWindowJoin"),
            Self::Temporal(_) | Self::Lookup(_) => None,
        }
    }
}

/// What a join becomes.
#[derive(Clone, Debug)]
pub(super) enum Timed {
    /// `IntervalJoin`, with what the bounds leave of the condition.
    Interval(IntervalBounds, Vec<Expr>),
    /// `WindowJoin`, with what the comparison of the windows leaves of the condition.
    Window(Box<[WindowSpec; 2]>, Vec<Expr>),
    /// `TemporalJoin`, with what the times leave of the condition.
    Temporal(VersionTimes, Vec<Expr>),
    /// `LookupJoin`
    Lookup,
    /// `Join`
    Regular,
}

/// What a join of these inputs becomes; their columns carry the time attributes that are left.
pub(super) fn timed(join: &JoinNode, left: &Rc<LogicalNode>, right: &Rc<LogicalNode>) -> Timed {
    if is_looked_up(right) {
        return Timed::Lookup;
    }
    if let Some((times, rest)) = versioned(&join.condition, left, right) {
        return Timed::Temporal(times, rest);
    }
    if let Some((windows, rest)) = equal_windows(&join.condition, left, right) {
        return Timed::Window(Box::new(windows), rest);
    }
    if !join.kind.is_semi_or_anti()
        && let Some((bounds, rest)) = interval(&join.condition, left, right)
    {
        return Timed::Interval(bounds, rest);
    }
    Timed::Regular
}

/// Whether a node is a table that is asked when a row comes, perhaps below a projection and a filter.
pub(super) fn is_looked_up(node: &LogicalNode) -> bool {
    use crate::logical::LogicalOp;
    match &node.op {
        LogicalOp::Snapshot(_) => true,
        LogicalOp::Project(_) | LogicalOp::Filter(_) => {
            node.inputs.first().is_some_and(|input| is_looked_up(input))
        }
        _ => false,
    }
}
