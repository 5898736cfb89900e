//! Aggregates per key over bundles: one change per key and bundle.
//!
//! Flink: `MiniBatchGroupAggFunction`, `MiniBatchGlobalGroupAggFunction`. Input: all row kinds, or accumulators of a local
//! phase. Output and state as in [`crate::op::agg::group`]. Differs from Flink: nothing known.
//! Cases: optimisation/mini-batch-*, optimisation/local-global-*.

use sg_value::{Change, RowKind, Value};

use super::bundle::Finish;
use crate::op::{
    Ctx, OpResult,
    agg::{
        carried,
        group::{ACC, GroupAggregate, join},
    },
};

/// The calls.
pub(crate) struct GroupBundle {
    pub(crate) group: GroupAggregate,
    /// Whether rows carry accumulators behind their key, not arguments.
    pub(crate) merges: bool,
}

impl Finish for GroupBundle {
    #[cfg_attr(sg_hot, optimize(size))]
    fn finish(&self, cx: &mut Ctx<'_>, rows: &[Change<'_>]) -> OpResult {
        let group = &self.group;
        let (key, note) = (cx.key, cx.state.note);
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &[]) else {
            return Ok(());
        };
        // What was never counted cannot be taken back.
        let unknown = if self.merges || acc.get(key, &[]).is_some() {
            0
        } else {
            rows.iter().take_while(|row| row.kind.retracts()).count()
        };
        let rows = rows.get(unknown..).unwrap_or_default();
        if rows.is_empty() {
            return Ok(());
        }
        let mut entry = acc.entry(key, &[], |cells| group.aggregates.create(cells));
        let (before, after) = (&mut cx.scratch.first, &mut cx.scratch.second);
        before.clear();
        after.clear();
        let first = entry.created();
        if !first {
            group.aggregates.values(entry.cells(), &mut views, before)?;
            before.truncate(group.visible);
        }
        for row in rows {
            if self.merges {
                let cells = row.row.get(key.cells.len()..).unwrap_or_default();
                if group.aggregates.views().is_empty() {
                    group.aggregates.merge(entry.cells(), cells, &mut views)?;
                } else {
                    let mut cells = cells.to_vec();
                    views.set_other(carried::unpack(group.aggregates.cell_types(), &mut cells));
                    group.aggregates.merge(entry.cells(), &cells, &mut views)?;
                }
            } else if row.kind.retracts() {
                group.aggregates.retract(entry.cells(), row.row, &mut views)?;
            } else {
                group.aggregates.accumulate(entry.cells(), row.row, &mut views)?;
            }
        }
        if let Some(counter) = group.record_counter
            && group
                .aggregates
                .value(counter, entry.cells(), &mut views)?
                .as_int()
                == Some(0)
        {
            views.clear();
            entry.remove(&note);
            if !first {
                cx.out.emit(RowKind::Delete, |cells: &mut Vec<Value>| {
                    join(cells, key.cells, before);
                });
            }
            return Ok(());
        }
        group.aggregates.values(entry.cells(), &mut views, after)?;
        after.truncate(group.visible);
        entry.commit(&note);
        group.emit(cx, first);
        Ok(())
    }
}
