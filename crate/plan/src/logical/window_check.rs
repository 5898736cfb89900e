//! What Flink's planner refuses about windows once a query is known whole.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics};
use sg_expr::{Expr, ExprKind, function::subquery::is_sub_query};
use sg_value::Field;

use super::{
    LogicalNode, LogicalOp, WindowTvfNode, expressions, validated_types,
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
    if may_lack_time(root) {
        // the message shows the table function as optimization leaves it, and it makes joins of sub-queries
        check_time_columns(&optimize(root, settings), diags);
    }
}

/// Whether there is a window without a time attribute, or a window and a sub-query that is no join yet.
fn may_lack_time(root: &LogicalNode) -> bool {
    fn any(node: &LogicalNode, is: &dyn Fn(&LogicalNode) -> bool) -> bool {
        is(node) || node.inputs.iter().any(|input| any(input, is))
    }
    let windowed = |node: &LogicalNode| matches!(node.op, LogicalOp::WindowTvf(_));
    let waits = |node: &LogicalNode| expressions(node).into_iter().any(holds_sub_query);
    any(root, &|node| plain_time(node).is_some()) || any(root, &windowed) && any(root, &waits)
}

fn holds_sub_query(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { function, args } => is_sub_query(function.name) || args.iter().any(holds_sub_query),
        ExprKind::Column(_) | ExprKind::Literal(_) | ExprKind::Invalid => false,
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
