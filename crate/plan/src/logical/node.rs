//! Nodes of the logical plan: immutable trees, one struct per kind, the enum only dispatches.

use std::rc::Rc;

use sg_diag::Span;
use sg_expr::{AggregateCall, Expr};
use sg_value::{Field, Row};

use crate::{catalog::Table, physical::node::WindowSpec};

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
    pub inputs: Vec<Rc<LogicalNode>>,
    /// Output columns.
    pub schema: Rc<[Field]>,
    /// The SQL text it came from.
    pub span: Span,
}

/// What a logical node computes.
#[derive(Clone, Debug)]
pub enum LogicalOp {
    /// Physical columns of a table.
    Scan(ScanNode),
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
    /// TUMBLE, HOP, CUMULATE, SESSION over its input; adds window_start, window_end, window_time.
    WindowTvf(WindowTvfNode),
    /// UNION ALL (UNION is this below an aggregate).
    Union(UnionNode),
    /// INSERT INTO.
    Sink(SinkNode),
}

/// Physical columns of a table.
#[derive(Clone, Debug)]
pub struct ScanNode {
    /// The table.
    pub table: Rc<Table>,
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
    /// The watermark of a row.
    pub expression: Expr,
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
}

/// A window table function.
#[derive(Clone, Debug)]
pub struct WindowTvfNode {
    /// Kind, sizes and time column.
    pub window: WindowSpec,
    /// PARTITION BY columns of a SESSION.
    pub partition: Vec<u32>,
}

/// UNION ALL of its inputs; types are already equal.
#[derive(Clone, Copy, Debug)]
pub struct UnionNode;

/// INSERT INTO; the input has exactly the sink's columns, cast to its types.
#[derive(Clone, Debug)]
pub struct SinkNode {
    /// The target.
    pub table: Rc<Table>,
    /// Columns named in `INSERT INTO t (a, b)`, or all.
    pub columns: Vec<u32>,
}
