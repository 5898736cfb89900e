//! AVG. Cells: sum (BIGINT, DOUBLE or DECIMAL(38, s)) and count BIGINT. Integers keep their type, towards zero.
//! Flink: `AvgAggFunction`. Case: group-agg/avg-keeps-the-integer-type.

use sg_value::{
    DataType, TypeKind, Value,
    decimal::{Decimal, DecimalType},
};

use super::{
    Accumulator, AggregateCall, AggregateDef, Typing, Views,
    count::{add, argument},
    sum::Adder,
};
use crate::{
    eval::EvalError,
    function::Doc,
    number::{double_from_long, round_to_float, wrap},
    types::{KindExt, decimal_kind},
};

pub(super) const AVG: AggregateDef = AggregateDef {
    name: "AVG",
    forms: &["AVG([DISTINCT] number) → the argument's type"],
    doc: Doc::of(
        "The mean of all values; integers lose the fraction, NULLs are left out.",
        "平均值；整数舍去小数，忽略 NULL。",
    ),
    mergeable: true,
    resolve: |args| match args {
        [arg] => match &arg.kind {
            TypeKind::Null => Typing::Nullable(TypeKind::Int),
            TypeKind::Decimal { scale, .. } => Typing::Nullable(decimal_kind(decimal_result(*scale))),
            kind if kind.is_numeric() => Typing::Nullable(kind.clone()),
            _ => Typing::WrongTypes("<NUMERIC>"),
        },
        _ => Typing::WrongCount,
    },
    cells: |_| &["sum", "count"],
    build: |call| Box::new(Average::new(call)),
};

fn decimal_result(scale: u8) -> DecimalType {
    DecimalType::new(38, scale.max(6))
}

struct Average {
    arg: usize,
    of: TypeKind,
    sum_kind: TypeKind,
    adder: Adder,
}

impl Average {
    fn new(call: &AggregateCall) -> Self {
        let of = call
            .arg_types
            .first()
            .map_or(TypeKind::Int, |arg| arg.kind.clone());
        let sum_kind = match &of {
            TypeKind::Decimal { scale, .. } => TypeKind::Decimal {
                precision: 38,
                scale: *scale,
            },
            kind if kind.is_approximate() => TypeKind::Double,
            _ => TypeKind::BigInt,
        };
        Self {
            arg: argument(call).unwrap_or(usize::MAX),
            adder: Adder::of(&sum_kind),
            of,
            sum_kind,
        }
    }

    fn take(&self, cells: &mut [Value], row: &[Value], back: bool) {
        let Some(value) = row.get(self.arg).filter(|value| !value.is_null()) else {
            return;
        };
        if let Some(sum) = cells.first_mut() {
            self.adder.add_to_zero(sum, value, back);
        }
        add(cells.get_mut(1), if back { -1 } else { 1 });
    }
}

impl Accumulator for Average {
    fn cell_types(&self) -> Vec<DataType> {
        vec![
            DataType::not_null(self.sum_kind.clone()),
            DataType::not_null(TypeKind::BigInt),
        ]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.extend([self.adder.zero(), Value::Int(0)]);
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        self.take(cells, row, false);
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        self.take(cells, row, true);
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(sum), Some(more)) = (cells.first_mut(), other.first()) {
            self.adder.add_to_zero(sum, more, false);
        }
        add(
            cells.get_mut(1),
            other.get(1).and_then(Value::as_int).unwrap_or(0),
        );
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let count = cells.get(1).and_then(Value::as_int).unwrap_or(0);
        if count == 0 {
            return Ok(Value::Null);
        }
        Ok(match (cells.first(), &self.of) {
            (Some(Value::Int(sum)), kind) => {
                Value::Int(wrap(sum.wrapping_div(count), kind.integer_bits().unwrap_or(64)))
            }
            (Some(Value::Double(sum)), kind) => {
                let mean = sum / double_from_long(count);
                Value::Double(if *kind == TypeKind::Float {
                    round_to_float(mean)
                } else {
                    mean
                })
            }
            (Some(sum), TypeKind::Decimal { scale, .. }) => {
                let (sum, to) = (sum.unscaled(), decimal_result(*scale));
                sum.and_then(|sum| Decimal::new(sum, *scale).divide(Decimal::new(i128::from(count), 0), to))
                    .map_or(Value::Null, Value::decimal)
            }
            _ => Value::Null,
        })
    }
}
