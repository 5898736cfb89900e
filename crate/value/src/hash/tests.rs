//! Hashes and key groups as Flink 2.3.0 calculates them (`BinaryRowData`, `KeyGroupRangeAssignment`).

use std::rc::Rc;

use super::*;
use crate::data_type::{DataType, TimeKind, TypeKind};

const fn t(kind: TypeKind) -> DataType {
    DataType::nullable(kind)
}

#[test]
fn key_groups_are_flinks() {
    let decimal = |precision| t(TypeKind::Decimal { precision, scale: 2 });
    let timestamp = |precision| {
        t(TypeKind::Timestamp {
            precision,
            time: TimeKind::Regular,
        })
    };
    let int = |number| Value::Int(number);
    let text = |text: &str| Value::from(text);
    let at = |nanos| Value::Timestamp {
        ms: 1_704_067_200_000,
        nanos,
    };
    let (bigint, string) = (DataType::BIGINT, DataType::STRING);
    let keys: Vec<(DataType, Value, i32, u32, u32)> = vec![
        (bigint.clone(), int(0), -300_363_099, 102, 742),
        (bigint.clone(), int(1), 1_465_514_398, 94, 862),
        (bigint.clone(), int(42), 907_821_237, 69, 709),
        (bigint.clone(), int(-1), -821_098_432, 65, 833),
        (bigint.clone(), int(10_000_000_000), 1_891_290_426, 75, 203),
        (bigint, Value::Null, -1_748_325_344, 99, 483),
        (DataType::INT, int(-1), 1_133_687_267, 106, 234),
        (string.clone(), text(""), 302_122_119, 102, 358),
        (string.clone(), text("a"), 943_281_246, 4, 516),
        (string.clone(), text("alice"), -2_099_467_358, 45, 941),
        (string.clone(), text("1234567"), 199_144_172, 84, 84),
        (string.clone(), text("12345678"), -391_021_801, 25, 793),
        (string, text("payments of Élodie"), 1_192_110_606, 63, 959),
        (DataType::BOOLEAN, Value::Bool(true), 1_465_514_398, 94, 862),
        (DataType::DOUBLE, Value::Double(0.5), -1_231_906_198, 29, 29),
        (DataType::DOUBLE, Value::Double(-0.0), 302_122_119, 102, 358),
        (
            t(TypeKind::Float),
            Value::Double(f64::from(0.1_f32)),
            1_173_234_028,
            65,
            577,
        ),
        (decimal(10), Value::Decimal(1230), 610_424_066, 35, 675),
        (decimal(38), Value::Decimal(1230), -1_972_574_950, 32, 288),
        (
            decimal(38),
            Value::decimal(-100_000_000_000_000_000_000),
            1_151_213_387,
            28,
            28,
        ),
        (decimal(38), Value::Null, -1_380_280_760, 47, 815),
        (timestamp(3), at(0), -603_952_476, 21, 21),
        (timestamp(6), at(120_000), -1_828_705_622, 121, 121),
        (
            t(TypeKind::Varbinary(9)),
            Value::Bytes(Rc::from([0xc3, 0xa9])),
            -1_531_579_217,
            17,
            273,
        ),
    ];
    for (data_type, value, hash, of_128, of_1024) in keys {
        let mut grouper = KeyGrouper::new(std::slice::from_ref(&data_type));
        let key = [value];
        assert_eq!(grouper.row_hash(&key), hash, "{data_type} {key:?}");
        assert_eq!(
            (grouper.key_group(&key, 128), grouper.key_group(&key, 1024)),
            (of_128, of_1024)
        );
    }
    assert_eq!(KeyGrouper::new(&[]).key_group(&[], 128), 11);
    let mut pairs = KeyGrouper::new(&[DataType::STRING, DataType::INT]);
    assert_eq!(
        pairs.row_hash(&[Value::from("alice"), Value::Int(7)]),
        -851_044_552
    );
    assert_eq!(
        pairs.row_hash(&[Value::from("a longer text"), Value::Null]),
        707_974_122
    );
}

#[test]
fn a_row_of_words_only_is_hashed_without_being_written() {
    let types = [
        DataType::INT,
        DataType::STRING,
        DataType::DOUBLE,
        DataType::BOOLEAN,
    ];
    let mut grouper = KeyGrouper::new(&types);
    let (int, text) = (Value::Int, |text: &str| Value::from(text));
    for row in [
        [int(-5), text("abcdefg"), Value::Double(f64::NAN), Value::Null],
        [Value::Null, text("é"), Value::Null, Value::Bool(true)],
        [int(1), text("abcdefgh"), Value::Double(-1.5), Value::Bool(false)],
    ] {
        let written = murmur::hash_words(grouper.row_bytes(&row));
        assert_eq!(grouper.row_hash(&row), written, "{row:?}");
    }
}

#[test]
fn subtasks_own_ranges_of_key_groups() {
    let mut grouper = KeyGrouper::new(&[DataType::BIGINT]);
    let mut keys = [0; 4];
    for number in 0..1000 {
        let group = grouper.key_group(&[Value::Int(number)], 128);
        keys[subtask_of_key_group(group, 4, 128) as usize] += 1;
    }
    assert_eq!(keys, [245, 251, 254, 250]);
    assert_eq!(subtask_of_key_group(77, 3, 128), 1);
    for (parallelism, expected) in [(1, 128), (85, 128), (86, 256), (1000, 2048), (30_000, 32_768)] {
        assert_eq!(default_max_parallelism(parallelism), expected);
    }
}

#[test]
fn strings_hash_as_in_flinks_maps() {
    for (text, hash) in [
        ("", 142_593_372),
        ("a", 1_485_273_170),
        ("abc", 1_322_437_556),
        ("hello world", -1_528_836_094),
        ("é€x", 578_460_544),
    ] {
        assert_eq!(hash_bytes(text.as_bytes()), hash);
    }
}

#[test]
fn table_hashes_differ_and_do_not_depend_on_the_platform() {
    let hash = |values: &[Value]| table_hash(values);
    assert_eq!(hash(&[Value::Int(7)]), 11_318_331_540_043_323_761);
    assert_eq!(hash(&[Value::from("alice")]), 10_668_809_532_959_105_564);
    assert_ne!(
        hash(&[Value::from("a"), Value::from("bc")]),
        hash(&[Value::from("ab"), Value::from("c")])
    );
    assert_ne!(hash(&[Value::Null]), hash(&[Value::from("")]));
}
