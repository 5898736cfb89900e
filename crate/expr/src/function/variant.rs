//! `PARSE_JSON`, `TRY_PARSE_JSON`, and what `v['key']` and `v[1]` find in a VARIANT.
//!
//! A VARIANT is kept as its JSON text as Flink prints it: keys sorted, decimals without trailing zeros, numbers with an
//! exponent or more than 38 digits as DOUBLE. Cases: types/variant, types/variant-access.

use serde_json::Value as Json;
use sg_diag::Code;
use sg_value::{Gather as _, TypeKind, Value, float::f64_from_text, format::double_text, json::json_text};

use super::{
    Eval, Failure, FunctionDef, Outcome, Resolve, definition::Family::Json as Jsons, failure, json_quoted,
};
use crate::{bound::Expr, resolve::Request, types::KindExt};

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "PARSE_JSON",
        Jsons,
        Resolve::Rules(resolve),
        Eval::Values(parse),
        [
            "A JSON text as a VARIANT; with TRUE the last of equal keys counts.",
            "把 JSON 文本解析为 VARIANT；第二个参数为 TRUE 时重复键取最后一个。",
        ],
    )
    .written(&["PARSE_JSON(string[, boolean])"]),
    FunctionDef::new(
        "TRY_PARSE_JSON",
        Jsons,
        Resolve::Rules(resolve),
        Eval::Values(try_parse),
        [
            "The same, NULL where the text is no JSON.",
            "同上；文本不是合法 JSON 时为 NULL。",
        ],
    )
    .written(&["TRY_PARSE_JSON(string[, boolean])"]),
];

fn resolve(mut request: Request<'_>) -> Expr {
    let name = request.function.name;
    let expected = format!("{name}(<CHARACTER_STRING>)\n{name}(<CHARACTER_STRING>, <BOOLEAN>)");
    let fits = match request.args.as_slice() {
        [text] => text.data_type.kind.is_character(),
        [text, flag] => text.data_type.kind.is_character() && flag.data_type.kind == TypeKind::Boolean,
        _ => return request.no_such_signature(&expected),
    };
    if !fits {
        return request.not_accepted(&expected, "");
    }
    let nullable = request.any_nullable() || name.starts_with("TRY");
    let args = std::mem::take(&mut request.args);
    request.call(
        args,
        sg_value::DataType {
            kind: TypeKind::Variant,
            nullable,
        },
    )
}

fn parse(values: &[Value]) -> Outcome {
    let [Value::Str(text), rest @ ..] = values else {
        return Ok(Value::Null);
    };
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Json>();
    let failed = |reason: String, flink: &str| -> Failure {
        Box::new(
            failure(Code::ValueNotTaken)
                .arg("function", "PARSE_JSON")
                .arg("reason", reason)
                .flink(format!(
                    "TableRuntimeException: Failed to parse json string: {text}{flink}"
                )),
        )
    };
    // what follows the value is not looked at, as in Flink
    let json = match stream.next() {
        Some(Ok(json)) => json,
        Some(Err(error)) => return Err(failed(error.to_string(), "")),
        None => {
            return Err(failed(
                "there is nothing".to_owned(),
                "\nJsonParseException: Unexpected null token",
            ));
        }
    };
    let end = stream.byte_offset();
    let twice = !matches!(rest, [Value::Bool(true)])
        && members(&json) != colons(text.as_bytes().get(..end).unwrap_or_default());
    if twice {
        return Err(failed(
            "a key stands twice".to_owned(),
            "\nVariantTypeException: VARIANT_DUPLICATE_KEY",
        ));
    }
    Ok(Value::Str(text_of(&json).into()))
}

fn try_parse(values: &[Value]) -> Outcome {
    Ok(parse(values).unwrap_or_default())
}

/// How many members the objects within have, equal keys being one.
fn members(json: &Json) -> usize {
    match json {
        Json::Array(elements) => elements.iter().map(members).sum(),
        Json::Object(fields) => fields.len() + fields.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

/// How many members are written.
fn colons(text: &[u8]) -> usize {
    let (mut count, mut quoted, mut escaped) = (0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b':' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

fn text_of(json: &Json) -> String {
    match json {
        Json::Number(number) => number_text(number.as_str()),
        Json::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(text_of).gather();
            format!("[{}]", elements.join(","))
        }
        Json::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().gather();
            sorted.sort_unstable_by_key(|(name, _)| *name);
            let fields: Vec<String> = sorted
                .into_iter()
                .map(|(name, value)| format!("{}:{}", json_quoted(name), text_of(value)))
                .gather();
            format!("{{{}}}", fields.join(","))
        }
        other => json_text(other),
    }
}

fn number_text(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let precision = whole.trim_start_matches('0').len() + fraction.len();
    if digits.contains(['e', 'E']) || precision > 38 {
        return f64_from_text(text).map_or_else(|| text.to_owned(), double_text);
    }
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    let sign = if whole == "0" && fraction.is_empty() {
        ""
    } else {
        sign
    };
    format!("{sign}{whole}{point}{fraction}")
}

/// `v['key']`, `v[1]`.
pub(super) fn item(values: &[Value]) -> Outcome {
    let [Value::Str(variant), key] = values else {
        return Ok(Value::Null);
    };
    let json: Json = serde_json::from_str(variant).unwrap_or_default();
    let found = match (&json, key) {
        (Json::Object(fields), Value::Str(name)) => fields.get(&**name),
        (Json::Array(elements), Value::Int(index)) => index
            .checked_sub(1)
            .and_then(|at| usize::try_from(at).ok())
            .and_then(|at| elements.get(at)),
        (_, key) => return Err(no_container(key)),
    };
    Ok(found.map_or(Value::Null, |json| Value::Str(text_of(json).into())))
}

fn no_container(key: &Value) -> Failure {
    let (what, of, no) = match key {
        Value::Str(_) => ("String key", "an object", "non-object"),
        _ => ("Integer index", "an array", "non-array"),
    };
    Box::new(
        failure(Code::ValueNotTaken)
            .arg("function", "ITEM")
            .arg("reason", format!("the VARIANT is not {of}"))
            .flink(format!(
                "TableRuntimeException: {what} access on variant requires {of} variant, but a {no} variant was provided."
            )),
    )
}
