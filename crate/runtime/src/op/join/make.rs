//! From the planner's spec to an operator, with its states.

use std::rc::Rc;

use sg_expr::compile;
use sg_plan::{
    logical::JoinKind,
    physical::join::{JoinSide, JoinSpec, UniqueKey},
};
use sg_value::{
    DataType, Field,
    bytes::{Namespace, RowSizer},
};

use super::{
    Inputs,
    regular::RegularJoin,
    semi::SemiJoin,
    side::{Layout, Side},
};
use crate::{
    op::factory::{Made, Plan},
    state::{HashedShape, Shape, StateSpec, UserKeySize, ValueShape, ValueSize},
};

/// Bytes of a number of copies or matches.
const COUNT_BYTES: u64 = 4;

/// A join without time.
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
        .collect();
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
        JoinKind::Inner | JoinKind::Left | JoinKind::Right | JoinKind::Full => Made::stateless(RegularJoin {
            inputs,
            outer: [kind.keeps_left(), kind.keeps_right()],
        }),
    };
    Made {
        key: spec.keys.left.clone(),
        more_keys: vec![spec.keys.right.clone()],
        states: vec![left_state, right_state],
        ..made
    }
}

fn side(
    (handle, name): (usize, &'static str),
    input: &[Field],
    known: &JoinSide,
    counts_matches: bool,
) -> (Side, StateSpec) {
    let types: Vec<DataType> = input.iter().map(|field| field.data_type.clone()).collect();
    let names: Vec<Rc<str>> = input.iter().map(|field| Rc::clone(&field.name)).collect();
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
                .collect();
            let (types, names) = with_matches(types, names);
            let shape = HashedShape {
                user_key: UserKeySize::Row(RowSizer::for_key(&key_types)),
                key_types,
                types,
                names,
                size: row_size,
            };
            let columns = columns.iter().map(|column| *column as usize).collect();
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
