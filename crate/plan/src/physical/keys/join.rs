//! Upsert keys of a join, and how rows of its inputs are told apart.

use std::rc::Rc;

use sg_value::Gather as _;

use crate::{
    logical::JoinKind,
    physical::{
        join::{JoinSpec, UniqueKey},
        multi_join::MultiJoinSpec,
        node::{Distribution, PhysicalNode, PhysicalOp},
        timed::{LookupJoinSpec, TimedJoinSpec},
    },
};

/// Fills in what the inputs' keys mean for the states; returns the join's own upsert keys.
pub(super) fn infer(spec: &mut JoinSpec, inputs: &[Rc<PhysicalNode>]) -> Vec<Vec<u32>> {
    let [left, right] = inputs else {
        return Vec::new();
    };
    let (left_key, right_key) = (spec.keys.left.clone(), spec.keys.right.clone());
    let [left_side, right_side] = &mut spec.sides;
    left_side.unique = UniqueKey::of(&within_key_group(left, &left_key), &left_key);
    right_side.unique = UniqueKey::of(&within_key_group(right, &right_key), &right_key);
    let contains = |key: &&Vec<u32>, wanted: &[u32]| wanted.iter().all(|column| key.contains(column));
    let of_left = left.upsert_keys.iter().filter(|key| contains(key, &left_key));
    let of_left: Vec<Vec<u32>> = of_left.cloned().gather();
    if spec.kind.is_semi_or_anti() {
        return of_left;
    }
    let of_right = right.upsert_keys.iter().filter(|key| contains(key, &right_key));
    let of_right: Vec<Vec<u32>> = of_right.cloned().gather();
    let width = u32::try_from(left.schema.len()).unwrap_or(u32::MAX);
    combine((&of_left, &left_key), (&of_right, &right_key), spec.kind, width)
}

/// Fills in how rows of each input are told apart; returns the upsert keys of the combinations.
#[inline(never)]
pub(super) fn infer_multi(spec: &mut MultiJoinSpec, inputs: &[Rc<PhysicalNode>]) -> Vec<Vec<u32>> {
    let mut keys: Vec<Vec<u32>> = Vec::new();
    let mut width = 0;
    for (known, input) in spec.inputs.iter_mut().zip(inputs) {
        let own = within_key_group(input, &known.key);
        known.unique = own.iter().min_by_key(|key| key.len()).cloned();
        let of_input = &input.upsert_keys;
        keys = match &known.step {
            None => of_input.clone(),
            Some(step) => {
                let kind = if step.left {
                    JoinKind::Left
                } else {
                    JoinKind::Inner
                };
                combine(
                    (&keys, &step.keys.left),
                    (of_input, &step.keys.right),
                    kind,
                    width,
                )
            }
        };
        width += known.width;
    }
    keys
}

/// The upsert keys of a join that knows about time.
pub(super) fn infer_timed(spec: &mut TimedJoinSpec, inputs: &[Rc<PhysicalNode>]) -> Vec<Vec<u32>> {
    if let TimedJoinSpec::Lookup(spec) = spec {
        return inputs.first().map_or_else(Vec::new, |left| lookup(spec, left));
    }
    let (Some(core), [left, right]) = (spec.core(), inputs) else {
        return Vec::new();
    };
    let containing = |input: &PhysicalNode, wanted: &[u32]| -> Vec<Vec<u32>> {
        let keys = input.upsert_keys.iter();
        keys.filter(|key| wanted.iter().all(|column| key.contains(column)))
            .cloned()
            .gather()
    };
    let of_left = containing(left, &core.keys.left);
    if core.kind.is_semi_or_anti() {
        return of_left;
    }
    let of_right = containing(right, &core.keys.right);
    let width = u32::try_from(left.schema.len()).unwrap_or(u32::MAX);
    combine(
        (&of_left, &core.keys.left),
        (&of_right, &core.keys.right),
        core.kind,
        width,
    )
}

/// A lookup by the whole primary key finds at most one row, so that the left keys stay keys.
fn lookup(spec: &mut LookupJoinSpec, left: &PhysicalNode) -> Vec<Vec<u32>> {
    let smallest = left.upsert_keys.iter().min_by_key(|key| key.len());
    spec.upsert_key = (!left.changelog_mode.is_insert_only())
        .then(|| smallest.cloned())
        .flatten();
    let asked = |column: &u32| {
        spec.keys
            .iter()
            .any(|(at, _)| spec.delivered.get(*at as usize) == Some(column))
    };
    let unique = spec
        .table
        .primary_key
        .as_ref()
        .is_some_and(|key| key.iter().all(asked));
    if unique {
        left.upsert_keys.clone()
    } else {
        Vec::new()
    }
}

/// The keys of an input without its exchange by the join key: rows of one key group stay in order.
///
/// Flink: `FlinkRelMetadataQuery.getUpsertKeysInKeyGroupRange`.
fn within_key_group(input: &Rc<PhysicalNode>, join_key: &[u32]) -> Vec<Vec<u32>> {
    match (&input.op, input.inputs.first()) {
        (PhysicalOp::Exchange(Distribution::Hash(columns)), Some(below)) if columns == join_key => {
            below.upsert_keys.clone()
        }
        _ => input.upsert_keys.clone(),
    }
}

/// Keys of pairs; a side's own keys do where the other side has at most one row for it.
///
/// Flink: `FlinkRelMdUniqueKeys.getJoinUniqueKeys`.
fn combine(
    (left, left_key): (&[Vec<u32>], &[u32]),
    (right, right_key): (&[Vec<u32>], &[u32]),
    kind: JoinKind,
    width: u32,
) -> Vec<Vec<u32>> {
    let shifted: Vec<Vec<u32>> = right
        .iter()
        .map(|key| key.iter().map(|column| column + width).gather())
        .gather();
    let mut keys: Vec<Vec<u32>> = Vec::new();
    let mut add = |key: Vec<u32>| {
        if !keys.contains(&key) {
            keys.push(key);
        }
    };
    for left_one in left {
        for right_one in &shifted {
            add(left_one.iter().chain(right_one).copied().gather());
        }
    }
    let is_unique = |keys: &[Vec<u32>], join_key: &[u32]| {
        keys.iter()
            .any(|key| key.iter().all(|column| join_key.contains(column)))
    };
    if is_unique(right, right_key) && !kind.keeps_right() {
        left.iter().cloned().for_each(&mut add);
    }
    if is_unique(left, left_key) && !kind.keeps_left() {
        shifted.into_iter().for_each(&mut add);
    }
    keys
}
