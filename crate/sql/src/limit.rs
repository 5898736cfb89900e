//! Limits that keep a hostile or generated script from stopping the page.
//!
//! The parser and everything that walks its trees recurse, and a wasm stack is 1 MB. Both bounds are therefore checked
//! before parsing, from the tokens alone:
//!
//! - nesting: brackets, CASEs and prefix operators around one place, weighted by the stack that the parser needs for them
//!   (measured: about 13 kB a unit, optimised or not);
//! - depth of the tree: besides nesting, each operator of a chain `a + b + c` adds a level, as such trees lean to the left.

use sg_diag::{Code, Diagnostic, Fix, Span};

use crate::span::byte_span;
use crate::token::{Token, TokenWithSpan};

/// Longest script, in bytes.
pub(crate) const SCRIPT_BYTES: usize = 1 << 20;
/// Longest statement, in bytes.
pub(crate) const STATEMENT_BYTES: usize = 1 << 18;
/// Largest nesting, in units.
pub(crate) const NESTING: usize = 48;
/// Most levels of the tree.
const DEPTH: usize = 400;
/// What the parser may recurse: a backstop, as nesting stops earlier.
pub(crate) const RECURSION: usize = 150;

/// Units of a parenthesis that can hold a query or a join, of a call or CASE, and of anything else.
const QUERY: usize = 4;
const CALL: usize = 2;
const PLAIN: usize = 1;

/// What one pair of brackets, or one CASE, holds so far.
#[derive(Clone, Copy, Default)]
struct Level {
    opening: Span,
    is_case: bool,
    /// A table or a query can stand directly inside.
    holds_table: bool,
    /// Nesting of everything around its content, in units.
    nesting: usize,
    /// Deepest finished item.
    items: usize,
    /// Depth of the item that is being read.
    current: usize,
    /// Set operators among the queries of this level.
    sets: usize,
}

impl Level {
    fn depth(self) -> usize {
        self.items.max(self.current) + self.sets
    }

    fn next_item(&mut self) {
        self.items = self.items.max(self.current);
        self.current = 0;
    }
}

/// Checks nesting, depth and balance of a statement.
pub(crate) fn check_shape(tokens: &[TokenWithSpan]) -> Result<(), Box<Diagnostic>> {
    let mut shape = Shape {
        tokens,
        levels: vec![Level::default()],
        prefixes: 0,
    };
    for position in 0..tokens.len() {
        shape.take(position)?;
    }
    match shape.levels.iter().skip(1).find(|level| !level.is_case) {
        Some(level) => Err(unclosed(tokens, level.opening)),
        None => Ok(()),
    }
}

struct Shape<'a> {
    tokens: &'a [TokenWithSpan],
    levels: Vec<Level>,
    /// Prefix operators directly before the token.
    prefixes: usize,
}

impl Shape<'_> {
    fn take(&mut self, position: usize) -> Result<(), Box<Diagnostic>> {
        let Some(TokenWithSpan { token, span }) = self.tokens.get(position) else {
            return Ok(());
        };
        let span = byte_span(*span).unwrap_or_default();
        let mut letters = [0; LONGEST];
        let word = in_capitals(token, &mut letters);
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => self.open(self.weight(position), span, false),
            Token::RParen | Token::RBracket | Token::RBrace => self.close(token, span)?,
            _ if word == b"CASE" => self.open(CALL, span, true),
            _ if word == b"END" && self.levels.last().is_some_and(|level| level.is_case) => {
                self.pop();
            }
            token => self.count(token, word),
        }
        let prefix = matches!(token, Token::Plus | Token::Minus) || matches!(word, b"NOT" | b"INTERVAL");
        self.prefixes = if prefix { self.prefixes + 1 } else { 0 };
        let level = self.levels.last().copied().unwrap_or_default();
        if level.nesting + self.prefixes > NESTING {
            return Err(Box::new(
                Diagnostic::new(Code::NestingTooDeep, span).arg("limit", NESTING),
            ));
        }
        if level.depth() > DEPTH {
            let diagnostic = Diagnostic::new(Code::TooManyOperators, span).arg("count", level.depth());
            return Err(Box::new(diagnostic.arg("limit", DEPTH)));
        }
        Ok(())
    }

    /// The units of the bracket at a position.
    fn weight(&self, position: usize) -> usize {
        let before = position
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .map(|it| &it.token);
        let behind = self.tokens.get(position + 1).map(|it| &it.token);
        let query = behind.is_some_and(|token| is_word(token, &["SELECT", "WITH", "VALUES"]));
        let table = before.is_some_and(|token| is_word(token, &["FROM", "JOIN", "LATERAL"]))
            || (before == Some(&Token::LParen) && self.levels.last().is_some_and(|level| level.holds_table));
        match before {
            _ if query || table => QUERY,
            Some(Token::Word(_)) => CALL,
            _ => PLAIN,
        }
    }

    fn open(&mut self, weight: usize, opening: Span, is_case: bool) {
        let around = self.levels.last().map_or(0, |level| level.nesting);
        self.levels.push(Level {
            opening,
            is_case,
            holds_table: weight == QUERY,
            nesting: around + weight + self.prefixes,
            ..Level::default()
        });
    }

    fn close(&mut self, token: &Token, span: Span) -> Result<(), Box<Diagnostic>> {
        while self.levels.last().is_some_and(|level| level.is_case) {
            self.pop();
        }
        if self.levels.len() < 2 {
            return Err(unmatched(token, span));
        }
        self.pop();
        Ok(())
    }

    /// The innermost level is an operand of the one around it.
    fn pop(&mut self) {
        let closed = self.levels.pop().unwrap_or_default();
        if let Some(level) = self.levels.last_mut() {
            level.current = level.current.max(closed.depth() + 1);
        }
    }

    fn count(&mut self, token: &Token, word: &[u8]) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        match token {
            Token::Comma | Token::SemiColon => level.next_item(),
            Token::Plus | Token::Minus | Token::Mul | Token::Div | Token::Mod | Token::StringConcat => {
                level.current += 1;
            }
            Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq | Token::Pipe => {
                level.current += 1;
            }
            _ => match word {
                b"AND" | b"OR" | b"NOT" | b"IS" | b"IN" | b"LIKE" | b"BETWEEN" | b"SIMILAR" | b"OVERLAPS"
                | b"MEMBER" => level.current += 1,
                b"SELECT" | b"FROM" | b"WHERE" | b"HAVING" | b"BY" | b"QUALIFY" | b"ON" | b"WHEN"
                | b"THEN" => {
                    level.next_item();
                }
                b"UNION" | b"EXCEPT" | b"INTERSECT" | b"MINUS" => {
                    level.next_item();
                    level.sets += 1;
                }
                _ => {}
            },
        }
    }
}

/// Letters of the longest word that counts.
const LONGEST: usize = 9;

/// An unquoted word in capitals, for one comparison with all that count; nothing of other tokens and longer words.
fn in_capitals<'l>(token: &Token, letters: &'l mut [u8; LONGEST]) -> &'l [u8] {
    let Token::Word(word) = token else {
        return &[];
    };
    match letters.get_mut(..word.value.len()) {
        Some(place) if word.quote_style.is_none() => {
            place.copy_from_slice(word.value.as_bytes());
            place.make_ascii_uppercase();
            place
        }
        _ => &[],
    }
}

fn is_word(token: &Token, words: &[&str]) -> bool {
    matches!(token, Token::Word(word)
        if word.quote_style.is_none() && words.iter().any(|known| known.eq_ignore_ascii_case(&word.value)))
}

fn unmatched(token: &Token, span: Span) -> Box<Diagnostic> {
    let closing = match token {
        Token::RBracket => "]",
        Token::RBrace => "}",
        _ => ")",
    };
    let diagnostic = Diagnostic::new(Code::UnmatchedParenthesis, span).arg("closing", closing);
    Box::new(diagnostic.fix(Fix::remove(span, closing)))
}

fn unclosed(tokens: &[TokenWithSpan], opening: Span) -> Box<Diagnostic> {
    let sign = tokens
        .iter()
        .find(|token| byte_span(token.span) == Some(opening))
        .map(|token| &token.token);
    let opening_sign = match sign {
        Some(Token::LBracket) => "[",
        Some(Token::LBrace) => "{",
        _ => "(",
    };
    Box::new(Diagnostic::new(Code::UnclosedParenthesis, opening).arg("opening", opening_sign))
}
