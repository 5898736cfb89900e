//! `JSON_OBJECTAGG` and `JSON_ARRAYAGG` over texts that are JSON already (the planner puts `JSON_STRING` around the values).
//!
//! Cells: the keys with their texts, or the texts in order of arrival. Flink: `JsonObjectAggFunction`,
//! `JsonArrayAggFunction`. Differs from Flink: entries are counted as an array in the accumulator, not as a map or list
//! of their own. Case: group-agg/json-objectagg-and-text-min.

use std::rc::Rc;

use sg_diag::{Code, Span};
use sg_value::{DataType, Gather as _, MapValue, TypeKind, Value, sorted::SortedMap};

use super::{
    Accumulator, AggregateCall, AggregateDef, Typing, Views,
    count::argument,
    list::{pushed, without_first},
};
use crate::{
    compile::place,
    eval::EvalError,
    function::{Doc, failure, json_quoted},
};

const OBJECT: Doc = Doc::of(
    "A JSON object of all keys and values.",
    "把所有键和值组成 JSON 对象。",
);
const ARRAY: Doc = Doc::of(
    "A JSON array of all values in order of arrival.",
    "按到达顺序把所有值组成 JSON 数组。",
);

/// What Flink types the results as; longer texts are not cut.
const RESULT: TypeKind = TypeKind::Varchar(2000);

pub(super) const OBJECT_NULLS: AggregateDef = AggregateDef {
    name: "JSON_OBJECTAGG_NULL_ON_NULL",
    forms: &["JSON_OBJECTAGG([KEY] text VALUE value [NULL ON NULL]) → VARCHAR(2000)"],
    doc: OBJECT,
    mergeable: true,
    resolve: resolve_object,
    cells: |_| &["json_objectagg_null_on_null"],
    build: |call| Box::new(Object::new(call, true)),
};

pub(super) const OBJECT_NO_NULLS: AggregateDef = AggregateDef {
    name: "JSON_OBJECTAGG_ABSENT_ON_NULL",
    forms: &["JSON_OBJECTAGG([KEY] text VALUE value ABSENT ON NULL) → VARCHAR(2000)"],
    doc: OBJECT,
    mergeable: true,
    resolve: resolve_object,
    cells: |_| &["json_objectagg_absent_on_null"],
    build: |call| Box::new(Object::new(call, false)),
};

pub(super) const ARRAY_NULLS: AggregateDef = AggregateDef {
    name: "JSON_ARRAYAGG_NULL_ON_NULL",
    forms: &["JSON_ARRAYAGG(value NULL ON NULL) → VARCHAR(2000)"],
    doc: ARRAY,
    mergeable: false,
    resolve: resolve_array,
    cells: |_| &["list"],
    build: |call| Box::new(Array::new(call, true)),
};

pub(super) const ARRAY_NO_NULLS: AggregateDef = AggregateDef {
    name: "JSON_ARRAYAGG_ABSENT_ON_NULL",
    forms: &["JSON_ARRAYAGG(value [ABSENT ON NULL]) → VARCHAR(2000)"],
    doc: ARRAY,
    mergeable: false,
    resolve: resolve_array,
    cells: |_| &["list"],
    build: |call| Box::new(Array::new(call, false)),
};

fn resolve_object(args: &[DataType]) -> Typing {
    match args {
        [_, _] => Typing::NotNull(RESULT),
        _ => Typing::WrongCount,
    }
}

fn resolve_array(args: &[DataType]) -> Typing {
    match args {
        [_] => Typing::NotNull(RESULT),
        _ => Typing::WrongCount,
    }
}

fn text_type() -> DataType {
    DataType::STRING
}

struct Object {
    key: usize,
    value: usize,
    keeps_nulls: bool,
    span: Span,
}

impl Object {
    fn new(call: &AggregateCall, keeps_nulls: bool) -> Self {
        Self {
            key: argument(call).unwrap_or(usize::MAX),
            value: call.args.get(1).map_or(usize::MAX, |column| *column as usize),
            keeps_nulls,
            span: call.span,
        }
    }

    fn add(&self, cells: &mut [Value], key: &Value, value: &Value) -> Result<(), EvalError> {
        let Some(cell) = cells.first_mut() else {
            return Ok(());
        };
        let mut entries = match cell {
            Value::Map(map) => map.entries.clone(),
            _ => Vec::new(),
        };
        if entries.iter().any(|(known, _)| known == key) {
            let shown = key.as_str().unwrap_or("null");
            let repeated = failure(Code::ValueNotTaken)
                .arg("function", "JSON_OBJECTAGG")
                .arg("reason", format!("the key '{shown}' comes twice"))
                .flink(format!(
                    "TableException: Key '{shown}' is already present. Duplicate keys are not allowed in \
                     JSON_OBJECTAGG. Please ensure that keys are unique."
                ));
            return Err(place(Box::new(repeated), self.span));
        }
        if !value.is_null() || self.keeps_nulls {
            entries.push((key.clone(), value.clone()));
            *cell = Value::Map(Rc::new(MapValue { entries }));
        }
        Ok(())
    }
}

impl Accumulator for Object {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::not_null(TypeKind::Map(
            Rc::new(text_type()),
            Rc::new(text_type()),
        ))]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Map(Rc::new(MapValue::default())));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let (Some(key), Some(value)) = (row.get(self.key), row.get(self.value)) else {
            return Ok(());
        };
        self.add(cells, key, value)
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(cell), Some(key)) = (cells.first_mut(), row.get(self.key))
            && let Value::Map(map) = cell
        {
            let mut entries = map.entries.clone();
            entries.retain(|(known, _)| known != key);
            *cell = Value::Map(Rc::new(MapValue { entries }));
        }
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(Value::Map(more)) = other.first() {
            for (key, value) in &more.entries {
                self.add(cells, key, value)?;
            }
        }
        Ok(())
    }

    /// Keys are sorted, as Flink's JSON writer is set up.
    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let Some(Value::Map(map)) = cells.first() else {
            return Ok(Value::Null);
        };
        let sorted: SortedMap<&str, &str> = map
            .entries
            .iter()
            .map(|(key, value)| (key.as_str().unwrap_or("null"), value.as_str().unwrap_or("null")))
            .collect();
        let fields: Vec<String> = sorted
            .iter()
            .map(|(key, value)| format!("{}:{value}", json_quoted(key)))
            .gather();
        Ok(Value::from(format!("{{{}}}", fields.join(",")).as_str()))
    }
}

struct Array {
    arg: usize,
    keeps_nulls: bool,
}

impl Array {
    fn new(call: &AggregateCall, keeps_nulls: bool) -> Self {
        Self {
            arg: argument(call).unwrap_or(usize::MAX),
            keeps_nulls,
        }
    }

    fn taken<'r>(&self, row: &'r [Value]) -> Option<&'r Value> {
        row.get(self.arg)
            .filter(|value| self.keeps_nulls || !value.is_null())
    }
}

impl Accumulator for Array {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::not_null(TypeKind::Array(Rc::new(text_type())))]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Array(Rc::from([])));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(cell), Some(value)) = (cells.first_mut(), self.taken(row)) {
            *cell = pushed(cell, value.clone());
        }
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(cell), Some(value)) = (cells.first_mut(), self.taken(row))
            && let Some(less) = without_first(cell, value)
        {
            *cell = less;
        }
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(cell), Some(Value::Array(more))) = (cells.first_mut(), other.first()) {
            for value in more.iter() {
                *cell = pushed(cell, value.clone());
            }
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let Some(Value::Array(values)) = cells.first() else {
            return Ok(Value::Null);
        };
        let texts: Vec<&str> = values
            .iter()
            .map(|value| value.as_str().unwrap_or("null"))
            .gather();
        Ok(Value::from(format!("[{}]", texts.join(",")).as_str()))
    }
}
