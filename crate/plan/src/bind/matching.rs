//! `MATCH_RECOGNIZE`.
//!
//! Flink: Calcite's validator, `MatchRecognizeTypeUtil`, `StreamPhysicalMatchRule`, `StreamExecMatch`.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::Expr;
use sg_sql::{byte_span, query as ast};
use sg_value::{Field, Gather as _, TypeKind, Value};

use super::{
    Binder,
    expr::{Clause, ExprCx},
    from::Source,
    join::Bound,
    pattern_reference::PatternCx,
    query::{BoundQuery, Place},
    scope::Scope,
};
use crate::logical::{AfterMatch, LogicalNode, LogicalOp, MatchNode, PatternItem};

/// The clauses of `MATCH_RECOGNIZE`.
#[derive(Clone, Copy)]
pub(super) struct MatchClauses<'q> {
    pub(super) table: &'q ast::TableFactor,
    pub(super) partition_by: &'q [ast::Expr],
    pub(super) order_by: &'q [ast::OrderByExpr],
    pub(super) measures: &'q [ast::Measure],
    pub(super) rows_per_match: Option<&'q ast::RowsPerMatch>,
    pub(super) after: Option<&'q ast::AfterMatchSkip>,
    pub(super) pattern: &'q ast::MatchRecognizePattern,
    pub(super) symbols: &'q [ast::SymbolDefinition],
    pub(super) alias: Option<&'q ast::TableAlias>,
}

/// Measures with their names.
type Measures = Vec<(Rc<str>, Expr)>;

impl Binder<'_> {
    #[inline(never)]
    pub(super) fn bind_match(&mut self, clauses: MatchClauses<'_>) -> Bound {
        let side = Rc::clone(&self.side);
        let query = match clauses.table {
            ast::TableFactor::Table { name, .. } => side.match_input(super::table::name_span(name)),
            _ => None,
        };
        let (input, scope) = match query {
            Some(query) => {
                let bound = self.bind_query(&query.query, Place::Nested);
                self.relation(bound, &Source::default(), (None, None), query.span)
            }
            None => self.bind_factor(clauses.table),
        };
        let span = clauses
            .symbols
            .first()
            .map_or(self.statement, |symbol| self.span(&symbol.definition));
        let broken = scope.is_broken();
        let bound = self.match_node(&input, &scope, clauses, span);
        let source = Source {
            path: None,
            broken: broken || bound.is_none(),
        };
        let bound = bound.unwrap_or_else(|| self.nothing(span));
        self.relation(bound, &source, (None, clauses.alias), span)
    }

    fn match_node(
        &mut self,
        input: &Rc<LogicalNode>,
        scope: &Scope,
        clauses: MatchClauses<'_>,
        span: Span,
    ) -> Option<BoundQuery> {
        let partition = self.column_list(scope, clauses.partition_by.iter())?;
        let order_exprs = clauses.order_by.iter().map(|item| &item.expr);
        let order_columns = self.column_list(scope, order_exprs)?;
        let order: Vec<(u32, bool)> = order_columns
            .into_iter()
            .zip(clauses.order_by)
            .map(|(column, item)| (column, matches!(item.options.sort, Some(ast::OrderBySort::Desc))))
            .gather();
        let mut pattern = Vec::new();
        let mut cx = PatternCx::new(scope.columns.clone());
        name_variables(clauses.pattern, &mut cx);
        let first_problem = Self::pattern_items(clauses.pattern, &mut cx, &mut pattern);
        for symbol in clauses.symbols {
            cx.variable(&symbol.symbol.value);
        }
        let key = clauses
            .symbols
            .first()
            .and_then(|symbol| byte_span(symbol.symbol.span))
            .unwrap_or_default();
        let side = Rc::clone(&self.side);
        for subset in side.subsets(key) {
            let mut members = Vec::new();
            for symbol in &subset.symbols {
                members.push(self.pattern_variable(&cx, &symbol.name, symbol.span)?);
            }
            cx.subsets.push((Rc::from(subset.name.name.as_str()), members));
        }
        let (mut cx, measures) = self.measures(cx, scope, clauses.measures);
        let (define, after);
        (cx, define) = self.definitions(cx, scope, clauses.symbols);
        after = self.after_match(clauses.after, &cx)?;
        let within = match side.within(key) {
            Some(within) => Some(self.within(scope, &within.expr, within.span)?),
            None => None,
        };
        let (names, exprs): (Vec<Rc<str>>, Vec<Expr>) = measures?.into_iter().unzip();
        let define = define?;
        let mut fields: Vec<Field> = partition
            .iter()
            .filter_map(|column| scope.columns.get(*column as usize).cloned())
            .gather();
        fields.extend(names.iter().zip(&exprs).map(|(name, expr)| Field {
            name: Rc::clone(name),
            data_type: expr.data_type.clone(),
        }));
        self.check_names(&fields, exprs.is_empty(), span)?;
        self.check_match(scope, &order, (first_problem, &pattern), (&cx, clauses, span))?;
        let rowtime = order
            .first()
            .and_then(|(column, _)| scope.columns.get(*column as usize))
            .is_some_and(|field| field.data_type.is_rowtime());
        let columns = fields.iter().map(|field| Rc::clone(&field.name)).gather();
        let node = MatchNode {
            partition,
            order,
            rowtime,
            variables: cx.variables,
            pattern,
            subsets: cx.subsets,
            define,
            measures: exprs,
            references: cx.references,
            after,
            // to Flink a time of 0 is none
            within_ms: within.as_ref().map(|(ms, _)| *ms).filter(|ms| *ms > 0),
            within: within.map(|(_, expr)| expr),
        };
        let node = self.builder.node(
            LogicalOp::Match(Rc::new(node)),
            vec![Rc::clone(input)],
            fields,
            span,
        );
        Some(BoundQuery { node, names: columns })
    }

    /// Columns of the input, by name.
    fn column_list<'e>(
        &mut self,
        scope: &Scope,
        exprs: impl Iterator<Item = &'e ast::Expr>,
    ) -> Option<Vec<u32>> {
        let mut columns = Vec::new();
        for expr in exprs {
            let bound = self.bind_expr(&mut ExprCx::over(scope, Clause::OrderBy), expr);
            if bound.is_invalid() {
                return None;
            }
            let Some(column) = bound.as_column() else {
                let span = self.span(expr);
                self.not_supported("MATCH_RECOGNIZE (PARTITION BY expression)", span);
                return None;
            };
            columns.push(column);
        }
        Some(columns)
    }

    /// The variables of a pattern in order; what Flink's planner says about it, if anything.
    fn pattern_items(
        pattern: &ast::MatchRecognizePattern,
        cx: &mut PatternCx,
        items: &mut Vec<PatternItem>,
    ) -> Option<(Code, String)> {
        use ast::MatchRecognizePattern as P;
        let form = |what: &str, tail: &str| {
            Some((
                Code::PatternForm,
                format!("TableException: Expression not supported: {what}{tail}"),
            ))
        };
        match pattern {
            P::Symbol(ast::MatchRecognizeSymbol::Named(name)) => {
                let variable = cx.variable(&name.value);
                let twice = items.iter().any(|item| item.variable == variable);
                items.push(PatternItem {
                    variable,
                    min: 1,
                    max: Some(1),
                    quantified: false,
                    reluctant: false,
                });
                twice.then(|| {
                    (
                        Code::PatternVariableTwice,
                        "TableException: Pattern variables must be unique. That might change in the future."
                            .to_owned(),
                    )
                })
            }
            P::Symbol(_) => None,
            P::Concat(parts) => {
                let mut problem = None;
                for part in parts {
                    let found = Self::pattern_items(part, cx, items);
                    problem = problem.or(found);
                }
                problem
            }
            P::Repetition(inner, quantifier) => match &**inner {
                P::Symbol(ast::MatchRecognizeSymbol::Named(_)) => {
                    let problem = Self::pattern_items(inner, cx, items);
                    let (min, max, reluctant) = bounds(quantifier);
                    if let Some(item) = items.last_mut() {
                        item.quantified = true;
                        (item.min, item.max, item.reluctant) = (min.unwrap_or(0), max, reluctant);
                    }
                    let bad = bad_quantifier(min, max);
                    problem.or_else(|| Some((Code::PatternBadQuantifier, bad?)))
                }
                other => form(&pattern_text(other), " Group patterns are not supported yet."),
            },
            P::Group(inner) => match &**inner {
                P::Symbol(_) => Self::pattern_items(inner, cx, items),
                other => form(&pattern_text(other), " Group patterns are not supported yet."),
            },
            P::Alternation(_) => form(
                &pattern_text(pattern),
                ". Currently, CEP doesn't support branching patterns.",
            ),
            P::Exclude(_) => form(
                &pattern_text(pattern),
                ". Currently, CEP doesn't support '{-' '-}' patterns.",
            ),
            P::Permute(_) => form(
                &pattern_text(pattern),
                ". Currently, CEP doesn't support PERMUTE patterns.",
            ),
        }
    }

    #[inline(never)]
    fn measures(
        &mut self,
        mut cx: PatternCx,
        scope: &Scope,
        measures: &[ast::Measure],
    ) -> (PatternCx, Option<Measures>) {
        let mut bound = Some(Vec::new());
        for measure in measures {
            let mut expr;
            (cx, expr) = self.over_pattern(cx, scope, None, &measure.expr);
            let span = self.span(&measure.expr);
            if self.side.semantics_at(span) == Some(sg_sql::MeasureSemantics::Running) && !expr.is_invalid() {
                self.unsupported_in_pattern("RUNNING", &expr.data_type.to_string(), span);
                expr = Expr::invalid(span);
            }
            let name = Rc::from(measure.alias.value.as_str());
            match &mut bound {
                Some(list) if !expr.is_invalid() => list.push((name, expr)),
                _ => bound = None,
            }
        }
        (cx, bound)
    }

    #[inline(never)]
    fn definitions(
        &mut self,
        mut cx: PatternCx,
        scope: &Scope,
        symbols: &[ast::SymbolDefinition],
    ) -> (PatternCx, Option<Vec<(u32, Expr)>>) {
        let mut bound = Some(Vec::new());
        for symbol in symbols {
            let variable = cx.variable(&symbol.symbol.value);
            let expr;
            (cx, expr) = self.over_pattern(cx, scope, Some(variable), &symbol.definition);
            if expr.is_invalid() {
                bound = None;
                continue;
            }
            if !matches!(expr.data_type.kind, TypeKind::Boolean | TypeKind::Null) {
                let span = self.span(&symbol.definition);
                // Calcite gives the place of an AS of its own, which begins nowhere.
                let flink = self.validation(span, "DEFINE clause must be a condition");
                let flink = match flink.split_once(" From ").zip(flink.split_once(" to ")) {
                    Some(((head, _), (_, end))) => format!("{head} From line 0, column 0 to {end}"),
                    None => flink,
                };
                self.report(
                    Diagnostic::new(Code::MatchConditionNotBoolean, span)
                        .arg("type", &expr.data_type.kind)
                        .flink(flink),
                );
                bound = None;
            }
            if let Some(list) = &mut bound {
                list.push((variable, expr));
            }
        }
        (cx, bound)
    }

    /// An expression over what a match has taken.
    fn over_pattern(
        &mut self,
        cx: PatternCx,
        scope: &Scope,
        own: Option<u32>,
        expr: &ast::Expr,
    ) -> (PatternCx, Expr) {
        let mut cx = cx;
        cx.own = own;
        let outer = self.pattern.replace(cx);
        let bound = self.bind_expr(&mut ExprCx::over(scope, Clause::Select), expr);
        let cx = std::mem::replace(&mut self.pattern, outer);
        (cx.unwrap_or_else(|| PatternCx::new(scope.columns.clone())), bound)
    }

    fn after_match(&mut self, after: Option<&ast::AfterMatchSkip>, cx: &PatternCx) -> Option<AfterMatch> {
        let mut target = |name: &ast::Ident, cx: &PatternCx| {
            if cx.subsets.iter().any(|(subset, _)| **subset == *name.value) {
                let span = byte_span(name.span).unwrap_or_default();
                self.report(
                    Diagnostic::new(Code::PatternVariableUnknown, span)
                        .arg("variable", &name.value)
                        .flink(
                            "MalformedPatternException: The pattern name specified in AfterMatchSkipStrategy can not be \
                             found in the given Pattern",
                        ),
                );
                return None;
            }
            self.pattern_variable(cx, &name.value, byte_span(name.span).unwrap_or_default())
        };
        Some(match after {
            None | Some(ast::AfterMatchSkip::ToNextRow) => AfterMatch::ToNextRow,
            Some(ast::AfterMatchSkip::PastLastRow) => AfterMatch::PastLastRow,
            Some(ast::AfterMatchSkip::ToFirst(name)) => AfterMatch::ToFirst(target(name, cx)?),
            Some(ast::AfterMatchSkip::ToLast(name)) => AfterMatch::ToLast(target(name, cx)?),
        })
    }

    /// A variable of the pattern; reports one that is none.
    fn pattern_variable(&mut self, cx: &PatternCx, name: &str, span: Span) -> Option<u32> {
        let found = cx.known(name);
        if found.is_none() {
            let flink = self.validation(span, &format!("Unknown pattern '{name}'"));
            self.report(
                Diagnostic::new(Code::PatternVariableUnknown, span)
                    .arg("variable", name)
                    .flink(flink)
                    .suggest_similar(name, cx.variables.iter().map(|name| &**name)),
            );
        }
        found
    }

    fn within(&mut self, scope: &Scope, expr: &ast::Expr, span: Span) -> Option<(i64, Expr)> {
        let bound = self.bind_expr(&mut ExprCx::over(scope, Clause::Values), expr);
        if bound.is_invalid() {
            return None;
        }
        if let (TypeKind::IntervalDayTime(_), Some(Value::Int(ms))) =
            (&bound.data_type.kind, bound.as_literal())
        {
            if *ms >= 0 {
                return Some((*ms, bound.clone()));
            }
            let digits = span.text(self.text).split('\'').nth(1).unwrap_or_default();
            let flink = self.validation(span, &format!("Interval must be non-negative '{digits}'"));
            self.report(Diagnostic::new(Code::MatchWithin, span).flink(flink));
            return None;
        }
        self.report(Diagnostic::new(Code::MatchWithin, span).flink(
            "TableException: Only constant intervals with millisecond resolution are supported as time constraints of patterns.",
        ));
        None
    }

    fn check_names(&mut self, fields: &[Field], no_measures: bool, span: Span) -> Option<()> {
        let mut twice: Vec<&str> = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            let before = fields.iter().take(at);
            if before.map(|other| &other.name).any(|name| *name == field.name) {
                twice.push(&field.name);
            }
        }
        if twice.is_empty() && !no_measures {
            return Some(());
        }
        self.report(Diagnostic::new(Code::MatchColumnsAmbiguous, span).flink(format!(
            "ValidationException: Columns ambiguously defined: {{{}}}",
            twice.join(", ")
        )));
        None
    }

    /// What Flink's planner asks of a pattern and its order.
    #[inline(never)]
    fn check_match(
        &mut self,
        scope: &Scope,
        order: &[(u32, bool)],
        (problem, pattern): (Option<(Code, String)>, &[PatternItem]),
        (cx, clauses, span): (&PatternCx, MatchClauses<'_>, Span),
    ) -> Option<()> {
        if matches!(clauses.rows_per_match, Some(ast::RowsPerMatch::AllRows(_))) {
            self.report(Diagnostic::new(Code::MatchAllRows, span).flink(
                "TableException: Cannot generate a valid execution plan for the given query: \n\nAll rows per match mode is not \
                 supported yet.",
            ));
            return None;
        }
        let is_time = |column: u32| {
            let field = scope.columns.get(column as usize);
            field.is_some_and(|field| field.data_type.is_rowtime() || field.data_type.is_proctime())
        };
        let complaint = match order.first() {
            None => Some("You must specify either rowtime or proctime for order by."),
            Some((column, _)) if !is_time(*column) => {
                Some("You must specify either rowtime or proctime for order by as the first one.")
            }
            Some((_, true)) => Some("Primary sort order of a streaming table must be ascending on time."),
            Some((_, false)) => None,
        };
        if let Some(complaint) = complaint {
            self.report(
                Diagnostic::new(Code::MatchNeedsTimeOrder, span)
                    .flink(format!("TableException: {complaint}")),
            );
            return None;
        }
        let problem = problem.or_else(|| quantifier_problem(pattern));
        if let Some((code, flink)) = problem {
            let twice = pattern.iter().enumerate().find(|(at, item)| {
                pattern
                    .iter()
                    .take(*at)
                    .any(|other| other.variable == item.variable)
            });
            let variable = twice.and_then(|(_, item)| cx.variables.get(item.variable as usize));
            let variable = variable.map_or_else(String::new, ToString::to_string);
            self.report(
                Diagnostic::new(code, span)
                    .arg("variable", variable)
                    .arg("form", pattern_text(clauses.pattern))
                    .flink(flink),
            );
            return None;
        }
        Some(())
    }
}

/// Gives every variable of a pattern its number, whatever the form of the pattern.
fn name_variables(pattern: &ast::MatchRecognizePattern, cx: &mut PatternCx) {
    use ast::MatchRecognizePattern as P;
    match pattern {
        P::Symbol(symbol) | P::Exclude(symbol) => name_variable(symbol, cx),
        P::Permute(symbols) => {
            for symbol in symbols {
                name_variable(symbol, cx);
            }
        }
        P::Concat(parts) | P::Alternation(parts) => {
            for part in parts {
                name_variables(part, cx);
            }
        }
        P::Group(inner) | P::Repetition(inner, _) => name_variables(inner, cx),
    }
}

fn name_variable(symbol: &ast::MatchRecognizeSymbol, cx: &mut PatternCx) {
    if let ast::MatchRecognizeSymbol::Named(name) = symbol {
        cx.variable(&name.value);
    }
}

/// What Flink's CEP library says about the quantifiers of a pattern.
#[inline(never)]
fn quantifier_problem(pattern: &[PatternItem]) -> Option<(Code, String)> {
    let last = pattern.len().checked_sub(1)?;
    for (at, item) in pattern.iter().enumerate() {
        let optional = item.is_optional_one() || (item.min == 0 && item.max.is_none());
        let before = at.checked_sub(1).and_then(|before| pattern.get(before));
        if optional && before.is_some_and(PatternItem::is_greedy) {
            return Some((
                Code::PatternOptionalAfterGreedy,
                "MalformedPatternException: Optional pattern cannot be preceded by greedy pattern".to_owned(),
            ));
        }
        if item.is_optional_one() && item.reluctant {
            return Some((
                Code::PatternReluctantOptional,
                "TableException: Reluctant optional variables are not supported yet.".to_owned(),
            ));
        }
    }
    // compiled first: the two above are said by the compiler
    if pattern.iter().all(|item| item.min == 0) {
        return Some((
            Code::PatternMatchesNothing,
            "TableException: Patterns that can produce empty matches are not supported. There must be at least one \
             non-optional state."
                .to_owned(),
        ));
    }
    if pattern.get(last).is_some_and(PatternItem::is_greedy) {
        return Some((
                Code::PatternEndsGreedy,
                "TableException: Greedy quantifiers are not allowed as the last element of a Pattern yet. Finish your pattern \
                 with either a simple variable or reluctant quantifier."
                    .to_owned(),
            ));
    }
    None
}

fn bad_quantifier(min: Option<u32>, max: Option<u32>) -> Option<String> {
    match (min, max) {
        (None, _) => {
            Some("IllegalArgumentException: The from should be a positive number greater than 0.".to_owned())
        }
        (Some(min), Some(max)) if max < min.max(1) => Some(format!(
            "IllegalArgumentException: The to should be a number greater than or equal to from: {}.",
            min.max(1)
        )),
        _ => None,
    }
}

/// Minimum (none of `{,n}`), maximum and whether as few as possible are taken.
fn bounds(quantifier: &ast::RepetitionQuantifier) -> (Option<u32>, Option<u32>, bool) {
    use ast::RepetitionQuantifier as Q;
    match quantifier {
        Q::ZeroOrMore => (Some(0), None, false),
        Q::OneOrMore => (Some(1), None, false),
        Q::AtMostOne => (Some(0), Some(1), false),
        Q::Exactly(n) => (Some(*n), Some(*n), false),
        Q::AtLeast(n) => (Some(*n), None, false),
        Q::AtMost(n) => (None, Some(*n), false),
        Q::Range(from, to) => (Some(*from), Some(*to), false),
        Q::Reluctant(inner) => {
            let (min, max, _) = bounds(inner);
            // behind an exact number it says nothing
            (min, max, !matches!(**inner, Q::Exactly(_)))
        }
    }
}

/// A pattern as Calcite prints it.
fn pattern_text(pattern: &ast::MatchRecognizePattern) -> String {
    use ast::MatchRecognizePattern as P;
    let symbol = |symbol: &ast::MatchRecognizeSymbol| format!("_UTF-16LE'{symbol}'");
    let nested = |word: &str, parts: &[P]| {
        let mut parts = parts.iter().map(pattern_text);
        let first = parts.next().unwrap_or_default();
        parts.fold(first, |left, right| format!("{word}({left}, {right})"))
    };
    match pattern {
        P::Symbol(name) => symbol(name),
        P::Exclude(name) => format!("PATTERN_EXCLUDE({})", symbol(name)),
        P::Permute(names) => {
            let names: Vec<String> = names.iter().map(symbol).gather();
            format!("PATTERN_PERMUTE({})", names.join(", "))
        }
        P::Concat(parts) => nested("", parts),
        P::Alternation(parts) => nested("|", parts),
        P::Group(inner) => pattern_text(inner),
        P::Repetition(inner, quantifier) => {
            let (min, max, reluctant) = bounds(quantifier);
            let number = |number: Option<u32>| number.map_or(-1, i64::from);
            format!(
                "PATTERN_QUANTIFIER({}, {}, {}, {reluctant})",
                pattern_text(inner),
                number(min),
                number(max)
            )
        }
    }
}
