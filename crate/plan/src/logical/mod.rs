//! The relational tree between binding and Flink's exec nodes.

pub mod node;

pub use node::{
    AggregateNode, ExpandNode, FilterNode, LogicalNode, LogicalOp, NodeId, OnConflict, ProjectNode, ScanNode,
    SinkNode, UnionNode, ValuesNode, WatermarkNode, WindowTvfNode,
};
