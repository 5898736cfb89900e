//! The relational tree between binding and Flink's exec nodes.

mod build;
pub mod node;
mod window;

pub use build::{
    Builder, aggregate_schema, is_identity, name_calls, rowtime, same_expression, unique_name, unique_names,
};
pub use node::{
    AggregateNode, ExpandNode, FilterNode, LogicalNode, LogicalOp, NodeId, OnConflict, ProjectNode, ScanNode,
    SinkNode, UnionNode, ValuesNode, WatermarkNode, WindowTvfNode,
};
pub use window::{WindowColumns, window_columns};
