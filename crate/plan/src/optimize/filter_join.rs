//! Conditions go to the side of a join that they read: those of WHERE and those of ON.
//!
//! Flink: `FlinkFilterJoinRule`. A condition of WHERE that rejects the NULLs of padding makes an outer join stricter;
//! what is said about join keys holds for the other side as well.
//! Cases: join-regular/where-on-right-side-makes-it-inner, join-regular/condition-in-on-pads.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    join_parts::{Reads, converted, join_of, of_right, rejects_nulls},
    rewrite::{columns_of, conjunction, conjuncts},
};
use crate::{
    logical::{JoinKind, JoinNode, LogicalNode, LogicalOp, always, is_always, same_expression},
    physical::{join::EquiKeys, timed::LOGICAL_CONDITION},
};

/// A filter above a join.
pub(super) struct FilterIntoJoin;

/// The condition of a join.
pub(super) struct JoinConditionPush;

impl Rule for FilterIntoJoin {
    fn name(&self) -> &'static str {
        "filter-into-join"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Filter(filter) = &node.op else {
            return None;
        };
        perform(node.inputs.first()?, &conjuncts(&filter.condition), cx)
    }
}

impl Rule for JoinConditionPush {
    fn name(&self) -> &'static str {
        "join-condition-push"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        perform(node, &[], cx)
    }
}

fn perform(node: &Rc<LogicalNode>, above: &[Expr], cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
    let (join, left, right) = join_of(node)?;
    if compares_versions(&join.condition) {
        return None;
    }
    let width = u32::try_from(left.schema.len()).ok()?;
    let kind = strengthened(join.kind, above, width);
    let own: Vec<Expr> = conjuncts(&join.condition)
        .into_iter()
        .filter(|condition| !is_always(condition))
        .gather();
    let mut pushed = Pushed {
        join: own.clone(),
        width,
        ..Pushed::default()
    };
    let nulls = (kind.keeps_right(), kind.keeps_left());
    let mut moved = false;
    let mut stay = Vec::new();
    for condition in above {
        if pushed.push(condition, (!nulls.0, !nulls.1)) {
            moved = true;
        } else if kind == JoinKind::Inner {
            moved = true;
            if !pushed.join.iter().any(|known| same_expression(known, condition)) {
                pushed.join.push(condition.clone());
            }
        } else {
            stay.push(condition.clone());
        }
    }
    if kind != JoinKind::Anti {
        for condition in std::mem::take(&mut pushed.join) {
            if pushed.push(&condition, (!nulls.1, !nulls.0)) {
                moved = true;
            } else {
                pushed.join.push(condition);
            }
        }
    }
    if !moved && kind == join.kind {
        return None;
    }
    let condition = conjunction(&pushed.join).unwrap_or_else(|| always(node.span));
    pushed.extend_to_other_side((join, &condition), kind, (above, &own), (left, right));
    let left = filtered(left, &pushed.left, cx);
    let right = filtered(right, &pushed.right, cx);
    let changed = JoinNode {
        kind,
        condition,
        hints: join.hints.clone(),
        lateral: join.lateral,
    };
    let joined = cx.builder.join((left, right), changed, node.span);
    let joined = converted(joined, node, cx);
    Some(filtered(&joined, &stay, cx))
}

/// Whether the join finds the version of a row by its time: nothing moves below it.
fn compares_versions(condition: &Expr) -> bool {
    conjuncts(condition).iter().any(|part| {
        matches!(&part.kind, sg_expr::ExprKind::Call { function, .. } if function.name == LOGICAL_CONDITION)
    })
}

/// The kind that is left where the conditions above do not let padded rows through.
///
/// Calcite: `RelOptUtil.simplifyJoin`.
fn strengthened(kind: JoinKind, above: &[Expr], width: u32) -> JoinKind {
    if kind.is_semi_or_anti() || kind == JoinKind::Inner {
        return kind;
    }
    let (mut keeps_left, mut keeps_right) = (kind.keeps_left(), kind.keeps_right());
    for condition in above {
        if keeps_right && rejects_nulls(condition, &|column| column < width) {
            keeps_right = false;
        }
        if keeps_left && rejects_nulls(condition, &|column| column >= width) {
            keeps_left = false;
        }
    }
    JoinKind::keeping([keeps_left, keeps_right])
}

/// Where conditions go.
#[derive(Default)]
struct Pushed {
    join: Vec<Expr>,
    left: Vec<Expr>,
    right: Vec<Expr>,
    width: u32,
}

impl Pushed {
    /// Puts a condition below the join if it reads one side that takes it.
    fn push(&mut self, condition: &Expr, (to_left, to_right): (bool, bool)) -> bool {
        let reads = Reads::of(condition, self.width);
        let only_left = matches!(reads, Reads::Left | Reads::Nothing);
        let only_right = matches!(reads, Reads::Right | Reads::Nothing);
        if to_left && only_left {
            self.left
                .extend((!is_always(condition)).then(|| condition.clone()));
        } else if to_right && only_right {
            let own = of_right(condition, self.width);
            self.right.extend((!is_always(condition)).then_some(own));
        } else {
            return false;
        }
        true
    }

    /// Conditions that read join keys only hold for the keys of the other side, too.
    fn extend_to_other_side(
        &mut self,
        (join, condition): (&JoinNode, &Expr),
        kind: JoinKind,
        (above, own): (&[Expr], &[Expr]),
        (left, right): (&LogicalNode, &LogicalNode),
    ) {
        let (of_join, _) = EquiKeys::split(&join.condition, self.width);
        let inner = kind == JoinKind::Inner;
        let mut derive = |conditions: &[Expr], keys: &EquiKeys| {
            for condition in conditions {
                let read = columns_of([condition]);
                if is_always(condition) || !(inner || is_compared(condition)) {
                    continue;
                }
                let right_read: Option<Vec<u32>> =
                    read.iter().map(|column| column.checked_sub(self.width)).gather();
                if let Some(shifted) = mapped(condition, &read, (&keys.left, &keys.right), 0, right) {
                    add(&mut self.right, shifted);
                } else if let Some(read) = right_read
                    && let Some(shifted) =
                        mapped(condition, &read, (&keys.right, &keys.left), self.width, left)
                {
                    add(&mut self.left, shifted);
                }
            }
        };
        if matches!(kind, JoinKind::Inner | JoinKind::Left | JoinKind::Right) {
            if of_join.left.is_empty() {
                let (keys, _) = EquiKeys::split(condition, self.width);
                derive(above, &keys);
            } else {
                derive(above, &of_join);
            }
        }
        if inner {
            derive(own, &of_join);
        }
    }
}

/// Whether a condition is a comparison: of an outer join, only those hold for the other side as well, neither `LIKE` nor
/// lists and ranges (case: join-regular/only-comparisons-cross-an-outer-join).
fn is_compared(condition: &Expr) -> bool {
    matches!(&condition.kind, sg_expr::ExprKind::Call { function, .. }
        if matches!(function.name, "=" | "<>" | "<" | "<=" | ">" | ">="))
}

fn add(conditions: &mut Vec<Expr>, condition: Expr) {
    if !conditions.iter().any(|known| same_expression(known, &condition)) {
        conditions.push(condition);
    }
}

/// The condition with the keys of one side replaced by those of the other; `None` where it reads anything else.
fn mapped(
    condition: &Expr,
    read: &[u32],
    (from, to): (&[u32], &[u32]),
    shift: u32,
    target: &LogicalNode,
) -> Option<Expr> {
    if from.is_empty() {
        return None;
    }
    let place = |column: u32| {
        let at = from.iter().rposition(|key| *key == column)?;
        to.get(at).copied()
    };
    read.iter().try_for_each(|column| place(*column).map(|_| ()))?;
    let with: Vec<Option<Expr>> = (0..=read.iter().copied().max().unwrap_or(0))
        .map(|column| {
            let column = place(column)?;
            let field = target.schema.get(column as usize)?;
            Some(Expr::column(column, field.data_type.clone(), condition.span))
        })
        .gather();
    Some(replaced(condition, &with, shift))
}

fn replaced(expr: &Expr, with: &[Option<Expr>], shift: u32) -> Expr {
    use sg_expr::ExprKind;
    match &expr.kind {
        ExprKind::Column(column) => with
            .get(column.wrapping_sub(shift) as usize)
            .cloned()
            .flatten()
            .unwrap_or_else(|| expr.clone()),
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| replaced(arg, with, shift)).gather(),
            },
            ..expr.clone()
        },
        ExprKind::Literal(_) | ExprKind::Invalid => expr.clone(),
    }
}

fn filtered(node: &Rc<LogicalNode>, conditions: &[Expr], cx: &mut RuleContext<'_>) -> Rc<LogicalNode> {
    match conjunction(conditions) {
        Some(condition) => {
            let span = condition.span;
            cx.builder.filter(Rc::clone(node), condition, span)
        }
        None => Rc::clone(node),
    }
}
