//! Upsert keys: sets of columns that say which row an update means, given how rows are distributed.
//!
//! Flink: `FlinkRelMdUpsertKeys`. They differ from unique keys by the exchanges: behind one, rows of one key only stay
//! in order if the key contains the columns by which rows are distributed.

mod join;

use std::rc::Rc;

use sg_expr::{Expr, ExprKind, is_injective_cast};
use sg_value::Gather as _;

use super::node::{
    Distribution, GroupWindowAggregateSpec, PhysicalNode, PhysicalOp, ScanSpec, WindowRankSpec, WindowSource,
    WindowSpec,
};

/// The tree with the upsert keys of every node.
pub(super) fn infer(node: &Rc<PhysicalNode>) -> Rc<PhysicalNode> {
    let inputs: Vec<Rc<PhysicalNode>> = node.inputs.iter().map(infer).gather();
    let of_input = inputs
        .first()
        .map(|input| input.upsert_keys.clone())
        .unwrap_or_default();
    let mut result = node.with_inputs(inputs);
    if let PhysicalOp::Join(spec) = &mut result.op {
        result.upsert_keys = join::infer(spec, &result.inputs);
        return Rc::new(result);
    }
    if let PhysicalOp::MultiJoin(spec) = &mut result.op {
        result.upsert_keys = join::infer_multi(spec, &result.inputs);
        return Rc::new(result);
    }
    if let PhysicalOp::TimedJoin(spec) = &mut result.op {
        result.upsert_keys = join::infer_timed(spec, &result.inputs);
        return Rc::new(result);
    }
    result.upsert_keys = match &result.op {
        PhysicalOp::Scan(scan) => scanned_keys(scan),
        PhysicalOp::Calc(calc) => {
            let sources: Vec<Option<u32>> = calc.projection.iter().map(kept_column).gather();
            let place = |column: &u32| position(sources.iter().copied(), *column);
            // where no column gets through, not even the key of no columns does
            let keys = of_input.iter().filter(|_| sources.iter().any(Option::is_some));
            keys.filter_map(|key| mapped(key, place)).gather()
        }
        PhysicalOp::Exchange(Distribution::Hash(columns)) => of_input
            .into_iter()
            .filter(|key| columns.iter().all(|column| key.contains(column)))
            .gather(),
        PhysicalOp::Exchange(_)
        | PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::DropUpdateBefore
        | PhysicalOp::SinkMaterializer(_)
        | PhysicalOp::FinalResult(_)
        | PhysicalOp::TemporalSort(_)
        | PhysicalOp::Sink(_) => of_input,
        PhysicalOp::ChangelogNormalize(spec) => vec![sorted(&spec.keys)],
        PhysicalOp::OverAggregate(spec) => containing(of_input, &spec.partition),
        PhysicalOp::WindowRank(spec) if spec.puts_out_rank => vec![ranked_key(spec, result.schema.len())],
        PhysicalOp::WindowRank(_) => of_input,
        PhysicalOp::WindowDeduplicate(spec) => vec![attached_key(&spec.partition, &spec.window, None)],
        PhysicalOp::Rank(spec) if spec.is_deduplication() => vec![spec.partition.clone()],
        PhysicalOp::Rank(spec) => {
            let mut keys = containing(of_input, &spec.partition);
            if spec.puts_out_rank {
                let place = u32::try_from(result.schema.len().saturating_sub(1)).unwrap_or(u32::MAX);
                keys.push(spec.partition.iter().copied().chain([place]).gather());
            }
            keys
        }
        PhysicalOp::SortLimit(spec) => {
            let sorted: Vec<u32> = spec.order.iter().map(|key| key.column).gather();
            containing(of_input, &sorted)
        }
        PhysicalOp::Limit(_) => of_input,
        PhysicalOp::GroupAggregate(spec) | PhysicalOp::GlobalGroupAggregate(spec) => {
            vec![leading(spec.keys.len())]
        }
        PhysicalOp::GroupWindowAggregate(spec) => group_window_keys(spec),
        PhysicalOp::Join(_)
        | PhysicalOp::MultiJoin(_)
        | PhysicalOp::TimedJoin(_)
        | PhysicalOp::Match(_)
        | PhysicalOp::Values(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::WindowAggregate(_)
        | PhysicalOp::GlobalWindowAggregate(_)
        | PhysicalOp::LocalGroupAggregate(_)
        | PhysicalOp::IncrementalGroupAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::Correlate(_)
        | PhysicalOp::Union => Vec::new(),
    };
    Rc::new(result)
}

/// The table's primary key, where all of it is read.
fn scanned_keys(scan: &ScanSpec) -> Vec<Vec<u32>> {
    let place = |column: &u32| position(scan.columns.iter().copied().map(Some), *column);
    scan.table
        .primary_key
        .iter()
        .filter_map(|key| mapped(key, place))
        .gather()
}

/// Keys that contain all of these columns.
fn containing(keys: Vec<Vec<u32>>, columns: &[u32]) -> Vec<Vec<u32>> {
    keys.into_iter()
        .filter(|key| columns.iter().all(|column| key.contains(column)))
        .gather()
}

/// Partition columns, window and place, which is the last of so many columns.
fn ranked_key(spec: &WindowRankSpec, width: usize) -> Vec<u32> {
    let place = u32::try_from(width).unwrap_or(u32::MAX).saturating_sub(1);
    attached_key(&spec.partition, &spec.window, Some(place))
}

/// Partition columns, the window that rows bring with them, and the place.
fn attached_key(partition: &[u32], window: &WindowSpec, place: Option<u32>) -> Vec<u32> {
    let mut key = partition.to_vec();
    if let WindowSource::Attached { start, end } = window.source {
        key.extend(start.into_iter().chain([end]));
    }
    key.extend(place);
    key.sort_unstable();
    key.dedup();
    key
}

/// Group columns with any one column of the window.
fn group_window_keys(spec: &GroupWindowAggregateSpec) -> Vec<Vec<u32>> {
    let count = u32::try_from(spec.keys.len()).unwrap_or(u32::MAX);
    let first = count.saturating_add(spec.visible_calls);
    (first..)
        .zip(&spec.properties)
        .map(|(column, _)| (0..count).chain([column]).gather())
        .gather()
}

fn leading(count: usize) -> Vec<u32> {
    (0..u32::try_from(count).unwrap_or(u32::MAX)).gather()
}

fn sorted(columns: &[u32]) -> Vec<u32> {
    let mut columns = columns.to_vec();
    columns.sort_unstable();
    columns
}

/// The key in output columns, `None` where a column does not get through.
fn mapped(key: &[u32], place: impl Fn(&u32) -> Option<u32>) -> Option<Vec<u32>> {
    key.iter().map(place).gather::<Option<Vec<u32>>>().map(|mut key| {
        key.sort_unstable();
        key
    })
}

fn position(columns: impl Iterator<Item = Option<u32>>, wanted: u32) -> Option<u32> {
    (0_u32..)
        .zip(columns)
        .find(|(_, column)| *column == Some(wanted))
        .map(|(at, _)| at)
}

/// The column that an expression passes on, as it is or cast to a type that tells all its values apart.
///
/// Flink: `FlinkRelMdUniqueKeys.isKeyPreservingCast`.
fn kept_column(expr: &Expr) -> Option<u32> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return expr.as_column();
    };
    let [arg] = args.as_slice() else { return None };
    let tells_apart = function.name == "CAST" && is_injective_cast(&arg.data_type.kind, &expr.data_type.kind);
    if tells_apart { arg.as_column() } else { None }
}
