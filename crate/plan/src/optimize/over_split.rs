//! A projection with windowed calls becomes the calls as a node, with what they need below and the rest above.
//!
//! Flink: Calcite's `ProjectToWindowRule`, whose `CalcRelSplitter` works in levels: what needs no window is computed
//! below the calls, everything else above them. With a constant or a computed operand anywhere there is a projection
//! below, which then has only the columns that are read; otherwise the calls stand on the whole input. What the levels
//! compute has the name `$` and its place. Cases: over/*, topn/hour-in-partition-restarts-the-list.

use std::rc::Rc;

use indexmap::IndexSet;
use sg_expr::{AggregateCall, Expr, ExprKind, OverCall};
use sg_value::{Field, Gather as _};

use super::{Rule, RuleContext, rewrite::names};
use crate::logical::{
    Builder, LogicalNode, LogicalOp, OverGroup, OverNode, ProjectNode, SortColumn, is_identity,
    same_expression, unique_name,
};

pub(super) struct SplitWindows;

impl Rule for SplitWindows {
    fn name(&self) -> &'static str {
        "split-windows"
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        if !project.expressions.iter().any(OverCall::is_in) {
            return None;
        }
        split(node, project, cx)
    }
}

#[inline(never)]
fn split(node: &LogicalNode, project: &ProjectNode, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
    let input = node.inputs.first()?;
    let mut found = Found::default();
    project.expressions.iter().for_each(|expr| found.visit(expr));
    let (bottom, below) = found.below(input, node, &mut cx.builder);
    let (over, calls) = found.windows(&bottom, &below)?;
    let windows = cx.builder.over(bottom, over, node.span);
    let expressions: Vec<Expr> = project
        .expressions
        .iter()
        .map(|expr| above(expr, &below, &calls))
        .gather();
    let only_columns = expressions.iter().all(|expr| expr.as_column().is_some());
    let names: Vec<Rc<str>> = if only_columns {
        level_names(&expressions, &names(&windows), below.width)
    } else {
        names(node)
    };
    Some(cx.builder.project_always(windows, expressions, &names, node.span))
}

/// What the projection consists of.
#[derive(Default)]
struct Found {
    /// Columns of the input that are read.
    columns: Vec<u32>,
    /// Expressions without a windowed call in them, equal ones once.
    computed: Vec<Expr>,
    /// Windowed calls, equal ones once.
    calls: Vec<Expr>,
    /// Whether there is a constant.
    has_constant: bool,
}

/// What stands where below the windowed calls.
struct Below {
    /// By input column: its place.
    columns: Vec<Option<u32>>,
    /// Computed expressions with their places.
    computed: Vec<(Expr, u32)>,
    /// Number of columns.
    width: u32,
}

impl Found {
    fn visit(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Column(column) => self.columns.push(*column),
            ExprKind::Literal(_) => self.has_constant |= expr.as_symbol().is_none(),
            ExprKind::Invalid => {}
            ExprKind::Call { args, .. } => match OverCall::of(expr) {
                Some(over) => {
                    let order = over.order.iter().map(|(expr, _)| expr);
                    over.args
                        .iter()
                        .chain(&over.partition)
                        .chain(order)
                        .for_each(|operand| self.visit(operand));
                    self.has_constant |= over.frame.has_offset();
                    add(&mut self.calls, expr);
                }
                None if OverCall::is_in(expr) => args.iter().for_each(|arg| self.visit(arg)),
                None => add(&mut self.computed, expr),
            },
        }
    }

    /// The node below the calls.
    fn below(
        &self,
        input: &Rc<LogicalNode>,
        node: &LogicalNode,
        builder: &mut Builder,
    ) -> (Rc<LogicalNode>, Below) {
        let width = u32::try_from(input.schema.len()).unwrap_or(u32::MAX);
        if self.computed.is_empty() && !self.has_constant {
            let below = Below {
                columns: (0..width).map(Some).gather(),
                computed: Vec::new(),
                width,
            };
            return (Rc::clone(input), below);
        }
        let mut read: Vec<u32> = self.columns.clone();
        read.sort_unstable();
        read.dedup();
        let mut columns = vec![None; input.schema.len()];
        let mut expressions = Vec::new();
        for column in read {
            if let (Some(slot), Some(field)) = (
                columns.get_mut(column as usize),
                input.schema.get(column as usize),
            ) {
                *slot = u32::try_from(expressions.len()).ok();
                expressions.push(Expr::column(column, field.data_type.clone(), node.span));
            }
        }
        let mut computed = Vec::new();
        for expr in &self.computed {
            let at = u32::try_from(expressions.len()).unwrap_or(u32::MAX);
            computed.push((expr.clone(), at));
            expressions.push(expr.clone());
        }
        let below = Below {
            columns,
            computed,
            width: u32::try_from(expressions.len()).unwrap_or(u32::MAX),
        };
        if is_identity(&expressions, input) {
            return (Rc::clone(input), below);
        }
        let names = level_names(&expressions, &names(input), width);
        (
            builder.project_always(Rc::clone(input), expressions, &names, node.span),
            below,
        )
    }

    /// The node of the calls, and for each call its column.
    fn windows(&self, input: &LogicalNode, below: &Below) -> Option<(OverNode, Vec<(Expr, u32)>)> {
        let width = below.width;
        let mut node = OverNode {
            groups: Vec::new(),
            constants: Vec::new(),
        };
        let mut places: Vec<(usize, usize)> = Vec::new();
        for expr in &self.calls {
            let over = OverCall::of(expr)?;
            let group = group_of(&over, below)?;
            let args = over
                .args
                .iter()
                .map(|arg| {
                    below
                        .place(arg)
                        .or_else(|| Some(width + constant(&mut node.constants, arg)?))
                })
                .gather::<Option<Vec<u32>>>()?;
            let same = |known: &OverGroup| {
                (&known.partition, &known.order, known.frame) == (&group.partition, &group.order, group.frame)
            };
            let at = node.groups.iter().position(same).unwrap_or_else(|| {
                node.groups.push(group);
                node.groups.len() - 1
            });
            let calls = &mut node.groups.get_mut(at)?.calls;
            places.push((at, calls.len()));
            let name = Rc::from(format!("w{at}$o{}", calls.len()));
            calls.push(call_of(expr, &over, args, &input.schema, name));
        }
        unique_call_names(input, &mut node);
        let before = |group: usize| -> usize {
            let groups = node.groups.iter().take(group);
            groups.map(|group| group.calls.len()).sum()
        };
        let columns = self
            .calls
            .iter()
            .zip(&places)
            .map(|(expr, (group, at))| {
                let column = width + u32::try_from(before(*group) + at).ok()?;
                Some((expr.clone(), column))
            })
            .gather::<Option<Vec<_>>>()?;
        Some((node, columns))
    }
}

/// The window of a call, without calls.
fn group_of(over: &OverCall, below: &Below) -> Option<OverGroup> {
    let mut partition = over
        .partition
        .iter()
        .map(|key| below.place(key))
        .gather::<Option<Vec<u32>>>()?;
    partition.sort_unstable();
    partition.dedup();
    let order = over
        .order
        .iter()
        .map(|(key, direction)| {
            Some(SortColumn {
                column: below.place(key)?,
                direction: *direction,
            })
        })
        .gather::<Option<Vec<_>>>()?;
    Some(OverGroup {
        partition,
        order,
        frame: over.frame,
        calls: Vec::new(),
    })
}

fn call_of(expr: &Expr, over: &OverCall, args: Vec<u32>, input: &[Field], name: Rc<str>) -> AggregateCall {
    let arg_types = over
        .args
        .iter()
        .zip(&args)
        .map(|(arg, column)| {
            let column = input.get(*column as usize);
            column.map_or_else(|| arg.data_type.clone(), |field| field.data_type.clone())
        })
        .gather();
    AggregateCall {
        function: over.function,
        args,
        arg_types,
        distinct: over.distinct,
        filter: None,
        retract: false,
        data_type: expr.data_type.clone(),
        name,
        span: expr.span,
        user: over.user.clone(),
    }
}

/// Calls over calls of an inner window get names that are not taken.
fn unique_call_names(input: &LogicalNode, node: &mut OverNode) {
    let mut used: IndexSet<Rc<str>> = input.schema.iter().map(|field| Rc::clone(&field.name)).collect();
    for call in node.groups.iter_mut().flat_map(|group| &mut group.calls) {
        call.name = unique_name(Rc::clone(&call.name), &used);
        used.insert(Rc::clone(&call.name));
    }
}

impl Below {
    /// The place of an expression that needs no window.
    fn place(&self, expr: &Expr) -> Option<u32> {
        if let Some(column) = expr.as_column() {
            return self.columns.get(column as usize).copied().flatten();
        }
        self.computed
            .iter()
            .find(|(known, _)| same_expression(known, expr))
            .map(|(_, at)| *at)
    }
}

fn add(known: &mut Vec<Expr>, expr: &Expr) {
    if !known.iter().any(|known| same_expression(known, expr)) {
        known.push(expr.clone());
    }
}

/// The number of a constant argument.
fn constant(constants: &mut Vec<Expr>, arg: &Expr) -> Option<u32> {
    arg.as_literal()?;
    let at = constants
        .iter()
        .position(|known| same_expression(known, arg))
        .unwrap_or_else(|| {
            constants.push(arg.clone());
            constants.len() - 1
        });
    u32::try_from(at).ok()
}

/// An expression of the projection over the output of the windowed calls.
fn above(expr: &Expr, below: &Below, calls: &[(Expr, u32)]) -> Expr {
    let place = below.place(expr).or_else(|| {
        calls
            .iter()
            .find(|(known, _)| same_expression(known, expr))
            .map(|(_, at)| *at)
    });
    if let Some(at) = place {
        return Expr::column(at, expr.data_type.clone(), expr.span);
    }
    match &expr.kind {
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| above(arg, below, calls)).gather(),
            },
            ..expr.clone()
        },
        _ => expr.clone(),
    }
}

/// Names of a level: columns of the input keep theirs, unless it is one that a level made; the rest is `$` and its
/// place.
fn level_names(expressions: &[Expr], input: &[Rc<str>], width: u32) -> Vec<Rc<str>> {
    expressions
        .iter()
        .enumerate()
        .map(|(at, expr)| {
            let own = expr
                .as_column()
                .filter(|column| *column < width)
                .and_then(|column| input.get(column as usize))
                .filter(|name| !name.starts_with('$') || name.starts_with("$EXPR"));
            own.cloned().unwrap_or_else(|| Rc::from(format!("${at}")))
        })
        .gather()
}

/// What batch mode orders windows by, so that what is sorted alike comes together. Flink: `WindowGroupReorderRule`.
pub(crate) fn place(group: &OverGroup) -> (Vec<u32>, Vec<u32>) {
    let order = group.order.iter().map(|key| key.column);
    (group.partition.clone(), order.gather())
}
