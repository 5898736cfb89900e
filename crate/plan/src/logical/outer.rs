//! Columns of a query around that a sub-query reads.

use sg_expr::{Expr, ExprKind, function::subquery::OUTER_COLUMN};
use sg_value::{Gather as _, Value};

use super::{LogicalNode, LogicalOp};

/// The expressions of a node itself.
pub fn expressions(node: &LogicalNode) -> Vec<&Expr> {
    match &node.op {
        LogicalOp::Project(project) => project.expressions.iter().gather(),
        LogicalOp::Filter(filter) => vec![&filter.condition],
        LogicalOp::Join(join) => vec![&join.condition],
        LogicalOp::Correlate(correlate) => correlate.args.iter().chain(&correlate.condition).gather(),
        LogicalOp::Expand(expand) => expand.projections.iter().flatten().gather(),
        _ => Vec::new(),
    }
}

/// The number of a query around and of its column, if the expression is one.
pub fn as_outer_column(expr: &Expr) -> Option<(u32, u32)> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    let [query, column] = args.as_slice() else {
        return None;
    };
    if function.name != OUTER_COLUMN {
        return None;
    }
    let number = |expr: &Expr| {
        expr.as_literal()
            .and_then(Value::as_int)
            .and_then(|n| u32::try_from(n).ok())
    };
    Some((number(query)?, number(column)?))
}

/// All columns of queries around that an expression reads.
pub fn outer_columns_of(expr: &Expr) -> Vec<(u32, u32)> {
    if let Some(found) = as_outer_column(expr) {
        return vec![found];
    }
    match &expr.kind {
        ExprKind::Call { args, .. } => args.iter().flat_map(outer_columns_of).gather(),
        _ => Vec::new(),
    }
}

/// Whether anything in the tree reads a column of a query around.
pub fn is_correlated(node: &LogicalNode) -> bool {
    expressions(node)
        .iter()
        .any(|expr| !outer_columns_of(expr).is_empty())
        || node.inputs.iter().any(|input| is_correlated(input))
}
