//! From statements to a job graph.

/// Appends formatted text to a `String`, which cannot fail.
macro_rules! put {
    ($text:expr, $($format:tt)*) => {{
        use std::fmt::Write as _;
        let _ignored = write!($text, $($format)*);
    }};
}

mod analyze;
mod bind;
pub mod catalog;
pub mod job;
pub mod logical;
pub mod optimize;
pub mod physical;
pub mod settings;
mod unparse;
pub mod user_function;

pub use analyze::{Analyzed, Planned, PlannedKind, PlannedQuery, analyze_script};
pub use optimize::{RuleStep, optimize, optimize_observed};
pub use settings::Settings;
