//! Cuts the lexemes of a script into statements.

use std::ops::Range;

use sg_diag::{Code, Diagnostic, Diagnostics, Span};

use crate::lexer::{LexKind, Lexeme};

/// The lexemes of one statement, without the semicolon behind it.
pub(crate) type Piece = Range<usize>;

/// Cuts at semicolons, except those inside a statement set, where `END` is the end.
pub(crate) fn split(text: &str, lexemes: &[Lexeme], diagnostics: &mut Diagnostics) -> Vec<Piece> {
    let mut splitter = Splitter {
        text,
        lexemes,
        pieces: Vec::new(),
    };
    let mut start = 0;
    while start < lexemes.len() {
        let end = splitter.end_of_statement(start);
        let piece = start..end;
        if splitter.words_of(&piece).next().is_some() {
            splitter.pieces.push(piece);
        } else if let Some(semicolon) = lexemes.get(end) {
            diagnostics.push(Diagnostic::new(Code::EmptyStatement, semicolon.span));
        }
        start = end + 1;
    }
    splitter.pieces
}

struct Splitter<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
    pieces: Vec<Piece>,
}

impl Splitter<'_> {
    /// The position of the semicolon that ends the statement, or of the end.
    fn end_of_statement(&self, start: usize) -> usize {
        let end = self.semicolon(start);
        if !self.opens_statement_set(&(start..end)) {
            return end;
        }
        self.end_of_set(end).unwrap_or_else(|| self.end_of_inserts(end))
    }

    fn semicolon(&self, from: usize) -> usize {
        let found = self
            .lexemes
            .iter()
            .skip(from)
            .position(|lexeme| self.is(lexeme, ";"));
        found.map_or(self.lexemes.len(), |offset| from + offset)
    }

    /// True if the statement holds `STATEMENT SET BEGIN`, or is `BEGIN STATEMENT SET`.
    fn opens_statement_set(&self, piece: &Piece) -> bool {
        let words: Vec<&str> = self
            .words_of(piece)
            .take(16)
            .map(|lexeme| lexeme.span.text(self.text))
            .collect();
        let has = |expected: &[&str]| {
            words.windows(expected.len()).any(|window| {
                window
                    .iter()
                    .zip(expected)
                    .all(|(word, expected)| word.eq_ignore_ascii_case(expected))
            })
        };
        has(&["STATEMENT", "SET", "BEGIN"]) || (words.len() == 3 && has(&["BEGIN", "STATEMENT", "SET"]))
    }

    /// The end of a statement set whose first semicolon is at `at`, if its END comes before another set begins.
    fn end_of_set(&self, mut at: usize) -> Option<usize> {
        while at < self.lexemes.len() {
            let end = self.semicolon(at + 1);
            let piece = at + 1..end;
            let mut words = self.words_of(&piece);
            if words.next().is_some_and(|first| self.is(first, "END")) && words.next().is_none() {
                return Some(end);
            }
            if self.opens_statement_set(&piece) {
                return None;
            }
            at = end;
        }
        None
    }

    /// The end of the inserts that follow the semicolon at `at`: what remains of a set without END.
    fn end_of_inserts(&self, mut at: usize) -> usize {
        while at < self.lexemes.len() {
            let end = self.semicolon(at + 1);
            let piece = at + 1..end;
            if !self
                .words_of(&piece)
                .next()
                .is_some_and(|first| self.is(first, "INSERT"))
            {
                break;
            }
            at = end;
        }
        at
    }

    /// The lexemes of a piece that are no comments.
    fn words_of(&self, piece: &Piece) -> impl Iterator<Item = &Lexeme> {
        let lexemes = self
            .lexemes
            .get(piece.start..piece.end.min(self.lexemes.len()))
            .unwrap_or(&[]);
        lexemes.iter().filter(|lexeme| lexeme.kind != LexKind::Comment)
    }

    fn is(&self, lexeme: &Lexeme, expected: &str) -> bool {
        matches!(lexeme.kind, LexKind::Word | LexKind::Symbol)
            && lexeme.span.text(self.text).eq_ignore_ascii_case(expected)
    }
}

/// From the first to the last lexeme that is no comment.
pub(crate) fn span_of(lexemes: &[Lexeme]) -> Span {
    let mut words = lexemes.iter().filter(|lexeme| lexeme.kind != LexKind::Comment);
    let first = words.next().map(|lexeme| lexeme.span).unwrap_or_default();
    words.next_back().map_or(first, |last| first.join(last.span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn pieces(text: &str) -> Vec<&str> {
        let lexemes = lex(text);
        let pieces = split(text, &lexemes, &mut Diagnostics::new());
        pieces
            .into_iter()
            .map(|piece| span_of(&lexemes[piece]).text(text))
            .collect()
    }

    #[test]
    fn semicolons_in_strings_and_comments_do_not_cut() {
        assert_eq!(
            pieces("SELECT ';' -- ; \n FROM t; /* ; */ SELECT 2"),
            ["SELECT ';' -- ; \n FROM t", "SELECT 2"]
        );
    }

    #[test]
    fn a_statement_set_is_one_statement() {
        let set = "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE x WHEN 1 THEN 2 END; INSERT INTO b SELECT 2; END";
        assert_eq!(
            pieces(&format!("SELECT 1; {set}; SELECT 2;")),
            ["SELECT 1", set, "SELECT 2"]
        );
        let client = "BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END";
        assert_eq!(pieces(&format!("{client}; SELECT 2")), [client, "SELECT 2"]);
    }

    #[test]
    fn a_statement_set_without_end_takes_only_its_inserts() {
        let set = "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2";
        assert_eq!(
            pieces(&format!("{set}; SELECT 2; SELECT 3")),
            [set, "SELECT 2", "SELECT 3"]
        );
    }

    #[test]
    fn empty_statements_are_noted() {
        let text = "SELECT 1;; -- x\n;";
        let mut diagnostics = Diagnostics::new();
        split(text, &lex(text), &mut diagnostics);
        assert_eq!(diagnostics.len(), 2);
    }
}
