//! The text of a join of several inputs.

use sg_expr::PlanStyle;
use sg_value::Gather as _;

use super::{
    ast::record_type,
    line::{expression, names},
};
use crate::physical::{multi_join::MultiJoinSpec, node::PhysicalNode};

/// `commonJoinKey=[id], joinTypes=[INNER], inputUniqueKeys=[(id), noUniqueKey], joinConditions=[…], …`
#[inline(never)]
pub(super) fn attributes(node: &PhysicalNode, spec: &MultiJoinSpec, style: PlanStyle) -> Vec<String> {
    let first = node
        .inputs
        .first()
        .map(|input| &*input.schema)
        .unwrap_or_default();
    let key = spec.inputs.first().map_or(&[][..], |input| &input.key);
    let steps = || spec.inputs.iter().filter_map(|input| input.step.as_ref());
    let kinds: Vec<&str> = steps()
        .map(|step| if step.left { "LEFT" } else { "INNER" })
        .gather();
    let unique: Vec<String> = spec
        .inputs
        .iter()
        .zip(&node.inputs)
        .map(|(known, input)| match &known.unique {
            Some(columns) => format!("({})", names(columns, &input.schema)),
            None => "noUniqueKey".to_owned(),
        })
        .gather();
    let conditions: Vec<String> = steps()
        .map(|step| expression(&step.condition, &node.schema, style))
        .gather();
    let columns: Vec<&str> = node.schema.iter().map(|field| &*field.name).gather();
    let mut attributes = vec![
        format!("commonJoinKey=[{}]", names(key, first)),
        format!("joinTypes=[{}]", kinds.join(", ")),
        format!("inputUniqueKeys=[{}]", unique.join(", ")),
    ];
    if spec.ttl_hints.iter().any(Option::is_some) {
        let times: Vec<&str> = spec
            .ttl_hints
            .iter()
            .map(|ttl| ttl.as_deref().unwrap_or("0s"))
            .gather();
        attributes.push(format!(
            "stateTtlHints=[[[STATE_TTL options:[{}]]]]",
            times.join(", ")
        ));
    }
    attributes.extend([
        format!("joinConditions=[{}]", conditions.join(", ")),
        format!("select=[{}]", columns.join(",")),
        format!("rowType=[{}]", record_type(&node.schema)),
    ]);
    attributes
}
