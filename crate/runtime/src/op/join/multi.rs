//! Several INNER and LEFT joins on one common key at once: a row meets all combinations of the other inputs' rows.
//!
//! Flink: `StreamingMultiJoinOperator`. Input: all row kinds on all sides. Output: rows of the kind of the row that arrives;
//! padding goes by -D and comes by +I. State: `multi-join-input-<n>`, each row once, by its unique key or as a whole with
//! the number of its copies. TTL per input. Timers: none. Watermark: the smallest one. Differs from Flink: nothing known.
//! Cases: join-regular/multi-join-*.

use sg_expr::{Compiled, EvalCx, EvalError};
use sg_value::{Change, Gather as _, Row, RowKind, Value};

use crate::{
    op::{Collector, Ctx, OpResult, OpState, Operator},
    state::{Group, Key, Table},
};

pub(super) struct MultiJoin {
    pub(super) inputs: Box<[Input]>,
}

/// An input, whose state has its number.
pub(super) struct Input {
    /// What joins it to those before it.
    pub(super) condition: Option<Compiled>,
    /// Rows before it are kept without a match.
    pub(super) left: bool,
    pub(super) unique: Option<Box<[usize]>>,
    /// The columns that its own step compares, where rows are kept under them, too.
    pub(super) step_key: Option<Box<[usize]>>,
    pub(super) width: usize,
}

impl Operator for MultiJoin {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult {
        let input = input as usize;
        let rows = (0..self.inputs.len()).map(|at| self.rows(&cx.state, cx.key, at));
        let rows: Vec<Vec<&[Value]>> = rows.gather();
        let mut search = Search {
            join: self,
            rows: &rows,
            input,
            row: change.row,
            matches: vec![0; self.inputs.len()],
            cells: Vec::new(),
            eval: cx.eval,
            out: &mut cx.out,
        };
        search.descend(0, change.kind, false)?;
        self.keep(&mut cx.state, cx.key, input, &change);
        Ok(())
    }
}

impl MultiJoin {
    /// The rows of an input under a key, each as often as it is there.
    #[cfg_attr(sg_hot, optimize(size))]
    fn rows<'s>(&self, state: &'s OpState<'_>, key: Key<'_>, at: usize) -> Vec<&'s [Value]> {
        let (Some(Table::Hashed(table)), Some(input)) = (state.tables.get(at), self.inputs.get(at)) else {
            return Vec::new();
        };
        let mut rows = Vec::new();
        let group = table.group(key, &[]);
        for (user_key, cells) in group.into_iter().flat_map(Group::entries) {
            if input.unique.is_some() {
                rows.push(cells);
                continue;
            }
            let row = match user_key.last() {
                Some(Value::Row(row)) if input.step_key.is_some() => row,
                _ => user_key,
            };
            rows.extend((0..copies(cells)).map(|_| row));
        }
        rows
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn keep(&self, state: &mut OpState<'_>, key: Key<'_>, at: usize, change: &Change<'_>) {
        let note = state.note;
        let (Some(Table::Hashed(table)), Some(input)) = (state.tables.get_mut(at), self.inputs.get(at))
        else {
            return;
        };
        let pick = |columns: &[usize]| -> Row {
            let cell = |column: &usize| change.row.get(*column).cloned().unwrap_or_default();
            columns.iter().map(cell).gather()
        };
        if let Some(columns) = &input.unique {
            let user_key = pick(columns);
            if change.kind.retracts() {
                table.remove(key, &[], &user_key, &note);
            } else {
                table.write(key, &[], &user_key, &note, |cells, _| {
                    for (cell, value) in cells.iter_mut().zip(change.row) {
                        cell.clone_from(value);
                    }
                });
            }
            return;
        }
        let user_key: Row = match &input.step_key {
            Some(columns) => Row::from([Value::Row(pick(columns)), Value::Row(change.row.into())]),
            None => change.row.into(),
        };
        let held = table.get(key, &[], &user_key).map_or(0, copies);
        let times = held + if change.kind.retracts() { -1 } else { 1 };
        if times > 0 {
            table.write(key, &[], &user_key, &note, |cells, _| {
                if let Some(cell) = cells.first_mut() {
                    *cell = Value::Int(times);
                }
            });
        } else if held > 0 {
            table.remove(key, &[], &user_key, &note);
        }
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn copies(cells: &[Value]) -> i64 {
    cells.first().and_then(Value::as_int).unwrap_or(0)
}

/// The walk over all combinations, one input after the other.
struct Search<'s, 'o> {
    join: &'s MultiJoin,
    rows: &'s [Vec<&'s [Value]>],
    /// The input of the row that arrives.
    input: usize,
    row: &'s [Value],
    /// How many rows of the next input were found for the row of each input.
    matches: Vec<i64>,
    /// The combination so far.
    cells: Vec<Value>,
    eval: &'s EvalCx,
    out: &'s mut Collector<'o>,
}

impl Search<'_, '_> {
    /// Goes through the rows of an input. `met` says that the combination contains the row that arrives.
    #[cfg_attr(sg_hot, optimize(size))]
    fn descend(&mut self, depth: usize, kind: RowKind, met: bool) -> Result<(), EvalError> {
        let Some(input) = self.join.inputs.get(depth) else {
            self.out.emit_row(kind, &self.cells);
            return Ok(());
        };
        let own = depth == self.input;
        let start = self.cells.len();
        let mut matched = false;
        if input.left || !own {
            for row in self.rows.get(depth).into_iter().flatten() {
                self.cells.truncate(start);
                self.cells.extend_from_slice(row);
                if !self.holds(input)? {
                    continue;
                }
                matched = true;
                if input.left {
                    self.count(depth, if met { kind } else { RowKind::Insert });
                    if own && self.known(depth, kind) {
                        break;
                    }
                }
                self.begin(depth);
                if !own || met {
                    self.descend(depth + 1, kind, met)?;
                }
            }
            self.cells.truncate(start);
        }
        if own {
            self.arrive(depth, input, (kind, matched))?;
        } else if input.left && !matched {
            self.pad(depth, input, (kind, met))?;
        }
        self.cells.truncate(start);
        Ok(())
    }

    /// The row that arrives, at its place.
    #[cfg_attr(sg_hot, optimize(size))]
    fn arrive(
        &mut self,
        depth: usize,
        input: &Input,
        (kind, matched): (RowKind, bool),
    ) -> Result<(), EvalError> {
        let start = self.cells.len();
        self.cells.extend_from_slice(self.row);
        if self.holds(input)? {
            if input.left && !matched && !kind.retracts() {
                self.cells.truncate(start);
                self.pad(depth, input, (RowKind::Delete, true))?;
                self.cells.extend_from_slice(self.row);
            }
            if input.left {
                self.count(depth, kind);
            }
            self.begin(depth);
            self.descend(depth + 1, kind, true)?;
            self.cells.truncate(start);
            if input.left && kind.retracts() && self.matches_before(depth) == 0 {
                self.pad(depth, input, (RowKind::Insert, true))?;
            }
        }
        self.cells.truncate(start);
        Ok(())
    }

    /// NULLs in place of a row.
    #[cfg_attr(sg_hot, optimize(size))]
    fn pad(&mut self, depth: usize, input: &Input, (kind, met): (RowKind, bool)) -> Result<(), EvalError> {
        let start = self.cells.len();
        self.cells.extend(std::iter::repeat_n(Value::Null, input.width));
        self.begin(depth);
        self.descend(depth + 1, kind, met)?;
        self.cells.truncate(start);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn holds(&self, input: &Input) -> Result<bool, EvalError> {
        match &input.condition {
            Some(condition) => condition.test(&self.cells, self.eval),
            None => Ok(true),
        }
    }

    /// A row of an input is taken: nothing of the next input was found for it yet.
    #[cfg_attr(sg_hot, optimize(size))]
    fn begin(&mut self, depth: usize) {
        if let Some(count) = self.matches.get_mut(depth) {
            *count = 0;
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn count(&mut self, depth: usize, kind: RowKind) {
        if let Some(count) = depth.checked_sub(1).and_then(|at| self.matches.get_mut(at)) {
            *count += if kind.retracts() { -1 } else { 1 };
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn matches_before(&self, depth: usize) -> i64 {
        depth
            .checked_sub(1)
            .and_then(|at| self.matches.get(at))
            .copied()
            .unwrap_or(0)
    }

    /// Whether enough is counted to know if padding goes or comes.
    #[cfg_attr(sg_hot, optimize(size))]
    fn known(&self, depth: usize, kind: RowKind) -> bool {
        self.matches_before(depth) > i64::from(kind.retracts())
    }
}
