//! The first rows of each partition to arrive.
//!
//! Flink: `AppendOnlyFirstNFunction`. Input and output: inserts. State: `counterState` (number of rows); TTL applies.
//! Timers: none. Watermark: forwarded. Differs from Flink: nothing known. Cases: topn/first-*.

use sg_value::{Change, RowKind, Value};

use super::places::Places;
use crate::{
    op::{Ctx, OpResult, Operator},
    state::Table,
};

/// The places.
pub(crate) struct FirstN {
    pub(crate) places: Places,
}

const COUNTER: usize = 0;

impl Operator for FirstN {
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let end = self.places.end(cx, change);
        let (key, note) = (cx.key, cx.state.note);
        let Some(Table::Value(table)) = cx.state.tables.get_mut(COUNTER) else {
            return Ok(());
        };
        let count = match table.get(key, &[]) {
            Some([Value::Int(count)]) => *count,
            _ => 0,
        };
        if count >= end {
            return Ok(());
        }
        let place = count + 1;
        let mut entry = table.entry(key, &[], |cells| cells.push(Value::Int(0)));
        if let Some(cell) = entry.cells().first_mut() {
            *cell = Value::Int(place);
        }
        entry.commit(&note);
        self.places.emit(cx, RowKind::Insert, change.row, place);
        Ok(())
    }
}
