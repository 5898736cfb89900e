//! Joins over bundles: what cancels within a bundle never meets the other side.
//!
//! Flink: `MiniBatchStreamingJoinOperator` with a `BufferBundle` per side. Input and output: as in [`super::regular`].
//! State: as there, and the rows that wait, which are no part of a savepoint (a checkpoint works them off first).
//! Timers: none. Watermark: the smaller one; any of either side ends the bundle. Differs from Flink: nothing known.
//! Cases: optimisation/mini-batch-join*.

use std::cell::RefCell;

use sg_value::{Change, Field, Gather as _, Row, Value, hash::KeyGrouper};

use super::{
    regular::RegularJoin,
    side::{Layout, unique_key},
};
use crate::{
    op::{
        Ctx, OpResult, Operator,
        batch::bundle::{COUNT, change_of},
    },
    state::{JavaMap, Table},
    trace::Cause,
};

/// Numbers of the operator's subtask: the capacities of the two maps in which Flink gathers the sides.
const LEFT_CAPACITY: usize = 5;
const RIGHT_CAPACITY: usize = 6;

pub(super) struct JoinBundle {
    pub(super) join: RegularJoin,
    pub(super) sides: [Waiting; 2],
    /// Rows of both sides per bundle.
    pub(super) rows: i64,
}

/// How the rows of an input wait.
pub(super) struct Waiting {
    /// Handle of the buffer.
    buffer: usize,
    join_key: RefCell<KeyGrouper>,
    /// What tells rows of one join key apart, and its hash. `None`: there is one row.
    within: Option<RefCell<KeyGrouper>>,
}

impl Waiting {
    /// Rows with these columns and join key, which are kept in such a layout.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn new(buffer: usize, columns: &[Field], key: &[u32], layout: &Layout) -> Self {
        let hash_of = |at: &mut dyn Iterator<Item = usize>| {
            let fields = at.filter_map(|at| columns.get(at));
            let types: Vec<_> = fields.map(|field| field.data_type.clone()).gather();
            RefCell::new(KeyGrouper::new(&types))
        };
        Self {
            buffer,
            join_key: hash_of(&mut key.iter().map(|column| *column as usize)),
            within: match layout {
                Layout::One => None,
                Layout::ByKey(unique) => Some(hash_of(&mut unique.iter().copied())),
                Layout::Copies => Some(hash_of(&mut (0..columns.len()))),
            },
        }
    }

    /// Where a row belongs under its join key, with the hash of that.
    #[cfg_attr(sg_hot, optimize(size))]
    fn place(&self, layout: &Layout, row: &[Value]) -> (i32, Row) {
        match (&self.within, layout) {
            (Some(hash), Layout::ByKey(columns)) => {
                let key = unique_key(columns, row);
                (hash.borrow_mut().row_hash(&key), key)
            }
            // Rows of equal hash count as equal.
            (Some(hash), _) => {
                let code = hash.borrow_mut().row_hash(row);
                (code, Row::from([Value::Int(i64::from(code))]))
            }
            (None, _) => (0, Row::from([])),
        }
    }

    /// Numbers of the rows that are left of a bundle, in lists of one or two, by join key in the order of Flink's maps.
    #[cfg_attr(sg_hot, optimize(size))]
    fn fold(
        &self,
        layout: &Layout,
        rows: &[(&[Value], Change<'_>)],
        capacity: &mut i64,
    ) -> Vec<(Row, Lists)> {
        let by_value = matches!(layout, Layout::Copies);
        let mut keys: Lists = JavaMap::with_capacity(u32::try_from(*capacity).unwrap_or(0));
        let mut all: Vec<Lists> = Vec::new();
        for (number, (key, change)) in rows.iter().enumerate() {
            let code = self.join_key.borrow_mut().row_hash(key);
            let at = keys.get(code, key).and_then(|at| at.first().copied());
            let at = at.unwrap_or_else(|| {
                keys.insert(code, (*key).into(), vec![all.len()]);
                all.push(JavaMap::default());
                all.len() - 1
            });
            let Some(lists) = all.get_mut(at) else { continue };
            let (place, unique) = self.place(layout, change.row);
            if lists.get(place, &unique).is_none() {
                lists.insert(place, Row::clone(&unique), Vec::new());
            }
            let Some(list) = lists.get_mut(place, &unique) else {
                continue;
            };
            let retracts = change.kind.retracts();
            let last = list.last().and_then(|last| rows.get(*last));
            let opposite = last.map(|(_, last)| last.kind.retracts() != retracts);
            match opposite {
                // What came is taken back; among equal rows also the other way round.
                Some(true) if retracts || by_value => {
                    list.pop();
                    if list.is_empty() {
                        lists.remove(place, &unique);
                    }
                    if lists.is_empty() {
                        keys.remove(code, key);
                    }
                }
                Some(false) if !by_value => {
                    list.pop();
                    list.push(number);
                }
                _ => list.push(number),
            }
        }
        *capacity = i64::from(keys.capacity());
        let mut take = |at: &[usize]| at.first().and_then(|at| all.get_mut(*at)).map(std::mem::take);
        if by_value {
            // Flink copies the keys to a map of its own.
            let mut copy: Lists = JavaMap::default();
            for (key, at) in keys.iter() {
                let code = self.join_key.borrow_mut().row_hash(key);
                copy.insert(code, Row::clone(key), at.clone());
            }
            keys = copy;
        }
        let keys = keys.iter();
        keys.filter_map(|(key, at)| Some((Row::clone(key), take(at)?)))
            .gather()
    }
}

type Lists = JavaMap<Vec<usize>>;

impl JoinBundle {
    #[cfg_attr(sg_hot, optimize(size))]
    fn work_off(&self, cx: &mut Ctx<'_>) -> OpResult {
        cx.vars[COUNT] = 0;
        // The side that may be padded comes second.
        let [_, right_outer] = self.join.outer;
        let left_first = right_outer && !self.join.outer[0];
        for input in if left_first { [0, 1] } else { [1, 0] } {
            self.side(cx, input)?;
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn side(&self, cx: &mut Ctx<'_>, input: u32) -> OpResult {
        let [left, right] = &self.sides;
        let waiting = if input == 0 { left } else { right };
        let note = cx.state.note;
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(waiting.buffer) else {
            return Ok(());
        };
        let taken = buffer.take_all(&note);
        let entries: Vec<_> = taken.iter().gather();
        let rows: Vec<_> = entries
            .iter()
            .filter_map(|entry| Some((entry.key, change_of(&entry.value)?)))
            .gather();
        let layout = &self.join.inputs.side(input).layout;
        let capacity = if input == 0 {
            &mut cx.vars[LEFT_CAPACITY]
        } else {
            &mut cx.vars[RIGHT_CAPACITY]
        };
        let keys = waiting.fold(layout, &rows, capacity);
        for (key, lists) in &keys {
            let key = cx.state.keys.key(key);
            for (_, list) in lists.iter() {
                // An update: padding of the other side neither comes nor goes.
                let update = list.len() > 1 && !matches!(layout, Layout::Copies);
                for number in list {
                    let Some((_, change)) = rows.get(*number) else {
                        continue;
                    };
                    let writer = entries.get(*number).map_or(0, |entry| u64::from(entry.writer));
                    cx.out.cause = Cause::Watermark(writer);
                    cx.with_key(key, |cx| self.join.work(cx, input, *change, update))?;
                }
            }
        }
        Ok(())
    }
}

impl Operator for JoinBundle {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let namespace = [Value::Int(cx.vars[COUNT])];
        let [left, right] = &self.sides;
        let waiting = if input == 0 { left } else { right };
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(waiting.buffer) else {
            return Ok(());
        };
        let entry = buffer.entry(key, &namespace, |cells| {
            cells.extend_from_slice(change.row);
            cells.push(Value::Int(change.kind as i64));
        });
        entry.commit(&note);
        cx.vars[COUNT] += 1;
        if cx.vars[COUNT] >= self.rows {
            self.work_off(cx)?;
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn hears_watermarks(&self) -> bool {
        true
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_input_watermark(&self, cx: &mut Ctx<'_>) -> OpResult {
        self.work_off(cx)
    }
}
