//! `VALUES 1, 2`: rows of one value may go without parentheses in Flink.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{closing, is_word};

/// Puts parentheses around the rows of VALUES that have none. The new tokens have the span of their neighbour.
pub(crate) fn parenthesize_values(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let bare = |position: usize| is_word(tokens.get(position), "VALUES") && !opens_row(&tokens, position + 1);
    if !(0..tokens.len()).any(bare) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len() + 8);
    let mut position = 0;
    while let Some(token) = tokens.get(position) {
        out.push(token.clone());
        position += 1;
        if is_word(Some(token), "VALUES") && !opens_row(&tokens, position) {
            position = copy_rows(&tokens, position, &mut out);
        }
    }
    out
}

fn opens_row(tokens: &[TokenWithSpan], position: usize) -> bool {
    let first = tokens.get(position);
    matches!(first.map(|it| &it.token), Some(Token::LParen) | None) || is_word(first, "ROW")
}

/// Copies the rows from `position` on, each in parentheses; where they end.
fn copy_rows(tokens: &[TokenWithSpan], mut position: usize, out: &mut Vec<TokenWithSpan>) -> usize {
    loop {
        let start = position;
        while let Some(token) = tokens.get(position).filter(|token| !ends_row(token)) {
            let opens = matches!(token.token, Token::LParen | Token::LBracket | Token::LBrace);
            position = if opens {
                closing(tokens, position) + 1
            } else {
                position + 1
            };
        }
        let row = tokens.get(start..position.min(tokens.len())).unwrap_or(&[]);
        if let (Some(first), Some(last)) = (row.first(), row.last()) {
            let whole = first.token == Token::LParen && closing(tokens, start) + 1 == position;
            if !whole {
                out.push(TokenWithSpan {
                    token: Token::LParen,
                    span: first.span,
                });
            }
            out.extend_from_slice(row);
            if !whole {
                out.push(TokenWithSpan {
                    token: Token::RParen,
                    span: last.span,
                });
            }
        }
        match tokens.get(position) {
            Some(comma) if comma.token == Token::Comma => {
                out.push(comma.clone());
                position += 1;
            }
            _ => return position,
        }
    }
}

fn ends_row(token: &TokenWithSpan) -> bool {
    const WORDS: [&str; 9] = [
        "UNION",
        "EXCEPT",
        "INTERSECT",
        "ORDER",
        "LIMIT",
        "OFFSET",
        "FETCH",
        "ON",
        "AS",
    ];
    matches!(token.token, Token::Comma | Token::RParen | Token::SemiColon)
        || WORDS.iter().any(|word| is_word(Some(token), word))
}
