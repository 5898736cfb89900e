//! Ends of a job.
//!
//! Flink: the sinks of its connectors, with `ConstraintEnforcer` in front. Input: all row kinds that the planner lets
//! through; what arrives is recorded, whatever the connector is, except by `blackhole`. State: none. Timers: none.
//! Differs from Flink: nothing is written anywhere. Cases: sinks/*.

mod enforce;
pub(super) mod materialize;

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::EvalError;
use sg_plan::{
    job::OperatorId,
    physical::node::{LengthSpec, NotNullSpec, SinkSpec},
};
use sg_value::{Change, DataType, Gather as _, Value};

use super::{Ctx, OpResult, Operator};
use crate::job::batch::Batch;
use enforce::fit;

/// A sink.
pub(super) struct Sink {
    id: OperatorId,
    /// The table's name; empty for the result of a query.
    table: Rc<str>,
    columns: Vec<(Rc<str>, DataType)>,
    not_null: Option<NotNullSpec>,
    lengths: Option<LengthSpec>,
    records: bool,
    span: Span,
}

impl Sink {
    /// For a spec; the columns are those of the table that are written.
    pub(super) fn new(id: OperatorId, spec: &SinkSpec, span: Span) -> Self {
        let columns = spec.table.as_ref().map_or_else(Vec::new, |table| {
            let written = table
                .sink_columns()
                .into_iter()
                .filter_map(|at| table.columns.get(at as usize));
            written
                .map(|column| (Rc::clone(&column.field.name), column.field.data_type.clone()))
                .gather()
        });
        Self {
            id,
            table: spec
                .table
                .as_ref()
                .map_or_else(|| "".into(), |table| Rc::clone(&table.name)),
            columns,
            not_null: spec.not_null.clone(),
            lengths: spec.lengths.clone(),
            records: spec.table.as_ref().and_then(|table| table.connector()) != Some("blackhole"),
            span,
        }
    }

    /// Whether a row may pass, or why the job fails.
    fn admits(&self, row: &[Value]) -> Result<bool, EvalError> {
        let Some(not_null) = &self.not_null else {
            return Ok(true);
        };
        let null = not_null
            .columns
            .iter()
            .find(|at| row.get(**at as usize).is_some_and(Value::is_null));
        match null {
            None => Ok(true),
            Some(_) if not_null.drops => Ok(false),
            Some(at) => {
                let column = self.columns.get(*at as usize).map_or("", |(name, _)| name);
                let flink = format!(
                    "EnforcerException: Column '{column}' is NOT NULL, however, a null value is being written into it. You can set job \
                     configuration 'table.exec.sink.not-null-enforcer'='DROP' to suppress this exception and drop \
                     such records silently."
                );
                let diagnostic = Diagnostic::new(Code::NullIntoNotNull, self.span)
                    .arg("column", column)
                    .arg("sink", &self.table)
                    .flink(flink);
                Err(EvalError::new(diagnostic))
            }
        }
    }

    /// The row with lengths as the columns have them, where one has to change.
    fn fitted(&self, row: &[Value]) -> Result<Option<Vec<Value>>, EvalError> {
        let Some(lengths) = &self.lengths else {
            return Ok(None);
        };
        let mut fitted: Option<Vec<Value>> = None;
        for at in lengths.columns.iter().map(|at| *at as usize) {
            let (Some(value), Some((name, data_type))) = (row.get(at), self.columns.get(at)) else {
                continue;
            };
            let Some(fit) = fit(value, &data_type.kind) else {
                continue;
            };
            if lengths.fails {
                let diagnostic = Diagnostic::new(Code::TooLongForColumn, self.span)
                    .arg("column", name)
                    .arg("sink", &self.table)
                    .arg("type", data_type)
                    .arg("length", fit.length)
                    .flink(format!(
                        "EnforcerException: Column '{name}' is {}, however, a string of length {} is being written \
                         into it. You can set job configuration 'table.exec.sink.type-length-enforcer' to control \
                         this behaviour.",
                        data_type.kind, fit.length
                    ));
                return Err(EvalError::new(diagnostic));
            }
            if let Some(cell) = fitted.get_or_insert_with(|| row.to_vec()).get_mut(at) {
                *cell = fit.value;
            }
        }
        Ok(fitted)
    }
}

impl Operator for Sink {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_batch(&self, cx: &mut Ctx<'_>, batch: &mut Batch) -> Result<bool, EvalError> {
        let whole = self.records && self.not_null.is_none() && self.lengths.is_none();
        if whole {
            cx.report.sink.take_changes(self.id, batch);
        }
        Ok(whole)
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        if !self.admits(change.row)? {
            return Ok(());
        }
        let fitted = self.fitted(change.row)?;
        let row = fitted.as_deref().unwrap_or(change.row);
        cx.report.sink(
            self.id,
            Change {
                kind: change.kind,
                row,
            },
            self.records,
        );
        Ok(())
    }
}
