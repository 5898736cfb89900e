//! Comparisons that Flink's code generation does not make: numbers with texts, and by order of what has none.

use sg_diag::{Code, Diagnostic};
use sg_value::{DataType, TypeKind, Value};

use crate::{
    bound::Expr,
    resolve::Request,
    types::{Charset, calcite_type},
};

/// `a < a` is FALSE and `a <= a` TRUE, of NULL nothing is known: so the planner writes it.
pub(super) fn of_itself(mut request: Request<'_>) -> Expr {
    let or_equal = request.function.name.len() > 1;
    let Some([operand, _]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let boolean = DataType::nullable(TypeKind::Boolean);
    let unknown = Expr::literal(Value::Null, boolean, request.span);
    let (outer, test) = if or_equal {
        ("OR", "IS NOT NULL")
    } else {
        ("AND", "IS NULL")
    };
    let test = request.sub_call(test, vec![operand]);
    request.sub_call(outer, vec![unknown, test])
}

pub(super) fn no_order(request: Request<'_>, data_type: &DataType) -> Expr {
    let flink = format!("CodeGenException: Comparable type expected, but was '{data_type}'.");
    let diagnostic = Diagnostic::new(Code::CallNotRunnable, request.span)
        .arg("function", request.function.name)
        .arg_list("types", [data_type.kind.to_string()])
        .flink(flink);
    request.refuse(diagnostic)
}

pub(super) fn number_with_text(request: Request<'_>, left: &DataType, right: &DataType) -> Expr {
    // Flink names the types without parameters.
    let name = |data_type: &DataType| {
        let text = calcite_type(data_type, Charset::Hidden);
        text.split('(').next().unwrap_or_default().to_owned()
    };
    let diagnostic = Diagnostic::new(Code::NumberComparedWithText, request.span)
        .arg("left", &left.kind)
        .arg("right", &right.kind)
        .flink(format!(
            "ValidationException: implicit type conversion between {} and {} is not supported now",
            name(left),
            name(right)
        ));
    request.refuse(diagnostic)
}
