//! Values from JSON.

use std::{fmt, rc::Rc};

use serde_json::Value as Json;

use super::{
    base64,
    node::{Numbers, Numeric, java_integer},
};
use crate::{
    data_type::{DataType, Field, TypeKind},
    decimal::{Decimal, DecimalType, not_a_decimal},
    format::{FIRST_CAPACITY, bucket_order},
    hash::hash_bytes,
    number::{parse_double, parse_float, round_to_float, trim_java},
    time::{parse_iso_date, parse_sql_time, parse_sql_timestamp},
    value::{MapValue, Value},
};

/// Why JSON is no value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The field, with a dot between the names where it lies within a ROW; empty at the top.
    pub field: String,
    /// What the innermost exception of Flink says.
    pub message: String,
}

impl JsonError {
    fn new(message: impl Into<String>) -> Self {
        Self {
            field: String::new(),
            message: message.into(),
        }
    }

    fn within(self, field: &str) -> Self {
        let field = if self.field.is_empty() {
            field.to_owned()
        } else {
            format!("{field}.{}", self.field)
        };
        Self { field, ..self }
    }
}

impl fmt::Display for JsonError {
    /// Flink's exceptions from the outside in, one a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in self.field.split('.').filter(|field| !field.is_empty()) {
            writeln!(f, "Fail to deserialize at field: {field}.")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for JsonError {}

/// Reads the rows of a table.
#[derive(Clone, Debug)]
pub struct JsonReader {
    fields: Rc<[Field]>,
    numbers: Numbers,
}

impl JsonReader {
    /// For rows of these columns. Fails where the format has no reader: a MAP whose keys are not text.
    pub fn new(fields: &[Field]) -> Result<Self, JsonError> {
        if let Some(kind) = fields.iter().find_map(|field| unreadable(&field.data_type)) {
            return Err(JsonError::new(format!(
                "JSON format doesn't support non-string as key type of map. The type is: {kind}"
            )));
        }
        let exact = fields.iter().any(|field| has_decimal(&field.data_type));
        let numbers = if exact { Numbers::Exact } else { Numbers::Doubles };
        Ok(Self {
            fields: fields.into(),
            numbers,
        })
    }

    /// The same for the format `json`, which reads fields without making a tree of them: a number as a text is what was
    /// written. Case: cdc/json-numbers-of-many-forms.
    #[must_use]
    pub fn as_written(self) -> Self {
        Self {
            numbers: self.numbers.as_written(),
            ..self
        }
    }

    /// A row from a JSON object: missing fields are NULL, unknown ones are ignored.
    pub fn row(&self, json: &Json) -> Result<Vec<Value>, JsonError> {
        row(self.numbers, json, &self.fields)
    }
}

/// A row from a JSON object, for a few rows; `JsonReader` looks at the columns only once.
pub fn row_from_json(json: &Json, fields: &[Field]) -> Result<Vec<Value>, JsonError> {
    JsonReader::new(fields)?.row(json)
}

/// A value of `data_type` from JSON on its own.
pub fn value_from_json(json: &Json, data_type: &DataType) -> Result<Value, JsonError> {
    let numbers = if has_decimal(data_type) {
        Numbers::Exact
    } else {
        Numbers::Doubles
    };
    value(numbers, json, data_type)
}

fn has_decimal(data_type: &DataType) -> bool {
    match &data_type.kind {
        TypeKind::Decimal { .. } => true,
        TypeKind::Array(element) | TypeKind::Multiset(element) => has_decimal(element),
        TypeKind::Map(key, value) => has_decimal(key) || has_decimal(value),
        TypeKind::Row(fields) => fields.iter().any(|field| has_decimal(&field.data_type)),
        _ => false,
    }
}

/// The MAP or MULTISET within a type that has no reader.
fn unreadable(data_type: &DataType) -> Option<&TypeKind> {
    match &data_type.kind {
        kind @ (TypeKind::Map(key, _) | TypeKind::Multiset(key))
            if !matches!(key.kind, TypeKind::Char(_) | TypeKind::Varchar(_)) =>
        {
            Some(kind)
        }
        TypeKind::Map(_, value) => unreadable(value),
        TypeKind::Array(element) => unreadable(element),
        TypeKind::Row(fields) => fields.iter().find_map(|field| unreadable(&field.data_type)),
        _ => None,
    }
}

fn row(numbers: Numbers, json: &Json, fields: &[Field]) -> Result<Vec<Value>, JsonError> {
    let Json::Object(object) = json else {
        return Err(JsonError::new(format!("{} is not an object.", described(json))));
    };
    fields
        .iter()
        .map(|field| match object.get(&*field.name) {
            None => Ok(Value::Null),
            Some(json) => value(numbers, json, &field.data_type).map_err(|error| error.within(&field.name)),
        })
        .collect()
}

fn value(numbers: Numbers, json: &Json, data_type: &DataType) -> Result<Value, JsonError> {
    if json.is_null() {
        return Ok(Value::Null);
    }
    let integer = |bits| {
        let direct = if bits < 32 {
            None
        } else {
            numbers.integer(json, bits)
        };
        let number = direct.map_or_else(|| java_integer(&numbers.text(json), bits), Ok);
        number.map(Value::Int).map_err(JsonError::new)
    };
    match &data_type.kind {
        TypeKind::Null => Ok(Value::Null),
        TypeKind::Boolean => Ok(Value::Bool(match json {
            Json::Bool(truth) => *truth,
            _ => trim_java(&numbers.text(json)).eq_ignore_ascii_case("true"),
        })),
        TypeKind::TinyInt => integer(8),
        TypeKind::SmallInt => integer(16),
        TypeKind::Int | TypeKind::IntervalYearMonth(_) => integer(32),
        TypeKind::BigInt | TypeKind::IntervalDayTime(_) => integer(64),
        TypeKind::Float => float(numbers, json),
        TypeKind::Double => double(numbers, json),
        TypeKind::Decimal { precision, scale } => {
            decimal(&numbers.text(json), DecimalType::new(*precision, *scale))
        }
        TypeKind::Char(_) | TypeKind::Varchar(_) => Ok(text(numbers, json)),
        TypeKind::Binary(_) | TypeKind::Varbinary(_) => bytes(json),
        TypeKind::Date => temporal(parse_iso_date(&numbers.text(json)).map(Value::Int)),
        TypeKind::Time(_) => temporal(parse_sql_time(&numbers.text(json)).map(Value::Int)),
        TypeKind::Timestamp { .. } => timestamp(&numbers.text(json), false),
        TypeKind::TimestampLtz { .. } => timestamp(&numbers.text(json), true),
        TypeKind::Array(element) => array(numbers, json, element),
        kind @ (TypeKind::Map(..) | TypeKind::Multiset(_)) => map(numbers, json, kind),
        TypeKind::Row(fields) => Ok(Value::Row(row(numbers, json, fields)?.into())),
        kind @ (TypeKind::Raw(_) | TypeKind::Variant | TypeKind::Bitmap | TypeKind::Structured(..)) => {
            Err(JsonError::new(format!("Unsupported type: {kind}")))
        }
    }
}

fn double(numbers: Numbers, json: &Json) -> Result<Value, JsonError> {
    if let Json::Number(number) = json
        && let Numeric::Double(number) = numbers.numeric(number)
    {
        return Ok(Value::Double(number));
    }
    let number = parse_double(&numbers.text(json)).map_err(|error| JsonError::new(error.message))?;
    Ok(Value::Double(number))
}

fn float(numbers: Numbers, json: &Json) -> Result<Value, JsonError> {
    if let Json::Number(number) = json
        && let Numeric::Double(number) = numbers.numeric(number)
    {
        return Ok(Value::Double(round_to_float(number)));
    }
    let number = parse_float(&numbers.text(json)).map_err(|error| JsonError::new(error.message))?;
    Ok(Value::Double(number))
}

/// What does not fit is NULL.
fn decimal(text: &str, to: DecimalType) -> Result<Value, JsonError> {
    match Decimal::parse(text, to) {
        Some(unscaled) => Ok(unscaled.map_or(Value::Null, Value::decimal)),
        None => Err(JsonError::new(not_a_decimal(text))),
    }
}

fn text(numbers: Numbers, json: &Json) -> Value {
    match json {
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(_) | Json::Object(_) => {
            let mut text = String::new();
            numbers.write(&mut text, json);
            Value::Str(text.into())
        }
        _ => Value::Str(numbers.text(json).into()),
    }
}

/// Base64; anything but text is NULL.
fn bytes(json: &Json) -> Result<Value, JsonError> {
    let Json::String(text) = json else {
        return Ok(Value::Null);
    };
    base64::decode(text)
        .map(|bytes| Value::Bytes(bytes.into()))
        .map_err(|reason| {
            JsonError::new(format!(
                "Cannot access contents of TextNode as binary due to broken Base64 encoding: {reason}"
            ))
        })
}

fn timestamp(text: &str, zulu: bool) -> Result<Value, JsonError> {
    temporal(parse_sql_timestamp(text, zulu).map(|(ms, nanos)| Value::Timestamp { ms, nanos }))
}

fn temporal(value: Result<Value, crate::time::DateError>) -> Result<Value, JsonError> {
    value.map_err(|error| JsonError::new(error.message))
}

fn array(numbers: Numbers, json: &Json, element: &DataType) -> Result<Value, JsonError> {
    let Json::Array(items) = json else {
        return Err(JsonError::new(format!("{} is not an array.", described(json))));
    };
    let values = items
        .iter()
        .map(|item| value(numbers, item, element))
        .collect::<Result<Rc<[Value]>, _>>()?;
    Ok(Value::Array(values))
}

/// Entries in the order in which Flink keeps them, that of a `HashMap` of its own strings. What is no object is empty.
fn map(numbers: Numbers, json: &Json, kind: &TypeKind) -> Result<Value, JsonError> {
    let (Json::Object(fields), Some((_, value_type))) = (json, kind.map_types()) else {
        return Ok(Value::Map(Rc::default()));
    };
    let entries = fields
        .iter()
        .map(|(key, item)| Ok((Value::from(key.as_str()), value(numbers, item, value_type)?)))
        .collect::<Result<Vec<_>, JsonError>>()?;
    let hashes: Vec<i32> = fields.keys().map(|key| hash_bytes(key.as_bytes())).collect();
    let order = bucket_order(&hashes, FIRST_CAPACITY);
    let entries = order
        .into_iter()
        .filter_map(|at| entries.get(at).cloned())
        .collect();
    Ok(Value::Map(Rc::new(MapValue { entries })))
}

fn described(json: &Json) -> &'static str {
    match json {
        Json::Null => "NULL",
        Json::Bool(_) => "A truth value",
        Json::Number(_) => "A number",
        Json::String(_) => "A text",
        Json::Array(_) => "An array",
        Json::Object(_) => "An object",
    }
}
