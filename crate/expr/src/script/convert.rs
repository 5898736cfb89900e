//! Values to JSON for JavaScript, and back by the declared types, strictly: nothing is cut, rounded or guessed.

use serde_json::{Map, Value as Json};
use sg_value::{
    DataType, Field, Gather as _, TypeKind, Value,
    format::cell_text,
    json::{json_from_value, json_text, value_from_json},
};

use super::Script;
use crate::function::Failure;

/// The largest whole number up to which JavaScript has all.
const MOST_EXACT: i64 = 9_007_199_254_740_991;

/// The JSON array of a call's arguments.
pub(super) fn arguments(
    script: &Script,
    first: Option<Json>,
    values: &[Value],
    types: &[DataType],
) -> Result<String, Failure> {
    let mut list: Vec<Json> = first.into_iter().gather();
    for (value, data_type) in values.iter().zip(types) {
        if let Some(inexact) = inexact(value, data_type) {
            return Err(script.too_exact(&inexact));
        }
        list.push(to_json(value, data_type));
    }
    Ok(json_text(&Json::Array(list)))
}

/// A value for JavaScript; NaN and the infinities are `{"$n": text}`.
pub(super) fn to_json(value: &Value, data_type: &DataType) -> Json {
    match (value, json_from_value(value, data_type)) {
        (Value::Double(_), Json::String(text)) => {
            Json::Object(Map::from_iter([("$n".to_owned(), text.into())]))
        }
        (_, json) => json,
    }
}

/// The text of a number within a value that JavaScript has not exactly.
fn inexact(value: &Value, data_type: &DataType) -> Option<String> {
    let many = |values: &[Value], types: &mut dyn Iterator<Item = &DataType>| {
        values
            .iter()
            .zip(types)
            .find_map(|(value, of)| inexact(value, of))
    };
    match (value, &data_type.kind) {
        (Value::Int(number), TypeKind::BigInt) => {
            (number.unsigned_abs() > MOST_EXACT.unsigned_abs()).then(|| number.to_string())
        }
        (_, TypeKind::Decimal { .. }) => {
            let unscaled = value.unscaled()?;
            (unscaled.unsigned_abs() >= 1_000_000_000_000_000).then(|| cell_text(value, data_type))
        }
        (Value::Array(values), TypeKind::Array(element)) => many(values, &mut std::iter::repeat(&**element)),
        (Value::Row(values), TypeKind::Row(fields)) => {
            many(values, &mut fields.iter().map(|field| &field.data_type))
        }
        (Value::Map(map), TypeKind::Map(_, of)) => {
            map.entries.iter().find_map(|(_, value)| inexact(value, of))
        }
        _ => None,
    }
}

/// The value of the declared type, or a failure that shows what was given.
pub(super) fn from_json(script: &Script, json: &Json, declared: &DataType) -> Result<Value, Failure> {
    fitted(json, declared)
        .and_then(|fitted| value_from_json(&fitted, declared).ok())
        .ok_or_else(|| script.wrong_result(json, declared))
}

/// The JSON as the reader of SQL's values takes it; `None` where it is no value of the type.
fn fitted(json: &Json, declared: &DataType) -> Option<Json> {
    if json.is_null() {
        return declared.nullable.then_some(Json::Null);
    }
    // a number that JSON has not
    let special = json.get("$n").and_then(Json::as_str);
    let within = |least: i64, most: i64| {
        let number = match special {
            Some(text) => text.parse().ok(),
            None => json.as_i64(),
        };
        number
            .filter(|number| (least..=most).contains(number))
            .map(Json::from)
    };
    let text = |change: &dyn Fn(&str) -> String| json.as_str().map(|text| Json::String(change(text)));
    match &declared.kind {
        TypeKind::Boolean => json.is_boolean().then(|| json.clone()),
        TypeKind::TinyInt => within(-128, 127),
        TypeKind::SmallInt => within(-32_768, 32_767),
        TypeKind::Int => within(i64::from(i32::MIN), i64::from(i32::MAX)),
        TypeKind::BigInt => within(i64::MIN, i64::MAX),
        TypeKind::Float | TypeKind::Double => match special {
            Some(text) => Some(Json::String(text.to_owned())),
            None => json.is_number().then(|| json.clone()),
        },
        TypeKind::Decimal { .. } => match special {
            Some(text) => Some(Json::String(text.to_owned())),
            None => (json.is_number() || json.is_string()).then(|| json.clone()),
        },
        TypeKind::Char(_) | TypeKind::Varchar(_) => json.is_string().then(|| json.clone()),
        // a Date arrives as the text of its moment
        TypeKind::Date => text(&|text| text.get(..10).unwrap_or(text).to_owned()),
        TypeKind::Time(_) => json.is_string().then(|| json.clone()),
        TypeKind::Timestamp { .. } => text(&|text| text.trim_end_matches('Z').replacen('T', " ", 1)),
        TypeKind::TimestampLtz { .. } => {
            text(&|text| format!("{}Z", text.trim_end_matches('Z').replacen('T', " ", 1)))
        }
        TypeKind::Array(element) => {
            let items = json.as_array()?.iter().map(|item| fitted(item, element));
            items.gather::<Option<Vec<_>>>().map(Json::Array)
        }
        TypeKind::Map(_, of) => {
            let entries = json.as_object()?.iter();
            let entries = entries.map(|(key, item)| Some((key.clone(), fitted(item, of)?)));
            entries.collect::<Option<Map<_, _>>>().map(Json::Object)
        }
        TypeKind::Row(fields) => row(json, fields),
        _ => None,
    }
}

/// A ROW is an object with its fields, or an array of all of them.
fn row(json: &Json, fields: &[Field]) -> Option<Json> {
    let cell = |at: usize, field: &Field| match json {
        Json::Array(items) => items.get(at),
        Json::Object(object) => Some(object.get(&*field.name).unwrap_or(&Json::Null)),
        _ => None,
    };
    if json.as_array().is_some_and(|items| items.len() != fields.len()) {
        return None;
    }
    let cells = fields.iter().enumerate().map(|(at, field)| {
        Some((
            field.name.to_string(),
            fitted(cell(at, field)?, &field.data_type)?,
        ))
    });
    cells.collect::<Option<Map<_, _>>>().map(Json::Object)
}
