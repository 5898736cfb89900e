//! What a [`Cursor`] says where the next token does not fit.

use sg_diag::{Code, Diagnostic, Fix, LineIndex, Span, closest};

use crate::cursor::{A_NAME, A_NUMBER, A_QUERY, AN_EXPRESSION, Cursor, Expected, Failure};
use crate::keyword::{is_clause, is_reserved};
use crate::span::byte_span;
use crate::token::{Token, TokenWithSpan};

/// Flink's message for an expression where a query is wanted.
pub(crate) const NO_QUERY: &str =
    "SqlParserException: SQL parse failed. Non-query expression encountered in illegal context";

/// Words before the second query of a set operation.
const SETS: [&str; 5] = ["UNION", "EXCEPT", "INTERSECT", "MINUS", "ALL"];

/// Words that people misspell into an alias.
const CLAUSES: [&str; 17] = [
    "FROM",
    "WHERE",
    "GROUP",
    "ORDER",
    "HAVING",
    "LIMIT",
    "UNION",
    "JOIN",
    "LEFT",
    "RIGHT",
    "INNER",
    "CROSS",
    "QUALIFY",
    "WINDOW",
    "EXCEPT",
    "INTERSECT",
    "OFFSET",
];

impl Cursor<'_> {
    /// Something else was expected here.
    pub(crate) fn expected(&self, what: Expected) -> Failure {
        self.expected_at(self.current(), what.0.to_owned(), what.1.to_owned())
    }

    /// This word or sign was expected here.
    pub(crate) fn expected_code(&self, sign: &str) -> Failure {
        let sign = format!("`{sign}`");
        self.expected_at(self.current(), sign.clone(), sign)
    }

    /// One of these words was expected here; a similar one is suggested.
    pub(crate) fn expected_one_of(&self, words: &[&str]) -> Failure {
        let coded: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let (en, zh) = match coded.split_last() {
            Some((last, [])) => (last.clone(), last.clone()),
            Some((last, rest)) => (
                format!("{} or {last}", rest.join(", ")),
                format!("{} 或 {last}", rest.join("、")),
            ),
            None => return self.unexpected(),
        };
        let Failure(diagnostic) = self.expected_at(self.current(), en, zh);
        match self.word() {
            Some(word) => Failure(Box::new(diagnostic.suggest_similar(&word, words.iter().copied()))),
            None => Failure(diagnostic),
        }
    }

    /// Something was expected in the place of a token.
    pub(crate) fn expected_at(&self, found: &TokenWithSpan, en: String, zh: String) -> Failure {
        let Some(span) = byte_span(found.span) else {
            let last = self.last_token();
            return Diagnostic::new(Code::UnexpectedEnd, last)
                .arg_words("expected", en, zh)
                .into();
        };
        if en == A_NAME.0 && reserved(&found.token) {
            return self.reserved_word(span);
        }
        if en != "`=`"
            && let Some(failure) = self.string_beside_string(found)
        {
            return failure;
        }
        let diagnostic = Diagnostic::new(Code::SyntaxError, span).arg_words("expected", en, zh);
        self.as_flink_says(diagnostic.arg("found", self.text_of(span)))
            .into()
    }

    /// The next token cannot stand here.
    pub(crate) fn unexpected(&self) -> Failure {
        let span = self.here();
        if self.at_end() {
            return self.expected(Expected("more", "更多内容"));
        }
        let special = self
            .string_beside_string(self.current())
            .or_else(|| self.half_a_clause())
            .or_else(|| self.misspelt_clause().filter(|_| self.in_query()))
            .or_else(|| self.missing_comma().filter(|_| self.in_query()));
        if let Some(failure) = special {
            return failure;
        }
        if reserved(self.peek()) && !is_clause(self.text_of(span)) {
            return self.reserved_word(span);
        }
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span).arg("found", self.text_of(span));
        self.as_flink_says(diagnostic).into()
    }

    /// Neither a comma nor the end of a list in parentheses.
    pub(crate) fn list_goes_on(&self) -> Failure {
        let Failure(diagnostic) =
            self.expected_at(self.current(), "`,` or `)`".to_owned(), "`,` 或 `)`".to_owned());
        let name = matches!(self.peek(), Token::Word(_)) && !reserved(self.peek());
        Failure(if name {
            Box::new(diagnostic.fix(Fix::insert(self.behind(), ",")))
        } else {
            diagnostic
        })
    }

    /// No expression begins at the next token.
    pub(crate) fn no_expression(&self) -> Failure {
        let span = self.here();
        let reserved = reserved(self.peek());
        let clause = reserved && is_clause(self.text_of(span));
        let ends = clause || matches!(self.peek(), Token::RParen | Token::RBracket);
        if ends && let Some(comma) = self.comma_before() {
            return trailing_comma(comma, self.text_of(span)).into();
        }
        if reserved && !clause {
            return self.reserved_word(span);
        }
        self.expected(AN_EXPRESSION)
    }

    /// No query begins at the next token. `* EXCEPT (secret)` is one of other databases.
    pub(crate) fn no_query(&self) -> Failure {
        let before = |n: usize| self.position().checked_sub(n).map(|at| self.token_at(at));
        let except = before(2)
            .filter(|it| matches!(&it.token, Token::Word(word) if word.value.eq_ignore_ascii_case("EXCEPT")));
        let star = before(3).is_some_and(|it| it.token == Token::Mul);
        let operand = before(1).is_some_and(|it| it.token == Token::LParen)
            && before(2).is_some_and(
                |it| matches!(&it.token, Token::Word(word) if SETS.contains(&&*word.value.to_ascii_uppercase())),
            );
        match except.and_then(|it| byte_span(it.span)) {
            Some(span) if star && before(1).is_some_and(|it| it.token == Token::LParen) => {
                let diagnostic =
                    Diagnostic::new(Code::NotFlinkSyntax, span).arg("construct", "* EXCEPT ( … )");
                diagnostic.flink(NO_QUERY).into()
            }
            _ if operand => Failure(Box::new(self.expected(A_QUERY).0.flink(NO_QUERY))),
            _ => self.expected(A_QUERY),
        }
    }

    /// The failure with what Flink's parser says at another place, a byte offset.
    pub(crate) fn flink_fails_at(&self, Failure(diagnostic): Failure, found: u32) -> Failure {
        match crate::expected::message(self.text, self.statement(), found) {
            Some(message) => diagnostic.flink(message).into(),
            None => Failure(diagnostic),
        }
    }

    /// The same at the token that comes so many behind the next one.
    pub(crate) fn flink_fails_at_nth(&self, failure: Failure, n: usize) -> Failure {
        let found = byte_span(self.peek_nth(n).span);
        self.flink_fails_at(failure, found.map_or(self.statement().end, |span| span.start))
    }

    /// What Flink's validator says of a place that its parser takes.
    pub(crate) fn invalid(&self, span: Span, message: &str) -> String {
        invalid(self.text, self.statement(), span, message)
    }

    /// Syntax of other databases; `construct` is how they write it.
    #[expect(clippy::unused_self, reason = "reads like the other complaints")]
    pub(crate) fn foreign(&self, construct: &str, span: Span) -> Failure {
        Diagnostic::new(Code::NotFlinkSyntax, span)
            .arg("construct", construct)
            .into()
    }

    /// The comma directly before the next token.
    fn comma_before(&self) -> Option<Span> {
        let before = self.token_at(self.position().checked_sub(1)?);
        if before.token == Token::Comma {
            byte_span(before.span)
        } else {
            None
        }
    }

    /// A number that is none, or too large.
    pub(crate) fn bad_number(&self, digits: &str) -> Failure {
        if digits.chars().all(|digit| digit.is_ascii_digit()) {
            return Diagnostic::new(Code::NumberTooLarge, self.here())
                .arg("number", digits)
                .into();
        }
        self.expected(A_NUMBER)
    }

    /// A reserved word stands where a name is expected.
    pub(crate) fn reserved_word(&self, span: Span) -> Failure {
        reserved_word(span, self.text, self.statement()).into()
    }

    /// `'a' 'b'` on one line.
    fn string_beside_string(&self, found: &TokenWithSpan) -> Option<Failure> {
        let second = byte_span(found.span)?;
        let before = self.token_before(second)?;
        let first = byte_span(before.span)?;
        let strings = [&before.token, &found.token]
            .iter()
            .all(|it| matches!(it, Token::SingleQuotedString(_)));
        strings.then(|| {
            Diagnostic::new(Code::StringContinuedOnSameLine, second)
                .label(first, sg_diag::LabelText::FirstHere)
                .fix(Fix::insert(second.start, "|| "))
                .flink(invalid(
                    self.text,
                    self.statement(),
                    second,
                    "String literal continued on same line",
                ))
                .into()
        })
    }

    /// `GROUP a`, `ORDER a`: the clause is right, its BY is missing.
    fn half_a_clause(&self) -> Option<Failure> {
        let by = ["GROUP", "ORDER", "PARTITION"]
            .iter()
            .any(|word| self.at_words(&[word]));
        if !by || self.at_words(&["", "BY"]) {
            return None;
        }
        let Failure(diagnostic) = self.expected_at(self.peek_nth(1), "`BY`".to_owned(), "`BY`".to_owned());
        let fix = Fix::insert(self.here().end, " BY");
        Some(Failure(Box::new(diagnostic.fix(fix))))
    }

    /// `SELECT id FRM t`: the word before was read as an alias, and it is close to a clause's word.
    fn misspelt_clause(&self) -> Option<Failure> {
        let before = self.token_before(self.here())?;
        let Token::Word(word) = &before.token else {
            return None;
        };
        let span = byte_span(before.span)?;
        if word.quote_style.is_some() || word.value.chars().count() < 3 {
            return None;
        }
        let meant = closest(&word.value.to_ascii_uppercase(), CLAUSES)?;
        let found = self.here();
        let diagnostic = Diagnostic::new(Code::MisspeltClause, span)
            .arg("word", self.text_of(span))
            .arg("found", self.text_of(found));
        let diagnostic = diagnostic.suggest_similar(&word.value.to_ascii_uppercase(), [meant]);
        Some(diagnostic.flink(self.encountered(found)).into())
    }

    /// `SELECT name city age`: two things follow each other, and nothing joins them.
    fn missing_comma(&self) -> Option<Failure> {
        let found = self.here();
        let before = self.token_before(found)?;
        let ends = match &before.token {
            Token::Word(word) => word.quote_style.is_some() || !is_reserved(&word.value),
            Token::Number(..) | Token::SingleQuotedString(_) | Token::RParen | Token::RBracket => true,
            _ => false,
        };
        let begins = match self.peek() {
            Token::Word(word) => word.quote_style.is_some() || !is_reserved(&word.value),
            Token::Number(..) | Token::SingleQuotedString(_) => true,
            _ => false,
        };
        if !ends || !begins {
            return None;
        }
        let diagnostic = Diagnostic::new(Code::MissingComma, found)
            .arg("found", self.text_of(found))
            .arg("before", self.text_of(byte_span(before.span)?));
        Some(self.as_flink_says(diagnostic).into())
    }

    /// True behind a SELECT.
    fn in_query(&self) -> bool {
        let here = self.here();
        let mut index = 0;
        loop {
            let token = self.token_at(index);
            if byte_span(token.span).is_none_or(|span| span.start >= here.start) {
                return false;
            }
            if matches!(&token.token, Token::Word(word) if word.value.eq_ignore_ascii_case("SELECT")) {
                return true;
            }
            index += 1;
        }
    }

    /// The token before the one at a place.
    pub(crate) fn token_before(&self, place: Span) -> Option<&TokenWithSpan> {
        let mut index = 0;
        while byte_span(self.token_at(index).span)?.start < place.start {
            index += 1;
        }
        Some(self.token_at(index.checked_sub(1)?))
    }

    fn text_of(&self, span: Span) -> &str {
        span.text(self.text)
    }

    /// Adds Flink's message for a token that does not fit. Of reserved words Flink sometimes says something else.
    fn as_flink_says(&self, diagnostic: Diagnostic) -> Diagnostic {
        if is_reserved(self.text_of(diagnostic.span)) {
            return diagnostic;
        }
        let message = self.encountered(diagnostic.span);
        diagnostic.flink(message)
    }

    fn encountered(&self, span: Span) -> String {
        encountered(self.text, self.statement(), span)
    }
}

/// Flink's message for a token that does not fit, with the place counted from the statement's beginning.
pub(crate) fn encountered(script: &str, statement: Span, span: Span) -> String {
    let place =
        LineIndex::new(statement.text(script)).line_column(span.start.saturating_sub(statement.start));
    let text = span.text(script);
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '"' | '\'') {
            shown.push('\\');
        }
        shown.push(character);
    }
    format!(
        "SqlParserException: SQL parse failed. Encountered \"{shown}\" at line {}, column {}.",
        place.line, place.column
    )
}

/// What Flink's validator says of a place that it refuses.
pub(crate) fn invalid(script: &str, statement: Span, span: Span, message: &str) -> String {
    let text = statement.text(script);
    let lines = LineIndex::new(text);
    let place = |offset: u32| lines.line_column(offset.saturating_sub(statement.start));
    let (first, last) = (place(span.start), place(span.end.saturating_sub(1)));
    let place = if first == last {
        format!("At line {}, column {}", first.line, first.column)
    } else {
        format!(
            "From line {}, column {} to line {}, column {}",
            first.line, first.column, last.line, last.column
        )
    };
    format!("ValidationException: SQL validation failed. {place}: {message}")
}

/// A reserved word stands where a name is expected.
pub(crate) fn reserved_word(span: Span, script: &str, statement: Span) -> Diagnostic {
    let written = span.text(script);
    Diagnostic::new(Code::ReservedWord, span)
        .arg("word", written)
        .fix(Fix::new("Put it in backquotes", "加上反引号").edit(span, format!("`{written}`")))
        .flink(encountered(script, statement, span))
}

/// A comma before the end of a list.
pub(crate) fn trailing_comma(comma: Span, found: &str) -> Diagnostic {
    Diagnostic::new(Code::TrailingComma, comma)
        .arg("found", found)
        .fix(Fix::remove(comma, ","))
}

fn reserved(token: &Token) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none() && is_reserved(&word.value))
}
