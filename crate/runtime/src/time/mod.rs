//! Watermarks, the two ways of combining several, and timers.

mod gate;
mod timers;

pub(crate) use gate::{ChannelGate, Moved, SplitCombiner};
pub(crate) use timers::{Timer, TimerQueue, Waiting};

/// A promise about event time, milliseconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Watermark(pub i64);

impl Watermark {
    /// Before the first watermark.
    pub(crate) const NONE: Self = Self(i64::MIN);
    /// The end of input.
    pub(crate) const END: Self = Self(i64::MAX);

    /// The milliseconds, or `None` before the first watermark.
    pub(crate) const fn ms(self) -> Option<i64> {
        if self.0 == i64::MIN { None } else { Some(self.0) }
    }
}
