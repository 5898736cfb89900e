//! Nodes of the logical plan: immutable trees, one struct per kind, the enum only dispatches.

use std::rc::Rc;

use sg_diag::Span;
use sg_expr::{AggregateCall, Expr, OverFrame, SortDirection};
use sg_value::{Field, Row};

use super::{
    correlate::{CorrelateNode, SetOpNode},
    join::JoinNode,
    matching::MatchNode,
};
use crate::{
    catalog::Table,
    physical::node::{WindowProperty, WindowSpec},
};
pub use sg_sql::ast::OnConflict;

/// Identity of a logical node within one plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A node and its inputs.
#[derive(Clone, Debug)]
pub struct LogicalNode {
    /// Identity; a rewrite keeps the id of the node it stands for.
    pub id: NodeId,
    /// What it computes.
    pub op: LogicalOp,
    /// Inputs in order.
    pub inputs: Vec<Rc<Self>>,
    /// Output columns.
    pub schema: Rc<[Field]>,
    /// The SQL text it came from.
    pub span: Span,
}

/// What a logical node computes.
#[derive(Clone, Debug)]
pub enum LogicalOp {
    /// What a table's connector delivers.
    Scan(ScanNode),
    /// Its input is asked when a row of the other side of a join comes: `FOR SYSTEM_TIME AS OF` processing time.
    Snapshot(Rc<str>),
    /// `MATCH_RECOGNIZE`
    Match(Rc<MatchNode>),
    /// Literal rows.
    Values(ValuesNode),
    /// A watermark declaration above a scan (and above its computed columns).
    Watermark(WatermarkNode),
    /// Expressions per output column.
    Project(ProjectNode),
    /// A condition.
    Filter(FilterNode),
    /// GROUP BY, DISTINCT.
    Aggregate(AggregateNode),
    /// TUMBLE, HOP, CUMULATE, SESSION over its input; adds `window_start`, `window_end`, `window_time`.
    WindowTvf(WindowTvfNode),
    /// GROUP BY with a group window; made by optimization.
    GroupWindow(GroupWindowNode),
    /// UNION [ALL]; after optimization always ALL.
    Union(UnionNode),
    /// JOIN, and the semi and anti joins that sub-queries become.
    Join(JoinNode),
    /// CROSS JOIN UNNEST and other table functions that are called for each row.
    Correlate(Box<CorrelateNode>),
    /// INTERSECT and EXCEPT; after optimization there are none.
    SetOp(SetOpNode),
    /// One row per grouping set for each input row; made by optimization.
    Expand(ExpandNode),
    /// Windowed calls; made by optimization of projections that have some.
    Over(OverNode),
    /// The best rows of each partition; made by optimization of a filter on a row number.
    Rank(RankNode),
    /// ORDER BY, LIMIT, OFFSET.
    Sort(SortNode),
    /// INSERT INTO.
    Sink(SinkNode),
}

/// What a table's connector delivers: physical and metadata columns.
#[derive(Clone, Debug)]
pub struct ScanNode {
    /// The table; its options already include those of an OPTIONS hint.
    pub table: Rc<Table>,
    /// Output columns as numbers of the table's columns.
    pub columns: Vec<u32>,
    /// `SOURCE_WATERMARK()`: watermarks come with the rows, no assigner stands above.
    pub source_watermark: bool,
    /// `/*+ OPTIONS(…) */` in order, for the plan text.
    pub hints: Vec<(String, String)>,
}

/// Literal rows.
#[derive(Clone, Debug)]
pub struct ValuesNode {
    /// The rows, of the node's schema.
    pub rows: Vec<Row>,
}

/// A watermark declaration.
#[derive(Clone, Debug)]
pub struct WatermarkNode {
    /// The rowtime column of the input.
    pub rowtime: u32,
    /// The watermark of a row; `None` for `SOURCE_WATERMARK()`, which optimization moves into the scan.
    pub expression: Option<Expr>,
}

/// One expression per output column.
#[derive(Clone, Debug)]
pub struct ProjectNode {
    /// Expressions over the input's columns.
    pub expressions: Vec<Expr>,
}

/// Rows on which the condition is TRUE.
#[derive(Clone, Debug)]
pub struct FilterNode {
    /// A BOOLEAN expression over the input's columns.
    pub condition: Expr,
}

/// Grouping. Output: `[group columns of `keys`…, calls…]`.
#[derive(Clone, Debug)]
pub struct AggregateNode {
    /// Input columns of the union of all grouping sets, in order.
    pub keys: Vec<u32>,
    /// Each set as positions within `keys`; one set with all positions for a plain GROUP BY.
    pub sets: Vec<Vec<u32>>,
    /// Aggregate calls over the input's columns.
    pub calls: Vec<AggregateCall>,
    /// Duration of a `STATE_TTL` hint as written: `2 s`.
    pub ttl_hint: Option<Rc<str>>,
    /// Whether it is one of two steps.
    pub stage: AggregateStage,
}

/// Which step of an aggregation with DISTINCT in two steps this is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AggregateStage {
    /// All of it.
    #[default]
    Whole,
    /// By key and a hash of what is distinct.
    Partial,
    /// By key, over what the first step gives.
    Final,
}

/// A window table function.
#[derive(Clone, Debug)]
pub struct WindowTvfNode {
    /// Kind, sizes and time column.
    pub window: WindowSpec,
    /// PARTITION BY columns of a SESSION.
    pub partition: Vec<u32>,
    /// The words of each length as it is written, for the AST: `MINUTE`.
    pub units: Vec<Rc<str>>,
    /// The time column's name in DESCRIPTOR.
    pub time_span: Span,
}

/// Grouping by a group window. Output: `[keys…, calls…, properties…]`.
#[derive(Clone, Debug)]
pub struct GroupWindowNode {
    /// Kind, sizes and time column of the input.
    pub window: WindowSpec,
    /// The time column's name, as plans show it.
    pub time_name: Rc<str>,
    /// Input columns of the group key, without the window.
    pub keys: Vec<u32>,
    /// Aggregate calls over the input's columns.
    pub calls: Vec<AggregateCall>,
    /// Columns of the window: all that it has, or none.
    pub properties: Vec<WindowProperty>,
}

/// UNION of its inputs.
#[derive(Clone, Copy, Debug)]
pub struct UnionNode {
    /// UNION ALL.
    pub all: bool,
}

/// Grouping sets as copies of the input row. Output: `[columns read above…, $e BIGINT]`.
#[derive(Clone, Debug)]
pub struct ExpandNode {
    /// One list of expressions over the input per set; columns that are not in the set are NULL, the last is the
    /// set's id.
    pub projections: Vec<Vec<Expr>>,
    /// The column of the set's id.
    pub id: u32,
}

/// A sort key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortColumn {
    /// The column.
    pub column: u32,
    /// How it sorts.
    pub direction: SortDirection,
}

/// Windowed calls. Output: the input's columns, then the calls, all groups in order.
#[derive(Clone, Debug)]
pub struct OverNode {
    /// Calls by window.
    pub groups: Vec<OverGroup>,
    /// Constants among the arguments; they count as columns behind those of the input.
    pub constants: Vec<Expr>,
}

/// The calls of one window.
#[derive(Clone, Debug)]
pub struct OverGroup {
    /// PARTITION BY, ascending.
    pub partition: Vec<u32>,
    /// ORDER BY.
    pub order: Vec<SortColumn>,
    /// The frame.
    pub frame: OverFrame,
    /// The calls.
    pub calls: Vec<AggregateCall>,
}

/// Which places of a ranking are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankRange {
    /// From one place to another, counted from 1.
    Constant {
        /// The first place.
        start: i64,
        /// The last place.
        end: i64,
    },
    /// From the first place to the one in a column.
    Column(u32),
}

/// The best rows of each partition. Output: the input's columns, then the place if it is put out.
#[derive(Clone, Debug)]
pub struct RankNode {
    /// The function's name: `ROW_NUMBER`.
    pub function: &'static str,
    /// PARTITION BY, ascending.
    pub partition: Vec<u32>,
    /// ORDER BY.
    pub order: Vec<SortColumn>,
    /// The places.
    pub range: RankRange,
    /// Whether the place is a column of the output.
    pub puts_out_rank: bool,
}

/// ORDER BY, OFFSET, LIMIT.
#[derive(Clone, Debug)]
pub struct SortNode {
    /// Sort keys; none for a bare LIMIT.
    pub order: Vec<SortColumn>,
    /// OFFSET
    pub offset: Option<i64>,
    /// LIMIT
    pub fetch: Option<i64>,
}

/// INSERT INTO; the input has exactly the sink's columns, cast to its types.
#[derive(Clone, Debug)]
pub struct SinkNode {
    /// The target.
    pub table: Rc<Table>,
    /// Table columns named in `INSERT INTO t (a, b)`; `None` without a list.
    pub columns: Option<Vec<u32>>,
    /// ON CONFLICT DO …
    pub on_conflict: Option<OnConflict>,
    /// INSERT OVERWRITE
    pub overwrite: bool,
}
