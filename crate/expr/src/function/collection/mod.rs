//! ROW, ARRAY and MAP: made, looked into, taken apart.

mod access;
mod array;
mod make;
mod map;

use std::rc::Rc;

use sg_value::{DataType, MapValue, TypeKind, Value};

use super::FunctionDef;
use crate::{bound::Expr, infer::generalized_type};

pub(super) static TABLES: [&[FunctionDef]; 4] = [make::ROWS, access::ROWS, array::ROWS, map::ROWS];

/// A map of entries of which later ones win.
pub(super) fn map_of(entries: impl Iterator<Item = (Value, Value)>) -> Value {
    let mut map = MapValue::default();
    for (key, value) in entries {
        match map.entries.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = value,
            None => map.entries.push((key, value)),
        }
    }
    Value::Map(Rc::new(map))
}

/// The elements of an array argument.
fn elements(values: &[Value], at: usize) -> &[Value] {
    match values.get(at) {
        Some(Value::Array(elements)) => elements,
        _ => &[],
    }
}

/// The element type of an array argument.
fn element_type(args: &[Expr], at: usize) -> DataType {
    match args.get(at).map(|arg| &arg.data_type.kind) {
        Some(TypeKind::Array(element)) => element.as_ref().clone(),
        _ => DataType::nullable(TypeKind::Null),
    }
}

/// ARRAY of the type that all of these have in common.
fn array_of_common(types: &[DataType]) -> TypeKind {
    let common = generalized_type(types).unwrap_or_else(|| DataType::nullable(TypeKind::Null));
    TypeKind::Array(Rc::new(common))
}
