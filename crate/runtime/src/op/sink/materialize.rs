//! In front of an upsert sink whose key is not the query's: the history of each primary key.
//!
//! Flink: `SinkUpsertMaterializer`, and for ON CONFLICT DO ERROR and DO NOTHING
//! `WatermarkCompactingSinkMaterializer`. Input: all row kinds, by the sink's key. Output: `+I`, `+U`, `-D`.
//! State: `values` (key → its live rows in order; TTL applies), or `watermark-buffer` (what came since the last watermark)
//! and `current-value`. Timers: one per key behind the watermark for the latter. Watermark: forwarded.
//! Differs from Flink: nothing known. Cases: sinks/on-conflict-*, sinks/deduplicate-hides-an-older-row.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::EvalError;
use sg_plan::{logical::OnConflict, physical::node::MaterializeSpec};
use sg_value::{
    Change, DataType, Field, Gather as _, Row, RowKind, TypeKind, Value,
    bytes::{Namespace, RowSizer},
    format,
};

use crate::{
    op::{
        Ctx, OpResult, Operator, TimerClock,
        factory::{Made, Plan},
    },
    state::{Shape, StateSpec, Table, ValueShape, ValueSize},
    time::Timer,
};

/// The operator of a spec.
#[inline(never)]
pub(in crate::op) fn make(plan: &Plan<'_>, spec: &MaterializeSpec) -> Made {
    let types: Vec<DataType> = plan.input.iter().map(|field| field.data_type.clone()).gather();
    let rows = DataType::not_null(TypeKind::Array(Rc::new(DataType::not_null(TypeKind::Row(
        plan.input.iter().cloned().gather(),
    )))));
    let equal: Box<[usize]> = match &spec.upsert_key {
        Some(key) => key.iter().map(|column| *column as usize).gather(),
        None => (0..types.len()).gather(),
    };
    let state = |name: &str, shape: ValueShape, ttl_ms: i64| StateSpec {
        name: name.into(),
        namespace: Namespace::Void,
        shape: Shape::Value(shape),
        ttl_ms,
        slice_ms: 0,
        ordered: false,
    };
    let list = |fixed: u64, kinds: bool| {
        let mut cells = vec![rows.clone()];
        let mut names: Vec<Rc<str>> = vec!["rows".into()];
        if kinds {
            cells.push(DataType::not_null(TypeKind::Array(Rc::new(DataType::not_null(
                TypeKind::Int,
            )))));
            names.push("kinds".into());
        }
        ValueShape {
            types: cells.into(),
            names: names.into(),
            size: ValueSize::List(RowSizer::new(&types), fixed),
        }
    };
    let made = |operator: Made, states: Vec<StateSpec>| Made {
        key: spec.key.clone(),
        states,
        ..operator
    };
    match spec.on_conflict {
        None | Some(OnConflict::Deduplicate) => {
            let values = state("values", list(LIST_BYTES, false), spec.ttl_ms);
            made(Made::stateless(History { equal }), vec![values])
        }
        Some(strategy) => {
            let operator = Compacting {
                equal,
                fails: strategy == OnConflict::Error,
                key: spec
                    .key
                    .iter()
                    .filter_map(|column| plan.input.get(*column as usize))
                    .cloned()
                    .gather(),
                span: plan.spec.span,
            };
            let current = ValueShape {
                names: plan.input.iter().map(|field| Rc::clone(&field.name)).gather(),
                size: ValueSize::Row(RowSizer::new(&types)),
                types: types.clone().into(),
            };
            let states = vec![
                state("watermark-buffer", list(MAP_BYTES + LIST_BYTES, true), 0),
                state("current-value", current, 0),
            ];
            Made {
                timers_counted: true,
                ..made(Made::stateless(operator), states)
            }
        }
    }
}

/// What a list that is a value takes beside its rows.
const LIST_BYTES: u64 = 4;
/// What the entry of a map by time takes more than a value: the time and whether there is a value.
const MAP_BYTES: u64 = 8 + 1;

/// The rows of a list cell.
#[cfg_attr(sg_hot, optimize(size))]
fn rows_of(cell: Option<&Value>) -> Vec<Row> {
    match cell {
        Some(Value::Array(rows)) => rows
            .iter()
            .filter_map(|row| match row {
                Value::Row(cells) => Some(Rc::clone(cells)),
                _ => None,
            })
            .gather(),
        _ => Vec::new(),
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn list_of(rows: &[Row]) -> Value {
    Value::Array(rows.iter().map(|row| Value::Row(Rc::clone(row))).gather())
}

/// Place of the first row that is the same by these columns.
#[cfg_attr(sg_hot, optimize(size))]
fn position(rows: &[Row], row: &[Value], columns: &[usize]) -> Option<usize> {
    rows.iter()
        .position(|other| columns.iter().all(|at| other.get(*at) == row.get(*at)))
}

/// All live rows of a key; the last one is shown.
struct History {
    /// Columns by which rows are the same.
    equal: Box<[usize]>,
}

impl Operator for History {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let Some(Table::Value(values)) = cx.state.tables.first_mut() else {
            return Ok(());
        };
        if change.kind.retracts() {
            let Some(mut entry) = values.existing(key, &[]) else {
                return Ok(());
            };
            let mut rows = rows_of(entry.cells().first());
            let Some(at) = position(&rows, change.row, &self.equal) else {
                entry.commit(&note);
                return Ok(());
            };
            let removed = rows.remove(at);
            let Some(last) = rows.last() else {
                entry.remove(&note);
                cx.out.emit_row(RowKind::Delete, &removed);
                return Ok(());
            };
            if at == rows.len() {
                cx.out.emit_row(RowKind::UpdateAfter, last);
            }
            if let Some(cell) = entry.cells().first_mut() {
                *cell = list_of(&rows);
            }
            entry.commit(&note);
            return Ok(());
        }
        let mut entry = values.entry(key, &[], |cells| cells.push(list_of(&[])));
        let mut rows = rows_of(entry.cells().first());
        let kind = if rows.is_empty() {
            RowKind::Insert
        } else {
            RowKind::UpdateAfter
        };
        let row: Row = change.row.into();
        let same = position(&rows, &row, &self.equal).and_then(|at| rows.get_mut(at));
        match same {
            Some(slot) => *slot = row,
            None => rows.push(row),
        }
        if let Some(cell) = entry.cells().first_mut() {
            *cell = list_of(&rows);
        }
        entry.commit(&note);
        cx.out.emit_row(kind, change.row);
        Ok(())
    }
}

/// Waits for the watermark, then shows the one row that is left of a key.
struct Compacting {
    equal: Box<[usize]>,
    /// A second row fails the job, else the first one stays.
    fails: bool,
    key: Vec<Field>,
    span: Span,
}

const BUFFER: usize = 0;

impl Compacting {
    #[cfg_attr(sg_hot, optimize(size))]
    fn conflict(&self, key: &[Value]) -> EvalError {
        let cells: Vec<String> = self
            .key
            .iter()
            .zip(key)
            .map(|(field, value)| format!("{}={}", field.name, format::cell_text(value, &field.data_type)))
            .gather();
        let shown = cells.join(", ");
        let diagnostic = Diagnostic::new(Code::SinkKeyConflict, self.span)
            .arg("key", &shown)
            .flink(format!(
                "TableRuntimeException: Primary key constraint violation: multiple distinct records with the same primary \
                 key detected. Conflicting key: [{shown}]. Use ON CONFLICT DO NOTHING to keep the first record."
            ));
        EvalError::new(diagnostic)
    }

    /// The rows that are left of the shown one and what came since.
    #[cfg_attr(sg_hot, optimize(size))]
    fn left(&self, shown: Option<&Row>, buffered: &[Row], kinds: &[i64]) -> Vec<Row> {
        let mut rows: Vec<Row> = shown.cloned().into_iter().gather();
        for (row, kind) in buffered.iter().zip(kinds) {
            if *kind == 0 {
                rows.push(Rc::clone(row));
            } else if let Some(at) = position(&rows, row, &self.equal) {
                rows.remove(at);
            }
        }
        rows
    }
}

impl Operator for Compacting {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let at_ms = cx.clock.watermark.0.saturating_add(1);
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(BUFFER) else {
            return Ok(());
        };
        let mut entry = buffer.entry(key, &[], |cells| {
            cells.push(list_of(&[]));
            cells.push(Value::Array(Rc::from([])));
        });
        let retracts = i64::from(change.kind.retracts());
        if let [rows, kinds] = entry.cells() {
            let mut all = rows_of(Some(rows));
            all.push(change.row.into());
            *rows = list_of(&all);
            if let Value::Array(known) = kinds {
                *kinds = Value::Array(known.iter().cloned().chain([Value::Int(retracts)]).gather());
            }
        }
        entry.commit(&note);
        cx.timers.register(TimerClock::Event, at_ms, key, &[]);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let [Table::Value(buffer), Table::Value(current)] = cx.state.tables else {
            return Ok(());
        };
        let Some(mut entry) = buffer.existing(key, &[]) else {
            return Ok(());
        };
        let (buffered, kinds) = match entry.cells() {
            [rows, Value::Array(kinds)] => (
                rows_of(Some(rows)),
                kinds.iter().filter_map(Value::as_int).gather::<Vec<i64>>(),
            ),
            _ => (Vec::new(), Vec::new()),
        };
        entry.remove(&note);
        let shown: Option<Row> = current.get(key, &[]).map(Row::from);
        let rows = self.left(shown.as_ref(), &buffered, &kinds);
        let next = match (rows.as_slice(), &shown) {
            ([], _) => None,
            ([only], _) => Some(Rc::clone(only)),
            (_, _) if self.fails => return Err(self.conflict(key.cells)),
            (_, Some(shown)) => Some(Rc::clone(shown)),
            ([first, ..], None) => Some(Rc::clone(first)),
        };
        match (shown, next) {
            (None, None) => {}
            (Some(shown), None) => {
                if let Some(entry) = current.existing(key, &[]) {
                    entry.remove(&note);
                }
                cx.out.emit_row(RowKind::Delete, &shown);
            }
            (Some(shown), Some(next)) if shown == next => {}
            (shown, Some(next)) => {
                let mut entry = current.entry(key, &[], |cells| cells.extend_from_slice(&next));
                if !entry.created() {
                    entry.cells().clone_from_slice(&next);
                }
                entry.commit(&note);
                let kind = if shown.is_some() {
                    RowKind::UpdateAfter
                } else {
                    RowKind::Insert
                };
                cx.out.emit_row(kind, &next);
            }
        }
        Ok(())
    }
}
