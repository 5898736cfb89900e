//! The texts of a trace, each written once: cells as `Row.toString` prints them, keys, windows, messages.
//!
//! Number 0 is the empty text, number 1 stands for NULL. All texts lie in one string, one behind the other. Whole numbers and
//! points in time are no texts: a cell's code holds them as they are, and whoever reads the trace prints them. Another cell
//! that was printed lately is found by its value, without printing it again: in a small cache, because a table of all cells
//! of a long run would leave the processor's own.

use sg_value::{DataType, TypeKind, Value, format::write_cell, hash::table_hash};

use crate::index::{Index, folded};

/// How cells of a type print. Types that print alike need not share a class. The lowest two bits say what a code of such a
/// cell holds (see [`code`]), the others are the number of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(u32);

/// What the code of a cell holds, by its lowest two bits.
pub(crate) mod code {
    /// The number of a text.
    pub(crate) const TEXT: u32 = 0;
    /// A whole number.
    pub(crate) const NUMBER: u32 = 1;
    /// Milliseconds of a wall clock.
    pub(crate) const LOCAL: u32 = 2;
    /// Milliseconds of an instant.
    pub(crate) const INSTANT: u32 = 3;
}

/// Whole numbers up to this size are held as they are, so that a code stays below 2^53.
const LARGEST: i64 = 1 << 50;
/// Points in time that print with four digits of a year: from the year 1 to 9999.
const PRINTED: std::ops::Range<i64> = -62_135_596_800_000..253_402_300_800_000;

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

fn text_hash(text: &str) -> u32 {
    use std::hash::Hasher;
    let mut hasher = sg_value::hash::TableHasher::default();
    hasher.write(text.as_bytes());
    folded(hasher.finish())
}

fn cell_hash(class: Class, value: &Value) -> u64 {
    table_hash(std::slice::from_ref(value)) ^ u64::from(class.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Strings {
    /// The class of a type.
    pub(crate) fn class(&mut self, data_type: &DataType) -> Class {
        let at = self.classes.iter().position(|known| known == data_type);
        let at = at.unwrap_or_else(|| {
            self.classes.push(data_type.clone());
            self.classes.len() - 1
        });
        let holds = match data_type.kind {
            TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => code::NUMBER,
            TypeKind::Timestamp { .. } => code::LOCAL,
            TypeKind::TimestampLtz { .. } => code::INSTANT,
            _ => code::TEXT,
        };
        Class((at as u32) << 2 | holds)
    }

    /// The code of a cell: a number as it is, else that of its text.
    #[inline]
    pub(crate) fn cell(&mut self, class: Class, value: &Value) -> u64 {
        let holds = class.0 & 3;
        let number = match (value, holds) {
            (Value::Int(number), code::NUMBER) if (-LARGEST..LARGEST).contains(number) => Some(*number),
            // State keeps points in time as numbers.
            (Value::Timestamp { ms, nanos: 0 }, code::LOCAL | code::INSTANT)
            | (Value::Int(ms), code::LOCAL)
                if PRINTED.contains(ms) =>
            {
                Some(*ms)
            }
            _ => None,
        };
        match number {
            Some(number) => (((number << 1) ^ (number >> 63)) as u64) << 2 | u64::from(holds),
            None => u64::from(self.cell_text(class, value)) << 2,
        }
    }

    /// The number of a cell's text.
    fn cell_text(&mut self, class: Class, value: &Value) -> u32 {
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
        let Some(data_type) = self.classes.get(class.0 as usize >> 2) else {
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
        let class = strings.class(&DataType::nullable(TypeKind::Date));
        let mut codes = || -> Vec<u64> { (0..9000).map(|n| strings.cell(class, &Value::Int(n))).collect() };
        assert_eq!(codes(), codes());
    }

    #[test]
    fn numbers_and_points_in_time_are_held_as_they_are() {
        let mut strings = Strings::default();
        let number = strings.class(&DataType::BIGINT);
        assert_eq!(strings.cell(number, &Value::Int(-3)), 5 << 2 | 1);
        assert_eq!(strings.cell(number, &Value::Null), 1 << 2);
        assert_eq!(strings.cell(number, &Value::Int(i64::MAX)), 2 << 2, "a text");
        let local = strings.class(&DataType::nullable(TypeKind::Timestamp {
            precision: 3,
            time: sg_value::TimeKind::Regular,
        }));
        assert_eq!(strings.cell(local, &Value::timestamp_ms(7)), 14 << 2 | 2);
        let finer = Value::Timestamp { ms: 7, nanos: 1 };
        assert_eq!(strings.cell(local, &finer), 3 << 2, "a text");
    }
}
