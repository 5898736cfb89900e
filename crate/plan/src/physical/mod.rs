//! Flink's exec nodes: what runs, with changelog modes, keys and distributions.
//!
//! [`lower`] goes through passes, each a module: time attributes become values where they are used as such, logical
//! nodes become physical ones, row kinds go up, window aggregations are split, exchanges are put in, keys go up, and
//! wishes for before images go down from the sinks.

mod changelog;
mod connector;
pub mod correlate;
mod distribution;
mod emit;
pub mod explain;
mod expression;
pub mod join;
mod keys;
mod limit;
mod lower;
mod merge_check;
mod mini_batch;
pub mod multi_join;
pub mod node;
mod node_rank;
mod normalize;
mod phases;
mod program;
pub(crate) mod reuse;
mod sink_reuse;
mod split_distinct;
pub(crate) mod time_attribute;
pub mod timed;
mod user_methods;
mod window_property;

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics};
use sg_value::{Field, schema_text};

use crate::{logical::LogicalNode, settings::Settings};
pub use explain::{ExplainOptions, costs_are_known, explain, explain_statement};
pub use mini_batch::settings_for;
pub use node::PhysicalNode;
use node::PhysicalOp;

/// Who reads the result of a bare query. INSERTs have their sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumer {
    /// Nobody: the plan of EXPLAIN SELECT, which leaves out `-U` where it can.
    Explain,
    /// A collecting sink that takes everything: the plan that runs.
    Collect,
}

/// The physical plan of a query or of all INSERTs of a script.
#[derive(Clone, Debug)]
pub struct PhysicalPlan {
    /// One tree per statement, in order; INSERTs into the same table are one.
    pub roots: Vec<PhysicalRoot>,
}

/// One tree of a plan.
#[derive(Clone, Debug)]
pub struct PhysicalRoot {
    /// The tree.
    pub node: Rc<PhysicalNode>,
    /// The result's columns under the names of the query (the tree may have others).
    pub schema: Rc<[Field]>,
}

/// Plans the statements of one job. `None` where a diagnostic of severity error says why there is no plan.
///
/// A plan may come with a diagnostic of severity unsupported: it can be shown, not run.
pub fn lower(
    roots: &[Rc<LogicalNode>],
    settings: &Settings,
    consumer: Consumer,
    diags: &mut Diagnostics,
) -> Option<PhysicalPlan> {
    if settings.batch {
        let span = roots.first().map(|root| root.span).unwrap_or_default();
        diags.push(Diagnostic::new(Code::BatchPlan, span));
    }
    if settings.mini_batch_marks && settings.mini_batch_latency_ms <= 0 {
        let span = roots.first().map(|root| root.span).unwrap_or_default();
        diags.push(
            Diagnostic::new(Code::MiniBatchLatencyMissing, span)
                .flink("IllegalArgumentException: MiniBatch Latency must be greater than 0 ms. [null]"),
        );
        return None;
    }
    let mut trees = Vec::new();
    let mut next_variable = roots.iter().map(|root| lower::lookups(root)).sum();
    for root in roots {
        let mut root = time_attribute::materialize(root);
        if settings.split_distinct {
            root = split_distinct::apply(&root);
        }
        let schema = Rc::clone(&root.schema);
        let mut lowering = lower::Lowering {
            settings,
            diags,
            root: &root,
            next_variable,
        };
        let lowered = lowering.lower_root(&root);
        next_variable = lowering.next_variable;
        trees.extend(lowered.map(|node| PhysicalRoot {
            node: normalize::push_down(&node),
            schema,
        }));
    }
    if trees.len() < roots.len() {
        return None;
    }
    for root in &trees {
        limit::check(&root.node, settings, diags)?;
        emit::check(&root.node, settings, diags)?;
    }
    if settings.reuse_sinks {
        trees = sink_reuse::merge(trees);
    }
    let wanted = trees.len();
    let mut planned = Vec::new();
    for PhysicalRoot { node, schema } in trees {
        let is_query = !matches!(node.op, PhysicalOp::Sink(_));
        let node = if is_query && consumer == Consumer::Collect {
            lower::collect(&node, diags)?
        } else {
            node
        };
        let node = infer_traits(&node, settings, diags);
        if let Some(node) = &node
            && consumer == Consumer::Collect
        {
            merge_check::check(node, diags)?;
        }
        planned.extend(node.map(|node| PhysicalRoot { node, schema }));
    }
    (planned.len() == wanted).then_some(PhysicalPlan { roots: planned })
}

/// Why the result of a plan's first root cannot go where rows are only appended; `None` where it can.
pub fn append_refusal(plan: &PhysicalPlan) -> Option<Diagnostic> {
    let root = plan.roots.first()?;
    changelog::sink::append_refusal(&root.node)
}

/// The key with the fewest columns, the first of equals.
pub(crate) use changelog::sink::smallest;
fn infer_traits(
    root: &Rc<PhysicalNode>,
    settings: &Settings,
    diags: &mut Diagnostics,
) -> Option<Rc<PhysicalNode>> {
    let root = changelog::kinds::infer(root)?;
    changelog::appending::check(&root, diags)?;
    let root = phases::split(&root, settings);
    let root = distribution::enforce(&root);
    let root = keys::infer(&root);
    let root = changelog::sink::plan_root(&root, settings, diags)?;
    changelog::counters::report(&root, diags);
    changelog::defects::report(&root, diags);
    let root = mini_batch::apply(&root, settings);
    if let Some(gathers) = mini_batch::without_size(&root) {
        diags.push(Diagnostic::new(Code::MiniBatchSizeMissing, gathers.span).flink(
            "IllegalArgumentException: Key: 'table.exec.mini-batch.size' , default: -1 (fallback keys: []) must be > 0.",
        ));
        return None;
    }
    user_methods::check(&root, diags)?;
    Some(root)
}

/// A result's columns as Flink prints a schema.
pub fn types(schema: &[Field]) -> String {
    schema_text(schema)
}
