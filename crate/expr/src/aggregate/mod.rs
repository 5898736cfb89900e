//! The registry of aggregate functions.
//!
//! An accumulator is a few cells of a row, so that state can store, size and show it. What does not fit into cells
//! (distinct values, values for a retractable MIN/MAX) lives in *views*: maps beside the accumulator, kept by
//! whoever holds the state.

mod average;
mod bitmap;
mod collect;
mod count;
mod deviation;
mod distinct;
mod extreme;
mod first_last;
mod json;
mod list;
mod percentile;
mod plan;
mod ranking;
mod registry;
mod set;
mod single_value;
mod sum;

use std::rc::Rc;

use sg_diag::Span;
use sg_value::{DataType, Value};

use crate::{eval::EvalError, function::Doc, script::UserAggregate};
pub use plan::{cell_names, global_items, local_items, plan_name, plan_text};
pub use ranking::value_of_nothing;
pub use registry::{
    aggregates, is_aggregate, is_window_function, over_function, resolve_aggregate, resolve_in_match,
    resolve_over,
};
pub use set::{Aggregates, ViewSpec};
pub use single_value::SINGLE_VALUE;

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
    /// What it calls, if that is a function of the script.
    pub user: Option<Rc<UserAggregate>>,
}

impl AggregateCall {
    /// The function's name in plans and messages.
    pub fn function_name(&self) -> &str {
        self.user
            .as_ref()
            .map_or(self.function.name, |user| &user.script.name)
    }

    /// Whether both call the same function.
    pub fn is_same_function(&self, other: &Self) -> bool {
        std::ptr::eq(self.function, other.function) && self.user == other.user
    }

    /// Whether both compute the same, so that they can share their cells.
    pub fn computes_the_same(&self, other: &Self) -> bool {
        self.is_same_function(other)
            && self.args == other.args
            && self.distinct == other.distinct
            && self.filter == other.filter
            && self.retract == other.retract
    }
}

/// Maps beside an accumulator; `view` counts from 0 in the order of [`Accumulator::views`] or of
/// [`Aggregates::views`].
pub trait Views {
    /// The number stored for a value, 0 if absent.
    fn get(&mut self, view: u32, value: &[Value]) -> i64;
    /// Stores a number; 0 removes the entry.
    fn put(&mut self, view: u32, value: &[Value], number: i64);
    /// The smallest (`largest == false`) or largest value.
    fn extreme(&mut self, view: u32, largest: bool) -> Option<Value>;
    /// Takes an entry of the view that belongs to the other accumulator of a merge, one at a time, until `None`.
    fn next_of_other(&mut self, view: u32) -> Option<(Vec<Value>, i64)>;
    /// All entries, sorted by value.
    fn entries(&mut self, view: u32) -> Vec<(Vec<Value>, i64)>;
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

    fn entries(&mut self, _view: u32) -> Vec<(Vec<Value>, i64)> {
        Vec::new()
    }
}

/// The logic of one function on one argument list, without FILTER and DISTINCT (those are [`Aggregates`]' business).
///
/// It holds no data: the cells come in, changed cells go out.
pub trait Accumulator {
    /// Types of the cells in Flink's order and nullability; they decide the bytes of state.
    fn cell_types(&self) -> Vec<DataType>;
    /// Key types of each view beside the cells; empty for most functions.
    fn views(&self) -> Vec<Vec<DataType>> {
        Vec::new()
    }
    /// Bytes of the number in an entry of a view.
    fn view_value_bytes(&self) -> u64 {
        8
    }
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
pub struct AggregateDef {
    /// Name as SQL and plans write it: `COUNT`, `SUM`, `$SUM0`.
    pub name: &'static str,
    /// How it is called: `SUM([DISTINCT] number) → type of the argument`.
    pub forms: &'static [&'static str],
    /// What it does.
    pub doc: Doc,
    /// Whether two accumulators can be added (two-phase aggregation, HOP windows).
    pub mergeable: bool,
    /// The type of the result on arguments of these types.
    pub(crate) resolve: fn(&[DataType]) -> Typing,
    /// Names of the cells in plans of a local phase; with the cell added where rows are taken back.
    pub(crate) cells: fn(&AggregateCall) -> &'static [&'static str],
    /// Compiles a call.
    pub(crate) build: fn(&AggregateCall) -> Box<dyn Accumulator>,
}

/// How an aggregate is typed.
pub(crate) enum Typing {
    /// The result can be NULL where an argument can, without GROUP BY, and with a FILTER.
    Nullable(sg_value::TypeKind),
    /// The result can be NULL where an argument can.
    AsArguments(sg_value::TypeKind),
    /// The result can always be NULL.
    Always(sg_value::TypeKind),
    /// The result is never NULL.
    NotNull(sg_value::TypeKind),
    /// It does not take these; Flink's families of what it takes: `<NUMERIC>`.
    WrongTypes(&'static str),
    /// It does not take so many.
    WrongCount,
    /// A type that Flink refuses while planning, with its message.
    Unplannable(String),
}

impl AggregateDef {
    /// A call that the planner replaces before anything runs (GROUPING). Compiled all the same, it counts rows.
    pub const fn planner_only(name: &'static str, forms: &'static [&'static str], doc: Doc) -> Self {
        Self {
            name,
            forms,
            doc,
            mergeable: true,
            resolve: |_| Typing::NotNull(sg_value::TypeKind::BigInt),
            cells: |_| &["count1"],
            build: count::COUNT.build,
        }
    }
}

impl std::fmt::Debug for AggregateDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
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

/// Compiles one call without its FILTER and DISTINCT.
pub fn compile_aggregate(call: &AggregateCall) -> Box<dyn Accumulator> {
    (call.function.build)(call)
}
