//! What Flink's planner refuses about windows once a query is known whole.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics};

use super::{
    LogicalNode, LogicalOp, WindowTvfNode, validated_types, window_columns,
    window_text::{invocation_text, record_text},
};
use crate::{
    Settings, optimize,
    physical::node::{WindowKind, WindowSource},
};

/// Checks all windows of a tree as it was bound.
pub fn check_windows(root: &Rc<LogicalNode>, settings: &Settings, diags: &mut Diagnostics) {
    let before = diags.len();
    if has_plain_time(root) {
        // the message shows the table function as optimization leaves it
        check_time_columns(&optimize(root, settings), diags);
    }
    if diags.len() == before {
        check_aggregates(root, settings, diags);
    }
}

/// The time column of a window table function that is no time attribute.
fn plain_time(node: &LogicalNode) -> Option<(&WindowTvfNode, u32)> {
    let LogicalOp::WindowTvf(tvf) = &node.op else {
        return None;
    };
    let WindowSource::TimeColumn(column) = tvf.window.source else {
        return None;
    };
    let field = node.inputs.first()?.schema.get(column as usize)?;
    let is_attribute = field.data_type.is_rowtime() || field.data_type.is_proctime();
    (!is_attribute).then_some((tvf, column))
}

fn has_plain_time(node: &LogicalNode) -> bool {
    plain_time(node).is_some() || node.inputs.iter().any(|input| has_plain_time(input))
}

fn check_time_columns(node: &Rc<LogicalNode>, diags: &mut Diagnostics) {
    for input in &node.inputs {
        check_time_columns(input, diags);
    }
    let Some((tvf, column)) = plain_time(node) else {
        return;
    };
    let Some(field) = node
        .inputs
        .first()
        .and_then(|input| input.schema.get(column as usize))
    else {
        return;
    };
    let names = node.schema.iter().map(|field| &*field.name);
    let row = record_text(names.zip(validated_types(node)));
    let flink = format!(
        "RuntimeException: Error while applying rule StreamPhysicalWindowTableFunctionRule(in:LOGICAL,out:STREAM_PHYSICAL), \
         args [rel#N:FlinkLogicalTableFunctionScan.LOGICAL.any.None: 0.[NONE].[NONE].[NONE](input#0=RelSubset#N,\
         invocation={},rowType={row})]\nValidationException: The window function requires the timecol is a time \
         attribute type, but is {}.",
        invocation_text(node, tvf),
        field.data_type.with_nullable(true)
    );
    diags.push(
        Diagnostic::new(Code::NotATimeAttribute, tvf.time_span)
            .arg("function", name(tvf.window.kind))
            .arg("column", &field.name)
            .arg("type", &field.data_type)
            .flink(flink),
    );
}

const fn name(kind: WindowKind) -> &'static str {
    match kind {
        WindowKind::Tumble { .. } => "TUMBLE",
        WindowKind::Hop { .. } => "HOP",
        WindowKind::Cumulate { .. } => "CUMULATE",
        WindowKind::Session { .. } => "SESSION",
    }
}

/// Aggregations over windows: sizes of HOP, early and late fire.
fn check_aggregates(node: &Rc<LogicalNode>, settings: &Settings, diags: &mut Diagnostics) {
    for input in &node.inputs {
        check_aggregates(input, settings, diags);
    }
    let LogicalOp::Aggregate(aggregate) = &node.op else {
        return;
    };
    let Some(window) = node.inputs.first().and_then(|input| window_columns(input)) else {
        return;
    };
    if !window.is_grouped_by(&aggregate.keys) {
        return;
    }
    if let WindowKind::Hop {
        slide_ms, size_ms, ..
    } = window.window.kind
        && size_ms % slide_ms != 0
    {
        let flink = format!(
            "TableException: HOP table function based aggregate requires size must be an integral multiple of slide, but \
             got size {size_ms} ms and slide {slide_ms} ms"
        );
        diags.push(
            Diagnostic::new(Code::WindowSizeNotMultiple, node.span)
                .arg("function", "HOP")
                .flink(flink),
        );
    }
    if settings.early_fire || settings.late_fire {
        let flink = "TableException: Currently, window table function based aggregate doesn't support early-fire and \
                     late-fire configuration 'table.exec.emit.early-fire.enabled' and \
                     'table.exec.emit.late-fire.enabled'.";
        diags.push(Diagnostic::new(Code::WindowEmitsEarly, node.span).flink(flink));
    }
}
