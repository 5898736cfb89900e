//! What arrives at the sources, and the passing of processing time.

use sg_expr::EvalError;
use sg_value::{Change, RowKind, Value};

use super::{
    ArrivalKind, Job,
    batch::Control,
    layout::{OpInfo, Role},
    source::{ScanInfo, ScanRun, Watermarks},
    task::{Call, Driven, Driver, Failed, OpRun, Subtask, TaskPlace},
};
use crate::{
    state::Key,
    time::{Moved, Watermark},
    trace::{ArrivalRow, Cause, WatermarkMove},
};

/// A partition of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) source: u32,
    pub(super) partition: u32,
}

/// A scan's subtask at work on one of its partitions.
struct Scanning<'d> {
    driven: Driven<'d>,
    scan: &'d ScanInfo,
    /// The partition's number within the subtask.
    local: u32,
}

impl Job {
    /// Lets time pass: what waits for it is done in order of its time, each at that time.
    pub(super) fn advance_clock(&mut self, to_ms: i64) -> Result<(), Failed> {
        if to_ms <= self.now_ms {
            return Ok(());
        }
        self.run_clock(to_ms)
    }

    #[inline(never)]
    fn run_clock(&mut self, to_ms: i64) -> Result<(), Failed> {
        self.shared.clock_target_ms.set(to_ms);
        while let Some((at_ms, clocked)) = self.next_processing_timer()
            && at_ms <= to_ms
        {
            self.now_ms = self.now_ms.max(at_ms);
            self.expire();
            let (number, place, position) = clocked;
            self.at_operator(number, place, position, |driver, info, subtask| {
                match (&info.role, subtask.ops.get_mut(position)) {
                    (Role::Scan(scan), Some(op)) => {
                        while op.processing.pop_due(at_ms).is_some() {}
                        let mut scanning = Scanning {
                            driven: driver.begin(info, op, place.at),
                            scan,
                            local: 0,
                        };
                        scanning.tick();
                        scanning.driven.finish(Ok(()))
                    }
                    (Role::Operator(_), Some(op)) => driver.fire_processing(info, op, place.at),
                    (_, None) => Ok(()),
                }
            })?;
            self.settle()?;
        }
        self.now_ms = to_ms;
        self.expire();
        Ok(())
    }

    /// The earliest processing-time timer; of equal ones that of the first operator.
    fn next_processing_timer(&self) -> Option<(i64, (usize, TaskPlace, usize))> {
        let timers = self.clocked.iter().filter_map(|clocked| {
            let op = self.subtasks.get(clocked.0)?.ops.get(clocked.2)?;
            Some((op.processing.next()?, *clocked))
        });
        timers.min_by_key(|(at_ms, _)| *at_ms)
    }

    #[cfg_attr(sg_hot, optimize(size))]
    #[inline(never)]
    fn expire(&mut self) {
        for (number, place, position) in &self.expiring {
            let info = self
                .layout
                .tasks
                .get(place.task)
                .and_then(|task| task.ops.get(*position));
            let Some(info) = info.and_then(|op| self.layout.ops.get(*op)) else {
                continue;
            };
            let Some(op) = self
                .subtasks
                .get_mut(*number)
                .and_then(|subtask| subtask.ops.get_mut(*position))
            else {
                continue;
            };
            let mut driver = Driver {
                layout: &self.layout,
                shared: &self.shared,
                sinks: &mut self.sinks,
                now_ms: self.now_ms,
            };
            driver.expire(info, op, place.at);
        }
    }

    /// Works on one operator of a chain, runs the rest of the chain and sends on what came out.
    fn at_operator(
        &mut self,
        number: usize,
        place: TaskPlace,
        position: usize,
        work: impl FnOnce(&mut Driver<'_>, &OpInfo, &mut Subtask) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let info = self
            .layout
            .tasks
            .get(place.task)
            .and_then(|task| task.ops.get(position));
        let Some(info) = info.and_then(|op| self.layout.ops.get(*op)) else {
            return Ok(());
        };
        let Some(subtask) = self.subtasks.get_mut(number) else {
            return Ok(());
        };
        let mut driver = Driver {
            layout: &self.layout,
            shared: &self.shared,
            sinks: &mut self.sinks,
            now_ms: self.now_ms,
        };
        work(&mut driver, info, subtask)?;
        driver.rest(place, subtask, position)?;
        self.network.send(&self.layout, &self.shared, place, subtask);
        Ok(())
    }

    /// Lets all operators of a subtask begin.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn start_subtask(&mut self, number: usize) -> Result<(), Failed> {
        let Some(place) = self.place_of(number) else {
            return Ok(());
        };
        let positions = self.subtasks.get(number).map_or(0, |subtask| subtask.ops.len());
        for position in 0..positions {
            self.at_operator(number, place, position, |driver, info, subtask| {
                match subtask.ops.get_mut(position) {
                    Some(op) => {
                        if let Role::Scan(scan) = &info.role
                            && let Watermarks::Declared(declared) = &scan.watermarks
                            && declared.idle_timeout_ms > 0
                        {
                            op.processing
                                .register(driver.now_ms + declared.idle_timeout_ms, Key::NONE, &[]);
                        }
                        driver.start(info, op, place.at)?;
                        match &info.role {
                            Role::Scan(scan) => deliver(driver, info, op, (scan, place.at)),
                            Role::Operator(_) => Ok(()),
                        }
                    }
                    None => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    fn place_of(&self, number: usize) -> Option<TaskPlace> {
        let task = self
            .layout
            .tasks
            .iter()
            .rposition(|task| task.first_subtask <= number)?;
        let first = self.layout.tasks.get(task)?.first_subtask;
        Some(TaskPlace {
            task,
            at: (number - first) as u32,
        })
    }

    /// A row arrives.
    pub(super) fn arrive_row(&mut self, at: At, kind: RowKind, row: &[Value]) -> Result<(), Failed> {
        self.arrive_changes(at, || std::iter::once(Change { kind, row }), None)
    }

    /// Inserted rows arrive together; `rows` holds their cells, `width` a row.
    pub(super) fn arrive_rows(&mut self, at: At, width: usize, rows: &[Value]) -> Result<(), Failed> {
        let kind = RowKind::Insert;
        let changes = || {
            rows.chunks_exact(width.max(1))
                .map(move |row| Change { kind, row })
        };
        self.arrive_changes(at, changes, Some((width.max(1), rows)))
    }

    /// Changes arrive at all scans of a partition; `rows` are their cells and how many a row has, where all are inserted.
    fn arrive_changes<'c, I: Iterator<Item = Change<'c>>>(
        &mut self,
        at: At,
        changes: impl Fn() -> I,
        rows: Option<(usize, &[Value])>,
    ) -> Result<(), Failed> {
        let first = self.shared.next_change.get();
        let mut untold = self.shared.trace.full();
        let unread = self
            .layout
            .readers
            .get(at.source as usize)
            .is_none_or(Vec::is_empty);
        for change in changes() {
            self.shared.new_change();
            self.shared.lookups.take(at.source, change, self.now_ms);
            if untold && unread {
                self.shared
                    .trace
                    .arrival(at.source, at.partition, change.kind as u8);
            }
        }
        self.at_readers(at, |scanning| {
            let tells = std::mem::take(&mut untold);
            if let Some(rows) = rows
                && scanning.rows(first, rows)
            {
                return Ok(());
            }
            (first..).zip(changes()).try_for_each(|(id, change)| {
                if tells {
                    scanning.trace_arrival(at, id, change);
                }
                scanning.row(id, change)
            })
        })
    }

    /// Anything else arrives.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn arrive_control(&mut self, at: At, kind: &ArrivalKind) -> Result<(), Failed> {
        if self.shared.trace.full() {
            self.shared.trace.arrival(at.source, at.partition, kind.number());
        }
        if matches!(kind, ArrivalKind::Tick) {
            return Ok(());
        }
        self.at_readers(at, |scanning| {
            scanning.control(kind);
            Ok(())
        })
    }

    /// All inputs end.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn end_sources(&mut self) -> Result<(), Failed> {
        for number in 0..self.subtasks.len() {
            let Some(place) = self.place_of(number) else {
                continue;
            };
            self.drop_processing_timers(number, place);
            self.at_operator(number, place, 0, |driver, info, subtask| {
                let (Role::Scan(_), Some(op)) = (&info.role, subtask.ops.first_mut()) else {
                    return Ok(());
                };
                op.out.push_control(Control::Watermark(Watermark::END));
                driver.begin(info, op, place.at).finish(Ok(()))
            })?;
            self.settle()?;
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn drop_processing_timers(&mut self, number: usize, place: TaskPlace) {
        let Some(task) = self.layout.tasks.get(place.task) else {
            return;
        };
        let Some(subtask) = self.subtasks.get_mut(number) else {
            return;
        };
        for (op, info) in subtask
            .ops
            .iter_mut()
            .zip(task.ops.iter().filter_map(|op| self.layout.ops.get(*op)))
        {
            let mut driver = Driver {
                layout: &self.layout,
                shared: &self.shared,
                sinks: &mut self.sinks,
                now_ms: self.now_ms,
            };
            driver.begin(info, op, place.at).drop_processing_timers();
        }
    }

    /// Works on all scans of a partition, and runs the job until nothing is on its way.
    fn at_readers(
        &mut self,
        at: At,
        mut work: impl FnMut(&mut Scanning<'_>) -> Result<(), EvalError>,
    ) -> Result<(), Failed> {
        let readers = self.layout.readers.get(at.source as usize).map_or(0, Vec::len);
        for reader in 0..readers {
            let task = self
                .layout
                .readers
                .get(at.source as usize)
                .and_then(|tasks| tasks.get(reader))
                .copied();
            let Some((task, info)) = task.and_then(|task| Some((task, self.layout.tasks.get(task)?))) else {
                continue;
            };
            let subtask = at.partition % info.parallelism;
            let place = TaskPlace { task, at: subtask };
            self.at_operator(
                info.first_subtask + subtask as usize,
                place,
                0,
                |driver, info, subtask| {
                    let (Role::Scan(scan), Some(op)) = (&info.role, subtask.ops.first_mut()) else {
                        return Ok(());
                    };
                    let local = at.partition / info.parallelism;
                    let mut scanning = Scanning {
                        driven: driver.begin(info, op, place.at),
                        scan,
                        local,
                    };
                    let result = work(&mut scanning);
                    scanning.driven.finish(result)
                },
            )?;
        }
        self.settle()
    }
}

/// Lets a table that ends deliver all that it has.
fn deliver(
    driver: &mut Driver<'_>,
    info: &OpInfo,
    op: &mut OpRun,
    (scan, at): (&ScanInfo, u32),
) -> Result<(), Failed> {
    let Some(rows) = &scan.bounded else {
        return Ok(());
    };
    let shared = driver.shared;
    let mut scanning = Scanning {
        driven: driver.begin(info, op, at),
        scan,
        local: 0,
    };
    let mut result = Ok(());
    if at == 0 {
        for (kind, row) in rows.iter() {
            let change = Change { kind: *kind, row };
            result = scanning.row(shared.new_change(), change);
            if result.is_err() {
                break;
            }
        }
    }
    scanning
        .driven
        .op
        .out
        .push_control(Control::Watermark(Watermark::END));
    scanning.driven.finish(result)
}

impl ArrivalKind {
    /// Its number in a frame.
    const fn number(&self) -> u8 {
        match self {
            Self::Row { kind, .. } => *kind as u8,
            Self::Watermark(_) => 4,
            Self::Idle => 5,
            Self::Active => 6,
            Self::Hold => 7,
            Self::Release => 8,
            Self::Tick => 9,
        }
    }
}

impl Scanning<'_> {
    fn run(&mut self) -> Option<&mut ScanRun> {
        self.driven.op.scan.as_mut()
    }

    /// Number of a partition in the table.
    const fn partition(&self, local: u32) -> u32 {
        local * self.driven.info.parallelism + self.driven.site.place.subtask
    }

    fn trace_arrival(&self, at: At, id: u64, change: Change<'_>) {
        let rowtime = self.scan.rowtime.and_then(|rowtime| change.row.get(rowtime));
        self.driven.site.shared.trace.arrival_row(&ArrivalRow {
            source: at.source,
            partition: at.partition,
            kind: change.kind,
            change: id,
            rowtime_ms: rowtime.and_then(Value::as_ms),
            row: change.row,
            classes: &self.scan.classes,
        });
    }

    /// Takes inserted rows together, where nothing is traced and somebody else makes the watermarks; `false` where they have
    /// to be taken one by one.
    fn rows(&mut self, first: u64, (width, cells): (usize, &[Value])) -> bool {
        let site = self.driven.site;
        let count = cells.len() / width;
        if site.shared.trace.full() || !self.scan.made_elsewhere() || count == 0 {
            return false;
        }
        let Some(first_id) = site.shared.new_changes(count as u64) else {
            return false;
        };
        let local = self.local;
        if let Some(run) = self.run() {
            let moved = run.combiner.set_idle(local, false);
            run.note_row(local, None, site.now_ms);
            self.moved(local, Watermark::NONE, moved);
        }
        let op = &mut *self.driven.op;
        op.rows += count as u64;
        op.last_change = first + count as u64 - 1;
        let columns = &self.scan.columns;
        if columns.len() == width && columns.iter().zip(0..).all(|(column, at)| *column == at) {
            op.out.push_rows(first_id, count, cells.iter().cloned());
        } else {
            let cells = cells.chunks_exact(width).flat_map(|row| {
                columns
                    .iter()
                    .map(|column| row.get(*column).cloned().unwrap_or_default())
            });
            op.out.push_rows(first_id, count, cells);
        }
        true
    }

    fn row(&mut self, id: u64, change: Change<'_>) -> Result<(), EvalError> {
        let (local, now_ms) = (self.local, self.driven.site.now_ms);
        let moved = self
            .run()
            .map(|run| run.combiner.set_idle(local, false))
            .unwrap_or_default();
        self.moved(local, Watermark::NONE, moved);
        self.driven.op.rows += 1;
        self.driven.op.last_change = id;
        let scan = self.scan;
        let call = Call {
            key: Key::NONE,
            cause: Cause::Change(id),
            change: id,
        };
        let cells = scan
            .columns
            .iter()
            .map(|column| change.row.get(*column).cloned().unwrap_or_default());
        self.driven
            .context(call)
            .out
            .emit(change.kind, |out| out.extend(cells));
        let Watermarks::Declared(declared) = &scan.watermarks else {
            if let Some(run) = self.run() {
                run.note_row(local, None, now_ms);
            }
            return Ok(());
        };
        let row = self.driven.op.out.last_row();
        let watermark = scan.watermark_of(row, self.partition(local), &self.driven.op.eval)?;
        if let Some(run) = self.run() {
            run.note_row(local, watermark, now_ms);
        }
        if declared.interval_ms == 0 {
            self.send(local);
        } else if self.run().is_some_and(|run| run.pending(local)) {
            self.await_tick(declared.next_tick(now_ms));
        }
        if declared.idle_timeout_ms > 0 {
            self.await_tick(now_ms + declared.idle_timeout_ms);
        }
        Ok(())
    }

    fn control(&mut self, kind: &ArrivalKind) {
        let local = self.local;
        let before = self.combined();
        let explicit = !matches!(self.scan.watermarks, Watermarks::Elsewhere);
        let Some(run) = self.run() else { return };
        match kind {
            ArrivalKind::Watermark(ms) if explicit => {
                run.note_watermark(local, Watermark(*ms));
                self.send(local);
            }
            ArrivalKind::Idle | ArrivalKind::Active => {
                let moved = run.combiner.set_idle(local, matches!(kind, ArrivalKind::Idle));
                self.moved(local, before, moved);
            }
            ArrivalKind::Hold | ArrivalKind::Release => {
                let held = matches!(kind, ArrivalKind::Hold);
                run.hold(local, held);
                if !explicit {
                    self.driven.op.out.push_control(Control::Hold(held));
                } else if !held {
                    self.send(local);
                }
            }
            ArrivalKind::Watermark(_) | ArrivalKind::Row { .. } | ArrivalKind::Tick => {}
        }
    }

    /// Periodic work: sends what is pending, and looks for partitions without rows.
    fn tick(&mut self) {
        let Watermarks::Declared(declared) = &self.scan.watermarks else {
            return;
        };
        let now_ms = self.driven.site.now_ms;
        for local in 0..self.run().map_or(0, |run| run.len()) {
            if self.run().is_some_and(|run| run.pending(local)) {
                self.send(local);
            }
            let silent = self
                .run()
                .is_some_and(|run| run.last_row_ms(local) + declared.idle_timeout_ms <= now_ms);
            if declared.idle_timeout_ms > 0 && silent {
                let before = self.combined();
                let moved = self
                    .run()
                    .map(|run| run.combiner.set_idle(local, true))
                    .unwrap_or_default();
                self.moved(local, before, moved);
            }
        }
    }

    /// Asks to be called at a time.
    fn await_tick(&mut self, at_ms: i64) {
        self.driven.op.processing.register(at_ms, Key::NONE, &[]);
    }

    fn combined(&mut self) -> Watermark {
        self.run().map_or(Watermark::NONE, |run| run.combiner.combined())
    }

    fn send(&mut self, local: u32) {
        let before = self.combined();
        let moved = self.run().map(|run| run.send(local)).unwrap_or_default();
        self.moved(local, before, moved);
    }

    /// Passes on what became of the combined watermark, and traces it.
    fn moved(&mut self, local: u32, before: Watermark, moved: Moved) {
        if matches!(self.scan.watermarks, Watermarks::Elsewhere) && moved == Moved::default() {
            return;
        }
        let (channel, parallelism, subtask) = (
            self.partition(local),
            self.driven.info.parallelism,
            self.driven.site.place.subtask,
        );
        let Some(run) = self.driven.op.scan.as_ref() else {
            return;
        };
        let (channel_watermark, idle) = run.combiner.part(local);
        self.driven.site.shared.trace.watermark(
            self.driven.site.place,
            &WatermarkMove {
                within_source: true,
                channel,
                channel_watermark,
                before,
                after: run.combiner.combined(),
                holder: run.combiner.holder().map(|holder| holder * parallelism + subtask),
                idle,
            },
        );
        let out = &mut self.driven.op.out;
        if moved.idle == Some(false) {
            out.push_control(Control::Idle(false));
        }
        if let Some(watermark) = moved.watermark {
            out.push_control(Control::Watermark(watermark));
        }
        if moved.idle == Some(true) {
            out.push_control(Control::Idle(true));
        }
    }
}
