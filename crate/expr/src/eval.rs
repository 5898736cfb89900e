//! What evaluation needs from outside and how it fails.

use std::cell::Cell;

use sg_diag::{Diagnostic, Span};
use sg_value::time::Zone;

/// What an expression may see beside its row. Nothing here is read from the platform.
#[derive(Clone, Debug)]
pub struct EvalCx {
    /// `table.local-time-zone`.
    pub zone: Zone,
    /// Virtual processing time, milliseconds since the epoch, UTC.
    pub processing_time_ms: i64,
    /// The watermark this operator has received, `None` before the first.
    pub watermark_ms: Option<i64>,
    /// How many rows this operator has taken before this one; RAND and UUID draw their numbers by it.
    pub row_number: Cell<u64>,
}

impl Default for EvalCx {
    /// UTC, the epoch, no watermark, the first row.
    fn default() -> Self {
        Self {
            zone: Zone::UTC,
            processing_time_ms: 0,
            watermark_ms: None,
            row_number: Cell::new(0),
        }
    }
}

/// A value that cannot be computed: the job fails, as Flink's does.
#[derive(Clone, Debug)]
pub struct EvalError {
    /// What went wrong and where in the SQL.
    pub diagnostic: Box<Diagnostic>,
}

impl EvalError {
    /// Wraps a diagnostic.
    pub fn new(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostic: Box::new(diagnostic),
        }
    }

    /// The SQL text that failed.
    pub fn span(&self) -> Span {
        self.diagnostic.span
    }
}
