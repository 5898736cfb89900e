//! Gathers rows per key and works them off together: when there are enough, and at every watermark.
//!
//! Flink: `KeyedMapBundleOperator` with a `CountBundleTrigger`. Input and output: those of what works a bundle off.
//! State: the rows that wait, which are no part of a savepoint (a checkpoint works them off first).
//! Timers: processing time, only where the first row of a bundle waits for so long. Watermark: forwarded behind what it makes come out. Differs from Flink: nothing known.
//! Cases: optimisation/mini-batch-*.

use std::rc::Rc;

use sg_value::{Change, DataType, Field, Gather as _, RowKind, Value, bytes::Namespace};

use super::order::KeyOrder;
use crate::{
    op::{
        Ctx, OpResult, Operator, TimerClock,
        factory::{Logic, Made},
        stateless::union::Union,
    },
    state::{Key, Shape, StateSpec, Table, ValueShape, ValueSize},
    time::{Timer, Watermark},
    trace::Cause,
};

/// What works the rows of one key off.
pub(crate) trait Finish {
    /// All rows of a key, in the order in which they came in.
    fn finish(&self, cx: &mut Ctx<'_>, rows: &[Change<'_>]) -> OpResult;

    /// All keys of a bundle are worked off.
    #[cfg_attr(sg_hot, optimize(size))]
    fn end(&self, _cx: &mut Ctx<'_>) -> OpResult {
        Ok(())
    }
}

/// Which rows of a bundle count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    All,
    First,
    Last,
}

/// An operator that gets the rows of a bundle one by one.
pub(crate) struct OneByOne {
    pub(crate) operator: Box<dyn Operator>,
    pub(crate) keep: Keep,
}

impl Finish for OneByOne {
    #[cfg_attr(sg_hot, optimize(size))]
    fn finish(&self, cx: &mut Ctx<'_>, rows: &[Change<'_>]) -> OpResult {
        let rows = match self.keep {
            Keep::All => rows,
            Keep::First => rows.get(..1).unwrap_or_default(),
            Keep::Last => rows.get(rows.len().saturating_sub(1)..).unwrap_or_default(),
        };
        for row in rows {
            self.operator.on_change(cx, 0, *row)?;
        }
        Ok(())
    }
}

/// The operator `made` for single rows over bundles of them.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn one_by_one(mut made: Made, keep: Keep, rows: (&[Field], i64)) -> Made {
    let logic = std::mem::replace(&mut made.logic, Logic::Operator(Box::new(Union)));
    match logic {
        Logic::Operator(operator) => Bundle::around(made, OneByOne { operator, keep }, rows),
        Logic::Scan(_) => Made { logic, ..made },
    }
}

/// Rows in the order in which they come, whatever their keys, until there are enough or the first one waited long enough.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn gathered(mut made: Made, rows: (&[Field], i64), latest_ms: i64) -> Made {
    let has_rowtime = rows.0.iter().any(|field| field.data_type.is_rowtime());
    let logic = std::mem::replace(&mut made.logic, Logic::Operator(Box::new(Union)));
    let Logic::Operator(operator) = logic else {
        return Made { logic, ..made };
    };
    let ends = Ends {
        latest_ms: Some(latest_ms),
        any_watermark: has_rowtime,
    };
    let keep = Keep::All;
    Made {
        uses_processing_time: true,
        ..Bundle::until(made, OneByOne { operator, keep }, rows, ends)
    }
}

/// What ends a bundle beside the number of its rows.
struct Ends {
    /// How long its first row waits.
    latest_ms: Option<i64>,
    /// Any watermark; else only the last one.
    any_watermark: bool,
}

/// The rows that wait.
pub(crate) struct Bundle<F> {
    pub(crate) finish: F,
    /// The buffer's handle.
    buffer: usize,
    /// Rows per bundle.
    rows: i64,
    order: KeyOrder,
    ends: Ends,
}

/// Numbers that the operator inside does not use: rows in the bundle, and the capacity of Flink's map.
pub(crate) const COUNT: usize = 7;
pub(super) const CAPACITY: usize = 6;
/// When the bundle has waited long enough.
const DUE: usize = 5;

impl<F: Finish + 'static> Bundle<F> {
    /// The operator `made` for single rows, with `finish` for bundles of them.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn around(made: Made, finish: F, rows: (&[Field], i64)) -> Made {
        let ends = Ends {
            latest_ms: None,
            any_watermark: true,
        };
        Self::until(made, finish, rows, ends)
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn until(made: Made, finish: F, (input, rows): (&[Field], i64), ends: Ends) -> Made {
        let mut states = made.states;
        let key_types: Vec<DataType> = made
            .key
            .iter()
            .filter_map(|column| input.get(*column as usize))
            .map(|field| field.data_type.clone())
            .gather();
        let bundle = Self {
            finish,
            buffer: states.len(),
            rows,
            order: KeyOrder::new(&key_types),
            ends,
        };
        states.push(buffer(input));
        Made {
            key: made.key,
            states,
            timers_counted: made.timers_counted,
            uses_processing_time: made.uses_processing_time,
            ..Made::stateless(bundle)
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn work_off(&self, cx: &mut Ctx<'_>) -> OpResult {
        cx.vars[COUNT] = 0;
        let note = cx.state.note;
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(self.buffer) else {
            return Ok(());
        };
        let taken = buffer.take_all(&note);
        let entries: Vec<_> = taken.iter().gather();
        if entries.is_empty() {
            return Ok(());
        }
        let mut capacity = cx.vars[CAPACITY];
        let keys = self
            .order
            .sorted(entries.iter().map(|entry| entry.key), &mut capacity);
        cx.vars[CAPACITY] = capacity;
        for (key, numbers) in keys {
            let rows = numbers.iter().filter_map(|at| entries.get(*at));
            let rows: Vec<Change<'_>> = rows.filter_map(|entry| change_of(&entry.value)).gather();
            let writer = numbers.last().and_then(|at| entries.get(*at));
            let key = cx.state.keys.key(&key);
            cx.out.cause = Cause::Watermark(writer.map_or(0, |entry| u64::from(entry.writer)));
            cx.with_key(key, |cx| self.finish.finish(cx, &rows))?;
        }
        self.finish.end(cx)
    }
}

/// Rows by number, with their kinds in the last cell.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn buffer(input: &[Field]) -> StateSpec {
    let fields = input
        .iter()
        .map(|field| (field.data_type.clone(), Rc::clone(&field.name)));
    let (types, names): (Vec<DataType>, Vec<Rc<str>>) = fields
        .chain(std::iter::once((DataType::INT, "kind".into())))
        .unzip();
    StateSpec {
        name: "bundle".into(),
        namespace: Namespace::WindowEnd,
        shape: Shape::Value(ValueShape {
            types: types.into(),
            names: names.into(),
            size: ValueSize::Untold,
        }),
        ttl_ms: 0,
        slice_ms: 0,
        ordered: true,
    }
}

/// The row of an entry.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn change_of(cells: &[Value]) -> Option<Change<'_>> {
    let (kind, row) = cells.split_last()?;
    let kind = *RowKind::ALL.get(usize::try_from(kind.as_int()?).ok()?)?;
    Some(Change { kind, row })
}

impl<F: Finish + 'static> Operator for Bundle<F> {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let (key, note) = (cx.key, cx.state.note);
        let namespace = [Value::Int(cx.vars[COUNT])];
        let Some(Table::Value(buffer)) = cx.state.tables.get_mut(self.buffer) else {
            return Ok(());
        };
        let entry = buffer.entry(key, &namespace, |cells| {
            cells.extend_from_slice(change.row);
            cells.push(Value::Int(change.kind as i64));
        });
        entry.commit(&note);
        if let (0, Some(latest_ms)) = (cx.vars[COUNT], self.ends.latest_ms) {
            let due_ms = cx.clock.processing_ms.saturating_add(latest_ms);
            cx.vars[DUE] = due_ms;
            cx.timers.register(TimerClock::Processing, due_ms, Key::NONE, &[]);
        }
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
    fn on_watermark(&self, cx: &mut Ctx<'_>, _before: Watermark) -> OpResult {
        if self.ends.any_watermark || cx.clock.watermark.0 == i64::MAX {
            return self.work_off(cx);
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        // The bundle for which it was set may have been full before.
        if self.ends.latest_ms.is_some() && timer.at_ms == cx.vars[DUE] {
            return self.work_off(cx);
        }
        Ok(())
    }
}
