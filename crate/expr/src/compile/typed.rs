//! Closures over two operands that look at columns and constants directly.
//!
//! `compute` is a type parameter, so that each operator gets its own straight code; what it returns decides the
//! kind of node (truth value, number).

use sg_diag::Span;
use sg_value::{TypeKind, Value};

use super::{Node, node::double_of, place};
use crate::{
    eval::{EvalCx, EvalError},
    function::{CallSite, Failure},
    number::{double_from, round_to_float},
    types::{KindExt, scale_of},
};

/// A closure from a row to a `T`; `None` is NULL.
type TypedFn<T> = Box<dyn Fn(&[Value], &EvalCx) -> Result<Option<T>, EvalError>>;

/// Two `Int`s.
pub(crate) fn binary_int<T, F>(left: Node, right: Node, span: Span, compute: F) -> TypedFn<T>
where
    T: 'static,
    F: Fn(i64, i64) -> Result<T, Failure> + 'static,
{
    binary(left, right, span, compute, Value::as_int)
}

/// Two `Double`s.
pub(crate) fn binary_double<T, F>(left: Node, right: Node, span: Span, compute: F) -> TypedFn<T>
where
    T: 'static,
    F: Fn(f64, f64) -> Result<T, Failure> + 'static,
{
    binary(left, right, span, compute, double_of)
}

/// Two timestamps as (milliseconds, nanoseconds within).
pub(crate) fn binary_timestamp<T, F>(left: Node, right: Node, span: Span, compute: F) -> TypedFn<T>
where
    T: 'static,
    F: Fn((i64, u32), (i64, u32)) -> Result<T, Failure> + 'static,
{
    binary(left, right, span, compute, timestamp_of)
}

const fn timestamp_of(value: &Value) -> Option<(i64, u32)> {
    match value {
        Value::Timestamp { ms, nanos } => Some((*ms, *nanos)),
        _ => None,
    }
}

fn binary<A, T, F>(
    left: Node,
    right: Node,
    span: Span,
    compute: F,
    take: impl Fn(&Value) -> Option<A> + Copy + 'static,
) -> TypedFn<T>
where
    A: Copy + 'static,
    T: 'static,
    F: Fn(A, A) -> Result<T, Failure> + 'static,
{
    let finish = move |left: Option<A>, right: Option<A>| match (left, right) {
        (Some(left), Some(right)) => match compute(left, right) {
            Ok(result) => Ok(Some(result)),
            Err(failure) => Err(place(failure, span)),
        },
        _ => Ok(None),
    };
    match (left, right) {
        (Node::Column(left), Node::Column(right)) => {
            Box::new(move |row, _| finish(row.get(left).and_then(take), row.get(right).and_then(take)))
        }
        (Node::Column(left), Node::Literal(right)) => {
            let right = take(&right);
            Box::new(move |row, _| finish(row.get(left).and_then(take), right))
        }
        (Node::Literal(left), Node::Column(right)) => {
            let left = take(&left);
            Box::new(move |row, _| finish(left, row.get(right).and_then(take)))
        }
        (left, Node::Literal(right)) => {
            let right = take(&right);
            Box::new(move |row, cx| finish(take(&left.eval(row, cx)?), right))
        }
        (left, right) => {
            Box::new(move |row, cx| finish(take(&left.eval(row, cx)?), take(&right.eval(row, cx)?)))
        }
    }
}

/// Two values that are looked at in place: texts, byte strings, nested values.
pub(crate) fn binary_bytes_like<T, F>(left: Node, right: Node, compute: F) -> TypedFn<T>
where
    T: 'static,
    F: Fn(&Value, &Value) -> Option<T> + 'static,
{
    match (left, right) {
        (Node::Column(left), Node::Column(right)) => Box::new(move |row, _| {
            Ok(match (row.get(left), row.get(right)) {
                (Some(left), Some(right)) => compute(left, right),
                _ => None,
            })
        }),
        (Node::Column(left), Node::Literal(right)) => {
            Box::new(move |row, _| Ok(row.get(left).and_then(|left| compute(left, &right))))
        }
        (left, right) => Box::new(move |row, cx| {
            let (mut left_slot, mut right_slot) = (Value::Null, Value::Null);
            let left = left.borrow(row, cx, &mut left_slot)?;
            let right = right.borrow(row, cx, &mut right_slot)?;
            Ok(compute(left, right))
        }),
    }
}

/// One `Int`.
pub(crate) fn unary_int<T, F>(operand: Node, compute: F) -> TypedFn<T>
where
    T: 'static,
    F: Fn(i64) -> T + 'static,
{
    match operand {
        Node::Column(column) => {
            Box::new(move |row, _| Ok(row.get(column).and_then(Value::as_int).map(&compute)))
        }
        other => {
            let other = other.into_int();
            Box::new(move |row, cx| Ok(other(row, cx)?.map(&compute)))
        }
    }
}

/// The node of a number as a node of `Double`; with `single` rounded to a FLOAT.
pub(crate) fn double_operand(node: Node, kind: &TypeKind, single: bool) -> Node {
    let scale = scale_of(kind);
    if kind.is_approximate() && (!single || *kind == TypeKind::Float) {
        return node;
    }
    let convert = move |value: &Value| {
        let number = double_from(value, scale)?;
        Some(if single { round_to_float(number) } else { number })
    };
    match node {
        Node::Literal(value) => Node::Literal(convert(&value).map_or(Value::Null, Value::Double)),
        Node::Column(column) => Node::Double(Box::new(move |row, _| Ok(row.get(column).and_then(convert)))),
        other => Node::Double(Box::new(move |row, cx| Ok(convert(&other.eval(row, cx)?)))),
    }
}

/// A call of a function of one DOUBLE.
pub(super) fn double_call(site: &CallSite<'_>, mut nodes: Vec<Node>, compute: fn(f64) -> f64) -> Node {
    let Some(operand) = nodes.pop() else {
        return Node::Literal(Value::Null);
    };
    let operand = double_operand(operand, site.kind(0), false).into_double();
    Node::Double(Box::new(move |row, cx| Ok(operand(row, cx)?.map(compute))))
}

/// A call of a function of two DOUBLEs.
pub(super) fn doubles_call(site: &CallSite<'_>, nodes: Vec<Node>, compute: fn(f64, f64) -> f64) -> Node {
    let Ok([left, right]) = <[Node; 2]>::try_from(nodes) else {
        return Node::Literal(Value::Null);
    };
    let left = double_operand(left, site.kind(0), false);
    let right = double_operand(right, site.kind(1), false);
    Node::Double(binary_double(left, right, site.span, move |x, y| {
        Ok(compute(x, y))
    }))
}
