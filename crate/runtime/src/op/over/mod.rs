//! Running aggregates: OVER by event time, by processing time, and by other columns; in batch mode at the end.

mod batch;
mod bounded;
mod calls;
mod cleanup;
pub(crate) mod make;
mod proctime;
mod unbounded;
mod value;
