//! `MATCH_RECOGNIZE`: what the tree has, and its WITHIN, SUBSET, FINAL and RUNNING for the side table.

use sg_diag::{Code, Diagnostic};

use crate::cursor::{AN_EXPRESSION, Cursor, Expected, Failure, Parsed};
use crate::query::{
    AfterMatchSkip, EmptyMatchesMode, MatchRecognizePattern as Pattern, MatchRecognizeSymbol as Symbol,
    Measure, RepetitionQuantifier as Quantifier, RowsPerMatch, SymbolDefinition, TableFactor,
};
use crate::side::{MeasureSemantics, Subset};
use crate::token::Token;

impl Cursor<'_> {
    /// `MATCH_RECOGNIZE (…) [alias]` behind a table.
    #[inline(never)]
    pub(super) fn match_recognize(&mut self, table: TableFactor) -> Parsed<TableFactor> {
        self.advance();
        self.open()?;
        let (partition_by, order_by) = self.partition_and_order()?;
        let mut measures = Vec::new();
        if self.take_word("MEASURES") {
            let outer = std::mem::replace(&mut self.measures, true);
            measures = self.list(Self::measure)?;
            self.measures = outer;
        }
        let rows_per_match = self.rows_per_match();
        let after_match_skip = self.after_match_skip()?;
        self.expect_word("PATTERN")?;
        self.open()?;
        let pattern = self.pattern()?;
        self.close()?;
        let within = if self.take_word("WITHIN") {
            if self.which(0, &["SUBSET", "DEFINE"]).is_some() {
                return Err(self.expected(AN_EXPRESSION));
            }
            Some(self.expr()?)
        } else {
            None
        };
        let subsets = if self.take_word("SUBSET") {
            self.list(Self::subset)?
        } else {
            Vec::new()
        };
        self.expect_word("DEFINE")?;
        let key = self.here().start;
        if let Some(within) = within {
            self.side.within.insert(key, within);
        }
        if !subsets.is_empty() {
            self.side.subsets.insert(key, subsets);
        }
        let symbols = self.list(Self::definition)?;
        self.close()?;
        let alias = self.table_alias()?;
        Ok(TableFactor::MatchRecognize {
            table: Box::new(table),
            partition_by,
            order_by,
            measures,
            rows_per_match,
            after_match_skip,
            pattern,
            symbols,
            alias,
        })
    }

    /// `expr AS name`
    fn measure(&mut self) -> Parsed<Measure> {
        let expr = self.tree()?;
        self.take_word("AS");
        Ok(Measure {
            expr,
            alias: self.name()?,
        })
    }

    /// FINAL or RUNNING before what it says something about.
    pub(crate) fn take_semantics(&mut self, last: bool) {
        self.advance();
        let semantics = if last {
            MeasureSemantics::Final
        } else {
            MeasureSemantics::Running
        };
        self.side.semantics.insert(self.here().start, semantics);
    }

    fn rows_per_match(&mut self) -> Option<RowsPerMatch> {
        if self.take_words(&["ONE", "ROW", "PER", "MATCH"]) {
            return Some(RowsPerMatch::OneRow);
        }
        if !self.take_words(&["ALL", "ROWS", "PER", "MATCH"]) {
            return None;
        }
        let mode = if self.take_words(&["SHOW", "EMPTY", "MATCHES"]) {
            Some(EmptyMatchesMode::Show)
        } else if self.take_words(&["OMIT", "EMPTY", "MATCHES"]) {
            Some(EmptyMatchesMode::Omit)
        } else if self.take_words(&["WITH", "UNMATCHED", "ROWS"]) {
            Some(EmptyMatchesMode::WithUnmatched)
        } else {
            None
        };
        Some(RowsPerMatch::AllRows(mode))
    }

    /// `AFTER MATCH SKIP …`; `TO b` means `TO LAST b`.
    #[inline(never)]
    fn after_match_skip(&mut self) -> Parsed<Option<AfterMatchSkip>> {
        if !self.take_words(&["AFTER", "MATCH", "SKIP"]) {
            return Ok(None);
        }
        if self.take_words(&["PAST", "LAST", "ROW"]) {
            return Ok(Some(AfterMatchSkip::PastLastRow));
        }
        if !self.take_word("TO") {
            return Err(self.expected(Expected("a place to skip to", "跳转位置")));
        }
        if self.take_words(&["NEXT", "ROW"]) {
            return Ok(Some(AfterMatchSkip::ToNextRow));
        }
        let named = matches!(self.peek_nth(1).token, Token::Word(_)) && !self.at_words(&["", "PATTERN"]);
        let which = if named {
            self.take_one(&["FIRST", "LAST"])
        } else {
            None
        };
        let symbol = self.name()?;
        Ok(Some(match which {
            Some(0) => AfterMatchSkip::ToFirst(symbol),
            _ => AfterMatchSkip::ToLast(symbol),
        }))
    }

    /// `a = (b, c)`
    fn subset(&mut self) -> Parsed<Subset> {
        if !matches!(self.peek(), Token::Word(_)) {
            return Err(self.malformed_subset());
        }
        let name = self.ident()?;
        if !self.take(&Token::Eq) || !self.take(&Token::LParen) {
            return Err(self.malformed_subset());
        }
        let symbols = self.list(Self::ident)?;
        if !self.take(&Token::RParen) {
            return Err(self.malformed_subset());
        }
        Ok(Subset { name, symbols })
    }

    fn malformed_subset(&self) -> Failure {
        Diagnostic::new(Code::SubsetMalformed, self.here()).into()
    }

    /// `a AS condition`
    fn definition(&mut self) -> Parsed<SymbolDefinition> {
        let symbol = self.name()?;
        self.expect_word("AS")?;
        Ok(SymbolDefinition {
            symbol,
            definition: self.tree()?,
        })
    }

    /// `a b | c`
    fn pattern(&mut self) -> Parsed<Pattern> {
        self.enter()?;
        let mut alternatives = vec![self.sequence()?];
        while self.take(&Token::Pipe) {
            alternatives.push(self.sequence()?);
        }
        self.leave();
        Ok(single(alternatives, Pattern::Alternation))
    }

    /// `a b`
    fn sequence(&mut self) -> Parsed<Pattern> {
        let mut patterns = vec![self.repetition()?];
        while !matches!(self.peek(), Token::RParen | Token::Pipe) {
            patterns.push(self.repetition()?);
        }
        Ok(single(patterns, Pattern::Concat))
    }

    /// `a+`, `a{2,}?`
    fn repetition(&mut self) -> Parsed<Pattern> {
        let pattern = self.symbol()?;
        let quantifier = match self.peek() {
            Token::Mul => Quantifier::ZeroOrMore,
            Token::Plus => Quantifier::OneOrMore,
            token if *token == Token::Placeholder('?') => Quantifier::AtMostOne,
            Token::LBrace if self.peek_nth(1).token != Token::Minus => self.range()?,
            _ => return Ok(pattern),
        };
        self.advance();
        let quantifier = if *self.peek() == Token::Placeholder('?') {
            self.advance();
            Quantifier::Reluctant(Box::new(quantifier))
        } else {
            quantifier
        };
        Ok(Pattern::Repetition(Box::new(pattern), quantifier))
    }

    /// `{n}`, `{n,}`, `{,m}`, `{n,m}` up to its closing brace.
    fn range(&mut self) -> Parsed<Quantifier> {
        self.advance();
        let least = match self.peek() {
            Token::Comma => None,
            _ => Some(self.number()?),
        };
        let comma = self.take(&Token::Comma);
        let most = match self.peek() {
            Token::Number(..) if comma => Some(self.number()?),
            _ => None,
        };
        let quantifier = match (least, most) {
            (Some(least), Some(most)) => Quantifier::Range(least, most),
            (Some(least), None) if comma => Quantifier::AtLeast(least),
            (Some(count), None) => Quantifier::Exactly(count),
            (None, Some(most)) => Quantifier::AtMost(most),
            (None, None) => return Err(self.expected(Expected("a number", "数字"))),
        };
        if *self.peek() != Token::RBrace {
            return Err(self.expected_code("}"));
        }
        Ok(quantifier)
    }

    /// One symbol, or a pattern in parentheses.
    fn symbol(&mut self) -> Parsed<Pattern> {
        let symbol = match self.peek() {
            Token::Caret => Symbol::Start,
            token if *token == Token::Placeholder('$') => Symbol::End,
            Token::LBrace => {
                self.advance();
                self.expect(&Token::Minus, "-")?;
                let symbol = self.name()?;
                self.expect(&Token::Minus, "-")?;
                self.expect(&Token::RBrace, "}")?;
                return Ok(Pattern::Exclude(Symbol::Named(symbol)));
            }
            Token::LParen => {
                self.advance();
                let pattern = self.pattern()?;
                self.close()?;
                return Ok(Pattern::Group(Box::new(pattern)));
            }
            Token::Word(word) if word.quote_style.is_none() && word.value == "PERMUTE" => {
                self.advance();
                let symbols = self.parenthesized(|cursor| cursor.name().map(Symbol::Named))?;
                return Ok(Pattern::Permute(symbols));
            }
            _ => return Ok(Pattern::Symbol(Symbol::Named(self.name()?))),
        };
        self.advance();
        Ok(Pattern::Symbol(symbol))
    }
}

/// The only pattern, or all of them as one.
fn single(mut patterns: Vec<Pattern>, wrap: fn(Vec<Pattern>) -> Pattern) -> Pattern {
    match patterns.pop() {
        Some(only) if patterns.is_empty() => only,
        last => {
            patterns.extend(last);
            wrap(patterns)
        }
    }
}
