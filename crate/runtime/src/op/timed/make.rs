//! From the planner's specs to operators, with their states.

use std::rc::Rc;

use sg_diag::Diagnostic;
use sg_expr::compile;
use sg_plan::physical::{
    node::{WindowKind, WindowSource, WindowSpec},
    timed::{
        IntervalJoinSpec, JoinCore, LookupJoinSpec, LookupKey, TemporalJoinSpec, TimedJoinSpec,
        WindowJoinSpec,
    },
};
use sg_value::{DataType, Gather as _, bytes::Namespace};

use super::{
    Pairing,
    interval::IntervalJoin,
    lookup::{Asked, LookupJoin},
    retry::Retrying,
    temporal::TemporalJoin,
    window::WindowJoin,
};
use crate::{
    op::{
        agg::slices::Assigner,
        batch::bundle::{buffer, gathered},
        factory::{Made, Plan, does_not_run},
    },
    state::{MapShape, Shape, StateSpec, ValueShape, ValueSize},
};

/// A join that knows about time.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn timed_join(plan: &Plan<'_>, spec: &TimedJoinSpec) -> Result<Made, Box<Diagnostic>> {
    match spec {
        TimedJoinSpec::Interval(spec) => Ok(interval(plan, spec)),
        TimedJoinSpec::Window(spec) => window(plan, spec),
        TimedJoinSpec::Temporal(spec) => Ok(temporal(plan, spec)),
        TimedJoinSpec::Lookup(spec) => lookup(plan, spec),
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn pairing(plan: &Plan<'_>, core: &JoinCore) -> Pairing {
    let nulls = core.keys.filter_nulls.iter().enumerate();
    Pairing {
        condition: core.residual.as_ref().map(compile),
        filter_nulls: nulls.filter(|(_, filters)| **filters).map(|(at, _)| at).gather(),
        widths: [plan.columns(0).len(), plan.columns(1).len()],
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn map_state(name: &str, shape: MapShape, namespace: Namespace, slice_ms: i64) -> StateSpec {
    StateSpec {
        name: name.into(),
        namespace,
        shape: Shape::Map(shape),
        ttl_ms: 0,
        slice_ms,
        ordered: false,
    }
}

/// A number of 8 bytes per key.
#[cfg_attr(sg_hot, optimize(size))]
fn number_state(name: &str) -> StateSpec {
    StateSpec {
        name: name.into(),
        namespace: Namespace::Void,
        shape: Shape::Value(ValueShape {
            types: Rc::from([DataType::BIGINT]),
            names: Rc::from([Rc::from("value")]),
            size: ValueSize::Constant(8),
        }),
        ttl_ms: 0,
        slice_ms: 0,
        ordered: false,
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn interval(plan: &Plan<'_>, spec: &IntervalJoinSpec) -> Made {
    let bounds = spec.bounds;
    let cache = |at: usize, name: &str| {
        let shape = MapShape {
            item_bytes: 1,
            ..MapShape::by_time(plan.columns(at))
        };
        map_state(name, shape, Namespace::Void, 0)
    };
    // A left row waits for right rows that are later than it, a right row for left rows.
    let reach_ms = [bounds.lower_ms.saturating_neg(), bounds.upper_ms];
    let operator = IntervalJoin {
        pairing: pairing(plan, &spec.join),
        rowtime: bounds.rowtime,
        times: [bounds.left_time as usize, bounds.right_time as usize],
        reach_ms,
        outer: [spec.join.kind.keeps_left(), spec.join.kind.keeps_right()],
        span: plan.spec.span,
    };
    Made {
        key: spec.join.keys.left.clone(),
        more_keys: vec![spec.join.keys.right.clone()],
        states: StateSpec::in_one_record(vec![
            cache(0, "IntervalJoinLeftCache"),
            cache(1, "IntervalJoinRightCache"),
            number_state("IntervalJoinRightTimerState"),
            number_state("IntervalJoinLeftTimerState"),
        ]),
        timers_counted: true,
        uses_processing_time: !bounds.rowtime,
        watermark_delay_ms: if bounds.rowtime {
            reach_ms.into_iter().max().unwrap_or(0)
        } else {
            0
        },
        ..Made::stateless(operator)
    }
}

#[cfg_attr(sg_hot, optimize(size))]
const fn length_ms(kind: WindowKind) -> i64 {
    match kind {
        WindowKind::Tumble { size_ms, .. } | WindowKind::Hop { size_ms, .. } => size_ms,
        WindowKind::Cumulate { max_size_ms, .. } => max_size_ms,
        WindowKind::Session { gap_ms } | WindowKind::Dynamic { gap_ms, .. } => gap_ms,
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn window(plan: &Plan<'_>, spec: &WindowJoinSpec) -> Result<Made, Box<Diagnostic>> {
    let [left, right] = &spec.windows;
    let columns = |window: &WindowSpec| match window.source {
        WindowSource::Attached { start, end } => Some((start.map(|start| start as usize), end as usize)),
        WindowSource::TimeColumn(_) | WindowSource::SliceEnd(_) => None,
    };
    let (Some(left_window), Some(right_window), Some(assigner)) =
        (columns(left), columns(right), Assigner::new(left))
    else {
        return Err(does_not_run(plan, plan.spec.name));
    };
    let slice_ms = length_ms(left.kind);
    let rows = |at: usize, name: &str| {
        map_state(
            name,
            MapShape::list(plan.columns(at)),
            Namespace::WindowEnd,
            slice_ms,
        )
    };
    let operator = WindowJoin {
        pairing: pairing(plan, &spec.join),
        kind: spec.join.kind,
        assigner,
        windows: [left_window, right_window],
    };
    Ok(Made {
        key: spec.join.keys.left.clone(),
        more_keys: vec![spec.join.keys.right.clone()],
        states: vec![rows(0, "left-records"), rows(1, "right-records")],
        timer_namespace: Namespace::WindowEnd,
        slice_ms,
        timers_counted: true,
        ..Made::stateless(operator)
    })
}

#[cfg_attr(sg_hot, optimize(size))]
fn temporal(plan: &Plan<'_>, spec: &TemporalJoinSpec) -> Made {
    let rows = |at: usize, name: &str| {
        map_state(
            name,
            MapShape::row_by_number(plan.columns(at)),
            Namespace::Void,
            0,
        )
    };
    let mut states = vec![
        rows(0, "left"),
        rows(1, "right"),
        number_state("next-index"),
        number_state("timer"),
    ];
    if spec.ttl_ms > 0 {
        states.push(number_state("cleanup-timestamp"));
    }
    let operator = TemporalJoin {
        // Flink compares versions by their key alone: a NULL finds the versions of NULL.
        pairing: pairing(plan, &spec.join),
        times: [spec.times.left as usize, spec.times.right as usize],
        left_outer: spec.join.kind.keeps_left(),
        ttl_ms: spec.ttl_ms,
        span: plan.spec.span,
    };
    Made {
        key: spec.join.keys.left.clone(),
        more_keys: vec![spec.join.keys.right.clone()],
        states: StateSpec::in_one_record(states),
        timers_counted: true,
        uses_processing_time: spec.ttl_ms > 0,
        ..Made::stateless(operator)
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn lookup(plan: &Plan<'_>, spec: &LookupJoinSpec) -> Result<Made, Box<Diagnostic>> {
    let arriving = spec.table.scan_columns();
    let position = |column: &u32| {
        arriving
            .iter()
            .position(|other| other == column)
            .unwrap_or(usize::MAX)
    };
    let delivered: Vec<usize> = spec.delivered.iter().map(position).gather();
    let keys = spec.keys.iter().map(|(column, key)| {
        let asked = match key {
            LookupKey::Column(at) => Asked::Column(*at as usize),
            LookupKey::Constant(constant) => {
                Asked::Constant(constant.as_literal().cloned().unwrap_or_default())
            }
        };
        let at = delivered.get(*column as usize).copied().unwrap_or(usize::MAX);
        (at, asked)
    });
    let left = plan.columns(0).len();
    let operator = LookupJoin {
        pairing: Pairing {
            condition: spec.condition.as_ref().map(compile),
            filter_nulls: Box::default(),
            widths: [left, plan.spec.schema.len().saturating_sub(left)],
        },
        table: Rc::clone(&spec.table.name),
        keys: keys.gather(),
        delivered,
        condition: spec
            .calc
            .as_ref()
            .and_then(|calc| calc.condition.as_ref())
            .map(compile),
        projection: spec
            .calc
            .as_ref()
            .map(|calc| calc.projection.iter().map(compile).gather()),
        before: spec.before.as_ref().map(compile),
        left_outer: spec.kind.keeps_left(),
    };
    let input = plan.columns(0);
    match (spec.hints.mini_batch, &spec.hints.retry) {
        (Some(_), Some(_)) => Err(does_not_run(plan, "LookupJoin with MINI_BATCH and a retry")),
        (Some((rows, latest_ms)), None) => Ok(gathered(
            Made::stateless(operator),
            (input, i64::from(rows)),
            latest_ms,
        )),
        (None, Some(retry)) => Ok(Made {
            states: vec![buffer(input)],
            makes_watermarks: true,
            uses_processing_time: true,
            ..Made::stateless(Retrying {
                lookup: operator,
                delay_ms: retry.delay_ms,
                attempts: retry.attempts,
            })
        }),
        (None, None) => Ok(Made::stateless(operator)),
    }
}
