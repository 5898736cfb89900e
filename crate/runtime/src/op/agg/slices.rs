//! Windows and the slices that they are made of.
//!
//! State of a window aggregate is kept per slice, and a window's result is made of its slices: TUMBLE has one, a HOP
//! window `size / slide`, a CUMULATE window all steps from its start. A slice is named by its end.
//!
//! Windows are aligned on a wall clock: that of UTC for TIMESTAMP columns, that of the session's zone for
//! `TIMESTAMP_LTZ`. Starts and ends are wall clock, timers and watermarks are instants.

use sg_plan::physical::node::{WindowKind, WindowProperty, WindowSource, WindowSpec};
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
    at_ms.wrapping_sub(at_ms.wrapping_sub(offset_ms).rem_euclid(size_ms))
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

    /// The instant of the last millisecond of a window that ends here, at which it fires.
    pub(crate) fn fires_at(&self, end_ms: i64) -> i64 {
        match &self.zone {
            None => end_ms.wrapping_sub(1),
            Some(zone) => zone.timer_instant_from_wall(end_ms.wrapping_sub(1)),
        }
    }

    /// A window's own column.
    pub(crate) fn property(&self, property: WindowProperty, (start_ms, end_ms): (i64, i64)) -> Value {
        match property {
            WindowProperty::Start => Value::timestamp_ms(start_ms),
            WindowProperty::End => Value::timestamp_ms(end_ms),
            WindowProperty::Rowtime => Value::timestamp_ms(self.instant_from_wall(end_ms.wrapping_sub(1))),
            // A processing-time attribute has no value of its own; it is made where it is read.
            WindowProperty::Proctime => Value::Null,
        }
    }

    /// Calls `visit` with start and end (wall clock) of each window of an instant: of HOP the latest first, of CUMULATE
    /// the shortest first. A SESSION has no windows that a row alone decides.
    pub(crate) fn for_each_window(&self, instant_ms: i64, visit: impl FnMut(i64, i64)) {
        self.for_each_window_of(self.wall_from_instant(instant_ms), visit);
    }

    /// The same of a wall clock.
    pub(crate) fn for_each_window_of(&self, wall_ms: i64, mut visit: impl FnMut(i64, i64)) {
        match self.kind {
            WindowKind::Tumble { size_ms, offset_ms } => {
                let start_ms = align(wall_ms, offset_ms, size_ms);
                visit(start_ms, start_ms.wrapping_add(size_ms));
            }
            WindowKind::Hop {
                slide_ms,
                size_ms,
                offset_ms,
            } => {
                let mut start_ms = align(wall_ms, offset_ms, slide_ms);
                while start_ms > wall_ms.wrapping_sub(size_ms) {
                    visit(start_ms, start_ms.wrapping_add(size_ms));
                    start_ms = start_ms.wrapping_sub(slide_ms);
                }
            }
            WindowKind::Cumulate {
                step_ms,
                max_size_ms,
                offset_ms,
            } => {
                let start_ms = align(wall_ms, offset_ms, max_size_ms);
                let mut end_ms = align(wall_ms, offset_ms, step_ms).wrapping_add(step_ms);
                while end_ms <= start_ms.wrapping_add(max_size_ms) {
                    visit(start_ms, end_ms);
                    end_ms = end_ms.wrapping_add(step_ms);
                }
            }
            WindowKind::Session { .. } | WindowKind::Dynamic { .. } => {}
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
    /// How windows are made of slices.
    sharing: Sharing,
}

/// How windows are made of slices. Flink: `SliceAssigners`; rows that bring their window with them
/// (`WindowedSliceAssigner`) have a slice of their own for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    /// A window is a slice.
    Alone,
    /// A window is made of `size / slide` neighbouring slices.
    Hop { slide_ms: i64, size_ms: i64 },
    /// The first slice of a window takes the later ones in as the window grows.
    Cumulate { step_ms: i64, max_size_ms: i64 },
}

/// Of which slices a window that fires is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Of the slice of its own end.
    Own,
    /// Of so many slices, the last of which ends with it, this far apart. They stay as they are.
    Several { count: i64, apart_ms: i64 },
    /// Of the slice that ends here, which takes in the one that ends with the window.
    Into(i64),
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
        let assigner = Assigner::new(spec)?;
        let daylight = assigner.zone.as_ref().is_some_and(changes_in_summer);
        let attached = matches!(spec.source, WindowSource::Attached { .. });
        let sharing = match spec.kind {
            WindowKind::Session { .. } | WindowKind::Dynamic { .. } => return None,
            WindowKind::Hop {
                slide_ms, size_ms, ..
            } if !attached => Sharing::Hop { slide_ms, size_ms },
            WindowKind::Cumulate {
                step_ms, max_size_ms, ..
            } if !attached => Sharing::Cumulate { step_ms, max_size_ms },
            _ => Sharing::Alone,
        };
        Some(Self {
            assigner,
            source: spec.source.clone(),
            rowtime: spec.rowtime,
            daylight,
            sharing,
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
            WindowKind::Session { gap_ms } | WindowKind::Dynamic { gap_ms, .. } => (gap_ms, 0),
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
                SliceOf::End(align(wall_ms, offset_ms, interval_ms).wrapping_add(interval_ms))
            }
        }
    }

    /// Length of a window; of CUMULATE, whose windows grow, that of the step.
    pub(crate) const fn window_ms(&self) -> i64 {
        match self.assigner.kind {
            WindowKind::Hop { size_ms, .. } => size_ms,
            _ => self.interval().0,
        }
    }

    /// The window that ends here.
    pub(crate) const fn window(&self, end_ms: i64) -> (i64, i64) {
        let start_ms = match self.assigner.kind {
            WindowKind::Tumble { size_ms, .. } | WindowKind::Hop { size_ms, .. } => {
                end_ms.wrapping_sub(size_ms)
            }
            WindowKind::Cumulate {
                max_size_ms,
                offset_ms,
                ..
            } => align(end_ms.wrapping_sub(1), offset_ms, max_size_ms),
            WindowKind::Session { gap_ms } | WindowKind::Dynamic { gap_ms, .. } => {
                end_ms.wrapping_sub(gap_ms)
            }
        };
        (start_ms, end_ms)
    }

    /// The end of the last window that a slice is part of.
    pub(crate) const fn last_window_end(&self, slice_end_ms: i64) -> i64 {
        match self.sharing {
            Sharing::Alone => slice_end_ms,
            Sharing::Hop { slide_ms, size_ms } => slice_end_ms.wrapping_add(size_ms - slide_ms),
            Sharing::Cumulate { max_size_ms, .. } => self.window(slice_end_ms).0.wrapping_add(max_size_ms),
        }
    }

    /// Calls `visit` with the windows that a slice is part of and that have not fired, the earliest first; of very many
    /// only with the first ones, as they are for the eye alone.
    pub(crate) fn open_windows(
        &self,
        slice_end_ms: i64,
        watermark: Watermark,
        mut visit: impl FnMut((i64, i64)),
    ) {
        const MOST: usize = 64;
        let (interval_ms, _) = self.interval();
        let last_ms = self.last_window_end(slice_end_ms);
        let mut end_ms = slice_end_ms;
        for _ in 0..MOST {
            if end_ms > last_ms {
                break;
            }
            if !self.rowtime || self.fired_by(end_ms, watermark).is_none() {
                visit(self.window(end_ms));
            }
            end_ms = end_ms.wrapping_add(interval_ms);
        }
    }

    /// The end of the slice that takes the rows of a slice whose window has fired already.
    pub(crate) const fn late_target(&self, slice_end_ms: i64) -> i64 {
        match self.parts(slice_end_ms) {
            Parts::Own | Parts::Several { .. } => slice_end_ms,
            Parts::Into(first_ms) => first_ms,
        }
    }

    /// What the window that ends here is made of.
    pub(crate) const fn parts(&self, end_ms: i64) -> Parts {
        match self.sharing {
            Sharing::Alone => Parts::Own,
            Sharing::Hop { slide_ms, size_ms } => Parts::Several {
                count: size_ms / slide_ms,
                apart_ms: slide_ms,
            },
            Sharing::Cumulate { step_ms, .. } => Parts::Into(self.window(end_ms).0.wrapping_add(step_ms)),
        }
    }

    /// The end of the window that fires next after one has, if its key has one: of HOP as long as there are rows, of
    /// CUMULATE up to the largest, whether there is anything new or not.
    pub(crate) const fn next_window_end(&self, end_ms: i64, empty: bool) -> Option<i64> {
        match self.sharing {
            Sharing::Hop { slide_ms, .. } if !empty => Some(end_ms.wrapping_add(slide_ms)),
            Sharing::Cumulate { step_ms, .. }
                if end_ms.wrapping_add(step_ms) <= self.last_window_end(end_ms) =>
            {
                Some(end_ms.wrapping_add(step_ms))
            }
            Sharing::Alone | Sharing::Hop { .. } | Sharing::Cumulate { .. } => None,
        }
    }

    /// The slices that no window needs after the one that ends here.
    ///
    /// Flink lets the first slice of a CUMULATE stay when its own window fires, also where that is the only one.
    pub(crate) const fn expired(&self, end_ms: i64) -> [Option<i64>; 2] {
        match self.sharing {
            Sharing::Alone => [Some(end_ms), None],
            Sharing::Hop { slide_ms, size_ms } => [Some(end_ms.wrapping_sub(size_ms - slide_ms)), None],
            Sharing::Cumulate { step_ms, max_size_ms } => {
                let start_ms = self.window(end_ms).0;
                let first_ms = start_ms.wrapping_add(step_ms);
                if end_ms == first_ms {
                    [None, None]
                } else if end_ms == start_ms.wrapping_add(max_size_ms) {
                    [Some(end_ms), Some(first_ms)]
                } else {
                    [Some(end_ms), None]
                }
            }
        }
    }

    /// The instant of a window's last millisecond, at which it fires.
    pub(crate) fn fires_at(&self, end_ms: i64) -> i64 {
        self.assigner.fires_at(end_ms)
    }

    /// A window's own column.
    pub(crate) fn property(&self, property: WindowProperty, window: (i64, i64)) -> Value {
        self.assigner.property(property, window)
    }

    /// Whether a window has fired, and how far (ms) the watermark is past it.
    pub(crate) fn fired_by(&self, end_ms: i64, watermark: Watermark) -> Option<i64> {
        let fires_at_ms = self.fires_at(end_ms);
        (watermark.0 >= fires_at_ms).then(|| watermark.0.saturating_sub(fires_at_ms))
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
                zone.timer_instant_from_wall(start_ms.wrapping_add(interval_ms - 1))
            }
            _ => align(at_ms, offset_ms, interval_ms).wrapping_add(interval_ms - 1),
        };
        if trigger_ms > at_ms {
            trigger_ms
        } else {
            trigger_ms.wrapping_add(interval_ms)
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

    fn slicer(kind: WindowKind) -> Slicer {
        Slicer::new(&spec(kind)).unwrap()
    }

    #[test]
    fn hop_windows_share_slices_of_the_slide() {
        let hop = slicer(WindowKind::Hop {
            slide_ms: 5,
            size_ms: 20,
            offset_ms: -2,
        });
        assert_eq!(hop.slice_of(&[Value::timestamp_ms(-3)], 0), SliceOf::End(-2));
        assert_eq!(hop.window(-2), (-22, -2));
        assert_eq!(hop.last_window_end(-2), 13);
        let parts = Parts::Several {
            count: 4,
            apart_ms: 5,
        };
        assert_eq!(hop.parts(-2), parts);
        assert_eq!(hop.expired(-2), [Some(-17), None]);
        assert_eq!(hop.next_window_end(-2, false), Some(3));
        assert_eq!(hop.next_window_end(-2, true), None);
    }

    #[test]
    fn the_first_slice_of_a_cumulate_window_takes_the_others_in() {
        let cumulate = slicer(WindowKind::Cumulate {
            step_ms: 5,
            max_size_ms: 20,
            offset_ms: 0,
        });
        assert_eq!(cumulate.window(15), (0, 15));
        assert_eq!(cumulate.window(20), (0, 20));
        assert_eq!(cumulate.last_window_end(5), 20);
        assert_eq!(cumulate.parts(15), Parts::Into(5));
        assert_eq!(cumulate.late_target(15), 5);
        assert_eq!(cumulate.next_window_end(15, true), Some(20));
        assert_eq!(cumulate.next_window_end(20, false), None);
        assert_eq!(cumulate.expired(5), [None, None]);
        assert_eq!(cumulate.expired(10), [Some(10), None]);
        assert_eq!(cumulate.expired(20), [Some(20), Some(5)]);
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
