//! The registry of aggregate functions.
//!
//! An accumulator is a few cells of a row, so that state can store, size and show it. What does not fit into cells
//! (distinct values, values for a retractable MIN/MAX) lives in *views*: maps beside the accumulator, kept by
//! whoever holds the state.

use std::rc::Rc;

use sg_diag::Span;
use sg_value::{DataType, Value};

use crate::eval::EvalError;

/// An aggregate call of a query, bound and typed.
#[derive(Clone, Debug)]
pub struct AggregateCall {
    /// The function's row in the registry.
    pub function: &'static AggregateDef,
    /// Input columns of the arguments; empty for `COUNT(*)`.
    pub args: Vec<u32>,
    /// Types of the arguments.
    pub arg_types: Vec<DataType>,
    /// Whether only distinct argument values count.
    pub distinct: bool,
    /// A boolean input column: only rows where it is TRUE count.
    pub filter: Option<u32>,
    /// Whether the input takes rows back, so that the retractable form is needed (`SUM_RETRACT`).
    pub retract: bool,
    /// The type of the result.
    pub data_type: DataType,
    /// Output column name.
    pub name: Rc<str>,
    /// The SQL text of the call.
    pub span: Span,
}

/// Maps beside an accumulator; `view` counts from 0 in the order of [`Accumulator::views`].
pub trait Views {
    /// The number stored for a value, 0 if absent.
    fn get(&mut self, view: u32, value: &[Value]) -> i64;
    /// Stores a number; 0 removes the entry.
    fn put(&mut self, view: u32, value: &[Value], number: i64);
    /// The smallest (`largest == false`) or largest value with a number above 0.
    fn extreme(&mut self, view: u32, largest: bool) -> Option<Value>;
}

/// The logic of one call. It holds no data: the cells come in, changed cells go out.
pub trait Accumulator {
    /// Types of the cells in Flink's order and nullability; they decide the bytes of state.
    fn cell_types(&self) -> Vec<DataType>;
    /// Key types of each view beside the cells; empty for most functions.
    fn views(&self) -> Vec<Vec<DataType>>;
    /// Appends the initial cells.
    fn create(&self, cells: &mut Vec<Value>);
    /// Takes an input row in; filter, NULLs and DISTINCT are this method's business.
    fn accumulate(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError>;
    /// Takes an input row back.
    fn retract(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError>;
    /// Adds another accumulator of the same call.
    fn merge(&self, cells: &mut [Value], other: &[Value], views: &mut dyn Views) -> Result<(), EvalError>;
    /// The result.
    fn value(&self, cells: &[Value], views: &mut dyn Views) -> Result<Value, EvalError>;
}

/// One built-in aggregate function.
#[derive(Debug)]
pub struct AggregateDef {
    /// Name as SQL and plans write it: `COUNT`, `SUM`.
    pub name: &'static str,
}
