//! Aggregate functions of a script. The accumulator is one cell: of the declared type, or else the JSON text of what the
//! function keeps.

use std::{cell::Cell, rc::Rc};

use serde_json::Value as Json;
use sg_value::{DataType, Field, Gather as _, TypeKind, Value, data_type::MAX_LENGTH, json::json_text};

use super::{Script, convert};
use crate::{
    aggregate::{Accumulator, AggregateCall, AggregateDef, Typing, Views},
    bound::{Expr, ExprKind},
    compile::place,
    eval::EvalError,
    function::{Doc, Failure},
};

/// What a call of such a function carries beside [`USER_AGGREGATE`].
#[derive(Clone, Debug, PartialEq)]
pub struct UserAggregate {
    /// The function.
    pub script: Script,
    /// `accumulator`; without it the state keeps JSON text.
    pub accumulator: Option<DataType>,
    /// There is a method `retract`.
    pub retracts: bool,
    /// There is a method `merge`.
    pub merges: bool,
}

impl UserAggregate {
    /// Its row: [`USER_AGGREGATE`] or [`USER_MERGEABLE`].
    pub fn row(&self) -> &'static AggregateDef {
        if self.merges {
            &USER_MERGEABLE
        } else {
            &USER_AGGREGATE
        }
    }

    /// What the function's text alone does not say, as a constant.
    pub(crate) fn to_expr(&self) -> Expr {
        let cell = self.accumulator.clone();
        let flags = [
            Value::Bool(self.retracts),
            Value::Bool(self.merges),
            Value::Bool(cell.is_some()),
        ];
        let field = Field {
            name: Rc::from("accumulator"),
            data_type: cell.unwrap_or_else(|| DataType::nullable(TypeKind::Null)),
        };
        let data_type = DataType::not_null(TypeKind::Row(Rc::from([field])));
        Expr::literal(Value::Row(Rc::from(flags)), data_type, self.script.span)
    }

    /// The function whose other half [`UserAggregate::to_expr`] gave.
    pub(crate) fn of(script: Script, expr: &Expr) -> Option<Self> {
        let (ExprKind::Literal(Value::Row(flags)), TypeKind::Row(fields)) =
            (&expr.kind, &expr.data_type.kind)
        else {
            return None;
        };
        let flag = |at: usize| flags.get(at).and_then(Value::as_bool);
        let declared = flag(2)?.then(|| fields.first().map(|field| field.data_type.clone()));
        Some(Self {
            script,
            accumulator: declared.flatten(),
            retracts: flag(0)?,
            merges: flag(1)?,
        })
    }
}

const ROW: AggregateDef = AggregateDef {
    name: "$script",
    forms: &[],
    doc: Doc::of(
        "Calls an aggregate function of the script.",
        "调用脚本中的聚合函数。",
    ),
    mergeable: false,
    resolve: |_| Typing::WrongCount,
    cells: |_| &[""],
    build: |call| Box::new(Steps::of(call)),
};

/// The row of all aggregate functions of scripts.
pub static USER_AGGREGATE: AggregateDef = ROW;

/// The same for those with a method `merge`.
pub static USER_MERGEABLE: AggregateDef = AggregateDef {
    mergeable: true,
    ..ROW
};

struct Steps {
    user: Option<Rc<UserAggregate>>,
    columns: Vec<usize>,
    types: Vec<DataType>,
    result: DataType,
    span: sg_diag::Span,
    id: Cell<Option<u32>>,
}

impl Steps {
    fn of(call: &AggregateCall) -> Self {
        Self {
            user: call.user.clone(),
            columns: call.args.iter().map(|column| *column as usize).gather(),
            types: call.arg_types.clone(),
            result: call.data_type.clone(),
            span: call.span,
            id: Cell::new(None),
        }
    }

    fn cell_type(&self) -> DataType {
        self.user
            .as_ref()
            .and_then(|user| user.accumulator.clone())
            .unwrap_or_else(|| DataType::nullable(TypeKind::Varchar(MAX_LENGTH)))
    }

    fn unpacked(user: &UserAggregate, cell: &Value) -> Json {
        match (&user.accumulator, cell) {
            (Some(declared), cell) => convert::to_json(cell, declared),
            (None, Value::Str(text)) => super::parsed(text),
            (None, _) => Json::Null,
        }
    }

    fn packed(user: &UserAggregate, json: &Json) -> Result<Value, Failure> {
        match &user.accumulator {
            Some(declared) => convert::from_json(&user.script, json, declared),
            None => Ok(Value::from(json_text(json).as_str())),
        }
    }

    fn call(&self, user: &UserAggregate, method: &str, arguments: &str) -> Result<Json, Failure> {
        let mut id = match self.id.get() {
            Some(id) => id,
            None => user.script.shape()?.id,
        };
        let answer = user.script.call(&mut id, method, arguments);
        self.id.set(Some(id));
        answer
    }

    fn step(&self, method: &str, cells: &mut [Value], row: &[Value]) -> Result<(), EvalError> {
        let (Some(user), [cell]) = (&self.user, cells) else {
            return Ok(());
        };
        let run = || {
            let values: Vec<Value> = self
                .columns
                .iter()
                .map(|column| row.get(*column).cloned().unwrap_or_default())
                .gather();
            let accumulator = self.present(user, cell)?;
            let arguments = convert::arguments(&user.script, Some(accumulator), &values, &self.types)?;
            Self::packed(user, &self.call(user, method, &arguments)?)
        };
        *cell = run().map_err(|failure| place(failure, self.span))?;
        Ok(())
    }

    /// The accumulator in a cell; a cell without one gets a new one.
    fn present(&self, user: &UserAggregate, cell: &Value) -> Result<Json, Failure> {
        if cell.is_null() {
            self.call(user, "createAccumulator", "[]")
        } else {
            Ok(Self::unpacked(user, cell))
        }
    }
}

impl Accumulator for Steps {
    fn cell_types(&self) -> Vec<DataType> {
        vec![self.cell_type()]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        let made = self.user.as_ref().and_then(|user| {
            let json = self.call(user, "createAccumulator", "[]").ok()?;
            Self::packed(user, &json).ok()
        });
        // what fails here fails again, and is told, with the first row
        cells.push(made.unwrap_or_default());
    }

    fn accumulate(
        &self,
        cells: &mut [Value],
        row: &[Value],
        _views: &mut dyn Views,
    ) -> Result<(), EvalError> {
        self.step("accumulate", cells, row)
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], _views: &mut dyn Views) -> Result<(), EvalError> {
        self.step("retract", cells, row)
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _views: &mut dyn Views) -> Result<(), EvalError> {
        let (Some(user), [cell], [other]) = (&self.user, cells, other) else {
            return Ok(());
        };
        let run = || {
            let pair = vec![self.present(user, cell)?, self.present(user, other)?];
            let merged = self.call(user, "merge", &json_text(&Json::Array(pair)))?;
            Self::packed(user, &merged)
        };
        *cell = run().map_err(|failure| place(failure, self.span))?;
        Ok(())
    }

    fn value(&self, cells: &[Value], _views: &mut dyn Views) -> Result<Value, EvalError> {
        let (Some(user), [cell]) = (&self.user, cells) else {
            return Ok(Value::Null);
        };
        let run = || {
            let arguments = json_text(&Json::Array(vec![self.present(user, cell)?]));
            let given = self.call(user, "getValue", &arguments)?;
            convert::from_json(&user.script, &given, &self.result)
        };
        run().map_err(|failure| place(failure, self.span))
    }
}
