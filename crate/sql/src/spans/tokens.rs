//! The tokens of a statement, as far as spans need them.

use sg_diag::Span;

use crate::span::byte_span;
use crate::token::{Token, TokenWithSpan};

/// Tokens in the order of the text; positions in it are plain indexes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tokens {
    list: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
struct Item {
    span: Span,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// `(`, `[` or `{`, and the position of what closes it.
    Open(usize),
    /// `)`, `]` or `}`, and the position of what opens it.
    Close(usize),
    /// An unquoted word, in capitals.
    Word(Box<str>),
    Semicolon,
    Other,
}

impl Tokens {
    pub(super) fn new(tokens: &[TokenWithSpan]) -> Self {
        let mut list: Vec<Item> = Vec::with_capacity(tokens.len());
        let mut open = Vec::new();
        for token in tokens {
            let Some(span) = byte_span(token.span) else {
                continue;
            };
            let position = list.len();
            let kind = match &token.token {
                Token::LParen | Token::LBracket | Token::LBrace => {
                    open.push(position);
                    Kind::Open(position)
                }
                Token::RParen | Token::RBracket | Token::RBrace => {
                    let opening = open.pop().unwrap_or(position);
                    if let Some(item) = list.get_mut(opening) {
                        item.kind = Kind::Open(position);
                    }
                    Kind::Close(opening)
                }
                Token::Word(word) if word.quote_style.is_none() => {
                    Kind::Word(word.value.to_ascii_uppercase().into())
                }
                Token::SemiColon => Kind::Semicolon,
                _ => Kind::Other,
            };
            list.push(Item { span, kind });
        }
        Self { list }
    }

    /// All of the statement.
    pub(super) fn all(&self) -> Span {
        let first = self.list.first().map(|item| item.span).unwrap_or_default();
        self.list.last().map_or(first, |last| first.join(last.span))
    }

    pub(super) fn span(&self, at: usize) -> Span {
        self.list.get(at).map(|item| item.span).unwrap_or_default()
    }

    /// The position of the first token that begins at or behind an offset.
    pub(super) fn from(&self, offset: u32) -> usize {
        self.list.partition_point(|item| item.span.start < offset)
    }

    /// The position of the last token that begins before an offset.
    pub(super) fn before(&self, offset: u32) -> Option<usize> {
        self.from(offset).checked_sub(1)
    }

    pub(super) fn is_word(&self, at: usize, words: &[&str]) -> bool {
        self.word(at).is_some_and(|word| words.contains(&word))
    }

    fn word(&self, at: usize) -> Option<&str> {
        match &self.list.get(at)?.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn opens(&self, at: usize) -> Option<usize> {
        match self.list.get(at)?.kind {
            Kind::Open(closing) => Some(closing),
            _ => None,
        }
    }

    /// One of these words directly before an offset.
    pub(super) fn word_before(&self, offset: u32, words: &[&str]) -> Option<Span> {
        self.before(offset)
            .filter(|&at| self.is_word(at, words))
            .map(|at| self.span(at))
    }

    /// The position of the bracket that encloses an offset most closely.
    pub(super) fn enclosing(&self, offset: u32) -> Option<usize> {
        let mut at = self.before(offset)?;
        loop {
            match self.list.get(at)?.kind {
                Kind::Open(_) => return Some(at),
                Kind::Close(opening) if opening < at => at = opening.checked_sub(1)?,
                _ => at = at.checked_sub(1)?,
            }
        }
    }

    /// The brackets that enclose a span most closely.
    pub(super) fn around(&self, inner: Span) -> Span {
        let Some(open) = self.enclosing(inner.start) else {
            return inner;
        };
        let close = self.opens(open).unwrap_or(open);
        self.span(open).join(self.span(close)).join(inner)
    }

    /// The same with the word or name before them.
    pub(super) fn call_around(&self, inner: Span) -> Span {
        let brackets = self.around(inner);
        match self.before(brackets.start) {
            Some(at) if brackets != inner => self.span(at).join(brackets),
            _ => brackets,
        }
    }

    /// A name with the brackets behind it, if there are any.
    pub(super) fn call_after(&self, name: Span) -> Span {
        match self.opens(self.from(name.end)) {
            Some(close) => name.join(self.span(close)),
            None => name,
        }
    }

    /// A span made longer by these words, if they come next; `""` stands for any token.
    pub(super) fn with_words(&self, span: Span, words: &[&str]) -> Option<Span> {
        let at = self.from(span.end);
        let fits = words
            .iter()
            .enumerate()
            .all(|(n, word)| word.is_empty() || self.is_word(at + n, &[word]));
        (fits && at + words.len() <= self.list.len())
            .then(|| span.join(self.span((at + words.len()).saturating_sub(1))))
    }

    /// A span made longer by words in any number.
    pub(super) fn with_any_of(&self, mut span: Span, words: &[&str]) -> Span {
        while self.is_word(self.from(span.end), words) {
            span = span.join(self.span(self.from(span.end)));
        }
        span
    }

    /// The span of the first of these words behind an offset that is in no inner brackets.
    pub(super) fn word_behind(&self, offset: u32, words: &[&str]) -> Option<Span> {
        let mut at = self.from(offset);
        while let Some(item) = self.list.get(at) {
            match item.kind {
                Kind::Close(_) | Kind::Semicolon => return None,
                Kind::Open(close) if close > at => at = close + 1,
                _ if self.is_word(at, words) => return Some(item.span),
                _ => at += 1,
            }
        }
        None
    }

    /// Where the query that begins at an offset ends.
    pub(super) fn end_of_query(&self, offset: u32) -> u32 {
        self.end_at(offset, &[])
    }

    /// Where the SELECT that begins at an offset ends.
    pub(super) fn end_of_select(&self, offset: u32) -> u32 {
        self.end_at(offset, &crate::expr::BEHIND_QUERY)
    }

    /// The end of the last token before one of these words, a bracket that closes an outer one, `;`, or ON CONFLICT.
    fn end_at(&self, offset: u32, words: &[&str]) -> u32 {
        let start = self.from(offset);
        let mut end = self.span(start).end;
        let mut at = start;
        while let Some(item) = self.list.get(at) {
            let conflict = self.is_word(at, &["ON"]) && self.is_word(at + 1, &["CONFLICT"]);
            match &item.kind {
                Kind::Close(_) | Kind::Semicolon => break,
                Kind::Word(word) if conflict || (at > start && words.contains(&&**word)) => break,
                Kind::Open(close) if *close > at => {
                    end = self.span(*close).end;
                    at = close + 1;
                }
                _ => {
                    end = item.span.end;
                    at += 1;
                }
            }
        }
        end
    }
}
