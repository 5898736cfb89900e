//! SELECT and its clauses.

use sg_diag::{Code, Diagnostic};

use crate::cursor::{Cursor, Failure, Parsed};
use crate::keyword::is_reserved;
use crate::query::{Expr, Ident, Select, SelectItem, SelectItemQualifiedWildcardKind};
use crate::span::byte_span;
use crate::token::Token;

/// Clauses that other databases have behind FROM or the select list.
const FOREIGN: [(&[&str], &str); 10] = [
    (&["INTO"], "SELECT … INTO"),
    (&["LATERAL", "VIEW"], "LATERAL VIEW"),
    (&["CONNECT", "BY"], "CONNECT BY"),
    (&["CLUSTER", "BY"], SORTS),
    (&["DISTRIBUTE", "BY"], SORTS),
    (&["SORT", "BY"], SORTS),
    (&["CROSS", "APPLY"], "APPLY"),
    (&["OUTER", "APPLY"], "APPLY"),
    (&["ASOF", "JOIN"], "ASOF JOIN"),
    (&["STRAIGHT_JOIN"], "STRAIGHT_JOIN"),
];
const SORTS: &str = "CLUSTER BY, DISTRIBUTE BY or SORT BY";

impl Cursor<'_> {
    /// A SELECT up to its last clause; ORDER BY belongs to the query.
    pub(super) fn select(&mut self) -> Parsed<Box<Select>> {
        let select_token = self.advance();
        self.hint_places
            .extend(byte_span(select_token.span).map(|span| span.end));
        let mut select = Box::new(Select {
            select_token: select_token.span,
            distinct: false,
            projection: Vec::new(),
            from: Vec::new(),
            selection: None,
            group_by: Vec::new(),
            having: None,
            named_window: Vec::new(),
            qualify: None,
        });
        select.distinct = self.take_one(&["ALL", "DISTINCT"]) == Some(1);
        if select.distinct && self.at_word("ON") {
            return Err(self.foreign("DISTINCT ON", self.here()));
        }
        if self.at_word("TOP") && matches!(self.peek_nth(1).token, Token::Number(..)) {
            let failure = self.foreign("TOP", self.here());
            let number = byte_span(self.peek_nth(1).span).unwrap_or_default();
            return Err(self.flink_fails_at(failure, number.start));
        }
        select.projection = self.list(Self::select_item)?;
        if self.take_word("FROM") {
            select.from = self.list(Self::table_with_joins)?;
        }
        if let Some(failure) = self.foreign_clause() {
            return Err(failure);
        }
        if self.take_word("WHERE") {
            select.selection = Some(self.tree()?);
        }
        let group = self.here();
        if self.take_words(&["GROUP", "BY"]) {
            if self.at_word("ALL") {
                return Err(self.foreign("GROUP BY ALL", group));
            }
            select.group_by = self.list(Self::group_key)?;
        }
        if self.take_word("HAVING") {
            select.having = Some(self.tree()?);
        }
        // either order, as Flink has it
        loop {
            if select.named_window.is_empty() && self.take_word("WINDOW") {
                select.named_window = self.list(Self::named_window)?;
            } else if select.qualify.is_none() && self.take_word("QUALIFY") {
                select.qualify = Some(self.tree()?);
            } else {
                return Ok(select);
            }
        }
    }

    /// A clause of other databases at the next token.
    pub(super) fn foreign_clause(&self) -> Option<Failure> {
        let (_, construct) = FOREIGN.iter().find(|(words, _)| self.at_words(words))?;
        Some(self.foreign(construct, self.here()))
    }

    /// `*`, `t.*`, `a [[AS] b]`
    fn select_item(&mut self) -> Parsed<SelectItem> {
        if *self.peek() == Token::Mul {
            let star = self.advance().span;
            if self.alias()?.is_some() {
                let span = byte_span(star).unwrap_or_default();
                let diagnostic = Diagnostic::new(Code::StarWithAlias, span);
                self.complain(diagnostic.flink(self.invalid(span, "Unknown identifier '*'")));
            }
            return Ok(SelectItem::Wildcard(star));
        }
        if let Some(name) = self.qualified_star() {
            let kind = SelectItemQualifiedWildcardKind::ObjectName(name);
            return Ok(SelectItem::QualifiedWildcard(kind, self.advance().span));
        }
        let expr = self.tree()?;
        if *self.peek() == Token::Period {
            self.advance();
            let kind = SelectItemQualifiedWildcardKind::Expr(expr);
            return Ok(SelectItem::QualifiedWildcard(kind, self.advance().span));
        }
        Ok(match self.alias()? {
            Some(alias) => SelectItem::ExprWithAlias { expr, alias },
            None => SelectItem::UnnamedExpr(expr),
        })
    }

    /// `[AS] name`. Without AS, a word of a clause that other databases have is none.
    pub(super) fn alias(&mut self) -> Parsed<Option<Ident>> {
        if self.take_word("AS") {
            return self.name().map(Some);
        }
        let Token::Word(word) = self.peek() else {
            return Ok(None);
        };
        let free = word.quote_style.is_some()
            || !(is_reserved(&word.value) || self.foreign_clause().is_some() || self.at_table_clause());
        if free { self.name().map(Some) } else { Ok(None) }
    }

    /// `GROUPING SETS (…)`, `CUBE (…)`, `ROLLUP (…)`, `()`, `a`
    fn group_key(&mut self) -> Parsed<Expr> {
        let wrap: fn(Vec<Vec<Expr>>) -> Expr = if self.take_words(&["GROUPING", "SETS"]) {
            Expr::GroupingSets
        } else if self.take_word("CUBE") {
            Expr::Cube
        } else if self.take_word("ROLLUP") {
            Expr::Rollup
        } else if *self.peek() == Token::LParen && self.peek_nth(1).token == Token::RParen {
            self.advance();
            self.advance();
            return Ok(Expr::Tuple(Vec::new()));
        } else {
            return self.tree();
        };
        self.open()?;
        let sets = self.list(Self::grouping_set)?;
        self.close()?;
        Ok(wrap(sets))
    }

    /// `(a, b)`, `()`, `a`
    fn grouping_set(&mut self) -> Parsed<Vec<Expr>> {
        if !self.take(&Token::LParen) {
            return Ok(vec![self.tree()?]);
        }
        let keys = if *self.peek() == Token::RParen {
            Vec::new()
        } else {
            self.list(Self::tree)?
        };
        self.close()?;
        Ok(keys)
    }
}
