//! Filters, then computes columns.
//!
//! Flink: `StreamExecCalc`. Input and output: all row kinds; each message is judged by itself, so that an update may
//! leave half of itself behind. State: none. Timers: none. Watermark: forwarded. Differs from Flink: nothing known.
//! Cases: select/*, group-agg/having-flips.

use sg_expr::{Compiled, EvalError};
use sg_value::Change;

use crate::{
    job::batch::Batch,
    op::{Ctx, OpResult, Operator},
};

/// Condition and columns.
pub(crate) struct Calc {
    pub(crate) condition: Option<Compiled>,
    pub(crate) projection: Projection,
}

/// Columns of the output.
pub(crate) enum Projection {
    /// The input row as it is.
    Same,
    /// Columns of the input.
    Columns(Box<[usize]>),
    /// Expressions over the input.
    Expressions(Box<[Compiled]>),
}

/// Whether columns are some of so many, in their order.
fn ascend(columns: &[usize], width: usize) -> bool {
    columns.is_sorted_by(|left, right| left < right) && columns.last().is_none_or(|last| *last < width)
}

impl Operator for Calc {
    /// Rows that pass stay where they are, and so do columns that keep their order: nothing is copied.
    fn on_batch(&self, cx: &mut Ctx<'_>, batch: &mut Batch) -> Result<bool, EvalError> {
        if !cx.out.takes_whole(batch.len()) {
            return Ok(false);
        }
        let eval = cx.eval;
        let first_row = eval.row_number.get();
        let number = |at: usize| eval.row_number.set(first_row + at as u64);
        let columns = match &self.projection {
            Projection::Same => None,
            Projection::Columns(columns) if ascend(columns, batch.width()) => Some(columns),
            _ => {
                let mut ends = Vec::new();
                for (run, control) in batch.runs() {
                    for at in run {
                        number(at);
                        if let Some((_, change)) = batch.change(at) {
                            self.on_change(cx, 0, change)?;
                        }
                    }
                    ends.extend(control.map(|_| cx.out.batch.len()));
                }
                batch.emptied(&ends);
                return Ok(true);
            }
        };
        if let Some(condition) = &self.condition {
            batch.keep(|at, row| {
                number(at);
                condition.test(row, eval)
            })?;
        }
        let taken = cx.out.forward(batch);
        if let Some(columns) = columns {
            cx.out.batch.keep_columns(columns);
        }
        Ok(taken)
    }

    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        if let Some(condition) = &self.condition
            && !condition.test(change.row, cx.eval)?
        {
            return Ok(());
        }
        match &self.projection {
            Projection::Same => {
                cx.out.emit_row(change.kind, change.row);
                Ok(())
            }
            Projection::Columns(columns) => {
                let cells = columns
                    .iter()
                    .map(|column| change.row.get(*column).cloned().unwrap_or_default());
                cx.out.emit(change.kind, |out| out.extend(cells));
                Ok(())
            }
            Projection::Expressions(expressions) => {
                let eval = cx.eval;
                cx.out.try_emit(change.kind, |out| {
                    for expression in expressions {
                        out.push(expression.eval(change.row, eval)?);
                    }
                    Ok(())
                })
            }
        }
    }
}
