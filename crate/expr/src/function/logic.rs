//! AND, OR, NOT and the IS tests, over TRUE, FALSE and NULL. Case: select/three-valued-logic.

use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{
    CallSite, Eval, FunctionDef, Resolve, built_in,
    definition::Family::Logic,
    signature::{Nullable, Param, Returns, Signature, takes},
};
use crate::{
    bound::Expr,
    compile::{BoolFn, Node},
    resolve::{Request, call},
};

static ONE_TRUTH: &[Signature] = &[takes(&[Param::Bool], Returns::Bool)];
static TESTS_TRUTH: &[Signature] = &[takes(&[Param::Bool], Returns::Bool).nulls(Nullable::Never)];
static TESTS_ANY: &[Signature] = &[takes(&[Param::Any], Returns::Bool).nulls(Nullable::Never)];

type Build = fn(&CallSite<'_>, Vec<Node>) -> Node;

const fn test(
    name: &'static str,
    of: &'static [Signature],
    eval: Build,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Logic, Resolve::Table(of), Eval::Node(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "AND",
        Logic,
        Resolve::Rules(resolve_junction),
        Eval::Node(and),
        [
            "TRUE where both are; FALSE where one is FALSE.",
            "两者皆为 TRUE 时为 TRUE；有一个为 FALSE 时为 FALSE。",
        ],
    )
    .written(&["a AND b"]),
    FunctionDef::new(
        "OR",
        Logic,
        Resolve::Rules(resolve_junction),
        Eval::Node(or),
        [
            "TRUE where one is; FALSE where both are FALSE.",
            "有一个为 TRUE 时为 TRUE；两者皆为 FALSE 时为 FALSE。",
        ],
    )
    .written(&["a OR b"]),
    test(
        "NOT",
        ONE_TRUTH,
        |_, nodes| unary(nodes, |truth| truth.map(|truth| !truth)),
        [
            "Turns TRUE into FALSE and back; NULL stays.",
            "TRUE 与 FALSE 互换；NULL 不变。",
        ],
    )
    .written(&["NOT a"]),
    test(
        "IS NULL",
        TESTS_ANY,
        |_, nodes| null_test(nodes, true),
        ["TRUE for NULL.", "值为 NULL 时为 TRUE。"],
    )
    .written(&["a IS NULL"]),
    test(
        "IS NOT NULL",
        TESTS_ANY,
        |_, nodes| null_test(nodes, false),
        ["TRUE for what is not NULL.", "值不为 NULL 时为 TRUE。"],
    )
    .written(&["a IS NOT NULL"]),
    test(
        "IS TRUE",
        TESTS_TRUTH,
        |_, nodes| unary(nodes, |truth| Some(truth == Some(true))),
        [
            "TRUE for TRUE alone, never NULL.",
            "仅当值为 TRUE 时为 TRUE，结果不会是 NULL。",
        ],
    )
    .written(&["a IS TRUE"]),
    test(
        "IS NOT TRUE",
        TESTS_TRUTH,
        |_, nodes| unary(nodes, |truth| Some(truth != Some(true))),
        ["TRUE for FALSE and NULL.", "值为 FALSE 或 NULL 时为 TRUE。"],
    )
    .written(&["a IS NOT TRUE"]),
    test(
        "IS FALSE",
        TESTS_TRUTH,
        |_, nodes| unary(nodes, |truth| Some(truth == Some(false))),
        [
            "TRUE for FALSE alone, never NULL.",
            "仅当值为 FALSE 时为 TRUE，结果不会是 NULL。",
        ],
    )
    .written(&["a IS FALSE"]),
    test(
        "IS NOT FALSE",
        TESTS_TRUTH,
        |_, nodes| unary(nodes, |truth| Some(truth != Some(false))),
        ["TRUE for TRUE and NULL.", "值为 TRUE 或 NULL 时为 TRUE。"],
    )
    .written(&["a IS NOT FALSE"]),
    FunctionDef::new(
        "IS UNKNOWN",
        Logic,
        Resolve::Rules(as_null_test),
        Eval::Never,
        ["TRUE for NULL.", "值为 NULL 时为 TRUE。"],
    )
    .written(&["a IS UNKNOWN"]),
    FunctionDef::new(
        "IS NOT UNKNOWN",
        Logic,
        Resolve::Rules(as_null_test),
        Eval::Never,
        ["TRUE for TRUE and FALSE.", "值为 TRUE 或 FALSE 时为 TRUE。"],
    )
    .written(&["a IS NOT UNKNOWN"]),
];

/// AND and OR take any number of operands; nested ones of the same kind are joined.
fn resolve_junction(mut request: Request<'_>) -> Expr {
    let name = request.function.name;
    if request.args.len() < 2 {
        request.report_count(2);
        return Expr::invalid(request.span);
    }
    let wrong = request
        .args
        .iter()
        .any(|arg| !matches!(arg.data_type.kind, TypeKind::Boolean | TypeKind::Null));
    if wrong {
        return request.wrong_types(&[format!("'<BOOLEAN> {name} <BOOLEAN>'")]);
    }
    let args: Vec<Expr> = std::mem::take(&mut request.args)
        .into_iter()
        .map(as_boolean)
        .gather();
    junction(request.function, args, request.span)
}

/// AND or OR of these, without nested ones of the same kind; the only one where there is one.
pub(crate) fn junction(function: &'static FunctionDef, args: Vec<Expr>, span: sg_diag::Span) -> Expr {
    let mut flat = Vec::with_capacity(args.len());
    for arg in args {
        match arg.kind {
            crate::bound::ExprKind::Call {
                function: inner,
                args,
            } if std::ptr::eq(inner, function) => {
                flat.extend(args);
            }
            _ => flat.push(arg),
        }
    }
    match <[Expr; 1]>::try_from(flat) {
        Ok([only]) => only,
        Err(flat) => {
            let nullable = flat.iter().any(|arg| arg.data_type.nullable);
            call(
                function,
                flat,
                DataType {
                    kind: TypeKind::Boolean,
                    nullable,
                },
                span,
            )
        }
    }
}

/// A bare NULL among conditions is a NULL of BOOLEAN.
fn as_boolean(expr: Expr) -> Expr {
    if expr.data_type.kind == TypeKind::Null {
        Expr::literal(Value::Null, DataType::BOOLEAN, expr.span)
    } else {
        expr
    }
}

fn as_null_test(mut request: Request<'_>) -> Expr {
    let name = if request.function.name == "IS UNKNOWN" {
        "IS NULL"
    } else {
        "IS NOT NULL"
    };
    let Some([operand]) = request.take() else {
        return Expr::invalid(request.span);
    };
    if operand.data_type.kind != TypeKind::Boolean {
        request.args = vec![operand];
        let function = request.function.name;
        return request.wrong_types(&[format!("'{function}(<BOOLEAN>)'")]);
    }
    call(
        built_in(name),
        vec![operand],
        DataType::not_null(TypeKind::Boolean),
        request.span,
    )
}

fn and(_: &CallSite<'_>, nodes: Vec<Node>) -> Node {
    junction_node(nodes, false)
}

fn or(_: &CallSite<'_>, nodes: Vec<Node>) -> Node {
    junction_node(nodes, true)
}

/// Stops at the first operand that decides; `decisive` is TRUE for OR, FALSE for AND.
fn junction_node(nodes: Vec<Node>, decisive: bool) -> Node {
    let operands: Vec<BoolFn> = nodes.into_iter().map(Node::into_bool).gather();
    match <[BoolFn; 2]>::try_from(operands) {
        Ok([left, right]) => Node::Bool(Box::new(move |row, cx| {
            let left = left(row, cx)?;
            if left == Some(decisive) {
                return Ok(left);
            }
            let right = right(row, cx)?;
            Ok(if right == Some(decisive) {
                right
            } else {
                left.and(right)
            })
        })),
        Err(operands) => Node::Bool(Box::new(move |row, cx| {
            let mut result = Some(!decisive);
            for operand in &operands {
                match operand(row, cx)? {
                    Some(truth) if truth == decisive => return Ok(Some(truth)),
                    Some(_) => {}
                    None => result = None,
                }
            }
            Ok(result)
        })),
    }
}

fn unary(mut nodes: Vec<Node>, compute: fn(Option<bool>) -> Option<bool>) -> Node {
    let Some(operand) = nodes.pop() else {
        return Node::Literal(Value::Null);
    };
    let operand = operand.into_bool();
    Node::Bool(Box::new(move |row, cx| Ok(compute(operand(row, cx)?))))
}

fn null_test(mut nodes: Vec<Node>, null: bool) -> Node {
    match nodes.pop() {
        Some(Node::Column(column)) => Node::Bool(Box::new(move |row, _| {
            Ok(Some(row.get(column).is_none_or(Value::is_null) == null))
        })),
        Some(operand) => Node::Bool(Box::new(move |row, cx| {
            Ok(Some(operand.eval(row, cx)?.is_null() == null))
        })),
        None => Node::Literal(Value::Null),
    }
}
