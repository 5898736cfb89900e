//! PERCENTILE: exact, with linear interpolation between neighbours. Cell: the values with their frequencies.
//! Flink: `PercentileAggFunction`. Differs from Flink: the values are counted as a map in the accumulator.

use std::{cmp::Ordering, rc::Rc};

use sg_diag::{Code, Span};
use sg_value::{DataType, Gather as _, MapValue, TypeKind, Value};

use super::{
    Accumulator, AggregateCall, AggregateDef, Typing, Views, collect::counted, count::argument,
    deviation::as_double,
};
use crate::{
    compile::place,
    eval::EvalError,
    function::{Doc, failure},
    number::double_from_long,
    types::KindExt,
};

pub(super) const PERCENTILE: AggregateDef = AggregateDef {
    name: "PERCENTILE",
    forms: &[
        "PERCENTILE([DISTINCT] number, percentage [, frequency]) → DOUBLE",
        "PERCENTILE([DISTINCT] number, ARRAY[percentage, …] [, frequency]) → ARRAY<DOUBLE>",
    ],
    doc: Doc::of(
        "The value below which that part of the values lies, between neighbours interpolated.",
        "给定百分位上的值，在相邻值之间线性插值。",
    ),
    mergeable: true,
    resolve,
    cells: |_| &["percentile"],
    build: |call| Box::new(Percentile::new(call)),
};

fn resolve(args: &[DataType]) -> Typing {
    const FAMILIES: &str = "<NUMERIC>, <NUMERIC>";
    let (number, percentage, frequency) = match args {
        [number, percentage] => (number, percentage, None),
        [number, percentage, frequency] => (number, percentage, Some(frequency)),
        _ => return Typing::WrongCount,
    };
    let counts = frequency.is_none_or(|frequency| frequency.kind.integer_bits().is_some());
    match &percentage.kind {
        _ if !number.kind.is_numeric() || !counts => Typing::WrongTypes(FAMILIES),
        TypeKind::Array(of) if of.kind.is_numeric() => {
            Typing::Always(TypeKind::Array(Rc::new(DataType::nullable(TypeKind::Double))))
        }
        kind if kind.is_numeric() => Typing::Always(TypeKind::Double),
        _ => Typing::WrongTypes(FAMILIES),
    }
}

struct Percentile {
    number: usize,
    percentage: usize,
    frequency: Option<usize>,
    kind: TypeKind,
    several: bool,
    span: Span,
}

impl Percentile {
    fn new(call: &AggregateCall) -> Self {
        let column = |at: usize| call.args.get(at).map(|column| *column as usize);
        Self {
            number: argument(call).unwrap_or(usize::MAX),
            percentage: column(1).unwrap_or(usize::MAX),
            frequency: column(2),
            kind: call
                .arg_types
                .first()
                .map_or(TypeKind::Double, |arg| arg.kind.clone()),
            several: matches!(
                call.arg_types.get(1).map(|arg| &arg.kind),
                Some(TypeKind::Array(_))
            ),
            span: call.span,
        }
    }

    fn add(&self, cells: &mut [Value], row: &[Value], sign: i64) {
        let [percentages, values, ..] = cells else { return };
        if let Some(given) = row.get(self.percentage) {
            *percentages = match given {
                Value::Array(all) => Value::Array(Rc::clone(all)),
                single => Value::Array(Rc::from([single.clone()])),
            };
        }
        let frequency = match self.frequency {
            Some(column) => row.get(column).and_then(Value::as_int).unwrap_or(0),
            None => 1,
        };
        let number = row
            .get(self.number)
            .and_then(|value| as_double(value, &self.kind));
        if let Some(number) = number
            && frequency > 0
        {
            *values = counted(values, &Value::Double(number), frequency.wrapping_mul(sign));
        }
    }

    fn at(&self, sorted: &[(f64, i64)], total: i64, percentage: f64) -> Result<Value, EvalError> {
        if !(0.0..=1.0).contains(&percentage) {
            let outside = failure(Code::ValueNotTaken)
                .arg("function", "PERCENTILE")
                .arg("reason", "a percentage lies between 0 and 1");
            return Err(place(Box::new(outside), self.span));
        }
        let position = percentage * double_from_long(total.saturating_sub(1));
        let (low, high) = (position.floor(), position.ceil());
        let value_at = |place: f64| {
            let mut before = 0_i64;
            let found = sorted.iter().find(|(_, number)| {
                before = before.saturating_add(*number);
                double_from_long(before) > place
            });
            found.or(sorted.last()).map_or(0.0, |(value, _)| *value)
        };
        let lower = value_at(low);
        let value = if low.total_cmp(&high) == Ordering::Equal {
            lower
        } else {
            lower + (position - low) * (value_at(high) - lower)
        };
        Ok(Value::Double(value))
    }
}

impl Accumulator for Percentile {
    fn cell_types(&self) -> Vec<DataType> {
        vec![
            DataType::nullable(TypeKind::Array(Rc::new(DataType::nullable(TypeKind::Double)))),
            DataType::nullable(TypeKind::Map(
                Rc::new(DataType::nullable(TypeKind::Double)),
                Rc::new(DataType::BIGINT),
            )),
        ]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.extend([Value::Null, Value::Map(Rc::new(MapValue::default()))]);
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        self.add(cells, row, 1);
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        self.add(cells, row, -1);
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let ([percentages, values, ..], [theirs, Value::Map(more), ..]) = (cells, other) {
            if !theirs.is_null() {
                *percentages = theirs.clone();
            }
            for (value, number) in &more.entries {
                *values = counted(values, value, number.as_int().unwrap_or(0));
            }
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let [Value::Array(percentages), Value::Map(values), ..] = cells else {
            return Ok(Value::Null);
        };
        let mut sorted: Vec<(f64, i64)> = values
            .entries
            .iter()
            .filter_map(|(value, number)| match value {
                Value::Double(value) => Some((*value, number.as_int()?)),
                _ => None,
            })
            .gather();
        sorted.sort_by(|(left, _), (right, _)| left.total_cmp(right));
        let total: i64 = sorted.iter().map(|(_, number)| number).sum();
        if total <= 0 {
            return Ok(Value::Null);
        }
        let results = percentages.iter().map(|percentage| match percentage {
            Value::Double(percentage) => self.at(&sorted, total, *percentage),
            _ => Ok(Value::Null),
        });
        let results = results.gather::<Result<Vec<Value>, EvalError>>()?;
        Ok(if self.several {
            Value::Array(Rc::from(results))
        } else {
            results.first().cloned().unwrap_or_default()
        })
    }
}
