//! Properties of the whole engine over generated tables, queries and event orders.
//!
//! Each law says which mistake it would find. An input that breaks one becomes a recorded case or a unit test.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what is missing and stops"
)]

mod bytes;
mod changelog;
mod extension;
mod join;
mod jump;
mod naive;
mod replay;
mod stream;
