//! The best row of each partition, where rows only come or only get better.
//!
//! Flink: `FastTop1Function`. Input: `+I`, `+U`. Output: `+I`, then `-U` (if wanted) and `+U` for a strictly better row;
//! another version of the best row that is no better is not shown. State: `Top1-Rank-State` (row); TTL applies.
//! Timers: none. Watermark: forwarded. Differs from Flink: nothing known. Cases: topn/best-bid-per-item,
//! topn/lowest-price-has-no-update-before.

use std::{cmp::Ordering, rc::Rc};

use sg_value::{Change, Row, RowKind, Value};

use super::places::Places;
use crate::{
    op::{Ctx, OpResult, Operator},
    state::{RowOrder, Table, UserKey},
};

/// The order.
pub(crate) struct Top1 {
    pub(crate) places: Places,
    pub(crate) order: RowOrder,
}

const BEST: usize = 0;

impl Operator for Top1 {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some(Table::Value(table)) = cx.state.tables.get_mut(BEST) else {
            return Ok(());
        };
        let mut entry = table.entry(key, &[], |cells| cells.extend_from_slice(change.row));
        if entry.created() {
            entry.commit(&note);
            self.places.emit(cx, RowKind::Insert, change.row, 1);
            return Ok(());
        }
        let best = entry.cells();
        let sort_key = |row: &[Value]| UserKey::of(row, &self.places.sort);
        let compared = self.order.compare(&sort_key(change.row), &sort_key(best));
        if compared != Ordering::Less {
            return Ok(());
        }
        let before: Row = Rc::from(&*best);
        best.clone_from_slice(change.row);
        entry.commit(&note);
        self.places.emit(cx, RowKind::UpdateBefore, &before, 1);
        self.places.emit(cx, RowKind::UpdateAfter, change.row, 1);
        Ok(())
    }
}
