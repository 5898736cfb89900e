//! Aggregations by a group window.
//!
//! Flink: `StreamPhysicalGroupWindowAggregateRule`. The projection below goes away where the aggregation can read what is
//! below it: where it only changes the order of all columns, and for processing time, whose column nobody reads.
//! Cases: group-window/*.

use std::rc::Rc;

use sg_expr::{AggregateCall, Expr};
use sg_value::{Field, Gather as _};

use super::{Lowering, make};
use crate::{
    logical::{GroupWindowNode, LogicalNode},
    physical::{
        emit,
        expression::columns_of,
        node::{CalcSpec, GroupWindowAggregateSpec, PhysicalNode, PhysicalOp, WindowSource, WindowSpec},
    },
};

/// What the aggregation reads, by the columns of its logical input.
struct Input {
    node: Rc<PhysicalNode>,
    /// `None` for columns that are gone.
    columns: Vec<Option<u32>>,
}

impl Lowering<'_> {
    #[inline(never)]
    pub(super) fn group_window(
        &mut self,
        node: &LogicalNode,
        window: &GroupWindowNode,
    ) -> Option<Rc<PhysicalNode>> {
        self.check_distinct(&window.calls, |reason| format!("TableException: {reason}"))?;
        let below = self.lower_input(node)?;
        let input = merged(&below, window).unwrap_or_else(|| Input {
            columns: (0..u32::try_from(below.schema.len()).unwrap_or(u32::MAX))
                .map(Some)
                .gather(),
            node: Rc::clone(&below),
        });
        let at = |column: u32| input.columns.get(column as usize).copied().flatten();
        let keys: Vec<u32> = window.keys.iter().map(|key| at(*key)).gather::<Option<_>>()?;
        let calls: Vec<AggregateCall> = window
            .calls
            .iter()
            .map(|call| renumbered(call, &at))
            .gather::<Option<_>>()?;
        let source = match window.window.source {
            WindowSource::TimeColumn(time) => at(time).unwrap_or(u32::MAX),
            _ => return None,
        };
        let mut fields: Vec<Field> = keys
            .iter()
            .filter_map(|key| input.node.schema.get(*key as usize))
            .cloned()
            .gather();
        fields.extend(node.schema.iter().skip(keys.len()).cloned());
        let spec = GroupWindowAggregateSpec {
            visible_calls: u32::try_from(calls.len()).ok()?,
            emit: emit::strategy(&window.window, self.settings),
            window: WindowSpec {
                source: WindowSource::TimeColumn(source),
                ..window.window.clone()
            },
            time_name: Rc::clone(&window.time_name),
            properties: window.properties.clone(),
            record_counter: None,
            keys,
            calls,
        };
        let op = PhysicalOp::GroupWindowAggregate(spec);
        Some(make(node, op, vec![input.node], fields))
    }
}

fn renumbered(call: &AggregateCall, at: &impl Fn(u32) -> Option<u32>) -> Option<AggregateCall> {
    let args = call.args.iter().map(|arg| at(*arg)).gather::<Option<_>>()?;
    let filter = match call.filter {
        Some(column) => Some(at(column)?),
        None => None,
    };
    Some(AggregateCall {
        args,
        filter,
        ..call.clone()
    })
}

/// The input without the projection, where Flink merges it into the aggregation.
fn merged(below: &Rc<PhysicalNode>, window: &GroupWindowNode) -> Option<Input> {
    let PhysicalOp::Calc(calc) = &below.op else {
        return None;
    };
    let base = below.inputs.first()?;
    let columns: Vec<Option<u32>> = calc.projection.iter().map(Expr::as_column).gather();
    if window.window.rowtime {
        return match &calc.condition {
            None => reorders(&columns, base.schema.len()).map(|()| Input {
                node: Rc::clone(base),
                columns,
            }),
            Some(condition) => in_order(below, base, condition, &columns),
        };
    }
    let mut used = window.keys.iter().copied().chain(
        window
            .calls
            .iter()
            .flat_map(|call| call.args.iter().chain(&call.filter).copied()),
    );
    let reads = |column: u32| columns.get(column as usize).copied().flatten().is_some();
    let watermarks = matches!(&base.op, PhysicalOp::Scan(scan) if scan.watermark.is_some());
    if watermarks || !used.all(reads) {
        return None;
    }
    let node = match &calc.condition {
        None => Rc::clone(base),
        Some(condition) => {
            let all = (0_u32..)
                .zip(base.schema.iter())
                .map(|(at, field)| Expr::column(at, field.data_type.clone(), below.span));
            let op = PhysicalOp::Calc(CalcSpec {
                projection: all.gather(),
                condition: Some(condition.clone()),
            });
            Rc::new(PhysicalNode {
                op,
                schema: Rc::clone(&base.schema),
                ..PhysicalNode::clone(below)
            })
        }
    };
    Some(Input { node, columns })
}

/// A filter that reads nothing but what the aggregation reads: the columns stay in the order that they have below it.
fn in_order(
    below: &Rc<PhysicalNode>,
    base: &Rc<PhysicalNode>,
    condition: &Expr,
    columns: &[Option<u32>],
) -> Option<Input> {
    let kept: Vec<u32> = columns.iter().copied().gather::<Option<_>>()?;
    let mut sorted = kept.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let reads_kept = columns_of(condition).iter().all(|column| kept.contains(column));
    if sorted.len() != kept.len() || sorted == kept || !reads_kept {
        return None;
    }
    let fields: Vec<Field> = sorted
        .iter()
        .map(|column| base.schema.get(*column as usize).cloned())
        .gather::<Option<_>>()?;
    let projection = sorted
        .iter()
        .zip(&fields)
        .map(|(column, field)| Expr::column(*column, field.data_type.clone(), below.span));
    let op = PhysicalOp::Calc(CalcSpec {
        projection: projection.gather(),
        condition: Some(condition.clone()),
    });
    let place = |column: &u32| {
        let at = sorted.iter().position(|other| other == column);
        at.and_then(|at| u32::try_from(at).ok())
    };
    Some(Input {
        columns: kept.iter().map(place).gather(),
        node: Rc::new(PhysicalNode {
            op,
            schema: Rc::from(fields),
            ..PhysicalNode::clone(below)
        }),
    })
}

/// Whether these are all columns of an input of this width, each once.
fn reorders(columns: &[Option<u32>], width: usize) -> Option<()> {
    let mut seen: Vec<u32> = columns.iter().copied().gather::<Option<_>>()?;
    seen.sort_unstable();
    seen.dedup();
    (columns.len() == width && seen.len() == width).then_some(())
}
