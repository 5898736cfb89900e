//! Functions of dates and times.

pub(crate) mod clock;
mod fields;
mod pattern;
mod round;
mod shift;
mod text;

use sg_value::{TypeKind, Value};

use super::FunctionDef;
use crate::eval::EvalCx;

pub(super) static TABLES: [&[FunctionDef]; 5] =
    [clock::ROWS, fields::ROWS, round::ROWS, shift::ROWS, text::ROWS];

/// The wall clock of a timestamp: of an instant, the session's.
fn wall(value: &Value, instant: bool, cx: &EvalCx) -> Option<(i64, u32)> {
    match value {
        Value::Timestamp { ms, nanos } if instant => Some((cx.zone.wall_from_instant(*ms), *nanos)),
        Value::Timestamp { ms, nanos } => Some((*ms, *nanos)),
        _ => None,
    }
}

/// Whether a type is `TIMESTAMP_LTZ`.
const fn is_instant(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::TimestampLtz { .. })
}
