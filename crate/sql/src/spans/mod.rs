//! Whole spans of nodes: what the tree knows in part, widened with the statement's tokens.
//!
//! A node's children say where it lies; the tokens around them say where it begins and ends. A node without any known
//! child (an empty array) gets the span of the statement: a diagnostic never points at nothing.

mod expr;
mod tokens;

use sg_diag::Span;

use crate::query::{Expr, ObjectName, Query, Select, SetExpr, TableAlias, TableFactor};
use crate::span::byte_span;
use crate::token::TokenWithSpan;
use tokens::Tokens;

/// Finds the whole span of a node of one statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans {
    tokens: Tokens,
}

impl Spans {
    pub(crate) fn new(tokens: &[TokenWithSpan]) -> Self {
        Self {
            tokens: Tokens::new(tokens),
        }
    }

    /// The span of the statement.
    pub fn statement(&self) -> Span {
        self.tokens.all()
    }

    /// The whole span of an expression: parentheses, keywords, OVER and FILTER included.
    pub fn expr(&self, expr: &Expr) -> Span {
        expr::span(&self.tokens, expr).unwrap_or_else(|| self.tokens.all())
    }

    /// The span of a query from its first word to its last token, without parentheses around it.
    pub fn query(&self, query: &Query) -> Span {
        query_span(&self.tokens, query).unwrap_or_else(|| self.tokens.all())
    }

    /// The span of one side of a set operation.
    pub fn set_expr(&self, body: &SetExpr) -> Span {
        set_span(&self.tokens, body).unwrap_or_else(|| self.tokens.all())
    }

    /// The span of a SELECT up to the end of its last clause, ORDER BY and LIMIT excluded.
    pub fn select(&self, select: &Select) -> Span {
        select_span(&self.tokens, select).unwrap_or_else(|| self.tokens.all())
    }

    /// The span of a name of several parts.
    pub fn object_name(&self, name: &ObjectName) -> Span {
        name_span(name).unwrap_or_else(|| self.tokens.all())
    }

    /// The span of a table, function or sub-query in FROM, its alias included.
    pub fn table_factor(&self, factor: &TableFactor) -> Span {
        factor_span(&self.tokens, factor).unwrap_or_else(|| self.tokens.all())
    }

    /// The first of these words (in capitals) behind an offset, sub-queries and arguments left out: a clause's keyword.
    pub fn word_behind(&self, offset: u32, words: &[&str]) -> Option<Span> {
        self.tokens.word_behind(offset, words)
    }

    /// The span of the token before an offset, such as that of the keyword before a node.
    pub fn token_before(&self, offset: u32) -> Option<Span> {
        self.tokens.before(offset).map(|at| self.tokens.span(at))
    }

    /// What stands before a word that joins two parts of a node, such as OVER, and what stands behind it; words in brackets
    /// are those of other nodes.
    pub fn parted_by(&self, node: Span, word: &str) -> Option<(Span, Span)> {
        let word = self.tokens.word_behind(node.start, &[word])?;
        let before = self.token_before(word.start)?;
        let behind = self.tokens.span(self.tokens.from(word.end));
        Some((
            Span::new(node.start, before.end),
            Span::new(behind.start, node.end),
        ))
    }

    /// The bracket that opens around an offset.
    pub fn bracket_before(&self, offset: u32) -> Option<Span> {
        self.tokens.enclosing(offset).map(|at| self.tokens.span(at))
    }
}

fn query_span(tokens: &Tokens, query: &Query) -> Option<Span> {
    let start = match &query.with {
        Some(with) => byte_span(with.with_token)?,
        None => set_span(tokens, &query.body)?,
    };
    Some(Span::new(start.start, tokens.end_of_query(start.start)))
}

fn set_span(tokens: &Tokens, body: &SetExpr) -> Option<Span> {
    match body {
        SetExpr::Select(select) => select_span(tokens, select),
        SetExpr::Query(query) => Some(tokens.around(query_span(tokens, query)?)),
        SetExpr::SetOperation { left, right, .. } => {
            Some(set_span(tokens, left)?.join(set_span(tokens, right)?))
        }
        SetExpr::Values(values) => {
            let first = byte_span(values.rows.first()?.opening_token)?;
            let last = byte_span(values.rows.last()?.closing_token)?;
            let word = tokens.word_before(first.start, &["VALUES", "ROW"])?;
            let word = tokens.word_before(word.start, &["VALUES"]).unwrap_or(word);
            Some(word.join(last))
        }
        SetExpr::Table(table) => {
            let name = name_span(table)?;
            Some(
                tokens
                    .word_before(name.start, &["TABLE"])
                    .unwrap_or(name)
                    .join(name),
            )
        }
    }
}

fn select_span(tokens: &Tokens, select: &Select) -> Option<Span> {
    let start = byte_span(select.select_token)?;
    Some(Span::new(start.start, tokens.end_of_select(start.start)))
}

fn factor_span(tokens: &Tokens, factor: &TableFactor) -> Option<Span> {
    let (inner, alias) = match factor {
        TableFactor::Table {
            name, args, alias, ..
        } => {
            let name = name_span(name)?;
            let call = if args.is_some() {
                tokens.call_after(name)
            } else {
                name
            };
            (call, alias)
        }
        TableFactor::Derived {
            subquery,
            alias,
            lateral,
            ..
        } => {
            let inner = tokens.around(query_span(tokens, subquery)?);
            let word = if *lateral {
                tokens.word_before(inner.start, &["LATERAL"])
            } else {
                None
            };
            (word.unwrap_or(inner).join(inner), alias)
        }
        TableFactor::TableFunction { expr, alias } => (tokens.call_around(expr::span(tokens, expr)?), alias),
        TableFactor::Function { name, alias, .. } => {
            let call = tokens.call_after(name_span(name)?);
            let word = tokens.word_before(call.start, &["LATERAL"]);
            (word.unwrap_or(call).join(call), alias)
        }
        TableFactor::NestedJoin {
            table_with_joins,
            alias,
        } => {
            let first = factor_span(tokens, &table_with_joins.relation)?;
            (tokens.around(first), alias)
        }
        TableFactor::MatchRecognize {
            table,
            symbols,
            alias,
            ..
        } => {
            let symbol = byte_span(symbols.first()?.symbol.span)?;
            (
                factor_span(tokens, table)?.join(tokens.call_around(symbol)),
                alias,
            )
        }
    };
    Some(match alias {
        Some(alias) => inner.join(alias_span(tokens, alias)?),
        None => inner,
    })
}

fn alias_span(tokens: &Tokens, alias: &TableAlias) -> Option<Span> {
    let name = byte_span(alias.name.span)?;
    Some(if alias.columns.is_empty() {
        name
    } else {
        tokens.call_after(name)
    })
}

fn name_span(name: &ObjectName) -> Option<Span> {
    let spans = name.0.iter().filter_map(|part| byte_span(part.span));
    spans.reduce(Span::join)
}
