//! Time zones: wall clock from instant and back.
//!
//! Instants and wall clocks are milliseconds since the epoch; a wall clock is read as if it were UTC.

use std::rc::Rc;

use super::zone_table::{Table, table};

/// A time zone; cheap to clone. Zones of fixed offset skip the table.
#[derive(Clone, Debug)]
pub struct Zone {
    /// `None` where the offset never changes.
    table: Option<Rc<Table>>,
    /// Milliseconds by which the wall clock is ahead of UTC, where there is no table.
    fixed_ms: i64,
    /// `None` for UTC.
    id: Option<Rc<str>>,
}

impl Zone {
    /// UTC.
    pub const UTC: Self = Self {
        table: None,
        fixed_ms: 0,
        id: None,
    };

    /// A zone for a text of `table.local-time-zone`: `UTC`, `Asia/Tokyo`, `GMT+08:00`; `None` for anything else.
    ///
    /// Flink takes what `java.util.TimeZone` and `java.time.ZoneId` both know: names in their own case, and `GMT` with
    /// an offset: `GMT+8`, `GMT-08`, `GMT+0800`, `GMT+08:00`.
    pub fn parse(id: &str) -> Option<Self> {
        let fixed = |seconds: i32| Self {
            table: None,
            fixed_ms: i64::from(seconds) * 1000,
            id: Some(id.into()),
        };
        if id == "UTC" {
            return Some(fixed(0));
        }
        if let Some(offset) = id.strip_prefix("GMT")
            && !offset.is_empty()
            && offset != "0"
        {
            return custom_offset(offset).map(fixed);
        }
        if REFUSED.contains(&id) {
            return None;
        }
        let table = table(id)?;
        Some(match table.fixed_offset() {
            Some(seconds) => fixed(seconds),
            None => Self {
                table: Some(table),
                ..fixed(0)
            },
        })
    }

    /// The text the zone was made from.
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("UTC")
    }

    /// Whether this is UTC, or a zone that never differs from it.
    pub fn is_utc(&self) -> bool {
        self.table.is_none() && self.fixed_ms == 0
    }

    /// Milliseconds by which the wall clock is ahead of UTC at an instant.
    pub fn offset_ms(&self, instant_ms: i64) -> i64 {
        self.table
            .as_deref()
            .map_or(self.fixed_ms, |table| table.offset_ms(instant_ms))
    }

    /// Wall clock of an instant.
    pub fn wall_from_instant(&self, instant_ms: i64) -> i64 {
        instant_ms.saturating_add(self.offset_ms(instant_ms))
    }

    /// Instant of a wall clock: one in a gap moves forward by the gap, of two in an overlap the earlier one.
    pub fn instant_from_wall(&self, wall_ms: i64) -> i64 {
        match &self.table {
            None => wall_ms.saturating_sub(self.fixed_ms),
            Some(table) => table.instant_from_wall(wall_ms),
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
        if !self.changes_clocks() {
            return instant;
        }
        let hour_later = self.instant_from_wall(wall_ms.saturating_add(HOUR_MS));
        if hour_later - instant > HOUR_MS {
            instant + HOUR_MS
        } else if hour_later == instant {
            instant - instant % HOUR_MS
        } else {
            instant
        }
    }

    /// Whether the zone's last rules have daylight saving time (Java's `TimeZone.useDaylightTime`).
    pub fn changes_clocks(&self) -> bool {
        self.table.as_deref().is_some_and(Table::changes_clocks)
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

/// Names of the table that `java.time.ZoneId` refuses.
const REFUSED: [&str; 4] = ["EST", "HST", "MST", "ROC"];

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
        [a, b, c, d] | [a, b, b':', c, d] => (number(&[*a, *b])?, number(&[*c, *d])?),
        _ => return None,
    };
    (hours <= 18 && minutes < 60 && hours * 60 + minutes <= 18 * 60)
        .then_some(sign * (hours * 3600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds of a wall clock.
    fn wall(text: &str) -> i64 {
        crate::time::parse_timestamp(text, 3).unwrap().0
    }

    #[test]
    fn zones_are_named_as_flink_takes_them() {
        for id in [
            "UTC",
            "GMT",
            "GMT+8",
            "GMT-08",
            "GMT+08:00",
            "GMT-0800",
            "GMT0",
            "Asia/Tokyo",
            "US/Pacific",
            "CET",
        ] {
            assert_eq!(Zone::parse(id).unwrap().id(), id);
        }
        for id in [
            "",
            "Z",
            "UTC+8",
            "+08:00",
            "asia/tokyo",
            "PST",
            "EST",
            "GMT+8:30",
            "GMT+19",
            "GMT+17:60",
            "Nope/Zone",
        ] {
            assert_eq!(Zone::parse(id), None, "{id}");
        }
        assert_eq!(Zone::parse("GMT-08:30").unwrap().offset_ms(0), -30_600_000);
    }

    #[test]
    fn clocks_go_forward_and_back() {
        let zone = Zone::parse("America/Los_Angeles").unwrap();
        let gap = wall("2024-03-10 02:30:00");
        assert_eq!(zone.instant_from_wall(gap), wall("2024-03-10 10:30:00"));
        assert_eq!(zone.timer_instant_from_wall(gap), wall("2024-03-10 10:00:00"));
        assert_eq!(
            zone.wall_from_instant(wall("2024-03-10 10:30:00")),
            wall("2024-03-10 03:30:00")
        );
        let twice = wall("2024-11-03 01:30:00");
        assert_eq!(zone.instant_from_wall(twice), wall("2024-11-03 08:30:00"));
        assert_eq!(zone.timer_instant_from_wall(twice), wall("2024-11-03 09:30:00"));
        assert_eq!(zone.wall_from_instant(wall("2024-11-03 09:30:00")), twice);
        assert!(zone.changes_clocks());
        assert_eq!(zone.timer_instant_from_wall(i64::MAX), i64::MAX);
    }

    #[test]
    fn zones_without_changes() {
        let zone = Zone::parse("Asia/Shanghai").unwrap();
        let noon = wall("2024-05-01 12:00:00");
        assert_eq!(zone.wall_from_instant(noon), wall("2024-05-01 20:00:00"));
        assert_eq!(zone.timer_instant_from_wall(zone.wall_from_instant(noon)), noon);
        assert!(!zone.changes_clocks());
        assert_eq!(Zone::UTC.instant_from_wall(noon), noon);
        assert_eq!(Zone::default(), Zone::parse("UTC").unwrap());
    }
}
