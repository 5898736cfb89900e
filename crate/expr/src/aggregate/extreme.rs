//! MIN and MAX. Cells: the value; where rows are taken back ROW(value, number of distinct values, map) with a view of
//! all values beside it. Flink: `MinAggFunction`, `MaxWithRetractAggFunction`. Case: group-agg/retracted-max-falls-back.

use std::{cmp::Ordering, rc::Rc};

use sg_value::{DataType, Field, TypeKind, Value, order::sort_compare};

use super::{Accumulator, AggregateCall, AggregateDef, Typing, Views, count::argument, set::view_type};
use crate::{eval::EvalError, function::Doc, types::KindExt};

pub(super) const MIN: AggregateDef = AggregateDef {
    name: "MIN",
    forms: &["MIN(value) → the argument's type"],
    doc: Doc::of("The smallest value; NULLs are left out.", "最小值，忽略 NULL。"),
    mergeable: true,
    resolve: |args| resolve(args, "Min"),
    cells: |_| &["min"],
    build: |call| build(call, false),
};

pub(super) const MAX: AggregateDef = AggregateDef {
    name: "MAX",
    forms: &["MAX(value) → the argument's type"],
    doc: Doc::of("The largest value; NULLs are left out.", "最大值，忽略 NULL。"),
    mergeable: true,
    resolve: |args| resolve(args, "Max"),
    cells: |_| &["max"],
    build: |call| build(call, true),
};

fn resolve(args: &[DataType], name: &str) -> Typing {
    let [arg] = args else { return Typing::WrongCount };
    match &arg.kind {
        TypeKind::Null => Typing::Nullable(TypeKind::Int),
        kind if kind.is_numeric()
            || kind.is_character()
            || kind.is_datetime()
            || *kind == TypeKind::Boolean =>
        {
            Typing::Nullable(kind.clone())
        }
        kind => {
            let text = kind.to_string();
            let root = text.split(['(', '<', ' ']).next().unwrap_or_default();
            Typing::Unplannable(format!(
                "{name} aggregate function does not support type: ''{root}''. Please re-check the data type."
            ))
        }
    }
}

fn build(call: &AggregateCall, largest: bool) -> Box<dyn Accumulator> {
    let plain = Extreme {
        arg: argument(call).unwrap_or(usize::MAX),
        of: call
            .arg_types
            .first()
            .map_or(DataType::INT, sg_value::DataType::without_time_attribute),
        largest,
    };
    if call.retract {
        Box::new(WithRetract(plain))
    } else {
        Box::new(plain)
    }
}

struct Extreme {
    arg: usize,
    of: DataType,
    largest: bool,
}

impl Extreme {
    #[inline]
    fn replaces(&self, value: &Value, best: &Value) -> bool {
        let wanted = if self.largest {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        match (value, best) {
            (_, Value::Null) => true,
            (Value::Int(value), Value::Int(best)) => value.cmp(best) == wanted,
            _ => sort_compare(value, best) == wanted,
        }
    }

    #[inline]
    fn offer(&self, cells: &mut [Value], value: &Value) {
        if let Some(best) = cells.first_mut()
            && !value.is_null()
            && self.replaces(value, best)
        {
            *best = value.clone();
        }
    }
}

impl Accumulator for Extreme {
    fn cell_types(&self) -> Vec<DataType> {
        vec![self.of.with_nullable(true)]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Null);
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(value) = row.get(self.arg) {
            self.offer(cells, value);
        }
        Ok(())
    }

    /// Only called where the planner knows that what is taken back is followed by something better.
    fn retract(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(value) = other.first() {
            self.offer(cells, value);
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(cells.first().cloned().unwrap_or_default())
    }
}

/// With all values in view 0, each with the number of its rows.
struct WithRetract(Extreme);

impl WithRetract {
    fn parts(cells: &[Value]) -> (Value, i64) {
        match cells.first() {
            Some(Value::Row(parts)) => (
                parts.first().cloned().unwrap_or_default(),
                parts.get(1).and_then(Value::as_int).unwrap_or(0),
            ),
            _ => (Value::Null, 0),
        }
    }

    fn store(cells: &mut [Value], best: Value, size: i64) {
        let Some(cell) = cells.first_mut() else { return };
        if let Value::Row(parts) = cell
            && let Some([first, second, ..]) = Rc::get_mut(parts)
        {
            *first = best;
            *second = Value::Int(size);
            return;
        }
        *cell = Value::Row(Rc::from([best, Value::Int(size), Value::Null]));
    }

    /// As Java compares objects: -0.0 is below 0.0.
    fn beats(&self, value: &Value, best: &Value) -> bool {
        let order = value.cmp(best);
        if self.0.largest {
            order.is_gt()
        } else {
            order.is_lt()
        }
    }

    /// The best of all values that are known, those that were taken back too often among them, and how many there are
    /// (`updateMax`).
    fn best_of_all(&self, size: i64, views: &mut dyn Views) -> (Value, i64) {
        let best = views.extreme(0, self.0.largest);
        best.map_or((Value::Null, 0), |best| (best, size))
    }

    /// Adds to the number of a value; what it was and is.
    fn count(value: &Value, by: i64, views: &mut dyn Views) -> (i64, i64) {
        let key = std::slice::from_ref(value);
        let before = views.get(0, key);
        let after = before.wrapping_add(by);
        views.put(0, key, after);
        (before, after)
    }
}

impl Accumulator for WithRetract {
    fn cell_types(&self) -> Vec<DataType> {
        let name = if self.0.largest { "max" } else { "min" };
        let field = |name: &str, data_type| Field {
            name: Rc::from(name),
            data_type,
        };
        vec![DataType::nullable(TypeKind::Row(Rc::from([
            field(name, self.0.of.with_nullable(true)),
            field("mapSize", DataType::BIGINT),
            field("map", view_type()),
        ])))]
    }

    fn views(&self) -> Vec<Vec<DataType>> {
        vec![vec![self.0.of.clone()]]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Row(Rc::from([Value::Null, Value::Int(0), Value::Null])));
    }

    /// A value counts as best although it was taken back before: `group-agg/maximum-of-what-was-taken-back-before`.
    fn accumulate(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(value) = row.get(self.0.arg).filter(|value| !value.is_null()) {
            let (mut best, mut size) = Self::parts(cells);
            if size == 0 || self.beats(value, &best) {
                best = value.clone();
            }
            let (_, after) = Self::count(value, 1, views);
            size += i64::from(after == 1);
            Self::store(cells, best, size);
        }
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(value) = row.get(self.0.arg).filter(|value| !value.is_null())
            && Self::count(value, -1, views).1 == 0
        {
            let (mut best, mut size) = Self::parts(cells);
            size -= 1;
            if size == 0 {
                best = Value::Null;
            } else if *value == best {
                (best, size) = self.best_of_all(size, views);
            }
            Self::store(cells, best, size);
        }
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        let (mut best, mut size) = Self::parts(cells);
        let (other_best, other_size) = Self::parts(other);
        if size == 0 || (other_size > 0 && !other_best.is_null() && self.beats(&other_best, &best)) {
            best = other_best;
        }
        let mut lost = false;
        while let Some((key, number)) = views.next_of_other(0) {
            if let [value] = key.as_slice() {
                let (before, after) = Self::count(value, number, views);
                if before > 0 && after <= 0 {
                    size -= 1;
                    lost |= *value == best;
                } else if before <= 0 && after > 0 {
                    size += 1;
                }
            }
        }
        if lost {
            (best, size) = self.best_of_all(size, views);
        }
        Self::store(cells, best, size);
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let (best, size) = Self::parts(cells);
        Ok(if size > 0 { best } else { Value::Null })
    }
}
