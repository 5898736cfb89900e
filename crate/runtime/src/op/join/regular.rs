//! INNER, LEFT, RIGHT and FULL joins without time: every row meets all rows of the other side under its key.
//!
//! Flink: `StreamingJoinOperator`. Input: all row kinds on both sides. Output: pairs; an inner join keeps the kind of
//! the row that arrives, an outer join pads by +I and takes padding back by -D.
//! State: `left-records`, `right-records`; on an outer side each row with the number of its matches. TTL per side.
//! Timers: none. Watermark: the smaller one. Differs from Flink: nothing known.
//! Cases: join-regular/*, ttl/join-side-expires-and-reads-do-not-renew.

use sg_value::{Change, RowKind, Value};

use super::{Inputs, Matched};
use crate::{
    job::batch::push_cells,
    op::{Collector, Ctx, OpResult, Operator},
};

pub(super) struct RegularJoin {
    pub(super) inputs: Inputs,
    /// Whether rows of the left and of the right input are shown without a match.
    pub(super) outer: [bool; 2],
}

impl Operator for RegularJoin {
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult {
        self.work(cx, input, change, false)
    }
}

impl RegularJoin {
    /// One change. Of an `update` that came as a pair the old row stays to be overwritten, and padding of the other side
    /// neither comes nor goes (even where the new row matches what the old one did not: so does Flink).
    pub(super) fn work(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>, update: bool) -> OpResult {
        let key = cx.key;
        let row = change.row;
        let [left_outer, right_outer] = self.outer;
        let (own_outer, other_outer) = if input == 0 {
            (left_outer, right_outer)
        } else {
            (right_outer, left_outer)
        };
        let own = self.inputs.side(input);
        let pairs = Pairs {
            input,
            row,
            widths: [self.inputs.side(0).width, self.inputs.side(1).width],
        };
        let retracts = change.kind.retracts();
        if !own_outer && !other_outer {
            // The sides do not know of each other.
            if !retracts {
                own.add(&mut cx.state, key, row, 0);
            } else if !update {
                own.retract(&mut cx.state, key, row);
            }
            let (out, with) = (&mut cx.out, (cx.eval, &mut cx.scratch.first));
            return self
                .inputs
                .for_each_match(&cx.state, key, (input, row), with, |other, matched| {
                    for _ in 0..matched.times {
                        pairs.emit(out, change.kind, other);
                    }
                });
        }
        let mut found = std::mem::take(&mut cx.scratch.matched);
        let result = self.outer(cx, change, &pairs, (own_outer, other_outer, update), &mut found);
        cx.scratch.matched = found;
        result
    }

    /// A change where at least one side is shown without a match.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn outer(
        &self,
        cx: &mut Ctx<'_>,
        change: Change<'_>,
        pairs: &Pairs<'_>,
        (own_outer, other_outer, update): (bool, bool, bool),
        found: &mut Vec<Matched>,
    ) -> OpResult {
        let (key, row, input) = (cx.key, change.row, pairs.input);
        let (own, other) = (self.inputs.side(input), self.inputs.side(1 - input));
        let retracts = change.kind.retracts();
        let with = (cx.eval, &mut cx.scratch.first);
        let matches = self.inputs.matches(&cx.state, key, (input, row), with, found)?;
        if retracts && update {
            // The row that follows takes its place.
        } else if retracts {
            own.retract(&mut cx.state, key, row);
        } else if !own_outer {
            own.add(&mut cx.state, key, row, 0);
        }
        let kind = match (retracts, own_outer || (other_outer && !retracts)) {
            (true, true) => RowKind::Delete,
            (false, true) => RowKind::Insert,
            (_, false) => change.kind,
        };
        if matches == 0 && own_outer {
            pairs.pad(&mut cx.out, kind);
        }
        for matched in found.iter().copied() {
            let assoc = matched.assoc;
            for _ in 0..matched.times {
                if other_outer && !retracts && assoc == 0 && !update {
                    let with = other.row(&cx.state, key, matched);
                    pairs.pad_other(&mut cx.out, RowKind::Delete, with);
                }
                if other_outer && !retracts {
                    other.set_matches(&mut cx.state, key, matched, assoc + 1);
                }
                let with = other.row(&cx.state, key, matched);
                pairs.emit(&mut cx.out, kind, with);
                if other_outer && retracts {
                    if assoc == 1 && !update {
                        pairs.pad_other(&mut cx.out, RowKind::Insert, with);
                    }
                    other.set_matches(&mut cx.state, key, matched, assoc - 1);
                }
            }
        }
        if own_outer && !retracts {
            own.add(&mut cx.state, key, row, matches);
        }
        Ok(())
    }
}

/// Output rows around one input row.
struct Pairs<'r> {
    input: u32,
    row: &'r [Value],
    /// Columns of the left and the right input.
    widths: [usize; 2],
}

impl Pairs<'_> {
    /// The row with one of the other side.
    fn emit(&self, out: &mut Collector<'_>, kind: RowKind, other: &[Value]) {
        let (left, right) = if self.input == 0 {
            (self.row, other)
        } else {
            (other, self.row)
        };
        out.emit(kind, |cells| {
            push_cells(cells, left);
            push_cells(cells, right);
        });
    }

    /// The row without a match.
    fn pad(&self, out: &mut Collector<'_>, kind: RowKind) {
        self.padded(out, kind, self.row, self.input == 0);
    }

    /// A row of the other side without a match.
    fn pad_other(&self, out: &mut Collector<'_>, kind: RowKind, other: &[Value]) {
        self.padded(out, kind, other, self.input == 1);
    }

    fn padded(&self, out: &mut Collector<'_>, kind: RowKind, row: &[Value], is_left: bool) {
        let [left, right] = self.widths;
        out.emit(kind, |cells| {
            if is_left {
                cells.extend_from_slice(row);
                cells.extend(std::iter::repeat_n(Value::Null, right));
            } else {
                cells.extend(std::iter::repeat_n(Value::Null, left));
                cells.extend_from_slice(row);
            }
        });
    }
}
