//! The windowed call before a node is made of it: `crate::over` says what its arguments are.

use super::{Eval, FunctionDef, Resolve, definition::Family::Logic};

pub(super) static ROWS: &[FunctionDef] =
    &[FunctionDef::new("OVER", Logic, Resolve::Internal, Eval::Never, ["", ""]).sees_nulls()];
