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
    lower::one_time_column,
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
        PhysicalOp::OverAggregate(spec) if spec.time != OrderTime::Value || spec.order.is_empty() => {
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
    for input in &node.inputs {
        takes_inserts(node, (code, name), input, diags)?;
        // Flink says so when it makes the operator
        if let PhysicalOp::OverAggregate(spec) = &node.op
            && spec.order.is_empty()
            && !spec.batch
        {
            diags.push(one_time_column(node.span, &input.schema));
            return None;
        }
    }
    Some(())
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
                undecided(description(made_by, sg_expr::PlanStyle::Execution))
            )),
    );
    None
}

/// How a Top-N works is decided after the kinds of changes are.
fn undecided(text: String) -> String {
    match text
        .split_once("Rank(strategy=[")
        .and_then(|(head, rest)| Some((head, rest.split_once(']')?.1)))
    {
        Some((head, rest)) => format!("{head}Rank(strategy=[UndefinedStrategy]{rest}"),
        None => text,
    }
}
