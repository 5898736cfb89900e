//! FROM: tables, functions, sub-queries, and the joins between them.

use sg_diag::{Code, Diagnostic};

use crate::ast::QuerySyntax;
use crate::cursor::{Cursor, Expected, Parsed};
use crate::expr::object_name;
use crate::query::{
    Ident, Join, JoinConstraint, JoinOperator, ObjectName, TableAlias, TableFactor, TableWithJoins,
};
use crate::span::byte_span;
use crate::token::Token;

/// What the constraint of a join makes of it.
type JoinKind = fn(JoinConstraint) -> JoinOperator;

/// Words of a join.
const JOINS: [(&[&str], JoinKind); 14] = [
    (&["JOIN"], JoinOperator::Join),
    (&["INNER", "JOIN"], JoinOperator::Inner),
    (&["LEFT", "JOIN"], JoinOperator::Left),
    (&["LEFT", "OUTER", "JOIN"], JoinOperator::LeftOuter),
    (&["RIGHT", "JOIN"], JoinOperator::Right),
    (&["RIGHT", "OUTER", "JOIN"], JoinOperator::RightOuter),
    (&["FULL", "JOIN"], JoinOperator::FullOuter),
    (&["FULL", "OUTER", "JOIN"], JoinOperator::FullOuter),
    (&["SEMI", "JOIN"], JoinOperator::Semi),
    (&["ANTI", "JOIN"], JoinOperator::Anti),
    (&["LEFT", "SEMI", "JOIN"], JoinOperator::Semi),
    (&["LEFT", "ANTI", "JOIN"], JoinOperator::Anti),
    (&["RIGHT", "SEMI", "JOIN"], JoinOperator::Semi),
    (&["RIGHT", "ANTI", "JOIN"], JoinOperator::Anti),
];

/// Clauses behind a table that are none of its names.
const TABLE_CLAUSES: [&str; 4] = ["MATCH_RECOGNIZE", "PIVOT", "UNPIVOT", "TABLESAMPLE"];

/// Words that show that the table is missing.
const NO_TABLES: [&str; 5] = ["INTO", "LIMIT", "HAVING", "WHERE", "ON"];

impl Cursor<'_> {
    /// A table with what is joined to it.
    pub(super) fn table_with_joins(&mut self) -> Parsed<TableWithJoins> {
        let relation = self.table_factor()?;
        let mut joins = Vec::new();
        while let Some(join) = self.join()? {
            joins.push(join);
        }
        Ok(TableWithJoins { relation, joins })
    }

    fn join(&mut self) -> Parsed<Option<Join>> {
        if self.at_word("CROSS") && !self.at_words(&["CROSS", "APPLY"]) {
            self.advance();
            self.expect_word("JOIN")?;
            let relation = self.table_factor()?;
            let join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
            return Ok(Some(joined(relation, join_operator)));
        }
        let natural = self.take_word("NATURAL");
        let Some((words, kind)) = JOINS.iter().find(|(words, _)| self.at_words(words)) else {
            return match self.which(0, &["INNER", "LEFT", "RIGHT", "FULL"]) {
                Some(_) => {
                    self.advance();
                    Err(self.expected_code("JOIN"))
                }
                None if natural => Err(self.expected(Expected("a join", "连接"))),
                None => Ok(None),
            };
        };
        for _ in 1..words.len() {
            self.advance();
        }
        let word = self.here();
        self.advance();
        let relation = self.table_factor()?;
        let whole = self.since(word);
        let constraint = self.join_constraint(natural)?;
        let semi = words.iter().find(|word| matches!(**word, "SEMI" | "ANTI"));
        if let Some(semi) = semi {
            self.complain(Diagnostic::new(Code::SemiJoinSyntax, word).arg("join", *semi));
        } else if matches!(constraint, JoinConstraint::None) {
            let flink = "INNER, LEFT, RIGHT or FULL join requires a condition (NATURAL keyword or ON or USING clause)";
            self.complain(Diagnostic::new(Code::JoinNeedsCondition, whole).flink(self.invalid(word, flink)));
        }
        Ok(Some(joined(relation, kind(constraint))))
    }

    fn join_constraint(&mut self, natural: bool) -> Parsed<JoinConstraint> {
        if natural {
            return Ok(JoinConstraint::Natural);
        }
        if self.take_word("ON") {
            return self.tree().map(JoinConstraint::On);
        }
        if self.take_word("USING") {
            return self.parenthesized(Self::names).map(JoinConstraint::Using);
        }
        Ok(JoinConstraint::None)
    }

    /// True at a clause of a table that could be taken for its alias.
    pub(super) fn at_table_clause(&self) -> bool {
        self.which(0, &TABLE_CLAUSES).is_some()
            || self.at_words(&["SEMI", "JOIN"])
            || self.at_words(&["ANTI", "JOIN"])
    }

    fn table_factor(&mut self) -> Parsed<TableFactor> {
        self.enter()?;
        let mut factor = if self.take_word("LATERAL") {
            self.lateral()?
        } else if self.at_word("TABLE") {
            self.advance();
            self.open()?;
            let expr = self.tree()?;
            self.close()?;
            let alias = self.table_alias()?;
            TableFactor::TableFunction { expr, alias }
        } else if *self.peek() == Token::LParen {
            self.factor_in_parentheses()?
        } else {
            self.named_table()?
        };
        if self.at_word("MATCH_RECOGNIZE") {
            factor = self.match_recognize(factor)?;
        }
        if let Some(word) = self
            .which(0, &TABLE_CLAUSES)
            .and_then(|which| TABLE_CLAUSES.get(which))
        {
            let diagnostic = Diagnostic::new(Code::NotSupported, self.here());
            return Err(diagnostic.arg("feature", *word).into());
        }
        self.leave();
        Ok(factor)
    }

    /// `(query)`, `TABLE(f(x))` and other functions, behind LATERAL.
    #[inline(never)]
    fn lateral(&mut self) -> Parsed<TableFactor> {
        if *self.peek() == Token::LParen {
            return self.derived(true);
        }
        let word = self.here();
        let name = if self.which(0, &["TABLE", "UNNEST"]).is_some() {
            self.any_name()?
        } else {
            let name = self.names()?;
            let span = self.since(word);
            self.complain(Diagnostic::new(Code::LateralWithoutTable, span));
            name
        };
        let args = self.table_arguments()?;
        let with_ordinality = self.take_words(&["WITH", "ORDINALITY"]);
        let alias = self.table_alias()?;
        Ok(TableFactor::Function {
            lateral: true,
            name,
            args,
            with_ordinality,
            alias,
        })
    }

    /// The next token as a name, reserved or not.
    fn any_name(&mut self) -> Parsed<ObjectName> {
        self.any_word().map(object_name)
    }

    #[inline(never)]
    fn derived(&mut self, lateral: bool) -> Parsed<TableFactor> {
        let subquery = self.subquery()?;
        let alias = self.table_alias()?;
        Ok(TableFactor::Derived {
            lateral,
            subquery,
            alias,
        })
    }

    /// `(query)`, `(query) MATCH_RECOGNIZE (…)`, `(t JOIN u ON …)`, `(t)`
    #[inline(never)]
    fn factor_in_parentheses(&mut self) -> Parsed<TableFactor> {
        let open = self.position();
        if self.query_in_parentheses(open, true) {
            let behind = self.closing(open) - open + 1;
            let simple = self.peek_nth(1).token != Token::LParen;
            if simple && self.which(behind, &["MATCH_RECOGNIZE"]).is_some() {
                return self.match_input();
            }
            return self.derived(false);
        }
        self.advance();
        let mut inner = self.table_with_joins()?;
        self.close()?;
        let outer = self.table_alias()?;
        if !inner.joins.is_empty() || matches!(inner.relation, TableFactor::NestedJoin { .. }) {
            return Ok(TableFactor::NestedJoin {
                table_with_joins: Box::new(inner),
                alias: outer,
            });
        }
        if let (
            TableFactor::Derived { alias, .. }
            | TableFactor::Table { alias, .. }
            | TableFactor::Function { alias, .. }
            | TableFactor::TableFunction { alias, .. }
            | TableFactor::MatchRecognize { alias, .. },
            Some(outer),
        ) = (&mut inner.relation, outer)
        {
            if alias.is_some() {
                let span = byte_span(outer.name.span).unwrap_or_default();
                return Err(Diagnostic::new(Code::UnexpectedToken, span)
                    .arg("found", &outer.name.value)
                    .into());
            }
            *alias = Some(outer);
        }
        Ok(inner.relation)
    }

    /// The query in front of a `MATCH_RECOGNIZE`: a name stands for it in the tree, and the side table has it.
    fn match_input(&mut self) -> Parsed<TableFactor> {
        let open = self.open()?;
        let query: QuerySyntax = self.query()?;
        self.close()?;
        self.side.match_inputs.insert(open.start, query);
        Ok(table(object_name(Ident {
            value: "MATCH_RECOGNIZE".to_owned(),
            quote_style: Some('`'),
            span: open,
        })))
    }

    /// `t [FOR SYSTEM_TIME AS OF x] [(args)] [WITH ORDINALITY] [alias]`
    #[inline(never)]
    fn named_table(&mut self) -> Parsed<TableFactor> {
        if self.which(0, &NO_TABLES).is_some() {
            return Err(self.expected(Expected("a table name", "表名")));
        }
        let start = self.here();
        let called = if self.at_word("UNNEST") {
            self.any_name()?
        } else {
            self.names()?
        };
        let span = self.since(start);
        self.hint_places.push(span.end);
        let mut factor = table(called);
        let TableFactor::Table {
            alias,
            args,
            version,
            with_ordinality,
            ..
        } = &mut factor
        else {
            return Ok(factor);
        };
        if self.take_words(&["FOR", "SYSTEM_TIME"]) {
            self.expect_words(&["AS", "OF"])?;
            *version = Some(self.tree()?);
        }
        if *self.peek() == Token::LParen {
            *args = Some(self.table_arguments()?);
        }
        *with_ordinality = self.take_words(&["WITH", "ORDINALITY"]);
        *alias = self.table_alias()?;
        if self.at_word("WITH") && self.peek_nth(1).token == Token::LParen {
            return Err(self.foreign("WITH behind a table name", span));
        }
        Ok(factor)
    }

    /// `[AS] name [(columns)]`
    pub(super) fn table_alias(&mut self) -> Parsed<Option<TableAlias>> {
        let explicit = self.at_word("AS");
        let Some(name) = self.alias()? else {
            return Ok(None);
        };
        Ok(Some(TableAlias {
            explicit,
            name,
            columns: self.alias_columns()?,
        }))
    }
}

fn joined(relation: TableFactor, join_operator: JoinOperator) -> Join {
    Join {
        relation,
        join_operator,
    }
}

/// A table with nothing but its name.
fn table(name: ObjectName) -> TableFactor {
    TableFactor::Table {
        name,
        alias: None,
        args: None,
        version: None,
        with_ordinality: false,
    }
}
