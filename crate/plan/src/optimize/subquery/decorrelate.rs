//! Takes conditions that read the query around out of a sub-query.
//!
//! Flink: `SubQueryDecorrelator`, Calcite's `RelDecorrelator`.

use std::rc::Rc;

use sg_expr::{AggregateCall, Expr, ExprKind};
use sg_value::Gather as _;

use super::make::{aggregate, call, column, join};
use crate::{
    logical::{
        AggregateNode, JoinKind, LogicalNode, LogicalOp, as_outer_column, expressions, outer_columns_of,
        unique_name,
    },
    optimize::{
        RuleContext,
        rewrite::{all_columns, columns_of, conjunction, conjuncts, names, with_inputs},
    },
};

/// A sub-query without conditions on the query around.
pub(super) struct Pulled {
    pub(super) node: Rc<LogicalNode>,
    /// Where the columns of the sub-query are in `node`.
    pub(super) columns: Vec<u32>,
    /// What was taken out, over the columns of `node` and of the query around.
    pub(super) conditions: Vec<Expr>,
    /// Whether values of the query around were joined in: Flink makes a correlation of it first.
    pub(super) generated: bool,
}

/// What becomes of a condition that is taken out.
#[derive(Clone, Copy)]
pub(super) enum Mode<'n> {
    /// It is a condition of the join.
    AsWritten,
    /// Only equalities with a column of the query around; its distinct values join in for anything else.
    Equal(&'n Rc<LogicalNode>),
}

/// Whether a tree reads columns of this query around.
pub(super) fn reads(node: &LogicalNode, outer: u32) -> bool {
    expressions(node).iter().any(|expr| expr_reads(expr, outer))
        || node.inputs.iter().any(|input| reads(input, outer))
}

fn expr_reads(expr: &Expr, outer: u32) -> bool {
    outer_columns_of(expr).iter().any(|(query, _)| *query == outer)
}

/// The sub-query without its conditions on the query around; `None` where they cannot be taken out.
pub(super) fn pull(
    node: &Rc<LogicalNode>,
    outer: u32,
    mode: Mode<'_>,
    cx: &mut RuleContext<'_>,
) -> Option<Pulled> {
    if !reads(node, outer) {
        let count = u32::try_from(node.schema.len()).ok()?;
        return Some(Pulled {
            node: Rc::clone(node),
            columns: (0..count).gather(),
            conditions: Vec::new(),
            generated: false,
        });
    }
    match &node.op {
        LogicalOp::Filter(filter) => {
            let below = pull(node.inputs.first()?, outer, mode, cx)?;
            of_filter(below, &filter.condition, (outer, mode), cx)
        }
        LogicalOp::Project(project) => {
            if project.expressions.iter().any(|expr| expr_reads(expr, outer)) {
                return None;
            }
            let below = pull(node.inputs.first()?, outer, mode, cx)?;
            Some(of_project(node, below, &project.expressions, cx))
        }
        LogicalOp::Aggregate(grouping) => {
            let below = pull(node.inputs.first()?, outer, mode, cx)?;
            of_aggregate(&below, grouping, cx)
        }
        // Flink takes the condition out of a LIMIT, which then counts all rows
        LogicalOp::Sort(_) if matches!(mode, Mode::AsWritten) => {
            let below = pull(node.inputs.first()?, outer, mode, cx)?;
            let same = below.node.schema.len() == node.schema.len()
                && (0_u32..).zip(&below.columns).all(|(at, column)| at == *column);
            same.then(|| Pulled {
                node: with_inputs(node, vec![below.node]),
                ..below
            })
        }
        LogicalOp::Join(inner) if inner.kind == JoinKind::Inner => {
            let [left, right] = node.inputs.as_slice() else {
                return None;
            };
            if expr_reads(&inner.condition, outer) {
                return None;
            }
            let left = pull(left, outer, mode, cx)?;
            let right = pull(right, outer, mode, cx)?;
            let width = u32::try_from(left.node.schema.len()).ok()?;
            let shift = |column: u32| column + width;
            let columns: Vec<u32> = left
                .columns
                .iter()
                .copied()
                .chain(right.columns.iter().map(|&column| shift(column)))
                .gather();
            let condition = moved(&inner.condition, &columns);
            let joined = with_inputs(
                &LogicalNode {
                    op: LogicalOp::Join(crate::logical::JoinNode {
                        condition,
                        ..inner.clone()
                    }),
                    ..(**node).clone()
                },
                vec![left.node, right.node],
            );
            let of_right = right
                .conditions
                .iter()
                .map(|condition| condition.map_columns(&mut |column| shift(column)));
            Some(Pulled {
                node: joined,
                columns,
                conditions: left.conditions.into_iter().chain(of_right).gather(),
                generated: left.generated || right.generated,
            })
        }
        _ => None,
    }
}

fn moved(expr: &Expr, columns: &[u32]) -> Expr {
    expr.map_columns(&mut |column| columns.get(column as usize).copied().unwrap_or(u32::MAX))
}

fn of_filter(
    below: Pulled,
    condition: &Expr,
    (outer, mode): (u32, Mode<'_>),
    cx: &mut RuleContext<'_>,
) -> Option<Pulled> {
    let (taken, mut own): (Vec<Expr>, Vec<Expr>) = conjuncts(condition)
        .iter()
        .map(|part| moved(part, &below.columns))
        .partition(|part| expr_reads(part, outer));
    let Mode::Equal(around) = mode else {
        let mut conditions = below.conditions;
        conditions.extend(taken);
        return Some(Pulled {
            node: filtered(below.node, &own, cx),
            columns: below.columns,
            conditions,
            generated: below.generated,
        });
    };
    let equalities: Option<Vec<(Expr, Expr)>> = taken.iter().map(|part| equality(part, outer)).gather();
    if let Some(equalities) = equalities {
        let mut conditions = below.conditions;
        for (outside, inside) in equalities {
            if inside.data_type.nullable {
                own.push(call("IS NOT NULL", vec![inside.clone()], inside.span));
            }
            let span = inside.span;
            conditions.push(call("=", vec![outside, inside], span));
        }
        return Some(Pulled {
            node: filtered(below.node, &own, cx),
            columns: below.columns,
            conditions,
            generated: below.generated,
        });
    }
    with_generator(below, (&taken, &own), (outer, around), cx)
}

/// The columns of the query around that the conditions read, each value once, joined with the sub-query.
fn with_generator(
    below: Pulled,
    (taken, own): (&[Expr], &[Expr]),
    (outer, around): (u32, &Rc<LogicalNode>),
    cx: &mut RuleContext<'_>,
) -> Option<Pulled> {
    let mut read: Vec<u32> = taken
        .iter()
        .flat_map(outer_columns_of)
        .filter(|(query, _)| *query == outer)
        .map(|(_, column)| column)
        .gather();
    read.sort_unstable();
    read.dedup();
    let picked: Vec<Expr> = read.iter().map(|&at| column(around, at)).gather();
    let around_names = names(around);
    let picked_names: Vec<Rc<str>> = read
        .iter()
        .filter_map(|&at| around_names.get(at as usize).map(Rc::clone))
        .gather();
    let narrow = cx
        .builder
        .project_always(Rc::clone(around), picked, &picked_names, around.span);
    let count = u32::try_from(read.len()).ok()?;
    let generator = aggregate(narrow, (0..count).gather(), Vec::new(), cx);
    let width = u32::try_from(below.node.schema.len()).ok()?;
    let place = |at: u32| {
        let found = (width..).zip(&read).find(|(_, column)| **column == at);
        found.map(|(place, _)| place)
    };
    let inner: Vec<Expr> = taken
        .iter()
        .chain(own)
        .map(|part| inside(part, outer, &place))
        .gather();
    let joined = join(
        &below.node,
        Rc::clone(&generator),
        (JoinKind::Inner, conjunction(&inner)),
        cx,
    );
    let mut conditions = below.conditions;
    for &at in &read {
        let outside = outer_column(taken, outer, at)?;
        let inside = column(&joined, place(at)?);
        let span = inside.span;
        conditions.push(call("=", vec![outside, inside], span));
    }
    Some(Pulled {
        node: joined,
        columns: below.columns,
        conditions,
        generated: true,
    })
}

/// The call that means a column of the query around.
fn outer_column(exprs: &[Expr], outer: u32, wanted: u32) -> Option<Expr> {
    exprs
        .iter()
        .find_map(|expr| match (as_outer_column(expr), &expr.kind) {
            (Some(found), _) => (found == (outer, wanted)).then(|| expr.clone()),
            (None, ExprKind::Call { args, .. }) => outer_column(args, outer, wanted),
            _ => None,
        })
}

/// The expression with columns of the query around as columns of the join.
fn inside(expr: &Expr, outer: u32, place: &dyn Fn(u32) -> Option<u32>) -> Expr {
    if let Some((query, at)) = as_outer_column(expr) {
        return match place(at) {
            Some(to) if query == outer => Expr::column(to, expr.data_type.clone(), expr.span),
            _ => expr.clone(),
        };
    }
    match &expr.kind {
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| inside(arg, outer, place)).gather(),
            },
            ..expr.clone()
        },
        _ => expr.clone(),
    }
}

/// `outside = inside` where one side is a column of the query around and the other one of the sub-query.
fn equality(expr: &Expr, outer: u32) -> Option<(Expr, Expr)> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    let [one, other] = args.as_slice() else {
        return None;
    };
    if function.name != "=" {
        return None;
    }
    let is_outside = |expr: &Expr| {
        let bare = match &expr.kind {
            ExprKind::Call { function, args } if function.name == "CAST" => args.first().unwrap_or(expr),
            _ => expr,
        };
        as_outer_column(bare).is_some_and(|(query, _)| query == outer)
    };
    if is_outside(one) && other.as_column().is_some() {
        Some((one.clone(), other.clone()))
    } else if is_outside(other) && one.as_column().is_some() {
        Some((other.clone(), one.clone()))
    } else {
        None
    }
}

fn filtered(node: Rc<LogicalNode>, conditions: &[Expr], cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    match conjunction(conditions) {
        Some(condition) => {
            let span = condition.span;
            cx.builder.filter(node, condition, span)
        }
        None => node,
    }
}

/// The projection, and behind it what the conditions read.
fn of_project(node: &LogicalNode, below: Pulled, expressions: &[Expr], cx: &mut RuleContext<'_>) -> Pulled {
    let mut projected: Vec<Expr> = expressions
        .iter()
        .map(|expr| moved(expr, &below.columns))
        .gather();
    let mut all_names = names(node);
    let columns = all_columns(&below.node);
    let below_names = names(&below.node);
    let mut places: Vec<(u32, u32)> = Vec::new();
    for read in columns_of(&below.conditions) {
        let known = projected.iter().position(|expr| expr.as_column() == Some(read));
        let at = known.unwrap_or_else(|| {
            if let (Some(expr), Some(name)) = (columns.get(read as usize), below_names.get(read as usize)) {
                projected.push(expr.clone());
                let used = all_names.iter().map(Rc::clone).collect();
                all_names.push(unique_name(Rc::clone(name), &used));
            }
            projected.len() - 1
        });
        places.push((read, u32::try_from(at).unwrap_or(u32::MAX)));
    }
    let conditions = renumbered(&below.conditions, &places);
    let count = u32::try_from(expressions.len()).unwrap_or(u32::MAX);
    let projected = cx
        .builder
        .project_always(below.node, projected, &all_names, node.span);
    Pulled {
        node: projected,
        columns: (0..count).gather(),
        conditions,
        generated: below.generated,
    }
}

fn renumbered(conditions: &[Expr], places: &[(u32, u32)]) -> Vec<Expr> {
    conditions
        .iter()
        .map(|condition| {
            condition.map_columns(&mut |column| {
                let found = places.iter().find(|(from, _)| *from == column);
                found.map_or(u32::MAX, |(_, to)| *to)
            })
        })
        .gather()
}

/// The aggregation per value of what the conditions read.
fn of_aggregate(below: &Pulled, grouping: &AggregateNode, cx: &mut RuleContext<'_>) -> Option<Pulled> {
    if grouping.sets.len() != 1 {
        return None;
    }
    let at = |column: u32| below.columns.get(column as usize).copied().unwrap_or(u32::MAX);
    let mut read: Vec<u32> = grouping.keys.iter().map(|&key| at(key)).gather();
    let own_keys = u32::try_from(read.len()).ok()?;
    let mut add = |column: u32| {
        if !read.contains(&column) {
            read.push(column);
        }
    };
    columns_of(&below.conditions).into_iter().for_each(&mut add);
    let key_count = grouping.keys.len() + {
        let own: Vec<u32> = grouping.keys.iter().map(|&key| at(key)).gather();
        let of_conditions = columns_of(&below.conditions);
        of_conditions
            .iter()
            .filter(|column| !own.contains(column))
            .count()
    };
    for aggregate in &grouping.calls {
        aggregate.args.iter().for_each(|&arg| add(at(arg)));
        aggregate.filter.into_iter().for_each(|filter| add(at(filter)));
    }
    // keys first, then what the conditions read, then arguments: the order of Calcite's decorrelation
    let place = |column: u32| {
        let found = (0_u32..).zip(&read).find(|(_, known)| **known == column);
        found.map_or(u32::MAX, |(place, _)| place)
    };
    let calls: Vec<AggregateCall> = grouping
        .calls
        .iter()
        .map(|aggregate| {
            let mut changed = aggregate.clone();
            changed.args = aggregate.args.iter().map(|&arg| place(at(arg))).gather();
            changed.filter = aggregate.filter.map(|filter| place(at(filter)));
            changed
        })
        .gather();
    let below_names = names(&below.node);
    let picked: Vec<Expr> = read
        .iter()
        .map(|&column_at| column(&below.node, column_at))
        .gather();
    let picked_names: Vec<Rc<str>> = read
        .iter()
        .filter_map(|&column_at| below_names.get(column_at as usize).map(Rc::clone))
        .gather();
    let span = below.node.span;
    let narrow = cx
        .builder
        .project_always(Rc::clone(&below.node), picked, &picked_names, span);
    let first_call = u32::try_from(key_count).ok()?;
    let keys: Vec<u32> = (0..first_call).gather();
    let conditions: Vec<Expr> = below
        .conditions
        .iter()
        .map(|condition| condition.map_columns(&mut |column| place(column)))
        .gather();
    let count = u32::try_from(calls.len()).ok()?;
    let columns = (0..own_keys).chain(first_call..first_call + count).gather();
    Some(Pulled {
        node: aggregate(narrow, keys, calls, cx),
        columns,
        conditions,
        generated: below.generated,
    })
}
