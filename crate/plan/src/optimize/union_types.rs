//! Inputs of a UNION are cast to its column types; a column that only becomes nullable is cast too.
//!
//! Flink: Calcite's `CoerceInputsRule`. Cases: select/union-all-widens-types, types/union-all-of-nullable-and-char.

use std::rc::Rc;

use sg_diag::Diagnostics;
use sg_expr::{CastMode, Expr, cast, cast_exactly, is_constructed};
use sg_value::{DataType, Field, Gather as _};

use super::{
    Rule, RuleContext,
    rewrite::{names, plain, with_inputs},
};
use crate::logical::{LogicalNode, LogicalOp};

pub(super) struct UnionTypes;

impl Rule for UnionTypes {
    fn name(&self) -> &'static str {
        "union-types"
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let (LogicalOp::Union(_) | LogicalOp::SetOp(_)) = node.op else {
            return None;
        };
        let inputs: Vec<Option<Rc<LogicalNode>>> = node
            .inputs
            .iter()
            .map(|input| coerced(input, &node.schema, cx))
            .gather();
        if inputs.iter().all(Option::is_none) {
            return None;
        }
        let inputs = inputs
            .into_iter()
            .zip(&node.inputs)
            .map(|(new, old)| new.unwrap_or_else(|| Rc::clone(old)))
            .gather();
        Some(with_inputs(node, inputs))
    }
}

/// The input with casts above it, or `None` where its types are the union's.
fn coerced(input: &Rc<LogicalNode>, schema: &[Field], cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
    let fits = |from: &DataType, to: &DataType| plain(from) == plain(to);
    if input
        .schema
        .iter()
        .zip(schema)
        .all(|(from, to)| fits(&from.data_type, &to.data_type))
    {
        return None;
    }
    let expressions: Vec<Expr> = (0_u32..)
        .zip(input.schema.iter().zip(schema))
        .map(|(at, (from, to))| {
            let column = Expr::column(at, from.data_type.clone(), input.span);
            if fits(&from.data_type, &to.data_type) {
                return column;
            }
            let to = plain(&to.data_type);
            if from.data_type.kind == to.kind || is_constructed(&to.kind) {
                return cast_exactly(column, &to);
            }
            let mut diags = Diagnostics::new();
            let converted = cast(column, &to, CastMode::Implicit, input.span, &mut diags);
            cast_exactly(converted, &to)
        })
        .gather();
    let names = names(input);
    Some(
        cx.builder
            .project_always(Rc::clone(input), expressions, &names, input.span),
    )
}
