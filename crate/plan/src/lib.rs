//! From statements to a job graph.

pub mod catalog;
pub mod job;
pub mod logical;
pub mod physical;
pub mod settings;

pub use settings::Settings;
