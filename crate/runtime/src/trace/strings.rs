//! The texts of a trace, each written once: cells as `Row.toString` prints them, keys, windows, messages.
//!
//! Number 0 is the empty text, number 1 stands for NULL. All texts lie in one string, one behind the other. A cell that was
//! printed lately is found by its value, without printing it again: in a small cache, because a table of all cells of a
//! long run would leave the processor's own.

use sg_value::{DataType, TypeKind, Value, format::write_cell, hash::table_hash};

use crate::index::{Index, folded};

/// How cells of a type print. Types that print alike need not share a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(u32);

/// Number of the empty text.
pub(crate) const EMPTY: u32 = 0;
/// Number that stands for NULL.
pub(crate) const NULL: u32 = 1;

/// Number of the first text.
const FIRST: u32 = 2;

/// Slots of the cache, a power of two.
const CACHED: usize = 4096;

/// The table of texts.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    classes: Vec<DataType>,
    /// All texts, one behind the other.
    all: String,
    /// Where the text of number n + 2 ends.
    ends: Vec<u32>,
    by_text: Index,
    /// Cells by their hash, the newest of each slot.
    cells: Vec<Option<Cell>>,
    /// Number of texts that are in finished frames.
    written: usize,
    scratch: String,
}

#[derive(Clone, Debug)]
struct Cell {
    class: Class,
    value: Value,
    text: u32,
}

/// Texts that are not in a finished frame yet.
pub(crate) struct NewTexts<'s> {
    all: &'s str,
    /// Where the text before the first ends.
    from: u32,
    ends: &'s [u32],
}

impl<'s> NewTexts<'s> {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'s str> {
        let starts = std::iter::once(&self.from).chain(self.ends);
        let all = self.all;
        starts
            .zip(self.ends)
            .filter_map(move |(from, end)| all.get(*from as usize..*end as usize))
    }
}

#[cfg_attr(sg_hot, optimize(speed))]
fn text_hash(text: &str) -> u32 {
    use std::hash::Hasher;
    let mut hasher = sg_value::hash::TableHasher::default();
    hasher.write(text.as_bytes());
    folded(hasher.finish())
}

#[cfg_attr(sg_hot, optimize(speed))]
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
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn cell(&mut self, class: Class, value: &Value) -> u32 {
        if value.is_null() {
            return NULL;
        }
        if self.cells.is_empty() {
            self.cells.resize(CACHED, None);
        }
        let slot = cell_hash(class, value) as usize % CACHED;
        if let Some(Some(known)) = self.cells.get(slot)
            && known.class == class
            && known.value == *value
        {
            return known.text;
        }
        let mut scratch = self.take_scratch();
        self.write(&mut scratch, class, value);
        let text = self.text(&scratch);
        self.return_scratch(scratch);
        if let Some(place) = self.cells.get_mut(slot) {
            let value = value.clone();
            *place = Some(Cell { class, value, text });
        }
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
        let written = match (value, &data_type.kind) {
            // State keeps points in time as numbers.
            (Value::Int(ms), TypeKind::Timestamp { .. }) => {
                write_cell(out, &Value::timestamp_ms(*ms), data_type)
            }
            _ => write_cell(out, value, data_type),
        };
        debug_assert!(written.is_ok(), "writing into a string does not fail");
    }

    /// Appends the texts of cells, joined by commas.
    #[cfg_attr(sg_hot, optimize(speed))]
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
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return EMPTY;
        }
        let hash = text_hash(text);
        let (all, ends) = (&self.all, &self.ends);
        let same = |number| text_of(all, ends, number) == Some(text);
        if let Some(number) = self.by_text.find(hash, same) {
            return number;
        }
        let number = self.ends.len() as u32 + FIRST;
        self.all.push_str(text);
        self.ends.push(self.all.len() as u32);
        self.by_text.insert(hash, number);
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
    pub(crate) fn take_new(&mut self) -> NewTexts<'_> {
        let from = self.written;
        self.written = self.ends.len();
        NewTexts {
            all: &self.all,
            from: self.end_before(from),
            ends: self.ends.get(from..).unwrap_or_default(),
        }
    }

    /// Where the texts before the text at this place end.
    fn end_before(&self, at: usize) -> u32 {
        at.checked_sub(1)
            .and_then(|before| self.ends.get(before).copied())
            .unwrap_or(0)
    }

    /// Number of texts in finished frames.
    pub(crate) const fn written(&self) -> usize {
        self.written
    }

    /// Forgets all texts but the first `written`.
    pub(crate) fn truncate(&mut self, written: usize) {
        self.all.truncate(self.end_before(written) as usize);
        self.ends.truncate(written);
        self.written = self.ends.len();
        let limit = self.ends.len() as u32 + FIRST;
        self.by_text.truncate(limit);
        for place in &mut self.cells {
            if place.as_ref().is_some_and(|cell| cell.text >= limit) {
                *place = None;
            }
        }
    }
}

/// The text of a number.
#[cfg_attr(sg_hot, optimize(speed))]
fn text_of<'a>(all: &'a str, ends: &[u32], number: u32) -> Option<&'a str> {
    let at = number.checked_sub(FIRST)? as usize;
    let from = match at {
        0 => 0,
        at => *ends.get(at - 1)?,
    };
    all.get(from as usize..*ends.get(at)? as usize)
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
        assert_eq!(strings.take_new().iter().collect::<Vec<_>>(), ["d"]);
    }

    #[test]
    fn a_cell_is_printed_like_before_when_another_took_its_place_in_the_cache() {
        let mut strings = Strings::default();
        let class = strings.class(&DataType::BIGINT);
        let first: Vec<u32> = (0..9000).map(|n| strings.cell(class, &Value::Int(n))).collect();
        let again: Vec<u32> = (0..9000).map(|n| strings.cell(class, &Value::Int(n))).collect();
        assert_eq!(first, again);
    }
}
