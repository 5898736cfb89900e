//! Unary and binary operators.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Charset, Expr, calcite_type, family_name};
use sg_sql::query as ast;
use sg_value::DataType;

use super::{Binder, expr::ExprCx};
use crate::logical::as_outer_column;

impl Binder<'_> {
    #[inline(never)]
    pub(super) fn bind_binary(
        &mut self,
        cx: &mut ExprCx<'_>,
        (left, op, right): (&ast::Expr, &ast::BinaryOperator, &ast::Expr),
        span: Span,
    ) -> Expr {
        let name = match op {
            ast::BinaryOperator::Plus => "+",
            ast::BinaryOperator::Minus => "-",
            ast::BinaryOperator::Multiply => "*",
            ast::BinaryOperator::Divide => "/",
            ast::BinaryOperator::Modulo => "%",
            ast::BinaryOperator::StringConcat => "||",
            ast::BinaryOperator::Eq => "=",
            ast::BinaryOperator::NotEq => "<>",
            ast::BinaryOperator::Lt => "<",
            ast::BinaryOperator::LtEq => "<=",
            ast::BinaryOperator::Gt => ">",
            ast::BinaryOperator::GtEq => ">=",
            ast::BinaryOperator::And => return self.bind_chain(cx, "AND", (left, right), span),
            ast::BinaryOperator::Or => return self.bind_chain(cx, "OR", (left, right), span),
        };
        let is_arithmetic = matches!(name, "+" | "-" | "*" | "/" | "%" | "||");
        let args = vec![self.bind_expr(cx, left), self.bind_expr(cx, right)];
        if is_arithmetic && self.any_bare_null(&args) {
            return Expr::invalid(span);
        }
        let sides: Vec<(Option<u32>, DataType)> = args
            .iter()
            .map(|arg| {
                // a column of a query around is of no relation here
                let outer = as_outer_column(arg).map(|_| u32::MAX);
                (arg.as_column().or(outer), arg.data_type.clone())
            })
            .collect();
        let result = self.call(name, args, span);
        if let [(Some(a), left), (Some(b), right)] = sides.as_slice()
            && result.is_invalid()
            && !one_relation(cx, *a, *b)
        {
            self.reword_join(left, right);
        }
        if let [(Some(a), left), (Some(b), right)] = sides.as_slice()
            && name == "="
            && !result.is_invalid()
            && self.conjuncts.contains(&span)
            && !one_relation(cx, *a, *b)
            && is_text_with_other(left, right)
        {
            let diagnostic = Diagnostic::new(Code::NumberComparedWithText, span)
                .arg("left", &left.kind)
                .arg("right", &right.kind)
                .flink(join_types(left, right));
            self.report(diagnostic);
            return Expr::invalid(span);
        }
        result
    }

    /// Equations that a condition joins by AND: those between columns of two tables become the keys of a join, whose types
    /// Flink does not bring together where one is a text. Their spans are known while the condition is bound.
    pub(super) fn with_conjuncts<T>(
        &mut self,
        condition: &ast::Expr,
        bind: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut found = Vec::new();
        let mut open = vec![condition];
        while let Some(expr) = open.pop() {
            match expr {
                ast::Expr::Nested(inner) => open.push(inner),
                ast::Expr::BinaryOp { left, op, right } => match op {
                    ast::BinaryOperator::And => open.extend([&**left, &**right]),
                    ast::BinaryOperator::Eq => found.push(self.span(expr)),
                    _ => {}
                },
                _ => {}
            }
        }
        let around = std::mem::replace(&mut self.conjuncts, found);
        let bound = bind(self);
        self.conjuncts = around;
        bound
    }

    /// What Flink says of types that do not compare where the comparison joins two tables.
    pub(super) fn reword_join(&mut self, left: &DataType, right: &DataType) {
        let diags = std::mem::take(&mut self.diags);
        let last = diags.len();
        for (at, mut diagnostic) in (1..).zip(diags) {
            if at == last && diagnostic.code == Code::NumberComparedWithText {
                diagnostic.flink = Some(join_types(left, right));
            }
            self.diags.push(diagnostic);
        }
    }

    /// `a AND b AND c` is one call with three arguments, as the planner flattens it.
    fn bind_chain(
        &mut self,
        cx: &mut ExprCx<'_>,
        name: &str,
        (left, right): (&ast::Expr, &ast::Expr),
        span: Span,
    ) -> Expr {
        let mut operands = Vec::new();
        let mut rest = left;
        operands.push(right);
        while let ast::Expr::BinaryOp { left, op, right } = rest
            && is_chain(*op, name)
        {
            operands.push(right);
            rest = left;
        }
        operands.push(rest);
        operands.reverse();
        self.bind_call_of(cx, name, &operands, span)
    }

    #[inline(never)]
    pub(super) fn bind_unary(
        &mut self,
        cx: &mut ExprCx<'_>,
        op: ast::UnaryOperator,
        operand: &ast::Expr,
        span: Span,
    ) -> Expr {
        match op {
            ast::UnaryOperator::Not => self.bind_not(cx, operand, span),
            ast::UnaryOperator::Minus => {
                if let ast::Expr::Value(value) = operand
                    && let ast::Value::Number(digits) = &value.value
                {
                    return self.bind_number(&format!("-{digits}"), span);
                }
                let argument = self.bind_expr(cx, operand);
                if self.check_bare_null(&argument) {
                    return Expr::invalid(span);
                }
                self.call("-", vec![argument], span)
            }
            ast::UnaryOperator::Plus => {
                let argument = self.bind_expr(cx, operand);
                self.call("+", vec![argument], span)
            }
        }
    }
}

fn one_relation(cx: &ExprCx<'_>, a: u32, b: u32) -> bool {
    let mut relations = cx.scope.relations.iter();
    relations.any(|relation| relation.columns.contains(&a) && relation.columns.contains(&b))
}

/// A text and what is compared with one by a cast, which no join makes.
pub(super) fn is_text_with_other(left: &DataType, right: &DataType) -> bool {
    let is_other = |family| {
        matches!(
            family,
            "BOOLEAN" | "DATE" | "TIME" | "TIMESTAMP" | "TIMESTAMP_LTZ"
        )
    };
    match (family_name(left), family_name(right)) {
        ("CHARACTER", other) | (other, "CHARACTER") => is_other(other),
        _ => false,
    }
}

/// The message for the types of a join's condition.
pub(super) fn join_types(left: &DataType, right: &DataType) -> String {
    let name = |data_type: &DataType| {
        let attribute = if data_type.is_rowtime() { " *ROWTIME*" } else { "" };
        format!("{}{attribute}", calcite_type(data_type, Charset::Hidden))
    };
    format!(
        "TableException: implicit type conversion between {} and {} is not supported on join's condition now",
        name(left),
        name(right)
    )
}

fn is_chain(op: ast::BinaryOperator, name: &str) -> bool {
    match op {
        ast::BinaryOperator::And => name == "AND",
        ast::BinaryOperator::Or => name == "OR",
        _ => false,
    }
}
