//! Why something has (not) happened: cards for the panel, with effects computed by trying them on a copy.

mod differs;
mod dropped;
mod happened;
mod text;
mod waiting;

use sg_plan::job::{JobGraph, OperatorSpec};
use sg_plan::physical::node::{PhysicalOp, WindowKind, WindowSpec};

use crate::dto;
use crate::replay::Replay;

impl Replay {
    /// The cards of a query after `slots` arrivals: what happened, what is waited for, what was dropped, what differs.
    pub(crate) fn why(&mut self, query: usize, slots: u32) -> Vec<dto::WhyCard> {
        let slots = slots.min(u32::try_from(self.slots.len()).unwrap_or(u32::MAX));
        let mut cards = Vec::new();
        let Some(Some(lane)) = self.lanes.get_mut(query) else {
            return cards;
        };
        if let Some(fault) = &lane.fault
            && fault.slot < slots
        {
            cards.push(happened::failed(fault));
        }
        let facts = Facts {
            sources: &self.arrivals.sources,
            slots: &self.slots,
        };
        cards.extend(happened::cards(lane, facts, slots));
        cards.extend(waiting::cards(lane, facts, slots));
        cards.extend(dropped::cards(lane, facts, slots));
        cards.extend(differs::cards(&mut self.lanes, &self.slots, query, slots));
        cards
    }
}

/// What all cards look at beside the job.
#[derive(Clone, Copy)]
struct Facts<'a> {
    sources: &'a [crate::arrivals::SourceTable],
    slots: &'a [(Vec<crate::arrivals::Timed>, crate::arrivals::Timed)],
}

/// The windowed operators of a job that fire on event time, with their windows.
fn windowed(graph: &JobGraph) -> impl Iterator<Item = (&OperatorSpec, &WindowSpec)> {
    graph.operators.iter().filter_map(|operator| {
        let window = match &operator.op {
            PhysicalOp::WindowAggregate(spec) => &spec.window,
            PhysicalOp::GlobalWindowAggregate(spec) => &spec.window,
            PhysicalOp::GroupWindowAggregate(spec) => &spec.window,
            PhysicalOp::WindowRank(spec) => &spec.window,
            PhysicalOp::WindowDeduplicate(spec) => &spec.window,
            _ => return None,
        };
        window.rowtime.then_some((operator, window))
    })
}

/// The window that ends at `end_ms`, as bounds; where its length varies, only the end is known.
const fn bounds(window: &WindowSpec, end_ms: i64) -> (Option<i64>, i64) {
    let start = match window.kind {
        WindowKind::Tumble { size_ms, .. } | WindowKind::Hop { size_ms, .. } => Some(end_ms - size_ms),
        WindowKind::Cumulate { .. } | WindowKind::Session { .. } | WindowKind::Dynamic { .. } => None,
    };
    (start, end_ms)
}
