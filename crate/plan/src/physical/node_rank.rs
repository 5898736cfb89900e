//! Specs of windowed calls, rankings and sorting.

use sg_expr::{AggregateCall, OverFrame};
use sg_value::{DataType, Value};

use super::node::WindowSpec;
use crate::logical::{RankRange, SortColumn};

/// By what rows are ordered in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderTime {
    /// An event-time attribute.
    Rowtime,
    /// A processing-time attribute.
    Proctime,
    /// Any other column.
    Value,
}

/// `OverAggregate`: appends the results of calls over the rows so far.
#[derive(Clone, Debug)]
pub struct OverAggregateSpec {
    /// PARTITION BY.
    pub partition: Vec<u32>,
    /// ORDER BY; one ascending column in what runs on a stream.
    pub order: Vec<SortColumn>,
    /// What that column is.
    pub time: OrderTime,
    /// The frame.
    pub frame: OverFrame,
    /// Calls over the input and the constants behind it.
    pub calls: Vec<AggregateCall>,
    /// Constants that count as columns behind those of the input.
    pub constants: Vec<(Value, DataType)>,
    /// State time-to-live in milliseconds, 0 never.
    pub ttl_ms: i64,
    /// Batch mode: rows are put in order when all are there, and any order and frame will do.
    pub batch: bool,
    /// Batch mode: only rows of these ranks come out. Flink: `BatchPhysicalRank`.
    pub places: Option<(i64, i64)>,
}

/// How the best rows are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RankStrategy {
    /// Rows only come: the best ones are enough.
    AppendFast,
    /// Rows of these keys only get better.
    UpdateFast(Vec<u32>),
    /// Rows can be taken back: all are kept.
    Retract,
}

/// A ranking by time that keeps one row: Flink runs it as `Deduplicate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeduplicateSpec {
    /// The last row of a key, else the first.
    pub keep_last: bool,
    /// The order.
    pub time: OrderTime,
    /// The first row by event time, given out once when the watermark has passed it.
    pub insert_only: bool,
}

/// `Rank`, `SortLimit`, `Limit`: the best rows of each partition.
#[derive(Clone, Debug)]
pub struct RankSpec {
    /// How they are kept.
    pub strategy: RankStrategy,
    /// Places that are shown.
    pub range: RankRange,
    /// PARTITION BY.
    pub partition: Vec<u32>,
    /// ORDER BY.
    pub order: Vec<SortColumn>,
    /// What the sort columns are.
    pub times: Vec<OrderTime>,
    /// Whether the place is the last output column.
    pub puts_out_rank: bool,
    /// How it is run instead, where it keeps one row by time.
    pub deduplicate: Option<DeduplicateSpec>,
    /// Whether consumers need `-U`.
    pub update_before: bool,
    /// Whether an update may stand for the first row of a key.
    pub insert_as_update: bool,
    /// State time-to-live in milliseconds, 0 never.
    pub ttl_ms: i64,
    /// Rows per bundle, where changes are taken in mini-batches.
    pub mini_batch: Option<i64>,
}

/// `WindowRank`: the best rows of each window and partition, once, when the window ends.
#[derive(Clone, Debug)]
pub struct WindowRankSpec {
    /// The window that rows bring with them.
    pub window: WindowSpec,
    /// PARTITION BY without the window's columns.
    pub partition: Vec<u32>,
    /// PARTITION BY columns of the SESSION that the rows come from, for the plan text.
    pub session: Vec<u32>,
    /// ORDER BY.
    pub order: Vec<SortColumn>,
    /// The first place and the last.
    pub places: (i64, i64),
    /// Whether the place is the last output column.
    pub puts_out_rank: bool,
}

/// `WindowDeduplicate`: the first or last row by event time of each window and partition, once, when the window ends.
#[derive(Clone, Debug)]
pub struct WindowDeduplicateSpec {
    /// The window that rows bring with them.
    pub window: WindowSpec,
    /// PARTITION BY without the window's columns.
    pub partition: Vec<u32>,
    /// PARTITION BY columns of the SESSION that the rows come from, for the plan text.
    pub session: Vec<u32>,
    /// The event time.
    pub time: u32,
    /// The last row, else the first.
    pub keep_last: bool,
}

/// `TemporalSort`: rows in the order of their time.
#[derive(Clone, Debug)]
pub struct TemporalSortSpec {
    /// ORDER BY: the time, then others.
    pub order: Vec<SortColumn>,
    /// What the first of them is.
    pub time: OrderTime,
}

impl RankSpec {
    /// Whether it is one place only, the first, and its number is not put out.
    pub fn is_deduplication(&self) -> bool {
        !self.puts_out_rank && self.range == (RankRange::Constant { start: 1, end: 1 })
    }

    /// Whether the last row of each partition is kept: one sort column, descending.
    pub fn keeps_last(&self) -> bool {
        matches!(self.order.as_slice(), [key] if key.direction.descending)
    }

    /// Whether there is one sort column, and it is a time attribute.
    pub fn sorts_by_time_only(&self) -> bool {
        matches!(self.times.as_slice(), [OrderTime::Rowtime | OrderTime::Proctime])
    }
}
