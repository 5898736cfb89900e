//! Time at an operator: controls, watermarks and the timers that are due by them.

use sg_expr::EvalError;

use super::{
    batch::Control,
    layout::Role,
    task::{Call, Driven},
};
use crate::{
    op::{Operator, TimerClock},
    state::{Key, Note},
    time::{ChannelGate, Moved, Timer, Watermark},
    trace::{Cause, TimerOp, WatermarkMove},
};

impl Driven<'_> {
    /// A control of the chain's own.
    pub(super) fn control(&mut self, operator: &dyn Operator, control: Control) -> Result<(), EvalError> {
        match control {
            Control::Watermark(watermark) => self.watermark(operator, watermark),
            Control::Hold(held) if self.info.makes_watermarks => {
                let change = self.op.last_change;
                let call = Call {
                    key: Key::NONE,
                    cause: Cause::Run,
                    change,
                };
                operator.on_hold(&mut self.context(call), held)
            }
            Control::Idle(_) | Control::Hold(_) => {
                self.op.out.push_control(control);
                Ok(())
            }
        }
    }

    /// A control that comes over a channel.
    pub(super) fn gated(
        &mut self,
        operator: &dyn Operator,
        gate: &mut ChannelGate,
        (input, channel): (u32, u32),
        control: Control,
    ) -> Result<(), EvalError> {
        let before = gate.combined();
        let hears = self.info.hears_watermarks && matches!(control, Control::Watermark(_));
        let input_before = hears.then(|| gate.of_input(input));
        let moved = match control {
            Control::Watermark(watermark) => gate.advance(channel, watermark),
            Control::Idle(idle) => gate.set_idle(channel, idle),
            Control::Hold(_) => return self.control(operator, control),
        };
        let (channel_watermark, idle) = gate.channel(channel);
        self.site.shared.trace.watermark(
            self.site.place,
            &WatermarkMove {
                within_source: false,
                channel,
                channel_watermark,
                before,
                after: gate.combined(),
                holder: gate.holder(),
                idle,
            },
        );
        if input_before.is_some_and(|before| gate.of_input(input) > before) {
            let change = self.op.last_change;
            let call = Call {
                key: Key::NONE,
                cause: Cause::Watermark(change),
                change,
            };
            operator.on_input_watermark(&mut self.context(call))?;
        }
        self.moved(operator, moved)
    }

    fn moved(&mut self, operator: &dyn Operator, moved: Moved) -> Result<(), EvalError> {
        if moved.idle == Some(false) {
            self.op.out.push_control(Control::Idle(false));
        }
        if let Some(watermark) = moved.watermark {
            self.watermark(operator, watermark)?;
        }
        if moved.idle == Some(true) {
            self.op.out.push_control(Control::Idle(true));
        }
        Ok(())
    }

    /// The watermark of the operator rises: what it holds back, then its timers, then the next operator.
    fn watermark(&mut self, operator: &dyn Operator, watermark: Watermark) -> Result<(), EvalError> {
        let before = self.op.watermark;
        if watermark <= before {
            return Ok(());
        }
        if self.info.makes_watermarks && watermark != Watermark::END {
            let change = self.op.last_change;
            let call = Call {
                key: Key::NONE,
                cause: Cause::Watermark(change),
                change,
            };
            return operator.on_watermark_above(&mut self.context(call), watermark);
        }
        self.op.watermark = watermark;
        self.op.eval.watermark_ms = watermark.ms();
        if self.info.hears_watermarks {
            let change = self.op.last_change;
            let call = Call {
                key: Key::NONE,
                cause: Cause::Watermark(change),
                change,
            };
            operator.on_watermark(&mut self.context(call), before)?;
        }
        self.fire(operator, TimerClock::Event, watermark.0)?;
        let sent = if watermark == Watermark::END {
            watermark
        } else {
            Watermark(watermark.0.saturating_sub(self.info.watermark_delay_ms))
        };
        self.op.out.push_control(Control::Watermark(sent));
        Ok(())
    }

    /// Fires timers up to a time, those included that are registered meanwhile.
    pub(super) fn fire(
        &mut self,
        operator: &dyn Operator,
        clock: TimerClock,
        limit_ms: i64,
    ) -> Result<(), EvalError> {
        let mut ahead = 0;
        loop {
            if ahead == 0 {
                ahead = self.op.look_at_singles(clock, limit_ms);
            }
            let Some((at_ms, bucket)) = self.op.timers(clock).pop_due(limit_ms) else {
                return Ok(());
            };
            ahead = ahead.saturating_sub(1);
            let change = self.op.last_change;
            let layout = &self.info.timers;
            let mut seen = if bucket.as_single().is_some() {
                usize::MAX
            } else {
                0
            };
            for (at, (key, namespace)) in bucket.iter_from(0) {
                if at >= seen {
                    seen = self.op.look_at_many(&bucket, at, namespace);
                }
                let site = &self.site;
                if layout.counted {
                    site.shared
                        .remove_entries(site.counters, 1, layout.bytes(key.cells));
                }
                if site.shared.trace.full() {
                    let note = Note { site, writer: change };
                    layout.trace(&note, TimerOp::Fired, clock, at_ms, (key.cells, namespace));
                }
                let call = Call {
                    key,
                    cause: Cause::Timer(at_ms),
                    change,
                };
                operator.on_timer(
                    &mut self.context(call),
                    Timer {
                        at_ms,
                        namespace,
                        clock,
                    },
                )?;
            }
            self.op.timers(clock).used(bucket);
            self.op.windows.settle(&self.site.shared.trace, self.site.place);
        }
    }

    /// Forgets timers of processing time: at the end of input nobody waits for them.
    pub(super) fn drop_processing_timers(&mut self) {
        let site = &self.site;
        let note = Note {
            site,
            writer: self.op.last_change,
        };
        let layout = &self.info.timers;
        for (at_ms, bucket) in self.op.processing.clear().iter() {
            for (Key { cells: key, .. }, namespace) in bucket.iter() {
                if layout.counted {
                    site.shared.remove_entries(site.counters, 1, layout.bytes(key));
                }
                if site.shared.trace.full() && !matches!(self.info.role, Role::Scan(_)) {
                    layout.trace(
                        &note,
                        TimerOp::Deleted,
                        TimerClock::Processing,
                        *at_ms,
                        (key, namespace),
                    );
                }
            }
        }
    }
}
