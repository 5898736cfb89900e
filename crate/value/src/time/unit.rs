//! Fields of dates and times, and rounding to a unit.

/// A unit that EXTRACT, FLOOR, CEIL, TIMESTAMPADD or TIMESTAMPDIFF knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TimeUnit {
    Millennium,
    Century,
    Decade,
    Year,
    IsoYear,
    Quarter,
    Month,
    Week,
    Day,
    DayOfYear,
    DayOfWeek,
    IsoDayOfWeek,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
    Epoch,
}

impl TimeUnit {
    /// The unit for a word of any case (`DOY`, `hour`, `SQL_TSI_DAY`, plural forms).
    pub fn from_word(_word: &str) -> Option<Self> {
        todo!()
    }

    /// Milliseconds of a unit of fixed length (WEEK, DAY … MILLISECOND).
    pub const fn fixed_ms(self) -> Option<i64> {
        None
    }
}

/// EXTRACT(unit FROM wall clock).
pub fn extract(_unit: TimeUnit, _ms: i64, _nanos: u32) -> i64 {
    todo!()
}

/// EXTRACT(unit FROM date).
pub fn extract_date(_unit: TimeUnit, _days: i64) -> i64 {
    todo!()
}

/// EXTRACT(unit FROM time).
pub fn extract_time(_unit: TimeUnit, _ms: i64) -> i64 {
    todo!()
}

/// EXTRACT(unit FROM interval); `months` for a year-month interval, else milliseconds.
pub fn extract_interval(_unit: TimeUnit, _amount: i64, _months: bool) -> i64 {
    todo!()
}

/// FLOOR(wall clock TO unit).
pub fn floor(_unit: TimeUnit, _ms: i64) -> i64 {
    todo!()
}

/// CEIL(wall clock TO unit).
pub fn ceil(_unit: TimeUnit, _ms: i64) -> i64 {
    todo!()
}

/// FLOOR(date TO unit).
pub fn floor_date(_unit: TimeUnit, _days: i64) -> i64 {
    todo!()
}

/// CEIL(date TO unit).
pub fn ceil_date(_unit: TimeUnit, _days: i64) -> i64 {
    todo!()
}
