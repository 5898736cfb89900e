//! The bytes of a trace.
//!
//! A buffer is a sequence of frames, each `length u32 (little-endian)` and that many bytes. In the tables below `u` is
//! an unsigned number in base 128, lowest digits first, the high bit of a byte saying that more follow; `i` is a signed
//! number as `u` of `n << 1 ^ n >> 63`; `u8` is a byte. All numbers lie within ±2^53. `time` is an `i` of milliseconds
//! since the epoch, −2^53 for "none yet" and 2^53 for "end of input". `change` is the id of a change as an `i`, less the
//! frame's first id; an id of 0 stands for none. `text` is the number (`u`) of a text; 0 is the
//! empty text, 1 stands for NULL, and the texts of all frames of a query count on from 2 in order of appearance. `cell` is
//! a `u` whose lowest two bits say what the others hold: 0 the number of a text, 1 a whole number, 2 a point in time of a
//! wall clock, 3 an instant, both in milliseconds since the epoch; the last three signed like an `i`. The same cell always
//! has the same code.
//!
//! A frame:
//!
//! ```text
//! query u8 (0 A, 1 B) · phase u8 (0 start, 1 arrival, 2 end, 3 fault) · slot u · processing time i · first id u
//! number of new texts u, each: length in bytes u, UTF-8
//! events until the frame ends, each: tag u8 and its fields
//! ```
//!
//! ```text
//! 0x01 arrival   source u · partition u · what u8 (0 +I, 1 -U, 2 +U, 3 -D, 4 watermark, 5 idle, 6 active, 7 hold,
//!                8 release, 9 tick) · change (a row's, else 0) · has event time u8 · [event time i] ·
//!                cells u · each: cell
//! 0x02 route     operator u · input u · from subtask u · to subtask u · key group u · change
//! 0x03 take      operator u · subtask u · input u · change
//! 0x04 emit      operator u · subtask u · change (new, grows) · cause u8 (0 change, 1 timer, 2 watermark,
//!                3 start or end) · change (for a timer: its time; for a watermark: the last change that went in,
//!                0 if unknown) · kind u8 (0 +I, 1 -U, 2 +U, 3 -D) · cells u · each: cell
//! 0x05 state     operator u · subtask u · handle u · what u8 (0 created, 1 updated, 2 removed, 3 expired) · key cell ·
//!                namespace text · cells of the value u (0 where it is gone) · each: cell · last writer change · bytes of the entry u ·
//!                entries of the operator u · bytes of the operator u (both after it, timers included)
//! 0x06 timer     operator u · subtask u · what u8 (0 registered, 1 fired, 2 deleted) · clock u8 (0 event,
//!                1 processing) · time · key cell · namespace text
//! 0x07 watermark operator u · subtask u · gate u8 (0 partitions within a source, 1 input channels) · channel u ·
//!                its watermark time · combined before time · combined after time · holder u (channel + 1, 0 none) ·
//!                channel is idle u8
//! 0x08 late      operator u · subtask u · change · late by i (ms) · window start time · window end time
//! 0x09 window    operator u · subtask u · what u8 (0 opened, 1 fired, 2 sealed) · start time · end time ·
//!                [fired: rows emitted u]
//! 0x0a sink      operator u · change · kind u8
//! 0x0b stats     operator u · entries u · bytes u · rows in u · rows out u · late rows u
//!                (at the end of a frame, for operators where one of them changed)
//! 0x0c fault     operator u · code text · English text · Chinese text
//! ```

use super::{bytes::Bytes, strings::NewTexts};

/// Tag of an event.
pub(crate) mod tag {
    pub(crate) const ARRIVAL: u8 = 0x01;
    pub(crate) const ROUTE: u8 = 0x02;
    pub(crate) const TAKE: u8 = 0x03;
    pub(crate) const EMIT: u8 = 0x04;
    pub(crate) const STATE: u8 = 0x05;
    pub(crate) const TIMER: u8 = 0x06;
    pub(crate) const WATERMARK: u8 = 0x07;
    pub(crate) const LATE: u8 = 0x08;
    pub(crate) const WINDOW: u8 = 0x09;
    pub(crate) const SINK: u8 = 0x0a;
    pub(crate) const STATS: u8 = 0x0b;
    pub(crate) const FAULT: u8 = 0x0c;
}

/// Appends a finished frame with its length in front: a head, behind which the texts are put, and events.
pub(super) fn put_frame(out: &mut Vec<u8>, head: &mut Bytes, texts: &NewTexts<'_>, events: &Bytes) {
    head.u(texts.len() as u64);
    for text in texts.iter() {
        head.u(text.len() as u64);
        head.extend(text.as_bytes());
    }
    let (head, events) = (head.written(), events.written());
    let length = (head.len() + events.len()) as u32;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(head);
    out.extend_from_slice(events);
}
