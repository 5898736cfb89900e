//! What a run writes down: one frame of bytes per slot.
//!
//! Operators do not trace. Around each handler call the driver knows operator, subtask, change and cause; the
//! collector, the state, the timers and the gates know the rest. Whether anything is written is one branch that does
//! not change during a slot ([`Trace::full`]).

mod bytes;
pub mod check;
mod event;
mod frame;
pub mod read;
mod strings;

use std::cell::{Cell, RefCell};

use sg_diag::{Diagnostic, Lang};
use sg_value::{DataType, Gather as _, RowKind, Value};

use crate::options::TraceLevel;
use bytes::Bytes;
pub(crate) use event::{
    ArrivalRow, Cause, Emit, KeyText, NamespaceText, Phase, Place, Route, StateEvent, StateOp, TimerOp,
    Totals, WatermarkMove, WindowOp,
};
use frame::{put_frame, tag};
pub(crate) use strings::Class;
use strings::Strings;

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
    head: Bytes,
    events: Bytes,
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

    pub(crate) fn begin(&self, phase: Phase, slot: u32, processing_time_ms: i64, next_change: u64) {
        if !self.on() {
            return;
        }
        let Writer {
            query, head, events, ..
        } = &mut *self.writer.borrow_mut();
        head.clear();
        events.clear();
        head.byte(*query);
        head.byte(phase as u8);
        head.u(u64::from(slot));
        head.i(processing_time_ms);
        head.u(next_change);
        events.first_change = next_change;
    }

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
        self.writer.borrow_mut().head.put_byte(1, phase as u8);
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
        writer.events.byte(0);
        writer.cells(&[], &[]);
    }

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
                events.byte(1);
                events.i(ms);
            }
            None => events.byte(0),
        }
        writer.cells(arrival.row, arrival.classes);
    }

    pub(crate) fn route(&self, route: &Route) {
        let events = &mut self.writer.borrow_mut().events;
        events.byte(tag::ROUTE);
        events.u(u64::from(route.operator));
        events.u(u64::from(route.input));
        events.u(u64::from(route.from));
        events.u(u64::from(route.to));
        events.u(u64::from(route.key_group));
        events.change(route.change);
    }

    pub(crate) fn take_change(&self, place: Place, input: u32, change: u64) {
        let events = &mut self.writer.borrow_mut().events;
        events.at(tag::TAKE, place);
        events.u(u64::from(input));
        events.change(change);
    }

    pub(crate) fn emit(&self, emit: &Emit<'_>) {
        let mut writer = self.writer.borrow_mut();
        let events = &mut writer.events;
        events.at(tag::EMIT, emit.place);
        events.change(emit.change);
        match emit.cause {
            Cause::Change(change) => {
                events.byte(0);
                events.change(change);
            }
            Cause::Timer(at_ms) => {
                events.byte(1);
                events.i(at_ms);
            }
            Cause::Watermark(change) => {
                events.byte(2);
                events.change(change);
            }
            Cause::Run => {
                events.byte(3);
                events.change(0);
            }
        }
        events.byte(emit.kind as u8);
        writer.cells(emit.row, emit.classes);
    }

    pub(crate) fn state(&self, state: &StateEvent<'_>) {
        let mut writer = self.writer.borrow_mut();
        let (key, namespace) = writer.key_text(&state.key);
        let events = &mut writer.events;
        events.at(tag::STATE, state.place);
        events.u(u64::from(state.handle));
        events.byte(state.op as u8);
        events.u(key);
        events.u(u64::from(namespace));
        match state.op {
            StateOp::Created | StateOp::Updated => writer.cells(state.value, state.classes),
            StateOp::Removed | StateOp::Expired => events.byte(0),
        }
        let events = &mut writer.events;
        events.change(state.writer);
        events.u(state.bytes);
        events.u(state.totals.entries);
        events.u(state.totals.bytes);
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of the call")]
    pub(crate) fn timer(&self, place: Place, op: TimerOp, clock: u8, at_ms: i64, key: &KeyText<'_>) {
        let mut writer = self.writer.borrow_mut();
        let (key, namespace) = writer.key_text(key);
        let events = &mut writer.events;
        events.at(tag::TIMER, place);
        events.byte(op as u8);
        events.byte(clock);
        events.i(at_ms);
        events.u(key);
        events.u(u64::from(namespace));
    }

    pub(crate) fn watermark(&self, place: Place, moved: &WatermarkMove) {
        if !self.on() {
            return;
        }
        let events = &mut self.writer.borrow_mut().events;
        events.at(tag::WATERMARK, place);
        events.byte(u8::from(!moved.within_source));
        events.u(u64::from(moved.channel));
        events.i(moved.channel_watermark.0);
        events.i(moved.before.0);
        events.i(moved.after.0);
        events.u(moved.holder.map_or(0, |channel| u64::from(channel) + 1));
        events.byte(u8::from(moved.idle));
    }

    pub(crate) fn late(&self, place: Place, change: u64, by_ms: i64, window: (i64, i64)) {
        let events = &mut self.writer.borrow_mut().events;
        events.at(tag::LATE, place);
        events.change(change);
        events.i(by_ms);
        events.i(window.0);
        events.i(window.1);
    }

    pub(crate) fn window(&self, place: Place, op: WindowOp, window: (i64, i64)) {
        let events = &mut self.writer.borrow_mut().events;
        events.at(tag::WINDOW, place);
        events.byte(match op {
            WindowOp::Opened => 0,
            WindowOp::Fired(_) => 1,
            WindowOp::Sealed => 2,
        });
        events.i(window.0);
        events.i(window.1);
        if let WindowOp::Fired(rows) = op {
            events.u(rows);
        }
    }

    pub(crate) fn sink(&self, operator: u32, change: u64, kind: RowKind) {
        let events = &mut self.writer.borrow_mut().events;
        events.byte(tag::SINK);
        events.u(u64::from(operator));
        events.change(change);
        events.byte(kind as u8);
    }

    pub(crate) fn stats(&self, operator: u32, numbers: &[u64; 5]) {
        let events = &mut self.writer.borrow_mut().events;
        events.byte(tag::STATS);
        events.u(u64::from(operator));
        for number in numbers {
            events.u(*number);
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
        events.byte(tag::FAULT);
        events.u(u64::from(operator));
        for text in texts {
            events.u(u64::from(text));
        }
    }
}

impl Bytes {
    /// Begins an event at a place.
    #[inline]
    fn at(&mut self, tag: u8, place: Place) {
        let Place { operator, subtask } = place;
        if operator < 0x80 && subtask < 0x80 {
            self.word(
                u64::from(tag) | u64::from(operator) << 8 | u64::from(subtask) << 16,
                3,
            );
        } else {
            self.byte(tag);
            self.u(u64::from(operator));
            self.u(u64::from(subtask));
        }
    }
}

impl Writer {
    fn arrival_head(&mut self, source: u32, partition: u32, what: u8, change: u64) {
        let events = &mut self.events;
        events.byte(tag::ARRIVAL);
        events.u(u64::from(source));
        events.u(u64::from(partition));
        events.byte(what);
        events.change(change);
    }

    fn cells(&mut self, row: &[Value], classes: &[Class]) {
        self.events.u(row.len() as u64);
        for (cell, class) in row.iter().zip(classes) {
            let code = self.strings.cell(*class, cell);
            self.events.u(code);
        }
    }

    /// The code of a row of cells: the cell's own where there is one, else that of a text.
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
