//! Text forms of values.
//!
//! Two renderings: the one of `Row.toString` (traces, the print sink) and the one of CAST(x AS STRING).

use std::fmt::Write;

use crate::{data_type::DataType, row::RowKind, time::Zone, value::Value};

/// Appends a cell as `Row.toString` prints it: `2024-01-01T09:00`, `1.0E10`, `+I[1, a]`, `null`.
pub fn write_cell(_out: &mut dyn Write, _value: &Value, _data_type: &DataType) {
    todo!()
}

/// A cell as `Row.toString` prints it.
pub fn cell_text(value: &Value, data_type: &DataType) -> String {
    let mut text = String::new();
    write_cell(&mut text, value, data_type);
    text
}

/// A change as Flink prints it: `+I[a, 1]`.
pub fn row_text(_kind: RowKind, _row: &[Value], _types: &[DataType]) -> String {
    todo!()
}

/// Appends the text of CAST(value AS STRING); nothing for NULL.
pub fn write_cast(_out: &mut dyn Write, _value: &Value, _data_type: &DataType, _zone: &Zone) {
    todo!()
}

/// The text of CAST(value AS STRING): `2024-01-01 09:00:00.000`, `TRUE`, `(1, a)`; `None` for NULL.
pub fn cast_text(value: &Value, data_type: &DataType, zone: &Zone) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let mut text = String::new();
    write_cast(&mut text, value, data_type, zone);
    Some(text)
}

/// Java's `Double.toString`: `1.0`, `1.0E-4`, `NaN`, `Infinity`.
pub fn double_text(_number: f64) -> String {
    todo!()
}

/// Java's `Float.toString`.
pub fn float_text(_number: f32) -> String {
    todo!()
}
