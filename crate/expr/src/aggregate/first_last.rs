//! `FIRST_VALUE` and `LAST_VALUE` by arrival; NULLs are left out. Cells: ROW(value, arrival); where rows are taken back
//! ROW(value, arrival, two maps) and the values in order of arrival, of which the first equal one goes.
//!
//! Flink: `FirstValueAggFunction`, `LastValueWithRetractAggFunction`. Differs from Flink: the values of the retracting
//! form are counted as an array in the accumulator, not as entries of two maps.
//! Cases: group-agg/first-and-last-value, group-agg/last-value-with-retraction.

use std::rc::Rc;

use sg_value::{DataType, Field, TypeKind, Value};

use super::{
    Accumulator, AggregateCall, AggregateDef, Typing, Views,
    count::argument,
    list::{pushed, without_first},
};
use crate::{eval::EvalError, function::Doc};

pub(super) const FIRST_VALUE: AggregateDef = AggregateDef {
    name: "FIRST_VALUE",
    forms: &["FIRST_VALUE([DISTINCT] value) → the argument's type"],
    doc: Doc::of(
        "The value that arrived first; NULLs are left out.",
        "最先到达的值，忽略 NULL。",
    ),
    mergeable: false,
    resolve,
    cells: |_| &["firstValue"],
    build: |call| build(call, true),
};

pub(super) const LAST_VALUE: AggregateDef = AggregateDef {
    name: "LAST_VALUE",
    forms: &["LAST_VALUE([DISTINCT] value) → the argument's type"],
    doc: Doc::of(
        "The value that arrived last; NULLs are left out.",
        "最后到达的值，忽略 NULL。",
    ),
    mergeable: false,
    resolve,
    cells: |_| &["lastValue"],
    build: |call| build(call, false),
};

fn resolve(args: &[DataType]) -> Typing {
    match args {
        [arg] => Typing::Nullable(arg.kind.clone()),
        _ => Typing::WrongCount,
    }
}

fn build(call: &AggregateCall, first: bool) -> Box<dyn Accumulator> {
    let arg = argument(call).unwrap_or(usize::MAX);
    let of = call
        .arg_types
        .first()
        .map_or(DataType::INT, DataType::without_time_attribute)
        .with_nullable(true);
    if call.retract {
        Box::new(Kept { arg, of, first })
    } else {
        Box::new(Edge { arg, of, first })
    }
}

/// The value at one end of the arrivals.
struct Edge {
    arg: usize,
    of: DataType,
    first: bool,
}

impl Edge {
    /// A number stands for the arrival: only whether there was one matters.
    fn cell(value: Value, arrived: bool) -> Value {
        Value::Row(Rc::from([value, Value::Int(i64::from(arrived))]))
    }

    fn parts(cells: &[Value]) -> (Value, bool) {
        match cells.first() {
            Some(Value::Row(parts)) => (
                parts.first().cloned().unwrap_or_default(),
                parts.get(1).and_then(Value::as_int) == Some(1),
            ),
            _ => (Value::Null, false),
        }
    }

    fn take(&self, cells: &mut [Value], value: &Value) {
        if value.is_null() || (self.first && Self::parts(cells).1) {
            return;
        }
        if let Some(cell) = cells.first_mut() {
            *cell = Self::cell(value.clone(), true);
        }
    }
}

fn field(name: &str, data_type: DataType) -> Field {
    Field {
        name: Rc::from(name),
        data_type,
    }
}

impl Accumulator for Edge {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::nullable(TypeKind::Row(Rc::from([
            field("value", self.of.clone()),
            field("order", DataType::BIGINT),
        ])))]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Self::cell(Value::Null, false));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(value) = row.get(self.arg) {
            self.take(cells, value);
        }
        Ok(())
    }

    /// The planner takes the other form where rows are taken back.
    fn retract(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        self.take(cells, &Self::parts(other).0);
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(Self::parts(cells).0)
    }
}

/// All values in order of arrival.
struct Kept {
    arg: usize,
    of: DataType,
    first: bool,
}

impl Accumulator for Kept {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::nullable(TypeKind::Array(Rc::new(self.of.clone())))]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Array(Rc::from([])));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let value = row.get(self.arg).filter(|value| !value.is_null());
        if let (Some(value), Some(cell)) = (value, cells.first_mut()) {
            *cell = pushed(cell, value.clone());
        }
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let value = row.get(self.arg).filter(|value| !value.is_null());
        if let (Some(value), Some(cell)) = (value, cells.first_mut())
            && let Some(less) = without_first(cell, value)
        {
            *cell = less;
        }
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(cell), Some(Value::Array(more))) = (cells.first_mut(), other.first()) {
            for value in more.iter() {
                *cell = pushed(cell, value.clone());
            }
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let Some(Value::Array(values)) = cells.first() else {
            return Ok(Value::Null);
        };
        let edge = if self.first { values.first() } else { values.last() };
        Ok(edge.cloned().unwrap_or_default())
    }
}
