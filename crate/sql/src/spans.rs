//! Whole spans of nodes.

use sg_diag::Span;
use sqlparser::ast::{Expr, Query, Spanned as _};
use sqlparser::tokenizer::TokenWithSpan;

use crate::span::byte_span;

/// Finds the whole span of a node of one statement, which sqlparser itself knows only in part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans {
    tokens: Vec<Span>,
}

impl Spans {
    pub(crate) fn new(tokens: &[TokenWithSpan]) -> Self {
        Self {
            tokens: tokens.iter().filter_map(|it| byte_span(it.span)).collect(),
        }
    }
    /// The whole span of an expression, parentheses and keywords included.
    pub fn expr(&self, expr: &Expr) -> Span {
        byte_span(expr.span()).unwrap_or_default()
    }

    /// The whole span of a query.
    pub fn query(&self, query: &Query) -> Span {
        byte_span(query.span()).unwrap_or_default()
    }
}
