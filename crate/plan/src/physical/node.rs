//! One struct per exec node. The runtime builds its operators from these specs.

use std::{fmt, rc::Rc};

use sg_diag::Span;
use sg_expr::{AggregateCall, Expr};
use sg_value::{Field, Gather as _, Row, RowKind};

pub use super::correlate::CorrelateSpec;
pub use super::multi_join::MultiJoinSpec;
pub use super::node_rank::{
    DeduplicateSpec, OrderTime, OverAggregateSpec, RankSpec, RankStrategy, TemporalSortSpec,
    WindowDeduplicateSpec, WindowRankSpec,
};
use super::{join::JoinSpec, timed::TimedJoinSpec};
use crate::{
    catalog::Table,
    logical::{AggregateStage, MatchNode, NodeId, OnConflict, SortColumn},
};

/// A physical node with its traits.
#[derive(Clone, Debug)]
pub struct PhysicalNode {
    /// What it runs.
    pub op: PhysicalOp,
    /// Inputs in order.
    pub inputs: Vec<Rc<Self>>,
    /// Output columns.
    pub schema: Rc<[Field]>,
    /// Row kinds that it emits.
    pub changelog_mode: ChangelogMode,
    /// Upsert keys as sets of output columns.
    pub upsert_keys: Vec<Vec<u32>>,
    /// The logical node that it implements.
    pub logical: Option<NodeId>,
    /// The SQL text it came from.
    pub span: Span,
}

impl PhysicalNode {
    /// A node without traits: insert-only, no keys.
    pub(crate) fn bare(op: PhysicalOp, inputs: Vec<Rc<Self>>, schema: Rc<[Field]>, span: Span) -> Self {
        let changelog_mode = ChangelogMode::INSERT_ONLY;
        Self {
            op,
            inputs,
            schema,
            changelog_mode,
            upsert_keys: Vec::new(),
            logical: None,
            span,
        }
    }

    /// The same node over other inputs.
    pub(crate) fn with_inputs(&self, inputs: Vec<Rc<Self>>) -> Self {
        Self {
            inputs,
            ..self.clone()
        }
    }
}

/// The bit of a [`ChangelogMode`] behind those of the row kinds.
const BY_KEY: u8 = 0b1_0000;

/// A set of row kinds, printed as Flink does: `[I,UB,UA,D]`, `[I,UA,PD]` where deletes say only the key, `[NONE]` for
/// a sink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChangelogMode(u8);

impl ChangelogMode {
    /// No row kind: what a sink emits.
    pub const NONE: Self = Self(0);
    /// Inserts only.
    pub const INSERT_ONLY: Self = Self(1);
    /// Everything.
    pub const ALL: Self = Self(0b1111);

    /// The set with one more kind.
    #[must_use]
    pub const fn with(self, kind: RowKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// The set without a kind.
    #[must_use]
    pub const fn without(self, kind: RowKind) -> Self {
        Self(self.0 & !(1 << kind as u8))
    }

    /// Whether the kind is a member.
    pub const fn contains(self, kind: RowKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// The set where a delete says only the key: the other columns are NULL.
    #[must_use]
    pub const fn with_deletes_by_key(self) -> Self {
        Self(self.0 | BY_KEY)
    }

    /// Whether a delete says only the key.
    pub const fn deletes_by_key(self) -> bool {
        self.0 & BY_KEY != 0 && self.contains(RowKind::Delete)
    }

    /// Whether nothing but inserts can come.
    pub const fn is_insert_only(self) -> bool {
        self.0 & !1 == 0
    }
}

impl fmt::Display for ChangelogMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            (RowKind::Insert, "I"),
            (RowKind::UpdateBefore, "UB"),
            (RowKind::UpdateAfter, "UA"),
            (RowKind::Delete, "D"),
        ];
        let members: Vec<&str> = words
            .iter()
            .filter(|(kind, _)| self.contains(*kind))
            .map(|(kind, word)| {
                if *kind == RowKind::Delete && self.deletes_by_key() {
                    "PD"
                } else {
                    *word
                }
            })
            .gather();
        if members.is_empty() {
            f.write_str("[NONE]")
        } else {
            write!(f, "[{}]", members.join(","))
        }
    }
}

/// What a physical node runs.
#[derive(Clone, Debug)]
pub enum PhysicalOp {
    /// `TableSourceScan`
    Scan(ScanSpec),
    /// `Values`
    Values(ValuesSpec),
    /// `WatermarkAssigner`
    WatermarkAssigner(WatermarkAssignerSpec),
    /// `Calc`
    Calc(CalcSpec),
    /// `Exchange`; in a job graph it is the distribution of an input instead
    Exchange(Distribution),
    /// `Expand`
    Expand(ExpandSpec),
    /// `MiniBatchAssigner`
    MiniBatchAssigner(MiniBatchAssignerSpec),
    /// `GroupAggregate`
    GroupAggregate(GroupAggregateSpec),
    /// `LocalGroupAggregate`. Output: `[keys…, accumulator cells of all calls…]`
    LocalGroupAggregate(GroupAggregateSpec),
    /// `GlobalGroupAggregate`: the calls are those of the local phase, whose output is the input
    GlobalGroupAggregate(GroupAggregateSpec),
    /// `IncrementalGroupAggregate`: the end of a first step and the beginning of a second one in one node
    IncrementalGroupAggregate(IncrementalGroupAggregateSpec),
    /// `WindowTableFunction`
    WindowTableFunction(WindowTableFunctionSpec),
    /// `WindowAggregate`
    WindowAggregate(WindowAggregateSpec),
    /// `GroupWindowAggregate`
    GroupWindowAggregate(GroupWindowAggregateSpec),
    /// `LocalWindowAggregate`
    LocalWindowAggregate(LocalWindowAggregateSpec),
    /// `GlobalWindowAggregate`
    GlobalWindowAggregate(GlobalWindowAggregateSpec),
    /// `Join`
    Join(Box<JoinSpec>),
    /// `MultiJoin`
    MultiJoin(Box<MultiJoinSpec>),
    /// `OverAggregate`
    OverAggregate(OverAggregateSpec),
    /// `Rank`, or `Deduplicate`
    Rank(RankSpec),
    /// `WindowRank`
    WindowRank(WindowRankSpec),
    /// `WindowDeduplicate`
    WindowDeduplicate(WindowDeduplicateSpec),
    /// `SortLimit`
    SortLimit(RankSpec),
    /// `Limit`
    Limit(RankSpec),
    /// `TemporalSort`
    TemporalSort(TemporalSortSpec),
    /// `IntervalJoin`, `WindowJoin`, `TemporalJoin`, `LookupJoin`
    TimedJoin(Box<TimedJoinSpec>),
    /// `Correlate`
    Correlate(Box<CorrelateSpec>),
    /// `Match`
    Match(Rc<MatchNode>),
    /// `Union`
    Union,
    /// `DropUpdateBefore`
    DropUpdateBefore,
    /// `ChangelogNormalize`
    ChangelogNormalize(ChangelogNormalizeSpec),
    /// `SinkMaterializer`; part of the sink in a plan, an operator of its own in a job graph
    SinkMaterializer(Box<MaterializeSpec>),
    /// Batch mode: the rows that are left at the end of the input, in this order
    FinalResult(Vec<SortColumn>),
    /// `Sink`
    Sink(SinkSpec),
}

/// How rows of an input reach the subtasks of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// To the same subtask, within one chain where possible.
    Forward,
    /// By the key group of these columns.
    Hash(Vec<u32>),
    /// All to subtask 0.
    Single,
    /// In turn.
    Rebalance,
}

/// Reads a table.
#[derive(Clone, Debug)]
pub struct ScanSpec {
    /// The table, with connector options.
    pub table: Rc<Table>,
    /// Output columns as numbers of the table's columns; the connector reads just these.
    pub columns: Vec<u32>,
    /// A watermark that the source itself makes, per partition; `SOURCE_WATERMARK()` likewise.
    pub watermark: Option<SourceWatermark>,
    /// Options of an OPTIONS hint, for the plan text.
    pub hints: Vec<(String, String)>,
}

/// Who makes the watermarks inside a source.
#[derive(Clone, Debug)]
pub enum SourceWatermark {
    /// An expression, evaluated per partition and combined inside the source.
    PerPartition(PushedWatermarkSpec),
    /// `SOURCE_WATERMARK()`: only explicit watermark events.
    FromSource,
}

/// A watermark expression that a source with partitions evaluates itself.
#[derive(Clone, Debug)]
pub struct PushedWatermarkSpec {
    /// The watermark of a row, over the scan's output (computed columns are written out); NULL leaves it.
    pub expression: Expr,
    /// As in [`WatermarkAssignerSpec`].
    pub interval_ms: i64,
    /// As in [`WatermarkAssignerSpec`], per partition.
    pub idle_timeout_ms: i64,
}

/// Makes a complete changelog of what a source upserts: knows the last row of each key.
#[derive(Clone, Debug)]
pub struct ChangelogNormalizeSpec {
    /// The source's primary key, as input columns.
    pub keys: Vec<u32>,
    /// Rows for which it is not TRUE are as good as deleted.
    pub condition: Option<Expr>,
    /// Whether consumers need `-U`.
    pub update_before: bool,
    /// Whether the source repeats events: then it stays, whatever consumers need.
    pub duplicates: bool,
    /// State time-to-live in milliseconds, 0 never.
    pub ttl_ms: i64,
    /// Rows per bundle, where changes are taken in mini-batches.
    pub mini_batch: Option<i64>,
}

/// Literal rows, emitted once at the start.
#[derive(Clone, Debug)]
pub struct ValuesSpec {
    /// The rows.
    pub rows: Vec<Row>,
}

/// Makes watermarks from rows.
#[derive(Clone, Debug)]
pub struct WatermarkAssignerSpec {
    /// The rowtime column.
    pub rowtime: u32,
    /// The watermark of a row; NULL leaves it.
    pub expression: Expr,
    /// `pipeline.auto-watermark-interval` in milliseconds; 0 after every row.
    pub interval_ms: i64,
    /// `table.exec.source.idle-timeout` in milliseconds of processing time; 0 never.
    pub idle_timeout_ms: i64,
}

/// Makes the watermarks that end bundles.
#[derive(Clone, Copy, Debug)]
pub struct MiniBatchAssignerSpec {
    /// `table.exec.mini-batch.allow-latency`
    pub interval_ms: i64,
    /// Whether watermarks of event time come, each at most once per interval; else processing time in intervals.
    pub rowtime: bool,
}

/// Filters, then computes.
#[derive(Clone, Debug)]
pub struct CalcSpec {
    /// One expression per output column, over the input.
    pub projection: Vec<Expr>,
    /// Rows pass where it is TRUE.
    pub condition: Option<Expr>,
}

/// Emits one row per projection for each input row.
#[derive(Clone, Debug)]
pub struct ExpandSpec {
    /// Projections over the input.
    pub projections: Vec<Vec<Expr>>,
}

/// Group aggregation without a window. Output: `[keys…, calls…]`.
#[derive(Clone, Debug)]
pub struct GroupAggregateSpec {
    /// Input columns of the group key.
    pub keys: Vec<u32>,
    /// Calls over the input.
    pub calls: Vec<AggregateCall>,
    /// Which call counts all rows (`COUNT(*)` in its retractable form): the input takes rows back, and a
    /// group whose count becomes 0 is deleted. Where the query has none, the planner appends a hidden call
    /// behind the visible ones; it is part of the accumulator, not of the output.
    pub record_counter: Option<u32>,
    /// Calls that are in the output; the rest is hidden.
    pub visible_calls: u32,
    /// Whether consumers need `-U`.
    pub update_before: bool,
    /// State time-to-live in milliseconds, 0 never; a `STATE_TTL` hint is already in it.
    pub ttl_ms: i64,
    /// The hint's text, for the plan text.
    pub ttl_hint: Option<Rc<str>>,
    /// Rows per bundle, where changes are taken in mini-batches.
    pub mini_batch: Option<i64>,
    /// Whether it is one of two steps.
    pub stage: AggregateStage,
    /// Batch mode, without a key: no rows have a result, too.
    pub of_nothing: bool,
}

/// Adds up what the first step of a split DISTINCT gained in a bundle. Input: the output of its local phase. Output:
/// `[keys of the second step…, accumulator cells of all calls without the seen values…]`.
#[derive(Clone, Debug)]
pub struct IncrementalGroupAggregateSpec {
    /// The first step; its keys lead the input.
    pub partial: GroupAggregateSpec,
    /// Number of keys of the second step: the first of those keys.
    pub final_keys: u32,
}

/// A window and the column or columns it is taken from.
#[derive(Clone, Debug)]
pub struct WindowSpec {
    /// Kind and sizes.
    pub kind: WindowKind,
    /// Where the window of a row comes from.
    pub source: WindowSource,
    /// Event time or processing time.
    pub rowtime: bool,
    /// The time zone in which windows are aligned: the session's for `TIMESTAMP_LTZ`, else UTC.
    pub zone: Rc<str>,
    /// The call of the window function.
    pub span: Span,
}

/// Where the window of a row comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WindowSource {
    /// Assigned by this time column of the input.
    TimeColumn(u32),
    /// Assigned before: columns `window_start` and `window_end` of the input (an attached window).
    Attached {
        /// Column of `window_start`, where it is present.
        start: Option<u32>,
        /// Column of `window_end`.
        end: u32,
    },
    /// Assigned by a local aggregate: the column of `$slice_end`.
    SliceEnd(u32),
}

/// Window kinds; all lengths in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowKind {
    /// TUMBLE
    Tumble {
        /// Length of a window.
        size_ms: i64,
        /// Shift of all windows.
        offset_ms: i64,
    },
    /// HOP
    Hop {
        /// Distance of two windows' starts.
        slide_ms: i64,
        /// Length of a window.
        size_ms: i64,
        /// Shift of all windows.
        offset_ms: i64,
    },
    /// CUMULATE
    Cumulate {
        /// Growth of a window.
        step_ms: i64,
        /// Largest length.
        max_size_ms: i64,
        /// Shift of all windows.
        offset_ms: i64,
    },
    /// SESSION
    Session {
        /// Silence that ends a window.
        gap_ms: i64,
    },
    /// `CUMULATE_DYNAMIC`, an extension: a session whose total is given out at the end of every step, too.
    Dynamic {
        /// Time between two results, from the session's start on.
        step_ms: i64,
        /// Silence that ends a window.
        gap_ms: i64,
    },
}

impl WindowKind {
    /// Whether windows overlap by sliding.
    pub const fn is_hop(&self) -> bool {
        matches!(self, Self::Hop { .. })
    }

    /// Whether Flink has no such window.
    pub const fn is_extension(&self) -> bool {
        matches!(self, Self::Dynamic { .. })
    }

    /// Whether windows have no fixed bounds.
    pub const fn is_session(&self) -> bool {
        matches!(self, Self::Session { .. } | Self::Dynamic { .. })
    }
}

/// A window's own column in an aggregate's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowProperty {
    /// `window_start`
    Start,
    /// `window_end`
    End,
    /// `window_time`, as rowtime attribute
    Rowtime,
    /// `window_time` of a processing-time window
    Proctime,
}

/// A window table function on its own: appends `window_start`, `window_end`, `window_time`.
#[derive(Clone, Debug)]
pub struct WindowTableFunctionSpec {
    /// The window.
    pub window: WindowSpec,
    /// PARTITION BY columns of a SESSION.
    pub partition: Vec<u32>,
}

/// One-phase window aggregation. Output: `[keys…, calls…, properties…]`.
#[derive(Clone, Debug)]
pub struct WindowAggregateSpec {
    /// Input columns of the group key, without window columns.
    pub keys: Vec<u32>,
    /// The window.
    pub window: WindowSpec,
    /// PARTITION BY columns of a SESSION: the same columns as `keys`.
    pub partition: Vec<u32>,
    /// Calls over the input.
    pub calls: Vec<AggregateCall>,
    /// Window columns of the output, with their names in the schema.
    pub properties: Vec<WindowProperty>,
    /// As in [`GroupAggregateSpec::record_counter`]: a window whose count is 0 is not emitted.
    pub record_counter: Option<u32>,
    /// Calls that are in the output; the rest is hidden.
    pub visible_calls: u32,
}

/// Aggregation by a window of GROUP BY. Output: `[keys…, calls…, properties…]`.
#[derive(Clone, Debug)]
pub struct GroupWindowAggregateSpec {
    /// Input columns of the group key, without the window.
    pub keys: Vec<u32>,
    /// The window; its source is [`WindowSource::TimeColumn`], of no column for processing time where that is gone.
    pub window: WindowSpec,
    /// Name of the time column, for the plan text.
    pub time_name: Rc<str>,
    /// Calls over the input.
    pub calls: Vec<AggregateCall>,
    /// Columns of the window: all that it has, or none.
    pub properties: Vec<WindowProperty>,
    /// As in [`GroupAggregateSpec::record_counter`]: a window whose count is 0 is not emitted, or deleted.
    pub record_counter: Option<u32>,
    /// Calls that are in the output; the rest is hidden.
    pub visible_calls: u32,
    /// When it emits beside its end; then it updates what it has emitted.
    pub emit: Option<EmitSpec>,
}

/// `table.exec.emit.*`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmitSpec {
    /// Delay of early firings in milliseconds of processing time; 0 with each row.
    pub early_ms: Option<i64>,
    /// The same of late firings.
    pub late_ms: Option<i64>,
    /// How long after its end a window takes rows, in milliseconds.
    pub lateness_ms: i64,
}

/// First phase of a window aggregation. Output: `[keys…, accumulator cells of all calls…, $slice_end BIGINT]`.
#[derive(Clone, Debug)]
pub struct LocalWindowAggregateSpec {
    /// Input columns of the group key.
    pub keys: Vec<u32>,
    /// The window.
    pub window: WindowSpec,
    /// Calls over the input, hidden ones included.
    pub calls: Vec<AggregateCall>,
}

/// Second phase. Input: the local phase's output. Output: `[keys…, calls…, properties…]`.
#[derive(Clone, Debug)]
pub struct GlobalWindowAggregateSpec {
    /// Number of key columns; they lead the input.
    pub key_count: u32,
    /// The window; its source is [`WindowSource::SliceEnd`], or [`WindowSource::Attached`] where it is the
    /// local phase's: the column is then `$window_end` instead of `$slice_end`.
    pub window: WindowSpec,
    /// The same calls as in the local phase (argument columns refer to the local phase's input).
    pub calls: Vec<AggregateCall>,
    /// Window columns of the output.
    pub properties: Vec<WindowProperty>,
    /// As in [`WindowAggregateSpec`].
    pub record_counter: Option<u32>,
    /// As in [`WindowAggregateSpec`].
    pub visible_calls: u32,
}

/// Writes a table, or collects the result of a query.
#[derive(Clone, Debug)]
pub struct SinkSpec {
    /// The target; `None` for the result of a bare query.
    pub table: Option<Rc<Table>>,
    /// Columns named in `INSERT INTO t (a, b)`, in that order.
    pub target_columns: Option<Vec<u32>>,
    /// The column whose event time the sink's rows carry, if any.
    pub rowtime: Option<u32>,
    /// Columns that must not be NULL, with what happens where one is.
    pub not_null: Option<NotNullSpec>,
    /// Columns whose length is enforced, with what happens to a value of another length.
    pub lengths: Option<LengthSpec>,
    /// A `SinkUpsertMaterializer` in front of the sink, keyed by its primary key.
    pub materialize: Option<MaterializeSpec>,
    /// The ON CONFLICT clause, for the plan text.
    pub on_conflict: Option<OnConflict>,
}

/// `table.exec.sink.not-null-enforcer`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotNullSpec {
    /// The sink's NOT NULL columns that the query may fill with NULL.
    pub columns: Vec<u32>,
    /// True: the row is left out in silence. False: the job fails.
    pub drops: bool,
}

/// `table.exec.sink.type-length-enforcer`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthSpec {
    /// Columns of CHAR(n), VARCHAR(n), BINARY(n), VARBINARY(n) with n below the maximum.
    pub columns: Vec<u32>,
    /// True: too long values fail the job. False: they are cut, and too short ones of CHAR and BINARY padded.
    pub fails: bool,
}

/// The history of each primary key, so that a row that is taken back uncovers the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterializeSpec {
    /// The sink's primary key.
    pub key: Vec<u32>,
    /// The input's upsert key by which equal rows are found; all columns where it has none.
    pub upsert_key: Option<Vec<u32>>,
    /// What a second row under a key means.
    pub on_conflict: Option<OnConflict>,
    /// Time-to-live of the history in milliseconds, 0 never.
    pub ttl_ms: i64,
}
