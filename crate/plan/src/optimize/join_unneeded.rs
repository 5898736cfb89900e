//! A left join with at most one row whose columns nobody reads is its left input.
//!
//! Calcite: `ProjectJoinRemoveRule`.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    join_parts::join_of,
    rewrite::{columns_of, renumber, with_inputs},
};
use crate::{
    logical::{JoinKind, LogicalNode, LogicalOp, ProjectNode, unique_keys},
    physical::join::EquiKeys,
};

pub(super) struct UnneededJoin;

impl Rule for UnneededJoin {
    fn name(&self) -> &'static str {
        "unneeded-join"
    }

    fn needs(&self) -> Kinds {
        Kinds::JOIN
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let (join, left, right) = join_of(node.inputs.first()?)?;
        let width = u32::try_from(left.schema.len()).ok()?;
        let read = columns_of(&project.expressions);
        let (keys, _) = EquiKeys::split(&join.condition, width);
        let (kept, dropped, key, shift) = match join.kind {
            JoinKind::Left if read.iter().all(|&column| column < width) => (left, right, keys.right, 0),
            JoinKind::Right if read.iter().all(|&column| column >= width) => (right, left, keys.left, width),
            _ => return None,
        };
        let is_unique = unique_keys(dropped)
            .iter()
            .any(|unique| unique.iter().all(|column| key.contains(column)));
        if !is_unique {
            return None;
        }
        let places: Vec<Option<u32>> = (0..width.saturating_add(u32::try_from(right.schema.len()).ok()?))
            .map(|column| column.checked_sub(shift))
            .gather();
        let expressions = project
            .expressions
            .iter()
            .map(|expr| renumber(expr, &places))
            .gather();
        let changed = LogicalNode {
            op: LogicalOp::Project(ProjectNode { expressions }),
            ..(**node).clone()
        };
        Some(with_inputs(&changed, vec![Rc::clone(kept)]))
    }
}
