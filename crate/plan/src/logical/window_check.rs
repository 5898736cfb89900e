//! What Flink's planner refuses about windows once a query is known whole.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics};
use sg_value::Field;

use super::{
    LogicalNode, LogicalOp, WindowTvfNode, validated_types,
    window_text::{invocation_text, record_text},
};
use crate::{
    Settings, optimize,
    physical::{
        node::{WindowKind, WindowSource},
        time_attribute,
    },
};

/// Checks all windows of a tree as it was bound.
pub(crate) fn check_windows(root: &Rc<LogicalNode>, settings: &Settings, diags: &mut Diagnostics) {
    if has_window(root) {
        // the message shows the table function as optimization leaves it, and it makes joins of sub-queries
        check_time_columns(&optimize(root, settings), diags);
    }
}

/// The time column of a window table function that is no time attribute, or no longer behind a join.
fn plain_time(node: &LogicalNode) -> Option<(&WindowTvfNode, Field)> {
    let LogicalOp::WindowTvf(tvf) = &node.op else {
        return None;
    };
    let WindowSource::TimeColumn(column) = tvf.window.source else {
        return None;
    };
    let kept = time_attribute::kept(node.inputs.first()?);
    let field = kept.get(column as usize)?;
    let is_attribute = field.data_type.is_rowtime() || field.data_type.is_proctime();
    (!is_attribute).then(|| (tvf, field.clone()))
}

fn has_window(node: &LogicalNode) -> bool {
    matches!(node.op, LogicalOp::WindowTvf(_)) || node.inputs.iter().any(|input| has_window(input))
}

fn check_time_columns(node: &Rc<LogicalNode>, diags: &mut Diagnostics) {
    for input in &node.inputs {
        check_time_columns(input, diags);
    }
    let Some((tvf, field)) = plain_time(node) else {
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
        WindowKind::Dynamic { .. } => "CUMULATE_DYNAMIC",
    }
}
