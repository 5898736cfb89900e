//! Expressions: operands with what hangs on them, and the operators between them by precedence.
//!
//! Constructs that the tree has no node for become reserved calls ([`crate::reserved`]).

mod call;
mod json;
mod operator;
mod special;
mod text;
mod window;

use crate::ast::TimeUnit;
use crate::cursor::{Cursor, Parsed};
use crate::keyword::{is_clause, is_reserved};
use crate::query::{
    AccessExpr, Expr, FunctionArguments, Ident, ObjectName, UnaryOperator, Value, ValueWithSpan,
};
use crate::span::byte_span;
use crate::token::{Token, TokenWithSpan};

/// Reads an expression that begins with a certain word.
type Prefix = fn(&mut Cursor<'_>) -> Parsed<Expr>;

/// How tight a sign binds: as a product, so that `-a * b` is `(-a) * b`.
const SIGN: u8 = 60;
/// How tight NOT binds.
const NOT: u8 = 26;

/// Reserved words that are calls without parentheses.
const TIMES: [&str; 5] = [
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "LOCALTIME",
    "LOCALTIMESTAMP",
];

/// Words that end a query in parentheses inside another pair: `((SELECT 1) UNION …)`.
pub(crate) const BEHIND_QUERY: [&str; 8] = [
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "MINUS",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "FETCH",
];

impl Cursor<'_> {
    /// An expression.
    pub(crate) fn tree(&mut self) -> Parsed<Expr> {
        self.operators(0)
    }

    /// An expression whose operators bind tighter than `least`.
    pub(crate) fn operators(&mut self, least: u8) -> Parsed<Expr> {
        self.enter()?;
        let start = self.here();
        let mut left = self.operand()?;
        loop {
            let binding = self.binding(&left);
            if least >= binding {
                break;
            }
            left = self.operator(left, binding, start)?;
        }
        self.leave();
        Ok(left)
    }

    /// An operand with the fields and elements taken from it.
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let root = self.operand_without_access()?;
        let whole = self.accesses(root)?;
        if self.at_word("COLLATE") {
            self.advance();
            self.names()?;
            return Err(self.foreign("COLLATE", self.since(start)));
        }
        Ok(whole)
    }

    fn operand_without_access(&mut self) -> Parsed<Expr> {
        let token = self.current();
        match &token.token {
            Token::Word(word) if word.quote_style.is_none() => self.word_operand(),
            Token::Word(_) => self.column_or_call(),
            Token::Number(..) | Token::SingleQuotedString(_) | Token::HexStringLiteral(_) => {
                self.advance();
                Ok(Expr::Value(value(token)))
            }
            Token::Minus => self.sign(UnaryOperator::Minus, SIGN),
            Token::Plus => self.sign(UnaryOperator::Plus, SIGN),
            Token::LParen => self.in_parentheses(),
            Token::LBrace => special::odbc(self),
            _ => Err(self.no_expression()),
        }
    }

    fn word_operand(&mut self) -> Parsed<Expr> {
        let word = self.word().unwrap_or_default();
        let next = &self.peek_nth(1).token;
        let call = *next == Token::LParen;
        if let Some(read) = special::reader(self, &word, next) {
            return read(self);
        }
        if self.measures && matches!(word.as_str(), "FINAL" | "RUNNING") && matches!(next, Token::Word(_)) {
            self.take_semantics(word == "FINAL");
            return self.operand_without_access();
        }
        // LEFT and RIGHT are functions too
        let clause = is_clause(&word) && !matches!(word.as_str(), "LEFT" | "RIGHT");
        if clause || (!call && is_reserved(&word) && !TIMES.contains(&word.as_str())) {
            return Err(self.no_expression());
        }
        self.column_or_call()
    }

    /// `name`, `name(…)`, `CURRENT_DATE`
    fn column_or_call(&mut self) -> Parsed<Expr> {
        let ident = self.any_word()?;
        if *self.peek() == Token::LParen {
            return self.call(object_name(ident));
        }
        if ident.quote_style.is_none() && TIMES.iter().any(|word| ident.value.eq_ignore_ascii_case(word)) {
            let call = call::plain(object_name(ident), FunctionArguments::None);
            return Ok(Expr::Function(Box::new(call)));
        }
        Ok(Expr::Identifier(ident))
    }

    /// A word of any kind.
    pub(super) fn any_word(&mut self) -> Parsed<Ident> {
        let token = self.current();
        let Token::Word(word) = &token.token else {
            return self.name();
        };
        self.advance();
        Ok(Ident {
            value: word.value.clone(),
            quote_style: word.quote_style,
            span: token.span,
        })
    }

    pub(super) fn sign(&mut self, op: UnaryOperator, binding: u8) -> Parsed<Expr> {
        self.advance();
        let expr = Box::new(self.operators(binding)?);
        Ok(Expr::UnaryOp { op, expr })
    }

    /// `(a)`, `(a, b)`, `(SELECT …)`
    fn in_parentheses(&mut self) -> Parsed<Expr> {
        let query = self.at_subquery();
        self.advance();
        let expr = if query {
            Expr::Subquery(self.query_tree()?)
        } else {
            let mut items = self.list(Self::tree)?;
            match items.pop() {
                Some(single) if items.is_empty() => Expr::Nested(Box::new(single)),
                last => {
                    items.extend(last);
                    Expr::Tuple(items)
                }
            }
        };
        self.close()?;
        Ok(expr)
    }

    /// True at the parenthesis of a query. One more pair around it makes an expression, unless the inner query is a
    /// part of a larger one: `((SELECT 1) UNION (SELECT 2))`.
    fn at_subquery(&self) -> bool {
        match &self.peek_nth(1).token {
            Token::LParen => self.query_in_parentheses(self.position(), false),
            _ => self.which(1, &["SELECT", "WITH"]).is_some(),
        }
    }

    /// True if the parenthesis at a position opens a query. `nested`: also where another pair is all around it.
    pub(crate) fn query_in_parentheses(&self, open: usize, nested: bool) -> bool {
        let inner = open + 1;
        match &self.token_at(inner).token {
            Token::LParen => {
                let behind = self.closing(inner) + 1;
                let ends = match &self.token_at(behind).token {
                    Token::RParen => nested,
                    token => is_one_of(token, &BEHIND_QUERY),
                };
                ends && self.query_in_parentheses(inner, true)
            }
            token if is_one_of(token, &["TABLE"]) => {
                nested && matches!(self.token_at(inner + 1).token, Token::Word(_))
            }
            token => is_one_of(token, &["SELECT", "WITH", "VALUES"]),
        }
    }

    /// The position of the parenthesis that closes the one at `open`.
    pub(crate) fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let mut position = open;
        loop {
            match self.token_at(position).token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                Token::Eof => return position,
                _ => {}
            }
            if depth == 0 {
                return position;
            }
            position += 1;
        }
    }

    /// Fields and elements behind an operand: `.a`, `[1]`, `.f(x)`; `.*` is left.
    fn accesses(&mut self, root: Expr) -> Parsed<Expr> {
        let mut chain = Vec::new();
        loop {
            match self.peek() {
                Token::Period if self.peek_nth(1).token != Token::Mul => {
                    self.advance();
                    chain.push(AccessExpr::Dot(self.field()?));
                }
                Token::LBracket => {
                    self.advance();
                    chain.push(AccessExpr::Subscript(self.subscript()?));
                }
                _ => break,
            }
        }
        self.accessed(root, chain)
    }

    fn field(&mut self) -> Parsed<Expr> {
        let ident = match self.peek() {
            Token::Word(_) => self.any_word()?,
            _ => self.name()?,
        };
        if *self.peek() == Token::LParen {
            return self.call(object_name(ident));
        }
        Ok(Expr::Identifier(ident))
    }

    fn subscript(&mut self) -> Parsed<Expr> {
        let slice = "A slice `[a:b]`";
        if *self.peek() == Token::Colon {
            return Err(self.foreign(slice, self.here()));
        }
        let start = self.here();
        let index = self.tree()?;
        if *self.peek() == Token::Colon {
            return Err(self.foreign(slice, self.since(start)));
        }
        self.expect(&Token::RBracket, "]")?;
        Ok(index)
    }

    /// `a.b` is one name, and so is `a.f` of `a.f(x)`.
    fn accessed(&self, root: Expr, mut chain: Vec<AccessExpr>) -> Parsed<Expr> {
        if chain.is_empty() {
            return Ok(root);
        }
        let words = chain
            .iter()
            .take_while(|access| matches!(access, AccessExpr::Dot(Expr::Identifier(_))))
            .count();
        let Expr::Identifier(first) = root else {
            let root = Box::new(root);
            let access_chain = chain;
            return Ok(Expr::CompoundFieldAccess { root, access_chain });
        };
        let calls =
            words + 1 == chain.len() && matches!(chain.last(), Some(AccessExpr::Dot(Expr::Function(_))));
        if words < chain.len() && !calls {
            let root = Box::new(Expr::Identifier(first));
            let access_chain = chain;
            return Ok(Expr::CompoundFieldAccess { root, access_chain });
        }
        let last = if calls { chain.pop() } else { None };
        let rest = chain.into_iter().filter_map(|access| match access {
            AccessExpr::Dot(Expr::Identifier(ident)) => Some(ident),
            _ => None,
        });
        let parts: Vec<Ident> = std::iter::once(first).chain(rest).collect();
        if let Some(AccessExpr::Dot(Expr::Function(mut function))) = last {
            function.name.0.splice(0..0, parts);
            return Ok(Expr::Function(function));
        }
        let reserved = |part: &&Ident| part.quote_style.is_none() && is_reserved(&part.value);
        match parts.iter().find(reserved).and_then(|part| byte_span(part.span)) {
            Some(span) => Err(self.reserved_word(span)),
            None => Ok(Expr::CompoundIdentifier(parts)),
        }
    }

    /// `ARRAY[a, b]`, behind its word.
    pub(super) fn array(&mut self) -> Parsed<Expr> {
        self.advance();
        self.elements().map(Expr::Array)
    }

    /// `[a, b]`, empty or not.
    pub(super) fn elements(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(&Token::LBracket, "[")?;
        let elements = if *self.peek() == Token::RBracket {
            Vec::new()
        } else {
            self.list(Self::tree)?
        };
        self.expect(&Token::RBracket, "]")?;
        Ok(elements)
    }

    /// A query in parentheses.
    pub(crate) fn subquery(&mut self) -> Parsed<Box<crate::query::Query>> {
        self.open()?;
        let query = self.query_tree()?;
        self.close()?;
        Ok(query)
    }

    /// A name of any number of parts, as the tree of a query has it.
    pub(crate) fn names(&mut self) -> Parsed<ObjectName> {
        let mut parts = vec![self.name()?];
        while self.take(&Token::Period) {
            parts.push(self.name()?);
        }
        Ok(ObjectName(parts))
    }

    /// A unit of time before an argument: `TIMESTAMPDIFF(DAY, a, b)`.
    pub(super) fn unit_argument(&mut self) -> Option<Expr> {
        let unit = self.word().and_then(|word| TimeUnit::from_word(&word));
        if unit.is_none() || self.peek_nth(1).token != Token::Comma {
            return None;
        }
        self.any_word().ok().map(Expr::Identifier)
    }
}

pub(crate) fn object_name(ident: Ident) -> ObjectName {
    ObjectName(vec![ident])
}

/// True for one of these words without quotes.
pub(crate) fn is_one_of(token: &Token, words: &[&str]) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none()
        && words.iter().any(|known| word.value.eq_ignore_ascii_case(known)))
}

/// A literal; NULL, where the token is none.
fn value(token: &TokenWithSpan) -> ValueWithSpan {
    let value = match &token.token {
        Token::Number(digits) => Value::Number(digits.clone()),
        Token::SingleQuotedString(text) => Value::SingleQuotedString(text.clone()),
        Token::HexStringLiteral(digits) => Value::HexStringLiteral(digits.clone()),
        Token::Word(word) if word.value.eq_ignore_ascii_case("TRUE") => Value::Boolean(true),
        Token::Word(word) if word.value.eq_ignore_ascii_case("FALSE") => Value::Boolean(false),
        _ => Value::Null,
    };
    ValueWithSpan {
        value,
        span: token.span,
    }
}
