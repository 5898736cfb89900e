//! Multiplies each row, once per grouping set.
//!
//! Flink: `StreamExecExpand`. Input and output: all row kinds. State: none. Timers: none. Watermark: forwarded.
//! Differs from Flink: nothing known. Cases: group-agg/grouping-sets, group-agg/cube, window-tvf/grouping-sets-in-window.

use sg_expr::Compiled;
use sg_value::Change;

use crate::op::{Ctx, OpResult, Operator};

/// Projections over the input, one output row each.
pub(crate) struct Expand {
    pub(crate) projections: Box<[Box<[Compiled]>]>,
}

impl Operator for Expand {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let eval = cx.eval;
        for projection in &self.projections {
            cx.out.try_emit(change.kind, |out| {
                for expression in projection {
                    out.push(expression.eval(change.row, eval)?);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
