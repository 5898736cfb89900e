//! Aggregates per key, without a window: each row changes the result of its key.
//!
//! Flink: `GroupAggFunction`. Input: all row kinds. Output: `[key…, results…]`, `+I`, `-U` (if wanted), `+U`, `-D`.
//! State: `accState` (key → accumulators) and the views of the functions; TTL applies. Timers: none.
//! Watermark: forwarded. Differs from Flink: nothing known. Cases: group-agg/*, ttl/*.
//!
//! Hot path: one probe of the state and nothing allocated per row.

use sg_expr::Aggregates;
use sg_value::{Change, RowKind, Value};

use crate::op::{Ctx, OpResult, Operator};

/// The calls.
pub(crate) struct GroupAggregate {
    pub(crate) aggregates: Aggregates,
    /// The call that counts all rows, where the input takes rows back.
    pub(crate) record_counter: Option<usize>,
    /// Results that are part of the output.
    pub(crate) visible: usize,
    /// Whether consumers need `-U`.
    pub(crate) update_before: bool,
    /// Whether state expires: then an unchanged result is repeated, so that states further down are renewed.
    pub(crate) repeats: bool,
    /// Whether there is a result before any row.
    pub(crate) of_nothing: bool,
}

/// The state's handle.
pub(in crate::op) const ACC: usize = 0;

impl Operator for GroupAggregate {
    fn on_start(&self, cx: &mut Ctx<'_>) -> OpResult {
        if !self.of_nothing {
            return Ok(());
        }
        let key = cx.state.keys.key(&[]);
        cx.with_key(key, |cx| {
            let note = cx.state.note;
            let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &[]) else {
                return Ok(());
            };
            let mut entry = acc.entry(key, &[], |cells| self.aggregates.create(cells));
            let after = &mut cx.scratch.second;
            after.clear();
            self.aggregates.values(entry.cells(), &mut views, after)?;
            after.truncate(self.visible);
            entry.commit(&note);
            self.emit(cx, true);
            Ok(())
        })
    }

    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let key = cx.key;
        let note = cx.state.note;
        let Some((acc, mut views)) = cx.state.value_and_views(ACC, key, &[]) else {
            return Ok(());
        };
        let retracts = change.kind.retracts();
        let mut entry = if retracts {
            // What was never counted cannot be taken back.
            let Some(entry) = acc.existing(key, &[]) else {
                return Ok(());
            };
            entry
        } else {
            acc.entry(key, &[], |cells| self.aggregates.create(cells))
        };
        let (before, after) = (&mut cx.scratch.first, &mut cx.scratch.second);
        before.clear();
        after.clear();
        let first = entry.created();
        if !first {
            self.aggregates.values(entry.cells(), &mut views, before)?;
            before.truncate(self.visible);
        }
        if retracts {
            self.aggregates.retract(entry.cells(), change.row, &mut views)?;
        } else {
            self.aggregates
                .accumulate(entry.cells(), change.row, &mut views)?;
        }
        if let Some(counter) = self.record_counter
            && self
                .aggregates
                .value(counter, entry.cells(), &mut views)?
                .as_int()
                == Some(0)
        {
            views.clear();
            entry.remove(&note);
            if !first {
                cx.out
                    .emit(RowKind::Delete, |cells| join(cells, key.cells, before));
            }
            return Ok(());
        }
        self.aggregates.values(entry.cells(), &mut views, after)?;
        after.truncate(self.visible);
        entry.commit(&note);
        self.emit(cx, first);
        Ok(())
    }
}

impl GroupAggregate {
    /// Emits the results of a key: those before are in the first scratch buffer, the new ones in the second. They are
    /// moved out of there.
    #[inline]
    pub(in crate::op) fn emit(&self, cx: &mut Ctx<'_>, first: bool) {
        let (before, after) = (&mut cx.scratch.first, &mut cx.scratch.second);
        let key = cx.key.cells;
        if first {
            cx.out.emit(RowKind::Insert, |cells| join(cells, key, after));
        } else if self.repeats || before != after {
            if self.update_before {
                cx.out
                    .emit(RowKind::UpdateBefore, |cells| join(cells, key, before));
            }
            cx.out.emit(RowKind::UpdateAfter, |cells| join(cells, key, after));
        }
    }
}

/// Pushes a key and, taking them out, its results.
pub(in crate::op) fn join(cells: &mut Vec<Value>, key: &[Value], results: &mut Vec<Value>) {
    cells.extend_from_slice(key);
    cells.append(results);
}
