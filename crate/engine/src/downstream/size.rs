//! Bytes of a row as formats write it: JSON, CSV and their envelopes to the byte, everything else as plain values.

use sg_value::format::cell_text;
use sg_value::json::{json_from_value, json_text};
use sg_value::{DataType, Field, TypeKind, Value};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// One JSON object a row.
    Json,
    /// The row within a message that says what became of it, with the bytes around the row.
    Envelope(u64),
    /// Cells and commas, a line feed behind.
    Csv,
    /// Values as Parquet's plain encoding has them, before compression and without headers.
    Plain,
}

/// The CDC formats with a message that has no row. Messages of added and of removed rows are equally long.
const ENVELOPES: [(&str, &str); 4] = [
    ("debezium-json", r#"{"before":null,"after":,"op":"c"}"#),
    ("canal-json", r#"{"data":[],"type":"INSERT"}"#),
    ("maxwell-json", r#"{"data":,"type":"insert"}"#),
    ("ogg-json", r#"{"before":null,"after":,"op_type":"I"}"#),
];

impl Format {
    /// The format of a name; unknown ones are taken as plain values.
    pub(super) fn named(name: &str) -> Self {
        let known = ENVELOPES.iter().find(|(known, _)| *known == name);
        match (known, name) {
            (Some((_, around)), _) => Self::Envelope(around.len() as u64),
            (None, "json") => Self::Json,
            (None, "csv") => Self::Csv,
            _ => Self::Plain,
        }
    }

    /// Bytes of a row's cells of these columns.
    pub(super) fn bytes<'f>(self, row: &[Value], fields: impl Iterator<Item = &'f Field>) -> u64 {
        let cells = row.iter().zip(fields);
        match self {
            Self::Json => json_bytes(cells),
            Self::Envelope(around) => json_bytes(cells) + around,
            Self::Csv => cells
                .map(|(value, field)| csv_bytes(value, &field.data_type) + 1)
                .sum(),
            Self::Plain => cells
                .map(|(value, field)| plain_bytes(value, &field.data_type))
                .sum(),
        }
    }
}

/// `{"a":1,"b":"x"}`
fn json_bytes<'v, 'f>(cells: impl Iterator<Item = (&'v Value, &'f Field)>) -> u64 {
    let mut bytes = 2;
    for (value, field) in cells {
        let text = json_text(&json_from_value(value, &field.data_type));
        bytes += (field.name.len() + text.len() + 4) as u64;
    }
    // One comma fewer than cells.
    bytes - u64::from(bytes > 2)
}

/// A cell; longer ones and those with blanks, commas or quotes stand in quotes.
fn csv_bytes(value: &Value, data_type: &DataType) -> u64 {
    if value.is_null() {
        return 0;
    }
    let text = cell_text(value, data_type);
    let quotes = text.bytes().filter(|byte| *byte == b'"').count();
    let quoted = text.len() > 24 || text.bytes().any(|byte| byte < b'-');
    (text.len() + quotes + if quoted { 2 } else { 0 }) as u64
}

/// Fixed widths as Parquet has them, 4 bytes of length before texts.
fn plain_bytes(value: &Value, data_type: &DataType) -> u64 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Int(_) if matches!(data_type.kind, TypeKind::BigInt) => 8,
        Value::Double(_) if matches!(data_type.kind, TypeKind::Double) => 8,
        Value::Int(_) | Value::Double(_) => 4,
        Value::Decimal(_) | Value::Timestamp { .. } => 8,
        Value::BigDecimal(_) => 16,
        Value::Str(text) => 4 + text.len() as u64,
        Value::Bytes(bytes) => 4 + bytes.len() as u64,
        Value::Row(_) | Value::Array(_) | Value::Map(_) => 4 + cell_text(value, data_type).len() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_text() {
        let name = Field {
            name: "shop".into(),
            data_type: DataType::STRING,
        };
        let number = Field {
            name: "n".into(),
            data_type: DataType::nullable(TypeKind::BigInt),
        };
        let row = [Value::from("tea"), Value::Int(3)];
        let fields = [&name, &number];
        let of = |format: &str| Format::named(format).bytes(&row, fields.into_iter());
        assert_eq!(of("json"), r#"{"shop":"tea","n":3}"#.len() as u64);
        let debezium = r#"{"before":null,"after":{"shop":"tea","n":3},"op":"c"}"#;
        assert_eq!(of("debezium-json"), debezium.len() as u64);
        let canal = r#"{"data":[{"shop":"tea","n":3}],"type":"DELETE"}"#;
        assert_eq!(of("canal-json"), canal.len() as u64);
        assert_eq!(of("csv"), "tea,3\n".len() as u64);
        assert_eq!(of("parquet"), 4 + 3 + 8);
    }
}
