//! Typed expressions, functions and aggregates.

pub mod aggregate;
pub mod bound;
pub mod eval;
pub mod function;

pub use aggregate::{AggregateCall, AggregateDef};
pub use bound::{Expr, ExprKind};
pub use eval::{EvalCx, EvalError};
pub use function::FunctionDef;
