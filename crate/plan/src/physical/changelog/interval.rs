//! Whether a sum only grows: what conditions say about the values of a column.
//!
//! Flink: `FlinkRelMdColumnInterval`, `FlinkRelMdFilteredColumnInterval`.

use sg_expr::{AggregateCall, Expr, ExprKind, search_range};
use sg_value::Value;

use super::monotonicity::Monotonicity;
use crate::physical::node::{PhysicalNode, PhysicalOp};

/// Signs that the values of a column can have.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    never_negative: bool,
    never_positive: bool,
}

/// How the sum of a column changes while rows come.
pub(super) fn sum_of(call: &AggregateCall, input: &PhysicalNode) -> Monotonicity {
    let Some(column) = call.args.first() else {
        return Monotonicity::Any;
    };
    let mut signs = signs_of(input, *column);
    if let Some(filter) = call.filter {
        add_filter(&mut signs, input, filter, *column);
    }
    if signs.never_negative {
        Monotonicity::Increasing
    } else if signs.never_positive {
        Monotonicity::Decreasing
    } else {
        Monotonicity::Any
    }
}

fn signs_of(node: &PhysicalNode, column: u32) -> Signs {
    let below = |column: u32| {
        node.inputs
            .first()
            .map_or_else(Signs::default, |input| signs_of(input, column))
    };
    match &node.op {
        PhysicalOp::Calc(calc) => {
            let Some(source) = calc.projection.get(column as usize).and_then(Expr::as_column) else {
                return Signs::default();
            };
            let mut signs = below(source);
            if let Some(condition) = &calc.condition {
                add_condition(&mut signs, condition, source);
            }
            signs
        }
        PhysicalOp::Exchange(_) | PhysicalOp::WatermarkAssigner(_) | PhysicalOp::DropUpdateBefore => {
            below(column)
        }
        _ => Signs::default(),
    }
}

/// FILTER is a column below that a Calc computes.
fn add_filter(signs: &mut Signs, node: &PhysicalNode, filter: u32, column: u32) {
    match (&node.op, node.inputs.first()) {
        (PhysicalOp::Calc(calc), _) => {
            let source = calc.projection.get(column as usize).and_then(Expr::as_column);
            if let (Some(condition), Some(source)) = (calc.projection.get(filter as usize), source) {
                add_condition(signs, condition, source);
            }
        }
        (PhysicalOp::Exchange(_), Some(input)) => add_filter(signs, input, filter, column),
        _ => {}
    }
}

fn add_condition(signs: &mut Signs, condition: &Expr, column: u32) {
    if let Some((operand, lower, upper)) = search_range(condition) {
        if operand.as_column() == Some(column) {
            signs.never_negative |= lower.is_some_and(|(value, _)| sign(&value) >= Some(0));
            signs.never_positive |=
                upper.is_some_and(|(value, _)| sign(&value).is_some_and(|sign| sign <= 0));
        }
        return;
    }
    let ExprKind::Call { function, args } = &condition.kind else {
        return;
    };
    match (function.name, args.as_slice()) {
        ("AND", parts) => parts.iter().for_each(|part| add_condition(signs, part, column)),
        ("IS TRUE", [part]) => add_condition(signs, part, column),
        (operator, [left, right]) => {
            let (operator, constant) = match (left.as_column(), right.as_column()) {
                (Some(own), None) if own == column => (operator, right),
                (None, Some(own)) if own == column => (turned(operator), left),
                _ => return,
            };
            let Some(sign) = constant.as_literal().and_then(sign) else {
                return;
            };
            match operator {
                ">" | ">=" => signs.never_negative |= sign >= 0,
                "<" | "<=" => signs.never_positive |= sign <= 0,
                "=" => {
                    signs.never_negative |= sign >= 0;
                    signs.never_positive |= sign <= 0;
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn turned(operator: &str) -> &str {
    match operator {
        ">" => "<",
        ">=" => "<=",
        "<" => ">",
        "<=" => ">=",
        other => other,
    }
}

fn sign(value: &Value) -> Option<i128> {
    match value {
        Value::Int(number) => Some(i128::from(number.signum())),
        Value::Double(number) if *number > 0.0 => Some(1),
        Value::Double(number) if *number < 0.0 => Some(-1),
        Value::Double(_) => Some(0),
        decimal => decimal.unscaled().map(i128::signum),
    }
}
