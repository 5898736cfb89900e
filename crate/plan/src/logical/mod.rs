//! The relational tree between binding and Flink's exec nodes.

mod build;
mod correlate;
mod join;
mod keys;
mod matching;
pub mod node;
mod outer;
mod validated_type;
mod window;
mod window_check;
mod window_text;

pub use build::{
    Builder, aggregate_schema, is_identity, name_calls, over_schema, rowtime, same_expression, unique_name,
    unique_names,
};
pub use correlate::{
    CorrelateNode, SetOpNode, TableFunction, correlate_schema, shown_correlate_schema, unnest_columns,
};
pub use join::{
    JoinHints, JoinKind, JoinNode, LookupHints, LookupRetry, always, condition_fields, is_always,
    join_schema, left_width,
};
pub use keys::unique_keys;
pub use matching::{AfterMatch, MatchNode, Offset, PatternItem, Reference, ReferenceKind, RowsOf};
pub use node::{
    AggregateNode, AggregateStage, ExpandNode, FilterNode, GroupWindowNode, LogicalNode, LogicalOp, NodeId,
    OnConflict, OverGroup, OverNode, ProjectNode, RankNode, RankRange, ScanNode, SinkNode, SortColumn,
    SortNode, UnionNode, ValuesNode, WatermarkNode, WindowTvfNode,
};
pub use outer::{as_outer_column, expressions, is_correlated, outer_columns_of};
pub use sg_expr::shown_type;
pub use validated_type::validated_types;
pub use window::{WindowColumns, window_columns};
pub(crate) use window_check::check_windows;
pub use window_text::{invocation_text, record_text};
