//! What state costs: entries and bytes now, at most, and in the long run.

use std::rc::Rc;

use sg_plan::job::{JobGraph, OperatorId};
use sg_runtime::Job;
use sg_value::Gather as _;

use crate::dto::{Bilingual, BillFactor, StateBill, StatePage};
use crate::replay::Replay;
use crate::session::StateAt;
use crate::view::cleanup;

/// Entries that are looked at to count keys and windows; beyond that every entry counts as a key.
const COUNTED_ENTRIES: u64 = 20_000;
const MINUTES_PER_DAY: f64 = 1_440.0;

/// Who frees an operator's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cleanup {
    Watermark,
    Ttl,
    Never,
}

impl Replay {
    /// One bill per operator of a query that keeps state, after `slots` arrivals.
    pub(crate) fn bill(&mut self, query: usize, slots: u32) -> Vec<StateBill> {
        let Some(Some(lane)) = self.lanes.get_mut(query) else {
            return Vec::new();
        };
        let graph = Rc::clone(&lane.graph);
        let stateful = stateful(&graph);
        let arrivals = &self.slots;
        let span_ms = match (arrivals.first(), arrivals.get(slots.wrapping_sub(1) as usize)) {
            (Some((_, first)), Some((_, last))) => last.at_ms - first.at_ms,
            _ => 0,
        };
        lane.at(0, arrivals, |probe| {
            let mut peaks = vec![0_u64; graph.operators.len()];
            for (before, timed) in arrivals.iter().take(slots as usize) {
                probe.push_with(before, timed);
                for (peak, stats) in peaks.iter_mut().zip(probe.job.operator_stats()) {
                    *peak = (*peak).max(stats.bytes);
                }
            }
            let bill = |(operator, name, cleanup): &(OperatorId, &'static str, Cleanup)| {
                let peak = peaks.get(operator.0 as usize).copied().unwrap_or(0);
                one(probe.job, *operator, name, *cleanup, &Measured { peak, span_ms })
            };
            stateful.iter().map(bill).gather()
        })
    }

    /// A page of an operator's state after a number of arrivals.
    pub(crate) fn state_page(&mut self, at: StateAt, offset: u32, limit: u32) -> StatePage {
        let Some(Some(lane)) = self.lanes.get_mut(at.query as usize) else {
            return StatePage {
                total: 0,
                entries: Vec::new(),
            };
        };
        let page = lane.at(at.slots, &self.slots, |probe| {
            probe.job.state_page(
                OperatorId(at.operator),
                at.handle,
                u64::from(offset),
                u64::from(limit),
            )
        });
        let entry = |row: sg_runtime::StateRow| crate::dto::StateEntryView {
            key: row.key,
            namespace: row.namespace,
            value: row.value,
            bytes: u32::try_from(row.bytes).unwrap_or(u32::MAX),
        };
        StatePage {
            total: u32::try_from(page.total).unwrap_or(u32::MAX),
            entries: page.rows.into_iter().map(entry).gather(),
        }
    }
}

fn stateful(graph: &JobGraph) -> Vec<(OperatorId, &'static str, Cleanup)> {
    let operators = graph.operators.iter().filter_map(|operator| {
        let cleanup = match cleanup(&operator.op)? {
            "watermark" => Cleanup::Watermark,
            "ttl" => Cleanup::Ttl,
            _ => Cleanup::Never,
        };
        Some((operator.id, operator.name, cleanup))
    });
    operators.gather()
}

struct Measured {
    peak: u64,
    span_ms: i64,
}

fn one(job: &Job, operator: OperatorId, name: &str, cleanup: Cleanup, measured: &Measured) -> StateBill {
    let stats = job
        .operator_stats()
        .get(operator.0 as usize)
        .copied()
        .unwrap_or_default();
    let (keys, windows) = keys_and_windows(job, operator);
    let bytes = number(stats.bytes);
    let per_entry = if stats.entries == 0 {
        0.0
    } else {
        bytes / number(stats.entries)
    };
    let minutes = milliseconds(measured.span_ms) / 60_000.0;
    let grows = cleanup == Cleanup::Never;
    let slope = if grows && minutes > 0.0 {
        bytes / minutes
    } else {
        0.0
    };
    let peak = number(measured.peak);
    let after = |days: f64| {
        if grows {
            bytes + slope * MINUTES_PER_DAY * days
        } else {
            peak
        }
    };
    let factor = |en: &str, zh: &str, value: f64, grows: bool| BillFactor {
        label: Bilingual::new(en, zh),
        value,
        grows,
    };
    let mut factors = vec![factor("keys", "键", number(keys), grows)];
    if windows > 0 {
        factors.push(factor("open windows", "未封闭窗口", number(windows), false));
    }
    let places = number(keys * windows.max(1));
    if places > 0.0 && (number(stats.entries) - places).abs() > f64::EPSILON {
        factors.push(factor(
            "entries each",
            "各自条目",
            number(stats.entries) / places,
            grows,
        ));
    }
    factors.push(factor("bytes an entry", "每条目字节", per_entry, false));
    StateBill {
        operator: operator.0,
        name: name.to_owned(),
        entries: u32::try_from(stats.entries).unwrap_or(u32::MAX),
        bytes,
        peak_bytes: peak,
        verdict: match cleanup {
            Cleanup::Watermark => "bounded",
            Cleanup::Ttl => "ttl",
            Cleanup::Never => "unbounded",
        },
        cleanup: match cleanup {
            Cleanup::Watermark => "watermark",
            Cleanup::Ttl => "ttl",
            Cleanup::Never => "never",
        },
        predicted_bytes: factors.iter().map(|factor| factor.value).product(),
        factors,
        slope_bytes_per_minute: slope,
        after_day_bytes: after(1.0),
        after_month_bytes: after(30.0),
    }
}

/// Distinct keys and distinct namespaces of an operator's first state.
fn keys_and_windows(job: &Job, operator: OperatorId) -> (u64, u64) {
    let page = job.state_page(operator, 0, 0, COUNTED_ENTRIES);
    if page.total > COUNTED_ENTRIES {
        return (page.total, 0);
    }
    let rows = page.rows.iter();
    let keys = rows
        .clone()
        .map(|row| row.key.strip_suffix(row.sub.as_str()).unwrap_or(&row.key));
    let windows = rows
        .map(|row| row.namespace.as_str())
        .filter(|namespace| !namespace.is_empty());
    (distinct(keys.gather()), distinct(windows.gather()))
}

fn distinct(mut texts: Vec<&str>) -> u64 {
    texts.sort_unstable();
    texts.dedup();
    texts.len() as u64
}

#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
const fn number(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
const fn milliseconds(length: i64) -> f64 {
    length as f64
}
