//! Events that came too late.

use sg_runtime::{ArrivalKind, LateDrop};
use sg_value::Gather as _;

use super::{Facts, text};
use crate::arrivals::Timed;
use crate::dto::{Bilingual, MoveAct, WhyCard, WhyMove};
use crate::lane::Lane;
use crate::source_view::bound_ms;

/// Cards for the latest drops; more are counted in the last one.
const SHOWN: usize = 3;

/// One card per dropped event, latest first.
pub(super) fn cards(lane: &mut Lane, facts: Facts<'_>, slots: u32) -> Vec<WhyCard> {
    let drops = lane.at(0, facts.slots, |probe| {
        let mut drops: Vec<(u32, LateDrop)> = Vec::new();
        for (slot, (before, timed)) in (0..slots).zip(facts.slots) {
            probe.push_with(before, timed);
            drops.extend(probe.job.late_drops().iter().map(|drop| (slot, *drop)));
        }
        drops
    });
    drops
        .iter()
        .rev()
        .take(SHOWN)
        .filter_map(|(slot, drop)| card(facts, event_of(facts, *slot, *drop)?, *drop))
        .gather()
}

/// The arrival that was dropped: in two phases a late row waits in the local buffer and is dropped with a later one.
fn event_of(facts: Facts<'_>, slot: u32, drop: LateDrop) -> Option<u32> {
    let lies_within = |slot: &u32| {
        let Some((_, timed)) = facts.slots.get(*slot as usize) else {
            return false;
        };
        let ArrivalKind::Row { row, .. } = &timed.kind else {
            return false;
        };
        let source = facts.sources.get(timed.source as usize);
        let rowtime_ms = source.and_then(|source| source.rowtime_ms(row));
        rowtime_ms.is_some_and(|at_ms| (drop.window_start_ms..drop.window_end_ms).contains(&at_ms))
    };
    (0..=slot).rev().find(lies_within)
}

#[inline(never)]
fn card(facts: Facts<'_>, slot: u32, drop: LateDrop) -> Option<WhyCard> {
    let (_, timed) = facts.slots.get(slot as usize)?;
    let source = facts.sources.get(timed.source as usize)?;
    let (name, at) = event_name(facts, timed)?;
    let window = text::window((Some(drop.window_start_ms), drop.window_end_ms));
    let by = text::length(drop.by_ms);
    let watermark = text::time(drop.watermark_ms);
    let mut moves = vec![WhyMove {
        act: MoveAct::Seek { slot },
        label: Bilingual::new("Show", "定位"),
        effect: Bilingual::new(format!("event {}", slot + 1), format!("第 {} 条事件", slot + 1)),
    }];
    let (mut more_en, mut more_zh) = (String::new(), String::new());
    if let Some(bound_ms) = bound_ms(&source.table) {
        // The row is kept if the watermark, lowered by the difference, has not reached the window's last millisecond.
        let enough_ms = bound_ms + drop.watermark_ms - (drop.window_end_ms - 1) + 1;
        let enough_ms = enough_ms.div_euclid(1_000) * 1_000 + if enough_ms % 1_000 == 0 { 0 } else { 1_000 };
        let enough = text::length(enough_ms);
        more_en = format!(
            " An out-of-orderness of **{}** or more would have kept it.",
            enough.en
        );
        more_zh = format!("乱序容忍不小于 **{}** 即可保留。", enough.zh);
        moves.push(WhyMove {
            act: MoveAct::OutOfOrderness {
                table: source.table.name.to_string(),
                ms: enough_ms,
            },
            label: Bilingual::new(format!("Set {}", enough.en), format!("设为 {}", enough.zh)),
            effect: Bilingual::new(
                "the window fires later and keeps it",
                "窗口更晚触发，并计入该事件",
            ),
        });
    }
    Some(WhyCard {
        id: "late-dropped".to_owned(),
        tone: "alarm",
        heading: Bilingual::new("Late event dropped", "迟到事件被丢弃"),
        body: Bilingual::new(
            format!(
                "**{name} @ {at}** arrived when the watermark was **{watermark}**. Its window {window} was already \
                 sealed: late by **{}**, dropped.{more_en}",
                by.en
            ),
            format!(
                "**{name} @ {at}** 到达时水位线为 **{watermark}**，其窗口 {window} 已封闭：迟到 **{}**，被丢弃。{more_zh}",
                by.zh
            ),
        ),
        gauge: None,
        moves,
        resolved: false,
    })
}

/// The row's first two cells that are no times, and its event time.
fn event_name(facts: Facts<'_>, timed: &Timed) -> Option<(String, String)> {
    let ArrivalKind::Row { row, .. } = &timed.kind else {
        return None;
    };
    let source = facts.sources.get(timed.source as usize)?;
    let rowtime_ms = source.rowtime_ms(row)?;
    let names: Vec<String> = source
        .columns
        .iter()
        .zip(source.cells(row))
        .filter(|(field, _)| {
            !matches!(
                field.data_type.kind,
                sg_value::TypeKind::Timestamp { .. } | sg_value::TypeKind::TimestampLtz { .. }
            )
        })
        .filter_map(|(_, cell)| cell)
        .take(2)
        .gather();
    Some((names.join(" "), text::time(rowtime_ms)))
}
