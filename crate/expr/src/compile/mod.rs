//! From the tree to closures. Nothing is allocated per row on the typed paths.

mod call;
mod node;
mod typed;

use sg_diag::Span;
use sg_value::{Gather as _, Value};

use crate::{
    bound::{Expr, ExprKind},
    eval::{EvalCx, EvalError},
    function::{CallSite, Eval, Failure},
};

pub(crate) use node::{BoolFn, Node};
pub(crate) use typed::{
    binary_bytes_like, binary_double, binary_int, binary_timestamp, double_operand, unary_int,
};

/// An expression ready to run.
pub struct Compiled {
    node: Node,
}

impl Compiled {
    /// The value for a row.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub fn eval(&self, row: &[Value], cx: &EvalCx) -> Result<Value, EvalError> {
        self.node.eval(row, cx)
    }

    /// Whether a BOOLEAN expression is TRUE (not FALSE, not NULL) for a row.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub fn test(&self, row: &[Value], cx: &EvalCx) -> Result<bool, EvalError> {
        match &self.node {
            Node::Bool(compute) => Ok(compute(row, cx)? == Some(true)),
            other => Ok(matches!(other.eval(row, cx)?, Value::Bool(true))),
        }
    }

    /// The column number, if the expression is nothing but a column.
    pub fn as_column(&self) -> Option<usize> {
        match self.node {
            Node::Column(column) => Some(column),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Compiled({})", self.node.shape())
    }
}

/// Compiles an expression; `Invalid` parts give NULL.
pub fn compile(expr: &Expr) -> Compiled {
    Compiled {
        node: compile_node(expr),
    }
}

/// Compiles to a node, so that the parent can look for fast paths.
pub(crate) fn compile_node(expr: &Expr) -> Node {
    match &expr.kind {
        ExprKind::Column(column) => Node::Column(*column as usize),
        ExprKind::Literal(value) => Node::Literal(value.clone()),
        ExprKind::Invalid => Node::Literal(Value::Null),
        ExprKind::Call { function, args } => {
            let site = CallSite {
                function,
                args,
                data_type: &expr.data_type,
                span: expr.span,
            };
            let nodes: Vec<Node> = args.iter().map(compile_node).gather();
            match &function.eval {
                Eval::Node(build) => build(&site, nodes),
                Eval::Build(build) => call::node(build(&site), nodes, function.nulls, expr.span),
                Eval::Values(compute) => {
                    let compute = *compute;
                    call::node(
                        move |values: &[Value], _: &EvalCx| compute(values),
                        nodes,
                        function.nulls,
                        expr.span,
                    )
                }
                Eval::Double(compute) => typed::double_call(&site, nodes, *compute),
                Eval::Doubles(compute) => typed::doubles_call(&site, nodes, *compute),
                Eval::Never => Node::Literal(Value::Null),
            }
        }
    }
}

/// Gives a failure its place in the SQL.
#[cold]
pub(crate) fn place(mut failure: Failure, span: Span) -> EvalError {
    failure.span = span;
    EvalError { diagnostic: failure }
}
