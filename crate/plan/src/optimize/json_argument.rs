//! The value of `JSON_OBJECTAGG` and `JSON_ARRAYAGG` becomes JSON text in the projection below, behind its other columns.
//!
//! Flink: `WrapJsonAggFunctionArgumentsRule`. Case: group-agg/json-objectagg-and-text-min.

use std::rc::Rc;

use sg_diag::Diagnostics;
use sg_expr::{AggregateCall, Expr, resolve_call};
use sg_value::DataType;

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, names, with_inputs},
};
use crate::logical::{AggregateNode, LogicalNode, LogicalOp, same_expression};

pub(super) struct JsonArguments;

impl Rule for JsonArguments {
    fn name(&self) -> &'static str {
        "json-arguments"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Aggregate(aggregate) = &node.op else {
            return None;
        };
        let input = node.inputs.first()?;
        let columns = all_columns(input);
        let mut expressions = columns.clone();
        let mut calls = aggregate.calls.clone();
        for call in calls.iter_mut().filter(|call| is_json(call)) {
            let at = usize::from(call.function.name.starts_with("JSON_OBJECTAGG"));
            let arg = columns.get(*call.args.get(at)? as usize)?;
            if is_wrapped(input, *call.args.get(at)?) {
                continue;
            }
            let wrapped = resolve_call(
                "JSON_STRING",
                vec![arg.clone()],
                call.span,
                &mut Diagnostics::new(),
            );
            if wrapped.is_invalid() {
                continue;
            }
            let known = expressions
                .iter()
                .skip(columns.len())
                .position(|known| same_expression(known, &wrapped));
            let position = known.map_or_else(
                || {
                    expressions.push(wrapped.clone());
                    expressions.len() - 1
                },
                |known| columns.len() + known,
            );
            if let Some(slot) = call.args.get_mut(at) {
                *slot = u32::try_from(position).ok()?;
            }
            if let Some(slot) = call.arg_types.get_mut(at) {
                *slot = DataType::STRING.with_nullable(arg.data_type.nullable);
            }
        }
        if expressions.len() == columns.len() {
            return None;
        }
        let mut given: Vec<Rc<str>> = names(input);
        given.extend((columns.len()..expressions.len()).map(|at| Rc::from(format!("$f{at}"))));
        let below = cx
            .builder
            .project_always(Rc::clone(input), expressions, &given, input.span);
        let op = LogicalOp::Aggregate(AggregateNode {
            calls,
            ..aggregate.clone()
        });
        Some(with_inputs(
            &LogicalNode {
                op,
                ..(**node).clone()
            },
            vec![below],
        ))
    }
}

fn is_json(call: &AggregateCall) -> bool {
    call.function.name.starts_with("JSON_")
}

/// Whether the column below is JSON text that this rule made.
fn is_wrapped(input: &LogicalNode, column: u32) -> bool {
    let LogicalOp::Project(project) = &input.op else {
        return false;
    };
    let made = |expr: &Expr| matches!(&expr.kind, sg_expr::ExprKind::Call { function, .. } if function.name == "JSON_STRING");
    let own_name = input
        .schema
        .get(column as usize)
        .is_some_and(|field| *field.name == *format!("$f{column}"));
    own_name && project.expressions.get(column as usize).is_some_and(made)
}
