//! True byte spans of sqlparser's nodes.
//!
//! Our tokenizer writes byte offsets into sqlparser's locations (line 1, column = offset + 1), so that a node's span is a
//! byte span without looking at the text.

use sg_diag::Span;
use sqlparser::ast::{Expr, Query, Spanned as _};
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

/// Finds the whole span of a node of one statement, which sqlparser itself knows only in part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans {
    /// Spans of the statement's tokens, in order.
    pub(crate) tokens: Vec<Span>,
}

impl Spans {
    /// The whole span of an expression, parentheses and keywords included.
    pub fn expr(&self, expr: &Expr) -> Span {
        byte_span(expr.span()).unwrap_or_default()
    }

    /// The whole span of a query.
    pub fn query(&self, query: &Query) -> Span {
        byte_span(query.span()).unwrap_or_default()
    }
}
