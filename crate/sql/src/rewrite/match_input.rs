//! `(SELECT …) MATCH_RECOGNIZE (…)`: sqlparser only knows tables in front of it, so a name takes the query's place.

use sg_diag::Span;
use sqlparser::{
    ast::Ident,
    keywords::Keyword,
    tokenizer::{Token, TokenWithSpan, Word},
};

use super::is_word;
use crate::span::byte_span;

/// The tokens of a query in front of a `MATCH_RECOGNIZE`, without the parentheses around it.
#[derive(Debug)]
pub(crate) struct MatchInput {
    /// The parenthesis that opens it.
    pub(crate) open: Span,
    pub(crate) tokens: Vec<TokenWithSpan>,
}

/// Cuts the queries out of the tokens; inner ones come first.
pub(crate) fn cut_match_inputs(tokens: &mut Vec<TokenWithSpan>) -> Vec<MatchInput> {
    let mut inputs = Vec::new();
    let mut position = 1;
    while position < tokens.len() {
        if is_word(tokens.get(position), "MATCH_RECOGNIZE")
            && let Some(open) = opening(tokens, position - 1)
            && is_query(tokens.get(open + 1))
            && let Some(span) = tokens.get(open).and_then(|it| byte_span(it.span))
        {
            let mut cut: Vec<TokenWithSpan> = tokens.drain(open + 1..position).collect();
            cut.pop();
            inputs.extend(cut_match_inputs(&mut cut));
            if let Some(token) = tokens.get_mut(open) {
                token.token = placeholder();
            }
            inputs.push(MatchInput {
                open: span,
                tokens: cut,
            });
            position = open + 1;
        }
        position += 1;
    }
    inputs
}

fn placeholder() -> Token {
    let name = Ident::with_quote('`', "MATCH_RECOGNIZE");
    Token::Word(Word {
        value: name.value,
        quote_style: name.quote_style,
        keyword: Keyword::NoKeyword,
    })
}

fn is_query(token: Option<&TokenWithSpan>) -> bool {
    ["SELECT", "WITH", "VALUES"]
        .iter()
        .any(|word| is_word(token, word))
}

/// The parenthesis that the one at `close` closes.
fn opening(tokens: &[TokenWithSpan], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate().take(close + 1).rev() {
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 1 => return Some(position),
            Token::LParen => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}
