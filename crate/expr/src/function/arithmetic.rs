//! `+ - * / %` on numbers, intervals, dates and times.

use sg_diag::Code;
use sg_value::{
    DataType, Gather as _, TypeKind, Value,
    decimal::{Decimal, DecimalType},
    time::{DAY_MS, add_months, add_months_to_days, months_between},
};

use super::{
    CallSite, Eval, Failure, FunctionDef, Resolve, built_in, definition::Family::Arithmetic, failure,
};
use crate::{
    bound::Expr,
    compile::{Node, binary_bytes_like, binary_double, binary_int, double_operand, place, unary_int},
    infer::{common_type, interval_of_units, span_of},
    number::{decimal_of, double_from, long_from_double, round_to_float, wrap},
    resolve::{Request, call, unsupported_call},
    types::{KindExt, decimal_kind, scale_of, shown_type},
};

const fn operator(name: &'static str, rules: fn(Request<'_>) -> Expr, doc: [&'static str; 2]) -> FunctionDef {
    FunctionDef::new(name, Arithmetic, Resolve::Rules(rules), Eval::Node(evaluate), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    operator(
        "+",
        resolve_plus,
        [
            "Adds numbers, intervals, or an interval to a time. Integers wrap around.",
            "数字相加、区间相加，或时间加区间。整数溢出时回绕。",
        ],
    )
    .written(&["a + b", "time + INTERVAL '1' DAY", "+a"]),
    operator(
        "-",
        resolve_minus,
        [
            "Subtracts numbers or intervals, or an interval from a time; alone it negates.",
            "数字、区间相减，或时间减区间；单独使用时取负。",
        ],
    )
    .written(&["a - b", "time - INTERVAL '1' DAY", "-a"]),
    operator(
        "*",
        resolve_times,
        [
            "Multiplies numbers, or an interval by a number.",
            "数字相乘，或区间乘以数字。",
        ],
    )
    .written(&["a * b", "INTERVAL '1' DAY * 3"]),
    operator(
        "/",
        resolve_divide,
        [
            "Divides; integers lose their fraction.",
            "相除；整数相除舍去小数。",
        ],
    )
    .written(&["a / b"]),
    operator(
        "MOD",
        resolve_modulo,
        [
            "Remainder with the sign of the dividend; exact numbers only.",
            "取余，符号同被除数；仅用于精确数值。",
        ],
    )
    .alias(&["%"])
    .written(&["a % b", "MOD(a, b)"]),
    operator(
        "MINUS_DATE",
        resolve_difference,
        ["The interval between two times.", "两个时间之间的区间。"],
    )
    .written(&["(later - earlier) DAY TO SECOND"]),
    FunctionDef::new(
        "/INT",
        Arithmetic,
        Resolve::Internal,
        Eval::Node(evaluate),
        ["", ""],
    ),
];

// ---- typing ----

const SUMS: [&str; 4] = [
    "'<NUMERIC> + <NUMERIC>'",
    "'<DATETIME_INTERVAL> + <DATETIME_INTERVAL>'",
    "'<DATETIME> + <DATETIME_INTERVAL>'",
    "'<DATETIME_INTERVAL> + <DATETIME>'",
];

fn forms(name: &str) -> Vec<String> {
    match name {
        "+" => SUMS.map(str::to_owned).to_vec(),
        "-" => [
            "'<NUMERIC> - <NUMERIC>'",
            "'<DATETIME_INTERVAL> - <DATETIME_INTERVAL>'",
            "'<DATETIME> - <DATETIME_INTERVAL>'",
        ]
        .map(str::to_owned)
        .to_vec(),
        "*" => [
            "'<NUMERIC> * <NUMERIC>'",
            "'<DATETIME_INTERVAL> * <NUMERIC>'",
            "'<NUMERIC> * <DATETIME_INTERVAL>'",
        ]
        .map(str::to_owned)
        .to_vec(),
        "/" => ["'<NUMERIC> / <NUMERIC>'", "'<DATETIME_INTERVAL> / <NUMERIC>'"]
            .map(str::to_owned)
            .to_vec(),
        _ => vec!["'MOD(<EXACT_NUMERIC>, <EXACT_NUMERIC>)'".to_owned()],
    }
}

/// The result type of an operator on two numbers.
fn number_type(operator: &str, left: &TypeKind, right: &TypeKind) -> Option<TypeKind> {
    if left.is_integer() && right.is_integer() {
        if operator == "MOD" {
            return Some(right.clone());
        }
        return Some(if left.integer_bits() >= right.integer_bits() {
            left.clone()
        } else {
            right.clone()
        });
    }
    if left.is_approximate() || right.is_approximate() {
        let both = [
            DataType::nullable(left.clone()),
            DataType::nullable(right.clone()),
        ];
        return common_type(&both).map(|found| found.kind);
    }
    let (left, right) = (left.as_decimal()?, right.as_decimal()?);
    Some(decimal_kind(match operator {
        "+" | "-" => left.sum(right),
        "*" => left.product(right),
        "/" => left.quotient(right),
        _ => left.remainder(right),
    }))
}

/// The operands' types, a bare NULL having the other one's.
fn operand_kinds(request: &Request<'_>) -> (TypeKind, TypeKind) {
    let (left, right) = (request.plain(0).kind, request.plain(1).kind);
    match (&left, &right) {
        (TypeKind::Null, TypeKind::Null) => (TypeKind::Int, TypeKind::Int),
        (TypeKind::Null, _) => (right.clone(), right),
        (_, TypeKind::Null) => (left.clone(), left),
        _ => (left, right),
    }
}

fn resolve_plus(mut request: Request<'_>) -> Expr {
    if request.args.len() == 1 {
        if request.plain(0).kind.is_numeric() || request.plain(0).kind.is_interval() {
            return request.args.pop().unwrap_or_else(|| Expr::invalid(request.span));
        }
        return request.wrong_types(&["'+<NUMERIC>'".to_owned(), "'+<DATETIME_INTERVAL>'".to_owned()]);
    }
    let (left, right) = operand_kinds(&request);
    let kind = match (&left, &right) {
        (a, b) if a.is_numeric() && b.is_numeric() => number_type("+", a, b),
        (a, b) if a.is_interval() && b.is_interval() => interval_sum(a, b),
        (a, b) if a.is_datetime() && b.is_interval() => Some(a.clone()),
        (a, TypeKind::TimestampLtz { .. }) if a.is_interval() => {
            return refused_by_generation(request, "Unsupported temporal arithmetic.");
        }
        (a, b) if a.is_interval() && b.is_datetime() => {
            // Flink prints the time first.
            request.args.swap(0, 1);
            Some(b.clone())
        }
        _ => None,
    };
    finish(request, kind)
}

fn resolve_minus(mut request: Request<'_>) -> Expr {
    if request.args.len() == 1 {
        let operand = request.plain(0);
        if !operand.kind.is_numeric() && !operand.kind.is_interval() {
            return request.wrong_types(&["'-<NUMERIC>'".to_owned(), "'-<DATETIME_INTERVAL>'".to_owned()]);
        }
        let args = std::mem::take(&mut request.args);
        return request.call(args, operand);
    }
    let (left, right) = operand_kinds(&request);
    let kind = match (&left, &right) {
        (a, b) if a.is_numeric() && b.is_numeric() => number_type("-", a, b),
        (a, b) if a.is_interval() && b.is_interval() => interval_sum(a, b),
        (a, b) if a.is_datetime() && b.is_interval() => Some(a.clone()),
        _ => None,
    };
    finish(request, kind)
}

fn interval_sum(left: &TypeKind, right: &TypeKind) -> Option<TypeKind> {
    match (left, right) {
        (TypeKind::IntervalYearMonth(a), TypeKind::IntervalYearMonth(b)) => {
            Some(TypeKind::IntervalYearMonth(span_of(*a, *b)))
        }
        (TypeKind::IntervalDayTime(a), TypeKind::IntervalDayTime(b)) => {
            Some(TypeKind::IntervalDayTime(span_of(*a, *b)))
        }
        _ => None,
    }
}

fn resolve_times(request: Request<'_>) -> Expr {
    let (left, right) = operand_kinds(&request);
    let fraction = |a: &TypeKind, b: &TypeKind| a.is_interval() && b.is_numeric() && !b.is_integer();
    if fraction(&left, &right) || fraction(&right, &left) {
        let (number, interval) = if left.is_interval() { (1, 0) } else { (0, 1) };
        let (number, interval) = (request.plain(number), request.plain(interval));
        let interval = shown_type(&interval.with_nullable(number.nullable || interval.nullable));
        let flink = format!("Unsupported casting from {number} to {interval}.");
        return refused_by_generation(request, &flink);
    }
    let kind = match (&left, &right) {
        (a, b) if a.is_numeric() && b.is_numeric() => number_type("*", a, b),
        (a, b) if a.is_interval() && b.is_numeric() => Some(a.clone()),
        (a, b) if a.is_numeric() && b.is_interval() => Some(b.clone()),
        _ => None,
    };
    finish(request, kind)
}

fn resolve_divide(request: Request<'_>) -> Expr {
    let (left, right) = operand_kinds(&request);
    if left.is_interval() && right.is_numeric() {
        return not_runnable(request);
    }
    let kind = if left.is_numeric() && right.is_numeric() {
        number_type("/", &left, &right)
    } else {
        None
    };
    finish(request, kind)
}

/// What Flink's validator takes and its code generation does not know.
pub(super) fn not_runnable(request: Request<'_>) -> Expr {
    let types: Vec<String> = request.args.iter().map(|arg| arg.data_type.to_string()).gather();
    let flink = unsupported_call(request.function.name, &types.join(", "));
    let said = flink.strip_prefix(GENERATION).unwrap_or_default();
    refused_by_generation(request, said)
}

const GENERATION: &str = "CodeGenException: ";

fn refused_by_generation(request: Request<'_>, said: &str) -> Expr {
    let types = request.args.iter().map(|arg| arg.data_type.to_string());
    let diagnostic = sg_diag::Diagnostic::new(Code::CallNotRunnable, request.span)
        .arg("function", request.function.name)
        .arg_list("types", types)
        .flink(format!("{GENERATION}{said}"));
    request.refuse(diagnostic)
}

fn resolve_modulo(request: Request<'_>) -> Expr {
    let (left, right) = operand_kinds(&request);
    let kind = if left.is_exact() && right.is_exact() {
        number_type("MOD", &left, &right)
    } else {
        None
    };
    finish(request, kind)
}

fn finish(mut request: Request<'_>, kind: Option<TypeKind>) -> Expr {
    let name = request.function.name;
    if request.args.len() != 2 {
        request.report_count(2);
        return Expr::invalid(request.span);
    }
    let Some(kind) = kind else {
        return request.wrong_types(&forms(if name == "MOD" { "%" } else { name }));
    };
    let data_type = DataType {
        kind,
        nullable: request.any_nullable(),
    };
    let args = std::mem::take(&mut request.args);
    request.call(args, data_type)
}

/// `(a - b) DAY TO SECOND`: the unit only labels the interval.
fn resolve_difference(mut request: Request<'_>) -> Expr {
    let units: Vec<String> = request
        .args
        .iter()
        .skip(2)
        .filter_map(Expr::as_symbol)
        .map(str::to_owned)
        .gather();
    let (left, right) = (request.plain(0).kind, request.plain(1).kind);
    let comparable = (left.is_datetime() && right.is_datetime())
        && matches!(left, TypeKind::Time(_)) == matches!(right, TypeKind::Time(_));
    let interval = interval_of_units(&units);
    let (true, Some(kind)) = (comparable, interval) else {
        return request.wrong_types(&["'(<DATETIME> - <DATETIME>) <INTERVAL>'".to_owned()]);
    };
    let instant = |kind: &TypeKind| matches!(kind, TypeKind::TimestampLtz { .. });
    if instant(&left) != instant(&right) {
        return request.mixed_instants(&[left, right]);
    }
    request.args.truncate(2);
    let data_type = DataType {
        kind,
        nullable: request.any_nullable(),
    };
    let args = std::mem::take(&mut request.args);
    call(built_in("-"), args, data_type, request.span)
}

// ---- evaluation ----

fn evaluate(site: &CallSite<'_>, mut nodes: Vec<Node>) -> Node {
    let name = site.function.name;
    if nodes.len() == 1 {
        return nodes
            .pop()
            .map_or(Node::Literal(Value::Null), |operand| negate(site, operand));
    }
    let Ok([left, right]) = <[Node; 2]>::try_from(nodes) else {
        return Node::Literal(Value::Null);
    };
    let (a, b) = (site.kind(0), site.kind(1));
    let result = &site.data_type.kind;
    if a.is_datetime() && b.is_interval() {
        return shift(site, left, right);
    }
    if a.is_datetime() && b.is_datetime() {
        return difference(site, left, right);
    }
    if result.is_interval() {
        return interval(site, left, right);
    }
    match result {
        kind if kind.is_integer() => integer(name, kind.integer_bits().unwrap_or(64), left, right, site),
        kind if kind.is_approximate() => {
            let single = *kind == TypeKind::Float;
            let left = double_operand(left, a, single);
            let right = double_operand(right, b, single);
            double(name, single, left, right, site)
        }
        TypeKind::Decimal { precision, scale } => {
            decimal(site, left, right, DecimalType::new(*precision, *scale))
        }
        _ => Node::Literal(Value::Null),
    }
}

fn divided_by_zero(flink: &'static str) -> Failure {
    Box::new(failure(Code::DivisionByZero).flink(format!("ArithmeticException: {flink}")))
}

#[inline(never)]
fn integer(name: &str, bits: u32, left: Node, right: Node, site: &CallSite<'_>) -> Node {
    let span = site.span;
    let zero = || divided_by_zero("/ by zero");
    Node::Int(match (name, bits) {
        ("+", 64) => binary_int(left, right, span, |x, y| Ok(x.wrapping_add(y))),
        ("+", _) => binary_int(left, right, span, move |x, y| Ok(wrap(x.wrapping_add(y), bits))),
        ("-", 64) => binary_int(left, right, span, |x, y| Ok(x.wrapping_sub(y))),
        ("-", _) => binary_int(left, right, span, move |x, y| Ok(wrap(x.wrapping_sub(y), bits))),
        ("*", _) => binary_int(left, right, span, move |x, y| Ok(wrap(x.wrapping_mul(y), bits))),
        ("/" | "/INT", _) => binary_int(left, right, span, move |x, y| {
            if y == 0 {
                Err(zero())
            } else {
                Ok(wrap(x.wrapping_div(y), bits))
            }
        }),
        _ => binary_int(left, right, span, move |x, y| {
            if y == 0 {
                Err(zero())
            } else {
                Ok(wrap(x.wrapping_rem(y), bits))
            }
        }),
    })
}

#[inline(never)]
fn double(name: &str, single: bool, left: Node, right: Node, site: &CallSite<'_>) -> Node {
    let span = site.span;
    let fit = move |number: f64| if single { round_to_float(number) } else { number };
    Node::Double(match name {
        "+" => binary_double(left, right, span, move |x, y| Ok(fit(x + y))),
        "-" => binary_double(left, right, span, move |x, y| Ok(fit(x - y))),
        "*" => binary_double(left, right, span, move |x, y| Ok(fit(x * y))),
        // Flink computes constants as exact numbers.
        _ if site.literal(0).is_some() && site.literal(1).is_some() => {
            binary_double(left, right, span, move |x, y| {
                if y == 0.0 {
                    Err(divided_by_zero("Division by zero"))
                } else {
                    Ok(fit(x / y))
                }
            })
        }
        _ => binary_double(left, right, span, move |x, y| Ok(fit(x / y))),
    })
}

#[inline(never)]
fn decimal(site: &CallSite<'_>, left: Node, right: Node, to: DecimalType) -> Node {
    let (a, b) = (scale_of(site.kind(0)), scale_of(site.kind(1)));
    let span = site.span;
    let compute: fn(Decimal, Decimal, DecimalType) -> Option<i128> = match site.function.name {
        "+" => Decimal::add,
        "-" => Decimal::subtract,
        "*" => Decimal::multiply,
        "/" => Decimal::divide,
        _ => Decimal::remainder,
    };
    let divides = matches!(site.function.name, "/" | "MOD");
    Node::Value(Box::new(move |row, cx| {
        let (mut left_slot, mut right_slot) = (Value::Null, Value::Null);
        let left = left.borrow(row, cx, &mut left_slot)?;
        let right = right.borrow(row, cx, &mut right_slot)?;
        if left.is_null() || right.is_null() {
            return Ok(Value::Null);
        }
        let right = decimal_of(right, b);
        if divides && right.unscaled == 0 {
            return Err(place(divided_by_zero("Division by zero"), span));
        }
        Ok(compute(decimal_of(left, a), right, to).map_or(Value::Null, Value::decimal))
    }))
}

#[inline(never)]
fn negate(site: &CallSite<'_>, operand: Node) -> Node {
    match &site.data_type.kind {
        kind if kind.is_approximate() => {
            let operand = operand.into_double();
            Node::Double(Box::new(move |row, cx| {
                Ok(operand(row, cx)?.map(|number| -number))
            }))
        }
        TypeKind::Decimal { .. } => Node::Value(Box::new(move |row, cx| {
            Ok(operand
                .eval(row, cx)?
                .unscaled()
                .map_or(Value::Null, |unscaled| Value::decimal(-unscaled)))
        })),
        kind => {
            let bits = kind.integer_bits().unwrap_or(64);
            Node::Int(unary_int(operand, move |number| {
                wrap(number.wrapping_neg(), bits)
            }))
        }
    }
}

/// INTERVAL ± INTERVAL, INTERVAL * number.
#[inline(never)]
fn interval(site: &CallSite<'_>, left: Node, right: Node) -> Node {
    let (a, b) = (site.kind(0), site.kind(1));
    let span = site.span;
    match site.function.name {
        "+" => return Node::Int(binary_int(left, right, span, |x, y| Ok(x.wrapping_add(y)))),
        "-" => return Node::Int(binary_int(left, right, span, |x, y| Ok(x.wrapping_sub(y)))),
        _ => {}
    }
    let integers = (a.is_interval() || a.is_integer()) && (b.is_interval() || b.is_integer());
    if integers {
        return Node::Int(binary_int(left, right, span, |x, y| Ok(x.wrapping_mul(y))));
    }
    let (a, b) = (scale_of(a), scale_of(b));
    Node::Int(binary_bytes_like(left, right, move |x, y| {
        Some(long_from_double(double_from(x, a)? * double_from(y, b)?))
    }))
}

/// A time moved by an interval.
#[inline(never)]
fn shift(site: &CallSite<'_>, left: Node, right: Node) -> Node {
    let back = site.function.name == "-";
    let months = matches!(site.kind(1), TypeKind::IntervalYearMonth(_));
    let span = site.span;
    let signed = move |amount: i64| if back { amount.wrapping_neg() } else { amount };
    match site.kind(0) {
        TypeKind::Date if months => Node::Int(binary_int(left, right, span, move |days, y| {
            Ok(add_months_to_days(days, signed(y)))
        })),
        // Only whole days move a date.
        TypeKind::Date => Node::Int(binary_int(left, right, span, move |days, y| {
            Ok(days.wrapping_add(signed(y) / DAY_MS))
        })),
        TypeKind::Time(_) if months => left,
        TypeKind::Time(_) => Node::Int(binary_int(left, right, span, move |time_ms, y| {
            Ok(time_ms.wrapping_add(signed(y)).rem_euclid(DAY_MS))
        })),
        _ => shift_timestamp(left, right, move |ms, amount| {
            if months {
                add_months(ms, signed(amount))
            } else {
                ms.wrapping_add(signed(amount))
            }
        }),
    }
}

fn shift_timestamp(left: Node, right: Node, moved: impl Fn(i64, i64) -> i64 + 'static) -> Node {
    let finish = move |at: &Value, amount: Option<i64>| match (at, amount) {
        (Value::Timestamp { ms, nanos }, Some(amount)) => Value::Timestamp {
            ms: moved(*ms, amount),
            nanos: *nanos,
        },
        _ => Value::Null,
    };
    match (left, right) {
        (Node::Column(column), Node::Literal(amount)) => {
            let amount = amount.as_int();
            Node::Value(Box::new(move |row, _| {
                Ok(row.get(column).map_or(Value::Null, |at| finish(at, amount)))
            }))
        }
        (left, right) => {
            let right = right.into_int();
            Node::Value(Box::new(move |row, cx| {
                let mut slot = Value::Null;
                let at = left.borrow(row, cx, &mut slot)?;
                Ok(finish(at, right(row, cx)?))
            }))
        }
    }
}

/// The interval between two times, in milliseconds or months.
#[inline(never)]
fn difference(site: &CallSite<'_>, left: Node, right: Node) -> Node {
    let months = matches!(site.data_type.kind, TypeKind::IntervalYearMonth(_));
    let (a, b) = (ms_per_unit(site.kind(0)), ms_per_unit(site.kind(1)));
    Node::Int(binary_bytes_like(left, right, move |x, y| {
        let (x, y) = (x.as_ms()?.wrapping_mul(a), y.as_ms()?.wrapping_mul(b));
        Some(if months {
            months_between(y, x)
        } else {
            x.wrapping_sub(y)
        })
    }))
}

const fn ms_per_unit(kind: &TypeKind) -> i64 {
    if matches!(kind, TypeKind::Date) { DAY_MS } else { 1 }
}
