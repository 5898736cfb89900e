//! Operators of rankings and sorting with their states.
//!
//! Flink: `StreamExecRank`, `StreamExecDeduplicate`, `StreamExecSortLimit`, `StreamExecLimit`, `StreamExecTemporalSort`.

use std::rc::Rc;

use sg_plan::{
    logical::{RankRange, SortColumn},
    physical::node::{DeduplicateSpec, OrderTime, RankSpec, RankStrategy, TemporalSortSpec},
};
use sg_value::{
    DataType, Field, Gather as _, RowKind, TypeKind,
    bytes::{Namespace, RowSizer},
};

use super::{
    append::AppendTopN,
    deduplicate::{FirstByArrival, FirstByTime, Replace},
    final_result::FinalResult,
    first::FirstN,
    places::{End, Places, SortedRows},
    retract::RetractTopN,
    sort::TimeSort,
    top1::Top1,
    update::UpdateTopN,
};
use crate::{
    op::{
        batch::bundle::{Keep, one_by_one},
        factory::{Made, Plan},
        over::make::{fixed_state, keys_state, map_state, number_state},
    },
    state::{CellOrder, MapShape, RowOrder, Shape, StateSpec, UserKeySize, ValueShape, ValueSize},
};

/// The operator of a ranking, a deduplication or a limit.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn rank(plan: &Plan<'_>, spec: &RankSpec, limit: bool) -> Made {
    if let Some(deduplicate) = spec.deduplicate {
        let made = Made {
            key: spec.partition.clone(),
            ..deduplication(plan, spec, deduplicate)
        };
        let Some(rows) = spec.mini_batch else { return made };
        let keep = match (deduplicate.time, deduplicate.keep_last) {
            (OrderTime::Rowtime, _) => Keep::All,
            (_, true) => Keep::Last,
            (_, false) => Keep::First,
        };
        return one_by_one(made, keep, (plan.input, rows));
    }
    let ttl_ms = spec.ttl_ms;
    let key_types = sort_types(plan, spec);
    let mut states = Vec::new();
    let is_top1 = matches!(spec.range, RankRange::Constant { start: 1, end: 1 }) && !limit;
    let by_arrival = matches!(
        (spec.times.as_slice(), spec.order.as_slice()),
        ([OrderTime::Proctime], [key]) if !key.direction.descending
    );
    let made = match &spec.strategy {
        RankStrategy::AppendFast if by_arrival => {
            states.push(fixed_state("counterState", &DataType::INT, 4, ttl_ms));
            let places = places(spec, &mut states);
            Made::stateless(FirstN { places })
        }
        RankStrategy::AppendFast | RankStrategy::UpdateFast(_) if is_top1 => {
            states.push(row_state("Top1-Rank-State", plan.input, ttl_ms));
            let places = places(spec, &mut states);
            Made::stateless(Top1 {
                places,
                order: order(spec),
            })
        }
        RankStrategy::AppendFast => append(plan, spec, &mut states),
        RankStrategy::UpdateFast(row_key) => update(plan, spec, row_key, &mut states),
        RankStrategy::Retract => {
            let shape = MapShape::sorted(plan.input, &key_types, order(spec));
            states.push(map_state("data-state", shape, ttl_ms));
            states.push(keys_state("sorted-map", &key_types, 9, 0, ttl_ms));
            let places = places(spec, &mut states);
            let remembers_kinds = !places.puts_out_rank && places.start > 1;
            Made::stateless(RetractTopN {
                places,
                keys: 1,
                remembers_kinds,
            })
        }
    };
    Made {
        key: spec.partition.clone(),
        states,
        ..made
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn append(plan: &Plan<'_>, spec: &RankSpec, states: &mut Vec<StateSpec>) -> Made {
    let ttl_ms = spec.ttl_ms;
    let shape = MapShape::sorted(plan.input, &sort_types(plan, spec), order(spec));
    states.push(map_state("data-state-with-append", shape.clone(), ttl_ms));
    if ttl_ms > 0 {
        let memory = MapShape {
            counted: false,
            ..shape
        };
        states.push(map_state("rows in memory", memory, 0));
        let loaded = MapShape {
            counted: false,
            ..MapShape::by_number(&[])
        };
        states.push(map_state("loaded", loaded, 0));
    }
    let places = places(spec, states);
    Made::stateless(AppendTopN {
        places,
        rows: SortedRows { ttl_ms },
    })
}

#[cfg_attr(sg_hot, optimize(size))]
fn update(plan: &Plan<'_>, spec: &RankSpec, row_key: &[u32], states: &mut Vec<StateSpec>) -> Made {
    let row_key: Vec<usize> = row_key.iter().map(|column| *column as usize).gather();
    let row_key_types: Vec<DataType> = row_key
        .iter()
        .filter_map(|column| plan.input.get(*column))
        .map(|field| field.data_type.clone())
        .gather();
    let shape = MapShape {
        user_key_types: row_key_types.as_slice().into(),
        user_key: UserKeySize::Row(RowSizer::for_key(&row_key_types)),
        item_bytes: 4,
        ..MapShape::single(plan.input)
    };
    states.push(map_state("data-state-with-update", shape, spec.ttl_ms));
    let memory = MapShape {
        counted: false,
        ..MapShape::sorted(plan.input, &sort_types(plan, spec), order(spec))
    };
    states.push(map_state("rows in memory", memory, 0));
    let places = places(spec, states);
    Made::stateless(UpdateTopN {
        places,
        row_key,
        expires: spec.ttl_ms > 0,
    })
}

#[cfg_attr(sg_hot, optimize(size))]
fn deduplication(plan: &Plan<'_>, spec: &RankSpec, deduplicate: DeduplicateSpec) -> Made {
    let ttl_ms = spec.ttl_ms;
    let rowtime = match (deduplicate.time, spec.order.first()) {
        (OrderTime::Rowtime, Some(key)) => Some(key.column as usize),
        _ => None,
    };
    let flag = |name: &str| fixed_state(name, &DataType::not_null(TypeKind::Boolean), 1, ttl_ms);
    if let (Some(rowtime), true) = (rowtime, deduplicate.insert_only) {
        return Made {
            states: vec![
                row_state("waiting-to-emit-on-timer", plan.input, 0),
                flag("already-emitted-state-boolean"),
            ],
            timers_counted: true,
            ..Made::stateless(FirstByTime { rowtime })
        };
    }
    if rowtime.is_none() && !deduplicate.keep_last {
        return Made {
            states: vec![flag("deduplicate-state")],
            ..Made::stateless(FirstByArrival)
        };
    }
    let compared = plan
        .input
        .iter()
        .enumerate()
        .filter(|(_, field)| !field.data_type.is_proctime())
        .map(|(at, _)| at)
        .gather();
    let mut state = row_state("deduplicate-state", plan.input, ttl_ms);
    if let Shape::Value(shape) = &mut state.shape {
        // the kind of the last output stands behind the row; in Flink it is in the row's header
        let types = shape
            .types
            .iter()
            .cloned()
            .chain([DataType::nullable(TypeKind::Boolean)]);
        let names = shape.names.iter().cloned().chain(["updated".into()]);
        *shape = ValueShape {
            types: types.gather(),
            names: names.gather(),
            size: shape.size.clone(),
        };
    }
    Made {
        states: vec![state],
        ..Made::stateless(Replace {
            rowtime,
            keep_last: deduplicate.keep_last,
            compared,
            silent: rowtime.is_none() && ttl_ms == 0,
            update_before: spec.update_before,
            first_kind: if spec.insert_as_update && !spec.update_before {
                RowKind::UpdateAfter
            } else {
                RowKind::Insert
            },
        })
    }
}

/// The operator of a sort by time.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn temporal_sort(plan: &Plan<'_>, spec: &TemporalSortSpec) -> Made {
    let rowtime = match (spec.time, spec.order.first()) {
        (OrderTime::Rowtime, Some(key)) => Some(key.column as usize),
        _ => None,
    };
    let others = spec.order.get(1..).unwrap_or_default();
    let operator = TimeSort {
        rowtime,
        columns: others.iter().map(|key| key.column as usize).gather(),
        order: RowOrder {
            cells: others.iter().copied().map(cell_order).gather(),
        },
    };
    let name = if rowtime.is_some() {
        "dataState"
    } else {
        "sortState"
    };
    Made {
        states: vec![
            map_state(name, MapShape::by_time(plan.input), 0),
            number_state("lastTriggeringTsState"),
        ],
        timers_counted: true,
        uses_processing_time: rowtime.is_none(),
        ..Made::stateless(operator)
    }
}

/// Batch mode: the rows that are left at the end.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(crate) fn final_result(plan: &Plan<'_>, order: &[SortColumn]) -> Made {
    let operator = FinalResult {
        columns: order.iter().map(|key| key.column as usize).gather(),
        order: RowOrder {
            cells: order.iter().copied().map(cell_order).gather(),
        },
    };
    Made {
        states: vec![map_state("rows", MapShape::by_number(plan.input), 0)],
        ..Made::stateless(operator)
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn places(spec: &RankSpec, states: &mut Vec<StateSpec>) -> Places {
    let (start, end) = match spec.range {
        RankRange::Constant { start, end } => (start, End::Constant(end)),
        RankRange::Column(column) => {
            states.push(fixed_state(
                "rankEnd",
                &DataType::not_null(TypeKind::BigInt),
                8,
                spec.ttl_ms,
            ));
            let end = End::Column {
                column: column as usize,
                state: states.len() - 1,
            };
            (1, end)
        }
    };
    Places {
        start,
        end,
        sort: spec.order.iter().map(|key| key.column as usize).gather(),
        puts_out_rank: spec.puts_out_rank,
        update_before: spec.update_before,
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn order(spec: &RankSpec) -> RowOrder {
    RowOrder {
        cells: spec.order.iter().copied().map(cell_order).gather(),
    }
}

#[cfg_attr(sg_hot, optimize(size))]
pub(crate) const fn cell_order(key: sg_plan::logical::SortColumn) -> CellOrder {
    CellOrder {
        descending: key.direction.descending,
        nulls_first: key.direction.nulls_first,
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn sort_types(plan: &Plan<'_>, spec: &RankSpec) -> Vec<DataType> {
    spec.order
        .iter()
        .filter_map(|key| plan.input.get(key.column as usize))
        .map(|field| field.data_type.clone())
        .gather()
}

/// The row of each key.
#[cfg_attr(sg_hot, optimize(size))]
fn row_state(name: &str, input: &[Field], ttl_ms: i64) -> StateSpec {
    let types: Vec<DataType> = input.iter().map(|field| field.data_type.clone()).gather();
    StateSpec {
        name: name.into(),
        namespace: Namespace::Void,
        shape: Shape::Value(ValueShape {
            size: ValueSize::Row(RowSizer::new(&types)),
            types: types.into(),
            names: input.iter().map(|field| Rc::clone(&field.name)).gather(),
        }),
        ttl_ms,
        slice_ms: 0,
        ordered: false,
    }
}
