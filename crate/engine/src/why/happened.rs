//! What the last arrival did.

use sg_diag::Lang;
use sg_runtime::Fault;
use sg_value::{Gather as _, RowKind};

use super::{Facts, text};
use crate::dto::{Bilingual, WhyCard};
use crate::lane::Lane;

/// The job stopped.
pub(super) fn failed(fault: &Fault) -> WhyCard {
    let body = |lang| {
        let way_out = fault.diagnostic.way_out(lang).unwrap_or_default();
        format!("{} {way_out}", fault.diagnostic.message(lang))
            .trim()
            .to_owned()
    };
    WhyCard {
        id: fault.diagnostic.code.id().to_owned(),
        tone: "alarm",
        heading: Bilingual::new("The job has failed", "作业已失败"),
        body: Bilingual::new(body(Lang::En), body(Lang::Zh)),
        gauge: None,
        moves: Vec::new(),
        resolved: false,
    }
}

/// Windows that fired with the last arrival, or rows that it took back.
pub(super) fn cards(lane: &mut Lane, facts: Facts<'_>, slots: u32) -> Option<WhyCard> {
    let last = slots.checked_sub(1)?;
    let graph = std::rc::Rc::clone(&lane.graph);
    lane.at(last, facts.slots, |probe| {
        let due = |job: &sg_runtime::Job| {
            super::windowed(&graph).find_map(|(operator, window)| {
                job.next_timer(operator.id)
                    .map(|timer_ms| (operator.id, window, timer_ms))
            })
        };
        let waiting = due(probe.job);
        let (before, timed) = facts.slots.get(last as usize)?;
        probe.push_with(before, timed);
        let outputs: Vec<RowKind> = probe.job.outputs().map(|output| output.kind).gather();
        let fired = waiting.filter(|(operator, _, timer_ms)| {
            !outputs.is_empty()
                && probe
                    .job
                    .next_timer(*operator)
                    .is_none_or(|next_ms| next_ms > *timer_ms)
        });
        match fired {
            Some((_, window, timer_ms)) => {
                Some(window_fired(super::bounds(window, timer_ms + 1), outputs.len()))
            }
            None => retracted(&outputs),
        }
    })
}

#[inline(never)]
fn window_fired(bounds: (Option<i64>, i64), count: usize) -> WhyCard {
    let (window, rows) = (text::window(bounds), text::rows(count));
    WhyCard {
        id: "window-fired".to_owned(),
        tone: "fired",
        heading: Bilingual::new(
            format!("Window {window} has fired"),
            format!("窗口 {window} 已触发"),
        ),
        body: Bilingual::new(
            format!(
                "The watermark passed **{}**. It emits **{}** and is sealed: they will not change again.",
                text::time(bounds.1 - 1),
                rows.en
            ),
            format!(
                "水位线越过 **{}**，窗口输出 **{}** 并封闭，结果不再变化。",
                text::time(bounds.1 - 1),
                rows.zh
            ),
        ),
        gauge: None,
        moves: Vec::new(),
        resolved: true,
    }
}

fn retracted(outputs: &[RowKind]) -> Option<WhyCard> {
    let taken_back = outputs.iter().filter(|kind| kind.retracts()).count();
    (taken_back > 0).then(|| {
        let rows = text::rows(taken_back);
        WhyCard {
            id: "row-retracted".to_owned(),
            tone: "plain",
            heading: Bilingual::new(format!("{} taken back", capital(&rows.en)), format!("撤回 {}", rows.zh)),
            body: Bilingual::new(
                "The group had a result already. The old row goes with **−U**, the new one comes with **+U**.",
                "该分组已有结果：旧行以 **−U** 撤回，新行以 **+U** 给出。",
            ),
            gauge: None,
            moves: Vec::new(),
            resolved: true,
        }
    })
}

fn capital(text: &str) -> String {
    text.to_owned()
}
