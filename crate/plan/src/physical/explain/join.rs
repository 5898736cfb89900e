//! The text of a join.

use sg_expr::PlanStyle;

use super::line::{all_names, expression};
use crate::{
    logical::{JoinHints, condition_fields, unique_names},
    physical::{join::JoinSpec, node::PhysicalNode},
};
use sg_value::{Field, Gather as _};
use std::rc::Rc;

/// `joinType=[InnerJoin], where=[=(k, k0)], select=[…], leftInputSpec=[…], rightInputSpec=[…]`
#[inline(never)]
pub(super) fn attributes(node: &PhysicalNode, spec: &JoinSpec, style: PlanStyle) -> Vec<String> {
    let [left, right] = &spec.sides;
    let mut all = vec![
        format!("joinType=[{}]", spec.kind.name()),
        format!(
            "where=[{}]",
            expression(&spec.condition, &both_inputs(node), style)
        ),
        format!("select=[{}]", all_names(&node.schema)),
        format!("leftInputSpec=[{}]", left.unique.text()),
        format!("rightInputSpec=[{}]", right.unique.text()),
    ];
    // Printed for semi and anti joins too, which gather nothing.
    all.extend(spec.mini_batch.map(|_| "miniBatch=[true]".into()));
    all
}

/// The columns of both inputs under the names that a condition shows.
pub(super) fn both_inputs(node: &PhysicalNode) -> Vec<Field> {
    let [left, right] = node.inputs.as_slice() else {
        return Vec::new();
    };
    let fields = condition_fields(&left.schema, &right.schema);
    let names: Vec<Option<Rc<str>>> = fields.iter().map(|field| Some(Rc::clone(&field.name))).gather();
    fields
        .into_iter()
        .zip(unique_names(&names))
        .map(|(field, name)| Field { name, ..field })
        .gather()
}

/// Hints stand behind the changelog mode.
pub(super) fn hints(hints: &JoinHints) -> Option<String> {
    let words = ["LEFT", "RIGHT"];
    let sides: Vec<String> = words
        .iter()
        .zip(&hints.ttl)
        .filter_map(|(word, ttl)| ttl.as_ref().map(|ttl| format!("{word}={ttl}")))
        .gather();
    let mut texts = Vec::new();
    if !hints.ignored.is_empty() {
        texts.push(format!("joinHints=[[[{}]]]", hints.ignored.join("], [")));
    }
    if !sides.is_empty() {
        texts.push(format!(
            "stateTtlHints=[[[STATE_TTL options:{{{}}}]]]",
            sides.join(", ")
        ));
    }
    (!texts.is_empty()).then(|| texts.join(", "))
}
