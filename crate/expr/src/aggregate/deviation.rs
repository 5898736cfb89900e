//! `STDDEV_POP`, `STDDEV_SAMP`, `VAR_POP` and `VAR_SAMP`, and what the planner computes them from: the sum of squared
//! distances from the mean, `$WELFORD_M2$1`, and a COUNT.
//!
//! Cells: ROW(number, mean, sum of squares). Taking rows back can leave a sum just below zero, which counts as NULL.
//! Flink: `WelfordM2AggFunction`. Case: group-agg/stddev-and-variance.

use std::rc::Rc;

use sg_value::{DataType, Field, TypeKind, Value, decimal::DecimalType};

use super::{Accumulator, AggregateCall, AggregateDef, Typing, Views, count::argument};
use crate::{
    eval::EvalError,
    function::Doc,
    number::double_from_long,
    types::{KindExt, decimal_kind, scale_of},
};

/// The planner's own function.
pub(super) const WELFORD: AggregateDef = AggregateDef {
    name: "$WELFORD_M2$1",
    forms: &[],
    doc: Doc::of("", ""),
    mergeable: true,
    resolve: |args| match args {
        [arg] if arg.kind.is_numeric() => Typing::Nullable(TypeKind::Double),
        _ => Typing::WrongTypes("<NUMERIC>"),
    },
    cells: |_| &["$welford_m2$1"],
    build: |call| Box::new(Welford::new(call)),
};

macro_rules! deviation {
    ($row:ident, $name:literal, $en:literal, $zh:literal) => {
        pub(super) const $row: AggregateDef = AggregateDef {
            name: $name,
            forms: &[concat!($name, "([DISTINCT] number) → the argument's type")],
            doc: Doc::of($en, $zh),
            mergeable: true,
            resolve,
            cells: |_| &["$welford_m2$1"],
            // The planner puts an expression over WELFORD and COUNT in its place.
            build: |call| Box::new(Welford::new(call)),
        };
    };
}

deviation!(
    STDDEV_POP,
    "STDDEV_POP",
    "The standard deviation of all values, seen as the whole population.",
    "总体标准差。"
);
deviation!(
    STDDEV_SAMP,
    "STDDEV_SAMP",
    "The standard deviation, the values seen as a sample; NULL below two values.",
    "样本标准差；少于两个值时为 NULL。"
);
deviation!(
    STDDEV,
    "STDDEV",
    "The same as STDDEV_SAMP.",
    "与 STDDEV_SAMP 相同。"
);
deviation!(
    VAR_POP,
    "VAR_POP",
    "The variance of all values, seen as the whole population.",
    "总体方差。"
);
deviation!(
    VAR_SAMP,
    "VAR_SAMP",
    "The variance, the values seen as a sample; NULL below two values.",
    "样本方差；少于两个值时为 NULL。"
);
deviation!(
    VARIANCE,
    "VARIANCE",
    "The same as VAR_SAMP.",
    "与 VAR_SAMP 相同。"
);

fn resolve(args: &[DataType]) -> Typing {
    match args {
        [arg] => match &arg.kind {
            TypeKind::Null => Typing::Nullable(TypeKind::Int),
            TypeKind::Decimal { scale, .. } => {
                Typing::Nullable(decimal_kind(DecimalType::new(38, (*scale).max(6))))
            }
            kind if kind.is_numeric() => Typing::Nullable(kind.clone()),
            _ => Typing::WrongTypes("<NUMERIC>"),
        },
        _ => Typing::WrongCount,
    }
}

struct Welford {
    arg: usize,
    kind: TypeKind,
}

/// Number of values, their mean, the sum of squared distances from it.
#[derive(Clone, Copy)]
struct Moments {
    count: i64,
    mean: f64,
    m2: f64,
}

impl Welford {
    fn new(call: &AggregateCall) -> Self {
        Self {
            arg: argument(call).unwrap_or(usize::MAX),
            kind: call
                .arg_types
                .first()
                .map_or(TypeKind::Double, |arg| arg.kind.clone()),
        }
    }

    fn number(&self, row: &[Value]) -> Option<f64> {
        as_double(row.get(self.arg)?, &self.kind)
    }
}

/// A number as a DOUBLE; `None` for NULL.
pub(super) fn as_double(value: &Value, kind: &TypeKind) -> Option<f64> {
    match value {
        Value::Int(number) => Some(double_from_long(*number)),
        Value::Double(number) => Some(*number),
        Value::Decimal(_) | Value::BigDecimal(_) => {
            Some(sg_value::decimal::Decimal::new(value.unscaled()?, scale_of(kind)).to_f64())
        }
        _ => None,
    }
}

fn load(cells: &[Value]) -> Moments {
    let part = |at: usize| match cells.first() {
        Some(Value::Row(parts)) => parts.get(at).cloned().unwrap_or_default(),
        _ => Value::Null,
    };
    let double = |value: Value| match value {
        Value::Double(number) => number,
        _ => 0.0,
    };
    Moments {
        count: part(0).as_int().unwrap_or(0),
        mean: double(part(1)),
        m2: double(part(2)),
    }
}

fn store(cells: &mut [Value], moments: Moments) {
    if let Some(cell) = cells.first_mut() {
        *cell = Value::Row(Rc::from([
            Value::Int(moments.count),
            Value::Double(moments.mean),
            Value::Double(moments.m2),
        ]));
    }
}

impl Accumulator for Welford {
    fn cell_types(&self) -> Vec<DataType> {
        let field = |name: &str, kind| Field {
            name: Rc::from(name),
            data_type: DataType::not_null(kind),
        };
        vec![DataType::nullable(TypeKind::Row(Rc::from([
            field("n", TypeKind::BigInt),
            field("mean", TypeKind::Double),
            field("m2", TypeKind::Double),
        ])))]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Row(Rc::from([
            Value::Int(0),
            Value::Double(0.0),
            Value::Double(0.0),
        ])));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let Some(number) = self.number(row) else {
            return Ok(());
        };
        let mut moments = load(cells);
        moments.count = moments.count.wrapping_add(1);
        if moments.count > 0 {
            let delta = number - moments.mean;
            moments.mean += delta / double_from_long(moments.count);
            moments.m2 += delta * (number - moments.mean);
        }
        store(cells, moments);
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let Some(number) = self.number(row) else {
            return Ok(());
        };
        let mut moments = load(cells);
        moments.count = moments.count.wrapping_sub(1);
        if moments.count > 0 {
            let delta = number - moments.mean;
            moments.mean -= delta / double_from_long(moments.count);
            moments.m2 -= (number - moments.mean) * delta;
        } else if moments.count == 0 {
            moments.mean = 0.0;
            moments.m2 = 0.0;
        }
        store(cells, moments);
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let (mut own, other) = (load(cells), load(other));
        if other.count <= 0 {
            own.count = own.count.wrapping_add(other.count);
            if own.count <= 0 {
                own.mean = 0.0;
                own.m2 = 0.0;
            }
        } else if own.count == 0 {
            own = other;
        } else {
            let count = own.count.wrapping_add(other.count);
            let (all, ours, theirs) = (
                double_from_long(count),
                double_from_long(own.count),
                double_from_long(other.count),
            );
            let delta = other.mean - own.mean;
            own.mean += theirs / all * delta;
            own.m2 = own.m2 + other.m2 + ours * theirs / all * delta * delta;
            own.count = count;
        }
        store(cells, own);
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let moments = load(cells);
        Ok(if moments.count <= 0 || moments.m2 < 0.0 {
            Value::Null
        } else {
            Value::Double(moments.m2)
        })
    }
}
