//! Time zones: wall clock from instant and back.
//!
//! Instants and wall clocks are milliseconds since the epoch; a wall clock is read as if it were UTC.

use std::{cell::RefCell, rc::Rc};

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

thread_local! {
    /// What [`install_zones`] was given.
    static INSTALLED: RefCell<Rc<[u8]>> = RefCell::new(Rc::from([]));
}

/// Makes the zones of a file known, for a build that bundles none: a line for each zone, the length of its data and its names
/// with spaces between them; an empty line; and the data of all of them in this order, in the form of RFC 8536.
pub fn install_zones(file: &[u8]) {
    INSTALLED.with(|zones| *zones.borrow_mut() = Rc::from(file));
}

/// A zone of the installed file.
fn installed(id: &str) -> Option<TimeZone> {
    let file = INSTALLED.with(|zones| Rc::clone(&zones.borrow()));
    let end = file.windows(2).position(|end| end == b"\n\n")?;
    let (list, mut data) = (file.get(..end)?, file.get(end + 2..)?);
    for line in list.split(|byte| *byte == b'\n') {
        let mut words = line.split(|byte| *byte == b' ');
        let length = str::from_utf8(words.next()?).ok()?.parse().ok()?;
        let (own, behind) = data.split_at_checked(length)?;
        if words.any(|name| name == id.as_bytes()) {
            return TimeZone::tzif(id, own).ok();
        }
        data = behind;
    }
    None
}

/// A time zone; cheap to clone. Zones of fixed offset skip the table.
#[derive(Clone, Debug)]
pub struct Zone {
    table: TimeZone,
    /// The offset in milliseconds, if it never changes.
    fixed_ms: Option<i64>,
    /// `None` for UTC.
    id: Option<Rc<str>>,
}

impl Zone {
    /// UTC.
    pub const UTC: Self = Self {
        table: TimeZone::UTC,
        fixed_ms: Some(0),
        id: None,
    };

    /// A zone for a text of `table.local-time-zone`: `UTC`, `Asia/Tokyo`, `GMT+08:00`; `None` for anything else.
    ///
    /// Flink takes what `java.util.TimeZone` and `java.time.ZoneId` both know: names in their own case, and `GMT` with
    /// an offset: `GMT+8`, `GMT-08`, `GMT+0800`, `GMT+08:00`.
    pub fn parse(id: &str) -> Option<Self> {
        if let Some(offset) = id.strip_prefix("GMT")
            && !offset.is_empty()
            && offset != "0"
        {
            let seconds = custom_offset(offset)?;
            let zone = TimeZone::fixed(jiff::tz::Offset::from_seconds(seconds).ok()?);
            return Some(Self {
                table: zone,
                fixed_ms: Some(i64::from(seconds) * 1000),
                id: Some(id.into()),
            });
        }
        if REFUSED.contains(&id) {
            return None;
        }
        let zone = TimeZone::get(id).ok().or_else(|| installed(id))?;
        if zone.iana_name().is_some_and(|name| name != id) {
            return None;
        }
        let fixed_ms = zone
            .to_fixed_offset()
            .ok()
            .map(|offset| i64::from(offset.seconds()) * 1000);
        Some(Self {
            table: zone,
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
            let seconds = clamped(instant_ms).map_or(0, |at| self.table.to_offset(at).seconds());
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
                .and_then(|wall| self.table.to_ambiguous_timestamp(wall).compatible().ok())
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
            instant + HOUR_MS
        } else if hour_later == instant {
            instant - instant % HOUR_MS
        } else {
            instant
        }
    }

    /// Whether the zone's last rules have daylight saving time (Java's `TimeZone.useDaylightTime`).
    pub fn changes_clocks(&self) -> bool {
        /// 2037-01-01 and 2037-07-01: beyond the tables of Java, within its rules.
        const PROBES_S: [i64; 2] = [2_114_380_800, 2_130_019_200];
        PROBES_S.iter().any(|second| {
            Timestamp::from_second(*second).is_ok_and(|at| self.table.to_offset_info(at).dst().is_dst())
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

/// Instants beyond the years −9999 … 9999 have no zone.
fn clamped(instant_ms: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(instant_ms).ok()
}

fn wall_clock(wall_ms: i64) -> Option<DateTime> {
    Some(TimeZone::UTC.to_datetime(clamped(wall_ms)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds of a wall clock.
    fn wall(text: &str) -> i64 {
        crate::time::parse_timestamp(text, 3).unwrap().0
    }

    #[test]
    fn an_installed_zone_is_found_by_its_whole_name() {
        let zone = TimeZone::get("Asia/Tokyo").unwrap();
        assert!(installed("Asia/Tokyo").is_none());
        // version 1 data of a zone without changes: nine hours, named JST
        let mut data = b"TZif".to_vec();
        data.extend([0; 16]);
        for count in [0_u32, 0, 0, 0, 1, 4] {
            data.extend(count.to_be_bytes());
        }
        data.extend(32_400_i32.to_be_bytes());
        data.extend([0, 0]);
        data.extend(b"JST\0");
        let mut file = format!("{0} Etc/Other\n{0} Asia/Tokyo Japan\n\n", data.len()).into_bytes();
        file.extend(vec![0; data.len()]);
        file.extend(&data);
        install_zones(&file);
        let found = installed("Asia/Tokyo").unwrap();
        assert_eq!(
            found.to_offset(Timestamp::UNIX_EPOCH),
            zone.to_offset(Timestamp::UNIX_EPOCH)
        );
        assert!(installed("Japan").is_some());
        assert!(installed("Asia/Toky").is_none());
        install_zones(&file[..file.len() - 1]);
        assert!(installed("Asia/Tokyo").is_none(), "half a file");
        install_zones(&[]);
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
