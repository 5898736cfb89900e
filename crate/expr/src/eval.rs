//! What evaluation needs from outside and how it fails.

use std::rc::Rc;

use sg_diag::Diagnostic;

/// What an expression may see beside its row. Nothing here is read from the platform.
#[derive(Clone, Debug)]
pub struct EvalCx {
    /// `table.local-time-zone`.
    pub zone: Rc<str>,
    /// Virtual processing time, milliseconds since the epoch, UTC.
    pub processing_time_ms: i64,
    /// The watermark this operator has received, `None` before the first.
    pub watermark_ms: Option<i64>,
}

/// A value that cannot be computed: the job fails, as Flink's does.
#[derive(Clone, Debug)]
pub struct EvalError {
    /// What went wrong and where in the SQL.
    pub diagnostic: Box<Diagnostic>,
}
