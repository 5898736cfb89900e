//! What sqlparser's `MATCH_RECOGNIZE` lacks: `WITHIN`, `SUBSET`, `FINAL` and `RUNNING`, `SKIP TO symbol`.

use sg_diag::{Code, Diagnostic, Span};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{closing, is_word};
use crate::ast::Ident;
use crate::side::{MeasureSemantics, SideTable, Subset};
use crate::span::byte_span;

/// The tokens of a WITHIN interval, and the offset of the first symbol that its `MATCH_RECOGNIZE` defines.
#[derive(Debug)]
pub(crate) struct Within {
    pub(crate) key: u32,
    /// The word WITHIN.
    pub(crate) word: Span,
    pub(crate) tokens: Vec<TokenWithSpan>,
}

/// Cuts those parts out of the tokens. WITHIN is an expression, so its tokens are handed back to be parsed.
pub(crate) fn cut_match_recognize(
    tokens: &mut Vec<TokenWithSpan>,
    side: &mut SideTable,
) -> Result<Vec<Within>, Box<Diagnostic>> {
    let mut withins = Vec::new();
    let mut position = 0;
    while position < tokens.len() {
        if is_word(tokens.get(position), "MATCH_RECOGNIZE") {
            cut_one(tokens, position + 1, side, &mut withins)?;
        }
        position += 1;
    }
    Ok(withins)
}

fn cut_one(
    tokens: &mut Vec<TokenWithSpan>,
    open: usize,
    side: &mut SideTable,
    withins: &mut Vec<Within>,
) -> Result<(), Box<Diagnostic>> {
    if tokens.get(open).map(|it| &it.token) != Some(&Token::LParen) {
        return Ok(());
    }
    cut_semantics(tokens, open, side);
    name_skip_target(tokens, open);
    let close = closing(tokens, open);
    let at_top = |word: &str, tokens: &[TokenWithSpan]| find_at_top(tokens, open, close, word);
    let Some(define) = at_top("DEFINE", tokens) else {
        return Ok(());
    };
    let Some(key) = tokens
        .get(define + 1)
        .and_then(|it| byte_span(it.span))
        .map(|span| span.start)
    else {
        return Ok(());
    };
    let subset = at_top("SUBSET", tokens).filter(|&at| at < define);
    if let Some(subset) = subset {
        let cut: Vec<TokenWithSpan> = tokens.drain(subset..define).collect();
        side.subsets.insert(key, subsets(&cut)?);
    }
    let end = subset.unwrap_or(define);
    if let Some(within) = find_at_top(tokens, open, end, "WITHIN") {
        let mut cut: Vec<TokenWithSpan> = tokens.drain(within..end).collect();
        let word = byte_span(cut.remove(0).span).unwrap_or_default();
        withins.push(Within {
            key,
            word,
            tokens: cut,
        });
    }
    Ok(())
}

/// The position of a word between `open` and `end` that is in no inner parentheses.
fn find_at_top(tokens: &[TokenWithSpan], open: usize, end: usize, word: &str) -> Option<usize> {
    let mut position = open + 1;
    while position < end {
        let token = tokens.get(position)?;
        if is_word(Some(token), word) {
            return Some(position);
        }
        let opens = matches!(token.token, Token::LParen | Token::LBracket | Token::LBrace);
        position = if opens {
            closing(tokens, position) + 1
        } else {
            position + 1
        };
    }
    None
}

/// `FINAL` and `RUNNING` before the measures.
fn cut_semantics(tokens: &mut Vec<TokenWithSpan>, open: usize, side: &mut SideTable) {
    let close = closing(tokens, open);
    let Some(measures) = find_at_top(tokens, open, close, "MEASURES") else {
        return;
    };
    let end = find_at_top(tokens, open, close, "PATTERN").unwrap_or(close);
    let mut position = measures + 1;
    let mut end = end;
    while position < end {
        let semantics = if is_word(tokens.get(position), "FINAL") {
            Some(MeasureSemantics::Final)
        } else if is_word(tokens.get(position), "RUNNING") {
            Some(MeasureSemantics::Running)
        } else {
            None
        };
        let next = tokens.get(position + 1);
        let name = matches!(next.map(|it| &it.token), Some(Token::Word(_)));
        match (semantics, next.and_then(|it| byte_span(it.span))) {
            (Some(semantics), Some(span)) if name => {
                side.semantics.insert(span.start, semantics);
                tokens.remove(position);
                end -= 1;
            }
            _ => position += 1,
        }
    }
}

/// `SKIP TO b` means `SKIP TO LAST b`.
fn name_skip_target(tokens: &mut Vec<TokenWithSpan>, open: usize) {
    let close = closing(tokens, open);
    let Some(skip) = find_at_top(tokens, open, close, "SKIP") else {
        return;
    };
    let target = tokens.get(skip + 2);
    let named = ["FIRST", "LAST", "NEXT"].iter().any(|word| {
        is_word(target, word)
            && matches!(tokens.get(skip + 3).map(|it| &it.token), Some(Token::Word(_)))
            && !is_word(tokens.get(skip + 3), "PATTERN")
    });
    if is_word(tokens.get(skip + 1), "TO")
        && !named
        && let Some(span) = target.map(|it| it.span)
    {
        tokens.insert(
            skip + 2,
            TokenWithSpan {
                token: Token::make_word("LAST", None),
                span,
            },
        );
    }
}

/// `SUBSET a = (b, c), …`
fn subsets(cut: &[TokenWithSpan]) -> Result<Vec<Subset>, Box<Diagnostic>> {
    let mut subsets = Vec::new();
    let mut rest = cut.iter().skip(1).peekable();
    while let Some(first) = rest.next() {
        let name = ident(first)?;
        for expected in [Token::Eq, Token::LParen] {
            match rest.next() {
                Some(token) if token.token == expected => {}
                other => return Err(malformed(other.unwrap_or(first))),
            }
        }
        let mut symbols = Vec::new();
        loop {
            match rest.next() {
                Some(symbol) => symbols.push(ident(symbol)?),
                None => return Err(malformed(first)),
            }
            match rest.next() {
                Some(token) if token.token == Token::Comma => {}
                Some(token) if token.token == Token::RParen => break,
                other => return Err(malformed(other.unwrap_or(first))),
            }
        }
        subsets.push(Subset { name, symbols });
        match rest.next() {
            Some(token) if token.token == Token::Comma => {}
            Some(token) => return Err(malformed(token)),
            None => break,
        }
    }
    Ok(subsets)
}

fn ident(token: &TokenWithSpan) -> Result<Ident, Box<Diagnostic>> {
    match &token.token {
        Token::Word(word) => Ok(Ident {
            name: word.value.clone(),
            span: byte_span(token.span).unwrap_or_default(),
        }),
        _ => Err(malformed(token)),
    }
}

fn malformed(token: &TokenWithSpan) -> Box<Diagnostic> {
    let span: Span = byte_span(token.span).unwrap_or_default();
    Box::new(Diagnostic::new(Code::SubsetMalformed, span))
}
