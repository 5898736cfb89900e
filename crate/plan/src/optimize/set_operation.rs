//! INTERSECT and EXCEPT as joins and aggregations.
//!
//! Flink: `ReplaceIntersectWithSemiJoinRule`, `ReplaceMinusWithAntiJoinRule`, `RewriteIntersectAllRule`,
//! `RewriteMinusAllRule`. With ALL, copies of either side are counted and rows repeated as often as is left.
//! Cases: setop/*.

use std::rc::Rc;

use sg_diag::Span;
use sg_expr::Expr;
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, conjunction, names},
    subquery::make::{aggregate, aggregate_call, call, column, compare_with, join, truth},
};
use crate::logical::{CorrelateNode, JoinKind, LogicalNode, LogicalOp, SetOpNode, TableFunction, UnionNode};

pub(super) struct RewriteSetOperation;

impl Rule for RewriteSetOperation {
    fn name(&self) -> &'static str {
        "rewrite-set-operation"
    }

    fn needs(&self) -> Kinds {
        Kinds::SET_OPERATION
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::SetOp(SetOpNode { except, all }) = node.op else {
            return None;
        };
        let [left, right] = node.inputs.as_slice() else {
            return None;
        };
        match (except, all) {
            (except, false) => distinct(left, right, except, cx),
            (false, true) => intersect_all(node, (left, right), cx),
            (true, true) => except_all(node, (left, right), cx),
        }
    }
}

/// Rows of the left side with, or without, an equal one on the right, once each.
fn distinct(
    left: &Rc<LogicalNode>,
    right: &Rc<LogicalNode>,
    except: bool,
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let count = u32::try_from(left.schema.len()).ok()?;
    let span = left.span;
    let alone = count == 1;
    let conditions: Vec<Expr> = (0..count)
        .map(|at| {
            let other = column(right, at).map_columns(&mut |at| at + count);
            same(column(left, at), other, (alone, span))
        })
        .gather();
    let kind = if except { JoinKind::Anti } else { JoinKind::Semi };
    let joined = join(left, Rc::clone(right), (kind, conjunction(&conditions)), cx);
    Some(aggregate(joined, (0..count).gather(), Vec::new(), cx))
}

/// Equality under which NULL equals NULL. Flink's plan shows it in one word only where it is the whole condition.
fn same(left: Expr, right: Expr, (alone, span): (bool, Span)) -> Expr {
    if !left.data_type.nullable && !right.data_type.nullable {
        return call("=", vec![left, right], span);
    }
    if alone {
        return call("IS NOT DISTINCT FROM", vec![left, right], span);
    }
    let nulls = vec![
        call("IS NULL", vec![left.clone()], span),
        call("IS NULL", vec![right.clone()], span),
    ];
    let equal = call("=", vec![left, right], span);
    call("OR", vec![equal, call("AND", nulls, span)], span)
}

/// The side with more columns behind its own.
fn marked(side: &Rc<LogicalNode>, marks: Vec<(Expr, &str)>, cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    let mut expressions = all_columns(side);
    let mut all_names = names(side);
    for (expr, name) in marks {
        expressions.push(expr);
        all_names.push(Rc::from(name));
    }
    cx.builder
        .project_always(Rc::clone(side), expressions, &all_names, side.span)
}

fn union_all(left: Rc<LogicalNode>, right: Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    let schema: Vec<Field> = left
        .schema
        .iter()
        .zip(right.schema.iter())
        .map(|(one, other)| Field {
            name: Rc::clone(&one.name),
            data_type: one
                .data_type
                .with_nullable(one.data_type.nullable || other.data_type.nullable),
        })
        .gather();
    let span = left.span;
    cx.builder
        .union(vec![left, right], schema, UnionNode { all: true }, span)
}

/// The rows of `counted`, whose first column says how often; then without that column.
fn repeated(counted: Rc<LogicalNode>, like: &LogicalNode, cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    let span = like.span;
    let width = counted.schema.len();
    let columns: Vec<Field> = counted.schema.iter().skip(1).cloned().gather();
    let own_names: Vec<Rc<str>> = columns.iter().map(|field| Rc::clone(&field.name)).gather();
    let node = CorrelateNode {
        left: false,
        function: TableFunction::ReplicateRows,
        args: all_columns(&counted),
        names: own_names,
        columns,
        condition: None,
        lookups: 0,
    };
    let replicated = cx.builder.correlate(counted, node, span);
    let expressions = all_columns(&replicated).into_iter().skip(width).gather();
    cx.builder
        .project_always(replicated, expressions, &names(like), span)
}

#[inline(never)]
fn intersect_all(
    node: &LogicalNode,
    (left, right): (&Rc<LogicalNode>, &Rc<LogicalNode>),
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    const LEFT: &str = "vcol_left_marker";
    const RIGHT: &str = "vcol_right_marker";
    let span = node.span;
    let nothing = || Expr::literal(Value::Null, DataType::nullable(TypeKind::Boolean), span);
    let count = u32::try_from(left.schema.len()).ok()?;
    let of_left = marked(left, vec![(truth(true, span), LEFT), (nothing(), RIGHT)], cx);
    let of_right = marked(right, vec![(nothing(), LEFT), (truth(true, span), RIGHT)], cx);
    let both = union_all(of_left, of_right, cx);
    let calls = vec![
        aggregate_call("COUNT", &[count], &both, (true, "vcol_left_cnt"))?,
        aggregate_call("COUNT", &[count + 1], &both, (true, "vcol_right_cnt"))?,
    ];
    let counted = aggregate(both, (0..count).gather(), calls, cx);
    let (on_left, on_right) = (column(&counted, count), column(&counted, count + 1));
    let conditions = [
        compare_with(">=", on_left.clone(), 1, span),
        compare_with(">=", on_right.clone(), 1, span),
    ];
    let passing = cx.builder.filter(counted, conjunction(&conditions)?, span);
    let more = call(">", vec![on_left.clone(), on_right.clone()], span);
    let smaller = call("IF", vec![more, on_right, on_left], span);
    let mut expressions = vec![smaller];
    let mut all_names: Vec<Rc<str>> = vec![Rc::from("$f0")];
    expressions.extend((0..count).map(|at| column(&passing, at)));
    all_names.extend(names(&passing).into_iter().take(count as usize));
    let times = cx.builder.project_always(passing, expressions, &all_names, span);
    Some(repeated(times, node, cx))
}

fn except_all(
    node: &LogicalNode,
    (left, right): (&Rc<LogicalNode>, &Rc<LogicalNode>),
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let span = node.span;
    let number = |value: i64| Expr::literal(Value::Int(value), DataType::not_null(TypeKind::BigInt), span);
    let count = u32::try_from(left.schema.len()).ok()?;
    let of_left = marked(left, vec![(number(1), "vcol_marker")], cx);
    let of_right = marked(right, vec![(number(-1), "vcol_marker")], cx);
    let both = union_all(of_left, of_right, cx);
    let sum = aggregate_call("SUM", &[count], &both, (true, "sum_vcol_marker"))?;
    let counted = aggregate(both, (0..count).gather(), vec![sum], cx);
    let left_over = column(&counted, count);
    let positive = compare_with(">", left_over.clone(), 0, span);
    let passing = cx.builder.filter(counted, positive, span);
    let mut expressions = vec![left_over];
    let mut all_names: Vec<Rc<str>> = vec![Rc::from("sum_vcol_marker")];
    expressions.extend((0..count).map(|at| column(&passing, at)));
    all_names.extend(names(&passing).into_iter().take(count as usize));
    let times = cx.builder.project_always(passing, expressions, &all_names, span);
    Some(repeated(times, node, cx))
}
