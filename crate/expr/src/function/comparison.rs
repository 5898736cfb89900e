//! `=`, `<`, BETWEEN, IN, IS DISTINCT FROM, and SEARCH, which the planner makes of them.

use std::cmp::Ordering;

use sg_value::{
    DataType, Gather as _, TypeKind, Value,
    order::{sql_compare, sql_equal},
};

use super::{
    CallSite, Eval, FunctionDef, Outcome, Resolve, built_in, definition::Family::Comparison,
    value_cast::caster,
};
use crate::{
    bound::Expr,
    cast::coerce,
    compile::{BoolFn, Node, binary_bytes_like, binary_double, binary_int, binary_timestamp, place},
    function::{
        fit::{Fit, coerce_plain, fit, like_rowtime},
        unordered::{no_order, number_with_text, of_itself},
    },
    infer::common_type,
    number::{decimal_of, double_from},
    resolve::{Request, call},
    sarg::Sarg,
    types::{KindExt, scale_of},
};

const fn compare(
    name: &'static str,
    eval: fn(&CallSite<'_>, Vec<Node>) -> Node,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(
        name,
        Comparison,
        Resolve::Rules(resolve_comparison),
        Eval::Node(eval),
        doc,
    )
}

pub(super) static ROWS: &[FunctionDef] = &[
    compare(
        "=",
        |site, nodes| comparison(site, nodes, Ordering::is_eq),
        ["TRUE where both sides are equal.", "两侧相等时为 TRUE。"],
    )
    .written(&["a = b"]),
    compare(
        "<>",
        |site, nodes| comparison(site, nodes, Ordering::is_ne),
        ["TRUE where the sides differ.", "两侧不等时为 TRUE。"],
    )
    .written(&["a <> b"]),
    compare(
        "<",
        |site, nodes| comparison(site, nodes, Ordering::is_lt),
        ["TRUE where the left side is smaller.", "左侧较小时为 TRUE。"],
    )
    .written(&["a < b"]),
    compare(
        "<=",
        |site, nodes| comparison(site, nodes, Ordering::is_le),
        [
            "TRUE where the left side is not larger.",
            "左侧不大于右侧时为 TRUE。",
        ],
    )
    .written(&["a <= b"]),
    compare(
        ">",
        |site, nodes| comparison(site, nodes, Ordering::is_gt),
        ["TRUE where the left side is larger.", "左侧较大时为 TRUE。"],
    )
    .written(&["a > b"]),
    compare(
        ">=",
        |site, nodes| comparison(site, nodes, Ordering::is_ge),
        [
            "TRUE where the left side is not smaller.",
            "左侧不小于右侧时为 TRUE。",
        ],
    )
    .written(&["a >= b"]),
    between(
        "BETWEEN",
        [
            "TRUE where a value lies within bounds, both included.",
            "值在两个边界之间（含边界）时为 TRUE。",
        ],
    )
    .written(&["a BETWEEN low AND high"]),
    between(
        "NOT BETWEEN",
        [
            "TRUE where a value lies outside of bounds.",
            "值在两个边界之外时为 TRUE。",
        ],
    )
    .written(&["a NOT BETWEEN low AND high"]),
    between(
        "BETWEEN SYMMETRIC",
        [
            "BETWEEN with the bounds in either order.",
            "与 BETWEEN 相同，但边界顺序不限。",
        ],
    )
    .written(&["a BETWEEN SYMMETRIC x AND y"]),
    between(
        "NOT BETWEEN SYMMETRIC",
        [
            "NOT BETWEEN with the bounds in either order.",
            "与 NOT BETWEEN 相同，但边界顺序不限。",
        ],
    )
    .written(&["a NOT BETWEEN SYMMETRIC x AND y"]),
    FunctionDef::new(
        "IN",
        Comparison,
        Resolve::Rules(resolve_in),
        Eval::Never,
        ["TRUE where a value is in a list.", "值在列表中时为 TRUE。"],
    )
    .written(&["a IN (x, y, …)"]),
    FunctionDef::new(
        "NOT IN",
        Comparison,
        Resolve::Rules(resolve_in),
        Eval::Never,
        [
            "TRUE where a value is not in a list; never TRUE with a NULL in the list.",
            "值不在列表中时为 TRUE；列表含 NULL 时不会为 TRUE。",
        ],
    )
    .written(&["a NOT IN (x, y, …)"]),
    distinct(
        "IS DISTINCT FROM",
        |site, nodes| distinct_from(site, nodes, true),
        [
            "<> that takes two NULLs for equal.",
            "与 <> 相同，但两个 NULL 视为相等。",
        ],
    )
    .written(&["a IS DISTINCT FROM b"]),
    distinct(
        "IS NOT DISTINCT FROM",
        |site, nodes| distinct_from(site, nodes, false),
        [
            "= that takes two NULLs for equal.",
            "与 = 相同，但两个 NULL 视为相等。",
        ],
    )
    .written(&["a IS NOT DISTINCT FROM b"]),
    FunctionDef::new(
        "SEARCH",
        Comparison,
        Resolve::Internal,
        Eval::Node(search),
        ["", ""],
    ),
];

const fn between(name: &'static str, doc: [&'static str; 2]) -> FunctionDef {
    FunctionDef::new(
        name,
        Comparison,
        Resolve::Rules(resolve_between),
        Eval::Never,
        doc,
    )
}

const fn distinct(
    name: &'static str,
    eval: fn(&CallSite<'_>, Vec<Node>) -> Node,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(
        name,
        Comparison,
        Resolve::Rules(resolve_distinct),
        Eval::Node(eval),
        doc,
    )
}

// ---- typing ----

fn resolve_comparison(request: Request<'_>) -> Expr {
    typed_comparison(request, false)
}

/// IS [NOT] DISTINCT FROM is typed like `=` and never NULL.
fn resolve_distinct(request: Request<'_>) -> Expr {
    let mut expr = typed_comparison(request, true);
    if !expr.is_invalid() {
        expr.data_type.nullable = false;
    }
    expr
}

fn typed_comparison(mut request: Request<'_>, as_equality: bool) -> Expr {
    let name = request.function.name;
    let equality = as_equality || matches!(name, "=" | "<>");
    let (left, right) = (request.plain(0), request.plain(1));
    let fit = fit(&left.kind, &right.kind, equality);
    if request.args.len() == 2 {
        match fit {
            Fit::Refused => return request.wrong_types(&supported(name)),
            Fit::NumberWithText => return number_with_text(request, &left, &right),
            Fit::NoOrder => {
                let column = |at: usize| request.args.get(at).and_then(Expr::as_column);
                if column(0).is_none() || column(0) != column(1) {
                    return no_order(request, &left);
                }
                return of_itself(request);
            }
            Fit::AsIs | Fit::Both(_) => {}
        }
    }
    let Some([left, right]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let data_type = DataType {
        kind: TypeKind::Boolean,
        nullable: left.data_type.nullable || right.data_type.nullable,
    };
    let args = match fit {
        Fit::Both(kind) if equality && !as_equality => {
            let right = like_rowtime(&left, right, &kind);
            vec![coerce_plain(left, &kind), coerce_plain(right, &kind)]
        }
        Fit::Both(kind) => vec![coerce_plain(left, &kind), coerce_plain(right, &kind)],
        _ => vec![left, right],
    };
    request.call(args, data_type)
}

fn supported(name: &str) -> [String; 1] {
    [format!("'<COMPARABLE_TYPE> {name} <COMPARABLE_TYPE>'")]
}

fn resolve_between(mut request: Request<'_>) -> Expr {
    let name = request.function.name;
    let Some([value, low, high]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let negated = name.starts_with("NOT");
    let refused = |bound: &Expr| {
        let kind = |of: &Expr| of.data_type.without_time_attribute().kind;
        matches!(fit(&kind(&value), &kind(bound), false), Fit::Refused)
    };
    if refused(&low) || refused(&high) {
        let plain = name.strip_suffix(" SYMMETRIC").unwrap_or(name);
        let whole = if plain == name {
            format!("{name} ASYMMETRIC")
        } else {
            name.to_owned()
        };
        request.args = vec![value, low, high];
        return request.wrong_types_of(
            &whole,
            &[format!(
                "'<COMPARABLE_TYPE> {plain} <COMPARABLE_TYPE> AND <COMPARABLE_TYPE>'"
            )],
        );
    }
    let (inner, outer) = if negated { ("OR", "AND") } else { ("AND", "OR") };
    let (lower, upper) = if negated { ("<", ">") } else { (">=", "<=") };
    let mut within = |low: &Expr, high: &Expr| {
        let above = request.sub_call(lower, vec![value.clone(), low.clone()]);
        let below = request.sub_call(upper, vec![value.clone(), high.clone()]);
        request.sub_call(inner, vec![above, below])
    };
    let plain = within(&low, &high);
    if !name.ends_with("SYMMETRIC") {
        return plain;
    }
    let turned = within(&high, &low);
    request.sub_call(outer, vec![plain, turned])
}

/// `a IN (x, y)` is `a = x OR a = y`, each element cast to the type of `a`.
fn resolve_in(mut request: Request<'_>) -> Expr {
    let negated = request.function.name == "NOT IN";
    if request.args.len() < 2 {
        request.report_count(2);
        return Expr::invalid(request.span);
    }
    let span = request.span;
    let comparator = if negated { "<>" } else { "=" };
    let mut args = std::mem::take(&mut request.args).into_iter();
    let Some(value) = args.next() else {
        return Expr::invalid(span);
    };
    let kind = value.data_type.without_time_attribute().kind;
    let elements: Vec<Expr> = args.gather();
    let texts = is_text_list(&kind, &elements);
    let comparisons: Vec<Expr> = elements
        .into_iter()
        .map(|element| {
            if texts {
                return text_comparison(comparator, &value, element, span);
            }
            // Numbers and texts alike become of the left side's type.
            let fits = element.data_type.kind.is_numeric() || element.data_type.kind.is_character();
            let castable =
                fits && (kind.is_numeric() || (kind.is_character() && element.data_type.kind.is_numeric()));
            let element = if castable { coerce(element, &kind) } else { element };
            request.sub_call(comparator, vec![value.clone(), element])
        })
        .gather();
    if comparisons.iter().any(Expr::is_invalid) {
        return Expr::invalid(span);
    }
    match <[Expr; 1]>::try_from(comparisons) {
        Ok([only]) => only,
        Err(several) => {
            let nullable = several.iter().any(|one| one.data_type.nullable);
            let function = built_in(if negated { "AND" } else { "OR" });
            call(
                function,
                several,
                DataType {
                    kind: TypeKind::Boolean,
                    nullable,
                },
                span,
            )
        }
    }
}

/// `text IN ('a', 'bc')` compares with the literals as they are, without a cast.
/// Case: select/in-list-of-char-literals.
fn is_text_list(value: &TypeKind, elements: &[Expr]) -> bool {
    let is_text = |element: &Expr| {
        matches!(element.data_type.kind, TypeKind::Char(_))
            && matches!(element.as_literal(), Some(Value::Str(_)))
    };
    value.is_character() && elements.iter().all(is_text)
}

fn text_comparison(comparator: &'static str, value: &Expr, element: Expr, span: sg_diag::Span) -> Expr {
    let data_type = DataType {
        kind: TypeKind::Boolean,
        nullable: value.data_type.nullable,
    };
    call(
        built_in(comparator),
        vec![value.clone(), element],
        data_type,
        span,
    )
}

// ---- evaluation ----

fn comparison(site: &CallSite<'_>, nodes: Vec<Node>, holds: fn(Ordering) -> bool) -> Node {
    match <[Node; 2]>::try_from(nodes) {
        Ok([left, right]) => Node::Bool(compare_nodes(site, left, right, holds)),
        Err(_) => Node::Literal(Value::Null),
    }
}

fn compare_nodes(site: &CallSite<'_>, left: Node, right: Node, holds: fn(Ordering) -> bool) -> BoolFn {
    let (a, b) = (site.kind(0), site.kind(1));
    let span = site.span;
    let ints = |kind: &TypeKind| {
        kind.is_integer() || kind.is_interval() || matches!(kind, TypeKind::Date | TypeKind::Time(_))
    };
    if ints(a) && ints(b) {
        return match site.function.name {
            "=" => binary_int(left, right, span, |x, y| Ok(x == y)),
            "<>" => binary_int(left, right, span, |x, y| Ok(x != y)),
            "<" => binary_int(left, right, span, |x, y| Ok(x < y)),
            "<=" => binary_int(left, right, span, |x, y| Ok(x <= y)),
            ">" => binary_int(left, right, span, |x, y| Ok(x > y)),
            _ => binary_int(left, right, span, |x, y| Ok(x >= y)),
        };
    }
    if a.is_approximate() && b.is_approximate() {
        return double_comparison(site, left, right);
    }
    if a.is_timestamp() && b.is_timestamp() {
        return binary_timestamp(left, right, span, move |x, y| Ok(holds(x.cmp(&y))));
    }
    if a.is_numeric() && b.is_numeric() {
        return mixed_numbers(a, b, left, right, holds);
    }
    if a.is_constructed() {
        let negated = site.function.name == "<>";
        return binary_bytes_like(left, right, move |x, y| {
            sql_equal(x, y).map(|equal| equal != negated)
        });
    }
    binary_bytes_like(left, right, move |x, y| sql_compare(x, y).map(holds))
}

/// Java's operators on doubles: every comparison with NaN is FALSE, `<>` TRUE; folded `NaN = NaN` is TRUE and so is
/// this one, as the planner and the runtime of Flink agree on equal values.
fn double_comparison(site: &CallSite<'_>, left: Node, right: Node) -> BoolFn {
    let span = site.span;
    match site.function.name {
        "=" => binary_double(left, right, span, |x, y| Ok(equal_doubles(x, y))),
        "<>" => binary_double(left, right, span, |x, y| Ok(!equal_doubles(x, y))),
        "<" => binary_double(left, right, span, |x, y| Ok(x < y)),
        "<=" => binary_double(left, right, span, |x, y| Ok(x <= y)),
        ">" => binary_double(left, right, span, |x, y| Ok(x > y)),
        _ => binary_double(left, right, span, |x, y| Ok(x >= y)),
    }
}

#[expect(clippy::float_cmp, reason = "SQL's = on doubles is exact")]
fn equal_doubles(left: f64, right: f64) -> bool {
    left == right || (left.is_nan() && right.is_nan())
}

/// Numbers of different types: as DECIMALs where both are exact, else as DOUBLEs.
fn mixed_numbers(a: &TypeKind, b: &TypeKind, left: Node, right: Node, holds: fn(Ordering) -> bool) -> BoolFn {
    let (a_scale, b_scale) = (scale_of(a), scale_of(b));
    if a.is_exact() && b.is_exact() {
        return binary_bytes_like(left, right, move |x, y| {
            (!x.is_null() && !y.is_null())
                .then(|| holds(decimal_of(x, a_scale).compare(decimal_of(y, b_scale))))
        });
    }
    binary_bytes_like(left, right, move |x, y| {
        let (x, y) = (double_from(x, a_scale)?, double_from(y, b_scale)?);
        Some(x.partial_cmp(&y).is_some_and(holds))
    })
}

fn distinct_from(site: &CallSite<'_>, nodes: Vec<Node>, distinct: bool) -> Node {
    let Ok([left, right]) = <[Node; 2]>::try_from(nodes) else {
        return Node::Literal(Value::Null);
    };
    let same = same_values(site.kind(0), site.kind(1));
    Node::Bool(binary_bytes_like(left, right, move |x, y| {
        Some(match (x.is_null(), y.is_null()) {
            (true, true) => !distinct,
            (false, false) => same(x, y) != distinct,
            _ => distinct,
        })
    }))
}

/// Equality of two values that are not NULL, of these types.
#[expect(clippy::type_complexity, reason = "read in one place")]
fn same_values(a: &TypeKind, b: &TypeKind) -> Box<dyn Fn(&Value, &Value) -> bool> {
    let (a_scale, b_scale) = (scale_of(a), scale_of(b));
    if a.is_exact() && b.is_exact() && a != b {
        return Box::new(move |x, y| decimal_of(x, a_scale).compare(decimal_of(y, b_scale)).is_eq());
    }
    Box::new(|x, y| sql_equal(x, y) == Some(true))
}

/// `SEARCH(operand, Sarg[…])`. The ranges have the operand's type.
fn search(site: &CallSite<'_>, mut nodes: Vec<Node>) -> Node {
    let Some(sarg) = site.args.get(1).and_then(Sarg::from_expr) else {
        return Node::Literal(Value::Null);
    };
    nodes.truncate(1);
    let Some(operand) = nodes.pop() else {
        return Node::Literal(Value::Null);
    };
    let (Some(from), Some(to)) = (site.args.first(), site.args.get(1)) else {
        return Node::Literal(Value::Null);
    };
    let (from, to) = (&from.data_type, &to.data_type);
    let same_form = from.kind == to.kind || !(from.kind.is_numeric() && to.kind.is_numeric());
    if same_form
        || scale_of(&from.kind) == scale_of(&to.kind) && from.kind.is_integer() && to.kind.is_integer()
    {
        return Node::Bool(Box::new(move |row, cx| {
            let mut slot = Value::Null;
            Ok(sarg.contains(operand.borrow(row, cx, &mut slot)?))
        }));
    }
    // Operand and constants are numbers of different types: both as their common type.
    let Some(common) = common_type(&[from.clone(), to.clone()]) else {
        return Node::Literal(Value::Null);
    };
    let sarg = sarg.map(&caster(to, &common));
    let convert = caster(from, &common);
    let span = site.span;
    Node::Bool(Box::new(move |row, cx| {
        let value = operand.eval(row, cx)?;
        let value: Outcome = if value.is_null() {
            Ok(value)
        } else {
            convert(&value, cx)
        };
        Ok(sarg.contains(&value.map_err(|failure| place(failure, span))?))
    }))
}
