//! `ROW_NUMBER`, `RANK`, `DENSE_RANK` and `LAG`: functions of OVER.
//!
//! On a stream RANK and `DENSE_RANK` count the rows so far, as Flink's do: their accumulators compare order keys that are
//! not handed to them. Flink: `RowNumberAggFunction`, `RankAggFunction`, `DenseRankAggFunction`, `LagAggFunction`.
//! Cases: over/*.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::{Accumulator, AggregateCall, AggregateDef, Typing, Views, count::add, set::view_type};
use crate::{eval::EvalError, function::Doc};

pub(super) const ROW_NUMBER: AggregateDef = AggregateDef {
    name: "ROW_NUMBER",
    forms: &["ROW_NUMBER() OVER (…) → BIGINT"],
    doc: Doc::of(
        "The number of the row in its partition, from 1.",
        "行在其分区中的序号，从 1 开始。",
    ),
    mergeable: false,
    resolve: |args| none_of(args),
    cells: |_| &["row_number"],
    build: |_| Box::new(Counter),
};

pub(super) const RANK: AggregateDef = AggregateDef {
    name: "RANK",
    forms: &["RANK() OVER (…) → BIGINT"],
    doc: Doc::of(
        "The rank of the row in its partition; equal rows share one.",
        "行在其分区中的排名，相同的行共享名次。",
    ),
    mergeable: false,
    resolve: |args| none_of(args),
    cells: |_| &["rank"],
    build: |call| ranks(call, false),
};

pub(super) const DENSE_RANK: AggregateDef = AggregateDef {
    name: "DENSE_RANK",
    forms: &["DENSE_RANK() OVER (…) → BIGINT"],
    doc: Doc::of(
        "The rank of the row in its partition without gaps.",
        "行在其分区中的排名，不留空档。",
    ),
    mergeable: false,
    resolve: |args| none_of(args),
    cells: |_| &["dense_rank"],
    build: |call| ranks(call, true),
};

pub(super) const LAG: AggregateDef = neighbour(
    "LAG",
    &["LAG(value [, offset [, default]]) OVER (…) → the value's type"],
);
pub(super) const LEAD: AggregateDef = neighbour(
    "LEAD",
    &["LEAD(value [, offset [, default]]) OVER (…) → the value's type"],
);
pub(super) const NTILE: AggregateDef = ranking("NTILE", &["NTILE(buckets) OVER (…)"]);
pub(super) const PERCENT_RANK: AggregateDef = ranking("PERCENT_RANK", &["PERCENT_RANK() OVER (…)"]);
pub(super) const CUME_DIST: AggregateDef = ranking("CUME_DIST", &["CUME_DIST() OVER (…)"]);

/// A function that Flink knows and its streams refuse.
const fn ranking(name: &'static str, forms: &'static [&'static str]) -> AggregateDef {
    AggregateDef {
        name,
        forms,
        doc: Doc::of("Not on a stream.", "流中不支持。"),
        mergeable: false,
        resolve: |args| match args {
            [] => Typing::NotNull(TypeKind::Double),
            _ => Typing::NotNull(TypeKind::BigInt),
        },
        cells: |_| &["rank"],
        build: |_| Box::new(Counter),
    }
}

const fn neighbour(name: &'static str, forms: &'static [&'static str]) -> AggregateDef {
    AggregateDef {
        name,
        forms,
        doc: Doc::of(
            "The value of an earlier (LAG) or later (LEAD) row of the partition.",
            "分区中之前（LAG）或之后（LEAD）某行的值。",
        ),
        mergeable: false,
        resolve: lag_type,
        cells: |_| &["lag"],
        build: |call| Box::new(Lag::new(call)),
    }
}

fn none_of(args: &[DataType]) -> Typing {
    if args.is_empty() {
        Typing::NotNull(TypeKind::BigInt)
    } else {
        Typing::WrongCount
    }
}

/// The first argument's type, nullable unless a third one is not.
fn lag_type(args: &[DataType]) -> Typing {
    match args {
        [value] | [value, _] => Typing::Always(value.kind.clone()),
        [value, _, default] if default.nullable => Typing::Always(value.kind.clone()),
        [value, _, _] => Typing::NotNull(value.kind.clone()),
        _ => Typing::WrongCount,
    }
}

/// Counts rows, or ranks them where the keys of their order are handed over.
fn ranks(call: &AggregateCall, dense: bool) -> Box<dyn Accumulator> {
    if call.args.is_empty() {
        return Box::new(Counter);
    }
    let keys = call.args.iter().map(|column| *column as usize).gather();
    Box::new(Ranks { dense, keys })
}

/// Ranks rows that come in order. Cells: rank, rows so far, keys of the last row as one ROW.
struct Ranks {
    dense: bool,
    keys: Vec<usize>,
}

impl Accumulator for Ranks {
    fn cell_types(&self) -> Vec<DataType> {
        let number = DataType::not_null(TypeKind::BigInt);
        vec![number.clone(), number.clone(), number]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.extend([Value::Int(0), Value::Int(0), Value::Null]);
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let [rank, rows, last] = cells {
            let keys = self
                .keys
                .iter()
                .map(|column| row.get(*column).cloned().unwrap_or_default());
            let keys = Value::Row(keys.gather());
            add(Some(rows), 1);
            if *last != keys {
                *rank = match (self.dense, &*rank) {
                    (true, Value::Int(rank)) => Value::Int(rank + 1),
                    _ => rows.clone(),
                };
                *last = keys;
            }
        }
        Ok(())
    }

    fn retract(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn merge(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(cells.first().cloned().unwrap_or_default())
    }
}

/// Counts rows.
struct Counter;

impl Accumulator for Counter {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::not_null(TypeKind::BigInt)]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Int(0));
    }

    fn accumulate(&self, cells: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        add(cells.first_mut(), 1);
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        add(cells.first_mut(), -1);
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        add(
            cells.first_mut(),
            other.first().and_then(Value::as_int).unwrap_or(0),
        );
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(cells.first().cloned().unwrap_or_default())
    }
}

/// The last values: one cell ROW(offset, default, values), of which values is an ARRAY.
struct Lag {
    of: DataType,
    value: usize,
    offset: Option<usize>,
    default: Option<usize>,
    /// What stands for NULL where the result is said to be never NULL.
    never_null: Option<Value>,
    span: Span,
}

/// What Java says of a NULL that should be a number.
const UNBOXED: &str = "NullPointerException: Cannot invoke \"java.lang.Integer.intValue()\"";

impl Lag {
    fn no_offset(&self, flink: &str) -> EvalError {
        let diagnostic = Diagnostic::new(Code::ValueNotTaken, self.span)
            .arg("function", "LAG")
            .arg("reason", "an offset is a number from 0 on")
            .flink(flink);
        EvalError::new(diagnostic)
    }

    fn new(call: &AggregateCall) -> Self {
        let column = |at: usize| call.args.get(at).map(|column| *column as usize);
        Self {
            of: call
                .arg_types
                .first()
                .map_or(DataType::INT, DataType::without_time_attribute),
            value: column(0).unwrap_or(usize::MAX),
            offset: column(1),
            default: column(2),
            never_null: (!call.data_type.nullable)
                .then(|| value_of_nothing(&call.data_type.kind))
                .flatten(),
            span: call.span,
        }
    }
}

impl Accumulator for Lag {
    fn cell_types(&self) -> Vec<DataType> {
        let field = |name: &str, data_type| Field {
            name: Rc::from(name),
            data_type,
        };
        vec![DataType::nullable(TypeKind::Row(Rc::from([
            field("offset", DataType::INT),
            field("default", self.of.with_nullable(true)),
            field("values", view_type()),
        ])))]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Row(Rc::from([
            Value::Int(1),
            Value::Null,
            Value::Array(Rc::from([])),
        ])));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        let Some(cell) = cells.first_mut() else {
            return Ok(());
        };
        let constant = |column: Option<usize>| column.and_then(|column| row.get(column)).cloned();
        let offset = match constant(self.offset) {
            None => 1,
            Some(offset) => match offset.as_int() {
                Some(offset) if offset >= 0 => offset,
                Some(offset) => {
                    return Err(
                        self.no_offset(&format!("TableException: Offset({offset}) should be positive."))
                    );
                }
                None => return Err(self.no_offset(UNBOXED)),
            },
        };
        let default = constant(self.default).unwrap_or_default();
        let mut values = match &*cell {
            Value::Row(parts) => match parts.get(2) {
                Some(Value::Array(values)) => values.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        values.push(row.get(self.value).cloned().unwrap_or_default());
        let kept = usize::try_from(offset.max(0))
            .unwrap_or(usize::MAX)
            .saturating_add(1);
        if values.len() > kept {
            values.drain(..values.len() - kept);
        }
        *cell = Value::Row(Rc::from([
            Value::Int(offset),
            default,
            Value::Array(Rc::from(values)),
        ]));
        Ok(())
    }

    fn retract(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn merge(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        let Some(Value::Row(parts)) = cells.first() else {
            return Ok(Value::Null);
        };
        let [Value::Int(offset), default, Value::Array(values)] = &**parts else {
            return Ok(Value::Null);
        };
        let wanted = usize::try_from(*offset).unwrap_or(usize::MAX).saturating_add(1);
        let value = if values.len() < wanted {
            default.clone()
        } else {
            values.first().cloned().unwrap_or_default()
        };
        Ok(match (&self.never_null, value) {
            (Some(instead), Value::Null) => instead.clone(),
            (_, value) => value,
        })
    }
}

/// What Flink's generated code reads where a column that is never NULL has NULL.
/// Cases: over/lag-with-default-and-distance, batch/over-lag-never-null.
pub fn value_of_nothing(kind: &TypeKind) -> Option<Value> {
    match kind {
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt | TypeKind::Date => {
            Some(Value::Int(-1))
        }
        TypeKind::Float | TypeKind::Double => Some(Value::Double(-1.0)),
        TypeKind::Boolean => Some(Value::Bool(false)),
        TypeKind::Char(_) | TypeKind::Varchar(_) => Some(Value::from("")),
        _ => None,
    }
}
