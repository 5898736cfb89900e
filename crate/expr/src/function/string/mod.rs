//! Functions of character and byte strings. Positions count characters from 1.

mod basic;
mod code;
mod letters;
mod pad;
mod part;
mod printf;
mod url;

use sg_value::Value;

use super::FunctionDef;
pub(super) use code::base64;

pub(super) static TABLES: [&[FunctionDef]; 6] = [
    basic::ROWS,
    part::ROWS,
    pad::ROWS,
    printf::ROWS,
    code::ROWS,
    url::ROWS,
];

/// The text of an argument that is not NULL.
fn text(values: &[Value], at: usize) -> &str {
    values.get(at).and_then(Value::as_str).unwrap_or_default()
}

/// The number of an argument that is not NULL.
fn int(values: &[Value], at: usize) -> i64 {
    values.get(at).and_then(Value::as_int).unwrap_or_default()
}

/// A text as a value.
fn string(text: String) -> Value {
    Value::Str(text.into())
}

/// The byte offset of a character, the end for one behind it.
fn offset_of(text: &str, characters: usize) -> usize {
    text.char_indices()
        .nth(characters)
        .map_or(text.len(), |(offset, _)| offset)
}

/// How many characters a text has.
fn length(text: &str) -> i64 {
    crate::number::long_from_len(text.chars().count())
}
