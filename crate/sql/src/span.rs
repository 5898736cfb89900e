//! Spans of tokens and nodes: byte offsets in the script.
//!
//! A node knows its span only in part: an interval that of its literal, a call that of its name and arguments.
//! [`crate::Spans`] widens it with the statement's tokens.

use sg_diag::Span;

/// A span, or `None` for that of nothing, which ends at 0.
pub fn byte_span(span: Span) -> Option<Span> {
    (span.end > 0).then_some(span)
}
