//! `JSON_VALUE`, `JSON_QUERY`, `JSON_EXISTS` and IS JSON. What they do with what is missing follows Calcite's
//! `JsonFunctions`: a strict path that leads nowhere is an error, a lax one leads to nothing.

use std::rc::Rc;

use serde_json::Value as Json;
use sg_diag::{Code, Diagnostic};
use sg_value::{DataType, Gather as _, TypeKind, Value, number::parse_double};

use super::{
    super::{
        CallSite, Eval, Failure, FunctionDef, Kernel, Outcome, Resolve,
        arithmetic::not_runnable,
        definition::Family::Json as Jsons,
        failure,
        signature::{Nullable, Param, Returns, Signature, takes},
        value_cast::caster,
    },
    path::Path,
    text::{compact, parsed, scalar},
};
use crate::{bound::Expr, cast::is_constructed, resolve::Request, types::KindExt};

static TEST: &[Signature] = &[takes(&[Param::Text], Returns::Bool).nulls(Nullable::Never)];

const fn test(name: &'static str, eval: fn(&[Value]) -> Outcome, doc: [&'static str; 2]) -> FunctionDef {
    FunctionDef::new(name, Jsons, Resolve::Table(TEST), Eval::Values(eval), doc).sees_nulls()
}

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "JSON_VALUE",
        Jsons,
        Resolve::Rules(resolve),
        Eval::Build(json_value),
        [
            "A scalar at a path of a JSON text.",
            "取 JSON 文本中某路径处的标量。",
        ],
    )
    .written(&["JSON_VALUE(json, path [RETURNING type] [… ON EMPTY] [… ON ERROR])"])
    .sees_nulls(),
    FunctionDef::new(
        "JSON_QUERY",
        Jsons,
        Resolve::Rules(resolve),
        Eval::Build(json_query),
        [
            "An object or array at a path of a JSON text.",
            "取 JSON 文本中某路径处的对象或数组。",
        ],
    )
    .written(&["JSON_QUERY(json, path [… WRAPPER] [… ON EMPTY] [… ON ERROR])"])
    .sees_nulls(),
    FunctionDef::new(
        "JSON_EXISTS",
        Jsons,
        Resolve::Rules(resolve),
        Eval::Build(json_exists),
        ["TRUE where a path leads to something.", "路径存在时为 TRUE。"],
    )
    .written(&["JSON_EXISTS(json, path [… ON ERROR])"]),
    test(
        "IS JSON VALUE",
        |values| Ok(is_json(values, |_| true, false)),
        ["TRUE for JSON.", "是 JSON 时为 TRUE。"],
    )
    .alias(&["IS JSON"])
    .written(&["text IS JSON"]),
    test(
        "IS NOT JSON VALUE",
        |values| Ok(is_json(values, |_| true, true)),
        ["TRUE for what is no JSON.", "不是 JSON 时为 TRUE。"],
    )
    .alias(&["IS NOT JSON"])
    .written(&["text IS NOT JSON"]),
    test(
        "IS JSON OBJECT",
        |values| Ok(is_json(values, Json::is_object, false)),
        ["TRUE for a JSON object.", "是 JSON 对象时为 TRUE。"],
    )
    .written(&["text IS JSON OBJECT"]),
    test(
        "IS NOT JSON OBJECT",
        |values| Ok(is_json(values, Json::is_object, true)),
        ["TRUE for what is no JSON object.", "不是 JSON 对象时为 TRUE。"],
    )
    .written(&["text IS NOT JSON OBJECT"]),
    test(
        "IS JSON ARRAY",
        |values| Ok(is_json(values, Json::is_array, false)),
        ["TRUE for a JSON array.", "是 JSON 数组时为 TRUE。"],
    )
    .written(&["text IS JSON ARRAY"]),
    test(
        "IS NOT JSON ARRAY",
        |values| Ok(is_json(values, Json::is_array, true)),
        ["TRUE for what is no JSON array.", "不是 JSON 数组时为 TRUE。"],
    )
    .written(&["text IS NOT JSON ARRAY"]),
    test(
        "IS JSON SCALAR",
        |values| Ok(is_json(values, is_scalar, false)),
        [
            "TRUE for a JSON number, text, TRUE, FALSE or null.",
            "是 JSON 标量时为 TRUE。",
        ],
    )
    .written(&["text IS JSON SCALAR"]),
    test(
        "IS NOT JSON SCALAR",
        |values| Ok(is_json(values, is_scalar, true)),
        ["TRUE for what is no JSON scalar.", "不是 JSON 标量时为 TRUE。"],
    )
    .written(&["text IS NOT JSON SCALAR"]),
];

const fn is_scalar(json: &Json) -> bool {
    !matches!(json, Json::Object(_) | Json::Array(_))
}

fn is_json(values: &[Value], accepts: fn(&Json) -> bool, negated: bool) -> Value {
    let Some(text) = values.first().and_then(Value::as_str) else {
        return Value::Bool(negated);
    };
    let fits = parsed(text).is_some_and(|json| accepts(&json));
    Value::Bool(fits != negated)
}

// ---- typing ----

fn resolve(mut request: Request<'_>) -> Expr {
    let name = request.function.name;
    if request.args.len() < 2 {
        request.report_count(2);
        return Expr::invalid(request.span);
    }
    let text = |at: usize| {
        let kind = request.plain(at).kind;
        // of what has parts inside Flink takes what Java calls it, which is no JSON
        let parts = at == 0 && name != "JSON_EXISTS" && is_constructed(&kind);
        kind.is_character() || kind == TypeKind::Null || parts
    };
    if name == "JSON_EXISTS" && !text(0) && text(1) {
        return not_runnable(request);
    }
    if !text(0) || !text(1) {
        return request.wrong_types(&[format!("'{name}(<CHARACTER>, <CHARACTER>)'")]);
    }
    let returning = clause_value(&request.args, "RETURNING").map(|value| value.data_type.kind.clone());
    let kind = match (name, returning) {
        ("JSON_EXISTS", _) => TypeKind::Boolean,
        (_, None) => DataType::STRING.kind,
        ("JSON_VALUE", Some(kind @ (TypeKind::Boolean | TypeKind::Int | TypeKind::Double))) => kind,
        ("JSON_QUERY", Some(TypeKind::Array(of))) if of.kind.is_character() => TypeKind::Array(of),
        (_, Some(kind)) if kind.is_character() => kind,
        (_, Some(kind)) => {
            let diagnostic = Diagnostic::new(Code::CallNotRunnable, request.span)
                .arg("function", name)
                .arg_list("types", [format!("RETURNING {kind}")])
                .flink(format!("Unsupported type '{kind}' for RETURNING in {name}()."));
            return request.refuse(diagnostic);
        }
    };
    if request.args.iter().skip(2).all(|arg| arg.as_symbol().is_none()) && request.args.len() > 2 {
        return not_runnable(request);
    }
    let args = std::mem::take(&mut request.args);
    request.call(args, DataType::nullable(kind))
}

/// The value behind a clause.
fn clause_value<'a>(args: &'a [Expr], clause: &str) -> Option<&'a Expr> {
    let at = args.iter().position(|arg| arg.as_symbol() == Some(clause))?;
    args.get(at + 1)
}

// ---- evaluation ----

/// What is given instead of a result.
#[derive(Clone, Debug)]
enum Instead {
    Null,
    Fail,
    /// The argument of this number, in another type.
    Argument(usize),
    Text(&'static str),
}

impl Instead {
    /// The clause `… ON EMPTY` or `… ON ERROR`.
    fn of(args: &[Expr], on: &str) -> Self {
        for (at, arg) in args.iter().enumerate() {
            let Some(behavior) = arg.as_symbol().and_then(|word| word.strip_suffix(on)) else {
                continue;
            };
            return match behavior.trim_end() {
                "ERROR" => Self::Fail,
                "DEFAULT" => Self::Argument(at + 1),
                "EMPTY ARRAY" => Self::Text("[]"),
                "EMPTY OBJECT" => Self::Text("{}"),
                _ => Self::Null,
            };
        }
        Self::Null
    }

    fn value(&self, values: &[Value], function: &'static str) -> Result<Given, Failure> {
        Ok(match self {
            Self::Null => Given::Value(Value::Null),
            Self::Fail => return Err(nothing_found(function)),
            Self::Argument(at) => Given::Argument(values.get(*at).cloned().unwrap_or_default()),
            Self::Text(text) => Given::Value(Value::from(*text)),
        })
    }
}

/// A value that stands for a result; a default has a type of its own.
enum Given {
    Value(Value),
    Argument(Value),
}

fn nothing_found(function: &'static str) -> Failure {
    Box::new(
        failure(Code::ValueNotTaken)
            .arg("function", function)
            .arg("reason", "the path leads to nothing of the wanted kind")
            .flink(format!("Strict jsonpath mode or ERROR behavior in {function}")),
    )
}

/// The path, compiled once where it is constant.
struct Paths(Constant);

/// What is known of the path before a row comes.
enum Constant {
    /// Nothing: each row brings its own.
    No,
    /// The path; `None` if it is none.
    Yes(Option<Path>),
}

impl Paths {
    fn of(site: &CallSite<'_>) -> Self {
        Self(
            site.literal_text(1)
                .map_or(Constant::No, |text| Constant::Yes(Path::new(text))),
        )
    }

    /// What the path leads to: `Err` is Calcite's exception, `Ok(None)` nothing. And whether the path is lax.
    fn find(&self, values: &[Value]) -> (Result<Option<Json>, ()>, bool) {
        let own;
        let path = match &self.0 {
            Constant::Yes(path) => path.as_ref(),
            Constant::No => {
                own = Path::new(values.get(1).and_then(Value::as_str).unwrap_or_default());
                own.as_ref()
            }
        };
        let Some(path) = path else { return (Err(()), false) };
        let text = values.first().and_then(Value::as_str).unwrap_or_default();
        let Some(root) = parsed(text) else {
            return (Err(()), path.lax);
        };
        // a null is nothing to a lax path, and an exception to a strict one and at the root (case: types/json-paths-*)
        let found = match path.find(&root) {
            Some(found) if !found.is_null() => Ok(Some(found)),
            _ if path.lax && !root.is_null() => Ok(None),
            _ => Err(()),
        };
        (found, path.lax)
    }
}

/// Whether the text or the path is NULL.
fn no_text(values: &[Value]) -> bool {
    values.iter().take(2).any(Value::is_null)
}

fn json_value(site: &CallSite<'_>) -> Kernel {
    let paths = Paths::of(site);
    let (on_empty, on_error) = (
        Instead::of(site.args, "ON EMPTY"),
        Instead::of(site.args, "ON ERROR"),
    );
    let result = site.data_type.clone();
    let default_type = |instead: &Instead| match instead {
        Instead::Argument(at) => site.args.get(*at).map(|arg| arg.data_type.clone()),
        _ => None,
    };
    let to_result = |from: Option<DataType>| from.map(|from| caster(&from, &result));
    let (empty_cast, error_cast) = (
        to_result(default_type(&on_empty)),
        to_result(default_type(&on_error)),
    );
    let kind = result.kind.clone();
    Box::new(move |values, cx| {
        if no_text(values) {
            return Ok(Value::Null);
        }
        let (found, lax) = paths.find(values);
        let instead = match &found {
            Ok(Some(json)) if is_scalar(json) => return returned(json, &kind),
            Ok(None) => (&on_empty, &empty_cast),
            Ok(Some(_)) if lax => (&on_empty, &empty_cast),
            _ => (&on_error, &error_cast),
        };
        match (instead.0.value(values, "JSON_VALUE")?, instead.1) {
            (Given::Value(value), _) => Ok(value),
            (Given::Argument(value), Some(convert)) if !value.is_null() => {
                lower_truth(&kind, convert(&value, cx)?)
            }
            (Given::Argument(value), _) => Ok(value),
        }
    })
}

/// A default TRUE as text is `true` here, unlike in CAST.
fn lower_truth(kind: &TypeKind, value: Value) -> Outcome {
    Ok(match (&value, value.as_str()) {
        (_, Some("TRUE")) if kind.is_character() => Value::from("true"),
        (_, Some("FALSE")) if kind.is_character() => Value::from("false"),
        _ => value,
    })
}

/// What was found, in the type of RETURNING. Flink casts what Jackson made of it as Java does: only its own class fits,
/// whatever ON ERROR says, so that DOUBLE takes no number without a point and an exponent. Cases:
/// types/json-value-returning-*.
fn returned(json: &Json, kind: &TypeKind) -> Outcome {
    let Some(text) = scalar(json) else {
        return Ok(Value::Null);
    };
    let class = match json {
        Json::Bool(_) => "lang.Boolean",
        Json::Number(number) if number.as_str().contains(['.', 'e', 'E']) => "math.BigDecimal",
        Json::Number(_) => match text.parse::<i64>() {
            Ok(number) if i32::try_from(number).is_ok() => "lang.Integer",
            Ok(_) => "lang.Long",
            Err(_) => "math.BigInteger",
        },
        _ => "lang.String",
    };
    let wanted = match kind {
        TypeKind::Boolean => "lang.Boolean",
        TypeKind::Int => "lang.Integer",
        TypeKind::Double => "math.BigDecimal",
        _ => return Ok(Value::Str(text.into())),
    };
    if class != wanted {
        return Err(Box::new(
            failure(Code::CastFailed)
                .arg("value", &text)
                .arg("to", kind)
                .flink(format!(
                    "ClassCastException: class java.{class} cannot be cast to class java.{wanted} (java.{class} and \
                     java.{wanted} are in module java.base of loader 'bootstrap')"
                )),
        ));
    }
    Ok(match json {
        Json::Bool(truth) => Value::Bool(*truth),
        _ if *kind == TypeKind::Int => text.parse().map_or(Value::Null, Value::Int),
        _ => parse_double(&text).map_or(Value::Null, Value::Double),
    })
}

fn json_query(site: &CallSite<'_>) -> Kernel {
    let paths = Paths::of(site);
    let (on_empty, on_error) = (
        Instead::of(site.args, "ON EMPTY"),
        Instead::of(site.args, "ON ERROR"),
    );
    let has = |word: &str| site.args.iter().any(|arg| arg.as_symbol() == Some(word));
    let (conditional, always) = (has("WITH CONDITIONAL ARRAY"), has("WITH UNCONDITIONAL ARRAY"));
    let as_array = matches!(site.data_type.kind, TypeKind::Array(_));
    Box::new(move |values, _| {
        if no_text(values) {
            return Ok(Value::Null);
        }
        let (found, lax) = paths.find(values);
        let wrapped = found.map(|found| {
            found.map(|json| {
                if always || (conditional && !json.is_array()) {
                    Json::Array(vec![json])
                } else {
                    json
                }
            })
        });
        let instead = match &wrapped {
            Ok(Some(json)) if !is_scalar(json) => {
                return Ok(if as_array {
                    texts(json)
                } else {
                    Value::Str(compact(json).into())
                });
            }
            Ok(None) => &on_empty,
            Ok(Some(_)) if lax => &on_empty,
            _ => &on_error,
        };
        match instead.value(values, "JSON_QUERY")? {
            Given::Value(value) if as_array && value.as_str() == Some("[]") => Ok(Value::Array(Rc::from([]))),
            Given::Value(value) | Given::Argument(value) => Ok(value),
        }
    })
}

fn texts(json: &Json) -> Value {
    match json {
        Json::Array(elements) => Value::Array(
            elements
                .iter()
                .map(|element| match element {
                    Json::Null => Value::Null,
                    other => Value::Str(scalar(other).unwrap_or_else(|| compact(other)).into()),
                })
                .gather(),
        ),
        _ => Value::Null,
    }
}

fn json_exists(site: &CallSite<'_>) -> Kernel {
    let paths = Paths::of(site);
    let on_error = site
        .args
        .iter()
        .find_map(|arg| arg.as_symbol().and_then(|word| word.strip_suffix(" ON ERROR")));
    let on_error = on_error.unwrap_or("FALSE").to_owned();
    Box::new(move |values, _| {
        let (found, _) = paths.find(values);
        Ok(match found {
            Ok(found) => Value::Bool(found.is_some()),
            Err(()) => match on_error.as_str() {
                "TRUE" => Value::Bool(true),
                "UNKNOWN" => Value::Null,
                "ERROR" => return Err(nothing_found("JSON_EXISTS")),
                _ => Value::Bool(false),
            },
        })
    })
}
