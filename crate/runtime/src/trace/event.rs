//! What there is to write down, before it is bytes.

use sg_value::{RowKind, Value};

use super::Class;
use crate::time::Watermark;

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
