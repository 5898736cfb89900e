//! Windowed calls, rankings, sorting and limits.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{AggregateCall, Expr, FrameBound};
use sg_value::{DataType, Field, Gather as _, Value};

use super::{Lowering, make};
use crate::{
    logical::{LogicalNode, OverGroup, OverNode, RankNode, RankRange, SortColumn, SortNode},
    physical::{
        explain::flink_logical_text,
        node::{
            OrderTime, OverAggregateSpec, PhysicalNode, PhysicalOp, RankSpec, RankStrategy, TemporalSortSpec,
            WindowDeduplicateSpec, WindowRankSpec, WindowSource, WindowSpec,
        },
        window_property::{WindowProperties, session_columns, window_properties},
    },
};

/// Functions of OVER that would have to see rows to come.
const NOT_IN_STREAMS: [&str; 4] = ["LEAD", "NTILE", "PERCENT_RANK", "CUME_DIST"];

impl Lowering<'_> {
    #[inline(never)]
    pub(super) fn over(&mut self, node: &LogicalNode, over: &OverNode) -> Option<Rc<PhysicalNode>> {
        if self.settings.batch {
            return self.batch_over(node, over);
        }
        let [group] = over.groups.as_slice() else {
            let flink = format!(
                "TableException: Sql optimization: Cannot generate a valid execution plan for the given query: \n\n{}\n\n\
                 Over Agg: Unsupported use of OVER windows. All aggregates must be computed on the same window. please \
                 re-check the over window statement.\nPlease check the documentation for the set of currently supported \
                 SQL features.",
                flink_logical_text(self.root)
            );
            return self.refuse(Diagnostic::new(Code::OverSeveralWindows, node.span).flink(flink));
        };
        self.check_order(group)?;
        self.check_distinct(&group.calls, |reason| format!("TableException: {reason}"))?;
        let input = self.lower_input(node)?;
        let time = match group.order.as_slice() {
            // refused below, after what the input gives
            [] => OrderTime::Value,
            [key, ..] => {
                self.check_over(node, group, &input)?;
                order_time(&input.schema, *key)
            }
        };
        // rows leave a frame with a bound
        let bounded = group.frame.start != FrameBound::UnboundedPreceding;
        let calls = group
            .calls
            .iter()
            .map(|call| AggregateCall {
                retract: bounded,
                ..call.clone()
            })
            .gather();
        let spec = OverAggregateSpec {
            partition: group.partition.clone(),
            order: group.order.clone(),
            time,
            frame: group.frame,
            calls,
            constants: constants(over),
            ttl_ms: self.settings.state_ttl_ms,
            batch: false,
            places: None,
        };
        let own = node.schema.iter().skip(input.schema.len());
        let fields: Vec<Field> = input.schema.iter().chain(own).cloned().gather();
        Some(make(node, PhysicalOp::OverAggregate(spec), vec![input], fields))
    }

    /// Functions that rank need an order.
    pub(super) fn check_order(&mut self, group: &OverGroup) -> Option<()> {
        let ranks = group
            .calls
            .iter()
            .find(|call| matches!(call.function.name, "ROW_NUMBER" | "RANK" | "DENSE_RANK"));
        let (Some(call), true) = (ranks, group.order.is_empty()) else {
            return Some(());
        };
        let traits = if self.settings.batch {
            ".any.[]"
        } else {
            ".any.None: 0.[NONE].[NONE].[NONE]"
        };
        let flink = without_order_text(group, traits);
        self.refuse(
            Diagnostic::new(Code::OverNeedsOrder, call.span)
                .arg("function", call.function.name)
                .flink(flink),
        )
    }

    /// Flink: `StreamExecOverAggregate.translateToPlanInternal`.
    #[inline(never)]
    fn check_over(&mut self, node: &LogicalNode, group: &OverGroup, input: &PhysicalNode) -> Option<()> {
        let [key] = group.order.as_slice() else {
            return self.refuse(one_time_column(node.span, &input.schema));
        };
        if key.direction.descending {
            return self.refuse(
                Diagnostic::new(Code::OverDescending, node.span)
                    .flink("TableException: The window can only be ordered in ASCENDING mode."),
            );
        }
        if let Some(call) = group
            .calls
            .iter()
            .find(|call| NOT_IN_STREAMS.contains(&call.function.name))
        {
            let name = call.function.name;
            return self.refuse(
                Diagnostic::new(Code::OverFunctionNotInStreams, call.span)
                    .arg("function", name)
                    .flink(format!(
                        "TableException: {name} Function is not supported in stream mode."
                    )),
            );
        }
        let bounded = match (group.frame.start, group.frame.end) {
            (FrameBound::UnboundedPreceding, FrameBound::CurrentRow) => false,
            (FrameBound::Preceding(_), FrameBound::CurrentRow) => true,
            _ => {
                return self.refuse(
                    Diagnostic::new(Code::OverFollowing, node.span)
                        .flink("TableException: OVER RANGE FOLLOWING windows are not supported yet."),
                );
            }
        };
        if bounded && order_time(&input.schema, *key) == OrderTime::Value {
            let column = input
                .schema
                .get(key.column as usize)
                .map_or("", |field| &*field.name);
            return self.refuse(
                Diagnostic::new(Code::OverBoundedNeedsTime, node.span)
                    .arg("column", column)
                    .flink(
                        "TableException: Non-time attribute sort is not supported for bounded OVER window.",
                    ),
            );
        }
        Some(())
    }

    #[inline(never)]
    pub(super) fn rank(&mut self, node: &LogicalNode, rank: &RankNode) -> Option<Rc<PhysicalNode>> {
        if self.settings.batch {
            return self.batch_rank(node, rank);
        }
        if let RankRange::Constant { end, .. } = rank.range {
            if end == i64::MAX {
                return self.refuse(
                    Diagnostic::new(Code::RankNeedsEnd, node.span)
                        .arg("column", "rn")
                        .flink(
                            "TableException: Rank end is not specified. Currently rank only support TopN, which means the rank end \
                             must be specified.",
                        ),
                );
            }
            if end <= 0 {
                return self.refuse(
                    Diagnostic::new(Code::RankEndBelowOne, node.span)
                        .arg("end", end)
                        .flink(format!(
                            "TableException: Rank end should not less than zero, but now is {end}"
                        )),
                );
            }
        }
        if let Some(window) = attached_window(node, rank) {
            return self.window_rank(node, rank, &window);
        }
        if rank.function != "ROW_NUMBER" {
            let name = rank.function;
            return self.refuse(
                Diagnostic::new(Code::RankFunctionNotInStreams, node.span)
                    .arg("function", name)
                    .flink(format!(
                        "TableException: {name}() on streaming table is not supported currently"
                    )),
            );
        }
        let input = self.lower_input(node)?;
        let mut fields = input.schema.to_vec();
        if let (true, Some(place)) = (rank.puts_out_rank, node.schema.last()) {
            let mut name = Rc::clone(&place.name);
            for at in 0.. {
                if fields.iter().all(|field| field.name != name) {
                    break;
                }
                name = format!("{}_{at}", place.name).into();
            }
            let data_type = place.data_type.clone();
            fields.push(Field { name, data_type });
        }
        let spec = self.rank_spec(&input, rank.range, rank.partition.clone(), &rank.order);
        let spec = RankSpec {
            puts_out_rank: rank.puts_out_rank,
            ..spec
        };
        Some(make(node, PhysicalOp::Rank(spec), vec![input], fields))
    }

    /// Flink: `StreamPhysicalWindowRankRule`, `StreamPhysicalWindowDeduplicateRule`.
    fn window_rank(
        &mut self,
        node: &LogicalNode,
        rank: &RankNode,
        window: &WindowProperties,
    ) -> Option<Rc<PhysicalNode>> {
        if rank.function != "ROW_NUMBER" {
            let name = rank.function;
            return self.refuse(
                Diagnostic::new(Code::RankFunctionNotInStreams, node.span)
                    .arg("function", name)
                    .flink(format!(
                        "TableException: {name}() function is not supported on Window TopN currently, only ROW_NUMBER() is \
                         supported."
                    )),
            );
        }
        let RankRange::Constant { start, end } = rank.range else {
            return self.unsupported("WindowRank(rankRange=[column])", node.span);
        };
        let session = session_columns(node.inputs.first()?, window);
        let input = self.lower_input(node)?;
        let by_time = match rank.order.as_slice() {
            [key] if (start, end) == (1, 1) && !rank.puts_out_rank => order_time(&input.schema, *key),
            _ => OrderTime::Value,
        };
        if !window.window.rowtime {
            let what = if by_time == OrderTime::Value {
                "TopN"
            } else {
                "Deduplication"
            };
            return self.refuse(
                Diagnostic::new(Code::WindowRankInProcessingTime, node.span).flink(format!(
                    "TableException: Processing time Window {what} is not supported yet."
                )),
            );
        }
        let attached = WindowSpec {
            source: WindowSource::Attached {
                start: window.starts.first().copied(),
                end: *window.ends.first()?,
            },
            ..window.window.clone()
        };
        let partition = rank
            .partition
            .iter()
            .copied()
            .filter(|column| !window.contains(*column))
            .gather();
        let mut fields = input.schema.to_vec();
        if let (OrderTime::Rowtime, [key]) = (by_time, rank.order.as_slice()) {
            let spec = WindowDeduplicateSpec {
                window: attached,
                partition,
                session,
                time: key.column,
                keep_last: key.direction.descending,
            };
            return Some(make(
                node,
                PhysicalOp::WindowDeduplicate(spec),
                vec![input],
                fields,
            ));
        }
        if rank.puts_out_rank {
            fields.extend(node.schema.last().cloned());
        }
        let spec = WindowRankSpec {
            window: attached,
            partition,
            session,
            order: rank.order.clone(),
            places: (start, end),
            puts_out_rank: rank.puts_out_rank,
        };
        Some(make(node, PhysicalOp::WindowRank(spec), vec![input], fields))
    }

    fn rank_spec(
        &self,
        input: &PhysicalNode,
        range: RankRange,
        partition: Vec<u32>,
        order: &[SortColumn],
    ) -> RankSpec {
        RankSpec {
            strategy: RankStrategy::AppendFast,
            range,
            partition,
            order: order.to_vec(),
            times: order.iter().map(|key| order_time(&input.schema, *key)).gather(),
            puts_out_rank: false,
            deduplicate: None,
            update_before: false,
            insert_as_update: !self.settings.insert_after_sensitive,
            ttl_ms: self.settings.state_ttl_ms,
            mini_batch: self.bundle(),
        }
    }

    #[inline(never)]
    pub(super) fn sort(&mut self, node: &LogicalNode, sort: &SortNode) -> Option<Rc<PhysicalNode>> {
        let input = self.lower_input(node)?;
        let fields = input.schema.to_vec();
        let offset = sort.offset.unwrap_or(0);
        let Some(fetch) = sort.fetch else {
            if self.settings.batch && sort.offset.is_none() {
                let op = PhysicalOp::FinalResult(sort.order.clone());
                return Some(make(node, op, vec![input], fields));
            }
            if let (true, Some(offset)) = (self.settings.batch, sort.offset) {
                if !sort.order.is_empty() {
                    return self.refuse(
                        Diagnostic::new(Code::LimitIsMissing, node.span)
                            .flink("TableException: Not support limitEnd is max value now!"),
                    );
                }
                let range = RankRange::Constant {
                    start: offset + 1,
                    end: i64::MAX,
                };
                let spec = self.rank_spec(&input, range, Vec::new(), &sort.order);
                return Some(make(node, PhysicalOp::Limit(spec), vec![input], fields));
            }
            if sort.offset.is_some() {
                return self.refuse(Diagnostic::new(Code::LimitIsMissing, node.span).flink(
                    "TableException: FETCH is missed, which on streaming table is not supported currently.",
                ));
            }
            let time = sort
                .order
                .first()
                .filter(|key| !key.direction.descending)
                .map_or(OrderTime::Value, |key| order_time(&input.schema, *key));
            if time == OrderTime::Value {
                return self.refuse_sort(node.span);
            }
            let spec = TemporalSortSpec {
                order: sort.order.clone(),
                time,
            };
            return Some(make(node, PhysicalOp::TemporalSort(spec), vec![input], fields));
        };
        let range = RankRange::Constant {
            start: offset + 1,
            end: offset.saturating_add(fetch),
        };
        let spec = self.rank_spec(&input, range, Vec::new(), &sort.order);
        let op = if sort.order.is_empty() {
            PhysicalOp::Limit(spec)
        } else {
            PhysicalOp::SortLimit(spec)
        };
        Some(make(node, op, vec![input], fields))
    }

    fn refuse_sort<T>(&mut self, span: Span) -> Option<T> {
        self.refuse(
            Diagnostic::new(Code::SortNeedsTime, span)
                .flink("TableException: Sort on a non-time-attribute field is not supported."),
        )
    }

    pub(super) fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diags.push(diagnostic);
        None
    }
}

/// Constant arguments of windowed calls.
pub(super) fn constants(over: &OverNode) -> Vec<(Value, DataType)> {
    let literal = |constant: &Expr| Some((constant.as_literal()?.clone(), constant.data_type.clone()));
    over.constants.iter().filter_map(literal).gather()
}

/// The window by whose start and end a ranking is partitioned.
fn attached_window(node: &LogicalNode, rank: &RankNode) -> Option<WindowProperties> {
    let window = window_properties(node.inputs.first()?)?;
    window.names_window(&rank.partition).then_some(window)
}

/// What a sort column is.
fn order_time(fields: &[Field], key: SortColumn) -> OrderTime {
    match fields.get(key.column as usize) {
        Some(field) if field.data_type.is_rowtime() => OrderTime::Rowtime,
        Some(field) if field.data_type.is_proctime() => OrderTime::Proctime,
        _ => OrderTime::Value,
    }
}

/// What Flink says about a ranking function without ORDER BY.
fn without_order_text(group: &OverGroup, traits: &str) -> String {
    let columns: Vec<String> = group.partition.iter().map(u32::to_string).gather();
    let calls: Vec<String> = group
        .calls
        .iter()
        .map(|call| format!("{}()", call.function.name))
        .gather();
    let unit = if group.frame.rows { "rows" } else { "range" };
    let partition = if columns.is_empty() {
        String::new()
    } else {
        format!("partition {{{}}} ", columns.join(", "))
    };
    format!(
        "RuntimeException: Error while applying rule FlinkLogicalOverAggregateConverter(in:NONE,out:LOGICAL), args \
         [rel#N:LogicalWindow.NONE{traits}(input=RelSubset#N,window#0=window({partition}{unit} between \
         UNBOUNDED PRECEDING and CURRENT ROW aggs [{}]))]\nValidationException: Over Agg: The window rank function requires order by \
         clause with non-constant fields. please re-check the over window statement.",
        calls.join(", ")
    )
}

/// OVER is ordered by nothing, or by several columns.
pub(in crate::physical) fn one_time_column(span: Span, input: &[Field]) -> Diagnostic {
    let rowtime = input.iter().find(|field| field.data_type.is_rowtime());
    let column = rowtime.map_or("ts", |field| &*field.name);
    Diagnostic::new(Code::OverOneTimeColumn, span)
        .arg("column", column)
        .flink("TableException: The window can only be ordered by a single time column.")
}
