//! LISTAGG and `ARRAY_AGG`: values in order of arrival. A row that is taken back removes the first equal value.
//!
//! Cells of LISTAGG: delimiter and text so far; where rows are taken back, delimiter and the list of values. Cells of
//! `ARRAY_AGG`: the list. Where rows are taken back, a last cell has what was taken back before it came: a local phase
//! gives it to the global one. Flink: `ListAggFunction`, `ListAggWsWithRetractAggFunction`, `ArrayAggFunction`. Differs
//! from Flink: these lists are counted as arrays in the accumulator, not as lists of their own.
//! Cases: group-agg/listagg-order-and-retraction, group-agg/collect-and-array-agg, optimisation/local-global-lists-*.

use std::rc::Rc;

use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

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
            &["listagg"]
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
        let all = All {
            arg: argument(call).unwrap_or(usize::MAX),
            of: call.arg_types.first().cloned().unwrap_or(DataType::INT),
        };
        if call.retract {
            Box::new(AllKept(all))
        } else {
            Box::new(all)
        }
    },
};

/// The type of a cell of parts.
fn row_type<const N: usize>(parts: [DataType; N]) -> DataType {
    let field = |data_type| Field {
        name: Rc::from(""),
        data_type,
    };
    DataType::not_null(TypeKind::Row(parts.into_iter().map(field).gather()))
}

/// The parts of the one cell.
fn parts_of(cells: &[Value]) -> &[Value] {
    match cells.first() {
        Some(Value::Row(parts)) => parts,
        _ => &[],
    }
}

/// Changes the parts of the one cell.
fn change(cells: &mut [Value], with: &mut dyn FnMut(&mut [Value])) {
    if let Some(Value::Row(parts)) = cells.first_mut() {
        let mut changed = parts.to_vec();
        with(&mut changed);
        *parts = changed.into();
    }
}

/// Takes a value from the list, or notes that it has to be taken once it comes.
fn take_back(list: &mut Value, owed: &mut Value, value: &Value) {
    match without_first(list, value) {
        Some(less) => *list = less,
        None => *owed = pushed(owed, value.clone()),
    }
}

/// The lists of two accumulators one after the other, without what either has to take back.
fn merge_lists((list, owed): (&mut Value, &mut Value), (more, more_owed): (&Value, &Value)) {
    let values = |list: &Value| match list {
        Value::Array(values) => values.to_vec(),
        _ => Vec::new(),
    };
    let joined = |one: &Value, other: &Value| [values(one), values(other)].concat();
    let mut all = joined(list, more);
    let mut left = joined(owed, more_owed);
    left.retain(|value| match all.iter().position(|known| known == value) {
        Some(at) => {
            all.remove(at);
            false
        }
        None => true,
    });
    *list = Value::Array(all.into());
    *owed = Value::Array(left.into());
}

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

/// The texts one by one. Its cell is a row: delimiter, list, what is to be taken back.
struct JoinKept(Join);

impl Accumulator for JoinKept {
    fn cell_types(&self) -> Vec<DataType> {
        let list = DataType::nullable(TypeKind::Array(Rc::new(DataType::STRING)));
        vec![row_type([DataType::STRING, list.clone(), list])]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Row(Rc::from([
            Value::from(","),
            Value::Array(Rc::from([])),
            Value::Null,
        ])));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let text = row.get(self.0.arg).filter(|text| !text.is_null());
        change(cells, &mut |parts| {
            if let (Some(text), [delimiter, list, ..]) = (text, parts) {
                *delimiter = self.0.delimiter(row);
                *list = pushed(list, text.clone());
            }
        });
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let text = row.get(self.0.arg).filter(|text| !text.is_null());
        change(cells, &mut |parts| {
            if let (Some(text), [_, list, owed]) = (text, parts) {
                take_back(list, owed, text);
            }
        });
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        change(cells, &mut |parts| {
            if let ([delimiter, list, owed], [theirs, more, more_owed]) = (parts, parts_of(other)) {
                if matches!(more, Value::Array(more) if !more.is_empty()) {
                    *delimiter = theirs.clone();
                }
                merge_lists((list, owed), (more, more_owed));
            }
        });
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let [delimiter, Value::Array(list), ..] = parts_of(cells) else {
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

/// All values, where no row is taken back.
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

    /// The planner takes the other form where rows are taken back.
    fn retract(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let (Some(cell), Some(more)) = (cells.first_mut(), other.first()) {
            merge_lists((cell, &mut Value::Null), (more, &Value::Null));
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(array_of(cells.first()))
    }
}

/// All values. Its cell is a row: list, what is to be taken back.
struct AllKept(All);

impl Accumulator for AllKept {
    fn cell_types(&self) -> Vec<DataType> {
        let list = DataType::nullable(TypeKind::Array(Rc::new(self.0.of.clone())));
        vec![row_type([list.clone(), list])]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Row(Rc::from([Value::Array(Rc::from([])), Value::Null])));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        let mut result = Ok(());
        change(cells, &mut |parts| result = self.0.accumulate(parts, row, views));
        result
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        change(cells, &mut |parts| {
            if let ([list, owed], Some(value)) = (parts, row.get(self.0.arg)) {
                take_back(list, owed, value);
            }
        });
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        change(cells, &mut |parts| {
            if let ([list, owed], [more, more_owed]) = (parts, parts_of(other)) {
                merge_lists((list, owed), (more, more_owed));
            }
        });
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(array_of(parts_of(cells).first()))
    }
}

fn array_of(list: Option<&Value>) -> Value {
    match list {
        Some(Value::Array(values)) if !values.is_empty() => Value::Array(Rc::clone(values)),
        _ => Value::Null,
    }
}
