//! What a run writes down: one frame of bytes per slot.
//!
//! Operators do not trace. Around each handler call the driver knows operator, subtask, change and cause; the
//! collector, the state, the timers and the gates know the rest. Whether anything is written is one branch that does
//! not change during a slot ([`Trace::full`]).

pub mod check;
mod frame;
pub mod read;
mod strings;

use std::cell::{Cell, RefCell};

use sg_diag::{Diagnostic, Lang};
use sg_value::{DataType, Gather as _, RowKind, Value};

use crate::{options::TraceLevel, time::Watermark};
use frame::{put_frame, put_i, put_time, put_u, tag};
pub(crate) use strings::Class;
use strings::Strings;

/// The part of a replay that a frame belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Start = 0,
    Arrival = 1,
    End = 2,
    Fault = 3,
}

/// Why an operator is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It handles this change.
    Change(u64),
    /// One of its timers of this time fired.
    Timer(i64),
    /// Its watermark rose; the change is the last one that went into what comes out, 0 if unknown.
    Watermark(u64),
    /// The run starts or ends.
    Run,
}

/// What happened to a state entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateOp {
    Created = 0,
    Updated = 1,
    Removed = 2,
    Expired = 3,
}

/// What happened to a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimerOp {
    Registered = 0,
    Fired = 1,
    Deleted = 2,
}

/// What happened to a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowOp {
    /// The first row of any key came in.
    Opened,
    /// Its results were emitted, so many rows.
    Fired(u64),
    /// It takes no more rows.
    Sealed,
}

/// A place in the job: operator and subtask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) operator: u32,
    pub(crate) subtask: u32,
}

/// Key and namespace of a state entry or a timer, ready to print.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyText<'a> {
    pub(crate) key: &'a [Value],
    pub(crate) classes: &'a [Class],
    /// A value within the key, of a map's entry.
    pub(crate) sub: Option<(&'a [Value], &'a [Class])>,
    pub(crate) namespace: NamespaceText,
}

/// A namespace, ready to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamespaceText {
    None,
    /// A window by wall clock.
    Window {
        start_ms: i64,
        end_ms: i64,
    },
}

/// Entries and bytes of an operator after an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals {
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
}

/// A move of a watermark at a gate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatermarkMove {
    /// Whether it is a source's combiner of partitions.
    pub(crate) within_source: bool,
    pub(crate) channel: u32,
    pub(crate) channel_watermark: Watermark,
    pub(crate) before: Watermark,
    pub(crate) after: Watermark,
    pub(crate) holder: Option<u32>,
    pub(crate) idle: bool,
}

/// Writes frames.
#[derive(Debug)]
pub(crate) struct Trace {
    level: Cell<TraceLevel>,
    writer: RefCell<Writer>,
}

#[derive(Debug, Default)]
struct Writer {
    query: u8,
    strings: Strings,
    head: Vec<u8>,
    events: Vec<u8>,
    done: Vec<u8>,
    plain: Option<Class>,
    /// Start, end and text of windows that were printed lately.
    windows: [(i64, i64, u32); 16],
}

impl Trace {
    pub(crate) fn new(level: TraceLevel, query: u8) -> Self {
        Self {
            level: Cell::new(level),
            writer: RefCell::new(Writer {
                query,
                ..Writer::default()
            }),
        }
    }

    pub(crate) fn set_level(&self, level: TraceLevel) {
        self.level.set(level);
    }

    /// Whether single events are written.
    #[inline]
    pub(crate) fn full(&self) -> bool {
        matches!(self.level.get(), TraceLevel::Full)
    }

    /// Whether anything is written.
    #[inline]
    pub(crate) fn on(&self) -> bool {
        !matches!(self.level.get(), TraceLevel::Off)
    }

    /// Classes of the types of a row.
    pub(crate) fn classes<'t>(&self, types: impl IntoIterator<Item = &'t DataType>) -> Box<[Class]> {
        let mut writer = self.writer.borrow_mut();
        types
            .into_iter()
            .map(|data_type| writer.strings.class(data_type))
            .gather()
    }

    /// The class of a type.
    pub(crate) fn class(&self, data_type: &DataType) -> Class {
        self.writer.borrow_mut().strings.class(data_type)
    }

    pub(crate) fn begin(&self, phase: Phase, slot: u32, processing_time_ms: i64) {
        if !self.on() {
            return;
        }
        let Writer {
            query, head, events, ..
        } = &mut *self.writer.borrow_mut();
        head.clear();
        events.clear();
        head.push(*query);
        head.push(phase as u8);
        put_u(head, u64::from(slot));
        put_i(head, processing_time_ms);
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn end(&self) {
        if !self.on() {
            return;
        }
        let Writer {
            strings,
            head,
            events,
            done,
            ..
        } = &mut *self.writer.borrow_mut();
        put_frame(done, head, &strings.take_new(), events);
    }

    /// Makes the frame in progress a frame of another phase.
    pub(crate) fn set_phase(&self, phase: Phase) {
        if let Some(at) = self.writer.borrow_mut().head.get_mut(1) {
            *at = phase as u8;
        }
    }

    /// Moves the finished frames behind `into`.
    pub(crate) fn take(&self, into: &mut Vec<u8>) {
        into.append(&mut self.writer.borrow_mut().done);
    }

    /// Number of texts in finished frames.
    pub(crate) fn texts_written(&self) -> usize {
        self.writer.borrow().strings.written()
    }

    /// Forgets frames that were not taken, and all texts but the first.
    pub(crate) fn rewind(&self, texts_written: usize) {
        let mut writer = self.writer.borrow_mut();
        writer.done.clear();
        writer.windows = Default::default();
        writer.strings.truncate(texts_written);
    }

    /// The class of windows and timers.
    pub(crate) fn timestamp_class(&self) -> Class {
        self.writer.borrow_mut().timestamp_class()
    }

    /// Text of a row of cells, joined by commas: the key of a state page.
    pub(crate) fn text_of(&self, classes: &[Class], cells: &[Value]) -> String {
        let mut out = String::new();
        self.writer.borrow().strings.write_list(&mut out, classes, cells);
        out
    }

    pub(crate) fn arrival(&self, source: u32, partition: u32, what: u8) {
        let mut writer = self.writer.borrow_mut();
        writer.arrival_head(source, partition, what, 0);
        writer.events.push(0);
        writer.cells(&[], &[]);
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn arrival_row(&self, arrival: &ArrivalRow<'_>) {
        let mut writer = self.writer.borrow_mut();
        writer.arrival_head(
            arrival.source,
            arrival.partition,
            arrival.kind as u8,
            arrival.change,
        );
        let events = &mut writer.events;
        match arrival.rowtime_ms {
            Some(ms) => {
                events.push(1);
                put_i(events, ms);
            }
            None => events.push(0),
        }
        writer.cells(arrival.row, arrival.classes);
    }

    pub(crate) fn route(&self, route: &Route) {
        let events = &mut self.writer.borrow_mut().events;
        events.push(tag::ROUTE);
        for number in [route.operator, route.input, route.from, route.to, route.key_group] {
            put_u(events, u64::from(number));
        }
        put_u(events, route.change);
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn take_change(&self, place: Place, input: u32, change: u64) {
        let events = &mut self.writer.borrow_mut().events;
        events.push(tag::TAKE);
        put_place(events, place);
        put_u(events, u64::from(input));
        put_u(events, change);
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn emit(&self, emit: &Emit<'_>) {
        let mut writer = self.writer.borrow_mut();
        let events = &mut writer.events;
        events.push(tag::EMIT);
        put_place(events, emit.place);
        put_u(events, emit.change);
        match emit.cause {
            Cause::Change(change) => {
                events.push(0);
                put_u(events, change);
            }
            Cause::Timer(at_ms) => {
                events.push(1);
                put_time(events, Watermark(at_ms));
            }
            Cause::Watermark(change) => {
                events.push(2);
                put_u(events, change);
            }
            Cause::Run => {
                events.push(3);
                put_u(events, 0);
            }
        }
        events.push(emit.kind as u8);
        writer.cells(emit.row, emit.classes);
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn state(&self, state: &StateEvent<'_>) {
        let mut writer = self.writer.borrow_mut();
        let (key, namespace) = writer.key_text(&state.key);
        let events = &mut writer.events;
        events.push(tag::STATE);
        put_place(events, state.place);
        put_u(events, u64::from(state.handle));
        events.push(state.op as u8);
        put_u(events, key);
        put_u(events, u64::from(namespace));
        match state.op {
            StateOp::Created | StateOp::Updated => writer.cells(state.value, state.classes),
            StateOp::Removed | StateOp::Expired => events.push(0),
        }
        let events = &mut writer.events;
        for number in [
            state.writer,
            state.bytes,
            state.totals.entries,
            state.totals.bytes,
        ] {
            put_u(events, number);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    pub(crate) fn timer(&self, place: Place, op: TimerOp, clock: u8, at_ms: i64, key: &KeyText<'_>) {
        let mut writer = self.writer.borrow_mut();
        let (key, namespace) = writer.key_text(key);
        let events = &mut writer.events;
        events.push(tag::TIMER);
        put_place(events, place);
        events.push(op as u8);
        events.push(clock);
        put_time(events, Watermark(at_ms));
        put_u(events, key);
        put_u(events, u64::from(namespace));
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn watermark(&self, place: Place, moved: &WatermarkMove) {
        if !self.on() {
            return;
        }
        let events = &mut self.writer.borrow_mut().events;
        events.push(tag::WATERMARK);
        put_place(events, place);
        events.push(u8::from(!moved.within_source));
        put_u(events, u64::from(moved.channel));
        for time in [moved.channel_watermark, moved.before, moved.after] {
            put_time(events, time);
        }
        put_u(events, moved.holder.map_or(0, |channel| u64::from(channel) + 1));
        events.push(u8::from(moved.idle));
    }

    pub(crate) fn late(&self, place: Place, change: u64, by_ms: i64, window: (i64, i64)) {
        let events = &mut self.writer.borrow_mut().events;
        events.push(tag::LATE);
        put_place(events, place);
        put_u(events, change);
        put_i(events, by_ms);
        put_i(events, window.0);
        put_i(events, window.1);
    }

    pub(crate) fn window(&self, place: Place, op: WindowOp, window: (i64, i64)) {
        let events = &mut self.writer.borrow_mut().events;
        events.push(tag::WINDOW);
        put_place(events, place);
        events.push(match op {
            WindowOp::Opened => 0,
            WindowOp::Fired(_) => 1,
            WindowOp::Sealed => 2,
        });
        put_i(events, window.0);
        put_i(events, window.1);
        if let WindowOp::Fired(rows) = op {
            put_u(events, rows);
        }
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn sink(&self, operator: u32, change: u64, kind: RowKind) {
        let events = &mut self.writer.borrow_mut().events;
        events.push(tag::SINK);
        put_u(events, u64::from(operator));
        put_u(events, change);
        events.push(kind as u8);
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    pub(crate) fn stats(&self, operator: u32, numbers: [u64; 5]) {
        let events = &mut self.writer.borrow_mut().events;
        events.push(tag::STATS);
        put_u(events, u64::from(operator));
        for number in numbers {
            put_u(events, number);
        }
    }

    pub(crate) fn fault(&self, operator: u32, diagnostic: &Diagnostic) {
        if !self.on() {
            return;
        }
        let mut writer = self.writer.borrow_mut();
        let texts = [
            writer.strings.text(diagnostic.code.id()),
            writer.strings.text(&diagnostic.message(Lang::En)),
            writer.strings.text(&diagnostic.message(Lang::Zh)),
        ];
        let events = &mut writer.events;
        events.push(tag::FAULT);
        put_u(events, u64::from(operator));
        for text in texts {
            put_u(events, u64::from(text));
        }
    }
}

/// A row that arrives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrivalRow<'a> {
    pub(crate) source: u32,
    pub(crate) partition: u32,
    pub(crate) kind: RowKind,
    pub(crate) change: u64,
    pub(crate) rowtime_ms: Option<i64>,
    pub(crate) row: &'a [Value],
    pub(crate) classes: &'a [Class],
}

/// A change that goes over an exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    pub(crate) operator: u32,
    pub(crate) input: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) key_group: u32,
    pub(crate) change: u64,
}

/// A change that an operator emits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emit<'a> {
    pub(crate) place: Place,
    pub(crate) change: u64,
    pub(crate) cause: Cause,
    pub(crate) kind: RowKind,
    pub(crate) row: &'a [Value],
    pub(crate) classes: &'a [Class],
}

/// Something that happened to a state entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateEvent<'a> {
    pub(crate) place: Place,
    pub(crate) handle: u32,
    pub(crate) op: StateOp,
    pub(crate) key: KeyText<'a>,
    pub(crate) value: &'a [Value],
    pub(crate) classes: &'a [Class],
    pub(crate) writer: u64,
    pub(crate) bytes: u64,
    pub(crate) totals: Totals,
}

#[cfg_attr(sg_hot, optimize(speed))]
fn put_place(events: &mut Vec<u8>, place: Place) {
    put_u(events, u64::from(place.operator));
    put_u(events, u64::from(place.subtask));
}

impl Writer {
    fn arrival_head(&mut self, source: u32, partition: u32, what: u8, change: u64) {
        let events = &mut self.events;
        events.push(tag::ARRIVAL);
        put_u(events, u64::from(source));
        put_u(events, u64::from(partition));
        events.push(what);
        put_u(events, change);
    }

    #[cfg_attr(sg_hot, optimize(speed))]
    fn cells(&mut self, row: &[Value], classes: &[Class]) {
        put_u(&mut self.events, row.len() as u64);
        for (cell, class) in row.iter().zip(classes) {
            let code = self.strings.cell(*class, cell);
            put_u(&mut self.events, code);
        }
    }

    /// The code of a row of cells: the cell's own where there is one, else that of a text.
    #[cfg_attr(sg_hot, optimize(speed))]
    fn list(&mut self, classes: &[Class], cells: &[Value]) -> u64 {
        if let ([class], [cell]) = (classes, cells) {
            return self.strings.cell(*class, cell);
        }
        let mut text = self.strings.take_scratch();
        self.strings.write_list(&mut text, classes, cells);
        let number = self.strings.text(&text);
        self.strings.return_scratch(text);
        u64::from(number) << 2
    }

    /// The code of a key and the number of its namespace's text.
    #[cfg_attr(sg_hot, optimize(speed))]
    fn key_text(&mut self, key: &KeyText<'_>) -> (u64, u32) {
        let text = match key.sub {
            None => self.list(key.classes, key.key),
            Some((sub, sub_classes)) => {
                let mut text = self.strings.take_scratch();
                self.strings.write_list(&mut text, key.classes, key.key);
                text.push('[');
                self.strings.write_list(&mut text, sub_classes, sub);
                text.push(']');
                let number = self.strings.text(&text);
                self.strings.return_scratch(text);
                u64::from(number) << 2
            }
        };
        let namespace = match key.namespace {
            NamespaceText::None => strings::EMPTY,
            NamespaceText::Window { start_ms, end_ms } => self.window_text(start_ms, end_ms),
        };
        (text, namespace)
    }

    /// A window's text: `2024-01-01T10:00/2024-01-01T10:01`. The one before is likely to come again.
    fn window_text(&mut self, start_ms: i64, end_ms: i64) -> u32 {
        let both = start_ms.wrapping_mul(31).wrapping_add(end_ms) as u64;
        let place = (both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize;
        if let Some((start, end, text)) = self.windows.get(place).copied()
            && (start, end) == (start_ms, end_ms)
            && text != strings::EMPTY
        {
            return text;
        }
        let class = self.timestamp_class();
        let mut text = self.strings.take_scratch();
        self.strings
            .write(&mut text, class, &Value::timestamp_ms(start_ms));
        text.push('/');
        self.strings.write(&mut text, class, &Value::timestamp_ms(end_ms));
        let number = self.strings.text(&text);
        self.strings.return_scratch(text);
        if let Some(known) = self.windows.get_mut(place) {
            *known = (start_ms, end_ms, number);
        }
        number
    }

    fn timestamp_class(&mut self) -> Class {
        if let Some(class) = self.plain {
            return class;
        }
        let class = self
            .strings
            .class(&DataType::not_null(sg_value::TypeKind::Timestamp {
                precision: 3,
                time: sg_value::TimeKind::Regular,
            }));
        self.plain = Some(class);
        class
    }
}
