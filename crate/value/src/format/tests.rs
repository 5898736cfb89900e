use std::rc::Rc;

use super::*;
use crate::{
    data_type::{Field, IntervalFields, IntervalUnit, TimeKind},
    value::MapValue,
};

const fn t(kind: TypeKind) -> DataType {
    DataType::nullable(kind)
}

const fn timestamp(precision: u8) -> DataType {
    t(TypeKind::Timestamp {
        precision,
        time: TimeKind::Regular,
    })
}

const fn ltz(precision: u8) -> DataType {
    t(TypeKind::TimestampLtz {
        precision,
        time: TimeKind::Regular,
    })
}

const fn at(ms: i64, nanos: u32) -> Value {
    Value::Timestamp { ms, nanos }
}

const fn fields(unit: IntervalUnit) -> IntervalFields {
    IntervalFields {
        first: unit,
        last: unit,
        leading: 2,
        fraction: 3,
    }
}

fn map(entries: Vec<(Value, Value)>) -> Value {
    Value::Map(Rc::new(MapValue { entries }))
}

/// 2024-01-01T00:00:00Z.
const NEW_YEAR: i64 = 1_704_067_200_000;

/// Checks the text in a row, the text of CAST, and NULL.
fn check(rows: Vec<(Value, DataType, &str, &str)>) {
    let zone = Zone::parse("Asia/Shanghai").unwrap();
    for (value, data_type, row, cast) in rows {
        assert_eq!(cell_text(&value, &data_type), row, "{data_type}");
        assert_eq!(cast_text(&value, &data_type, &zone).unwrap(), cast, "{data_type}");
        assert_eq!(cell_text(&Value::Null, &data_type), "null");
        assert_eq!(cast_text(&Value::Null, &data_type, &zone), None);
    }
}

#[test]
fn both_texts_of_numbers_and_texts() {
    let decimal = |precision, scale| t(TypeKind::Decimal { precision, scale });
    check(vec![
        (Value::Bool(true), t(TypeKind::Boolean), "true", "TRUE"),
        (Value::Int(-32_768), t(TypeKind::SmallInt), "-32768", "-32768"),
        (Value::Double(0.1), t(TypeKind::Double), "0.1", "0.1"),
        (
            Value::Double(f64::from(0.1_f32)),
            t(TypeKind::Float),
            "0.1",
            "0.1",
        ),
        (Value::Double(1e10), t(TypeKind::Double), "1.0E10", "1.0E10"),
        (Value::Decimal(1230), decimal(10, 2), "12.30", "12.30"),
        (Value::Decimal(-5), decimal(10, 2), "-0.05", "-0.05"),
        (Value::Decimal(10), decimal(10, 8), "1.0E-7", "0.00000010"),
        (Value::Decimal(-1), decimal(10, 8), "-1E-8", "-0.00000001"),
        (Value::Decimal(0), decimal(17, 14), "0E-14", "0.00000000000000"),
        (Value::from("x"), DataType::STRING, "x", "x"),
        (
            Value::Bytes(Rc::from([0xc3, 0xa9])),
            t(TypeKind::Varbinary(9)),
            "[-61, -87]",
            "é",
        ),
    ]);
}

#[test]
fn both_texts_of_dates_and_times() {
    check(vec![
        (Value::Int(19_782), t(TypeKind::Date), "2024-02-29", "2024-02-29"),
        (
            Value::Int(3_000_000),
            t(TypeKind::Date),
            "+10183-09-21",
            "0183-09-21",
        ),
        (Value::Int(1_800_000), t(TypeKind::Time(0)), "00:30", "00:30:00"),
        (
            Value::Int(86_399_020),
            t(TypeKind::Time(3)),
            "23:59:59.020",
            "23:59:59.02",
        ),
        (
            Value::Int(3_661_000),
            t(TypeKind::Time(3)),
            "01:01:01",
            "01:01:01.0",
        ),
        (
            at(NEW_YEAR, 0),
            timestamp(3),
            "2024-01-01T00:00",
            "2024-01-01 00:00:00.000",
        ),
        (
            at(NEW_YEAR + 5120, 0),
            timestamp(0),
            "2024-01-01T00:00:05.120",
            "2024-01-01 00:00:05",
        ),
        (
            at(NEW_YEAR, 120_000),
            timestamp(9),
            "2024-01-01T00:00:00.000120",
            "2024-01-01 00:00:00.000120000",
        ),
        (
            at(-1, 999_999),
            timestamp(9),
            "1969-12-31T23:59:59.999999999",
            "1969-12-31 23:59:59.999999999",
        ),
        (
            at(NEW_YEAR, 0),
            ltz(3),
            "2024-01-01T00:00:00Z",
            "2024-01-01 08:00:00.000",
        ),
        (
            at(15_250, 0),
            ltz(3),
            "1970-01-01T00:00:15.250Z",
            "1970-01-01 08:00:15.250",
        ),
    ]);
}

#[test]
fn both_texts_of_intervals() {
    let (hour, second) = (fields(IntervalUnit::Hour), fields(IntervalUnit::Second));
    check(vec![
        (
            Value::Int(93_784_500),
            t(TypeKind::IntervalDayTime(fields(IntervalUnit::Day))),
            "PT26H3M4.5S",
            "+1 02:03:04.500",
        ),
        (
            Value::Int(-10_800_000),
            t(TypeKind::IntervalDayTime(hour)),
            "PT-3H",
            "-0 03:00:00.000",
        ),
        (
            Value::Int(-500),
            t(TypeKind::IntervalDayTime(second)),
            "PT-0.5S",
            "-0 00:00:00.500",
        ),
        (
            Value::Int(0),
            t(TypeKind::IntervalDayTime(second)),
            "PT0S",
            "+0 00:00:00.000",
        ),
        (
            Value::Int(27),
            t(TypeKind::IntervalYearMonth(fields(IntervalUnit::Month))),
            "P27M",
            "+2-03",
        ),
    ]);
}

#[test]
fn nested_values() {
    let ints = Rc::new(t(TypeKind::Array(Rc::new(DataType::INT))));
    let field = |name: &str, data_type: DataType| Field {
        name: name.into(),
        data_type,
    };
    let row = t(TypeKind::Row(
        [field("a", DataType::INT), field("b", (*ints).clone())].into(),
    ));
    let value = Value::Row([Value::Int(1), Value::Array([Value::Int(7), Value::Null].into())].into());
    assert_eq!(cell_text(&value, &row), "+I[1, [7, null]]");
    assert_eq!(cast_text(&value, &row, &Zone::UTC).unwrap(), "(1, [7, NULL])");
    let maps = t(TypeKind::Map(Rc::new(DataType::STRING), ints));
    let value = map(vec![(Value::from("k"), Value::Array([Value::Int(7)].into()))]);
    assert_eq!(cell_text(&value, &maps), "{k=[7]}");
    let types = [DataType::INT, maps];
    assert_eq!(
        row_text(RowKind::UpdateBefore, &[Value::Null, value], &types),
        "-U[null, {k=[7]}]"
    );
}

#[test]
fn maps_print_in_the_order_of_java() {
    let strings = t(TypeKind::Map(Rc::new(DataType::STRING), Rc::new(DataType::INT)));
    let value = map(vec![
        (Value::from("k"), Value::Int(1)),
        (Value::from("x"), Value::Int(2)),
    ]);
    assert_eq!(cell_text(&value, &strings), "{x=2, k=1}");
    assert_eq!(cast_text(&value, &strings, &Zone::UTC).unwrap(), "{k=1, x=2}");
    let bag = t(TypeKind::Multiset(Rc::new(DataType::STRING)));
    let value = map(vec![
        (Value::from("rice"), Value::Int(1)),
        (Value::from("tea"), Value::Int(2)),
    ]);
    assert_eq!(cell_text(&value, &bag), "{tea=2, rice=1}");
}
