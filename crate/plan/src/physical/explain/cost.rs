//! `EXPLAIN ESTIMATED_COST`: rows and cost as Flink's planner guesses them where it knows nothing of a table.
//!
//! Flink: `FlinkRelMdRowCount`, `FlinkRelMdSelectivity`, `FlinkRelMdSize` and `computeSelfCost` of the physical nodes. What was not
//! recorded has no cost here. Cases: statements/explain-cost-*.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind, sarg_shape};
use sg_value::{DataType, TypeKind, format::double_text};

use crate::{
    logical::{JoinKind, RankRange},
    physical::{
        PhysicalPlan,
        join::UniqueKey,
        node::{Distribution, PhysicalNode, PhysicalOp},
    },
};

/// Rows of a table of which nothing is known.
const ROWS: f64 = 1e8;
/// Of a row that goes to another subtask, and of a key that is hashed.
const SHIPPED: f64 = 161.0;
const HASHED: f64 = 8.0;
/// Of a comparison.
const COMPARED: f64 = 32.0;

/// What a node is guessed to take, with all that is below it.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// Rows that it gives.
    count: f64,
    rows: f64,
    cpu: f64,
    io: f64,
    network: f64,
}

/// Whether the cost of every node is known.
pub(crate) fn is_known(plan: &PhysicalPlan) -> bool {
    plan.roots.iter().all(|root| cost(&root.node).is_some())
}

/// `: rowcount = 1.0E8, cumulative cost = {…}`; `None` where a node's cost is not known.
pub(super) fn text(node: &Rc<PhysicalNode>) -> Option<String> {
    let cost = cost(node)?;
    Some(format!(
        ": rowcount = {}, cumulative cost = {{{} rows, {} cpu, {} io, {} network, 0.0 memory}}",
        double_text(cost.count),
        double_text(cost.rows),
        double_text(cost.cpu),
        double_text(cost.io),
        double_text(cost.network)
    ))
}

#[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
fn cost(node: &Rc<PhysicalNode>) -> Option<Cost> {
    let mut inputs = Vec::with_capacity(node.inputs.len());
    for input in &node.inputs {
        inputs.push(cost(input)?);
    }
    let first = inputs.first().copied().unwrap_or_default();
    let mut own = Cost::default();
    match &node.op {
        PhysicalOp::Scan(_) => {
            let io = ROWS * row_size(node);
            own = Cost {
                count: ROWS,
                rows: ROWS,
                cpu: ROWS,
                io,
                network: 0.0,
            };
        }
        PhysicalOp::Values(values) => {
            own.count = count(values.rows.len());
            (own.rows, own.cpu) = (own.count, 1.0);
        }
        PhysicalOp::Calc(calc) => {
            let passing = calc.condition.as_ref().map_or(Some(1.0), selectivity)?;
            own.count = first.count * passing;
            own.rows = own.count;
            let computed = calc.projection.iter().filter(|expr| is_computed(expr));
            own.cpu = own.count * count(computed.count());
        }
        PhysicalOp::Exchange(distribution) => {
            let shipped = match distribution {
                Distribution::Hash(keys) => SHIPPED - 1.0 + HASHED * count(keys.len()),
                Distribution::Single => SHIPPED,
                Distribution::Forward | Distribution::Rebalance => return None,
            };
            (own.count, own.rows) = (first.count, first.count);
            own.cpu = first.count * shipped;
            own.network = first.count * row_size(node);
        }
        PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::ChangelogNormalize(_)
        | PhysicalOp::GroupAggregate(_)
        | PhysicalOp::GroupWindowAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::GlobalWindowAggregate(_)
        | PhysicalOp::Sink(_) => {
            (own.count, own.rows, own.cpu) = (first.count, first.count, first.count);
        }
        PhysicalOp::OverAggregate(over) => {
            let width = count(node.inputs.first()?.schema.len());
            let calls = count(over.calls.len());
            (own.count, own.rows) = (first.count, first.count);
            own.cpu = first.count * (width + calls - 1.0) / width;
        }
        PhysicalOp::Rank(rank) => {
            own.count = if rank.partition.is_empty() {
                places(&rank.range)?.min(first.count)
            } else {
                first.count * 0.1
            };
            (own.rows, own.cpu) = (first.count, first.count);
        }
        PhysicalOp::Limit(rank) => {
            own.count = places(&rank.range)?.min(first.count);
            (own.rows, own.cpu) = (own.count, COMPARED * own.count);
        }
        PhysicalOp::SortLimit(rank) => {
            own.count = places(&rank.range)?.min(first.count);
            own.rows = own.count;
            own.cpu = COMPARED * first.count * libm::log(own.count);
        }
        PhysicalOp::Union => {
            own.count = inputs.iter().map(|input| input.count).sum();
            (own.rows, own.cpu) = (own.count, own.count);
        }
        PhysicalOp::Join(join) => {
            let [left, right] = inputs.as_slice() else {
                return None;
            };
            let keys = join.keys.left.len();
            let unique = join.sides.iter().all(|side| side.unique == UniqueKey::InJoinKey);
            let mut inner = match keys {
                0 => left.count * right.count,
                _ if unique => left.count.min(right.count),
                _ => (0..keys).fold(left.count + right.count, |rows, _| rows * 0.15),
            };
            if let Some(residual) = &join.residual {
                inner *= selectivity(residual)?;
            }
            own.count = match join.kind {
                JoinKind::Inner => inner,
                JoinKind::Left => inner.max(left.count),
                JoinKind::Right => inner.max(right.count),
                JoinKind::Full => left.count + right.count - inner,
                _ => return None,
            };
            (own.rows, own.cpu) = (200.0, 200.0);
        }
        _ => return None,
    }
    for input in &inputs {
        own.rows += input.rows;
        own.cpu += input.cpu;
        own.io += input.io;
        own.network += input.network;
    }
    Some(own)
}

#[expect(clippy::cast_precision_loss, reason = "columns, keys and rows of a statement")]
const fn count(number: usize) -> f64 {
    number as f64
}

/// Places that a Top-N shows, from the first on.
#[expect(clippy::cast_precision_loss, reason = "places of a Top-N")]
const fn places(range: &RankRange) -> Option<f64> {
    match range {
        RankRange::Constant { end, .. } => Some(*end as f64),
        RankRange::Column(_) => None,
    }
}

fn is_computed(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { function, .. } if function.name != "CAST")
}

fn row_size(node: &PhysicalNode) -> f64 {
    node.schema.iter().map(|field| size(&field.data_type)).sum()
}

/// Bytes that a value is guessed to have.
fn size(data_type: &DataType) -> f64 {
    const ELEMENTS: f64 = 16.0;
    match &data_type.kind {
        TypeKind::Boolean | TypeKind::TinyInt | TypeKind::Char(_) => 1.0,
        TypeKind::SmallInt => 2.0,
        TypeKind::Int | TypeKind::Float => 4.0,
        TypeKind::BigInt | TypeKind::Double => 8.0,
        TypeKind::Binary(_) | TypeKind::Varbinary(_) => 16.0,
        TypeKind::Array(of) => size(of) * ELEMENTS,
        TypeKind::Multiset(of) => (size(of) + 4.0) * ELEMENTS,
        TypeKind::Map(key, value) => (size(key) + size(value)) * ELEMENTS,
        TypeKind::Row(fields) => fields.iter().map(|field| size(&field.data_type)).sum(),
        _ => 12.0,
    }
}

/// Which part of the rows is guessed to pass.
fn selectivity(condition: &Expr) -> Option<f64> {
    let ExprKind::Call { function, args } = &condition.kind else {
        return condition.as_column().map(|_| 0.15);
    };
    let each = || args.iter().map(selectivity);
    Some(match function.name {
        "=" => 0.15,
        "<>" => 0.85,
        "<" | "<=" | ">" | ">=" => 0.5,
        "LIKE" => 0.05,
        "IS NULL" => 0.1,
        "IS NOT NULL" => 0.9,
        "NOT" => 1.0 - selectivity(args.first()?)?,
        "AND" => each().try_fold(1.0, |all, one| Some(all * one?))?,
        "OR" => {
            let (sum, product) = each().try_fold((0.0, 1.0), |(sum, product), one| {
                Some((sum + one?, product * one?))
            })?;
            sum - product
        }
        "REGEXP" => 0.25,
        "SEARCH" => match sarg_shape(args.get(1)?)? {
            // a range, points, all but points
            (0, false) => 0.5 * 0.5,
            (points, false) => (0..points).fold(0.0_f64, |sum, _| sum + 0.15).min(1.0),
            (points, true) => (0..points).fold(1.0, |product, _| product * 0.85),
        },
        _ => return None,
    })
}
