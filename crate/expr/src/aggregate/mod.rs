//! The registry of aggregate functions.
//!
//! An accumulator is a few cells of a row, so that state can store, size and show it. What does not fit into cells
//! (distinct values, values for a retractable MIN/MAX) lives in *views*: maps beside the accumulator, kept by
//! whoever holds the state.

mod set;

use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_value::{DataType, Value};

use crate::{eval::EvalError, function::Doc};
pub use set::{Aggregates, ViewSpec};

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

/// Maps beside an accumulator; `view` counts from 0 in the order of [`Accumulator::views`] or of
/// [`Aggregates::views`].
pub trait Views {
    /// The number stored for a value, 0 if absent.
    fn get(&mut self, view: u32, value: &[Value]) -> i64;
    /// Stores a number; 0 removes the entry.
    fn put(&mut self, view: u32, value: &[Value], number: i64);
    /// The smallest (`largest == false`) or largest value with a number above 0.
    fn extreme(&mut self, view: u32, largest: bool) -> Option<Value>;
    /// Takes an entry of the view that belongs to the other accumulator of a merge, one at a time, until `None`.
    fn next_of_other(&mut self, view: u32) -> Option<(Vec<Value>, i64)>;
}

/// The views of an accumulator that has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoViews;

impl Views for NoViews {
    fn get(&mut self, _view: u32, _value: &[Value]) -> i64 {
        0
    }

    fn put(&mut self, _view: u32, _value: &[Value], _number: i64) {}

    fn extreme(&mut self, _view: u32, _largest: bool) -> Option<Value> {
        None
    }

    fn next_of_other(&mut self, _view: u32) -> Option<(Vec<Value>, i64)> {
        None
    }
}

/// The logic of one function on one argument list, without FILTER and DISTINCT (those are [`Aggregates`]' business).
///
/// It holds no data: the cells come in, changed cells go out.
pub trait Accumulator {
    /// Types of the cells in Flink's order and nullability; they decide the bytes of state.
    fn cell_types(&self) -> Vec<DataType>;
    /// Key types of each view beside the cells; empty for most functions.
    fn views(&self) -> Vec<Vec<DataType>>;
    /// Appends the initial cells.
    fn create(&self, cells: &mut Vec<Value>);
    /// Takes an input row in; NULL arguments are this method's business.
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
    /// Name as SQL and plans write it: `COUNT`, `SUM`, `$SUM0`.
    pub name: &'static str,
    /// How it is called: `SUM([DISTINCT] number) → type of the argument`.
    pub forms: &'static [&'static str],
    /// What it does.
    pub doc: Doc,
    /// Whether two accumulators can be added (two-phase aggregation, HOP windows).
    pub mergeable: bool,
}

/// Where an aggregate is called; decides what is allowed and whether the result can be NULL.
#[derive(Clone, Copy, Debug, Default)]
pub struct AggregateContext {
    /// DISTINCT is written.
    pub distinct: bool,
    /// A FILTER is written.
    pub filtered: bool,
    /// There is a GROUP BY with at least one column, so that no group is empty.
    pub grouped: bool,
}

/// All aggregate functions.
pub fn aggregates() -> impl Iterator<Item = &'static AggregateDef> {
    std::iter::empty()
}

/// Whether the name is an aggregate function's, in any case of letters.
pub fn is_aggregate(_name: &str) -> bool {
    todo!()
}

/// Resolves an aggregate call to its function and result type, or reports why there is none.
///
/// `arg_types` is empty for `COUNT(*)`.
pub fn resolve_aggregate(
    _name: &str,
    _arg_types: &[DataType],
    _cx: AggregateContext,
    _span: Span,
    _diags: &mut Diagnostics,
) -> Option<(&'static AggregateDef, DataType)> {
    todo!()
}

/// Compiles one call without its FILTER and DISTINCT.
pub fn compile_aggregate(_call: &AggregateCall) -> Box<dyn Accumulator> {
    todo!()
}

/// The name of a call in plans: `COUNT`, `SUM_RETRACT`, `$SUM0`.
pub fn plan_name(_call: &AggregateCall) -> String {
    todo!()
}

/// Names of a call's cells in the plan of a local phase, the first cell having number `first_cell` among all calls:
/// `count1$0`, `sum$1`.
pub fn cell_names(_call: &AggregateCall, _first_cell: u32) -> Vec<String> {
    todo!()
}

/// The text of a call in plans: `COUNT(DISTINCT user_id) FILTER $f3`, without ` AS n`.
pub fn plan_text<'a>(_call: &AggregateCall, _columns: &dyn Fn(u32) -> &'a str) -> String {
    todo!()
}
