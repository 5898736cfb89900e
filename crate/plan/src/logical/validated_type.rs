//! Types as Calcite's validator has them, which is what a result's schema shows.
//!
//! They differ from the types that rows have in one thing: a function that returns the type of its argument returns
//! it with its time attribute. Flink takes that away only when it plans.
//! Case: table-vs-stream/revenue-per-hour-bare (`FLOOR(ts TO HOUR)` is `TIMESTAMP(3) *ROWTIME*`).

use sg_expr::{Expr, ExprKind};
use sg_value::{DataType, Gather as _, TimeKind, TypeKind};

use super::{LogicalNode, LogicalOp, MatchNode};
use crate::physical::node::WindowSource;

/// Functions that return the type of an argument, time attribute included.
const KEEP_ATTRIBUTE: [&str; 4] = ["FLOOR", "CEIL", "+", "-"];

/// The columns of a node with the types that the validator gives them.
pub fn validated_types(node: &LogicalNode) -> Vec<DataType> {
    let below = || {
        node.inputs
            .first()
            .map(|input| validated_types(input))
            .unwrap_or_default()
    };
    let own = || {
        node.schema
            .iter()
            .map(|field| field.data_type.clone())
            .gather::<Vec<_>>()
    };
    match &node.op {
        LogicalOp::Project(project) => {
            let input = below();
            project
                .expressions
                .iter()
                .map(|expr| of_expression(expr, &input))
                .gather()
        }
        LogicalOp::Filter(_) | LogicalOp::Sort(_) | LogicalOp::Sink(_) => below(),
        LogicalOp::Aggregate(aggregate) => {
            let input = below();
            let keys = aggregate.keys.iter().map(|&key| input.get(key as usize));
            let calls = aggregate.calls.iter().map(|call| match call.function.name {
                "MIN" | "MAX" | "FIRST_VALUE" | "LAST_VALUE" => {
                    call.args.first().and_then(|&arg| input.get(arg as usize))
                }
                _ => None,
            });
            own()
                .into_iter()
                .zip(keys.chain(calls))
                .map(|(own, from)| with_attribute(own, from))
                .gather()
        }
        LogicalOp::Over(_) | LogicalOp::Rank(_) => {
            let input = below();
            let from = input.iter().map(Some).chain(std::iter::repeat(None));
            own()
                .into_iter()
                .zip(from)
                .map(|(own, from)| with_attribute(own, from))
                .gather()
        }
        LogicalOp::WindowTvf(tvf) => {
            let input = below();
            let time = match tvf.window.source {
                WindowSource::TimeColumn(column) => input.get(column as usize),
                _ => None,
            };
            // window_start and window_end are plain, window_time is what the time column is
            let from = input.iter().map(Some).chain([None, None, time]);
            own()
                .into_iter()
                .zip(from)
                .map(|(own, from)| with_attribute(own, from))
                .gather()
        }
        LogicalOp::Union(_) | LogicalOp::SetOp(_) => of_union(node, own()),
        LogicalOp::Join(_) | LogicalOp::Correlate(_) => {
            let inputs = node.inputs.iter().flat_map(|input| validated_types(input));
            own()
                .into_iter()
                .zip(inputs.map(Some).chain(std::iter::repeat(None)))
                .map(|(own, from)| with_attribute(own, from.as_ref()))
                .gather()
        }
        LogicalOp::Match(matched) => of_match(node, matched),
        LogicalOp::Snapshot(_) => node
            .inputs
            .first()
            .map_or_else(own, |input| validated_types(input)),
        LogicalOp::Scan(_)
        | LogicalOp::Values(_)
        | LogicalOp::Watermark(_)
        | LogicalOp::Expand(_)
        | LogicalOp::GroupWindow(_) => own(),
    }
}

/// A column of a union keeps a time attribute that all inputs have.
fn of_union(node: &LogicalNode, own: Vec<DataType>) -> Vec<DataType> {
    let inputs: Vec<Vec<DataType>> = node.inputs.iter().map(|input| validated_types(input)).gather();
    own.into_iter()
        .enumerate()
        .map(|(at, own)| {
            let all_alike = inputs.iter().all(|input| {
                input.get(at).map(attribute) == inputs.first().and_then(|first| first.get(at)).map(attribute)
            });
            let from = inputs
                .first()
                .and_then(|first| first.get(at))
                .filter(|_| all_alike);
            with_attribute(own, from)
        })
        .gather()
}

/// Measures keep the time attributes that they read.
fn of_match(node: &LogicalNode, matched: &MatchNode) -> Vec<DataType> {
    let read: Vec<DataType> = matched
        .references
        .iter()
        .map(|reference| reference.data_type.clone())
        .gather();
    let measures = matched.measures.iter().map(|expr| of_expression(expr, &read));
    node.schema
        .iter()
        .take(matched.partition.len())
        .map(|field| field.data_type.clone())
        .chain(measures)
        .gather()
}

fn of_expression(expr: &Expr, input: &[DataType]) -> DataType {
    let from = match &expr.kind {
        ExprKind::Column(column) => input.get(*column as usize).cloned(),
        ExprKind::Call { function, args } if KEEP_ATTRIBUTE.contains(&function.name) => args
            .iter()
            .map(|arg| of_expression(arg, input))
            .find(|data_type| attribute(data_type) == TimeKind::Rowtime),
        _ => None,
    };
    with_attribute(expr.data_type.clone(), from.as_ref())
}

fn attribute(data_type: &DataType) -> TimeKind {
    match data_type.kind {
        TypeKind::Timestamp { time, .. } | TypeKind::TimestampLtz { time, .. } => time,
        _ => TimeKind::Regular,
    }
}

/// The type with the time attribute of another one of the same kind.
fn with_attribute(own: DataType, from: Option<&DataType>) -> DataType {
    let same_kind = |from: &&DataType| {
        std::mem::discriminant(&from.kind) == std::mem::discriminant(&own.kind)
            && attribute(from) != TimeKind::Regular
    };
    let Some(time) = from.filter(same_kind).map(attribute) else {
        return own;
    };
    let mut marked = own;
    if let TypeKind::Timestamp { time: slot, .. } | TypeKind::TimestampLtz { time: slot, .. } =
        &mut marked.kind
    {
        *slot = time;
    }
    marked
}
