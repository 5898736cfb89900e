//! Time zones: wall clock from instant and back.
//!
//! Instants and wall clocks are milliseconds since the epoch; a wall clock is read as if it were UTC.

use std::rc::Rc;

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

/// A time zone; cheap to clone. Zones of fixed offset skip the table.
#[derive(Clone, Debug)]
pub struct Zone {
    zone: TimeZone,
    /// The offset in milliseconds, if it never changes.
    fixed_ms: Option<i64>,
    /// `None` for UTC.
    id: Option<Rc<str>>,
}

impl Zone {
    /// UTC.
    pub const UTC: Self = Self {
        zone: TimeZone::UTC,
        fixed_ms: Some(0),
        id: None,
    };

    /// A zone for a text of `table.local-time-zone`: `UTC`, `Asia/Tokyo`, `GMT+08:00`; `None` for anything else.
    ///
    /// Flink takes what `java.util.TimeZone` and `java.time.ZoneId` both know: names in their own case, and `GMT` with
    /// an offset of hours or hours and minutes.
    pub fn parse(id: &str) -> Option<Self> {
        if let Some(offset) = id.strip_prefix("GMT")
            && !offset.is_empty()
            && offset != "0"
        {
            let seconds = custom_offset(offset)?;
            let zone = TimeZone::fixed(jiff::tz::Offset::from_seconds(seconds).ok()?);
            return Some(Self {
                zone,
                fixed_ms: Some(i64::from(seconds) * 1000),
                id: Some(id.into()),
            });
        }
        let zone = TimeZone::get(id).ok()?;
        if zone.iana_name().is_some_and(|name| name != id) {
            return None;
        }
        let fixed_ms = zone
            .to_fixed_offset()
            .ok()
            .map(|offset| i64::from(offset.seconds()) * 1000);
        Some(Self {
            zone,
            fixed_ms,
            id: Some(id.into()),
        })
    }

    /// The text the zone was made from.
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("UTC")
    }

    /// Whether this is UTC.
    pub fn is_utc(&self) -> bool {
        self.fixed_ms == Some(0)
    }

    /// Milliseconds by which the wall clock is ahead of UTC at an instant.
    pub fn offset_ms(&self, instant_ms: i64) -> i64 {
        self.fixed_ms.unwrap_or_else(|| {
            let seconds = clamped(instant_ms).map_or(0, |at| self.zone.to_offset(at).seconds());
            i64::from(seconds) * 1000
        })
    }

    /// Wall clock of an instant.
    pub fn wall_from_instant(&self, instant_ms: i64) -> i64 {
        instant_ms.saturating_add(self.offset_ms(instant_ms))
    }

    /// Instant of a wall clock: one in a gap moves forward by the gap, of two in an overlap the earlier one.
    pub fn instant_from_wall(&self, wall_ms: i64) -> i64 {
        match self.fixed_ms {
            Some(offset) => wall_ms.saturating_sub(offset),
            None => wall_clock(wall_ms)
                .and_then(|wall| self.zone.to_ambiguous_timestamp(wall).compatible().ok())
                .map_or(wall_ms, Timestamp::as_millisecond),
        }
    }

    /// Instant at which a window timer of a wall clock fires: in a gap its start, of two in an overlap the later one.
    ///
    /// Flink: `TimeWindowUtil.toEpochMillsForTimer`, which assumes that clocks change by one hour.
    pub fn timer_instant_from_wall(&self, wall_ms: i64) -> i64 {
        const HOUR_MS: i64 = 3_600_000;
        if wall_ms == i64::MAX || self.is_utc() {
            return wall_ms;
        }
        let instant = self.instant_from_wall(wall_ms);
        if self.fixed_ms.is_some() || !self.changes_clocks() {
            return instant;
        }
        let hour_later = self.instant_from_wall(wall_ms.saturating_add(HOUR_MS));
        if hour_later - instant > HOUR_MS {
            hour_later - HOUR_MS
        } else if hour_later == instant {
            instant - instant % HOUR_MS
        } else {
            instant
        }
    }

    /// Whether the zone's last rules have daylight saving time (Java's `TimeZone.useDaylightTime`).
    fn changes_clocks(&self) -> bool {
        /// 2037-01-01 and 2037-07-01: beyond the tables of Java, within its rules.
        const PROBES_S: [i64; 2] = [2_114_380_800, 2_130_019_200];
        PROBES_S.iter().any(|second| {
            Timestamp::from_second(*second).is_ok_and(|at| self.zone.to_offset_info(at).dst().is_dst())
        })
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self::UTC
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Zone {}

/// Seconds of `+8`, `-08`, `+08:00`, `+0800`.
fn custom_offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes() {
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0, |number: i32, byte| {
            byte.is_ascii_digit()
                .then(|| number * 10 + i32::from(byte - b'0'))
        })
    };
    let (hours, minutes) = match digits {
        [_] | [_, _] => (number(digits)?, 0),
        [hours @ .., b':', tens, ones] if matches!(hours.len(), 1 | 2) => {
            (number(hours)?, number(&[*tens, *ones])?)
        }
        _ => return None,
    };
    (hours <= 18 && minutes < 60 && hours * 60 + minutes <= 18 * 60)
        .then_some(sign * (hours * 3600 + minutes * 60))
}

/// Instants beyond the years −9999 … 9999 have no zone.
fn clamped(instant_ms: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(instant_ms).ok()
}

fn wall_clock(wall_ms: i64) -> Option<DateTime> {
    Some(TimeZone::UTC.to_datetime(clamped(wall_ms)?))
}
