//! Changes and controls on their way from one operator to the next.
#![expect(
    clippy::indexing_slicing,
    reason = "a row's cells are where its kind says, see push"
)]

use std::ops::Range;

use sg_value::{Change, RowKind, Value};

use crate::time::Watermark;

/// What travels between changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// A watermark.
    Watermark(Watermark),
    /// The channel becomes idle (`true`) or active.
    Idle(bool),
    /// A partition is held (`true`) or released; only up to the operator that makes the watermarks.
    Hold(bool),
}

/// A flat, reusable buffer of changes of one width with their ids, and of controls between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    width: usize,
    kinds: Vec<RowKind>,
    ids: Vec<u64>,
    values: Vec<Value>,
    /// Controls, each with the number of changes before it.
    controls: Vec<(u32, Control)>,
    /// Whether a change was left out because the slot's limit was reached.
    pub(crate) overflow: bool,
}

/// One thing in a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'a> {
    Change(u64, Change<'a>),
    Control(Control),
}

/// Appends cells: in a loop, since rows are short.
#[inline]
pub(crate) fn push_cells(to: &mut Vec<Value>, cells: &[Value]) {
    to.reserve(cells.len());
    for cell in cells {
        to.push(cell.clone());
    }
}

impl Batch {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// Whether there is neither change nor control.
    pub(crate) fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.controls.is_empty()
    }

    /// Cells per row.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Number of changes.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Forgets everything, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.kinds.clear();
        self.ids.clear();
        self.values.clear();
        self.controls.clear();
        self.overflow = false;
    }

    /// Makes an empty batch one of another width.
    pub(crate) fn reset(&mut self, width: usize) {
        self.clear();
        self.width = width;
    }

    /// Appends a change whose cells `fill` pushes, exactly as many as the width, and gives them back.
    #[inline]
    pub(crate) fn push_with<E>(
        &mut self,
        kind: RowKind,
        id: u64,
        fill: impl FnOnce(&mut Vec<Value>) -> Result<(), E>,
    ) -> Result<&[Value], E> {
        let from = self.values.len();
        if let Err(error) = fill(&mut self.values) {
            self.values.truncate(from);
            return Err(error);
        }
        debug_assert_eq!(self.values.len(), from + self.width, "a row of another width");
        self.kinds.push(kind);
        self.ids.push(id);
        Ok(&self.values[from..])
    }

    /// Appends a change of another batch.
    pub(crate) fn push(&mut self, id: u64, change: Change<'_>) {
        push_cells(&mut self.values, change.row);
        self.kinds.push(change.kind);
        self.ids.push(id);
    }

    /// Appends a control behind the changes so far.
    pub(crate) fn push_control(&mut self, control: Control) {
        self.push_control_behind(self.kinds.len(), control);
    }

    /// The cells of the last change.
    pub(crate) fn last_row(&self) -> &[Value] {
        &self.values[self.values.len().saturating_sub(self.width)..]
    }

    /// The last watermark in it.
    pub(crate) fn last_watermark(&self) -> Option<Watermark> {
        self.controls.iter().rev().find_map(|(_, control)| match control {
            Control::Watermark(watermark) => Some(*watermark),
            Control::Idle(_) | Control::Hold(_) => None,
        })
    }

    /// Everything in order: changes that follow one another, each time with the control behind them.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (Range<usize>, Option<Control>)> {
        let mut from = 0;
        let ends = self.controls.iter().map(Some).chain(std::iter::once(None));
        ends.map(move |control| {
            let to = control.map_or(self.kinds.len(), |(at, _)| *at as usize);
            (
                std::mem::replace(&mut from, to)..to,
                control.map(|(_, control)| *control),
            )
        })
    }

    /// The cells of a change.
    #[inline]
    pub(crate) fn row(&self, at: usize) -> &[Value] {
        &self.values[at * self.width..(at + 1) * self.width]
    }

    /// A change with its id.
    #[inline]
    pub(crate) fn change(&self, at: usize) -> Option<(u64, Change<'_>)> {
        let kind = *self.kinds.get(at)?;
        let id = *self.ids.get(at)?;
        let row = self.values.get(at * self.width..(at + 1) * self.width)?;
        Some((id, Change { kind, row }))
    }

    /// The changes of a run with their ids.
    #[inline]
    pub(crate) fn changes(&self, run: Range<usize>) -> impl Iterator<Item = (u64, Change<'_>)> {
        run.filter_map(|at| self.change(at))
    }

    /// Everything in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Item<'_>> {
        self.runs().flat_map(|(run, control)| {
            let changes = self.changes(run).map(|(id, change)| Item::Change(id, change));
            changes.chain(control.map(Item::Control))
        })
    }

    /// Leaves only the changes that `pass` lets through, by number and cells; controls stay between them.
    pub(crate) fn keep<E>(
        &mut self,
        mut pass: impl FnMut(usize, &[Value]) -> Result<bool, E>,
    ) -> Result<(), E> {
        let width = self.width;
        let mut kept = 0;
        let mut controls = self.controls.iter_mut().peekable();
        for at in 0..self.kinds.len() {
            while let Some((place, _)) = controls.next_if(|(place, _)| *place as usize <= at) {
                *place = kept as u32;
            }
            let row = at * width..(at + 1) * width;
            if !pass(at, &self.values[row.clone()])? {
                continue;
            }
            if kept < at {
                self.kinds[kept] = self.kinds[at];
                self.ids[kept] = self.ids[at];
                for (to, from) in (kept * width..).zip(row) {
                    self.values.swap(to, from);
                }
            }
            kept += 1;
        }
        for (place, _) in controls {
            *place = kept as u32;
        }
        self.kinds.truncate(kept);
        self.ids.truncate(kept);
        self.values.truncate(kept * width);
        Ok(())
    }

    /// Forgets the changes; controls stand behind so many of those that were made of them.
    pub(crate) fn emptied(&mut self, ends: &[usize]) {
        self.kinds.clear();
        self.ids.clear();
        self.values.clear();
        for ((place, _), end) in self.controls.iter_mut().zip(ends) {
            *place = *end as u32;
        }
    }

    /// Leaves only these columns of changes of another width, which ascend and are there.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn keep_columns(&mut self, columns: &[usize]) {
        let wide = self.values.len() / self.kinds.len().max(1);
        let mut to = 0;
        for from in (0..self.kinds.len()).map(|at| at * wide) {
            for column in columns {
                // what stood there was taken already
                self.values.swap(to, from + column);
                to += 1;
            }
        }
        self.values.truncate(to);
    }

    /// Lets the controls from this one on stand behind so many of the changes, as far as there are as many.
    pub(crate) fn move_controls(&mut self, from: usize, changes: usize) {
        let changes = changes.min(self.kinds.len()) as u32;
        for (at, _) in self.controls.iter_mut().skip(from) {
            *at = changes;
        }
    }

    /// Number of controls.
    pub(crate) fn controls(&self) -> usize {
        self.controls.len()
    }

    /// Takes the changes of another batch, which gets those of this one; controls stay.
    pub(crate) fn swap_changes(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.kinds, &mut other.kinds);
        std::mem::swap(&mut self.ids, &mut other.ids);
        std::mem::swap(&mut self.values, &mut other.values);
    }

    /// Appends inserted rows with ids from this one on; `rows` holds their cells.
    pub(crate) fn push_rows(&mut self, first_id: u64, count: usize, cells: impl Iterator<Item = Value>) {
        self.kinds.resize(self.kinds.len() + count, RowKind::Insert);
        self.ids.extend(first_id..first_id + count as u64);
        self.values.extend(cells);
        debug_assert_eq!(
            self.values.len(),
            self.kinds.len() * self.width,
            "rows of another width"
        );
    }

    /// Gives the changes new ids from this one on.
    pub(crate) fn renumber(&mut self, first_id: u64) {
        for (id, new) in self.ids.iter_mut().zip(first_id..) {
            *id = new;
        }
    }

    /// Appends a control behind so many of the changes; not before any control that is there.
    pub(crate) fn push_control_behind(&mut self, changes: usize, control: Control) {
        self.controls.push((changes as u32, control));
    }

    /// Whether there is no control in it.
    pub(crate) fn is_plain(&self) -> bool {
        self.controls.is_empty()
    }
}
