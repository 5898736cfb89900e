//! CASE and its relatives. Arguments that are not chosen are not evaluated.

use sg_diag::{Code, Diagnostic};
use sg_value::{DataType, Gather as _, TypeKind, Value, order::sort_compare};

use super::{
    CallSite, Eval, FunctionDef, Kernel, Resolve, built_in,
    definition::Family::Conditional,
    signature::{Param, Returns, Signature, takes},
};
use crate::{
    bound::Expr,
    cast::{cast_exactly, coerce, fits, is_constructed},
    compile::{BoolFn, Node},
    infer::{common_type, generalized_type},
    resolve::{Request, call},
    types::{Charset, KindExt, calcite_type, shown_type},
};

static TYPEOF: &[Signature] = &[takes(&[Param::Any, Param::Bool], Returns::Text)
    .optional(1)
    .nullable()];

const fn chooses(
    name: &'static str,
    rules: fn(Request<'_>) -> Expr,
    eval: fn(&CallSite<'_>, Vec<Node>) -> Node,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Conditional, Resolve::Rules(rules), Eval::Node(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    chooses(
        "CASE",
        resolve_case,
        |_, nodes| case(nodes),
        [
            "The result of the first condition that is TRUE.",
            "返回第一个为 TRUE 的条件所对应的结果。",
        ],
    )
    .written(&[
        "CASE WHEN condition THEN a ELSE b END",
        "CASE value WHEN x THEN a ELSE b END",
    ]),
    chooses(
        "IF",
        resolve_if,
        |_, nodes| case(nodes),
        [
            "The second argument where the condition is TRUE, else the third.",
            "条件为 TRUE 时取第二个参数，否则取第三个。",
        ],
    )
    .written(&["IF(condition, a, b)"]),
    chooses(
        "COALESCE",
        resolve_coalesce,
        |_, nodes| first_not_null(nodes),
        ["The first argument that is not NULL.", "第一个不为 NULL 的参数。"],
    )
    .written(&["COALESCE(a, b, …)"]),
    chooses(
        "IFNULL",
        resolve_coalesce,
        |_, nodes| first_not_null(nodes),
        [
            "The second argument where the first is NULL.",
            "第一个参数为 NULL 时取第二个。",
        ],
    )
    .written(&["IFNULL(a, b)"]),
    FunctionDef::new(
        "NULLIF",
        Conditional,
        Resolve::Rules(resolve_nullif),
        Eval::Never,
        [
            "NULL where both are equal, else the first.",
            "两者相等时为 NULL，否则取第一个。",
        ],
    )
    .written(&["NULLIF(a, b)"]),
    FunctionDef::new(
        "GREATEST",
        Conditional,
        Resolve::Rules(resolve_extreme),
        Eval::Values(greatest),
        [
            "The largest argument; NULL where one is NULL.",
            "最大的参数；有 NULL 时为 NULL。",
        ],
    )
    .written(&["GREATEST(a, b, …)"]),
    FunctionDef::new(
        "LEAST",
        Conditional,
        Resolve::Rules(resolve_extreme),
        Eval::Values(least),
        [
            "The smallest argument; NULL where one is NULL.",
            "最小的参数；有 NULL 时为 NULL。",
        ],
    )
    .written(&["LEAST(a, b, …)"]),
    FunctionDef::new(
        "TYPEOF",
        Conditional,
        Resolve::Rules(resolve_typeof),
        Eval::Build(type_of),
        ["The type of an expression as text.", "表达式类型的文本。"],
    )
    .written(&["TYPEOF(value[, serializable])"])
    .sees_nulls(),
];

// ---- typing ----

fn resolve_case(mut request: Request<'_>) -> Expr {
    let args = std::mem::take(&mut request.args);
    let pairs = args.len() / 2;
    let is_result = move |at: usize| at % 2 == 1 || at == 2 * pairs;
    choice(request, args, is_result, common_type)
}

/// Flink stumbles over the nullability of its own marker of processing time.
fn resolve_typeof(request: Request<'_>) -> Expr {
    if request
        .args
        .first()
        .is_some_and(|arg| arg.data_type.is_proctime())
    {
        let diagnostic = Diagnostic::new(Code::CallNotRunnable, request.span)
            .arg("function", "TYPEOF")
            .arg_list("types", ["TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*"])
            .flink(
                "CodeGenException: Mismatch of function's argument data type 'TIMESTAMP_LTZ(3) NOT NULL' and actual \
                argument type 'TIMESTAMP_LTZ(3)'.",
            );
        return request.refuse(diagnostic);
    }
    request.by_signatures(TYPEOF)
}

fn resolve_if(mut request: Request<'_>) -> Expr {
    let Some(args) = request.take::<3>() else {
        return Expr::invalid(request.span);
    };
    let condition_nullable = args.first().is_some_and(|condition| condition.data_type.nullable);
    let constructed =
        |arg: &Expr| is_constructed(&arg.data_type.kind) || KindExt::is_interval(&arg.data_type.kind);
    if args.iter().skip(1).any(constructed) {
        let types: Vec<DataType> = args.iter().map(|arg| arg.data_type.clone()).gather();
        return no_common_type(request, &types, &wrong_if(&args));
    }
    let mut expr = choice(request, args.into(), |at| at > 0, common_type);
    expr.data_type.nullable |= condition_nullable;
    expr
}

/// Flink's message for an IF whose condition is none, or whose results have no type in common.
fn wrong_if(args: &[Expr]) -> String {
    let types: Vec<String> = args
        .iter()
        .map(|arg| {
            let attribute = if arg.data_type.is_rowtime() {
                " *ROWTIME*"
            } else {
                ""
            };
            let text = sg_value::case::upper(&calcite_type(&arg.data_type, Charset::Hidden));
            format!("<{text}{attribute}>")
        })
        .gather();
    format!(
        "Cannot apply 'IF' to arguments of type 'IF({})'. Supported form(s): 'IF(<ANY_TYPE>, <NUMERIC_TYPE>, \
        <NUMERIC_TYPE>)'\n\
        'IF(<BOOLEAN>, <CHARACTER>, <CHARACTER>)'\n\
        'IF(<BOOLEAN>, <BOOLEAN>, <BOOLEAN>)'\n\
        'IF(<BOOLEAN>, <CHARACTER>, <CHARACTER>)'\n\
        'IF(<BOOLEAN>, <BINARY>, <BINARY>)'\n\
        'IF(<BOOLEAN>, <DATE>, <DATE>)'\n\
        'IF(<BOOLEAN>, <TIMESTAMP>, <TIMESTAMP>)'\n\
        'IF(<BOOLEAN>, <TIME>, <TIME>)'",
        types.join(", ")
    )
}

/// Conditions checked, results brought to one type.
fn choice(
    request: Request<'_>,
    args: Vec<Expr>,
    is_result: impl Fn(usize) -> bool,
    common: fn(&[DataType]) -> Option<DataType>,
) -> Expr {
    let span = request.span;
    for (at, arg) in args.iter().enumerate() {
        if !is_result(at) && !matches!(arg.data_type.kind, TypeKind::Boolean | TypeKind::Null) {
            let flink = if request.function.name == "CASE" {
                "Expected a boolean type".to_owned()
            } else {
                wrong_if(&args)
            };
            let diagnostic = Diagnostic::new(Code::ConditionNotBoolean, span)
                .arg("clause", "WHEN")
                .arg("type", &arg.data_type.kind)
                .flink(flink);
            return request.refuse(diagnostic);
        }
    }
    let results: Vec<DataType> = args
        .iter()
        .enumerate()
        .filter(|(at, _)| is_result(*at))
        .map(|(_, arg)| arg.data_type.clone())
        .gather();
    let Some(data_type) = common(&results).filter(|found| found.kind != TypeKind::Null) else {
        let flink = match request.function.name {
            "IF" => wrong_if(&args),
            _ => "Illegal mixing of types in CASE or COALESCE statement".to_owned(),
        };
        return no_common_type(request, &results, &flink);
    };
    let args = args
        .into_iter()
        .enumerate()
        .map(|(at, arg)| {
            if is_result(at) {
                to_common(arg, &data_type, request.function.name != "CASE")
            } else if arg.data_type.kind == TypeKind::Null {
                Expr::literal(Value::Null, DataType::BOOLEAN, arg.span)
            } else {
                arg
            }
        })
        .gather();
    call(request.function, args, data_type, span)
}

/// A time attribute of the right type stays; so does what fits, for functions that are no part of SQL itself.
/// Cases: select/texts-of-different-lengths, types/coerced-constants.
fn to_common(arg: Expr, to: &DataType, keeps: bool) -> Expr {
    let nullable = to.with_nullable(true);
    if arg.data_type.without_time_attribute().kind == to.kind || keeps && fits(&arg.data_type, &nullable) {
        arg
    } else if is_constructed(&to.kind) {
        cast_exactly(arg, to)
    } else {
        coerce(arg, &to.kind)
    }
}

fn no_common_type(request: Request<'_>, types: &[DataType], flink: &str) -> Expr {
    let shown: Vec<String> = types.iter().map(|data_type| data_type.kind.to_string()).gather();
    let diagnostic = Diagnostic::new(Code::NoCommonType, request.span)
        .arg("function", request.function.name)
        .arg_list("types", shown)
        .flink(flink);
    request.refuse(diagnostic)
}

fn resolve_coalesce(mut request: Request<'_>) -> Expr {
    let wanted = if request.function.name == "IFNULL" {
        2..=2
    } else {
        1..=usize::MAX
    };
    if !wanted.contains(&request.args.len()) {
        if request.args.is_empty() && request.function.name == "COALESCE" {
            return request.no_such_signature("COALESCE(<COMMON>, <COMMON>...)");
        }
        request.report_count(2);
        return Expr::invalid(request.span);
    }
    let nullable = request.args.iter().all(|arg| arg.data_type.nullable);
    let args = std::mem::take(&mut request.args);
    let mut expr = same_types(request, args);
    expr.data_type.nullable = nullable;
    expr
}

fn resolve_extreme(mut request: Request<'_>) -> Expr {
    if request.args.is_empty() {
        request.report_count(1);
        return Expr::invalid(request.span);
    }
    let args = std::mem::take(&mut request.args);
    same_types(request, args)
}

fn same_types(request: Request<'_>, args: Vec<Expr>) -> Expr {
    let types: Vec<DataType> = args.iter().map(|arg| arg.data_type.clone()).gather();
    let Some(data_type) = generalized_type(&types).filter(|found| found.kind != TypeKind::Null) else {
        let name = request.function.name;
        let shown: Vec<String> = types.iter().map(ToString::to_string).gather();
        let unlike = types
            .windows(2)
            .find(|pair| !matches!(pair, [a, b] if generalized_type(&[a.clone(), b.clone()]).is_some()));
        let wanted = match (name, unlike) {
            ("GREATEST" | "LEAST", Some([a, b])) => format!(
                "{name}(<COMPARABLE>...)\nValidationException: All types in a comparison should support both 'EQUALS' and \
                'ORDER' comparison with each other. Can not compare {a} with {b}"
            ),
            ("IFNULL", _) => "IFNULL(<COMMON>, <COMMON>)".to_owned(),
            _ => format!("{name}(<COMMON>, <COMMON>...)"),
        };
        let flink = format!(
            "ValidationException: SQL validation failed. Invalid function call:\n{name}({})\nValidationException: Invalid \
            input arguments. Expected signatures are:\n{wanted}",
            shown.join(", ")
        );
        return no_common_type(request, &types, &flink);
    };
    let args = args
        .into_iter()
        .map(|arg| to_common(arg, &data_type, true))
        .gather();
    request.call(args, data_type)
}

/// `NULLIF(a, b)` is `CASE WHEN a = b THEN NULL ELSE a END`.
fn resolve_nullif(mut request: Request<'_>) -> Expr {
    let Some([left, right]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let span = request.span;
    let data_type = left.data_type.without_time_attribute().with_nullable(true);
    let equal = request.sub_call("=", vec![left.clone(), right]);
    if equal.is_invalid() {
        return equal;
    }
    let null = Expr::literal(Value::Null, data_type.clone(), span);
    call(built_in("CASE"), vec![equal, null, left], data_type, span)
}

// ---- evaluation ----

/// Condition, result … else.
fn case(nodes: Vec<Node>) -> Node {
    let mut branches: Vec<(BoolFn, Node)> = Vec::with_capacity(nodes.len() / 2);
    let mut otherwise = Node::Literal(Value::Null);
    let mut nodes = nodes.into_iter();
    while let Some(node) = nodes.next() {
        match nodes.next() {
            Some(result) => branches.push((node.into_bool(), result)),
            None => otherwise = node,
        }
    }
    Node::Value(Box::new(move |row, cx| {
        for (condition, result) in &branches {
            if condition(row, cx)? == Some(true) {
                return result.eval(row, cx);
            }
        }
        otherwise.eval(row, cx)
    }))
}

fn first_not_null(nodes: Vec<Node>) -> Node {
    Node::Value(Box::new(move |row, cx| {
        for node in &nodes {
            let value = node.eval(row, cx)?;
            if !value.is_null() {
                return Ok(value);
            }
        }
        Ok(Value::Null)
    }))
}

fn greatest(values: &[Value]) -> super::Outcome {
    Ok(values
        .iter()
        .max_by(|a, b| sort_compare(a, b))
        .cloned()
        .unwrap_or_default())
}

fn least(values: &[Value]) -> super::Outcome {
    Ok(values
        .iter()
        .min_by(|a, b| sort_compare(a, b))
        .cloned()
        .unwrap_or_default())
}

fn type_of(site: &CallSite<'_>) -> Kernel {
    let text = site
        .args
        .first()
        .map_or_else(String::new, |arg| shown_type(&arg.data_type).to_string());
    let text = Value::from(text.as_str());
    Box::new(move |_, _| Ok(text.clone()))
}
