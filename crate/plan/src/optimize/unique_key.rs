//! Unique keys of logical nodes, as far as rules need them.
//!
//! Flink: `FlinkRelMdUniqueKeys`.

use sg_expr::Expr;

use crate::logical::{LogicalNode, LogicalOp};

/// Sets of columns of which no two rows have the same values.
pub(crate) fn unique_keys(node: &LogicalNode) -> Vec<Vec<u32>> {
    let input = || {
        node.inputs
            .first()
            .map(|input| unique_keys(input))
            .unwrap_or_default()
    };
    match &node.op {
        LogicalOp::Scan(scan) => {
            let place = |column: u32| {
                let found = (0_u32..).zip(&scan.columns).find(|(_, other)| **other == column);
                found.map(|(at, _)| at)
            };
            let key = scan.table.primary_key.iter();
            key.filter_map(|key| key.iter().map(|&column| place(column)).collect())
                .collect()
        }
        LogicalOp::Project(project) => {
            let place = |column: u32| {
                let columns = project.expressions.iter().map(Expr::as_column);
                let found = (0_u32..).zip(columns).find(|(_, other)| *other == Some(column));
                found.map(|(at, _)| at)
            };
            let keys = input().into_iter();
            keys.filter_map(|key| key.iter().map(|&column| place(column)).collect())
                .collect()
        }
        LogicalOp::Filter(_) | LogicalOp::Watermark(_) => input(),
        LogicalOp::Aggregate(aggregate) if aggregate.sets.len() == 1 => {
            let count = u32::try_from(aggregate.keys.len()).unwrap_or(u32::MAX);
            vec![(0..count).collect()]
        }
        LogicalOp::Join(join) if join.kind.is_semi_or_anti() => input(),
        _ => Vec::new(),
    }
}
