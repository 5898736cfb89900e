//! Flink's own words: positions are counted as its validator counts them.

use sg_diag::{Diagnostic, LineIndex, Span};

use super::Binder;

impl Binder<'_> {
    /// `From line 1, column 8 to line 1, column 9`, or `At line 1, column 8` for a single character.
    ///
    /// Lines and columns count from the start of the statement; the last character is named, not the one behind it.
    pub(super) fn position(&self, span: Span) -> String {
        let statement = self.statement.text(self.text);
        let index = LineIndex::new(statement);
        let offset = |at: u32| at.saturating_sub(self.statement.start);
        let start = index.line_column(offset(span.start));
        let end = index.line_column(offset(span.end));
        let last_column = end.column.saturating_sub(1).max(1);
        if (start.line, start.column) == (end.line, last_column) || span.is_empty() {
            return format!("At line {}, column {}", start.line, start.column);
        }
        format!(
            "From line {}, column {} to line {}, column {last_column}",
            start.line, start.column, end.line
        )
    }

    /// The validator's message about a place.
    pub(super) fn validation(&self, span: Span, message: &str) -> String {
        let head = if self.nested_validation {
            "SQL validation failed. "
        } else {
            ""
        };
        format!(
            "ValidationException: SQL validation failed. {head}{}: {message}",
            self.position(span)
        )
    }

    /// Gives a message that has no exception class yet its class and position.
    pub(super) fn place(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if let Some(message) = diagnostic.flink.take() {
            let head = message.split_once(' ').map_or("", |(head, _)| head);
            diagnostic.flink = if head.ends_with("Exception:") || head.ends_with("Error:") {
                Some(message)
            } else {
                Some(self.validation(diagnostic.span, &message))
            };
        }
        diagnostic
    }
}
