//! The ARRAY_ functions. NULL elements are equal to each other here.

use std::rc::Rc;

use sg_value::{Gather as _, TypeKind, Value, order::sort_compare};

use super::{
    super::{
        Eval, FunctionDef, Outcome, Resolve,
        definition::Family::Collection,
        signature::{Nullable, Param, Returns, Signature, takes},
    },
    array_of_common, element_type, elements,
};
use crate::{
    bound::Expr,
    number::{index_from_long, long_from_len},
};

use Param::{Array, Bool, Element, Integer, Text};

static WITH_ELEMENT: &[Signature] = &[takes(&[Array, Element], Returns::From(with_element))];
static ARRAYS: &[Signature] = &[takes(&[Array, Array], Returns::From(of_arrays))
    .variadic()
    .optional(1)];
static TWO_ARRAYS: &[Signature] = &[takes(&[Array, Array], Returns::From(of_arrays))];
static FIRST_ARRAY: &[Signature] = &[takes(&[Array, Array], Returns::Same(0))];
static CONTAINS: &[Signature] = &[takes(&[Array, Element], Returns::Bool).nulls(Nullable::IfFirst)];
static POSITION: &[Signature] = &[takes(&[Array, Element], Returns::Int)];
static REMOVE: &[Signature] = &[takes(&[Array, Element], Returns::Same(0)).nulls(Nullable::IfFirst)];
static SAME: &[Signature] = &[takes(&[Array], Returns::Same(0))];
static EXTREME: &[Signature] =
    &[takes(&[Array], Returns::From(|args| element_type(args, 0).kind)).nullable()];
static JOIN: &[Signature] = &[takes(&[Array, Text, Text], Returns::Text).optional(1)];
static SLICE: &[Signature] = &[takes(&[Array, Integer, Integer], Returns::Same(0)).optional(1)];
static SORT: &[Signature] = &[takes(&[Array, Bool, Bool], Returns::Same(0)).optional(2)];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&[Value]) -> Outcome,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Collection, Resolve::Table(of), Eval::Values(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(
        "ARRAY_APPEND",
        WITH_ELEMENT,
        |values| add(values, false),
        [
            "The array with one more element at the end.",
            "在末尾追加一个元素。",
        ],
    )
    .sees_nulls(),
    row(
        "ARRAY_PREPEND",
        WITH_ELEMENT,
        |values| add(values, true),
        [
            "The array with one more element at the beginning.",
            "在开头添加一个元素。",
        ],
    )
    .sees_nulls(),
    row(
        "ARRAY_CONCAT",
        ARRAYS,
        |values| {
            Ok(array(
                (0..values.len()).flat_map(|at| elements(values, at)).cloned(),
            ))
        },
        ["All arrays one behind the other.", "连接多个数组。"],
    ),
    row(
        "ARRAY_CONTAINS",
        CONTAINS,
        |values| {
            Ok(with_array(values, |elements, needle| {
                Value::Bool(elements.contains(needle))
            }))
        },
        [
            "TRUE where the array has the element.",
            "数组包含该元素时为 TRUE。",
        ],
    )
    .sees_nulls(),
    row(
        "ARRAY_DISTINCT",
        SAME,
        |values| Ok(array(distinct(elements(values, 0).iter().cloned()).into_iter())),
        ["Each element once.", "去除重复元素。"],
    ),
    row(
        "ARRAY_EXCEPT",
        FIRST_ARRAY,
        |values| {
            let (left, right) = (elements(values, 0), elements(values, 1));
            Ok(array(
                distinct(left.iter().filter(|element| !right.contains(element)).cloned()).into_iter(),
            ))
        },
        [
            "Elements of the first array that are not in the second.",
            "在第一个数组而不在第二个中的元素。",
        ],
    ),
    row(
        "ARRAY_INTERSECT",
        FIRST_ARRAY,
        |values| {
            let (left, right) = (elements(values, 0), elements(values, 1));
            Ok(array(
                distinct(left.iter().filter(|element| right.contains(element)).cloned()).into_iter(),
            ))
        },
        ["Elements of both arrays.", "两个数组共有的元素。"],
    ),
    row(
        "ARRAY_UNION",
        TWO_ARRAYS,
        |values| {
            let both = elements(values, 0).iter().chain(elements(values, 1)).cloned();
            Ok(array(distinct(both).into_iter()))
        },
        ["Elements of either array, each once.", "两个数组的并集。"],
    ),
    row(
        "ARRAY_JOIN",
        JOIN,
        join,
        [
            "The elements as one text; NULLs are left out, or replaced by the third argument.",
            "把元素连接为文本；忽略 NULL，或用第三个参数代替。",
        ],
    ),
    row(
        "ARRAY_MAX",
        EXTREME,
        |values| {
            Ok(not_null(values)
                .max_by(|a, b| sort_compare(a, b))
                .cloned()
                .unwrap_or_default())
        },
        ["The largest element.", "最大的元素。"],
    ),
    row(
        "ARRAY_MIN",
        EXTREME,
        |values| {
            Ok(not_null(values)
                .min_by(|a, b| sort_compare(a, b))
                .cloned()
                .unwrap_or_default())
        },
        ["The smallest element.", "最小的元素。"],
    ),
    row(
        "ARRAY_POSITION",
        POSITION,
        |values| {
            Ok(with_array(values, |elements, needle| {
                let at = elements.iter().position(|element| element == needle);
                Value::Int(at.map_or(0, |at| long_from_len(at) + 1))
            }))
        },
        [
            "Where the element stands, counted from 1; 0 if nowhere.",
            "元素的位置，从 1 数起；没有时为 0。",
        ],
    ),
    row(
        "ARRAY_REMOVE",
        REMOVE,
        |values| {
            Ok(with_array(values, |elements, needle| {
                array(elements.iter().filter(|element| *element != needle).cloned())
            }))
        },
        ["The array without an element.", "去除某个元素。"],
    )
    .sees_nulls(),
    row(
        "ARRAY_REVERSE",
        SAME,
        |values| Ok(array(elements(values, 0).iter().rev().cloned())),
        ["The elements in reverse order.", "倒序。"],
    ),
    row(
        "ARRAY_SLICE",
        SLICE,
        slice,
        [
            "The elements from a place to a place, both included; negative places count from the end.",
            "从某位置到某位置的元素（含两端）；负数从末尾数起。",
        ],
    ),
    row(
        "ARRAY_SORT",
        SORT,
        sort,
        [
            "The elements in order; ascending and NULLs first unless said otherwise.",
            "排序；默认升序、NULL 在前。",
        ],
    ),
];

fn array(elements: impl Iterator<Item = Value>) -> Value {
    Value::Array(elements.gather())
}

fn with_element(args: &[Expr]) -> TypeKind {
    let added = args.get(1).map(|arg| arg.data_type.clone());
    array_of_common(
        &std::iter::once(element_type(args, 0))
            .chain(added)
            .gather::<Vec<_>>(),
    )
}

fn of_arrays(args: &[Expr]) -> TypeKind {
    let types: Vec<_> = (0..args.len()).map(|at| element_type(args, at)).gather();
    array_of_common(&types)
}

fn add(values: &[Value], first: bool) -> Outcome {
    let Some(Value::Array(elements)) = values.first() else {
        return Ok(Value::Null);
    };
    let added = values.get(1).cloned().unwrap_or_default();
    let mut all: Vec<Value> = elements.to_vec();
    all.insert(if first { 0 } else { all.len() }, added);
    Ok(Value::Array(Rc::from(all)))
}

/// NULL for a NULL array.
fn with_array(values: &[Value], run: impl FnOnce(&[Value], &Value) -> Value) -> Value {
    match values {
        [Value::Array(elements), needle] => run(elements, needle),
        _ => Value::Null,
    }
}

fn distinct(elements: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    for element in elements {
        if !seen.contains(&element) {
            seen.push(element);
        }
    }
    seen
}

fn not_null(values: &[Value]) -> impl Iterator<Item = &Value> {
    elements(values, 0).iter().filter(|element| !element.is_null())
}

fn join(values: &[Value]) -> Outcome {
    let separator = values.get(1).and_then(Value::as_str).unwrap_or_default();
    let replacement = values.get(2).and_then(Value::as_str);
    let texts: Vec<&str> = elements(values, 0)
        .iter()
        .filter_map(|element| element.as_str().or(replacement))
        .gather();
    Ok(Value::from(texts.join(separator).as_str()))
}

fn slice(values: &[Value]) -> Outcome {
    let all = elements(values, 0);
    let length = long_from_len(all.len());
    let place = |at: usize, default: i64| {
        let given = values.get(at).and_then(Value::as_int).unwrap_or(default);
        if given < 0 {
            given.saturating_add(length + 1)
        } else {
            given
        }
    };
    let start = place(1, 1).max(1);
    let end = place(2, length).min(length);
    let (Some(start), Some(end)) = (index_from_long(start - 1), index_from_long(end)) else {
        return Ok(array(std::iter::empty()));
    };
    Ok(array(all.get(start..end).unwrap_or_default().iter().cloned()))
}

fn sort(values: &[Value]) -> Outcome {
    let ascending = values.get(1).and_then(Value::as_bool).unwrap_or(true);
    let nulls_first = values.get(2).and_then(Value::as_bool).unwrap_or(ascending);
    let (nulls, mut sorted): (Vec<Value>, Vec<Value>) =
        elements(values, 0).iter().cloned().partition(Value::is_null);
    sorted.sort_by(|a, b| {
        if ascending {
            sort_compare(a, b)
        } else {
            sort_compare(b, a)
        }
    });
    let all = if nulls_first {
        [nulls, sorted]
    } else {
        [sorted, nulls]
    };
    Ok(array(all.into_iter().flatten()))
}
