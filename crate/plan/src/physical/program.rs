//! Projections and filters as one program: what a `Calc` computes.
//!
//! Flink merges consecutive projections and filters into one Calc and drops a Calc that changes nothing; the columns
//! of the result then keep the names they have below.

use std::rc::Rc;

use sg_diag::Span;
use sg_expr::{Expr, simplify};
use sg_value::{Field, Gather as _};

use super::{
    expression::{conjunction, differs_per_evaluation, substitute},
    node::{CalcSpec, PhysicalNode, PhysicalOp},
};
use crate::logical::{LogicalNode, LogicalOp, NodeId};

/// Filters first, then computes; everything over the columns of one input.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// One expression per output column.
    pub(super) projection: Vec<Expr>,
    /// Rows pass where it is TRUE.
    pub(super) condition: Option<Expr>,
    /// Output columns.
    pub(super) fields: Vec<Field>,
    /// The SQL text it came from.
    pub(super) span: Span,
}

impl Program {
    /// Passes every column on.
    pub(super) fn identity(fields: &[Field], span: Span) -> Self {
        let projection = (0_u32..)
            .zip(fields)
            .map(|(at, field)| Expr::column(at, field.data_type.clone(), span))
            .gather();
        Self {
            projection,
            condition: None,
            fields: fields.to_vec(),
            span,
        }
    }

    /// The program of the projections and filters at the top of a tree, and the first node below them.
    pub(super) fn of_chain(node: &Rc<LogicalNode>) -> (Self, &Rc<LogicalNode>) {
        let mut program = Self::identity(&node.schema, node.span);
        let mut at = node;
        while let (true, Some(input)) = (program.absorb(&at.op), at.inputs.first()) {
            at = input;
        }
        (program, at)
    }

    /// Puts a projection or a filter in front; false for another node, or where two evaluations of a
    /// non-deterministic expression would take the place of one.
    fn absorb(&mut self, op: &LogicalOp) -> bool {
        match op {
            LogicalOp::Project(project) => {
                if !self.can_inline(&project.expressions) {
                    return false;
                }
                self.projection = self
                    .projection
                    .iter()
                    .map(|expr| substitute(expr, &project.expressions))
                    .gather();
                self.condition = self
                    .condition
                    .as_ref()
                    .map(|expr| substitute(expr, &project.expressions));
                true
            }
            LogicalOp::Filter(filter) => {
                self.condition = conjunction(
                    [filter.condition.clone()]
                        .into_iter()
                        .chain(self.condition.take()),
                );
                true
            }
            LogicalOp::Scan(_)
            | LogicalOp::Values(_)
            | LogicalOp::Watermark(_)
            | LogicalOp::Aggregate(_)
            | LogicalOp::GroupWindow(_)
            | LogicalOp::WindowTvf(_)
            | LogicalOp::Union(_)
            | LogicalOp::Join(_)
            | LogicalOp::Snapshot(_)
            | LogicalOp::Correlate(_)
            | LogicalOp::SetOp(_)
            | LogicalOp::Match(_)
            | LogicalOp::Expand(_)
            | LogicalOp::Over(_)
            | LogicalOp::Rank(_)
            | LogicalOp::Sort(_)
            | LogicalOp::Sink(_) => false,
        }
    }

    fn can_inline(&self, below: &[Expr]) -> bool {
        let mut uses = vec![0_u32; below.len()];
        let mut count = |column: u32| {
            if let Some(uses) = uses.get_mut(column as usize) {
                *uses += 1;
            }
        };
        self.projection
            .iter()
            .chain(&self.condition)
            .for_each(|expr| expr.for_each_column(&mut count));
        below
            .iter()
            .zip(uses)
            .all(|(expr, uses)| uses <= 1 || !differs_per_evaluation(expr))
    }

    /// Whether it passes every column of an input of this width on and nothing else.
    pub(super) fn is_identity(&self, width: usize) -> bool {
        self.condition.is_none()
            && self.projection.len() == width
            && (0_u32..)
                .zip(&self.projection)
                .all(|(at, expr)| expr.as_column() == Some(at))
    }

    /// The program over a node as a Calc, merged with a Calc that the node is, left out where it changes nothing.
    pub(super) fn over(mut self, input: &Rc<PhysicalNode>, logical: Option<NodeId>) -> Rc<PhysicalNode> {
        let mut input = Rc::clone(input);
        if let (PhysicalOp::Calc(below), Some(base)) = (&input.op, input.inputs.first())
            && self.can_inline(&below.projection)
        {
            self.projection = self
                .projection
                .iter()
                .map(|expr| substitute(expr, &below.projection))
                .gather();
            let above = self
                .condition
                .as_ref()
                .map(|expr| substitute(expr, &below.projection));
            let merged = below.condition.is_some() && above.is_some();
            self.condition = conjunction(below.condition.clone().into_iter().chain(above));
            if merged {
                self.condition = self.condition.map(simplify);
            }
            self.span = self.span.join(input.span);
            input = Rc::clone(base);
        }
        if self.is_identity(input.schema.len()) {
            return input;
        }
        let op = PhysicalOp::Calc(CalcSpec {
            projection: self.projection,
            condition: self.condition,
        });
        Rc::new(PhysicalNode {
            logical,
            ..PhysicalNode::bare(op, vec![input], Rc::from(self.fields), self.span)
        })
    }
}
