//! Nodes whose inputs may only insert: a plan that feeds them anything else is refused.
//!
//! Flink: `FlinkChangelogModeInferenceProgram.SatisfyModifyKindSetTraitVisitor`.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics};

use super::{
    kinds::updates,
    sink::{deletes, producer},
};
use crate::physical::{
    explain::description,
    node::{OrderTime, PhysicalNode, PhysicalOp},
};

/// Reports the first input of the tree that updates or deletes where only inserts can be taken.
pub(in crate::physical) fn check(node: &Rc<PhysicalNode>, diags: &mut Diagnostics) -> Option<()> {
    for input in &node.inputs {
        check(input, diags)?;
    }
    let (code, name) = match &node.op {
        PhysicalOp::TimedJoin(spec) => (Code::NodeTakesInserts, spec.appends_only()),
        PhysicalOp::Match(_) => (Code::NodeTakesInserts, Some("Match Recognize")),
        PhysicalOp::OverAggregate(spec) if spec.time != OrderTime::Value => {
            (Code::OverTakesInserts, Some("StreamPhysicalOverAggregate"))
        }
        PhysicalOp::TemporalSort(_) => (Code::OverTakesInserts, Some("StreamPhysicalTemporalSort")),
        PhysicalOp::WindowRank(_) => (Code::OverTakesInserts, Some("StreamPhysicalWindowRank")),
        PhysicalOp::WindowDeduplicate(_) => (Code::OverTakesInserts, Some("StreamPhysicalWindowDeduplicate")),
        _ => return Some(()),
    };
    let Some(name) = name else {
        return Some(());
    };
    node.inputs
        .iter()
        .try_for_each(|input| takes_inserts(node, (code, name), input, diags))
}

#[inline(never)]
fn takes_inserts(
    node: &PhysicalNode,
    (code, name): (Code, &str),
    input: &PhysicalNode,
    diags: &mut Diagnostics,
) -> Option<()> {
    let kinds = input.changelog_mode;
    let refused = (updates(kinds), deletes(kinds));
    let (words, shown): (&str, &[&str]) = match refused {
        (false, false) => return Some(()),
        (true, true) => ("update and delete", &["+U", "-U", "-D"]),
        (true, false) => ("update", &["+U", "-U"]),
        (false, true) => ("delete", &["-D"]),
    };
    let made_by = producer(input, refused);
    diags.push(
        Diagnostic::new(code, node.span)
            .arg("node", node.op.name())
            .arg_list("kinds", shown.iter().copied())
            .flink(format!(
                "TableException: {name} doesn't support consuming {words} changes which is produced by node {}",
                description(made_by, sg_expr::PlanStyle::Execution)
            )),
    );
    None
}
