//! What the runtime runs: operators in topological order, and how rows travel between them.

use std::rc::Rc;

use sg_diag::Span;
use sg_expr::PlanStyle;
use sg_value::{Field, Gather as _, RowKind, sorted::SortedMap};

use crate::{
    catalog::Table,
    physical::{
        PhysicalPlan,
        explain::description,
        node::{ChangelogMode, Distribution, PhysicalNode, PhysicalOp},
        reuse::Digests,
        smallest,
        timed::{LookupJoinSpec, TimedJoinSpec},
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
    /// The columns that tell its rows apart while they are updated: the key with the fewest, where there is one.
    pub upsert_key: Option<Vec<u32>>,
    /// Number of subtasks.
    pub parallelism: u32,
    /// The SQL text it came from.
    pub span: Span,
}

impl OperatorSpec {
    /// The table that it reads or asks.
    pub fn table(&self) -> Option<&Rc<Table>> {
        match &self.op {
            PhysicalOp::Scan(scan) => Some(&scan.table),
            _ => self.lookup().map(|lookup| &lookup.table),
        }
    }

    /// What it looks up, if it is a lookup join.
    pub fn lookup(&self) -> Option<&LookupJoinSpec> {
        match &self.op {
            PhysicalOp::TimedJoin(join) => match &**join {
                TimedJoinSpec::Lookup(lookup) => Some(lookup),
                _ => None,
            },
            _ => None,
        }
    }
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
///
/// Parallelism follows Flink: a scan has as many subtasks as its table has partitions, at most the default; an
/// operator behind a hash exchange has the default, behind a single exchange 1, otherwise as many as its first input.
/// A query's result is collected by one subtask.
pub fn translate(plan: &PhysicalPlan, settings: &Settings) -> JobGraph {
    let mut translation = Translation {
        settings,
        operators: Vec::new(),
        digests: Digests::default(),
        by_digest: SortedMap::default(),
    };
    let roots = plan.roots.iter().map(|root| with_materializer(&root.node));
    for root in &roots.gather::<Vec<_>>() {
        translation.add(root);
    }
    JobGraph {
        operators: translation.operators,
        zone: Rc::clone(&settings.zone),
        max_parallelism: settings.max_parallelism,
    }
}

/// The sink with what stands in front of it as an operator of its own: rows of one primary key meet there.
fn with_materializer(root: &PhysicalNode) -> PhysicalNode {
    let (PhysicalOp::Sink(sink), Some(input)) = (&root.op, root.inputs.first()) else {
        return root.clone();
    };
    let Some(spec) = &sink.materialize else {
        return root.clone();
    };
    let above = |op: PhysicalOp, input: Rc<PhysicalNode>| {
        Rc::new(PhysicalNode {
            op,
            inputs: vec![Rc::clone(&input)],
            ..PhysicalNode::clone(&input)
        })
    };
    let exchange = above(
        PhysicalOp::Exchange(Distribution::Hash(spec.key.clone())),
        Rc::clone(input),
    );
    let materializer = above(PhysicalOp::SinkMaterializer(Box::new(spec.clone())), exchange);
    let mode = materializer.changelog_mode.without(RowKind::UpdateBefore);
    let materializer = PhysicalNode {
        changelog_mode: mode,
        span: root.span,
        ..PhysicalNode::clone(&materializer)
    };
    root.with_inputs(vec![Rc::new(materializer)])
}

struct Translation<'a> {
    settings: &'a Settings,
    operators: Vec<OperatorSpec>,
    digests: Digests,
    by_digest: SortedMap<u32, OperatorId>,
}

impl Translation<'_> {
    /// The operator of a node that is no exchange, with everything below it.
    fn add(&mut self, node: &PhysicalNode) -> OperatorId {
        let digest = (self.settings.reuse_sub_plans && !matches!(node.op, PhysicalOp::Sink(_)))
            .then(|| self.digests.of(node));
        if let Some(known) = digest.as_ref().and_then(|digest| self.by_digest.get(digest)) {
            let known = *known;
            self.take_over_nulls(known, &node.op);
            return known;
        }
        let edges: Vec<(OperatorId, Distribution)> =
            node.inputs.iter().map(|input| self.edge(input)).gather();
        let parallelism = self.parallelism(node, &edges);
        let inputs = edges
            .into_iter()
            .enumerate()
            .map(|(at, (from, distribution))| {
                let distribution = match distribution {
                    Distribution::Forward if self.parallelism_of(from) != parallelism => {
                        Distribution::Rebalance
                    }
                    other => other,
                };
                InputSpec {
                    from,
                    distribution,
                    key: state_key(&node.op, at),
                }
            })
            .gather();
        let id = OperatorId(u32::try_from(self.operators.len()).unwrap_or(u32::MAX));
        self.operators.push(OperatorSpec {
            id,
            name: node.op.exec_name(),
            description: description(node, PlanStyle::Physical),
            op: node.op.clone(),
            inputs,
            schema: Rc::clone(&node.schema),
            changelog_mode: node.changelog_mode,
            upsert_key: smallest(&node.upsert_keys),
            parallelism,
            span: node.span,
        });
        if let Some(digest) = digest {
            self.by_digest.insert(digest, id);
        }
        id
    }

    /// Where NULLs come is no part of what tells sorting nodes apart: of two that differ in nothing else the later one
    /// holds. Flink does the same. Case: topn/nulls-first-is-lost-beside-its-twin.
    fn take_over_nulls(&mut self, known: OperatorId, op: &PhysicalOp) {
        if let Some(operator) = self.operators.get_mut(known.0 as usize)
            && let (
                PhysicalOp::Rank(kept) | PhysicalOp::SortLimit(kept),
                PhysicalOp::Rank(later) | PhysicalOp::SortLimit(later),
            ) = (&mut operator.op, op)
        {
            kept.order.clone_from(&later.order);
        }
    }

    /// The operator that feeds an input, and how.
    fn edge(&mut self, input: &PhysicalNode) -> (OperatorId, Distribution) {
        match (&input.op, input.inputs.first()) {
            (PhysicalOp::Exchange(distribution), Some(below)) => (self.add(below), distribution.clone()),
            _ => (self.add(input), Distribution::Forward),
        }
    }

    fn parallelism(&self, node: &PhysicalNode, edges: &[(OperatorId, Distribution)]) -> u32 {
        match (&node.op, edges.first()) {
            (PhysicalOp::Scan(scan), _) => self.settings.parallelism.min(partitions(&scan.table)),
            (PhysicalOp::Sink(sink), _) if sink.table.is_none() => 1,
            (_, None | Some((_, Distribution::Single))) => 1,
            (_, Some((_, Distribution::Hash(_) | Distribution::Rebalance))) => self.settings.parallelism,
            (_, Some((from, Distribution::Forward))) => self.parallelism_of(*from),
        }
    }

    fn parallelism_of(&self, id: OperatorId) -> u32 {
        self.operators
            .get(id.0 as usize)
            .map_or(1, |operator| operator.parallelism)
    }
}

/// Number of partitions that a table declares, 1 without the option.
fn partitions(table: &Table) -> u32 {
    let declared = table
        .options
        .get("partitions")
        .and_then(|text| text.trim().parse::<u32>().ok());
    declared.unwrap_or(1).max(1)
}

/// Columns of an input under which an operator keeps state.
fn state_key(op: &PhysicalOp, input: usize) -> Vec<u32> {
    match op {
        PhysicalOp::Join(spec) => spec.keys.of(input).to_vec(),
        PhysicalOp::MultiJoin(spec) => spec.key(input).to_vec(),
        PhysicalOp::SinkMaterializer(spec) => spec.key.clone(),
        PhysicalOp::TimedJoin(spec) => spec.key(input).to_vec(),
        PhysicalOp::Match(spec) => spec.partition.clone(),
        PhysicalOp::ChangelogNormalize(spec) => spec.keys.clone(),
        PhysicalOp::GroupAggregate(spec) | PhysicalOp::GlobalGroupAggregate(spec) => spec.keys.clone(),
        PhysicalOp::IncrementalGroupAggregate(spec) => spec.partial.keys.clone(),
        PhysicalOp::WindowAggregate(spec) => spec.keys.clone(),
        PhysicalOp::GroupWindowAggregate(spec) => spec.keys.clone(),
        PhysicalOp::GlobalWindowAggregate(spec) => (0..spec.key_count).gather(),
        PhysicalOp::WindowTableFunction(spec) => spec.partition.clone(),
        PhysicalOp::OverAggregate(spec) => spec.partition.clone(),
        PhysicalOp::Rank(spec) => spec.partition.clone(),
        PhysicalOp::WindowRank(spec) => spec.partition.clone(),
        PhysicalOp::WindowDeduplicate(spec) => spec.partition.clone(),
        PhysicalOp::Scan(_)
        | PhysicalOp::Values(_)
        | PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::Calc(_)
        | PhysicalOp::Exchange(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::LocalGroupAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::SortLimit(_)
        | PhysicalOp::Limit(_)
        | PhysicalOp::TemporalSort(_)
        | PhysicalOp::FinalResult(_)
        | PhysicalOp::Correlate(_)
        | PhysicalOp::Union
        | PhysicalOp::DropUpdateBefore
        | PhysicalOp::Sink(_) => Vec::new(),
    }
}
