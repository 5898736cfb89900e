//! GROUP BY with its grouping sets, GROUPING and `GROUPING_ID`.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{AggregateCall, AggregateDef, Expr, function::Doc};
use sg_sql::query as ast;
use sg_value::{DataType, Gather as _, TypeKind, Value};
use std::rc::Rc;

use super::{
    Binder,
    aggregate::{GroupKey, Grouping, InputColumn},
    expr::{Clause, ExprCx},
    scope::Scope,
};
use crate::logical::same_expression;

/// GROUPING, `GROUPING_ID` and `GROUP_ID` until optimization replaces them by CASE over the set's id.
pub(crate) static GROUPING: AggregateDef = AggregateDef::planner_only(
    "GROUPING",
    &["GROUPING(key) → BIGINT", "GROUPING_ID(key, …) → BIGINT"],
    Doc::of(
        "Which of the keys are missing from the grouping set of this row, as bits.",
        "以位表示该行的分组集缺少哪些键。",
    ),
);

/// Grouping sets beyond this number are refused.
const MAX_SETS: usize = 4096;

impl Binder<'_> {
    /// The keys and sets of GROUP BY; without one, a single empty set.
    pub(super) fn bind_group_by(&mut self, scope: &Scope, exprs: &[ast::Expr]) -> Grouping {
        let mut grouping = Grouping {
            sets: vec![Vec::new()],
            ..Grouping::default()
        };
        for expr in exprs {
            let sets = self.bind_group_element(scope, &mut grouping, expr);
            let product = grouping
                .sets
                .iter()
                .flat_map(|left| sets.iter().map(|right| merge(left, right)))
                .take(MAX_SETS + 1)
                .gather();
            grouping.sets = product;
            if grouping.sets.len() > MAX_SETS {
                let span = self.span(expr);
                self.report(Diagnostic::new(Code::TooManyGroupingSets, span).arg("limit", MAX_SETS));
                grouping.broken = true;
                grouping.sets.truncate(1);
            }
        }
        grouping.sets.sort_by(|left, right| set_order(left, right));
        let written = grouping.sets.len();
        grouping.sets.dedup();
        grouping.repeated = grouping.sets.len() < written;
        self.check_group_windows(&mut grouping);
        for (at, key) in (0_u32..).zip(&mut grouping.keys) {
            key.data_type = key.expr.data_type.clone();
            key.data_type.nullable |= !grouping.sets.iter().all(|set| set.contains(&at));
        }
        grouping
    }

    /// The sets that one element of GROUP BY stands for.
    fn bind_group_element(
        &mut self,
        scope: &Scope,
        grouping: &mut Grouping,
        expr: &ast::Expr,
    ) -> Vec<Vec<u32>> {
        match expr {
            ast::Expr::GroupingSets(sets) => sets
                .iter()
                .map(|set| self.bind_group_keys(scope, grouping, set))
                .gather(),
            ast::Expr::Rollup(elements) => {
                let parts: Vec<Vec<u32>> = elements
                    .iter()
                    .map(|part| self.bind_group_keys(scope, grouping, part))
                    .gather();
                (0..=parts.len())
                    .rev()
                    .map(|length| {
                        parts
                            .iter()
                            .take(length)
                            .fold(Vec::new(), |set, part| merge(&set, part))
                    })
                    .gather()
            }
            ast::Expr::Cube(elements) => {
                let parts: Vec<Vec<u32>> = elements
                    .iter()
                    .map(|part| self.bind_group_keys(scope, grouping, part))
                    .gather();
                subsets(&parts)
            }
            ast::Expr::Tuple(items) => vec![self.bind_group_keys(scope, grouping, items)],
            other => vec![self.bind_group_keys(scope, grouping, std::slice::from_ref(other))],
        }
    }

    fn bind_group_keys(&mut self, scope: &Scope, grouping: &mut Grouping, exprs: &[ast::Expr]) -> Vec<u32> {
        let mut set = Vec::new();
        for expr in exprs {
            let bound = self.bind_expr(&mut ExprCx::over(scope, Clause::GroupBy), expr);
            if bound.is_invalid() {
                grouping.broken = true;
                continue;
            }
            let at = grouping
                .keys
                .iter()
                .position(|key| same_expression(&key.expr, &bound));
            let at = at.unwrap_or_else(|| {
                let data_type = bound.data_type.clone();
                // a column that USING made of two has no name of its own
                let merged =
                    matches!(expr, ast::Expr::Identifier(name) if scope.merged_column(&name.value).is_some());
                grouping.input.push(InputColumn {
                    expr: bound.clone(),
                    alias: merged.then(|| Rc::from(format!("$f{}", grouping.input.len()))),
                });
                grouping.keys.push(GroupKey {
                    expr: bound,
                    data_type,
                });
                grouping.keys.len() - 1
            });
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            set = merge(&set, &[at]);
        }
        set
    }

    /// `GROUPING(a)`, `GROUPING_ID(a, b)`
    #[inline(never)]
    pub(super) fn bind_grouping(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        let Some(grouping) = cx
            .grouping
            .as_deref()
            .filter(|grouping| !grouping.keys.is_empty())
        else {
            let message = format!("{name} operator may only occur in an aggregate query");
            let flink = self.validation(span, &message);
            self.report(
                Diagnostic::new(Code::GroupingOutsideGroupBy, span)
                    .arg("function", name)
                    .flink(flink),
            );
            return Expr::invalid(span);
        };
        let keys = grouping.keys.clone();
        let repeated = grouping.repeated;
        let ast::FunctionArguments::List(list) = &function.args else {
            return Expr::invalid(span);
        };
        if name == "GROUP_ID" {
            return self.group_id(list.args.len(), repeated, span);
        }
        let mut args = Vec::new();
        for arg in &list.args {
            let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) = arg else {
                continue;
            };
            let bound = self.bind_expr(&mut ExprCx::over(cx.scope, Clause::GroupBy), expr);
            let key = keys.iter().position(|key| same_expression(&key.expr, &bound));
            match key.and_then(|at| u32::try_from(at).ok()) {
                Some(at) => args.push(at),
                None if bound.is_invalid() => return Expr::invalid(span),
                None => return self.not_a_group_key(name, bound.span),
            }
        }
        let data_type = DataType::not_null(TypeKind::BigInt);
        let call = AggregateCall {
            function: &GROUPING,
            arg_types: vec![data_type.clone(); args.len()],
            args,
            distinct: false,
            filter: None,
            retract: false,
            data_type: data_type.clone(),
            name: Rc::from(""),
            span,
            user: None,
        };
        let column = cx
            .grouping
            .as_deref_mut()
            .map_or(0, |grouping| grouping.add_call(call));
        Expr::column(column, data_type, span)
    }

    /// Which of several equal grouping sets it is: where each is there once, the first. Case: group-agg/group-id.
    fn group_id(&mut self, arguments: usize, repeated: bool, span: Span) -> Expr {
        if arguments > 0 {
            let message = "Invalid number of arguments to function 'GROUP_ID'. Was expecting 0 arguments";
            let flink = self.validation(span, message);
            self.report(
                Diagnostic::new(Code::WrongArgumentCount, span)
                    .arg("function", "GROUP_ID")
                    .arg("given", arguments)
                    .arg_list("forms", ["GROUP_ID()"])
                    .flink(flink),
            );
            return Expr::invalid(span);
        }
        if repeated {
            return self.unsupported("GROUP_ID()", span);
        }
        Expr::literal(Value::Int(0), DataType::not_null(TypeKind::BigInt), span)
    }

    fn not_a_group_key(&mut self, function: &str, span: Span) -> Expr {
        let message = format!("Argument to {function} operator must be a grouped expression");
        let flink = self.validation(span, &message);
        self.report(
            Diagnostic::new(Code::NotGrouped, span)
                .arg("expression", span.text(self.text))
                .flink(flink),
        );
        Expr::invalid(span)
    }
}

/// Both sets together, in ascending order.
fn merge(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut both: Vec<u32> = left.iter().chain(right).copied().gather();
    both.sort_unstable();
    both.dedup();
    both
}

/// CUBE: every subset, the fullest first.
fn subsets(parts: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let count = parts.len().min(12);
    (0..1_usize << count)
        .map(|mask| {
            let included = |at: usize| mask >> (count - 1 - at) & 1 == 0;
            parts
                .iter()
                .take(count)
                .enumerate()
                .filter(|(at, _)| included(*at))
                .fold(Vec::new(), |set, (_, part)| merge(&set, part))
        })
        .gather()
}

/// Calcite's order of grouping sets: by the first key that differs, a set before its own subsets.
pub(crate) fn set_order(left: &[u32], right: &[u32]) -> std::cmp::Ordering {
    let end = std::iter::once(u32::MAX);
    left.iter()
        .copied()
        .chain(end.clone())
        .cmp(right.iter().copied().chain(end))
}
