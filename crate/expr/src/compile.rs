//! From the tree to closures. Nothing is allocated per row on the typed paths.

use sg_value::Value;

use crate::{Expr, eval::{EvalCx, EvalError}};

/// An expression ready to run.
pub struct Compiled {}

impl Compiled {
    /// The value for a row.
    pub fn eval(&self, _row: &[Value], _cx: &EvalCx) -> Result<Value, EvalError> {
        todo!()
    }

    /// Whether a BOOLEAN expression is TRUE (not FALSE, not NULL) for a row.
    pub fn test(&self, _row: &[Value], _cx: &EvalCx) -> Result<bool, EvalError> {
        todo!()
    }
}

/// Compiles an expression; `Invalid` parts give NULL.
pub fn compile(_expr: &Expr) -> Compiled {
    todo!()
}
