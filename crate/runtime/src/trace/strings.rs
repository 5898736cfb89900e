//! The texts of a trace, each written once: cells as `Row.toString` prints them, keys, windows, messages.
//!
//! Number 0 is the empty text, number 1 stands for NULL. A cell that was printed before is found by its value, without
//! printing it again.

use hashbrown::HashTable;
use sg_value::{DataType, TypeKind, Value, format::write_cell, hash::table_hash};

/// How cells of a type print. Types that print alike need not share a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(u32);

/// Number of the empty text.
pub(crate) const EMPTY: u32 = 0;
/// Number that stands for NULL.
pub(crate) const NULL: u32 = 1;

/// The table of texts.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    classes: Vec<DataType>,
    /// Text of number n + 2.
    texts: Vec<Box<str>>,
    by_text: HashTable<u32>,
    by_cell: HashTable<Cell>,
    /// Number of texts that are in finished frames.
    written: usize,
    scratch: String,
}

#[derive(Debug)]
struct Cell {
    class: Class,
    value: Value,
    text: u32,
}

fn text_hash(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = sg_value::hash::TableHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

fn cell_hash(class: Class, value: &Value) -> u64 {
    table_hash(std::slice::from_ref(value)) ^ u64::from(class.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Strings {
    /// The class of a type.
    pub(crate) fn class(&mut self, data_type: &DataType) -> Class {
        if let Some(at) = self.classes.iter().position(|known| known == data_type) {
            return Class(at as u32);
        }
        self.classes.push(data_type.clone());
        Class(self.classes.len() as u32 - 1)
    }

    /// The number of a cell's text.
    pub(crate) fn cell(&mut self, class: Class, value: &Value) -> u32 {
        if value.is_null() {
            return NULL;
        }
        let hash = cell_hash(class, value);
        if let Some(known) = self
            .by_cell
            .find(hash, |cell| cell.class == class && cell.value == *value)
        {
            return known.text;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        self.write(&mut scratch, class, value);
        let text = self.text(&scratch);
        self.scratch = scratch;
        let cell = Cell {
            class,
            value: value.clone(),
            text,
        };
        self.by_cell
            .insert_unique(hash, cell, |cell| cell_hash(cell.class, &cell.value));
        text
    }

    /// Appends the text of a cell.
    pub(crate) fn write(&self, out: &mut String, class: Class, value: &Value) {
        let Some(data_type) = self.classes.get(class.0 as usize) else {
            debug_assert!(false, "a class of another table");
            return;
        };
        if matches!(value, Value::Row(_)) && !matches!(data_type.kind, TypeKind::Row(_)) {
            // A local phase packs its maps into a cell of another type.
            out.push('\u{2026}');
            return;
        }
        let written = write_cell(out, value, data_type);
        debug_assert!(written.is_ok(), "writing into a string does not fail");
    }

    /// Appends the texts of cells, joined by commas.
    pub(crate) fn write_list(&self, out: &mut String, classes: &[Class], cells: &[Value]) {
        for (at, (class, cell)) in classes.iter().zip(cells).enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            if cell.is_null() {
                out.push_str("null");
            } else {
                self.write(out, *class, cell);
            }
        }
    }

    /// The number of a text.
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return EMPTY;
        }
        let hash = text_hash(text);
        let texts = &self.texts;
        let same = |&number: &u32| {
            texts
                .get(number as usize - 2)
                .is_some_and(|known| **known == *text)
        };
        if let Some(known) = self.by_text.find(hash, same) {
            return *known;
        }
        let number = self.texts.len() as u32 + 2;
        self.texts.push(text.into());
        let texts = &self.texts;
        self.by_text.insert_unique(hash, number, |&number| {
            texts.get(number as usize - 2).map_or(0, |known| text_hash(known))
        });
        number
    }

    /// A text buffer to print into; give it back with [`Self::return_scratch`].
    pub(crate) fn take_scratch(&mut self) -> String {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch
    }

    /// Gives a text buffer back, so that its memory is used again.
    pub(crate) fn return_scratch(&mut self, scratch: String) {
        self.scratch = scratch;
    }

    /// The texts that no finished frame has, which from now on count as written.
    pub(crate) fn take_new(&mut self) -> &[Box<str>] {
        let from = self.written;
        self.written = self.texts.len();
        self.texts.get(from..).unwrap_or_default()
    }

    /// Number of texts in finished frames.
    pub(crate) const fn written(&self) -> usize {
        self.written
    }

    /// Forgets all texts but the first `written`.
    pub(crate) fn truncate(&mut self, written: usize) {
        self.texts.truncate(written);
        self.written = self.texts.len();
        let limit = self.texts.len() as u32 + 2;
        self.by_text.retain(|number| *number < limit);
        self.by_cell.retain(|cell| cell.text < limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbered_from_two_in_order_of_appearance() {
        let mut strings = Strings::default();
        assert_eq!(strings.text(""), EMPTY);
        assert_eq!(strings.text("a"), 2);
        assert_eq!(strings.text("b"), 3);
        assert_eq!(strings.text("a"), 2);
        assert_eq!(strings.take_new().len(), 2);
        assert_eq!(strings.text("c"), 4);
        strings.truncate(2);
        assert_eq!(strings.text("d"), 4);
        assert_eq!(strings.take_new(), ["d".into()]);
    }
}
