//! Steps of a session that gives out its running total (`CUMULATE_DYNAMIC`, an extension).

use sg_value::{Change, RowKind};

use super::slices::Assigner;
use crate::{
    op::Ctx,
    state::{Item, Table, UserKey},
};

/// The steps of an aggregation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) step_ms: i64,
    /// In event time, the handle of the rows that no step has taken yet: a total has only what lies before its end,
    /// however far the rows are ahead of the watermark. In processing time no row is ahead.
    pub(crate) waiting: Option<usize>,
}

impl Steps {
    /// Lets a row wait for its step.
    pub(super) fn wait(handle: usize, cx: &mut Ctx<'_>, instant_ms: i64, change: Change<'_>) {
        let note = cx.state.note;
        let Some(Table::Map(rows)) = cx.state.tables.get_mut(handle) else {
            return;
        };
        let item = Item::new(change.row, change.kind as i64);
        rows.push(cx.key.into(), UserKey::number(instant_ms), item, &note);
    }

    /// Takes the rows of a key out whose time has come, in order.
    pub(super) fn due(handle: usize, cx: &mut Ctx<'_>, until_ms: i64) -> Vec<Item> {
        let note = cx.state.note;
        let Some(Table::Map(rows)) = cx.state.tables.get_mut(handle) else {
            return Vec::new();
        };
        let mut due = Vec::new();
        rows.take_until(cx.key.into(), &note, until_ms, &mut due);
        due
    }
}

/// The kind of a row that has waited.
pub(super) fn kind_of(item: &Item) -> RowKind {
    let kind = usize::try_from(item.mark).ok();
    let kind = kind.and_then(|kind| RowKind::ALL.get(kind).copied());
    kind.unwrap_or(RowKind::Insert)
}

/// The end, wall clock, of the first step from `start_ms` on that fires after an instant: steps are as long as the first
/// of the two numbers, the second is the instant.
pub(super) fn next_end(assigner: &Assigner, start_ms: i64, (step_ms, after_ms): (i64, i64)) -> i64 {
    let passed = if after_ms == i64::MIN {
        0
    } else {
        let wall_ms = assigner.wall_from_instant(after_ms);
        wall_ms.saturating_sub(start_ms).max(0) / step_ms
    };
    let mut end_ms = start_ms + (passed * step_ms).max(step_ms);
    while assigner.fires_at(end_ms) <= after_ms {
        end_ms += step_ms;
    }
    end_ms
}

#[cfg(test)]
mod tests {
    use super::*;
    use sg_plan::physical::node::{WindowKind, WindowSource, WindowSpec};

    #[test]
    fn a_step_fires_with_its_last_millisecond() {
        let assigner = Assigner::new(&WindowSpec {
            kind: WindowKind::Dynamic {
                step_ms: 10,
                gap_ms: 30,
            },
            source: WindowSource::TimeColumn(0),
            rowtime: true,
            zone: "UTC".into(),
            span: sg_diag::Span::default(),
        })
        .unwrap();
        let next = |after_ms| next_end(&assigner, 3, (10, after_ms));
        assert_eq!(next(i64::MIN), 13);
        assert_eq!(next(11), 13);
        assert_eq!(next(12), 23);
        assert_eq!(next(40), 43);
        assert_eq!(next(42), 53);
    }
}
