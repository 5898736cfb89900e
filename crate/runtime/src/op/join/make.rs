//! From the planner's spec to an operator, with its states.

use std::rc::Rc;

use sg_expr::compile;
use sg_plan::{
    logical::JoinKind,
    physical::{
        join::{JoinSide, JoinSpec, UniqueKey},
        multi_join::{MultiJoinInput, MultiJoinSpec},
    },
};
use sg_value::{
    DataType, Field, Gather as _, TypeKind,
    bytes::{Namespace, RowSizer},
};

use super::{
    Inputs,
    bundle::{JoinBundle, Waiting},
    multi::{Input, MultiJoin},
    regular::RegularJoin,
    semi::SemiJoin,
    side::{Layout, Side},
};
use crate::{
    op::{
        batch::bundle::buffer,
        factory::{Made, Plan},
    },
    state::{HashedShape, Shape, StateSpec, UserKeySize, ValueShape, ValueSize},
};

/// Bytes of a number of copies or matches.
const COUNT_BYTES: u64 = 4;

/// A join without time.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn join(plan: &Plan<'_>, spec: &JoinSpec) -> Made {
    let kind = spec.kind;
    let semi = kind.is_semi_or_anti();
    let counts = [kind.keeps_left() || semi, kind.keeps_right()];
    let [left, right] = &spec.sides;
    let (left_side, left_state) = side((0, "left-records"), plan.columns(0), left, counts[0]);
    let (right_side, right_state) = side((1, "right-records"), plan.columns(1), right, counts[1]);
    let filter_nulls = spec
        .keys
        .filter_nulls
        .iter()
        .enumerate()
        .filter(|(_, filters)| **filters)
        .map(|(at, _)| at)
        .gather();
    let mut states = vec![left_state, right_state];
    let inputs = Inputs {
        sides: [left_side, right_side],
        condition: spec.residual.as_ref().map(compile),
        filter_nulls,
    };
    let made = match kind {
        JoinKind::Semi | JoinKind::Anti => Made::stateless(SemiJoin {
            inputs,
            anti: kind == JoinKind::Anti,
        }),
        JoinKind::Inner | JoinKind::Left | JoinKind::Right | JoinKind::Full => {
            let join = RegularJoin {
                inputs,
                outer: [kind.keeps_left(), kind.keeps_right()],
            };
            match spec.mini_batch {
                None => Made::stateless(join),
                Some(rows) => {
                    let mut side = |input: u32, key| {
                        let columns = plan.columns(input as usize);
                        states.push(buffer(columns));
                        Waiting::new(states.len() - 1, columns, key, &join.inputs.side(input).layout)
                    };
                    let sides = [(0, &spec.keys.left), (1, &spec.keys.right)];
                    let sides = sides.map(|(input, key)| side(input, key));
                    Made::stateless(JoinBundle { join, sides, rows })
                }
            }
        }
    };
    Made {
        key: spec.keys.left.clone(),
        more_keys: vec![spec.keys.right.clone()],
        states,
        ..made
    }
}

/// Several joins at once.
#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
pub(in crate::op) fn multi_join(plan: &Plan<'_>, spec: &MultiJoinSpec) -> Made {
    let usizes = |columns: &[u32]| columns.iter().map(|column| *column as usize).gather();
    let inputs = spec
        .inputs
        .iter()
        .map(|input| Input {
            condition: input.step.as_ref().map(|step| compile(&step.condition)),
            left: input.step.as_ref().is_some_and(|step| step.left),
            unique: input.unique.as_deref().map(usizes),
            step_key: input.step.as_ref().map(|step| usizes(&step.keys.right)),
            width: input.width as usize,
        })
        .gather();
    let states = spec
        .inputs
        .iter()
        .enumerate()
        .map(|(at, input)| StateSpec {
            name: format!("multi-join-input-{at}").into(),
            namespace: Namespace::Void,
            shape: Shape::Hashed(multi_shape(plan.columns(at), input)),
            ttl_ms: input.ttl_ms,
            slice_ms: 0,
            ordered: false,
        })
        .gather();
    let mut keys = spec.inputs.iter().map(|input| input.key.clone());
    Made {
        key: keys.next().unwrap_or_default(),
        more_keys: keys.gather(),
        states,
        ..Made::stateless(MultiJoin { inputs })
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn multi_shape(columns: &[Field], input: &MultiJoinInput) -> HashedShape {
    let pick = |at: &[u32]| -> Rc<[Field]> {
        let found = at.iter().filter_map(|column| columns.get(*column as usize));
        found.cloned().gather()
    };
    let types_of =
        |fields: &[Field]| -> Rc<[DataType]> { fields.iter().map(|field| field.data_type.clone()).gather() };
    if let Some(unique) = &input.unique {
        let key_types = types_of(&pick(unique));
        let types = types_of(columns);
        return HashedShape {
            user_key: UserKeySize::Row(RowSizer::for_key(&key_types)),
            key_types,
            size: ValueSize::RowAnd(RowSizer::new(&types), 0),
            types,
            names: columns.iter().map(|field| Rc::clone(&field.name)).gather(),
        };
    }
    let key_types: Rc<[DataType]> = match &input.step {
        None => types_of(columns),
        Some(step) => {
            let row = |fields: Rc<[Field]>| DataType::not_null(TypeKind::Row(fields));
            Rc::from([row(pick(&step.keys.right)), row(columns.into())])
        }
    };
    HashedShape {
        user_key: UserKeySize::Row(RowSizer::new(&key_types)),
        key_types,
        types: Rc::from([DataType::INT]),
        names: Rc::from(["copies".into()]),
        size: ValueSize::Constant(COUNT_BYTES),
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn side(
    (handle, name): (usize, &'static str),
    input: &[Field],
    known: &JoinSide,
    counts_matches: bool,
) -> (Side, StateSpec) {
    let types: Vec<DataType> = input.iter().map(|field| field.data_type.clone()).gather();
    let names: Vec<Rc<str>> = input.iter().map(|field| Rc::clone(&field.name)).gather();
    let matches = |bytes: u64| {
        if counts_matches {
            bytes + COUNT_BYTES
        } else {
            bytes
        }
    };
    let with_matches = |mut types: Vec<DataType>, mut names: Vec<Rc<str>>| {
        if counts_matches {
            types.push(DataType::INT);
            names.push("matches".into());
        }
        (Rc::<[DataType]>::from(types), Rc::<[Rc<str>]>::from(names))
    };
    let row_size = ValueSize::RowAnd(RowSizer::new(&types), matches(0));
    let (layout, shape) = match &known.unique {
        UniqueKey::InJoinKey => {
            let (types, names) = with_matches(types, names);
            let shape = ValueShape {
                types,
                names,
                size: row_size,
            };
            (Layout::One, Shape::Value(shape))
        }
        UniqueKey::Columns(columns) => {
            let key_types: Rc<[DataType]> = columns
                .iter()
                .filter_map(|column| types.get(*column as usize).cloned())
                .gather();
            let (types, names) = with_matches(types, names);
            let shape = HashedShape {
                user_key: UserKeySize::Row(RowSizer::for_key(&key_types)),
                key_types,
                types,
                names,
                size: row_size,
            };
            let columns = columns.iter().map(|column| *column as usize).gather();
            (Layout::ByKey(columns), Shape::Hashed(shape))
        }
        UniqueKey::None => {
            let (counts, names) = with_matches(vec![DataType::INT], vec!["copies".into()]);
            let shape = HashedShape {
                user_key: UserKeySize::Row(RowSizer::new(&types)),
                key_types: types.into(),
                types: counts,
                names,
                size: ValueSize::Constant(matches(COUNT_BYTES)),
            };
            (Layout::Copies, Shape::Hashed(shape))
        }
    };
    let side = Side {
        layout,
        handle,
        width: input.len(),
        counts_matches,
    };
    let state = StateSpec {
        name: name.into(),
        namespace: Namespace::Void,
        shape,
        ttl_ms: known.ttl_ms,
        slice_ms: 0,
        ordered: false,
    };
    (side, state)
}
