//! Values of expressions: NULLs, wrapping, types of results, failures.
#![expect(clippy::unwrap_used, reason = "a test says what is missing and stops")]

use sg_diag::{Diagnostics, Span};
use sg_expr::{CastMode, EvalCx, Expr, cast, compile, resolve_call};
use sg_value::{DataType, TypeKind, Value, format::cell_text};

fn column(at: u32, kind: TypeKind) -> Expr {
    Expr::column(at, DataType::nullable(kind), Span::default())
}

fn int(number: i64) -> Expr {
    Expr::literal(
        Value::Int(number),
        DataType::not_null(TypeKind::Int),
        Span::default(),
    )
}

fn call(name: &str, args: Vec<Expr>) -> Expr {
    let mut diags = Diagnostics::new();
    let expr = resolve_call(name, args, Span::default(), &mut diags);
    assert!(diags.is_empty(), "{diags:?}");
    expr
}

fn refused(name: &str, args: Vec<Expr>) -> String {
    let mut diags = Diagnostics::new();
    assert!(resolve_call(name, args, Span::default(), &mut diags).is_invalid());
    diags.iter().next().unwrap().flink.clone().unwrap_or_default()
}

/// Type and text of the result on a row.
fn result(expr: &Expr, row: &[Value]) -> String {
    let value = compile(expr).eval(row, &EvalCx::default()).unwrap();
    format!("{} {}", expr.data_type.kind, cell_text(&value, &expr.data_type))
}

#[test]
fn integers_wrap_around_and_keep_the_wider_type() {
    let max = [Value::Int(i64::from(i32::MAX)), Value::Int(127)];
    let (i, tiny) = (column(0, TypeKind::Int), column(1, TypeKind::TinyInt));
    assert_eq!(
        result(&call("+", vec![i.clone(), int(1)]), &max),
        "INT -2147483648"
    );
    assert_eq!(
        result(&call("+", vec![tiny.clone(), tiny.clone()]), &max),
        "TINYINT -2"
    );
    assert_eq!(result(&call("+", vec![tiny.clone(), int(1)]), &max), "INT 128");
    assert_eq!(
        result(&call("*", vec![i.clone(), column(0, TypeKind::BigInt)]), &max),
        "BIGINT 4611686014132420609"
    );
    assert_eq!(result(&call("MOD", vec![i, tiny.clone()]), &max), "TINYINT 7");
    assert_eq!(
        result(&call("-", vec![tiny]), &[Value::Null, Value::Int(-128)]),
        "TINYINT -128"
    );
}

#[test]
fn floats_are_computed_in_the_type_of_the_left_side() {
    let row = [Value::Double(16_777_216.0), Value::Double(12_345_678.9)];
    let (f, d) = (column(0, TypeKind::Float), column(1, TypeKind::Double));
    assert_eq!(
        result(&call("+", vec![f.clone(), d.clone()]), &row),
        "FLOAT 2.9122896E7"
    );
    assert_eq!(result(&call("+", vec![d, f]), &row), "DOUBLE 2.91228949E7");
}

#[test]
fn decimals_get_the_digits_of_the_rule() {
    let price = column(
        0,
        TypeKind::Decimal {
            precision: 10,
            scale: 2,
        },
    );
    let rate = column(
        1,
        TypeKind::Decimal {
            precision: 4,
            scale: 3,
        },
    );
    let row = [Value::Decimal(1995), Value::Decimal(75)];
    assert_eq!(
        result(&call("+", vec![price.clone(), rate.clone()]), &row),
        "DECIMAL(12, 3) 20.025"
    );
    assert_eq!(
        result(&call("*", vec![price.clone(), rate.clone()]), &row),
        "DECIMAL(15, 5) 1.49625"
    );
    assert_eq!(
        result(&call("/", vec![price.clone(), rate]), &row),
        "DECIMAL(18, 7) 266.0000000"
    );
    assert_eq!(
        result(&call("ROUND", vec![price.clone(), int(1)]), &row),
        "DECIMAL(10, 1) 20.0"
    );
    assert_eq!(result(&call("FLOOR", vec![price]), &row), "DECIMAL(10, 0) 19");
}

#[test]
fn unknown_is_neither_true_nor_false() {
    let (a, b) = (column(0, TypeKind::Boolean), column(1, TypeKind::Boolean));
    let truths = [Value::Bool(true), Value::Bool(false), Value::Null];
    for left in &truths {
        for right in &truths {
            let row = [left.clone(), right.clone()];
            let value = |name: &str| {
                compile(&call(name, vec![a.clone(), b.clone()]))
                    .eval(&row, &EvalCx::default())
                    .unwrap()
                    .as_bool()
            };
            let (x, y) = (left.as_bool(), right.as_bool());
            let and = if x == Some(false) || y == Some(false) {
                Some(false)
            } else {
                x.and(y).and(Some(true))
            };
            let or = if x == Some(true) || y == Some(true) {
                Some(true)
            } else {
                x.and(y).and(Some(false))
            };
            assert_eq!((value("AND"), value("OR")), (and, or), "{x:?} {y:?}");
            assert_eq!(value("IS DISTINCT FROM"), Some(x != y));
        }
    }
    let compiled = compile(&call("AND", vec![a, b]));
    assert!(
        !compiled
            .test(&[Value::Bool(true), Value::Null], &EvalCx::default())
            .unwrap()
    );
}

#[test]
fn lists_convert_to_the_left_type_and_equality_to_the_common_one() {
    let one_and_a_half = || {
        let kind = TypeKind::Decimal {
            precision: 2,
            scale: 1,
        };
        Expr::literal(Value::Decimal(15), DataType::not_null(kind), Span::default())
    };
    assert_eq!(
        result(&call("IN", vec![int(1), one_and_a_half()]), &[]),
        "BOOLEAN true"
    );
    assert_eq!(
        result(&call("=", vec![int(1), one_and_a_half()]), &[]),
        "BOOLEAN false"
    );
    assert_eq!(
        result(&call("<", vec![int(1), one_and_a_half()]), &[]),
        "BOOLEAN true"
    );
}

#[test]
fn faults_carry_flinks_words() {
    let divided = call("/", vec![column(0, TypeKind::Int), column(1, TypeKind::Int)]);
    let error = compile(&divided)
        .eval(&[Value::Int(7), Value::Int(0)], &EvalCx::default())
        .unwrap_err();
    assert_eq!(
        error.diagnostic.flink.as_deref(),
        Some("ArithmeticException: / by zero")
    );
    let mut diags = Diagnostics::new();
    let to_int = cast(
        column(0, TypeKind::Varchar(9)),
        &DataType::INT,
        CastMode::Explicit,
        Span::new(3, 9),
        &mut diags,
    );
    let error = compile(&to_int)
        .eval(&[Value::from("4x2")], &EvalCx::default())
        .unwrap_err();
    assert_eq!(error.span(), Span::new(3, 9));
    assert_eq!(
        error.diagnostic.flink.as_deref(),
        Some("NumberFormatException: For input string: '4x2'. Invalid character found.")
    );
}

#[test]
fn refusals_carry_flinks_words() {
    let age = || column(0, TypeKind::Int);
    assert_eq!(
        refused("+", vec![age(), column(1, TypeKind::Boolean)]),
        "Cannot apply '+' to arguments of type '<INTEGER> + <BOOLEAN>'. Supported form(s): '<NUMERIC> + <NUMERIC>'\n\
         '<DATETIME_INTERVAL> + <DATETIME_INTERVAL>'\n'<DATETIME> + <DATETIME_INTERVAL>'\n\
         '<DATETIME_INTERVAL> + <DATETIME>'"
    );
    assert_eq!(
        refused("ABS", vec![column(0, TypeKind::Date)]),
        "Cannot apply 'ABS' to arguments of type 'ABS(<DATE>)'. Supported form(s): 'ABS(<NUMERIC>)'\n\
         'ABS(<DATETIME_INTERVAL>)'"
    );
    assert_eq!(
        refused("UPPER", vec![column(0, TypeKind::Varchar(9)), age()]),
        "Invalid number of arguments to function 'UPPER'. Was expecting 1 arguments"
    );
    assert_eq!(
        refused("=", vec![age(), column(1, TypeKind::Varchar(9))]),
        "ValidationException: implicit type conversion between INTEGER and VARCHAR is not supported now"
    );
    assert_eq!(
        refused("UPERCASE", vec![column(0, TypeKind::Varchar(9))]),
        "No match found for function signature UPERCASE(<CHARACTER>)"
    );
}

#[test]
fn the_clock_is_the_replays() {
    let cx = EvalCx {
        processing_time_ms: 1_704_067_200_000,
        watermark_ms: Some(5),
        ..EvalCx::default()
    };
    let now = compile(&call("NOW", vec![])).eval(&[], &cx).unwrap();
    assert_eq!(now, Value::timestamp_ms(1_704_067_200_000));
    let rowtime = TypeKind::Timestamp {
        precision: 3,
        time: sg_value::TimeKind::Rowtime,
    };
    let watermark = call("CURRENT_WATERMARK", vec![column(0, rowtime)]);
    assert_eq!(
        compile(&watermark).eval(&[Value::Null], &cx).unwrap(),
        Value::timestamp_ms(5)
    );
    assert!(
        compile(&watermark)
            .eval(&[Value::Null], &EvalCx::default())
            .unwrap()
            .is_null()
    );
}
