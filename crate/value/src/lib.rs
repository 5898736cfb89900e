//! What a cell, a row and a change are.
//!
//! This crate knows SQL's types and values and nothing about queries: how a value is stored, ordered, hashed,
//! printed, parsed, and how many bytes Flink would need to keep it.
#![cfg_attr(sg_hot, feature(optimize_attribute))]

pub mod bitmap;
pub mod bytes;
pub mod case;
pub mod data_type;
pub mod decimal;
pub mod float;
pub mod format;
mod gather;
pub mod hash;
pub mod json;
mod layout;
pub mod map;
pub mod number;
pub mod order;
pub mod ordered;
pub mod ordered_map;
pub mod row;
pub mod sorted;
pub mod time;
pub mod value;

pub use data_type::{DataType, Field, IntervalFields, IntervalUnit, TimeKind, TypeKind, schema_text};
pub use gather::{Gather, Gathered};
pub use row::{Change, Changes, Row, RowKind};
pub use value::{MapValue, Value};
