//! From the planner's specs to operators, with the states and timers that they use.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_expr::{AggregateCall, Aggregates, Compiled, Expr, ExprKind, compile};
use sg_plan::{
    job::OperatorSpec,
    physical::node::{
        CalcSpec, GroupAggregateSpec, IncrementalGroupAggregateSpec, MiniBatchAssignerSpec, PhysicalOp,
        ScanSpec, SourceWatermark, WatermarkAssignerSpec,
    },
};
use sg_value::{
    DataType, Field, Gather as _, TypeKind, Value,
    bytes::{Namespace, RowSizer, ValueSizer},
};

use super::{
    Operator, agg, batch, changelog_normalize, group_window, join, matching, over, rank,
    sink::{self, Sink},
    source::{values::Values, watermark_assigner::WatermarkAssigner},
    stateless, timed, window_rank,
};
use crate::state::{CountsShape, Shape, StateSpec, ValueShape, ValueSize};

/// An operator as made.
pub(crate) struct Made {
    /// Its logic.
    pub(crate) logic: Logic,
    /// Columns of the first input that are the key.
    pub(crate) key: Vec<u32>,
    /// The same for further inputs; without them all inputs have the key in the same columns.
    pub(crate) more_keys: Vec<Vec<u32>>,
    /// States by handle.
    pub(crate) states: Vec<StateSpec>,
    /// Namespace of its timers.
    pub(crate) timer_namespace: Namespace,
    /// Length of the window that ends at a timer's namespace.
    pub(crate) slice_ms: i64,
    /// Whether timers are part of a savepoint.
    pub(crate) timers_counted: bool,
    /// Whether it makes the watermarks itself: then those from above end here.
    pub(crate) makes_watermarks: bool,
    /// Whether it waits for processing time.
    pub(crate) uses_processing_time: bool,
    /// How far its output can be behind the watermark: that is held back as much.
    pub(crate) watermark_delay_ms: i64,
}

/// The logic of an operator.
pub(crate) enum Logic {
    /// A table is read: the driver's business, as there is no input.
    Scan(Box<ScanSpec>),
    /// Anything else.
    Operator(Box<dyn Operator>),
}

impl Made {
    /// An operator without state.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn stateless(operator: impl Operator + 'static) -> Self {
        Self::new(Logic::Operator(Box::new(operator)))
    }

    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn new(logic: Logic) -> Self {
        Self {
            logic,
            key: Vec::new(),
            more_keys: Vec::new(),
            states: Vec::new(),
            timer_namespace: Namespace::Void,
            slice_ms: 0,
            timers_counted: false,
            makes_watermarks: false,
            uses_processing_time: false,
            watermark_delay_ms: 0,
        }
    }
}

/// What an operator is made from.
pub(crate) struct Plan<'a> {
    /// Its spec.
    pub(crate) spec: &'a OperatorSpec,
    /// Columns of its first input, empty for a source.
    pub(crate) input: &'a [Field],
    /// Columns of the inputs behind the first.
    pub(crate) more_inputs: Vec<&'a [Field]>,
    /// A bound of out-of-orderness that replaces the declared expression.
    pub(crate) bound_ms: Option<i64>,
}

impl<'a> Plan<'a> {
    /// Columns of an input.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn columns(&self, input: usize) -> &'a [Field] {
        match input.checked_sub(1) {
            None => self.input,
            Some(at) => self.more_inputs.get(at).copied().unwrap_or_default(),
        }
    }
}

/// Makes an operator, or says why it does not run.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn make(plan: &Plan<'_>) -> Result<Made, Box<Diagnostic>> {
    match &plan.spec.op {
        PhysicalOp::Scan(spec) => Ok(scan(spec)),
        PhysicalOp::Values(values) => Ok(Made::stateless(Values {
            rows: values.rows.clone(),
        })),
        PhysicalOp::WatermarkAssigner(spec) => Ok(watermark_assigner(plan, spec)),
        PhysicalOp::Calc(spec) => Ok(calc(plan, spec)),
        PhysicalOp::Expand(spec) => {
            let projections = spec
                .projections
                .iter()
                .map(|projection| compile_all(projection))
                .gather();
            Ok(Made::stateless(stateless::expand::Expand { projections }))
        }
        PhysicalOp::IncrementalGroupAggregate(spec) => Ok(incremental_group_aggregate(plan, spec)),
        PhysicalOp::WindowTableFunction(spec) => agg::make::window_table_function(plan, spec),
        PhysicalOp::WindowAggregate(spec) => agg::make::window_aggregate(plan, spec),
        PhysicalOp::GroupWindowAggregate(spec) => group_window::make::make(plan, spec),
        PhysicalOp::LocalWindowAggregate(spec) => agg::make::local_window_aggregate(plan, spec),
        PhysicalOp::GlobalWindowAggregate(spec) => agg::make::global_window_aggregate(plan, spec),
        PhysicalOp::MiniBatchAssigner(spec) => Ok(mini_batch_assigner(*spec)),
        PhysicalOp::GroupAggregate(spec) => Ok(group_aggregate(plan, spec, false)),
        PhysicalOp::LocalGroupAggregate(spec) => Ok(local_group_aggregate(plan, spec)),
        PhysicalOp::GlobalGroupAggregate(spec) => Ok(group_aggregate(plan, spec, true)),
        PhysicalOp::Join(spec) => Ok(join::make::join(plan, spec)),
        PhysicalOp::MultiJoin(spec) => Ok(join::make::multi_join(plan, spec)),
        PhysicalOp::OverAggregate(spec) => over::make::over(plan, spec),
        PhysicalOp::Rank(spec) => Ok(rank::make::rank(plan, spec, false)),
        PhysicalOp::WindowRank(spec) => window_rank::rank(plan, spec),
        PhysicalOp::WindowDeduplicate(spec) => window_rank::deduplicate(plan, spec),
        PhysicalOp::SortLimit(spec) => Ok(rank::make::rank(plan, spec, false)),
        PhysicalOp::Limit(spec) => Ok(rank::make::rank(plan, spec, true)),
        PhysicalOp::TemporalSort(spec) => Ok(rank::make::temporal_sort(plan, spec)),
        PhysicalOp::Match(spec) => Ok(matching::make::matching(plan, spec)),
        PhysicalOp::TimedJoin(spec) => timed::make::timed_join(plan, spec),
        PhysicalOp::Correlate(spec) => Ok(Made::stateless(stateless::correlate::Correlate::new(
            spec,
            plan.spec.span,
        ))),
        PhysicalOp::Union => Ok(Made::stateless(stateless::union::Union)),
        PhysicalOp::ChangelogNormalize(spec) => Ok(changelog_normalize::make(plan, spec)),
        PhysicalOp::DropUpdateBefore => Ok(Made::stateless(stateless::drop_update_before::DropUpdateBefore)),
        PhysicalOp::FinalResult(order) => Ok(rank::make::final_result(plan, order)),
        PhysicalOp::SinkMaterializer(spec) => Ok(sink::materialize::make(plan, spec)),
        PhysicalOp::Sink(spec) => Ok(Made::stateless(Sink::new(plan.spec.id, spec, plan.spec.span))),
        PhysicalOp::Exchange(_) => Err(does_not_run(plan, "Exchange")),
    }
}

/// Says that an operator is planned and not run.
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn does_not_run(plan: &Plan<'_>, operator: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::OperatorDoesNotRun, plan.spec.span).arg("operator", operator))
}

#[cfg_attr(sg_hot, optimize(size))]
fn compile_all(expressions: &[Expr]) -> Box<[Compiled]> {
    expressions.iter().map(compile).gather()
}

#[cfg_attr(sg_hot, optimize(size))]
fn scan(spec: &ScanSpec) -> Made {
    let timed = match &spec.watermark {
        Some(SourceWatermark::PerPartition(pushed)) => pushed.interval_ms > 0 || pushed.idle_timeout_ms > 0,
        Some(SourceWatermark::FromSource) | None => false,
    };
    Made {
        makes_watermarks: true,
        uses_processing_time: timed,
        ..Made::new(Logic::Scan(Box::new(spec.clone())))
    }
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
fn watermark_assigner(plan: &Plan<'_>, spec: &WatermarkAssignerSpec) -> Made {
    let assigner = WatermarkAssigner {
        rowtime: spec.rowtime as usize,
        expression: compile(&spec.expression),
        bound_ms: plan
            .bound_ms
            .or_else(|| declared_bound(&spec.expression, spec.rowtime)),
        interval_ms: spec.interval_ms.max(0),
        idle_timeout_ms: spec.idle_timeout_ms.max(0),
        span: plan.spec.span,
    };
    let uses_processing_time = assigner.interval_ms > 0 || assigner.idle_timeout_ms > 0;
    Made {
        makes_watermarks: true,
        uses_processing_time,
        ..Made::stateless(assigner)
    }
}

/// The bound of the usual declaration, `rowtime - INTERVAL …`: it need not be evaluated for each row.
#[cfg_attr(sg_hot, optimize(size))]
fn declared_bound(expression: &Expr, rowtime: u32) -> Option<i64> {
    let ExprKind::Call { function, args } = &expression.kind else {
        return None;
    };
    match (function.name, args.as_slice()) {
        ("-", [time, interval]) if time.as_column() == Some(rowtime) => {
            match (&interval.kind, &interval.data_type.kind) {
                (ExprKind::Literal(Value::Int(bound_ms)), TypeKind::IntervalDayTime(_)) => Some(*bound_ms),
                _ => None,
            }
        }
        _ => None,
    }
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
fn calc(plan: &Plan<'_>, spec: &CalcSpec) -> Made {
    use stateless::calc::{Calc, Projection};
    let columns: Option<Vec<usize>> = spec
        .projection
        .iter()
        .map(|expression| expression.as_column().map(|column| column as usize))
        .gather();
    let projection = match columns {
        Some(columns) if columns.iter().copied().eq(0..plan.input.len()) => Projection::Same,
        Some(columns) => Projection::Columns(columns.into()),
        None => Projection::Expressions(compile_all(&spec.projection)),
    };
    Made::stateless(Calc {
        condition: spec.condition.as_ref().map(compile),
        projection,
    })
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
fn mini_batch_assigner(spec: MiniBatchAssignerSpec) -> Made {
    use batch::assigner::{ByEventTime, ByProcessingTime};
    let MiniBatchAssignerSpec { interval_ms, rowtime } = spec;
    let made = if rowtime {
        Made::stateless(ByEventTime { interval_ms })
    } else {
        Made::stateless(ByProcessingTime { interval_ms })
    };
    Made {
        makes_watermarks: true,
        uses_processing_time: !rowtime,
        ..made
    }
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
fn local_group_aggregate(plan: &Plan<'_>, spec: &GroupAggregateSpec) -> Made {
    let aggregates = Aggregates::compile(&spec.calls);
    let states = accumulator_states(
        &aggregates,
        &Accumulators {
            name: "bundle",
            namespace: Namespace::Void,
            slice_ms: 0,
            ttl_ms: 0,
            ordered: true,
        },
    );
    let key_types: Vec<DataType> = spec
        .keys
        .iter()
        .filter_map(|key| plan.input.get(*key as usize))
        .map(|field| field.data_type.clone())
        .gather();
    let operator = batch::local::LocalGroupAggregate {
        aggregates,
        rows: spec.mini_batch.unwrap_or(1),
        order: batch::order::KeyOrder::new(&key_types),
    };
    Made {
        key: spec.keys.clone(),
        states,
        ..Made::stateless(operator)
    }
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
fn incremental_group_aggregate(plan: &Plan<'_>, spec: &IncrementalGroupAggregateSpec) -> Made {
    let IncrementalGroupAggregateSpec { partial, final_keys } = spec;
    let aggregates = Aggregates::compile(&partial.calls);
    let plain: Vec<AggregateCall> = partial
        .calls
        .iter()
        .map(|call| AggregateCall {
            distinct: false,
            ..call.clone()
        })
        .gather();
    let gains = Aggregates::compile(&plain);
    let kept = |name, ttl_ms, ordered| Accumulators {
        name,
        namespace: Namespace::Void,
        slice_ms: 0,
        ttl_ms,
        ordered,
    };
    let mut states = accumulator_states(&aggregates, &kept("accState", partial.ttl_ms, false));
    let sums = states.len();
    states.extend(accumulator_states(&gains, &kept("finals", 0, true)));
    let key_types: Vec<DataType> = plan
        .input
        .iter()
        .take(*final_keys as usize)
        .map(|field| field.data_type.clone())
        .gather();
    let made = Made {
        key: partial.keys.clone(),
        states,
        ..Made::stateless(stateless::union::Union)
    };
    let incremental = batch::incremental::Incremental {
        aggregates,
        gains,
        final_keys: *final_keys as usize,
        sums,
        order: batch::order::KeyOrder::new(&key_types),
    };
    let rows = partial.mini_batch.unwrap_or(1);
    batch::bundle::Bundle::around(made, incremental, (plan.input, rows))
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
fn group_aggregate(plan: &Plan<'_>, spec: &GroupAggregateSpec, merges: bool) -> Made {
    let aggregates = Aggregates::compile(&spec.calls);
    let states = accumulator_states(
        &aggregates,
        &Accumulators {
            name: "accState",
            namespace: Namespace::Void,
            slice_ms: 0,
            ttl_ms: spec.ttl_ms,
            ordered: false,
        },
    );
    let operator = agg::group::GroupAggregate {
        record_counter: spec.record_counter.map(|call| call as usize),
        visible: spec.visible_calls as usize,
        update_before: spec.update_before,
        repeats: spec.ttl_ms > 0,
        aggregates,
        of_nothing: spec.of_nothing,
    };
    let Some(rows) = spec.mini_batch else {
        return Made {
            key: spec.keys.clone(),
            states,
            ..Made::stateless(operator)
        };
    };
    let made = Made {
        key: spec.keys.clone(),
        states,
        ..Made::stateless(stateless::union::Union)
    };
    let group = batch::group::GroupBundle {
        group: operator,
        merges,
    };
    batch::bundle::Bundle::around(made, group, (plan.input, rows))
}

/// How the accumulators of an operator are kept.
pub(super) struct Accumulators {
    pub(super) name: &'static str,
    pub(super) namespace: Namespace,
    pub(super) slice_ms: i64,
    pub(super) ttl_ms: i64,
    pub(super) ordered: bool,
}

/// The state of the accumulators and behind it those of the views.
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn accumulator_states(aggregates: &Aggregates, as_: &Accumulators) -> Vec<StateSpec> {
    let spec = |name: Rc<str>, shape, ordered| StateSpec {
        name,
        namespace: as_.namespace,
        shape,
        ttl_ms: as_.ttl_ms,
        slice_ms: as_.slice_ms,
        ordered,
    };
    let types = aggregates.cell_types();
    let value = Shape::Value(ValueShape {
        types: types.into(),
        names: aggregates.cell_names().into(),
        size: ValueSize::Row(RowSizer::new(types)),
    });
    let views = aggregates.views().iter().map(|view| {
        let single = match view.key_types.as_slice() {
            [data_type] => Some(ValueSizer::new(data_type)),
            _ => None,
        };
        let counts = CountsShape {
            types: view.key_types.as_slice().into(),
            single,
            row: RowSizer::new(&view.key_types),
            number_bytes: view.value_bytes,
        };
        spec(Rc::clone(&view.name), Shape::Counts(counts), false)
    });
    std::iter::once(spec(as_.name.into(), value, as_.ordered))
        .chain(views)
        .gather()
}
