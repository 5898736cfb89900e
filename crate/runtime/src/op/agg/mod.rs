//! Aggregations.

pub(super) mod carried;
pub(super) mod group;
pub(super) mod local_window;
pub(super) mod make;
pub(super) mod merged;
pub(super) mod session;
pub(super) mod session_rows;
pub(super) mod sessions;
pub(super) mod slices;
mod steps;
pub(super) mod window;
