//! Partial matches as cells of state, and how many bytes they are.

use std::rc::Rc;

use sg_value::{
    Gather as _, Row, Value,
    bytes::{Namespace, map_entry_bytes},
    ordered_map::OrderedMap,
};

use super::{
    EVENTS, NFA, map,
    nfa::{Event, Found, Partial, State, Step},
};
use crate::{
    op::Ctx,
    state::{Item, Table, UserKey},
};

/// What the sizes depend on.
pub(super) struct Held {
    /// Names of the variables by position in the pattern.
    pub(super) names: Vec<Rc<str>>,
    pub(super) key: sg_value::bytes::RowSizer,
}

/// Partial matches from the cells of state.
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn read(cells: &[Value]) -> State {
    let mut state = State::default();
    let [_, next, partials, complete] = cells else {
        return state;
    };
    state.next = next.as_int().unwrap_or_default();
    for cell in list(partials) {
        if cell.is_null() {
            state.partials.push(None);
        } else if let Value::Row(parts) = cell
            && let [number, at_ms, count, last] = &**parts
            && let Some(last) = step(last)
        {
            state.partials.push(Some(Partial {
                start: (
                    number.as_int().unwrap_or_default(),
                    at_ms.as_int().unwrap_or_default(),
                ),
                count: u32::try_from(count.as_int().unwrap_or_default()).unwrap_or_default(),
                last,
            }));
        }
    }
    for cell in list(complete) {
        if let Value::Row(parts) = cell
            && let [number, at_ms, _, last] = &**parts
            && let Some(last) = step(last)
        {
            state.complete.push(Found {
                start: (
                    number.as_int().unwrap_or_default(),
                    at_ms.as_int().unwrap_or_default(),
                ),
                last,
            });
        }
    }
    state
}

#[cfg_attr(sg_hot, optimize(size))]
fn list(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        _ => &[],
    }
}

/// The steps of a match, the last one first.
#[cfg_attr(sg_hot, optimize(size))]
fn step(value: &Value) -> Option<Rc<Step>> {
    let mut before = None;
    for cell in list(value) {
        let Value::Row(parts) = cell else { return None };
        let [item, number, at_ms, Value::Row(row)] = &**parts else {
            return None;
        };
        before = Some(Rc::new(Step {
            before,
            item: usize::try_from(item.as_int()?).ok()?,
            event: Event {
                number: number.as_int()?,
                at_ms: at_ms.as_int()?,
                row: Rc::clone(row),
            },
        }));
    }
    before
}

#[cfg_attr(sg_hot, optimize(size))]
fn steps(last: &Step) -> Value {
    let cell = |step: &Step| {
        Value::Row(Rc::from([
            Value::Int(step.item as i64),
            Value::Int(step.event.number),
            Value::Int(step.event.at_ms),
            Value::Row(Rc::clone(&step.event.row)),
        ]))
    };
    Value::Array(last.all().into_iter().map(cell).gather())
}

#[cfg_attr(sg_hot, optimize(size))]
fn cell(start: (i64, i64), count: u32, last: &Step) -> Value {
    Value::Row(Rc::from([
        Value::Int(start.0),
        Value::Int(start.1),
        Value::Int(i64::from(count)),
        steps(last),
    ]))
}

impl Held {
    /// Writes the partial matches of the current key and the rows that they hold.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn store(&self, cx: &mut Ctx<'_>, state: &State) {
        let mut events: Vec<(i64, Row)> = Vec::new();
        let lasts = state
            .partials
            .iter()
            .flatten()
            .map(|partial| &partial.last)
            .chain(state.complete.iter().map(|found| &found.last));
        for last in lasts {
            for step in last.all() {
                events.push((step.event.number, Rc::clone(&step.event.row)));
            }
        }
        events.sort_unstable_by_key(|(number, _)| *number);
        events.dedup_by_key(|(number, _)| *number);
        let is_held = |number: i64| events.binary_search_by_key(&number, |(own, _)| *own).is_ok();
        let (key, note) = (cx.key, cx.state.note);
        if let Some(table) = map(cx, EVENTS) {
            let known: Vec<i64> = table.entries(key.into()).map_or_else(Vec::new, |entries| {
                entries.iter().filter_map(|(own, _)| own.as_number()).gather()
            });
            for number in known.iter().filter(|number| !is_held(**number)) {
                table.take(key.into(), &[Value::Int(*number)], &note);
            }
            for (number, row) in events.iter().filter(|(number, _)| !known.contains(number)) {
                let item = Item {
                    row: Rc::clone(row),
                    mark: 0,
                };
                table.push(key.into(), UserKey::number(*number), item, &note);
            }
        }
        let bytes = self.bytes(key.cells, state);
        let Some(Table::Value(table)) = cx.state.tables.get_mut(NFA) else {
            return;
        };
        if state.partials.iter().flatten().next().is_none() && state.complete.is_empty() {
            if let Some(entry) = table.existing(key, &[]) {
                entry.remove(&note);
            }
            return;
        }
        let partials = state.partials.iter().map(|partial| match partial {
            Some(partial) => cell(partial.start, partial.count, &partial.last),
            None => Value::Null,
        });
        let complete = state
            .complete
            .iter()
            .map(|found| cell(found.start, 0, &found.last));
        let cells = [
            Value::Int(bytes),
            Value::Int(state.next),
            Value::Array(partials.gather()),
            Value::Array(complete.gather()),
        ];
        let mut entry = table.entry(key, &[], |into| into.extend(cells.iter().cloned()));
        entry.cells().clone_from_slice(&cells);
        entry.commit(&note);
    }

    /// Bytes of the partial matches, and of the entries and edges of the shared buffer.
    #[cfg_attr(sg_hot, optimize(size))]
    fn bytes(&self, key: &[Value], state: &State) -> i64 {
        let key_bytes = self.key.row_bytes(key);
        let name = |item: usize| self.names.get(item).map_or(0, |name| name.len() as u64);
        let mut edges: OrderedMap<(i64, i64), u64> = OrderedMap::default();
        // The start state is always there.
        let mut bytes = 8 + 1 + name(0) + 1 + 4 + 4 + 16 + 1;
        for partial in state.partials.iter().flatten() {
            let steps = partial.last.all();
            let item = partial.last.item;
            let version = steps.len() as u64 + 1;
            bytes += 1 + name(item) + 14 + name(item) + 4 + 4 * version + 16 + 13;
            for (at, step) in (1_u64..).zip(&steps) {
                let target = if at == 1 {
                    1
                } else {
                    14 + name(step.before.as_ref().map_or(0, |before| before.item))
                };
                let edge = edges.entry((step.event.number, step.item as i64));
                if *edge == 0 {
                    *edge = 4 + target + 4 + 4 * at;
                }
            }
        }
        for ((_, item), edge) in &edges {
            bytes += map_entry_bytes(key_bytes, Namespace::Void, 14 + name(*item as usize), 8 + edge);
        }
        i64::try_from(bytes).unwrap_or(i64::MAX)
    }
}
