//! A compiled part of an expression, typed where that saves work.

use sg_value::Value;

use crate::eval::{EvalCx, EvalError};

/// A closure from a row to a truth value; `None` is NULL.
pub(crate) type BoolFn = Box<dyn Fn(&[Value], &EvalCx) -> Result<Option<bool>, EvalError>>;
/// A closure from a row to an `Int`; `None` is NULL.
pub(crate) type IntFn = Box<dyn Fn(&[Value], &EvalCx) -> Result<Option<i64>, EvalError>>;
/// A closure from a row to a `Double`; `None` is NULL.
pub(crate) type DoubleFn = Box<dyn Fn(&[Value], &EvalCx) -> Result<Option<f64>, EvalError>>;
/// A closure from a row to any value.
pub(crate) type ValueFn = Box<dyn Fn(&[Value], &EvalCx) -> Result<Value, EvalError>>;

/// A compiled part of an expression.
pub(crate) enum Node {
    /// A cell of the row.
    Column(usize),
    /// A constant.
    Literal(Value),
    /// A truth value.
    Bool(BoolFn),
    /// A number, date, time or interval in an `Int`.
    Int(IntFn),
    /// A FLOAT or DOUBLE.
    Double(DoubleFn),
    /// Anything.
    Value(ValueFn),
}

impl Node {
    /// The value for a row.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn eval(&self, row: &[Value], cx: &EvalCx) -> Result<Value, EvalError> {
        match self {
            Self::Column(column) => Ok(row.get(*column).cloned().unwrap_or_default()),
            Self::Literal(value) => Ok(value.clone()),
            Self::Bool(compute) => Ok(compute(row, cx)?.map_or(Value::Null, Value::Bool)),
            Self::Int(compute) => Ok(compute(row, cx)?.map_or(Value::Null, Value::Int)),
            Self::Double(compute) => Ok(compute(row, cx)?.map_or(Value::Null, Value::Double)),
            Self::Value(compute) => compute(row, cx),
        }
    }

    /// The value for a row without copying what is there already; `slot` holds what is computed.
    pub(crate) fn borrow<'v>(
        &'v self,
        row: &'v [Value],
        cx: &EvalCx,
        slot: &'v mut Value,
    ) -> Result<&'v Value, EvalError> {
        match self {
            Self::Column(column) => Ok(row.get(*column).unwrap_or(&Value::Null)),
            Self::Literal(value) => Ok(value),
            _ => {
                *slot = self.eval(row, cx)?;
                Ok(slot)
            }
        }
    }

    /// As a closure of truth values.
    pub(crate) fn into_bool(self) -> BoolFn {
        match self {
            Self::Bool(compute) => compute,
            Self::Column(column) => Box::new(move |row, _| Ok(row.get(column).and_then(Value::as_bool))),
            Self::Literal(value) => {
                let truth = value.as_bool();
                Box::new(move |_, _| Ok(truth))
            }
            other => Box::new(move |row, cx| Ok(other.eval(row, cx)?.as_bool())),
        }
    }

    /// As a closure of `Int`s.
    pub(crate) fn into_int(self) -> IntFn {
        match self {
            Self::Int(compute) => compute,
            Self::Column(column) => Box::new(move |row, _| Ok(row.get(column).and_then(Value::as_int))),
            Self::Literal(value) => {
                let number = value.as_int();
                Box::new(move |_, _| Ok(number))
            }
            other => Box::new(move |row, cx| Ok(other.eval(row, cx)?.as_int())),
        }
    }

    /// As a closure of `Double`s; the node is of FLOAT or DOUBLE.
    pub(crate) fn into_double(self) -> DoubleFn {
        match self {
            Self::Double(compute) => compute,
            Self::Column(column) => Box::new(move |row, _| Ok(row.get(column).and_then(double_of))),
            Self::Literal(value) => {
                let number = double_of(&value);
                Box::new(move |_, _| Ok(number))
            }
            other => Box::new(move |row, cx| Ok(double_of(&other.eval(row, cx)?))),
        }
    }

    /// For debugging: what kind of node it is.
    pub(crate) const fn shape(&self) -> &'static str {
        match self {
            Self::Column(_) => "column",
            Self::Literal(_) => "literal",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Double(_) => "double",
            Self::Value(_) => "value",
        }
    }
}

/// The number of a `Double`.
pub(crate) const fn double_of(value: &Value) -> Option<f64> {
    match value {
        Value::Double(number) => Some(*number),
        _ => None,
    }
}
