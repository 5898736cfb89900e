//! The texts of group windows: `TumblingGroupWindow('w$, ts, 10000)`.

use sg_expr::{AggregateCall, aggregate::plan_text};
use sg_value::{Field, Gather as _};

use super::line::{name_of, names};
use crate::physical::node::{EmitSpec, GroupWindowAggregateSpec, WindowKind, WindowProperty};

/// The attributes of the exec node.
#[inline(never)]
pub(super) fn attributes(spec: &GroupWindowAggregateSpec, input: &[Field]) -> Vec<String> {
    let mut attributes = window_attributes(spec, input);
    attributes.push(format!("select=[{}]", select(spec, input).join(", ")));
    if matches!(spec.window.kind, WindowKind::Cumulate { .. }) {
        attributes.push("extension=[true]".to_owned());
    }
    if let Some(emit) = &spec.emit {
        attributes.push(format!("emit=[{}]", emit_text(emit)));
    }
    attributes
}

/// Those in front of `select`.
pub(super) fn window_attributes(spec: &GroupWindowAggregateSpec, input: &[Field]) -> Vec<String> {
    let mut attributes = Vec::new();
    if !spec.keys.is_empty() {
        attributes.push(format!("groupBy=[{}]", names(&spec.keys, input)));
    }
    attributes.push(format!("window=[{}]", window_name(spec)));
    let properties = properties(spec);
    if !properties.is_empty() {
        attributes.push(format!("properties=[{}]", properties.join(", ")));
    }
    attributes
}

/// The attributes of the logical node, which messages show.
pub(super) fn logical_attributes(spec: &GroupWindowAggregateSpec) -> Vec<String> {
    let keys: Vec<String> = spec.keys.iter().map(ToString::to_string).gather();
    let mut attributes = vec![format!("group=[{{{}}}]", keys.join(", "))];
    let calls = spec.calls.iter().take(spec.visible_calls as usize);
    attributes.extend(calls.map(|call| {
        let arguments: Vec<String> = call.args.iter().map(|column| format!("${column}")).gather();
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        let filter = call
            .filter
            .map(|column| format!(" FILTER ${column}"))
            .unwrap_or_default();
        format!(
            "{}=[{}({distinct}{}){filter}]",
            call.name,
            call.function_name(),
            arguments.join(", ")
        )
    }));
    attributes.push(format!("window=[{}]", window_name(spec)));
    attributes.push(format!("properties=[{}]", properties(spec).join(", ")));
    attributes
}

/// `TumblingGroupWindow('w$, ts, 60000)`
pub(crate) fn window_name(spec: &GroupWindowAggregateSpec) -> String {
    let time = &spec.time_name;
    match spec.window.kind {
        WindowKind::Tumble { size_ms, .. } => format!("TumblingGroupWindow('w$, {time}, {size_ms})"),
        WindowKind::Hop {
            slide_ms, size_ms, ..
        } => format!("SlidingGroupWindow('w$, {time}, {size_ms}, {slide_ms})"),
        WindowKind::Session { gap_ms } | WindowKind::Dynamic { gap_ms, .. } => {
            format!("SessionGroupWindow('w$, {time}, {gap_ms})")
        }
        // An extension: Flink has no such group window.
        WindowKind::Cumulate {
            step_ms,
            max_size_ms,
            offset_ms,
        } => {
            let offset = if offset_ms == 0 {
                String::new()
            } else {
                format!(", {offset_ms}")
            };
            format!("CumulatingGroupWindow('w$, {time}, {max_size_ms}, {step_ms}{offset})")
        }
    }
}

fn properties(spec: &GroupWindowAggregateSpec) -> Vec<&'static str> {
    spec.properties
        .iter()
        .map(|property| match property {
            WindowProperty::Start => "w$start",
            WindowProperty::End => "w$end",
            WindowProperty::Rowtime => "w$rowtime",
            WindowProperty::Proctime => "w$proctime",
        })
        .gather()
}

/// Calls stand as they are written, also where rows are taken back.
fn select(spec: &GroupWindowAggregateSpec, input: &[Field]) -> Vec<String> {
    let columns = |column: u32| name_of(column, input);
    let keys = spec.keys.iter().map(|key| name_of(*key, input).to_owned());
    let calls = spec.calls.iter().take(spec.visible_calls as usize).map(|call| {
        let plain = AggregateCall {
            retract: false,
            ..call.clone()
        };
        format!("{} AS {}", plan_text(&plain, &columns), call.name)
    });
    let bounds = properties(spec)
        .into_iter()
        .map(|name| format!("{}('w$) AS {name}", name.trim_start_matches("w$")));
    keys.chain(calls).chain(bounds).gather()
}

fn emit_text(emit: &EmitSpec) -> String {
    let delay = |delay_ms: i64| {
        if delay_ms > 0 {
            format!("delay {delay_ms} millisecond")
        } else {
            "no delay".to_owned()
        }
    };
    let early = emit.early_ms.map(|delay_ms| format!("early {}", delay(delay_ms)));
    let late = emit.late_ms.map(|delay_ms| format!("late {}", delay(delay_ms)));
    early.into_iter().chain(late).gather::<Vec<_>>().join(", ")
}
