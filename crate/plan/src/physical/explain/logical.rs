//! The optimized tree in Flink's words, as messages of its planner show it.

use std::rc::Rc;

use sg_expr::{AggregateCall, Expr, FrameBound, PlanStyle, display};
use sg_value::{Field, Gather as _};

use super::tree::{Drawing, Drawn, draw};
use crate::{
    logical::{LogicalNode, LogicalOp, OverGroup, OverNode},
    physical::program::Program,
};

/// The tree, projections and filters as one Calc, without a newline at the end.
pub(crate) fn flink_logical_text(root: &Rc<LogicalNode>) -> String {
    let merged = merged(root);
    draw(&merged, &mut |node: &Rc<Drawing>| Drawn::Inner(node.text.clone()))
}

/// The tree below a node of a message, two spaces a level, each line with its end.
pub(crate) fn flink_logical_below(root: &Rc<LogicalNode>, level: usize, text: &mut String) {
    fn put(node: &Drawing, level: usize, text: &mut String) {
        text.push_str(&"  ".repeat(level));
        text.push_str(&node.text);
        text.push('\n');
        for input in &node.inputs {
            put(input, level + 1, text);
        }
    }
    put(&merged(root), level, text);
}

fn merged(node: &Rc<LogicalNode>) -> Rc<Drawing> {
    if let (LogicalOp::Snapshot(_), [below]) = (&node.op, node.inputs.as_slice()) {
        return merged(below);
    }
    if matches!(node.op, LogicalOp::Project(_) | LogicalOp::Filter(_)) {
        let (program, base) = Program::of_chain(node);
        let below = merged(base);
        if program.is_identity(base.schema.len()) {
            return below;
        }
        return Rc::new(Drawing {
            text: calc(&program, &base.schema),
            inputs: vec![below],
        });
    }
    Rc::new(Drawing {
        text: line(node),
        inputs: node.inputs.iter().map(merged).gather(),
    })
}

fn calc(program: &Program, input: &[Field]) -> String {
    let text = |expr: &Expr| {
        let name = |column: u32| input.get(column as usize).map_or("?", |field| &*field.name);
        display(expr, &name, PlanStyle::Physical)
    };
    let items: Vec<String> = program
        .projection
        .iter()
        .zip(&program.fields)
        .map(|(expr, field)| {
            let shown = text(expr);
            if expr.as_column().is_some() && *shown == *field.name {
                shown
            } else {
                format!("{shown} AS {}", field.name)
            }
        })
        .gather();
    let condition = program.condition.as_ref();
    let condition = condition.map_or_else(String::new, |condition| format!(", where=[{}]", text(condition)));
    format!("FlinkLogicalCalc(select=[{}]{condition})", items.join(", "))
}

fn line(node: &LogicalNode) -> String {
    let names: Vec<&str> = node.schema.iter().map(|field| &*field.name).gather();
    match &node.op {
        LogicalOp::Scan(scan) => {
            let mark = if scan.source_watermark {
                ", watermark=[SOURCE_WATERMARK()]"
            } else {
                ""
            };
            format!(
                "FlinkLogicalTableSourceScan(table=[[{}{mark}]], fields=[{}])",
                scan.table.path().listed(),
                names.join(", ")
            )
        }
        LogicalOp::Watermark(watermark) => {
            let rowtime = names.get(watermark.rowtime as usize).copied().unwrap_or_default();
            let expression = watermark.expression.as_ref().map_or_else(String::new, ast_text);
            format!("FlinkLogicalWatermarkAssigner(rowtime=[{rowtime}], watermark=[{expression}])")
        }
        LogicalOp::Aggregate(aggregate) => {
            let keys: Vec<String> = aggregate.keys.iter().map(u32::to_string).gather();
            let calls = aggregate
                .calls
                .iter()
                .map(|call| format!(", {}=[{}]", call.name, call_text(call)));
            let calls: String = calls.gather();
            format!("FlinkLogicalAggregate(group=[{{{}}}]{calls})", keys.join(", "))
        }
        LogicalOp::Over(over) => over_line(node, over),
        LogicalOp::Union(union) => format!("FlinkLogicalUnion(all=[{}])", union.all),
        _ => "FlinkLogicalRel".to_owned(),
    }
}

/// An expression with its columns as `$0`.
pub(crate) fn ast_text(expr: &Expr) -> String {
    let mut width = 0;
    expr.for_each_column(&mut |column| width = width.max(column as usize + 1));
    let names: Vec<String> = (0..width).map(|column| format!("${column}")).gather();
    display(
        expr,
        &|column| names.get(column as usize).map_or("?", String::as_str),
        PlanStyle::Ast,
    )
}

fn call_text(call: &AggregateCall) -> String {
    let args: Vec<String> = call.args.iter().map(|arg| format!("${arg}")).gather();
    let distinct = if call.distinct { "DISTINCT " } else { "" };
    format!("{}({distinct}{})", call.function_name(), args.join(", "))
}

/// Bounds of frames are constants behind the columns.
fn over_line(node: &LogicalNode, over: &OverNode) -> String {
    let mut constant = node.inputs.first().map_or(0, |input| input.schema.len());
    let groups: Vec<String> = over
        .groups
        .iter()
        .enumerate()
        .map(|(at, group)| format!("window#{at}=[window({})]", group_text(group, &mut constant)))
        .gather();
    format!("FlinkLogicalOverAggregate({})", groups.join(", "))
}

fn group_text(group: &OverGroup, constant: &mut usize) -> String {
    let mut parts = Vec::new();
    if !group.partition.is_empty() {
        let columns: Vec<String> = group.partition.iter().map(u32::to_string).gather();
        parts.push(format!("partition {{{}}}", columns.join(", ")));
    }
    if !group.order.is_empty() {
        let keys: Vec<String> = group
            .order
            .iter()
            .map(|key| {
                let word = if key.direction.descending { "DESC" } else { "ASC" };
                let nulls = if key.direction.nulls_first {
                    "first"
                } else {
                    "last"
                };
                format!("{} {word}-nulls-{nulls}", key.column)
            })
            .gather();
        parts.push(format!("order by [{}]", keys.join(", ")));
    }
    let mut bound = |bound: FrameBound| {
        let mut numbered = || {
            let number = *constant;
            *constant += 1;
            number
        };
        match bound {
            FrameBound::UnboundedPreceding => "UNBOUNDED PRECEDING".to_owned(),
            FrameBound::Preceding(_) => format!("${} PRECEDING", numbered()),
            FrameBound::CurrentRow => "CURRENT ROW".to_owned(),
            FrameBound::Following(_) => format!("${} FOLLOWING", numbered()),
            FrameBound::UnboundedFollowing => "UNBOUNDED FOLLOWING".to_owned(),
        }
    };
    let unit = if group.frame.rows { "rows" } else { "range" };
    let (start, end) = (bound(group.frame.start), bound(group.frame.end));
    let usual = if group.order.is_empty() {
        FrameBound::UnboundedFollowing
    } else {
        FrameBound::CurrentRow
    };
    if group.frame.rows || group.frame.start != FrameBound::UnboundedPreceding || group.frame.end != usual {
        parts.push(format!("{unit} between {start} and {end}"));
    }
    let calls: Vec<String> = group.calls.iter().map(call_text).gather();
    parts.push(format!("aggs [{}]", calls.join(", ")));
    parts.join(" ")
}
