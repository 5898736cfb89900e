//! The texts of joins that know about time.

use sg_expr::PlanStyle;
use sg_value::{Field, Gather as _};

use super::{
    join::both_inputs,
    line::{all_names, expression, item, name_of},
    window::window_text,
};
use crate::physical::{
    lower::delivered_fields,
    node::PhysicalNode,
    timed::{JoinCore, LookupJoinSpec, LookupKey, TimedJoinSpec},
};

/// The attributes in Flink's order.
#[inline(never)]
pub(super) fn attributes(node: &PhysicalNode, spec: &TimedJoinSpec, style: PlanStyle) -> Vec<String> {
    let select = format!("select=[{}]", all_names(&node.schema));
    let kind = |core: &JoinCore| format!("joinType=[{}]", core.kind.name());
    let condition = |core: &JoinCore| {
        format!(
            "where=[{}]",
            expression(&core.condition, &both_inputs(node), style)
        )
    };
    match spec {
        TimedJoinSpec::Interval(spec) => {
            let bounds = spec.bounds;
            vec![
                kind(&spec.join),
                format!(
                    "windowBounds=[isRowTime={}, leftLowerBound={}, leftUpperBound={}, leftTimeIndex={}, rightTimeIndex={}]",
                    bounds.rowtime, bounds.lower_ms, bounds.upper_ms, bounds.left_time, bounds.right_time
                ),
                condition(&spec.join),
                select,
            ]
        }
        TimedJoinSpec::Window(spec) => {
            let [left, right] = &spec.windows;
            let columns = |at: usize| node.inputs.get(at).map_or(&[][..], |input| &input.schema);
            vec![
                format!("leftWindow=[{}]", window_text(left, &[], columns(0))),
                format!("rightWindow=[{}]", window_text(right, &[], columns(1))),
                kind(&spec.join),
                condition(&spec.join),
                select,
            ]
        }
        TimedJoinSpec::Temporal(spec) => vec![kind(&spec.join), condition(&spec.join), select],
        TimedJoinSpec::Lookup(spec) => lookup(node, spec, style),
    }
}

fn lookup(node: &PhysicalNode, spec: &LookupJoinSpec, style: PlanStyle) -> Vec<String> {
    let input = node.inputs.first().map_or(&[][..], |input| &input.schema);
    let table = delivered_fields(spec);
    let keys: Vec<String> = spec
        .keys
        .iter()
        .map(|(column, key)| {
            let value = match key {
                LookupKey::Column(column) => name_of(*column, input).to_owned(),
                LookupKey::Constant(constant) => constant_text(constant, style),
            };
            format!("{}={value}", name_of(*column, &table))
        })
        .gather();
    let mut parts = vec![
        format!("table=[{}]", spec.table.full_name()),
        format!("joinType=[{}]", spec.kind.name()),
        format!("lookup=[{}]", keys.join(", ")),
    ];
    if let Some(condition) = spec.calc.as_ref().and_then(|calc| calc.condition.as_ref()) {
        parts.push(format!("where=[{}]", expression(condition, &table, style)));
    }
    // Flink prints the two one behind the other.
    let conditions: String = spec
        .before
        .iter()
        .chain(&spec.condition)
        .map(|condition| expression(condition, &node.schema, style))
        .gather();
    if !conditions.is_empty() {
        parts.push(format!("joinCondition=[{conditions}]"));
    }
    let select = match &spec.calc {
        Some(calc) => {
            let found = calc
                .projection
                .iter()
                .zip(&calc.fields)
                .map(|(expr, field): (_, &Field)| item(expr, &table, &field.name, style));
            input
                .iter()
                .map(|field| field.name.to_string())
                .chain(found)
                .gather::<Vec<_>>()
                .join(", ")
        }
        None => all_names(&node.schema),
    };
    parts.push(format!("select=[{select}]"));
    if spec.hints.shuffle {
        parts.push("shuffle=[true]".to_owned());
    }
    if let Some(retry) = &spec.hints.retry {
        parts.push(format!("retry=[{}]", retry.text));
    }
    if let Some((rows, latest_ms)) = spec.hints.mini_batch {
        parts.push(format!(
            "miniBatch=[{rows} rows, {latest_ms}ms], extension=[true]"
        ));
    }
    if let Some(key) = &spec.upsert_key {
        let key: Vec<String> = key.iter().map(u32::to_string).gather();
        parts.push(format!("upsertKey=[[{}]]", key.join(", ")));
    }
    parts
}

/// A constant without its type.
fn constant_text(constant: &sg_expr::Expr, style: PlanStyle) -> String {
    let text = expression(constant, &[], style);
    match text.rfind("':") {
        Some(end) => text.get(..=end).unwrap_or(&text).to_owned(),
        None => text.split(':').next().unwrap_or(&text).to_owned(),
    }
}
