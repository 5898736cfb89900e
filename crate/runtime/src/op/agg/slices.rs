//! Windows and the slices that they are made of.
//!
//! State of a window aggregate is kept per slice, and a window's result is made of its slices: TUMBLE has one, a HOP
//! window `size / slide`, a CUMULATE window all steps from its start. A slice is named by its end.
//!
//! Windows are aligned on a wall clock: that of UTC for TIMESTAMP columns, that of the session's zone for
//! `TIMESTAMP_LTZ`. Starts and ends are wall clock, timers and watermarks are instants.

use sg_plan::physical::node::{WindowKind, WindowSource, WindowSpec};
use sg_value::{Value, time::Zone};

use crate::time::Watermark;

/// Assigns windows to instants.
#[derive(Clone, Debug)]
pub(crate) struct Assigner {
    kind: WindowKind,
    /// `None` for UTC.
    zone: Option<Zone>,
}

/// The largest multiple of `size_ms` (shifted by `offset_ms`) that is not after `at_ms`.
pub(crate) const fn align(at_ms: i64, offset_ms: i64, size_ms: i64) -> i64 {
    at_ms - (at_ms - offset_ms).rem_euclid(size_ms)
}

impl Assigner {
    /// For a window in a zone; `None` where the zone is unknown.
    pub(crate) fn new(spec: &WindowSpec) -> Option<Self> {
        let zone = match &*spec.zone {
            "UTC" => None,
            id => Some(Zone::parse(id)?),
        };
        Some(Self {
            kind: spec.kind,
            zone,
        })
    }

    /// Wall clock of an instant.
    pub(crate) fn wall_from_instant(&self, instant_ms: i64) -> i64 {
        self.zone
            .as_ref()
            .map_or(instant_ms, |zone| zone.wall_from_instant(instant_ms))
    }

    /// Instant of a wall clock.
    pub(crate) fn instant_from_wall(&self, wall_ms: i64) -> i64 {
        self.zone
            .as_ref()
            .map_or(wall_ms, |zone| zone.instant_from_wall(wall_ms))
    }

    /// Calls `visit` with start and end (wall clock) of each window of an instant: of HOP the latest first, of CUMULATE
    /// the shortest first. A SESSION has no windows that a row alone decides.
    pub(crate) fn for_each_window(&self, instant_ms: i64, mut visit: impl FnMut(i64, i64)) {
        let wall_ms = self.wall_from_instant(instant_ms);
        match self.kind {
            WindowKind::Tumble { size_ms, offset_ms } => {
                let start_ms = align(wall_ms, offset_ms, size_ms);
                visit(start_ms, start_ms + size_ms);
            }
            WindowKind::Hop {
                slide_ms,
                size_ms,
                offset_ms,
            } => {
                let mut start_ms = align(wall_ms, offset_ms, slide_ms);
                while start_ms > wall_ms - size_ms {
                    visit(start_ms, start_ms + size_ms);
                    start_ms -= slide_ms;
                }
            }
            WindowKind::Cumulate {
                step_ms,
                max_size_ms,
                offset_ms,
            } => {
                let start_ms = align(wall_ms, offset_ms, max_size_ms);
                let mut end_ms = align(wall_ms, offset_ms, step_ms) + step_ms;
                while end_ms <= start_ms + max_size_ms {
                    visit(start_ms, end_ms);
                    end_ms += step_ms;
                }
            }
            WindowKind::Session { .. } => {}
        }
    }
}

/// Slices of an aggregate's windows.
#[derive(Clone, Debug)]
pub(crate) struct Slicer {
    assigner: Assigner,
    source: WindowSource,
    /// Whether event time decides, or processing time.
    rowtime: bool,
    /// Whether the zone changes its clocks in summer.
    daylight: bool,
}

/// The slice of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliceOf {
    /// The slice that ends here, wall clock.
    End(i64),
    /// The row's event time is NULL.
    NullTime,
}

impl Slicer {
    /// For a window; `None` where there are no slices (SESSION) or the zone is unknown.
    pub(crate) fn new(spec: &WindowSpec) -> Option<Self> {
        if !matches!(spec.kind, WindowKind::Tumble { .. }) {
            return None;
        }
        let assigner = Assigner::new(spec)?;
        let daylight = assigner.zone.as_ref().is_some_and(changes_in_summer);
        Some(Self {
            assigner,
            source: spec.source.clone(),
            rowtime: spec.rowtime,
            daylight,
        })
    }

    /// Whether event time decides.
    pub(crate) const fn rowtime(&self) -> bool {
        self.rowtime
    }

    /// Length of a slice and the shift of all.
    pub(crate) const fn interval(&self) -> (i64, i64) {
        match self.assigner.kind {
            WindowKind::Tumble { size_ms, offset_ms } => (size_ms, offset_ms),
            WindowKind::Hop {
                slide_ms, offset_ms, ..
            } => (slide_ms, offset_ms),
            WindowKind::Cumulate {
                step_ms, offset_ms, ..
            } => (step_ms, offset_ms),
            WindowKind::Session { gap_ms } => (gap_ms, 0),
        }
    }

    /// Event time of a row, where it has one of its own.
    pub(crate) fn time_of(&self, row: &[Value]) -> Option<i64> {
        match self.source {
            WindowSource::TimeColumn(at) if self.rowtime => row.get(at as usize).and_then(Value::as_ms),
            _ => None,
        }
    }

    /// The slice that a row belongs to.
    pub(crate) fn slice_of(&self, row: &[Value], processing_ms: i64) -> SliceOf {
        let column = |column: u32| row.get(column as usize).and_then(Value::as_ms);
        match self.source {
            WindowSource::SliceEnd(at) | WindowSource::Attached { end: at, .. } => {
                column(at).map_or(SliceOf::NullTime, SliceOf::End)
            }
            WindowSource::TimeColumn(at) => {
                let instant_ms = if self.rowtime {
                    column(at)
                } else {
                    Some(processing_ms)
                };
                let Some(instant_ms) = instant_ms else {
                    return SliceOf::NullTime;
                };
                let (interval_ms, offset_ms) = self.interval();
                let wall_ms = self.assigner.wall_from_instant(instant_ms);
                SliceOf::End(align(wall_ms, offset_ms, interval_ms) + interval_ms)
            }
        }
    }

    /// The window that ends with a slice.
    pub(crate) const fn window(&self, end_ms: i64) -> (i64, i64) {
        let (interval_ms, _) = self.interval();
        (end_ms - interval_ms, end_ms)
    }

    /// The instant of a window's last millisecond, at which it fires.
    pub(crate) fn fires_at(&self, end_ms: i64) -> i64 {
        match &self.assigner.zone {
            None => end_ms - 1,
            Some(zone) => zone.timer_instant_from_wall(end_ms - 1),
        }
    }

    /// Whether a window has fired, and how far (ms) the watermark is past it.
    pub(crate) fn fired_by(&self, end_ms: i64, watermark: Watermark) -> Option<i64> {
        let fires_at_ms = self.fires_at(end_ms);
        (watermark.0 >= fires_at_ms).then(|| watermark.0.saturating_sub(fires_at_ms))
    }

    /// The instant of a wall clock.
    pub(crate) fn instant_from_wall(&self, wall_ms: i64) -> i64 {
        self.assigner.instant_from_wall(wall_ms)
    }

    /// The watermark at which a buffer is looked at next, after one was seen.
    ///
    /// Flink computes it on UTC, also for windows that are aligned on another clock. In zones with summer time it uses
    /// the wall clock. Where the two differ, windows fire before their rows are handed over (case:
    /// window-tvf/shanghai-day-can-lose-its-rows).
    pub(crate) fn next_trigger(&self, watermark: Watermark) -> i64 {
        if watermark == Watermark::END {
            return i64::MAX;
        }
        let (interval_ms, offset_ms) = self.interval();
        let at_ms = watermark.0;
        let trigger_ms = match &self.assigner.zone {
            Some(zone) if self.daylight => {
                let start_ms = align(zone.wall_from_instant(at_ms), offset_ms, interval_ms);
                zone.timer_instant_from_wall(start_ms + interval_ms - 1)
            }
            _ => align(at_ms, offset_ms, interval_ms) + interval_ms - 1,
        };
        if trigger_ms > at_ms {
            trigger_ms
        } else {
            trigger_ms + interval_ms
        }
    }

    /// Whether rows can be handed over after their window has fired: then they have to be buffered as Flink does.
    /// Otherwise it makes no difference when they are handed over.
    pub(crate) const fn can_miss(&self) -> bool {
        self.rowtime && self.assigner.zone.is_some()
    }
}

/// Whether a zone's rules for the years to come have summer time (Java: `TimeZone.useDaylightTime`).
fn changes_in_summer(zone: &Zone) -> bool {
    /// 2037-01-15 and 2037-07-15, noon.
    const WINTER_MS: i64 = 2_115_547_200_000;
    const SUMMER_MS: i64 = 2_131_185_600_000;
    let shift = |instant_ms| zone.wall_from_instant(instant_ms) - instant_ms;
    shift(WINTER_MS) != shift(SUMMER_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(kind: WindowKind) -> WindowSpec {
        WindowSpec {
            kind,
            source: WindowSource::TimeColumn(0),
            rowtime: true,
            zone: "UTC".into(),
            span: sg_diag::Span::default(),
        }
    }

    fn windows(kind: WindowKind, at_ms: i64) -> Vec<(i64, i64)> {
        let mut found = Vec::new();
        Assigner::new(&spec(kind))
            .unwrap()
            .for_each_window(at_ms, |start, end| found.push((start, end)));
        found
    }

    #[test]
    fn alignment_holds_before_1970_and_for_any_offset() {
        let tumble = |offset_ms| WindowKind::Tumble {
            size_ms: 10,
            offset_ms,
        };
        assert_eq!(windows(tumble(3), -25), [(-27, -17)]);
        assert_eq!(windows(tumble(3), 0), [(-7, 3)]);
        assert_eq!(windows(tumble(-3), -25), [(-33, -23)]);
        assert_eq!(windows(tumble(0), 10), [(10, 20)]);
    }

    #[test]
    fn hop_gives_the_latest_window_first_and_cumulate_the_shortest() {
        let hop = WindowKind::Hop {
            slide_ms: 5,
            size_ms: 20,
            offset_ms: 0,
        };
        assert_eq!(windows(hop, 12), [(10, 30), (5, 25), (0, 20), (-5, 15)]);
        let holes = WindowKind::Hop {
            slide_ms: 10,
            size_ms: 4,
            offset_ms: 0,
        };
        assert_eq!(windows(holes, 5), []);
        let cumulate = WindowKind::Cumulate {
            step_ms: 5,
            max_size_ms: 20,
            offset_ms: 0,
        };
        assert_eq!(windows(cumulate, 12), [(0, 15), (0, 20)]);
    }

    #[test]
    fn a_tumble_window_fires_with_its_last_millisecond() {
        let slicer = Slicer::new(&spec(WindowKind::Tumble {
            size_ms: 60_000,
            offset_ms: 0,
        }))
        .unwrap();
        assert_eq!(
            slicer.slice_of(&[Value::timestamp_ms(60_000)], 0),
            SliceOf::End(120_000)
        );
        assert_eq!(slicer.slice_of(&[Value::Null], 0), SliceOf::NullTime);
        assert_eq!(slicer.fired_by(60_000, Watermark(59_998)), None);
        assert_eq!(slicer.fired_by(60_000, Watermark(59_999)), Some(0));
        assert_eq!(slicer.fired_by(60_000, Watermark(70_000)), Some(10_001));
        assert_eq!(slicer.fired_by(60_000, Watermark::NONE), None);
    }

    #[test]
    fn the_next_trigger_is_the_end_of_a_slice_above_the_watermark() {
        let slicer = Slicer::new(&spec(WindowKind::Tumble {
            size_ms: 10,
            offset_ms: 0,
        }))
        .unwrap();
        assert_eq!(slicer.next_trigger(Watermark(12)), 19);
        assert_eq!(slicer.next_trigger(Watermark(19)), 29);
        assert_eq!(slicer.next_trigger(Watermark(-3)), -1);
        assert_eq!(slicer.next_trigger(Watermark::END), i64::MAX);
    }
}
