//! A complete changelog of what a source upserts: the last row of each key is known.
//!
//! Flink: `ProcTimeDeduplicateKeepLastRowFunction` with `DeduplicateFunctionHelper.processLastRowOnChangelog` and
//! `…WithFilter`. Input: `+I`, `+U`, `-D` (perhaps with nothing but the key). Output: `+I`, `-U` (if wanted), `+U`,
//! `-D` with the whole row. State: `deduplicate-state` (key → row); TTL applies. Timers: none. Watermark: forwarded.
//! Differs from Flink: nothing known. Cases: cdc/*.

use std::rc::Rc;

use sg_expr::{Compiled, compile};
use sg_plan::physical::node::ChangelogNormalizeSpec;
use sg_value::{
    Change, DataType, Field, Gather as _, RowKind,
    bytes::{Namespace, RowSizer},
};

use super::{
    Ctx, OpResult, Operator,
    batch::bundle::{Keep, one_by_one},
    factory::{Made, Plan},
};
use crate::state::{Shape, StateSpec, Table, ValueShape, ValueSize};

/// What the plan says.
pub(crate) struct ChangelogNormalize {
    /// Rows for which it is not TRUE are as good as deleted.
    pub(crate) condition: Option<Compiled>,
    /// Whether consumers need `-U`.
    pub(crate) update_before: bool,
    /// Whether state expires: then a repeated row goes on, so that states further down are renewed.
    pub(crate) repeats: bool,
}

/// The operator of a spec.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn make(plan: &Plan<'_>, spec: &ChangelogNormalizeSpec) -> Made {
    let operator = ChangelogNormalize {
        condition: spec.condition.as_ref().map(compile),
        update_before: spec.update_before,
        repeats: spec.ttl_ms > 0,
    };
    let made = |operator| Made {
        key: spec.keys.clone(),
        states: vec![row_state("deduplicate-state", plan.input, spec.ttl_ms)],
        ..operator
    };
    match spec.mini_batch {
        None => made(Made::stateless(operator)),
        Some(rows) => one_by_one(made(Made::stateless(operator)), Keep::Last, (plan.input, rows)),
    }
}

/// A state that keeps one row per key.
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn row_state(name: &str, fields: &[Field], ttl_ms: i64) -> StateSpec {
    let types: Vec<DataType> = fields.iter().map(|field| field.data_type.clone()).gather();
    StateSpec {
        name: name.into(),
        namespace: Namespace::Void,
        shape: Shape::Value(ValueShape {
            size: ValueSize::Row(RowSizer::new(&types)),
            types: types.into(),
            names: fields.iter().map(|field| Rc::clone(&field.name)).gather(),
        }),
        ttl_ms,
        slice_ms: 0,
        ordered: false,
    }
}

/// The state's handle.
const ROW: usize = 0;

impl Operator for ChangelogNormalize {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some(Table::Value(rows)) = cx.state.tables.get_mut(ROW) else {
            return Ok(());
        };
        if change.kind.retracts() {
            if let Some(mut entry) = rows.existing(key, &[]) {
                cx.out.emit_row(RowKind::Delete, entry.cells());
                entry.remove(&note);
            }
            return Ok(());
        }
        let passes = match &self.condition {
            Some(condition) => condition.test(change.row, cx.eval)?,
            None => true,
        };
        let Some(mut entry) = rows.existing(key, &[]) else {
            if passes {
                rows.entry(key, &[], |cells| cells.extend_from_slice(change.row))
                    .commit(&note);
                cx.out.emit_row(RowKind::Insert, change.row);
            }
            return Ok(());
        };
        if !self.repeats && entry.cells() == change.row {
            return Ok(());
        }
        if !passes {
            cx.out.emit_row(RowKind::Delete, entry.cells());
            entry.remove(&note);
            return Ok(());
        }
        if self.update_before {
            cx.out.emit_row(RowKind::UpdateBefore, entry.cells());
        }
        cx.out.emit_row(RowKind::UpdateAfter, change.row);
        entry.cells().clone_from_slice(change.row);
        entry.commit(&note);
        Ok(())
    }
}
