//! Channels between subtasks: first in, first out, with one numbering for all.
//!
//! The scheduler takes what was sent first, so that all channels together are one queue. With a seed it chooses among
//! the channels that have something instead; each channel keeps its order.

use std::collections::VecDeque;

use sg_plan::physical::node::Distribution;
use sg_value::{
    Change, Gather as _, Value,
    hash::{KeyGrouper, subtask_of_key_group},
};

use super::{
    batch::{Batch, Item},
    layout::{Edge, Layout},
    shared::Shared,
    task::{Subtask, TaskPlace},
};
use crate::trace::Route;

/// A batch on its way.
#[derive(Debug)]
pub(super) struct Sent {
    /// Number of the receiving subtask among all.
    pub(super) subtask: usize,
    pub(super) place: TaskPlace,
    pub(super) input: u32,
    pub(super) channel: u32,
    pub(super) batch: Box<Batch>,
}

/// Everything on its way, and what routing needs.
#[derive(Debug)]
pub(super) struct Network {
    queue: VecDeque<Sent>,
    #[expect(clippy::vec_box, reason = "a batch changes hands as a pointer")]
    pool: Vec<Box<Batch>>,
    routers: Vec<Router>,
    seed: Option<u64>,
}

/// What an edge remembers.
#[derive(Debug)]
struct Router {
    grouper: KeyGrouper,
    key: Vec<Value>,
    /// Per sending subtask the next target of a rebalance.
    next: Vec<u32>,
}

impl Network {
    pub(super) fn new(layout: &Layout, seed: Option<u64>) -> Self {
        let routers = layout.edges.iter().map(|edge| Router {
            grouper: KeyGrouper::new(&edge.key_types),
            key: Vec::new(),
            next: vec![0; layout.ops.get(edge.from).map_or(1, |op| op.parallelism as usize)],
        });
        Self {
            queue: VecDeque::new(),
            pool: Vec::new(),
            routers: routers.gather(),
            seed,
        }
    }

    /// The next batch to take.
    pub(super) fn pop(&mut self) -> Option<Sent> {
        let Some(seed) = &mut self.seed else {
            return self.queue.pop_front();
        };
        let mut heads: Vec<usize> = Vec::new();
        for (at, sent) in self.queue.iter().enumerate() {
            let same = |head: &usize| {
                self.queue
                    .get(*head)
                    .is_some_and(|head| head.subtask == sent.subtask && head.channel == sent.channel)
            };
            if !heads.iter().any(same) {
                heads.push(at);
            }
        }
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let chosen = (*seed >> 33) as usize % heads.len().max(1);
        self.queue.remove(*heads.get(chosen)?)
    }

    /// Takes a batch's memory back.
    pub(super) fn recycle(&mut self, batch: Box<Batch>) {
        self.pool.push(batch);
    }

    /// Throws away what is on its way: the job has failed.
    pub(super) fn clear(&mut self) {
        self.queue.clear();
    }

    /// State that belongs into a snapshot.
    pub(super) fn remembered(&self) -> (Vec<Vec<u32>>, Option<u64>) {
        (
            self.routers.iter().map(|router| router.next.clone()).gather(),
            self.seed,
        )
    }

    /// Goes back to what a snapshot remembers.
    pub(super) fn restore(&mut self, (next, seed): &(Vec<Vec<u32>>, Option<u64>)) {
        self.clear();
        self.seed = *seed;
        for (router, next) in self.routers.iter_mut().zip(next) {
            router.next.clone_from(next);
        }
    }

    #[expect(
        clippy::unnecessary_box_returns,
        reason = "a batch changes hands as a pointer"
    )]
    fn batch(&mut self, width: usize) -> Box<Batch> {
        let mut batch = self.pool.pop().unwrap_or_default();
        batch.reset(width);
        batch
    }

    /// Sends on what the operators of a subtask have emitted, and empties their buffers.
    pub(super) fn send(&mut self, layout: &Layout, shared: &Shared, place: TaskPlace, subtask: &mut Subtask) {
        let Some(task) = layout.tasks.get(place.task) else {
            return;
        };
        for (op, run) in task.ops.iter().zip(&mut subtask.ops) {
            if run.out.is_empty() {
                continue;
            }
            let edges = layout.ops.get(*op).map_or(&[][..], |info| &info.out_edges);
            let last = edges.len().wrapping_sub(1);
            for (at, number) in edges.iter().enumerate() {
                let Some(edge) = layout.edges.get(*number) else {
                    continue;
                };
                let target = Target::of(layout, edge, place.at);
                if target.parallelism == 1 || edge.distribution == Distribution::Forward {
                    self.send_whole(shared, &target, *number, &mut run.out, at == last);
                } else {
                    self.send_parts(shared, &target, *number, &run.out);
                }
            }
            run.out.clear();
        }
    }

    /// To the only target, without looking into the batch; the sender's buffer goes along if nobody else needs it.
    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    fn send_whole(
        &mut self,
        shared: &Shared,
        target: &Target<'_>,
        number: usize,
        out: &mut Box<Batch>,
        last: bool,
    ) {
        let to = if target.edge.distribution == Distribution::Forward {
            target.from
        } else {
            0
        };
        if shared.trace.full() {
            for item in out.iter() {
                if let Item::Change(id, change) = item {
                    let group = self.key_group(target, number, change);
                    target.trace(shared, to, group, id);
                }
            }
        }
        let mut batch = self.batch(out.width());
        if last {
            std::mem::swap(&mut batch, out);
        } else {
            batch.clone_from(out);
        }
        self.queue.push_back(target.sent(to, batch));
    }

    /// Each change to its own target, controls to all.
    fn send_parts(&mut self, shared: &Shared, target: &Target<'_>, number: usize, out: &Batch) {
        let mut parts: Vec<Box<Batch>> = (0..target.parallelism).map(|_| self.batch(out.width())).gather();
        for item in out.iter() {
            match item {
                Item::Control(control) => parts.iter_mut().for_each(|part| part.push_control(control)),
                Item::Change(id, change) => {
                    let group = self.key_group(target, number, change);
                    let to = match &target.edge.distribution {
                        Distribution::Hash(_) => {
                            subtask_of_key_group(group, target.parallelism, target.max_parallelism)
                        }
                        Distribution::Rebalance => self.next_target(target, number),
                        Distribution::Single | Distribution::Forward => 0,
                    };
                    if shared.trace.full() {
                        target.trace(shared, to, group, id);
                    }
                    if let Some(part) = parts.get_mut(to as usize) {
                        part.push(id, change);
                    }
                }
            }
        }
        for (to, batch) in (0..).zip(parts) {
            if batch.is_empty() {
                self.recycle(batch);
            } else {
                self.queue.push_back(target.sent(to, batch));
            }
        }
    }

    fn next_target(&mut self, target: &Target<'_>, number: usize) -> u32 {
        let next = self
            .routers
            .get_mut(number)
            .and_then(|router| router.next.get_mut(target.from as usize));
        let Some(next) = next else { return 0 };
        let to = *next;
        *next = (to + 1) % target.parallelism;
        to
    }

    fn key_group(&mut self, target: &Target<'_>, number: usize, change: Change<'_>) -> u32 {
        let (Distribution::Hash(columns), Some(router)) =
            (&target.edge.distribution, self.routers.get_mut(number))
        else {
            return 0;
        };
        router.key.clear();
        let cells = columns
            .iter()
            .map(|column| change.row.get(*column as usize).cloned().unwrap_or_default());
        router.key.extend(cells);
        router.grouper.key_group(&router.key, target.max_parallelism)
    }
}

/// Where an edge leads from a subtask.
struct Target<'l> {
    edge: &'l Edge,
    from: u32,
    operator: u32,
    task: usize,
    parallelism: u32,
    first_subtask: usize,
    max_parallelism: u32,
}

impl<'l> Target<'l> {
    fn of(layout: &'l Layout, edge: &'l Edge, from: u32) -> Self {
        let task = layout.ops.get(edge.to).map_or(0, |op| op.task);
        let info = layout.tasks.get(task);
        Self {
            edge,
            from,
            operator: edge.to as u32,
            task,
            parallelism: info.map_or(1, |task| task.parallelism),
            first_subtask: info.map_or(0, |task| task.first_subtask),
            max_parallelism: layout.max_parallelism,
        }
    }

    fn sent(&self, to: u32, batch: Box<Batch>) -> Sent {
        Sent {
            subtask: self.first_subtask + to as usize,
            place: TaskPlace {
                task: self.task,
                at: to,
            },
            input: self.edge.input,
            channel: self.edge.channel(self.from),
            batch,
        }
    }

    fn trace(&self, shared: &Shared, to: u32, key_group: u32, change: u64) {
        let Self { operator, from, .. } = *self;
        shared.trace.route(&Route {
            operator,
            input: self.edge.input,
            from,
            to,
            key_group,
            change,
        });
    }
}
