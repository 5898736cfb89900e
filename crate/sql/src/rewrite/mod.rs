//! Changes of the token list that let sqlparser read what it otherwise could not.

mod match_input;
mod match_recognize;
mod values;

use sqlparser::tokenizer::{Token, TokenWithSpan};

pub(crate) use match_input::{MatchInput, cut_match_inputs};
pub(crate) use match_recognize::{Within, cut_match_recognize};
pub(crate) use values::parenthesize_values;

/// True if the token is this word without quotes.
fn is_word(token: Option<&TokenWithSpan>, expected: &str) -> bool {
    matches!(token.map(|it| &it.token),
        Some(Token::Word(word)) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(expected))
}

/// The position of the parenthesis that closes the one at `open`; the end of the list if there is none.
fn closing(tokens: &[TokenWithSpan], open: usize) -> usize {
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate().skip(open) {
        match token.token {
            Token::LParen | Token::LBracket | Token::LBrace => depth += 1,
            Token::RParen | Token::RBracket | Token::RBrace => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return position;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}
