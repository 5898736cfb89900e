//! ROW(…), ARRAY[…] and MAP[…].

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::{
    super::{Eval, FunctionDef, Resolve, definition::Family::Collection},
    map_of,
};
use crate::{bound::Expr, cast::coerce, infer::common_type, resolve::Request};

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "ROW",
        Collection,
        Resolve::Rules(resolve_row),
        Eval::Values(|values| Ok(Value::Row(values.into()))),
        ["Several values as one.", "把多个值组成一行。"],
    )
    .sees_nulls()
    .written(&["ROW(a, b, …)", "(a, b, …)"]),
    FunctionDef::new(
        "ARRAY",
        Collection,
        Resolve::Rules(resolve_array),
        Eval::Values(|values| Ok(Value::Array(values.into()))),
        ["An array of these elements.", "由这些元素组成的数组。"],
    )
    .sees_nulls()
    .written(&["ARRAY[a, b, …]"]),
    FunctionDef::new(
        "MAP",
        Collection,
        Resolve::Rules(resolve_map),
        Eval::Values(|values| {
            let pairs = values.chunks_exact(2).map(|pair| match pair {
                [key, value] => (key.clone(), value.clone()),
                _ => (Value::Null, Value::Null),
            });
            Ok(map_of(pairs))
        }),
        ["A map of these keys and values.", "由这些键值组成的 MAP。"],
    )
    .sees_nulls()
    .written(&["MAP[key, value, …]"]),
];

fn resolve_row(mut request: Request<'_>) -> Expr {
    let args = std::mem::take(&mut request.args);
    let fields: Vec<Field> = args
        .iter()
        .enumerate()
        .map(|(at, arg)| Field {
            name: Rc::from(format!("EXPR${at}")),
            data_type: arg.data_type.without_time_attribute(),
        })
        .gather();
    request.call(args, DataType::not_null(TypeKind::Row(fields.into())))
}

fn same_type(request: Request<'_>, types: &[DataType]) -> Expr {
    let shown: Vec<String> = types.iter().map(|data_type| data_type.kind.to_string()).gather();
    let diagnostic = Diagnostic::new(Code::NoCommonType, request.span)
        .arg("function", request.function.name)
        .arg_list("types", shown)
        .flink("Parameters must be of the same type");
    request.refuse(diagnostic)
}

fn resolve_array(mut request: Request<'_>) -> Expr {
    if request.args.is_empty() {
        let diagnostic = Diagnostic::new(Code::WrongArgumentCount, request.span)
            .arg("function", "ARRAY")
            .arg("given", 0)
            .arg_list("forms", ["ARRAY[a, b, …]"])
            .flink("Require at least 1 argument");
        return request.refuse(diagnostic);
    }
    let types: Vec<DataType> = request.args.iter().map(|arg| arg.data_type.clone()).gather();
    let Some(element) = common_type(&types).filter(|found| found.kind != TypeKind::Null) else {
        return same_type(request, &types);
    };
    let args = std::mem::take(&mut request.args)
        .into_iter()
        .map(|arg| coerce(arg, &element.kind))
        .gather();
    request.call(args, DataType::not_null(TypeKind::Array(Rc::new(element))))
}

fn resolve_map(mut request: Request<'_>) -> Expr {
    if request.args.is_empty() || request.args.len() % 2 == 1 {
        let diagnostic = Diagnostic::new(Code::WrongArgumentCount, request.span)
            .arg("function", "MAP")
            .arg("given", request.args.len())
            .arg_list("forms", ["MAP[key, value, …]"])
            .flink(if request.args.is_empty() {
                "Map requires at least 2 arguments"
            } else {
                "Map requires an even number of arguments"
            });
        return request.refuse(diagnostic);
    }
    let of = |odd: usize| -> Vec<DataType> {
        request
            .args
            .iter()
            .skip(odd)
            .step_by(2)
            .map(|arg| arg.data_type.clone())
            .gather()
    };
    let (keys, values) = (of(0), of(1));
    let (Some(key), Some(value)) = (common_type(&keys), common_type(&values)) else {
        return same_type(
            request,
            if common_type(&keys).is_none() {
                &keys
            } else {
                &values
            },
        );
    };
    let args = std::mem::take(&mut request.args)
        .into_iter()
        .enumerate()
        .map(|(at, arg)| coerce(arg, if at % 2 == 0 { &key.kind } else { &value.kind }))
        .gather();
    request.call(
        args,
        DataType::not_null(TypeKind::Map(Rc::new(key), Rc::new(value))),
    )
}
