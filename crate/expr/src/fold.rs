//! Constant folding and the simplifications that show in Flink's plans.

use std::cell::RefCell;

use sg_value::{DataType, Gather as _, TypeKind, Value, time::Zone};

use crate::{
    bound::{Expr, ExprKind},
    cast::{cast_exactly, keeps_text},
    compile::compile,
    eval::EvalCx,
    function::{
        Eval, FunctionDef, Volatility, built_in, time::clock::materialize_proctime, value_cast::TextFit,
    },
    resolve::call,
    simplify::{Unknown, simplified},
    types::KindExt,
};

/// Simplifies a projected expression: constant parts folded (`1 + 1`, `UPPER('b')`), logic simplified. The type
/// stays the same; a NOT NULL constant in place of a nullable expression gets a CAST, as in Flink's plans.
///
/// What depends on clock, zone, row or chance stays. A constant that cannot be computed (`CAST('x' AS INT)`) stays
/// as it is and fails when it runs.
pub fn fold(expr: Expr) -> Expr {
    let data_type = expr.data_type.clone();
    let folded = simplified(expr, Unknown::Kept);
    if folded.data_type == data_type || folded.is_invalid() || folded.data_type.kind != data_type.kind {
        return folded;
    }
    if folded.data_type.nullable {
        return Expr { data_type, ..folded };
    }
    if folded.as_literal().is_some() {
        cast_exactly(folded, &data_type)
    } else {
        Expr { data_type, ..folded }
    }
}

/// Simplifies a condition, of which only TRUE counts: as [`fold`], and NULL becomes FALSE, comparisons of one
/// operand with several constants are gathered into `SEARCH(operand, Sarg[…])`.
pub fn simplify(expr: Expr) -> Expr {
    let folded = simplified(expr, Unknown::IsFalse);
    if folded.as_literal().is_some_and(Value::is_null) {
        return truth(false, folded.span);
    }
    folded
}

/// Casts time attributes inside calls to plain timestamps, as Flink's planner does above the node that makes them:
/// `FLOOR(CAST(ts AS TIMESTAMP(3)), FLAG(HOUR))`, `PROCTIME_MATERIALIZE(pt)`. An expression that is nothing but a
/// column stays.
pub fn materialize_time_attributes(expr: &Expr) -> Expr {
    let ExprKind::Call { function, args } = &expr.kind else {
        return expr.clone();
    };
    // A cast of a time attribute to its own plain type is the materialization itself.
    let args = args.iter().map(|arg| match &arg.kind {
        ExprKind::Column(_)
            if function.name == "CAST"
                && arg.data_type.is_rowtime()
                && expr.data_type.kind == arg.data_type.without_time_attribute().kind =>
        {
            arg.clone()
        }
        ExprKind::Column(_) if arg.data_type.is_rowtime() => {
            let plain = arg.data_type.without_time_attribute();
            call(built_in("CAST"), vec![arg.clone()], plain, arg.span)
        }
        ExprKind::Column(_) if arg.data_type.is_proctime() => materialize_proctime(arg.clone()),
        _ => materialize_time_attributes(arg),
    });
    Expr {
        kind: ExprKind::Call {
            function,
            args: args.gather(),
        },
        ..expr.clone()
    }
}

thread_local! {
    static ZONE: RefCell<Zone> = const { RefCell::new(Zone::UTC) };
}

/// The session's time zone from here on, in which constants are computed; UTC where its table is not known.
///
/// Instants are constants of a plan in UTC, whatever the zone is. Case: select/constant-instants-in-a-zone.
pub fn fold_in(zone: &str) {
    let zone = Zone::parse(zone).unwrap_or(Zone::UTC);
    ZONE.with_borrow_mut(|held| *held = zone);
}

/// A BOOLEAN constant.
pub(crate) fn truth(value: bool, span: sg_diag::Span) -> Expr {
    Expr::literal(Value::Bool(value), DataType::not_null(TypeKind::Boolean), span)
}

/// The value of a call whose arguments are constants; `None` where it is not constant or cannot be computed.
pub(crate) fn constant(function: &'static FunctionDef, expr: &Expr, args: &[Expr]) -> Option<Expr> {
    let constant_args = args.iter().all(|arg| matches!(arg.kind, ExprKind::Literal(_)));
    if !constant_args
        || function.volatility != Volatility::Immutable
        || matches!(function.eval, Eval::Never)
        || keeps_cast(function, expr, args)
    {
        return None;
    }
    let cx = EvalCx {
        zone: ZONE.with_borrow(Clone::clone),
        ..EvalCx::default()
    };
    let value = compile(expr).eval(&[], &cx).ok()?;
    // A constant has the length of its type: UPPER('aßc') is cut to CHAR(3).
    let value = match (&value, &expr.data_type.kind) {
        (Value::Str(text), kind @ (TypeKind::Char(_) | TypeKind::Varchar(_))) => {
            TextFit::cutting(kind).value(text)
        }
        _ => value,
    };
    let data_type = expr.data_type.with_nullable(value.is_null());
    is_printable(&data_type.kind).then(|| Expr::literal(value, data_type, expr.span))
}

/// An exact constant in another type prints like the exact one: the cast is kept and computed when compiled.
fn keeps_cast(function: &FunctionDef, expr: &Expr, args: &[Expr]) -> bool {
    function.name == "CAST"
        && (expr.data_type.kind.is_approximate() || !expr.data_type.nullable)
        && args.iter().all(|arg| {
            keeps_text(&arg.data_type.kind, &expr.data_type.kind)
                && arg.as_literal().is_some_and(|value| !value.is_null())
        })
}

/// Whether Calcite has constants of the type.
fn is_printable(kind: &TypeKind) -> bool {
    !kind.is_constructed() && !matches!(kind, TypeKind::Raw(_))
}

/// The same call with other arguments.
pub(crate) fn with_args(expr: &Expr, function: &'static FunctionDef, args: Vec<Expr>) -> Expr {
    Expr {
        kind: ExprKind::Call { function, args },
        data_type: expr.data_type.clone(),
        span: expr.span,
    }
}

/// Whether two expressions say the same, wherever they stand.
pub(crate) fn same(left: &Expr, right: &Expr) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Column(a), ExprKind::Column(b)) => a == b,
        (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b && left.data_type.kind == right.data_type.kind,
        (ExprKind::Call { function: f, args: a }, ExprKind::Call { function: g, args: b }) => {
            std::ptr::eq(*f, *g)
                && a.len() == b.len()
                && left.data_type.kind == right.data_type.kind
                && f.volatility != Volatility::PerRow
                && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}
