//! Aggregate calls, and expressions over the output of an aggregation.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{
    AggregateCall, AggregateContext, Charset, Expr, ExprKind, calcite_type, family_name, resolve_aggregate,
    resolve_call,
};
use sg_sql::query as ast;
use sg_value::{DataType, Gather as _, TypeKind};

use super::{
    Binder,
    expr::{Clause, ExprCx},
    name::Part,
    scope::Scope,
    user_call::Called,
};
use crate::logical::{LogicalNode, LogicalOp, same_expression};

/// What a SELECT with aggregates or GROUP BY becomes: a projection with keys and arguments, then the aggregation.
///
/// Output columns: the keys, then the calls.
#[derive(Debug, Default)]
pub(super) struct Grouping {
    /// GROUP BY expressions over the columns of FROM, equal ones once; key `i` is column `i` of the projection.
    pub(super) keys: Vec<GroupKey>,
    /// Grouping sets as positions within `keys`.
    pub(super) sets: Vec<Vec<u32>>,
    /// One of them is written more than once.
    pub(super) repeated: bool,
    /// The projection below: keys first, then arguments and filters as they are first needed.
    pub(super) input: Vec<InputColumn>,
    /// Calls over the projection, equal ones once. A call that is a whole select item has that item's name.
    pub(super) calls: Vec<AggregateCall>,
    /// Arguments that COUNT does not need, with their places in `input`: names of columns behind them count them.
    pub(super) left_out: Vec<(usize, Expr)>,
    /// GROUP BY has a broken expression: names that are not grouped are not reported.
    pub(super) broken: bool,
}

/// A column of the projection below an aggregation.
#[derive(Debug)]
pub(super) struct InputColumn {
    pub(super) expr: Expr,
    /// The name of the select item that is this group key.
    pub(super) alias: Option<Rc<str>>,
}

/// A GROUP BY expression.
#[derive(Clone, Debug)]
pub(super) struct GroupKey {
    /// Over the columns of FROM.
    pub(super) expr: Expr,
    /// Its type in the output: nullable where a grouping set lacks it.
    pub(super) data_type: DataType,
}

impl Grouping {
    fn key_of(&self, expr: &Expr) -> Option<u32> {
        (0_u32..)
            .zip(&self.keys)
            .find(|(_, key)| same_expression(&key.expr, expr))
            .map(|(at, _)| at)
    }

    fn key_column(&self, at: u32, span: Span) -> Expr {
        self.keys.get(at as usize).map_or_else(
            || Expr::invalid(span),
            |key| Expr::column(at, key.data_type.clone(), span),
        )
    }

    /// The projection's column for an expression over FROM, added where it is not there yet.
    pub(super) fn input_column(&mut self, expr: Expr) -> u32 {
        let found = self
            .input
            .iter()
            .position(|known| same_expression(&known.expr, &expr));
        let at = found.unwrap_or_else(|| {
            self.left_out.retain(|(_, known)| !same_expression(known, &expr));
            self.input.push(InputColumn { expr, alias: None });
            self.input.len() - 1
        });
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    fn leave_out(&mut self, args: Vec<Expr>) {
        for arg in args {
            let mut known = self.input.iter().map(|column| &column.expr);
            let mut gone = self.left_out.iter().map(|(_, expr)| expr);
            if !known.any(|expr| same_expression(expr, &arg)) && !gone.any(|expr| same_expression(expr, &arg))
            {
                self.left_out.push((self.input.len(), arg));
            }
        }
    }

    /// Names of the projection's columns: the alias of a key, else the column's own; `None` where it is taken.
    pub(super) fn input_names(&self, scope: &Scope, from: &LogicalNode) -> Vec<Option<Rc<str>>> {
        let mut names: Vec<Option<Rc<str>>> = Vec::with_capacity(self.input.len());
        for (place, column) in self.input.iter().enumerate() {
            let left_out = self.left_out.iter().filter(|(at, _)| *at <= place).count();
            let counted = || (left_out > 0).then(|| Rc::from(format!("$f{}", place + left_out)));
            let own = || {
                let at = column.expr.as_column()?;
                // the columns of a join have different names
                if matches!(from.op, LogicalOp::Join(_)) {
                    return from.schema.get(at as usize).map(|field| Rc::clone(&field.name));
                }
                scope.columns.get(at as usize).map(|field| Rc::clone(&field.name))
            };
            let name = column.alias.clone().or_else(own).or_else(counted);
            names.push(name.filter(|name| !names.iter().any(|known| known.as_ref() == Some(name))));
        }
        names
    }

    /// Gives the key or call of this output column the name of the select item that it is.
    pub(super) fn name_column(&mut self, column: u32, name: &Rc<str>) {
        let at = column as usize;
        if at < self.keys.len() {
            // a name that was made up for a column of USING stays
            if let Some(input) = self.input.get_mut(at)
                && !input.alias.as_ref().is_some_and(|alias| alias.starts_with("$f"))
            {
                input.alias = Some(Rc::clone(name));
            }
        } else if let Some(call) = self.calls.get_mut(at - self.keys.len())
            && call.name.is_empty()
        {
            call.name = Rc::clone(name);
        }
    }

    pub(super) fn add_call(&mut self, call: AggregateCall) -> u32 {
        let same = |known: &AggregateCall| {
            known.is_same_function(&call)
                && known.args == call.args
                && known.distinct == call.distinct
                && known.filter == call.filter
        };
        let at = self.calls.iter().position(same).unwrap_or_else(|| {
            self.calls.push(call);
            self.calls.len() - 1
        });
        u32::try_from(self.keys.len() + at).unwrap_or(u32::MAX)
    }
}

impl Binder<'_> {
    /// The output column of a GROUP BY expression, if this expression is one.
    #[inline(never)]
    pub(super) fn match_group_key(&mut self, cx: &mut ExprCx<'_>, expr: &ast::Expr) -> Option<Expr> {
        let grouping = cx.grouping.as_deref()?;
        let may_match = match expr {
            ast::Expr::Value(_) | ast::Expr::Nested(_) => false,
            ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_) => true,
            _ => grouping.keys.iter().any(|key| key.expr.as_column().is_none()),
        };
        if !may_match || super::call::has_aggregate(self, expr) {
            return None;
        }
        let clause = cx.clause;
        let scope = cx.scope;
        let (bound, sound) = self.scratch(|binder| binder.bind_expr(&mut ExprCx::over(scope, clause), expr));
        if !sound {
            return None;
        }
        let at = grouping.key_of(&bound)?;
        Some(grouping.key_column(at, bound.span))
    }

    /// A name; over an aggregation it has to be made of group keys.
    pub(super) fn bind_ungrouped_name(&mut self, cx: &mut ExprCx<'_>, parts: &[Part<'_>]) -> Expr {
        let expr = self.bind_name(cx.scope, parts);
        let Some(grouping) = cx.grouping.as_deref() else {
            return expr;
        };
        if expr.is_invalid() {
            return expr;
        }
        if let Some(rebuilt) = self.over_keys(grouping, &expr) {
            return rebuilt;
        }
        let broken = grouping.broken;
        self.not_grouped(parts, expr.span, broken)
    }

    /// Field accesses on a key, rebuilt on the key's output column.
    fn over_keys(&mut self, grouping: &Grouping, expr: &Expr) -> Option<Expr> {
        if let Some(at) = grouping.key_of(expr) {
            return Some(grouping.key_column(at, expr.span));
        }
        match &expr.kind {
            ExprKind::Call { function, args } if function.name == "." => {
                let [row, name] = args.as_slice() else { return None };
                let row = self.over_keys(grouping, row)?;
                let args = vec![row, name.clone()];
                Some(self.expressions(|diags| resolve_call(".", args, expr.span, diags)))
            }
            _ => None,
        }
    }

    fn not_grouped(&mut self, parts: &[Part<'_>], span: Span, broken: bool) -> Expr {
        if broken {
            self.failed = true;
            return Expr::invalid(span);
        }
        let shown = parts.iter().map(|part| part.text).gather::<Vec<_>>().join(".");
        let flink = self.validation(span, &format!("Expression '{shown}' is not being grouped"));
        self.report(
            Diagnostic::new(Code::NotGrouped, span)
                .arg("expression", shown)
                .flink(flink),
        );
        Expr::invalid(span)
    }

    /// A call of an aggregate function.
    pub(super) fn bind_aggregate(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        function: &ast::Function,
        span: Span,
    ) -> Expr {
        if !self.takes_aggregate(cx, name, function, span) {
            return Expr::invalid(span);
        }
        let Some(mut parts) = self.bind_aggregate_parts(cx, name, function, span) else {
            return Expr::invalid(span);
        };
        parts.called = self.called(&function.name);
        if name == "COUNT"
            && matches!(&function.args, ast::FunctionArguments::List(list) if list.args.is_empty())
        {
            let message = "Invalid number of arguments to function 'COUNT'. Was expecting 1 arguments";
            let flink = self.validation(span, message);
            self.report(
                Diagnostic::new(Code::WrongArgumentCount, span)
                    .arg("function", name)
                    .arg("given", 0)
                    .arg_list("forms", ["COUNT(*)", "COUNT(a)"])
                    .flink(flink),
            );
            return Expr::invalid(span);
        }
        // What is never NULL does not matter to COUNT.
        if name == "COUNT" && !parts.distinct {
            let (args, needless) = std::mem::take(&mut parts.args)
                .into_iter()
                .partition(|arg: &Expr| arg.data_type.nullable || arg.is_invalid());
            parts.args = args;
            if let Some(grouping) = cx.grouping.as_deref_mut() {
                grouping.leave_out(needless);
            }
        }
        self.aggregate_call(cx, name, parts, span)
    }

    /// The column of a call over bound arguments.
    pub(super) fn aggregate_call(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        parts: AggregateParts,
        span: Span,
    ) -> Expr {
        let Some(grouping) = cx.grouping.as_deref_mut() else {
            return Expr::invalid(span);
        };
        let context = AggregateContext {
            distinct: parts.distinct,
            filtered: parts.filter.is_some(),
            grouped: grouping.sets.iter().all(|set| !set.is_empty()),
        };
        let mut given = parts.args;
        let mut user = None;
        if let Some(called) = &parts.called {
            let Some(args) = self.user_arguments(called, &given, span) else {
                return Expr::invalid(span);
            };
            given = args;
            user = called.function.aggregate(&called.written);
        }
        let arg_types: Vec<DataType> = given.iter().map(|arg| arg.data_type.clone()).gather();
        let resolved = match &user {
            Some((aggregate, result)) => Some((aggregate.row(), result.clone())),
            None => self.expressions(|diags| resolve_aggregate(name, &arg_types, context, span, diags)),
        };
        let Some((def, data_type)) = resolved else {
            return Expr::invalid(span);
        };
        let args = given.into_iter().map(|arg| grouping.input_column(arg)).gather();
        let filter = parts.filter.map(|filter| grouping.input_column(filter));
        let call = AggregateCall {
            function: def,
            args,
            arg_types,
            distinct: parts.distinct && !matches!(def.name, "MIN" | "MAX"),
            filter,
            retract: false,
            data_type: data_type.clone(),
            name: Rc::from(""),
            span,
            user: user.map(|(aggregate, _)| Rc::new(aggregate)),
        };
        let column = grouping.add_call(call);
        Expr::column(column, data_type, span)
    }

    /// Whether an aggregate may stand here; reports it where not.
    pub(super) fn takes_aggregate(
        &mut self,
        cx: &ExprCx<'_>,
        name: &str,
        function: &ast::Function,
        span: Span,
    ) -> bool {
        if cx.in_aggregate {
            // the outer call is reported
            return false;
        }
        if !cx.clause.takes_aggregates() || cx.grouping.is_none() {
            self.aggregate_not_allowed(name, cx.clause, span);
            return false;
        }
        if nests(self, function) {
            let flink = self.validation(span, "Aggregate expressions cannot be nested");
            self.report(
                Diagnostic::new(Code::NestedAggregate, span)
                    .arg("function", name)
                    .flink(flink),
            );
            return false;
        }
        true
    }

    fn aggregate_not_allowed(&mut self, name: &str, clause: Clause, span: Span) -> Expr {
        let message = format!("Aggregate expression is illegal in {} clause", clause.name());
        let flink = self.validation(span, &message);
        self.report(
            Diagnostic::new(Code::AggregateNotAllowed, span)
                .arg("function", name)
                .arg("clause", clause.name())
                .flink(flink),
        );
        Expr::invalid(span)
    }

    fn bind_aggregate_parts(
        &mut self,
        cx: &ExprCx<'_>,
        name: &str,
        function: &ast::Function,
        span: Span,
    ) -> Option<AggregateParts> {
        let ast::FunctionArguments::List(list) = &function.args else {
            return Some(AggregateParts {
                args: Vec::new(),
                distinct: false,
                filter: None,
                called: None,
            });
        };
        if !function.within_group.is_empty() {
            let message = format!("Aggregate expression '{name}' must not contain a WITHIN GROUP clause");
            let ordered = function
                .within_group
                .first()
                .map_or(span, |order| self.span(&order.expr));
            let call = span.text(self.text);
            let whole = call
                .to_ascii_uppercase()
                .find(" WITHIN")
                .and_then(|at| u32::try_from(at).ok());
            let place = whole.map_or(span, |length| Span::new(span.start, span.start + length));
            let flink = self.validation(place, &message);
            self.report(
                Diagnostic::new(Code::WithinGroup, ordered)
                    .arg("function", name)
                    .flink(flink),
            );
            return None;
        }
        let mut inner = ExprCx {
            scope: cx.scope,
            clause: cx.clause,
            grouping: None,
            in_aggregate: true,
            aliases: &[],
        };
        let mut args = Vec::with_capacity(list.args.len());
        for arg in &list.args {
            match arg {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => {
                    args.push(self.bind_expr(&mut inner, expr));
                }
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Wildcard)
                    if name == "COUNT" && list.args.len() == 1 => {}
                _ => {
                    self.report_star(name, "Unknown identifier '*'", span);
                    return None;
                }
            }
        }
        let nulls = self.called(&function.name).is_none() && self.any_bare_null(&args);
        let broken = nulls || args.iter().any(Expr::is_invalid);
        let filter = match &function.filter {
            Some(filter) => Some(self.bind_filter(cx, filter)?),
            None => None,
        };
        let args = self.fit_arguments(name, args, span)?;
        let distinct = list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
        (!broken).then_some(AggregateParts {
            args,
            distinct,
            filter,
            called: None,
        })
    }

    /// The condition of FILTER.
    pub(super) fn bind_filter(&mut self, cx: &ExprCx<'_>, filter: &ast::Expr) -> Option<Expr> {
        let mut filter_cx = ExprCx {
            aliases: &[],
            scope: cx.scope,
            clause: Clause::Where,
            grouping: None,
            in_aggregate: false,
        };
        let condition = self.bind_condition_of("FILTER", &mut filter_cx, filter)?;
        Some(self.is_true(condition))
    }

    /// The delimiter of LISTAGG has to be a literal; percentages become DOUBLE.
    pub(super) fn fit_arguments(&mut self, name: &str, mut args: Vec<Expr>, span: Span) -> Option<Vec<Expr>> {
        match (name, args.get_mut(1)) {
            ("LISTAGG", Some(delimiter)) if delimiter.as_literal().is_none() && !delimiter.is_invalid() => {
                let shown = |arg: &Expr| format!("<{}>", calcite_type(&arg.data_type, Charset::Hidden));
                let message = if family_name(&delimiter.data_type) == "CHARACTER" {
                    "Argument to function 'LISTAGG' must be a literal".to_owned()
                } else {
                    let delimiter = shown(delimiter);
                    let text = args.first().map(shown).unwrap_or_default();
                    format!(
                        "Cannot apply 'LISTAGG' to arguments of type 'LISTAGG({text}, {delimiter})'. Supported form(s): \
                         'LISTAGG(<CHARACTER>)'\n'LISTAGG(<CHARACTER>, <CHARACTER_LITERAL>)'"
                    )
                };
                let span_of_delimiter = args.get(1).map_or(span, |delimiter| delimiter.span);
                let flink = self.validation(span, &message);
                self.report(
                    Diagnostic::new(Code::ArgumentNotLiteral, span_of_delimiter)
                        .arg("function", name)
                        .flink(flink),
                );
                None
            }
            ("PERCENTILE", Some(percentage)) => {
                let double = DataType::not_null(TypeKind::Double);
                let to = match &percentage.data_type.kind {
                    TypeKind::Array(_) => DataType::not_null(TypeKind::Array(Rc::new(double))),
                    _ => double,
                };
                let (given, at) = (percentage.clone(), percentage.span);
                *percentage =
                    sg_expr::fold(self.expressions(|diags| {
                        sg_expr::cast(given, &to, sg_expr::CastMode::Explicit, at, diags)
                    }));
                Some(args)
            }
            _ => Some(args),
        }
    }

    /// FILTER counts rows where the condition is TRUE: a condition that can be NULL is tested for it.
    fn is_true(&mut self, condition: Expr) -> Expr {
        if !condition.data_type.nullable && condition.data_type.kind == TypeKind::Boolean {
            return condition;
        }
        let span = condition.span;
        self.call("IS TRUE", vec![condition], span)
    }
}

/// What a call of an aggregate function is made of.
pub(super) struct AggregateParts {
    pub(super) args: Vec<Expr>,
    pub(super) distinct: bool,
    pub(super) filter: Option<Expr>,
    /// The function of the script that is called.
    pub(super) called: Option<Called>,
}

/// Whether an argument of the call calls an aggregate function itself.
fn nests(binder: &Binder<'_>, function: &ast::Function) -> bool {
    let ast::FunctionArguments::List(list) = &function.args else {
        return false;
    };
    list.args.iter().any(|arg| {
        matches!(arg, ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) if super::call::has_aggregate(binder, expr))
    })
}
