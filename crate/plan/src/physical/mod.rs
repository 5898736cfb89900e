//! Flink's exec nodes: what runs, with changelog modes, keys and distributions.

pub mod node;

use std::rc::Rc;

use sg_diag::Diagnostics;
use sg_value::{Field, schema_text};

use crate::{logical::LogicalNode, settings::Settings};
pub use node::PhysicalNode;

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
    /// One tree per statement, in order.
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
    let _ = (roots, settings, consumer, diags);
    todo!()
}

/// The optimized physical plan as EXPLAIN CHANGELOG_MODE prints it.
pub fn explain(plan: &PhysicalPlan) -> String {
    let _ = plan;
    todo!()
}

/// A result's columns as Flink prints a schema.
pub fn types(schema: &[Field]) -> String {
    schema_text(schema)
}
