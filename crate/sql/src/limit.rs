//! Limits that keep a hostile or generated script from stopping the page.
//!
//! sqlparser and everything that walks its trees recurse, and a wasm stack is 1 MB. The depth of a statement's tree is
//! therefore bounded before it is parsed, from its tokens alone: parentheses nest, and each operator of a chain
//! `a + b + c` adds a level, because such trees lean to the left.

use sg_diag::{Code, Diagnostic, Span};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::span::byte_span;

/// Longest script, in bytes.
pub(crate) const SCRIPT_BYTES: usize = 1 << 20;
/// Longest statement, in bytes.
pub(crate) const STATEMENT_BYTES: usize = 1 << 18;
/// Most parentheses, brackets, CASEs and angle brackets around one place.
pub(crate) const NESTING: usize = 40;
/// Most levels of the tree that chains of operators and nesting make together.
const DEPTH: usize = 400;
/// What sqlparser may recurse: a parenthesis can cost several of its levels.
pub(crate) const RECURSION: usize = 150;

/// What one pair of parentheses holds so far.
#[derive(Clone, Copy, Default)]
struct Level {
    opening: Span,
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

/// Checks depth and balance of a statement's parentheses.
pub(crate) fn check_shape(tokens: &[TokenWithSpan]) -> Result<(), Box<Diagnostic>> {
    let mut levels = vec![Level::default()];
    let mut prefixes = 0;
    for token in tokens {
        let span = byte_span(token.span).unwrap_or_default();
        match &token.token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                levels.push(Level {
                    opening: span,
                    ..Level::default()
                });
                if levels.len() > NESTING + 1 {
                    return Err(too_deep(tokens, span));
                }
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                let closed = match levels.pop() {
                    Some(closed) if !levels.is_empty() => closed,
                    _ => return Err(unmatched(&token.token, span)),
                };
                if let Some(level) = levels.last_mut() {
                    level.current = level.current.max(closed.depth() + 1);
                }
            }
            token => count(token, levels.last_mut()),
        }
        prefixes = if is_prefix(&token.token) { prefixes + 1 } else { 0 };
        if levels.last().is_some_and(|level| level.depth() > DEPTH) || prefixes > NESTING {
            let count = levels.last().map_or(0, |level| level.depth()).max(prefixes);
            let diagnostic = Diagnostic::new(Code::TooManyOperators, span).arg("count", count);
            return Err(Box::new(
                diagnostic.arg("limit", if prefixes > NESTING { NESTING } else { DEPTH }),
            ));
        }
    }
    match levels.get(1) {
        Some(level) => Err(unclosed(tokens, level.opening)),
        None => Ok(()),
    }
}

fn count(token: &Token, level: Option<&mut Level>) {
    let Some(level) = level else { return };
    match token {
        Token::Comma | Token::SemiColon => level.next_item(),
        Token::Word(word) if word.quote_style.is_none() => match word_role(&word.value) {
            Role::Clause => level.next_item(),
            Role::Set => {
                level.next_item();
                level.sets += 1;
            }
            Role::Operator => level.current += 1,
            Role::None => {}
        },
        Token::Plus
        | Token::Minus
        | Token::Mul
        | Token::Div
        | Token::Mod
        | Token::StringConcat
        | Token::Pipe => {
            level.current += 1;
        }
        Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq => level.current += 1,
        _ => {}
    }
}

enum Role {
    Clause,
    Set,
    Operator,
    None,
}

fn word_role(word: &str) -> Role {
    const OPERATORS: [&str; 11] = [
        "AND", "OR", "NOT", "IS", "IN", "LIKE", "BETWEEN", "SIMILAR", "OVERLAPS", "MEMBER", "CASE",
    ];
    let is = |known: &&str| known.eq_ignore_ascii_case(word);
    if ["UNION", "EXCEPT", "INTERSECT", "MINUS"]
        .iter()
        .any(|known| is(&known))
    {
        Role::Set
    } else if ["SELECT", "FROM", "WHERE", "HAVING", "BY", "QUALIFY"]
        .iter()
        .any(|known| is(&known))
    {
        Role::Clause
    } else if OPERATORS.iter().any(|known| is(&known)) {
        Role::Operator
    } else {
        Role::None
    }
}

/// True for what can stand in front of itself: signs, NOT, CASE.
fn is_prefix(token: &Token) -> bool {
    match token {
        Token::Plus | Token::Minus => true,
        Token::Word(word) => ["NOT", "CASE", "INTERVAL"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(&word.value)),
        _ => false,
    }
}

fn too_deep(tokens: &[TokenWithSpan], at: Span) -> Box<Diagnostic> {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for token in tokens {
        match token.token {
            Token::LParen | Token::LBracket | Token::LBrace => depth += 1,
            Token::RParen | Token::RBracket | Token::RBrace => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    Box::new(
        Diagnostic::new(Code::NestingTooDeep, at)
            .arg("depth", deepest)
            .arg("limit", NESTING),
    )
}

fn unmatched(token: &Token, span: Span) -> Box<Diagnostic> {
    let closing = match token {
        Token::RBracket => "]",
        Token::RBrace => "}",
        _ => ")",
    };
    let diagnostic = Diagnostic::new(Code::UnmatchedParenthesis, span).arg("closing", closing);
    Box::new(diagnostic.fix(sg_diag::Fix::remove(span, closing)))
}

fn unclosed(tokens: &[TokenWithSpan], opening: Span) -> Box<Diagnostic> {
    let sign = tokens
        .iter()
        .find(|token| byte_span(token.span) == Some(opening))
        .map(|token| &token.token);
    let (opening_sign, closing) = match sign {
        Some(Token::LBracket) => ("[", "]"),
        Some(Token::LBrace) => ("{", "}"),
        _ => ("(", ")"),
    };
    let end = tokens
        .last()
        .and_then(|last| byte_span(last.span))
        .unwrap_or(opening)
        .end;
    let diagnostic = Diagnostic::new(Code::UnclosedParenthesis, opening).arg("opening", opening_sign);
    Box::new(diagnostic.fix(sg_diag::Fix::insert(end, closing)))
}
