//! All calls of one aggregation together: shared cells, FILTER, and DISTINCT with its shared views.

use std::rc::Rc;

use sg_value::{DataType, Value};

use super::{AggregateCall, Views};
use crate::eval::EvalError;

/// A map beside the accumulator row.
#[derive(Clone, Debug)]
pub struct ViewSpec {
    /// Flink's name of the state: `distinctAcc_0`, `agg1$map`.
    pub name: Rc<str>,
    /// Types of an entry's key.
    pub key_types: Vec<DataType>,
    /// Bytes of an entry's value in state.
    pub value_bytes: u64,
}

/// The aggregate calls of one operator, compiled. What an operator needs per row is one call of this.
///
/// The accumulator row has the cells of all calls in order, equal calls sharing theirs, and behind them one cell per
/// DISTINCT argument that stands for its view.
pub struct Aggregates {}

impl Aggregates {
    /// Compiles the calls.
    pub fn compile(_calls: &[AggregateCall]) -> Self {
        todo!()
    }

    /// Types of the accumulator row; they decide the bytes of state.
    pub fn cell_types(&self) -> &[DataType] {
        todo!()
    }

    /// Names of the cells, for the state view.
    pub fn cell_names(&self) -> &[Rc<str>] {
        todo!()
    }

    /// The maps beside the accumulator row.
    pub fn views(&self) -> &[ViewSpec] {
        todo!()
    }

    /// Appends the initial cells.
    pub fn create(&self, _cells: &mut Vec<Value>) {
        todo!()
    }

    /// Takes an input row in.
    pub fn accumulate(&self, _cells: &mut [Value], _row: &[Value], _views: &mut dyn Views) -> Result<(), EvalError> {
        todo!()
    }

    /// Takes an input row back.
    pub fn retract(&self, _cells: &mut [Value], _row: &[Value], _views: &mut dyn Views) -> Result<(), EvalError> {
        todo!()
    }

    /// Adds another accumulator row of the same calls (a slice, or a local phase's output).
    pub fn merge(&self, _cells: &mut [Value], _other: &[Value], _views: &mut dyn Views) -> Result<(), EvalError> {
        todo!()
    }

    /// Appends the results, one per call.
    pub fn values(&self, _cells: &[Value], _views: &mut dyn Views, _out: &mut Vec<Value>) -> Result<(), EvalError> {
        todo!()
    }

    /// The value of one call, by its number.
    pub fn value(&self, _call: usize, _cells: &[Value], _views: &mut dyn Views) -> Result<Value, EvalError> {
        todo!()
    }
}
