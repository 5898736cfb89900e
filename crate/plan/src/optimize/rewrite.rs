//! What several rules do with trees and expressions.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind, function::Volatility};
use sg_value::{DataType, Field, Gather as _};

use crate::logical::{
    LogicalNode, LogicalOp, aggregate_schema, correlate_schema, join_schema, over_schema, rowtime,
    unique_names,
};

/// The node over other inputs; names and time attributes of its columns follow them.
pub(super) fn with_inputs(node: &LogicalNode, inputs: Vec<Rc<LogicalNode>>) -> Rc<LogicalNode> {
    let schema = schema_over(node, &inputs);
    Rc::new(LogicalNode {
        id: node.id,
        op: node.op.clone(),
        inputs,
        schema: Rc::from(schema),
        span: node.span,
    })
}

/// Whether the node is a ranking whose last column is the place.
fn puts_out_rank(node: &LogicalNode) -> bool {
    matches!(&node.op, LogicalOp::Rank(rank) if rank.puts_out_rank)
}

/// The columns of the input with those that a window adds, names made unique.
fn window_schema(input: &[Field], node: &LogicalNode) -> Vec<Field> {
    let width = input.len();
    let own = node
        .schema
        .get(node.schema.len().saturating_sub(3)..)
        .unwrap_or(&[]);
    let names: Vec<Option<Rc<str>>> = input
        .iter()
        .chain(own)
        .map(|field| Some(Rc::clone(&field.name)))
        .gather();
    let names = unique_names(&names);
    let types = input.iter().chain(own).map(|field| field.data_type.clone());
    debug_assert_eq!(names.len(), width + own.len(), "three columns are added");
    names
        .into_iter()
        .zip(types)
        .map(|(name, data_type)| Field { name, data_type })
        .gather()
}

/// The columns of the node over these inputs.
fn schema_over(node: &LogicalNode, inputs: &[Rc<LogicalNode>]) -> Vec<Field> {
    let Some(input) = inputs.first() else {
        return node.schema.to_vec();
    };
    match &node.op {
        LogicalOp::Filter(_) | LogicalOp::Sort(_) | LogicalOp::Snapshot(_) => input.schema.to_vec(),
        LogicalOp::Over(over) => over_schema(&input.schema, over),
        LogicalOp::Rank(_) => {
            let own = node
                .schema
                .iter()
                .skip(node.schema.len() - usize::from(puts_out_rank(node)));
            input.schema.iter().chain(own).cloned().gather()
        }
        LogicalOp::Watermark(watermark) => {
            let mut schema = input.schema.to_vec();
            if let Some(field) = schema.get_mut(watermark.rowtime as usize) {
                field.data_type = rowtime(&field.data_type);
            }
            schema
        }
        LogicalOp::Aggregate(aggregate) => aggregate_schema(&input.schema, aggregate),
        LogicalOp::GroupWindow(window) => window
            .keys
            .iter()
            .filter_map(|key| input.schema.get(*key as usize))
            .chain(node.schema.iter().skip(window.keys.len()))
            .cloned()
            .gather(),
        LogicalOp::Sink(_) => input.schema.to_vec(),
        LogicalOp::WindowTvf(_) => window_schema(&input.schema, node),
        LogicalOp::Union(_) | LogicalOp::SetOp(_) => node
            .schema
            .iter()
            .zip(input.schema.iter())
            .map(|(own, first)| Field {
                name: Rc::clone(&first.name),
                data_type: own.data_type.clone(),
            })
            .gather(),
        LogicalOp::Project(project) => node
            .schema
            .iter()
            .zip(&project.expressions)
            .map(|(field, expr)| Field {
                name: Rc::clone(&field.name),
                data_type: expr.data_type.clone(),
            })
            .gather(),
        LogicalOp::Correlate(correlate) => correlate_schema(&input.schema, correlate),
        LogicalOp::Join(join) => {
            let right = inputs.get(1).map(|right| &*right.schema).unwrap_or_default();
            join_schema(join.kind, &input.schema, right)
        }
        LogicalOp::Scan(_) | LogicalOp::Values(_) | LogicalOp::Expand(_) | LogicalOp::Match(_) => {
            node.schema.to_vec()
        }
    }
}

/// Whether the types are the same but for time attributes and nullability; names may change.
pub(super) fn same_types(before: &[Field], after: &[Field]) -> bool {
    let kind = |field: &Field| field.data_type.without_time_attribute().kind;
    before.len() == after.len()
        && before
            .iter()
            .zip(after)
            .all(|(before, after)| kind(before) == kind(after))
}

/// The expression with every column replaced by an expression.
pub(super) fn substitute(expr: &Expr, with: &[Expr]) -> Expr {
    match &expr.kind {
        ExprKind::Column(column) => with
            .get(*column as usize)
            .map_or_else(|| Expr::invalid(expr.span), std::clone::Clone::clone),
        ExprKind::Call { function, args } => {
            let args = args.iter().map(|arg| substitute(arg, with)).gather();
            Expr {
                kind: ExprKind::Call { function, args },
                data_type: expr.data_type.clone(),
                span: expr.span,
            }
        }
        ExprKind::Literal(_) | ExprKind::Invalid => expr.clone(),
    }
}

/// The columns that the expressions read, in the order of their numbers, once each.
pub(super) fn columns_of<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<u32> {
    let mut columns = Vec::new();
    for expr in exprs {
        expr.for_each_column(&mut |column| columns.push(column));
    }
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// Whether the value differs from row to row by more than its arguments.
pub(super) fn is_volatile(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { function, args } => {
            function.volatility == Volatility::PerRow || args.iter().any(is_volatile)
        }
        _ => false,
    }
}

/// How often each column is read.
pub(super) fn reads(exprs: &[Expr], width: usize) -> Vec<usize> {
    let mut counts = vec![0_usize; width];
    for expr in exprs {
        expr.for_each_column(&mut |column| {
            if let Some(count) = counts.get_mut(column as usize) {
                *count += 1;
            }
        });
    }
    counts
}

/// The conditions that an AND joins, or the one condition.
pub(super) fn conjuncts(condition: &Expr) -> Vec<Expr> {
    match &condition.kind {
        ExprKind::Call { function, args } if function.name == "AND" => {
            args.iter().flat_map(conjuncts).gather()
        }
        _ => vec![condition.clone()],
    }
}

/// The conditions joined by AND; `None` for none.
pub(super) fn conjunction(conditions: &[Expr]) -> Option<Expr> {
    let mut flat: Vec<Expr> = conditions.iter().flat_map(conjuncts).gather();
    if flat.len() <= 1 {
        return flat.pop();
    }
    let span = flat
        .iter()
        .map(|condition| condition.span)
        .reduce(sg_diag::Span::join)
        .unwrap_or_default();
    let mut diags = sg_diag::Diagnostics::new();
    let joined = sg_expr::resolve_call("AND", flat, span, &mut diags);
    debug_assert!(diags.is_empty(), "conditions are BOOLEAN");
    Some(joined)
}

/// References to all columns of a node.
pub(super) fn all_columns(node: &LogicalNode) -> Vec<Expr> {
    (0_u32..)
        .zip(node.schema.iter())
        .map(|(at, field)| Expr::column(at, field.data_type.clone(), node.span))
        .gather()
}

/// Names of a node's columns.
pub(super) fn names(node: &LogicalNode) -> Vec<Rc<str>> {
    node.schema.iter().map(|field| Rc::clone(&field.name)).gather()
}

/// Where each kept column stands: `positions[old] = new`.
pub(super) fn positions(kept: &[u32], width: usize) -> Vec<Option<u32>> {
    let mut positions = vec![None; width];
    for (new, &old) in (0_u32..).zip(kept) {
        if let Some(slot) = positions.get_mut(old as usize) {
            *slot = Some(new);
        }
    }
    positions
}

/// The expression over the kept columns.
pub(super) fn renumber(expr: &Expr, positions: &[Option<u32>]) -> Expr {
    expr.map_columns(&mut |column| {
        positions
            .get(column as usize)
            .copied()
            .flatten()
            .unwrap_or(u32::MAX)
    })
}

/// The plain type of a time attribute, nullability kept.
pub(super) fn plain(data_type: &DataType) -> DataType {
    data_type.without_time_attribute()
}
