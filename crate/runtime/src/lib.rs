//! The running job: operators, state, time, trace.
//!
//! A [`Job`] is built from a job graph and fed with [`Arrival`]s. Each push is a *slot*: it runs until nothing is
//! left to do, and only between slots is a job looked at, snapshotted or restored. There is no clock, no thread and
//! no randomness in here: the same arrivals give the same rows and the same bytes of trace.
#![cfg_attr(sg_hot, feature(optimize_attribute))]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "ordinals and lengths fit the 32 bits of wasm's memory; hashes and zigzag codes are bit patterns"
)]

mod fault;
mod index;
mod job;
mod op;
mod options;
mod state;
mod time;
pub mod trace;

pub use fault::Fault;
pub use job::{
    Arrival, ArrivalKind, Job, LateDrop, OperatorStats, Output, OutputRef, PartitionState, Snapshot,
    SourceInfo, StateHandle, StatePage, StateRow,
};
pub use options::{JobOptions, Limits, SourceOptions, TraceLevel};
