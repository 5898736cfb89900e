//! Small things done to expressions while plans are rewritten.

use sg_diag::{Diagnostics, Span};
use sg_expr::{Expr, ExprKind, function::Volatility, planned_function, resolve_call};
use sg_value::{DataType, Gather as _};

/// A call that needs no resolution; the expression itself where the registry lacks the function.
pub(super) fn call(name: &str, args: Vec<Expr>, data_type: DataType, span: Span) -> Expr {
    match planned_function(name) {
        Some(function) => Expr {
            kind: ExprKind::Call { function, args },
            data_type,
            span,
        },
        None => Expr::invalid(span),
    }
}

/// `expr` with every column replaced by an expression over another input.
pub(super) fn substitute(expr: &Expr, columns: &[Expr]) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Column(index) => {
            return columns
                .get(*index as usize)
                .cloned()
                .unwrap_or_else(|| Expr::invalid(expr.span));
        }
        ExprKind::Call { function, args } => ExprKind::Call {
            function,
            args: args.iter().map(|arg| substitute(arg, columns)).gather(),
        },
        ExprKind::Literal(_) | ExprKind::Invalid => expr.kind.clone(),
    };
    Expr {
        kind,
        data_type: expr.data_type.clone(),
        span: expr.span,
    }
}

/// All conditions together, nested ANDs flattened; `None` of none.
pub(super) fn conjunction(conditions: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    let mut parts = Vec::new();
    for condition in conditions {
        match condition.kind {
            ExprKind::Call { function, args } if function.name == "AND" => parts.extend(args),
            _ => parts.push(condition),
        }
    }
    let span = parts.iter().map(|part| part.span).reduce(Span::join)?;
    if parts.len() == 1 {
        return parts.pop();
    }
    Some(resolve_call("AND", parts, span, &mut Diagnostics::new()))
}

/// The columns that an expression reads, each once, in order.
pub(super) fn columns_of(expr: &Expr) -> Vec<u32> {
    let mut columns = Vec::new();
    expr.for_each_column(&mut |column| {
        if !columns.contains(&column) {
            columns.push(column);
        }
    });
    columns
}

/// Whether two evaluations on the same row can differ.
pub(super) fn differs_per_evaluation(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { function, args } => {
            function.volatility == Volatility::PerRow || args.iter().any(differs_per_evaluation)
        }
        ExprKind::Column(_) | ExprKind::Literal(_) | ExprKind::Invalid => false,
    }
}
