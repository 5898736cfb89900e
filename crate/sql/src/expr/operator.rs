//! Operators between operands, and what follows an operand as a word: IS, IN, LIKE, BETWEEN.

use sg_diag::Span;

use super::special;
use crate::ast::TimeUnit;
use crate::cursor::{Cursor, Expected, Parsed};
use crate::query::{BinaryOperator, Expr, InTarget, JsonPredicateType, UnaryOperator};
use crate::reserved::Reserved;
use crate::token::Token;

// Precedences of Calcite's `SqlStdOperatorTable`; a higher one binds tighter.
const OR: u8 = 22;
const AND: u8 = 24;
const IS: u8 = 28;
pub(super) const COMPARISON: u8 = 30;
pub(super) const RANGE: u8 = 32;
const SUM: u8 = 40;
const PRODUCT: u8 = 60;
/// `(a - b) DAY`
const UNIT: u8 = 100;

/// Words that follow an operand, with their precedence.
const WORDS: [(&str, u8); 11] = [
    ("OR", OR),
    ("AND", AND),
    ("IS", IS),
    ("OVERLAPS", COMPARISON),
    ("IN", RANGE),
    ("BETWEEN", RANGE),
    ("LIKE", RANGE),
    ("ILIKE", RANGE),
    ("RLIKE", RANGE),
    ("SIMILAR", RANGE),
    ("MEMBER", RANGE),
];
/// Which of them NOT can stand before.
const NEGATED: [&str; 6] = ["IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "SIMILAR"];

/// What makes a test of an operand.
type Test = fn(Box<Expr>) -> Expr;

/// `IS …` without another operand.
const TESTS: [(&[&str], Test); 8] = [
    (&["NULL"], Expr::IsNull),
    (&["NOT", "NULL"], Expr::IsNotNull),
    (&["TRUE"], Expr::IsTrue),
    (&["NOT", "TRUE"], Expr::IsNotTrue),
    (&["FALSE"], Expr::IsFalse),
    (&["NOT", "FALSE"], Expr::IsNotFalse),
    (&["UNKNOWN"], Expr::IsUnknown),
    (&["NOT", "UNKNOWN"], Expr::IsNotUnknown),
];

impl Cursor<'_> {
    /// How tight the next token binds as an operator behind `left`; 0 where it is none.
    pub(super) fn binding(&self, left: &Expr) -> u8 {
        match self.peek() {
            Token::Plus | Token::Minus => SUM,
            Token::Mul | Token::Div | Token::Mod | Token::StringConcat => PRODUCT,
            Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq => COMPARISON,
            Token::Word(word) if word.quote_style.is_none() => {
                let binding = WORDS
                    .iter()
                    .find(|(known, _)| word.value.eq_ignore_ascii_case(known));
                match binding {
                    Some((_, binding)) => *binding,
                    None if self.at_word("NOT") && self.which(1, &NEGATED).is_some() => RANGE,
                    None if self.at_words(&["AT", "TIME", "ZONE"]) => SUM,
                    None if is_difference(left) && self.at_unit() => UNIT,
                    None => 0,
                }
            }
            _ => 0,
        }
    }

    fn at_unit(&self) -> bool {
        self.word()
            .is_some_and(|word| TimeUnit::from_word(&word).is_some())
    }

    /// Reads the operator at the next token and what stands right of it. `start` is where `left` begins.
    pub(super) fn operator(&mut self, left: Expr, binding: u8, start: Span) -> Parsed<Expr> {
        let op = match self.peek() {
            Token::Plus => BinaryOperator::Plus,
            Token::Minus => BinaryOperator::Minus,
            Token::Mul => BinaryOperator::Multiply,
            Token::Div => BinaryOperator::Divide,
            Token::Mod => BinaryOperator::Modulo,
            Token::StringConcat => BinaryOperator::StringConcat,
            Token::Eq => BinaryOperator::Eq,
            Token::Neq => BinaryOperator::NotEq,
            Token::Lt => BinaryOperator::Lt,
            Token::LtEq => BinaryOperator::LtEq,
            Token::Gt => BinaryOperator::Gt,
            Token::GtEq => BinaryOperator::GtEq,
            _ if binding == UNIT => return special::minus_interval(self, left, start),
            _ if self.at_word("AND") => BinaryOperator::And,
            _ if self.at_word("OR") => BinaryOperator::Or,
            _ => return self.word_operator(Box::new(left), start),
        };
        self.advance();
        let left = Box::new(left);
        if binding == COMPARISON
            && let Some(quantifier) = self.take_one(&["ALL", "ANY", "SOME"])
        {
            return self.quantified(left, op, quantifier);
        }
        let right = Box::new(self.operators(binding)?);
        Ok(Expr::BinaryOp { left, op, right })
    }

    /// `= ANY (…)`, behind the word.
    #[inline(never)]
    fn quantified(&mut self, left: Box<Expr>, compare_op: BinaryOperator, quantifier: usize) -> Parsed<Expr> {
        let right = if self.which(1, &["SELECT", "WITH"]).is_some() {
            Expr::Subquery(self.subquery()?)
        } else {
            self.open()?;
            let items = self.list(Self::tree)?;
            self.close()?;
            return Ok(any_of(left, compare_op, items, quantifier == 0));
        };
        let right = Box::new(right);
        Ok(if quantifier == 0 {
            Expr::AllOp {
                left,
                compare_op,
                right,
            }
        } else {
            Expr::AnyOp {
                left,
                compare_op,
                right,
                is_some: quantifier == 2,
            }
        })
    }

    #[inline(never)]
    fn word_operator(&mut self, expr: Box<Expr>, start: Span) -> Parsed<Expr> {
        if self.take_word("IS") {
            return self.test(expr);
        }
        let not = self.here();
        let negated = self.take_word("NOT");
        let Some(which) = self.take_one(&[
            "IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "SIMILAR", "MEMBER", "OVERLAPS",
        ]) else {
            // AT TIME ZONE
            for _ in 0..3 {
                self.advance();
            }
            self.operators(SUM)?;
            let failure = self.foreign("AT TIME ZONE", self.since(start));
            return Err(self.flink_fails_at(failure, not.start));
        };
        match which {
            0 => self.in_list(expr, negated),
            1 if self.at_word("SYMMETRIC") => self.between_symmetric(*expr, negated, not),
            1 => {
                let (low, high) = self.bounds()?;
                Ok(Expr::Between {
                    expr,
                    negated,
                    low,
                    high,
                })
            }
            6 => {
                self.expect_word("OF")?;
                self.open()?;
                let array = Box::new(self.tree()?);
                self.close()?;
                Ok(Expr::MemberOf { value: expr, array })
            }
            7 => special::overlaps(self, *expr, start),
            like => self.like(expr, negated, like, start),
        }
    }

    /// `LIKE 'pattern' [ESCAPE 'c']` and its like, behind the word.
    fn like(&mut self, expr: Box<Expr>, negated: bool, which: usize, start: Span) -> Parsed<Expr> {
        if which == 5 {
            self.expect_word("TO")?;
        }
        let any = self.take_word("ANY");
        let pattern = Box::new(self.operators(RANGE)?);
        if any {
            return Err(self.foreign("LIKE ANY", self.since(start)));
        }
        if which == 4 {
            return Ok(Expr::RLike {
                negated,
                expr,
                pattern,
            });
        }
        let escape_char = if self.take_word("ESCAPE") {
            Some(Box::new(self.operators(RANGE)?))
        } else {
            None
        };
        Ok(match which {
            2 => Expr::Like {
                negated,
                expr,
                pattern,
                escape_char,
            },
            3 => Expr::ILike {
                negated,
                expr,
                pattern,
                escape_char,
            },
            _ => Expr::SimilarTo {
                negated,
                expr,
                pattern,
                escape_char,
            },
        })
    }

    /// `low AND high`
    fn bounds(&mut self) -> Parsed<(Box<Expr>, Box<Expr>)> {
        let low = Box::new(self.operators(RANGE)?);
        self.expect_word("AND").map_err(|failure| {
            let flink = "SqlParserException: SQL parse failed. BETWEEN operator has no terminating AND";
            crate::cursor::Failure::from(failure.0.flink(flink))
        })?;
        Ok((low, Box::new(self.operators(RANGE)?)))
    }

    /// `a [NOT] BETWEEN SYMMETRIC low AND high`, at SYMMETRIC; the construct begins at its NOT or BETWEEN.
    fn between_symmetric(&mut self, expr: Expr, negated: bool, start: Span) -> Parsed<Expr> {
        self.advance();
        let (low, high) = self.bounds()?;
        let span = self.since(start);
        let call = Reserved::BetweenSymmetric.call(span, vec![expr, *low, *high]);
        Ok(if negated {
            Expr::UnaryOp {
                op: UnaryOperator::Not,
                expr: Box::new(call),
            }
        } else {
            call
        })
    }

    /// `(a, b)` or `(SELECT …)`, behind IN.
    fn in_list(&mut self, expr: Box<Expr>, negated: bool) -> Parsed<Expr> {
        let target = if *self.peek() == Token::LParen && self.query_in_parentheses(self.position(), true) {
            InTarget::Subquery(self.subquery()?)
        } else {
            self.open()?;
            let items = self.list(Self::tree)?;
            self.close()?;
            InTarget::List(items)
        };
        Ok(Expr::In {
            expr,
            target,
            negated,
        })
    }

    /// What follows IS.
    fn test(&mut self, expr: Box<Expr>) -> Parsed<Expr> {
        for (words, test) in TESTS {
            if self.take_words(words) {
                return Ok(test(expr));
            }
        }
        let negated = self.take_word("NOT");
        if self.take_words(&["DISTINCT", "FROM"]) {
            let right = Box::new(self.operators(IS)?);
            return Ok(if negated {
                Expr::IsNotDistinctFrom(expr, right)
            } else {
                Expr::IsDistinctFrom(expr, right)
            });
        }
        if self.take_word("JSON") {
            return self.json_test(expr, negated);
        }
        Err(self.expected(Expected(
            "`NULL`, `TRUE`, `FALSE`, `UNKNOWN`, `DISTINCT FROM` or `JSON`",
            "`NULL`、`TRUE`、`FALSE`、`UNKNOWN`、`DISTINCT FROM` 或 `JSON`",
        )))
    }

    /// `IS [NOT] JSON [VALUE|SCALAR|ARRAY|OBJECT] [WITH|WITHOUT UNIQUE [KEYS]]`, behind JSON.
    fn json_test(&mut self, expr: Box<Expr>, negated: bool) -> Parsed<Expr> {
        let kind = match self.take_one(&["VALUE", "SCALAR", "ARRAY", "OBJECT"]) {
            Some(0) => Some(JsonPredicateType::Value),
            Some(1) => Some(JsonPredicateType::Scalar),
            Some(2) => Some(JsonPredicateType::Array),
            Some(_) => Some(JsonPredicateType::Object),
            None => None,
        };
        if self.take_one(&["WITH", "WITHOUT"]).is_some() {
            self.expect_word("UNIQUE")?;
            self.take_word("KEYS");
        }
        Ok(Expr::IsJson { expr, kind, negated })
    }
}

/// `= ANY (a, b)`, which is `IN (a, b)`; another operator is applied to each item.
fn any_of(left: Box<Expr>, op: BinaryOperator, items: Vec<Expr>, all: bool) -> Expr {
    if (op, all) == (BinaryOperator::Eq, false) || (op, all) == (BinaryOperator::NotEq, true) {
        return Expr::In {
            expr: left,
            target: InTarget::List(items),
            negated: all,
        };
    }
    let join = if all {
        BinaryOperator::And
    } else {
        BinaryOperator::Or
    };
    let each = items.into_iter().map(|item| Expr::BinaryOp {
        left: left.clone(),
        op,
        right: Box::new(item),
    });
    each.reduce(|before, next| Expr::BinaryOp {
        left: Box::new(before),
        op: join,
        right: Box::new(next),
    })
    .map_or_else(|| *left.clone(), |whole| Expr::Nested(Box::new(whole)))
}

/// `(a - b)`
fn is_difference(expr: &Expr) -> bool {
    matches!(expr, Expr::Nested(inner)
        if matches!(&**inner, Expr::BinaryOp { op: BinaryOperator::Minus, .. }))
}
