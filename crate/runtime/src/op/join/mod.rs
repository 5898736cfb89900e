//! Joins without time: both inputs are kept, and a row of either side meets what the other one has.

mod bundle;
pub(super) mod make;
mod multi;
mod regular;
mod semi;
mod side;

use sg_expr::{Compiled, EvalCx, EvalError};
use sg_value::{Row, Value};

use crate::{op::OpState, state::Key};
use side::{Matched, Side};

/// What both kinds of joins are made of.
pub(super) struct Inputs {
    /// The left and the right input.
    sides: [Side; 2],
    /// What has to hold beside equal keys, over the columns of both inputs.
    condition: Option<Compiled>,
    /// Key columns, by their place in the key, in which NULL equals nothing.
    filter_nulls: Box<[usize]>,
}

impl Inputs {
    fn side(&self, input: u32) -> &Side {
        let [left, right] = &self.sides;
        if input == 0 { left } else { right }
    }

    /// Rows of the other input that a row of this input matches, each as often as it is there.
    fn matches(
        &self,
        state: &OpState<'_>,
        key: Key<'_>,
        (input, row): (u32, &[Value]),
        with: (&EvalCx, &mut Vec<Value>),
    ) -> Result<Vec<Matched>, EvalError> {
        let mut found = Vec::new();
        self.for_each_match(state, key, (input, row), with, |other, assoc, times| {
            let row: Row = other.into();
            found.extend((0..times).map(|_| Matched {
                row: Row::clone(&row),
                assoc,
            }));
        })?;
        Ok(found)
    }

    /// The same without keeping them: each with the number of its matches, and how often it is there.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn for_each_match(
        &self,
        state: &OpState<'_>,
        key: Key<'_>,
        (input, row): (u32, &[Value]),
        (eval, buffer): (&EvalCx, &mut Vec<Value>),
        mut visit: impl FnMut(&[Value], i64, i64),
    ) -> Result<(), EvalError> {
        let is_null = |at: &usize| key.cells.get(*at).is_none_or(Value::is_null);
        if self.filter_nulls.iter().any(is_null) {
            return Ok(());
        }
        self.side(1 - input).for_each(state, key, |other, assoc, times| {
            if let Some(condition) = &self.condition {
                let (left, right) = if input == 0 { (row, other) } else { (other, row) };
                buffer.clear();
                buffer.extend_from_slice(left);
                buffer.extend_from_slice(right);
                if !condition.test(buffer, eval)? {
                    return Ok(());
                }
            }
            visit(other, assoc, times);
            Ok(())
        })
    }
}
