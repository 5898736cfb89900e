//! JOIN: its sides, its condition, USING and NATURAL, and the hints that name its sides.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::Expr;
use sg_sql::{Hint, HintArgument, query as ast};
use sg_value::Gather as _;

use super::{
    Binder,
    expr::{Clause, ExprCx},
    from::scope_span,
    name::Part,
    scope::{Merged, Relation, Scope},
    unnest::unnest_of,
    versions::period_of,
};
use crate::logical::{JoinHints, JoinKind, JoinNode, LogicalNode, always, condition_fields};

/// A name that both sides have, with the column of each.
type CommonColumn = (Rc<str>, [u32; 2]);

/// A bound relation of FROM with the names that it gives.
pub(super) type Bound = (Rc<LogicalNode>, Scope);

impl Binder<'_> {
    /// One item of FROM: a relation and the joins behind it, from left to right.
    pub(super) fn bind_joins(&mut self, item: &ast::TableWithJoins, hints: &[Hint]) -> Bound {
        let mut joined = match unnest_of(&item.relation) {
            Some(unnest) => {
                let rows: Vec<sg_value::Row> = vec![Rc::from([])];
                let span = self.statement;
                let one = self
                    .builder
                    .values(crate::logical::ValuesNode { rows }, Vec::new(), span);
                let by = (JoinKind::Inner, &ast::JoinConstraint::None);
                self.bind_unnest((one, Scope::default()), &unnest, by)
            }
            None => self.bind_factor(&item.relation),
        };
        if let Some(period) = period_of(&item.relation) {
            let span = self.span(period);
            self.not_supported("FOR SYSTEM_TIME AS OF", span);
        }
        for join in &item.joins {
            joined = self.bind_join(joined, join, hints);
        }
        joined
    }

    fn bind_join(&mut self, left: Bound, join: &ast::Join, hints: &[Hint]) -> Bound {
        let known = kind_of(&join.join_operator);
        let (kind, constraint) = known.unwrap_or((JoinKind::Inner, &ast::JoinConstraint::None));
        if let Some(unnest) = unnest_of(&join.relation) {
            return self.bind_unnest(left, &unnest, (kind, constraint));
        }
        let (right, lateral) = self.bind_factor_beside(&left.1, &join.relation);
        if known.is_none() {
            let span = scope_span(&right.1).unwrap_or(self.statement);
            self.not_supported("JOIN …", span);
        }
        let mut both = self.both_sides(&left.1, &right.1);
        let (condition, common) = match constraint {
            ast::JoinConstraint::On(condition) => {
                let strict = both.without_merged();
                let mut cx = ExprCx::over(&strict, Clause::On);
                let behind = self.waiting();
                let bound = self.bind_condition(&mut cx, condition);
                if let Some(bound) = bound.as_ref() {
                    self.check_queries_in_on(behind, [&both, &right.1], bound.span);
                }
                if let Some(bound) = bound.as_ref()
                    && super::subquery::has_membership(bound)
                {
                    if super::subquery::has_in_query(bound) {
                        // Flink's planner fails: cases join-regular/in-a-condition-of-*
                        let missed = super::subquery::missed_column(bound, both.columns.len());
                        self.report(
                            Diagnostic::new(Code::InQueryInOn, bound.span)
                                .flink(format!("NullPointerException: equivalence.get({missed}")),
                        );
                    } else {
                        self.not_supported("(SELECT …) in ON", bound.span);
                    }
                }
                (bound, Vec::new())
            }
            ast::JoinConstraint::Using(names) => {
                let names: Vec<&ast::Ident> =
                    names.iter().flat_map(|name| super::from::idents(name)).gather();
                let parts: Vec<Part<'_>> = names.into_iter().map(Part::of).gather();
                self.common_columns(&left.1, &right.1, &parts)
            }
            ast::JoinConstraint::Natural => {
                let span = scope_span(&right.1).unwrap_or(self.statement);
                let parts: Vec<Part<'_>> = left
                    .1
                    .columns
                    .iter()
                    .filter(|field| right.1.named(&field.name).next().is_some())
                    .map(|field| Part {
                        text: &field.name,
                        span,
                    })
                    .gather();
                self.common_columns(&left.1, &right.1, &parts)
            }
            ast::JoinConstraint::None => (None, Vec::new()),
        };
        for (name, [of_left, of_right]) in common {
            let known = |side: &Scope, column: u32, shift: u32| match side.merged_column(&name) {
                Some(merged) => merged.columns.iter().map(|column| column + shift).gather(),
                None => vec![column],
            };
            let width = u32::try_from(left.1.columns.len()).unwrap_or(u32::MAX);
            let mut columns: Vec<u32> = known(&left.1, of_left, 0);
            columns.extend(known(&right.1, of_right, width));
            both.merged.retain(|merged| merged.name != name);
            both.merged.push(Merged {
                name,
                columns,
                kind,
                by_name: !matches!(constraint, ast::JoinConstraint::Natural),
            });
        }
        let (right, condition) = match period_of(&join.relation) {
            Some(period) => self.versioned(&left, right, (kind, condition), period),
            None => (right, condition),
        };
        self.joined(left, right, (kind, condition, lateral), (both, hints))
    }

    /// `a, b`, where `b` may read `a`.
    pub(super) fn comma_join(&mut self, left: Bound, item: &ast::TableWithJoins, hints: &[Hint]) -> Bound {
        if let Some(unnest) = unnest_of(&item.relation) {
            let by = (JoinKind::Inner, &ast::JoinConstraint::None);
            let mut joined = self.bind_unnest(left, &unnest, by);
            for join in &item.joins {
                joined = self.bind_join(joined, join, hints);
            }
            return joined;
        }
        let (mut right, lateral) = self.bind_factor_beside(&left.1, &item.relation);
        for join in &item.joins {
            right = self.bind_join(right, join, hints);
        }
        let both = self.both_sides(&left.1, &right.1);
        self.joined(left, right, (JoinKind::Inner, None, lateral), (both, hints))
    }

    /// The join, and its scope with the types that padding leaves.
    fn joined(
        &mut self,
        (left, left_scope): Bound,
        (right, right_scope): Bound,
        (kind, condition, lateral): (JoinKind, Option<Expr>, Option<u32>),
        (mut both, hints): (Scope, &[Hint]),
    ) -> Bound {
        let span = [&left_scope, &right_scope]
            .into_iter()
            .filter_map(scope_span)
            .chain(condition.as_ref().map(|condition| condition.span))
            .reduce(Span::join)
            .unwrap_or(self.statement);
        let condition = condition.unwrap_or_else(|| always(span));
        let hints = join_hints(hints, &left_scope, &right_scope);
        let node = JoinNode {
            kind,
            condition,
            hints,
            lateral,
        };
        let (mut exprs, queries) = self.attach(vec![node.condition]);
        let node = JoinNode {
            condition: exprs.pop().unwrap_or_else(|| always(span)),
            ..node
        };
        let joined = self.builder.join((left, right), node, span);
        let joined = super::subquery::with_queries(joined, queries);
        for (field, own) in both.columns.iter_mut().zip(joined.schema.iter()) {
            field.data_type = own.data_type.clone();
        }
        (joined, both)
    }

    /// The scope of ON: the relations of both sides.
    fn both_sides(&mut self, left: &Scope, right: &Scope) -> Scope {
        self.check_relation_names(left, right);
        let offset = u32::try_from(left.columns.len()).unwrap_or(u32::MAX);
        let mut both = left.clone();
        both.relations
            .extend(right.relations.iter().map(|relation| Relation {
                columns: relation.columns.start + offset..relation.columns.end + offset,
                ..relation.clone()
            }));
        both.merged.extend(right.merged.iter().map(|merged| Merged {
            columns: merged.columns.iter().map(|column| column + offset).gather(),
            ..merged.clone()
        }));
        both.columns = condition_fields(&left.columns, &right.columns);
        both
    }

    /// The equality of columns that both sides have under these names, and which columns those are.
    fn common_columns(
        &mut self,
        left: &Scope,
        right: &Scope,
        names: &[Part<'_>],
    ) -> (Option<Expr>, Vec<CommonColumn>) {
        let offset = u32::try_from(left.columns.len()).unwrap_or(u32::MAX);
        let mut equalities = Vec::new();
        let mut common = Vec::new();
        for part in names {
            let (Some(of_left), Some(of_right)) = (
                self.column_for_using(left, *part),
                self.column_for_using(right, *part),
            ) else {
                self.failed = true;
                continue;
            };
            let column = |scope: &Scope, at: u32, shift: u32| match scope.columns.get(at as usize) {
                Some(field) => Expr::column(at + shift, field.data_type.clone(), part.span),
                None => Expr::invalid(part.span),
            };
            let args = vec![column(left, of_left, 0), column(right, of_right, offset)];
            equalities.push(self.call("=", args, part.span));
            common.push((Rc::from(part.text), [of_left, of_right + offset]));
        }
        let condition = if equalities.len() > 1 {
            let span = equalities.iter().map(|expr| expr.span).reduce(Span::join);
            Some(self.call("AND", equalities, span.unwrap_or_default()))
        } else {
            equalities.pop()
        };
        (condition, common)
    }

    fn column_for_using(&mut self, scope: &Scope, part: Part<'_>) -> Option<u32> {
        let columns: Vec<u32> = scope.named(part.text).gather();
        match columns.as_slice() {
            [column] => Some(*column),
            _ if scope.is_broken() => None,
            [] => {
                let flink = self.validation(
                    part.span,
                    &format!("Column '{}' not found in any table", part.text),
                );
                let names = scope.columns.iter().map(|field| &*field.name);
                let diagnostic = Diagnostic::new(Code::UnknownColumnAnywhere, part.span)
                    .arg("column", part.text)
                    .flink(flink)
                    .suggest_similar(part.text, names);
                self.report(diagnostic);
                None
            }
            [first, ..] => {
                if scope.merged_column(part.text).is_some() {
                    return Some(*first);
                }
                let message = format!(
                    "Column name '{}' in NATURAL join or USING clause is not unique on one side of join",
                    part.text
                );
                let flink = self.validation(part.span, &message);
                self.report(
                    Diagnostic::new(Code::AmbiguousColumn, part.span)
                        .arg("column", part.text)
                        .flink(flink),
                );
                None
            }
        }
    }

    /// A column of USING or NATURAL by its bare name: only the first two columns of that name count.
    pub(super) fn merged_name(&mut self, scope: &Scope, merged: &Merged, span: Span) -> Expr {
        let columns: Vec<Expr> = merged
            .columns
            .iter()
            .take(2)
            .map(|&column| Self::column(scope, column, span))
            .gather();
        self.merged_columns(scope, merged.kind, columns, span)
    }

    /// A column of USING or NATURAL as `*` has it.
    pub(super) fn merged_star(&mut self, scope: &Scope, merged: &Merged, span: Span) -> Expr {
        let mut columns = merged
            .columns
            .iter()
            .map(|&column| Self::column(scope, column, span))
            .gather::<Vec<_>>()
            .into_iter();
        let Some(first) = columns.next() else {
            return Expr::invalid(span);
        };
        columns.fold(first, |so_far, next| {
            self.merged_columns(scope, merged.kind, vec![so_far, next], span)
        })
    }

    /// COALESCE, but where the condition of the only join says that one side is enough.
    fn merged_columns(&mut self, scope: &Scope, kind: JoinKind, columns: Vec<Expr>, span: Span) -> Expr {
        if let [left, right] = columns.as_slice()
            && scope.relations.len() == 2
            && left.data_type.kind == right.data_type.kind
        {
            match kind {
                // COALESCE is never NULL where one side is not, and here both sides are the same
                JoinKind::Inner if left.data_type.nullable && !right.data_type.nullable => {
                    return sg_expr::cast_exactly(left.clone(), &left.data_type.with_nullable(false));
                }
                JoinKind::Inner | JoinKind::Left => return left.clone(),
                JoinKind::Right => return right.clone(),
                _ => {}
            }
        }
        self.call("COALESCE", columns, span)
    }

    /// Columns of `*` in order: those of USING stand first and once.
    pub(super) fn star_columns(scope: &Scope) -> Vec<Star> {
        let count = u32::try_from(scope.columns.len()).unwrap_or(u32::MAX);
        let mut columns: Vec<Star> = (0..count).map(Star::Column).gather();
        for (at, merged) in scope.merged.iter().enumerate().rev() {
            let gone = |star: &Star| matches!(star, Star::Column(column) if merged.columns.contains(column));
            columns.retain(|star| !gone(star));
            columns.insert(0, Star::Merged(at));
        }
        columns
    }
}

/// A column of `*`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Star {
    /// A column of FROM.
    Column(u32),
    /// A column that USING made of two, by its place in [`Scope::merged`].
    Merged(usize),
}

/// The kind and the condition of a join; `None` for joins that Flink has not.
const fn kind_of(operator: &ast::JoinOperator) -> Option<(JoinKind, &ast::JoinConstraint)> {
    use ast::JoinOperator as J;
    Some(match operator {
        J::Join(by) | J::Inner(by) | J::CrossJoin(by) => (JoinKind::Inner, by),
        J::Left(by) | J::LeftOuter(by) => (JoinKind::Left, by),
        J::Right(by) | J::RightOuter(by) => (JoinKind::Right, by),
        J::FullOuter(by) => (JoinKind::Full, by),
        _ => return None,
    })
}

/// What the hints say about the sides of a join that are one relation each.
fn join_hints(hints: &[Hint], left: &Scope, right: &Scope) -> JoinHints {
    let names = [left, right].map(|scope| match scope.relations.as_slice() {
        [relation] => relation.name.clone(),
        _ => None,
    });
    let [_, right_name] = &names;
    let mut result = JoinHints {
        lookup: super::hint::lookup_hints(hints, right_name.as_deref()),
        ..JoinHints::default()
    };
    for hint in hints {
        let word = hint.name.name.to_ascii_uppercase();
        if super::hint::BATCH_ONLY.contains(&word.as_str()) {
            let sides = ["LEFT", "RIGHT"].into_iter().zip(&names).filter(|(_, name)| {
                let named = |arg: &HintArgument| {
                    let table = match arg {
                        HintArgument::Name(table) => &*table.name,
                        HintArgument::Text(table) => &*table.value,
                        HintArgument::Pair(..) => return false,
                    };
                    name.as_ref().is_some_and(|name| **name == *table)
                };
                hint.args.iter().any(named)
            });
            let sides: Vec<&str> = sides.map(|(side, _)| side).gather();
            if !sides.is_empty() {
                let text = format!("{word} options:[{}]", sides.join(", "));
                result.ignored.push(Rc::from(text));
            }
        }
        if word == "MULTI_JOIN" {
            result.multi |= [left, right].into_iter().all(|scope| {
                let names = || {
                    scope
                        .relations
                        .iter()
                        .filter_map(|relation| relation.name.as_deref())
                };
                hint.args.iter().any(|arg| match arg {
                    HintArgument::Name(table) => names().any(|name| *name == *table.name),
                    HintArgument::Text(table) => names().any(|name| *name == *table.value),
                    HintArgument::Pair(..) => false,
                })
            });
        }
        let is_ttl = word == "STATE_TTL";
        for (at, name) in names.iter().enumerate() {
            let Some(name) = name else { continue };
            for arg in &hint.args {
                match arg {
                    HintArgument::Pair(table, ttl) if is_ttl && *table.value == **name => {
                        if let Some(slot) = result.ttl.get_mut(at) {
                            *slot = Some(Rc::from(ttl.value.as_str()));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    result
}
