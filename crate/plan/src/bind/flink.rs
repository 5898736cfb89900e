//! Flink's own words: positions are counted as its validator counts them.

use sg_diag::{Diagnostic, LineIndex, Span};

use super::Binder;

impl Binder<'_> {
    /// `From line 1, column 8 to line 1, column 9`, or `At line 1, column 8` for a single character.
    ///
    /// Lines and columns count from the start of the statement; the last character is named, not the one behind it.
    pub(super) fn position(&self, span: Span) -> String {
        let (start, end) = self.line_columns(span);
        if start == end || span.is_empty() {
            return format!("At line {}, column {}", start.0, start.1);
        }
        format!(
            "From line {}, column {} to line {}, column {}",
            start.0, start.1, end.0, end.1
        )
    }

    /// Line and column of the first and of the last character.
    fn line_columns(&self, span: Span) -> ((u32, u32), (u32, u32)) {
        let statement = self.statement.text(self.text);
        let index = LineIndex::new(statement);
        let offset = |at: u32| at.saturating_sub(self.statement.start);
        let start = index.line_column(offset(span.start));
        let end = index.line_column(offset(span.end));
        let last_column = end.column.saturating_sub(1).max(1);
        ((start.line, start.column), (end.line, last_column))
    }

    /// The validator's message about a place.
    ///
    /// Calls in patterns are copies that begin nowhere and end with their last operand. Case: match/place-of-a-call.
    pub(super) fn validation(&self, span: Span, message: &str) -> String {
        let text = span.text(self.text);
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '`');
        if self.pattern.is_none() || text.chars().all(is_name) {
            return self.validation_at(&self.position(span), message);
        }
        let operands = text.trim_end_matches([')', ' ']).len();
        let end = Span::new(span.start, span.start + u32::try_from(operands).unwrap_or(0));
        let (_, end) = self.line_columns(end);
        let place = format!("From line 0, column 0 to line {}, column {}", end.0, end.1);
        self.validation_at(&place, message)
    }

    /// The message about a call of a pattern as it is written.
    pub(super) fn validation_as_written(&self, span: Span, message: &str) -> String {
        self.validation_at(&self.position(span), message)
    }

    fn validation_at(&self, place: &str, message: &str) -> String {
        let head = if self.nested_validation {
            "SQL validation failed. "
        } else {
            ""
        };
        format!("ValidationException: SQL validation failed. {head}{place}: {message}")
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
