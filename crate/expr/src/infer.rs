//! Common types.

use sg_value::DataType;

/// The type that CASE, UNION, VALUES or COALESCE gives to all of these; `None` where there is none.
pub fn common_type(_types: &[DataType]) -> Option<DataType> {
    todo!()
}
