//! Windows behind OVER and in the WINDOW clause, and keys to sort by.

use crate::cursor::{Cursor, Expected, Parsed};
use crate::query::{
    Expr, NamedWindowDefinition, NamedWindowExpr, OrderByExpr, OrderByOptions, OrderBySort, WindowFrame,
    WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};
use crate::token::Token;

impl Cursor<'_> {
    /// `(…)` or the name of a window, behind OVER.
    pub(super) fn over(&mut self) -> Parsed<WindowType> {
        if *self.peek() == Token::LParen {
            self.window().map(WindowType::WindowSpec)
        } else {
            self.name().map(WindowType::NamedWindow)
        }
    }

    /// `w AS (…)`, `w AS v`
    pub(crate) fn named_window(&mut self) -> Parsed<NamedWindowDefinition> {
        let name = self.name()?;
        self.expect_word("AS")?;
        let window = if *self.peek() == Token::LParen {
            NamedWindowExpr::WindowSpec(self.window()?)
        } else {
            NamedWindowExpr::NamedWindow(self.name()?)
        };
        Ok(NamedWindowDefinition(name, window))
    }

    /// `([name] [PARTITION BY …] [ORDER BY …] [ROWS …] [ALLOW PARTIAL])`
    fn window(&mut self) -> Parsed<WindowSpec> {
        let start = self.here();
        self.open()?;
        let clause = self.which(0, &["PARTITION", "ORDER", "ROWS", "RANGE"]).is_some();
        let window_name = if matches!(self.peek(), Token::Word(_)) && !clause {
            Some(self.name()?)
        } else {
            None
        };
        let (partition_by, order_by) = self.partition_and_order()?;
        let behind = [Some(0), Some(1)].contains(&self.which(0, &["ALLOW", "DISALLOW"]));
        let window_frame = if behind || *self.peek() == Token::RParen {
            None
        } else {
            Some(self.frame()?)
        };
        let partial = self.here();
        let allowed = self.take_words(&["ALLOW", "PARTIAL"]);
        let disallowed = !allowed && self.take_words(&["DISALLOW", "PARTIAL"]);
        let disallow_partial = disallowed.then(|| self.since(partial));
        self.close()?;
        Ok(WindowSpec {
            window_name,
            partition_by,
            order_by,
            window_frame,
            disallow_partial,
            span: self.since(start),
        })
    }

    /// `[PARTITION BY …] [ORDER BY …]`, of a window and of `MATCH_RECOGNIZE`.
    pub(crate) fn partition_and_order(&mut self) -> Parsed<(Vec<Expr>, Vec<OrderByExpr>)> {
        let partition_by = if self.clause_by("PARTITION")? {
            self.list(Self::tree)?
        } else {
            Vec::new()
        };
        let order_by = if self.clause_by("ORDER")? {
            self.list(Self::sort_key)?
        } else {
            Vec::new()
        };
        Ok((partition_by, order_by))
    }

    /// Takes a word with the BY behind it.
    pub(crate) fn clause_by(&mut self, word: &'static str) -> Parsed<bool> {
        let found = self.take_word(word);
        if found {
            self.expect_word("BY")?;
        }
        Ok(found)
    }

    #[inline(never)]
    fn frame(&mut self) -> Parsed<WindowFrame> {
        let units_span = self.here();
        let units = match self.take_one(&["ROWS", "RANGE"]) {
            Some(0) => WindowFrameUnits::Rows,
            Some(_) => WindowFrameUnits::Range,
            None => {
                return Err(self.expected(Expected("`ROWS` or `RANGE`", "`ROWS` 或 `RANGE`")));
            }
        };
        let between = self.take_word("BETWEEN");
        let start = self.here();
        let start_bound = self.frame_bound()?;
        let start = self.since(start);
        let mut end = start;
        let end_bound = if between {
            self.expect_word("AND")?;
            end = self.here();
            let bound = self.frame_bound()?;
            end = self.since(end);
            Some(bound)
        } else {
            None
        };
        Ok(WindowFrame {
            units,
            start_bound,
            end_bound,
            spans: [units_span, start, end],
        })
    }

    fn frame_bound(&mut self) -> Parsed<WindowFrameBound> {
        if self.take_words(&["CURRENT", "ROW"]) {
            return Ok(WindowFrameBound::CurrentRow);
        }
        let rows = if self.take_word("UNBOUNDED") {
            None
        } else {
            Some(Box::new(self.tree()?))
        };
        match self.take_one(&["PRECEDING", "FOLLOWING"]) {
            Some(0) => Ok(WindowFrameBound::Preceding(rows)),
            Some(_) => Ok(WindowFrameBound::Following(rows)),
            None => Err(self.expected(Expected(
                "`PRECEDING` or `FOLLOWING`",
                "`PRECEDING` 或 `FOLLOWING`",
            ))),
        }
    }

    /// `a [ASC|DESC] [NULLS FIRST|LAST]`
    pub(crate) fn sort_key(&mut self) -> Parsed<OrderByExpr> {
        let expr = self.tree()?;
        let sort = match self.take_one(&["ASC", "DESC"]) {
            Some(0) => Some(OrderBySort::Asc),
            Some(_) => Some(OrderBySort::Desc),
            None => None,
        };
        let nulls_first = if self.take_words(&["NULLS", "FIRST"]) {
            Some(true)
        } else if self.take_words(&["NULLS", "LAST"]) {
            Some(false)
        } else {
            None
        };
        Ok(OrderByExpr {
            expr,
            options: OrderByOptions { sort, nulls_first },
        })
    }
}
