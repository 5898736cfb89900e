//! Sub-queries inside of expressions: what they find joins the row as further columns.

use std::rc::Rc;

use sg_diag::Span;
use sg_expr::{
    Expr, ExprKind,
    function::subquery::{EXISTS_QUERY, IN_QUERY, SCALAR_QUERY},
};
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{
    Query,
    decorrelate::{Mode, Pulled, pull, reads},
    make::{aggregate, aggregate_call, call, column, compare_with, join, single_value, truth, zero},
    query_of,
    semi::around,
};
use crate::{
    logical::{JoinKind, LogicalNode, LogicalOp},
    optimize::{
        RuleContext,
        rewrite::{columns_of, conjunction, names},
    },
};

/// Whether FALSE and NULL are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    /// Only TRUE counts.
    OnlyTrue,
    /// A value in a select list.
    Full,
}

/// A row that grows by what sub-queries find.
pub(super) struct Wide<'n> {
    pub(super) node: Rc<LogicalNode>,
    /// The node whose expressions they stand in.
    of: &'n LogicalNode,
    truth: Truth,
    /// Columns that Flink finds by a correlation at first.
    pub(super) correlated: Vec<u32>,
    /// How the row meets what EXISTS finds: a row without it is lost where nothing but TRUE counts.
    pub(super) found_by: JoinKind,
}

impl<'n> Wide<'n> {
    pub(super) const fn new(node: Rc<LogicalNode>, of: &'n LogicalNode, truth: Truth) -> Self {
        Self {
            node,
            of,
            truth,
            correlated: Vec::new(),
            found_by: JoinKind::Left,
        }
    }

    /// The expression over the grown row.
    pub(super) fn replaced(&mut self, expr: &Expr, cx: &mut RuleContext<'_>) -> Expr {
        if let Some(query) = query_of(expr) {
            return self.found(&query, (false, expr), cx);
        }
        let ExprKind::Call { function, args } = &expr.kind else {
            return expr.clone();
        };
        if function.name == "NOT"
            && let Some(query) = args.first().and_then(query_of)
            && query.name != SCALAR_QUERY
        {
            return self.found(&query, (true, expr), cx);
        }
        Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| self.replaced(arg, cx)).gather(),
            },
            ..expr.clone()
        }
    }

    fn found(&mut self, query: &Query<'_>, (negated, expr): (bool, &Expr), cx: &mut RuleContext<'_>) -> Expr {
        let operands: Vec<Expr> = query
            .operands
            .iter()
            .map(|operand| self.replaced(operand, cx))
            .gather();
        let Some(plan) = self.of.inputs.get(query.input) else {
            return Expr::invalid(expr.span);
        };
        let found = match query.name {
            SCALAR_QUERY => self.scalar(plan, query.outer, cx),
            EXISTS_QUERY => self.exists(plan, query.outer, (negated, expr.span), cx),
            IN_QUERY => self.contains(plan, (query.outer, &operands), (negated, expr.span), cx),
            _ => self.some(plan, &operands, (negated, expr.span), cx),
        };
        // what cannot be taken apart is refused where it would be lowered
        found.unwrap_or_else(|| expr.clone())
    }

    pub(super) fn width(&self) -> u32 {
        u32::try_from(self.node.schema.len()).unwrap_or(u32::MAX)
    }

    /// The only value.
    fn scalar(&mut self, plan: &Rc<LogicalNode>, outer: u32, cx: &mut RuleContext<'_>) -> Option<Expr> {
        let width = self.width();
        if !reads(plan, outer) {
            let one = if has_one_row(plan) {
                Rc::clone(plan)
            } else {
                let only = single_value(plan, 0, 0)?;
                aggregate(Rc::clone(plan), Vec::new(), vec![only], cx)
            };
            self.node = join(&self.node, one, (JoinKind::Left, None), cx);
            return Some(column(&self.node, width));
        }
        if let Some(expr) = self.unique(plan, outer, cx) {
            return Some(expr);
        }
        let around_node = Rc::clone(&self.node);
        let mut pulled = pull(plan, outer, Mode::Equal(&around_node), cx)?;
        let is_count = counts(plan);
        if !is_grouped(plan) {
            let value = pulled.columns.first().copied()?;
            let keys = columns_of(&pulled.conditions);
            let picked: Vec<u32> = keys.iter().copied().chain([value]).gather();
            let node_names = names(&pulled.node);
            let exprs: Vec<Expr> = picked.iter().map(|&at| column(&pulled.node, at)).gather();
            let picked_names: Vec<Rc<str>> = picked
                .iter()
                .filter_map(|&at| node_names.get(at as usize).map(Rc::clone))
                .gather();
            let span = pulled.node.span;
            let narrow = cx
                .builder
                .project_always(Rc::clone(&pulled.node), exprs, &picked_names, span);
            let count = u32::try_from(keys.len()).ok()?;
            let only = single_value(&narrow, count, keys.len())?;
            let places: Vec<(u32, u32)> = keys.iter().copied().zip(0_u32..).gather();
            let conditions = pulled
                .conditions
                .iter()
                .map(|condition| {
                    condition.map_columns(&mut |at| {
                        let place = places.iter().find(|(from, _)| *from == at);
                        place.map_or(u32::MAX, |(_, to)| *to)
                    })
                })
                .gather();
            let at = u32::try_from(keys.len()).ok()?;
            pulled = Pulled {
                node: aggregate(narrow, (0..count).gather(), vec![only], cx),
                columns: vec![at],
                conditions,
                generated: pulled.generated,
            };
        }
        let at = pulled.columns.first().copied()?;
        if pulled.generated {
            self.correlated.push(width + at);
        }
        self.join_pulled(pulled, outer, cx);
        let value = column(&self.node, width + at);
        if !is_count {
            return Some(value);
        }
        let span = value.span;
        let none = call("IS NULL", vec![value.clone()], span);
        let zero = zero(&value.data_type, span);
        Some(call("CASE", vec![none, zero, value], span))
    }

    /// A sub-query that asks for the whole key of a table finds one row at most.
    fn unique(&mut self, plan: &Rc<LogicalNode>, outer: u32, cx: &mut RuleContext<'_>) -> Option<Expr> {
        let width = self.width();
        if is_grouped(plan) {
            return None;
        }
        // a plain column is read above the join
        let (inner, value) = match (&plan.op, plan.inputs.first()) {
            (LogicalOp::Project(project), Some(input)) => (input, project.expressions.first()?.as_column()?),
            _ => (plan, 0),
        };
        let pulled = pull(inner, outer, Mode::AsWritten, cx)?;
        let keys = crate::logical::unique_keys(&pulled.node);
        let equal: Vec<u32> = pulled
            .conditions
            .iter()
            .filter_map(|condition| match &condition.kind {
                ExprKind::Call { function, args } if function.name == "=" => {
                    args.iter().find_map(Expr::as_column)
                }
                _ => None,
            })
            .gather();
        let is_key = |key: &Vec<u32>| key.iter().all(|column| equal.contains(column));
        if !keys.iter().any(is_key) {
            return None;
        }
        let at = pulled.columns.get(value as usize).copied()?;
        self.join_pulled(pulled, outer, cx);
        Some(column(&self.node, width + at))
    }

    fn join_pulled(&mut self, pulled: Pulled, outer: u32, cx: &mut RuleContext<'_>) {
        let width = self.width();
        let conditions: Vec<Expr> = pulled
            .conditions
            .iter()
            .map(|condition| around(condition, outer, width))
            .gather();
        let condition = conjunction(&conditions);
        self.node = join(&self.node, pulled.node, (self.found_by, condition), cx);
    }

    /// TRUE where there is a row.
    fn exists(
        &mut self,
        plan: &Rc<LogicalNode>,
        outer: u32,
        (negated, span): (bool, Span),
        cx: &mut RuleContext<'_>,
    ) -> Option<Expr> {
        let width = self.width();
        let test = if negated { "IS NULL" } else { "IS NOT NULL" };
        if !reads(plan, outer) {
            let marked =
                cx.builder
                    .project_always(Rc::clone(plan), vec![truth(true, span)], &[Rc::from("i")], span);
            let once = aggregate(marked, vec![0], Vec::new(), cx);
            self.node = join(&self.node, once, (self.found_by, None), cx);
            return Some(call(test, vec![column(&self.node, width)], span));
        }
        let around_node = Rc::clone(&self.node);
        let pulled = pull(plan, outer, Mode::Equal(&around_node), cx)?;
        let keys = columns_of(&pulled.conditions);
        let count = u32::try_from(keys.len()).ok()?;
        let key_exprs: Vec<Expr> = keys.iter().map(|&at| column(&pulled.node, at)).gather();
        let node_names = names(&pulled.node);
        let key_names: Vec<Rc<str>> = keys
            .iter()
            .filter_map(|&at| node_names.get(at as usize).map(Rc::clone))
            .gather();
        let narrow = cx
            .builder
            .project_always(pulled.node, key_exprs, &key_names, span);
        let once = aggregate(narrow, (0..count).gather(), Vec::new(), cx);
        let mut expressions: Vec<Expr> = (0..count).map(|at| column(&once, at)).gather();
        expressions.push(truth(true, span));
        let mut all_names = names(&once);
        all_names.push(Rc::from(format!("$f{count}")));
        let marked = cx.builder.project_always(once, expressions, &all_names, span);
        let conditions = pulled
            .conditions
            .iter()
            .map(|condition| {
                condition.map_columns(&mut |at| {
                    let place = (0_u32..).zip(&keys).find(|(_, key)| **key == at);
                    place.map_or(u32::MAX, |(to, _)| to)
                })
            })
            .gather();
        let marked = Pulled {
            node: marked,
            columns: Vec::new(),
            conditions,
            generated: pulled.generated,
        };
        self.join_pulled(marked, outer, cx);
        Some(call(test, vec![column(&self.node, width + count)], span))
    }

    /// Whether the operands are among the rows, with SQL's third truth value.
    ///
    /// Calcite: `SubQueryRemoveRule.rewriteIn`.
    fn contains(
        &mut self,
        plan: &Rc<LogicalNode>,
        (outer, operands): (u32, &[Expr]),
        (negated, span): (bool, Span),
        cx: &mut RuleContext<'_>,
    ) -> Option<Expr> {
        if reads(plan, outer) {
            return None;
        }
        let count = u32::try_from(plan.schema.len()).ok()?;
        let nullable = operands.iter().any(|operand| operand.data_type.nullable)
            || plan.schema.iter().any(|field| field.data_type.nullable);
        let counters = self.width();
        if nullable {
            let all = aggregate_call("COUNT", &[], plan, (false, "c"))?;
            let first: Vec<u32> = (0..count.min(1)).gather();
            let known = aggregate_call("COUNT", &first, plan, (false, "ck"))?;
            // the rows without NULL are all rows where the first column is never NULL
            let same = plan.schema.first().is_some_and(|field| !field.data_type.nullable);
            let calls = if same { vec![all] } else { vec![all, known] };
            let mut counted = aggregate(Rc::clone(plan), Vec::new(), calls, cx);
            if same {
                let twice = vec![column(&counted, 0), column(&counted, 0)];
                let names = [Rc::from("c"), Rc::from("ck")];
                counted = cx.builder.project_always(counted, twice, &names, span);
            }
            self.node = join(&self.node, counted, (JoinKind::Inner, None), cx);
        }
        let width = self.width();
        let mut expressions: Vec<Expr> = (0..count).map(|at| column(plan, at)).gather();
        expressions.push(truth(true, span));
        let mut all_names = names(plan);
        all_names.push(Rc::from("i"));
        let marked = cx
            .builder
            .project_always(Rc::clone(plan), expressions, &all_names, span);
        let once = aggregate(marked, (0..=count).gather(), Vec::new(), cx);
        let equalities: Vec<Expr> = operands
            .iter()
            .zip(0..count)
            .map(|(operand, at)| {
                let found = column(&once, at).map_columns(&mut |at| at + width);
                call("=", vec![operand.clone(), found], span)
            })
            .gather();
        self.node = join(&self.node, once, (JoinKind::Left, conjunction(&equalities)), cx);
        let mark = column(&self.node, width + count);
        let found = call("IS NOT NULL", vec![mark.clone()], span);
        let missing = call("IS NULL", vec![mark], span);
        if !nullable {
            return Some(if negated { missing } else { found });
        }
        let counts = [column(&self.node, counters), column(&self.node, counters + 1)];
        Some(membership(
            self.truth,
            (counts, found, missing),
            operands,
            (negated, span),
        ))
    }

    /// `a > SOME (…)`, negated `a <= ALL (…)`.
    ///
    /// Calcite: `SubQueryRemoveRule.rewriteSome`.
    fn some(
        &mut self,
        plan: &Rc<LogicalNode>,
        operands: &[Expr],
        (negated, span): (bool, Span),
        cx: &mut RuleContext<'_>,
    ) -> Option<Expr> {
        let [symbol, operand] = operands else { return None };
        let (op, opposite, extreme) = match symbol.as_symbol()? {
            ">" => (">", "<=", "MIN"),
            ">=" => (">=", "<", "MIN"),
            "<" => ("<", ">=", "MAX"),
            "<=" => ("<=", ">", "MAX"),
            _ => return None,
        };
        if crate::logical::is_correlated(plan) {
            return None;
        }
        let width = self.width();
        let calls = vec![
            aggregate_call(extreme, &[0], plan, (false, "m"))?,
            aggregate_call("COUNT", &[], plan, (false, "c"))?,
            aggregate_call("COUNT", &[0], plan, (false, "d"))?,
        ];
        let counted = aggregate(Rc::clone(plan), Vec::new(), calls, cx);
        self.node = join(&self.node, counted, (JoinKind::Inner, None), cx);
        let [best, all, known] = [0, 1, 2].map(|at| column(&self.node, width + at));
        let holds = call(op, vec![operand.clone(), best.clone()], span);
        if !negated {
            let some_rows = compare_with("<>", all.clone(), 0, span);
            if self.truth == Truth::OnlyTrue || !holds.data_type.nullable {
                return conjunction(&[some_rows, holds]);
            }
            // TRUE where it holds for the best one, else NULL where there are NULLs, else what the comparison says.
            let unknown = Expr::literal(Value::Null, DataType::nullable(TypeKind::Boolean), span);
            let missed = call("IS NOT TRUE", vec![holds.clone()], span);
            let hit = conjunction(&[call("IS TRUE", vec![holds.clone()], span), some_rows.clone()])?;
            let unsure = call(">", vec![all.clone(), known.clone()], span);
            let unsure = conjunction(&[unsure, unknown, some_rows.clone(), missed.clone()])?;
            let complete = call("<=", vec![all, known], span);
            let sure = conjunction(&[holds, some_rows, missed, complete])?;
            return Some(call("OR", vec![hit, unsure, sure], span));
        }
        let no_rows = compare_with("=", all.clone(), 0, span);
        let fails = call(opposite, vec![operand.clone(), best], span);
        if self.truth == Truth::Full && holds.data_type.nullable {
            let unknown = Expr::literal(Value::Null, DataType::nullable(TypeKind::Boolean), span);
            let missed = call("IS NOT TRUE", vec![holds], span);
            let unsure = call(">", vec![all.clone(), known.clone()], span);
            let unsure = conjunction(&[unsure, unknown, missed.clone()])?;
            let complete = call("<=", vec![all, known], span);
            let sure = conjunction(&[fails, missed, complete])?;
            return Some(call("OR", vec![no_rows, unsure, sure], span));
        }
        let unsure = call("OR", vec![holds, call(">", vec![all, known], span)], span);
        let sure = call("IS NOT TRUE", vec![unsure], span);
        let for_all = conjunction(&[fails, sure])?;
        Some(call("OR", vec![no_rows, for_all], span))
    }
}

/// Whether there is at most one row by the shape of the query: an aggregation without keys.
fn has_one_row(node: &LogicalNode) -> bool {
    match &node.op {
        LogicalOp::Aggregate(aggregate) => aggregate.keys.is_empty() && aggregate.sets.len() == 1,
        LogicalOp::Project(_) | LogicalOp::Filter(_) => {
            node.inputs.first().is_some_and(|input| has_one_row(input))
        }
        LogicalOp::Values(values) => values.rows.len() <= 1,
        _ => false,
    }
}

/// Whether a correlated query aggregates all its rows, so that it has one per value of the query around.
fn is_grouped(node: &LogicalNode) -> bool {
    has_one_row(node) && !matches!(node.op, LogicalOp::Values(_))
}

/// Whether the value is a COUNT, which is 0 where there is nothing.
fn counts(node: &LogicalNode) -> bool {
    match &node.op {
        LogicalOp::Aggregate(aggregate) => aggregate
            .calls
            .first()
            .is_some_and(|call| call.function.name == "COUNT"),
        LogicalOp::Project(project) => {
            let is_first = project.expressions.first().and_then(Expr::as_column) == Some(0);
            is_first && node.inputs.first().is_some_and(|input| counts(input))
        }
        _ => false,
    }
}

/// Whether the operands are among the rows, from the number of rows, the number of those without NULL, and whether an
/// equal one was found or is missing.
fn membership(
    truth_of: Truth,
    ([all, known], found, missing): ([Expr; 2], Expr, Expr),
    operands: &[Expr],
    (negated, span): (bool, Span),
) -> Expr {
    let some_rows = compare_with("<>", all.clone(), 0, span);
    let no_rows = compare_with("=", all.clone(), 0, span);
    let tests = |test: &str| -> Vec<Expr> {
        operands
            .iter()
            .filter(|operand| operand.data_type.nullable)
            .map(|operand| call(test, vec![operand.clone()], span))
            .gather()
    };
    let given = tests("IS NOT NULL");
    let and = |parts: Vec<Expr>| conjunction(&parts).unwrap_or_else(|| truth(true, span));
    if truth_of == Truth::OnlyTrue {
        if !negated {
            return and([some_rows, found].into_iter().chain(given).gather());
        }
        let complete = call(">=", vec![known, all], span);
        let apart = and([missing, complete].into_iter().chain(given).gather());
        return call("OR", vec![no_rows, apart], span);
    }
    let unknown = Expr::literal(Value::Null, DataType::nullable(TypeKind::Boolean), span);
    let incomplete = call("<", vec![known.clone(), all.clone()], span);
    let mut branches: Vec<Expr> = Vec::new();
    if negated {
        branches.push(no_rows);
        for test in tests("IS NULL") {
            branches.push(and(vec![test, unknown.clone()]));
        }
        let unsure = [incomplete, unknown].into_iter().chain(given.clone());
        branches.push(and(unsure.chain([missing.clone()]).gather()));
        let complete = call(">=", vec![known, all], span);
        branches.push(and(given.into_iter().chain([missing, complete]).gather()));
        return call("OR", branches, span);
    }
    for test in tests("IS NULL") {
        branches.push(and(vec![test, unknown.clone(), some_rows.clone()]));
    }
    let hit = [found, some_rows.clone()].into_iter().chain(given.clone());
    branches.push(and(hit.gather()));
    let unsure = [incomplete, unknown, some_rows]
        .into_iter()
        .chain(given)
        .chain([missing]);
    branches.push(and(unsure.gather()));
    call("OR", branches, span)
}
