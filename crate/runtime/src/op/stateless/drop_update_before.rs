//! Drops `-U` where nobody needs it.
//!
//! Flink: `StreamExecDropUpdateBefore`. Input: all row kinds. Output: all but `-U`. State: none. Timers: none.
//! Watermark: forwarded. Differs from Flink: nothing known. Cases: cdc/*, changelog/*.

use sg_value::{Change, RowKind};

use crate::op::{Ctx, OpResult, Operator};

/// No configuration.
pub(crate) struct DropUpdateBefore;

impl Operator for DropUpdateBefore {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        if change.kind != RowKind::UpdateBefore {
            cx.out.emit_row(change.kind, change.row);
        }
        Ok(())
    }
}
