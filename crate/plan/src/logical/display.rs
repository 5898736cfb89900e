//! The tree as Calcite prints it, the first section of EXPLAIN.

use std::fmt::Write as _;

use sg_expr::{Expr, PlanStyle, display};
use sg_value::{Field, TypeKind};

use super::{AggregateNode, LogicalNode, LogicalOp, SinkNode, WindowTvfNode};
use crate::{
    catalog::{DEFAULT_CATALOG, DEFAULT_DATABASE, Table},
    physical::node::{WindowKind, WindowSource},
};

/// The lines of a tree, each with a line feed.
pub fn tree_text(root: &LogicalNode) -> String {
    let mut text = String::new();
    write_node(root, &mut text, "", "");
    text
}

/// A last child hangs on `+- `, others on `:- `; below them `   ` or `:  ` goes on.
fn write_node(node: &LogicalNode, text: &mut String, first: &str, rest: &str) {
    text.push_str(first);
    text.push_str(&node_text(node));
    text.push('\n');
    let last = node.inputs.len().saturating_sub(1);
    for (at, input) in node.inputs.iter().enumerate() {
        let (hook, below) = if at == last {
            ("+- ", "   ")
        } else {
            (":- ", ":  ")
        };
        write_node(input, text, &format!("{rest}{hook}"), &format!("{rest}{below}"));
    }
}

/// One line without its inputs.
pub fn node_text(node: &LogicalNode) -> String {
    match &node.op {
        LogicalOp::Scan(scan) => {
            let mut text = format!("LogicalTableScan(table=[[{}]]", path(&scan.table));
            if !scan.hints.is_empty() {
                let pairs: Vec<String> = scan
                    .hints
                    .iter()
                    .map(|(key, value)| format!("{key}={value}"))
                    .collect();
                let _ = write!(
                    text,
                    ", hints=[[[OPTIONS inheritPath:[] options:{{{}}}]]]",
                    pairs.join(", ")
                );
            }
            text + ")"
        }
        LogicalOp::Values(values) => {
            let rows: Vec<String> = values
                .rows
                .iter()
                .map(|row| {
                    let cells: Vec<String> = row
                        .iter()
                        .zip(node.schema.iter())
                        .map(|(value, field)| {
                            let literal = Expr::literal(value.clone(), field.data_type.clone(), node.span);
                            expr_text(&literal)
                        })
                        .collect();
                    format!("{{ {} }}", cells.join(", "))
                })
                .collect();
            format!("LogicalValues(tuples=[[{}]])", rows.join(", "))
        }
        LogicalOp::Watermark(watermark) => {
            let expression = watermark
                .expression
                .as_ref()
                .map_or_else(|| "SOURCE_WATERMARK()".to_owned(), expr_text);
            let rowtime = name_of(&node.schema, watermark.rowtime);
            format!("LogicalWatermarkAssigner(rowtime=[{rowtime}], watermark=[{expression}])")
        }
        LogicalOp::Project(project) => {
            let columns: Vec<String> = project
                .expressions
                .iter()
                .zip(node.schema.iter())
                .map(|(expr, field)| format!("{}=[{}]", field.name, expr_text(expr)))
                .collect();
            format!("LogicalProject({})", columns.join(", "))
        }
        LogicalOp::Filter(filter) => {
            format!("LogicalFilter(condition=[{}])", expr_text(&filter.condition))
        }
        LogicalOp::Aggregate(aggregate) => aggregate_text(aggregate),
        LogicalOp::WindowTvf(tvf) => window_text(tvf, node),
        LogicalOp::Union(union) => format!("LogicalUnion(all=[{}])", union.all),
        LogicalOp::Expand(expand) => {
            let sets: Vec<String> = expand
                .projections
                .iter()
                .map(|set| format!("{{{}}}", set.iter().map(expr_text).collect::<Vec<_>>().join(", ")))
                .collect();
            format!("LogicalExpand(projects=[{}])", sets.join(", "))
        }
        LogicalOp::Sink(sink) => sink_text(sink, node),
    }
}

/// An expression over `$0`, `$1` ….
pub fn expr_text(expr: &Expr) -> String {
    let mut largest = 0;
    expr.for_each_column(&mut |column| largest = largest.max(column));
    let names: Vec<String> = (0..=largest).map(|at| format!("${at}")).collect();
    let name = |column: u32| names.get(column as usize).map_or("$?", String::as_str);
    display(expr, &name, PlanStyle::Physical)
}

fn path(table: &Table) -> String {
    format!("{DEFAULT_CATALOG}, {DEFAULT_DATABASE}, {}", table.name)
}

fn name_of(schema: &[Field], column: u32) -> &str {
    schema.get(column as usize).map_or("", |field| &field.name)
}

fn set_text(columns: impl Iterator<Item = u32>) -> String {
    format!(
        "{{{}}}",
        columns
            .map(|column| column.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    )
}

fn aggregate_text(aggregate: &AggregateNode) -> String {
    let mut text = format!(
        "LogicalAggregate(group=[{}]",
        set_text(aggregate.keys.iter().copied())
    );
    if aggregate.sets.len() > 1 {
        let column = |at: &u32| aggregate.keys.get(*at as usize).copied();
        let sets: Vec<String> = aggregate
            .sets
            .iter()
            .map(|set| set_text(set.iter().filter_map(column)))
            .collect();
        let _ = write!(text, ", groups=[[{}]]", sets.join(", "));
    }
    for call in &aggregate.calls {
        let args: Vec<String> = call.args.iter().map(|column| format!("${column}")).collect();
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        let _ = write!(
            text,
            ", {}=[{}({distinct}{})",
            call.name,
            call.function.name,
            args.join(", ")
        );
        if let Some(filter) = call.filter {
            let _ = write!(text, " FILTER ${filter}");
        }
        text.push(']');
    }
    text + ")"
}

fn window_text(tvf: &WindowTvfNode, node: &LogicalNode) -> String {
    let input = node.inputs.first().map_or(&[][..], |input| &input.schema);
    let column = match tvf.window.source {
        WindowSource::TimeColumn(column) => name_of(input, column),
        WindowSource::Attached { .. } | WindowSource::SliceEnd(_) => "",
    };
    let partition = if tvf.partition.is_empty() {
        String::new()
    } else {
        let keys: Vec<String> = tvf.partition.iter().map(|key| format!("${key}")).collect();
        format!(" PARTITION BY({})", keys.join(", "))
    };
    let (name, lengths) = match tvf.window.kind {
        WindowKind::Tumble { size_ms, offset_ms } => ("TUMBLE", vec![size_ms, offset_ms]),
        WindowKind::Hop {
            slide_ms,
            size_ms,
            offset_ms,
        } => ("HOP", vec![slide_ms, size_ms, offset_ms]),
        WindowKind::Cumulate {
            step_ms,
            max_size_ms,
            offset_ms,
        } => ("CUMULATE", vec![step_ms, max_size_ms, offset_ms]),
        WindowKind::Session { gap_ms } => ("SESSION", vec![gap_ms]),
    };
    let required = if name == "TUMBLE" || name == "SESSION" {
        1
    } else {
        2
    };
    let lengths: Vec<String> = lengths
        .into_iter()
        .enumerate()
        .filter(|(at, length)| *at < required || *length != 0)
        .map(|(at, length)| {
            let units = tvf.units.get(at).map_or("SECOND", |units| units);
            format!(", {length}:INTERVAL {units}")
        })
        .collect();
    format!(
        "LogicalTableFunctionScan(invocation=[{name}(TABLE(#0){partition}, DESCRIPTOR(_UTF-16LE'{column}'){})], \
         rowType=[RecordType({})])",
        lengths.concat(),
        record_text(&node.schema)
    )
}

/// Names and types in Calcite's words: `VARCHAR(2147483647) page, TIMESTAMP(3) *ROWTIME* ts`.
pub fn record_text(schema: &[Field]) -> String {
    schema
        .iter()
        .map(|field| {
            format!(
                "{} {}",
                sql_type(&field.data_type.kind, &field.data_type),
                field.name
            )
        })
        .collect::<Vec<_>>()
        .join(", ")
}

fn sql_type(kind: &TypeKind, data_type: &sg_value::DataType) -> String {
    match kind {
        TypeKind::Varchar(length) => format!("VARCHAR({length})"),
        TypeKind::Varbinary(length) => format!("VARBINARY({length})"),
        TypeKind::Int => "INTEGER".to_owned(),
        _ => data_type.with_nullable(true).to_string(),
    }
}

fn sink_text(sink: &SinkNode, node: &LogicalNode) -> String {
    let mut text = format!("LogicalSink(table=[{}]", sink.table.full_name());
    if let Some(columns) = &sink.columns {
        let columns: Vec<String> = columns.iter().map(|column| format!("[{column}]")).collect();
        let _ = write!(text, ", targetColumns=[{}]", columns.join(","));
    }
    let fields: Vec<&str> = node.schema.iter().map(|field| &*field.name).collect();
    let _ = write!(text, ", fields=[{}])", fields.join(", "));
    text
}
