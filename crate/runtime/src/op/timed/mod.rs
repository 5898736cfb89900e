//! Joins that know about time: within an interval, within equal windows, with versions, with a table that is looked up.

mod interval;
mod lookup;
pub(super) mod make;
mod retry;
mod temporal;
mod window;

use sg_expr::{Compiled, EvalCx, EvalError};
use sg_value::{RowKind, Value};

use crate::{op::Collector, state::Key};

/// What two rows have to meet beside equal keys and time, and what a pair looks like.
struct Pairing {
    /// Over the columns of both inputs.
    condition: Option<Compiled>,
    /// Key columns, by their place in the key, in which NULL equals nothing.
    filter_nulls: Box<[usize]>,
    /// Columns of the left and the right input.
    widths: [usize; 2],
}

impl Pairing {
    /// Whether a key can match at all: NULL equals nothing.
    fn can_match(&self, key: Key<'_>) -> bool {
        let is_null = |at: &usize| key.cells.get(*at).is_none_or(Value::is_null);
        !self.filter_nulls.iter().any(is_null)
    }

    /// Whether two rows under one key match.
    fn matches(
        &self,
        (left, right): (&[Value], &[Value]),
        (eval, buffer): (&EvalCx, &mut Vec<Value>),
    ) -> Result<bool, EvalError> {
        let Some(condition) = &self.condition else {
            return Ok(true);
        };
        buffer.clear();
        buffer.extend_from_slice(left);
        buffer.extend_from_slice(right);
        condition.test(buffer, eval)
    }

    /// Emits a pair.
    fn emit(out: &mut Collector<'_>, kind: RowKind, (left, right): (&[Value], &[Value])) {
        out.emit(kind, |cells| {
            cells.extend_from_slice(left);
            cells.extend_from_slice(right);
        });
    }

    /// Emits a row of one side without a match.
    fn pad(&self, out: &mut Collector<'_>, kind: RowKind, row: &[Value], input: u32) {
        let [left, right] = self.widths;
        out.emit(kind, |cells| {
            if input == 0 {
                cells.extend_from_slice(row);
                cells.extend(std::iter::repeat_n(Value::Null, right));
            } else {
                cells.extend(std::iter::repeat_n(Value::Null, left));
                cells.extend_from_slice(row);
            }
        });
    }
}
