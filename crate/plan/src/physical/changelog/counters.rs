//! Joins whose counts of matches come out wrong in Flink 2.3, because before images of the counted side were dropped.
//!
//! Flink: `StreamingJoinOperator` and `StreamingSemiAntiJoinOperator` count one more match for an update that comes without
//! its before image, though the row in state is only replaced. After the delete the count is not zero: the padded row (or
//! the row of an anti join) does not come back. Case: changelog/outer-join-count-drifts.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics};
use sg_value::RowKind;

use crate::{
    logical::JoinKind,
    physical::node::{ChangelogMode, PhysicalNode, PhysicalOp},
};

/// Names such joins of a tree.
pub(in crate::physical) fn report(node: &Rc<PhysicalNode>, diags: &mut Diagnostics) {
    if let PhysicalOp::Join(spec) = &node.op
        && let [left, right] = node.inputs.as_slice()
    {
        let counted: &[&Rc<PhysicalNode>] = match spec.kind {
            JoinKind::Left | JoinKind::Semi | JoinKind::Anti => &[right],
            JoinKind::Right => &[left],
            JoinKind::Full => &[left, right],
            JoinKind::Inner => &[],
        };
        if counted.iter().any(|input| updates_by_key(input.changelog_mode)) {
            diags.push(Diagnostic::new(Code::JoinCountsDrift, node.span));
        }
    }
    for input in &node.inputs {
        report(input, diags);
    }
}

fn updates_by_key(mode: ChangelogMode) -> bool {
    mode.contains(RowKind::UpdateAfter) && !mode.contains(RowKind::UpdateBefore)
}
