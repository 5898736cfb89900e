//! Sets of columns that are unique in a node's rows.
//!
//! Flink: `FlinkRelMdUniqueKeys`, `FlinkRelMdUpsertKeys` as far as rules of the logical phase ask.

use sg_expr::Expr;

use super::{LogicalNode, LogicalOp, RankRange};

/// The unique keys of a node.
pub fn unique_keys(node: &LogicalNode) -> Vec<Vec<u32>> {
    let input = || {
        node.inputs
            .first()
            .map(|input| unique_keys(input))
            .unwrap_or_default()
    };
    match &node.op {
        LogicalOp::Scan(scan) => {
            let place = |column: &u32| position(scan.columns.iter().copied().map(Some), *column);
            scan.table
                .primary_key
                .iter()
                .filter_map(|key| key.iter().map(place).collect())
                .collect()
        }
        LogicalOp::Project(project) => {
            let place = |column: &u32| position(project.expressions.iter().map(Expr::as_column), *column);
            let keys = input().into_iter();
            keys.filter_map(|key| key.iter().map(place).collect()).collect()
        }
        LogicalOp::Filter(_)
        | LogicalOp::Snapshot
        | LogicalOp::Watermark(_)
        | LogicalOp::Sort(_)
        | LogicalOp::Over(_)
        | LogicalOp::Sink(_) => input(),
        LogicalOp::Aggregate(aggregate) => match aggregate.sets.as_slice() {
            [set] if set.len() == aggregate.keys.len() => {
                vec![(0..u32::try_from(aggregate.keys.len()).unwrap_or(u32::MAX)).collect()]
            }
            _ => Vec::new(),
        },
        LogicalOp::GroupWindow(window) => {
            let count = u32::try_from(window.keys.len()).unwrap_or(u32::MAX);
            let first = count.saturating_add(u32::try_from(window.calls.len()).unwrap_or(u32::MAX));
            (first..)
                .zip(&window.properties)
                .map(|(column, _)| (0..count).chain([column]).collect())
                .collect()
        }
        LogicalOp::Rank(rank) => {
            let mut keys = input();
            if rank.range == (RankRange::Constant { start: 1, end: 1 }) {
                keys.push(rank.partition.clone());
            }
            if rank.puts_out_rank
                && let Some(place) = node.schema.len().checked_sub(1)
            {
                let place = u32::try_from(place).unwrap_or(u32::MAX);
                keys.push(rank.partition.iter().copied().chain([place]).collect());
            }
            keys
        }
        LogicalOp::Values(_)
        | LogicalOp::WindowTvf(_)
        | LogicalOp::Union(_)
        | LogicalOp::Join(_)
        | LogicalOp::Expand(_) => Vec::new(),
    }
}

fn position(columns: impl Iterator<Item = Option<u32>>, wanted: u32) -> Option<u32> {
    (0_u32..)
        .zip(columns)
        .find(|(_, column)| *column == Some(wanted))
        .map(|(at, _)| at)
}
