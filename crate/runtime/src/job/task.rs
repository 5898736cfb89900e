//! A subtask: a chain of operators at work.
//!
//! Operators of a chain do not call each other. Each takes all that the one before it has emitted, in order, and fills
//! a buffer of its own; the buffers are reused. The driver sets the key, calls the handlers, fires timers, forwards
//! watermarks, counts and traces, for all operators alike.
//!
//! Hot path: per change one call of a handler; nothing is allocated.

use sg_expr::{EvalCx, EvalError};
use sg_value::{Change, Value, hash::table_hash};

use super::{
    batch::{Batch, Control, Item},
    layout::{Layout, OpInfo, Role},
    shared::{Counters, Shared},
    sinks::SinkBuffer,
    source::ScanRun,
    windows::WindowLog,
};
use crate::{
    op::{Clock, Collector, Ctx, OpState, Operator, Report, Scratch, TimerClock, Timers, Vars},
    state::{Key, Note, Site, Table},
    time::{ChannelGate, Moved, Timer, TimerQueue, Watermark},
    trace::{Cause, Place, TimerOp, WatermarkMove},
};

/// A chain of operators and the gate in front of it.
#[derive(Debug)]
pub(super) struct Subtask {
    pub(super) gate: ChannelGate,
    pub(super) ops: Vec<OpRun>,
}

/// All that changes about an operator's subtask.
#[derive(Debug)]
pub(super) struct OpRun {
    pub(super) tables: Vec<Table>,
    pub(super) event: TimerQueue,
    pub(super) processing: TimerQueue,
    /// What it emitted and nobody took yet. Boxed, because it changes hands with what goes over a channel.
    pub(super) out: Box<Batch>,
    /// The watermark that it has received.
    pub(super) watermark: Watermark,
    /// The last that it sent.
    pub(super) sent: Watermark,
    pub(super) vars: Vars,
    /// The last change that it took.
    pub(super) last_change: u64,
    /// Changes that it took.
    pub(super) rows: u64,
    pub(super) windows: WindowLog,
    pub(super) scan: Option<ScanRun>,
    pub(super) eval: EvalCx,
    scratch: Scratch,
    key: Vec<Value>,
}

impl OpRun {
    pub(super) fn new(info: &OpInfo, tables: Vec<Table>, eval: EvalCx, scan: Option<ScanRun>) -> Self {
        Self {
            tables,
            event: TimerQueue::default(),
            processing: TimerQueue::default(),
            out: Box::new(Batch::new(info.width)),
            watermark: Watermark::NONE,
            sent: Watermark::NONE,
            vars: [0; 8],
            last_change: 0,
            rows: 0,
            windows: WindowLog::default(),
            scan,
            eval,
            scratch: Scratch::default(),
            key: Vec::new(),
        }
    }
}

/// A failure with the operator that it comes from.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) operator: u32,
    pub(super) error: EvalError,
}

/// Why a handler is called.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) key: Key<'a>,
    pub(super) cause: Cause,
    /// The change at work, for state's last writer.
    pub(super) change: u64,
}

/// Drives the operators of a job.
pub(super) struct Driver<'j> {
    pub(super) layout: &'j Layout,
    pub(super) shared: &'j Shared,
    pub(super) sinks: &'j mut SinkBuffer,
    pub(super) now_ms: i64,
}

impl Driver<'_> {
    /// Runs the first operator of a chain on what came over a channel, then the rest.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(super) fn take(
        &mut self,
        place: TaskPlace,
        subtask: &mut Subtask,
        from: Arrived<'_>,
    ) -> Result<(), Failed> {
        let Some(task) = self.layout.tasks.get(place.task) else {
            return Ok(());
        };
        let Some(info) = task.ops.first().and_then(|op| self.layout.ops.get(*op)) else {
            return Ok(());
        };
        let Role::Operator(operator) = &info.role else {
            return Ok(());
        };
        let Subtask { gate, ops } = &mut *subtask;
        let Some(op) = ops.first_mut() else { return Ok(()) };
        let mut driven = self.begin(info, op, place.at);
        let mut result = Ok(());
        for item in from.batch.iter() {
            result = match item {
                Item::Change(id, change) => driven.change(&**operator, from.input, id, change),
                Item::Control(control) => {
                    driven.gated(&**operator, gate, (from.input, from.channel), control)
                }
            };
            if result.is_err() {
                break;
            }
        }
        driven.finish(result)?;
        self.rest(place, subtask, 0)
    }

    /// Runs the operators of a chain behind a position that has emitted something.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(super) fn rest(
        &mut self,
        place: TaskPlace,
        subtask: &mut Subtask,
        position: usize,
    ) -> Result<(), Failed> {
        let layout = self.layout;
        let Some(task) = layout.tasks.get(place.task) else {
            return Ok(());
        };
        for next in position + 1..subtask.ops.len() {
            let (before, rest) = subtask.ops.split_at_mut(next);
            let upstream = task.upstream.get(next).and_then(|upstream| before.get(*upstream));
            let (Some(upstream), Some(op)) = (upstream, rest.first_mut()) else {
                continue;
            };
            if upstream.out.is_empty() {
                continue;
            }
            let Some(info) = task.ops.get(next).and_then(|op| layout.ops.get(*op)) else {
                continue;
            };
            let Role::Operator(operator) = &info.role else {
                continue;
            };
            let mut driven = self.begin(info, op, place.at);
            let mut result = Ok(());
            for item in upstream.out.iter() {
                result = match item {
                    Item::Change(id, change) => driven.change(&**operator, 0, id, change),
                    Item::Control(control) => driven.control(&**operator, control),
                };
                if result.is_err() {
                    break;
                }
            }
            driven.finish(result)?;
        }
        Ok(())
    }

    /// Lets an operator begin: before the first arrival.
    pub(super) fn start(&mut self, info: &OpInfo, op: &mut OpRun, at: u32) -> Result<(), Failed> {
        let Role::Operator(operator) = &info.role else {
            return Ok(());
        };
        let mut driven = self.begin(info, op, at);
        let call = Call {
            key: Key::NONE,
            cause: Cause::Run,
            change: 0,
        };
        let result = operator.on_start(&mut driven.context(call));
        driven.finish(result)
    }

    /// Fires an operator's processing-time timers that are due.
    pub(super) fn fire_processing(&mut self, info: &OpInfo, op: &mut OpRun, at: u32) -> Result<(), Failed> {
        let Role::Operator(operator) = &info.role else {
            return Ok(());
        };
        let now_ms = self.now_ms;
        let mut driven = self.begin(info, op, at);
        let result = driven.fire(&**operator, TimerClock::Processing, now_ms);
        driven.finish(result)
    }

    /// Removes the state of an operator that has expired.
    pub(super) fn expire(&mut self, info: &OpInfo, op: &mut OpRun, at: u32) {
        let driven = self.begin(info, op, at);
        let note = Note {
            site: &driven.site,
            writer: driven.op.last_change,
        };
        for table in &mut driven.op.tables {
            table.expire(&note);
        }
    }

    /// An operator's subtask, ready to work.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(super) fn begin<'d>(&'d mut self, info: &'d OpInfo, op: &'d mut OpRun, at: u32) -> Driven<'d> {
        op.eval.processing_time_ms = self.now_ms;
        let counters = self.shared.counters.get(info.id as usize);
        Driven {
            rows_before: op.rows,
            out_before: op.out.len() as u64,
            info,
            op,
            site: Site {
                shared: self.shared,
                counters: counters.unwrap_or_else(|| unreachable!("each operator has counters")),
                place: Place {
                    operator: info.id,
                    subtask: at,
                },
                key_classes: &info.key_classes,
                classes: &info.classes,
                timers: &info.timers,
                now_ms: self.now_ms,
            },
            sinks: self.sinks,
        }
    }
}

/// A subtask of a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskPlace {
    pub(super) task: usize,
    pub(super) at: u32,
}

/// A batch at a task's gate.
#[derive(Clone, Copy)]
pub(super) struct Arrived<'a> {
    pub(super) input: u32,
    pub(super) channel: u32,
    pub(super) batch: &'a Batch,
}

/// An operator's subtask while it works.
pub(super) struct Driven<'d> {
    pub(super) info: &'d OpInfo,
    pub(super) op: &'d mut OpRun,
    pub(super) site: Site<'d>,
    sinks: &'d mut SinkBuffer,
    rows_before: u64,
    out_before: u64,
}

impl Driven<'_> {
    #[inline]
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(super) fn context<'c>(&'c mut self, call: Call<'c>) -> Ctx<'c> {
        let site = &self.site;
        let note = Note {
            site,
            writer: call.change,
        };
        let OpRun {
            tables,
            event,
            processing,
            out,
            watermark,
            vars,
            windows,
            eval,
            scratch,
            ..
        } = &mut *self.op;
        Ctx {
            key: call.key,
            state: OpState { tables, note },
            timers: Timers {
                event,
                processing,
                note,
            },
            out: Collector {
                batch: out,
                site,
                cause: call.cause,
            },
            clock: Clock {
                watermark: *watermark,
                processing_ms: site.now_ms,
            },
            eval,
            vars,
            scratch,
            report: Report {
                site,
                change: call.change,
                windows,
                sink: self.sinks,
            },
        }
    }

    #[inline]
    #[cfg_attr(sg_hot, optimize(speed))]
    fn change(
        &mut self,
        operator: &dyn Operator,
        input: u32,
        id: u64,
        change: Change<'_>,
    ) -> Result<(), EvalError> {
        self.op.last_change = id;
        self.op.eval.row_number = self.op.rows;
        self.op.rows += 1;
        if self.site.shared.trace.full() {
            self.site.shared.trace.take_change(self.site.place, input, id);
        }
        let cause = Cause::Change(id);
        if self.info.key.is_empty() {
            let call = Call {
                key: Key::NONE,
                cause,
                change: id,
            };
            return operator.on_change(&mut self.context(call), input, change);
        }
        let mut cells = std::mem::take(&mut self.op.key);
        cells.clear();
        cells.extend(
            self.info
                .key_of(input)
                .iter()
                .map(|column| change.row.get(*column).cloned().unwrap_or_default()),
        );
        let key = Key {
            cells: &cells,
            hash: table_hash(&cells),
        };
        let result = operator.on_change(
            &mut self.context(Call {
                key,
                cause,
                change: id,
            }),
            input,
            change,
        );
        self.op.key = cells;
        result
    }

    /// A control of the chain's own.
    #[cfg_attr(sg_hot, optimize(speed))]
    fn control(&mut self, operator: &dyn Operator, control: Control) -> Result<(), EvalError> {
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
    #[cfg_attr(sg_hot, optimize(speed))]
    fn gated(
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

    #[cfg_attr(sg_hot, optimize(speed))]
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
    #[cfg_attr(sg_hot, optimize(speed))]
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
    #[cfg_attr(sg_hot, optimize(speed))]
    fn fire(&mut self, operator: &dyn Operator, clock: TimerClock, limit_ms: i64) -> Result<(), EvalError> {
        loop {
            let queue = match clock {
                TimerClock::Event => &mut self.op.event,
                TimerClock::Processing => &mut self.op.processing,
            };
            let Some((at_ms, bucket)) = queue.pop_due(limit_ms) else {
                return Ok(());
            };
            let change = self.op.last_change;
            let layout = &self.info.timers;
            for (hash, cells, namespace) in bucket.iter() {
                let site = &self.site;
                if layout.counted {
                    site.shared.remove_entries(site.counters, 1, layout.bytes(cells));
                }
                if site.shared.trace.full() {
                    let note = Note { site, writer: change };
                    layout.trace(&note, TimerOp::Fired, clock, at_ms, (cells, namespace));
                }
                let key = Key { cells, hash };
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
        for (at_ms, bucket) in self.op.processing.clear() {
            for (_, key, namespace) in bucket.iter() {
                if layout.counted {
                    site.shared.remove_entries(site.counters, 1, layout.bytes(key));
                }
                if site.shared.trace.full() && !matches!(self.info.role, Role::Scan(_)) {
                    layout.trace(
                        &note,
                        TimerOp::Deleted,
                        TimerClock::Processing,
                        at_ms,
                        (key, namespace),
                    );
                }
            }
        }
    }

    /// Counts what was done.
    #[cfg_attr(sg_hot, optimize(speed))]
    pub(super) fn finish(self, result: Result<(), EvalError>) -> Result<(), Failed> {
        Counters::add(&self.site.counters.rows_in, self.op.rows - self.rows_before);
        Counters::add(
            &self.site.counters.rows_out,
            self.op.out.len() as u64 - self.out_before,
        );
        if let Some(watermark) = self.op.out.last_watermark() {
            self.op.sent = watermark;
        }
        let operator = self.info.id;
        result.map_err(|error| Failed { operator, error })?;
        if self.op.out.overflow {
            let error = EvalError::new(self.site.shared.step_limit(self.info.span));
            return Err(Failed { operator, error });
        }
        Ok(())
    }
}
