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

    /// The row of its values.
    pub(super) fn row(&self, record: &Record, fields: &[Field]) -> Result<Row, String> {
        let (wanted, given) = (fields.len(), record.cells.len());
        if let Some((text, column)) = record.cells.get(wanted) {
            return Err(format!(
                "RuntimeJsonMappingException: Too many entries: expected at most {wanted} (value #{wanted} ({} chars) \"{text}\")\n{}",
                text.chars().count(),
                source(record.line, *column)
            ));
        }
        if given < wanted && !self.ignores_errors {
            return Err(format!(
                "RuntimeException: Row length mismatch. {wanted} fields expected but was {given}."
            ));
        }
        let mut cells = record.cells.iter().map(|(text, _)| text);
        fields
            .iter()
            .map(|field| match cells.next() {
                None => Ok(Value::Null),
                Some(text) if self.null_literal.as_deref() == Some(text.as_str()) => Ok(Value::Null),
                Some(text) if self.ignores_errors => Ok(value(text, field).unwrap_or_default()),
                Some(text) => value(text, field),
            })
            .gather()
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

    /// Goes to the next line that says something.
    pub(super) fn skip_comments(&self, reading: &mut Reading<'_>) {
        while self.comments && reading.rest.starts_with('#') {
            reading.skip_line();
        }
    }

    /// The values of the next row, or why it is none; `None` behind the last one. Flink: Jackson's `CsvDecoder`.
    pub(super) fn next(&self, reading: &mut Reading<'_>) -> Option<Result<Record, String>> {
        self.skip_comments(reading);
        if reading.rest.is_empty() {
            return None;
        }
        let mut record = Record {
            line: reading.line,
            cells: Vec::new(),
        };
        let mut cell = (String::new(), reading.column);
        let mut state = State::Start;
        loop {
            let Some(letter) = reading.next() else {
                if state == State::Quoted {
                    return Some(Err(failure("Missing closing quote for value", reading)));
                }
                break;
            };
            if Some(letter) == self.escape && state != State::Closed {
                cell.0.extend(reading.next());
                if state == State::Start {
                    state = State::Plain;
                }
                continue;
            }
            let quotes = Some(letter) == self.quote;
            match state {
                State::Quoted if quotes && reading.rest.starts_with(letter) => cell.0.extend(reading.next()),
                State::Quoted if quotes => state = State::Closed,
                State::Quoted => cell.0.push(letter),
                State::Start if quotes => state = State::Quoted,
                _ if letter == '\n' => break,
                _ if letter == self.delimiter => {
                    let full = std::mem::replace(&mut cell, (String::new(), reading.column));
                    record.cells.push(full);
                    state = State::Start;
                }
                State::Closed if letter.is_whitespace() => {}
                State::Closed => {
                    let what = format!(
                        "Unexpected character ('{letter}' (code {})): Expected column separator character ('{}' (code {})) or \
                         end-of-line",
                        u32::from(letter),
                        self.delimiter,
                        u32::from(self.delimiter)
                    );
                    let failure = failure(&what, reading);
                    reading.skip_line();
                    return Some(Err(failure));
                }
                State::Start | State::Plain => {
                    state = State::Plain;
                    cell.0.push(letter);
                }
            }
        }
        if state == State::Plain && cell.0.ends_with('\r') {
            cell.0.pop();
        }
        record.cells.push(cell);
        Some(Ok(record))
    }
}

/// Where in its row a reader is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a value.
    Start,
    /// In a value without quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// Behind the closing one, where only blanks are.
    Closed,
}

/// The values of a row.
pub(super) struct Record {
    /// Where it begins.
    line: usize,
    /// Each with the column where it begins.
    cells: Vec<(String, usize)>,
}

/// How far a file is read.
pub(super) struct Reading<'a> {
    rest: &'a str,
    /// Of the next letter, from 1.
    pub(super) line: usize,
    column: usize,
}

impl<'a> Reading<'a> {
    /// From the beginning.
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            line: 1,
            column: 1,
        }
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = self.rest.get(letter.len_utf8()..).unwrap_or_default();
        if letter == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(letter)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|letter| letter != '\n') {}
    }
}

/// What Jackson says of the place up to which a file is read.
fn failure(what: &str, reading: &Reading<'_>) -> String {
    let place = source(reading.line, reading.column);
    format!("RuntimeException: {what}\n{place}")
}

/// How Jackson names a place.
fn source(line: usize, column: usize) -> String {
    format!(
        " at [Source: (org.apache.flink.connector.file.src.impl.StreamFormatAdapter$TrackingFsDataInputStream); line: {line}, \
         column: {column}]"
    )
}

fn value(text: &str, field: &Field) -> Result<Value, String> {
    let is_text = matches!(field.data_type.kind, TypeKind::Char(_) | TypeKind::Varchar(_));
    let text = if is_text { text } else { text.trim() };
    value_from_json(&Json::String(text.to_owned()), &field.data_type).map_err(|error| {
        let is_number = error.message.starts_with("For input string");
        let exception = if is_number { "NumberFormatException: " } else { "" };
        format!(
            "RuntimeException: Fail to deserialize at field: {}.\n{exception}{}",
            field.name, error.message
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_behind_comments_is_named_by_its_own_line() {
        let csv = Csv::new(&|key| (key == "allow-comments").then_some("true"));
        let mut reading = Reading::new("# a\n# b\n1,\"2\n3\"\n# c\n");
        csv.skip_comments(&mut reading);
        assert_eq!(reading.line, 3);
        let record = csv.next(&mut reading).unwrap().unwrap();
        assert_eq!((record.line, record.cells.len()), (3, 2));
        csv.skip_comments(&mut reading);
        assert_eq!(reading.line, 6);
        assert!(csv.next(&mut reading).is_none());
    }
}
