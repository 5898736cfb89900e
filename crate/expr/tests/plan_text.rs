//! Expressions as Flink's plans show them. The texts are those of recorded plans.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test says what is missing and stops"
)]

use sg_diag::{Diagnostics, Span};
use sg_expr::{
    CastMode, Expr, PlanStyle, cast, display, fold, materialize_time_attributes, resolve_call, simplify,
};
use sg_value::{DataType, TimeKind, TypeKind, Value, data_type::MAX_LENGTH};

const COLUMNS: [(&str, TypeKind); 12] = [
    ("i", TypeKind::Int),
    ("b", TypeKind::BigInt),
    ("s", TypeKind::Varchar(MAX_LENGTH)),
    ("d", TypeKind::Double),
    (
        "de",
        TypeKind::Decimal {
            precision: 5,
            scale: 1,
        },
    ),
    (
        "ts",
        TypeKind::Timestamp {
            precision: 3,
            time: TimeKind::Regular,
        },
    ),
    ("ok", TypeKind::Boolean),
    (
        "rt",
        TypeKind::Timestamp {
            precision: 3,
            time: TimeKind::Rowtime,
        },
    ),
    ("dt", TypeKind::Date),
    ("c3", TypeKind::Char(3)),
    (
        "end_at",
        TypeKind::Timestamp {
            precision: 3,
            time: TimeKind::Regular,
        },
    ),
    (
        "ltz",
        TypeKind::TimestampLtz {
            precision: 3,
            time: TimeKind::Regular,
        },
    ),
];

fn column(name: &str) -> Expr {
    let at = COLUMNS.iter().position(|(known, _)| *known == name).unwrap();
    Expr::column(
        u32::try_from(at).unwrap(),
        DataType::nullable(COLUMNS[at].1.clone()),
        Span::default(),
    )
}

fn int(number: i64) -> Expr {
    Expr::literal(
        Value::Int(number),
        DataType::not_null(TypeKind::Int),
        Span::default(),
    )
}

fn text(text: &str) -> Expr {
    let length = u32::try_from(text.chars().count()).unwrap();
    Expr::literal(
        Value::from(text),
        DataType::not_null(TypeKind::Char(length)),
        Span::default(),
    )
}

fn decimal(unscaled: i64, precision: u8, scale: u8) -> Expr {
    let kind = TypeKind::Decimal { precision, scale };
    Expr::literal(
        Value::Decimal(unscaled),
        DataType::not_null(kind),
        Span::default(),
    )
}

fn call(name: &str, args: Vec<Expr>) -> Expr {
    let mut diags = Diagnostics::new();
    let expr = resolve_call(name, args, Span::default(), &mut diags);
    assert!(diags.is_empty(), "{diags:?}");
    expr
}

fn cast_to(expr: Expr, kind: TypeKind, mode: CastMode) -> Expr {
    let mut diags = Diagnostics::new();
    let expr = cast(expr, &DataType::nullable(kind), mode, Span::default(), &mut diags);
    assert!(diags.is_empty(), "{diags:?}");
    expr
}

fn name(column: u32) -> &'static str {
    COLUMNS[column as usize].0
}

fn physical(expr: &Expr) -> String {
    display(expr, &name, PlanStyle::Physical)
}

fn execution(expr: &Expr) -> String {
    display(expr, &name, PlanStyle::Execution)
}

#[test]
fn equality_casts_and_order_does_not() {
    assert_eq!(physical(&call("=", vec![column("b"), int(3)])), "=(b, 3:BIGINT)");
    assert_eq!(physical(&call(">", vec![column("b"), int(3)])), ">(b, 3)");
    assert_eq!(
        physical(&call("=", vec![column("i"), column("b")])),
        "=(CAST(i AS BIGINT), b)"
    );
    assert_eq!(
        physical(&call("=", vec![column("i"), column("de")])),
        "=(CAST(i AS DECIMAL(11, 1)), CAST(de AS DECIMAL(11, 1)))"
    );
    assert_eq!(
        physical(&call("=", vec![column("s"), text("cart")])),
        "=(s, _UTF-16LE'cart':VARCHAR(2147483647) CHARACTER SET \"UTF-16LE\")"
    );
    assert_eq!(
        physical(&call("=", vec![column("c3"), text("USD")])),
        "=(c3, _UTF-16LE'USD')"
    );
    assert_eq!(
        physical(&call(">", vec![column("ts"), text("2024-01-01 10:00:00")])),
        ">(ts, 2024-01-01 10:00:00:TIMESTAMP(3))"
    );
}

#[test]
fn case_brings_results_to_one_type() {
    let hot = call(">=", vec![column("i"), int(30)]);
    let mild = call(">=", vec![column("i"), int(20)]);
    let case = call(
        "CASE",
        vec![hot, text("hot"), mild, text("mild"), Expr::null(Span::default())],
    );
    assert_eq!(case.data_type.to_string(), "VARCHAR(4)");
    assert_eq!(
        physical(&case),
        "CASE(>=(i, 30), _UTF-16LE'hot':VARCHAR(4) CHARACTER SET \"UTF-16LE\", >=(i, 20), \
         _UTF-16LE'mild':VARCHAR(4) CHARACTER SET \"UTF-16LE\", null:VARCHAR(4) CHARACTER SET \"UTF-16LE\")"
    );
    let mixed = call(
        "CASE",
        vec![call(">", vec![column("i"), int(1)]), column("i"), column("d")],
    );
    assert_eq!(physical(&mixed), "CASE(>(i, 1), CAST(i AS DOUBLE), d)");
    assert_eq!(
        physical(&call("NULLIF", vec![column("i"), int(20)])),
        "CASE(=(i, 20), null:INTEGER, i)"
    );
    let filled = call("COALESCE", vec![column("i"), int(-1)]);
    assert_eq!(
        (physical(&filled).as_str(), filled.data_type.to_string().as_str()),
        ("COALESCE(i, -1)", "INT NOT NULL")
    );
}

#[test]
fn casts_of_booleans_are_rewritten() {
    assert_eq!(
        physical(&cast_to(column("ok"), TypeKind::Int, CastMode::Explicit)),
        "CASE(IS NOT NULL(ok), CASE(ok, 1, 0), null:INTEGER)"
    );
    assert_eq!(
        physical(&cast_to(column("i"), TypeKind::Boolean, CastMode::Explicit)),
        "<>(i, 0)"
    );
    assert_eq!(
        physical(&cast_to(column("s"), TypeKind::Int, CastMode::Try)),
        "TRY_CAST(s AS INTEGER)"
    );
    assert_eq!(
        physical(&cast_to(
            column("i"),
            TypeKind::Varchar(MAX_LENGTH),
            CastMode::Explicit
        )),
        "CAST(i AS VARCHAR(2147483647) CHARACTER SET \"UTF-16LE\")"
    );
    let half = cast_to(decimal(15, 2, 1), TypeKind::Double, CastMode::Implicit);
    assert_eq!(physical(&half), "1.5:DOUBLE");
}

#[test]
fn times_are_written_in_base_units() {
    let minutes = call(
        "TIMESTAMPDIFF",
        vec![
            Expr::symbol("MINUTE", Span::default()),
            column("ts"),
            column("end_at"),
        ],
    );
    assert_eq!(
        physical(&minutes),
        "CAST(/INT(Reinterpret(-(end_at, ts)), 60000) AS INTEGER)"
    );
    assert_eq!(
        physical(&call("HOUR", vec![column("ltz")])),
        "EXTRACT(FLAG(HOUR), ltz)"
    );
    let floor = call("FLOOR", vec![column("rt"), Expr::symbol("hour", Span::default())]);
    assert_eq!(physical(&floor), "FLOOR(rt, FLAG(HOUR))");
    assert_eq!(
        physical(&materialize_time_attributes(&floor)),
        "FLOOR(CAST(rt AS TIMESTAMP(3)), FLAG(HOUR))"
    );
    assert_eq!(execution(&floor), "FLOOR(rt, HOUR)");
    assert_eq!(physical(&call("%", vec![column("i"), column("i")])), "MOD(i, i)");
}

#[test]
fn logic_is_simplified_as_the_planner_does() {
    let equal = call("=", vec![column("ok"), column("ok")]);
    assert_eq!(
        physical(&fold(call("IS UNKNOWN", vec![equal]))),
        "OR(IS NULL(ok), IS NULL(ok))"
    );
    let not_more = call("NOT", vec![call(">", vec![column("de"), int(100)])]);
    assert_eq!(physical(&fold(not_more)), "<=(de, 100)");
    assert_eq!(
        physical(&fold(call(
            "IS NOT DISTINCT FROM",
            vec![column("i"), column("b")]
        ))),
        "OR(AND(IS NULL(i), IS NULL(b)), IS TRUE(=(CAST(i AS BIGINT), b)))"
    );
    let never = call(
        "=",
        vec![
            column("i"),
            Expr::literal(Value::Null, DataType::INT, Span::default()),
        ],
    );
    let case = call(
        "CASE",
        vec![
            never,
            text("missing"),
            call("=", vec![column("i"), int(20)]),
            text("twenty"),
            text("other"),
        ],
    );
    assert_eq!(
        physical(&fold(case)),
        "CASE(=(i, 20), _UTF-16LE'twenty':VARCHAR(7) CHARACTER SET \"UTF-16LE\", \
         _UTF-16LE'other':VARCHAR(7) CHARACTER SET \"UTF-16LE\")"
    );
    assert_eq!(physical(&fold(call("+", vec![int(1), int(1)]))), "2");
    assert_eq!(physical(&fold(call("UPPER", vec![text("b")]))), "_UTF-16LE'B'");
    assert_eq!(
        physical(&fold(call("PI", vec![]))),
        "3.1415926535897931159E0:DOUBLE"
    );
}

#[test]
fn comparisons_with_constants_become_a_search() {
    let listed = call("IN", vec![column("i"), int(3), int(1), int(2)]);
    assert_eq!(physical(&listed), "OR(=(i, 3), =(i, 1), =(i, 2))");
    assert_eq!(physical(&simplify(listed)), "SEARCH(i, Sarg[1, 2, 3])");
    let between = call("BETWEEN", vec![column("i"), int(1), int(5)]);
    assert_eq!(physical(&simplify(between)), "SEARCH(i, Sarg[[1..5]])");
    let outside = call("NOT IN", vec![column("i"), int(1), int(2)]);
    assert_eq!(
        physical(&simplify(outside)),
        "SEARCH(i, Sarg[(-∞..1), (1..2), (2..+∞)])"
    );
    let null_or_more = call(
        "OR",
        vec![
            call("IS NULL", vec![column("i")]),
            call(">", vec![column("i"), int(3)]),
        ],
    );
    assert_eq!(
        physical(&simplify(null_or_more)),
        "SEARCH(i, Sarg[(3..+∞); NULL AS TRUE])"
    );
    let letters = call("IN", vec![column("s"), text("a"), text("b")]);
    assert_eq!(
        physical(&simplify(letters)),
        "SEARCH(s, Sarg[_UTF-16LE'a', _UTF-16LE'b']:CHAR(1) CHARACTER SET \"UTF-16LE\")"
    );
    let single = call("IN", vec![column("i"), int(5)]);
    assert_eq!(physical(&simplify(single)), "=(i, 5)");
}

#[test]
fn an_execution_plan_writes_operators_between() {
    let both = call(
        "AND",
        vec![
            call("<>", vec![column("s"), text("x")]),
            call("IS NULL", vec![column("i")]),
        ],
    );
    assert_eq!(execution(&both), "((s <> 'x') AND i IS NULL)");
    let not = call("NOT LIKE", vec![column("s"), text("a%")]);
    assert_eq!(execution(&not), "NOT(LIKE(s, 'a%'))");
    assert_eq!(physical(&not), "NOT(LIKE(s, _UTF-16LE'a%'))");
    let ast = display(
        &call("<>", vec![column("c3"), text("xyz")]),
        &|_| "$0",
        PlanStyle::Ast,
    );
    assert_eq!(ast, "<>($0, _UTF-16LE'xyz')");
}

#[test]
fn negations_move_behind_and_implied_null_tests_go() {
    let terms = vec![
        call("NOT LIKE", vec![column("s"), text("a%")]),
        call("IS NOT NULL", vec![column("i")]),
        call(">", vec![column("i"), int(5)]),
    ];
    assert_eq!(
        physical(&simplify(call("AND", terms))),
        "AND(>(i, 5), NOT(LIKE(s, _UTF-16LE'a%')))"
    );
    let always = call(
        "OR",
        vec![
            call("=", vec![int(1), int(1)]),
            call(">", vec![column("i"), int(5)]),
        ],
    );
    assert_eq!(physical(&simplify(always)), "true");
}
