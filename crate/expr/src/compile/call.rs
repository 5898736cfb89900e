//! Calls of functions on values: arguments evaluated, NULLs kept away.

use sg_diag::Span;
use sg_value::{Gather as _, Value};

use super::{Node, place};
use crate::{
    eval::{EvalCx, EvalError},
    function::{Nulls, Outcome},
};

/// Arguments that fit without allocating.
const INLINE: usize = 6;

/// A node that evaluates its arguments and calls `compute`.
pub(super) fn node<F>(compute: F, nodes: Vec<Node>, nulls: Nulls, span: Span) -> Node
where
    F: Fn(&[Value], &EvalCx) -> Outcome + 'static,
{
    let strict = nulls == Nulls::Strict;
    match <[Node; 1]>::try_from(nodes) {
        Ok([only]) => Node::Value(Box::new(move |row, cx| {
            let value = [only.eval(row, cx)?];
            finish(&compute, &value, strict, cx, span)
        })),
        Err(nodes) => match <[Node; 2]>::try_from(nodes) {
            Ok([left, right]) => Node::Value(Box::new(move |row, cx| {
                let values = [left.eval(row, cx)?, right.eval(row, cx)?];
                finish(&compute, &values, strict, cx, span)
            })),
            Err(nodes) => many(compute, nodes, strict, span),
        },
    }
}

fn many<F>(compute: F, nodes: Vec<Node>, strict: bool, span: Span) -> Node
where
    F: Fn(&[Value], &EvalCx) -> Outcome + 'static,
{
    if nodes.len() > INLINE {
        return Node::Value(Box::new(move |row, cx| {
            let values = strict_values(&nodes, row, cx)?;
            finish(&compute, &values, strict, cx, span)
        }));
    }
    Node::Value(Box::new(move |row, cx| {
        let mut values = [const { Value::Null }; INLINE];
        for (value, node) in values.iter_mut().zip(&nodes) {
            *value = node.eval(row, cx)?;
        }
        let (used, _) = values.split_at(nodes.len());
        finish(&compute, used, strict, cx, span)
    }))
}

/// The values of several nodes.
pub(crate) fn strict_values(nodes: &[Node], row: &[Value], cx: &EvalCx) -> Result<Vec<Value>, EvalError> {
    nodes.iter().map(|node| node.eval(row, cx)).gather()
}

#[inline]
fn finish<F>(compute: &F, values: &[Value], strict: bool, cx: &EvalCx, span: Span) -> Result<Value, EvalError>
where
    F: Fn(&[Value], &EvalCx) -> Outcome,
{
    if strict && values.iter().any(Value::is_null) {
        return Ok(Value::Null);
    }
    compute(values, cx).map_err(|failure| place(failure, span))
}
