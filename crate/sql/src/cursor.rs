//! Reads tokens for our own parsers, on top of sqlparser's public token interface.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::ast::{ExprSyntax, Ident, ObjectName, QuerySyntax, Text};
use crate::complaint::trailing_comma;
use crate::dialect::FlinkDialect;
use crate::keyword::is_reserved;
use crate::query;
use crate::span::byte_span;

/// Why a statement could not be read. Boxed, because a diagnostic is large and a failure rare.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) Box<Diagnostic>);

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(Box::new(diagnostic))
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self(diagnostic)
    }
}

/// A parsed thing, or why there is none.
pub(crate) type Parsed<T> = Result<T, Failure>;

/// What is expected at a place, in both languages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected(pub(crate) &'static str, pub(crate) &'static str);

pub(crate) const A_NAME: Expected = Expected("a name", "名称");
pub(crate) const A_STRING: Expected = Expected("a quoted string", "带引号的字符串");
pub(crate) const A_NUMBER: Expected = Expected("a whole number", "整数");
pub(crate) const A_TYPE: Expected = Expected("a type", "类型");
pub(crate) const A_QUERY: Expected = Expected("a query", "查询");

/// A place in the tokens of a statement.
pub(crate) struct Cursor<'p, 'd> {
    pub(crate) parser: &'p mut Parser<'d>,
    pub(crate) dialect: &'p FlinkDialect,
}

impl Cursor<'_, '_> {
    /// The next token.
    pub(crate) fn peek(&self) -> &Token {
        &self.parser.peek_token_ref().token
    }

    /// The next but `n` token.
    pub(crate) fn peek_nth(&self, n: usize) -> &TokenWithSpan {
        self.parser.peek_nth_token_ref(n)
    }

    /// Where the next token stands; at the end, the last one.
    pub(crate) fn here(&self) -> Span {
        byte_span(self.parser.peek_token_ref().span).unwrap_or_else(|| self.dialect.last_token())
    }

    /// Where the token before the next ends.
    pub(crate) fn behind(&self) -> u32 {
        byte_span(self.parser.get_current_token().span).map_or(self.dialect.last_token().end, |span| span.end)
    }

    /// From `start` to the last token taken.
    pub(crate) fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.behind())
    }

    pub(crate) fn at_end(&self) -> bool {
        *self.peek() == Token::EOF
    }

    /// The next token as an unquoted word in capitals.
    pub(crate) fn word(&self) -> Option<String> {
        self.nth_word(0)
    }

    /// The next but `n` token as an unquoted word in capitals.
    pub(crate) fn nth_word(&self, n: usize) -> Option<String> {
        match &self.peek_nth(n).token {
            Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_ascii_uppercase()),
            _ => None,
        }
    }

    /// True if these words come next.
    pub(crate) fn at_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(n, word)| self.nth_is(n, word))
    }

    /// True if the next but `n` token is this word; `""` stands for any token.
    fn nth_is(&self, n: usize, expected: &str) -> bool {
        expected.is_empty()
            || matches!(&self.peek_nth(n).token,
            Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(expected))
    }

    /// Takes these words if they come next.
    pub(crate) fn take_words(&mut self, words: &[&str]) -> bool {
        let found = self.at_words(words);
        if found {
            for _ in words {
                self.parser.advance_token();
            }
        }
        found
    }

    /// Takes this word if it comes next.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        self.take_words(&[word])
    }

    /// Takes this word; its place.
    pub(crate) fn expect_word(&mut self, word: &'static str) -> Parsed<Span> {
        let here = self.here();
        if self.take_word(word) {
            Ok(here)
        } else {
            Err(self.expected_code(word))
        }
    }

    /// Takes these words.
    pub(crate) fn expect_words(&mut self, words: &[&'static str]) -> Parsed<Span> {
        let here = self.here();
        for word in words {
            self.expect_word(word)?;
        }
        Ok(self.since(here))
    }

    /// Takes this token if it comes next.
    pub(crate) fn take(&mut self, token: &Token) -> bool {
        self.parser.consume_token(token)
    }

    /// Takes this token; `sign` is how it is written.
    pub(crate) fn expect(&mut self, token: &Token, sign: &'static str) -> Parsed<Span> {
        let here = self.here();
        if self.take(token) {
            Ok(here)
        } else {
            Err(self.expected_code(sign))
        }
    }

    /// A name; a reserved word is none.
    pub(crate) fn ident(&mut self) -> Parsed<Ident> {
        let span = self.here();
        let Token::Word(word) = self.peek() else {
            return Err(self.expected(A_NAME));
        };
        if word.quote_style.is_none() && is_reserved(&word.value) {
            return Err(self.reserved_word(span));
        }
        let name = word.value.clone();
        self.parser.advance_token();
        Ok(Ident { name, span })
    }

    /// A name of one to three parts.
    pub(crate) fn object_name(&mut self) -> Parsed<ObjectName> {
        let mut parts = vec![self.ident()?];
        while self.take(&Token::Period) {
            parts.push(self.ident()?);
        }
        let span = parts
            .iter()
            .fold(self.since(self.span_of(&parts)), |all, part| all.join(part.span));
        if parts.len() > 3 {
            let diagnostic =
                Diagnostic::new(Code::NameTooLong, span).arg("name", span.text(&self.dialect.text));
            return Err(diagnostic.into());
        }
        Ok(ObjectName { parts, span })
    }

    fn span_of(&self, parts: &[Ident]) -> Span {
        parts.first().map_or_else(|| self.here(), |part| part.span)
    }

    /// A quoted string.
    pub(crate) fn text(&mut self) -> Parsed<Text> {
        let span = self.here();
        let Token::SingleQuotedString(value) = self.peek() else {
            return Err(self.expected(A_STRING));
        };
        let value = value.clone();
        self.parser.advance_token();
        Ok(Text { value, span })
    }

    /// A whole number.
    pub(crate) fn number(&mut self) -> Parsed<u32> {
        let Token::Number(digits, _) = self.peek() else {
            return Err(self.expected(A_NUMBER));
        };
        let Ok(number) = digits.parse() else {
            return Err(self.bad_number(digits));
        };
        self.parser.advance_token();
        Ok(number)
    }

    /// An expression as a part of another.
    pub(crate) fn tree(&mut self) -> Parsed<query::Expr> {
        self.parser.parse_expr().map_err(|error| self.failure(error))
    }

    /// An expression of a statement.
    pub(crate) fn expr(&mut self) -> Parsed<ExprSyntax> {
        let start = self.here();
        Ok(ExprSyntax {
            expr: Rc::new(self.tree()?),
            span: self.since(start),
        })
    }

    /// A query.
    pub(crate) fn query(&mut self) -> Parsed<QuerySyntax> {
        if !self.at_query() {
            return Err(self.expected(A_QUERY));
        }
        let start = self.here();
        let query = self.parser.parse_query().map_err(|error| self.failure(error))?;
        Ok(QuerySyntax {
            query: Rc::new(*query),
            span: self.since(start),
        })
    }

    /// True if a query begins here, with or without parentheses around it.
    pub(crate) fn at_query(&self) -> bool {
        let mut n = 0;
        while self.peek_nth(n).token == Token::LParen {
            n += 1;
        }
        ["SELECT", "WITH", "VALUES", "TABLE"]
            .iter()
            .any(|word| self.nth_is(n, word))
    }

    /// Things in parentheses, separated by commas.
    pub(crate) fn parenthesized<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.expect(&Token::LParen, "(")?;
        let mut list = vec![read(self)?];
        while let Some(comma) = self.take_comma() {
            if *self.peek() == Token::RParen {
                return Err(trailing_comma(comma, ")").into());
            }
            list.push(read(self)?);
        }
        if self.take(&Token::RParen) {
            Ok(list)
        } else {
            Err(self.list_goes_on())
        }
    }

    /// Takes a comma; its place.
    pub(crate) fn take_comma(&mut self) -> Option<Span> {
        let here = self.here();
        self.take(&Token::Comma).then_some(here)
    }

    /// What a sqlparser error says, as ours.
    pub(crate) fn failure(&self, error: ParserError) -> Failure {
        crate::error::failure(self, error)
    }
}
