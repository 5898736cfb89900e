//! Semi and anti joins: left rows with a match on the right, or without one.
//!
//! Flink: `StreamingSemiAntiJoinOperator`. Input: all row kinds on both sides. Output: left rows; a semi join passes the
//! kind of the row that decided, whichever side it came from.
//! State: `left-records` with the number of matches of each row, `right-records`. TTL per side. Timers: none.
//! Watermark: the smaller one. Differs from Flink: nothing known.
//! Cases: join-regular/semi-join-in-is-no-duplicate-maker, join-regular/anti-join-not-exists-takes-back.

use sg_value::{Change, RowKind};

use super::{Inputs, Matched};
use crate::op::{Ctx, OpResult, Operator};

pub(super) struct SemiJoin {
    pub(super) inputs: Inputs,
    /// Left rows without a match instead of those with one.
    pub(super) anti: bool,
}

impl Operator for SemiJoin {
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult {
        let mut found = std::mem::take(&mut cx.scratch.matched);
        let result = self.work(cx, input, change, &mut found);
        cx.scratch.matched = found;
        result
    }
}

impl SemiJoin {
    fn work(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>, found: &mut Vec<Matched>) -> OpResult {
        let key = cx.key;
        let row = change.row;
        let with = (cx.eval, &mut cx.scratch.first);
        let matches = self.inputs.matches(&cx.state, key, (input, row), with, found)?;
        let (left, right) = (self.inputs.side(0), self.inputs.side(1));
        let retracts = change.kind.retracts();
        if input == 0 {
            if (matches == 0) == self.anti {
                cx.out.emit_row(change.kind, row);
            }
            if retracts {
                left.retract(&mut cx.state, key, row);
            } else {
                left.add(&mut cx.state, key, row, matches);
            }
            return Ok(());
        }
        if retracts {
            right.retract(&mut cx.state, key, row);
        } else {
            right.add(&mut cx.state, key, row, 0);
        }
        let (turning, step) = if retracts { (1, -1) } else { (0, 1) };
        let kind = match (self.anti, retracts) {
            (false, _) => change.kind,
            (true, false) => RowKind::Delete,
            (true, true) => RowKind::Insert,
        };
        for matched in found.iter().copied() {
            for _ in 0..matched.times {
                if matched.assoc == turning {
                    cx.out.emit_row(kind, left.row(&cx.state, key, matched));
                }
                left.set_matches(&mut cx.state, key, matched, matched.assoc + step);
            }
        }
        Ok(())
    }
}
