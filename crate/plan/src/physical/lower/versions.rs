//! What Flink says where the versions of a temporal join have no key.

use sg_expr::ExprKind;
use sg_value::{DataType, Gather as _, TypeKind};

use crate::{
    logical::{JoinKind, JoinNode, LogicalNode},
    physical::{
        explain::{ast_text, flink_logical_below},
        expression::{call, conjunction},
        join::{EquiKeys, conjuncts},
        timed::LOGICAL_CONDITION,
    },
};

/// The message with Flink's logical plan below it.
pub(super) fn no_key_text(node: &LogicalNode, join: &JoinNode, equi: &EquiKeys) -> String {
    let [left, right] = node.inputs.as_slice() else {
        return String::new();
    };
    let span = node.span;
    let boolean = DataType::not_null(TypeKind::Boolean);
    let width = u32::try_from(left.schema.len()).unwrap_or_default();
    let columns = |at: &[u32], shift: u32| -> Vec<sg_expr::Expr> {
        at.iter()
            .map(|at| sg_expr::Expr::column(at + shift, boolean.clone(), span))
            .gather()
    };
    let keys = [
        call(
            "__TEMPORAL_JOIN_LEFT_KEY",
            columns(&equi.left, 0),
            boolean.clone(),
            span,
        ),
        call(
            "__TEMPORAL_JOIN_RIGHT_KEY",
            columns(&equi.right, width),
            boolean.clone(),
            span,
        ),
    ];
    let parts = conjuncts(&join.condition)
        .into_iter()
        .map(|part| match &part.kind {
            ExprKind::Call { function, args } if function.name == LOGICAL_CONDITION => {
                let args = args.iter().cloned().chain(keys.clone()).gather();
                call(LOGICAL_CONDITION, args, boolean.clone(), span)
            }
            _ => part.clone(),
        });
    let condition = conjunction(parts.gather::<Vec<_>>());
    let condition = condition.as_ref().map_or_else(String::new, ast_text);
    let kind = if join.kind == JoinKind::Left {
        "left"
    } else {
        "inner"
    };
    let mut text = format!(
        "ValidationException: Temporal Table Join requires primary key in versioned table, but no primary key can be \
         found. The physical plan is:\nFlinkLogicalJoin(condition=[{condition}], joinType=[{kind}])\n"
    );
    flink_logical_below(left, 1, &mut text);
    let time = conjuncts(&join.condition)
        .into_iter()
        .find_map(|part| match &part.kind {
            ExprKind::Call { function, args } if function.name == LOGICAL_CONDITION => {
                args.first()?.as_column()
            }
            _ => None,
        })
        .and_then(|column| left.schema.get(column as usize))
        .map_or("", |field| &*field.name);
    for part in ["  FlinkLogicalSnapshot(period=[$cor1.", time, "])\n"] {
        text.push_str(part);
    }
    flink_logical_below(right, 2, &mut text);
    text
}
