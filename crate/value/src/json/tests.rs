//! What Flink's json format makes of JSON; all of it was executed by Flink.

use std::rc::Rc;

use super::*;
use crate::{
    data_type::{DataType, Field, TimeKind, TypeKind},
    format::{cast_text, cell_text},
    time::Zone,
    value::Value,
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

fn field(name: &str, data_type: DataType) -> Field {
    Field {
        name: name.into(),
        data_type,
    }
}

/// The cell as `Row.toString` shows it, or `!` and the reason.
fn read(json: &str, data_type: &DataType) -> String {
    let json = serde_json::from_str(json).unwrap();
    match value_from_json(&json, data_type) {
        Ok(value) => cell_text(&value, data_type),
        Err(error) => format!("!{}", error.message),
    }
}

#[test]
fn numbers() {
    let (int, tiny, float) = (DataType::INT, t(TypeKind::TinyInt), t(TypeKind::Float));
    let (bigint, double, boolean) = (DataType::BIGINT, DataType::DOUBLE, DataType::BOOLEAN);
    let rows = [
        (&int, "1", "1"),
        (&int, "1.5", "1"),
        (&int, "-1.5", "-1"),
        (&int, "1e3", "1000"),
        (&int, "\" 1 \"", "1"),
        (&int, "\"1.5\"", "!For input string: \"1.5\""),
        (&int, "2147483648", "!For input string: \"2147483648\""),
        (&int, "true", "!For input string: \"true\""),
        (&int, "[]", "!For input string: \"\""),
        (&tiny, "127", "127"),
        (&tiny, "1.5", "!For input string: \"1.5\""),
        (&tiny, "300", "!Value out of range. Value:\"300\" Radix:10"),
        (&bigint, "9223372036854775807", "9223372036854775807"),
        (
            &bigint,
            "9223372036854775808",
            "!For input string: \"9223372036854775808\"",
        ),
        (&float, "16777217", "1.6777216E7"),
        (&float, "0.1", "0.1"),
        (&double, "1e400", "Infinity"),
        (&double, "\"NaN\"", "NaN"),
        (&double, "1", "1.0"),
        (&boolean, "\" TRUE \"", "true"),
        (&boolean, "1", "false"),
        (&boolean, "null", "null"),
    ];
    for (data_type, json, text) in rows {
        assert_eq!(read(json, data_type), text, "{data_type} {json}");
    }
}

#[test]
fn decimals_are_exact_and_null_where_they_do_not_fit() {
    let narrow = t(TypeKind::Decimal {
        precision: 10,
        scale: 2,
    });
    for (json, text) in [
        ("3.14159", "3.14"),
        ("3.145", "3.15"),
        ("\"1e3\"", "1000.00"),
        ("123456789012", "null"),
        (
            "\" 1\"",
            "!Character   is neither a decimal digit number, decimal point, nor \"e\" notation exponential mark.",
        ),
    ] {
        assert_eq!(read(json, &narrow), text, "{json}");
    }
    let row = t(TypeKind::Row(
        [
            field("d", narrow),
            field("s", DataType::STRING),
            field("x", DataType::DOUBLE),
        ]
        .into(),
    ));
    assert_eq!(
        read(r#"{"d": 1.5, "s": 100.0, "x": -0.0}"#, &row),
        "+I[1.50, 1E+2, 0.0]"
    );
}

#[test]
fn text_takes_anything() {
    for (json, text) in [
        ("\"x\"", "x"),
        ("1.50", "1.5"),
        ("1e10", "1.0E10"),
        ("true", "true"),
        (
            r#"{"a": [1.50, null, "q\""], "b": {}}"#,
            r#"{"a":[1.5,null,"q\""],"b":{}}"#,
        ),
    ] {
        assert_eq!(read(json, &DataType::STRING), text);
    }
}

#[test]
fn dates_and_times() {
    for (data_type, json, text) in [
        (t(TypeKind::Date), "2024-02-29", "2024-02-29"),
        (
            t(TypeKind::Date),
            "2024-1-05",
            "!Text '2024-1-05' could not be parsed at index 5",
        ),
        (t(TypeKind::Time(3)), "10:00:00.5", "10:00:00.500"),
        (
            timestamp(9),
            "2024-01-05 10:00:00.000000001",
            "2024-01-05T10:00:00.000000001",
        ),
        (
            timestamp(3),
            "2024-01-05T10:00:00",
            "!Text '2024-01-05T10:00:00' could not be parsed at index 10",
        ),
        (ltz(3), "2024-01-05 10:00:00Z", "2024-01-05T10:00:00Z"),
        (
            ltz(3),
            "2024-01-05 10:00:00",
            "!Text '2024-01-05 10:00:00' could not be parsed at index 19",
        ),
    ] {
        assert_eq!(read(&format!("\"{json}\""), &data_type), text);
    }
}

#[test]
fn bytes_are_base64() {
    let bytes = t(TypeKind::Varbinary(9));
    assert_eq!(read("\"/wA=\"", &bytes), "[-1, 0]");
    assert_eq!(read("1", &bytes), "null");
    assert!(read("\"*\"", &bytes).ends_with("Illegal character '*' (code 0x2a) in base64 content"));
}

#[test]
fn maps_keep_the_order_of_flinks_strings() {
    let map = t(TypeKind::Map(Rc::new(DataType::STRING), Rc::new(DataType::INT)));
    let json = r#"{"k":1,"x":2,"hello world":3,"é":4,"a":5,"b":6,"c":7,"d":8,"e":9,"f":10,"g":11,"h":12,"i":13,"j":14}"#;
    let value = value_from_json(&serde_json::from_str(json).unwrap(), &map).unwrap();
    assert_eq!(
        cast_text(&value, &map, &Zone::UTC).unwrap(),
        "{j=14, d=8, h=12, k=1, b=6, x=2, a=5, i=13, e=9, f=10, é=4, c=7, hello world=3, g=11}"
    );
    assert_eq!(
        cell_text(&value, &map),
        "{a=5, b=6, c=7, d=8, e=9, f=10, g=11, h=12, i=13, é=4, j=14, k=1, hello world=3, x=2}"
    );
    assert_eq!(read("[]", &map), "{}");
}

#[test]
fn rows_name_the_field_that_fails() {
    let inner = t(TypeKind::Row([field("a", DataType::INT)].into()));
    let reader = JsonReader::new(&[field("k", DataType::INT), field("r", inner)]).unwrap();
    let row = |json: &str| reader.row(&serde_json::from_str(json).unwrap());
    assert_eq!(row(r#"{"other": 1}"#).unwrap(), [Value::Null, Value::Null]);
    let error = row(r#"{"k": 1, "r": {"a": "x"}}"#).unwrap_err();
    assert_eq!(error.field, "r.a");
    let text = "Fail to deserialize at field: r.\nFail to deserialize at field: a.\nFor input string: \"x\"";
    assert_eq!(error.to_string(), text);
    let numbered = t(TypeKind::Map(Rc::new(DataType::INT), Rc::new(DataType::INT)));
    let message = JsonReader::new(&[field("m", numbered)]).unwrap_err().message;
    assert_eq!(
        message,
        "JSON format doesn't support non-string as key type of map. The type is: MAP<INT, INT>"
    );
}

#[test]
fn values_are_written_as_flink_writes_them() {
    let decimal = t(TypeKind::Decimal {
        precision: 20,
        scale: 5,
    });
    let at = Value::Timestamp {
        ms: 1_704_067_205_120,
        nanos: 0,
    };
    let rows: Vec<(Value, DataType, &str)> = vec![
        (Value::Null, DataType::INT, "null"),
        (Value::Int(1), DataType::INT, "1"),
        (Value::Double(0.5), DataType::DOUBLE, "0.5"),
        (Value::Double(f64::NAN), DataType::DOUBLE, "\"NaN\""),
        (Value::Decimal(10_000_000), decimal.clone(), "1e+2"),
        (Value::Decimal(10_000), decimal, "0.1"),
        (Value::from("x\"y"), DataType::STRING, "\"x\\\"y\""),
        (
            Value::Bytes(Rc::from([255, 0])),
            t(TypeKind::Varbinary(2)),
            "\"/wA=\"",
        ),
        (Value::Int(19_782), t(TypeKind::Date), "\"2024-02-29\""),
        (Value::Int(1_800_500), t(TypeKind::Time(3)), "\"00:30:00.5\""),
        (at.clone(), timestamp(3), "\"2024-01-01 00:00:05.12\""),
        (at, ltz(3), "\"2024-01-01 00:00:05.12Z\""),
        (
            Value::Array([Value::Int(1), Value::Null].into()),
            t(TypeKind::Array(Rc::new(DataType::INT))),
            "[1,null]",
        ),
    ];
    for (value, data_type, text) in rows {
        assert_eq!(json_from_value(&value, &data_type).to_string(), text);
    }
}
