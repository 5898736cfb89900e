//! The text that Flink's plans show for an expression.

use crate::Expr;

/// Which of Flink's plans the text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStyle {
    /// AST and optimized physical plan: `>(ts, 2024-01-01 10:00:00:TIMESTAMP(3))`.
    Physical,
    /// Optimized execution plan: `(ts > 2024-01-01 10:00:00)`.
    Execution,
}

/// The plan text of an expression; `columns` names the input's columns (`ts`, or `$0` in an AST).
pub fn display<'a>(_expr: &Expr, _columns: &dyn Fn(u32) -> &'a str, _style: PlanStyle) -> String {
    todo!()
}
