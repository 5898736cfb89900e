//! Mini-batches: rows are gathered and their keys worked off together.

pub(super) mod assigner;
pub(super) mod bundle;
pub(super) mod group;
pub(super) mod incremental;
pub(super) mod local;
pub(super) mod order;
