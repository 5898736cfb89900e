//! Running aggregates in the order of a column that is no time.
//!
//! Flink: `NonTimeRowsUnboundedPrecedingFunction`, `NonTimeRangeUnboundedPrecedingFunction`. Input: all row kinds. Output:
//! a new row, then `-U` and `+U` for every row behind it whose result changes; a row that is taken back goes as `-D`.
//! State: `idState`, `sortedListState` (sort keys with the ids of their rows), `valueMapState` (id → row), `accMapState`
//! (row or sort key → accumulators); a processing-time timer forgets a key. Timers: processing time. Watermark: forwarded.
//! Flink forgets the equal rows of one that is taken back from a RANGE, which is reproduced.
//! Differs from Flink: `FIRST_VALUE` and `LAST_VALUE` do not come again with a later clock; calls with maps beside their
//! accumulators are computed anew from the first row.
//! Cases: over/order-by-value-*, topn/no-rank-filter-renumbers-everything.

use std::{cmp::Ordering, rc::Rc};

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::EvalError;
use sg_value::{Change, Gather as _, Row, RowKind, Value};

use super::{
    calls::{Calls, emit},
    cleanup::Cleanup,
};
use crate::{
    op::{Ctx, OpResult, Operator, agg::merged::MergedViews},
    state::{Entries, Item, Table, UserKey},
    time::Timer,
};

/// The calls and the order.
pub(crate) struct ValueOver {
    pub(crate) calls: Calls,
    /// Columns of the sort key.
    pub(crate) sort: Vec<usize>,
    /// ROWS: one result a row; RANGE: one result a sort key.
    pub(crate) rows: bool,
    pub(crate) update_before: bool,
    pub(crate) cleanup: Cleanup,
    /// The windowed calls.
    pub(crate) span: Span,
}

/// Handle of the rows in order, in memory: what `sortedListState` and `valueMapState` give together.
pub(super) const ROWS: usize = 0;
/// Handle of `accMapState`.
pub(super) const ACCS: usize = 1;
/// Handle of `valueMapState`.
pub(super) const VALUES: usize = 2;
/// Handle of `sortedListState`.
pub(super) const LIST: usize = 3;
/// Handle of `idState`.
pub(super) const ID: usize = 4;
/// Handle of the cleanup time.
pub(super) const CLEANUP: usize = 5;

/// Rows that have one result.
struct Step {
    sort_key: UserKey,
    /// How it compares with the sort key of the change.
    order: Ordering,
    rows: Vec<Item>,
    /// The accumulators before the change; none of a new step.
    before: Option<Vec<Value>>,
}

impl Step {
    /// What `accMapState` knows it by.
    #[cfg_attr(sg_hot, optimize(size))]
    fn acc_key(&self, rows: bool) -> Row {
        if rows {
            Rc::from([Value::Int(self.rows.first().map_or(0, |item| item.mark))])
        } else {
            self.sort_key.to_row()
        }
    }
}

impl Operator for ValueOver {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        self.cleanup.touch(cx);
        let sort_key = UserKey::of(change.row, &self.sort);
        if change.kind.retracts() {
            self.take_back(cx, &sort_key, change.row)
        } else {
            self.take_in(cx, &sort_key, change)
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        for table in cx.state.tables.iter_mut() {
            match table {
                Table::Map(table) => table.clear(key.into(), &note),
                Table::Value(table) => {
                    if let Some(entry) = table.existing(key, &[]) {
                        entry.remove(&note);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl ValueOver {
    #[cfg_attr(sg_hot, optimize(size))]
    fn take_in(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let id = cx.number(ID).unwrap_or(i64::MIN);
        cx.set_number(ID, Some(id.wrapping_add(1)));
        let item = Item::new(change.row, id);
        if let Some(rows) = map(cx, ROWS) {
            rows.push(key.into(), sort_key.clone(), item.clone(), &note);
        }
        if let Some(values) = map(cx, VALUES) {
            values.put(key.into(), UserKey::number(id), item, &note);
        }
        Self::note_list(cx);
        let (mut acc, steps) = self.steps_from(cx, sort_key);
        let mut memory = MergedViews::default();
        let from_scratch = self.has_views();
        for step in &steps {
            let is_own = step.rows.iter().any(|item| item.mark == id);
            let is_before = from_scratch && !is_own && step.before.is_some() && step.order.is_lt();
            for item in &step.rows {
                self.calls.accumulate(&mut acc, &item.row, &mut memory)?;
            }
            if is_before || (self.rows && step.order.is_eq() && !is_own) {
                continue;
            }
            let unchanged = self.is_unchanged(step, &acc)?;
            if unchanged && !is_own {
                break;
            }
            let after = self.results(&acc, &mut memory)?;
            if let Some(before) = step.before.as_ref().filter(|_| !unchanged) {
                let before = self.results(before, &mut MergedViews::default())?;
                for item in step.rows.iter().filter(|item| item.mark != id) {
                    self.replaced(cx, &item.row, &before, &after);
                }
            }
            if is_own {
                emit(cx, change.kind, change.row, &after);
            }
            if unchanged {
                break;
            }
            self.keep(cx, step, &acc);
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn take_back(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, row: &[Value]) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let found = map(cx, ROWS).and_then(|rows| {
            let items = rows.get(key.into(), sort_key);
            let mut twins = items.iter().enumerate().filter(|(_, item)| *item.row == *row);
            let (at, _) = if self.rows {
                twins.next()
            } else {
                twins.next_back()
            }?;
            items.get(at).map(|item| (at, item.mark))
        });
        let Some((at, id)) = found else {
            return Ok(());
        };
        let own = Step {
            sort_key: sort_key.clone(),
            order: Ordering::Equal,
            rows: vec![Item::new(row, id)],
            before: None,
        };
        let acc_key = own.acc_key(self.rows);
        let old = Self::kept(cx, &acc_key).unwrap_or_default();
        let gone = self.results(&old, &mut MergedViews::default())?;
        let mut left = 0;
        if let Some(rows) = map(cx, ROWS) {
            rows.update(key.into(), sort_key.clone(), &note, &mut |items| {
                items.remove(at);
                left = items.len();
            });
        }
        if let Some(values) = map(cx, VALUES) {
            values.take(key.into(), &[Value::Int(id)], &note);
        }
        if (self.rows || left == 0)
            && let Some(accs) = map(cx, ACCS)
        {
            accs.take(key.into(), &acc_key, &note);
        }
        Self::note_list(cx);
        let (mut acc, steps) = self.steps_from(cx, sort_key);
        let mut memory = MergedViews::default();
        let mut gone = Some(gone);
        let mut delete = |cx: &mut Ctx<'_>| {
            if let Some(gone) = gone.take() {
                emit(cx, RowKind::Delete, row, &gone);
            }
        };
        for step in &steps {
            let own = !self.rows && step.order.is_eq();
            // Flink leaves out every row that equals the one taken back: a defect
            for item in step.rows.iter().filter(|item| !own || *item.row != *row) {
                self.calls.accumulate(&mut acc, &item.row, &mut memory)?;
            }
            let in_front = step.order.is_lt()
                || (self.rows && step.order.is_eq() && step.rows.iter().all(|item| item.mark < id));
            if in_front {
                continue;
            }
            if self.is_unchanged(step, &acc)? {
                break;
            }
            let after = self.results(&acc, &mut memory)?;
            let before = match &step.before {
                Some(before) => self.results(before, &mut MergedViews::default())?,
                None => continue,
            };
            for (place, item) in step.rows.iter().enumerate() {
                if !own || place == at {
                    delete(cx);
                }
                self.replaced(cx, &item.row, &before, &after);
            }
            delete(cx);
            self.keep(cx, step, &acc);
        }
        delete(cx);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn replaced(&self, cx: &mut Ctx<'_>, row: &[Value], before: &[Value], after: &[Value]) {
        if self.update_before {
            emit(cx, RowKind::UpdateBefore, row, before);
        }
        emit(cx, RowKind::UpdateAfter, row, after);
    }

    /// Whether a step stays as it was. Flink compares accumulators field by field, and where all were equal so far it cannot
    /// compare a list or a map: the job fails. Cases: over/order-by-value-lag-*, over/order-by-value-distinct-*.
    #[cfg_attr(sg_hot, optimize(size))]
    fn is_unchanged(&self, step: &Step, acc: &[Value]) -> Result<bool, EvalError> {
        let Some(before) = &step.before else {
            return Ok(false);
        };
        match same(before, acc) {
            Some(same) if !same || !self.has_views() => Ok(same),
            _ => Err(EvalError::new(
                Diagnostic::new(Code::OverCannotCompare, self.span).flink(
                    "UnsupportedOperationException: Unmaterialized BinaryRawValueData cannot be compared.",
                ),
            )),
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn has_views(&self) -> bool {
        !self.calls.aggregates.views().is_empty()
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn results(&self, acc: &[Value], memory: &mut MergedViews) -> Result<Vec<Value>, EvalError> {
        let mut results = Vec::new();
        self.calls.aggregates.values(acc, memory, &mut results)?;
        Ok(results)
    }

    /// The steps from a sort key on, and the accumulators in front of them.
    #[cfg_attr(sg_hot, optimize(size))]
    fn steps_from(&self, cx: &Ctx<'_>, sort_key: &UserKey) -> (Vec<Value>, Vec<Step>) {
        let mut acc = Vec::new();
        self.calls.aggregates.create(&mut acc);
        let Some(Table::Map(rows)) = cx.state.tables.get(ROWS) else {
            return (acc, Vec::new());
        };
        let Some(entries) = rows.entries(cx.key.into()) else {
            return (acc, Vec::new());
        };
        let from_scratch = self.has_views();
        let [front, _] = entries.around(sort_key);
        if !from_scratch && let Some((front, rows)) = front {
            let acc_key = if self.rows {
                Rc::from([Value::Int(rows.last().map_or(0, |item| item.mark))])
            } else {
                front.to_row()
            };
            acc = Self::kept(cx, &acc_key).unwrap_or(acc);
        }
        let mut steps = Vec::new();
        for (own, rows) in entries.iter() {
            let order = entries.compare(own, sort_key);
            if !from_scratch && order.is_lt() {
                continue;
            }
            let parts: Vec<Vec<Item>> = if self.rows {
                rows.iter().map(|item| vec![item.clone()]).gather()
            } else {
                vec![rows.to_vec()]
            };
            for rows in parts {
                let mut step = Step {
                    sort_key: own.clone(),
                    order,
                    rows,
                    before: None,
                };
                step.before = Self::kept(cx, &step.acc_key(self.rows));
                steps.push(step);
            }
        }
        (acc, steps)
    }

    /// The accumulators that are kept.
    #[cfg_attr(sg_hot, optimize(size))]
    fn kept(cx: &Ctx<'_>, acc_key: &Row) -> Option<Vec<Value>> {
        match cx.state.tables.get(ACCS) {
            Some(Table::Map(accs)) => accs
                .get(cx.key.into(), acc_key)
                .first()
                .map(|item| item.row.to_vec()),
            _ => None,
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn keep(&self, cx: &mut Ctx<'_>, step: &Step, acc: &[Value]) {
        let (key, note) = (cx.key, cx.state.note);
        let acc_key = step.acc_key(self.rows);
        if let Some(accs) = map(cx, ACCS) {
            let item = Item {
                row: Rc::from(acc),
                mark: 0,
            };
            accs.put(key.into(), acc_key.into(), item, &note);
        }
    }

    /// Keeps the list of sort keys, which is a value of its own in Flink.
    #[cfg_attr(sg_hot, optimize(size))]
    fn note_list(cx: &mut Ctx<'_>) {
        let (key, note) = (cx.key, cx.state.note);
        let list: Vec<Value> = map(cx, ROWS)
            .and_then(|rows| rows.entries(key.into()))
            .into_iter()
            .flat_map(Entries::iter)
            .map(|(own, rows)| {
                let count = Value::Int(rows.len() as i64);
                Value::Row(own.iter().cloned().chain([count]).gather())
            })
            .gather();
        let Some(Table::Value(table)) = cx.state.tables.get_mut(LIST) else {
            return;
        };
        let mut entry = table.entry(key, &[], |cells| cells.push(Value::Null));
        if let Some(cell) = entry.cells().first_mut() {
            *cell = Value::Array(Rc::from(list));
        }
        entry.commit(&note);
    }
}

/// Whether fields are equal; `None` where a list is met before a difference.
#[cfg_attr(sg_hot, optimize(size))]
fn same(left: &[Value], right: &[Value]) -> Option<bool> {
    for pair in left.iter().zip(right) {
        let same = match pair {
            (Value::Array(_) | Value::Map(_), _) => return None,
            (Value::Row(left), Value::Row(right)) => same(left, right)?,
            (left, right) => left == right,
        };
        if !same {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg_attr(sg_hot, optimize(size))]
fn map<'s>(cx: &'s mut Ctx<'_>, handle: usize) -> Option<&'s mut crate::state::MapTable> {
    match cx.state.tables.get_mut(handle) {
        Some(Table::Map(table)) => Some(table),
        _ => None,
    }
}
