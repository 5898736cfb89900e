//! CAST, `TRY_CAST` and what the planner makes of them.

use sg_value::{TypeKind, Value};

use super::{
    CallSite, Eval, FunctionDef, Kernel, Resolve,
    definition::Family::Cast,
    value_cast::{can_fail, caster},
};
use crate::cast::cast_types;

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "CAST",
        Cast,
        Resolve::Internal,
        Eval::Build(build_cast),
        [
            "Converts a value to another type; what cannot be converted fails the job.",
            "转换类型；无法转换时作业失败。",
        ],
    )
    .sees_nulls()
    .written(&["CAST(value AS type)"]),
    FunctionDef::new(
        "TRY_CAST",
        Cast,
        Resolve::Internal,
        Eval::Build(build_try_cast),
        [
            "Converts a value to another type; what cannot be converted becomes NULL.",
            "转换类型；无法转换时得到 NULL。",
        ],
    )
    .written(&["TRY_CAST(value AS type)"]),
    FunctionDef::new(
        "Reinterpret",
        Cast,
        Resolve::Internal,
        Eval::Values(first),
        ["", ""],
    ),
];

fn build_cast(site: &CallSite<'_>) -> Kernel {
    let (from, to) = cast_types(site);
    let convert = caster(&from, &to);
    // Flink's code takes a NULL of a type that has none for what the variable began with.
    let null = match (&to.kind, site.data_type.nullable) {
        (TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt, false) => Value::Int(-1),
        (TypeKind::Float | TypeKind::Double, false) => Value::Double(-1.0),
        _ => Value::Null,
    };
    Box::new(move |values, cx| match values.first() {
        None | Some(Value::Null) => Ok(null.clone()),
        Some(value) => convert(value, cx),
    })
}

fn build_try_cast(site: &CallSite<'_>) -> Kernel {
    let (from, to) = cast_types(site);
    let convert = caster(&from, &to);
    let can_fail = can_fail(&from);
    Box::new(
        move |values, cx| match values.first().map(|value| convert(value, cx)) {
            Some(Err(_)) if can_fail => Ok(Value::Null),
            Some(result) => result,
            None => Ok(Value::Null),
        },
    )
}

fn first(values: &[Value]) -> super::Outcome {
    Ok(values.first().cloned().unwrap_or_default())
}
