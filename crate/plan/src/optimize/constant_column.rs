//! A column that a filter below fixes to a constant is that constant in the projection above.
//!
//! Flink: `ReduceExpressionsRule` for projections, with the predicates of the input.
//! Cases: select/update-crosses-filter, wm/watermark-through-a-view.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind, cast_exactly, constant_value};
use sg_value::{Gather as _, TypeKind, Value};

use super::{
    Rule, RuleContext,
    rewrite::{conjuncts, substitute, with_inputs},
};
use crate::logical::{LogicalNode, LogicalOp, ProjectNode};

pub(super) struct ConstantColumn;

impl Rule for ConstantColumn {
    fn name(&self) -> &'static str {
        "constant-column"
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let input = node.inputs.first()?;
        let constants = constants(input);
        if constants.iter().all(Option::is_none) {
            return None;
        }
        let mut changed = false;
        let replacements: Vec<Expr> = (0_u32..)
            .zip(input.schema.iter().zip(constants))
            .map(|(at, (field, constant))| {
                constant.unwrap_or_else(|| Expr::column(at, field.data_type.clone(), node.span))
            })
            .gather();
        let expressions: Vec<Expr> = project
            .expressions
            .iter()
            .map(|expr| {
                let reads_constant = super::rewrite::columns_of([expr]).iter().any(|&column| {
                    replacements
                        .get(column as usize)
                        .is_some_and(|with| with.as_column().is_none())
                });
                if !reads_constant {
                    return expr.clone();
                }
                changed = true;
                let replaced = substitute(expr, &replacements);
                // the projection's own types stay
                cast_exactly(
                    Expr {
                        span: expr.span,
                        ..replaced
                    },
                    &expr.data_type,
                )
            })
            .gather();
        changed.then(|| {
            let replaced = LogicalNode {
                op: LogicalOp::Project(ProjectNode { expressions }),
                ..(**node).clone()
            };
            with_inputs(&replaced, node.inputs.clone())
        })
    }
}

/// Columns of a node that are the same constant in all its rows.
pub(super) fn constants(node: &LogicalNode) -> Vec<Option<Expr>> {
    let none = || vec![None; node.schema.len()];
    match &node.op {
        // what is fixed about a windowed call is known once the filter stands on the calls
        LogicalOp::Filter(_) if hides_windows(node) => none(),
        LogicalOp::Filter(filter) => {
            let mut found = node.inputs.first().map_or_else(none, |input| constants(input));
            for condition in conjuncts(&filter.condition) {
                if let Some((column, constant)) = equality(&condition)
                    && let Some(slot) = found.get_mut(column as usize)
                    && slot.is_none()
                {
                    *slot = Some(constant);
                }
            }
            found
        }
        LogicalOp::Project(project) => {
            let below = node
                .inputs
                .first()
                .map(|input| constants(input))
                .unwrap_or_default();
            project
                .expressions
                .iter()
                .map(|expr| match &expr.kind {
                    ExprKind::Column(column) => below.get(*column as usize).cloned().flatten(),
                    ExprKind::Literal(_) => Some(expr.clone()),
                    _ => None,
                })
                .gather()
        }
        LogicalOp::Join(join) => {
            let kept = [!join.kind.keeps_right(), !join.kind.keeps_left()];
            let of_inputs = node.inputs.iter().zip(kept).flat_map(|(input, kept)| {
                if kept {
                    constants(input)
                } else {
                    vec![None; input.schema.len()]
                }
            });
            of_inputs.take(node.schema.len()).gather()
        }
        LogicalOp::Watermark(_) => node.inputs.first().map_or_else(none, |input| constants(input)),
        _ => none(),
    }
}

/// Whether a filter stands on a projection of windowed calls.
fn hides_windows(node: &LogicalNode) -> bool {
    let below = node
        .inputs
        .first()
        .filter(|below| matches!(below.op, LogicalOp::Project(_)));
    below
        .and_then(|below| below.inputs.first())
        .is_some_and(|below| matches!(below.op, LogicalOp::Over(_)))
}

/// The number that a comparison widens.
fn widened(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Call { function, args } if function.name == "CAST" => match args.as_slice() {
            [arg]
                if matches!(
                    (&arg.data_type.kind, &expr.data_type.kind),
                    (TypeKind::Decimal { .. }, TypeKind::Decimal { .. })
                ) =>
            {
                arg
            }
            _ => expr,
        },
        _ => expr,
    }
}

/// A literal but NULL, or one that is cast.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(value) => !value.is_null(),
        ExprKind::Call { function, args } => function.name == "CAST" && args.iter().all(is_constant),
        _ => false,
    }
}

/// `column = constant` of the column's type, or `column IS NULL`.
fn equality(condition: &Expr) -> Option<(u32, Expr)> {
    let ExprKind::Call { function, args } = &condition.kind else {
        return None;
    };
    if let (1, "IS NULL", Some(arg)) = (args.len(), function.name, args.first()) {
        let null = Expr::literal(Value::Null, arg.data_type.with_nullable(true), condition.span);
        return Some((arg.as_column()?, null));
    }
    let [left, right] = args.as_slice() else {
        return None;
    };
    if function.name != "=" {
        return None;
    }
    let (compared, constant) = match (is_constant(left), is_constant(right)) {
        (false, true) => (left, right),
        (true, false) => (right, left),
        _ => return None,
    };
    let column = widened(compared);
    let fits = constant.data_type.kind == compared.data_type.kind;
    let (value, to) = if fits && column.data_type.kind != constant.data_type.kind {
        let to = column.data_type.with_nullable(false);
        let cast = sg_expr::compile(&cast_exactly(constant.clone(), &to));
        (cast.eval(&[], &sg_expr::EvalCx::default()).ok()?, to)
    } else {
        (constant_value(constant)?, constant.data_type.clone())
    };
    let constant = Expr::literal(value, to, constant.span);
    fits.then(|| Some((column.as_column()?, constant)))?
}
