//! A subtask: a chain of operators at work.
//!
//! Operators of a chain do not call each other. Each takes all that the one before it has emitted, in order, and fills
//! a buffer of its own; the buffers are reused. The driver sets the key, calls the handlers, fires timers, forwards
//! watermarks, counts and traces, for all operators alike.
//!
//! Hot path: per change one call of a handler; nothing is allocated.

use std::ops::Range;

use sg_expr::{EvalCx, EvalError};
use sg_value::{Value, hash::table_hash};

use super::{
    batch::{Batch, Control},
    layout::{Layout, OpInfo, Role},
    shared::{Counters, Shared},
    sinks::SinkBuffer,
    source::ScanRun,
    windows::WindowLog,
};
use crate::{
    op::{Clock, Collector, Ctx, OpState, Operator, Report, Scratch, TimerClock, Timers, Vars},
    state::{Key, Note, Site, Slots, Table},
    time::{ChannelGate, TimerQueue, Waiting, Watermark},
    trace::{Cause, Place},
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
    /// The keys of the tables.
    pub(super) keys: Slots,
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
    /// Hashes and numbers of the keys of a run of changes.
    found: Vec<(u64, u32)>,
}

impl OpRun {
    pub(super) fn new(info: &OpInfo, tables: Vec<Table>, eval: EvalCx, scan: Option<ScanRun>) -> Self {
        Self {
            tables,
            keys: Slots::new(&info.key_layout),
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
            found: Vec::new(),
        }
    }

    /// Reads what the next rows of these keys, given by hash and number, look for.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn look_ahead(&self, keys: &[(u64, u32)], namespace: &[Value]) {
        if keys.len() < FEW {
            return;
        }
        for table in &self.tables {
            std::hint::black_box(table.look_ahead(keys, namespace));
        }
    }

    /// Reads what the single timers look for that are due next; gives how many times of timers that are.
    pub(super) fn look_at_singles(&mut self, clock: TimerClock, limit_ms: i64) -> usize {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let due = self
            .timers(clock)
            .iter()
            .take_while(|(at_ms, _)| *at_ms <= limit_ms);
        let singles = due.map_while(|(_, waiting)| waiting.as_single());
        found.extend(singles.take(MANY).map(|key| (key.hash, key.slot)));
        let times = found.len();
        self.look_ahead(&found, &[]);
        self.found = found;
        times
    }

    /// Reads what timers of one time look for, from one on that has this namespace; gives the place of the first that is not
    /// among them.
    pub(super) fn look_at_many(&mut self, waiting: &Waiting, from: usize, namespace: &[Value]) -> usize {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let mut end = from;
        let alike = waiting
            .iter_from(from)
            .take_while(|(_, timer)| timer.1 == namespace);
        found.extend(alike.take(MANY).map(|(at, (key, _))| {
            end = at + 1;
            (key.hash, key.slot)
        }));
        self.look_ahead(&found, namespace);
        self.found = found;
        end
    }

    /// The timers of a clock.
    pub(super) const fn timers(&mut self, clock: TimerClock) -> &mut TimerQueue {
        match clock {
            TimerClock::Event => &mut self.event,
            TimerClock::Processing => &mut self.processing,
        }
    }
}

/// A failure with the operator that it comes from.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) operator: u32,
    pub(super) error: EvalError,
}

/// Fewer changes are not worth a look ahead.
const FEW: usize = 8;

/// So many timers are looked at together: what they read stays in fast memory until they fire.
const MANY: usize = 256;

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
        let Arrived {
            input,
            channel,
            batch,
        } = from;
        let result = driven.batch(&**operator, (input, true), batch, |driven, control| {
            driven.gated(&**operator, gate, (input, channel), control)
        });
        driven.finish(result)?;
        self.rest(place, subtask, 0)
    }

    /// Runs the operators of a chain behind a position that has emitted something.
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
            let from = task.upstream.get(next).copied().unwrap_or_default();
            let (Some(upstream), Some(op)) = (before.get_mut(from), rest.first_mut()) else {
                continue;
            };
            let batch = &mut *upstream.out;
            if batch.is_empty() {
                continue;
            }
            let Some(info) = task.ops.get(next).and_then(|op| layout.ops.get(*op)) else {
                continue;
            };
            let Role::Operator(operator) = &info.role else {
                continue;
            };
            let mut driven = self.begin(info, op, place.at);
            let sole = task.sole_reader.get(next) == Some(&true);
            let result = driven.batch(&**operator, (0, sole), batch, |driven, control| {
                driven.control(&**operator, control)
            });
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
            table.expire(&note, &driven.op.keys);
        }
    }

    /// An operator's subtask, ready to work.
    pub(super) fn begin<'d>(&'d mut self, info: &'d OpInfo, op: &'d mut OpRun, at: u32) -> Driven<'d> {
        op.eval.processing_time_ms = self.now_ms;
        if op.keys.are_many() {
            op.keys.sweep(&mut op.tables, [&op.event, &op.processing]);
        }
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
pub(super) struct Arrived<'a> {
    pub(super) input: u32,
    pub(super) channel: u32,
    pub(super) batch: &'a mut Batch,
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
    pub(super) fn context<'c>(&'c mut self, call: Call<'c>) -> Ctx<'c> {
        let site = &self.site;
        let note = Note {
            site,
            writer: call.change,
        };
        let OpRun {
            tables,
            keys,
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
            state: OpState { tables, keys, note },
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

    /// Hands a batch over: whole if nobody else reads it, nothing is traced and the operator takes it so, else change by
    /// change.
    fn batch(
        &mut self,
        operator: &dyn Operator,
        (input, sole): (u32, bool),
        batch: &mut Batch,
        mut control: impl FnMut(&mut Self, Control) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        let whole = sole && self.whole(operator, batch)?;
        let before = self.out_before as usize;
        for (run, found) in batch.runs() {
            let changes = run.end;
            if !whole {
                self.changes(operator, input, batch, run)?;
            }
            let Some(found) = found else { continue };
            let controls = self.op.out.controls();
            control(self, found)?;
            if whole {
                self.op.out.move_controls(controls, before + changes);
            }
        }
        Ok(())
    }

    /// Hands the changes of a batch over whole, if nothing is traced and the operator takes them; they are gone then.
    fn whole(&mut self, operator: &dyn Operator, batch: &mut Batch) -> Result<bool, EvalError> {
        let count = batch.len();
        if self.site.shared.trace.full() || count == 0 {
            return Ok(false);
        }
        let last = batch.change(count - 1).map(|(last, _)| last);
        let call = Call {
            key: Key::NONE,
            cause: Cause::Run,
            change: 0,
        };
        self.op.eval.row_number.set(self.op.rows);
        let taken = operator.on_batch(&mut self.context(call), batch)?;
        if taken {
            self.op.rows += count as u64;
            self.op.last_change = last.unwrap_or(self.op.last_change);
            debug_assert_eq!(batch.len(), 0, "changes that were taken are gone");
        }
        Ok(taken)
    }

    /// Hands changes over that follow one another.
    fn changes(
        &mut self,
        operator: &dyn Operator,
        input: u32,
        batch: &Batch,
        run: Range<usize>,
    ) -> Result<(), EvalError> {
        if run.is_empty() {
            return Ok(());
        }
        let (site, first_row) = (self.site, self.op.rows);
        self.op.rows += run.len() as u64;
        if let Some((last, _)) = batch.change(run.end - 1) {
            self.op.last_change = last;
        }
        let columns = self.info.key_of(input);
        let width = columns.len();
        // where the key's columns follow one another they are the key, else it is put together
        let from = columns.first().copied().unwrap_or_default();
        let together = columns.iter().zip(from..).all(|(column, at)| *column == at);
        let mut keys = std::mem::take(&mut self.op.key);
        keys.clear();
        if !together {
            for (_, change) in batch.changes(run.clone()) {
                keys.extend(
                    columns
                        .iter()
                        .map(|column| change.row.get(*column).cloned().unwrap_or_default()),
                );
            }
        }
        let cells_of = |at: usize, row| -> &[Value] {
            let (cells, from): (&[Value], _) = if together {
                (row, from)
            } else {
                (&keys, at * width)
            };
            cells.get(from..from + width).unwrap_or_default()
        };
        // keys that states share are all looked for first: one does not wait for the memory of the other
        let mut found = std::mem::take(&mut self.op.found);
        found.clear();
        let slots = &mut self.op.keys;
        if slots.are_shared() {
            let mut read = 0;
            for (at, row) in run.clone().map(|at| batch.row(at)).enumerate() {
                let hash = table_hash(cells_of(at, row));
                found.push((hash, Key::NONE.slot));
                read ^= slots.peek(hash);
            }
            std::hint::black_box(read);
            let rows = run.clone().map(|at| batch.row(at)).enumerate();
            for ((at, row), (hash, slot)) in rows.zip(&mut found) {
                *slot = slots.hashed(cells_of(at, row), *hash).slot;
            }
            self.op.look_ahead(&found, &[]);
        }
        let mut cx = self.context(Call {
            key: Key::NONE,
            cause: Cause::Run,
            change: 0,
        });
        let mut result = Ok(());
        for (at, (id, change)) in batch.changes(run).enumerate() {
            if site.shared.trace.full() {
                site.shared.trace.take_change(site.place, input, id);
            }
            cx.eval.row_number.set(first_row + at as u64);
            let mut key = Key::NONE;
            if width > 0 {
                key.cells = cells_of(at, change.row);
                match found.get(at) {
                    Some(known) => (key.hash, key.slot) = *known,
                    None => key.hash = table_hash(key.cells),
                }
            }
            cx.next(key, id);
            result = operator.on_change(&mut cx, input, change);
            if result.is_err() {
                break;
            }
        }
        self.op.key = keys;
        self.op.found = found;
        result
    }

    /// Counts what was done.
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
