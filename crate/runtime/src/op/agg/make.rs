//! Makes the operators of windows.

use std::rc::Rc;

use sg_diag::Diagnostic;
use sg_expr::Aggregates;
use sg_plan::physical::node::{
    GlobalWindowAggregateSpec, LocalWindowAggregateSpec, WindowAggregateSpec, WindowKind, WindowSource,
    WindowSpec, WindowTableFunctionSpec,
};
use sg_value::{DataType, Field, Gather as _, bytes::Namespace};

use super::{
    session::SessionSource,
    sessions::Sessions,
    slices::{Assigner, Slicer},
    steps::Steps,
};
use crate::{
    op::{
        factory::{Accumulators, Made, Plan, accumulator_states, does_not_run},
        stateless,
    },
    state::{MapShape, Shape, StateSpec, ValueShape, ValueSize},
};

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn window_table_function(
    plan: &Plan<'_>,
    spec: &WindowTableFunctionSpec,
) -> Result<Made, Box<Diagnostic>> {
    let rowtime = time_column(plan, &spec.window)?;
    let assigner = Assigner::new(&spec.window).ok_or_else(|| does_not_run(plan, plan.spec.name))?;
    if let WindowKind::Session { gap_ms } = spec.window.kind {
        return Ok(session_rows(plan, spec, (assigner, rowtime, gap_ms)));
    }
    Ok(Made::stateless(
        stateless::window_table_function::WindowTableFunction { assigner, rowtime },
    ))
}

/// The column that a window is assigned by; `None` for processing time.
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn time_column(
    plan: &Plan<'_>,
    window: &WindowSpec,
) -> Result<Option<usize>, Box<Diagnostic>> {
    match (&window.source, window.rowtime) {
        (WindowSource::TimeColumn(column), true) => Ok(Some(*column as usize)),
        (_, false) => Ok(None),
        _ => Err(does_not_run(plan, plan.spec.name)),
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn session_rows(
    plan: &Plan<'_>,
    spec: &WindowTableFunctionSpec,
    (assigner, rowtime, gap_ms): (Assigner, Option<usize>, i64),
) -> Made {
    use super::session_rows::{MAPPING, SessionRows};
    let state = |name: &str, namespace, shape| StateSpec {
        name: name.into(),
        namespace,
        shape,
        ttl_ms: 0,
        slice_ms: 0,
        ordered: false,
    };
    let counter = Shape::Value(ValueShape {
        types: Rc::from([DataType::BIGINT]),
        names: Rc::from([Rc::from("number")]),
        size: ValueSize::Constant(8),
    });
    let rows = Shape::Map(MapShape::row_by_number(plan.input));
    let states = vec![
        state("session-window-tvf-counter", Namespace::Void, counter),
        state("session-window-tvf-acc", Namespace::Window, rows),
        session_mapping(),
    ];
    let operator = SessionRows {
        assigner,
        rowtime,
        sessions: Sessions {
            mapping: MAPPING,
            gap_ms,
        },
    };
    Made {
        key: spec.partition.clone(),
        states,
        timer_namespace: Namespace::Window,
        timers_counted: true,
        uses_processing_time: rowtime.is_none(),
        ..Made::stateless(operator)
    }
}

/// Session → name of its state.
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn session_mapping() -> StateSpec {
    StateSpec {
        name: "session-window-mapping".into(),
        namespace: Namespace::Void,
        shape: Shape::Map(MapShape::window_by_window()),
        ttl_ms: 0,
        slice_ms: 0,
        ordered: false,
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn session_aggregate(
    plan: &Plan<'_>,
    spec: &WindowAggregateSpec,
    (gap_ms, step_ms): (i64, Option<i64>),
) -> Result<Made, Box<Diagnostic>> {
    let source = match spec.window.source {
        WindowSource::Attached {
            start: Some(start),
            end,
        } => SessionSource::Attached {
            start: start as usize,
            end: end as usize,
        },
        _ => SessionSource::Time(time_column(plan, &spec.window)?),
    };
    let assigner = Assigner::new(&spec.window).ok_or_else(|| does_not_run(plan, plan.spec.name))?;
    let aggregates = Aggregates::compile(&spec.calls);
    let mut states = accumulator_states(
        &aggregates,
        &Accumulators {
            name: "window-aggs",
            namespace: Namespace::Window,
            slice_ms: 0,
            ttl_ms: 0,
            ordered: false,
        },
    );
    let operator = super::session::SessionAggregate {
        aggregates,
        assigner,
        source,
        steps: step_ms.map(|step_ms| Steps {
            step_ms,
            waiting: spec.window.rowtime.then_some(states.len() + 1),
        }),
        rowtime: spec.window.rowtime,
        sessions: Sessions {
            mapping: states.len(),
            gap_ms,
        },
        properties: spec.properties.clone(),
        record_counter: spec.record_counter.map(|call| call as usize),
        visible: spec.visible_calls as usize,
        span: plan.spec.span,
    };
    states.push(session_mapping());
    if step_ms.is_some() && spec.window.rowtime {
        states.push(StateSpec {
            name: "session-waiting".into(),
            shape: Shape::Map(MapShape::by_time(plan.input)),
            ..session_mapping()
        });
    }
    Ok(Made {
        key: spec.keys.clone(),
        states,
        timer_namespace: Namespace::Window,
        timers_counted: true,
        uses_processing_time: !spec.window.rowtime,
        ..Made::stateless(operator)
    })
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn window_aggregate(
    plan: &Plan<'_>,
    spec: &WindowAggregateSpec,
) -> Result<Made, Box<Diagnostic>> {
    match spec.window.kind {
        WindowKind::Session { gap_ms } => return session_aggregate(plan, spec, (gap_ms, None)),
        WindowKind::Dynamic { step_ms, gap_ms } => {
            return session_aggregate(plan, spec, (gap_ms, Some(step_ms)));
        }
        _ => {}
    }
    let slicer = Slicer::new(&spec.window).ok_or_else(|| does_not_run(plan, plan.spec.name))?;
    let operator = super::window::WindowAggregate {
        aggregates: Aggregates::compile(&spec.calls),
        slicer,
        input: super::window::WindowInput::Rows,
        properties: spec.properties.clone(),
        record_counter: spec.record_counter.map(|call| call as usize),
        visible: spec.visible_calls as usize,
        buffer: None,
        span: plan.spec.span,
    };
    Ok(window_operator(plan, operator, spec.keys.clone()))
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn global_window_aggregate(
    plan: &Plan<'_>,
    spec: &GlobalWindowAggregateSpec,
) -> Result<Made, Box<Diagnostic>> {
    let slicer = Slicer::new(&spec.window).ok_or_else(|| does_not_run(plan, plan.spec.name))?;
    let operator = super::window::WindowAggregate {
        aggregates: Aggregates::compile(&spec.calls),
        slicer,
        input: super::window::WindowInput::Accumulators {
            keys: spec.key_count as usize,
        },
        properties: spec.properties.clone(),
        record_counter: spec.record_counter.map(|call| call as usize),
        visible: spec.visible_calls as usize,
        buffer: None,
        span: plan.spec.span,
    };
    Ok(window_operator(plan, operator, (0..spec.key_count).gather()))
}

#[cfg_attr(sg_hot, optimize(size))]
fn window_operator(plan: &Plan<'_>, mut operator: super::window::WindowAggregate, key: Vec<u32>) -> Made {
    let (slice_ms, _) = operator.slicer.interval();
    let mut states = accumulator_states(
        &operator.aggregates,
        &Accumulators {
            name: "window-aggs",
            namespace: Namespace::WindowEnd,
            slice_ms,
            ttl_ms: 0,
            ordered: false,
        },
    );
    if operator.slicer.can_miss() {
        operator.buffer = Some(states.len());
        states.push(row_buffer(plan.input, slice_ms));
    }
    Made {
        key,
        states,
        timer_namespace: Namespace::WindowEnd,
        slice_ms: operator.slicer.window_ms(),
        timers_counted: true,
        uses_processing_time: !operator.slicer.rowtime(),
        ..Made::stateless(operator)
    }
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn local_window_aggregate(
    plan: &Plan<'_>,
    spec: &LocalWindowAggregateSpec,
) -> Result<Made, Box<Diagnostic>> {
    let slicer = Slicer::new(&spec.window).ok_or_else(|| does_not_run(plan, plan.spec.name))?;
    let aggregates = Aggregates::compile(&spec.calls);
    let states = accumulator_states(
        &aggregates,
        &Accumulators {
            name: "buffer",
            namespace: Namespace::WindowEnd,
            slice_ms: slicer.interval().0,
            ttl_ms: 0,
            ordered: true,
        },
    );
    let operator = super::local_window::LocalWindowAggregate {
        aggregates,
        slicer,
        span: plan.spec.span,
    };
    Ok(Made {
        key: spec.keys.clone(),
        states,
        ..Made::stateless(operator)
    })
}

/// Rows that wait for the next flush: (slice end, number) → row and its kind.
#[cfg_attr(sg_hot, optimize(size))]
fn row_buffer(input: &[Field], slice_ms: i64) -> StateSpec {
    let fields = input
        .iter()
        .map(|field| (field.data_type.clone(), Rc::clone(&field.name)));
    let (types, names): (Vec<DataType>, Vec<Rc<str>>) = fields
        .chain(std::iter::once((DataType::INT, "kind".into())))
        .unzip();
    StateSpec {
        name: "buffer".into(),
        namespace: Namespace::Window,
        shape: Shape::Value(ValueShape {
            types: types.into(),
            names: names.into(),
            size: ValueSize::Untold,
        }),
        ttl_ms: 0,
        slice_ms,
        ordered: true,
    }
}
