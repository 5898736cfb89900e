//! The best rows of each partition: Top-N, LIMIT, deduplication, and sorting by time.

mod append;
mod deduplicate;
pub(crate) mod final_result;
mod first;
pub(crate) mod make;
mod places;
mod retract;
mod sort;
mod top1;
mod update;
