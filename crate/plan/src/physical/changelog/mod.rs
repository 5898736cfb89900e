//! Which row kinds each node emits.
//!
//! Flink: `FlinkChangelogModeInferenceProgram`, as passes over the tree. [`kinds`] goes upwards and says who inserts,
//! updates and deletes; [`before_images`] goes downwards from the sinks and says who has to send `-U`. Keys are needed
//! in between, as a sink or a filter can do without before images only if it knows which row is meant.

pub(super) mod appending;
pub(super) mod before_images;
pub(super) mod counters;
pub(super) mod defects;
pub(super) mod interval;
pub(super) mod kinds;
pub(super) mod monotonicity;
pub(super) mod ranking;
pub(super) mod sink;
