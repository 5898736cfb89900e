//! Left rows with the rows that a table holds at the moment.
//!
//! Flink: `LookupJoinRunner`. Input: all row kinds; each row is looked up by itself, those that are taken back too.
//! Output: the kinds of the input. A NULL among the keys finds nothing. State: none; the table and its
//! cache are the job's. Timers: none. Watermark: forwarded. Differs from Flink: nothing known. Cases: join-lookup/*.

use sg_expr::{Compiled, EvalError};
use sg_value::{Change, Gather as _, Value};

use super::Pairing;
use crate::{
    job::lookups::Wanted,
    op::{Ctx, OpResult, Operator},
};

/// The lookup.
pub(super) struct LookupJoin {
    /// The condition over the output, and the widths of both parts of it.
    pub(super) pairing: Pairing,
    /// Number of the table among those that are looked up.
    pub(super) table: std::rc::Rc<str>,
    /// Columns of an arriving row of the table, with what they have to equal.
    pub(super) keys: Vec<(usize, Asked)>,
    /// Columns of an arriving row that the table delivers.
    pub(super) delivered: Vec<usize>,
    /// What is done to the rows that are found.
    pub(super) condition: Option<Compiled>,
    pub(super) projection: Option<Box<[Compiled]>>,
    /// Rows for which it is not TRUE are not looked up.
    pub(super) before: Option<Compiled>,
    pub(super) left_outer: bool,
}

/// What a column has to equal.
pub(super) enum Asked {
    Column(usize),
    Constant(Value),
}

impl LookupJoin {
    /// What is asked for a left row; `None` where nothing is.
    #[cfg_attr(sg_hot, optimize(size))]
    fn wanted(&self, row: &[Value]) -> Option<Wanted> {
        let wanted: Wanted = self
            .keys
            .iter()
            .map(|(column, asked)| {
                let value = match asked {
                    Asked::Column(at) => row.get(*at).cloned().unwrap_or_default(),
                    Asked::Constant(value) => value.clone(),
                };
                (*column, value)
            })
            .gather();
        (!wanted.iter().any(|(_, value)| value.is_null())).then_some(wanted)
    }
}

impl Operator for LookupJoin {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        self.answer(cx, change, true).map(|_| ())
    }
}

impl LookupJoin {
    /// Puts out what a row finds. One that finds nothing is only answered if that is the `last` attempt; the result says
    /// whether it was.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn answer(&self, cx: &mut Ctx<'_>, change: Change<'_>, last: bool) -> Result<bool, EvalError> {
        let asks = match &self.before {
            Some(before) => before.test(change.row, cx.eval)?,
            None => true,
        };
        let mut joined = false;
        if asks && let Some(wanted) = self.wanted(change.row) {
            let lookups = &cx.out.site.shared.lookups;
            let Some(found) = lookups.ask(&self.table, wanted, (cx.clock.processing_ms, last)) else {
                return Ok(false);
            };
            for row in found {
                let cells: Vec<Value> = self
                    .delivered
                    .iter()
                    .map(|at| row.get(*at).cloned().unwrap_or_default())
                    .gather();
                if let Some(condition) = &self.condition
                    && !condition.test(&cells, cx.eval)?
                {
                    continue;
                }
                let cells = match &self.projection {
                    Some(projection) => projection
                        .iter()
                        .map(|expression| expression.eval(&cells, cx.eval))
                        .gather::<Result<Vec<Value>, _>>()?,
                    None => cells,
                };
                let pair = (change.row, cells.as_slice());
                if self.pairing.matches(pair, (cx.eval, &mut cx.scratch.first))? {
                    Pairing::emit(&mut cx.out, change.kind, pair);
                    joined = true;
                }
            }
        }
        if !joined && self.left_outer {
            self.pairing.pad(&mut cx.out, change.kind, change.row, 0);
        }
        Ok(true)
    }
}
