//! Looking into a job between slots: counters and pages of state.

use std::borrow::Cow;

use sg_plan::job::OperatorId;
use sg_value::{Gather as _, Value, bytes::Namespace};

use super::{
    Job, LateDrop, OperatorStats, PartitionState, StateHandle, StatePage, StateRow, layout::OpInfo,
    layout::Role, task::OpRun,
};
use crate::{
    state::{EntryView, Key, MapShape, Shape, Table, namespace_text},
    time::Watermark,
    trace::NamespaceText,
};

/// More entries than this are listed as they lie in memory, not sorted.
const SORTED_ENTRIES: usize = 200_000;

impl Job {
    /// Counters of all operators, by id.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn operator_stats(&self) -> Vec<OperatorStats> {
        let counters = self.layout.ops.iter().zip(&self.shared.counters);
        counters
            .map(|(info, counters)| OperatorStats {
                entries: counters.entries.get(),
                bytes: counters.bytes.get(),
                watermark_ms: self
                    .runs(info)
                    .map(|(_, op)| op.sent)
                    .min()
                    .and_then(Watermark::ms),
                late_dropped: counters.late.get(),
                rows_in: counters.rows_in.get(),
                rows_out: counters.rows_out.get(),
            })
            .gather()
    }

    /// The earliest event-time timer of an operator, milliseconds since the epoch.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn next_timer(&self, operator: OperatorId) -> Option<i64> {
        let info = self.layout.ops.get(operator.0 as usize)?;
        self.runs(info).filter_map(|(_, op)| op.event.next()).min()
    }

    /// Rows that were dropped as late in the last slot, in order.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn late_drops(&self) -> Vec<LateDrop> {
        self.shared.late_drops.borrow().clone()
    }

    /// The partitions of a source, as the first scan that reads it sees them.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn partitions(&self, source: u32) -> Vec<PartitionState> {
        let task = self
            .layout
            .readers
            .get(source as usize)
            .and_then(|readers| readers.first());
        let Some(task) = task.and_then(|task| self.layout.tasks.get(*task)) else {
            return Vec::new();
        };
        let info = task.ops.first().and_then(|op| self.layout.ops.get(*op));
        let Some(Role::Scan(scan)) = info.map(|info| &info.role) else {
            return Vec::new();
        };
        let state = |partition: u32| {
            let subtask = self
                .subtasks
                .get(task.first_subtask + (partition % task.parallelism) as usize)?;
            let run = subtask.ops.first()?.scan.as_ref()?;
            let mut state = run.state(partition / task.parallelism)?;
            if scan.made_elsewhere() {
                // The watermark is made by an operator of the same chain, for all partitions together.
                state.watermark_ms = subtask.ops.iter().map(|op| op.sent).max().and_then(Watermark::ms);
            }
            state.out_of_orderness_ms = scan.bound_ms(partition);
            Some(state)
        };
        (0..scan.partitions).filter_map(state).gather()
    }

    /// States of an operator, by handle. Behind them, if it has timers that count as state, those.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn state_handles(&self, operator: OperatorId) -> Vec<StateHandle> {
        let Some(info) = self.layout.ops.get(operator.0 as usize) else {
            return Vec::new();
        };
        let states = info.states.iter().map(|spec| {
            let columns = match &spec.shape {
                Shape::Value(value) | Shape::Part(value, _) => {
                    value.names.iter().map(ToString::to_string).gather()
                }
                Shape::Counts(_) => vec!["count".to_owned()],
                Shape::Map(map) => map.value_names(),
                Shape::ByTime(maps, at) => maps.get(*at).map(MapShape::value_names).unwrap_or_default(),
                Shape::Hashed(map) => map.names.iter().map(ToString::to_string).gather(),
            };
            (spec.name.to_string(), columns)
        });
        let timers = info
            .timers
            .counted
            .then(|| ("timers".to_owned(), vec!["time".to_owned()]));
        let all = (0..).zip(states.chain(timers));
        all.map(|(handle, (name, columns))| StateHandle {
            handle,
            name,
            columns,
        })
        .gather()
    }

    /// Entries of a state, all subtasks together, ordered by key and namespace.
    #[cfg_attr(sg_hot, optimize(size))]
    pub fn state_page(&self, operator: OperatorId, handle: u32, offset: u64, limit: u64) -> StatePage {
        let Some(info) = self.layout.ops.get(operator.0 as usize) else {
            return StatePage::default();
        };
        let mut found: Vec<(u32, EntryView<'_>)> = Vec::new();
        for (subtask, op) in self.runs(info) {
            let mut add = Found(subtask, &mut found);
            match op.tables.get(handle as usize) {
                Some(Table::Value(table)) => add.all(&mut table.iter()),
                Some(Table::Counts(table)) => add.all(&mut table.iter()),
                Some(Table::Map(table)) => add.all(&mut table.iter()),
                Some(Table::Hashed(table)) => add.all(&mut table.iter()),
                Some(Table::ByTime(_) | Table::Part(_)) => {
                    let at = match op.tables.get(handle as usize) {
                        Some(Table::Part(part)) => part.at,
                        _ => 0,
                    };
                    let table = op.tables.get((handle as usize).wrapping_sub(at));
                    if let Some(Table::ByTime(table)) = table {
                        add.all(&mut table.entries(at, &op.keys).into_iter());
                    }
                }
                None if info.timers.counted && handle as usize == op.tables.len() => {
                    add.all(&mut timers(info, op));
                }
                None => {}
            }
        }
        if found.len() <= SORTED_ENTRIES {
            found.sort_by(|(_, left), (_, right)| {
                (left.key, &left.sub, left.namespace).cmp(&(right.key, &right.sub, right.namespace))
            });
        }
        let classes = match op_table(self, info, handle) {
            Some(table) => table.value_classes(),
            None => Cow::Owned(vec![self.shared.trace.timestamp_class()]),
        };
        let spec = info.states.get(handle as usize);
        let rows = found
            .iter()
            .skip(offset as usize)
            .take(limit as usize)
            .map(|(subtask, entry)| {
                let mut within = String::new();
                let mut key = self.shared.trace.text_of(&info.key_classes, entry.key);
                if let (Some(sub), Some(classes)) = (
                    &entry.sub,
                    op_table(self, info, handle).and_then(Table::sub_classes),
                ) {
                    within = format!("[{}]", self.shared.trace.text_of(classes, sub));
                    key.push_str(&within);
                }
                let namespace = match spec {
                    Some(spec) => namespace_text(spec, entry.namespace),
                    None => info.timers.namespace_text(entry.namespace),
                };
                StateRow {
                    subtask: *subtask,
                    key,
                    sub: within,
                    namespace: self.namespace(namespace),
                    value: self.shared.trace.text_of(&classes, &entry.value),
                    last_writer: u64::from(entry.writer),
                    bytes: entry.bytes,
                }
            });
        StatePage {
            total: found.len() as u64,
            rows: rows.gather(),
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn namespace(&self, namespace: NamespaceText) -> String {
        match namespace {
            NamespaceText::None => String::new(),
            NamespaceText::Window { start_ms, end_ms } => {
                let class = [self.shared.trace.timestamp_class()];
                let text = |ms| self.shared.trace.text_of(&class, &[Value::timestamp_ms(ms)]);
                format!("{}/{}", text(start_ms), text(end_ms))
            }
        }
    }

    /// The subtasks of an operator.
    #[cfg_attr(sg_hot, optimize(size))]
    fn runs<'j>(&'j self, info: &'j OpInfo) -> impl Iterator<Item = (u32, &'j OpRun)> {
        let task = self.layout.tasks.get(info.task);
        let position = task.and_then(|task| task.ops.iter().position(|op| *op == info.id as usize));
        let range = task.map_or(0..0, |task| {
            task.first_subtask..task.first_subtask + task.parallelism as usize
        });
        let subtasks = (0..).zip(self.subtasks.get(range).unwrap_or_default());
        subtasks.filter_map(move |(at, subtask)| Some((at, subtask.ops.get(position?)?)))
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn op_table<'j>(job: &'j Job, info: &'j OpInfo, handle: u32) -> Option<&'j Table> {
    job.runs(info)
        .next()
        .and_then(|(_, op)| op.tables.get(handle as usize))
}

#[cfg_attr(sg_hot, optimize(size))]
fn timers<'j>(info: &'j OpInfo, op: &'j OpRun) -> impl Iterator<Item = EntryView<'j>> {
    op.event
        .iter()
        .chain(op.processing.iter())
        .flat_map(move |(at_ms, bucket)| {
            bucket
                .iter()
                .map(move |(Key { cells: key, .. }, namespace)| EntryView {
                    key,
                    sub: None,
                    namespace,
                    value: Cow::Owned(vec![Value::timestamp_ms(at_ms)]),
                    writer: 0,
                    bytes: info.timers.bytes(key),
                })
        })
}

impl crate::op::TimerLayout {
    /// A timer's namespace as text.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn namespace_text(&self, namespace: &[Value]) -> NamespaceText {
        match (self.namespace, namespace) {
            (Namespace::WindowEnd, [Value::Int(end_ms)]) => NamespaceText::Window {
                start_ms: end_ms.wrapping_sub(self.slice_ms),
                end_ms: *end_ms,
            },
            (Namespace::Window, [Value::Int(start_ms), Value::Int(end_ms)]) => NamespaceText::Window {
                start_ms: *start_ms,
                end_ms: *end_ms,
            },
            _ => NamespaceText::None,
        }
    }
}

/// Where the entries of a subtask are gathered: one piece of code for all kinds of tables.
struct Found<'f, 'j>(u32, &'f mut Vec<(u32, EntryView<'j>)>);

impl<'j> Found<'_, 'j> {
    #[cfg_attr(sg_hot, optimize(size))]
    fn all(&mut self, entries: &mut dyn Iterator<Item = EntryView<'j>>) {
        self.1.extend(entries.map(|entry| (self.0, entry)));
    }
}
