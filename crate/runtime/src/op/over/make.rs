//! Operators of OVER with their states.

use std::rc::Rc;

use sg_diag::Diagnostic;
use sg_expr::{AggregateCall, Aggregates, FrameBound};
use sg_plan::{
    logical::SortColumn,
    physical::node::{OrderTime, OverAggregateSpec},
};
use sg_value::{
    DataType, Gather as _, TypeKind,
    bytes::{Namespace, RowSizer},
};

use super::{
    batch::{BatchOver, OwnCall},
    bounded::{BoundedOver, Frame},
    calls::Calls,
    cleanup::Cleanup,
    proctime::{LastRows, LastTime, RunningOver},
    unbounded::UnboundedOver,
    value::{self, ValueOver},
};
use crate::{
    op::factory::{Accumulators, Made, Plan, accumulator_states, does_not_run},
    state::{CellOrder, MapShape, RowOrder, Shape, StateSpec, UserKeySize, ValueShape, ValueSize},
};

/// The operator of a window.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn over(plan: &Plan<'_>, spec: &OverAggregateSpec) -> Result<Made, Box<Diagnostic>> {
    let calls = Calls {
        aggregates: Aggregates::compile(&ordered(spec)),
        constants: spec.constants.iter().map(|(value, _)| value.clone()).gather(),
    };
    if spec.batch {
        return Ok(at_the_end(plan, spec, calls));
    }
    let Some(key) = spec.order.first() else {
        return Err(does_not_run(plan, "OverAggregate"));
    };
    let column = key.column as usize;
    let unbounded = spec.frame.start == FrameBound::UnboundedPreceding;
    let made = match spec.time {
        OrderTime::Value => by_value(plan, spec, calls),
        OrderTime::Rowtime if unbounded => unbounded_by_time(plan, spec, calls, column),
        OrderTime::Rowtime => bounded_by_time(plan, spec, calls, column),
        OrderTime::Proctime if unbounded => Made {
            states: acc_states(&calls, spec.ttl_ms),
            ..Made::stateless(RunningOver { calls })
        },
        OrderTime::Proctime => bounded_by_arrival(plan, spec, calls),
    };
    Ok(Made {
        key: spec.partition.clone(),
        ..made
    })
}

/// The calls; in batch mode those that rank are handed the keys of the order.
#[cfg_attr(sg_hot, optimize(size))]
fn ordered(spec: &OverAggregateSpec) -> Vec<AggregateCall> {
    let ranks = |call: &AggregateCall| spec.batch && matches!(call.function.name, "RANK" | "DENSE_RANK");
    let calls = spec.calls.iter().map(|call| AggregateCall {
        args: if ranks(call) {
            spec.order.iter().map(|key| key.column).gather()
        } else {
            call.args.clone()
        },
        ..call.clone()
    });
    calls.gather()
}

/// Batch mode: all rows of a key, then all results.
#[cfg_attr(sg_hot, optimize(size))]
fn at_the_end(plan: &Plan<'_>, spec: &OverAggregateSpec, calls: Calls) -> Made {
    let scale = |key: &SortColumn| match plan.input.get(key.column as usize)?.data_type.kind {
        TypeKind::Decimal { scale, .. } => Some(u32::from(scale)),
        _ => None,
    };
    let operator = BatchOver {
        frame: spec.frame,
        sort: spec.order.iter().map(|key| key.column as usize).gather(),
        order: order_of(spec),
        scale: spec.order.first().and_then(scale).unwrap_or(0),
        places: spec.places,
        shows_place: plan.spec.schema.len() > plan.input.len(),
        own: spec.calls.iter().map(OwnCall::of).gather(),
        calls,
    };
    Made {
        key: spec.partition.clone(),
        states: vec![map_state("rows", MapShape::by_number(plan.input), 0)],
        ..Made::stateless(operator)
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn unbounded_by_time(plan: &Plan<'_>, spec: &OverAggregateSpec, calls: Calls, rowtime: usize) -> Made {
    let mut states = acc_states(&calls, 0);
    let input = push(&mut states, input_state(plan));
    let cleanup = cleanup_state(&mut states, "RowTimeUnboundedOverCleanupTime", spec.ttl_ms);
    Made {
        states,
        timers_counted: true,
        uses_processing_time: cleanup.is_on(),
        ..Made::stateless(UnboundedOver {
            calls,
            rowtime,
            rows: spec.frame.rows,
            input,
            cleanup,
        })
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn bounded_by_time(plan: &Plan<'_>, spec: &OverAggregateSpec, calls: Calls, rowtime: usize) -> Made {
    let reach = distance(spec.frame.start);
    let mut states = acc_states(&calls, 0);
    let input = states.len();
    let other = if spec.frame.rows {
        "processedCountState"
    } else {
        "cleanupTsState"
    };
    states.extend(StateSpec::in_one_record(vec![
        input_state(plan),
        number_state("lastTriggeringTsState"),
        number_state(other),
    ]));
    let mut timed = false;
    let frame = if spec.frame.rows {
        let cleanup = cleanup_state(&mut states, "RowTimeBoundedRowsOverCleanupTime", spec.ttl_ms);
        timed = cleanup.is_on();
        Frame::Rows {
            count: reach,
            cleanup,
        }
    } else {
        Frame::Range { length_ms: reach }
    };
    Made {
        states,
        timers_counted: true,
        uses_processing_time: timed,
        ..Made::stateless(BoundedOver {
            calls,
            rowtime,
            frame,
            input,
        })
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn bounded_by_arrival(plan: &Plan<'_>, spec: &OverAggregateSpec, calls: Calls) -> Made {
    let reach = distance(spec.frame.start);
    let mut states = acc_states(&calls, 0);
    let input = push(&mut states, input_state(plan));
    let made = if spec.frame.rows {
        let processed = push(&mut states, number_state("processedCountState"));
        let smallest = push(&mut states, number_state("smallestTSState"));
        let cleanup = cleanup_state(&mut states, "ProcTimeBoundedRowsOverCleanupTime", spec.ttl_ms);
        Made {
            uses_processing_time: cleanup.is_on(),
            ..Made::stateless(LastRows {
                calls,
                count: reach,
                input,
                processed,
                smallest,
                cleanup,
            })
        }
    } else {
        let cleanup = push(&mut states, number_state("cleanupTsState"));
        Made {
            uses_processing_time: true,
            ..Made::stateless(LastTime {
                calls,
                length_ms: reach,
                input,
                cleanup,
            })
        }
    };
    Made {
        states,
        timers_counted: true,
        ..made
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn order_of(spec: &OverAggregateSpec) -> RowOrder {
    let cells = spec.order.iter().map(|key| CellOrder {
        descending: key.direction.descending,
        nulls_first: key.direction.nulls_first,
    });
    RowOrder {
        cells: cells.gather(),
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn by_value(plan: &Plan<'_>, spec: &OverAggregateSpec, calls: Calls) -> Made {
    let sort: Vec<usize> = spec.order.iter().map(|key| key.column as usize).gather();
    let key_types: Vec<DataType> = sort
        .iter()
        .filter_map(|column| plan.input.get(*column))
        .map(|field| field.data_type.clone())
        .gather();
    let rows = MapShape {
        counted: false,
        ..MapShape::sorted(plan.input, &key_types, order_of(spec))
    };
    let acc_fields: Vec<sg_value::Field> = calls
        .aggregates
        .cell_types()
        .iter()
        .zip(calls.aggregates.cell_names())
        .map(|(data_type, name)| sg_value::Field {
            name: Rc::clone(name),
            data_type: data_type.clone(),
        })
        .gather();
    let accs = if spec.frame.rows {
        MapShape {
            user_key_types: [DataType::BIGINT].into(),
            user_key: UserKeySize::Row(RowSizer::for_key(&[DataType::BIGINT])),
            ..MapShape::single(&acc_fields)
        }
    } else {
        MapShape {
            user_key_types: key_types.as_slice().into(),
            user_key: UserKeySize::Row(RowSizer::for_key(&key_types)),
            order: Some(Rc::new(order_of(spec))),
            ..MapShape::single(&acc_fields)
        }
    };
    let values = MapShape {
        user_key_types: [DataType::BIGINT].into(),
        user_key: UserKeySize::Fixed(8),
        ..MapShape::single(plan.input)
    };
    let list = keys_state("sortedListState", &key_types, 4, 8, 0);
    let states = vec![
        map_state("rows", rows, 0),
        map_state("accMapState", accs, 0),
        map_state("valueMapState", values, 0),
        list,
        number_state("idState"),
        StateSpec {
            shape: Shape::Value(ValueShape {
                types: [DataType::BIGINT].into(),
                names: ["time".into()].into(),
                size: ValueSize::Untold,
            }),
            ..number_state("CleanupTime")
        },
    ];
    let cleanup = Cleanup {
        ttl_ms: spec.ttl_ms,
        state: value::CLEANUP,
        longest_ms: spec.ttl_ms,
    };
    Made {
        states,
        uses_processing_time: cleanup.is_on(),
        ..Made::stateless(ValueOver {
            calls,
            sort,
            rows: spec.frame.rows,
            update_before: plan.spec.changelog_mode.contains(sg_value::RowKind::UpdateBefore),
            cleanup,
            span: plan.spec.span,
        })
    }
}

/// Rows or milliseconds that a frame reaches back.
#[cfg_attr(sg_hot, optimize(size))]
const fn distance(start: FrameBound) -> i64 {
    match start {
        FrameBound::Preceding(count) => count,
        _ => 0,
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn push(states: &mut Vec<StateSpec>, state: StateSpec) -> usize {
    states.push(state);
    states.len() - 1
}

#[cfg_attr(sg_hot, optimize(size))]
fn acc_states(calls: &Calls, ttl_ms: i64) -> Vec<StateSpec> {
    accumulator_states(
        &calls.aggregates,
        &Accumulators {
            name: "accState",
            namespace: Namespace::Void,
            slice_ms: 0,
            ttl_ms,
            ordered: false,
        },
    )
}

#[cfg_attr(sg_hot, optimize(size))]
fn input_state(plan: &Plan<'_>) -> StateSpec {
    map_state("inputState", MapShape::by_time(plan.input), 0)
}

/// A map state.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn map_state(name: &str, shape: MapShape, ttl_ms: i64) -> StateSpec {
    StateSpec {
        name: name.into(),
        namespace: Namespace::Void,
        shape: Shape::Map(shape),
        ttl_ms,
        slice_ms: 0,
        ordered: false,
    }
}

/// A BIGINT per key, 8 bytes.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn number_state(name: &str) -> StateSpec {
    fixed_state(name, &DataType::not_null(TypeKind::BigInt), 8, 0)
}

/// One cell of a fixed number of bytes per key.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn fixed_state(name: &str, data_type: &DataType, bytes: u64, ttl_ms: i64) -> StateSpec {
    StateSpec {
        name: name.into(),
        namespace: Namespace::Void,
        shape: Shape::Value(ValueShape {
            types: [data_type.clone()].into(),
            names: [name.into()].into(),
            size: ValueSize::Constant(bytes),
        }),
        ttl_ms,
        slice_ms: 0,
        ordered: false,
    }
}

/// A list of keys with numbers of rows in one value: `fixed` bytes beside each key, `each` per row.
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn keys_state(
    name: &str,
    key_types: &[DataType],
    fixed: u64,
    each: u64,
    ttl_ms: i64,
) -> StateSpec {
    let fields: Vec<sg_value::Field> = key_types
        .iter()
        .enumerate()
        .map(|(at, data_type)| sg_value::Field {
            name: format!("key{at}").into(),
            data_type: data_type.clone(),
        })
        .chain([sg_value::Field {
            name: "rows".into(),
            data_type: DataType::BIGINT,
        }])
        .gather();
    let row = DataType::not_null(TypeKind::Row(fields.into()));
    let shape = Shape::Value(ValueShape {
        types: [DataType::not_null(TypeKind::Array(row.into()))].into(),
        names: ["keys".into()].into(),
        size: ValueSize::Keys {
            row: RowSizer::for_key(key_types),
            fixed,
            each,
        },
    });
    StateSpec {
        shape,
        ttl_ms,
        ..number_state(name)
    }
}

/// The time at which a key is looked at, where keys are forgotten.
#[cfg_attr(sg_hot, optimize(size))]
fn cleanup_state(states: &mut Vec<StateSpec>, name: &str, ttl_ms: i64) -> Cleanup {
    let state = push(states, number_state(name));
    Cleanup {
        ttl_ms,
        state,
        longest_ms: ttl_ms / 2 * 3,
    }
}
