//! The MAP_ functions.

use std::rc::Rc;

use sg_diag::Code;
use sg_value::{DataType, Field, Gather as _, MapValue, TypeKind, Value};

use super::{
    super::{
        Eval, FunctionDef, Outcome, Resolve,
        definition::Family::Collection,
        failure,
        signature::{Param, Returns, Signature, takes},
    },
    element_type, elements,
};
use crate::{bound::Expr, infer::generalized_type};

use Param::{Array, Map};

static KEYS: &[Signature] = &[takes(
    &[Map],
    Returns::From(|args| TypeKind::Array(Rc::new(parts(args, 0).0))),
)];
static VALUES: &[Signature] = &[takes(
    &[Map],
    Returns::From(|args| TypeKind::Array(Rc::new(parts(args, 0).1))),
)];
static ENTRIES: &[Signature] = &[takes(&[Map], Returns::From(entries_kind))];
static FROM_ARRAYS: &[Signature] = &[takes(
    &[Array, Array],
    Returns::From(|args| TypeKind::Map(Rc::new(element_type(args, 0)), Rc::new(element_type(args, 1)))),
)];
static UNION: &[Signature] = &[takes(&[Map, Map], Returns::From(union_kind))
    .variadic()
    .optional(1)];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&[Value]) -> Outcome,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Collection, Resolve::Table(of), Eval::Values(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(
        "MAP_KEYS",
        KEYS,
        |values| {
            Ok(Value::Array(
                pairs(values, 0).iter().map(|(key, _)| key.clone()).gather(),
            ))
        },
        ["The keys of a map.", "MAP 的键。"],
    ),
    row(
        "MAP_VALUES",
        VALUES,
        |values| {
            Ok(Value::Array(
                pairs(values, 0).iter().map(|(_, value)| value.clone()).gather(),
            ))
        },
        ["The values of a map.", "MAP 的值。"],
    ),
    row(
        "MAP_ENTRIES",
        ENTRIES,
        |values| {
            let rows = pairs(values, 0)
                .iter()
                .map(|(key, value)| Value::Row(Rc::from([key.clone(), value.clone()])));
            Ok(Value::Array(rows.gather()))
        },
        [
            "The entries of a map as rows of key and value.",
            "MAP 的条目，每条为键和值的行。",
        ],
    ),
    row(
        "MAP_FROM_ARRAYS",
        FROM_ARRAYS,
        from_arrays,
        [
            "A map of the keys of one array and the values of another.",
            "由键数组和值数组组成 MAP。",
        ],
    ),
    row(
        "MAP_UNION",
        UNION,
        |values| {
            // The last map as it is, then what the earlier ones have beside it.
            let mut entries: Vec<(Value, Value)> = Vec::new();
            for (key, value) in (0..values.len()).rev().flat_map(|at| pairs(values, at)) {
                if !entries.iter().any(|(known, _)| known == key) {
                    entries.push((key.clone(), value.clone()));
                }
            }
            Ok(Value::Map(Rc::new(MapValue { entries })))
        },
        [
            "All entries; of equal keys the last one.",
            "合并多个 MAP；键相同时取后者。",
        ],
    ),
];

/// Key and value type of a map argument.
fn parts(args: &[Expr], at: usize) -> (DataType, DataType) {
    match args.get(at).map(|arg| &arg.data_type.kind) {
        Some(TypeKind::Map(key, value)) => (key.as_ref().clone(), value.as_ref().clone()),
        _ => (
            DataType::nullable(TypeKind::Null),
            DataType::nullable(TypeKind::Null),
        ),
    }
}

fn entries_kind(args: &[Expr]) -> TypeKind {
    let (key, value) = parts(args, 0);
    let field = |name: &str, data_type| Field {
        name: Rc::from(name),
        data_type,
    };
    let row = TypeKind::Row(Rc::from([field("key", key), field("value", value)]));
    TypeKind::Array(Rc::new(DataType::nullable(row)))
}

fn union_kind(args: &[Expr]) -> TypeKind {
    let all: Vec<(DataType, DataType)> = (0..args.len()).map(|at| parts(args, at)).gather();
    let common = |pick: fn(&(DataType, DataType)) -> DataType| {
        let types: Vec<DataType> = all.iter().map(pick).gather();
        Rc::new(generalized_type(&types).unwrap_or_else(|| DataType::nullable(TypeKind::Null)))
    };
    TypeKind::Map(common(|(key, _)| key.clone()), common(|(_, value)| value.clone()))
}

fn pairs(values: &[Value], at: usize) -> &[(Value, Value)] {
    match values.get(at) {
        Some(Value::Map(map)) => &map.entries,
        _ => &[],
    }
}

fn from_arrays(values: &[Value]) -> Outcome {
    let (keys, items) = (elements(values, 0), elements(values, 1));
    if keys.len() != items.len() {
        let message = format!(
            "The length of the keys array {} is not equal to the length of the values array {}",
            keys.len(),
            items.len()
        );
        return Err(Box::new(
            failure(Code::ValueNotTaken)
                .arg("function", "MAP_FROM_ARRAYS")
                .arg(
                    "reason",
                    format!("there are {} keys and {} values", keys.len(), items.len()),
                )
                .flink(format!("Invalid function MAP_FROM_ARRAYS call: {message}")),
        ));
    }
    // Equal keys stay beside each other, as in Flink.
    let entries = keys.iter().cloned().zip(items.iter().cloned()).gather();
    Ok(Value::Map(Rc::new(MapValue { entries })))
}
