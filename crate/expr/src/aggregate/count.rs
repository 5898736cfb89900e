//! COUNT(*) and COUNT(x). Cells: count BIGINT. Cases: group-agg/count-star-and-count-column.

use sg_value::{DataType, TypeKind, Value};

use super::{Accumulator, AggregateCall, AggregateDef, Typing, Views};
use crate::{eval::EvalError, function::Doc};

pub(super) const COUNT: AggregateDef = AggregateDef {
    name: "COUNT",
    forms: &["COUNT(*) → BIGINT", "COUNT([DISTINCT] value) → BIGINT"],
    doc: Doc::of(
        "How many rows there are, or how many values that are not NULL.",
        "行数，或不为 NULL 的值的个数。",
    ),
    mergeable: true,
    // of several columns only the planner refuses it
    resolve: |_| Typing::NotNull(TypeKind::BigInt),
    cells: |call| {
        if call.args.is_empty() {
            &["count1"]
        } else {
            &["count"]
        }
    },
    build: |call| Box::new(Count { arg: argument(call) }),
};

/// In a pattern Flink counts all values, equal ones too (`AggFunctionFactory`). Case: match/approx-count-distinct.
pub(super) static APPROX_COUNT_DISTINCT: AggregateDef = AggregateDef {
    name: "APPROX_COUNT_DISTINCT",
    ..COUNT
};

/// The column of the only argument.
pub(super) fn argument(call: &AggregateCall) -> Option<usize> {
    call.args.first().map(|column| *column as usize)
}

/// Adds to a counting cell.
#[inline]
#[expect(
    clippy::needless_pass_by_value,
    reason = "an exclusive reference is moved, not copied"
)]
pub(super) fn add(cell: Option<&mut Value>, by: i64) {
    if let Some(Value::Int(count)) = cell {
        *count = count.wrapping_add(by);
    }
}

struct Count {
    /// The column that must not be NULL.
    arg: Option<usize>,
}

impl Count {
    #[inline]
    fn counts(&self, row: &[Value]) -> bool {
        self.arg
            .is_none_or(|arg| row.get(arg).is_some_and(|value| !value.is_null()))
    }
}

impl Accumulator for Count {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::not_null(TypeKind::BigInt)]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Int(0));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if self.counts(row) {
            add(cells.first_mut(), 1);
        }
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if self.counts(row) {
            add(cells.first_mut(), -1);
        }
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        add(
            cells.first_mut(),
            other.first().and_then(Value::as_int).unwrap_or(0),
        );
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(cells.first().cloned().unwrap_or_default())
    }
}
