//! Values from and to JSON, as Flink's json format does it.

use crate::{
    data_type::{DataType, Field},
    value::Value,
};

/// Why JSON is no value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The field, or empty at the top.
    pub field: String,
    /// What Flink's exception says.
    pub message: String,
}

/// A value of `data_type` from JSON.
pub fn value_from_json(_json: &serde_json::Value, _data_type: &DataType) -> Result<Value, JsonError> {
    todo!()
}

/// A row from a JSON object; missing fields are NULL, unknown ones are ignored.
pub fn row_from_json(_json: &serde_json::Value, _fields: &[Field]) -> Result<Vec<Value>, JsonError> {
    todo!()
}

/// JSON of a value.
pub fn json_from_value(_value: &Value, _data_type: &DataType) -> serde_json::Value {
    todo!()
}
