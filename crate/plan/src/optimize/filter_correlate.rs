//! Conditions on the columns of a table function become its own, those on the row are tested before it is called.
//!
//! Calcite: `FilterCorrelateRule`. Not for rows of the function where a row without any is kept.
//! Case: unnest/condition-on-elements.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind};
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    join_parts::{Reads, of_right},
    rewrite::{conjunction, conjuncts, with_inputs},
};
use crate::logical::{CorrelateNode, LogicalNode, LogicalOp};

pub(super) struct FilterIntoCorrelate;

impl Rule for FilterIntoCorrelate {
    fn name(&self) -> &'static str {
        "filter-into-correlate"
    }

    fn needs(&self) -> Kinds {
        Kinds::CORRELATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Filter(filter) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let LogicalOp::Correlate(correlate) = &below.op else {
            return None;
        };
        let input = below.inputs.first()?;
        let width = u32::try_from(input.schema.len()).ok()?;
        let (mut before, mut own, mut stay) = (Vec::new(), Vec::new(), Vec::new());
        for part in conjuncts(&filter.condition) {
            match Reads::of(&part, width) {
                Reads::Left => before.push(part),
                Reads::Right if !correlate.left => own.push(of_right(&part, width)),
                _ => stay.push(part),
            }
        }
        if before.is_empty() && own.is_empty() {
            return None;
        }
        let mut changed = (**correlate).clone();
        if own.iter().any(fixes) {
            // a projection with the constant stands between for a while, and leaves its names
            changed.columns = changed
                .columns
                .iter()
                .zip(&changed.names)
                .map(|(field, name)| sg_value::Field {
                    name: Rc::clone(name),
                    data_type: field.data_type.clone(),
                })
                .gather();
        }
        let all: Vec<Expr> = changed.condition.iter().cloned().chain(own).gather();
        changed.condition = conjunction(&all);
        let input = match conjunction(&before) {
            Some(condition) => {
                let span = condition.span;
                cx.builder.filter(Rc::clone(input), condition, span)
            }
            None => Rc::clone(input),
        };
        let called = with_op(below, changed, input);
        Some(match conjunction(&stay) {
            Some(condition) => cx.builder.filter(called, condition, node.span),
            None => called,
        })
    }
}

fn with_op(node: &LogicalNode, correlate: CorrelateNode, input: Rc<LogicalNode>) -> Rc<LogicalNode> {
    let changed = LogicalNode {
        op: LogicalOp::Correlate(Box::new(correlate)),
        ..node.clone()
    };
    with_inputs(&changed, vec![input])
}

/// Whether a condition says that a column is one constant.
fn fixes(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Call { function, args } if function.name == "=" => {
            args.iter().any(|arg| arg.as_column().is_some())
                && args.iter().any(|arg| arg.as_literal().is_some())
        }
        _ => false,
    }
}
