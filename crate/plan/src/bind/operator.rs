//! Unary and binary operators.

use sg_diag::Span;
use sg_expr::Expr;
use sg_sql::query as ast;

use super::{Binder, expr::ExprCx};

impl Binder<'_> {
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
        self.call(name, args, span)
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

fn is_chain(op: ast::BinaryOperator, name: &str) -> bool {
    match op {
        ast::BinaryOperator::And => name == "AND",
        ast::BinaryOperator::Or => name == "OR",
        _ => false,
    }
}
