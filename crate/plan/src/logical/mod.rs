//! The relational tree between binding and Flink's exec nodes.

pub mod node;

pub use node::{
    AggregateNode, FilterNode, LogicalNode, LogicalOp, NodeId, ProjectNode, ScanNode, SinkNode, UnionNode,
    ValuesNode, WatermarkNode, WindowTvfNode,
};
