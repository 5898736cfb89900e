//! SUM and $SUM0. Cells: sum (the argument's type, DECIMAL(38, s) for decimals); where rows are taken back, SUM has
//! a count of values beside it, so that it can become NULL again. Integers wrap around, a DECIMAL that overflows is
//! NULL. Flink: `SumAggFunction`, `SumWithRetractAggFunction`, `Sum0AggFunction`. Cases: group-agg/sum-*.

use sg_value::{DataType, TypeKind, Value};

use super::{
    Accumulator, AggregateCall, AggregateDef, Typing, Views,
    count::{add, argument},
};
use crate::{
    eval::EvalError,
    function::Doc,
    number::{round_to_float, wrap},
    types::{KindExt, scale_of},
};

pub(super) const SUM: AggregateDef = AggregateDef {
    name: "SUM",
    forms: &["SUM([DISTINCT] number) → the argument's type"],
    doc: Doc::of(
        "The sum of all values; integers wrap around, NULLs are left out.",
        "所有值之和；整数溢出时回绕，忽略 NULL。",
    ),
    mergeable: true,
    resolve: |args| match args {
        [arg] => sum_kind(&arg.kind).map_or(Typing::WrongTypes("<NUMERIC>"), Typing::Nullable),
        _ => Typing::WrongCount,
    },
    cells: |call| if call.retract { &["sum", "count"] } else { &["sum"] },
    build: |call| Box::new(Sum::new(call, false)),
};

pub(super) const SUM0: AggregateDef = AggregateDef {
    name: "$SUM0",
    forms: &[],
    doc: Doc::of("", ""),
    mergeable: true,
    resolve: |args| match args {
        [arg] => sum_kind(&arg.kind).map_or(Typing::WrongTypes("<NUMERIC>"), Typing::NotNull),
        _ => Typing::WrongCount,
    },
    cells: |_| &["sum"],
    build: |call| Box::new(Sum::new(call, true)),
};

/// The type of a sum.
pub(super) fn sum_kind(kind: &TypeKind) -> Option<TypeKind> {
    match kind {
        TypeKind::Null => Some(TypeKind::Int),
        TypeKind::Decimal { scale, .. } => Some(TypeKind::Decimal {
            precision: 38,
            scale: *scale,
        }),
        kind if kind.is_numeric() => Some(kind.clone()),
        _ => None,
    }
}

/// Sums as far as types differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Adder {
    /// Integers of so many bits.
    Int(u32),
    Double,
    Float,
    Decimal,
}

impl Adder {
    pub(super) fn of(kind: &TypeKind) -> Self {
        match kind {
            TypeKind::Double => Self::Double,
            TypeKind::Float => Self::Float,
            TypeKind::Decimal { .. } => Self::Decimal,
            other => Self::Int(other.integer_bits().unwrap_or(64)),
        }
    }

    pub(super) const fn zero(self) -> Value {
        match self {
            Self::Int(_) => Value::Int(0),
            Self::Double | Self::Float => Value::Double(0.0),
            Self::Decimal => Value::Decimal(0),
        }
    }

    /// `sum + value`, or `sum - value`; a NULL sum counts as 0.
    #[inline]
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(super) fn add(self, sum: &mut Value, value: &Value, subtract: bool) {
        match (self, &mut *sum, value) {
            (Self::Int(64), Value::Int(sum), Value::Int(value)) => {
                *sum = if subtract {
                    sum.wrapping_sub(*value)
                } else {
                    sum.wrapping_add(*value)
                };
            }
            (Self::Int(bits), Value::Int(sum), Value::Int(value)) => {
                let signed = if subtract { value.wrapping_neg() } else { *value };
                *sum = wrap(sum.wrapping_add(signed), bits);
            }
            (Self::Double, Value::Double(sum), Value::Double(value)) => {
                *sum += if subtract { -*value } else { *value };
            }
            (Self::Float, Value::Double(sum), Value::Double(value)) => {
                *sum = round_to_float(*sum + if subtract { -*value } else { *value });
            }
            (Self::Decimal, Value::Decimal(small), Value::Decimal(value)) => {
                let exact = if subtract {
                    small.checked_sub(*value)
                } else {
                    small.checked_add(*value)
                };
                match exact {
                    Some(exact) => *small = exact,
                    None => *sum = add_decimals(sum, value_of(*value), subtract),
                }
            }
            (Self::Decimal, Value::Decimal(_) | Value::BigDecimal(_), value) => {
                *sum = add_decimals(sum, value.unscaled().unwrap_or(0), subtract);
            }
            (_, Value::Null, value) if subtract => {
                *sum = self.zero();
                self.add(sum, value, true);
            }
            (_, Value::Null, value) => *sum = value.clone(),
            _ => {}
        }
    }
}

impl Adder {
    /// The same for a sum that began with 0: once it overflowed it stays NULL.
    #[inline]
    pub(super) fn add_to_zero(self, sum: &mut Value, value: &Value, subtract: bool) {
        if value.is_null() {
            *sum = Value::Null;
        } else if !sum.is_null() {
            self.add(sum, value, subtract);
        }
    }
}

const fn value_of(small: i64) -> i128 {
    small as i128
}

/// The largest unscaled number of DECIMAL(38, s).
const MOST: i128 = 10_i128.pow(38) - 1;

fn add_decimals(sum: &Value, value: i128, subtract: bool) -> Value {
    let sum = sum.unscaled().unwrap_or(0);
    let exact = if subtract {
        sum.checked_sub(value)
    } else {
        sum.checked_add(value)
    };
    match exact {
        Some(exact) if (-MOST..=MOST).contains(&exact) => Value::decimal(exact),
        _ => Value::Null,
    }
}

struct Sum {
    arg: usize,
    adder: Adder,
    kind: TypeKind,
    scale: u8,
    /// $SUM0: begins with 0 and never is NULL.
    from_zero: bool,
    /// A count of values beside the sum.
    counted: bool,
}

impl Sum {
    fn new(call: &AggregateCall, from_zero: bool) -> Self {
        let of = call
            .arg_types
            .first()
            .map_or(TypeKind::Int, |arg| arg.kind.clone());
        let kind = sum_kind(&of).unwrap_or(TypeKind::Int);
        Self {
            arg: argument(call).unwrap_or(usize::MAX),
            adder: Adder::of(&kind),
            scale: scale_of(&kind),
            kind,
            from_zero,
            counted: call.retract && !from_zero,
        }
    }

    #[inline]
    fn add(&self, sum: &mut Value, value: &Value, subtract: bool) {
        if self.from_zero {
            self.adder.add_to_zero(sum, value, subtract);
        } else if !value.is_null() {
            self.adder.add(sum, value, subtract);
        }
    }
}

impl Accumulator for Sum {
    fn cell_types(&self) -> Vec<DataType> {
        debug_assert_eq!(
            scale_of(&self.kind),
            self.scale,
            "a sum keeps its argument's scale"
        );
        let mut types = vec![DataType {
            kind: self.kind.clone(),
            nullable: !self.from_zero,
        }];
        if self.counted {
            types.push(DataType::not_null(TypeKind::BigInt));
        }
        types
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(if self.from_zero {
            self.adder.zero()
        } else {
            Value::Null
        });
        if self.counted {
            cells.push(Value::Int(0));
        }
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let Some(value) = row.get(self.arg).filter(|value| !value.is_null()) else {
            return Ok(());
        };
        if let Some(sum) = cells.first_mut() {
            self.add(sum, value, false);
        }
        if self.counted {
            add(cells.get_mut(1), 1);
        }
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let Some(value) = row.get(self.arg).filter(|value| !value.is_null()) else {
            return Ok(());
        };
        if let Some(sum) = cells.first_mut() {
            self.add(sum, value, true);
        }
        if self.counted {
            add(cells.get_mut(1), -1);
        }
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(sum), Some(value)) = (cells.first_mut(), other.first()) {
            self.add(sum, value, false);
        }
        if self.counted {
            add(
                cells.get_mut(1),
                other.get(1).and_then(Value::as_int).unwrap_or(0),
            );
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        if self.counted && cells.get(1).and_then(Value::as_int) == Some(0) {
            return Ok(Value::Null);
        }
        Ok(cells.first().cloned().unwrap_or_default())
    }
}
