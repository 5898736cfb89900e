//! What a window waits for, who holds the watermark back, and what would release it.

use std::rc::Rc;

use sg_runtime::{ArrivalKind, Job};
use sg_value::Gather as _;

use super::{Facts, text};
use crate::arrivals::{SourceTable, Timed};
use crate::dto::{Bilingual, GaugePartition, MoveAct, WhyCard, WhyGauge, WhyMove};
use crate::lane::{Lane, Probe};
use crate::source_view::bound_ms;

/// The card of the earliest window that has rows and has not fired, and of partitions that are left out.
pub(super) fn cards(lane: &mut Lane, facts: Facts<'_>, slots: u32) -> Vec<WhyCard> {
    let graph = Rc::clone(&lane.graph);
    let tables = lane.sources().to_vec();
    let now_ms = facts
        .slots
        .get(slots.wrapping_sub(1) as usize)
        .map_or(0, |(_, timed)| timed.at_ms);
    let waits = lane.at(slots, facts.slots, |probe| {
        let earliest = super::windowed(&graph)
            .filter_map(|(operator, window)| Some((probe.job.next_timer(operator.id)?, operator.id, window)))
            .min_by_key(|(timer_ms, ..)| *timer_ms)?;
        let (need_ms, operator, window) = earliest;
        let watermark_ms = probe.job.operator_stats().get(operator.0 as usize)?.watermark_ms;
        let partitions = partitions(probe.job, &tables, facts.sources, need_ms);
        Some(Waiting {
            need_ms,
            bounds: super::bounds(window, need_ms + 1),
            watermark_ms,
            partitions,
        })
    });
    let Some(waiting) = waits else { return Vec::new() };
    let mut cards = vec![waiting.card(lane, facts, slots, now_ms)];
    cards.extend(waiting.partitions.iter().filter_map(Partition::left_out));
    cards
}

struct Waiting {
    need_ms: i64,
    bounds: (Option<i64>, i64),
    watermark_ms: Option<i64>,
    partitions: Vec<Partition>,
}

/// A partition's watermark and what it means for the one that is needed.
#[expect(
    clippy::struct_field_names,
    reason = "a source's partition has a number, which is called so"
)]
struct Partition {
    source: u32,
    table: String,
    partition: u32,
    watermark_ms: Option<i64>,
    last_row_ms: Option<i64>,
    bound_ms: i64,
    status: &'static str,
}

fn partitions(
    job: &Job,
    lane_sources: &[Option<u32>],
    tables: &[SourceTable],
    need_ms: i64,
) -> Vec<Partition> {
    let mut all = Vec::new();
    for (source, table) in tables.iter().enumerate() {
        let Some(number) = lane_sources.get(source).copied().flatten() else {
            continue;
        };
        for (partition, state) in job.partitions(number).into_iter().enumerate() {
            let passed = state
                .watermark_ms
                .is_some_and(|watermark_ms| watermark_ms >= need_ms);
            all.push(Partition {
                source: u32::try_from(source).unwrap_or(u32::MAX),
                table: table.table.name.to_string(),
                partition: u32::try_from(partition).unwrap_or(u32::MAX),
                watermark_ms: state.watermark_ms,
                last_row_ms: Some(state.last_row_ms),
                bound_ms: state
                    .out_of_orderness_ms
                    .or_else(|| bound_ms(&table.table))
                    .unwrap_or(0),
                status: if state.idle {
                    "idle"
                } else if passed {
                    "passed"
                } else {
                    "behind"
                },
            });
        }
    }
    let lowest = all
        .iter()
        .filter(|one| one.status == "behind")
        .map(|one| one.watermark_ms)
        .min();
    for one in &mut all {
        if one.status == "behind" && Some(one.watermark_ms) == lowest {
            one.status = "holds";
        }
    }
    all
}

impl Partition {
    fn name(&self) -> String {
        format!("p{}", self.partition)
    }

    fn left_out(&self) -> Option<WhyCard> {
        (self.status == "idle").then(|| WhyCard {
            id: "partition-idle-excluded".to_owned(),
            tone: "plain",
            heading: Bilingual::new(
                format!("{} is idle and left out of the minimum", self.name()),
                format!("{} 已空闲，不计入最小值", self.name()),
            ),
            body: Bilingual::new(
                "The watermark is the lowest of the active partitions. An event from it brings it back.",
                "水位线取活跃分区中的最小值；它再次发送事件后会重新计入。",
            ),
            gauge: None,
            moves: Vec::new(),
            resolved: true,
        })
    }
}

impl Waiting {
    #[inline(never)]
    fn card(&self, lane: &mut Lane, facts: Facts<'_>, slots: u32, now_ms: i64) -> WhyCard {
        let window = text::window(self.bounds);
        let need = text::time(self.need_ms);
        let holder = self.partitions.iter().find(|one| one.status == "holds");
        let several = self.partitions.len() > 1;
        let silent = holder
            .and_then(|one| one.last_row_ms)
            .map(|last_ms| now_ms - last_ms)
            .filter(|ms| *ms >= 1_000);
        let (mut en, mut zh) = (
            format!("It waits for watermark ≥ **{need}**. "),
            format!("它在等待水位线到达 **{need}**。"),
        );
        match (self.watermark_ms, holder) {
            (None, _) => {
                en.push_str("There is no watermark yet.");
                zh.push_str("目前还没有水位线。");
            }
            (Some(watermark_ms), Some(holder)) if several => {
                let (at, name) = (text::time(watermark_ms), holder.name());
                en = format!(
                    "{en}The watermark is **{at}**, the lowest of the active partitions, and **{name}** holds it back"
                );
                zh = format!("{zh}当前水位线为 **{at}**，即活跃分区中的最小值，由 **{name}** 拖住");
                if let Some(silent_ms) = silent {
                    let length = text::length(silent_ms);
                    en = format!("{en}: it has been silent for **{}**", length.en);
                    zh = format!("{zh}：它已沉默 **{}**", length.zh);
                }
                en.push('.');
                zh.push('。');
            }
            (Some(watermark_ms), _) => {
                let at = text::time(watermark_ms);
                en = format!("{en}The watermark is **{at}**.");
                zh = format!("{zh}当前水位线为 **{at}**。");
            }
        }
        let id = if self.watermark_ms.is_none() {
            "no-watermark-yet"
        } else {
            "window-waits"
        };
        WhyCard {
            id: id.to_owned(),
            tone: "wait",
            heading: Bilingual::new(
                format!("Window {window} has not fired"),
                format!("窗口 {window} 尚未触发"),
            ),
            body: Bilingual::new(en, zh),
            gauge: Some(self.gauge()),
            moves: self.moves(lane, facts, slots, now_ms),
            resolved: false,
        }
    }

    fn gauge(&self) -> WhyGauge {
        let bar = |one: &Partition| GaugePartition {
            table: one.table.clone(),
            partition: one.partition,
            watermark_ms: one.watermark_ms,
            status: one.status,
        };
        WhyGauge {
            need_ms: self.need_ms,
            partitions: self.partitions.iter().map(bar).gather(),
        }
    }

    /// What would release the window, each tried on a copy of the job.
    #[inline(never)]
    fn moves(&self, lane: &mut Lane, facts: Facts<'_>, slots: u32, now_ms: i64) -> Vec<WhyMove> {
        let mut moves = Vec::new();
        let Some(holder) = self.partitions.iter().find(|one| one.status == "holds") else {
            return moves;
        };
        let name = holder.name();
        if self.partitions.len() > 1 {
            let idle = Timed {
                source: holder.source,
                partition: holder.partition,
                at_ms: now_ms,
                kind: ArrivalKind::Idle,
                event: None,
            };
            let fired = lane.at(slots, facts.slots, |probe| fires(probe, &idle));
            let effect = match fired {
                0 => {
                    let next = self.second_lowest();
                    Bilingual::new(
                        format!("does not fire yet: the others stand at {next}"),
                        format!("仍不触发：其余分区停在 {next}"),
                    )
                }
                count => {
                    let rows = text::rows(count);
                    Bilingual::new(
                        format!(
                            "fires at once, {}: the others are past {}",
                            rows.en,
                            text::time(self.need_ms)
                        ),
                        format!(
                            "立即触发，输出 {}：其余分区已越过 {}",
                            rows.zh,
                            text::time(self.need_ms)
                        ),
                    )
                }
            };
            moves.push(WhyMove {
                act: MoveAct::Idle {
                    table: holder.table.clone(),
                    partition: holder.partition,
                    from_slot: slots,
                },
                label: Bilingual::new(format!("Mark {name} idle"), format!("将 {name} 设为空闲")),
                effect,
            });
        }
        let rowtime_ms = self.need_ms.saturating_add(holder.bound_ms);
        moves.push(WhyMove {
            act: MoveAct::Inject {
                table: holder.table.clone(),
                partition: holder.partition,
                rowtime_ms,
            },
            label: Bilingual::new(format!("One event from {name}"), format!("{name} 再来一个事件")),
            effect: Bilingual::new(
                format!("with event time ≥ {}", text::time(rowtime_ms)),
                format!("事件时间 ≥ {}", text::time(rowtime_ms)),
            ),
        });
        moves
    }

    fn second_lowest(&self) -> String {
        let others = self
            .partitions
            .iter()
            .filter(|one| one.status == "behind" || one.status == "passed");
        others
            .filter_map(|one| one.watermark_ms)
            .min()
            .map_or_else(|| "–".to_owned(), text::time)
    }
}

/// Number of changes that reach the sink when something arrives.
fn fires(probe: &mut Probe<'_>, timed: &Timed) -> usize {
    probe.push(timed);
    probe.job.outputs().count()
}
