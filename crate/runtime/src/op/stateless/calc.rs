//! Filters, then computes columns.
//!
//! Flink: `StreamExecCalc`. Input and output: all row kinds; each message is judged by itself, so that an update may
//! leave half of itself behind. State: none. Timers: none. Watermark: forwarded. Differs from Flink: nothing known.
//! Cases: select/*, group-agg/having-flips.

use sg_expr::Compiled;
use sg_value::Change;

use crate::op::{Ctx, OpResult, Operator};

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

impl Operator for Calc {
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
