//! Aggregations.

mod carried;
pub(super) mod group;
pub(super) mod local_window;
pub(super) mod slices;
pub(super) mod window;
