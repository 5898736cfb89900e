//! `EXPLAIN PLAN_ADVICE`: what Flink's analyzers say about a plan.
//!
//! Flink: `GroupAggregationAnalyzer`. Differs from Flink: `NonDeterministicUpdateAnalyzer` says nothing here.
//! Cases: statements/explain-advice-*.

use std::rc::Rc;

use crate::{
    physical::{
        PhysicalPlan,
        node::{PhysicalNode, PhysicalOp},
    },
    settings::{AggregatePhases, Settings},
};

/// What could be set so that aggregations are computed in two phases; nothing where they are already.
fn two_phases(settings: &Settings) -> Vec<&'static str> {
    let mut options = Vec::new();
    if settings.aggregate_phases == AggregatePhases::OnePhase {
        options.push("'table.optimizer.agg-phase-strategy' to 'AUTO'");
    }
    if !settings.mini_batch {
        options.extend([
            "'table.exec.mini-batch.enabled' to 'true'",
            "'table.exec.mini-batch.allow-latency' to a positive long value",
            "'table.exec.mini-batch.size' to a positive long value",
        ]);
    }
    options
}

/// Whether the advice is about a node.
pub(super) fn concerns(node: &PhysicalNode, settings: &Settings) -> bool {
    match &node.op {
        PhysicalOp::GroupAggregate(spec) => {
            spec.calls.iter().all(|call| call.function.mergeable) && !two_phases(settings).is_empty()
        }
        _ => false,
    }
}

/// The lines below the plan.
pub(super) fn text(plan: &PhysicalPlan, settings: &Settings) -> String {
    fn any(node: &Rc<PhysicalNode>, settings: &Settings) -> bool {
        concerns(node, settings) || node.inputs.iter().any(|input| any(input, settings))
    }
    if plan.roots.iter().any(|root| any(&root.node, settings)) {
        format!(
            "advice[1]: [ADVICE] You might want to enable local-global two-phase optimization by configuring ({}).",
            two_phases(settings).join(", ")
        )
    } else {
        "No available advice...".to_owned()
    }
}
