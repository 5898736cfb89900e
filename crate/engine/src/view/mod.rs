//! From the engine's own types to the plain data that crosses to JavaScript.

mod diagnostic;
mod plan;

pub(crate) use diagnostic::{TextPart, bilingual, diagnostic_view};
pub(crate) use plan::{cleanup, column_view, is_numeric, operator_views, plan_view, sink_mode};
