//! Windowed calls and rankings in batch mode, where all rows are there before the first result.
//!
//! Flink: `BatchPhysicalOverAggregateRule`, `WindowGroupReorderRule`, `BatchPhysicalRankRule`. Each window is a node of its
//! own; those that share partition and order are printed as one. Cases: batch/over-*, batch/rank*.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_expr::{AggregateCall, Expr, KindExt as _, OverFrame, aggregate::over_function};
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::{Lowering, make, rank::constants};
use crate::{
    logical::{LogicalNode, OverGroup, OverNode, RankNode, RankRange},
    optimize::place,
    physical::node::{CalcSpec, OrderTime, OverAggregateSpec, PhysicalNode, PhysicalOp},
};

impl Lowering<'_> {
    pub(super) fn batch_over(&mut self, node: &LogicalNode, over: &OverNode) -> Option<Rc<PhysicalNode>> {
        let mut input = self.lower_input(node)?;
        let width = input.schema.len();
        let mut groups: Vec<usize> = (0..over.groups.len()).gather();
        groups.sort_by_key(|at| over.groups.get(*at).map(place));
        let first_of = |at: usize| -> usize {
            let before = over.groups.iter().take(at);
            before.map(|group| group.calls.len()).sum()
        };
        // by place in the new order: the place that the call had
        let mut moved: Vec<usize> = Vec::new();
        for at in &groups {
            let count = over.groups.get(*at)?.calls.len();
            moved.extend(first_of(*at)..first_of(*at) + count);
        }
        let field = |call: usize| node.schema.get(width + call);
        // Flink moves the names twice; nothing but the plan's text shows it.
        let shown = |place: usize| -> Option<&Field> { field(*moved.get(*moved.get(place)?)?) };
        let mut done = 0;
        for at in groups {
            let group = over.groups.get(at)?;
            self.check_order(group)?;
            self.check_batch_over(node, group, &input.schema)?;
            for calls in group.calls.chunk_by(share_a_node) {
                let mut fields = input.schema.to_vec();
                let mut own = Vec::new();
                for (place, call) in (done..).zip(calls) {
                    fields.push(field(*moved.get(place)?)?.clone());
                    let behind = |arg: &u32| {
                        let earlier = if *arg as usize >= width { done } else { 0 };
                        u32::try_from(*arg as usize + earlier).ok()
                    };
                    own.push(AggregateCall {
                        args: call.args.iter().map(behind).gather::<Option<_>>()?,
                        name: Rc::clone(&shown(place)?.name),
                        ..call.clone()
                    });
                }
                done += calls.len();
                let spec = OverAggregateSpec {
                    calls: own,
                    frame: group.frame,
                    constants: constants(over),
                    ..windowed(group)
                };
                input = make(node, PhysicalOp::OverAggregate(spec), vec![input], fields);
            }
        }
        if moved.is_sorted() {
            return Some(input);
        }
        let restored = (0..moved.len()).map(|call| moved.iter().position(|old| *old == call));
        let columns = (0..width)
            .map(Some)
            .chain(restored.map(|place| Some(width + place?)));
        let projection = columns
            .map(|column| {
                let data_type = input.schema.get(column?)?.data_type.clone();
                Some(Expr::column(u32::try_from(column?).ok()?, data_type, node.span))
            })
            .gather::<Option<Vec<_>>>()?;
        let calc = CalcSpec {
            projection,
            condition: None,
        };
        Some(make(
            node,
            PhysicalOp::Calc(calc),
            vec![input],
            node.schema.to_vec(),
        ))
    }

    #[inline(never)]
    fn check_batch_over(&mut self, node: &LogicalNode, group: &OverGroup, input: &[Field]) -> Option<()> {
        if let Some(call) = group.calls.iter().find(|call| call.distinct) {
            return self.refuse(
                Diagnostic::new(Code::OverDistinctInBatch, call.span)
                    .arg("function", call.function.name)
                    .flink("ValidationException: Distinct not supported in Windowing function!"),
            );
        }
        let key = group.order.first();
        let by = key.and_then(|key| input.get(key.column as usize));
        match by {
            Some(by) if group.frame.has_offset() && !group.frame.rows && !by.data_type.kind.is_numeric() => self
                .refuse(
                    Diagnostic::new(Code::OverRangeOfTimeInBatch, node.span)
                        .arg("column", &by.name)
                        .flink(
                            "ExecutionException: org.apache.flink.runtime.client.JobExecutionException: Job execution failed.\n\
                             JobException: Recovery is suppressed by NoRestartBackoffTimeStrategy\n\
                             RuntimeException: Could not instantiate generated class 'RangeBoundComparator$0'\n\
                             FlinkRuntimeException: org.apache.flink.api.common.InvalidProgramException: Table program cannot \
                             be compiled. This is a bug. Please file an issue.\n\
                             CompileException: Line 45, Column 55: Cannot cast \"org.apache.flink.table.data.TimestampData\" \
                             to \"java.lang.Long\"",
                        ),
                ),
            _ => Some(()),
        }
    }

    /// RANK with a last place.
    #[inline(never)]
    pub(super) fn batch_rank(&mut self, node: &LogicalNode, rank: &RankNode) -> Option<Rc<PhysicalNode>> {
        let RankRange::Constant { start, end } = rank.range else {
            return self.unsupported("Rank(rankRange=[column])", node.span);
        };
        let input = self.lower_input(node)?;
        let mut fields = input.schema.to_vec();
        let shown = node.schema.last().filter(|_| rank.puts_out_rank);
        fields.extend(shown.cloned());
        let group = OverGroup {
            partition: rank.partition.clone(),
            order: rank.order.clone(),
            frame: OverFrame::DEFAULT,
            calls: Vec::new(),
        };
        let call = AggregateCall {
            function: over_function("RANK")?,
            args: Vec::new(),
            arg_types: Vec::new(),
            distinct: false,
            filter: None,
            retract: false,
            data_type: DataType::not_null(TypeKind::BigInt),
            name: shown.map_or_else(|| Rc::from("w0$o0"), |field| Rc::clone(&field.name)),
            span: node.span,
            user: None,
        };
        let spec = OverAggregateSpec {
            calls: vec![call],
            places: Some((start, end)),
            ..windowed(&group)
        };
        Some(make(node, PhysicalOp::OverAggregate(spec), vec![input], fields))
    }
}

/// A window without calls.
fn windowed(group: &OverGroup) -> OverAggregateSpec {
    OverAggregateSpec {
        partition: group.partition.clone(),
        order: group.order.clone(),
        time: OrderTime::Value,
        frame: group.frame,
        calls: Vec::new(),
        constants: Vec::<(Value, DataType)>::new(),
        ttl_ms: 0,
        batch: true,
        places: None,
    }
}

/// Flink: `BatchPhysicalOverAggregateRule.splitOutOffsetOrInsensitiveGroup`.
fn share_a_node(left: &AggregateCall, right: &AggregateCall) -> bool {
    let class = |call: &AggregateCall| match call.function.name {
        "LAG" | "LEAD" => 1,
        "NTILE" => 2,
        "ROW_NUMBER" | "RANK" | "DENSE_RANK" | "CUME_DIST" | "PERCENT_RANK" => 3,
        _ => 0,
    };
    class(left) == class(right)
}
