//! The calls of a window, and how their results are put behind a row.

use sg_expr::{Aggregates, EvalError, Views};
use sg_value::{Gather as _, RowKind, Value};

use crate::{op::Ctx, state::Item};

/// Handle of `accState`; the views of the functions stand behind it.
pub(super) const ACC: usize = 0;

/// The calls.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) aggregates: Aggregates,
    /// Constants that count as columns behind those of a row.
    pub(crate) constants: Vec<Value>,
}

impl Calls {
    /// Takes a row in.
    pub(super) fn accumulate(
        &self,
        cells: &mut [Value],
        row: &[Value],
        views: &mut dyn Views,
    ) -> Result<(), EvalError> {
        if self.constants.is_empty() {
            return self.aggregates.accumulate(cells, row, views);
        }
        let row: Vec<Value> = row.iter().chain(&self.constants).cloned().gather();
        self.aggregates.accumulate(cells, &row, views)
    }

    /// Takes a row back.
    pub(super) fn retract(
        &self,
        cells: &mut [Value],
        row: &[Value],
        views: &mut dyn Views,
    ) -> Result<(), EvalError> {
        if self.constants.is_empty() {
            return self.aggregates.retract(cells, row, views);
        }
        let row: Vec<Value> = row.iter().chain(&self.constants).cloned().gather();
        self.aggregates.retract(cells, &row, views)
    }

    /// Changes the accumulator of the current key: takes rows back and rows in. Each of these comes out with the results.
    pub(super) fn answer(&self, cx: &mut Ctx<'_>, out: &[Item], into: &[Item]) -> Result<(), EvalError> {
        let (key, note) = (cx.key, cx.state.note);
        let mut results = std::mem::take(&mut cx.scratch.first);
        results.clear();
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &[]) else {
            return Ok(());
        };
        let mut entry = acc.entry(key, &[], |cells| self.aggregates.create(cells));
        for item in out {
            self.retract(entry.cells(), &item.row, &mut views)?;
        }
        for item in into {
            self.accumulate(entry.cells(), &item.row, &mut views)?;
        }
        self.aggregates.values(entry.cells(), &mut views, &mut results)?;
        entry.commit(&note);
        for item in into {
            emit(cx, RowKind::Insert, &item.row, &results);
        }
        cx.scratch.first = results;
        Ok(())
    }

    /// Forgets the accumulator of the current key.
    pub(super) fn clear(cx: &mut Ctx<'_>) {
        let (key, note) = (cx.key, cx.state.note);
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &[]) else {
            return;
        };
        views.clear();
        if let Some(entry) = acc.existing(key, &[]) {
            entry.remove(&note);
        }
    }
}

/// Emits a row with results behind it.
pub(super) fn emit(cx: &mut Ctx<'_>, kind: RowKind, row: &[Value], results: &[Value]) {
    cx.out.emit(kind, |cells| {
        cells.extend_from_slice(row);
        cells.extend_from_slice(results);
    });
}
