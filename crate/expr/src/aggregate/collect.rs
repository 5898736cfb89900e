//! COLLECT: a multiset of the values that are not NULL. Cells: a placeholder for the map of values and numbers, which
//! is a view; below DISTINCT, where there are no views, the multiset itself.
//! Flink: `CollectAggFunction`. Case: group-agg/collect-and-array-agg.

use std::rc::Rc;

use sg_value::{DataType, Gather as _, MapValue, TypeKind, Value};

use super::{Accumulator, AggregateDef, Typing, Views, count::argument, set::view_type};
use crate::{eval::EvalError, function::Doc};

pub(super) const COLLECT: AggregateDef = AggregateDef {
    name: "COLLECT",
    forms: &["COLLECT([DISTINCT] value) → MULTISET of the argument's type"],
    doc: Doc::of(
        "All values as a multiset; NULLs are left out, without values it is empty.",
        "把所有值组成多重集合，忽略 NULL；没有值时为空。",
    ),
    mergeable: true,
    resolve: |args| match args {
        [arg] => Typing::NotNull(TypeKind::Multiset(Rc::new(arg.clone()))),
        _ => Typing::WrongCount,
    },
    cells: |_| &["collect"],
    build: |call| {
        let arg = argument(call).unwrap_or(usize::MAX);
        let of = call.arg_types.first().cloned().unwrap_or(DataType::INT);
        if call.distinct {
            Box::new(Inline { arg, of })
        } else {
            Box::new(InView { arg, of })
        }
    },
};

/// A value that stays in the map though it is there 0 times: what a local phase took back and what the global one had. Flink
/// shows it: case optimisation/local-global-collect-shows-nothing.
const NONE_LEFT: i64 = i64::MIN;

/// How often a value is there.
const fn counted_as(number: i64) -> i64 {
    if number == NONE_LEFT { 0 } else { number }
}

/// What the view keeps for a number of times; a plain 0 would go away.
const fn kept(number: i64) -> i64 {
    if number == 0 { NONE_LEFT } else { number }
}

struct InView {
    arg: usize,
    of: DataType,
}

impl InView {
    fn add(&self, row: &[Value], by: i64, views: &mut dyn Views) {
        if let Some(value) = row.get(self.arg).filter(|value| !value.is_null()) {
            let key = std::slice::from_ref(value);
            let number = views.get(0, key);
            // Flink only looks for a 1 before it takes a value out of the map
            let number = match (number, by) {
                (1, -1) => 0,
                _ => kept(counted_as(number).wrapping_add(by)),
            };
            views.put(0, key, number);
        }
    }
}

impl Accumulator for InView {
    fn cell_types(&self) -> Vec<DataType> {
        vec![view_type()]
    }

    fn views(&self) -> Vec<Vec<DataType>> {
        vec![vec![self.of.clone()]]
    }

    fn view_value_bytes(&self) -> u64 {
        4
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Null);
    }

    fn accumulate(&self, _: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        self.add(row, 1, views);
        Ok(())
    }

    fn retract(&self, _: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        self.add(row, -1, views);
        Ok(())
    }

    fn merge(&self, _: &mut [Value], _: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        while let Some((key, more)) = views.next_of_other(0) {
            let number = counted_as(views.get(0, &key)).wrapping_add(counted_as(more));
            views.put(0, &key, kept(number));
        }
        Ok(())
    }

    fn value(&self, _: &[Value], views: &mut dyn Views) -> Result<Value, EvalError> {
        let entries = views.entries(0).into_iter();
        let entries = entries
            .filter_map(|(mut key, number)| Some((key.pop()?, Value::Int(counted_as(number)))))
            .gather();
        Ok(Value::Map(Rc::new(MapValue { entries })))
    }
}

struct Inline {
    arg: usize,
    of: DataType,
}

impl Inline {
    fn add(&self, cells: &mut [Value], row: &[Value], by: i64) {
        let value = row.get(self.arg).filter(|value| !value.is_null());
        if let (Some(value), Some(cell)) = (value, cells.first_mut()) {
            *cell = counted(cell, value, by);
        }
    }
}

/// The multiset with a value's number changed.
pub(super) fn counted(multiset: &Value, value: &Value, by: i64) -> Value {
    let mut entries = match multiset {
        Value::Map(map) => map.entries.clone(),
        _ => Vec::new(),
    };
    match entries.iter_mut().find(|(known, _)| known == value) {
        Some((_, number)) => *number = Value::Int(number.as_int().unwrap_or(0).wrapping_add(by)),
        None => entries.push((value.clone(), Value::Int(by))),
    }
    entries.retain(|(_, number)| number.as_int() != Some(0));
    Value::Map(Rc::new(MapValue { entries }))
}

impl Accumulator for Inline {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::not_null(TypeKind::Multiset(Rc::new(self.of.clone())))]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Map(Rc::new(MapValue::default())));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        self.add(cells, row, 1);
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        self.add(cells, row, -1);
        Ok(())
    }

    /// The values of the other accumulator come one by one through DISTINCT.
    fn merge(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(cells.first().cloned().unwrap_or_default())
    }
}
