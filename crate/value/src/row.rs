//! Rows and changes.

use std::rc::Rc;

use crate::value::Value;

/// An owned row; only state keeps these. On its way a row is a `&[Value]` of a reused buffer.
pub type Row = Rc<[Value]>;

/// What a change does to the table it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RowKind {
    /// `+I`
    Insert = 0,
    /// `-U`
    UpdateBefore = 1,
    /// `+U`
    UpdateAfter = 2,
    /// `-D`
    Delete = 3,
}

impl RowKind {
    /// All kinds in Flink's order.
    pub const ALL: [Self; 4] = [Self::Insert, Self::UpdateBefore, Self::UpdateAfter, Self::Delete];

    /// Flink's short text: `+I`, `-U`, `+U`, `-D`.
    pub const fn short(self) -> &'static str {
        match self {
            Self::Insert => "+I",
            Self::UpdateBefore => "-U",
            Self::UpdateAfter => "+U",
            Self::Delete => "-D",
        }
    }

    /// The kind for a short text (`-` or the real minus sign U+2212).
    pub fn from_short(text: &str) -> Option<Self> {
        match text {
            "+I" => Some(Self::Insert),
            "-U" | "\u{2212}U" => Some(Self::UpdateBefore),
            "+U" => Some(Self::UpdateAfter),
            "-D" | "\u{2212}D" => Some(Self::Delete),
            _ => None,
        }
    }

    /// Whether the change takes a row back (`-U`, `-D`).
    pub const fn retracts(self) -> bool {
        matches!(self, Self::UpdateBefore | Self::Delete)
    }
}

/// A row with its kind, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// What the change does.
    pub kind: RowKind,
    /// The row's cells.
    pub row: &'a [Value],
}

/// A flat, reusable buffer of changes of one width. A row is a slice of `values`.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    kinds: Vec<RowKind>,
    values: Vec<Value>,
    width: usize,
}

impl Changes {
    /// An empty buffer for rows of `width` cells.
    pub const fn new(width: usize) -> Self {
        Self {
            kinds: Vec::new(),
            values: Vec::new(),
            width,
        }
    }

    /// Number of changes.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no change.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Cells per row.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Forgets all changes, keeps the memory.
    pub fn clear(&mut self) {
        self.kinds.clear();
        self.values.clear();
    }

    /// Appends a change; `row` has exactly `width` cells (checked in debug builds).
    pub fn push(&mut self, kind: RowKind, row: &[Value]) {
        debug_assert_eq!(row.len(), self.width, "a change of another width");
        self.kinds.push(kind);
        self.values.extend_from_slice(row);
    }

    /// Appends a change whose cells `fill` pushes, exactly `width` of them.
    pub fn push_with(&mut self, kind: RowKind, fill: impl FnOnce(&mut Vec<Value>)) {
        self.kinds.push(kind);
        fill(&mut self.values);
        debug_assert_eq!(
            self.values.len(),
            self.kinds.len() * self.width,
            "a change of another width"
        );
    }

    /// The change at `at`, or `None` beyond the end.
    pub fn get(&self, at: usize) -> Option<Change<'_>> {
        let kind = *self.kinds.get(at)?;
        let row = self.values.get(at * self.width..(at + 1) * self.width)?;
        Some(Change { kind, row })
    }

    /// All changes in order.
    pub fn iter(&self) -> impl Iterator<Item = Change<'_>> {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}
