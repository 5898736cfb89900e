//! The text of a table function that is called for each row.

use sg_expr::PlanStyle;
use sg_value::{Field, Gather as _};

use super::{ast::record_type, line::expression};
use crate::logical::TableFunction;
use crate::physical::{
    PhysicalPlan, PhysicalRoot,
    node::{CorrelateSpec, PhysicalNode, PhysicalOp},
};
use std::rc::Rc;

/// The plan with the variables of an EXPLAIN statement, whose query is bound once only.
pub(super) fn renumbered(plan: &PhysicalPlan, used: u32) -> PhysicalPlan {
    fn node(old: &Rc<PhysicalNode>, used: u32) -> Rc<PhysicalNode> {
        let inputs = old.inputs.iter().map(|input| node(input, used)).gather();
        let mut new = old.with_inputs(inputs);
        if let PhysicalOp::Correlate(spec) = &mut new.op {
            spec.variable = spec.variable.map(|variable| variable.saturating_sub(used));
        }
        Rc::new(new)
    }
    if used == 0 {
        return plan.clone();
    }
    let roots = plan.roots.iter().map(|root| PhysicalRoot {
        node: node(&root.node, used),
        schema: Rc::clone(&root.schema),
    });
    PhysicalPlan {
        roots: roots.gather(),
    }
}

/// `invocation=[…], correlate=[table(…)], select=[a,b,f0], rowType=[RecordType(…)], joinType=[INNER]`
#[inline(never)]
pub(super) fn attributes(node: &PhysicalNode, spec: &CorrelateSpec, style: PlanStyle) -> Vec<String> {
    let input = node
        .inputs
        .first()
        .map(|input| &*input.schema)
        .unwrap_or_default();
    let (name, args) = spec.function.shown(&spec.args);
    let call = |names: &[Field], separator: &str| {
        let args: Vec<String> = args.iter().map(|arg| expression(arg, names, style)).gather();
        format!("{name}({})", args.join(separator))
    };
    let renamed = |name: &dyn Fn(usize, &Field) -> String| -> Vec<Field> {
        input
            .iter()
            .enumerate()
            .map(|(at, field)| Field {
                name: name(at, field).into(),
                data_type: field.data_type.clone(),
            })
            .gather()
    };
    // a variable stands for the row, without one columns are numbers here and names there
    let (invocation, correlate) = match spec.variable {
        Some(variable) => {
            let names = renamed(&|at, field| {
                let name = spec.row.get(at).unwrap_or(&field.name);
                format!("$cor{variable}.{name}")
            });
            let text = call(&names, ", ");
            (text.clone(), text)
        }
        None => (call(&renamed(&|at, _| format!("${at}")), ", "), call(input, ",")),
    };
    let record = record_type(&node.schema);
    let record = if input.is_empty() && spec.function != TableFunction::Script {
        record.replacen("RecordType(", "RecordType:peek_no_expand(", 1)
    } else {
        record
    };
    let names: Vec<&str> = node.schema.iter().map(|field| &*field.name).gather();
    let mut attributes = vec![
        format!("invocation=[{invocation}]"),
        format!("correlate=[table({correlate})]"),
        format!("select=[{}]", names.join(",")),
        format!("rowType=[{record}]"),
        format!("joinType=[{}]", if spec.left { "LEFT" } else { "INNER" }),
    ];
    if let Some(condition) = &spec.condition {
        let numbers: Vec<Field> = spec
            .columns
            .iter()
            .enumerate()
            .map(|(at, field)| Field {
                name: format!("${at}").into(),
                data_type: field.data_type.clone(),
            })
            .gather();
        attributes.push(format!(
            "condition=[{}]",
            expression(condition, &numbers, PlanStyle::Ast)
        ));
    }
    attributes
}
