//! CAST, `TRY_CAST` and what the planner makes of them.

use sg_value::Value;

use super::{CallSite, Eval, FunctionDef, Kernel, Resolve, definition::Family::Cast, value_cast::caster};
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
    Box::new(move |values, cx| values.first().map_or(Ok(Value::Null), |value| convert(value, cx)))
}

fn build_try_cast(site: &CallSite<'_>) -> Kernel {
    let (from, to) = cast_types(site);
    let convert = caster(&from, &to);
    Box::new(move |values, cx| {
        Ok(values
            .first()
            .and_then(|value| convert(value, cx).ok())
            .unwrap_or(Value::Null))
    })
}

fn first(values: &[Value]) -> super::Outcome {
    Ok(values.first().cloned().unwrap_or_default())
}
