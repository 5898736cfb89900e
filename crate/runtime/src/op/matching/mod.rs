//! Patterns over rows in order.
//!
//! Flink: `CepOperator` with `NFA`. Input: inserts. Output: inserts, one row per match: the partition columns and the
//! measures. By event time rows wait until the watermark reaches them and are then taken in order; a row behind the
//! watermark is dropped. By processing time they are taken as they come.
//! State: `eventQueuesStateName` (key → time → rows that wait), `nfaStateName` (key → partial matches),
//! `sharedBuffer-events` (key → rows that they hold). No TTL. Timers: one per time that waits.
//! Watermark: forwarded. Differs from Flink: the edges of its shared buffer are counted with the partial matches.
//! Cases: match/*.

mod buffer;
mod heap;
pub(super) mod make;
mod nfa;
mod read;

use std::rc::Rc;

use sg_diag::Span;
use sg_expr::{Compiled, EvalError};
use sg_value::{Change, Gather as _, Row, RowKind, Value};

use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock, source::watermark_assigner::rowtime_is_null},
    state::{Item, MapTable, RowOrder, Table, UserKey},
    time::Timer,
};
use buffer::Held;
use nfa::{Event, Found, Nfa};
use read::Reader;

/// A pattern and what it gives.
pub(super) struct Match {
    nfa: Nfa,
    reader: Reader,
    measures: Box<[Compiled]>,
    /// Columns of the partition.
    partition: Box<[usize]>,
    rowtime: bool,
    /// The time column.
    time: usize,
    /// Further ORDER BY columns and how they sort.
    further: Option<(Box<[usize]>, RowOrder)>,
    held: Held,
    span: Span,
}

/// State handles.
const QUEUE: usize = 0;
const NFA: usize = 1;
const EVENTS: usize = 2;

#[cfg_attr(sg_hot, optimize(size))]
fn map<'c>(cx: &'c mut Ctx<'_>, handle: usize) -> Option<&'c mut MapTable> {
    match cx.state.tables.get_mut(handle) {
        Some(Table::Map(table)) => Some(table),
        _ => None,
    }
}

impl Match {
    /// Lets a row wait for its time.
    #[cfg_attr(sg_hot, optimize(size))]
    fn wait(&self, cx: &mut Ctx<'_>, at_ms: i64, row: &[Value]) {
        let (key, note) = (cx.key, cx.state.note);
        let item = Item::new(row, 0);
        if let Some(queue) = map(cx, QUEUE) {
            queue.push(key.into(), UserKey::number(at_ms), item, &note);
        }
        self.wake_at(cx, at_ms);
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn wake_at(&self, cx: &mut Ctx<'_>, at_ms: i64) {
        let (clock, timer_ms) = if self.rowtime {
            (TimerClock::Event, at_ms)
        } else {
            (TimerClock::Processing, at_ms.saturating_add(1))
        };
        cx.timers.register(clock, timer_ms, cx.key, &[]);
    }

    /// The rows that wait for a time up to this one, by time.
    #[cfg_attr(sg_hot, optimize(size))]
    fn due(&self, cx: &mut Ctx<'_>, limit_ms: i64) -> Vec<(i64, Vec<Row>)> {
        let (key, note) = (cx.key, cx.state.note);
        let Some(queue) = map(cx, QUEUE) else {
            return Vec::new();
        };
        let mut due = Vec::new();
        while let Some(at_ms) = queue.first_number(key.into())
            && at_ms <= limit_ms
        {
            let items = queue.take_first(key.into(), &note, &|_| true);
            let mut rows: Vec<Row> = items.iter().map(|item| Rc::clone(&item.row)).gather();
            if let Some((columns, order)) = &self.further {
                let cells = |row: &Row| -> Vec<Value> {
                    let cells = columns.iter().map(|column| row.get(*column).cloned());
                    cells.map(Option::unwrap_or_default).gather()
                };
                rows.sort_by(|left, right| order.compare(&cells(left), &cells(right)));
            }
            due.push((at_ms, rows));
        }
        due
    }

    /// Feeds rows of one time; what is found comes out with that time.
    #[cfg_attr(sg_hot, optimize(size))]
    fn feed(&self, cx: &mut Ctx<'_>, held: &mut nfa::State, at_ms: i64, rows: &[Row]) -> OpResult {
        self.advance(cx, held, at_ms)?;
        for row in rows {
            let event = Event {
                number: held.next,
                at_ms,
                row: Rc::clone(row),
            };
            held.next += 1;
            let found = self.nfa.take(held, &event, &self.reader, cx.eval)?;
            if let (true, Some(within_ms)) = (held.started, self.nfa.within_ms) {
                self.wake_at(cx, at_ms.saturating_add(within_ms));
            }
            self.emit(cx, at_ms, &found)?;
        }
        Ok(())
    }

    /// Forgets partial matches that are too old by now.
    #[cfg_attr(sg_hot, optimize(size))]
    fn advance(&self, cx: &mut Ctx<'_>, held: &mut nfa::State, at_ms: i64) -> OpResult {
        let found = self.nfa.advance(held, at_ms, self.span)?;
        self.emit(cx, at_ms, &found)
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn emit(&self, cx: &mut Ctx<'_>, at_ms: i64, found: &[Found]) -> OpResult {
        for found in found {
            let taken = found.rows();
            let cells = self.reader.cells(&taken, None, Some(at_ms), cx.eval)?;
            let (key, eval) = (cx.key, cx.eval);
            let partition = self.partition.len();
            cx.out.try_emit(RowKind::Insert, |out| {
                out.extend(key.cells.iter().take(partition).cloned());
                for measure in &self.measures {
                    out.push(measure.eval(&cells, eval)?);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn load(cx: &Ctx<'_>) -> nfa::State {
        match cx.state.tables.get(NFA) {
            Some(Table::Value(table)) => table.get(cx.key, &[]).map(buffer::read).unwrap_or_default(),
            _ => nfa::State::default(),
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn store(&self, cx: &mut Ctx<'_>, held: &nfa::State) {
        self.held.store(cx, held);
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn in_order(&self, cx: &mut Ctx<'_>, limit_ms: i64) -> OpResult {
        let mut held = Self::load(cx);
        for (at_ms, rows) in self.due(cx, limit_ms) {
            self.feed(cx, &mut held, at_ms, &rows).map_err(in_order_of_time)?;
        }
        self.advance(cx, &mut held, limit_ms)?;
        self.store(cx, &held);
        Ok(())
    }
}

/// Flink feeds rows that have waited from a stream, which wraps what they fail with and names its class in full.
#[cfg_attr(sg_hot, optimize(size))]
fn in_order_of_time(mut error: EvalError) -> EvalError {
    const PACKAGES: [(&str, &str); 4] = [
        ("RuntimeException", ""),
        ("DateTimeException", "java.time."),
        ("FlinkRuntimeException", "org.apache.flink.util."),
        ("Table", "org.apache.flink.table.api."),
    ];
    if let Some(flink) = &mut error.diagnostic.flink {
        let package = PACKAGES.iter().find(|(class, _)| flink.starts_with(class));
        match package.map_or("java.lang.", |(_, package)| package) {
            "" => {}
            package => *flink = format!("RuntimeException: {package}{flink}"),
        }
    }
    error
}

impl Operator for Match {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        if !self.rowtime {
            let now_ms = cx.clock.processing_ms;
            if self.further.is_some() {
                self.wait(cx, now_ms, change.row);
                return Ok(());
            }
            let mut held = Self::load(cx);
            self.feed(cx, &mut held, now_ms, &[change.row.into()])?;
            self.store(cx, &held);
            return Ok(());
        }
        let Some(at_ms) = change.row.get(self.time).and_then(Value::as_ms) else {
            return Err(EvalError::new(rowtime_is_null(self.span)));
        };
        let watermark_ms = cx.clock.watermark.0;
        if at_ms <= watermark_ms {
            let late = Late {
                by_ms: watermark_ms.saturating_sub(at_ms),
                watermark_ms,
            };
            cx.report.late(late, (at_ms, at_ms));
            return Ok(());
        }
        self.wait(cx, at_ms, change.row);
        Ok(())
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let limit_ms = match timer.clock {
            TimerClock::Event => cx.clock.watermark.0,
            TimerClock::Processing => timer.at_ms,
        };
        self.in_order(cx, limit_ms)
    }
}
