//! DISTINCT: which values have been seen, in a view that all calls on the same arguments share.
//!
//! Without rows taken back, a value's number has a bit per call: set where a row with the value has passed the
//! call's FILTER. With rows taken back the number is a count, or a count per call side by side where several calls share
//! the view. Flink: `DistinctAggCodeGen`. Case: group-agg/distinct-per-aggregate.

use sg_diag::{Code, Span};
use sg_value::{DataType, Gather as _, Value};

use super::{Accumulator, NoViews, Views};
use crate::{compile::place, eval::EvalError, function::failure};

/// Calls with the same DISTINCT arguments.
pub(super) struct DistinctGroup {
    /// Input columns.
    pub(super) args: Vec<usize>,
    /// Types of the arguments.
    pub(super) types: Vec<DataType>,
    /// The calls.
    pub(super) members: Vec<Member>,
    /// The view's number.
    pub(super) view: u32,
    /// Whether rows are taken back.
    pub(super) retract: bool,
}

/// One call of a group; its accumulator reads the arguments as a row of their own.
pub(super) struct Member {
    pub(super) cells: std::ops::Range<usize>,
    pub(super) filter: Option<usize>,
    pub(super) accumulator: Box<dyn Accumulator>,
    pub(super) span: Span,
}

/// The most calls that one view takes.
pub(super) const MOST_MEMBERS: usize = 63;

impl DistinctGroup {
    /// Takes a row in (`back == false`) or back.
    pub(super) fn take(
        &self,
        cells: &mut [Value],
        row: &[Value],
        back: bool,
        views: &mut dyn Views,
    ) -> Result<(), EvalError> {
        if let [arg] = self.args.as_slice() {
            let value = row.get(*arg).unwrap_or(&Value::Null);
            return self.take_key(cells, std::slice::from_ref(value), (row, back), views);
        }
        let key: Vec<Value> = self
            .args
            .iter()
            .map(|arg| row.get(*arg).cloned().unwrap_or_default())
            .gather();
        self.take_key(cells, &key, (row, back), views)
    }

    fn take_key(
        &self,
        cells: &mut [Value],
        key: &[Value],
        (row, back): (&[Value], bool),
        views: &mut dyn Views,
    ) -> Result<(), EvalError> {
        let before = views.get(self.view, key);
        let mut number = before;
        for (at, member) in self.members.iter().enumerate() {
            if !passes(member.filter, row) {
                continue;
            }
            number = self.count(number, at, if back { -1 } else { 1 }, cells, key)?;
        }
        if number != before {
            views.put(self.view, key, number);
        }
        Ok(())
    }

    /// Changes a call's part of the number, and tells the call where the value comes or goes.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn count(
        &self,
        number: i64,
        at: usize,
        by: i64,
        cells: &mut [Value],
        key: &[Value],
    ) -> Result<i64, EvalError> {
        let Some(member) = self.members.get(at) else {
            return Ok(number);
        };
        let part = self.part(at);
        let before = part.get(number);
        let after = if self.retract { before + by } else { 1 };
        let Some(changed) = part.set(number, after) else {
            let limit = failure(Code::ValueNotTaken)
                .arg("function", "DISTINCT")
                .arg("reason", "the same value occurs too often");
            return Err(place(Box::new(limit), member.span));
        };
        let cells = cells.get_mut(member.cells.clone()).unwrap_or_default();
        if before <= 0 && after > 0 {
            member.accumulator.accumulate(cells, key, &mut NoViews)?;
        } else if before > 0 && after <= 0 {
            member.accumulator.retract(cells, key, &mut NoViews)?;
        }
        Ok(changed)
    }

    /// Adds the other accumulator's values.
    pub(super) fn merge(&self, cells: &mut [Value], views: &mut dyn Views) -> Result<(), EvalError> {
        while let Some((key, other)) = views.next_of_other(self.view) {
            let before = views.get(self.view, &key);
            let mut number = before;
            for at in 0..self.members.len() {
                let by = self.part(at).get(other);
                if by != 0 {
                    number = self.count(number, at, by, cells, &key)?;
                }
            }
            if number != before {
                views.put(self.view, &key, number);
            }
        }
        Ok(())
    }

    /// Bytes of an entry's value: a long, or an array of longs where counts of several calls are kept.
    pub(super) fn value_bytes(&self) -> u64 {
        match self.members.len() as u64 {
            count if self.retract && count > 1 => 12 + 8 * count,
            _ => 8,
        }
    }

    fn part(&self, at: usize) -> Part {
        let members = self.members.len() as u32;
        let bits = match (self.retract, members) {
            (true, 0 | 1) => 64,
            (true, several) => 64 / several,
            (false, _) => 1,
        };
        Part {
            shift: bits * at as u32,
            bits,
            signed: self.retract,
        }
    }
}

/// Whether a row passes a FILTER.
#[inline]
pub(super) fn passes(filter: Option<usize>, row: &[Value]) -> bool {
    filter.is_none_or(|filter| matches!(row.get(filter), Some(Value::Bool(true))))
}

/// Some bits of a number.
#[derive(Clone, Copy)]
struct Part {
    shift: u32,
    bits: u32,
    signed: bool,
}

impl Part {
    const fn get(self, number: i64) -> i64 {
        if self.bits == 64 {
            return number;
        }
        let up = number << (64 - self.shift - self.bits);
        if self.signed {
            up >> (64 - self.bits)
        } else {
            (up as u64 >> (64 - self.bits)) as i64
        }
    }

    /// The number with this part replaced; `None` where it does not fit.
    const fn set(self, number: i64, part: i64) -> Option<i64> {
        if self.bits == 64 {
            return Some(part);
        }
        let mask = ((1_u64 << self.bits) - 1) << self.shift;
        let shifted = ((part as u64) << self.shift) & mask;
        let changed = (number as u64 & !mask | shifted) as i64;
        if self.get(changed) == part {
            Some(changed)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_number_do_not_touch_each_other() {
        let low = Part {
            shift: 0,
            bits: 32,
            signed: true,
        };
        let high = Part {
            shift: 32,
            bits: 32,
            signed: true,
        };
        let number = high.set(low.set(0, -1).unwrap(), 7).unwrap();
        assert_eq!((low.get(number), high.get(number)), (-1, 7));
        assert_eq!(low.set(0, i64::from(i32::MAX) + 1), None);
        let bit = Part {
            shift: 62,
            bits: 1,
            signed: false,
        };
        assert_eq!(bit.get(bit.set(0, 1).unwrap()), 1);
    }
}
