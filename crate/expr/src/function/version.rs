//! What the planner writes into the condition of a temporal join. Nothing of it is ever computed.
//!
//! Flink: `TemporalJoinUtil`.

use super::{Eval, FunctionDef, Resolve, definition::Family::Time};

pub(super) static ROWS: &[FunctionDef] = &[
    row("__INITIAL_TEMPORAL_JOIN_CONDITION"),
    row("__TEMPORAL_JOIN_CONDITION"),
    row("__TEMPORAL_JOIN_CONDITION_PRIMARY_KEY"),
    row("__TEMPORAL_JOIN_LEFT_KEY"),
    row("__TEMPORAL_JOIN_RIGHT_KEY"),
];

const fn row(name: &'static str) -> FunctionDef {
    FunctionDef::new(name, Time, Resolve::Internal, Eval::Never, ["", ""])
}
