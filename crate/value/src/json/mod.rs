//! Values from and to JSON, as Flink's json format with SQL timestamps does it.
//!
//! Flink: `JsonToRowDataConverters` and `RowDataToJsonConverters`, on Jackson's tree. The reader is what the `replay`
//! connector of the recorded cases uses.

mod base64;
mod node;
mod read;
mod text;
mod write;

pub use read::{JsonError, JsonReader, row_from_json, value_from_json};
pub use text::{json_text, write_json_string};
pub use write::json_from_value;

#[cfg(test)]
mod tests;
