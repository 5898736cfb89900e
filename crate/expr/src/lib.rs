//! Typed expressions, functions and aggregates.
//!
//! The binder calls [`resolve_call`], [`cast`] and [`resolve_aggregate`]; the planner [`fold`], [`simplify`] and
//! [`display`]; the runtime [`compile`] and [`Aggregates`].
#![cfg_attr(sg_hot, feature(optimize_attribute))]
#![expect(
    clippy::unnecessary_wraps,
    reason = "the functions of a registry share one signature"
)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "SQL's numbers wrap as Java's do, and lengths fit the 32 bits of wasm's memory"
)]
#![cfg_attr(
    test,
    expect(
        clippy::float_cmp,
        reason = "the tests compare special values of IEEE 754 exactly"
    )
)]

pub mod aggregate;
pub mod bound;
mod cast;
mod compile;
mod display;
pub mod eval;
mod fold;
pub mod function;
mod infer;
mod like;
mod neutral;
mod number;
pub mod over;
mod resolve;
mod sarg;
pub mod script;
mod search;
mod simplify;
mod types;

pub use aggregate::{
    Accumulator, AggregateCall, AggregateContext, AggregateDef, Aggregates, Views, compile_aggregate,
    resolve_aggregate,
};
pub use bound::{Expr, ExprKind};
pub use cast::{
    CastMode, cast, cast_exactly, constant_value, converts_implicitly, is_constructed, is_injective_cast,
};
pub use compile::{Compiled, compile};
pub use display::{PlanStyle, display, display_value};
pub use eval::{EvalCx, EvalError};
pub use fold::{fold, fold_in, materialize_time_attributes, simplify};
pub use function::{FunctionDef, functions, help_file, planned_function};
pub use infer::{common_type, generalized_type};
pub use over::{FrameBound, OverCall, OverFrame, SortDirection};
pub use resolve::{resolve_call, unknown_call, unsupported_call};
pub use sarg::{RangeBound, sarg_shape, search_range};
pub use types::{Charset, KindExt, calcite_type, family_name, shown_type};
