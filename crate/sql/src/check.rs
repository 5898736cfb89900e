//! What sqlparser reads and Flink does not.

use sg_diag::Diagnostic;

use crate::ast::Statement;
use crate::spans::Spans;

/// Everything in a statement that is not Flink SQL.
pub(crate) fn check(_statement: &Statement, _spans: &Spans, _text: &str) -> Vec<Diagnostic> {
    Vec::new()
}
