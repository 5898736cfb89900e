//! What the rules about joins share: which side a condition reads, and what a condition says about NULLs.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind, cast_exactly};
use sg_value::Gather as _;

use super::{
    RuleContext,
    rewrite::{all_columns, columns_of, names},
};
use crate::logical::{JoinNode, LogicalNode, LogicalOp};

/// The inputs a condition over a join reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    Nothing,
    Left,
    Right,
    Both,
}

impl Reads {
    /// What these expressions over `left_width` and more columns read.
    pub(super) fn of(expr: &Expr, left_width: u32) -> Self {
        let columns = columns_of([expr]);
        let left = columns.iter().any(|&column| column < left_width);
        let right = columns.iter().any(|&column| column >= left_width);
        match (left, right) {
            (false, false) => Self::Nothing,
            (true, false) => Self::Left,
            (false, true) => Self::Right,
            (true, true) => Self::Both,
        }
    }
}

/// A condition over the right columns alone, in the right input's own numbers.
pub(super) fn of_right(expr: &Expr, left_width: u32) -> Expr {
    expr.map_columns(&mut |column| column.wrapping_sub(left_width))
}

/// A join and its two inputs.
pub(super) fn join_of(node: &LogicalNode) -> Option<(&JoinNode, &Rc<LogicalNode>, &Rc<LogicalNode>)> {
    match (&node.op, node.inputs.as_slice()) {
        (LogicalOp::Join(join), [left, right]) => Some((join, left, right)),
        _ => None,
    }
}

/// The node under a projection that gives its columns the types of `like` where they differ in nullability.
///
/// Calcite: `RelBuilder.convert(rowType, rename = false)`.
pub(super) fn converted(
    node: Rc<LogicalNode>,
    like: &LogicalNode,
    cx: &mut RuleContext<'_>,
) -> Rc<LogicalNode> {
    let same = node
        .schema
        .iter()
        .zip(like.schema.iter())
        .all(|(own, wanted)| own.data_type.nullable == wanted.data_type.nullable);
    if same {
        return node;
    }
    let expressions: Vec<Expr> = all_columns(&node)
        .into_iter()
        .zip(like.schema.iter())
        .map(|(column, wanted)| {
            if column.data_type.nullable == wanted.data_type.nullable {
                return column;
            }
            let to = column.data_type.with_nullable(wanted.data_type.nullable);
            cast_exactly(column, &to)
        })
        .gather();
    let own_names = names(&node);
    let span = node.span;
    cx.builder.project_always(node, expressions, &own_names, span)
}

/// Whether the condition cannot be TRUE where all these columns are NULL.
///
/// Calcite: `Strong.isNotTrue`.
pub(super) fn rejects_nulls(condition: &Expr, is_null: &dyn Fn(u32) -> bool) -> bool {
    let ExprKind::Call { function, args } = &condition.kind else {
        return is_always_null(condition, is_null);
    };
    match function.name {
        "IS NOT NULL" => args.iter().all(|arg| is_always_null(arg, is_null)),
        "OR" => args.iter().all(|arg| rejects_nulls(arg, is_null)),
        "AND" => args.iter().any(|arg| rejects_nulls(arg, is_null)),
        _ => is_always_null(condition, is_null),
    }
}

/// Calls that are NULL as soon as one argument is, as far as Calcite knows: it knows nothing of `SEARCH` and `MOD`.
const STRICT: [&str; 27] = [
    "NOT",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "LIKE",
    "NOT LIKE",
    "SIMILAR TO",
    "NOT SIMILAR TO",
    "+",
    "-",
    "*",
    "/",
    "CAST",
    "Reinterpret",
    "TRIM",
    "LTRIM",
    "RTRIM",
    "CEIL",
    "FLOOR",
    "EXTRACT",
    "GREATEST",
    "LEAST",
    "ITEM",
    ".",
];

fn is_always_null(expr: &Expr, is_null: &dyn Fn(u32) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Column(column) => is_null(*column),
        ExprKind::Literal(value) => value.is_null(),
        ExprKind::Invalid => false,
        ExprKind::Call { function, args } => match function.name {
            "AND" | "OR" | "COALESCE" => args.iter().all(|arg| is_always_null(arg, is_null)),
            "CASE" => {
                let last = args.len().saturating_sub(1);
                let mut results = args
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| at % 2 == 1 || *at == last);
                results.all(|(_, result)| is_always_null(result, is_null))
            }
            name if STRICT.contains(&name) => args.iter().any(|arg| is_always_null(arg, is_null)),
            _ => false,
        },
    }
}
