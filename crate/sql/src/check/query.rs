//! Queries.

use sg_diag::{Code, Diagnostic, Fix, Span};
use sqlparser::ast::{
    Cte, Distinct, GroupByExpr, Join, JoinConstraint, JoinOperator, LimitClause, NamedWindowExpr,
    OrderByKind, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, SetOperator,
    SetQuantifier, TableAlias, TableFactor, TableVersion, TableWithJoins, WildcardAdditionalOptions,
};

use super::Check;
use crate::span::byte_span;

impl Check<'_> {
    pub(super) fn query(&mut self, query: &Query) {
        if let Some(with) = &query.with {
            for cte in &with.cte_tables {
                self.cte(cte);
            }
        }
        self.set_expr(&query.body);
        if let Some(order_by) = &query.order_by {
            match &order_by.kind {
                OrderByKind::Expressions(keys) => self.order_by(keys),
                OrderByKind::All(_) => self.foreign_word("ORDER BY ALL", &["ORDER"], self.spans.query(query)),
            }
        }
        match &query.limit_clause {
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                let (offset, limit) = (self.spans.expr(offset), self.spans.expr(limit));
                self.limit_comma(offset, limit);
            }
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                self.exprs(limit.iter().chain(offset.as_ref().map(|offset| &offset.value)));
            }
            None => {}
        }
        if let Some(fetch) = &query.fetch
            && (fetch.percent || fetch.with_ties)
        {
            self.foreign_word(
                "FETCH … PERCENT or WITH TIES",
                &["FETCH"],
                self.spans.query(query),
            );
        }
        if !query.locks.is_empty() || query.for_clause.is_some() {
            self.foreign_word(
                "FOR UPDATE, SHARE, XML or JSON",
                &["FOR"],
                self.spans.query(query),
            );
        }
    }

    fn limit_comma(&mut self, offset: Span, limit: Span) {
        let rewritten = format!("{} OFFSET {}", limit.text(self.text), offset.text(self.text));
        let span = offset.join(limit);
        self.found
            .push(Diagnostic::new(Code::LimitComma, span).fix(Fix::replace(span, rewritten)));
    }

    fn cte(&mut self, cte: &Cte) {
        self.alias(&cte.alias);
        self.query(&cte.query);
    }

    fn set_expr(&mut self, body: &SetExpr) {
        match body {
            SetExpr::Select(select) => self.select(select),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation {
                left,
                op,
                set_quantifier,
                right,
            } => {
                self.set_expr(left);
                self.set_operator(
                    *op,
                    *set_quantifier,
                    self.spans.set_expr(left),
                    self.spans.set_expr(right),
                );
                self.set_expr(right);
            }
            SetExpr::Values(values) => {
                for row in &values.rows {
                    self.exprs(&row.content);
                }
            }
            SetExpr::Table(_) => {}
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                self.foreign(
                    "INSERT, UPDATE, DELETE or MERGE inside a query",
                    self.spans.statement(),
                );
            }
        }
    }

    /// The operator stands between its sides.
    fn set_operator(&mut self, op: SetOperator, quantifier: SetQuantifier, left: Span, right: Span) {
        let between = Span::new(left.end, right.start);
        let words = between.text(self.text);
        let start = between.start + u32::try_from(words.len() - words.trim_start().len()).unwrap_or(0);
        let end = start + u32::try_from(words.trim().len()).unwrap_or(0);
        let span = Span::new(start, end);
        if op == SetOperator::Minus {
            let word = Span::new(start, (start + 5).min(end));
            self.found
                .push(Diagnostic::new(Code::MinusSetOperator, span).fix(Fix::replace(word, "EXCEPT")));
        }
        match quantifier {
            SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName => {
                self.foreign("BY NAME", span);
            }
            SetQuantifier::All | SetQuantifier::Distinct | SetQuantifier::None => {}
        }
    }

    fn select(&mut self, select: &Select) {
        let word = byte_span(select.select_token.0.span).unwrap_or_default();
        self.hint_places.push(word.end);
        if let Some(Distinct::On(_)) = &select.distinct {
            self.foreign_word("DISTINCT ON", &["ON"], word);
        }
        if select.top.is_some() {
            self.foreign_word("TOP", &["TOP"], word);
        }
        if select.into.is_some() {
            self.foreign_word("SELECT … INTO", &["INTO"], word);
        }
        if !select.lateral_views.is_empty() {
            self.foreign_word("LATERAL VIEW", &["VIEW"], word);
        }
        if !select.connect_by.is_empty() {
            self.foreign_word("CONNECT BY", &["CONNECT"], word);
        }
        if !select.cluster_by.is_empty() || !select.distribute_by.is_empty() || !select.sort_by.is_empty() {
            self.foreign_word(
                "CLUSTER BY, DISTRIBUTE BY or SORT BY",
                &["CLUSTER", "DISTRIBUTE", "SORT"],
                word,
            );
        }
        for item in &select.projection {
            self.select_item(item);
        }
        for from in &select.from {
            self.table_with_joins(from);
        }
        self.exprs(&select.selection);
        match &select.group_by {
            GroupByExpr::All(_) => self.foreign_word("GROUP BY ALL", &["GROUP"], word),
            GroupByExpr::Expressions(keys, modifiers) => {
                self.exprs(keys);
                if !modifiers.is_empty() {
                    self.foreign_word("GROUP BY … WITH", &["GROUP"], word);
                }
            }
        }
        self.exprs(&select.having);
        self.exprs(&select.qualify);
        for window in &select.named_window {
            self.ident(&window.0);
            match &window.1 {
                NamedWindowExpr::WindowSpec(spec) => self.window(spec),
                NamedWindowExpr::NamedWindow(name) => self.ident(name),
            }
        }
    }

    fn select_item(&mut self, item: &SelectItem) {
        match item {
            SelectItem::UnnamedExpr(expr) => self.expr(expr),
            SelectItem::ExprWithAlias { expr, alias } => {
                self.expr(expr);
                self.ident(alias);
            }
            SelectItem::ExprWithAliases { expr, aliases } => {
                self.expr(expr);
                for alias in aliases {
                    self.ident(alias);
                }
            }
            SelectItem::QualifiedWildcard(kind, options) => {
                if let SelectItemQualifiedWildcardKind::Expr(expr) = kind {
                    self.expr(expr);
                }
                self.wildcard(options);
            }
            SelectItem::Wildcard(options) => self.wildcard(options),
        }
    }

    fn wildcard(&mut self, options: &WildcardAdditionalOptions) {
        let plain = options.opt_ilike.is_none()
            && options.opt_exclude.is_none()
            && options.opt_except.is_none()
            && options.opt_replace.is_none()
            && options.opt_rename.is_none();
        if !plain {
            let star = byte_span(options.wildcard_token.0.span).unwrap_or_default();
            self.foreign("* EXCEPT, EXCLUDE, REPLACE or RENAME", star);
        }
    }

    fn table_with_joins(&mut self, from: &TableWithJoins) {
        self.table_factor(&from.relation);
        for join in &from.joins {
            self.join(join);
        }
    }

    fn join(&mut self, join: &Join) {
        let relation = self.spans.table_factor(&join.relation);
        let word = self.spans.token_before(relation.start).unwrap_or(relation);
        let semi = |join| Diagnostic::new(Code::SemiJoinSyntax, word).arg("join", join);
        match &join.join_operator {
            JoinOperator::Join(on)
            | JoinOperator::Inner(on)
            | JoinOperator::Left(on)
            | JoinOperator::LeftOuter(on)
            | JoinOperator::Right(on)
            | JoinOperator::RightOuter(on)
            | JoinOperator::FullOuter(on) => {
                self.constraint(on);
                if matches!(on, JoinConstraint::None) {
                    self.found
                        .push(Diagnostic::new(Code::JoinNeedsCondition, word.join(relation)));
                }
            }
            JoinOperator::CrossJoin(_) => {}
            JoinOperator::Semi(_) | JoinOperator::LeftSemi(_) | JoinOperator::RightSemi(_) => {
                self.found.push(semi("SEMI"));
            }
            JoinOperator::Anti(_) | JoinOperator::LeftAnti(_) | JoinOperator::RightAnti(_) => {
                self.found.push(semi("ANTI"));
            }
            JoinOperator::CrossApply | JoinOperator::OuterApply => self.foreign("APPLY", word),
            JoinOperator::AsOf { .. } => self.foreign("ASOF JOIN", word),
            JoinOperator::StraightJoin(_) => self.foreign("STRAIGHT_JOIN", word),
            JoinOperator::ArrayJoin | JoinOperator::LeftArrayJoin | JoinOperator::InnerArrayJoin => {
                self.foreign("ARRAY JOIN", word);
            }
        }
        if join.global {
            self.foreign("GLOBAL JOIN", word);
        }
        self.table_factor(&join.relation);
    }

    fn constraint(&mut self, constraint: &JoinConstraint) {
        match constraint {
            JoinConstraint::On(condition) => self.expr(condition),
            JoinConstraint::UsingAlias(_, alias) => {
                self.foreign("USING … AS", byte_span(alias.span).unwrap_or_default());
            }
            JoinConstraint::Using(_) | JoinConstraint::Natural | JoinConstraint::None => {}
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
    fn table_factor(&mut self, factor: &TableFactor) {
        match factor {
            TableFactor::Table {
                name,
                alias,
                args,
                with_hints,
                version,
                ..
            } => {
                self.object_name(name);
                self.hint_places.push(self.spans.object_name(name).end);
                self.some_alias(alias.as_ref());
                for arg in args.iter().flat_map(|args| &args.args) {
                    self.argument(arg);
                }
                match version {
                    Some(TableVersion::ForSystemTimeAsOf(time)) => self.expr(time),
                    Some(_) => self.foreign(
                        "This way to name a version of a table",
                        self.spans.object_name(name),
                    ),
                    None => {}
                }
                if !with_hints.is_empty() {
                    self.foreign("WITH behind a table name", self.spans.object_name(name));
                }
            }
            TableFactor::Derived { subquery, alias, .. } => {
                self.query(subquery);
                self.some_alias(alias.as_ref());
            }
            TableFactor::TableFunction { expr, alias } => {
                self.expr(expr);
                self.some_alias(alias.as_ref());
            }
            TableFactor::Function {
                name, args, alias, ..
            } => {
                let span = self.spans.object_name(name);
                let word = span.text(self.text);
                if !word.eq_ignore_ascii_case("TABLE") && !word.eq_ignore_ascii_case("UNNEST") {
                    self.found.push(Diagnostic::new(Code::LateralWithoutTable, span));
                }
                for arg in args {
                    self.argument(arg);
                }
                self.some_alias(alias.as_ref());
            }
            TableFactor::NestedJoin {
                table_with_joins,
                alias,
            } => {
                self.table_with_joins(table_with_joins);
                self.some_alias(alias.as_ref());
            }
            TableFactor::MatchRecognize {
                table,
                partition_by,
                order_by,
                measures,
                symbols,
                alias,
                ..
            } => {
                self.table_factor(table);
                self.exprs(partition_by);
                self.order_by(order_by);
                for measure in measures {
                    self.expr(&measure.expr);
                    self.ident(&measure.alias);
                }
                for symbol in symbols {
                    self.ident(&symbol.symbol);
                    self.expr(&symbol.definition);
                }
                self.some_alias(alias.as_ref());
            }
            TableFactor::Pivot { table, .. } | TableFactor::Unpivot { table, .. } => self.table_factor(table),
            TableFactor::UNNEST { .. }
            | TableFactor::JsonTable { .. }
            | TableFactor::OpenJsonTable { .. }
            | TableFactor::UnpivotExpr { .. }
            | TableFactor::XmlTable { .. }
            | TableFactor::SemanticView { .. } => {
                self.foreign("This kind of table", self.spans.table_factor(factor));
            }
        }
    }

    fn some_alias(&mut self, alias: Option<&TableAlias>) {
        if let Some(alias) = alias {
            self.alias(alias);
        }
    }

    fn alias(&mut self, alias: &TableAlias) {
        self.ident(&alias.name);
        for column in &alias.columns {
            self.ident(&column.name);
        }
    }
}
