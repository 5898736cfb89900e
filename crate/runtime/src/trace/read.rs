//! Frames back from bytes: for tests, for the checker, and for whoever asks why something happened.

use sg_value::{Gather as _, RowKind};

use super::frame::tag;
use crate::time::Watermark;

/// One slot of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// 0 for A, 1 for B.
    pub query: u8,
    /// The part of the replay.
    pub phase: FramePhase,
    /// Number of arrivals before it.
    pub slot: u32,
    /// Processing time at its beginning, milliseconds since the epoch.
    pub processing_time_ms: i64,
    /// Texts that appear for the first time, in the order of their numbers.
    pub new_texts: Vec<String>,
    /// What happened.
    pub events: Vec<Event>,
}

/// The part of a replay that a frame belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FramePhase {
    Start,
    Arrival,
    End,
    Fault,
}

/// Number of a text; 0 is empty, 1 stands for NULL.
pub type TextId = u32;

/// Code of a cell: a text's number, a whole number or a point in time, by its lowest two bits (`trace/frame.rs`).
pub type CellCode = u64;

/// Operator and subtask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The operator's id.
    pub operator: u32,
    /// The subtask's number.
    pub subtask: u32,
}

/// Something that happened; the fields are those of the frame format (`trace/frame.rs`). Watermarks are milliseconds, or
/// `i64::MIN` and `i64::MAX` for "none yet" and "end of input".
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "described in trace/frame.rs")]
pub enum Event {
    Arrival(ArrivalEvent),
    Route {
        operator: u32,
        input: u32,
        from: u32,
        to: u32,
        key_group: u32,
        change: u64,
    },
    Take {
        site: Site,
        input: u32,
        change: u64,
    },
    Emit(EmitEvent),
    State(StateEvent),
    Timer(TimerEvent),
    Watermark(WatermarkEvent),
    Late {
        site: Site,
        change: u64,
        by_ms: i64,
        start_ms: i64,
        end_ms: i64,
    },
    Window {
        site: Site,
        what: WindowWhat,
        start_ms: i64,
        end_ms: i64,
    },
    Sink {
        operator: u32,
        change: u64,
        kind: RowKind,
    },
    Stats {
        operator: u32,
        entries: u64,
        bytes: u64,
        rows_in: u64,
        rows_out: u64,
        late: u64,
    },
    Fault {
        operator: u32,
        code: TextId,
        en: TextId,
        zh: TextId,
    },
}

/// What arrives: a row of a kind, or a control by its number in the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "described in trace/frame.rs")]
pub struct ArrivalEvent {
    pub source: u32,
    pub partition: u32,
    pub what: u8,
    pub change: u64,
    pub rowtime_ms: Option<i64>,
    pub cells: Vec<CellCode>,
}

/// Why something was emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmitCause {
    /// This change.
    Change(u64),
    /// A timer of this time.
    Timer(i64),
    /// A watermark; the last change that went in, 0 if unknown.
    Watermark(u64),
    /// The run starts or ends.
    Run,
}

/// A change that was emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "described in trace/frame.rs")]
pub struct EmitEvent {
    pub site: Site,
    pub change: u64,
    pub cause: EmitCause,
    pub kind: RowKind,
    pub cells: Vec<CellCode>,
}

/// What happened to a state entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StateWhat {
    Created,
    Updated,
    Removed,
    Expired,
}

/// A write to state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "described in trace/frame.rs")]
pub struct StateEvent {
    pub site: Site,
    pub handle: u32,
    pub what: StateWhat,
    pub key: CellCode,
    pub namespace: TextId,
    pub value: Vec<CellCode>,
    pub writer: u64,
    pub bytes: u64,
    pub entries_after: u64,
    pub bytes_after: u64,
}

/// What happened to a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TimerWhat {
    Registered,
    Fired,
    Deleted,
}

/// Something about a timer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "described in trace/frame.rs")]
pub struct TimerEvent {
    pub site: Site,
    pub what: TimerWhat,
    pub event_time: bool,
    pub at_ms: i64,
    pub key: CellCode,
    pub namespace: TextId,
}

/// A watermark at a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "described in trace/frame.rs")]
pub struct WatermarkEvent {
    pub site: Site,
    pub within_source: bool,
    pub channel: u32,
    pub channel_ms: i64,
    pub before_ms: i64,
    pub after_ms: i64,
    pub holder: Option<u32>,
    pub idle: bool,
}

/// What happened to a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowWhat {
    /// Its first row came in.
    Opened,
    /// It fired and gave so many rows.
    Fired(u64),
    /// It takes no more rows.
    Sealed,
}

/// Reads all frames of a buffer; `None` where the bytes are no frames.
pub fn read_frames(mut buffer: &[u8]) -> Option<Vec<Frame>> {
    let mut frames = Vec::new();
    while !buffer.is_empty() {
        let (length, rest) = buffer.split_first_chunk::<4>()?;
        let (frame, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        frames.push(read_frame(&mut Cursor {
            left: frame,
            first_change: 0,
        })?);
        buffer = rest;
    }
    Some(frames)
}

struct Cursor<'b> {
    left: &'b [u8],
    first_change: i64,
}

impl Cursor<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.left.split_first()?;
        self.left = rest;
        Some(*first)
    }

    fn u(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn u32(&mut self) -> Option<u32> {
        u32::try_from(self.u()?).ok()
    }

    fn i(&mut self) -> Option<i64> {
        let coded = self.u()?;
        Some((coded >> 1) as i64 ^ -((coded & 1) as i64))
    }

    fn change(&mut self) -> Option<u64> {
        u64::try_from(self.first_change.checked_add(self.i()?)?).ok()
    }

    fn time(&mut self) -> Option<i64> {
        Some(match self.i()? {
            ms if ms <= -(1 << 53) => Watermark::NONE.0,
            ms if ms >= 1 << 53 => Watermark::END.0,
            ms => ms,
        })
    }

    fn bool(&mut self) -> Option<bool> {
        Some(self.byte()? != 0)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        of.get(usize::from(self.byte()?)).copied()
    }

    fn site(&mut self) -> Option<Site> {
        Some(Site {
            operator: self.u32()?,
            subtask: self.u32()?,
        })
    }

    fn kind(&mut self) -> Option<RowKind> {
        self.pick(&RowKind::ALL)
    }

    fn cells(&mut self) -> Option<Vec<CellCode>> {
        let count = self.u()?;
        (0..count).map(|_| self.u()).gather()
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u()? as usize;
        let (text, rest) = self.left.split_at_checked(length)?;
        self.left = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

fn read_frame(cursor: &mut Cursor<'_>) -> Option<Frame> {
    let query = cursor.byte()?;
    let phase = cursor.pick(&[
        FramePhase::Start,
        FramePhase::Arrival,
        FramePhase::End,
        FramePhase::Fault,
    ])?;
    let slot = cursor.u32()?;
    let processing_time_ms = cursor.i()?;
    cursor.first_change = i64::try_from(cursor.u()?).ok()?;
    let texts = cursor.u()?;
    let new_texts = (0..texts).map(|_| cursor.text()).gather::<Option<_>>()?;
    let mut events = Vec::new();
    while !cursor.left.is_empty() {
        events.push(read_event(cursor)?);
    }
    Some(Frame {
        query,
        phase,
        slot,
        processing_time_ms,
        new_texts,
        events,
    })
}

fn read_event(c: &mut Cursor<'_>) -> Option<Event> {
    Some(match c.byte()? {
        tag::ARRIVAL => Event::Arrival(read_arrival(c)?),
        tag::ROUTE => Event::Route {
            operator: c.u32()?,
            input: c.u32()?,
            from: c.u32()?,
            to: c.u32()?,
            key_group: c.u32()?,
            change: c.change()?,
        },
        tag::TAKE => Event::Take {
            site: c.site()?,
            input: c.u32()?,
            change: c.change()?,
        },
        tag::EMIT => Event::Emit(read_emit(c)?),
        tag::STATE => Event::State(read_state(c)?),
        tag::TIMER => Event::Timer(TimerEvent {
            site: c.site()?,
            what: c.pick(&[TimerWhat::Registered, TimerWhat::Fired, TimerWhat::Deleted])?,
            event_time: !c.bool()?,
            at_ms: c.time()?,
            key: c.u()?,
            namespace: c.u32()?,
        }),
        tag::WATERMARK => Event::Watermark(WatermarkEvent {
            site: c.site()?,
            within_source: !c.bool()?,
            channel: c.u32()?,
            channel_ms: c.time()?,
            before_ms: c.time()?,
            after_ms: c.time()?,
            holder: c.u32()?.checked_sub(1),
            idle: c.bool()?,
        }),
        tag::LATE => Event::Late {
            site: c.site()?,
            change: c.change()?,
            by_ms: c.i()?,
            start_ms: c.time()?,
            end_ms: c.time()?,
        },
        tag::WINDOW => {
            let site = c.site()?;
            let what = c.byte()?;
            let (start_ms, end_ms) = (c.time()?, c.time()?);
            let what = match what {
                0 => WindowWhat::Opened,
                1 => WindowWhat::Fired(c.u()?),
                2 => WindowWhat::Sealed,
                _ => return None,
            };
            Event::Window {
                site,
                what,
                start_ms,
                end_ms,
            }
        }
        tag::SINK => Event::Sink {
            operator: c.u32()?,
            change: c.change()?,
            kind: c.kind()?,
        },
        tag::STATS => Event::Stats {
            operator: c.u32()?,
            entries: c.u()?,
            bytes: c.u()?,
            rows_in: c.u()?,
            rows_out: c.u()?,
            late: c.u()?,
        },
        tag::FAULT => Event::Fault {
            operator: c.u32()?,
            code: c.u32()?,
            en: c.u32()?,
            zh: c.u32()?,
        },
        _ => return None,
    })
}

fn read_arrival(c: &mut Cursor<'_>) -> Option<ArrivalEvent> {
    Some(ArrivalEvent {
        source: c.u32()?,
        partition: c.u32()?,
        what: c.byte()?,
        change: c.change()?,
        rowtime_ms: if c.bool()? { Some(c.i()?) } else { None },
        cells: c.cells()?,
    })
}

fn read_emit(c: &mut Cursor<'_>) -> Option<EmitEvent> {
    let (site, change) = (c.site()?, c.change()?);
    let cause = match c.byte()? {
        0 => EmitCause::Change(c.change()?),
        1 => EmitCause::Timer(c.time()?),
        2 => EmitCause::Watermark(c.change()?),
        3 => {
            c.change()?;
            EmitCause::Run
        }
        _ => return None,
    };
    Some(EmitEvent {
        site,
        change,
        cause,
        kind: c.kind()?,
        cells: c.cells()?,
    })
}

fn read_state(c: &mut Cursor<'_>) -> Option<StateEvent> {
    Some(StateEvent {
        site: c.site()?,
        handle: c.u32()?,
        what: c.pick(&[
            StateWhat::Created,
            StateWhat::Updated,
            StateWhat::Removed,
            StateWhat::Expired,
        ])?,
        key: c.u()?,
        namespace: c.u32()?,
        value: c.cells()?,
        writer: c.change()?,
        bytes: c.u()?,
        entries_after: c.u()?,
        bytes_after: c.u()?,
    })
}
