//! From statements to a job graph.

mod analyze;
mod bind;
pub mod catalog;
pub mod job;
pub mod logical;
pub mod optimize;
pub mod physical;
pub mod settings;
mod unparse;

pub use analyze::{Analyzed, Planned, PlannedKind, PlannedQuery, analyze_script};
pub use optimize::{RuleStep, optimize, optimize_observed};
pub use settings::Settings;
