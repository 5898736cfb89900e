//! What reached the sinks in the current slot.

use sg_plan::job::OperatorId;
use sg_value::{Change, Value};

use super::{Output, OutputRef};

/// Changes in the order of arrival; all in one flat buffer.
#[derive(Debug, Default)]
pub(crate) struct SinkBuffer {
    heads: Vec<Head>,
    values: Vec<Value>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    sink: OperatorId,
    kind: sg_value::RowKind,
    from: u32,
    width: u32,
}

impl SinkBuffer {
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.values.clear();
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn push(&mut self, sink: OperatorId, change: Change<'_>) {
        let from = self.values.len() as u32;
        self.values.extend_from_slice(change.row);
        self.heads.push(Head {
            sink,
            kind: change.kind,
            from,
            width: change.row.len() as u32,
        });
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = OutputRef<'_>> {
        self.heads.iter().filter_map(|head| {
            let from = head.from as usize;
            let row = self.values.get(from..from + head.width as usize)?;
            Some(OutputRef {
                sink: head.sink,
                kind: head.kind,
                row,
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
            .collect();
        self.clear();
        taken
    }
}
