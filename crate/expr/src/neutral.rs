//! Parts of expressions that change nothing: arguments behind one that is never NULL, 0 and 1 in arithmetic.

use sg_value::{DataType, Value};

use crate::{
    bound::{Expr, ExprKind},
    cast::{cast_exactly, coerce, constant_value, convert_literal},
    fold::with_args,
    types::KindExt,
};

/// Nothing behind an argument that is never NULL. Flink: `RemoveUnreachableCoalesceArgumentsRule`.
pub(crate) fn coalesce(expr: &Expr, args: &[Expr]) -> Expr {
    let end = args.iter().position(|arg| !arg.data_type.nullable);
    match end.and_then(|end| args.get(..=end)).unwrap_or(args) {
        [only] => coerce(only.clone(), &expr.data_type.kind),
        some => match &expr.kind {
            ExprKind::Call { function, .. } => with_args(expr, function, some.to_vec()),
            _ => expr.clone(),
        },
    }
}

/// What is added to 0, multiplied by 1 or divided by it, in the type of the result. Calcite: `RexSimplify.simplifyArithmetic`.
pub(crate) fn neutral(expr: &Expr, left: &Expr, right: &Expr) -> Option<Expr> {
    let ExprKind::Call { function, .. } = &expr.kind else {
        return None;
    };
    let kept = Value::Double(f64::from(u8::from(!matches!(function.name, "+" | "-"))));
    let is_neutral = |arg: &Expr| {
        constant_value(arg)
            .and_then(|value| convert_literal(&value, &arg.data_type, &DataType::DOUBLE))
            .is_some_and(|value| value == kept)
    };
    let numbers = [expr, left, right]
        .iter()
        .all(|part| part.data_type.kind.is_numeric());
    let other = if is_neutral(right) {
        left
    } else if matches!(function.name, "+" | "*") && is_neutral(left) {
        right
    } else {
        return None;
    };
    numbers.then(|| cast_exactly(other.clone(), &expr.data_type))
}
