//! Joins without time: both inputs are kept, and a row of either side meets what the other one has.

mod bundle;
pub(super) mod make;
mod multi;
mod regular;
mod semi;
mod side;

use sg_expr::{Compiled, EvalCx, EvalError};
use sg_value::Value;

use crate::{op::OpState, state::Key};
pub(crate) use side::Matched;
use side::Side;

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

    /// Finds the rows of the other input that a row of this input matches, and how many they are with their copies.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn matches(
        &self,
        state: &OpState<'_>,
        key: Key<'_>,
        (input, row): (u32, &[Value]),
        with: (&EvalCx, &mut Vec<Value>),
        found: &mut Vec<Matched>,
    ) -> Result<i64, EvalError> {
        found.clear();
        let mut all = 0;
        self.for_each_match(state, key, (input, row), with, |_, matched| {
            all += matched.times;
            found.push(matched);
        })?;
        Ok(all)
    }

    /// Visits the same rows one by one.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    #[inline]
    fn for_each_match(
        &self,
        state: &OpState<'_>,
        key: Key<'_>,
        (input, row): (u32, &[Value]),
        (eval, buffer): (&EvalCx, &mut Vec<Value>),
        mut visit: impl FnMut(&[Value], Matched),
    ) -> Result<(), EvalError> {
        let is_null = |at: &usize| key.cells.get(*at).is_none_or(Value::is_null);
        if self.filter_nulls.iter().any(is_null) {
            return Ok(());
        }
        self.side(1 - input).for_each(state, key, |other, matched| {
            if let Some(condition) = &self.condition {
                let (left, right) = if input == 0 { (row, other) } else { (other, row) };
                buffer.clear();
                buffer.extend_from_slice(left);
                buffer.extend_from_slice(right);
                if !condition.test(buffer, eval)? {
                    return Ok(());
                }
            }
            visit(other, matched);
            Ok(())
        })
    }
}
