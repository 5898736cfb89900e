//! Emits literal rows once, before anything arrives.
//!
//! Flink: `ValuesInputFormat`. Input: none. Output: inserts. State: none. Timers: none. Watermark: the end of input.
//! Cases: select/values-as-rate-table.

use sg_value::{Change, Row, RowKind};

use crate::{
    op::{Ctx, OpResult, Operator},
    time::Watermark,
};

/// The rows.
pub(crate) struct Values {
    pub(crate) rows: Vec<Row>,
}

impl Operator for Values {
    fn on_start(&self, cx: &mut Ctx<'_>) -> OpResult {
        for row in &self.rows {
            cx.out.emit_row(RowKind::Insert, row);
        }
        cx.out.watermark(Watermark::END);
        Ok(())
    }

    fn on_change(&self, _cx: &mut Ctx<'_>, _input: u32, _change: Change<'_>) -> OpResult {
        Ok(())
    }
}
