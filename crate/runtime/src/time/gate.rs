//! The two ways in which Flink combines several watermarks.
//!
//! [`SplitCombiner`] stands inside a source subtask, over its partitions: the minimum over those that are not idle. A
//! partition that comes back behind the output counts at once, so that the output stands still until it has caught up
//! (Flink: `WatermarkOutputMultiplexer`).
//!
//! [`ChannelGate`] stands at the input of a task, over its channels: the minimum over those that are not idle and have
//! once reached the output. A channel that comes back behind the output is left out until it has caught up
//! (Flink: `StatusWatermarkValve`; case: wm/source-wakes-up-behind).
//!
//! Neither goes back.

use sg_value::Gather as _;

use super::Watermark;

/// What an input did to the combined watermark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moved {
    /// The combined watermark, if it rose.
    pub(crate) watermark: Option<Watermark>,
    /// Whether the whole became idle (`true`) or active again (`false`).
    pub(crate) idle: Option<bool>,
}

/// Combines the partitions of a source subtask.
#[derive(Clone, Debug)]
pub(crate) struct SplitCombiner {
    parts: Vec<Part>,
    combined: Watermark,
    idle: bool,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    watermark: Watermark,
    idle: bool,
}

impl SplitCombiner {
    /// For so many partitions, all active, none with a watermark.
    pub(crate) fn new(partitions: usize) -> Self {
        Self {
            parts: vec![
                Part {
                    watermark: Watermark::NONE,
                    idle: false
                };
                partitions
            ],
            combined: Watermark::NONE,
            idle: false,
        }
    }

    /// A partition's watermark. One that is not above its last is ignored; any wakes it up.
    pub(crate) fn advance(&mut self, partition: u32, watermark: Watermark) -> Moved {
        if let Some(part) = self.parts.get_mut(partition as usize) {
            part.idle = false;
            part.watermark = part.watermark.max(watermark);
        }
        self.combine()
    }

    /// A partition becomes idle, or active again.
    pub(crate) fn set_idle(&mut self, partition: u32, idle: bool) -> Moved {
        match self.parts.get_mut(partition as usize) {
            Some(part) if part.idle != idle => part.idle = idle,
            _ => return Moved::default(),
        }
        self.combine()
    }

    fn combine(&mut self) -> Moved {
        let mut moved = Moved::default();
        let lowest = self
            .parts
            .iter()
            .filter(|part| !part.idle)
            .map(|part| part.watermark)
            .min();
        let idle = lowest.is_none();
        if idle != self.idle {
            self.idle = idle;
            moved.idle = Some(idle);
        }
        if let Some(lowest) = lowest
            && lowest > self.combined
        {
            self.combined = lowest;
            moved.watermark = Some(lowest);
        }
        moved
    }

    /// The combined watermark.
    pub(crate) const fn combined(&self) -> Watermark {
        self.combined
    }

    /// Watermark of a partition and whether it is idle.
    pub(crate) fn part(&self, partition: u32) -> (Watermark, bool) {
        self.parts
            .get(partition as usize)
            .map_or((Watermark::NONE, true), |part| (part.watermark, part.idle))
    }

    /// The partition that decides: the lowest active one.
    pub(crate) fn holder(&self) -> Option<u32> {
        lowest(
            self.parts
                .iter()
                .map(|part| (!part.idle).then_some(part.watermark)),
        )
    }
}

/// Combines the input channels of a task.
#[derive(Clone, Debug)]
pub(crate) struct ChannelGate {
    channels: Vec<Channel>,
    combined: Watermark,
    idle: bool,
}

#[derive(Clone, Copy, Debug)]
struct Channel {
    /// The input of the task that it belongs to.
    input: u32,
    watermark: Watermark,
    idle: bool,
    aligned: bool,
}

impl ChannelGate {
    /// For channels of these inputs, all active, none with a watermark.
    pub(crate) fn new(inputs: &[u32]) -> Self {
        let channel = |input: &u32| Channel {
            input: *input,
            watermark: Watermark::NONE,
            idle: false,
            aligned: true,
        };
        Self {
            channels: inputs.iter().map(channel).gather(),
            combined: Watermark::NONE,
            idle: false,
        }
    }

    /// A channel's watermark.
    pub(crate) fn advance(&mut self, at: u32, watermark: Watermark) -> Moved {
        let combined = self.combined;
        let Some(channel) = self.channels.get_mut(at as usize) else {
            return Moved::default();
        };
        if watermark <= channel.watermark {
            return Moved::default();
        }
        channel.watermark = watermark;
        if channel.idle && watermark != Watermark::END {
            return Moved::default();
        }
        channel.aligned |= watermark >= combined;
        if channel.aligned {
            self.combine()
        } else {
            Moved::default()
        }
    }

    /// A channel becomes idle, or active again.
    pub(crate) fn set_idle(&mut self, at: u32, idle: bool) -> Moved {
        let combined = self.combined;
        let Some(channel) = self.channels.get_mut(at as usize) else {
            return Moved::default();
        };
        if channel.idle == idle {
            return Moved::default();
        }
        channel.idle = idle;
        channel.aligned = !idle && channel.watermark >= combined;
        if !idle {
            let woken = self.idle;
            self.idle = false;
            return Moved {
                watermark: None,
                idle: woken.then_some(false),
            };
        }
        let held = channel.watermark == combined;
        if self.channels.iter().any(|channel| !channel.idle) {
            return if held { self.combine() } else { Moved::default() };
        }
        self.idle = true;
        // Nothing is left to wait for: what the channel held back comes out before the silence.
        let highest = self.channels.iter().map(|channel| channel.watermark).max();
        let watermark = highest.filter(|highest| held && *highest > combined);
        self.combined = watermark.unwrap_or(combined);
        Moved {
            watermark,
            idle: Some(true),
        }
    }

    fn combine(&mut self) -> Moved {
        let aligned = self.channels.iter().filter(|channel| channel.aligned);
        match aligned.map(|channel| channel.watermark).min() {
            Some(lowest) if lowest > self.combined => {
                self.combined = lowest;
                Moved {
                    watermark: Some(lowest),
                    idle: None,
                }
            }
            _ => Moved::default(),
        }
    }

    /// The combined watermark.
    pub(crate) const fn combined(&self) -> Watermark {
        self.combined
    }

    /// The watermark of one input by itself: the smallest of its channels that are not idle.
    pub(crate) fn of_input(&self, input: u32) -> Watermark {
        let own = self.channels.iter();
        let own = own.filter(|channel| channel.input == input && !channel.idle);
        own.map(|channel| channel.watermark)
            .min()
            .unwrap_or(Watermark::NONE)
    }

    /// Watermark of a channel and whether it is idle.
    pub(crate) fn channel(&self, at: u32) -> (Watermark, bool) {
        self.channels
            .get(at as usize)
            .map_or((Watermark::NONE, true), |channel| {
                (channel.watermark, channel.idle)
            })
    }

    /// The channel that decides: the lowest aligned one.
    pub(crate) fn holder(&self) -> Option<u32> {
        lowest(
            self.channels
                .iter()
                .map(|channel| channel.aligned.then_some(channel.watermark)),
        )
    }
}

/// Number of the lowest watermark; the first of equal ones.
fn lowest(watermarks: impl Iterator<Item = Option<Watermark>>) -> Option<u32> {
    (0..)
        .zip(watermarks)
        .filter_map(|(at, watermark)| watermark.map(|watermark| (watermark, at)))
        .min()
        .map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: i64) -> Watermark {
        Watermark(ms)
    }

    fn rose(ms: i64) -> Moved {
        Moved {
            watermark: Some(at(ms)),
            idle: None,
        }
    }

    #[test]
    fn both_take_the_minimum() {
        let mut gate = ChannelGate::new(&[0, 0]);
        assert_eq!(gate.advance(0, at(10)), Moved::default());
        assert_eq!(gate.holder(), Some(1));
        assert_eq!(gate.advance(1, at(7)), rose(7));
        assert_eq!(gate.advance(1, at(6)), Moved::default());
        assert_eq!(gate.advance(1, at(20)), rose(10));
        let mut split = SplitCombiner::new(2);
        assert_eq!(split.advance(0, at(10)), Moved::default());
        assert_eq!(split.advance(1, at(7)), rose(7));
        assert_eq!(split.advance(1, at(20)), rose(10));
    }

    #[test]
    fn idle_is_left_out() {
        let mut gate = ChannelGate::new(&[0, 0]);
        gate.advance(0, at(10));
        assert_eq!(gate.set_idle(1, true), rose(10));
        let mut split = SplitCombiner::new(2);
        split.advance(0, at(10));
        assert_eq!(split.set_idle(1, true), rose(10));
    }

    #[test]
    fn a_channel_that_comes_back_behind_is_left_out_until_it_has_caught_up() {
        let mut gate = ChannelGate::new(&[0, 0]);
        gate.set_idle(1, true);
        gate.advance(0, at(10));
        assert_eq!(gate.set_idle(1, false), Moved::default());
        gate.advance(1, at(3));
        assert_eq!(gate.advance(0, at(20)), rose(20), "channel 1 holds nothing back");
        gate.advance(1, at(25));
        assert_eq!(gate.advance(0, at(30)), rose(25), "now it does");
    }

    #[test]
    fn a_partition_that_comes_back_behind_stalls() {
        let mut split = SplitCombiner::new(2);
        split.set_idle(1, true);
        split.advance(0, at(10));
        split.advance(1, at(3));
        assert_eq!(split.advance(0, at(20)), Moved::default());
        assert_eq!(split.holder(), Some(1));
        assert_eq!(split.advance(1, at(15)), rose(15));
    }

    #[test]
    fn all_idle_is_idle_and_lets_the_highest_through() {
        let mut gate = ChannelGate::new(&[0, 0]);
        gate.advance(0, at(10));
        gate.advance(1, at(4));
        assert_eq!(gate.set_idle(0, true), Moved::default());
        assert_eq!(
            gate.set_idle(1, true),
            Moved {
                watermark: Some(at(10)),
                idle: Some(true)
            }
        );
        assert_eq!(
            gate.set_idle(1, false),
            Moved {
                watermark: None,
                idle: Some(false)
            }
        );
    }

    #[test]
    fn the_end_passes_an_idle_channel() {
        let mut gate = ChannelGate::new(&[0]);
        gate.set_idle(0, true);
        assert_eq!(
            gate.advance(0, Watermark::END),
            Moved {
                watermark: Some(Watermark::END),
                idle: None
            }
        );
    }
}
