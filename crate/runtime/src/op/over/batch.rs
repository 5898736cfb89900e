//! Batch mode: calls over a frame of any kind, when all rows of a partition are there.
//!
//! Flink: `BufferDataOverWindowOperator`, `NonBufferOverWindowOperator`, `RankOperator`. Input: all row kinds. Output:
//! inserts, at the end, in the window's order. State: `rows` (hash of a row → the row, with its place). Watermark: forwarded.
//! Differs from Flink: which of equal rows comes first where the order leaves it open is by arrival.
//! Cases: batch/over*, batch/rank*.

use std::ops::Range;

use sg_expr::{
    AggregateCall, Compiled, EvalCx, Expr, FrameBound, OverFrame, aggregate::value_of_nothing, cast_exactly,
    compile,
};
use sg_value::{Change, Gather as _, Row, RowKind, Value};

use super::calls::{Calls, emit};
use crate::{
    op::{
        Ctx, OpResult, Operator,
        agg::merged::MergedViews,
        rank::final_result::{cells, keep, take_left},
    },
    state::RowOrder,
    time::Timer,
};

/// The calls, the order and the frame.
pub(crate) struct BatchOver {
    pub(crate) calls: Calls,
    /// By call: what it is, where no accumulator computes it.
    pub(crate) own: Vec<OwnCall>,
    pub(crate) frame: OverFrame,
    /// Columns of ORDER BY.
    pub(crate) sort: Vec<usize>,
    pub(crate) order: RowOrder,
    /// Digits after the point of the first of them.
    pub(crate) scale: u32,
    /// Only rows of these ranks come out.
    pub(crate) places: Option<(i64, i64)>,
    /// Whether results stand behind the row; else it comes out as it is.
    pub(crate) shows_place: bool,
}

/// A call that looks at rows by their place in the partition.
pub(crate) enum OwnCall {
    /// An aggregate over the frame.
    Frame,
    /// LAG and LEAD: columns of value, distance and default; what stands for NULL where there is none.
    Neighbour {
        args: Vec<usize>,
        ahead: bool,
        /// What makes the default a value.
        converted: Option<Compiled>,
        never_null: Option<Value>,
    },
    /// NTILE: the column of the number of parts.
    Tile(usize),
    /// `PERCENT_RANK`
    PercentRank,
    /// `CUME_DIST`
    CumeDist,
}

impl OwnCall {
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn of(call: &AggregateCall) -> Self {
        let args: Vec<usize> = call.args.iter().map(|column| *column as usize).gather();
        match call.function.name {
            name @ ("LAG" | "LEAD") => Self::Neighbour {
                args,
                ahead: name == "LEAD",
                converted: converted(call),
                never_null: (!call.data_type.nullable)
                    .then(|| value_of_nothing(&call.data_type.kind))
                    .flatten(),
            },
            "NTILE" => Self::Tile(args.first().copied().unwrap_or(usize::MAX)),
            "PERCENT_RANK" => Self::PercentRank,
            "CUME_DIST" => Self::CumeDist,
            _ => Self::Frame,
        }
    }
}

/// The default of LAG and LEAD as a value of the first argument's type.
#[cfg_attr(sg_hot, optimize(size))]
fn converted(call: &AggregateCall) -> Option<Compiled> {
    let [to, _, from] = call.arg_types.as_slice() else {
        return None;
    };
    let default = Expr::column(0, from.clone(), call.span);
    (to.kind != from.kind).then(|| compile(&cast_exactly(default, &to.with_nullable(true))))
}

/// A partition in order.
struct Sorted {
    rows: Vec<Row>,
    /// By row: the rows that are equal in the order.
    peers: Vec<Range<usize>>,
}

impl Operator for BatchOver {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        keep(cx, change);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        let sorted = self.sorted(take_left(cx, &self.sort, &self.order));
        let mut last = 0..0;
        let (mut acc, mut views) = self.fresh();
        let mut results = Vec::new();
        for (at, row) in sorted.rows.iter().enumerate() {
            let frame = self.frame_of(&sorted, at);
            if frame.start != last.start || frame.end < last.end {
                (acc, views) = self.fresh();
                last = frame.start..frame.start;
                results.clear();
            }
            for row in sorted.rows.get(last.end..frame.end).unwrap_or_default() {
                self.calls.accumulate(&mut acc, row, &mut views)?;
            }
            if results.is_empty() || last != frame {
                results.clear();
                self.calls.aggregates.values(&acc, &mut views, &mut results)?;
            }
            last = frame;
            for (result, call) in results.iter_mut().zip(&self.own) {
                if let Some(value) = self.by_place(call, &sorted, at) {
                    *result = value;
                }
            }
            let shown: &[Value] = if self.shows_place { &results } else { &[] };
            match (self.places, results.first()) {
                (Some((start, end)), Some(Value::Int(rank))) if !(start..=end).contains(rank) => {}
                _ => emit(cx, RowKind::Insert, row, shown),
            }
        }
        Ok(())
    }
}

impl BatchOver {
    #[cfg_attr(sg_hot, optimize(size))]
    fn fresh(&self) -> (Vec<Value>, MergedViews) {
        let mut acc = Vec::new();
        self.calls.aggregates.create(&mut acc);
        (acc, MergedViews::default())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn sorted(&self, rows: Vec<Row>) -> Sorted {
        let keys: Vec<Vec<Value>> = rows.iter().map(|row| cells(row, &self.sort)).gather();
        let equal = |a: &Vec<Value>, b: &Vec<Value>| self.order.compare(a, b).is_eq();
        let mut peers = Vec::new();
        for chunk in keys.chunk_by(equal) {
            let start = peers.len();
            peers.extend(std::iter::repeat_n(start..start + chunk.len(), chunk.len()));
        }
        Sorted { rows, peers }
    }

    /// The rows that a row sees.
    #[cfg_attr(sg_hot, optimize(size))]
    fn frame_of(&self, sorted: &Sorted, at: usize) -> Range<usize> {
        let count = sorted.rows.len();
        let start = match self.frame.start {
            FrameBound::UnboundedPreceding => 0,
            bound => self.edge(sorted, at, bound, false),
        };
        let end = match self.frame.end {
            FrameBound::UnboundedFollowing => count,
            bound => self.edge(sorted, at, bound, true),
        };
        let end = end.min(count);
        start.min(end)..end
    }

    /// The first row of a frame, or the first one behind it.
    #[cfg_attr(sg_hot, optimize(size))]
    fn edge(&self, sorted: &Sorted, at: usize, bound: FrameBound, end: bool) -> usize {
        let by = match bound {
            FrameBound::Preceding(by) => -by,
            FrameBound::Following(by) => by,
            _ => 0,
        };
        if self.frame.rows {
            let at = i64::try_from(at).unwrap_or(i64::MAX).saturating_add(by);
            return usize::try_from(at.saturating_add(i64::from(end))).unwrap_or(0);
        }
        let own = sorted.peers.get(at).cloned().unwrap_or_default();
        let key = |row: &Row| cells(row, &self.sort);
        let Some(bound) = sorted.rows.get(at).and_then(|row| self.shifted(&key(row), by)) else {
            return if end { own.end } else { own.start };
        };
        sorted.rows.partition_point(|row| {
            let order = self.order.compare(&key(row), &bound);
            order.is_lt() || end && order.is_eq()
        })
    }

    /// The key that is so much further on; none of NULL, and where nothing is added.
    #[expect(clippy::cast_precision_loss, reason = "bounds of frames are small")]
    #[cfg_attr(sg_hot, optimize(size))]
    fn shifted(&self, key: &[Value], by: i64) -> Option<Vec<Value>> {
        let descending = self.order.cells.first().is_some_and(|cell| cell.descending);
        let by = if descending { -by } else { by };
        if by == 0 {
            return None;
        }
        Some(vec![match key.first()? {
            Value::Int(number) => Value::Int(number.saturating_add(by)),
            Value::Double(number) => Value::Double(number + by as f64),
            number => {
                let step = 10_i128.checked_pow(self.scale)?.checked_mul(i128::from(by))?;
                Value::decimal(number.unscaled()?.checked_add(step)?)
            }
        }])
    }

    /// The result of a call that no accumulator computes.
    #[cfg_attr(sg_hot, optimize(size))]
    fn by_place(&self, call: &OwnCall, sorted: &Sorted, at: usize) -> Option<Value> {
        let count = sorted.rows.len();
        let constant = |column: usize| {
            let row = sorted.rows.get(at)?;
            let behind = || self.calls.constants.get(column.checked_sub(row.len())?);
            row.get(column).or_else(behind)
        };
        let own = sorted.peers.get(at)?;
        let number = |rows: usize| f64::from(u32::try_from(rows).unwrap_or(u32::MAX));
        let share = |part: usize, of: usize| Value::Double(number(part) / number(of));
        match call {
            OwnCall::Frame => None,
            OwnCall::PercentRank if count < 2 => Some(Value::Double(0.0)),
            OwnCall::PercentRank => Some(share(own.start, count - 1)),
            OwnCall::CumeDist => Some(share(own.end, count)),
            OwnCall::Tile(column) => {
                let parts = usize::try_from(constant(*column)?.as_int()?).ok()?.max(1);
                let (size, larger) = (count / parts, count % parts);
                let in_larger = larger * (size + 1);
                let tile = if at < in_larger {
                    at / (size + 1)
                } else {
                    larger + (at - in_larger) / size.max(1)
                };
                Some(Value::Int(i64::try_from(tile + 1).ok()?))
            }
            OwnCall::Neighbour {
                args,
                ahead,
                converted,
                never_null,
            } => {
                let distance = args
                    .get(1)
                    .and_then(|column| constant(*column)?.as_int())
                    .unwrap_or(1);
                let distance = if *ahead {
                    distance
                } else {
                    distance.saturating_neg()
                };
                let other = usize::try_from(i64::try_from(at).ok()?.saturating_add(distance)).ok();
                let other = other.and_then(|other| sorted.rows.get(other));
                let is_default = other.is_none();
                let value = match other {
                    Some(row) => row.get(*args.first()?),
                    None => args.get(2).and_then(|column| constant(*column)),
                };
                let mut value = value.cloned().unwrap_or_default();
                if let (Some(converted), true) = (converted, is_default) {
                    value = converted.eval(&[value], &EvalCx::default()).unwrap_or_default();
                }
                Some(match never_null {
                    Some(instead) if value.is_null() => instead.clone(),
                    _ => value,
                })
            }
        }
    }
}
