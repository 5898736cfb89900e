//! Pieces of plans that sub-queries need.

use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_expr::{
    AggregateCall, Expr, ExprKind, aggregate::AggregateContext, aggregate::SINGLE_VALUE, planned_function,
    resolve_aggregate, resolve_call,
};
use sg_value::{DataType, Gather as _, TypeKind, Value};

use crate::{
    logical::{AggregateNode, AggregateStage, JoinHints, JoinKind, JoinNode, LogicalNode, always},
    optimize::RuleContext,
};

/// A call of the expression registry on arguments that are known to fit.
pub(in crate::optimize) fn call(name: &str, args: Vec<Expr>, span: Span) -> Expr {
    resolve_call(name, args, span, &mut Diagnostics::new())
}

pub(in crate::optimize) fn truth(value: bool, span: Span) -> Expr {
    Expr::literal(Value::Bool(value), DataType::not_null(TypeKind::Boolean), span)
}

pub(in crate::optimize) fn zero(data_type: &DataType, span: Span) -> Expr {
    Expr::literal(Value::Int(0), data_type.with_nullable(false), span)
}

/// A comparison with a constant that keeps its own type, as Calcite's builder writes it.
pub(in crate::optimize) fn compare_with(op: &str, left: Expr, number: i64, span: Span) -> Expr {
    let constant = Expr::literal(Value::Int(number), DataType::not_null(TypeKind::Int), span);
    let data_type = DataType {
        kind: TypeKind::Boolean,
        nullable: left.data_type.nullable,
    };
    match planned_function(op) {
        Some(function) => Expr {
            kind: ExprKind::Call {
                function,
                args: vec![left, constant],
            },
            data_type,
            span,
        },
        None => Expr::invalid(span),
    }
}

/// A column of a node.
pub(in crate::optimize) fn column(node: &LogicalNode, at: u32) -> Expr {
    let field = node.schema.get(at as usize);
    field.map_or_else(
        || Expr::invalid(node.span),
        |field| Expr::column(at, field.data_type.clone(), node.span),
    )
}

/// An aggregate call over columns of an input; `None` where the function does not take them.
pub(in crate::optimize) fn aggregate_call(
    name: &str,
    args: &[u32],
    input: &LogicalNode,
    (grouped, output): (bool, &str),
) -> Option<AggregateCall> {
    let arg_types: Vec<DataType> = args
        .iter()
        .filter_map(|&arg| input.schema.get(arg as usize))
        .map(|field| field.data_type.clone())
        .gather();
    let cx = AggregateContext {
        grouped,
        ..AggregateContext::default()
    };
    let (function, data_type) = resolve_aggregate(name, &arg_types, cx, input.span, &mut Diagnostics::new())?;
    Some(AggregateCall {
        function,
        args: args.to_vec(),
        arg_types,
        distinct: false,
        filter: None,
        retract: false,
        data_type,
        name: Rc::from(output),
        span: input.span,
        user: None,
    })
}

/// The call that fails on a second row; named by its place in the output.
pub(in crate::optimize) fn single_value(
    input: &LogicalNode,
    arg: u32,
    place: usize,
) -> Option<AggregateCall> {
    let field = input.schema.get(arg as usize)?;
    Some(AggregateCall {
        function: &SINGLE_VALUE,
        args: vec![arg],
        arg_types: vec![field.data_type.clone()],
        distinct: false,
        filter: None,
        retract: false,
        data_type: field.data_type.with_nullable(true),
        name: Rc::from(format!("$f{place}")),
        span: input.span,
        user: None,
    })
}

/// An aggregation by these columns.
pub(in crate::optimize) fn aggregate(
    input: Rc<LogicalNode>,
    keys: Vec<u32>,
    calls: Vec<AggregateCall>,
    cx: &mut RuleContext<'_>,
) -> Rc<LogicalNode> {
    let count = u32::try_from(keys.len()).unwrap_or(u32::MAX);
    let span = input.span;
    let node = AggregateNode {
        sets: vec![(0..count).gather()],
        keys,
        calls,
        ttl_hint: None,
        stage: AggregateStage::Whole,
    };
    cx.builder.aggregate(input, node, span)
}

/// A join without hints.
pub(in crate::optimize) fn join(
    left: &Rc<LogicalNode>,
    right: Rc<LogicalNode>,
    (kind, condition): (JoinKind, Option<Expr>),
    cx: &mut RuleContext<'_>,
) -> Rc<LogicalNode> {
    let span = right.span;
    let node = JoinNode {
        kind,
        condition: condition.unwrap_or_else(|| always(span)),
        hints: JoinHints::default(),
        lateral: None,
    };
    cx.builder.join((Rc::clone(left), right), node, span)
}
