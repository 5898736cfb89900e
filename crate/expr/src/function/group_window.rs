//! Group windows: `GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)`, and the bounds of the window in SELECT and HAVING.
//!
//! They are never computed: the planner makes an operator of the first and columns of its output of the others. The
//! names with a dollar sign are Calcite's, which keeps them apart from the table functions of the same names.

use super::{Eval, FunctionDef, Resolve, definition::Family::Time};

const fn planned(name: &'static str) -> FunctionDef {
    FunctionDef::new(name, Time, Resolve::Internal, Eval::Never, ["", ""])
}

pub(super) static ROWS: &[FunctionDef] = &[
    planned("$TUMBLE"),
    planned("TUMBLE_START"),
    planned("TUMBLE_END"),
    planned("TUMBLE_ROWTIME"),
    planned("TUMBLE_PROCTIME"),
    planned("$HOP"),
    planned("HOP_START"),
    planned("HOP_END"),
    planned("HOP_ROWTIME"),
    planned("HOP_PROCTIME"),
    planned("$SESSION"),
    planned("SESSION_START"),
    planned("SESSION_END"),
    planned("SESSION_ROWTIME"),
    planned("SESSION_PROCTIME"),
    planned("$CUMULATE"),
    planned("CUMULATE_START"),
    planned("CUMULATE_END"),
    planned("CUMULATE_ROWTIME"),
    planned("CUMULATE_PROCTIME"),
];
