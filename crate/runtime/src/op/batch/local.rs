//! First phase of an aggregation: adds the rows of a bundle up before they go over the exchange.
//!
//! Flink: `MapBundleOperator` with `MiniBatchLocalGroupAggFunction`. Input: all row kinds. Output:
//! `[key…, accumulator cells…]`, inserts only. State: a buffer (key → accumulators), no keyed state of Flink's.
//! Timers: none. Watermark: forwarded behind what it makes come out. Differs from Flink: nothing known.
//! Cases: optimisation/local-global-*.

use sg_expr::Aggregates;
use sg_value::{Change, Gather as _, RowKind};

use super::{
    bundle::{CAPACITY, COUNT},
    order::KeyOrder,
};
use crate::{
    op::{Ctx, OpResult, Operator, agg::carried},
    state::Table,
    time::Watermark,
    trace::Cause,
};

/// The calls.
pub(crate) struct LocalGroupAggregate {
    pub(crate) aggregates: Aggregates,
    /// Rows per bundle.
    pub(crate) rows: i64,
    pub(crate) order: KeyOrder,
}

/// The buffer's handle.
const BUFFER: usize = 0;

impl LocalGroupAggregate {
    #[cfg_attr(sg_hot, optimize(size))]
    fn hand_over(&self, cx: &mut Ctx<'_>) {
        cx.vars[COUNT] = 0;
        let note = cx.state.note;
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(BUFFER) else {
            return;
        };
        let taken = buffer.take_all(&note);
        let entries: Vec<_> = taken.iter().gather();
        if entries.is_empty() {
            return;
        }
        let mut capacity = cx.vars[CAPACITY];
        let keys = self
            .order
            .sorted(entries.iter().map(|entry| entry.key), &mut capacity);
        cx.vars[CAPACITY] = capacity;
        let ordered = keys.iter().flat_map(|(_, numbers)| numbers);
        for entry in ordered.filter_map(|at| entries.get(*at)) {
            let key = cx.state.keys.key(entry.key);
            let views = match cx.state.value_and_views(BUFFER, key, &[]) {
                Some((_, mut views)) if !self.aggregates.views().is_empty() => {
                    let all = views.all();
                    views.clear();
                    all
                }
                _ => Vec::new(),
            };
            cx.out.cause = Cause::Watermark(u64::from(entry.writer));
            cx.out.emit(RowKind::Insert, |cells| {
                cells.extend_from_slice(entry.key);
                let from = cells.len();
                cells.extend_from_slice(&entry.value);
                if !views.is_empty() {
                    let cells = cells.get_mut(from..).unwrap_or_default();
                    carried::pack(self.aggregates.cell_types(), cells, views);
                }
            });
        }
    }
}

impl Operator for LocalGroupAggregate {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some((buffer, mut views)) = cx.state.value_and_views(BUFFER, key, &[]) else {
            return Ok(());
        };
        let mut entry = buffer.entry(key, &[], |cells| self.aggregates.create(cells));
        if change.kind.retracts() {
            self.aggregates.retract(entry.cells(), change.row, &mut views)?;
        } else {
            self.aggregates
                .accumulate(entry.cells(), change.row, &mut views)?;
        }
        entry.commit(&note);
        cx.vars[COUNT] += 1;
        if cx.vars[COUNT] >= self.rows {
            self.hand_over(cx);
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn hears_watermarks(&self) -> bool {
        true
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_watermark(&self, cx: &mut Ctx<'_>, _before: Watermark) -> OpResult {
        self.hand_over(cx);
        Ok(())
    }
}
