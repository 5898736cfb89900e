//! From the planner's spec to the operator, with its states.

use std::rc::Rc;

use sg_expr::{Aggregates, compile};
use sg_plan::logical::{MatchNode, ReferenceKind};
use sg_value::{
    DataType, Gather as _, TypeKind,
    bytes::{Namespace, RowSizer},
};

use super::{
    Match,
    buffer::Held,
    nfa::Nfa,
    read::{Read, Reader},
};
use crate::{
    op::factory::{Made, Plan},
    state::{CellOrder, MapShape, RowOrder, Shape, StateSpec, UserKeySize, ValueShape, ValueSize},
};

/// A pattern over rows.
#[expect(clippy::too_many_lines, reason = "a list of what the operator has")]
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn matching(plan: &Plan<'_>, spec: &MatchNode) -> Made {
    let input = plan.columns(0);
    let condition = |variable: u32| {
        let defined = spec.define.iter().find(|(own, _)| *own == variable);
        defined.map(|(_, expr)| compile(expr))
    };
    let references = spec.references.iter().map(|reference| match &reference.kind {
        ReferenceKind::Field { rows, column, offset } => Read::Field {
            rows: rows.clone(),
            column: *column as usize,
            offset: *offset,
        },
        ReferenceKind::Aggregate {
            rows,
            call,
            arguments,
            ..
        } => Read::Aggregate {
            rows: rows.clone(),
            aggregates: Box::new(Aggregates::compile(std::slice::from_ref(&**call))),
            arguments: arguments.iter().map(compile).gather(),
        },
        ReferenceKind::Rowtime(_) => Read::Rowtime,
        ReferenceKind::Proctime => Read::Proctime,
    });
    let further: Vec<(usize, CellOrder)> = spec
        .order
        .iter()
        .skip(1)
        .map(|(column, descending)| {
            let order = CellOrder {
                descending: *descending,
                nulls_first: !*descending,
            };
            (*column as usize, order)
        })
        .gather();
    let (columns, cells): (Vec<usize>, Vec<CellOrder>) = further.into_iter().unzip();
    let names = spec.pattern.iter().map(|item| {
        spec.variables
            .get(item.variable as usize)
            .cloned()
            .unwrap_or_else(|| Rc::from(""))
    });
    let key_types: Vec<DataType> = spec
        .partition
        .iter()
        .filter_map(|column| input.get(*column as usize))
        .map(|field| field.data_type.clone())
        .gather();
    let mut in_conditions = vec![false; spec.references.len()];
    for (_, condition) in &spec.define {
        condition.for_each_column(&mut |column| {
            if let Some(read) = in_conditions.get_mut(column as usize) {
                *read = true;
            }
        });
    }
    let operator = Match {
        nfa: Nfa {
            items: spec.pattern.clone(),
            conditions: spec.pattern.iter().map(|item| condition(item.variable)).gather(),
            after: spec.after,
            within_ms: spec.within_ms,
            variables: spec.variables.clone(),
            span: plan.spec.span,
        },
        reader: Reader {
            items: spec.pattern.clone(),
            references: references.gather(),
            in_conditions,
        },
        measures: spec.measures.iter().map(compile).gather(),
        partition: spec.partition.iter().map(|column| *column as usize).gather(),
        rowtime: spec.rowtime,
        time: spec.order.first().map_or(0, |(column, _)| *column as usize),
        further: (!columns.is_empty()).then(|| (columns.into(), RowOrder { cells })),
        held: Held {
            names: names.gather(),
            key: RowSizer::for_key(&key_types),
        },
        span: plan.spec.span,
    };
    let state = |name: &str, shape| StateSpec {
        name: name.into(),
        namespace: Namespace::Void,
        shape,
        ttl_ms: 0,
        slice_ms: 0,
        ordered: false,
    };
    let matches = DataType::nullable(TypeKind::Raw("matches".into()));
    let partial = ValueShape {
        types: Rc::from([DataType::BIGINT, DataType::BIGINT, matches.clone(), matches]),
        names: ["bytes", "next", "partial", "complete"].map(Rc::from).into(),
        size: ValueSize::FirstCell,
    };
    let held = MapShape {
        user_key: UserKeySize::Fixed(12),
        frame_bytes: 4,
        ..MapShape::row_by_number(input)
    };
    Made {
        key: spec.partition.clone(),
        states: vec![
            state("eventQueuesStateName", Shape::Map(MapShape::by_time(input))),
            state("nfaStateName", Shape::Value(partial)),
            state("sharedBuffer-events", Shape::Map(held)),
        ],
        timers_counted: true,
        uses_processing_time: !spec.rowtime,
        ..Made::stateless(operator)
    }
}
