//! Reads the tokens of a statement: what every parser here stands on.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};

use crate::ast::{ExprSyntax, Ident, ObjectName, QuerySyntax, Text};
use crate::complaint::trailing_comma;
use crate::keyword::is_reserved;
use crate::limit;
use crate::query;
use crate::side::SideTable;
use crate::span::byte_span;
use crate::token::{Token, TokenWithSpan};

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
pub(crate) const AN_EXPRESSION: Expected = Expected("an expression", "表达式");

/// What stands behind the last token.
static END: TokenWithSpan = TokenWithSpan {
    token: Token::Eof,
    span: Span { start: 0, end: 0 },
};

/// A place in the tokens of a statement, and what was found out on the way.
pub(crate) struct Cursor<'t> {
    /// The whole script.
    pub(crate) text: &'t str,
    /// What the tree cannot carry.
    pub(crate) side: SideTable,
    /// Inside `MEASURES`, where FINAL and RUNNING mean something.
    pub(crate) measures: bool,
    /// Where a hint may follow: the ends of SELECTs and table names.
    pub(crate) hint_places: Vec<u32>,
    statement: Span,
    last: Span,
    tokens: &'t [TokenWithSpan],
    at: usize,
    reports: Vec<Diagnostic>,
    complaints: Vec<Diagnostic>,
    depth: usize,
    types: usize,
}

impl<'t> Cursor<'t> {
    /// The beginning of a statement; `last` is its last token, a hint included.
    pub(crate) fn new(
        text: &'t str,
        (statement, last): (Span, Span),
        tokens: &'t [TokenWithSpan],
        side: SideTable,
    ) -> Self {
        Self {
            text,
            side,
            measures: false,
            hint_places: Vec::new(),
            statement,
            last,
            tokens,
            at: 0,
            reports: Vec::new(),
            complaints: Vec::new(),
            depth: 0,
            types: 0,
        }
    }

    /// The token at a position.
    pub(crate) fn token_at(&self, position: usize) -> &'t TokenWithSpan {
        self.tokens.get(position).unwrap_or(&END)
    }

    /// The position of the next token.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The next token.
    pub(crate) fn peek(&self) -> &'t Token {
        &self.current().token
    }

    /// The next token with its span.
    pub(crate) fn current(&self) -> &'t TokenWithSpan {
        self.token_at(self.at)
    }

    /// The next but `n` token.
    pub(crate) fn peek_nth(&self, n: usize) -> &'t TokenWithSpan {
        self.token_at(self.at + n)
    }

    /// Takes the next token.
    pub(crate) fn advance(&mut self) -> &'t TokenWithSpan {
        let token = self.current();
        self.at = (self.at + 1).min(self.tokens.len());
        token
    }

    /// Where the next token stands; at the end, the last one.
    pub(crate) fn here(&self) -> Span {
        byte_span(self.current().span).unwrap_or(self.last)
    }

    /// The statement.
    pub(crate) fn statement(&self) -> Span {
        self.statement
    }

    /// The statement's last token.
    pub(crate) fn last_token(&self) -> Span {
        self.last
    }

    /// Where the token before the next ends.
    pub(crate) fn behind(&self) -> u32 {
        byte_span(self.token_at(self.at.saturating_sub(1)).span).map_or(self.last.end, |span| span.end)
    }

    /// From `start` to the last token taken.
    pub(crate) fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.behind())
    }

    pub(crate) fn at_end(&self) -> bool {
        *self.peek() == Token::Eof
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

    /// True if these words come next; `""` stands for any token.
    pub(crate) fn at_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(n, word)| self.nth_is(n, word))
    }

    /// True if this word comes next.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.nth_is(0, word)
    }

    /// Which of these words comes next but `n`.
    pub(crate) fn which(&self, n: usize, words: &[&str]) -> Option<usize> {
        words.iter().position(|word| self.nth_is(n, word))
    }

    /// Takes one of these words if it comes next; which it is.
    pub(crate) fn take_one(&mut self, words: &[&str]) -> Option<usize> {
        let which = self.which(0, words);
        if which.is_some() {
            self.advance();
        }
        which
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
            self.at += words.len();
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
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
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

    /// `(`
    pub(crate) fn open(&mut self) -> Parsed<Span> {
        self.expect(&Token::LParen, "(")
    }

    /// `)`
    pub(crate) fn close(&mut self) -> Parsed<Span> {
        self.expect(&Token::RParen, ")")
    }

    /// A name as the tree of a query has it; a reserved word is none.
    pub(crate) fn name(&mut self) -> Parsed<query::Ident> {
        let token = self.current();
        match &token.token {
            Token::Word(word) if word.quote_style.is_some() || !is_reserved(&word.value) => {
                self.advance();
                Ok(query::Ident {
                    value: word.value.clone(),
                    quote_style: word.quote_style,
                    span: token.span,
                })
            }
            _ => Err(self.expected(A_NAME)),
        }
    }

    /// A name; a reserved word is none.
    pub(crate) fn ident(&mut self) -> Parsed<Ident> {
        let span = self.here();
        let name = self.name()?.value;
        Ok(Ident { name, span })
    }

    /// A name of one to three parts.
    pub(crate) fn object_name(&mut self) -> Parsed<ObjectName> {
        let start = self.here();
        let mut parts = vec![self.ident()?];
        while self.take(&Token::Period) {
            parts.push(self.ident()?);
        }
        let span = self.since(start);
        if parts.len() > 3 {
            let diagnostic = Diagnostic::new(Code::NameTooLong, span).arg("name", span.text(self.text));
            return Err(diagnostic.into());
        }
        Ok(ObjectName { parts, span })
    }

    /// A quoted string.
    pub(crate) fn text(&mut self) -> Parsed<Text> {
        let span = self.here();
        let Token::SingleQuotedString(value) = self.peek() else {
            return Err(self.expected(A_STRING));
        };
        self.advance();
        Ok(Text {
            value: value.clone(),
            span,
        })
    }

    /// A whole number.
    pub(crate) fn number(&mut self) -> Parsed<u32> {
        let Token::Number(digits) = self.peek() else {
            return Err(self.expected(A_NUMBER));
        };
        let Ok(number) = digits.parse() else {
            return Err(self.bad_number(digits));
        };
        self.advance();
        Ok(number)
    }

    /// An expression of a statement.
    pub(crate) fn expr(&mut self) -> Parsed<ExprSyntax> {
        let start = self.here();
        Ok(ExprSyntax {
            expr: Rc::new(self.tree()?),
            span: self.since(start),
        })
    }

    /// A query of a statement.
    pub(crate) fn query(&mut self) -> Parsed<QuerySyntax> {
        if !self.at_query() {
            return Err(self.expected(A_QUERY));
        }
        let start = self.here();
        let query = self.query_tree()?;
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
        self.which(n, &["SELECT", "WITH", "VALUES", "TABLE"]).is_some()
    }

    /// Things separated by commas.
    pub(crate) fn list<T>(&mut self, read: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![read(self)?];
        while self.take(&Token::Comma) {
            list.push(read(self)?);
        }
        Ok(list)
    }

    /// Things in parentheses, separated by commas.
    pub(crate) fn parenthesized<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.open()?;
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

    /// Says something that does not stop the reading.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.reports.push(diagnostic);
    }

    /// Says of something that Flink's parser refuses what is wrong with it, and goes on.
    pub(crate) fn complain(&mut self, diagnostic: Diagnostic) {
        self.complaints.push(diagnostic);
    }

    pub(crate) fn take_complaints(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.complaints)
    }

    pub(crate) fn take_reports(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.reports)
    }

    /// Goes one expression, query or table deeper.
    pub(crate) fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > limit::RECURSION {
            return Err(self.too_deep());
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Goes one type deeper.
    pub(crate) fn enter_type(&mut self) -> Parsed<()> {
        self.types += 1;
        if self.types > limit::NESTING {
            return Err(self.too_deep());
        }
        Ok(())
    }

    pub(crate) fn leave_type(&mut self) {
        self.types = self.types.saturating_sub(1);
    }

    /// Begins anew behind a part that could not be read.
    pub(crate) fn recover(&mut self) {
        (self.depth, self.types, self.measures) = (0, 0, false);
    }

    fn too_deep(&self) -> Failure {
        let diagnostic = Diagnostic::new(Code::NestingTooDeep, self.here());
        diagnostic.arg("limit", limit::NESTING).into()
    }
}
