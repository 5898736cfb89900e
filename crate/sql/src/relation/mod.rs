//! Queries: WITH, set operations, VALUES, and what stands behind them.

mod from;
mod matching;
mod select;

use sg_diag::{Code, Diagnostic, Fix, Span};

use crate::cursor::{Cursor, Expected, Parsed};
use crate::query::{
    Cte, Expr, Fetch, Parens, Query, SetExpr, SetOperator, SetQuantifier, TableAlias, TableAliasColumnDef,
    Values, With,
};
use crate::span::byte_span;
use crate::token::Token;

/// Set operators with their precedence.
const SETS: [(&str, SetOperator, u8); 4] = [
    ("UNION", SetOperator::Union, 10),
    ("EXCEPT", SetOperator::Except, 10),
    ("MINUS", SetOperator::Minus, 10),
    ("INTERSECT", SetOperator::Intersect, 20),
];

/// What else can follow FOR behind a query, elsewhere.
const LOCKS: [&str; 4] = ["UPDATE", "SHARE", "XML", "JSON"];

impl Cursor<'_> {
    /// A query without parentheses around it.
    pub(crate) fn query_tree(&mut self) -> Parsed<Box<Query>> {
        self.enter()?;
        let with = if self.at_word("WITH") {
            Some(self.with()?)
        } else {
            None
        };
        let body = self.set_operations(0)?;
        let order_by = if self.clause_by("ORDER")? {
            self.list(Self::sort_key)?
        } else {
            Vec::new()
        };
        let (limit, offset) = self.limits()?;
        let fetch = if self.at_word("FETCH") {
            Some(self.fetch()?)
        } else {
            None
        };
        if self.at_word("FOR") && self.which(1, &LOCKS).is_some() {
            let failure = self.foreign("FOR UPDATE, SHARE, XML or JSON", self.here());
            return Err(self.flink_fails_at_nth(failure, 1));
        }
        self.leave();
        Ok(Box::new(Query {
            with,
            body,
            order_by,
            limit,
            offset,
            fetch,
        }))
    }

    fn with(&mut self) -> Parsed<With> {
        let with_token = self.advance().span;
        let recursive = self.take_word("RECURSIVE");
        Ok(With {
            with_token,
            recursive,
            cte_tables: self.list(Self::cte)?,
        })
    }

    /// `name [(columns)] AS (query)`
    fn cte(&mut self) -> Parsed<Cte> {
        let name = self.name()?;
        let columns = self.alias_columns()?;
        self.expect_word("AS")?;
        self.open()?;
        let query = self.query_tree()?;
        self.close()?;
        Ok(Cte {
            alias: TableAlias {
                explicit: false,
                name,
                columns,
            },
            query,
        })
    }

    /// `(a, b)` behind an alias, or nothing.
    fn alias_columns(&mut self) -> Parsed<Vec<TableAliasColumnDef>> {
        if *self.peek() != Token::LParen {
            return Ok(Vec::new());
        }
        self.parenthesized(|cursor| Ok(TableAliasColumnDef { name: cursor.name()? }))
    }

    /// Queries joined by set operators that bind tighter than `least`; the same ones from the left.
    fn set_operations(&mut self, least: u8) -> Parsed<Box<SetExpr>> {
        let mut left = self.query_body()?;
        loop {
            let operator = SETS.iter().find(|(word, ..)| self.at_word(word));
            let Some((_, op, binding)) = operator.filter(|(.., binding)| *binding > least) else {
                return Ok(left);
            };
            let word = self.here();
            self.advance();
            let set_quantifier = match self.take_one(&["ALL", "DISTINCT"]) {
                Some(0) => SetQuantifier::All,
                Some(_) => SetQuantifier::Distinct,
                None => SetQuantifier::None,
            };
            if *op == SetOperator::Minus {
                let diagnostic = Diagnostic::new(Code::MinusSetOperator, self.since(word));
                self.complain(diagnostic.fix(Fix::replace(word, "EXCEPT")).flink(
                    "SqlParserException: SQL parse failed. MINUS is not allowed under the current SQL conformance level",
                ));
            }
            self.enter()?;
            let right = self.set_operations(*binding)?;
            self.leave();
            left = Box::new(SetExpr::SetOperation {
                op: *op,
                set_quantifier,
                left,
                right,
            });
        }
    }

    /// One side of a set operation.
    fn query_body(&mut self) -> Parsed<Box<SetExpr>> {
        Ok(Box::new(if self.at_word("SELECT") {
            SetExpr::Select(self.select()?)
        } else if *self.peek() == Token::LParen {
            SetExpr::Query(self.subquery()?)
        } else if self.take_word("VALUES") {
            SetExpr::Values(self.values()?)
        } else if self.take_word("TABLE") {
            SetExpr::Table(self.names()?)
        } else {
            return Err(self.no_query());
        }))
    }

    /// `(1, 2), ROW (3, 4), 5`, behind VALUES. A row of one value may go without parentheses.
    fn values(&mut self) -> Parsed<Values> {
        let mut values = Values {
            explicit_row: false,
            rows: Vec::new(),
        };
        loop {
            if self.at_word("ROW") && self.peek_nth(1).token == Token::LParen {
                self.advance();
                values.explicit_row = true;
            }
            values.rows.push(self.row()?);
            if !self.take(&Token::Comma) {
                return Ok(values);
            }
        }
    }

    fn row(&mut self) -> Parsed<Parens<Vec<Expr>>> {
        let opening_token = self.current().span;
        let content = if self.take(&Token::LParen) {
            let content = self.list(Self::tree)?;
            self.close()?;
            content
        } else {
            vec![self.tree()?]
        };
        let closing_token = self.token_at(self.position().saturating_sub(1)).span;
        Ok(Parens {
            opening_token,
            content,
            closing_token,
        })
    }

    /// `LIMIT n [OFFSET m]`, `OFFSET m [LIMIT n]`; LIMIT ALL is no limit.
    fn limits(&mut self) -> Parsed<(Option<Expr>, Option<Expr>)> {
        let mut offset = self.offset()?;
        let mut limit = None;
        if self.take_word("LIMIT") {
            if !self.take_word("ALL") {
                let first = self.here();
                limit = Some(self.tree()?);
                if *self.peek() == Token::Comma && matches!(self.peek_nth(1).token, Token::Number(..)) {
                    return Err(self.limit_comma(first));
                }
            }
            if offset.is_none() {
                offset = self.offset()?;
            }
        }
        Ok((limit, offset))
    }

    fn offset(&mut self) -> Parsed<Option<Expr>> {
        if !self.take_word("OFFSET") {
            return Ok(None);
        }
        let value = self.tree()?;
        self.take_one(&["ROW", "ROWS"]);
        Ok(Some(value))
    }

    /// `LIMIT a, b`, at the comma; `offset` is the place of `a`.
    fn limit_comma(&self, offset: Span) -> crate::cursor::Failure {
        let limit = byte_span(self.peek_nth(1).span).unwrap_or(offset);
        let offset = self.since(offset);
        let rewritten = format!("{} OFFSET {}", limit.text(self.text), offset.text(self.text));
        let span = offset.join(limit);
        let diagnostic = Diagnostic::new(Code::LimitComma, span);
        diagnostic
            .fix(Fix::replace(span, rewritten))
            .flink(
                "SqlParserException: SQL parse failed. 'LIMIT start, count' is not allowed under the current SQL conformance level",
            )
            .into()
    }

    /// `FETCH FIRST [n] ROWS ONLY`
    fn fetch(&mut self) -> Parsed<Fetch> {
        let start = self.here();
        self.advance();
        self.take_one(&["FIRST", "NEXT"]);
        let mut quantity = None;
        if self.which(0, &["ROW", "ROWS"]).is_none() {
            let token = self.current();
            if !matches!(token.token, Token::Number(..)) {
                return Err(self.expected(Expected("a value", "值")));
            }
            quantity = Some(self.tree()?);
        }
        let percent = self.take_word("PERCENT");
        self.take_one(&["ROW", "ROWS"]);
        if percent || self.take_words(&["WITH", "TIES"]) {
            return Err(self.foreign("FETCH … PERCENT or WITH TIES", start));
        }
        self.take_word("ONLY");
        Ok(Fetch { quantity })
    }
}
