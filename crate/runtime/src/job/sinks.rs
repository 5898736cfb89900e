//! What reached the sinks in the current slot.

use sg_plan::job::OperatorId;
use sg_value::{Change, Gather as _};

use super::{Output, OutputRef, batch::Batch};

/// Changes in the order of arrival: batches, each of one sink.
#[derive(Debug, Default)]
pub(crate) struct SinkBuffer {
    parts: Vec<(OperatorId, Box<Batch>)>,
    /// Batches to use again.
    #[expect(clippy::vec_box, reason = "a batch changes hands as a pointer")]
    pool: Vec<Box<Batch>>,
}

impl SinkBuffer {
    pub(crate) fn clear(&mut self) {
        for (_, mut batch) in self.parts.drain(..) {
            batch.clear();
            self.pool.push(batch);
        }
    }

    /// A batch for rows of a sink behind those that are there.
    fn part(&mut self, sink: OperatorId, width: usize) -> Option<&mut Batch> {
        let fits = self
            .parts
            .last()
            .is_some_and(|(last, batch)| *last == sink && batch.width() == width);
        if !fits {
            let mut batch = self.pool.pop().unwrap_or_default();
            batch.reset(width);
            self.parts.push((sink, batch));
        }
        self.parts.last_mut().map(|(_, batch)| &mut **batch)
    }

    pub(crate) fn push(&mut self, sink: OperatorId, change: Change<'_>) {
        if let Some(batch) = self.part(sink, change.row.len()) {
            batch.push(0, change);
        }
    }

    /// Takes all changes of a batch, which gets an empty buffer for them.
    pub(crate) fn take_changes(&mut self, sink: OperatorId, from: &mut Batch) {
        let mut batch = self.pool.pop().unwrap_or_default();
        batch.reset(from.width());
        batch.swap_changes(from);
        self.parts.push((sink, batch));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = OutputRef<'_>> {
        self.parts.iter().flat_map(|(sink, batch)| {
            batch.changes(0..batch.len()).map(|(_, change)| OutputRef {
                sink: *sink,
                kind: change.kind,
                row: change.row,
            })
        })
    }

    pub(crate) fn take(&mut self) -> Vec<Output> {
        let taken = self
            .iter()
            .map(|output| Output {
                sink: output.sink,
                kind: output.kind,
                row: output.row.into(),
            })
            .gather();
        self.clear();
        taken
    }
}
