//! Sets of columns that are unique in a node's rows.
//!
//! Flink: `FlinkRelMdUniqueKeys`, `FlinkRelMdUpsertKeys` as far as rules of the logical phase ask.

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{JoinNode, LogicalNode, LogicalOp, RankRange};
use crate::physical::join::EquiKeys;

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
                .filter_map(|key| key.iter().map(place).gather())
                .gather()
        }
        LogicalOp::Project(project) => {
            let place = |column: &u32| position(project.expressions.iter().map(Expr::as_column), *column);
            let keys = input().into_iter();
            keys.filter_map(|key| key.iter().map(place).gather()).gather()
        }
        LogicalOp::Filter(_)
        | LogicalOp::Snapshot(_)
        | LogicalOp::Watermark(_)
        | LogicalOp::Sort(_)
        | LogicalOp::Over(_)
        | LogicalOp::Sink(_) => input(),
        LogicalOp::Aggregate(aggregate) => match aggregate.sets.as_slice() {
            [set] if set.len() == aggregate.keys.len() => {
                vec![(0..u32::try_from(aggregate.keys.len()).unwrap_or(u32::MAX)).gather()]
            }
            _ => Vec::new(),
        },
        LogicalOp::GroupWindow(window) => {
            let count = u32::try_from(window.keys.len()).unwrap_or(u32::MAX);
            let first = count.saturating_add(u32::try_from(window.calls.len()).unwrap_or(u32::MAX));
            (first..)
                .zip(&window.properties)
                .map(|(column, _)| (0..count).chain([column]).gather())
                .gather()
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
                keys.push(rank.partition.iter().copied().chain([place]).gather());
            }
            keys
        }
        LogicalOp::Join(join) => {
            let [left, right] = node.inputs.as_slice() else {
                return Vec::new();
            };
            of_join(join, left, right)
        }
        LogicalOp::Values(_)
        | LogicalOp::Match(_)
        | LogicalOp::WindowTvf(_)
        | LogicalOp::Union(_)
        | LogicalOp::Correlate(_)
        | LogicalOp::SetOp(_)
        | LogicalOp::Expand(_) => Vec::new(),
    }
}

/// Flink: `FlinkRelMdUniqueKeys.getJoinUniqueKeys`.
fn of_join(join: &JoinNode, left: &LogicalNode, right: &LogicalNode) -> Vec<Vec<u32>> {
    let of_left = unique_keys(left);
    if join.kind.is_semi_or_anti() {
        return of_left;
    }
    let width = u32::try_from(left.schema.len()).unwrap_or(u32::MAX);
    let of_right = unique_keys(right);
    let shifted: Vec<Vec<u32>> = of_right
        .iter()
        .map(|key| key.iter().map(|column| column + width).gather())
        .gather();
    let (keys, _) = EquiKeys::split(&join.condition, width);
    let is_unique = |unique: &[Vec<u32>], key: &[u32]| {
        unique
            .iter()
            .any(|unique| unique.iter().all(|column| key.contains(column)))
    };
    let mut found: Vec<Vec<u32>> = of_left
        .iter()
        .flat_map(|one| {
            shifted
                .iter()
                .map(move |other| one.iter().chain(other).copied().gather())
        })
        .gather();
    if is_unique(&of_right, &keys.right) && !join.kind.keeps_right() {
        found.extend(of_left.iter().cloned());
    }
    if is_unique(&of_left, &keys.left) && !join.kind.keeps_left() {
        found.extend(shifted);
    }
    found
}

fn position(columns: impl Iterator<Item = Option<u32>>, wanted: u32) -> Option<u32> {
    (0_u32..)
        .zip(columns)
        .find(|(_, column)| *column == Some(wanted))
        .map(|(at, _)| at)
}
