//! Lines of comma-separated values.

use serde_json::Value as Json;
use sg_value::{Field, Gather as _, Row, TypeKind, Value, json::value_from_json};

/// How values are separated.
#[derive(Debug)]
pub(super) struct Csv {
    delimiter: char,
    quote: Option<char>,
    escape: Option<char>,
    null_literal: Option<String>,
    /// Lines behind `#` say nothing.
    comments: bool,
    /// Values that cannot be read are NULL.
    ignores_errors: bool,
}

impl Csv {
    /// From the options of the format.
    pub(super) fn new<'o>(option: &dyn Fn(&str) -> Option<&'o str>) -> Self {
        let one = |key: &str| option(key).and_then(|text| text.chars().next());
        let is_on = |key: &str| option(key).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let unquoted = is_on("disable-quote-character");
        Self {
            delimiter: match option("field-delimiter") {
                Some("\\t") => '\t',
                _ => one("field-delimiter").unwrap_or(','),
            },
            quote: (!unquoted).then(|| one("quote-character").unwrap_or('"')),
            escape: one("escape-character"),
            null_literal: option("null-literal").map(str::to_owned),
            comments: is_on("allow-comments"),
            ignores_errors: is_on("ignore-parse-errors"),
        }
    }

    /// The row of a line.
    pub(super) fn row(&self, line: &str, fields: &[Field]) -> Result<Row, String> {
        let cells = self.cells(line);
        if cells.len() > fields.len() {
            return Err(format!(
                "IOException: Failed to deserialize CSV row '{line}'.\nRuntimeException: Row length mismatch. {} fields expected but was {}.",
                fields.len(),
                cells.len()
            ));
        }
        let mut cells = cells.into_iter();
        fields
            .iter()
            .map(|field| match cells.next() {
                None => Ok(Value::Null),
                Some(text) if self.null_literal.as_deref() == Some(text.as_str()) => Ok(Value::Null),
                Some(text) if self.ignores_errors => Ok(value(&text, field).unwrap_or_default()),
                Some(text) => value(&text, field),
            })
            .gather()
    }

    pub(super) fn is_comment(&self, line: &str) -> bool {
        self.comments && line.starts_with('#')
    }

    /// Whether a quote is open behind a line, if one was or was not before it: then the next line belongs to the row.
    pub(super) fn open_behind(&self, line: &str, mut open: bool) -> bool {
        let mut first = true;
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            if Some(letter) == self.escape {
                letters.next();
            } else if Some(letter) == self.quote && (open || first) {
                open = !open;
                // two of them are one in the value, which goes on
                first = !open;
                continue;
            }
            first = letter == self.delimiter && !open;
        }
        open
    }

    fn cells(&self, line: &str) -> Vec<String> {
        let mut cells = Vec::new();
        let mut cell = String::new();
        let mut quoted = false;
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            if Some(letter) == self.escape {
                cell.extend(letters.next());
            } else if Some(letter) == self.quote && (quoted || cell.is_empty()) {
                if quoted && letters.peek() == Some(&letter) {
                    cell.extend(letters.next());
                } else {
                    quoted = !quoted;
                }
            } else if letter == self.delimiter && !quoted {
                cells.push(std::mem::take(&mut cell));
            } else {
                cell.push(letter);
            }
        }
        cells.push(cell);
        cells
    }
}

fn value(text: &str, field: &Field) -> Result<Value, String> {
    let is_text = matches!(field.data_type.kind, TypeKind::Char(_) | TypeKind::Varchar(_));
    let text = if is_text { text } else { text.trim() };
    value_from_json(&Json::String(text.to_owned()), &field.data_type).map_err(|error| {
        format!(
            "RuntimeException: Fail to deserialize at field: {}.\n{}",
            field.name, error.message
        )
    })
}
