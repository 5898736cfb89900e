//! What there is of one key: runs of rows by number, and numbers.
#![expect(
    clippy::indexing_slicing,
    reason = "numbers of runs are those of the states, numbers of rows come from the record"
)]

use std::ops::Range;

use sg_value::Value;

use super::{
    super::{Key, Note, written},
    Layout,
};
use crate::trace::StateOp;

/// Rows that a record has room for at first.
const FIRST_ROWS: usize = 4;

/// Numbers beside rows.
const NUMBERS: usize = 3;

/// Runs of rows.
const RUNS: usize = 2;

/// Bits of who wrote a row in the cell before it; the two above are its mark. The number takes all of the milliseconds: case
/// over/rows-at-the-ends-of-time.
const WRITER_BITS: u32 = 30;

/// Who wrote a row, without its mark.
const WRITER: u32 = (1 << WRITER_BITS) - 1;

/// Numbers and runs that an operator does not have are last, so that they are not looked at.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(super) struct Record {
    numbers: [Number; NUMBERS],
    runs: [Run; RUNS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Number {
    value: i64,
    writer: u32,
    is_there: bool,
}

/// Rows by number and arrival.
#[derive(Clone, Debug, Default)]
struct Run {
    /// Before each row stands a cell with its number, and in the place of the nanoseconds its mark and who wrote what there
    /// is at this number (the last row of a number says it).
    cells: Vec<Value>,
    /// Rows at the beginning that were taken.
    gap: u32,
    /// Rows whose time has come, with those that were taken: the next ones are probably those behind them.
    past: u32,
}

/// Memory of runs that became empty, for others: what was emptied last is near. Copies have none.
#[derive(Debug, Default)]
pub(super) struct Buffers(Vec<Vec<Value>>);

/// Buffers that are kept at most.
const SPARE: usize = 1024;

impl Clone for Buffers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Buffers {
    #[inline]
    fn take(&mut self, stride: usize) -> Vec<Value> {
        self.0
            .pop()
            .unwrap_or_else(|| Vec::with_capacity(FIRST_ROWS * stride))
    }

    /// Takes the memory of what is empty, if it is not much.
    #[inline]
    fn give(&mut self, cells: &mut Vec<Value>, stride: usize) {
        if cells.capacity() <= FIRST_ROWS * stride && self.0.len() < SPARE {
            self.0.push(std::mem::take(cells));
        }
    }
}

/// The number of the first of these rows.
#[inline]
pub(super) fn number_of(cells: &[Value]) -> i64 {
    match cells.first() {
        Some(Value::Timestamp { ms, .. }) => *ms,
        _ => 0,
    }
}

impl Run {
    /// The number of a row that there is not yet.
    #[inline]
    fn end(&self, stride: usize) -> usize {
        self.cells.len() / stride
    }

    #[inline]
    fn gap(&self) -> usize {
        self.gap as usize
    }

    #[inline]
    fn number(&self, stride: usize, at: usize) -> i64 {
        number_of(&self.cells[at * stride..])
    }

    #[inline]
    fn rows(&self, stride: usize, rows: &Range<usize>) -> &[Value] {
        &self.cells[rows.start * stride..rows.end * stride]
    }

    /// The first row whose number is not smaller, or where there is none.
    fn find(&self, stride: usize, number: i64) -> usize {
        let (mut from, mut to) = (self.gap(), self.end(stride));
        while from < to {
            let middle = usize::midpoint(from, to);
            if self.number(stride, middle) < number {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }

    /// The rows that have the number of this one, from it on.
    #[inline]
    fn same(&self, stride: usize, from: usize) -> Range<usize> {
        let (mut to, end) = (from, self.end(stride));
        if from < end {
            let number = self.number(stride, from);
            to += 1;
            while to < end && self.number(stride, to) == number {
                to += 1;
            }
        }
        from..to
    }

    /// All rows that have the number of this one.
    fn group(&self, stride: usize, at: usize) -> Range<usize> {
        let (mut from, number) = (at, self.number(stride, at));
        while from > self.gap() && self.number(stride, from - 1) == number {
            from -= 1;
        }
        self.same(stride, from)
    }

    /// Says who wrote what there is at the number of this row, which is its last.
    #[inline]
    fn sign(&mut self, stride: usize, at: usize, writer: u64) {
        if let Value::Timestamp { nanos, .. } = &mut self.cells[at * stride] {
            *nanos = *nanos & !WRITER | writer as u32 & WRITER;
        }
    }
}

impl Record {
    pub(super) fn is_empty(&self) -> bool {
        self.runs.iter().all(|run| run.cells.is_empty()) && !self.numbers.iter().any(|number| number.is_there)
    }

    /// One of its numbers, and who wrote it.
    pub(super) fn number(&self, field: usize) -> Option<(i64, u32)> {
        let number = self.numbers.get(field).filter(|number| number.is_there)?;
        Some((number.value, number.writer))
    }

    /// The rows of each number of a run, and who wrote them.
    pub(super) fn groups(&self, run: usize, stride: usize) -> impl Iterator<Item = (&[Value], u32)> {
        let run = &self.runs[run];
        let mut next = run.gap();
        std::iter::from_fn(move || {
            let group = run.same(stride, next);
            next = group.end;
            let cells = run.rows(stride, &group);
            match cells.chunks_exact(stride).next_back()?.first() {
                Some(Value::Timestamp { nanos, .. }) => Some((cells, nanos & WRITER)),
                _ => None,
            }
        })
    }

    /// Reads the first and the last row of each run, whose rows have so many cells.
    #[inline]
    pub(super) fn peek(&self, strides: impl Iterator<Item = usize>) -> u32 {
        let null = |cell: Option<&Value>| u32::from(cell.is_some_and(Value::is_null));
        let mut read = self.numbers[0].writer ^ self.runs[0].past;
        for (run, stride) in self.runs.iter().zip(strides) {
            read ^= null(run.cells.get(run.gap() * stride)) + null(run.cells.last());
        }
        read
    }
}

/// What there is of a key, to work with. Rows have numbers of their own, their places, which hold until [`Self::settle`].
#[derive(Debug)]
pub(crate) struct KeyRecord<'t> {
    pub(super) layout: &'t Layout,
    pub(super) key: Key<'t>,
    pub(super) record: &'t mut Record,
    pub(super) spare: &'t mut Buffers,
}

impl<'t> KeyRecord<'t> {
    /// The key.
    #[inline]
    pub(crate) const fn key(&self) -> Key<'t> {
        self.key
    }

    /// One of its numbers.
    #[inline]
    pub(crate) fn number(&self, field: usize) -> Option<i64> {
        let number = self.record.numbers.get(field)?;
        number.is_there.then_some(number.value)
    }

    /// Sets one of its numbers, or forgets it.
    #[inline]
    pub(crate) fn set_number(&mut self, field: usize, new: Option<i64>, note: &Note<'_>) {
        let Some(number) = self.record.numbers.get_mut(field) else {
            return;
        };
        let before = std::mem::replace(
            number,
            Number {
                value: new.unwrap_or_default(),
                writer: note.writer as u32,
                is_there: new.is_some(),
            },
        );
        let op = match (before.is_there, new) {
            (false, None) => return,
            (true, Some(_)) => StateOp::Updated,
            (false, Some(_)) => {
                note.shared
                    .add_entry(note.counters, self.layout.number_bytes(self.key.cells));
                StateOp::Created
            }
            (true, None) => {
                let bytes = self.layout.number_bytes(self.key.cells);
                note.shared.remove_entries(note.counters, 1, bytes);
                StateOp::Removed
            }
        };
        if note.shared.trace.full() {
            let shown = (field, new.unwrap_or(before.value));
            self.layout.trace_number(note, op, self.key, shown);
        }
    }

    /// Tells what happened to rows, if somebody wants to know.
    #[inline]
    fn trace(&self, note: &Note<'_>, op: StateOp, run: usize, group: &Range<usize>) {
        if note.shared.trace.full() {
            let cells = self.record.runs[run].rows(self.layout.runs[run].stride, group);
            self.layout.trace(note, op, self.key, (run, cells));
        }
    }

    /// Adds a row with a mark behind those of its number, or in the place of the one that is there, if a number has only
    /// one; whether it is the first.
    pub(crate) fn push(
        &mut self,
        run: usize,
        (number, mark): (i64, i64),
        row: &[Value],
        note: &Note<'_>,
    ) -> bool {
        let layout = &self.layout.runs[run];
        let own = &mut self.record.runs[run];
        let stride = layout.stride;
        if row.len() + 1 != stride {
            return false;
        }
        let end = own.end(stride);
        let mut at = end;
        let mut before = None;
        if end > own.gap() {
            let last = own.number(stride, end - 1);
            before = Some(last);
            if last > number {
                at = own.find(stride, number.saturating_add(1));
                before = (at > own.gap()).then(|| own.number(stride, at - 1));
            }
        }
        let first = before != Some(number);
        let head = Value::Timestamp {
            ms: number,
            nanos: (mark as u32) << WRITER_BITS | note.writer as u32 & WRITER,
        };
        let bytes = layout.row_bytes(row);
        if !first && !layout.shape.list {
            at -= 1;
            let [own_head, cells @ ..] = &mut own.cells[at * stride..(at + 1) * stride] else {
                return false;
            };
            *own_head = head;
            note.counters.resize(layout.row_bytes(cells), bytes);
            cells.clone_from_slice(row);
        } else {
            if own.cells.capacity() == 0 {
                own.cells = self.spare.take(stride);
            }
            own.cells.push(head);
            own.cells.extend_from_slice(row);
            if at < end {
                own.cells[at * stride..].rotate_right(stride);
            }
            if first {
                let frame = self.layout.frame_bytes(layout, self.key.cells);
                note.shared.add_entry(note.counters, frame + bytes);
            } else {
                note.counters.resize(0, bytes);
            }
        }
        if note.shared.trace.full() {
            let group = self.record.runs[run].group(stride, at);
            self.trace(note, written(first), run, &group);
        }
        first
    }

    /// The rows of a time that has come.
    #[inline]
    pub(crate) fn due(&mut self, run: usize, at_ms: i64) -> Range<usize> {
        let stride = self.layout.runs[run].stride;
        let own = &mut self.record.runs[run];
        let mut from = own.past.max(own.gap) as usize;
        let is_next = from < own.end(stride) && own.number(stride, from) == at_ms;
        if !is_next {
            from = own.find(stride, at_ms);
            if from >= own.end(stride) || own.number(stride, from) != at_ms {
                return from..from;
            }
        }
        let due = own.same(stride, from);
        own.past = due.end as u32;
        due
    }

    /// The cells of a row.
    #[inline]
    pub(crate) fn row(&self, run: usize, at: usize) -> &[Value] {
        let stride = self.layout.runs[run].stride;
        &self.record.runs[run].cells[at * stride + 1..(at + 1) * stride]
    }

    /// The number of a row and its mark, if there is the row.
    #[inline]
    pub(crate) fn head(&self, run: usize, at: usize) -> Option<(i64, i64)> {
        let stride = self.layout.runs[run].stride;
        match self.record.runs[run].cells.get(at * stride)? {
            Value::Timestamp { ms, nanos } => Some((*ms, i64::from(nanos >> WRITER_BITS))),
            _ => None,
        }
    }

    /// Marks a row; whether it had another mark.
    pub(crate) fn mark(&mut self, run: usize, at: usize, mark: i64) -> bool {
        let stride = self.layout.runs[run].stride;
        let Value::Timestamp { nanos, .. } = &mut self.record.runs[run].cells[at * stride] else {
            return false;
        };
        let marked = *nanos & WRITER | (mark as u32) << WRITER_BITS;
        std::mem::replace(nanos, marked) != marked
    }

    /// Notes that rows of the number of this one, which is its last, were marked.
    pub(crate) fn marked(&mut self, run: usize, last: usize, note: &Note<'_>) {
        let stride = self.layout.runs[run].stride;
        let own = &mut self.record.runs[run];
        own.sign(stride, last, note.writer);
        let group = own.group(stride, last);
        self.trace(note, StateOp::Updated, run, &group);
    }

    /// The place of the first row; if there is none, the one that it would have.
    #[inline]
    pub(crate) fn first(&self, run: usize) -> usize {
        self.record.runs[run].gap()
    }

    /// The number of the first row.
    #[inline]
    pub(crate) fn first_number(&self, run: usize) -> Option<i64> {
        Some(self.head(run, self.first(run))?.0)
    }

    /// The number of the last row.
    pub(crate) fn last_number(&self, run: usize) -> Option<i64> {
        let stride = self.layout.runs[run].stride;
        let own = &self.record.runs[run];
        let end = own.end(stride);
        (end > own.gap()).then(|| own.number(stride, end - 1))
    }

    /// The first row whose number is not smaller, or where there is none.
    #[inline]
    pub(crate) fn find(&self, run: usize, number: i64) -> usize {
        self.record.runs[run].find(self.layout.runs[run].stride, number)
    }

    /// The rows that have the number of this one, from it on.
    #[inline]
    pub(crate) fn same(&self, run: usize, at: usize) -> Range<usize> {
        self.record.runs[run].same(self.layout.runs[run].stride, at)
    }

    /// Takes the first row, if there is one.
    pub(crate) fn take_first(&mut self, run: usize, note: &Note<'_>) -> Range<usize> {
        let layout = &self.layout.runs[run];
        let own = &mut self.record.runs[run];
        let at = own.gap();
        let group = own.same(layout.stride, at);
        match group.len() {
            0 => return at..at,
            1 => {
                self.take(run, &group, note);
            }
            _ => {
                own.sign(layout.stride, group.end - 1, note.writer);
                own.gap += 1;
                note.counters.resize(layout.row_bytes(self.row(run, at)), 0);
                self.trace(note, StateOp::Updated, run, &(at + 1..group.end));
            }
        }
        at..at + 1
    }

    /// Takes the rows up to a number.
    pub(crate) fn take_until(&mut self, run: usize, last: i64, note: &Note<'_>) -> Range<usize> {
        let from = self.first(run);
        let mut to = from;
        while self.head(run, to).is_some_and(|(number, _)| number <= last) {
            let group = self.same(run, to);
            self.take(run, &group, note);
            to = group.end;
        }
        from..to
    }

    /// Takes all rows of a number. If they are not the first ones, the caller moves others to their places.
    #[inline]
    pub(crate) fn take(&mut self, run: usize, group: &Range<usize>, note: &Note<'_>) {
        let layout = &self.layout.runs[run];
        let own = &mut self.record.runs[run];
        let bytes = self.layout.frame_bytes(layout, self.key.cells)
            + layout.all_bytes(own.rows(layout.stride, group));
        if own.gap() == group.start {
            own.gap = group.end as u32;
        }
        note.shared.remove_entries(note.counters, 1, bytes);
        self.trace(note, StateOp::Removed, run, group);
    }

    /// Moves a row to a place before it, in exchange for what is there.
    pub(crate) fn move_row(&mut self, run: usize, from: usize, to: usize) {
        let stride = self.layout.runs[run].stride;
        let (front, back) = self.record.runs[run].cells.split_at_mut(from * stride);
        front[to * stride..(to + 1) * stride].swap_with_slice(&mut back[..stride]);
    }

    /// Forgets the rows from a place on, which were taken.
    pub(crate) fn cut(&mut self, run: usize, end: usize) {
        self.record.runs[run]
            .cells
            .truncate(end * self.layout.runs[run].stride);
    }

    /// Forgets the rows that were taken, if that is worth it.
    #[inline]
    pub(crate) fn settle(&mut self, run: usize) {
        let stride = self.layout.runs[run].stride;
        let own = &mut self.record.runs[run];
        if own.gap == 0 {
            return;
        }
        let end = own.end(stride);
        if own.gap() == end {
            own.cells.clear();
            self.spare.give(&mut own.cells, stride);
        } else if own.gap() * 2 >= end {
            own.cells.drain(..own.gap() * stride);
        } else {
            return;
        }
        own.past = own.past.saturating_sub(own.gap);
        own.gap = 0;
    }

    /// Removes all rows.
    pub(crate) fn clear(&mut self, run: usize, note: &Note<'_>) {
        self.take_until(run, i64::MAX, note);
        self.settle(run);
    }
}
