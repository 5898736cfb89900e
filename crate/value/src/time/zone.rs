//! Time zones: wall clock from instant and back.

/// A time zone; cheap to clone.
#[derive(Clone, Debug)]
pub struct Zone {
    #[expect(dead_code, reason = "filled with the conversions")]
    zone: jiff::tz::TimeZone,
}

impl Zone {
    /// UTC.
    pub const UTC: Self = Self {
        zone: jiff::tz::TimeZone::UTC,
    };

    /// A zone for a text of `table.local-time-zone`: `UTC`, `Asia/Tokyo`, `GMT+08:00`.
    pub fn parse(_id: &str) -> Option<Self> {
        todo!()
    }

    /// Wall clock of an instant, both in milliseconds.
    pub fn wall_from_instant(&self, _instant_ms: i64) -> i64 {
        todo!()
    }

    /// Instant of a wall clock (casts): a gap moves forward, an overlap takes the earlier offset.
    pub fn instant_from_wall(&self, _wall_ms: i64) -> i64 {
        todo!()
    }

    /// Instant at which a window timer of a wall clock fires: in a gap its start, in an overlap the later instant.
    pub fn timer_instant_from_wall(&self, _wall_ms: i64) -> i64 {
        todo!()
    }
}
