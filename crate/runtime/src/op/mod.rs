//! Operators: their contract and what they see of the job while they work.
//!
//! An operator is configuration. Whatever changes (state, timers, watermark, output) belongs to the job and is reached
//! through [`Ctx`], so that snapshots, sizes, expiry, parallel runs and the trace exist once for all operators.

mod agg;
mod batch;
mod changelog_normalize;
pub(crate) mod factory;
mod group_window;
mod join;
mod matching;
mod over;
mod rank;
mod sink;
mod source;
mod stateless;
mod timed;
mod window_rank;

use sg_expr::{EvalCx, EvalError};
use sg_plan::job::OperatorId;
use sg_value::{
    Change, RowKind, Value,
    bytes::{Namespace, RowSizer, timer_entry_bytes},
};

use crate::{
    LateDrop,
    job::{
        batch::{Batch, Control},
        shared::Counters,
        sinks::SinkBuffer,
        windows::WindowLog,
    },
    state::{Key, Note, Site, Slots, Table, ValueTable, ViewSet},
    time::{Timer, TimerQueue, Watermark},
    trace::{Cause, Emit, KeyText, TimerOp, WindowOp},
};

/// A failure of an operator; the driver knows the rest of the fault.
pub(crate) type OpResult = Result<(), EvalError>;

/// The logic of an operator. Configuration only: everything that changes is reached through `Ctx`.
pub(crate) trait Operator {
    /// The job starts; there is no key.
    fn on_start(&self, _cx: &mut Ctx<'_>) -> OpResult {
        Ok(())
    }

    /// A batch arrives and nothing is traced: an operator that can take its changes whole does so, empties it of them and
    /// says `true`; its controls are handled afterwards, behind as many of what it emitted as they then say. The number of
    /// the first change is that of the row at work. Else the changes come one by one.
    fn on_batch(&self, _cx: &mut Ctx<'_>, _batch: &mut Batch) -> Result<bool, EvalError> {
        Ok(false)
    }

    /// A change arrives at an input.
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult;

    /// Whether [`Self::on_watermark`] or [`Self::on_input_watermark`] does anything. Most operators only wait for their
    /// timers, and are spared the calls.
    fn hears_watermarks(&self) -> bool {
        false
    }

    /// The watermark rose to `cx.clock.watermark`; only for operators that hear watermarks. Called before the timers that
    /// are due by it; there is no key. The watermark is forwarded by the driver afterwards.
    fn on_watermark(&self, _cx: &mut Ctx<'_>, _before: Watermark) -> OpResult {
        Ok(())
    }

    /// The watermark of one input rose, perhaps not that of all together; before [`Operator::on_watermark`],
    /// and only for operators that hear watermarks.
    fn on_input_watermark(&self, _cx: &mut Ctx<'_>) -> OpResult {
        Ok(())
    }

    /// The watermark of what is above rose; only for operators that make watermarks themselves, which pass none on.
    fn on_watermark_above(&self, _cx: &mut Ctx<'_>, _watermark: Watermark) -> OpResult {
        Ok(())
    }

    /// A timer of the current key fires.
    fn on_timer(&self, _cx: &mut Ctx<'_>, _timer: Timer<'_>) -> OpResult {
        Ok(())
    }

    /// A partition of the sources above is held (`true`) or released.
    fn on_hold(&self, _cx: &mut Ctx<'_>, _held: bool) -> OpResult {
        Ok(())
    }
}

/// What an operator sees. Public fields: state may be borrowed while output is written.
pub(crate) struct Ctx<'a> {
    /// The current key.
    pub(crate) key: Key<'a>,
    /// States by handle.
    pub(crate) state: OpState<'a>,
    /// Timers.
    pub(crate) timers: Timers<'a>,
    /// Output.
    pub(crate) out: Collector<'a>,
    /// Watermark and processing time.
    pub(crate) clock: Clock,
    /// What expressions see.
    pub(crate) eval: &'a EvalCx,
    /// Numbers of the operator's subtask that belong to no key.
    pub(crate) vars: &'a mut Vars,
    /// Buffers to work in, empty at the beginning of a call.
    pub(crate) scratch: &'a mut Scratch,
    /// What is counted and traced beside rows.
    pub(crate) report: Report<'a>,
}

impl<'a> Ctx<'a> {
    /// Goes on to the next change.
    #[inline]
    pub(crate) fn next(&mut self, key: Key<'a>, change: u64) {
        self.key = key;
        self.out.cause = Cause::Change(change);
        self.state.note.writer = change;
        self.timers.note.writer = change;
        self.report.change = change;
    }
}

impl Ctx<'_> {
    /// The number in a value state of the current key.
    pub(crate) fn number(&self, handle: usize) -> Option<i64> {
        match self.state.tables.get(handle) {
            Some(Table::Value(table)) => table.number(self.key),
            _ => None,
        }
    }

    /// Sets it, or forgets it.
    pub(crate) fn set_number(&mut self, handle: usize, number: Option<i64>) {
        if let Some(Table::Value(table)) = self.state.tables.get_mut(handle) {
            table.set_number(self.key, number, &self.state.note);
        }
    }

    /// Does work for another key.
    pub(crate) fn with_key<R>(&mut self, key: Key<'_>, work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
        let out = &mut self.out;
        let report = &mut self.report;
        work(&mut Ctx {
            key,
            state: OpState {
                tables: &mut *self.state.tables,
                keys: &mut *self.state.keys,
                note: self.state.note,
            },
            timers: Timers {
                event: &mut *self.timers.event,
                processing: &mut *self.timers.processing,
                note: self.timers.note,
            },
            out: Collector {
                batch: &mut *out.batch,
                ..*out
            },
            clock: self.clock,
            eval: self.eval,
            vars: &mut *self.vars,
            scratch: &mut *self.scratch,
            report: Report {
                windows: &mut *report.windows,
                sink: &mut *report.sink,
                ..*report
            },
        })
    }
}

/// Numbers of an operator's subtask that belong to no key; each operator says what they mean.
pub(crate) type Vars = [i64; 8];

/// Reused buffers.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) first: Vec<Value>,
    pub(crate) second: Vec<Value>,
    /// Rows that a join has found.
    pub(crate) matched: Vec<join::Matched>,
}

/// The two clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// The watermark that the operator has received.
    pub(crate) watermark: Watermark,
    /// Processing time, milliseconds since the epoch.
    pub(crate) processing_ms: i64,
}

/// States of the operator's subtask.
pub(crate) struct OpState<'a> {
    pub(crate) tables: &'a mut [Table],
    /// The keys of the tables.
    pub(crate) keys: &'a mut Slots,
    pub(crate) note: Note<'a>,
}

impl<'a> OpState<'a> {
    /// The value state of a handle and the count states behind it, as views of a key and namespace.
    pub(crate) fn value_and_views<'s>(
        &'s mut self,
        handle: usize,
        key: Key<'s>,
        namespace: &'s [Value],
    ) -> Option<(&'s mut ValueTable, ViewSet<'s>)>
    where
        'a: 's,
    {
        let (value, views) = self.tables.get_mut(handle..)?.split_first_mut()?;
        let Table::Value(value) = value else { return None };
        let counts = views
            .iter()
            .take_while(|table| matches!(table, Table::Counts(_)))
            .count();
        Some((
            value,
            ViewSet::new(views.get_mut(..counts)?, key, namespace, self.note),
        ))
    }
}

/// Registers and deletes timers.
pub(crate) struct Timers<'a> {
    pub(crate) event: &'a mut TimerQueue,
    pub(crate) processing: &'a mut TimerQueue,
    pub(crate) note: Note<'a>,
}

/// How timers of an operator count and print.
#[derive(Debug)]
pub(crate) struct TimerLayout {
    pub(crate) sizer: RowSizer,
    pub(crate) namespace: Namespace,
    /// Length of the window that ends at a namespace.
    pub(crate) slice_ms: i64,
    /// Whether they are part of a savepoint.
    pub(crate) counted: bool,
}

/// Which clock a timer waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimerClock {
    Event = 0,
    Processing = 1,
}

impl TimerLayout {
    pub(crate) fn bytes(&self, key: &[Value]) -> u64 {
        let constant = self.sizer.constant_bytes();
        let bytes = constant.unwrap_or_else(|| self.sizer.row_bytes(key));
        timer_entry_bytes(bytes, self.namespace)
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    pub(crate) fn trace(
        &self,
        note: &Note<'_>,
        op: TimerOp,
        clock: TimerClock,
        at_ms: i64,
        key: (&[Value], &[Value]),
    ) {
        let namespace = self.namespace_text(key.1);
        let text = KeyText {
            key: key.0,
            classes: note.key_classes,
            sub: None,
            namespace,
        };
        note.shared.trace.timer(note.place, op, clock as u8, at_ms, &text);
    }
}

impl Timers<'_> {
    /// Registers a timer of a key and namespace; nothing happens if it is there.
    pub(crate) fn register(&mut self, clock: TimerClock, at_ms: i64, key: Key<'_>, namespace: &[Value]) {
        let queue = match clock {
            TimerClock::Event => &mut *self.event,
            TimerClock::Processing => &mut *self.processing,
        };
        if !queue.register(at_ms, key, namespace) {
            return;
        }
        if self.note.timers.counted {
            self.note
                .shared
                .add_entry(self.note.counters, self.note.timers.bytes(key.cells));
        }
        if self.note.shared.trace.full() {
            self.note.timers.trace(
                &self.note,
                TimerOp::Registered,
                clock,
                at_ms,
                (key.cells, namespace),
            );
        }
    }
}

impl Timers<'_> {
    /// Takes a timer of a key and namespace back; nothing happens if there is none.
    pub(crate) fn delete(&mut self, clock: TimerClock, at_ms: i64, key: Key<'_>, namespace: &[Value]) {
        let queue = match clock {
            TimerClock::Event => &mut *self.event,
            TimerClock::Processing => &mut *self.processing,
        };
        if !queue.delete(at_ms, key, namespace) {
            return;
        }
        if self.note.timers.counted {
            let bytes = self.note.timers.bytes(key.cells);
            self.note.shared.remove_entries(self.note.counters, 1, bytes);
        }
        if self.note.shared.trace.full() {
            let timer = (key.cells, namespace);
            self.note
                .timers
                .trace(&self.note, TimerOp::Deleted, clock, at_ms, timer);
        }
    }
}

/// Takes what an operator emits.
pub(crate) struct Collector<'a> {
    pub(crate) batch: &'a mut Batch,
    pub(crate) site: &'a Site<'a>,
    pub(crate) cause: Cause,
}

impl Collector<'_> {
    /// Emits a row that is there.
    #[inline]
    pub(crate) fn emit_row(&mut self, kind: RowKind, row: &[Value]) {
        self.emit(kind, |cells| cells.extend_from_slice(row));
    }

    /// Emits a row whose cells `fill` pushes, as many as the operator has output columns.
    #[inline]
    pub(crate) fn emit(&mut self, kind: RowKind, fill: impl FnOnce(&mut Vec<Value>)) {
        let result = self.try_emit(kind, |cells| {
            fill(cells);
            Ok(())
        });
        debug_assert!(result.is_ok(), "nothing can fail");
    }

    /// The same where computing the cells can fail; nothing is emitted then.
    #[inline]
    pub(crate) fn try_emit(
        &mut self,
        kind: RowKind,
        fill: impl FnOnce(&mut Vec<Value>) -> OpResult,
    ) -> OpResult {
        let shared = self.site.shared;
        let left = shared.slot_changes_left.get();
        if left == 0 {
            // The driver notices and stops the job.
            self.batch.overflow = true;
            return Ok(());
        }
        shared.slot_changes_left.set(left - 1);
        let change = shared.next_change.get();
        let row = self.batch.push_with(kind, change, fill)?;
        shared.next_change.set(change + 1);
        if shared.trace.full() {
            shared.trace.emit(&Emit {
                place: self.site.place,
                change,
                cause: self.cause,
                kind,
                row,
                classes: self.site.classes,
            });
        }
        Ok(())
    }

    /// Whether so many changes may be emitted at once.
    pub(crate) fn takes_whole(&self, changes: usize) -> bool {
        let shared = self.site.shared;
        self.batch.is_empty() && !shared.trace.full() && shared.slot_changes_left.get() >= changes as u64
    }

    /// Emits all changes of a batch as they are, even if they are of another width. `false` where they have to be emitted one by one, and then nothing has
    /// happened.
    pub(crate) fn forward(&mut self, batch: &mut Batch) -> bool {
        if !self.takes_whole(batch.len()) {
            return false;
        }
        let Some(first) = self.site.shared.new_changes(batch.len() as u64) else {
            return false;
        };
        batch.renumber(first);
        self.batch.swap_changes(batch);
        true
    }

    /// Sends a watermark behind what was emitted: only for operators that make them.
    pub(crate) fn watermark(&mut self, watermark: Watermark) {
        self.batch.push_control(Control::Watermark(watermark));
    }

    /// Says that nothing is to be expected for the time being (`true`), or again.
    pub(crate) fn idle(&mut self, idle: bool) {
        self.batch.push_control(Control::Idle(idle));
    }
}

/// Counts and traces what happens beside rows.
pub(crate) struct Report<'a> {
    pub(crate) site: &'a Site<'a>,
    pub(crate) change: u64,
    pub(crate) windows: &'a mut WindowLog,
    pub(crate) sink: &'a mut SinkBuffer,
}

/// How late a change is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    /// How far the watermark is past its event time.
    pub(crate) by_ms: i64,
    pub(crate) watermark_ms: i64,
}

impl Report<'_> {
    /// The current change is dropped because its window, by event time, is over.
    pub(crate) fn late(&mut self, Late { by_ms, watermark_ms }: Late, window: (i64, i64)) {
        Counters::add(&self.site.counters.late, 1);
        self.site.shared.late_drops.borrow_mut().push(LateDrop {
            operator: OperatorId(self.site.place.operator),
            by_ms,
            watermark_ms,
            window_start_ms: window.0,
            window_end_ms: window.1,
        });
        if self.site.shared.trace.full() {
            self.site
                .shared
                .trace
                .late(self.site.place, self.change, by_ms, window);
        }
    }

    /// The current change, perhaps with other cells, is written by a sink; `keep` says whether anybody will look.
    pub(crate) fn sink(&mut self, sink: OperatorId, change: Change<'_>, keep: bool) {
        if keep {
            self.sink.push(sink, change);
        }
        if self.site.shared.trace.full() {
            self.site.shared.trace.sink(sink.0, self.change, change.kind);
        }
    }

    /// A row came into a window (or a slice of one).
    pub(crate) fn opened(&mut self, window: (i64, i64)) {
        let shared = self.site.shared;
        if shared.traced.get() && self.windows.open(window) && shared.trace.full() {
            self.site
                .shared
                .trace
                .window(self.site.place, WindowOp::Opened, window);
        }
    }

    /// A session became part of another.
    pub(crate) fn merged(&mut self, window: (i64, i64)) {
        if self.windows.forget(window) && self.site.shared.trace.full() {
            self.site
                .shared
                .trace
                .window(self.site.place, WindowOp::Sealed, window);
        }
    }

    /// A window of one key fired and gave so many rows.
    pub(crate) fn fired(&mut self, window: (i64, i64), rows: u64) {
        if self.site.shared.traced.get() {
            self.windows.fire(window, rows);
        }
    }
}
