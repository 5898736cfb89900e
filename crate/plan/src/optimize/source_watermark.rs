//! `SOURCE_WATERMARK()` needs no assigner: the scan delivers watermarks with its rows.
//!
//! Flink: `PushWatermarkIntoTableSourceScanRule`, `PushWatermarkIntoTableSourceScanAcrossCalcRule`. Where the event
//! time is a computed column, it stays in the projection above the scan.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind, planned_function};

use super::{Rule, RuleContext, rewrite::with_inputs};
use crate::logical::{LogicalNode, LogicalOp};

pub(super) struct SourceWatermark;

impl Rule for SourceWatermark {
    fn name(&self) -> &'static str {
        "source-watermark"
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Watermark(watermark) = &node.op else {
            return None;
        };
        if watermark.expression.is_some() {
            return None;
        }
        let below = node.inputs.first()?;
        let input = match &below.op {
            LogicalOp::Scan(_) => marked(below, Some(watermark.rowtime))?,
            LogicalOp::Project(project) => {
                project.expressions.get(watermark.rowtime as usize)?.as_column()?;
                let scan = marked(below.inputs.first()?, None)?;
                retyped(below, watermark.rowtime, scan)
            }
            _ => return None,
        };
        Some(input)
    }
}

/// The scan with its watermarks, and the event-time column as such if it is one of its own.
fn marked(scan: &Rc<LogicalNode>, rowtime: Option<u32>) -> Option<Rc<LogicalNode>> {
    let LogicalOp::Scan(node) = &scan.op else {
        return None;
    };
    let mut marked = node.clone();
    marked.source_watermark = true;
    let mut schema = scan.schema.to_vec();
    if let Some(field) = rowtime.and_then(|at| schema.get_mut(at as usize)) {
        field.data_type = crate::logical::rowtime(&field.data_type);
    }
    Some(Rc::new(LogicalNode {
        op: LogicalOp::Scan(marked),
        schema: Rc::from(schema),
        ..(**scan).clone()
    }))
}

/// The projection over the marked scan; it makes a time attribute of its event-time column.
fn retyped(project: &Rc<LogicalNode>, rowtime: u32, scan: Rc<LogicalNode>) -> Rc<LogicalNode> {
    let mut changed = (**project).clone();
    if let LogicalOp::Project(node) = &mut changed.op
        && let Some(expr) = node.expressions.get_mut(rowtime as usize)
        && let Some(function) = planned_function("Reinterpret")
    {
        let data_type = crate::logical::rowtime(&expr.data_type);
        expr.data_type = data_type.clone();
        *expr = Expr {
            kind: ExprKind::Call {
                function,
                args: vec![expr.clone()],
            },
            data_type,
            span: expr.span,
        };
    }
    with_inputs(&changed, vec![scan])
}
