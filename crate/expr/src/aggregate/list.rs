//! LISTAGG and `ARRAY_AGG`: values in order of arrival. A row that is taken back removes the first equal value.
//!
//! Cells of LISTAGG: delimiter and text so far; where rows are taken back, delimiter and the list of values. Cells of
//! `ARRAY_AGG`: the list. Flink: `ListAggFunction`, `ListAggWsWithRetractAggFunction`, `ArrayAggFunction`. Differs from
//! Flink: the list of a retracting LISTAGG is counted as an array in the accumulator, not as a list of its own.
//! Cases: group-agg/listagg-order-and-retraction, group-agg/collect-and-array-agg.

use std::rc::Rc;

use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{Accumulator, AggregateDef, Typing, Views, count::argument};
use crate::{eval::EvalError, function::Doc, types::KindExt};

pub(super) const LISTAGG: AggregateDef = AggregateDef {
    name: "LISTAGG",
    forms: &[
        "LISTAGG([DISTINCT] text) → STRING",
        "LISTAGG([DISTINCT] text, 'delimiter') → STRING",
    ],
    doc: Doc::of(
        "The texts in order of arrival, joined by a comma or the delimiter; NULLs are left out.",
        "按到达顺序用逗号或指定分隔符连接文本，忽略 NULL。",
    ),
    mergeable: true,
    resolve: |args| match args {
        [text] | [text, _] if !text.kind.is_character() && text.kind != TypeKind::Null => {
            Typing::WrongTypes("<CHARACTER>)'\n'LISTAGG(<CHARACTER>, <CHARACTER_LITERAL>")
        }
        [text] | [text, _] => Typing::AsArguments(text.kind.clone()),
        _ => Typing::WrongCount,
    },
    cells: |call| {
        if call.retract {
            &["list", "retractList"]
        } else {
            &["accDelimiter", "concatAcc"]
        }
    },
    build: |call| {
        let join = Join {
            arg: argument(call).unwrap_or(usize::MAX),
            delimiter: call.args.get(1).map(|column| *column as usize),
        };
        if call.retract {
            Box::new(JoinKept(join))
        } else {
            Box::new(join)
        }
    },
};

pub(super) const ARRAY_AGG: AggregateDef = AggregateDef {
    name: "ARRAY_AGG",
    forms: &["ARRAY_AGG([DISTINCT] value) → ARRAY of the argument's type"],
    doc: Doc::of(
        "All values in order of arrival as an array, NULLs too; NULL where there is no row.",
        "按到达顺序把所有值（包括 NULL）组成数组；没有行时为 NULL。",
    ),
    mergeable: true,
    resolve: |args| match args {
        [arg] => Typing::AsArguments(TypeKind::Array(Rc::new(arg.clone()))),
        _ => Typing::WrongCount,
    },
    cells: |_| &["array_agg"],
    build: |call| {
        Box::new(All {
            arg: argument(call).unwrap_or(usize::MAX),
            of: call.arg_types.first().cloned().unwrap_or(DataType::INT),
        })
    },
};

/// The list with one value more.
pub(super) fn pushed(list: &Value, value: Value) -> Value {
    match list {
        Value::Array(values) => Value::Array(values.iter().cloned().chain([value]).gather()),
        _ => Value::Array(Rc::from([value])),
    }
}

/// The list without its first value that is equal; `None` where there is none.
pub(super) fn without_first(list: &Value, value: &Value) -> Option<Value> {
    let Value::Array(values) = list else { return None };
    let at = values.iter().position(|known| known == value)?;
    let rest = values.iter().enumerate().filter(|(other, _)| *other != at);
    Some(Value::Array(rest.map(|(_, value)| value.clone()).gather()))
}

/// The text so far.
struct Join {
    arg: usize,
    delimiter: Option<usize>,
}

impl Join {
    fn delimiter(&self, row: &[Value]) -> Value {
        self.delimiter
            .and_then(|column| row.get(column))
            .filter(|value| !value.is_null())
            .cloned()
            .unwrap_or_else(|| Value::from(","))
    }

    fn append(cells: &mut [Value], delimiter: Value, text: &Value) {
        let Some([kept, joined, ..]) = cells.get_mut(..) else {
            return;
        };
        let Some(text) = text.as_str() else { return };
        *joined = match joined.as_str() {
            Some(before) => {
                Value::from(format!("{before}{}{text}", delimiter.as_str().unwrap_or(",")).as_str())
            }
            None => Value::from(text),
        };
        *kept = delimiter;
    }
}

impl Accumulator for Join {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::STRING, DataType::STRING]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.extend([Value::from(","), Value::Null]);
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(text) = row.get(self.arg) {
            Self::append(cells, self.delimiter(row), text);
        }
        Ok(())
    }

    /// The planner takes the other form where rows are taken back.
    fn retract(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let [delimiter, text, ..] = other {
            Self::append(cells, delimiter.clone(), text);
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(cells.get(1).cloned().unwrap_or_default())
    }
}

/// The texts one by one: delimiter, list.
struct JoinKept(Join);

impl Accumulator for JoinKept {
    fn cell_types(&self) -> Vec<DataType> {
        vec![
            DataType::STRING,
            DataType::nullable(TypeKind::Array(Rc::new(DataType::STRING))),
        ]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.extend([Value::from(","), Value::Array(Rc::from([]))]);
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let text = row.get(self.0.arg).filter(|text| !text.is_null());
        if let (Some(text), [delimiter, list, ..]) = (text, cells) {
            *delimiter = self.0.delimiter(row);
            *list = pushed(list, text.clone());
        }
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let text = row.get(self.0.arg).filter(|text| !text.is_null());
        if let (Some(text), Some(list)) = (text, cells.get_mut(1))
            && let Some(less) = without_first(list, text)
        {
            *list = less;
        }
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let ([delimiter, list, ..], [theirs, Value::Array(more), ..]) = (cells, other) {
            if !more.is_empty() {
                *delimiter = theirs.clone();
            }
            for text in more.iter() {
                *list = pushed(list, text.clone());
            }
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let [delimiter, Value::Array(list), ..] = cells else {
            return Ok(Value::Null);
        };
        if list.is_empty() {
            return Ok(Value::Null);
        }
        let texts: Vec<&str> = list.iter().filter_map(Value::as_str).gather();
        Ok(Value::from(
            texts.join(delimiter.as_str().unwrap_or(",")).as_str(),
        ))
    }
}

/// All values.
struct All {
    arg: usize,
    of: DataType,
}

impl Accumulator for All {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::nullable(TypeKind::Array(Rc::new(self.of.clone())))]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Array(Rc::from([])));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(cell), Some(value)) = (cells.first_mut(), row.get(self.arg)) {
            *cell = pushed(cell, value.clone());
        }
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(cell), Some(value)) = (cells.first_mut(), row.get(self.arg))
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
        Ok(match cells.first() {
            Some(Value::Array(values)) if !values.is_empty() => Value::Array(Rc::clone(values)),
            _ => Value::Null,
        })
    }
}
