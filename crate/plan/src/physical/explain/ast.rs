//! The abstract syntax tree of EXPLAIN: the plan as written, with columns as `$0`.

use std::rc::Rc;

use sg_expr::{AggregateCall, Charset, Expr, ExprKind, PlanStyle, calcite_type, display};
use sg_value::{DataType, Field, Gather as _, Row, TypeKind, Value, sorted::SortedMap};

use super::{
    matching,
    tree::{Drawing, Drawn, draw},
    written::written,
};
use crate::{
    catalog::Table,
    logical::{
        AggregateNode, LogicalNode, LogicalOp, OverNode, SinkNode, SortColumn, SortNode, WindowTvfNode,
    },
    physical::node::{WindowKind, WindowSource},
};

/// The tree, without a newline at the end.
pub(super) fn text(root: &Rc<LogicalNode>) -> String {
    draw(&written(root), &mut |node: &Rc<Drawing>| {
        Drawn::Inner(node.text.clone())
    })
}

/// The text of a node, with what writes its expressions.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
pub(super) fn line(node: &LogicalNode, expression: &dyn Fn(&Expr) -> String) -> String {
    match &node.op {
        LogicalOp::Scan(scan) => {
            let mut attributes = vec![format!("table=[{}]", table_path(&scan.table))];
            if !scan.hints.is_empty() {
                let options: Vec<String> = scan
                    .hints
                    .iter()
                    .map(|(key, value)| format!("{key}={value}"))
                    .gather();
                attributes.push(format!(
                    "hints=[[[OPTIONS inheritPath:[] options:{{{}}}]]]",
                    options.join(", ")
                ));
            }
            format!("LogicalTableScan({})", attributes.join(", "))
        }
        LogicalOp::Values(values) => {
            format!("LogicalValues(tuples=[[{}]])", tuples(&values.rows, &node.schema))
        }
        LogicalOp::Watermark(watermark) => {
            let name = node
                .schema
                .get(watermark.rowtime as usize)
                .map_or("?", |field| &*field.name);
            let expression = watermark
                .expression
                .as_ref()
                .map_or_else(|| "SOURCE_WATERMARK()".to_owned(), expression);
            format!("LogicalWatermarkAssigner(rowtime=[{name}], watermark=[{expression}])")
        }
        LogicalOp::Project(project) => {
            let items: Vec<String> = project
                .expressions
                .iter()
                .zip(node.schema.iter())
                .map(|(expr, field)| format!("{}=[{}]", field.name, expression(expr)))
                .gather();
            format!("LogicalProject({})", items.join(", "))
        }
        LogicalOp::Filter(filter) => format!("LogicalFilter(condition=[{}])", expression(&filter.condition)),
        LogicalOp::Aggregate(aggregate) => aggregate_line(aggregate),
        LogicalOp::GroupWindow(window) => {
            format!("LogicalWindowAggregate(group=[{}])", set_of(&window.keys))
        }
        LogicalOp::WindowTvf(tvf) => window_line(node, tvf),
        LogicalOp::Union(union) => format!("LogicalUnion(all=[{}])", union.all),
        LogicalOp::Snapshot(period) => format!("LogicalSnapshot(period=[{period}])"),
        LogicalOp::Match(matched) => {
            let input = node
                .inputs
                .first()
                .map(|input| &*input.schema)
                .unwrap_or_default();
            let attributes = matching::ast_attributes(matched, input, &node.schema);
            format!("LogicalMatch({})", attributes.join(", "))
        }
        LogicalOp::Join(join) => format!(
            "LogicalJoin(condition=[{}], joinType=[{}])",
            expression(&join.condition),
            join.kind.word()
        ),
        LogicalOp::SetOp(set) => {
            let name = if set.except {
                "LogicalMinus"
            } else {
                "LogicalIntersect"
            };
            format!("{name}(all=[{}])", set.all)
        }
        LogicalOp::Correlate(_) => "LogicalCorrelate".to_owned(),
        LogicalOp::Expand(expand) => {
            let sets: Vec<String> = expand
                .projections
                .iter()
                .map(|set| format!("{{{}}}", set.iter().map(expression).gather::<Vec<_>>().join(", ")))
                .gather();
            format!("LogicalExpand(projects=[{}])", sets.join(", "))
        }
        LogicalOp::Sort(sort) => sort_line(sort),
        LogicalOp::Over(over) => over_line(over),
        LogicalOp::Rank(rank) => format!(
            "LogicalRank(rankType=[{}], partitionBy=[{}], orderBy=[{}])",
            rank.function,
            columns_text(&rank.partition),
            rank.order
                .iter()
                .copied()
                .map(order_text)
                .gather::<Vec<_>>()
                .join(", ")
        ),
        LogicalOp::Sink(sink) => sink_line(node, sink),
    }
}

fn columns_text(columns: &[u32]) -> String {
    let columns: Vec<String> = columns.iter().map(|column| format!("${column}")).gather();
    columns.join(", ")
}

fn order_text(key: SortColumn) -> String {
    let word = if key.direction.descending { "DESC" } else { "ASC" };
    format!("${} {word}", key.column)
}

/// `LogicalSort(sort0=[$1], dir0=[DESC-nulls-last], fetch=[2])`
fn sort_line(sort: &SortNode) -> String {
    let keys = sort.order.iter().enumerate();
    let mut parts: Vec<String> = keys
        .clone()
        .map(|(at, key)| format!("sort{at}=[${}]", key.column))
        .gather();
    parts.extend(keys.map(|(at, key)| {
        let word = if key.direction.descending { "DESC" } else { "ASC" };
        let nulls = if key.direction.nulls_first {
            "first"
        } else {
            "last"
        };
        format!("dir{at}=[{word}-nulls-{nulls}]")
    }));
    parts.extend(sort.offset.map(|offset| format!("offset=[{offset}]")));
    parts.extend(sort.fetch.map(|fetch| format!("fetch=[{fetch}]")));
    format!("LogicalSort({})", parts.join(", "))
}

/// Never in a plan as written: there windowed calls stand in projections.
fn over_line(over: &OverNode) -> String {
    let groups: Vec<String> = (0..)
        .zip(&over.groups)
        .map(|(at, group)| {
            let calls: Vec<String> = group.calls.iter().map(call_text).gather();
            format!(
                "window#{at}=[window(partition {{{}}} order by [{}] aggs [{}])]",
                group
                    .partition
                    .iter()
                    .map(u32::to_string)
                    .gather::<Vec<_>>()
                    .join(", "),
                group
                    .order
                    .iter()
                    .copied()
                    .map(order_text)
                    .gather::<Vec<_>>()
                    .join(", "),
                calls.join(", ")
            )
        })
        .gather();
    format!("LogicalWindow({})", groups.join(", "))
}

fn table_path(table: &Table) -> String {
    format!("[{}]", table.path().listed())
}

/// An expression as it is written, with names of its own for columns.
pub(super) fn expression_over<'n>(expr: &Expr, name: &dyn Fn(u32) -> &'n str) -> String {
    display(&uncoerced(expr), name, PlanStyle::Ast)
}

/// The same with names that are made.
pub(super) fn expression_with(expr: &Expr, name: &dyn Fn(u32) -> String) -> String {
    let expr = &uncoerced(expr);
    let mut names: SortedMap<u32, String> = SortedMap::default();
    expr.for_each_column(&mut |column| {
        if !names.contains_key(&column) {
            names.insert(column, name(column));
        }
    });
    display(
        expr,
        &|column| names.get(&column).map_or("?", String::as_str),
        PlanStyle::Ast,
    )
}

/// Operands of `=` and `<>` as they are written: Calcite takes them to a common type only when it optimizes.
/// Case: statements/explain-prints-three-plans.
fn uncoerced(expr: &Expr) -> Expr {
    let ExprKind::Call { function, args } = &expr.kind else {
        return expr.clone();
    };
    let compares = matches!(function.name, "=" | "<>");
    let args = args
        .iter()
        .map(|arg| if compares { as_written(arg) } else { uncoerced(arg) })
        .gather();
    Expr {
        kind: ExprKind::Call { function, args },
        ..expr.clone()
    }
}

/// A constant with the type of its own literal, and an expression without the cast that nobody wrote.
fn as_written(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Literal(Value::Str(text)) => {
            let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            Expr::literal(
                Value::Str(Rc::clone(text)),
                DataType::not_null(TypeKind::Char(length)),
                expr.span,
            )
        }
        ExprKind::Literal(Value::Int(number))
            if expr.data_type.kind == TypeKind::BigInt && i32::try_from(*number).is_ok() =>
        {
            Expr::literal(Value::Int(*number), DataType::not_null(TypeKind::Int), expr.span)
        }
        ExprKind::Call { function, args } if function.name == "CAST" => match args.as_slice() {
            [arg] if arg.span == expr.span => uncoerced(arg),
            _ => uncoerced(expr),
        },
        _ => uncoerced(expr),
    }
}

fn tuples(rows: &[Row], fields: &[Field]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| super::line::tuple(row, fields)).gather();
    rows.join(", ")
}

/// `LogicalAggregate(group=[{0, 1}], groups=[[{0, 1}, {0}]], n=[COUNT()])`
/// Columns as Calcite prints a set of them: `{0, 2}`.
fn set_of(columns: &[u32]) -> String {
    let mut columns = columns.to_vec();
    columns.sort_unstable();
    let columns: Vec<String> = columns.iter().map(u32::to_string).gather();
    format!("{{{}}}", columns.join(", "))
}

fn aggregate_line(aggregate: &AggregateNode) -> String {
    let mut parts = vec![format!("group=[{}]", set_of(&aggregate.keys))];
    if aggregate.sets.len() > 1 {
        let sets: Vec<String> = aggregate
            .sets
            .iter()
            .map(|places| {
                let columns: Vec<u32> = places
                    .iter()
                    .filter_map(|at| aggregate.keys.get(*at as usize))
                    .copied()
                    .gather();
                set_of(&columns)
            })
            .gather();
        parts.push(format!("groups=[[{}]]", sets.join(", ")));
    }
    parts.extend(
        aggregate
            .calls
            .iter()
            .map(|call| format!("{}=[{}]", call.name, call_text(call))),
    );
    format!("LogicalAggregate({})", parts.join(", "))
}

fn call_text(call: &AggregateCall) -> String {
    let args: Vec<String> = call.args.iter().map(|arg| format!("${arg}")).gather();
    let distinct = if call.distinct { "DISTINCT " } else { "" };
    let filter = call
        .filter
        .map(|column| format!(" FILTER ${column}"))
        .unwrap_or_default();
    format!("{}({distinct}{}){filter}", call.function_name(), args.join(", "))
}

#[inline(never)]
fn window_line(node: &LogicalNode, tvf: &WindowTvfNode) -> String {
    let input = node
        .inputs
        .first()
        .map(|input| &*input.schema)
        .unwrap_or_default();
    let time = match tvf.window.source {
        WindowSource::TimeColumn(column) => input.get(column as usize).map_or("?", |field| &*field.name),
        WindowSource::Attached { .. } | WindowSource::SliceEnd(_) => "?",
    };
    let (word, mut lengths, offset_ms) = match tvf.window.kind {
        WindowKind::Tumble { size_ms, offset_ms } => ("TUMBLE", vec![size_ms], offset_ms),
        WindowKind::Hop {
            slide_ms,
            size_ms,
            offset_ms,
        } => ("HOP", vec![slide_ms, size_ms], offset_ms),
        WindowKind::Cumulate {
            step_ms,
            max_size_ms,
            offset_ms,
        } => ("CUMULATE", vec![step_ms, max_size_ms], offset_ms),
        WindowKind::Session { gap_ms } => ("SESSION", vec![gap_ms], 0),
        WindowKind::Dynamic { step_ms, gap_ms } => ("CUMULATE_DYNAMIC", vec![step_ms, gap_ms], 0),
    };
    if offset_ms != 0 {
        lengths.push(offset_ms);
    }
    let lengths: Vec<String> = lengths.into_iter().map(interval).gather();
    let partition = if tvf.partition.is_empty() {
        String::new()
    } else {
        let columns: Vec<String> = tvf.partition.iter().map(|column| format!("${column}")).gather();
        format!(" PARTITION BY({})", columns.join(", "))
    };
    format!(
        "LogicalTableFunctionScan(invocation=[{word}(TABLE(#0){partition}, DESCRIPTOR(_UTF-16LE'{time}'), {})], \
         rowType=[{}])",
        lengths.join(", "),
        record_type(&node.schema)
    )
}

fn interval(ms: i64) -> String {
    const UNITS: [(i64, &str); 4] = [
        (86_400_000, "DAY"),
        (3_600_000, "HOUR"),
        (60_000, "MINUTE"),
        (1, "SECOND"),
    ];
    let unit = UNITS
        .iter()
        .find(|(unit_ms, _)| ms % unit_ms == 0)
        .map_or("SECOND", |(_, unit)| unit);
    format!("{ms}:INTERVAL {unit}")
}

/// `RecordType(INTEGER id, TIMESTAMP(3) *ROWTIME* ts)`
pub(crate) fn record_type(fields: &[Field]) -> String {
    let columns: Vec<String> = fields
        .iter()
        .map(|field| {
            // Flink: `TimeIndicatorRelDataType.toString`
            let data_type = if field.data_type.without_time_attribute() == field.data_type {
                calcite_type(&field.data_type, Charset::Hidden)
            } else {
                field.data_type.with_nullable(true).to_string()
            };
            format!("{data_type} {}", field.name)
        })
        .gather();
    format!("RecordType({})", columns.join(", "))
}

fn sink_line(node: &LogicalNode, sink: &SinkNode) -> String {
    let input = node
        .inputs
        .first()
        .map(|input| &*input.schema)
        .unwrap_or_default();
    let fields: Vec<&str> = input.iter().map(|field| &*field.name).gather();
    let columns = sink.columns.as_ref().map(|columns| {
        let columns: Vec<String> = columns.iter().map(|column| format!("[{column}]")).gather();
        format!(", targetColumns=[{}]", columns.join(","))
    });
    format!(
        "LogicalSink(table=[{}]{}, fields=[{}])",
        sink.table.full_name(),
        columns.unwrap_or_default(),
        fields.join(", ")
    )
}
