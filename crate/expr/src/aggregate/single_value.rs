//! `SINGLE_VALUE`: the only row of a scalar sub-query; a second one fails the job. Cells: value, count INT.
//! Flink: `SingleValueAggFunction`. Case: errors/scalar-subquery-with-two-rows.

use sg_diag::{Code, Diagnostic, Span};
use sg_value::{DataType, TypeKind, Value};

use super::{Accumulator, AggregateCall, AggregateDef, Typing, Views, count::argument};
use crate::{eval::EvalError, function::Doc};

/// What the planner puts above a sub-query that may find more than one row.
pub static SINGLE_VALUE: AggregateDef = AggregateDef {
    name: "SINGLE_VALUE",
    forms: &["SINGLE_VALUE(value) → the argument's type"],
    doc: Doc::of(
        "The only value; a second one is an error.",
        "唯一的值；出现第二个值即出错。",
    ),
    mergeable: false,
    resolve: |args| match args {
        [arg] => Typing::Always(arg.kind.clone()),
        _ => Typing::WrongCount,
    },
    cells: |_| &["value", "count"],
    build: |call| Box::new(SingleValue::new(call)),
};

struct SingleValue {
    arg: usize,
    of: DataType,
    span: Span,
}

impl SingleValue {
    fn new(call: &AggregateCall) -> Self {
        let of = call.arg_types.first();
        Self {
            arg: argument(call).unwrap_or(usize::MAX),
            of: of.map_or(DataType::INT, DataType::without_time_attribute),
            span: call.span,
        }
    }

    fn second(&self) -> EvalError {
        let diagnostic = Diagnostic::new(Code::SecondSingleValue, self.span)
            .flink("TableRuntimeException: SingleValueAggFunction received more than one element.");
        EvalError {
            diagnostic: Box::new(diagnostic),
        }
    }
}

fn count(cells: &[Value]) -> i64 {
    cells.get(1).and_then(Value::as_int).unwrap_or(0)
}

fn set(cells: &mut [Value], value: Value, count: i64) {
    if let [cell, counter, ..] = cells {
        *cell = value;
        *counter = Value::Int(count);
    }
}

impl Accumulator for SingleValue {
    fn cell_types(&self) -> Vec<DataType> {
        vec![self.of.with_nullable(true), DataType::nullable(TypeKind::Int)]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.extend([Value::Null, Value::Int(0)]);
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let before = count(cells);
        if before > 0 {
            return Err(self.second());
        }
        set(cells, row.get(self.arg).cloned().unwrap_or_default(), before + 1);
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], _row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let before = count(cells);
        if before > 1 {
            return Err(self.second());
        }
        set(cells, Value::Null, before - 1);
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        match (count(cells), count(other)) {
            (_, 0) => Ok(()),
            (0, more) => {
                set(cells, other.first().cloned().unwrap_or_default(), more);
                Ok(())
            }
            _ => Err(self.second()),
        }
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(cells.first().cloned().unwrap_or_default())
    }
}
