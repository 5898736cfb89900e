//! What all strategies of a ranking share: which places are shown, sort keys, and how changes come out.

use std::rc::Rc;

use sg_value::{Change, Gather as _, RowKind, Value};

use crate::{
    job::batch::push_cells,
    op::{Collector, Ctx, OpState},
    state::{Entries, Item, Items, Key, MapTable, Note, Table, UserKey},
};

/// The shown places and the output.
#[derive(Debug)]
pub(crate) struct Places {
    /// The first place that is shown.
    pub(crate) start: i64,
    pub(crate) end: End,
    /// Input columns of the sort key.
    pub(crate) sort: Vec<usize>,
    /// Whether the place is the last output column.
    pub(crate) puts_out_rank: bool,
    /// Whether consumers need `-U`.
    pub(crate) update_before: bool,
}

/// The last place that is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Constant(i64),
    /// The column's value in the first row of a partition; the handle of the state that keeps it.
    Column {
        column: usize,
        state: usize,
    },
}

impl Places {
    /// The last place of the current partition.
    pub(crate) fn end(&self, cx: &mut Ctx<'_>, change: Change<'_>) -> i64 {
        let End::Column { column, state } = self.end else {
            return match self.end {
                End::Constant(end) => end,
                End::Column { .. } => 0,
            };
        };
        let key = cx.key;
        let note = cx.state.note;
        let own = change.row.get(column).and_then(Value::as_int).unwrap_or(0);
        let Some(Table::Value(table)) = cx.state.tables.get_mut(state) else {
            return own;
        };
        if let Some([Value::Int(end)]) = table.get(key, &[]) {
            return *end;
        }
        table
            .entry(key, &[], |cells| cells.push(Value::Int(own)))
            .commit(&note);
        own
    }

    /// Whether places are numbered from one that is not the first, or the number is shown: then a new row moves all
    /// that come after it.
    pub(crate) const fn cascades(&self) -> bool {
        self.puts_out_rank || self.start > 1
    }

    /// Emits a row at a place, if that place is shown.
    pub(crate) fn emit(&self, cx: &mut Ctx<'_>, kind: RowKind, row: &[Value], place: i64) {
        self.emit_to(&mut cx.out, kind, row, place);
    }

    /// The same while state is borrowed.
    #[inline(never)]
    pub(crate) fn emit_to(&self, out: &mut Collector<'_>, kind: RowKind, row: &[Value], place: i64) {
        if place < self.start || (kind == RowKind::UpdateBefore && !self.update_before) {
            return;
        }
        out.emit(kind, |cells| {
            push_cells(cells, row);
            if self.puts_out_rank {
                cells.push(Value::Int(place));
            }
        });
    }

    /// Emits a row whose place does not matter.
    pub(crate) fn emit_row(&self, cx: &mut Ctx<'_>, kind: RowKind, row: &[Value]) {
        self.emit(cx, kind, row, self.start);
    }
}

/// Handle of the rows in state.
pub(crate) const DATA: usize = 0;
/// Handle of the rows in memory, where state expires.
pub(crate) const BUFFER: usize = 1;
/// Handle of the time at which they were loaded.
const LOADED: usize = 2;

/// The sorted rows of a partition. Where state expires, Flink works on rows in memory that it loads from state and
/// keeps for as long as the time-to-live: what expires meanwhile is still seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortedRows {
    /// 0 never.
    pub(crate) ttl_ms: i64,
}

impl SortedRows {
    const fn handle(self) -> usize {
        if self.ttl_ms > 0 { BUFFER } else { DATA }
    }

    /// Loads the rows of the current key where there are none in memory, or they are too old.
    pub(crate) fn load(self, cx: &mut Ctx<'_>) {
        if self.ttl_ms == 0 {
            return;
        }
        let (key, note, now_ms) = (cx.key, cx.state.note, cx.clock.processing_ms);
        let loaded = table(&mut cx.state, LOADED)
            .and_then(|table| table.get(key.into(), &[]).first().map(|item| item.mark));
        if loaded.is_some_and(|at_ms| at_ms + self.ttl_ms > now_ms) {
            return;
        }
        let rows: Vec<(UserKey, Item)> = entries(&cx.state, key)
            .into_iter()
            .flat_map(Entries::iter)
            .flat_map(|(sort_key, items)| items.iter().map(|item| (sort_key.clone(), item.clone())))
            .gather();
        if let Some(buffer) = table(&mut cx.state, BUFFER) {
            buffer.clear(key.into(), &note);
            for (sort_key, item) in rows {
                buffer.push(key.into(), sort_key, item, &note);
            }
        }
        if let Some(loaded) = table(&mut cx.state, LOADED) {
            let item = Item {
                row: Rc::from([]),
                mark: now_ms,
            };
            loaded.put(key.into(), UserKey::only(), item, &note);
        }
    }

    /// The rows of a key.
    pub(crate) fn entries<'s>(self, state: &'s OpState<'_>, key: Key<'_>) -> Option<Entries<'s>> {
        match state.tables.get(self.handle()) {
            Some(Table::Map(table)) => table.entries(key.into()),
            _ => None,
        }
    }

    /// Changes the rows of a sort key, in memory and in state.
    pub(crate) fn update(
        self,
        state: &mut OpState<'_>,
        key: Key<'_>,
        sort_key: &UserKey,
        change: &mut dyn FnMut(&mut Items),
    ) {
        let note: Note<'_> = state.note;
        let handle = self.handle();
        let Some(rows) = table(state, handle) else {
            return;
        };
        if handle == DATA {
            rows.update(key.into(), sort_key.clone(), &note, change);
            return;
        }
        let mut after = Items::None;
        rows.update(key.into(), sort_key.clone(), &note, &mut |items| {
            change(items);
            after.clone_from(items);
        });
        if let Some(data) = table(state, DATA) {
            data.update(key.into(), sort_key.clone(), &note, &mut |items| {
                items.clone_from(&after);
            });
        }
    }

    /// Removes the rows of a sort key.
    pub(crate) fn remove(self, state: &mut OpState<'_>, key: Key<'_>, sort_key: &UserKey) {
        let note = state.note;
        for handle in [DATA, self.handle()] {
            if let Some(rows) = table(state, handle) {
                rows.take(key.into(), sort_key, &note);
            }
        }
    }
}

/// The rows of a key in state.
pub(crate) fn entries<'s>(state: &'s OpState<'_>, key: Key<'_>) -> Option<Entries<'s>> {
    match state.tables.get(DATA) {
        Some(Table::Map(table)) => table.entries(key.into()),
        _ => None,
    }
}

/// A map state.
pub(crate) fn table<'s>(state: &'s mut OpState<'_>, handle: usize) -> Option<&'s mut MapTable> {
    match state.tables.get_mut(handle) {
        Some(Table::Map(table)) => Some(table),
        _ => None,
    }
}
