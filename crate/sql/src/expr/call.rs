//! Calls: arguments in all their forms, and what follows the parentheses.

use super::special::with_keys;
use crate::cursor::{Cursor, Expected, Parsed};
use crate::query::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, Ident, NullTreatment, ObjectName,
};
use crate::span::byte_span;
use crate::token::Token;

/// Clauses inside the parentheses that other databases have.
const FOREIGN: [(&str, &str); 3] = [
    ("WHERE", "WHERE inside the parentheses"),
    ("LIMIT", "LIMIT inside the parentheses"),
    ("SEPARATOR", "SEPARATOR"),
];

/// A call with nothing but arguments.
pub(super) fn plain(name: ObjectName, args: FunctionArguments) -> Function {
    Function {
        name,
        uses_odbc_syntax: false,
        args,
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    }
}

impl Cursor<'_> {
    /// A call, at its parenthesis: `(…) [WITHIN GROUP (…)] [FILTER (…)] [IGNORE NULLS] [OVER …]`
    pub(super) fn call(&mut self, name: ObjectName) -> Parsed<Expr> {
        let list = self.arguments(&name)?;
        let mut call = Box::new(plain(name, FunctionArguments::List(list)));
        if self.take_words(&["WITHIN", "GROUP"]) {
            self.open()?;
            self.expect_words(&["ORDER", "BY"])?;
            call.within_group = self.list(Self::sort_key)?;
            self.close()?;
        }
        if self.at_word("FILTER") {
            call.filter = Some(self.filter()?);
        }
        call.null_treatment = if self.take_words(&["RESPECT", "NULLS"]) {
            Some(NullTreatment::RespectNulls)
        } else if self.take_words(&["IGNORE", "NULLS"]) {
            Some(NullTreatment::IgnoreNulls)
        } else {
            None
        };
        if self.take_word("OVER") {
            call.over = Some(self.over()?);
        }
        Ok(Expr::Function(call))
    }

    /// `FILTER (WHERE …)`
    pub(super) fn filter(&mut self) -> Parsed<Expr> {
        self.advance();
        self.open()?;
        self.expect_word("WHERE")?;
        let condition = self.tree()?;
        self.close()?;
        Ok(condition)
    }

    /// `([DISTINCT] a, b => c, * [ORDER BY …])`
    fn arguments(&mut self, name: &ObjectName) -> Parsed<FunctionArgumentList> {
        self.open()?;
        let mut list = FunctionArgumentList {
            duplicate_treatment: None,
            args: Vec::new(),
            clauses: Vec::new(),
        };
        let is = |word: &str| matches!(name.0.as_slice(), [one] if one.value.eq_ignore_ascii_case(word));
        if !is("ROW") && self.take(&Token::RParen) {
            return Ok(list);
        }
        list.duplicate_treatment = match self.take_one(&["ALL", "DISTINCT"]) {
            Some(0) => Some(DuplicateTreatment::All),
            Some(_) => Some(DuplicateTreatment::Distinct),
            None => None,
        };
        if list.duplicate_treatment.is_some() && *self.peek() == Token::Mul {
            return Err(self.unexpected());
        }
        let unit = if takes_unit(name) {
            if !matches!(self.peek(), Token::Word(_)) {
                return Err(self.expected(Expected("a unit of time", "时间单位")));
            }
            self.unit_argument()
        } else {
            None
        };
        if let Some(unit) = unit {
            list.args.push(unnamed(unit));
            self.advance();
        }
        list.args.extend(self.list(Self::argument)?);
        for (word, construct) in FOREIGN {
            if self.at_word(word) {
                let span = name.0.first().map(|ident| ident.span);
                return Err(self.foreign(construct, span.and_then(byte_span).unwrap_or_else(|| self.here())));
            }
        }
        if self.take_words(&["ORDER", "BY"]) {
            let keys = self.list(Self::sort_key)?;
            list.clauses.push(FunctionArgumentClause::OrderBy(keys));
        }
        self.close()?;
        Ok(list)
    }

    /// `(a, b)` of a table function, `)` included.
    pub(crate) fn table_arguments(&mut self) -> Parsed<Vec<FunctionArg>> {
        self.open()?;
        if self.take(&Token::RParen) {
            return Ok(Vec::new());
        }
        let args = self.list(Self::argument)?;
        self.close()?;
        Ok(args)
    }

    /// `a`, `name => a`, `*`, `t.*`
    fn argument(&mut self) -> Parsed<FunctionArg> {
        if matches!(self.peek(), Token::Word(_)) && self.peek_nth(1).token == Token::RArrow {
            let name = self.name()?;
            self.advance();
            return Ok(FunctionArg::Named {
                name,
                arg: self.argument_value()?,
            });
        }
        self.argument_value().map(FunctionArg::Unnamed)
    }

    fn argument_value(&mut self) -> Parsed<FunctionArgExpr> {
        if self.take(&Token::Mul) {
            return Ok(FunctionArgExpr::Wildcard);
        }
        if let Some(name) = self.qualified_star() {
            self.advance();
            return Ok(FunctionArgExpr::QualifiedWildcard(name));
        }
        let start = self.here();
        let value = self.tree()?;
        let keys = matches!(value, Expr::Subquery(_)) && self.which(0, &["PARTITION", "ORDER"]).is_some();
        Ok(FunctionArgExpr::Expr(if keys {
            with_keys(self, start, value)?
        } else {
            value
        }))
    }

    /// `t.`, `a.b.` before a star; nothing is taken where none follows.
    pub(crate) fn qualified_star(&mut self) -> Option<ObjectName> {
        let mut n = 0;
        while matches!(self.peek_nth(n).token, Token::Word(_)) && self.peek_nth(n + 1).token == Token::Period
        {
            n += 2;
        }
        if n == 0 || self.peek_nth(n).token != Token::Mul {
            return None;
        }
        let mut parts = Vec::with_capacity(n / 2);
        for _ in 0..n {
            let token = self.advance();
            if let Token::Word(word) = &token.token {
                parts.push(Ident {
                    value: word.value.clone(),
                    quote_style: word.quote_style,
                    span: token.span,
                });
            }
        }
        Some(ObjectName(parts))
    }
}

fn unnamed(expr: Expr) -> FunctionArg {
    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
}

/// True for the functions whose first argument is a unit of time.
fn takes_unit(name: &ObjectName) -> bool {
    let [word] = name.0.as_slice() else {
        return false;
    };
    ["TIMESTAMPADD", "TIMESTAMPDIFF"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(&word.value))
}
