//! What conditions and measures read of the rows that a match has taken.

use sg_expr::{Aggregates, Compiled, EvalCx, EvalError};
use sg_plan::logical::{Offset, PatternItem, RowsOf};
use sg_value::{Gather as _, Row, Value};

use crate::op::agg::merged::MergedViews;

/// A row with the position of the pattern that has taken it.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub(super) item: usize,
    pub(super) row: Row,
}

/// All references of a pattern.
pub(super) struct Reader {
    pub(super) items: Vec<PatternItem>,
    pub(super) references: Vec<Read>,
    /// Which of them conditions read.
    pub(super) in_conditions: Vec<bool>,
}

/// One reference.
pub(super) enum Read {
    Field {
        rows: RowsOf,
        column: usize,
        offset: Option<Offset>,
    },
    Aggregate {
        rows: RowsOf,
        aggregates: Box<Aggregates>,
        arguments: Vec<Compiled>,
    },
    Rowtime,
    Proctime,
}

impl Reader {
    /// The values of all references; of those that conditions read, where there is a candidate, a row that is about to be
    /// taken.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn cells(
        &self,
        taken: &[Taken],
        candidate: Option<&Taken>,
        at_ms: Option<i64>,
        eval: &EvalCx,
    ) -> Result<Vec<Value>, EvalError> {
        let value = |(read, in_condition): (&Read, &bool)| {
            if candidate.is_some() && !in_condition {
                return Ok(Value::Null);
            }
            self.value(read, (taken, candidate), at_ms, eval)
        };
        self.references
            .iter()
            .zip(&self.in_conditions)
            .map(value)
            .gather()
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn value(
        &self,
        read: &Read,
        (taken, candidate): (&[Taken], Option<&Taken>),
        at_ms: Option<i64>,
        eval: &EvalCx,
    ) -> Result<Value, EvalError> {
        let all = taken.iter().chain(candidate);
        Ok(match read {
            Read::Field { rows, column, offset } => {
                let mut of = all.filter(|taken| self.is_of(taken, rows));
                let found = match offset {
                    Some(offset) if offset.from_first => of.nth(offset.rows as usize),
                    Some(offset) => {
                        let of: Vec<&Taken> = of.gather();
                        of.iter().rev().nth(offset.rows as usize).copied()
                    }
                    None => of.next_back(),
                };
                found
                    .and_then(|taken| taken.row.get(*column))
                    .cloned()
                    .unwrap_or_default()
            }
            Read::Aggregate {
                rows,
                aggregates,
                arguments,
            } => {
                let mut cells = Vec::new();
                aggregates.create(&mut cells);
                let mut views = MergedViews::default();
                for taken in all.filter(|taken| self.is_of(taken, rows)) {
                    let values = arguments.iter().map(|argument| argument.eval(&taken.row, eval));
                    let values = values.gather::<Result<Vec<Value>, _>>()?;
                    aggregates.accumulate(&mut cells, &values, &mut views)?;
                }
                aggregates.value(0, &cells, &mut views)?
            }
            Read::Rowtime => at_ms.map_or(Value::Null, Value::timestamp_ms),
            // A processing-time attribute has no value of its own; it is made where it is read.
            Read::Proctime => Value::Null,
        })
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn is_of(&self, taken: &Taken, rows: &RowsOf) -> bool {
        rows.variables.is_empty()
            || self
                .items
                .get(taken.item)
                .is_some_and(|item| rows.variables.contains(&item.variable))
    }
}
