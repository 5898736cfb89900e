//! From logical to physical nodes: which exec node does what. Traits (changelog modes, keys, exchanges) come later,
//! each by a pass of its own.

mod aggregate;
mod batch;
mod correlate;
mod group_window;
mod join;
mod lookup;
mod lookup_cache;
mod multi_join;
mod rank;
mod scan;
mod sink;
mod timed;
mod versions;
mod window;

pub(super) use rank::one_time_column;

pub(super) use correlate::lookups;
pub(super) use lookup::delivered_fields;
pub(super) use sink::collect;
use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_expr::{Expr, ExprKind, function::subquery::is_sub_query};
use sg_value::{Field, Gather as _};

use super::{
    expression::columns_of,
    node::{ExpandSpec, PhysicalNode, PhysicalOp, ValuesSpec},
    program::Program,
};
use crate::{
    logical::{LogicalNode, LogicalOp, expressions},
    settings::Settings,
};

/// Turns trees of logical nodes, in which time attributes are materialised, into trees of physical ones.
pub(super) struct Lowering<'a> {
    pub(super) settings: &'a Settings,
    pub(super) diags: &'a mut Diagnostics,
    /// The tree that is lowered: messages show it in Flink's words.
    pub(super) root: &'a Rc<LogicalNode>,
    /// Number of the next variable of a table function that is called for each row.
    pub(super) next_variable: u32,
}

impl Lowering<'_> {
    /// The whole tree; sub-queries that optimization could not take apart are refused.
    pub(super) fn lower_root(&mut self, root: &Rc<LogicalNode>) -> Option<Rc<PhysicalNode>> {
        if let Some(span) = left_over(root) {
            let diagnostic = if is_lateral(root) {
                Diagnostic::new(Code::CorrelationLeft, span)
                    .flink("TableException: unexpected correlate variable $cor1 in the plan")
            } else {
                Diagnostic::new(Code::NotSupported, span).arg("feature", "this correlated (SELECT …)")
            };
            self.diags.push(diagnostic);
            return None;
        }
        let node = self.lower(root)?;
        if self.settings.batch && !matches!(node.op, PhysicalOp::Sink(_)) {
            return Some(sink::final_result(root, node));
        }
        Some(node)
    }

    /// Rows per bundle, where changes are taken in mini-batches.
    pub(super) fn bundle(&self) -> Option<i64> {
        self.settings.mini_batch.then_some(self.settings.mini_batch_rows)
    }

    /// The tree of exec nodes; `None` where a diagnostic says why there is none.
    pub(super) fn lower(&mut self, node: &Rc<LogicalNode>) -> Option<Rc<PhysicalNode>> {
        match &node.op {
            LogicalOp::Scan(scan) => self.scan(node, scan),
            LogicalOp::Values(values) => Some(make(
                node,
                PhysicalOp::Values(ValuesSpec {
                    rows: values.rows.clone(),
                }),
                Vec::new(),
                node.schema.to_vec(),
            )),
            LogicalOp::Watermark(watermark) => self.watermark(node, watermark),
            LogicalOp::Project(_) | LogicalOp::Filter(_) => {
                let (program, base) = Program::of_chain(node);
                let input = self.lower(base)?;
                Some(program.over(&input, Some(node.id)))
            }
            LogicalOp::Expand(expand) => {
                if let Some(below) = self.expand_below_session(node) {
                    return Some(below);
                }
                let input = self.lower_input(node)?;
                let spec = ExpandSpec {
                    projections: expand.projections.clone(),
                };
                Some(make(
                    node,
                    PhysicalOp::Expand(spec),
                    vec![input],
                    node.schema.to_vec(),
                ))
            }
            LogicalOp::Aggregate(aggregate) => self.aggregate(node, aggregate),
            LogicalOp::GroupWindow(window) => self.group_window(node, window),
            LogicalOp::WindowTvf(tvf) => self.window_tvf(node, tvf),
            LogicalOp::Join(join) => self.any_join(node, join),
            LogicalOp::Snapshot(_) => self.lower_input(node),
            LogicalOp::Correlate(correlate) => self.correlate(node, correlate),
            LogicalOp::SetOp(_) => self.unsupported("SetOp", node.span),
            LogicalOp::Match(matched) => {
                let input = self.lower_input(node)?;
                let op = PhysicalOp::Match(Rc::clone(matched));
                Some(make(node, op, vec![input], node.schema.to_vec()))
            }
            LogicalOp::Union(union) => {
                if !union.all {
                    return self.unsupported("Union(all=[false])", node.span);
                }
                let inputs: Vec<_> = node
                    .inputs
                    .iter()
                    .map(|input| self.lower(input))
                    .gather::<Option<_>>()?;
                let first = inputs.first()?;
                let fields = first
                    .schema
                    .iter()
                    .zip(node.schema.iter())
                    .map(|(name, own)| renamed(own, &name.name))
                    .gather();
                Some(make(node, PhysicalOp::Union, inputs, fields))
            }
            LogicalOp::Over(over) => self.over(node, over),
            LogicalOp::Rank(rank) => self.rank(node, rank),
            LogicalOp::Sort(sort) => self.sort(node, sort),
            LogicalOp::Sink(sink) => self.sink(node, sink),
        }
    }

    fn lower_input(&mut self, node: &LogicalNode) -> Option<Rc<PhysicalNode>> {
        self.lower(node.inputs.first()?)
    }

    /// Says that Flink runs this and Streamglass does not.
    fn unsupported<T>(&mut self, operator: &str, span: Span) -> Option<T> {
        self.diags
            .push(Diagnostic::new(Code::OperatorNotSupported, span).arg("operator", operator));
        None
    }
}

/// Whether a LATERAL is still one.
fn is_lateral(node: &LogicalNode) -> bool {
    matches!(&node.op, LogicalOp::Join(join) if join.lateral.is_some())
        || node.inputs.iter().any(|input| is_lateral(input))
}

/// Where a sub-query, or what it reads of the query around, is still in the tree.
fn left_over(node: &LogicalNode) -> Option<Span> {
    fn of_expr(expr: &Expr) -> Option<Span> {
        let ExprKind::Call { function, args } = &expr.kind else {
            return None;
        };
        if is_sub_query(function.name) {
            return Some(expr.span);
        }
        args.iter().find_map(of_expr)
    }
    let own = expressions(node).into_iter().find_map(of_expr);
    own.or_else(|| node.inputs.iter().find_map(|input| left_over(input)))
}

/// A node that stands for a logical one.
fn make(
    logical: &LogicalNode,
    op: PhysicalOp,
    inputs: Vec<Rc<PhysicalNode>>,
    fields: Vec<Field>,
) -> Rc<PhysicalNode> {
    Rc::new(PhysicalNode {
        logical: Some(logical.id),
        ..PhysicalNode::bare(op, inputs, Rc::from(fields), logical.span)
    })
}

fn renamed(field: &Field, name: &Rc<str>) -> Field {
    Field {
        name: Rc::clone(name),
        data_type: field.data_type.clone(),
    }
}

/// The columns that a condition reads; none without one.
fn condition_columns(program: &Program) -> Vec<u32> {
    program.condition.as_ref().map(columns_of).unwrap_or_default()
}
