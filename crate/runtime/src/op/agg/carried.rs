//! How the output of a local phase carries the maps beside its accumulators.
//!
//! Flink serialises a map into the accumulator's field. Here one cell becomes a row of its own value and of the maps in
//! their order; the second phase takes it apart again.

use std::rc::Rc;

use sg_value::{
    DataType, Gather as _, MapValue, TypeKind, Value,
    format::{FIRST_CAPACITY, bucket_order},
    hash,
};

/// Entries per view.
pub(in crate::op) type ViewEntries = Vec<Vec<(Vec<Value>, i64)>>;

/// The cell that carries the maps: one that stands for a map anyway, if there is one.
fn carrier(types: &[DataType]) -> usize {
    types
        .iter()
        .rposition(|data_type| matches!(data_type.kind, TypeKind::Raw(_)))
        .unwrap_or(0)
}

/// Puts the entries of all views into the cells.
pub(in crate::op) fn pack(types: &[DataType], cells: &mut [Value], views: ViewEntries) {
    let Some(cell) = cells.get_mut(carrier(types)) else {
        return;
    };
    let maps = views.into_iter().map(|entries| {
        let entries = as_java(entries).into_iter();
        Value::Map(Rc::new(MapValue {
            entries: entries
                .map(|(value, number)| (Value::Row(value.into()), Value::Int(number)))
                .gather(),
        }))
    });
    let own = std::mem::take(cell);
    *cell = Value::Row(std::iter::once(own).chain(maps).gather());
}

/// Values of one column in the order of Flink's map, a `HashMap` by their internal form.
///
/// Case: optimisation/listagg-distinct-in-two-phases.
#[cfg_attr(sg_hot, optimize(size))]
fn as_java(entries: Vec<(Vec<Value>, i64)>) -> Vec<(Vec<Value>, i64)> {
    let hashes: Option<Vec<i32>> = entries
        .iter()
        .map(|(value, _)| match value.as_slice() {
            [value] => hash::java_code(value),
            _ => None,
        })
        .gather();
    let Some(hashes) = hashes else { return entries };
    let mut numbered: Vec<Option<(Vec<Value>, i64)>> = entries.into_iter().map(Some).gather();
    let order = bucket_order(&hashes, FIRST_CAPACITY);
    order
        .into_iter()
        .filter_map(|at| numbered.get_mut(at).and_then(Option::take))
        .gather()
}

/// Takes the entries out of the cells and leaves the cells as they were.
pub(in crate::op) fn unpack(types: &[DataType], cells: &mut [Value]) -> ViewEntries {
    let Some(cell) = cells.get_mut(carrier(types)) else {
        return Vec::new();
    };
    let Value::Row(parts) = std::mem::take(cell) else {
        return Vec::new();
    };
    let Some((own, maps)) = parts.split_first() else {
        return Vec::new();
    };
    *cell = own.clone();
    maps.iter().map(entries_of).gather()
}

fn entries_of(map: &Value) -> Vec<(Vec<Value>, i64)> {
    let Value::Map(map) = map else { return Vec::new() };
    map.entries
        .iter()
        .filter_map(|(value, number)| match value {
            Value::Row(cells) => Some((cells.to_vec(), number.as_int()?)),
            _ => None,
        })
        .gather()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let types = [DataType::BIGINT, DataType::nullable(TypeKind::Raw("map".into()))];
        let mut cells = [Value::Int(7), Value::Null];
        let views = vec![vec![(vec![Value::Null], 1), (vec![Value::Int(1)], 2)], vec![]];
        pack(&types, &mut cells, views.clone());
        assert_eq!(cells.first(), Some(&Value::Int(7)));
        assert_eq!(unpack(&types, &mut cells), views);
        assert_eq!(cells, [Value::Int(7), Value::Null]);
    }
}
