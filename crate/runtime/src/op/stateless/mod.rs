//! Operators without state.

pub(super) mod calc;
pub(super) mod correlate;
pub(super) mod drop_update_before;
pub(super) mod expand;
pub(super) mod union;
pub(super) mod window_table_function;
