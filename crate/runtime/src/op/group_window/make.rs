//! Makes the operator of a group window.

use std::rc::Rc;

use sg_diag::Diagnostic;
use sg_expr::Aggregates;
use sg_plan::physical::node::{EmitSpec, GroupWindowAggregateSpec, WindowKind};
use sg_value::{
    DataType, TypeKind,
    bytes::{Namespace, RowSizer},
};

use super::{
    GroupWindow, Kind, Panes, Trigger,
    trigger::{Firing, LateFiring},
};
use crate::{
    op::{
        agg::{
            make::{session_mapping, time_column},
            sessions::Sessions,
            slices::Assigner,
        },
        factory::{Accumulators, Made, Plan, accumulator_states, does_not_run},
    },
    state::{Shape, StateSpec, ValueShape, ValueSize},
};

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn make(plan: &Plan<'_>, spec: &GroupWindowAggregateSpec) -> Result<Made, Box<Diagnostic>> {
    let rowtime = time_column(plan, &spec.window)?;
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
    let kind = match (spec.window.kind, Panes::new(spec.window.kind)) {
        (WindowKind::Session { gap_ms }, _) => {
            let mapping = states.len();
            states.push(session_mapping());
            Kind::Merging(Sessions { mapping, gap_ms })
        }
        (_, Some(panes)) => Kind::Paned(panes),
        (_, None) => Kind::Single,
    };
    let previous = spec.emit.map(|_| {
        states.push(previous_state(plan, spec));
        states.len() - 1
    });
    let trigger = spec
        .emit
        .map_or_else(Trigger::default, |emit| trigger(&emit, &mut states));
    let periodic = spec.emit.is_some_and(|emit| {
        [emit.early_ms, emit.late_ms]
            .into_iter()
            .flatten()
            .any(|delay_ms| delay_ms > 0)
    });
    let operator = GroupWindow {
        aggregates,
        assigner,
        kind,
        rowtime,
        properties: spec.properties.clone(),
        record_counter: spec.record_counter.map(|call| call as usize),
        visible: spec.visible_calls as usize,
        trigger,
        lateness_ms: spec.emit.map_or(0, |emit| emit.lateness_ms),
        previous,
    };
    Ok(Made {
        key: spec.keys.clone(),
        states,
        timer_namespace: Namespace::Window,
        timers_counted: true,
        uses_processing_time: rowtime.is_none() || periodic,
        ..Made::stateless(operator)
    })
}

/// The last output of a window, without its key.
#[cfg_attr(sg_hot, optimize(size))]
fn previous_state(plan: &Plan<'_>, spec: &GroupWindowAggregateSpec) -> StateSpec {
    let fields = plan.spec.schema.iter().skip(spec.keys.len());
    let (types, names): (Vec<DataType>, Vec<Rc<str>>) = fields
        .map(|field| (field.data_type.clone(), Rc::clone(&field.name)))
        .unzip();
    let size = ValueSize::Row(RowSizer::new(&types));
    window_state("previous-aggs", types, names, size)
}

#[cfg_attr(sg_hot, optimize(size))]
fn window_state(name: &str, types: Vec<DataType>, names: Vec<Rc<str>>, size: ValueSize) -> StateSpec {
    StateSpec {
        name: name.into(),
        namespace: Namespace::Window,
        shape: Shape::Value(ValueShape {
            types: types.into(),
            names: names.into(),
            size,
        }),
        ttl_ms: 0,
        slice_ms: 0,
        ordered: false,
    }
}

/// The trigger and its states. Two periods of one length share theirs.
#[cfg_attr(sg_hot, optimize(size))]
fn trigger(emit: &EmitSpec, states: &mut Vec<StateSpec>) -> Trigger {
    let mut known: Option<(i64, usize)> = None;
    let mut firing = |delay_ms: i64, states: &mut Vec<StateSpec>| {
        if delay_ms <= 0 {
            return Firing::EachRow;
        }
        let next = match known {
            Some((known_ms, handle)) if known_ms == delay_ms => handle,
            _ => {
                states.push(window_state(
                    &format!("processingTime-every-{delay_ms}"),
                    vec![DataType::BIGINT],
                    vec!["next".into()],
                    ValueSize::Constant(8),
                ));
                states.len() - 1
            }
        };
        known = Some((delay_ms, next));
        Firing::Every {
            interval_ms: delay_ms,
            next,
        }
    };
    let early = emit.early_ms.map(|delay_ms| firing(delay_ms, states));
    let late = emit.late_ms.map(|delay_ms| {
        let firing = firing(delay_ms, states);
        states.push(window_state(
            "eventTime-afterEOW",
            vec![DataType::nullable(TypeKind::Boolean)],
            vec!["fired".into()],
            ValueSize::Constant(1),
        ));
        LateFiring {
            firing,
            fired: states.len() - 1,
        }
    });
    Trigger { early, late }
}
