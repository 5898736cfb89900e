//! Both steps of a split DISTINCT meet: what each key and hash gained in a bundle, added up per key.
//!
//! Flink: `MiniBatchIncrementalGroupAggFunction`. Input: `[keys of the first step…, accumulator cells…]`. Output:
//! `[keys of the second step…, accumulator cells without seen values…]`, inserts only; MIN and MAX over deletes carry the
//! values of the bundle. State: the seen values of each key and hash; TTL applies. Timers: none. Differs from Flink:
//! nothing known. Cases: optimisation/split-distinct*.

use sg_expr::{Aggregates, Views as _};
use sg_value::{Change, Gather as _, RowKind, Value};

use super::{bundle::Finish, order::KeyOrder};
use crate::{
    op::{Ctx, OpResult, agg::carried},
    state::Table,
};

/// The calls of the first step.
pub(crate) struct Incremental {
    pub(crate) aggregates: Aggregates,
    /// The same without DISTINCT: gains are added up with them.
    pub(crate) gains: Aggregates,
    /// Number of keys of the second step.
    pub(crate) final_keys: usize,
    /// Handle of the sums per key of the second step; the hash is NULL there.
    pub(crate) sums: usize,
    pub(crate) order: KeyOrder,
}

/// Handle of the accumulators, which are made anew for each bundle, before that of the seen values.
const GAINED: usize = 0;

impl Finish for Incremental {
    #[cfg_attr(sg_hot, optimize(size))]
    fn finish(&self, cx: &mut Ctx<'_>, rows: &[Change<'_>]) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some((gained, mut views)) = cx.state.value_and_views(GAINED, key, &[]) else {
            return Ok(());
        };
        let mut entry = gained.entry(key, &[], |cells| self.aggregates.create(cells));
        for row in rows {
            let mut cells = row.row.get(key.cells.len()..).unwrap_or_default().to_vec();
            if !self.aggregates.views().is_empty() {
                views.set_other(carried::unpack(self.aggregates.cell_types(), &mut cells));
            }
            self.aggregates.merge(entry.cells(), &cells, &mut views)?;
        }
        // The maps of calls that keep values go on with their accumulators; those of seen values stay.
        let maps = u32::try_from(self.gains.views().len()).unwrap_or(0);
        let gained: Vec<_> = (0..maps)
            .map(|view| {
                let entries = views.entries(view);
                for (value, _) in &entries {
                    views.put(view, value, 0);
                }
                entries
            })
            .gather();
        let width = self.gains.cell_types().len();
        let cells = entry.cells().get(..width).unwrap_or_default().to_vec();
        entry.remove(&note);
        let key_cells = key.cells.iter().enumerate();
        let sum_key: Vec<Value> = key_cells
            .map(|(at, cell)| {
                if at < self.final_keys {
                    cell.clone()
                } else {
                    Value::Null
                }
            })
            .gather();
        let sum_key = cx.state.keys.key(&sum_key);
        let Some((sums, mut views)) = cx.state.value_and_views(self.sums, sum_key, &[]) else {
            return Ok(());
        };
        let mut sum = sums.entry(sum_key, &[], |cells| self.gains.create(cells));
        views.set_other(gained);
        self.gains.merge(sum.cells(), &cells, &mut views)?;
        sum.commit(&note);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn end(&self, cx: &mut Ctx<'_>) -> OpResult {
        let note = cx.state.note;
        let Some(Table::Value(sums)) = cx.state.tables.get_mut(self.sums) else {
            return Ok(());
        };
        let taken = sums.take_all(&note);
        let entries: Vec<_> = taken.iter().gather();
        // Flink makes this map anew for each bundle.
        let mut capacity = 0;
        let keys = entries
            .iter()
            .map(|entry| entry.key.get(..self.final_keys).unwrap_or_default());
        for (key, numbers) in self.order.sorted(keys, &mut capacity) {
            for entry in numbers.iter().filter_map(|at| entries.get(*at)) {
                let sum_key = cx.state.keys.key(entry.key);
                let maps = match cx.state.value_and_views(self.sums, sum_key, &[]) {
                    Some((_, mut views)) if !self.gains.views().is_empty() => {
                        let all = views.all();
                        views.clear();
                        all
                    }
                    _ => Vec::new(),
                };
                cx.out.emit(RowKind::Insert, |cells| {
                    cells.extend_from_slice(&key);
                    let from = cells.len();
                    cells.extend_from_slice(&entry.value);
                    if !maps.is_empty() {
                        let cells = cells.get_mut(from..).unwrap_or_default();
                        carried::pack(self.gains.cell_types(), cells, maps);
                    }
                });
            }
        }
        Ok(())
    }
}
