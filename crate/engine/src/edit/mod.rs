//! What an editor asks: diagnostics, colours, marks, completions, help.

mod analyze;
mod complete;

pub use analyze::{analyze, check};
pub use complete::{complete, hover};
