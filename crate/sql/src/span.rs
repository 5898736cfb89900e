//! True byte spans of sqlparser's nodes.
//!
//! Our tokenizer writes byte offsets into sqlparser's locations (line 1, column = offset + 1), so that a node's span is a
//! byte span without looking at the text. sqlparser's nodes know their span only in part: a CAST that of its argument,
//! an interval that of its literal, a call that of its name and arguments. [`Spans`] widens it with the statement's tokens.

use sg_diag::Span;
use sqlparser::tokenizer::{Location, Span as TokenSpan};

/// The byte span that a sqlparser span stands for, or `None` for an empty one.
pub fn byte_span(span: TokenSpan) -> Option<Span> {
    let start = u32::try_from(span.start.column.checked_sub(1)?).ok()?;
    let end = u32::try_from(span.end.column.checked_sub(1)?).ok()?;
    Some(Span::new(start, end))
}

/// The sqlparser span of a byte span.
pub(crate) fn token_span(span: Span) -> TokenSpan {
    let at = |offset: u32| Location {
        line: 1,
        column: u64::from(offset) + 1,
    };
    TokenSpan {
        start: at(span.start),
        end: at(span.end),
    }
}
