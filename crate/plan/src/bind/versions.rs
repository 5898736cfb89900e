//! `FOR SYSTEM_TIME AS OF`: a join with the version of a row that was valid at a time of the left side.
//!
//! Flink: `LogicalCorrelateToJoinFromTemporalTableRule`. With event time both times go into the condition, so that what
//! follows is a join like any other until an exec node is chosen; with processing time the right side is marked as looked
//! up.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_expr::{Expr, planned_function};
use sg_sql::query as ast;
use sg_value::{DataType, TypeKind};

use super::{
    Binder,
    expr::{Clause, ExprCx},
    join::Bound,
};
use crate::{
    logical::{JoinKind, LogicalOp, condition_fields},
    physical::timed::LOGICAL_CONDITION,
};

/// The time behind `FOR SYSTEM_TIME AS OF`.
pub(super) const fn period_of(factor: &ast::TableFactor) -> Option<&ast::Expr> {
    match factor {
        ast::TableFactor::Table {
            version: Some(period),
            ..
        } => Some(period),
        _ => None,
    }
}

impl Binder<'_> {
    /// The right side and the condition of a join with versions.
    #[inline(never)]
    pub(super) fn versioned(
        &mut self,
        left: &Bound,
        right: Bound,
        (kind, condition): (JoinKind, Option<Expr>),
        period: &ast::Expr,
    ) -> (Bound, Option<Expr>) {
        let span = self.span(period);
        let mut cx = ExprCx::over(&left.1, Clause::On);
        let time = self.bind_expr(&mut cx, period);
        if time.is_invalid() {
            return (right, condition);
        }
        if !matches!(kind, JoinKind::Inner | JoinKind::Left) {
            let word = kind.word().to_ascii_uppercase();
            self.report(
                Diagnostic::new(Code::TemporalJoinKind, span)
                    .arg("kind", &word)
                    .flink(format!("IllegalStateException: Unknown join type {word}")),
            );
            return (right, condition);
        }
        let column = time
            .as_column()
            .filter(|_| time.data_type.is_rowtime() || time.data_type.is_proctime());
        if column.is_none() {
            if matches!(period, ast::Expr::Function(_)) {
                let text = self.printed(period);
                let flink = format!(
                    "ValidationException: SQL validation failed. Unsupported time travel expression: {text} for the expression \
                     can not be reduced to a constant by Flink."
                );
                self.report(Diagnostic::new(Code::VersionOfNoTimeAttribute, span).flink(flink));
                return (right, condition);
            }
            self.report(Diagnostic::new(Code::VersionOfNoTimeAttribute, span).flink(
                "ValidationException: Temporal table join currently only supports 'FOR SYSTEM_TIME AS OF' left table's time attribute field",
            ));
            return (right, condition);
        }
        if time.data_type.is_proctime() {
            let schema = right.0.schema.to_vec();
            let period = column
                .and_then(|column| left.0.schema.get(column as usize))
                .map_or_else(|| Rc::from(""), |field| Rc::clone(&field.name));
            let span = right.0.span;
            let node = self.builder.node(
                LogicalOp::Snapshot(period),
                vec![Rc::clone(&right.0)],
                schema,
                span,
            );
            return ((node, right.1), condition);
        }
        let both = condition_fields(&left.0.schema, &right.0.schema);
        let width = u32::try_from(left.0.schema.len()).unwrap_or(u32::MAX);
        let valid_from = (0_u32..)
            .zip(&both)
            .skip(left.0.schema.len())
            .find(|(_, field)| field.data_type.is_rowtime());
        let Some((at, field)) = valid_from.filter(|(at, _)| *at >= width) else {
            self.report(Diagnostic::new(Code::VersionsNeedRowtime, span).flink(
                "ValidationException: Event-Time Temporal Table Join requires both primary key and row time attribute in versioned \
                 table, but no row time attribute can be found.",
            ));
            return (right, condition);
        };
        let valid_from = Expr::column(at, field.data_type.clone(), span);
        let Some(function) = planned_function(LOGICAL_CONDITION) else {
            return (right, condition);
        };
        let version = Expr {
            kind: sg_expr::ExprKind::Call {
                function,
                args: vec![time, valid_from],
            },
            data_type: DataType::not_null(TypeKind::Boolean),
            span,
        };
        let condition = match condition {
            Some(condition) => {
                let span = condition.span.join(span);
                self.call("AND", vec![condition, version], span)
            }
            None => version,
        };
        (right, Some(condition))
    }
}
