//! CAST and TRY_CAST.

use sg_diag::{Diagnostics, Span};
use sg_value::DataType;

use crate::Expr;

/// Who asks for a cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastMode {
    /// The planner: UNION columns, arguments, sink columns. Only what Flink converts by itself.
    Implicit,
    /// CAST(x AS t).
    Explicit,
    /// TRY_CAST(x AS t): NULL instead of a failure.
    Try,
}

/// Casts an expression, or reports that there is no such cast and returns `Invalid`.
///
/// Nothing happens where the types are equal but for nullability (implicit), literals of implicit casts become
/// literals of the new type, and the result is NOT NULL where the operand is (except TRY_CAST).
pub fn cast(_expr: Expr, _to: &DataType, _mode: CastMode, _span: Span, _diags: &mut Diagnostics) -> Expr {
    todo!()
}

/// Whether an INSERT converts `from` to `to` by itself.
pub fn converts_implicitly(_from: &DataType, _to: &DataType) -> bool {
    todo!()
}
