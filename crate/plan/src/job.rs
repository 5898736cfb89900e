//! What the runtime runs: operators in topological order, and how rows travel between them.

use std::rc::Rc;

use sg_diag::Span;
use sg_value::Field;

use crate::{
    physical::{
        PhysicalPlan,
        node::{ChangelogMode, Distribution, PhysicalOp},
    },
    settings::Settings,
};

/// The job of one script: all its INSERTs, or its query.
#[derive(Clone, Debug)]
pub struct JobGraph {
    /// Operators; an input's operator always has a smaller id.
    pub operators: Vec<OperatorSpec>,
    /// `table.local-time-zone`.
    pub zone: Rc<str>,
    /// Number of key groups, Flink's maximum parallelism (128 unless set).
    pub max_parallelism: u32,
}

/// Identity of an operator within a job: its index in [`JobGraph::operators`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperatorId(pub u32);

/// One operator of the job.
#[derive(Clone, Debug)]
pub struct OperatorSpec {
    /// Its index.
    pub id: OperatorId,
    /// Name of the exec node: `GroupAggregate`.
    pub name: &'static str,
    /// The whole line of the plan text without `changelogMode`.
    pub description: String,
    /// What it runs; never `Exchange`.
    pub op: PhysicalOp,
    /// Inputs in order.
    pub inputs: Vec<InputSpec>,
    /// Output columns.
    pub schema: Rc<[Field]>,
    /// Row kinds that it emits.
    pub changelog_mode: ChangelogMode,
    /// Number of subtasks.
    pub parallelism: u32,
    /// The SQL text it came from.
    pub span: Span,
}

/// One input of an operator.
#[derive(Clone, Debug)]
pub struct InputSpec {
    /// The operator whose output it is.
    pub from: OperatorId,
    /// How its rows are distributed; an exchange where it is not `Forward`.
    pub distribution: Distribution,
    /// Columns of the key under which the operator keeps state; empty where it keeps none per key.
    pub key: Vec<u32>,
}

/// Operators of a plan in topological order; equal sub-plans become one.
pub fn translate(plan: &PhysicalPlan, settings: &Settings) -> JobGraph {
    let _ = (plan, settings);
    todo!()
}
