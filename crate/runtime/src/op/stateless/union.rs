//! Brings several inputs together.
//!
//! Flink: no operator of its own, but the several input edges of the next one. Input and output: all row kinds.
//! State: none. Timers: none. Watermark: the minimum of the inputs, made by the gate. Differs from Flink: nothing known.
//! Cases: select/union-all-widens-types, window-tvf/union-follows-the-slower-source.

use sg_value::Change;

use crate::op::{Ctx, OpResult, Operator};

/// No configuration.
pub(crate) struct Union;

impl Operator for Union {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        cx.out.emit_row(change.kind, change.row);
        Ok(())
    }
}
