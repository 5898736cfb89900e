//! A call of a table function.

use std::cell::Cell;

use serde_json::Value as Json;
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::{Script, convert};
use crate::{
    bound::{Expr, ExprKind},
    eval::EvalError,
    function::Failure,
};

/// A table function, ready to run.
#[derive(Debug)]
pub struct TableCall {
    script: Script,
    types: Vec<DataType>,
    columns: Vec<Field>,
    id: Cell<Option<u32>>,
}

impl Script {
    /// The first argument of a call: the function itself.
    pub fn head(&self) -> Expr {
        self.to_expr()
    }

    /// The function that a first argument is.
    pub fn of_head(head: &Expr) -> Option<Self> {
        match &head.kind {
            ExprKind::Literal(value) => Self::of_value(value),
            _ => None,
        }
    }
}

impl TableCall {
    /// Prepares a call whose first argument is the function; `columns` are those of its rows.
    pub fn new(args: &[Expr], columns: &[Field]) -> Option<Self> {
        let (head, args) = args.split_first()?;
        Some(Self {
            script: Script::of_head(head)?,
            types: args.iter().map(|arg| arg.data_type.clone()).gather(),
            columns: columns.to_vec(),
            id: Cell::new(None),
        })
    }

    /// The cells of all rows that the function gives, one row behind the other.
    pub fn rows(&self, values: &[Value]) -> Result<Vec<Value>, EvalError> {
        self.cells(values).map_err(|diagnostic| EvalError { diagnostic })
    }

    fn cells(&self, values: &[Value]) -> Result<Vec<Value>, Failure> {
        let arguments = convert::arguments(
            &self.script,
            None,
            values.get(1..).unwrap_or_default(),
            &self.types,
        )?;
        let mut id = match self.id.get() {
            Some(id) => id,
            None => self.script.shape()?.id,
        };
        let answer = self.script.call(&mut id, "rows", &arguments);
        self.id.set(Some(id));
        let answer = answer?;
        let mut cells = Vec::new();
        for row in answer.as_array().map(Vec::as_slice).unwrap_or_default() {
            self.push(row, &mut cells)?;
        }
        Ok(cells)
    }

    fn push(&self, row: &Json, cells: &mut Vec<Value>) -> Result<(), Failure> {
        let whole = DataType::not_null(TypeKind::Row(self.columns.as_slice().into()));
        if let [only] = self.columns.as_slice()
            && !row.is_object()
        {
            cells.push(convert::from_json(&self.script, row, &only.data_type)?);
            return Ok(());
        }
        match convert::from_json(&self.script, row, &whole)? {
            Value::Row(values) => cells.extend(values.iter().cloned()),
            _ => return Err(self.script.wrong_result(row, &whole)),
        }
        Ok(())
    }
}
