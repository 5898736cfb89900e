//! All calls of one aggregation together: shared cells, FILTER, and DISTINCT with its shared views.

use std::{ops::Range, rc::Rc};

use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{
    Accumulator, AggregateCall, Views, cell_names, compile_aggregate,
    count::add,
    distinct::{DistinctGroup, MOST_MEMBERS, Member, passes},
    sum::{Adder, sum_kind},
};
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

/// The type of a cell that stands for a view.
pub(super) fn view_type() -> DataType {
    DataType::nullable(TypeKind::Raw(Rc::from(
        "org.apache.flink.table.api.dataview.MapView",
    )))
}

/// The aggregate calls of one operator, compiled. What an operator needs per row is one call of this.
///
/// The accumulator row has the cells of all calls in order, equal calls sharing theirs, and behind them one cell per
/// DISTINCT argument that stands for its view.
pub struct Aggregates {
    steps: Vec<Step>,
    distinct: Vec<DistinctGroup>,
    /// Per call: which result it is.
    results: Vec<ResultOf>,
    /// Per call the cell that is its result, where all are common functions.
    shown: Option<Vec<usize>>,
    types: Vec<DataType>,
    names: Vec<Rc<str>>,
    views: Vec<ViewSpec>,
}

/// A call without DISTINCT.
struct Step {
    cells: Range<usize>,
    filter: Option<usize>,
    logic: Logic,
}

/// The common functions directly, the others behind their trait.
enum Logic {
    /// COUNT(*)
    CountRows,
    /// COUNT(x)
    CountValues(usize),
    /// SUM(x) without rows taken back
    Sum(usize, Adder),
    /// $SUM0(x)
    Sum0(usize, Adder),
    /// Anything; the number of its first view.
    Other(Box<dyn Accumulator>, u32),
}

/// Where a call's result comes from.
#[derive(Clone, Copy)]
enum ResultOf {
    Step(usize),
    Distinct { group: usize, member: usize },
}

impl std::fmt::Debug for Aggregates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Aggregates")
            .field("cells", &self.names)
            .field("views", &self.views)
            .finish_non_exhaustive()
    }
}

impl Aggregates {
    /// Compiles the calls.
    pub fn compile(calls: &[AggregateCall]) -> Self {
        let mut set = Self {
            steps: Vec::new(),
            distinct: Vec::new(),
            results: Vec::new(),
            shown: None,
            types: Vec::new(),
            names: Vec::new(),
            views: Vec::new(),
        };
        for (at, call) in calls.iter().enumerate() {
            let earlier = calls
                .iter()
                .take(at)
                .position(|earlier| earlier.computes_the_same(call));
            let result = match earlier.and_then(|earlier| set.results.get(earlier).copied()) {
                Some(shared) => shared,
                None if call.distinct && !call.args.is_empty() => set.add_distinct(call),
                None => set.add_step(call, at),
            };
            set.results.push(result);
        }
        for at in 0..set.distinct.len() {
            set.types.push(view_type());
            set.names.push(Rc::from(format!("distinct${at}")));
        }
        set.name_views();
        set.shown = set.results.iter().map(|result| set.shown(*result)).gather();
        set
    }

    /// Reserves cells for a call.
    fn cells_of(&mut self, call: &AggregateCall, accumulator: &dyn Accumulator) -> Range<usize> {
        let start = self.types.len();
        self.types.extend(accumulator.cell_types());
        let end = self.types.len();
        let first = u32::try_from(start).unwrap_or(u32::MAX);
        let names = cell_names(call, first);
        if end - start == names.len() {
            self.names.extend(names.into_iter().map(Rc::from));
        } else {
            // A function with several names for the parts of one cell.
            self.names.extend(
                (start..end)
                    .map(|at| Rc::from(format!("{}${at}", call.function_name().to_ascii_lowercase()))),
            );
        }
        start..end
    }

    fn add_step(&mut self, call: &AggregateCall, at: usize) -> ResultOf {
        let accumulator = compile_aggregate(call);
        let cells = self.cells_of(call, accumulator.as_ref());
        let first_view = u32::try_from(self.views.len()).unwrap_or(u32::MAX);
        for key_types in accumulator.views() {
            self.views.push(ViewSpec {
                name: Rc::from(format!("agg{at}$map")),
                key_types,
                value_bytes: accumulator.view_value_bytes(),
            });
        }
        let logic = direct(call).unwrap_or(Logic::Other(accumulator, first_view));
        self.steps.push(Step {
            cells,
            filter: call.filter.map(|column| column as usize),
            logic,
        });
        ResultOf::Step(self.steps.len() - 1)
    }

    fn add_distinct(&mut self, call: &AggregateCall) -> ResultOf {
        let args: Vec<usize> = call.args.iter().map(|column| *column as usize).gather();
        // The accumulator reads the arguments alone; what is seen once needs no view of its own to go away again.
        let inner = AggregateCall {
            args: (0..call.args.len())
                .filter_map(|at| u32::try_from(at).ok())
                .gather(),
            ..call.clone()
        };
        let accumulator = compile_aggregate(&inner);
        let cells = self.cells_of(call, accumulator.as_ref());
        let member = Member {
            cells,
            filter: call.filter.map(|column| column as usize),
            accumulator,
            span: call.span,
        };
        let known = self
            .distinct
            .iter()
            .position(|group| group.args == args && group.members.len() < MOST_MEMBERS);
        let group = known.unwrap_or_else(|| {
            self.distinct.push(DistinctGroup {
                args,
                types: call.arg_types.clone(),
                members: Vec::new(),
                view: 0,
                retract: call.retract,
            });
            self.distinct.len() - 1
        });
        let Some(found) = self.distinct.get_mut(group) else {
            return ResultOf::Step(usize::MAX);
        };
        found.members.push(member);
        ResultOf::Distinct {
            group,
            member: found.members.len() - 1,
        }
    }

    /// The cell that is a result as it stands.
    fn shown(&self, of: ResultOf) -> Option<usize> {
        let ResultOf::Step(at) = of else { return None };
        let step = self.steps.get(at)?;
        (!matches!(step.logic, Logic::Other(..))).then_some(step.cells.start)
    }

    /// Views of DISTINCT follow those of the functions.
    fn name_views(&mut self) {
        for (at, group) in self.distinct.iter_mut().enumerate() {
            group.view = u32::try_from(self.views.len()).unwrap_or(u32::MAX);
            self.views.push(ViewSpec {
                name: Rc::from(format!("distinctAcc_{at}")),
                key_types: group.types.clone(),
                value_bytes: group.value_bytes(),
            });
        }
    }

    /// Types of the accumulator row; they decide the bytes of state.
    pub fn cell_types(&self) -> &[DataType] {
        &self.types
    }

    /// Names of the cells, for the state view and plans of a local phase.
    pub fn cell_names(&self) -> &[Rc<str>] {
        &self.names
    }

    /// The maps beside the accumulator row.
    pub fn views(&self) -> &[ViewSpec] {
        &self.views
    }

    /// Appends the initial cells.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub fn create(&self, cells: &mut Vec<Value>) {
        let start = cells.len();
        cells.resize(start + self.types.len(), Value::Null);
        let mut fresh = Vec::new();
        if self.shown.is_some() && self.distinct.is_empty() {
            // the cells of the common functions lie in their order
            cells.truncate(start);
            self.steps.iter().for_each(|step| step.logic.create(cells));
            return;
        }
        for step in &self.steps {
            fresh.clear();
            step.logic.create(&mut fresh);
            write_cells(cells, start, &step.cells, &mut fresh);
        }
        for member in self.distinct.iter().flat_map(|group| &group.members) {
            fresh.clear();
            member.accumulator.create(&mut fresh);
            write_cells(cells, start, &member.cells, &mut fresh);
        }
    }

    /// Takes an input row in.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub fn accumulate(
        &self,
        cells: &mut [Value],
        row: &[Value],
        views: &mut dyn Views,
    ) -> Result<(), EvalError> {
        for step in &self.steps {
            if passes(step.filter, row) {
                step.accumulate(cells, row, views)?;
            }
        }
        for group in &self.distinct {
            group.take(cells, row, false, views)?;
        }
        Ok(())
    }

    /// Takes an input row back.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub fn retract(
        &self,
        cells: &mut [Value],
        row: &[Value],
        views: &mut dyn Views,
    ) -> Result<(), EvalError> {
        for step in &self.steps {
            if passes(step.filter, row) {
                step.retract(cells, row, views)?;
            }
        }
        for group in &self.distinct {
            group.take(cells, row, true, views)?;
        }
        Ok(())
    }

    /// Adds another accumulator row of the same calls (a slice, or a local phase's output).
    pub fn merge(
        &self,
        cells: &mut [Value],
        other: &[Value],
        views: &mut dyn Views,
    ) -> Result<(), EvalError> {
        for step in &self.steps {
            step.merge(cells, other, views)?;
        }
        for group in &self.distinct {
            group.merge(cells, views)?;
        }
        Ok(())
    }

    /// Appends the results, one per call.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub fn values(
        &self,
        cells: &[Value],
        views: &mut dyn Views,
        out: &mut Vec<Value>,
    ) -> Result<(), EvalError> {
        if let Some(shown) = &self.shown {
            for at in shown {
                out.push(cells.get(*at).cloned().unwrap_or_default());
            }
            return Ok(());
        }
        for result in &self.results {
            out.push(self.result(*result, cells, views)?);
        }
        Ok(())
    }

    /// The value of one call, by its number.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub fn value(&self, call: usize, cells: &[Value], views: &mut dyn Views) -> Result<Value, EvalError> {
        self.results
            .get(call)
            .map_or(Ok(Value::Null), |result| self.result(*result, cells, views))
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    fn result(&self, of: ResultOf, cells: &[Value], views: &mut dyn Views) -> Result<Value, EvalError> {
        match of {
            ResultOf::Step(at) => match self.steps.get(at) {
                Some(step) => step.value(cells, views),
                None => Ok(Value::Null),
            },
            ResultOf::Distinct { group, member } => {
                let member = self
                    .distinct
                    .get(group)
                    .and_then(|group| group.members.get(member));
                member.map_or(Ok(Value::Null), |member| {
                    member
                        .accumulator
                        .value(cells.get(member.cells.clone()).unwrap_or_default(), views)
                })
            }
        }
    }
}

#[cfg_attr(sg_hot, optimize(speed))]
fn write_cells(cells: &mut [Value], start: usize, range: &Range<usize>, fresh: &mut Vec<Value>) {
    let target = cells
        .get_mut(start + range.start..start + range.end)
        .unwrap_or_default();
    for (cell, value) in target.iter_mut().zip(fresh.drain(..)) {
        *cell = value;
    }
}

/// The direct form of a common function.
fn direct(call: &AggregateCall) -> Option<Logic> {
    let arg = call.args.first().map(|column| *column as usize);
    match (call.function.name, arg) {
        ("COUNT", None) => Some(Logic::CountRows),
        ("COUNT", Some(arg)) => Some(Logic::CountValues(arg)),
        ("SUM", Some(arg)) if !call.retract => Some(Logic::Sum(arg, adder(call)?)),
        ("$SUM0", Some(arg)) => Some(Logic::Sum0(arg, adder(call)?)),
        _ => None,
    }
}

fn adder(call: &AggregateCall) -> Option<Adder> {
    call.arg_types
        .first()
        .and_then(|arg| sum_kind(&arg.kind))
        .map(|kind| Adder::of(&kind))
}

impl Logic {
    #[cfg_attr(sg_hot, optimize(speed))]
    fn create(&self, cells: &mut Vec<Value>) {
        match self {
            Self::CountRows | Self::CountValues(_) => cells.push(Value::Int(0)),
            Self::Sum(..) => cells.push(Value::Null),
            Self::Sum0(_, adder) => cells.push(adder.zero()),
            Self::Other(accumulator, _) => accumulator.create(cells),
        }
    }
}

impl Step {
    #[inline]
    #[cfg_attr(sg_hot, optimize(speed))]
    fn accumulate(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        match &self.logic {
            Logic::CountRows => add(cells.get_mut(self.cells.start), 1),
            Logic::CountValues(arg) => {
                if row.get(*arg).is_some_and(|value| !value.is_null()) {
                    add(cells.get_mut(self.cells.start), 1);
                }
            }
            Logic::Sum(arg, adder) => self.sum(cells, row.get(*arg), *adder, false),
            Logic::Sum0(arg, adder) => self.sum0(cells, row.get(*arg), *adder, false),
            Logic::Other(accumulator, first_view) => {
                let cells = cells.get_mut(self.cells.clone()).unwrap_or_default();
                return accumulator.accumulate(
                    cells,
                    row,
                    &mut Shifted {
                        views,
                        by: *first_view,
                    },
                );
            }
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    fn retract(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        match &self.logic {
            Logic::CountRows => add(cells.get_mut(self.cells.start), -1),
            Logic::CountValues(arg) => {
                if row.get(*arg).is_some_and(|value| !value.is_null()) {
                    add(cells.get_mut(self.cells.start), -1);
                }
            }
            Logic::Sum(arg, adder) => self.sum(cells, row.get(*arg), *adder, true),
            Logic::Sum0(arg, adder) => self.sum0(cells, row.get(*arg), *adder, true),
            Logic::Other(accumulator, first_view) => {
                let cells = cells.get_mut(self.cells.clone()).unwrap_or_default();
                return accumulator.retract(
                    cells,
                    row,
                    &mut Shifted {
                        views,
                        by: *first_view,
                    },
                );
            }
        }
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        match &self.logic {
            Logic::CountRows | Logic::CountValues(_) => {
                let more = other.get(self.cells.start).and_then(Value::as_int).unwrap_or(0);
                add(cells.get_mut(self.cells.start), more);
            }
            Logic::Sum(_, adder) => self.sum(cells, other.get(self.cells.start), *adder, false),
            Logic::Sum0(_, adder) => {
                // NULL of a part is one that overflowed
                if let (Some(sum), Some(value)) =
                    (cells.get_mut(self.cells.start), other.get(self.cells.start))
                {
                    adder.add_to_zero(sum, value, false);
                }
            }
            Logic::Other(accumulator, first_view) => {
                let cells = cells.get_mut(self.cells.clone()).unwrap_or_default();
                let other = other.get(self.cells.clone()).unwrap_or_default();
                return accumulator.merge(
                    cells,
                    other,
                    &mut Shifted {
                        views,
                        by: *first_view,
                    },
                );
            }
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    fn value(&self, cells: &[Value], views: &mut dyn Views) -> Result<Value, EvalError> {
        match &self.logic {
            Logic::Other(accumulator, first_view) => {
                let cells = cells.get(self.cells.clone()).unwrap_or_default();
                accumulator.value(
                    cells,
                    &mut Shifted {
                        views,
                        by: *first_view,
                    },
                )
            }
            _ => Ok(cells.get(self.cells.start).cloned().unwrap_or_default()),
        }
    }

    #[inline]
    #[cfg_attr(sg_hot, optimize(speed))]
    fn sum(&self, cells: &mut [Value], value: Option<&Value>, adder: Adder, subtract: bool) {
        if let (Some(sum), Some(value)) = (cells.get_mut(self.cells.start), value)
            && !value.is_null()
        {
            adder.add(sum, value, subtract);
        }
    }

    #[inline]
    #[cfg_attr(sg_hot, optimize(speed))]
    fn sum0(&self, cells: &mut [Value], value: Option<&Value>, adder: Adder, subtract: bool) {
        if let (Some(sum), Some(value)) = (cells.get_mut(self.cells.start), value)
            && !value.is_null()
        {
            adder.add_to_zero(sum, value, subtract);
        }
    }
}

/// The views of one call among those of all.
struct Shifted<'a> {
    views: &'a mut dyn Views,
    by: u32,
}

impl Views for Shifted<'_> {
    fn get(&mut self, view: u32, value: &[Value]) -> i64 {
        self.views.get(self.by + view, value)
    }

    fn put(&mut self, view: u32, value: &[Value], number: i64) {
        self.views.put(self.by + view, value, number);
    }

    fn extreme(&mut self, view: u32, largest: bool) -> Option<Value> {
        self.views.extreme(self.by + view, largest)
    }

    fn next_of_other(&mut self, view: u32) -> Option<(Vec<Value>, i64)> {
        self.views.next_of_other(self.by + view)
    }

    fn entries(&mut self, view: u32) -> Vec<(Vec<Value>, i64)> {
        self.views.entries(self.by + view)
    }
}
