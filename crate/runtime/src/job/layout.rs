//! The fixed part of a running job: operators, tasks, edges.
//!
//! Operators that hand rows to each other without an exchange, with the same parallelism and a single input, form a
//! *chain*: one task. A task with parallelism n has n subtasks.

use std::rc::Rc;

use sg_diag::Span;
use sg_plan::{
    job::{JobGraph, OperatorSpec},
    physical::{
        node::{Distribution, PhysicalOp},
        timed::LookupJoinSpec,
    },
};
use sg_value::{DataType, Field, Gather as _, bytes::RowSizer};

use super::{SourceInfo, lookups::LookupTable, source::ScanInfo};
use crate::{
    fault::Fault,
    op::{
        Operator, TimerLayout,
        factory::{self, Made, Plan},
    },
    options::JobOptions,
    state::{KeyLayout, Shape, StateSpec},
    trace::{Class, Trace},
};

/// Operators, tasks and edges.
pub(super) struct Layout {
    pub(super) ops: Vec<OpInfo>,
    pub(super) tasks: Vec<TaskInfo>,
    pub(super) edges: Vec<Edge>,
    pub(super) sources: Vec<SourceInfo>,
    /// Tasks that read a source.
    pub(super) readers: Vec<Vec<usize>>,
    pub(super) max_parallelism: u32,
}

/// An operator.
pub(super) struct OpInfo {
    pub(super) id: u32,
    pub(super) role: Role,
    pub(super) width: usize,
    /// Classes of the output columns.
    pub(super) classes: Box<[Class]>,
    /// Columns of the first input that are the key.
    pub(super) key: Vec<usize>,
    /// The same for further inputs.
    pub(super) more_keys: Vec<Vec<usize>>,
    pub(super) key_layout: KeyLayout,
    pub(super) key_classes: Box<[Class]>,
    pub(super) states: Vec<Rc<StateSpec>>,
    pub(super) timers: TimerLayout,
    pub(super) makes_watermarks: bool,
    /// Whether the operator wants to know when its watermark rises.
    pub(super) hears_watermarks: bool,
    pub(super) uses_processing_time: bool,
    pub(super) watermark_delay_ms: i64,
    pub(super) parallelism: u32,
    pub(super) span: Span,
    pub(super) task: usize,
    /// Edges that leave the task.
    pub(super) out_edges: Vec<usize>,
}

/// What an operator is to the driver.
pub(super) enum Role {
    /// Reads a table.
    Scan(Box<ScanInfo>),
    /// Anything else.
    Operator(Box<dyn Operator>),
}

impl OpInfo {
    /// Columns of an input that are the key.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn key_of(&self, input: u32) -> &[usize] {
        let further = (input as usize).checked_sub(1);
        further.and_then(|at| self.more_keys.get(at)).unwrap_or(&self.key)
    }

    /// Whether state can expire.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn expires(&self) -> bool {
        self.states.iter().any(|state| state.ttl_ms > 0)
    }
}

/// A chain of operators.
pub(super) struct TaskInfo {
    /// Operators in topological order.
    pub(super) ops: Vec<usize>,
    /// For each of them the position of the one it reads from; the first reads the task's input.
    pub(super) upstream: Vec<usize>,
    /// For each of them whether nobody else reads what the one before it emits.
    pub(super) sole_reader: Vec<bool>,
    pub(super) parallelism: u32,
    /// Number of its first subtask among all subtasks.
    pub(super) first_subtask: usize,
    /// For each input channel the input that it belongs to.
    pub(super) channels: Vec<u32>,
}

/// An exchange, or a forward edge between tasks.
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) input: u32,
    pub(super) distribution: Distribution,
    /// Number of its first channel at the target's gate.
    pub(super) first_channel: u32,
    pub(super) key_types: Vec<DataType>,
}

impl Edge {
    /// The target's channel for rows of a subtask.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn channel(&self, from_subtask: u32) -> u32 {
        match self.distribution {
            Distribution::Forward => self.first_channel,
            _ => self.first_channel + from_subtask,
        }
    }
}

impl Layout {
    /// Makes all operators and cuts the graph into tasks.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn new(graph: &JobGraph, options: &JobOptions, trace: &Trace) -> Result<Self, Fault> {
        let sources = sources(graph, options);
        let mut layout = Self {
            readers: vec![Vec::new(); sources.len()],
            ops: Vec::with_capacity(graph.operators.len()),
            tasks: Vec::new(),
            edges: Vec::new(),
            sources,
            max_parallelism: graph.max_parallelism.max(1),
        };
        for spec in &graph.operators {
            let info = layout.operator(graph, options, trace, spec)?;
            layout.ops.push(info);
            layout.place(graph, spec);
        }
        let mut subtasks = 0;
        for task in &mut layout.tasks {
            task.first_subtask = subtasks;
            subtasks += task.parallelism as usize;
            let readers = |from: &usize| {
                task.upstream
                    .iter()
                    .skip(1)
                    .filter(|other| *other == from)
                    .count()
            };
            let leaves = |from: &usize| {
                let info = task.ops.get(*from).and_then(|op| layout.ops.get(*op));
                info.is_some_and(|info| !info.out_edges.is_empty())
            };
            task.sole_reader = task
                .upstream
                .iter()
                .map(|from| readers(from) == 1 && !leaves(from))
                .gather();
        }
        Ok(layout)
    }

    /// Number of subtasks of all tasks.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn subtasks(&self) -> usize {
        self.tasks.iter().map(|task| task.parallelism as usize).sum()
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn operator(
        &self,
        graph: &JobGraph,
        options: &JobOptions,
        trace: &Trace,
        spec: &OperatorSpec,
    ) -> Result<OpInfo, Fault> {
        let mut inputs = spec.inputs.iter().map(|input| -> &[Field] {
            let from = graph.operators.get(input.from.0 as usize);
            from.map_or(&[], |from| &from.schema)
        });
        let input = inputs.next().unwrap_or_default();
        let plan = Plan {
            spec,
            input,
            more_inputs: inputs.gather(),
            bound_ms: bound_of(graph, options, spec),
        };
        let made = factory::make(&plan).map_err(|diagnostic| Fault {
            operator: spec.id,
            slot: 0,
            diagnostic,
        })?;
        let Made {
            logic: operator,
            key,
            more_keys,
            states,
            ..
        } = made;
        let key_types: Vec<DataType> = key
            .iter()
            .filter_map(|column| input.get(*column as usize))
            .map(|field| field.data_type.clone())
            .gather();
        let sizer = RowSizer::for_key(&key_types);
        let role = match operator {
            factory::Logic::Scan(scan) => {
                Role::Scan(Box::new(ScanInfo::new(&scan, &self.sources, options, trace)))
            }
            factory::Logic::Operator(operator) => Role::Operator(operator),
        };
        let hears_watermarks = match &role {
            Role::Scan(_) => false,
            Role::Operator(operator) => operator.hears_watermarks(),
        };
        Ok(OpInfo {
            id: spec.id.0,
            role,
            hears_watermarks,
            width: spec.schema.len(),
            classes: trace.classes(spec.schema.iter().map(|field| &field.data_type)),
            key: key.iter().map(|column| *column as usize).gather(),
            more_keys: more_keys
                .iter()
                .map(|key| key.iter().map(|column| *column as usize).gather())
                .gather(),
            key_layout: KeyLayout {
                width: key.len(),
                sizer: sizer.clone(),
                shared: !key.is_empty() && share_keys(&states),
            },
            key_classes: trace.classes(&key_types),
            states: states.into_iter().map(Rc::new).gather(),
            timers: TimerLayout {
                sizer,
                namespace: made.timer_namespace,
                slice_ms: made.slice_ms,
                counted: made.timers_counted,
            },
            makes_watermarks: made.makes_watermarks,
            uses_processing_time: made.uses_processing_time,
            watermark_delay_ms: made.watermark_delay_ms,
            parallelism: spec.parallelism.max(1),
            span: spec.span,
            task: 0,
            out_edges: Vec::new(),
        })
    }

    /// Puts the newest operator into the task of its input, or into one of its own.
    #[cfg_attr(sg_hot, optimize(size))]
    fn place(&mut self, graph: &JobGraph, spec: &OperatorSpec) {
        let at = self.ops.len() - 1;
        let parallelism = spec.parallelism.max(1);
        if let [input] = spec.inputs.as_slice()
            && input.distribution == Distribution::Forward
            && let Some(from) = self.ops.get(input.from.0 as usize)
            && from.parallelism == parallelism
            && let Some(task) = self.tasks.get_mut(from.task)
            && let Some(position) = task.ops.iter().position(|op| *op == input.from.0 as usize)
        {
            task.ops.push(at);
            task.upstream.push(position);
            let number = from.task;
            if let Some(info) = self.ops.get_mut(at) {
                info.task = number;
            }
            return;
        }
        let number = self.tasks.len();
        let channels = self.connect(graph, spec, at);
        self.tasks.push(TaskInfo {
            ops: vec![at],
            upstream: vec![0],
            sole_reader: Vec::new(),
            parallelism,
            first_subtask: 0,
            channels,
        });
        if let Some(info) = self.ops.get_mut(at) {
            info.task = number;
            if let Role::Scan(scan) = &info.role
                && let Some(readers) = self.readers.get_mut(scan.source as usize)
            {
                readers.push(number);
            }
        }
    }

    /// Makes the edges into a new task; for each of its channels the input.
    #[cfg_attr(sg_hot, optimize(size))]
    fn connect(&mut self, graph: &JobGraph, spec: &OperatorSpec, at: usize) -> Vec<u32> {
        let parallelism = spec.parallelism.max(1);
        let mut channels = Vec::new();
        for (number, input) in (0_u32..).zip(&spec.inputs) {
            let from = input.from.0 as usize;
            let Some(upstream) = self.ops.get_mut(from) else {
                continue;
            };
            // Rows can only be forwarded where both sides have as many subtasks.
            let distribution = match &input.distribution {
                Distribution::Forward if upstream.parallelism != parallelism => Distribution::Rebalance,
                other => other.clone(),
            };
            upstream.out_edges.push(self.edges.len());
            let more = if distribution == Distribution::Forward {
                1
            } else {
                upstream.parallelism
            };
            let fields = graph.operators.get(from).map_or(&[][..], |from| &from.schema);
            let key_types = match &distribution {
                Distribution::Hash(columns) => columns
                    .iter()
                    .filter_map(|column| fields.get(*column as usize))
                    .map(|field| field.data_type.clone())
                    .gather(),
                _ => Vec::new(),
            };
            self.edges.push(Edge {
                from,
                to: at,
                input: number,
                distribution,
                first_channel: u32::try_from(channels.len()).unwrap_or(u32::MAX),
                key_types,
            });
            channels.extend(std::iter::repeat_n(number, more as usize));
        }
        channels
    }
}

/// The tables that a graph reads, in order of their first scan.
#[cfg_attr(sg_hot, optimize(size))]
fn sources(graph: &JobGraph, options: &JobOptions) -> Vec<SourceInfo> {
    let mut sources: Vec<SourceInfo> = Vec::new();
    for table in graph.operators.iter().filter_map(OperatorSpec::table) {
        if sources.iter().any(|source| source.table == table.name) {
            continue;
        }
        let columns = table
            .scan_columns()
            .into_iter()
            .filter_map(|at| table.columns.get(at as usize));
        let listed = options.sources.iter().find(|source| source.table == table.name);
        sources.push(SourceInfo {
            source: sources.len() as u32,
            table: Rc::clone(&table.name),
            partitions: listed.map_or(1, |source| source.partitions.max(1)),
            columns: columns.map(|column| column.field.clone()).gather(),
        });
    }
    sources
}

/// The tables that a graph looks up, for a job that starts at this time.
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn lookup_tables(graph: &JobGraph, sources: &[SourceInfo], start_ms: i64) -> Vec<LookupTable> {
    let mut tables: Vec<LookupTable> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for spec in &graph.operators {
        let Some(lookup) = spec.lookup() else { continue };
        if !seen.contains(&&*lookup.table.name) {
            tables.extend(lookup_table(lookup, sources, start_ms));
            seen.push(&lookup.table.name);
        }
    }
    tables
}

#[inline(never)]
#[cfg_attr(sg_hot, optimize(size))]
fn lookup_table(lookup: &LookupJoinSpec, sources: &[SourceInfo], start_ms: i64) -> Option<LookupTable> {
    let table = &lookup.table;
    let source = sources.iter().find(|source| source.table == table.name)?;
    let arriving = table.scan_columns();
    let place = |column: &u32| arriving.iter().position(|other| other == column);
    let key = table.primary_key.as_ref();
    let key = key.and_then(|key| key.iter().map(place).gather::<Option<Vec<usize>>>());
    Some(LookupTable::new(
        (source.source, &table.name),
        key,
        lookup.cache,
        start_ms,
    ))
}

/// The bound that replaces the declaration of an assigner: that of the first partition of the table above it.
#[cfg_attr(sg_hot, optimize(size))]
fn bound_of(graph: &JobGraph, options: &JobOptions, spec: &OperatorSpec) -> Option<i64> {
    if !matches!(spec.op, PhysicalOp::WatermarkAssigner(_)) {
        return None;
    }
    let mut at = spec;
    loop {
        if let PhysicalOp::Scan(scan) = &at.op {
            let listed = options
                .sources
                .iter()
                .find(|source| source.table == scan.table.name)?;
            return listed.out_of_orderness_ms.first().copied().flatten();
        }
        at = graph.operators.get(at.inputs.first()?.from.0 as usize)?;
    }
}

/// Whether keys get numbers: where several states look for them, or one that is asked several times a row.
fn share_keys(states: &[StateSpec]) -> bool {
    let sharing = states.iter().filter(|spec| spec.can_share_keys());
    let times = sharing.map(|spec| if matches!(spec.shape, Shape::Map(_)) { 2 } else { 1 });
    times.sum::<u32>() > 1
}
