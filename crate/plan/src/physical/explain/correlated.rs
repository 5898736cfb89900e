//! Joins with versions in the abstract syntax tree: what Calcite makes of `FOR SYSTEM_TIME AS OF` before Flink's rules run.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind};
use sg_value::{Gather as _, sorted::sorted_numbers};

use super::{ast::expression_over, tree::Drawing};
use crate::{
    logical::{JoinNode, LogicalNode, LogicalOp},
    physical::{
        expression::{columns_of, conjunction},
        join::conjuncts,
        timed::LOGICAL_CONDITION,
    },
};

/// Whether the join looks for the version of a time.
pub(super) fn has_version(node: &LogicalNode) -> bool {
    match (&node.op, node.inputs.as_slice()) {
        (LogicalOp::Join(join), [left, right]) => Version::of(join, left, right).is_some(),
        _ => false,
    }
}

/// A join with the version of a time under a variable, over its inputs.
pub(super) fn version(node: &LogicalNode, inputs: &[Rc<Drawing>], variable: u32) -> Option<Rc<Drawing>> {
    let (LogicalOp::Join(join), [left, right], [of_left, of_right]) =
        (&node.op, node.inputs.as_slice(), inputs)
    else {
        return None;
    };
    let version = Version::of(join, left, right)?;
    let below = match (&right.op, of_right.inputs.as_slice()) {
        (LogicalOp::Snapshot(_), [below]) => below,
        _ => of_right,
    };
    Some(version.drawing((join, variable), left, (of_left, below)))
}

/// A join with the version of a time.
struct Version {
    /// The left column that has the time.
    period: u32,
    /// What else has to hold.
    condition: Option<Expr>,
}

impl Version {
    fn of(join: &JoinNode, left: &LogicalNode, right: &LogicalNode) -> Option<Self> {
        if let LogicalOp::Snapshot(period) = &right.op {
            let at = left.schema.iter().position(|field| field.name == *period)?;
            return Some(Self {
                period: u32::try_from(at).ok()?,
                condition: Some(join.condition.clone()),
            });
        }
        let time = |part: &Expr| match &part.kind {
            ExprKind::Call { function, args } if function.name == LOGICAL_CONDITION => {
                args.first()?.as_column()
            }
            _ => None,
        };
        let parts = conjuncts(&join.condition);
        let period = parts.iter().find_map(|part| time(part))?;
        let rest = parts.into_iter().filter(|part| time(part).is_none()).cloned();
        Some(Self {
            period,
            condition: conjunction(rest.gather::<Vec<_>>()),
        })
    }

    fn drawing(
        &self,
        (join, variable): (&JoinNode, u32),
        left: &LogicalNode,
        (of_left, below): (&Rc<Drawing>, &Rc<Drawing>),
    ) -> Rc<Drawing> {
        let width = left.schema.len();
        let name = |column: usize| left.schema.get(column).map_or("?", |field| &*field.name);
        let read = sorted_numbers(self.condition.iter().flat_map(columns_of));
        let names: Vec<String> = (0..=read.last().map_or(0, |column| *column as usize))
            .map(|column| match column.checked_sub(width) {
                Some(right) => format!("${right}"),
                None => format!("$cor{variable}.{}", name(column)),
            })
            .gather();
        let left_columns = read.into_iter().filter(|column| (*column as usize) < width);
        let required = sorted_numbers(left_columns.chain(std::iter::once(self.period)));
        let required: Vec<String> = required.iter().map(u32::to_string).gather();
        let period = name(self.period as usize);
        let mut right = Rc::new(Drawing {
            text: format!("LogicalSnapshot(period=[$cor{variable}.{period}])"),
            inputs: vec![Rc::clone(below)],
        });
        if let Some(condition) = &self.condition {
            let named = |column: u32| names.get(column as usize).map_or("?", String::as_str);
            right = Rc::new(Drawing {
                text: format!(
                    "LogicalFilter(condition=[{}])",
                    expression_over(condition, &named)
                ),
                inputs: vec![right],
            });
        }
        Rc::new(Drawing {
            text: format!(
                "LogicalCorrelate(correlation=[$cor{variable}], joinType=[{}], requiredColumns=[{{{}}}])",
                join.kind.word(),
                required.join(", ")
            ),
            inputs: vec![Rc::clone(of_left), right],
        })
    }
}
